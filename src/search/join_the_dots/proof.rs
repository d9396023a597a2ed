//! What is proven of a position, by the exact search of whatever its points are packed as.

use super::arena::Arena;
use super::convex::{self, Convex};
use super::scattered::{self, Scattered};
use super::solver::{Shared, Solver};
use super::table::Space;
use super::wide::{Board, line};
use super::{Lead, Position, ranked, worth};
use crate::rules::Game;
use crate::rules::join_the_dots::Line;
use crate::search::analysis::Analysis;
use crate::search::helpers::think_along;
use crate::search::kept::Kept;
use crate::search::shared_table::ENTRY;
use crate::search::{Control, Halt, Scope, plain, room};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// For the hardest of several best moves so many positions are searched at most.
const TRAPS: u64 = 1 << 18;

/// What is kept of the exact searches of one set of points.
pub enum Exact {
    /// Points anywhere.
    Scattered(Box<Known<Scattered>>),
    /// The corners of a convex figure.
    Convex(Known<Convex>),
}

/// Points, and what is known of positions on them.
pub struct Known<A> {
    arena: A,
    space: Space,
}

/// Whether the points left are the corners of a convex figure.
pub fn is_round(position: &Position) -> bool {
    convex::round(position).is_some()
}

/// Whether the points left are few enough for an exact search.
pub fn can_be_packed(position: &Position) -> bool {
    let left = position.points_left().count();
    left <= scattered::MOST || left <= convex::MOST && is_round(position)
}

impl Exact {
    /// What is kept for a position: what was of its points before, where that was given as much memory. The
    /// position must be one that can be packed.
    pub fn of<'a>(
        kept: &'a mut Kept<Exact>,
        position: &Position,
        budget: usize,
    ) -> Result<&'a mut Exact, Halt> {
        let is_of_use = |exact: &Exact| match exact {
            Exact::Scattered(known) => known.arena.pack(position).is_some(),
            Exact::Convex(known) => known.arena.pack(position).is_some(),
        };
        let make = |budget: usize| {
            // Of more would never be made use.
            let entries = 1_usize << (2 * position.points_left().count() + 2).min(50);
            let space = Space::new(budget.min(entries * ENTRY))?;
            if let Some(arena) = Convex::new(position) {
                return Ok(Exact::Convex(Known { arena, space }));
            }
            let arena = Scattered::new(position).ok_or(Halt::Memory)?;
            Ok(Exact::Scattered(Box::new(Known { arena, space })))
        };
        kept.fit(budget, is_of_use, make)
    }

    /// Searches to the end.
    pub fn prove(
        &mut self,
        analysis: &mut Analysis<'_, Line, Lead>,
        position: &Position,
        scope: Scope,
    ) -> Option<Halt> {
        match self {
            Exact::Scattered(known) => known.prove(analysis, position, scope),
            Exact::Convex(known) => known.prove(analysis, position, scope),
        }
    }

    /// Of the moves that reach this margin, the one after which most answers are mistakes, of those that
    /// look best to two plies; as far as time allows.
    pub fn hardest(
        &mut self,
        position: &Position,
        margin: i32,
        board: &Board,
        time: &Control<'_, Line>,
    ) -> Option<Line> {
        match self {
            Exact::Scattered(known) => known.hardest(position, margin, board, time),
            Exact::Convex(known) => known.hardest(position, margin, board, time),
        }
    }
}

