//! The engine of Making Intersections.
//!
//! Rounds are independent; only their points add up. With two players, the margin at the end therefore follows from
//! this round and one whole round of each kind to come. With more players, only the round can be solved: its value does
//! not show which defender gains most when the offense scores less. In the last round, the value gives the margin, with
//! one exception: a seat that stays behind a third seat whatever the offense scores is indifferent, and may let the
//! offense score more. The margin is proven if that makes no difference, and bounded otherwise.
//!
//! In a round, the defenders are one side against the offense. The search asks whether the offense gains at least a
//! certain number of dots, the `goal`. `gains` computes the gains of all possible last segments at once. The seat that
//! draws just before the offense's last segment has to block each segment that would reach the goal (`threats`).

mod analysis;
mod gains;
mod levels;
mod packed;
mod round;
mod solver;
mod table;
#[cfg(test)]
mod tests;
mod threats;
pub(crate) mod unpacked;
mod why;

pub use why::IntersectionsReason;

use super::census::{Cell, Cells, Runs, Symmetry};
use super::table_slot::TableSlot;
use super::{Control, Engine, Horizon, Level, Limits, Reason, Report, Scope, StopReason};
use analysis::RoundAnalysis;
use quadrille_rules::intersections::{Dot, Intersections, Segment};
use quadrille_rules::{Position, Seat};
use round::{RoundKind, RoundQuestion, RoundResult, Solve, solver};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// The engine of Making Intersections.
#[derive(Default)]
pub struct IntersectionsEngine {
    /// The solver for the last kind of round. Its budget includes the memory of the tree.
    solver: TableSlot<Box<dyn Solve>>,
    /// The solved whole rounds, by kind and number of segments.
    whole: HashMap<(RoundKind, u32), Whole>,
}

struct Whole {
    /// The score of the offense.
    dots: u32,
    /// The beginning of the principal variation.
    pv: Vec<Segment>,
}

/// The maximum number of control checks while the solver extends the principal variation through later rounds.
const LINE_CHECKS: u32 = 1024;

impl Engine for IntersectionsEngine {
    type Game = Intersections;

    fn horizon(position: &Intersections, time: Duration) -> Horizon {
        let left = left(position);
        if position.seats() > 2 {
            // With more than two seats, only the round can be solved, which does not decide the match.
            return Horizon::Segments(None);
        }
        if left == 1 {
            return Horizon::Solved;
        }
        let Some(solver) = solver(kind_of(position, position.round().number), 0) else {
            return Horizon::Segments(Some(1));
        };
        let legal = position.legal_moves().len();
        // Assumes that the number of legal moves falls in proportion to the number of segments left.
        let is_seen = |last: &u32| {
            let ways = legal as f32 * *last as f32 / left as f32;
            solver.takes(*last) && work(position, *last, ways) <= time.as_secs_f32().log2()
        };
        match (1..=left).rev().find(is_seen) {
            Some(last) if last == left => Horizon::Solved,
            last => Horizon::Segments(last.or(Some(1))),
        }
    }

    fn analyse(
        &mut self,
        position: &Intersections,
        scope: Scope,
        control: &Control<'_, Segment>,
    ) -> Report<Segment> {
        self.search(position, scope, true, control)
    }

    /// Searches only the current round, since later rounds do not depend on the move.
    fn play_well(
        &mut self,
        position: &Intersections,
        control: &Control<'_, Segment>,
    ) -> Report<Segment> {
        self.search(position, Scope::Best, false, control)
    }

    fn play_as(
        &mut self,
        position: &Intersections,
        level: Level,
        control: &Control<'_, Segment>,
    ) -> Report<Segment> {
        levels::play_as(position, level, control)
    }

    fn ponder(&mut self, position: &Intersections, control: &Control<'_, Segment>) {
        let solver = solver(kind_of(position, position.round().number), 0);
        // Without a solver, nothing is stored for the next question.
        if solver.is_some_and(|solver| solver.takes(left(position))) {
            self.search(position, Scope::Moves, false, control);
        }
    }

