//! A series: the matches of the same players, one rematch after the other.

use super::open_match::MatchView;
use super::text;
use crate::board::Skin;
use crate::rules::{Outcome, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

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

    /// Whether it has more than one match.
    pub const fn is_long(&self) -> bool {
        self.played > 1
    }

    /// Draws it in one line: who has won how often, with names or, if they have no room, with marks.
    pub fn draw(&self, shown: MatchView<'_>, skin: Skin, area: Rect, buffer: &mut Buffer) {
        let by = |name: &dyn Fn(Seat) -> String| -> Vec<(Seat, String)> {
            let wins = shown.seats().zip(&self.wins);
            wins.map(|(seat, wins)| (seat, format!("{} {wins}", name(seat)))).collect()
        };
        let drawn = match self.draws {
            0 => String::new(),
            draws => format!("drawn {draws}"),
        };
        let label = "series";
        let width = |texts: &[(Seat, String)]| -> usize {
            let texts = texts.iter().map(|(_, text)| text::width(text) + 2);
            label.len() + texts.sum::<usize>() + 2 + drawn.len()
        };
        let mut texts = by(&|seat| shown.name(seat).to_owned());
        if width(&texts) > area.width.into() {
            texts = by(&|seat| shown.game.now().mark(seat).to_string());
        }
        let room = |x: u16| area.right().saturating_sub(x) as usize;
        let (mut x, y) = buffer.set_stringn(area.x, area.y, label, room(area.x), skin.dim());
        for (seat, text) in texts {
            (x, _) = text::put((x + 2, y), &text, room(x + 2), skin.seat(seat), skin, buffer);
        }
        text::put((x + 2, y), &drawn, room(x + 2), skin.dim(), skin, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_stays_with_the_player_when_seats_are_swapped() {
        let wins = |seat| Some(Outcome::win(Seat::new(seat)));
        let series = Series::default().with(wins(0), 2);
        assert!(!series.is_long());
        let series = series.moved_round().with(wins(0), 2);
        assert_eq!((series.wins.as_slice(), series.is_long()), (&[1, 1][..], true));
        let series = series.with(Some(Outcome::shared(2)), 2).with(None, 2);
        assert_eq!((series.wins.as_slice(), series.draws, series.played), (&[1, 1][..], 1, 3));
    }
}
