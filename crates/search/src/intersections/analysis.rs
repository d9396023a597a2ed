//! The analysis of one position, which alternates between random games and the solver.

use super::round::{RoundQuestion, RoundResult, Solve};
use super::solver;
use super::unpacked::UnpackedRound;
use super::{lead, left, scores};
use crate::analysis::{Analysis, Scale};
use crate::max_n::{HALT_INTERVAL, Outlook, SearchState, max_n};
use crate::monte_carlo::MonteCarlo;
use crate::random::shuffle;
use crate::{Control, Scope, StopReason};
use quadrille_rules::intersections::{Intersections, Segment};
use quadrille_rules::{Position, Seat};
use std::collections::HashMap;

/// The number of random games after which more games hardly improve the estimates.
const GAMES: u64 = 400_000;

/// Random games played before the search by [`max_n`].
const GAMES_FIRST: u64 = 128;

/// The maximum depth of [`max_n`], in plies.
const MAX_DEPTH: u32 = 8;

pub struct RoundAnalysis<'a> {
    position: &'a Intersections,
    left: u32,
    round: UnpackedRound,
    tree: MonteCarlo<UnpackedRound>,
    /// Memory for the solver's table, in bytes.
    solver: usize,
    pub analysis: Analysis<'a, Segment, RoundScale>,
}

/// Converts the dots of the current round to the margin at the end of the match. A margin in the round is the number of
/// dots that the offense scores, which count for the offense and against the other seats.
pub struct RoundScale {
    /// The scores of the previous rounds.
    scores: Vec<i32>,
    seat: Seat,
    offense: Seat,
    /// With two seats: bounds on the margin of the seat to move over the later rounds.
    pub rest: (i32, i32),
    is_last: bool,
    /// Whether the next segment is the last of the round, so that no other seat has a choice.
    is_end: bool,
}

impl RoundScale {
    fn sign(&self) -> i32 {
        if self.seat == self.offense { 1 } else { -1 }
    }

    /// Returns the margin of the seat to move if the offense scores this many dots and no rounds follow.
    fn lead_with(&self, dots: i32) -> i32 {
        let mut scores = self.scores.clone();
        scores[self.offense.index()] += dots;
        lead(&scores, self.seat)
    }

    /// Returns the number of dots that a defender may concede without loss. While the leading defender is ahead of the
    /// offense, the defenders behind it lose nothing when the offense scores, and may allow it.
    fn indifferent(&self) -> i32 {
        let offense = self.offense.index();
        let defenders = self.scores.iter().enumerate().filter(|&(seat, _)| seat != offense);
        let best = defenders.map(|(_, &score)| score).max().unwrap_or_default();
        best - self.scores[offense]
    }
}

impl Scale for RoundScale {
    const HAS_ROUNDS: bool = true;

    fn range(&self, margin: i32) -> Option<(i32, i32)> {
        if self.scores.len() == 2 {
            let margin = lead(&self.scores, self.seat) + margin;
            return Some((margin + self.rest.0, margin + self.rest.1));
        }
        let least = self.sign() * margin;
        let most = if self.is_end { least } else { least.max(self.indifferent()) };
        let ends = [least, most].map(|dots| self.lead_with(dots));
        self.is_last.then_some((ends[0].min(ends[1]), ends[0].max(ends[1])))
    }

    fn likely(&self, margin: f32) -> f32 {
        if self.scores.len() == 2 {
            // Nothing is known about the later rounds except the bounds, so use their midpoint.
            let rest = (self.rest.0 + self.rest.1) as f32 / 2.0;
            return lead(&self.scores, self.seat) as f32 + margin + rest;
        }
        let mut scores: Vec<f32> = self.scores.iter().map(|&score| score as f32).collect();
        scores[self.offense.index()] += self.sign() as f32 * margin;
        let own = scores.remove(self.seat.index());
        own - scores.into_iter().fold(f32::MIN, f32::max)
    }
}

