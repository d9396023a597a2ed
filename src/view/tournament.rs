//! A tournament: its crosstable, the games in progress, and the finished games.

use super::Phrase;
use quadrille_arena::tournament::{Ending, GameLine, Points, TextPart, TournamentTable};
use quadrille_rules::Seat;
use quadrille_scene::{Role, Scene};
use quadrille_text::wording::{dashed, short_setup};
use std::rc::Rc;
use std::sync::Arc;

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
    /// The longest setup so far.
    pub longest_setup: &'a str,
    /// The total number of games.
    pub games: u64,
    /// The finished games, latest last.
    pub finished: &'a [Arc<GameLine>],
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
        100 * self.finished.len() as u64 / self.games.max(1)
    }

    pub fn is_at(&self, list: GameList, index: usize) -> bool {
        let at = match list {
            GameList::Running => self.running_at,
            GameList::Finished => self.finished_at,
        };
        self.list == list && at == index
    }
}

impl TournamentGame {
    pub fn finished(line: &GameLine) -> TournamentGame {
        let best = line.points.iter().max();
        let is_draw = line.points.iter().all(|points| Some(points) == best);
        TournamentGame {
            number: line.game,
            has_won: line.points.iter().map(|points| !is_draw && Some(points) == best).collect(),
            setup: short_setup(&line.setup),
            state: TournamentGame::result(line),
            players: line.players.clone(),
        }
    }

    /// Returns the result, with the ending if the game did not end by the rules: `5-4`, `1-0, crash`.
    pub fn result(line: &GameLine) -> String {
        let is_by_rules = line.termination == Ending::Rules;
        let scores = line.scores.as_ref().filter(|_| is_by_rules);
        let result = match scores {
            Some(scores) => dashed(scores),
            None => dashed(line.points.iter().map(|points| share(*points, line.points.len()))),
        };
        if is_by_rules { result } else { format!("{result}, {}", line.termination) }
    }
}

/// Formats the points of a seat. In a game of two seats, half a point is `1/2`, as in records.
fn share(points: Points, seats: usize) -> String {
    if seats == 2 && points.halves == 1 { "1/2".to_owned() } else { points.to_string() }
}
