//! Tests that apply to every engine, and shared test utilities: a control, and games between two levels.

use super::minimax::{after, margin};
use super::{Control, Engine, Level, Limits, Move, NoTableCache, Report, Scope, Value};
use quadrille_rules::{Outcome, Position, Seat};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Checks an engine's solution of a two-seat position against plain search: the value of the position and of each move,
/// the best moves, the principal variation and every intermediate report. Also checks that Perfect gives nothing away.
pub fn agrees_with_plain_search<E: Engine>(
    engine: &mut E,
    position: &E::Game,
    known: &mut HashMap<E::Game, i32>,
) -> Report<Move<E>> {
    let sign = if position.to_move() == Some(Seat::FIRST) { 1 } else { -1 };
    let mut worth = |position: &E::Game| sign * margin(position, known);
    let value = worth(position);
    let reports = Mutex::new(Vec::new());
    let on_report = |report: &Report<Move<E>>| reports.lock().unwrap().push(report.clone());
    let stop = AtomicBool::new(false);
    let watched = Control::new(&stop, Limits::default(), &NoTableCache, &on_report);
    let report = engine.analyse(position, Scope::Moves, &watched);
    assert_eq!((report.value.proven(), report.halt), (Some(value), None), "{position}");
    assert_eq!(report.pv[0], report.best[0], "{position}");
    let end = report.pv.iter().fold(position.clone(), |at, &mv| after(&at, mv));
    assert_eq!(worth(&end), value, "{position}");
    let all: HashSet<Move<E>> = position.legal_moves().into_iter().collect();
    assert_eq!(report.moves.len(), all.len(), "{position}");
    assert_eq!(report.moves.iter().map(|rated| rated.mv).collect::<HashSet<_>>(), all);
    for rated in &report.moves {
        let expected = worth(&after(position, rated.mv));
        assert_eq!(rated.value.proven(), Some(expected), "{position} {}", rated.mv);
        assert_eq!(report.best.contains(&rated.mv), rated.value == report.value, "{position}");
    }
    assert!(report.moves.is_sorted_by_key(|rated| Reverse(rated.value.proven())));
    for report in reports.into_inner().unwrap() {
        assert!(contains(report.value, value), "{position} {:?}", report.value);
        assert_eq!(position.check(report.best[0]), Ok(()));
        for rated in report.moves {
            assert!(contains(rated.value, worth(&after(position, rated.mv))), "{position}");
        }
    }
    let choice = engine.choose(position, Level::Perfect, &control(Limits::default()));
    assert_eq!(worth(&after(position, choice.mv)), value, "{position} {}", choice.mv);
    report
}

/// Returns whether a margin lies within the proven bounds of a value.
pub fn contains(value: Value, margin: i32) -> bool {
    value.lower.is_none_or(|lower| lower <= margin)
        && value.upper.is_none_or(|upper| upper >= margin)
}

/// Checks that an engine answers at once if little work is allowed, if the deadline has passed and if it is stopped:
/// each level with a legal move, and an analysis with an estimate of every move.
pub fn answers_within_limits<E: Engine>(position: &E::Game, nodes: u64) {
    let few = Limits { nodes: Some(nodes), ..Limits::default() };
    // Each move gets a static evaluation first; then limits are checked at least every 1024 positions.
    let most = nodes.max(position.legal_moves().len() as u64) + 1024;
    for (limits, stop) in [(few, false), (within(Duration::ZERO), false), (Limits::default(), true)]
    {
        let stop = AtomicBool::new(stop);
        let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
        for level in Level::ALL.into_iter().filter(|&level| level < Level::Perfect) {
            let choice = E::default().choose(position, level, &control);
            assert_eq!(position.check(choice.mv), Ok(()), "{position} {level}");
            // The levels below Strong have only their own limit.
            assert!(choice.report.nodes <= 60_000.max(most), "{}", choice.report.nodes);
        }
        let report = E::default().analyse(position, Scope::Moves, &control);
        assert_eq!(position.check(report.best[0]), Ok(()));
        let mut values = report.moves.iter().map(|rated| rated.value).chain([report.value]);
        let is_proven = values.all(|value| value.proven().is_some());
        assert!(report.halt.is_some() || is_proven, "{position}");
        assert!(limits.nodes.is_none() || report.nodes <= most, "{}", report.nodes);
        assert_eq!(report.moves.len(), position.legal_moves().len());
        assert!(report.moves.iter().all(|rated| rated.value.point_estimate().is_some()));
    }
}

/// Returns a control that never stops the search and discards its reports.
pub fn control<M>(limits: Limits) -> Control<'static, M> {
    Control::default().within(limits)
}

pub fn within(time: Duration) -> Limits {
    Limits { deadline: Some(Instant::now() + time), ..Limits::default() }
}

/// The number of plies after which a game is a draw, since games of Quixo may never end.
const MAX_PLIES: u64 = 300;

/// The results of a match between two levels, for the better level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchResult {
    /// The games that the better level won alone.
    pub won: u32,
    /// The games with a shared win or no winner.
    pub drawn: u32,
    /// The games that the worse level won.
    pub lost: u32,
}

impl MatchResult {
    /// Returns the points of the better level: 1 for a win, 0.5 for a draw.
    pub fn points(self) -> f32 {
        self.won as f32 + self.drawn as f32 / 2.0
    }
}

/// Plays games of the better level at one seat against the worse level at all other seats, with this time per move. The
/// better level rotates through the seats. `start` returns the first position of a game; it receives the same number
/// for all games of a set, which has one game for each seat.
pub fn play_match<E: Engine>(
    better: Level,
    worse: Level,
    games: u64,
    time: Duration,
    start: impl Fn(u64) -> E::Game,
) -> MatchResult {
    let mut engines = [E::default(), E::default()];
    let mut result = MatchResult::default();
    let seats = u64::from(start(0).seats());
    for game in 0..games {
        let own = Seat::new((game % seats) as u8);
        let mut position = start(game / seats);
        let mut ply = 0;
        while let Some(seat) = position.to_move().filter(|_| ply < MAX_PLIES) {
            let side = usize::from(seat != own);
            let limits = Limits { seed: game << 10 | ply, ..within(time) };
            let choice = engines[side].choose(&position, [better, worse][side], &control(limits));
            assert_eq!(position.play(choice.mv), Ok(()));
            ply += 1;
        }
        match position.outcome() {
            Some(outcome) if outcome == Outcome::win(own) => result.won += 1,
            Some(outcome) if !outcome.is_winner(own) && outcome.winners().count() > 0 => {
                result.lost += 1;
            }
            _ => result.drawn += 1,
        }
    }
    result
}
