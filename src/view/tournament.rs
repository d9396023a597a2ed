//! A tournament: its table, the games being played, and the finished ones.

use super::Phrase;
use crate::arena::tournament::{TextPart, TournamentTable};
use crate::board::AnyBoard;
use crate::rules::Seat;
use crate::scene::Role;

/// A tournament, with one cursor for two lists of games. What has no room on the first page is on further ones.
pub struct TournamentView<'a> {
    pub title: String,
    /// Whether it has ended, in a word; empty while it runs.
    pub state: (&'static str, Role),
    pub table: &'a TournamentTable,
    /// The parts of the table as texts, the standings first.
    pub parts: &'a [TextPart],
    /// What the sequential test says.
    pub test: Option<String>,
    pub running: Vec<RunningGame<'a>>,
    /// The columns of the longest setup so far.
    pub longest_setup: usize,
    /// How many games are played, and how many there are.
    pub played: usize,
    pub games: u64,
    /// A finished game; 0 is the latest. Only those in sight are asked for.
    pub finished: Box<dyn Fn(usize) -> Option<TournamentGame> + 'a>,
    /// The list with the cursor, and the place of the cursor in each list.
    pub list: GameList,
    pub running_at: usize,
    pub finished_at: usize,
    /// The page, as far as there are enough: 0 has the games.
    pub page: usize,
    /// Warnings, and the outcome.
    pub notes: Vec<Phrase>,
    /// How fast it goes on; `None` once it is over.
    pub pace: Option<TournamentPace>,
}

/// A list of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameList {
    #[default]
    Running,
    /// The latest first.
    Finished,
}

/// A game of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentGame {
    pub number: u64,
    pub players: Vec<String>,
    /// Whether each of them has won.
    pub has_won: Vec<bool>,
    pub setup: String,
    /// How far it has come, or its result.
    pub state: String,
}

/// A game that is being played, or was until just now.
pub struct RunningGame<'a> {
    pub game: TournamentGame,
    /// The score so far, in a game with scores.
    pub score: Option<String>,
    pub clocks: Vec<String>,
    pub board: Option<&'a dyn AnyBoard>,
    pub to_move: Option<Seat>,
}

/// How fast games end, and how long the rest takes, as far as that is known.
#[derive(Clone, Debug)]
pub struct TournamentPace {
    pub speed: Option<String>,
    pub left: Option<String>,
}

impl TournamentView<'_> {
    /// The percentage of games played; 100 only when all are.
    pub fn percent(&self) -> u64 {
        100 * self.played as u64 / self.games.max(1)
    }

    /// Whether a game of a list is under the cursor.
    pub fn is_at(&self, list: GameList, index: usize) -> bool {
        let at = match list {
            GameList::Running => self.running_at,
            GameList::Finished => self.finished_at,
        };
        self.list == list && at == index
    }
}
