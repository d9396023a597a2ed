//! One position while it is searched: games played by chance and the solver in turn.

use super::field::Field;
use super::round::{Finding, Solve};
use super::{lead, left, scores};
use crate::rules::intersections::{Intersections as Match, Segment};
use crate::rules::{Game, Seat};
use crate::search::analysis::{Analysis, Scale};
use crate::search::many::{Contest, Outlook, PATIENCE, max_n};
use crate::search::monte_carlo::MonteCarlo;
use crate::search::{Control, Halt, Scope};
use std::collections::HashMap;

/// How many games played by chance tell all they can.
const GAMES: u64 = 400_000;

/// How many are played before it is looked ahead.
const GAMES_FIRST: u64 = 128;

/// How many plies are looked ahead at most where nothing can be proven.
const DEPTH: u32 = 8;

/// One position while it is searched.
pub struct Study<'a> {
    position: &'a Match,
    left: u32,
    field: Field,
    tree: MonteCarlo<Field>,
    /// Bytes that the solver's table takes.
    solver: usize,
    /// What is known of it.
    pub analysis: Analysis<'a, Segment, Round>,
}

/// What the dots of the running round make of the match. To come are the dots that the offense
/// scores: the more the better for it, and the worse for all others.
pub struct Round {
    /// What was scored in the rounds before.
    scores: Vec<i32>,
    seat: Seat,
    offense: Seat,
    /// The least and the most that the seat to move, one of two, gains on the other in the rounds to
    /// come.
    pub rest: (i32, i32),
}

impl Round {
    /// 1 if the seat to move is the offense, else -1.
    fn sign(&self) -> i32 {
        if self.seat == self.offense { 1 } else { -1 }
    }
}

impl Scale for Round {
    fn range(&self, margin: i32) -> Option<(i32, i32)> {
        let margin = lead(&self.scores, self.seat) + margin;
        (self.scores.len() == 2).then_some((margin + self.rest.0, margin + self.rest.1))
    }

    fn likely(&self, margin: f32) -> f32 {
        if self.scores.len() == 2 {
            // Rounds to come whose value is not known are as good for the one as for the other, as
            // far as anybody knows.
            let rest = (self.rest.0 + self.rest.1) as f32 / 2.0;
            return lead(&self.scores, self.seat) as f32 + margin + rest;
        }
        let mut scores: Vec<f32> = self.scores.iter().map(|&score| score as f32).collect();
        scores[self.offense.index()] += self.sign() as f32 * margin;
        let own = scores.remove(self.seat.index());
        own - scores.into_iter().fold(f32::MIN, f32::max)
    }

    fn round_value(&self, margin: i32) -> Option<u32> {
        Some((self.sign() * margin) as u32)
    }
}

