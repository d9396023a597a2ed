//! The engine of Making Intersections.
//!
//! Rounds have nothing to do with each other but that their points add up. So with two players the
//! margin at the end is known where this round and, of those to come, an empty one are solved. With
//! more players only the round is: whom it helps that the offense scores less is another question.

mod field;
mod packed;
mod round;

use super::many::max_n;
use super::monte_carlo::MonteCarlo;
use super::{
    Choice, Control, Engine, Halt, Horizon, Level, Rated, Report, Scope, Value, WON, lookahead,
};
use crate::rules::intersections::{Intersections as Match, Segment};
use crate::rules::{Game, Seat};
use field::Field;
use round::{Finding, Kind, Solve, solver};
use std::cell::Cell;
use std::collections::HashMap;
use std::time::Duration;

/// The engine of Making Intersections.
#[derive(Default)]
pub struct Intersections {
    /// Solves rounds of the kind asked about last.
    solver: Option<Box<dyn Solve>>,
    /// The bytes it may take.
    memory: usize,
    /// What the offense scores in a whole round of so many segments.
    whole: HashMap<(Kind, u32), u32>,
}

/// The most dots on which a Casual player looks at every move and every answer.
const SMALL: usize = 64;

/// How many games are played by chance while the solver goes from one look at the reins to the next.
const GAMES_A_TURN: u64 = 16;

/// How many games played by chance tell all they can.
const GAMES: u64 = 400_000;

impl Engine for Intersections {
    type Game = Match;

    fn glance(position: &Match, seat: Seat) -> i32 {
        let mut scores: Vec<i32> = scores(position).collect();
        if position.to_move().is_some() {
            scores[position.offense().index()] += position.counted().count() as i32;
        }
        let won = match position.outcome() {
            Some(outcome) if outcome.winners().count() > 1 && outcome.has(seat) => 0,
            Some(outcome) if outcome.has(seat) => WON,
            Some(_) => -WON,
            None => 0,
        };
        won + lead(&scores, seat)
    }

