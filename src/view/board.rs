//! A board and the panel beside it.

use super::{Announcements, AskedQuestion};
use crate::action::Action;
use quadrille_match::session::PlayerNames;
use quadrille_puzzles::TryMark;
use quadrille_rules::Seat;
use quadrille_scene::{Lettering, Role, Scene};
use quadrille_search::RatedMove;
use quadrille_table::words::{Caption, InWords};
use std::rc::Rc;

/// A match on its board, either in progress or only viewed.
pub struct BoardView<'a> {
    /// The board: its position, cursor and labels.
    pub scene: Rc<Scene>,
    /// Changes when the screen shows another board. Only changes of the same board are animated.
    pub board_number: usize,
    pub lettering: Lettering,
    /// The texts that describe the match.
    pub words: InWords<'a>,
    pub names: PlayerNames,
    /// The moves with their values, best first; `None` unless values are enabled.
    pub values: Option<&'a [RatedMove<String>]>,
    pub caption: Caption,
    /// A number that changes when the screen begins another match, puzzle or step of a lesson.
    pub page: u64,
    pub title: String,
    /// Several forms of the board's description, including the seed of a random layout, longest first.
    pub subtitle: Vec<String>,
    pub seats: Vec<SeatView>,
    pub last_move: Option<(Seat, String)>,
    /// The last move and whose turn it is, which replaces an idle status line.
    pub event: Option<MoveEvent>,
    /// Whether this is a replay, which has no player to move.
    pub is_replay: bool,
    /// The action for a click on the board; `None` if the board itself handles clicks.
    pub click: Option<Action>,
    /// The verdict on the last move, most important sentence first.
    pub verdict: Vec<(String, Role)>,
    pub body: PanelBody<'a>,
    pub course: Option<ValueGraph>,
    pub typing: Option<Typing<'a>>,
    pub announcements: &'a Announcements,
    /// The open questions to people at this terminal, oldest first.
    pub questions: Vec<AskedQuestion>,
    /// What the screen waits for, other than a move.
    pub waits_for: Option<String>,
    pub status: StatusLine,
    /// The status line to use without a panel, if different.
    pub bare_status: Option<StatusLine>,
    /// The result, which replaces the panel below a menu.
    pub result: Option<ResultView>,
    pub series: Option<Series>,
    /// The result of a puzzle or a rush as a line to share. It must not be changed.
    pub share: Option<String>,
}

/// The score between these players since the program started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    pub wins: Vec<u32>,
    pub draws: u32,
}

/// The effect of a move and whose turn it is, in words.
pub struct MoveEvent {
    pub seat: Seat,
    pub mark: char,
    /// Several forms, longest first.
    pub forms: Vec<String>,
}

pub struct SeatView {
    pub seat: Seat,
    pub mark: char,
    pub name: String,
    /// Whether the screen addresses this player as `You`.
    pub is_you: bool,
    pub score: Option<u32>,
    pub clock: Option<String>,
    pub turn: SeatTurn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatTurn {
    No,
    ToMove,
    /// Next to move, but not being asked for a move now.
    Next,
    Wins,
    SharesWin,
}

pub enum PanelBody<'a> {
    /// Texts, which may use the space of the progress list.
    Texts(Vec<Paragraph>),
    /// A lesson, which is shown beside the board if there is no panel.
    Lesson(Vec<Paragraph>),
    Moves {
        /// Lines about engines or the table. `None` reserves no space.
        messages: Option<(&'static str, Vec<String>)>,
        notes: Vec<String>,
        list: MoveList<'a>,
    },
}

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

pub struct MoveList<'a> {
    pub moves: &'a [(Seat, String)],
    /// The mark of each move, such as `?`; empty without a review.
    pub marks: Vec<&'static str>,
    /// The number of moves before the shown position, for a viewed match whose moves can be clicked.
    pub ply: Option<usize>,
}

/// The value of each position for the first of two seats, where known.
pub struct ValueGraph {
    pub values: Vec<Option<f32>>,
    /// The plies that immediately follow a mistake.
    pub mistakes: Vec<usize>,
    pub ply: usize,
    pub is_done: bool,
}

pub struct Typing<'a> {
    pub text: &'a str,
    /// The number of characters before the cursor.
    pub cursor: usize,
    pub remark: Option<(&'a str, Role)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusLine {
    /// The progress of a replay, shown before the text.
    pub track: Option<Track>,
    pub text: String,
    /// Shorter forms of the text, longest first.
    pub shorter: Vec<String>,
    pub role: Role,
    pub room: StatusRoom,
    /// Whether the text only shows the turn or the cell under the cursor.
    pub is_idle: bool,
    /// Additional texts, shown if they fit, each in several forms, longest first.
    pub more: Vec<Vec<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusRoom {
    Free,
    /// Covers part of the board until the next key press.
    OverBoard,
    /// Uses rows that the board leaves free.
    FromBoard,
    /// Covers as much of the board as the text needs, because it is to be selected as a whole.
    Whole,
}

/// The progress of a replay, such as `move 7 of 12`.
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

    /// Creates a text that only shows the turn or the cell under the cursor.
    pub fn idle(text: impl Into<String>) -> StatusLine {
        StatusLine { is_idle: true, ..StatusLine::new(text, Role::Text) }
    }

    /// Creates a message that the next key press dismisses.
    pub fn brief(text: impl Into<String>, role: Role) -> StatusLine {
        StatusLine { room: StatusRoom::OverBoard, ..StatusLine::new(text, role) }
    }
}

pub struct ResultView {
    /// The winner; `None` unless there is exactly one.
    pub winner: Option<Seat>,
    pub headline: String,
    pub how: Option<String>,
    /// A number to show in large digits instead of the score.
    pub number: Option<u32>,
    /// A mark for each answer; empty for a match.
    pub answers: Vec<TryMark>,
}

impl ResultView {
    /// Returns whether this is the result of a puzzle or a puzzle rush rather than a match.
    pub fn is_of_puzzles(&self) -> bool {
        self.number.is_some() || !self.answers.is_empty()
    }
}