impl<'a> RoundAnalysis<'a> {
    pub fn new(
        position: &'a Intersections,
        scope: Scope,
        control: &'a Control<'a, Segment>,
    ) -> RoundAnalysis<'a> {
        let scale = RoundScale {
            scores: scores(position).collect(),
            seat: position.to_move().unwrap_or(Seat::FIRST),
            offense: position.round().offense,
            rest: (0, 0),
            is_last: position.round().number + 1 == position.rounds(),
            is_end: left(position) == 1,
        };
        let round = UnpackedRound::new(position);
        let sign = scale.sign() as f32;
        let mut moves: Vec<(Segment, f32)> =
            round.rated().into_iter().map(|(segment, dots)| (segment, sign * dots)).collect();
        shuffle(&mut fastrand::Rng::with_seed(control.limits.seed), &mut moves);
        RoundAnalysis {
            position,
            left: left(position),
            tree: MonteCarlo::new(round.clone(), control.limits.seed, control.limits.memory / 4),
            round,
            solver: 0,
            analysis: Analysis::new(moves, scale, scope, control),
        }
    }

    fn sign(&self) -> i32 {
        self.analysis.scale.sign()
    }

    /// Returns the score of the offense in this round, if proven.
    pub fn dots(&self) -> Option<u32> {
        Some((self.sign() * self.analysis.proven()?) as u32)
    }

    /// Solves the round. Until the round is solved, alternates between the solver and random games, which provide
    /// estimates: one game for each time that the solver has checked the control.
    pub fn solve(&mut self, solver: &mut dyn Solve) -> Option<StopReason> {
        let mut turns = 32;
        let (drawn, control) = (self.position.drawn(), self.analysis.control());
        let threads = control.limits.threads;
        loop {
            let (pause, before) = (control.halt_within(turns), self.analysis.nodes);
            let spent = control.halt_counting(before, solver::HALT_INTERVAL);
            let halt = || spent().or(pause());
            let sign = self.sign();
            let bounds = self.analysis.bounds();
            // Most of the work goes into proving the upper bound on the offense's score. Null windows above it would be
            // wasted, so the guess is low.
            let least = bounds.map_or(0, |(lower, upper)| (sign * lower).min(sign * upper) as u32);
            let guess = (self.round.counted() + self.left / 2).max(least + 1);
            let question = RoundQuestion { drawn, left: self.left, guess, threads };
            let result =
                solver.solve(question, &halt, &mut |result| self.add_result(result, before));
            let (paused, over) = (result.halt, control.halt_at(before + result.nodes));
            self.add_result(result, before);
            let is_proven = self.analysis.proven().is_some();
            // If the solver was only paused for random games, it has not found the principal variation yet.
            if is_proven && (paused.is_none() || over.is_some()) {
                self.analysis.send_report();
                return None;
            }
            if over.is_some() {
                return over;
            }
            if !is_proven && self.tree.playouts() < GAMES {
                let halt = self.play(turns.into());
                if halt.is_some() {
                    return halt;
                }
            }
            turns = turns.saturating_mul(2);
        }
    }

    /// Adds the solver's results. `before` is the number of positions searched before the solver began.
    fn add_result(&mut self, result: RoundResult, before: u64) {
        let ends = [result.lower, result.upper].map(|dots| self.sign() * dots as i32);
        self.analysis.nodes = before + result.nodes;
        self.solver = result.table_bytes;
        self.analysis.table_bytes = self.solver + self.tree.bytes();
        self.analysis.tighten((ends[0].min(ends[1]), ends[0].max(ends[1])), result.pv);
        if self.analysis.proven().is_some() {
            self.analysis.depth = self.left;
        }
    }

    /// Searches as deeply as possible with [`max_n`], for positions that are too large for any solver. Random games
    /// only estimate the score of the offense: on a large array they are too few to find the best move.
    pub fn estimate(&mut self) -> Option<StopReason> {
        let halt = self.play(GAMES_FIRST);
        if halt.is_some() {
            return halt;
        }
        let likely = self.analysis.moves().first()?.likely;
        let (control, round) = (self.analysis.control(), self.round.clone());
        let before = self.analysis.nodes;
        let deepest = control.limits.depth.map_or(MAX_DEPTH, |plies| plies.min(MAX_DEPTH));
        let halt = control.halt_counting(before, HALT_INTERVAL);
        let outlook = max_n(&round, deepest, &halt, |outlook| {
            self.analysis.nodes = before + outlook.nodes;
            self.take_estimates(outlook, likely);
        });
        self.analysis.nodes = before + outlook.nodes;
        // The search has reached its maximum depth without a proof. Searching deeper requires a solver, for which there
        // is no memory.
        outlook.halt.or(Some(StopReason::MemoryLimit))
    }

    /// Applies the estimates of [`max_n`], shifted so that the best move is worth `likely`.
    fn take_estimates(&mut self, outlook: &Outlook<Segment>, likely: f32) {
        let (sign, offense) = (self.sign() as f32, self.position.round().offense.index());
        let (Some((_, most)), Some((_, least))) = (outlook.moves.first(), outlook.moves.last())
        else {
            return;
        };
        let worth: HashMap<Segment, f32> =
            outlook.moves.iter().map(|(mv, worth)| (*mv, worth[offense])).collect();
        self.analysis.update_estimates(outlook.pv.clone(), |candidate| {
            // The static evaluations of moves that were not searched were lower than all others.
            let worth = worth.get(&candidate.mv).copied().unwrap_or(least[offense]);
            likely + sign * (worth - most[offense])
        });
    }

    /// Plays random games. The most visited move comes first, since the mean of a few games is unreliable.
    fn play(&mut self, games: u64) -> Option<StopReason> {
        let before = self.tree.playouts();
        let halt = self.analysis.control().halt_counting(self.analysis.nodes, 1);
        let halt = self.tree.play(games, &halt);
        self.analysis.nodes += self.tree.playouts() - before;
        self.analysis.table_bytes = self.solver + self.tree.bytes();
        let tried = self.tree.tried();
        let Some(first) = tried.first() else { return halt };
        let means: HashMap<Segment, f32> =
            tried.iter().map(|tried| (tried.mv, tried.mean)).collect();
        // Untried moves keep their static evaluation, shifted by the error of the first move's static evaluation.
        let candidate = self.analysis.moves().iter().find(|candidate| candidate.mv == first.mv);
        let shift = first.mean - candidate.map_or(0.0, |candidate| candidate.static_value);
        self.analysis.update_estimates(self.tree.pv(), |candidate| {
            means.get(&candidate.mv).map_or(candidate.static_value + shift, |&mean| mean)
        });
        halt
    }

    /// Scores every possible last segment of a round, which requires no solver.
    pub fn finish(&mut self) {
        let (sign, round) = (self.sign(), &self.round);
        self.analysis.nodes += self.analysis.moves().len() as u64;
        self.analysis.depth = self.left;
        self.analysis.set_all(|segment| {
            let mut end = round.clone();
            end.play(segment);
            sign * end.counted() as i32
        });
    }

    /// Solves the round after every legal move, if the scope is all moves.
    pub fn prove_moves(&mut self, solver: &mut dyn Solve) -> Option<StopReason> {
        let (left, sign, control) = (self.left, self.sign(), self.analysis.control());
        let mut drawn = self.position.drawn().to_vec();
        let mut halt = None;
        self.analysis.prove_moves(|analysis, segment, margin| {
            drawn.push(segment);
            let question = RoundQuestion {
                drawn: &drawn,
                left: left - 1,
                guess: (sign * margin) as u32,
                threads: control.limits.threads,
            };
            let spent = control.halt_counting(analysis.nodes, solver::HALT_INTERVAL);
            let result = solver.solve(question, &spent, &mut |_| ());
            drawn.pop();
            analysis.nodes += result.nodes;
            halt = result.halt;
            result.proven().map(|dots| sign * dots as i32)
        });
        halt
    }
}
