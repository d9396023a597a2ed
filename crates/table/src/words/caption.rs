//! Texts for the panel beside a board.

use quadrille_rules::Seat;
use quadrille_text::wording::counted;

/// A short description of a position for a panel of about thirty columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// The kind of board, as in `5 x 5 dots`.
    pub board: String,
    /// The progress of the match, as in `16 boxes, 23 lines left`.
    pub progress: String,
    /// The unit of the score, in singular and plural; `None` in a game without scores.
    pub unit: Option<[&'static str; 2]>,
    /// For each seat, the words after its score, or its role, such as `boxes`, `3 dice` or `defense`.
    pub seats: Vec<String>,
    /// The seat that scores at the end of this round, and its points so far; `None` if points are scored at once.
    pub so_far: Option<(Seat, u32)>,
    /// The total length of the bar beside the board, which is divided by the scores and the points so far; `None`
    /// without a bar.
    pub bar: Option<u32>,
}

impl Caption {
    /// Returns the notes of a seat, longest first: `offense, +3 so far`, `+3 so far`, `+3`.
    pub fn seat_notes(&self, seat: Seat) -> Vec<String> {
        let note = self.seats.get(seat.index());
        let Some(gain) = self.gain(seat) else { return note.cloned().into_iter().collect() };
        let long = note.map(|note| format!("{note}, +{gain} so far"));
        long.into_iter().chain([format!("+{gain} so far"), format!("+{gain}")]).collect()
    }

    /// Returns a seat's points so far in this round; `None` unless the seat scores at the end of the round.
    pub fn gain(&self, seat: Seat) -> Option<u32> {
        self.so_far.filter(|(scorer, _)| *scorer == seat).map(|(_, points)| points)
    }
}

/// Formats a count with its noun, as in `1 box` or `2 boxes`.
pub fn count(number: usize, [one, many]: [&str; 2]) -> String {
    counted(number, one, many)
}

/// Returns the singular or the plural, depending on the number.
pub const fn word(number: usize, [one, many]: [&str; 2]) -> &str {
    if number == 1 { one } else { many }
}
