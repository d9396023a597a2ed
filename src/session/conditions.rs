//! What a match has besides its game and its setup: players and a clock.

use super::{Player, TimeControl};

/// Who plays a match, and with which clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The players, the first seat first. A seat that is missing here has a person.
    pub players: Vec<Player>,
    /// The clock, if it is played with one.
    pub clock: Option<TimeControl>,
}

impl Conditions {
    /// Players by their names, as they are read from a file; see [`Player::named`].
    pub fn named(names: &[String]) -> Conditions {
        names.iter().map(|name| Player::named(name)).collect::<Vec<_>>().into()
    }

    /// The same with this clock, or with none.
    #[must_use]
    pub fn with_clock(self, clock: Option<TimeControl>) -> Conditions {
        Conditions { clock, ..self }
    }
}

impl From<Vec<Player>> for Conditions {
    fn from(players: Vec<Player>) -> Conditions {
        Conditions { players, clock: None }
    }
}
