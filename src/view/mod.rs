//! The content of a screen as plain data. A view knows nothing about cells, colors or line breaks, and a renderer
//! knows nothing about screens. Each renderer decides in one place what to drop if room is short.

mod announcement;
mod board;
mod cards;
mod chart;
mod form;
mod list;
mod tournament;

pub use announcement::{Announcement, Announcements, AskedQuestion};
pub use board::{
    BoardView, MoveEvent, MoveList, PanelBody, Paragraph, ResultView, SeatTurn, SeatView, Series,
    StatusLine, StatusRoom, Track, Typing, ValueGraph,
};
pub use cards::{CardEntry, CardView, CardsView};
pub use chart::{Chart, ChartView};
pub use form::{FieldValue, FormField, FormView, Preview, PreviewNote};
pub use list::{ColumnKind, ListCell, ListColumn, ListRow, ListView};
pub use tournament::{GameList, RunningGame, TournamentGame, TournamentPace, TournamentView};

use std::borrow::Cow;

#[allow(clippy::large_enum_variant, reason = "a view lives for one drawing")]
pub enum View<'a> {
    Board(BoardView<'a>),
    Cards(CardsView),
    Chart(ChartView<'a>),
    Form(FormView<'a>),
    List(ListView<'a>),
    Menu(MenuView<'a>),
    Reader(ReaderView<'a>),
    Tournament(TournamentView<'a>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    Strong,
    Dim,
    Key,
    Wrong,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase {
    pub text: String,
    pub tone: Tone,
}

impl Phrase {
    pub fn new(text: impl Into<String>, tone: Tone) -> Phrase {
        Phrase { text: text.into(), tone }
    }

    pub fn plain(text: impl Into<String>) -> Phrase {
        Phrase::new(text, Tone::Plain)
    }

    pub fn dim(text: impl Into<String>) -> Phrase {
        Phrase::new(text, Tone::Dim)
    }

    pub fn strong(text: impl Into<String>) -> Phrase {
        Phrase::new(text, Tone::Strong)
    }

    pub fn wrong(text: impl Into<String>) -> Phrase {
        Phrase::new(text, Tone::Wrong)
    }

    /// Returns the text to draw. Color is not the only indication of an error.
    pub fn marked(&self) -> Cow<'_, str> {
        match (self.tone, &*self.text) {
            (Tone::Wrong, "") => "!".into(),
            (Tone::Wrong, text) => format!("! {text}").into(),
            (_, text) => text.into(),
        }
    }
}

/// A text being typed, and the number of characters before the cursor.
#[derive(Clone, Copy, Debug)]
pub struct Typed<'a> {
    pub text: &'a str,
    pub cursor: usize,
}

/// A title, lines of text, and entries to choose from.
pub struct MenuView<'a> {
    pub title: &'a str,
    /// Paragraphs or short lines below the title.
    pub lines: &'a [String],
    pub entries: Vec<&'a str>,
    pub at: usize,
    /// Whether the title is a question that yes or no answers.
    pub is_question: bool,
    /// Whether the title and the lines are also shown if the menu is beside a board.
    pub has_title_beside: bool,
}

pub struct ReaderView<'a> {
    pub title: &'a str,
    /// The kind of text, such as `help`. It is dropped first if room is short.
    pub kind: &'a str,
    pub parts: &'a [ReaderPart],
    /// The first visible row, clamped to the length of the text.
    pub top: usize,
}

#[derive(Clone, Debug)]
pub enum ReaderPart {
    /// Paragraphs. A phrase in capitals at the start of a paragraph, up to a full stop, is its heading.
    Text(String),
    Keys(Vec<(String, &'static str)>),
}
