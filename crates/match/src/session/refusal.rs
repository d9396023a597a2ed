use quadrille_rules::{ParseMoveError, Position};
use std::error::Error;
use std::fmt;

/// The reason for refusing an action. A move is refused if it is not a move of this game or is illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    reason: String,
    source_term: Option<&'static str>,
    is_no_move: bool,
}

impl Refusal {
    pub fn new(reason: impl fmt::Display) -> Refusal {
        Refusal { reason: reason.to_string(), source_term: None, is_no_move: false }
    }

    pub(super) fn illegal<G: Position>(illegal: G::IllegalMove) -> Refusal {
        Refusal { source_term: G::source_term(&illegal), ..Refusal::new(illegal) }
    }

    /// Returns the term for this reason in the source of the rules, if it has one.
    pub fn source_term(&self) -> Option<&'static str> {
        self.source_term
    }

    /// Returns whether the text is not a move at all, in which case an example helps.
    pub fn is_no_move(&self) -> bool {
        self.is_no_move
    }
}

/// Refuses a text that is not a move of this game.
impl From<ParseMoveError> for Refusal {
    fn from(error: ParseMoveError) -> Refusal {
        Refusal { source_term: error.source_term(), is_no_move: true, ..Refusal::new(error) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl Error for Refusal {}
