//! Lessons: a game learnt step by step, on its own board.
//!
//! A lesson is a file of TOML, those of the program in `assets/lessons`. Each step has a text, a position, and what is
//! asked there: nothing, certain moves, moves that keep or reach a proven value, or a win against Perfect. [`read`] takes
//! nothing that the rules refuse, so a [`LessonRun`] has a legal position and a legal answer at every step. [`prove()`]
//! finds out what the rules cannot know: that what is called right is right, that what is called wrong is wrong, and
//! that a win is there. A test has it prove every lesson of the program, and the command line every other file.
//!
//! A [`LessonRun`] is a lesson while somebody goes through it, without a screen: moves go in, and what is said comes out.

mod file;
mod prove;
mod run;

#[cfg(test)]
mod facts;
#[cfg(test)]
mod tests;

pub use file::{COLUMNS, LINES, read};
pub use prove::prove;
pub use run::{LessonPhase, LessonRun, Place};

use crate::catalogue::GameEntry;
use crate::search::Value;
use crate::session::{Match, PositionSpec};
use std::sync::{Arc, LazyLock};

/// A lesson.
#[derive(Debug)]
pub struct Lesson {
    /// Its game and its file: `quixo/1-pushes`. What is done is remembered under it; the number may change.
    pub name: String,
    pub title: String,
    pub entry: &'static GameEntry,
    /// Whose idea it is, and where to read more.
    pub source: Option<String>,
    /// At least one.
    pub steps: Vec<LessonStep>,
}

impl Lesson {
    /// What it comes to: the last position that is not played to from the one before.
    pub fn sample(&self) -> Option<Match> {
        let board = self.steps.iter().rev().find_map(|step| step.board.as_ref())?;
        run::stand(self, board)
    }
}

/// A step of a lesson.
#[derive(Debug)]
pub struct LessonStep {
    /// Its line in the file, from 1.
    pub line: usize,
    pub text: String,
    /// Where it begins; `None` if it goes on from the step before.
    pub board: Option<PositionSpec>,
    /// What the position is proven to be worth to whoever is to move, where the text says so.
    pub value: Option<i32>,
    /// Legal moves that are shown on the board.
    pub mark: Vec<String>,
    /// Whether the notes of the game lie over the board, such as its chains.
    pub notes: bool,
    pub task: LessonTask,
    /// What is said to a right try.
    pub right: String,
    /// Wrong tries with texts of their own. Where a value is to be kept they need not be all.
    pub wrong: Vec<Wrong>,
    /// What is said to any other wrong try.
    pub otherwise: String,
}

/// Moves, one after the other.
pub type Line = Vec<String>;

/// What is asked of whoever is to move.
#[derive(Debug, PartialEq, Eq)]
pub enum LessonTask {
    /// Nothing: read, and go on.
    Read,
    /// One of these lines. All their moves are of one turn. Then the reply is played.
    Play {
        lines: Vec<Line>,
        reply: Line,
        /// Whether these lines keep what the position is worth and no others do. Else the step is an exercise, and
        /// other moves may be as good.
        only: bool,
    },
    /// A whole turn that keeps what the position is proven to be worth. A turn ends with its round at the latest.
    Keep,
    /// A whole turn after which the position is proven to be worth at least this, for whoever made it.
    Reach(i32),
    /// To play on against Perfect until the match ends, with at least this value.
    Win(i32),
}

impl LessonTask {
    /// Whether it is about what moves are worth.
    pub const fn is_about_values(&self) -> bool {
        !matches!(self, LessonTask::Read | LessonTask::Play { only: false, .. })
    }
}

/// Wrong tries with a text of their own.
#[derive(Debug)]
pub struct Wrong {
    /// The moves of the step so far; none if it is for a result.
    pub lines: Vec<Line>,
    /// The result of the last move with best play. The text is for every wrong try with this result that no other
    /// text names.
    pub result: Option<MatchResult>,
    pub text: String,
    /// How the other player answers it.
    pub reply: Line,
}

/// How a match ends for the player who makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchResult {
    Win,
    Draw,
    Loss,
}

impl MatchResult {
    const ALL: [(&str, MatchResult); 3] =
        [("win", MatchResult::Win), ("draw", MatchResult::Draw), ("loss", MatchResult::Loss)];

    /// The result of a move of this value, if it is proven.
    fn of(value: Value) -> Option<MatchResult> {
        match (value.lower, value.upper) {
            (Some(1..), _) => Some(MatchResult::Win),
            (_, Some(..0)) => Some(MatchResult::Loss),
            (Some(0), Some(0)) => Some(MatchResult::Draw),
            _ => None,
        }
    }
}

/// The names and the texts of some lessons of the program.
macro_rules! lessons {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../assets/lessons/", $name, ".toml")))),+]
    };
}

/// The lessons of the program, the games in the order of the menus.
const FILES: &[(&str, &str)] = lessons![
    "dots-and-boxes/1-taking",
    "dots-and-boxes/2-safe-lines",
    "dots-and-boxes/3-chains",
    "dots-and-boxes/4-double-cross",
    "dots-and-boxes/5-counting",
    "dots-and-boxes/6-loops",
    "join-the-dots/1-cycles",
    "join-the-dots/2-lines-in-the-way",
    "join-the-dots/3-last-safe-line",
    "join-the-dots/4-counting",
    "join-the-dots/5-which-cycle",
    "quixo/1-pushes",
    "quixo/2-threats",
    "quixo/3-only-defence",
    "quixo/4-double-threats",
    "quixo/5-small-boards",
    "tic-tac-toe/1-three-in-a-row",
    "tic-tac-toe/2-forks",
    "tic-tac-toe/3-forced-answers",
    "tic-tac-toe/4-defence",
    "tic-tac-toe/5-openings",
    "intersections/1-what-counts",
    "intersections/2-segments",
    "intersections/3-passing-through",
    "intersections/4-blocking",
    "intersections/5-the-last-segment",
];

/// All lessons of the program, the games in the order of the menus.
pub fn all() -> &'static [Arc<Lesson>] {
    static READ: LazyLock<Vec<Arc<Lesson>>> = LazyLock::new(|| {
        let lessons = FILES.iter().map(|(name, text)| read(name, name, text));
        // A test reads all of them, so none is missing.
        lessons.filter_map(Result::ok).map(Arc::new).collect()
    });
    &READ
}

/// The lessons of a game, in their order.
pub fn of_game(entry: &GameEntry) -> Vec<Arc<Lesson>> {
    all().iter().filter(|lesson| lesson.entry.id == entry.id).cloned().collect()
}
