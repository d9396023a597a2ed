//! The engine of Making Intersections.
//!
//! Rounds have nothing to do with each other but that their points add up. So with two players the
//! margin at the end is known where this round and, of those to come, an empty one are solved. With
//! more players only the round is: whom it helps that the offense scores less is another question.

mod field;
mod gains;
mod packed;
mod round;
mod solver;
mod study;
mod table;
#[cfg(test)]
mod tests;

use super::census::{Cell, Cells, Forms, Runs};
use super::kept::Kept;
use super::many::max_n;
use super::{Choice, Control, Engine, Halt, Horizon, Level, Limits, Report, Scope, WON, lookahead};
use crate::rules::intersections::{At, Intersections as Match, Segment};
use crate::rules::{Game, Seat};
use crate::wording;
use field::Field;
use round::{Finding, Kind, Solve, solver};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;
use study::Study;

/// The engine of Making Intersections.
#[derive(Default)]
pub struct Intersections {
    /// Solves rounds of the kind asked about last, if one does. Its budget is for a tree too.
    solver: Kept<Box<dyn Solve>>,
    /// What is known of whole rounds of so many segments.
    whole: HashMap<(Kind, u32), Whole>,
}

/// What is known of a whole round.
struct Whole {
    /// What the offense scores in it.
    dots: u32,
    /// A line of best moves, as far as it was found.
    line: Vec<Segment>,
}

/// How often the solver may look at the control while it looks for a line through rounds to come.
const LINE_LOOKS: u32 = 1024;

/// The most dots on which a Casual player looks at every move and every answer.
const SMALL: usize = 64;

impl Engine for Intersections {
    type Game = Match;

    fn glance(position: &Match, seat: Seat) -> i32 {
        glance_with(position, seat, 0)
    }

    fn horizon(position: &Match, time: Duration) -> Horizon {
        let left = left(position);
        if position.seats() > 2 {
            // Between three and more only rounds can be solved, and that is no promise for the match.
            return Horizon::Sees("to the end of a round at most".to_owned());
        }
        if left == 1 {
            return Horizon::Solved;
        }
        let Some(solver) = solver(kind_of(position, position.round()), 0) else {
            return Horizon::Sees("to the end of a round from its last segment on".to_owned());
        };
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        // The fewer are left, the fewer ways there are to draw the next.
        let is_seen = |last: &u32| {
            let ways = moves.len() as f32 * *last as f32 / left as f32;
            solver.takes(*last) && work(position, *last, ways) <= time.as_secs_f32().log2()
        };
        match (1..=left).rev().find(is_seen) {
            Some(last) if last == left => Horizon::Solved,
            last => {
                let last = last.unwrap_or(1);
                Horizon::Sees(format!("to the end of a round from its last {last} segments on"))
            }
        }
    }

    fn analyse(
        &mut self,
        position: &Match,
        scope: Scope,
        control: &Control<'_, Segment>,
    ) -> Report<Segment> {
        self.search(position, scope, true, control)
    }

    fn choose(
        &mut self,
        position: &Match,
        level: Level,
        control: &Control<'_, Segment>,
    ) -> Choice<Segment> {
        let is_small = position.all_dots().count() <= SMALL;
        let report = match level {
            Level::Beginner => lookahead(position, 1, Self::glance, control),
            Level::Casual if is_small && position.seats() == 2 => {
                lookahead(position, 2, Self::glance, control)
            }
            Level::Casual if is_small => lookahead(position, 1, glance_at_threats, control),
            Level::Casual => {
                // Two plies too, but of the moves that look best alone.
                let halt = || control.halt();
                let outlook = max_n(&Field::new(position), 2, &halt, |_| ());
                let best = outlook.line.first().copied();
                Report {
                    best: best.into_iter().collect(),
                    nodes: outlook.nodes,
                    ..Report::default()
                }
            }
            // What comes after the round is no matter to the move.
            Level::Strong => self.search(position, Scope::Best, false, control),
            Level::Perfect => {
                self.search(position, Scope::Best, false, &control.without_deadline())
            }
        };
        let best = report.best.first().copied();
        let mv = best.unwrap_or_else(|| lookahead(position, 1, Self::glance, control).best[0]);
        Choice { mv, report }
    }

    fn ponder(&mut self, position: &Match, control: &Control<'_, Segment>) {
        let solver = solver(kind_of(position, position.round()), 0);
        // Else nothing is kept.
        if solver.is_some_and(|solver| solver.takes(left(position))) {
            self.search(position, Scope::Moves, false, control);
        }
    }

