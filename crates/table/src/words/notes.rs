//! Notes on a board that help to read the position.

/// Notes about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    pub on_board: Vec<Note>,
    /// The notes as short lines for the panel.
    pub brief: Vec<String>,
    /// The notes as sentences for screen readers, place by place.
    pub sentences: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Two opposite corners of the note's place, each as the row and column of a dot.
    pub corners: [[u8; 2]; 2],
    /// A text of a few letters.
    pub text: String,
    /// Whether the note is important.
    pub counts: bool,
}
