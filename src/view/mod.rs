//! What screens show, as plain data: words and values, but no cells, colours or line breaks. [`tui`](crate::tui) draws it.

mod board;

pub use board::{
    BoardView, Body, Course, MatchResult, MoveList, Paragraph, SeatView, StatusLine, StatusRoom,
    Track, Turn, Typing,
};
