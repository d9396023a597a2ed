//! How a game ended.

use super::Seat;

/// The seats that won. Seats that are level share the win: a draw between two is a win of both. On a board
/// where no move can be made, nobody wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome(u8);

impl Outcome {
    /// Nobody has won.
    pub const NOBODY: Outcome = Outcome(0);

    /// The seat alone has won.
    pub const fn win(seat: Seat) -> Outcome {
        Outcome(1 << seat.index())
    }

    /// All of `seats` share the win.
    pub const fn shared(seats: u8) -> Outcome {
        Outcome(u8::MAX >> (8 - seats))
    }

    /// These seats share the win.
    pub fn of(winners: impl IntoIterator<Item = Seat>) -> Outcome {
        Outcome(winners.into_iter().fold(0, |mask, seat| mask | 1 << seat.index()))
    }

    /// The seats with the highest score.
    pub fn highest(scores: &[u32]) -> Outcome {
        let best = scores.iter().max();
        let winners = (0..).map(Seat::new).zip(scores).filter(|(_, score)| Some(*score) == best);
        Outcome::of(winners.map(|(seat, _)| seat))
    }

    /// Whether this seat has won, alone or with others.
    pub const fn has(self, seat: Seat) -> bool {
        self.0 & 1 << seat.index() != 0
    }

    /// The winning seats in order.
    pub fn winners(self) -> impl Iterator<Item = Seat> {
        (0..8).map(Seat::new).filter(move |&seat| self.has(seat))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_score_wins_and_equal_ones_share() {
        assert_eq!(Outcome::highest(&[3, 1]), Outcome::win(Seat::FIRST));
        assert_eq!(Outcome::highest(&[0, 0]), Outcome::shared(2));
        let shared: Vec<usize> = Outcome::highest(&[2, 5, 5]).winners().map(Seat::index).collect();
        assert_eq!(shared, [1, 2]);
        assert_eq!(Outcome::NOBODY.winners().count(), 0);
        assert_eq!(Outcome::shared(8).winners().count(), 8);
    }
}
