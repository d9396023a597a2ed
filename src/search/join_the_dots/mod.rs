//! The engine of Join the Dots: Monte Carlo trials, and where the points left are few enough a search to the
//! end.

mod convex;
mod forms;
mod levels;
mod order_types;
mod playouts;
mod point_set;
mod proof;
mod scattered;
mod solver;
mod table;
mod wide;

use super::analysis::{Analysis, Scale};
use super::census::{Forms, OrderTypes};
use super::kept::Kept;
use super::{Control, Engine, Halt, Horizon, Level, Report, Scope};
use crate::rules::join_the_dots::{JoinTheDots as Position, Line};
use crate::rules::{Game, Seat};
use forms::Figures;
use playouts::Trials;
use proof::{Exact, can_be_packed, is_round};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;
use wide::{Offer, Sides, WideBoard, line};

/// The engine of Join the Dots.
#[derive(Default)]
pub struct JoinTheDots {
    sides: Option<Sides>,
    exact: Kept<Exact>,
}

/// With at most this many points the search to the end begins without trials.
const AT_ONCE: usize = 11;
/// For how long, and how many, trials are made at most before a search to the end.
const TRIALS: (Duration, u32) = (Duration::from_millis(300), 1 << 13);
/// For how long the hardest of several best moves is looked for at most.
const TRAPS: Duration = Duration::from_millis(300);
/// For how long, and for how many looks at the control, answers to all moves are looked for at most before the
/// first report.
const ANSWERS: (Duration, u32) = (Duration::from_millis(50), 1 << 11);
/// After how many trials there is a report at the latest.
const NEWS: u32 = 1 << 8;

impl Engine for JoinTheDots {
    type Game = Position;

    fn horizon(position: &Position, time: Duration) -> Horizon {
        // Seconds to solve 10 to 15 random points from the start on one thread, rounded up. The first two lines on
        // the board each save at least as much time as one point less, and 17 points on a circle take less than 13
        // random ones.
        const SECONDS: [f32; 6] = [0.1, 0.5, 0.6, 3.0, 15.0, 150.0];
        const ROUND: usize = 4;
        let within = SECONDS.iter().filter(|&&seconds| seconds <= time.as_secs_f32()).count();
        let points = 9 + within;
        let left = position.points_left().count();
        let saved = position.lines().len().min(2) + if is_round(position) { ROUND } else { 0 };
        if can_be_packed(position) && left <= points + saved {
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
        let board = WideBoard::new(sides(&mut self.sides, position), position);
        let offers = {
            let time = control.share(0.5, ANSWERS.0);
            let halt = time.halt_within(ANSWERS.1);
            ranked(&board, control.limits.seed, &|| halt().is_some())
        };
        let glance = offers.iter().map(|offer| (line(offer.pair), worth(offer) as f32));
        let mut analysis = Analysis::new(glance, Lead(lead_of_mover(position)), scope, control);
        (analysis.depth, analysis.nodes) = (2, offers.len() as u64);
        analysis.tell();
        let mut halt = control.halt();
        let trials = Trials::new(board, &offers, control.limits.seed);
        if !can_be_packed(position) {
            halt = try_out(&mut analysis, trials, control, u32::MAX);
        } else if position.points_left().count() > AT_ONCE {
            halt = try_out(&mut analysis, trials, &control.share(0.5, TRIALS.0), TRIALS.1);
        }
        if can_be_packed(position) && control.halt().is_none() {
            halt = match Exact::for_position(&mut self.exact, position, control.limits.memory) {
                Ok(exact) => exact.prove(&mut analysis, position, scope),
                Err(halt) => Some(halt),
            };
        }
        Report { halt, ..analysis.report() }
    }

    /// Analyses, and of several moves proven to be best prefers the one that is hardest to answer.
    fn play_well(&mut self, position: &Position, control: &Control<'_, Line>) -> Report<Line> {
        let mut report = self.analyse(position, Scope::Best, control);
        let Some(value) = report.value.proven() else { return report };
        let Ok(exact) = Exact::for_position(&mut self.exact, position, control.limits.memory)
        else {
            return report;
        };
        let margin = value - lead_of_mover(position);
        let board = WideBoard::new(sides(&mut self.sides, position), position);
        let time = control.share(0.5, TRAPS);
        let found = exact.hardest(position, margin, &board, &time);
        if let Some(best) = found.filter(|best| report.best.first() != Some(best)) {
            report.best.insert(0, best);
            report.pv = vec![best];
        }
        report
    }

    fn play_as(
        &mut self,
        position: &Position,
        level: Level,
        control: &Control<'_, Line>,
    ) -> Report<Line> {
        let board = WideBoard::new(sides(&mut self.sides, position), position);
        levels::play_as(board, level, control)
    }

    fn ponder(&mut self, position: &Position, control: &Control<'_, Line>) {
        // Else nothing is kept.
        if can_be_packed(position) {
            self.analyse(position, Scope::Moves, control);
        }
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
        let before = WideBoard::new(&sides, position);
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

/// The [`Sides`] of the points of a position: those that are kept, if they are of the same points.
fn sides<'a>(kept: &'a mut Option<Sides>, position: &Position) -> &'a Sides {
    let same = kept.take().filter(|sides| sides.are_of(position.points()));
    kept.insert(same.unwrap_or_else(|| Sides::new(position.points())))
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

/// The static evaluation of a move: its gain less that of the best answer.
fn worth(offer: &Offer) -> i32 {
    offer.gain - offer.answer
}

/// All moves, the best first by their [`worth`]. Once `halt` says stop, the other answers are only estimated. Equal moves
/// are in random order.
fn ranked(board: &WideBoard, seed: u64, halt: &dyn Fn() -> bool) -> Vec<Offer> {
    let mut offers = board.offers();
    fastrand::Rng::with_seed(seed).shuffle(&mut offers);
    offers.sort_by_key(|offer| Reverse(offer.gain));
    board.answer(&mut offers, halt);
    offers.sort_by_key(|offer| Reverse(worth(offer)));
    offers
}

/// The lead of the seat to move, which is added to the margin still to come.
struct Lead(i32);

impl Scale for Lead {
    fn range(&self, margin: i32) -> Option<(i32, i32)> {
        Some((self.0 + margin, self.0 + margin))
    }

    fn likely(&self, margin: f32) -> f32 {
        self.0 as f32 + margin
    }
}

/// Tries moves until `time` is up, in at most `most` trials.
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
        // A move that was not tried is taken to be no better than the worst one that was.
        let worst = means.values().copied().fold(f32::INFINITY, f32::min);
        analysis.nodes = nodes + u64::from(trials.games());
        analysis.guess(vec![line(best.pair)], |candidate| {
            means.get(&candidate.mv).map_or(candidate.promise.min(worst), |&mean| mean)
        });
    }
    halt(trials.games())
}

#[cfg(test)]
mod tests;
