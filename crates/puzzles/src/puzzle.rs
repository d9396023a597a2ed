//! A puzzle and its line in `assets/puzzles`.

use super::themes;
use quadrille_match::session::{Match, Refusal};
use quadrille_rules::{Seat, Setup};
use quadrille_search::Value;
use quadrille_table::catalogue::{self, GameEntry};
use quadrille_table::engine::ValueFormat;
use serde::Serialize;
use std::fmt;

/// A position of a match and the moves to find.
///
/// A puzzle's line has four parts separated by bars: id, rating, value, decisions and themes; the setup; the moves from
/// the first position to the puzzle's position; the solution. The solution includes the opponent's replies, and ends
/// with the last decision.
///
/// ```text
/// dots-17 1480 +4 2 double-cross,chain count | rows=4 cols=4 | H0,0 V1,2 … | H2,1 V2,0
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// A prefix for the game and a number, as in `dots-17`. Ids are never reused.
    pub id: String,
    pub game: &'static str,
    pub setup: Setup,
    /// The moves that lead to the puzzle's position.
    pub moves: Vec<String>,
    /// The moves to find, with the opponent's replies.
    pub solution: Vec<String>,
    /// The value for the seat to move: the final margin, or in a game without scores 1 for a win and 0 for a draw.
    pub value: i32,
    /// In a game without scores, the number of plies to the win.
    pub plies: Option<u32>,
    /// The puzzle's difficulty, in Elo.
    pub rating: u32,
    pub themes: Vec<String>,
    /// The number of the solver's turns in the solution.
    pub decisions: u32,
}

/// Why a line is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// The line lacks a part, or a part lacks a word.
    #[error("a puzzle is written: ID RATING VALUE DECISIONS THEMES | SETUP | MOVES | SOLUTION")]
    Shape,
    /// The id does not belong to a game with puzzles.
    #[error("{0:?} is no name of a puzzle, such as dots-17")]
    Id(String),
    /// The game does not have this setup.
    #[error("{0}")]
    Setup(String),
    #[error("{0}")]
    Move(Refusal),
}

impl Puzzle {
    /// Parses a line. [`Puzzle::position`] checks whether its moves are legal.
    pub fn read(line: &str) -> Result<Puzzle, PuzzleError> {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [head, setup, moves, solution] = parts[..] else { return Err(PuzzleError::Shape) };
        let words: Vec<&str> = head.splitn(5, ' ').collect();
        let [id, rating, value, decisions, themes] = words[..] else {
            return Err(PuzzleError::Shape);
        };
        let game = super::game_of(id).ok_or_else(|| PuzzleError::Id(id.to_owned()))?;
        let (value, plies) = read_value(value).ok_or(PuzzleError::Shape)?;
        let number = |text: &str| text.parse().map_err(|_| PuzzleError::Shape);
        let texts = |part: &str| part.split_whitespace().map(str::to_owned).collect();
        Ok(Puzzle {
            id: id.to_owned(),
            game,
            setup: setup.parse().map_err(|error| PuzzleError::Setup(format!("{error}")))?,
            moves: texts(moves),
            solution: texts(solution),
            value,
            plies,
            rating: number(rating)?,
            themes: themes.split(',').filter(|theme| *theme != "-").map(str::to_owned).collect(),
            decisions: number(decisions)?,
        })
    }

    pub fn entry(&self) -> Option<&'static GameEntry> {
        catalogue::find(self.game)
    }

    pub fn position(&self) -> Result<Match, PuzzleError> {
        let entry = self.entry().ok_or_else(|| PuzzleError::Id(self.id.clone()))?;
        let setup = |error| PuzzleError::Setup(format!("{error}"));
        let mut game = (entry.start)(&self.setup).map_err(setup)?;
        for mv in &self.moves {
            game.play(mv).map_err(PuzzleError::Move)?;
        }
        Ok(game)
    }

    /// Returns the solver's seat.
    pub fn seat(&self) -> Option<Seat> {
        self.position().ok()?.to_move()
    }

    pub fn value_text(&self) -> String {
        let value_format =
            if self.plies.is_some() { ValueFormat::Outcome } else { ValueFormat::Margin };
        value_format.write(Value { plies: self.plies, ..Value::exact(self.value) })
    }

    /// Returns the themes as shown to players.
    pub fn themes_in_words(&self) -> String {
        themes::in_words(&self.themes)
    }

    /// Formats the puzzle as a JSON object in one line.
    pub fn to_json(&self) -> String {
        let json = Json {
            id: &self.id,
            game: self.game,
            setup: self.setup.to_string(),
            moves: &self.moves,
            solution: &self.solution,
            value: self.value,
            rating: self.rating,
            themes: &self.themes,
            decisions: self.decisions,
        };
        serde_json::to_string(&json).unwrap_or_default()
    }
}

/// The JSON fields, in order.
#[derive(Serialize)]
struct Json<'a> {
    id: &'a str,
    game: &'a str,
    setup: String,
    moves: &'a [String],
    solution: &'a [String],
    value: i32,
    rating: u32,
    themes: &'a [String],
    decisions: u32,
}

/// Parses a value such as `+4`, `-2`, `=` or `W5`.
fn read_value(text: &str) -> Option<(i32, Option<u32>)> {
    if text == "=" {
        return Some((0, None));
    }
    match text.strip_prefix('W') {
        Some(plies) => Some((1, Some(plies.parse().ok()?))),
        None => Some((text.parse().ok()?, None)),
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let themes = if self.themes.is_empty() { "-".to_owned() } else { self.themes.join(",") };
        write!(
            f,
            "{} {} {} {} {themes} | {} | {} | {}",
            self.id,
            self.rating,
            self.value_text(),
            self.decisions,
            self.setup,
            self.moves.join(" "),
            self.solution.join(" "),
        )
    }
}
