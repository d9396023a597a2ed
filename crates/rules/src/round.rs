//! The rounds of a match.

use super::Seat;

/// A round of a game in which the offense changes from round to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    /// The number of the round, from 0; after the last round, the number of rounds.
    pub number: u32,
    /// The player who scores in this round.
    pub offense: Seat,
}
