//! The unusable part of a journal and its description.

use crate::session::BadMove;
use std::fmt;

/// The unusable part of a journal: the given line and all lines after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct Damage {
    /// The line number, counted from 1.
    pub line: usize,
    /// The number of lines after that line.
    pub after: usize,
    pub kind: DamageKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum DamageKind {
    /// The file ends before the line is complete.
    CutOff,
    Rubbish,
    /// The line is intact, but the game refuses the move.
    Refused(Box<BadMove>),
}

impl Damage {
    /// Describes the damage and its place.
    pub fn place(&self) -> String {
        let line = self.line;
        match &self.kind {
            DamageKind::CutOff => format!("line {line} is cut off"),
            DamageKind::Rubbish => format!("line {line} is damaged"),
            DamageKind::Refused(bad) => format!("line {line}: {bad}"),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place();
        match self.after {
            0 => write!(f, "{place}. This line is lost; everything before it is kept"),
            1 => write!(f, "{place}. This line and the next are lost; everything before is kept"),
            n => {
                write!(f, "{place}. This line and the next {n} are lost; everything before is kept")
            }
        }
    }
}
