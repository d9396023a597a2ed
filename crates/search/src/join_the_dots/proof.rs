//! The exact search of a position, independent of how its points are packed.

use super::convex::{self, Convex};
use super::point_set::PointSet;
use super::scattered::{self, Scattered};
use super::solver::{JoinSolver, SharedJoinSearch};
use super::table;
use super::unpacked::{UnpackedBoard, line};
use super::{JoinTheDots, Lead, ranked, score};
use crate::analysis::Analysis;
use crate::helpers::with_helpers;
use crate::shared_table::{ENTRY, TableMemory};
use crate::table_slot::TableSlot;
use crate::{Control, Scope, StopReason, memory, minimax};
use quadrille_rules::Position;
use quadrille_rules::join_the_dots::Edge;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The maximum number of positions searched to choose the best move that is hardest to answer.
const MAX_TRAP_NODES: u64 = 1 << 18;

/// The exact search on one set of points, with its table.
pub trait Exact: Send {
    /// Returns whether the search supports this position.
    fn holds(&self, position: &JoinTheDots) -> bool;

    /// Searches to the end of the game. Returns why the search stopped early, if it did.
    fn prove(
        &mut self,
        analysis: &mut Analysis<'_, Edge, Lead>,
        position: &JoinTheDots,
        scope: Scope,
    ) -> Option<StopReason>;

    /// Among the moves that reach this margin, returns the move that is hardest to answer: after this move, the share
    /// of mistakes among the best answers of a two-ply search is greatest. If time or positions run out, returns the
    /// hardest move so far. Adds the positions searched to `nodes`.
    fn hardest(
        &mut self,
        position: &JoinTheDots,
        margin: i32,
        board: &UnpackedBoard,
        time: &Control<'_, Edge>,
        nodes: &mut u64,
    ) -> Option<Edge>;
}

/// A packed set of points, with the table of its positions.
struct ExactSearch<A> {
    point_set: A,
    memory: TableMemory,
}

/// Returns whether the remaining points are the corners of a convex polygon.
pub fn is_round(position: &JoinTheDots) -> bool {
    convex::round(position).is_some()
}

/// Returns whether the remaining points are few enough for an exact search.
pub fn can_be_packed(position: &JoinTheDots) -> bool {
    let left = position.points_left().count();
    left <= scattered::MAX_POINTS || left <= convex::MAX_POINTS && is_round(position)
}

/// Returns the search for a position, which must be one that can be packed: the stored search if it has the same points
/// and the same budget in bytes, otherwise a new one.
pub fn exact<'a>(
    kept: &'a mut TableSlot<Box<dyn Exact>>,
    position: &JoinTheDots,
    budget: usize,
) -> Result<&'a mut Box<dyn Exact>, StopReason> {
    kept.get_or_rebuild(
        budget,
        |exact| exact.holds(position),
        |budget| {
            // An upper bound on the entries of any search.
            let entries = 1_usize << (2 * position.points_left().count() + 2).min(50);
            let memory = table::memory(budget.min(entries * ENTRY))?;
            if let Some(point_set) = Convex::new(position) {
                return Ok(Box::new(ExactSearch { point_set, memory }) as Box<dyn Exact>);
            }
            let point_set = Scattered::new(position).ok_or(StopReason::MemoryLimit)?;
            Ok(Box::new(ExactSearch { point_set, memory }))
        },
    )
}

impl<A: PointSet + Send> Exact for ExactSearch<A> {
    fn holds(&self, position: &JoinTheDots) -> bool {
        self.point_set.pack(position).is_some()
    }

