//! Join the Dots: searched to the end while that can be done in the time, and by Monte Carlo trials
//! before.

mod forms;
mod order_types;
mod packed;
mod playouts;
mod wide;

use super::alpha_beta::{AlphaBeta, PATIENCE, Proven, TableOf};
use super::analysis::{Analysis, Scale};
use super::census::{Forms, OrderTypes};
use super::kept::Kept;
use super::{Choice, Control, Engine, Halt, Horizon, Level, Rated, Report, Scope, Value, plain};
use crate::rules::join_the_dots::{JoinTheDots as Position, Line};
use crate::rules::{Game, Seat};
use forms::Figures;
use packed::{Arena, MOST, State, is_round};
use playouts::Trials;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;
use wide::{Board, Offer, Sides, line};

/// The engine of Join the Dots.
#[derive(Default)]
pub struct JoinTheDots {
    sides: Option<Sides>,
    exact: Kept<Exact>,
}

/// What is kept of the exact searches of one set of points.
struct Exact {
    arena: Arena,
    table: TableOf<Arena>,
}

/// How many points, at most, are searched to the end without trials before.
const AT_ONCE: usize = 11;
/// How long, and how many, trials go on before such a search at most.
const TRIALS: (Duration, u32) = (Duration::from_millis(300), 1 << 13);
/// How long, and for how many looks at the control, the hardest of several best moves is looked for at
/// most.
const TRAPS: (Duration, u32) = (Duration::from_millis(300), 1 << 12);
/// The same for the answers to all moves, before anything is told.
const ANSWERS: (Duration, u32) = (Duration::from_millis(50), 1 << 11);
/// After how many trials news are told at the latest.
const NEWS: u32 = 1 << 8;

impl Engine for JoinTheDots {
    type Game = Position;

    fn glance(position: &Position, seat: Seat) -> i32 {
        lead(position, seat)
    }

    fn horizon(position: &Position, time: Duration) -> Horizon {
        // Seconds that 10 to 14 random points took from their start, rounded up. The first two lines
        // on the board each save at least as much as a point less does, and 16 points on a circle
        // take less than 11 elsewhere.
        const SECONDS: [f32; 5] = [0.2, 0.8, 2.0, 12.0, 50.0];
        const ROUND: usize = 5;
        let within = SECONDS.iter().filter(|&&seconds| seconds <= time.as_secs_f32()).count();
        let points = 9 + within;
        let left = position.points_left().count();
        let saved = position.lines().len().min(2) + if is_round(position) { ROUND } else { 0 };
        if left <= MOST && left <= points + saved {
            Horizon::Solved
        } else {
            Horizon::Sees(format!("to the end from the last {points} points on"))
        }
    }

    fn analyse(
        &mut self,
        position: &Position,
        scope: Scope,
        control: &Control<'_, Line>,
    ) -> Report<Line> {
        let control = &control.without_depth();
        let board = Board::new(sides(&mut self.sides, position), position);
        let offers = {
            let time = control.share(0.5, ANSWERS.0);
            let halt = time.halt_within(ANSWERS.1);
            ranked(&board, true, control.limits.seed, &|| halt().is_some())
        };
        let glance = offers.iter().map(|offer| (line(offer.pair), worth(offer, true) as f32));
        let mut analysis = Analysis::new(glance, Lead(lead_of_mover(position)), scope, control);
        (analysis.depth, analysis.nodes) = (2, offers.len() as u64);
        analysis.tell();
        let mut halt = control.halt();
        let trials = Trials::new(board, &offers, control.limits.seed);
        let left = position.points_left().count();
        if left > MOST {
            halt = try_out(&mut analysis, trials, control, u32::MAX);
        } else if left > AT_ONCE {
            halt = try_out(&mut analysis, trials, &control.share(0.5, TRIALS.0), TRIALS.1);
        }
        if left <= MOST
            && control.halt().is_none()
            && let Some((exact, state)) =
                Exact::of(&mut self.exact, position, control.limits.memory)
        {
            halt = prove(&mut analysis, exact, position, &state);
        }
        Report { halt, ..analysis.report() }
    }

    fn choose(
        &mut self,
        position: &Position,
        level: Level,
        control: &Control<'_, Line>,
    ) -> Choice<Line> {
        let report = match level {
            Level::Beginner | Level::Casual => {
                let answers = level == Level::Casual;
                let board = Board::new(sides(&mut self.sides, position), position);
                glimpse(
                    lead_of_mover(position),
                    &ranked(&board, answers, control.limits.seed, &|| control.halt().is_some()),
                    answers,
                )
            }
            Level::Strong => self.play_well(position, control),
            Level::Perfect => self.play_well(position, &control.without_deadline()),
        };
        Choice { mv: report.best[0], report }
    }