    /// The units of length that are covered, the dots that segments pass through, and which way, and the
    /// round. From these follows where each segment begins and ends.
    fn forms(start: &Match) -> Box<dyn Forms<Match>> {
        let (rows, cols) = (start.rows(), start.cols());
        let dots: Vec<At> = start.all_dots().collect();
        let across = dots.iter().map(|at| Cell::between([at.row, at.col], [at.row, at.col + 1]));
        let down = dots.iter().map(|at| Cell::between([at.row, at.col], [at.row + 1, at.col]));
        let passed = |runs| dots.iter().map(move |at| Cell { runs, ..Cell::still(at.row, at.col) });
        let cells = across.filter(|cell| cell.col < 2 * u16::from(cols) - 2);
        let cells = cells.chain(down.filter(|cell| cell.row < 2 * u16::from(rows) - 2));
        let cells: Vec<Cell> =
            cells.chain(passed(Runs::Across)).chain(passed(Runs::Down)).collect();
        let index: HashMap<Cell, usize> = cells.iter().copied().zip(0..).collect();
        let size = cells.len();
        let read = move |position: &Match, out: &mut Vec<u8>| {
            out.resize(size, 0);
            for segment in position.drawn() {
                let runs = if segment.is_horizontal() { Runs::Across } else { Runs::Down };
                let dots = segment.dots();
                let units = dots.windows(2).map(|unit| {
                    Cell::between([unit[0].row, unit[0].col], [unit[1].row, unit[1].col])
                });
                let passed = dots[1..dots.len() - 1]
                    .iter()
                    .map(|at| Cell { runs, ..Cell::still(at.row, at.col) });
                for cell in units.chain(passed) {
                    out[index[&cell]] = 1;
                }
            }
            out.extend((0..u32::BITS).map(|bit| (position.round() >> bit & 1) as u8));
        };
        Box::new(Cells::new([rows, cols], &cells, 2, read))
    }

    fn why(position: &Match, segment: Segment) -> Option<String> {
        if position.all_dots().count() > SMALL {
            return None;
        }
        let counted = position.counted().count();
        let next = position.with_segment(segment);
        let made = next.counted().count() - counted;
        let is_offense = position.to_move() == Some(position.offense());
        let (before, after) = (most_made(position), most_made(&next));
        let dots = |count: usize| wording::counted(count, "intersection", "intersections");
        if is_offense && made > 0 {
            Some(format!("makes {}", dots(made)))
        } else if left(position) == 1 {
            (!is_offense && made == 0 && before > 0).then(|| "makes no intersection".to_owned())
        } else if is_offense {
            (after > before).then(|| format!("threatens to make {}", dots(after)))
        } else if made == 0 && after < before {
            Some(format!("leaves {} to make at once, not {before}", dots(after)))
        } else {
            None
        }
    }
}

impl Intersections {
    /// Searches the running round, and then, where they count and `rest` says so, those to come.
    fn search(
        &mut self,
        position: &Match,
        scope: Scope,
        rest: bool,
        control: &Control<'_, Segment>,
    ) -> Report<Segment> {
        let control = &control.without_depth();
        let mut study = Study::new(position, scope, control);
        (study.analysis.scale.rest, _) = self.rest(position, control, Some(Halt::Stopped));
        study.analysis.tell();
        let kind = kind_of(position, position.round());
        let make = |memory| solver(kind, memory / 2).ok_or(Halt::Memory);
        let memory = control.limits.memory;
        let solver = self.solver.fit(memory, |solver| solver.kind() == kind, make);
        let mut halt = control.halt();
        if left(position) == 1 {
            study.finish();
        } else if let Some(solver) = solver.ok().filter(|solver| solver.takes(left(position))) {
            if halt.is_none() {
                halt = study.solve(solver.as_mut());
            }
            if halt.is_none() {
                halt = study.rate(solver.as_mut());
            }
            if position.drawn().is_empty()
                && let Some(dots) = study.dots()
            {
                self.keep(kind, position.segments(), dots, study.analysis.proven_line());
            }
        } else if halt.is_none() {
            halt = study.guess();
        }
        if rest && halt.is_none() {
            (study.analysis.scale.rest, halt) = self.rest(position, control, halt);
        }
        let mut report = study.analysis.report();
        report.halt = halt;
        if rest && report.value.proven().is_some() {
            self.extend(&mut report.pv, position, control);
        }
        report
    }

    /// Adds to a line to the end of the running round those of the rounds to come, as far as they are
    /// known or found with a little search. Not all need to be known for the margin: two rounds that
    /// are alike, one for either seat, are worth nothing together.
    fn extend(
        &mut self,
        line: &mut Vec<Segment>,
        position: &Match,
        control: &Control<'_, Segment>,
    ) {
        let halt = control.halt_within(LINE_LOOKS);
        let mut length = left(position) as usize;
        for round in position.round() + 1..position.rounds() {
            let (kind, segments) = (kind_of(position, round), position.segments());
            if line.len() < length {
                return;
            }
            if !self.whole.contains_key(&(kind, segments)) {
                self.solve_whole(kind, segments, &control.limits, &halt);
            }
            let Some(whole) = self.whole.get(&(kind, segments)) else { return };
            line.extend(&whole.line);
            length += segments as usize;
        }
    }

    /// Solves a whole round, if there is a solver for it, and keeps what is found.
    fn solve_whole(
        &mut self,
        kind: Kind,
        segments: u32,
        limits: &Limits,
        halt: &dyn Fn() -> Option<Halt>,
    ) -> Option<Finding> {
        let mut other = None;
        let own = self.solver.get_mut().filter(|solver| solver.kind() == kind);
        let solver = match own {
            Some(own) => own,
            None => other.insert(solver(kind, limits.memory / 2)?),
        };
        if !solver.takes(segments) {
            return None;
        }
        let finding = solver.solve(&[], segments, 0, limits.threads, halt, &mut |_| ());
        if let Some(dots) = finding.proven() {
            self.keep(kind, segments, dots, &finding.line);
        }
        Some(finding)
    }

