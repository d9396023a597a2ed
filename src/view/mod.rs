//! What a screen shows, as plain data: its words, and what stands with them. A view knows no cells, colours or line
//! breaks, and a renderer knows no screen. Each renderer decides in one place what to drop where room is short.

mod board;
mod cards;
mod chart;
mod form;
mod list;
mod tournament;

pub use board::{
    BoardView, MessageLog, MoveEvent, MoveList, MovesWorth, PanelBody, Paragraph, ResultView,
    SeatTurn, SeatView, Series, StatusLine, StatusRoom, Track, Typing, ValueGraph,
};
pub use cards::{CardEntry, CardView, CardsView};
pub use chart::{Chart, ChartView};
pub use form::{FieldValue, FormField, FormView, Preview};
pub use list::{ColumnWidth, ListCell, ListColumn, ListRow, ListView};
pub use tournament::{GameList, RunningGame, TournamentGame, TournamentPace, TournamentView};

/// What a screen shows.
#[allow(clippy::large_enum_variant, reason = "a view lives for one drawing")]
pub enum View<'a> {
    Board(BoardView<'a>),
    Cards(CardsView<'a>),
    Chart(ChartView<'a>),
    Form(FormView<'a>),
    List(ListView<'a>),
    Menu(MenuView<'a>),
    Reader(ReaderView<'a>),
    Tournament(TournamentView<'a>),
}

/// How a text stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    Strong,
    Dim,
    /// The name of a key.
    Key,
    Wrong,
}

/// A text in one tone.
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

    /// Something that went wrong. Colour is not the only sign.
    pub fn wrong(text: &str) -> Phrase {
        Phrase::new(format!("! {text}"), Tone::Wrong)
    }
}

/// A text being typed, and how many of its characters are before the cursor.
#[derive(Clone, Copy, Debug)]
pub struct Typed<'a> {
    pub text: &'a str,
    pub cursor: usize,
}

/// A title, some lines, and entries to choose from.
pub struct MenuView<'a> {
    pub title: &'a str,
    /// What stands below the title: paragraphs, or short lines.
    pub lines: &'a [String],
    pub entries: Vec<&'a str>,
    pub at: usize,
    /// Whether the title and the lines are shown where the menu stands beside a board, too.
    pub has_title_beside: bool,
}

/// A text to read.
pub struct ReaderView<'a> {
    pub title: &'a str,
    /// What kind of text it is, such as `help`. It is dropped first.
    pub kind: &'a str,
    pub parts: &'a [ReaderPart],
    /// The first row in sight, as far as the text is long enough.
    pub top: usize,
}

/// A part of a text to read.
#[derive(Clone, Debug)]
pub enum ReaderPart {
    /// Paragraphs. Phrase in capitals at the start of one, up to a full stop, are its heading.
    Text(String),
    /// Keys and what they do.
    Keys(Vec<(String, &'static str)>),
}
