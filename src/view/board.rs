//! A board, and what stands beside it.

use crate::action::Action;
use crate::board::AnyBoard;
use crate::rules::Seat;
use crate::scene::Role;
use crate::session::Players;
use crate::words::{Caption, InWords};
use std::collections::VecDeque;

/// A match on its board, played or only looked at.
pub struct BoardView<'a> {
    /// Draws itself.
    pub board: &'a dyn AnyBoard,
    /// The match in words, and who plays it.
    pub words: InWords<'a>,
    pub players: &'a Players,
    /// The solver's seat in a lesson or a puzzle; the players have the names of their seats there.
    pub you: Option<Seat>,
    /// What the moves are worth, the best first, with the moves that are worth it; empty while that is not wanted.
    pub worth: Option<Box<dyn Fn() -> Vec<MovesWorth> + 'a>>,
    pub caption: Caption,
    pub title: String,
    /// What is played on, with the seed of a random layout.
    /// In its forms, the longest first.
    pub subtitle: Vec<String>,
    pub seats: Vec<SeatView>,
    pub last_move: Option<(Seat, String)>,
    /// What the last move did. An idle status line gives way to it.
    pub event: Option<MoveEvent>,
    /// Whether it is only looked at. Then nobody is to move.
    pub is_replay: bool,
    /// What clicking the board does, if that is not a click on the board.
    pub click: Option<Action>,
    /// What is said of the move that led here, the most important sentence first.
    pub verdict: Vec<(String, Role)>,
    pub body: PanelBody<'a>,
    /// What was worth what in the match so far.
    pub course: Option<ValueGraph>,
    pub typing: Option<Typing<'a>>,
    /// All messages so far.
    pub messages: &'a MessageLog,
    /// Whether the status line shows the last message.
    pub shows_message: bool,
    pub status: StatusLine,
    /// The status line where there is no panel, if it says something else there.
    pub bare_status: Option<StatusLine>,
    /// How the match ended. It shows in place of the panel below a menu.
    pub result: Option<ResultView>,
    /// The series of these players, if they have played before.
    pub series: Option<Series>,
}

/// The matches of the same players in this run of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The wins of the player at each seat.
    pub wins: Vec<u32>,
    pub draws: u32,
}

/// What a move did, in words.
pub struct MoveEvent {
    pub seat: Seat,
    pub mark: char,
    /// The sentence in its forms, the longest first.
    pub forms: Vec<String>,
}

/// What moves are worth in words, and the moves.
pub type MovesWorth = (String, Vec<String>);

/// A seat of a match.
pub struct SeatView {
    pub seat: Seat,
    pub mark: char,
    pub name: String,
    pub score: Option<u32>,
    pub clock: Option<String>,
    pub turn: SeatTurn,
}

/// What a seat does, or how it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatTurn {
    No,
    ToMove,
    /// It is to move next, but nobody is asked for that move now.
    Next,
    Wins,
    SharesWin,
}

/// What fills the panel below the seats.
pub enum PanelBody<'a> {
    /// Texts. They may take the room of what is said about the progress.
    Texts(Vec<Paragraph>),
    /// A lesson. Where there is no panel, it stands beside the board.
    Lesson(Vec<Paragraph>),
    Moves {
        /// What engines or the table say. `None` keeps no room for that.
        said: Option<(&'static str, Vec<String>)>,
        /// What the notes over the board say.
        notes: Vec<String>,
        list: MoveList<'a>,
    },
}

/// A text with a heading, which may be empty.
pub struct Paragraph {
    pub heading: String,
    pub text: String,
    pub role: Role,
}

impl Paragraph {
    pub fn new(heading: impl Into<String>, text: impl Into<String>) -> Paragraph {
        Paragraph { heading: heading.into(), text: text.into(), role: Role::Text }
    }
}

/// The moves of a match.
pub struct MoveList<'a> {
    pub moves: &'a [(Seat, String)],
    /// What stands behind each move, such as `?`; empty without a review.
    pub marks: Vec<&'static str>,
    /// How many moves led to the shown position, in a match that is looked at. Each move can be clicked there.
    pub ply: Option<usize>,
}

/// What each position of a match was worth to the first of two seats, as far as that is known.
pub struct ValueGraph {
    pub values: Vec<Option<f32>>,
    /// The plies right after a mistake.
    pub mistakes: Vec<usize>,
    pub ply: usize,
    /// Whether the review is done.
    pub is_done: bool,
}

/// A text being typed in the status line.
pub struct Typing<'a> {
    pub text: &'a str,
    /// How many characters stand before the cursor.
    pub cursor: usize,
    /// Why it was refused.
    pub refusal: Option<&'a str>,
}

/// The messages of a board. The status line shows only the last one, so a front end in text would miss the others.
#[derive(Clone, Debug, Default)]
pub struct MessageLog {
    /// The number of messages so far.
    count: usize,
    last: VecDeque<String>,
}

impl MessageLog {
    /// The number of messages that are kept.
    const CAPACITY: usize = 100;

    pub fn add(&mut self, message: &str) {
        if self.last.len() == Self::CAPACITY {
            self.last.pop_front();
        }
        self.last.push_back(message.to_owned());
        self.count += 1;
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the messages after the first `count`, as far as they are kept.
    pub fn after(&self, count: usize) -> impl Iterator<Item = &str> {
        let new = self.count.saturating_sub(count).min(self.last.len());
        self.last.range(self.last.len() - new..).map(String::as_str)
    }
}

/// The text of the status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusLine {
    /// How far a replay has come; it stands before the text.
    pub track: Option<Track>,
    pub text: String,
    /// What to say instead where that is too long, the longest first.
    pub shorter: Vec<String>,
    pub role: Role,
    pub room: StatusRoom,
    /// Whether it only announces the turn or the place under the cursor.
    pub is_idle: bool,
    /// What else is said as far as there is room, each in its forms, the longest first.
    pub more: Vec<Vec<String>>,
}

/// What a long status line may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusRoom {
    Free,
    /// A part of the board, until the next key.
    OverBoard,
    /// Rows that the board leaves free for it.
    FromBoard,
}

/// How far a replay has come: `move 7 of 12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    pub text: String,
    pub ply: usize,
    pub plies: usize,
}

impl StatusLine {
    pub fn new(text: impl Into<String>, role: Role) -> StatusLine {
        StatusLine {
            track: None,
            text: text.into(),
            shorter: Vec::new(),
            role,
            room: StatusRoom::Free,
            is_idle: false,
            more: Vec::new(),
        }
    }

    /// A text that only announces the turn or the place under the cursor.
    pub fn idle(text: impl Into<String>) -> StatusLine {
        StatusLine { is_idle: true, ..StatusLine::new(text, Role::Text) }
    }

    /// A text that the next key takes away.
    pub fn brief(text: impl Into<String>, role: Role) -> StatusLine {
        StatusLine { room: StatusRoom::OverBoard, ..StatusLine::new(text, role) }
    }
}

/// How a match ended.
pub struct ResultView {
    /// Its winner, if there is just one.
    pub winner: Option<Seat>,
    pub headline: String,
    pub how: Option<String>,
    /// A number to show in large digits instead of the score.
    pub number: Option<u32>,
    /// Right and wrong answers, a mark each; empty after a match.
    pub answers: Vec<bool>,
}

impl ResultView {
    /// Whether it is the result of a puzzle or a rush, and not of a match.
    pub fn is_of_puzzles(&self) -> bool {
        self.number.is_some() || !self.answers.is_empty()
    }
}
