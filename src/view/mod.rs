//! What screens show, as plain data: words and values, but no cells, colours or line breaks. [`tui`](crate::tui) draws it.

mod board;

pub use board::{
    BoardView, MoveList, PanelBody, Paragraph, ResultView, SeatTurn, SeatView, StatusLine,
    StatusRoom, Track, Typing, ValueGraph,
};
