//! Notes on a board that help to read it.

/// Notes about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    pub on_board: Vec<Note>,
    /// As short lines for the panel.
    pub brief: Vec<String>,
    /// As sentences to be read aloud, place by place.
    pub sentences: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Opposite corners of its place, each the row and column of a dot.
    pub corners: [[u8; 2]; 2],
    /// A text of a few letters.
    pub text: String,
    /// Whether it is important.
    pub counts: bool,
}