    fn forms(_: &Position) -> Box<dyn Forms<Position>> {
        Box::new(Figures::default())
    }

    fn order_types(points: u32) -> Option<OrderTypes> {
        order_types::census(points)
    }

    fn why(position: &Position, mv: Line) -> Option<String> {
        if let Some(cycle) = position.cycle_closed_by(mv) {
            return Some(format!("closes a cycle of {} points", cycle.len()));
        }
        let sides = Sides::new(position.points());
        let before = Board::new(&sides, position);
        let mut after = before.clone();
        after.join(mv.ends().map(|end| end as usize - 1));
        match (before.largest(), after.largest()) {
            (0, 0) => Some("leaves no cycle to close".to_owned()),
            (stopped, 0) => Some(format!("shuts off a cycle of {stopped} points")),
            (0, offered) => Some(format!("offers a cycle of {offered} points")),
            _ => None,
        }
    }
}

impl JoinTheDots {
    /// Analyses, and of several moves proven to be best prefers the one that is hardest to answer.
    fn play_well(&mut self, position: &Position, control: &Control<'_, Line>) -> Report<Line> {
        let mut report = self.analyse(position, Scope::Best, control);
        let value = report.value.proven();
        let Some((exact, state)) =
            value.and_then(|_| Exact::of(&mut self.exact, position, control.limits.memory))
        else {
            return report;
        };
        let margin = value.unwrap_or_default() - lead_of_mover(position);
        let board = Board::new(sides(&mut self.sides, position), position);
        let time = control.share(0.5, TRAPS.0);
        let found = hardest(exact, (position, &state), margin, &board, &time);
        if let Some(best) = found.filter(|best| report.best.first() != Some(best)) {
            report.best.insert(0, best);
            report.pv = vec![best];
        }
        report
    }
}

/// Of the moves that reach this margin, the one after which most answers are mistakes, of those that
/// look best to two plies; as far as time allows.
fn hardest(
    exact: &mut Exact,
    (position, state): (&Position, &State),
    margin: i32,
    board: &Board,
    time: &Control<'_, Line>,
) -> Option<Line> {
    let Exact { arena, table, .. } = exact;
    let halt = time.halt_within(TRAPS.1);
    let mut search = AlphaBeta::new(arena, table, &halt);
    let mut hardest: Option<(f32, Line)> = None;
    let offers = ranked(board, true, time.limits.seed, &|| halt().is_some());
    for line in offers.iter().map(|offer| line(offer.pair)) {
        let Some(mv) = arena.mv(position, state, line) else { continue };
        let rate = match search.reaches(state, mv, margin) {
            Some(true) => {
                let mut after = board.clone();
                let gain = after.join(line.ends().map(|end| end as usize - 1));
                mistakes(arena, &mut search, &plain::after(position, line), gain - margin, &after)
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

/// How many of the moves that look best to two plies do not reach this margin, as a part of one;
/// `None` when the search is over. Where the game is, nobody errs any more.
fn mistakes(
    arena: &Arena,
    search: &mut AlphaBeta<Arena>,
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
        mistakes += i32::from(!search.reaches(&state, answer, margin)?);
    }
    Some(mistakes as f32 / answers.max(1) as f32)
}

/// The sides of the points of a position: those kept, if they are of the same points.
fn sides<'a>(kept: &'a mut Option<Sides>, position: &Position) -> &'a Sides {
    let same = kept.take().filter(|sides| sides.are_of(position.points()));
    kept.insert(same.unwrap_or_else(|| Sides::new(position.points())))
}

impl Exact {
    /// What is kept for a position, with the position packed: of the same points, where it is.
    fn of<'a>(
        kept: &'a mut Kept<Exact>,
        position: &Position,
        budget: usize,
    ) -> Option<(&'a mut Exact, State)> {
        let is_of_use = |exact: &Exact| exact.arena.pack(position).is_some();
        let make = |budget| {
            let arena = Arena::new(position).ok_or(Halt::Memory)?;
            Ok::<_, Halt>(Exact { arena, table: TableOf::<Arena>::new(budget) })
        };
        let exact = kept.fit(budget, is_of_use, make).ok()?;
        let state = exact.arena.pack(position)?;
        Some((exact, state))
    }
}

/// The points a seat leads by.
fn lead(position: &Position, seat: Seat) -> i32 {
    let scores = position.scores().unwrap_or_default();
    let [own, other] = [seat, seat.next(2)].map(|seat| scores[seat.index()] as i32);
    own - other
}

