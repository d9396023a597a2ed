//! Ends of a match that do not come from its rules.

use super::Forfeit;
use quadrille_rules::{Outcome, Seat};
use quadrille_text::printable::in_a_line;
use std::fmt;

/// How a match ended, if its rules did not end it.
///
/// [`Display`](fmt::Display) gives the value of a record's `Termination` tag: `agreed`, `resigned: 2`, `time: 2`,
/// `forfeit: 2: no answer`, `repetition`, `limit`. Seats are numbered from 1 in this text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// All players agreed to a draw.
    Agreed,
    Resigned(Seat),
    Time(Seat),
    /// The program at this seat broke the rules or did not answer.
    Forfeit(Seat, Forfeit),
    /// A draw: all players are engines, and a position occurred for the third time.
    Repetition,
    /// A draw: the match reached the maximum number of moves.
    Limit,
}

impl Termination {
    /// Parses a termination in the current form or that of version 1; `None` for any other text.
    pub fn parse(text: &str) -> Option<Termination> {
        let seat = |number: &str| {
            let number = number.parse().ok().filter(|number: &u8| (1..=8).contains(number))?;
            Some(Seat::new(number - 1))
        };
        match text.split_once(": ") {
            None => match text {
                "agreed" | "agreed draw" => Some(Termination::Agreed),
                "repetition" => Some(Termination::Repetition),
                "limit" => Some(Termination::Limit),
                _ => None,
            },
            Some(("resigned", number)) => seat(number).map(Termination::Resigned),
            Some(("time", number)) => seat(number).map(Termination::Time),
            Some(("forfeit", rest)) => {
                let (number, reason) = rest.split_once(": ")?;
                Some(Termination::Forfeit(seat(number)?, Forfeit::parse(reason)))
            }
            Some(_) => None,
        }
    }

    /// Returns the seat that lost in this way, if any.
    pub const fn loser(&self) -> Option<Seat> {
        match self {
            Termination::Resigned(seat)
            | Termination::Time(seat)
            | Termination::Forfeit(seat, _) => Some(*seat),
            Termination::Agreed | Termination::Repetition | Termination::Limit => None,
        }
    }

    /// Returns whether going to a different position cancels this end. Losses on time and forfeits are final.
    pub const fn can_be_taken_back(&self) -> bool {
        !matches!(self, Termination::Time(_) | Termination::Forfeit(..))
    }

    /// Reduces the forfeit's reason to a single line.
    #[must_use]
    pub fn in_a_line(self) -> Termination {
        match self {
            Termination::Forfeit(seat, reason) => {
                Termination::Forfeit(seat, Forfeit::parse(&in_a_line(&reason.to_string())))
            }
            how => how,
        }
    }

    /// Describes the end as a sentence fragment.
    pub fn in_words(&self) -> String {
        match self {
            Termination::Agreed => "drawn by agreement".to_owned(),
            Termination::Resigned(seat) => format!("seat {seat} resigned"),
            Termination::Time(seat) => format!("seat {seat} ran out of time"),
            Termination::Forfeit(seat, reason) => format!("seat {seat} forfeited: {reason}"),
            Termination::Repetition => "drawn by repetition".to_owned(),
            Termination::Limit => "drawn by the limit of moves".to_owned(),
        }
    }

    /// Returns the outcome at a table with this many seats. If one seat lost, the best of the remaining seats win; in a
    /// game without scores, all of them win.
    pub fn outcome(&self, seats: u8, scores: Option<&[u32]>) -> Outcome {
        let Some(loser) = self.loser() else { return Outcome::draw(seats) };
        let score = |seat: Seat| scores.and_then(|scores| scores.get(seat.index()).copied());
        let others = || (0..seats).map(Seat::new).filter(|&seat| seat != loser);
        let best = others().map(score).max().flatten();
        Outcome::from_winners(others().filter(|&seat| score(seat) == best))
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Agreed => f.write_str("agreed"),
            Termination::Resigned(seat) => write!(f, "resigned: {seat}"),
            Termination::Time(seat) => write!(f, "time: {seat}"),
            Termination::Forfeit(seat, reason) => write!(f, "forfeit: {seat}: {reason}"),
            Termination::Repetition => f.write_str("repetition"),
            Termination::Limit => f.write_str("limit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in [
            "agreed",
            "resigned: 2",
            "time: 1",
            "forfeit: 2: illegal move \"H9,9\"",
            "forfeit: 8: exited with 1: so it said",
            "repetition",
            "limit",
        ] {
            assert_eq!(Termination::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Termination::parse("agreed draw"), Some(Termination::Agreed));
        for text in
            ["", "lights out", "resigned", "resigned: 0", "resigned: 9", "forfeit: 2", "time:1"]
        {
            assert_eq!(Termination::parse(text), None, "{text}");
        }
    }

    #[test]
    fn termination_gives_the_win_to_the_best_other_seats() {
        let resigned = Termination::Resigned(Seat::FIRST);
        let seats = |outcome: Outcome| outcome.winners().map(Seat::index).collect::<Vec<_>>();
        assert_eq!(seats(resigned.outcome(2, Some(&[9, 0]))), [1]);
        assert_eq!(seats(resigned.outcome(2, None)), [1]);
        assert_eq!(seats(resigned.outcome(4, Some(&[9, 3, 1, 3]))), [1, 3]);
        assert_eq!(seats(resigned.outcome(3, None)), [1, 2]);
        assert_eq!(seats(Termination::Agreed.outcome(3, Some(&[9, 3, 1]))), [0, 1, 2]);
    }
}
