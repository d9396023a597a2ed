use std::error::Error;
use std::fmt;

/// The reason for refusing an action. A move is refused if it is not a move of this game or is illegal.
///
/// `{}` formats the reason in the terms of the rules' source, and `{:#}` in plain English, for the screens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    reason: String,
    plain: String,
    is_no_move: bool,
}

impl Refusal {
    pub fn new(reason: impl fmt::Display) -> Refusal {
        let (reason, plain) = (reason.to_string(), format!("{reason:#}"));
        Refusal { reason, plain, is_no_move: false }
    }

    /// Refuses a text that is not a move of this game.
    pub fn no_move(reason: impl fmt::Display) -> Refusal {
        Refusal { is_no_move: true, ..Refusal::new(reason) }
    }

    /// Returns whether the text is not a move at all, in which case an example helps.
    pub fn is_no_move(&self) -> bool {
        self.is_no_move
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if f.alternate() { &self.plain } else { &self.reason })
    }
}

impl Error for Refusal {}
