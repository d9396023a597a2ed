//! What the panel beside a board says about a position.

use crate::rules::Seat;
use crate::wording::counted;

/// A position in a few words, for a panel of some thirty columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// What is played on: `5 x 5 dots`.
    pub board: String,
    /// What is still to play, or how far the match has come: `16 boxes, 23 lines left`.
    pub progress: String,
    /// The unit of the score, in singular and plural; `None` if the game keeps no score.
    pub unit: Option<[&'static str; 2]>,
    /// For each seat, the words behind its score, or what it has or does: `boxes`, `3 dice`, `defense`.
    pub seats: Vec<String>,
    /// The seat that scores at the end of this round, and its points so far; `None` where points count at once.
    pub so_far: Option<(Seat, u32)>,
    /// The total of which the bar beside the board shows the scores as shares, with the points so far; `None` without a
    /// bar.
    pub bar: Option<u32>,
}

impl Caption {
    /// The words for a seat in their forms, the longest first: `offense, +3 so far`, `+3 so far`, `+3`.
    pub fn seat_notes(&self, seat: Seat) -> Vec<String> {
        let note = self.seats.get(seat.index());
        let Some(gain) = self.gain(seat) else { return note.cloned().into_iter().collect() };
        let long = note.map(|note| format!("{note}, +{gain} so far"));
        long.into_iter().chain([format!("+{gain} so far"), format!("+{gain}")]).collect()
    }

    /// The points so far of a seat that scores at the end of this round.
    pub fn gain(&self, seat: Seat) -> Option<u32> {
        self.so_far.filter(|(scorer, _)| *scorer == seat).map(|(_, points)| points)
    }
}

/// A number and what it counts, in singular or plural: `1 box`, `2 boxes`.
pub fn count(number: usize, [one, many]: [&str; 2]) -> String {
    counted(number, one, many)
}

/// The singular or the plural, as the number asks for.
pub const fn word(number: usize, [one, many]: [&str; 2]) -> &str {
    if number == 1 { one } else { many }
}
