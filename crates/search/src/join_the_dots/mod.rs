//! The engine of Join the Dots: random games, and an exact search once few enough points are left.
//!
//! Scattered points are packed as masks of pairs (`scattered`); for a convex figure, only the order of the points
//! counts (`convex`). `solver` accesses either representation as a `PointSet`; its threads share a table and split the
//! moves of a position.
//!
//! A census identifies figures with the same order type (`symmetry`). Over all order types, a census also identifies
//! figures in which the same lines cross (`order_types`; the points of each type are in `assets/order-types`).

mod convex;
pub(crate) mod levels;
mod order_types;
mod playouts;
mod point_set;
mod proof;
mod scattered;
mod solver;
mod symmetry;
mod table;
pub(crate) mod unpacked;
mod why;

pub use why::JoinTheDotsReason;

use super::analysis::{Analysis, Scale};
use super::census::{OrderTypes, Symmetry};
use super::random::shuffle;
use super::table_slot::TableSlot;
use super::{Control, Engine, Horizon, Level, Reason, Report, Scope, StopReason};
use playouts::Bandit;
use proof::{Exact, can_be_packed, exact, is_round};
use quadrille_rules::join_the_dots::{Edge, JoinTheDots};
use quadrille_rules::{Position, Seat};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;
use symmetry::Figures;
use unpacked::{Exchange, Sides, UnpackedBoard, line};

/// The engine of Join the Dots.
#[derive(Default)]
pub struct JoinTheDotsEngine {
    sides: Option<Sides>,
    exact: TableSlot<Box<dyn Exact>>,
}

/// With at most this many points, the exact search begins without random games.
const MAX_WITHOUT_GAMES: usize = 11;
/// The maximum time and number of random games before an exact search.
const TRIALS: (Duration, u32) = (Duration::from_millis(300), 1 << 13);
/// The maximum time for choosing the best move that is hardest to answer.
const MAX_TRAP_TIME: Duration = Duration::from_millis(300);
/// The maximum time and number of control checks for finding the best answers to all moves before the first report.
const ANSWERS: (Duration, u32) = (Duration::from_millis(50), 1 << 11);
/// The maximum number of random games between reports.
const REPORT_INTERVAL: u32 = 1 << 8;

impl Engine for JoinTheDotsEngine {
    type Game = JoinTheDots;

    fn horizon(position: &JoinTheDots, time: Duration) -> Horizon {
        // Seconds to solve 10, 11, … 15 random points from the start on one thread, rounded up. Each of the first two
        // lines on the board saves at least as much time as removing a point. A circle of 17 points takes less time
        // than 13 random points.
        const SECONDS: [f32; 6] = [0.1, 0.5, 0.6, 3.0, 15.0, 150.0];
        const ROUND: usize = 4;
        let within = SECONDS.iter().filter(|&&seconds| seconds <= time.as_secs_f32()).count();
        let points = 9 + within;
        let left = position.points_left().count();
        let saved = position.lines().len().min(2) + if is_round(position) { ROUND } else { 0 };
        if can_be_packed(position) && left <= points + saved {
            Horizon::Solved
        } else {
            Horizon::Points(points as u32)
        }
    }

    fn analyse(
        &mut self,
        position: &JoinTheDots,
        scope: Scope,
        control: &Control<'_, Edge>,
    ) -> Report<Edge> {
        let control = &control.without_depth();
        let board = UnpackedBoard::new(sides(&mut self.sides, position), position);
        let exchanges = {
            let time = control.share(0.5, ANSWERS.0);
            let halt = time.halt_within(ANSWERS.1);
            ranked(&board, control.limits.seed, &|| halt().is_some())
        };
        let glance = exchanges.iter().map(|exchange| (line(exchange.pair), score(exchange) as f32));
        let mut analysis = Analysis::new(glance, Lead(lead_of_mover(position)), scope, control);
        (analysis.depth, analysis.nodes) = (2, exchanges.len() as u64);
        analysis.send_report();
        let mut halt = control.halt();
        let bandit = Bandit::new(board, &exchanges, control.limits.seed);
        if !can_be_packed(position) {
            halt = try_out(&mut analysis, bandit, control, u32::MAX);
        } else if position.points_left().count() > MAX_WITHOUT_GAMES {
            halt = try_out(&mut analysis, bandit, &control.share(0.5, TRIALS.0), TRIALS.1);
        }
        if can_be_packed(position) && control.halt().is_none() {
            halt = match exact(&mut self.exact, position, control.limits.memory) {
                Ok(exact) => exact.prove(&mut analysis, position, scope),
                Err(halt) => Some(halt),
            };
        }
        let report = analysis.report();
        Report { halt: halt.or(report.halt), ..report }
    }