impl<A: Arena> Known<A> {
    fn prove(
        &mut self,
        analysis: &mut Analysis<'_, Line, Lead>,
        position: &Position,
        scope: Scope,
    ) -> Option<Halt> {
        let Known { arena, space } = self;
        let arena = &*arena;
        let state = arena.pack(position)?;
        let control = analysis.control();
        let before = analysis.nodes;
        let done = AtomicBool::new(false);
        let halt = |nodes| done.load(Relaxed) || control.halt_at(before + nodes).is_some();
        let shared = Shared::new(arena, space.table(), &halt);
        // Helpers prove the moves from the other end.
        let moves = if scope == Scope::Moves { analysis.moves() } else { &[] };
        let last_first: Vec<u16> =
            moves.iter().rev().filter_map(|known| arena.mv(position, &state, known.mv)).collect();
        let help = || {
            let mut solver = Solver::new(&shared);
            let mut guess = solver.solve(&state, 0, |_, _| ()).lower;
            for &mv in &last_first {
                guess = solver.rate(&state, mv, guess).unwrap_or(guess);
            }
            solver.nodes
        };
        let find = || {
            let mut solver = Solver::new(&shared);
            let mut learn = |solver: &Solver<A>, (lower, upper), moves: &[u16]| {
                (analysis.nodes, analysis.table) = (before + solver.nodes, shared.table.bytes());
                analysis.learn((lower, upper), arena.lines(position, &state, moves));
                analysis.tell();
            };
            let proven = solver.solve(&state, 0, |solver, proven| {
                learn(solver, (proven.lower, proven.upper), proven.best.as_slice());
            });
            let moves = solver.best_line(&state, proven);
            learn(&solver, (proven.lower, proven.upper), &moves);
            analysis.rate(|analysis, line, margin| {
                let worth = solver.rate(&state, arena.mv(position, &state, line)?, margin);
                (analysis.nodes, analysis.table) = (before + solver.nodes, shared.table.bytes());
                worth
            });
            if solver.stopped { control.halt_at(before + solver.nodes) } else { None }
        };
        let helpers = room::threads(control.limits.threads.saturating_sub(1));
        let (halt, nodes) = think_along(helpers, &done, help, find);
        analysis.nodes += nodes.iter().sum::<u64>();
        halt
    }

    fn hardest(
        &mut self,
        position: &Position,
        margin: i32,
        board: &Board,
        time: &Control<'_, Line>,
    ) -> Option<Line> {
        let Known { arena, space } = self;
        let state = arena.pack(position)?;
        let halt = |nodes| nodes >= TRAPS || time.halt().is_some();
        let shared = Shared::new(&*arena, space.table(), &halt);
        let mut solver = Solver::new(&shared);
        let mut hardest: Option<(f32, Line)> = None;
        let offers = ranked(board, true, time.limits.seed, &|| time.halt().is_some());
        for line in offers.iter().map(|offer| line(offer.pair)) {
            let Some(mv) = arena.mv(position, &state, line) else { continue };
            let rate = match solver.reaches(&state, mv, margin) {
                Some(true) => {
                    let mut after = board.clone();
                    let gain = after.join(line.ends().map(|end| end as usize - 1));
                    let next = plain::after(position, line);
                    mistakes(&mut solver, arena, &next, gain - margin, &after)
                }
                Some(false) => continue,
                None => break,
            };
            let Some(rate) = rate else { break };
            if hardest.is_none_or(|(other, _)| rate > other) {
                hardest = Some((rate, line));
            }
        }
        hardest.map(|(_, line)| line)
    }
}

/// How many of the moves that look best to two plies do not reach this margin, as a part of one;
/// `None` when the search is over. Where the game is, nobody errs any more.
fn mistakes<A: Arena>(
    solver: &mut Solver<A>,
    arena: &A,
    position: &Position,
    margin: i32,
    board: &Board,
) -> Option<f32> {
    if position.to_move().is_none() {
        return Some(0.0);
    }
    let state = arena.pack(position)?;
    let offers = ranked(board, true, 0, &|| false);
    let most = offers.first().map(|offer| worth(offer, true));
    let tempting = offers.iter().take_while(|offer| Some(worth(offer, true)) == most);
    let (mut answers, mut mistakes) = (0, 0);
    for answer in tempting.filter_map(|offer| arena.mv(position, &state, line(offer.pair))) {
        answers += 1;
        mistakes += i32::from(!solver.reaches(&state, answer, margin)?);
    }
    Some(mistakes as f32 / answers.max(1) as f32)
}
