//! A control and matches between two levels, for the tests of several engines.

use super::{Control, Engine, Level, Limits, NoTableCache};
use quadrille_rules::{Outcome, Position, Seat};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Calls `ask` with a control that never stops and discards its reports.
pub fn with_control<M, A>(limits: Limits, ask: impl FnOnce(&Control<'_, M>) -> A) -> A {
    ask(&Control::new(&AtomicBool::new(false), limits, &NoTableCache, &|_| ()))
}

pub fn within(time: Duration) -> Limits {
    Limits { deadline: Some(Instant::now() + time), ..Limits::default() }
}

/// After this many plies a game is a draw, since games of Quixo may never end.
const MOST_PLIES: u64 = 300;

/// The results of a match between two levels, for the better one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchResult {
    /// The games that it won alone.
    pub won: u32,
    /// The games with a shared win or no winner.
    pub drawn: u32,
    /// The games that others won.
    pub lost: u32,
}

impl MatchResult {
    /// Returns its points: 1 for a win, a half for a draw.
    pub fn points(self) -> f32 {
        self.won as f32 + self.drawn as f32 / 2.0
    }
}

/// Plays games of the better level at one seat against the worse level at all others, with this time for a move. The
/// better level rotates through the seats. `start` returns the first position of a game: all games of a set, one for
/// each seat, pass it the same number.
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
        while let Some(seat) = position.to_move().filter(|_| ply < MOST_PLIES) {
            let side = usize::from(seat != own);
            let limits = Limits { seed: game << 10 | ply, ..within(time) };
            let choice = with_control(limits, |control| {
                engines[side].choose(&position, [better, worse][side], control)
            });
            assert_eq!(position.play(choice.mv), Ok(()));
            ply += 1;
        }
        match position.outcome() {
            Some(outcome) if outcome == Outcome::win(own) => result.won += 1,
            Some(outcome) if !outcome.has(own) && outcome.winners().count() > 0 => result.lost += 1,
            _ => result.drawn += 1,
        }
    }
    result
}