    /// Compares the covered units, the passed dots with the direction of each pass, and the index of the round.
    /// Together they determine where each segment begins and ends.
    fn symmetry(start: &Intersections) -> Box<dyn Symmetry<Intersections>> {
        let (rows, cols) = (start.rows(), start.cols());
        let dots: Vec<Dot> = start.all_dots().collect();
        let across = dots.iter().map(|at| Cell::between([at.row, at.col], [at.row, at.col + 1]));
        let down = dots.iter().map(|at| Cell::between([at.row, at.col], [at.row + 1, at.col]));
        let passed = |runs| dots.iter().map(move |at| Cell { runs, ..Cell::at(at.row, at.col) });
        let cells = across.filter(|cell| cell.col < 2 * u16::from(cols) - 2);
        let cells = cells.chain(down.filter(|cell| cell.row < 2 * u16::from(rows) - 2));
        let cells: Vec<Cell> =
            cells.chain(passed(Runs::Across)).chain(passed(Runs::Down)).collect();
        let index: HashMap<Cell, usize> = cells.iter().copied().zip(0..).collect();
        let size = cells.len();
        let read = move |position: &Intersections, out: &mut Vec<u8>| {
            out.resize(size, 0);
            for segment in position.drawn() {
                let runs = if segment.is_horizontal() { Runs::Across } else { Runs::Down };
                let dots = segment.dots();
                let units = dots.windows(2).map(|unit| {
                    Cell::between([unit[0].row, unit[0].col], [unit[1].row, unit[1].col])
                });
                let passed = dots[1..dots.len() - 1]
                    .iter()
                    .map(|at| Cell { runs, ..Cell::at(at.row, at.col) });
                for cell in units.chain(passed) {
                    out[index[&cell]] = 1;
                }
            }
            out.extend((0..u32::BITS).map(|bit| (position.round().number >> bit & 1) as u8));
        };
        Box::new(Cells::new([rows, cols], &cells, 2, read))
    }

    fn why(position: &Intersections, segment: Segment) -> Option<Reason> {
        why::why(position, segment).map(Reason::Intersections)
    }
}

impl IntersectionsEngine {
    /// Searches the current round and, with `rest`, also the later rounds if the margin depends on them.
    fn search(
        &mut self,
        position: &Intersections,
        scope: Scope,
        rest: bool,
        control: &Control<'_, Segment>,
    ) -> Report<Segment> {
        let control = &control.without_depth();
        let mut round = RoundAnalysis::new(position, scope, control);
        (round.analysis.scale.rest, _) =
            self.rest(position, control, &mut 0, Some(StopReason::Stopped));
        round.analysis.send_report();
        let kind = kind_of(position, position.round().number);
        let make = |memory| solver(kind, memory / 2).ok_or(StopReason::MemoryLimit);
        let memory = control.limits.memory;
        let solver = self.solver.get_or_rebuild(memory, |solver| solver.kind() == kind, make);
        let mut halt = control.halt();
        // If there is too little time to prove anything, random games and `max_n` make better use of it.
        let in_time = |time: Duration| work_on(position) <= time.as_secs_f32().log2();
        let takes = |solver: &&mut Box<dyn Solve>| {
            solver.takes(left(position)) && control.time_left().is_none_or(in_time)
        };
        if left(position) == 1 {
            round.finish();
        } else if let Some(solver) = solver.ok().filter(takes) {
            if halt.is_none() {
                halt = round.solve(solver.as_mut());
            }
            if halt.is_none() {
                halt = round.prove_moves(solver.as_mut());
            }
            if position.drawn().is_empty()
                && let Some(dots) = round.dots()
            {
                self.store(kind, position.segments(), dots, round.analysis.proven_pv());
            }
        } else if halt.is_none() {
            halt = round.estimate();
        }
        if rest && halt.is_none() {
            let nodes = &mut round.analysis.nodes;
            (round.analysis.scale.rest, halt) = self.rest(position, control, nodes, halt);
        }
        let mut report = round.analysis.report();
        report.halt = halt.or(report.halt);
        if rest && report.value.proven().is_some() {
            self.extend(&mut report, position, control);
        }
        report
    }

    /// Extends the variation of a report, if it reaches the end of the current round, through later rounds, as far as
    /// their variations are known or a short search finds them. Their variations may be unknown although the margin is
    /// proven: two rounds of one kind cancel out if each seat is the offense in one of them.
    fn extend(
        &mut self,
        report: &mut Report<Segment>,
        position: &Intersections,
        control: &Control<'_, Segment>,
    ) {
        let (short, pv) = (control.halt_within(LINE_CHECKS), &mut report.pv);
        let mut length = left(position) as usize;
        for round in position.round().number + 1..position.rounds() {
            let (kind, segments) = (kind_of(position, round), position.segments());
            if pv.len() < length {
                return;
            }
            if !self.whole.contains_key(&(kind, segments)) {
                let spent = control.halt_counting(report.nodes, solver::HALT_INTERVAL);
                let halt = || spent().or(short());
                let result = self.solve_whole(kind, segments, &control.limits, &halt);
                report.nodes += result.map_or(0, |result| result.nodes);
            }
            let Some(whole) = self.whole.get(&(kind, segments)) else { return };
            pv.extend(&whole.pv);
            length += segments as usize;
        }
    }