    /// Keeps what is proven of a whole round.
    fn keep(&mut self, kind: Kind, segments: u32, dots: u32, line: &[Segment]) {
        self.whole.insert((kind, segments), Whole { dots, line: line.to_vec() });
    }

    /// The least and the most that the seat to move, one of two, will gain on the other in the rounds
    /// to come. Where it is not known yet it is found out, unless the search is over.
    fn rest(
        &mut self,
        position: &Match,
        control: &Control<'_, Segment>,
        halt: Option<Halt>,
    ) -> ((i32, i32), Option<Halt>) {
        let mut halt = halt;
        let mut bounds = (0, 0);
        for (kind, rounds) in to_come(position) {
            let key = (kind, position.segments());
            let mut known = self.whole.get(&key).map(|whole| (whole.dots, whole.dots));
            if known.is_none() && halt.is_none() {
                let (segments, limits) = (position.segments(), &control.limits);
                let stop = || control.halt();
                if let Some(finding) = self.solve_whole(kind, segments, limits, &stop) {
                    halt = finding.halt;
                    known = Some((finding.lower, finding.upper));
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

/// Segments left in the running round.
fn left(position: &Match) -> u32 {
    position.segments() - position.drawn().len() as u32
}

/// The dots that can ever count in a round: all but the corners.
fn countable(position: &Match) -> u32 {
    position.rows() as u32 * position.cols() as u32 - 4
}

fn scores(position: &Match) -> impl Iterator<Item = i32> {
    position.scores().unwrap_or_default().into_iter().map(|score| score as i32)
}

/// A glance in which the offense has made so many more dots.
fn glance_with(position: &Match, seat: Seat, more: usize) -> i32 {
    let mut scores: Vec<i32> = scores(position).collect();
    if position.to_move().is_some() {
        scores[position.offense().index()] += (position.counted().count() + more) as i32;
    }
    let won = match position.outcome() {
        Some(outcome) if outcome.winners().count() > 1 && outcome.has(seat) => 0,
        Some(outcome) if outcome.has(seat) => WON,
        Some(_) => -WON,
        None => 0,
    };
    // With two seats it is the lead. Of more, a seat is to mind what any other scores.
    let all: i32 = scores.iter().sum();
    won + scores.len() as i32 * scores[seat.index()] - all
}

/// A glance that sees what the offense could make at once, though others may be to move before it:
/// at a table of three or more, that is the answer to a move.
fn glance_at_threats(position: &Match, seat: Seat) -> i32 {
    if position.to_move().is_none() {
        return glance_with(position, seat, 0);
    }
    // What is made counts twice as much as what may be.
    glance_with(position, seat, position.counted().count() + most_made(position))
}

/// By how much a seat leads the best of the others.
fn lead(scores: &[i32], seat: Seat) -> i32 {
    let others = scores.iter().enumerate().filter(|&(index, _)| index != seat.index());
    scores[seat.index()] - others.map(|(_, &score)| score).max().unwrap_or_default()
}

/// What kind of round this one is, counted from 0.
fn kind_of(position: &Match, round: u32) -> Kind {
    let players = position.seats();
    let [offense, first] =
        [position.offense_in(round), position.first_in(round)].map(|seat| seat.index() as u8);
    Kind {
        rows: position.rows(),
        cols: position.cols(),
        players,
        before: (offense + players - first) % players,
    }
}

/// The kinds of the rounds to come, with how many more of a kind have the seat to move for the
/// offense than the other one. For two seats.
fn to_come(position: &Match) -> impl Iterator<Item = (Kind, i32)> {
    // In one order always: what the first round teaches can help with the next.
    let mut kinds: BTreeMap<Kind, i32> = BTreeMap::new();
    let seat = position.to_move();
    if position.seats() == 2 {
        for round in position.round() + 1..position.rounds() {
            let own = seat == Some(position.offense_in(round));
            *kinds.entry(kind_of(position, round)).or_default() += if own { 1 } else { -1 };
        }
    }
    kinds.into_iter().filter(|&(_, rounds)| rounds != 0)
}

/// The most intersections that one segment can make at once.
fn most_made(position: &Match) -> usize {
    let counted = position.counted().count();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let made = moves.into_iter().map(|mv| position.with_segment(mv).counted().count() - counted);
    made.max().unwrap_or_default()
}

/// The logarithm to base 2 of the seconds it takes to prove a round with so many segments left and
/// about so many ways to draw the next: fitted to what the slowest of six positions took on 16 to
/// 36 dots, empty and half full.
fn work(position: &Match, left: u32, ways: f32) -> f32 {
    let dots = position.rows() as f32 * position.cols() as f32;
    0.29 * (left as f32 * ways.log2() - 53.0 - 300.0 / dots)
}