fn lead_of_mover(position: &Position) -> i32 {
    position.to_move().map_or(0, |seat| lead(position, seat))
}

/// What two plies, or the gain alone, say of a move.
fn worth(offer: &Offer, answers: bool) -> i32 {
    offer.gain - if answers { offer.answer } else { 0 }
}

/// All moves, the best first as a player sees them who looks at his own move, or at the answers to it
/// as well while `halt` lets him; equals in a random order.
fn ranked(board: &Board, answers: bool, seed: u64, halt: &dyn Fn() -> bool) -> Vec<Offer> {
    let mut offers = board.offers();
    fastrand::Rng::with_seed(seed).shuffle(&mut offers);
    offers.sort_by_key(|offer| Reverse(offer.gain));
    if answers {
        board.answer(&mut offers, halt);
        offers.sort_by_key(|offer| Reverse(worth(offer, true)));
    }
    offers
}

/// What that player thinks of them.
fn glimpse(lead: i32, offers: &[Offer], answers: bool) -> Report<Line> {
    let value = |offer: &Offer| Value::estimate((lead + worth(offer, answers)) as f32);
    let most = offers.first().map(|offer| worth(offer, answers));
    let best = offers.iter().take_while(|offer| Some(worth(offer, answers)) == most);
    Report {
        value: offers.first().map(value).unwrap_or_default(),
        depth: 1 + u32::from(answers),
        best: best.map(|offer| line(offer.pair)).collect(),
        pv: offers.iter().take(1).map(|offer| line(offer.pair)).collect(),
        moves: offers
            .iter()
            .map(|offer| Rated { mv: line(offer.pair), value: value(offer), round_value: None })
            .collect(),
        nodes: offers.len() as u64,
        ..Report::default()
    }
}

/// What the points to come make of the game.
struct Lead(i32);

impl Scale for Lead {
    fn range(&self, margin: i32) -> Option<(i32, i32)> {
        Some((self.0 + margin, self.0 + margin))
    }

    fn likely(&self, margin: f32) -> f32 {
        self.0 as f32 + margin
    }
}

/// Tries moves out as long as `time` goes, in so many trials at most.
fn try_out(
    analysis: &mut Analysis<'_, Line, Lead>,
    mut trials: Trials<'_>,
    time: &Control<'_, Line>,
    most: u32,
) -> Option<Halt> {
    let nodes = analysis.nodes;
    let halt = |games: u32| time.halt_at(nodes + u64::from(games));
    while trials.games() < most && halt(trials.games()).is_none() {
        let next = trials.games() + trials.games().clamp(1, NEWS);
        while trials.games() < next && halt(trials.games()).is_none() {
            trials.play(&|| time.halt().is_some());
        }
        let tried = trials.best();
        let Some(best) = tried.first().filter(|best| best.mean().is_some()) else { continue };
        let means: HashMap<Line, f32> =
            tried.iter().filter_map(|tried| Some((line(tried.pair), tried.mean()?))).collect();
        // What was not tried is thought no better than the worst that was.
        let worst = means.values().copied().fold(f32::INFINITY, f32::min);
        analysis.nodes = nodes + u64::from(trials.games());
        analysis.guess(vec![line(best.pair)], |known| {
            means.get(&known.mv).map_or(known.promise.min(worst), |&mean| mean)
        });
    }
    halt(trials.games())
}

/// Searches to the end.
fn prove(
    analysis: &mut Analysis<'_, Line, Lead>,
    Exact { arena, table }: &mut Exact,
    position: &Position,
    state: &State,
) -> Option<Halt> {
    let control = analysis.control();
    let before = analysis.nodes;
    let halt = control.halt_after(before, PATIENCE);
    let mut search = AlphaBeta::new(arena, table, &halt);
    let mut learn = |search: &AlphaBeta<Arena>, proven: Proven<u8>, moves: &[u8]| {
        (analysis.nodes, analysis.table) = (before + search.nodes(), search.table_bytes());
        analysis.learn((proven.lower, proven.upper), arena.lines(position, state, moves));
        analysis.tell();
    };
    let proven = search.solve(state, 0, |search, proven| {
        learn(search, proven, proven.best.as_slice());
    });
    let moves = search.best_line(state, proven);
    learn(&search, proven, &moves);
    analysis.rate(|analysis, line, margin| {
        let mv = arena.mv(position, state, line)?;
        let (worth, _) = search.rate(state, mv, margin, |_, _, _| ());
        (analysis.nodes, analysis.table) = (before + search.nodes(), search.table_bytes());
        search.halted().is_none().then_some(worth)
    });
    search.halted()
}

#[cfg(test)]
mod tests;