impl<'a> Study<'a> {
    pub fn new(position: &'a Match, scope: Scope, control: &'a Control<'a, Segment>) -> Study<'a> {
        let round = Round {
            scores: scores(position).collect(),
            seat: position.to_move().unwrap_or(Seat::FIRST),
            offense: position.offense(),
            rest: (0, 0),
        };
        let field = Field::new(position);
        let sign = round.sign() as f32;
        let mut moves: Vec<(Segment, f32)> =
            field.rated().into_iter().map(|(segment, dots)| (segment, sign * dots)).collect();
        fastrand::Rng::with_seed(control.limits.seed).shuffle(&mut moves);
        Study {
            position,
            left: left(position),
            tree: MonteCarlo::new(field.clone(), control.limits.seed, control.limits.memory / 4),
            field,
            solver: 0,
            analysis: Analysis::new(moves, round, scope, control),
        }
    }

    fn sign(&self) -> i32 {
        self.analysis.scale.sign()
    }

    /// What the offense scores this round, where it is proven.
    pub fn dots(&self) -> Option<u32> {
        self.analysis.scale.round_value(self.analysis.proven()?)
    }

    /// Solves the round, and in between plays games by chance for as long as nothing better is known:
    /// one game whenever the solver would have looked at the control.
    pub fn solve(&mut self, solver: &mut dyn Solve) -> Option<Halt> {
        let mut turns = 32;
        let (position, control) = (self.position, self.analysis.control());
        let threads = control.limits.threads;
        loop {
            let pause = control.halt_within(turns);
            let sign = self.sign();
            let bounds = self.analysis.bounds();
            // Most of the work is to see that the offense makes no more than it does, and no number
            // beyond that is worth a question.
            let least = bounds.map_or(0, |(lower, upper)| (sign * lower).min(sign * upper) as u32);
            let guess = (self.field.counted() + self.left / 2).max(least + 1);
            let before = self.analysis.nodes;
            let finding =
                solver.solve(position.drawn(), self.left, guess, threads, &pause, &mut |finding| {
                    self.learn(finding, before);
                });
            let (paused, over) = (finding.halt, control.halt_at(before + finding.nodes));
            self.learn(finding, before);
            let is_proven = self.analysis.proven().is_some();
            // If it was only to play games in between, the solver has not found its line yet.
            if is_proven && (paused.is_none() || over.is_some()) {
                self.analysis.tell();
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

    /// Takes over what the solver has found, after so many positions that were looked at before.
    fn learn(&mut self, finding: Finding, before: u64) {
        let ends = [finding.lower, finding.upper].map(|dots| self.sign() * dots as i32);
        self.analysis.nodes = before + finding.nodes;
        self.solver = finding.table;
        self.analysis.table = self.solver + self.tree.bytes();
        self.analysis.learn((ends[0].min(ends[1]), ends[0].max(ends[1])), finding.line);
        if self.analysis.proven().is_some() {
            self.analysis.depth = self.left;
        }
    }

    /// Looks as far ahead as it can, the solver being of no use. Games played by chance say about how
    /// much the offense will score, but not which move is best: on a large array they are too few.
    pub fn guess(&mut self) -> Option<Halt> {
        let halt = self.play(GAMES_FIRST);
        if halt.is_some() {
            return halt;
        }
        let likely = self.analysis.moves().first()?.likely;
        let (control, field) = (self.analysis.control(), self.field.clone());
        let before = self.analysis.nodes;
        let deepest = control.limits.depth.map_or(DEPTH, |plies| plies.min(DEPTH));
        let halt = control.halt_after(before, PATIENCE);
        let outlook = max_n(&field, deepest, &halt, |outlook| {
            self.analysis.nodes = before + outlook.nodes;
            self.look(outlook, likely);
        });
        self.analysis.nodes = before + outlook.nodes;
        // More will not be known: nothing is proven.
        outlook.halt.or(Some(Halt::Memory))
    }

    /// Takes over what a look ahead says of the moves, the best of them being worth so much.
    fn look(&mut self, outlook: &Outlook<Segment>, likely: f32) {
        let (sign, offense) = (self.sign() as f32, self.position.offense().index());
        let (Some((_, most)), Some((_, least))) = (outlook.moves.first(), outlook.moves.last())
        else {
            return;
        };
        let worth: HashMap<Segment, f32> =
            outlook.moves.iter().map(|(mv, worth)| (*mv, worth[offense])).collect();
        self.analysis.guess(outlook.line.clone(), |known| {
            // Those that were not looked at promised less than all others.
            let worth = worth.get(&known.mv).copied().unwrap_or(least[offense]);
            likely + sign * (worth - most[offense])
        });
    }

    /// Plays games by chance. What was tried most often stands first, as few games prove little.
    fn play(&mut self, games: u64) -> Option<Halt> {
        let before = self.tree.playouts();
        let control = self.analysis.control();
        let halt = self.tree.play(games, &|| control.halt());
        self.analysis.nodes += self.tree.playouts() - before;
        self.analysis.table = self.solver + self.tree.bytes();
        let tried = self.tree.tried();
        let Some(first) = tried.first() else { return halt };
        let means: HashMap<Segment, f32> =
            tried.iter().map(|tried| (tried.mv, tried.mean)).collect();
        // What was not tried is held against what was by how both looked at once.
        let known = self.analysis.moves().iter().find(|known| known.mv == first.mv);
        let shift = first.mean - known.map_or(0.0, |known| known.promise);
        self.analysis.guess(self.tree.line(), |known| {
            means.get(&known.mv).map_or(known.promise + shift, |&mean| mean)
        });
        halt
    }

    /// Sees what the last segment of a round makes, without a solver.
    pub fn finish(&mut self) {
        let (sign, field) = (self.sign(), &self.field);
        self.analysis.nodes += self.analysis.moves().len() as u64;
        self.analysis.depth = self.left;
        self.analysis.learn_all(|segment| {
            let mut end = field.clone();
            end.play(segment);
            sign * end.counted() as i32
        });
    }

    /// Solves the round after every legal move, where all are asked for.
    pub fn rate(&mut self, solver: &mut dyn Solve) -> Option<Halt> {
        let (left, sign, control) = (self.left, self.sign(), self.analysis.control());
        let mut drawn = self.position.drawn().to_vec();
        let mut halt = None;
        self.analysis.rate(|analysis, segment, margin| {
            drawn.push(segment);
            let guess = (sign * margin) as u32;
            let stop = || control.halt();
            let threads = control.limits.threads;
            let finding = solver.solve(&drawn, left - 1, guess, threads, &stop, &mut |_| ());
            drawn.pop();
            analysis.nodes += finding.nodes;
            halt = finding.halt;
            finding.proven().map(|dots| sign * dots as i32)
        });
        halt
    }
}