    fn prove(
        &mut self,
        analysis: &mut Analysis<'_, Edge, Lead>,
        position: &JoinTheDots,
        scope: Scope,
    ) -> Option<StopReason> {
        let ExactSearch { point_set, memory } = self;
        let point_set = &*point_set;
        let state = point_set.pack(position)?;
        let control = analysis.control();
        let before = analysis.nodes;
        let done = AtomicBool::new(false);
        let halt = |nodes| done.load(Relaxed) || control.halt_at(before + nodes).is_some();
        let shared = SharedJoinSearch::new(point_set, memory.table(), &halt);
        // Helpers prove the moves in reverse order.
        let moves = if scope == Scope::Moves { analysis.moves() } else { &[] };
        let last_first: Vec<u16> = moves
            .iter()
            .rev()
            .filter_map(|candidate| point_set.mv(position, &state, candidate.mv))
            .collect();
        let help = || {
            let mut solver = JoinSolver::new(&shared);
            let mut guess = solver.solve(&state, 0, |_, _| ()).lower;
            for &mv in &last_first {
                guess = solver.prove_move(&state, mv, guess).unwrap_or(guess);
            }
            solver.nodes
        };
        let find = || {
            let mut solver = JoinSolver::new(&shared);
            let mut learn = |solver: &JoinSolver<A>, (lower, upper), moves: &[u16]| {
                (analysis.nodes, analysis.table_bytes) =
                    (before + solver.nodes, shared.table.bytes());
                analysis.tighten((lower, upper), point_set.lines(position, &state, moves));
                analysis.send_report();
            };
            let proven = solver.solve(&state, 0, |solver, proven| {
                learn(solver, (proven.lower, proven.upper), proven.best.as_slice());
            });
            let moves = solver.pv(&state, proven);
            learn(&solver, (proven.lower, proven.upper), &moves);
            analysis.prove_moves(|analysis, line, margin| {
                let worth =
                    solver.prove_move(&state, point_set.mv(position, &state, line)?, margin);
                (analysis.nodes, analysis.table_bytes) =
                    (before + solver.nodes, shared.table.bytes());
                worth
            });
            if solver.stopped { control.halt_at(before + solver.nodes) } else { None }
        };
        let helpers = memory::threads(control.limits.threads.saturating_sub(1));
        let (halt, nodes) = with_helpers(helpers, &done, help, find);
        analysis.nodes += nodes.iter().sum::<u64>();
        halt
    }

    fn hardest(
        &mut self,
        position: &JoinTheDots,
        margin: i32,
        board: &UnpackedBoard,
        time: &Control<'_, Edge>,
        nodes: &mut u64,
    ) -> Option<Edge> {
        let ExactSearch { point_set, memory } = self;
        let state = point_set.pack(position)?;
        let before = *nodes;
        let halt = |nodes| nodes >= MAX_TRAP_NODES || time.halt_at(before + nodes).is_some();
        let shared = SharedJoinSearch::new(&*point_set, memory.table(), &halt);
        let mut solver = JoinSolver::new(&shared);
        let mut hardest: Option<(f32, Edge)> = None;
        let exchanges = ranked(board, time.limits.seed, &|| time.halt().is_some());
        for line in exchanges.iter().map(|exchange| line(exchange.pair)) {
            let Some(mv) = point_set.mv(position, &state, line) else { continue };
            let rate = match solver.reaches(&state, mv, margin) {
                Some(true) => {
                    let mut after = board.clone();
                    let gain = after.join(line.ends().map(|end| end as usize - 1));
                    let next = minimax::after(position, line);
                    mistakes(&mut solver, point_set, &next, gain - margin, &after)
                }
                Some(false) => continue,
                None => break,
            };
            let Some(rate) = rate else { break };
            if hardest.is_none_or(|(other, _)| rate > other) {
                hardest = Some((rate, line));
            }
        }
        *nodes += solver.nodes;
        hardest.map(|(_, line)| line)
    }
}

/// Returns the share (0 to 1) of the best moves in a two-ply search that do not reach this margin: 0 at the end of the
/// game, and `None` if the search is stopped.
fn mistakes<A: PointSet>(
    solver: &mut JoinSolver<A>,
    point_set: &A,
    position: &JoinTheDots,
    margin: i32,
    board: &UnpackedBoard,
) -> Option<f32> {
    if position.to_move().is_none() {
        return Some(0.0);
    }
    let state = point_set.pack(position)?;
    let exchanges = ranked(board, 0, &|| false);
    let most = exchanges.first().map(score);
    let tempting = exchanges.iter().take_while(|exchange| Some(score(exchange)) == most);
    let (mut answers, mut mistakes) = (0, 0);
    for answer in
        tempting.filter_map(|exchange| point_set.mv(position, &state, line(exchange.pair)))
    {
        answers += 1;
        mistakes += i32::from(!solver.reaches(&state, answer, margin)?);
    }
    Some(mistakes as f32 / answers.max(1) as f32)
}
