//! A series: the matches of the same players, one rematch after the other.

use crate::rules::Outcome;

/// How often each player has won, in the order of their present seats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Series {
    wins: Vec<u32>,
    draws: u32,
    played: u32,
}

impl Series {
    /// The series with one more match; a match that goes on (`None`) does not count.
    #[must_use]
    pub fn with(&self, outcome: Option<Outcome>, seats: u8) -> Series {
        let mut series = self.clone();
        series.wins.resize(seats.into(), 0);
        let Some(outcome) = outcome else { return series };
        series.played += 1;
        if outcome == Outcome::shared(seats) {
            series.draws += 1;
        } else {
            outcome.winners().for_each(|seat| series.wins[seat.index()] += 1);
        }
        series
    }

    /// The same series after everybody has moved on by one seat.
    #[must_use]
    pub fn moved_round(mut self) -> Series {
        self.wins.rotate_right(1);
        self
    }

    /// How often each seat has won, and how many matches were drawn, if there was more than one match.
    pub fn wins_and_draws(&self) -> Option<(Vec<u32>, u32)> {
        (self.played > 1).then(|| (self.wins.clone(), self.draws))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seat;

    #[test]
    fn a_win_stays_with_the_player_when_seats_are_swapped() {
        let wins = |seat| Some(Outcome::win(Seat::new(seat)));
        let series = Series::default().with(wins(0), 2);
        assert_eq!(series.wins_and_draws(), None);
        let series = series.moved_round().with(wins(0), 2);
        assert_eq!(series.wins_and_draws(), Some((vec![1, 1], 0)));
        let series = series.with(Some(Outcome::shared(2)), 2).with(None, 2);
        assert_eq!((series.wins.as_slice(), series.draws, series.played), (&[1, 1][..], 1, 3));
    }
}
