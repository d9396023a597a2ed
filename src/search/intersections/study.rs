//! What is known of one position while it is searched, and how it becomes more.

use super::field::Field;
use super::round::{Finding, Solve};
use super::{lead, left, scores};
use crate::rules::intersections::{Intersections as Match, Segment};
use crate::rules::{Game, Seat};
use crate::search::many::{Contest, Outlook, max_n};
use crate::search::monte_carlo::MonteCarlo;
use crate::search::{Control, Halt, Rated, Report, Scope, Value};
use std::cell::Cell;
use std::collections::HashMap;

/// How many games played by chance tell all they can.
const GAMES: u64 = 400_000;

/// How many are played before it is looked ahead.
const GAMES_FIRST: u64 = 128;

/// How many plies are looked ahead at most where nothing can be proven.
const DEPTH: u32 = 8;

/// What is known of one position while it is searched.
pub struct Study<'a> {
    position: &'a Match,
    scope: Scope,
    control: &'a Control<'a, Segment>,
    seat: Seat,
    left: u32,
    field: Field,
    tree: MonteCarlo<Field>,
    /// The line that looks best, where none is proven.
    line: Vec<Segment>,
    /// What the solver has proven of the round.
    pub finding: Option<Finding>,
    /// Every legal move with what it is likely to bring the offense, the best first.
    moves: Vec<Known>,
    /// The least and the most that the seat to move, one of two, gains on the other in the rounds to
    /// come.
    pub rest: (i32, i32),
    nodes: u64,
}

/// What is known of a move: what the offense will score this round.
#[derive(Clone, Copy)]
struct Known {
    segment: Segment,
    /// How its promise looks at once.
    promise: f32,
    likely: f32,
    proven: Option<u32>,
}