    /// Among several proven best moves, prefers the one that is hardest to answer.
    fn play_well(&mut self, position: &JoinTheDots, control: &Control<'_, Edge>) -> Report<Edge> {
        let control = &control.without_depth();
        let mut report = self.analyse(position, Scope::Best, control);
        let Some(value) = report.value.proven() else { return report };
        let Ok(exact) = exact(&mut self.exact, position, control.limits.memory) else {
            return report;
        };
        let margin = value - lead_of_mover(position);
        let board = UnpackedBoard::new(sides(&mut self.sides, position), position);
        let time = control.share(0.5, MAX_TRAP_TIME);
        let found = exact.hardest(position, margin, &board, &time, &mut report.nodes);
        if let Some(best) = found.filter(|best| report.best.first() != Some(best)) {
            report.best.insert(0, best);
            report.pv = vec![best];
        }
        report
    }

    fn play_as(
        &mut self,
        position: &JoinTheDots,
        level: Level,
        control: &Control<'_, Edge>,
    ) -> Report<Edge> {
        let board = UnpackedBoard::new(sides(&mut self.sides, position), position);
        levels::play_as(board, level, control)
    }

    fn ponder(&mut self, position: &JoinTheDots, control: &Control<'_, Edge>) {
        // Without an exact search, nothing is stored for the next question.
        if can_be_packed(position) {
            self.analyse(position, Scope::Moves, control);
        }
    }

    fn symmetry(_: &JoinTheDots) -> Box<dyn Symmetry<JoinTheDots>> {
        Box::new(Figures::default())
    }

    fn order_types(points: u32) -> Option<OrderTypes> {
        order_types::census(points)
    }

    fn why(position: &JoinTheDots, mv: Edge) -> Option<Reason> {
        why::why(position, mv).map(Reason::JoinTheDots)
    }
}

/// Returns the [`Sides`] of a position's points: the cached ones if the points are equal, otherwise new ones.
fn sides<'a>(kept: &'a mut Option<Sides>, position: &JoinTheDots) -> &'a Sides {
    let same = kept.take().filter(|sides| sides.are_of(position.points()));
    kept.insert(same.unwrap_or_else(|| Sides::new(position.points())))
}

fn lead(position: &JoinTheDots, seat: Seat) -> i32 {
    let scores = position.scores().unwrap_or_default();
    let [own, other] = [seat, seat.next(2)].map(|seat| scores[seat.index()] as i32);
    own - other
}

fn lead_of_mover(position: &JoinTheDots) -> i32 {
    position.to_move().map_or(0, |seat| lead(position, seat))
}

/// Returns the static evaluation of a move: its gain minus the gain of the best answer.
fn score(exchange: &Exchange) -> i32 {
    exchange.gain - exchange.answer
}

/// Returns all moves sorted by their [`score`], best first; equal moves are in random order. Once `halt` returns true,
/// the remaining answers are only estimated.
fn ranked(board: &UnpackedBoard, seed: u64, halt: &dyn Fn() -> bool) -> Vec<Exchange> {
    let mut exchanges = board.exchanges();
    shuffle(&mut fastrand::Rng::with_seed(seed), &mut exchanges);
    exchanges.sort_by_key(|exchange| Reverse(exchange.gain));
    board.answer(&mut exchanges, halt);
    exchanges.sort_by_key(|exchange| Reverse(score(exchange)));
    exchanges
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

/// Tries moves by up to `most` random games, or until `time` stops the bandit.
fn try_out(
    analysis: &mut Analysis<'_, Edge, Lead>,
    mut bandit: Bandit<'_>,
    time: &Control<'_, Edge>,
    most: u32,
) -> Option<StopReason> {
    let nodes = analysis.nodes;
    let halt = |games: u32| time.halt_at(nodes + u64::from(games));
    while bandit.games() < most && halt(bandit.games()).is_none() {
        let next = bandit.games() + bandit.games().clamp(1, REPORT_INTERVAL);
        while bandit.games() < next && halt(bandit.games()).is_none() {
            bandit.play(&|| time.halt().is_some());
        }
        let tried = bandit.best();
        let Some(best) = tried.first().filter(|best| best.mean().is_some()) else { continue };
        let means: HashMap<Edge, f32> =
            tried.iter().filter_map(|tried| Some((line(tried.pair), tried.mean()?))).collect();
        // The estimate of an untried move is at most that of the worst tried move.
        let worst = means.values().copied().fold(f32::INFINITY, f32::min);
        analysis.nodes = nodes + u64::from(bandit.games());
        analysis.update_estimates(vec![line(best.pair)], |candidate| {
            means.get(&candidate.mv).map_or(candidate.static_value.min(worst), |&mean| mean)
        });
    }
    halt(bandit.games())
}

#[cfg(test)]
mod tests;