    fn solve_whole(
        &mut self,
        kind: RoundKind,
        segments: u32,
        limits: &Limits,
        halt: &dyn Fn() -> Option<StopReason>,
    ) -> Option<RoundResult> {
        let mut other = None;
        let own = self.solver.get_mut().filter(|solver| solver.kind() == kind);
        let solver = match own {
            Some(own) => own,
            None => other.insert(solver(kind, limits.memory / 2)?),
        };
        if !solver.takes(segments) {
            return None;
        }
        let question =
            RoundQuestion { drawn: &[], left: segments, guess: 0, threads: limits.threads };
        let result = solver.solve(question, halt, &mut |_| ());
        if let Some(dots) = result.proven() {
            self.store(kind, segments, dots, &result.pv);
        }
        Some(result)
    }

    fn store(&mut self, kind: RoundKind, segments: u32, dots: u32, pv: &[Segment]) {
        self.whole.insert((kind, segments), Whole { dots, pv: pv.to_vec() });
    }

    /// With two seats: returns bounds on the margin of the seat to move over the later rounds, and why the search ended
    /// early, if it did. Solves the unsolved rounds unless `halt` is already set, and adds the positions searched to
    /// `nodes`.
    fn rest(
        &mut self,
        position: &Intersections,
        control: &Control<'_, Segment>,
        nodes: &mut u64,
        halt: Option<StopReason>,
    ) -> ((i32, i32), Option<StopReason>) {
        let mut halt = halt;
        let mut bounds = (0, 0);
        for (kind, rounds) in to_come(position) {
            let key = (kind, position.segments());
            let mut known = self.whole.get(&key).map(|whole| (whole.dots, whole.dots));
            if known.is_none() && halt.is_none() {
                let (segments, limits) = (position.segments(), &control.limits);
                let spent = control.halt_counting(*nodes, solver::HALT_INTERVAL);
                if let Some(result) = self.solve_whole(kind, segments, limits, &spent) {
                    *nodes += result.nodes;
                    halt = result.halt;
                    known = Some((result.lower, result.upper));
                }
            }
            let (lower, upper) = known.unwrap_or((0, countable(position)));
            let ends = [lower, upper].map(|dots| dots as i32 * rounds);
            bounds.0 += ends[0].min(ends[1]);
            bounds.1 += ends[0].max(ends[1]);
        }
        (bounds, halt)
    }
}

/// Returns the number of segments left in the current round.
fn left(position: &Intersections) -> u32 {
    position.segments() - position.drawn().len() as u32
}

/// Returns the number of dots that can ever count in a round: all but the corners.
fn countable(position: &Intersections) -> u32 {
    position.rows() as u32 * position.cols() as u32 - 4
}

fn scores(position: &Intersections) -> impl Iterator<Item = i32> {
    position.scores().unwrap_or_default().into_iter().map(|score| score as i32)
}

/// Returns the lead of a seat over the best other seat.
fn lead(scores: &[i32], seat: Seat) -> i32 {
    let others = scores.iter().enumerate().filter(|&(index, _)| index != seat.index());
    scores[seat.index()] - others.map(|(_, &score)| score).max().unwrap_or_default()
}

/// Returns the kind of a round, counted from 0.
fn kind_of(position: &Intersections, round: u32) -> RoundKind {
    let players = position.seats();
    let [offense, first] =
        [position.offense_in(round), position.first_in(round)].map(|seat| seat.index() as u8);
    RoundKind {
        rows: position.rows(),
        cols: position.cols(),
        players,
        before: (offense + players - first) % players,
    }
}

/// With two seats: returns the kinds of the later rounds. The number with each kind is the number of rounds in which
/// the seat to move is the offense, minus the number in which the other seat is.
fn to_come(position: &Intersections) -> impl Iterator<Item = (RoundKind, i32)> {
    // A sorted map gives a fixed order, in which the table of one round can help with the next.
    let mut kinds: BTreeMap<RoundKind, i32> = BTreeMap::new();
    let seat = position.to_move();
    if position.seats() == 2 {
        for round in position.round().number + 1..position.rounds() {
            let own = seat == Some(position.offense_in(round));
            *kinds.entry(kind_of(position, round)).or_default() += if own { 1 } else { -1 };
        }
    }
    kinds.into_iter().filter(|&(_, rounds)| rounds != 0)
}

fn work_on(position: &Intersections) -> f32 {
    work(position, left(position), position.legal_moves().len() as f32)
}

/// Returns the binary logarithm of the seconds needed to prove a round with `left` segments left and about `ways` legal
/// moves. The formula is fitted to measurements on empty and half-full arrays of 16 to 36 dots, taking the slowest of
/// six positions for each.
fn work(position: &Intersections, left: u32, ways: f32) -> f32 {
    let dots = position.rows() as f32 * position.cols() as f32;
    0.29 * (left as f32 * ways.log2() - 53.0 - 300.0 / dots)
}
