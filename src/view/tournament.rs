//! A tournament: its crosstable, the games in progress, and the finished games.

use super::Phrase;
use quadrille_arena::tournament::{TextPart, TournamentTable};
use quadrille_rules::Seat;
use quadrille_scene::{Role, Scene};
use std::rc::Rc;

/// A tournament, with one cursor for two lists of games. Content that does not fit on the first page is on later pages.
pub struct TournamentView<'a> {
    pub title: String,
    /// A word for the final state of the tournament; empty while games are in progress.
    pub state: (&'static str, Role),
    pub table: &'a TournamentTable,
    pub parts: &'a [TextPart],
    /// The state of the sequential test, if there is one.
    pub test: Option<String>,
    pub running: Vec<RunningGame>,
    /// The width of the longest setup so far, in columns.
    pub longest_setup: usize,
    /// The number of games played; `games` is the total.
    pub played: usize,
    pub games: u64,
    /// Returns a finished game; index 0 is the latest. Called only for visible games.
    pub finished: Box<dyn Fn(usize) -> Option<TournamentGame> + 'a>,
    /// The list that has the cursor. Each list keeps its own position.
    pub list: GameList,
    pub running_at: usize,
    pub finished_at: usize,
    /// The page, clamped to the number of pages. Page 0 shows the games.
    pub page: usize,
    pub notes: Vec<Phrase>,
    /// The pace; `None` when the tournament is over.
    pub pace: Option<TournamentPace>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameList {
    #[default]
    Running,
    /// The finished games, latest first.
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

/// A game that is in progress or has just finished.
pub struct RunningGame {
    pub game: TournamentGame,
    /// The score so far, for games with scores.
    pub score: Option<String>,
    pub clocks: Vec<String>,
    pub board: Option<Rc<Scene>>,
    pub to_move: Option<Seat>,
}

/// The speed, and the estimated time left if known.
#[derive(Clone, Debug)]
pub struct TournamentPace {
    pub speed: Option<String>,
    pub left: Option<String>,
}

impl TournamentView<'_> {
    /// Returns the percentage of games played; 100 only if all were played.
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
