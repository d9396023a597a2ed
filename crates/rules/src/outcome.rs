//! The result of a finished game.

use super::Seat;

/// The maximum number of seats.
pub(super) const SEATS: u8 = 8;

/// The set of winning seats. Tied seats share the win: a two-player draw is a win for both. The set is empty if
/// nobody could ever move, as on a board of a single die in Quixo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome(u8);

impl Outcome {
    /// No winner.
    pub const NOBODY: Outcome = Outcome(0);

    /// Creates the outcome in which one seat wins.
    ///
    /// # Panics
    ///
    /// Panics if the seat's index is above 7.
    pub const fn win(seat: Seat) -> Outcome {
        assert!(seat.index() < SEATS as usize, "a table has at most 8 seats");
        Outcome(1 << seat.index())
    }

    /// Creates the outcome in which all `seats` seats share the win.
    ///
    /// # Panics
    ///
    /// Panics if `seats` is not from 1 to 8.
    pub const fn draw(seats: u8) -> Outcome {
        assert!(0 < seats && seats <= SEATS, "a table has 1 to 8 seats");
        Outcome(u8::MAX >> (SEATS - seats))
    }

    /// Creates the outcome in which these seats share the win.
    ///
    /// # Panics
    ///
    /// Panics if a seat's index is above 7.
    pub fn from_winners(winners: impl IntoIterator<Item = Seat>) -> Outcome {
        Outcome(winners.into_iter().fold(0, |mask, seat| mask | Outcome::win(seat).0))
    }

    /// Creates the outcome in which the seats with the highest score win.
    ///
    /// # Panics
    ///
    /// Panics if a winner's index is above 7.
    pub fn from_scores(scores: &[u32]) -> Outcome {
        let best = scores.iter().max();
        let winners = (0..).map(Seat::new).zip(scores).filter(|(_, score)| Some(*score) == best);
        Outcome::from_winners(winners.map(|(seat, _)| seat))
    }

    /// Returns whether this seat has won, alone or shared.
    pub const fn is_winner(self, seat: Seat) -> bool {
        seat.index() < SEATS as usize && self.0 & 1 << seat.index() != 0
    }

    /// Returns the winning seats in order.
    pub fn winners(self) -> impl Iterator<Item = Seat> {
        (0..SEATS).map(Seat::new).filter(move |&seat| self.is_winner(seat))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highest_score_wins_and_ties_share() {
        assert_eq!(Outcome::from_scores(&[3, 1]), Outcome::win(Seat::FIRST));
        assert_eq!(Outcome::from_scores(&[0, 0]), Outcome::draw(2));
        let shared: Vec<usize> =
            Outcome::from_scores(&[2, 5, 5]).winners().map(Seat::index).collect();
        assert_eq!(shared, [1, 2]);
        assert_eq!(Outcome::NOBODY.winners().count(), 0);
        assert_eq!(Outcome::draw(8).winners().count(), 8);
    }

    #[test]
    fn outcome_has_no_seat_out_of_range() {
        assert!(
            !Outcome::draw(8).is_winner(Seat::new(8))
                && !Outcome::win(Seat::FIRST).is_winner(Seat::new(64))
        );
    }

    #[test]
    #[should_panic(expected = "at most 8 seats")]
    fn from_scores_panics_on_a_ninth_seat() {
        let _ = Outcome::from_scores(&[0, 0, 0, 0, 0, 0, 0, 0, 1]);
    }
}
