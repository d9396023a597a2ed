//! The conditions of a match apart from its game and setup: players and clock.

use super::{Player, TimeControl};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The players in seat order. Each missing seat is played by a person.
    pub players: Vec<Player>,
    pub clock: Option<TimeControl>,
}

impl Conditions {
    /// Creates players from names read from a file; see [`Player::named`].
    pub fn named(names: &[String]) -> Conditions {
        names.iter().map(|name| Player::named(name)).collect::<Vec<_>>().into()
    }

    /// Returns why these players cannot have days per move, if so. A match with days sleeps between the moves, and
    /// when a player wakes it, the host may not be there to permit a program.
    pub fn check_days(players: &[Player]) -> Result<(), &'static str> {
        if !players.iter().any(Player::is_guest) {
            return Err("days per move need a guest");
        }
        if players.iter().any(|player| player.program().is_some()) {
            return Err("programs cannot play with days per move");
        }
        Ok(())
    }

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
