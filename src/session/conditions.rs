//! What a match is played on, besides its game and how that is set up.

use super::Player;

/// Who plays a match, and on what terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// Who sits where, the first seat first. Seats that are missing here are people's.
    pub players: Vec<Player>,
}

impl Conditions {
    /// Players by their names, as they are read from a file; see [`Player::named`].
    pub fn named(names: &[String]) -> Conditions {
        Conditions { players: names.iter().map(|name| Player::named(name)).collect() }
    }
}

impl From<Vec<Player>> for Conditions {
    fn from(players: Vec<Player>) -> Conditions {
        Conditions { players }
    }
}
