//! A tournament: its table, the running games, and the finished games.

use super::Phrase;
use crate::arena::tournament::{TextPart, TournamentTable};
use crate::board::AnyBoard;
use crate::rules::Seat;
use crate::scene::Role;

/// A tournament, with one cursor for two lists of games. What does not fit on the first page is on further pages.
pub struct TournamentView<'a> {
    pub title: String,
    /// Whether it has ended, in a word; empty while it runs.
    pub state: (&'static str, Role),
    pub table: &'a TournamentTable,
    pub parts: &'a [TextPart],
    /// The state of the sequential test.
    pub test: Option<String>,
    pub running: Vec<RunningGame<'a>>,
    /// The width of the longest setup so far, in columns.
    pub longest_setup: usize,
    /// The number of games played, and of all games.
    pub played: usize,
    pub games: u64,
    /// Returns a finished game; 0 is the latest. Only the visible games are requested.
    pub finished: Box<dyn Fn(usize) -> Option<TournamentGame> + 'a>,
    /// The list with the cursor, and the cursor in each list.
    pub list: GameList,
    pub running_at: usize,
    pub finished_at: usize,
    /// The page, limited by the number of pages; page 0 has the games.
    pub page: usize,
    pub notes: Vec<Phrase>,
    /// The pace; `None` once the tournament is over.
    pub pace: Option<TournamentPace>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameList {
    #[default]
    Running,
    /// Latest first.
    Finished,
}

#[derive(Clone, Debug)]
pub struct TournamentGame {
    pub number: u64,
    pub players: Vec<String>,
    pub has_won: Vec<bool>,
    pub setup: String,
    pub state: String,
}

/// A game being played, or just finished.
pub struct RunningGame<'a> {
    pub game: TournamentGame,
    /// The score so far, in a game with scores.
    pub score: Option<String>,
    pub clocks: Vec<String>,
    pub board: Option<&'a dyn AnyBoard>,
    pub to_move: Option<Seat>,
}

/// The speed, and the time left, as far as known.
#[derive(Clone, Debug)]
pub struct TournamentPace {
    pub speed: Option<String>,
    pub left: Option<String>,
}

impl TournamentView<'_> {
    /// Returns the percentage of games played; 100 only when all are.
    pub fn percent(&self) -> u64 {
        100 * self.played as u64 / self.games.max(1)
    }

    pub fn is_at(&self, list: GameList, index: usize) -> bool {
        let at = match list {
            GameList::Running => self.running_at,
            GameList::Finished => self.finished_at,
        };
        self.list == list && at == index
    }
}
