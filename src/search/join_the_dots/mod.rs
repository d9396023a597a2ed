//! Join the Dots: searched to the end while that can be done in the time, and by Monte Carlo trials
//! before.

mod packed;
mod playouts;
mod wide;

use super::alpha_beta::{AlphaBeta, Proven, TableOf};
use super::{Choice, Control, Engine, Horizon, Level, Rated, Report, Scope, Value, plain};
use crate::rules::join_the_dots::{JoinTheDots as Position, Line};
use crate::rules::{Game, Seat};
use packed::{Arena, MOST, State, is_round};
use playouts::{Trials, Tried};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;
use wide::{Board, Offer, Sides, line};

/// The engine of Join the Dots.
#[derive(Default)]
pub struct JoinTheDots {
    sides: Option<Sides>,
    exact: Option<Exact>,
}

/// What is kept of the exact searches of one set of points.
struct Exact {
    arena: Arena,
    table: TableOf<Arena>,
    budget: usize,
}

/// How many points, at most, are searched to the end without trials before.
const AT_ONCE: usize = 11;
/// How long trials take before such a search when nothing hurries.
const TRIALS: Duration = Duration::from_millis(300);
/// How long, at most, the hardest of several best moves is looked for.
const TRAPS: Duration = Duration::from_millis(300);
/// How often news of trials are told.
const NEWS: Duration = Duration::from_millis(50);

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
        let mut analysis =
            Analysis::new(sides(&mut self.sides, position), position, scope, control);
        control.tell(&analysis.report);
        let left = position.points_left().count();
        if left > AT_ONCE {
            let share = control.share(0.5, TRIALS);
            analysis.try_out(if left > MOST { control } else { &share });
        }
        if left <= MOST && control.halt().is_none() {
            let memory = control.limits.memory;
            if let Some((exact, state)) = Exact::of(&mut self.exact, position, memory) {
                analysis.prove(exact, position, &state);
            }
        }
        analysis.report
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
        let time = control.share(0.5, TRAPS);
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
    let halt = || time.halt();
    let mut search = AlphaBeta::new(arena, table, &halt);
    let mut hardest: Option<(f32, Line)> = None;
    let offers = ranked(board, true, time.limits.seed, &|| time.halt().is_some());
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
    /// The table for a position, with the position packed: the one kept, if it is of the same points
    /// and takes as much memory.
    fn of<'a>(
        kept: &'a mut Option<Exact>,
        position: &Position,
        budget: usize,
    ) -> Option<(&'a mut Exact, State)> {
        let same = kept.take().filter(|exact| exact.budget == budget);
        let same = same.and_then(|exact| Some((exact.arena.pack(position)?, exact)));
        let (state, exact) = if let Some(same) = same {
            same
        } else {
            let arena = Arena::new(position)?;
            (arena.pack(position)?, Exact { arena, table: TableOf::<Arena>::new(budget), budget })
        };
        Some((kept.insert(exact), state))
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

/// An analysis under way.
struct Analysis<'a> {
    board: Board<'a>,
    offers: Vec<Offer>,
    /// The points the seat to move leads by now.
    lead: i32,
    scope: Scope,
    control: &'a Control<'a, Line>,
    report: Report<Line>,
}