impl<'a> Study<'a> {
    pub fn new(position: &'a Match, scope: Scope, control: &'a Control<'a, Segment>) -> Study<'a> {
        let field = Field::new(position);
        let rated = field.rated().into_iter();
        let known = |(segment, promise)| Known { segment, promise, likely: promise, proven: None };
        let mut study = Study {
            position,
            scope,
            control,
            seat: position.to_move().unwrap_or(Seat::FIRST),
            left: left(position),
            tree: MonteCarlo::new(field.clone(), control.limits.seed, control.limits.memory / 4),
            field,
            line: Vec::new(),
            finding: None,
            moves: rated.map(known).collect(),
            rest: (0, 0),
            nodes: 0,
        };
        fastrand::Rng::with_seed(control.limits.seed).shuffle(&mut study.moves);
        study.sort();
        study
    }

    /// 1 if the seat to move is the offense, else -1.
    fn sign(&self) -> i32 {
        if self.seat == self.position.offense() { 1 } else { -1 }
    }

    pub fn round_value(&self) -> Option<u32> {
        self.finding.as_ref().and_then(Finding::proven)
    }

    /// Puts the best moves first.
    fn sort(&mut self) {
        let sign = -self.sign() as f32;
        self.moves.sort_by(|a, b| (sign * a.likely).total_cmp(&(sign * b.likely)));
    }

    /// Solves the round, and in between plays games by chance for as long as nothing better is known:
    /// one game whenever the solver would have looked at the reins.
    pub fn solve(&mut self, solver: &mut dyn Solve) -> Option<Halt> {
        let mut turns = 512;
        let (position, control) = (self.position, self.control);
        loop {
            let rest = Cell::new(turns);
            let over = Cell::new(None);
            let pause = || {
                over.set(control.halt());
                rest.set(rest.get() - 1);
                over.get().or((rest.get() == 0).then_some(Halt::Time))
            };
            let guess = self.finding.as_ref().map_or(self.left / 2, |finding| {
                if self.sign() > 0 { finding.lower } else { finding.upper }
            });
            let finding =
                solver.solve(position.drawn(), self.left, guess, &pause, &mut |mut finding| {
                    finding.nodes += self.nodes;
                    self.learn(finding);
                });
            self.nodes += finding.nodes;
            let halt = finding.halt;
            self.learn(Finding { nodes: self.nodes, ..finding });
            let is_proven = self.round_value().is_some();
            // If it was only to play games in between, the solver has not found its line yet.
            if is_proven && (halt.is_none() || over.get().is_some()) {
                self.tell();
                return None;
            }
            if over.get().is_some() {
                return over.get();
            }
            if !is_proven && self.tree.playouts() < GAMES {
                let halt = self.play(turns);
                if halt.is_some() {
                    return halt;
                }
            }
            turns *= 2;
        }
    }

    /// Keeps what the solver has found, of which some may be known already.
    fn learn(&mut self, mut finding: Finding) {
        if let Some(known) = &self.finding {
            let better = if self.sign() > 0 {
                finding.lower > known.lower
            } else {
                finding.upper < known.upper
            };
            if !better && finding.proven().is_none() {
                finding.best = known.best;
                finding.line.clone_from(&known.line);
            }
            finding.lower = finding.lower.max(known.lower);
            finding.upper = finding.upper.min(known.upper);
        }
        self.finding = Some(finding);
    }

    /// Looks as far ahead as it can, the solver being of no use. Games played by chance say about how
    /// much the offense will score, but not which move is best: on a large array they are too few.
    pub fn guess(&mut self) -> Option<Halt> {
        let halt = self.play(GAMES_FIRST);
        if halt.is_some() {
            return halt;
        }
        let likely = self.moves.first()?.likely;
        let (control, field) = (self.control, self.field.clone());
        let before = self.nodes;
        let outlook = max_n(&field, DEPTH, &|| control.halt(), |outlook| {
            self.nodes = before + outlook.nodes;
            self.look(outlook, likely);
        });
        self.nodes = before + outlook.nodes;
        // More will not be known: nothing is proven.
        outlook.halt.or(Some(Halt::Memory))
    }

    /// Keeps what a look ahead says of the moves, the best of them being worth so much.
    fn look(&mut self, outlook: &Outlook<Segment>, likely: f32) {
        let offense = self.position.offense().index();
        let (Some((best, most)), Some((_, least))) = (outlook.moves.first(), outlook.moves.last())
        else {
            return;
        };
        let worth: HashMap<Segment, f32> =
            outlook.moves.iter().map(|(mv, worth)| (*mv, worth[offense])).collect();
        for known in &mut self.moves {
            // Those that were not looked at promised less than all others.
            let worth = worth.get(&known.segment).copied().unwrap_or(least[offense]);
            known.likely = likely + worth - most[offense];
        }
        self.line.clone_from(&outlook.line);
        self.sort();
        self.put_first(*best);
        self.tell();
    }

    fn play(&mut self, games: u64) -> Option<Halt> {
        let before = self.tree.playouts();
        let halt = self.tree.play(games, &|| self.control.halt());
        self.nodes += self.tree.playouts() - before;
        let tried = self.tree.tried();
        let Some(first) = tried.first() else { return halt };
        let sign = self.sign() as f32;
        let means: HashMap<Segment, f32> =
            tried.iter().map(|tried| (tried.mv, sign * tried.mean)).collect();
        // What was not tried is held against what was by how both looked at once.
        let first_known = self.moves.iter().find(|known| known.segment == first.mv);
        let shift = sign * first.mean - first_known.map_or(0.0, |known| known.promise);
        for known in &mut self.moves {
            known.likely = means.get(&known.segment).map_or(known.promise + shift, |&mean| mean);
        }
        // What was tried most often stands first, as few games prove little.
        self.sort();
        self.put_first(first.mv);
        self.line = self.tree.line();
        self.tell();
        halt
    }

    fn put_first(&mut self, segment: Segment) {
        if let Some(at) = self.moves.iter().position(|known| known.segment == segment) {
            self.moves[..=at].rotate_right(1);
        }
    }

    /// Sees what the last segment of a round makes, without a solver.
    pub fn finish(&mut self) {
        let end = |segment: Segment| {
            let mut end = self.field.clone();
            end.play(segment);
            end.counted()
        };
        for known in &mut self.moves {
            let dots = end(known.segment);
            known.proven = Some(dots);
            known.likely = dots as f32;
        }
        self.sort();
        let Some(Known { segment, proven: Some(dots), .. }) = self.moves.first().copied() else {
            return;
        };
        self.nodes += self.moves.len() as u64;
        self.finding = Some(Finding {
            lower: dots,
            upper: dots,
            best: Some(segment),
            line: vec![segment],
            nodes: self.nodes,
            table: 0,
            halt: None,
        });
        self.tell();
    }

    /// Solves the round after every legal move.
    pub fn rate(&mut self, solver: &mut dyn Solve) -> Option<Halt> {
        let value = self.round_value()?;
        let mut drawn = self.position.drawn().to_vec();
        let mut segments: Vec<Segment> = self.moves.iter().map(|known| known.segment).collect();
        if let Some(best) = self.finding.as_ref().and_then(|finding| finding.best) {
            segments.retain(|&segment| segment != best);
            segments.insert(0, best);
        }
        let mut told = 0;
        for (done, &segment) in segments.iter().enumerate() {
            drawn.push(segment);
            let stop = || self.control.halt();
            let finding = solver.solve(&drawn, self.left - 1, value, &stop, &mut |_| ());
            drawn.pop();
            self.nodes += finding.nodes;
            let at = self.moves.iter().position(|known| known.segment == segment)?;
            self.moves[at].proven = finding.proven();
            if let Some(dots) = finding.proven() {
                self.moves[at].likely = dots as f32;
            } else {
                return finding.halt;
            }
            if done >= told * 2 {
                told = done;
                self.tell();
            }
        }
        self.sort();
        None
    }

    /// The margin for the seat to move when the offense scores so much this round.
    fn value(&self, bounds: Option<(u32, u32)>, likely: f32) -> Value {
        let made: Vec<i32> = scores(self.position).collect();
        let offense = self.position.offense().index();
        if made.len() > 2 {
            let mut made: Vec<f32> = made.into_iter().map(|made| made as f32).collect();
            made[offense] += bounds.filter(|(a, b)| a == b).map_or(likely, |(dots, _)| dots as f32);
            let own = made.remove(self.seat.index());
            return Value::estimate(own - made.into_iter().fold(f32::MIN, f32::max));
        }
        let lead = lead(&made, self.seat);
        let likely = lead as f32 + self.sign() as f32 * likely;
        // Rounds to come whose value is not known are as good for the one as for the other, as far
        // as anybody knows.
        let middle = (self.rest.0 + self.rest.1) as f32 / 2.0;
        let Some((lower, upper)) = bounds else { return Value::estimate(likely + middle) };
        let ends = [lower, upper].map(|dots| lead + self.sign() * dots as i32);
        let lower = ends[0].min(ends[1]) + self.rest.0;
        let upper = ends[0].max(ends[1]) + self.rest.1;
        let estimate =
            (lower < upper).then_some((likely + middle).clamp(lower as f32, upper as f32));
        Value { estimate, ..Value::between(lower, upper) }
    }

    pub fn report(&self) -> Report<Segment> {
        let proven = self.round_value();
        let first = self.moves.first();
        let bounds = self.finding.as_ref().map(|finding| (finding.lower, finding.upper));
        let guessed = first.map_or_else(|| self.field.likely(), |known| known.likely);
        let likely = proven.map_or(guessed, |dots| dots as f32);
        // A move that is proven to reach more than the games promise is taken before theirs.
        let sure = self.finding.as_ref().filter(|finding| match finding.proven() {
            Some(_) => true,
            None if self.sign() > 0 => finding.lower as f32 >= likely,
            None => finding.upper as f32 <= likely,
        });
        let sure = sure.filter(|finding| finding.best.is_some());
        let mut best: Vec<Segment> = match sure {
            Some(finding) => finding.best.into_iter().collect(),
            None => first.into_iter().map(|known| known.segment).collect(),
        };
        let line = match sure {
            Some(finding) => finding.line.clone(),
            None => self.line.clone(),
        };
        let rate = |known: &Known| Rated {
            mv: known.segment,
            value: self.value(known.proven.map(|dots| (dots, dots)), known.likely),
            round_value: known.proven,
        };
        let moves: Vec<Rated<Segment>> = match self.scope {
            Scope::Best => Vec::new(),
            Scope::Moves => self.moves.iter().map(rate).collect(),
        };
        if proven.is_some() {
            let equal = |rated: &&Rated<Segment>| rated.round_value == proven;
            let others: Vec<Segment> = moves.iter().filter(equal).map(|rated| rated.mv).collect();
            best.extend(others.into_iter().filter(|&mv| Some(&mv) != line.first()));
        }
        Report {
            value: self.value(bounds, likely),
            round_value: proven,
            depth: proven.map_or(0, |_| self.left),
            pv: if line.first() == best.first() { line } else { best.clone() },
            best,
            moves,
            nodes: self.nodes,
            table: self.finding.as_ref().map_or(0, |finding| finding.table) + self.tree.bytes(),
            ..Report::default()
        }
    }

    pub fn tell(&self) {
        self.control.tell(&self.report());
    }
}
