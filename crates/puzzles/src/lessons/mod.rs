//! Lessons: each teaches a game step by step, on the game's own board.
//!
//! A lesson is a TOML file; the built-in lessons are in `assets/lessons`. Each step has a text, a position and a task:
//! none, certain moves, moves that keep or reach a proven value, or a win against Perfect. [`read`] refuses illegal
//! moves, so a [`LessonRun`] has a legal position and a legal answer at every step. [`prove()`] checks what the rules
//! cannot: that right tries are right, wrong tries are wrong, and wins exist. A test proves every built-in lesson, and
//! the command line proves any other lesson file.
//!
//! A [`LessonRun`] tracks a learner's progress through a lesson without a screen: it receives moves and returns texts.

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

use quadrille_match::session::{Match, PositionSpec};
use quadrille_search::Value;
use quadrille_table::catalogue::GameEntry;
use std::sync::{Arc, LazyLock};

#[derive(Debug)]
pub struct Lesson {
    /// The game and the file name, as in `quixo/1-pushes`. Progress is stored under the name without the number, which
    /// may change.
    pub name: String,
    pub title: String,
    pub entry: &'static GameEntry,
    /// The source of the idea, and further reading.
    pub source: Option<String>,
    /// The steps; at least one.
    pub steps: Vec<LessonStep>,
}

impl Lesson {
    /// Returns a typical position: the last position that does not continue from the previous step.
    pub fn sample(&self) -> Option<Match> {
        let board = self.steps.iter().rev().find_map(|step| step.board.as_ref())?;
        run::stand(self, board)
    }
}

#[derive(Debug)]
pub struct LessonStep {
    /// The line number, counted from 1.
    pub line: usize,
    pub text: String,
    /// The starting position; `None` if the step continues from the previous step.
    pub board: Option<PositionSpec>,
    /// The proven value for the seat to move, if the text mentions the value.
    pub value: Option<i32>,
    /// Legal moves to mark on the board.
    pub mark: Vec<String>,
    /// Whether the board shows the game's notes, such as chains.
    pub notes: bool,
    pub task: LessonTask,
    /// The text after a right try.
    pub right: String,
    /// Wrong tries that have their own texts. In a task about values, the list need not be complete.
    pub wrong: Vec<Wrong>,
    /// The text after any other wrong try.
    pub otherwise: String,
}

pub type Line = Vec<String>;

#[derive(Debug, PartialEq, Eq)]
pub enum LessonTask {
    /// No task: read and continue.
    Read,
    /// Play one of these lines, each within one turn. The reply is played afterwards.
    Play {
        lines: Vec<Line>,
        reply: Line,
        /// Whether exactly these lines keep the value of the position. If not, the step is an exercise, and other moves
        /// may be equally good.
        only: bool,
    },
    /// Play a whole turn that keeps the proven value of the position. A turn ends when its round ends, if not earlier.
    Keep,
    /// Play a whole turn that reaches at least this proven value for the mover.
    Reach(i32),
    /// Play against Perfect to the end of the match, keeping at least this value.
    Win(i32),
}

impl LessonTask {
    pub const fn is_about_values(&self) -> bool {
        !matches!(self, LessonTask::Read | LessonTask::Play { only: false, .. })
    }
}

/// Wrong tries that have their own text.
#[derive(Debug)]
pub struct Wrong {
    /// The moves of the step so far; empty if the text applies to a result.
    pub lines: Vec<Line>,
    /// The result of the last move with best play. The text applies to every wrong try with this result unless a
    /// different text names the try's moves.
    pub result: Option<MatchResult>,
    pub text: String,
    /// The other player's answer.
    pub reply: Line,
}

/// The result of a match from the mover's perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchResult {
    Win,
    Draw,
    Loss,
}

impl MatchResult {
    const ALL: [(&str, MatchResult); 3] =
        [("win", MatchResult::Win), ("draw", MatchResult::Draw), ("loss", MatchResult::Loss)];

    /// Returns the result that the value of a move proves.
    fn of(value: Value) -> Option<MatchResult> {
        match (value.lower, value.upper) {
            (Some(1..), _) => Some(MatchResult::Win),
            (_, Some(..0)) => Some(MatchResult::Loss),
            (Some(0), Some(0)) => Some(MatchResult::Draw),
            _ => None,
        }
    }
}

/// Lists the names and texts of built-in lessons.
macro_rules! lessons {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../assets/lessons/", $name, ".toml")))),+]
    };
}

/// The built-in lessons. The games are in menu order.
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

/// Returns all built-in lessons. The games are in menu order.
pub fn all() -> &'static [Arc<Lesson>] {
    static READ: LazyLock<Vec<Arc<Lesson>>> = LazyLock::new(|| {
        let lessons = FILES.iter().map(|(name, text)| read(name, name, text));
        // A test parses every lesson, so no lesson is missing.
        lessons.filter_map(Result::ok).map(Arc::new).collect()
    });
    &READ
}

pub fn of_game(entry: &GameEntry) -> Vec<Arc<Lesson>> {
    all().iter().filter(|lesson| lesson.entry.id == entry.id).cloned().collect()
}