impl<'a> Analysis<'a> {
    /// What two plies say.
    fn new(
        sides: &'a Sides,
        position: &Position,
        scope: Scope,
        control: &'a Control<'a, Line>,
    ) -> Analysis<'a> {
        let board = Board::new(sides, position);
        let time = control.share(0.5, NEWS);
        let halt = || time.halt().is_some();
        let offers = ranked(&board, true, control.limits.seed, &halt);
        let lead = lead_of_mover(position);
        let mut report = glimpse(lead, &offers, true);
        report.best.truncate(1);
        if scope == Scope::Best {
            report.moves = Vec::new();
        }
        report.halt = control.halt();
        Analysis { board, offers, lead, scope, control, report }
    }

    /// Tries moves out as long as `time` goes.
    fn try_out(&mut self, time: &Control<'_, Line>) {
        let mut trials = Trials::new(self.board.clone(), &self.offers, self.control.limits.seed);
        let nodes = self.report.nodes;
        while time.halt().is_none() {
            let news = time.share(1.0, NEWS);
            while news.halt().is_none() {
                trials.play(&|| time.halt().is_some());
            }
            let best = trials.best();
            let Some((mv, mean)) = best.first().and_then(|tried| Some((tried.pair, tried.mean()?)))
            else {
                continue;
            };
            self.report.value = self.estimate(mean);
            self.report.best = vec![line(mv)];
            self.report.pv = vec![line(mv)];
            self.report.nodes = nodes + u64::from(trials.games());
            if self.scope == Scope::Moves {
                self.rate_by(&best);
            }
            self.control.tell(&self.report);
        }
        self.report.halt = time.halt();
    }

    fn estimate(&self, ahead: f32) -> Value {
        Value::estimate(self.lead as f32 + ahead)
    }

    /// Puts what trials say in place of what two plies said. What was not tried is thought no better
    /// than the worst that was.
    fn rate_by(&mut self, tried: &[Tried]) {
        let means: HashMap<Line, f32> =
            tried.iter().filter_map(|tried| Some((line(tried.pair), tried.mean()?))).collect();
        let worst = means.values().copied().fold(f32::INFINITY, f32::min);
        for (rated, offer) in self.report.moves.iter_mut().zip(&self.offers) {
            let mean = means.get(&line(offer.pair)).copied();
            let ahead = mean.unwrap_or_else(|| worst.min(worth(offer, true) as f32));
            *rated = Rated {
                mv: line(offer.pair),
                value: Value::estimate(self.lead as f32 + ahead),
                round_value: None,
            };
        }
        self.sort();
    }

    fn sort(&mut self) {
        let likely = |rated: &Rated<Line>| rated.value.likely().unwrap_or(f32::NEG_INFINITY);
        self.report.moves.sort_by(|a, b| likely(b).total_cmp(&likely(a)));
    }

    /// Searches to the end.
    fn prove(&mut self, exact: &mut Exact, position: &Position, state: &State) {
        let Exact { arena, table, .. } = exact;
        let control = self.control;
        let halt = || control.halt();
        let mut search = AlphaBeta::new(arena, table, &halt);
        let proven = search.solve(state, 0, |search, proven| {
            self.learn(arena, search, (position, state), proven);
            control.tell(&self.report);
        });
        self.learn(arena, &mut search, (position, state), proven);
        if let Some(value) = self.report.value.proven().filter(|_| self.scope == Scope::Moves) {
            self.rate_all(arena, &mut search, (position, state), value);
        }
        self.report.nodes += search.nodes();
        self.report.halt = search.halted();
    }

    /// Takes over what is proven of the position.
    fn learn(
        &mut self,
        arena: &Arena,
        search: &mut AlphaBeta<Arena>,
        (position, state): (&Position, &State),
        proven: Proven<u8>,
    ) {
        let report = &mut self.report;
        let [lower, upper] = [proven.lower, proven.upper].map(|margin| self.lead + margin);
        let likely = report.value.estimate.unwrap_or_default();
        report.value = Value {
            estimate: (lower < upper).then(|| likely.clamp(lower as f32, upper as f32)),
            ..Value::between(lower, upper)
        };
        report.table = search.table_bytes();
        // A move that is proven to be worth less than another seems to be need not be the best.
        let reaches = lower == upper || lower as f32 >= likely;
        if let Some(mv) = proven.best.filter(|_| reaches) {
            let mut moves = Vec::new();
            if lower == upper {
                moves = search.variation(state, proven.lower);
            }
            if moves.is_empty() {
                moves.push(mv);
            }
            let line = arena.lines(position, state, &moves);
            report.best = line.iter().take(1).copied().collect();
            report.pv = line;
        }
    }

    /// Proves every move, where the value of the position is known.
    fn rate_all(
        &mut self,
        arena: &Arena,
        search: &mut AlphaBeta<Arena>,
        (position, state): (&Position, &State),
        value: i32,
    ) {
        for rated in &mut self.report.moves {
            let likely = rated.value.estimate.map(|likely| likely.min(value as f32));
            rated.value = Value { upper: Some(value), estimate: likely, ..Value::default() };
        }
        self.sort();
        let order: Vec<Line> = self.report.moves.iter().map(|rated| rated.mv).collect();
        for line in order {
            let Some(mv) = arena.mv(position, state, line) else { continue };
            let (lower, upper) = search.rate(state, mv, value - self.lead, |_, _, _| ());
            let proven = Value::between(self.lead + lower, (self.lead + upper).min(value));
            if search.halted().is_some() {
                return;
            }
            if let Some(rated) = self.report.moves.iter_mut().find(|rated| rated.mv == line) {
                rated.value = proven;
            }
            if proven.proven() == Some(value) && !self.report.best.contains(&line) {
                self.report.best.push(line);
            }
            self.sort();
            self.control.tell(&self.report);
        }
    }
}

#[cfg(test)]
mod tests;
