//! What can be laid over a board, to help people to read it.

/// Notes about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// What stands on the board.
    pub on_board: Vec<Note>,
    /// The same in a few words a line, for the panel.
    pub brief: Vec<String>,
    /// The same in sentences, place by place, to be read aloud.
    pub sentences: Vec<String>,
}

/// A note on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Opposite corners of where it stands: the row and the column of a dot each.
    pub corners: [[u8; 2]; 2],
    /// A text of a few letters.
    pub text: String,
    /// Whether it is one that counts.
    pub counts: bool,
}