    fn horizon(position: &Match, time: Duration) -> Horizon {
        let sees = seen(position, time);
        if left(position) <= sees {
            Horizon::Solved
        } else {
            Horizon::Sees(format!("exact for the last {sees} segments of a round"))
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
            Level::Casual if is_small => lookahead(position, 2, Self::glance, control),
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

    fn why(position: &Match, segment: Segment) -> Option<String> {
        if position.all_dots().count() > SMALL {
            return None;
        }
        let counted = position.counted().count();
        let next = position.with_segment(segment);
        let made = next.counted().count() - counted;
        let is_offense = position.to_move() == Some(position.offense());
        let (before, after) = (most_made(position), most_made(&next));
        let dots =
            |n| if n == 1 { "1 intersection".to_owned() } else { format!("{n} intersections") };
        if is_offense && made > 0 {
            Some(format!("makes {}", dots(made)))
        } else if left(position) == 1 {
            (!is_offense && made == 0 && before > 0).then(|| "makes no intersection".to_owned())
        } else if is_offense {
            (after > before).then(|| format!("threatens to make {}", dots(after)))
        } else if made == 0 && after < before {
            Some(if after == 0 {
                "leaves no intersection to make".to_owned()
            } else {
                format!("leaves no more than {} to make at once", dots(after))
            })
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
        let mut study = Study::new(position, scope, control);
        study.tell();
        let kind = kind_of(position, position.round());
        self.prepare(kind, control.limits.memory);
        let mut halt = control.halt();
        if let Some(solver) = self.solver.as_mut().filter(|solver| solver.takes(left(position))) {
            if halt.is_none() {
                halt = study.solve(solver.as_mut());
            }
            if halt.is_none() && scope == Scope::Moves {
                halt = study.rate(solver.as_mut());
            }
            if position.drawn().is_empty()
                && let Some(dots) = study.round_value()
            {
                self.whole.insert((kind, position.segments()), dots);
            }
        } else if halt.is_none() {
            halt = study.guess();
        }
        if position.seats() == 2 && rest {
            let (bounds, halted) = self.rest(position, control, halt);
            study.rest = bounds;
            halt = halt.or(halted);
        }
        let mut report = study.report();
        report.halt = halt;
        report
    }

    /// Has a solver of this kind at hand, if there is one for it.
    fn prepare(&mut self, kind: Kind, memory: usize) {
        let is_there = self.solver.as_ref().is_some_and(|solver| solver.kind() == kind);
        if !is_there || self.memory != memory {
            self.solver = None;
            self.solver = solver(kind, memory / 2);
            self.memory = memory;
        }
    }

    /// The least and the most that the seat to move, one of two, will gain on the other in the rounds
    /// to come.
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
            let mut known = self.whole.get(&key).map(|&dots| (dots, dots));
            if known.is_none() && halt.is_none() {
                let mut other;
                let own = self.solver.as_mut().filter(|solver| solver.kind() == kind);
                let solver = match own {
                    Some(solver) => Some(solver),
                    None => {
                        other = solver(kind, control.limits.memory / 2);
                        other.as_mut()
                    }
                };
                if let Some(solver) = solver.filter(|solver| solver.takes(position.segments())) {
                    let stop = || control.halt();
                    let finding = solver.solve(&[], position.segments(), 0, &stop, &mut |_| ());
                    halt = finding.halt;
                    known = Some((finding.lower, finding.upper));
                    if let Some(dots) = finding.proven() {
                        self.whole.insert(key, dots);
                    }
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

/// What is known of one position while it is searched.
struct Study<'a> {
    position: &'a Match,
    scope: Scope,
    control: &'a Control<'a, Segment>,
    seat: Seat,
    left: u32,
    field: Field,
    tree: MonteCarlo<Field>,
    finding: Option<Finding>,
    /// Every legal move with what it is likely to bring the offense, the best first.
    moves: Vec<Known>,
    /// The least and the most that the seat to move gains in the rounds to come.
    rest: (i32, i32),
    nodes: u64,
}

/// What is known of a move: what the offense will score this round.
#[derive(Clone, Copy)]
struct Known {
    segment: Segment,
    likely: f32,
    proven: Option<u32>,
}

impl<'a> Study<'a> {
    fn new(position: &'a Match, scope: Scope, control: &'a Control<'a, Segment>) -> Study<'a> {
        let field = Field::new(position);
        let rated = field.rated().into_iter();
        let all = to_come(position).map(|(_, rounds)| rounds.abs()).sum::<i32>();
        let most = all * countable(position) as i32;
        let known = |(segment, likely)| Known { segment, likely, proven: None };
        let mut study = Study {
            position,
            scope,
            control,
            seat: position.to_move().unwrap_or(Seat::FIRST),
            left: left(position),
            tree: MonteCarlo::new(field.clone(), control.limits.seed, control.limits.memory / 4),
            field,
            finding: None,
            moves: rated.map(known).collect(),
            rest: (-most, most),
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

    fn round_value(&self) -> Option<u32> {
        self.finding.as_ref().and_then(Finding::proven)
    }

    /// Puts the best moves first.
    fn sort(&mut self) {
        let sign = -self.sign() as f32;
        self.moves.sort_by(|a, b| (sign * a.likely).total_cmp(&(sign * b.likely)));
    }

    /// Solves the round, and in between plays games by chance for as long as nothing better is known.
    fn solve(&mut self, solver: &mut dyn Solve) -> Option<Halt> {
        let mut turns = 32;
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
            self.learn(Finding { nodes: self.nodes, ..finding });
            if self.round_value().is_some() {
                self.tell();
                return None;
            }
            if over.get().is_some() {
                return over.get();
            }
            if self.tree.playouts() < GAMES {
                let halt = self.play(turns * GAMES_A_TURN);
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

    /// Plays games by chance, the solver being of no use.
    fn guess(&mut self) -> Option<Halt> {
        let mut games = 64;
        while self.tree.playouts() < GAMES {
            let halt = self.play(games);
            if halt.is_some() {
                return halt;
            }
            games *= 2;
        }
        // More will not be known: nothing is proven, and more games would say the same.
        Some(Halt::Memory)
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
        // What was not tried promises less than what was.
        let promised: HashMap<Segment, f32> = self.field.rated().into_iter().collect();
        let shift = sign * first.mean - promised.get(&first.mv).copied().unwrap_or_default();
        for known in &mut self.moves {
            let likely = || promised.get(&known.segment).copied().unwrap_or_default() + shift;
            known.likely = means.get(&known.segment).copied().unwrap_or_else(likely);
        }
        // What was tried most often stands first, as few games prove little.
        self.sort();
        if let Some(at) = self.moves.iter().position(|known| known.segment == first.mv) {
            self.moves[..=at].rotate_right(1);
        }
        self.tell();
        halt
    }

    /// Solves the round after every legal move.
    fn rate(&mut self, solver: &mut dyn Solve) -> Option<Halt> {
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

    fn report(&self) -> Report<Segment> {
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
            None => self.tree.line(),
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
            halt: None,
        }
    }

    fn tell(&self) {
        self.control.tell(&self.report());
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
    let mut kinds: HashMap<Kind, i32> = HashMap::new();
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

/// How many last segments of a round are solved in this time.
fn seen(position: &Match, time: Duration) -> u32 {
    // TODO
    let _ = (position, time);
    8
}
