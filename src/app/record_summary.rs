//! A finished match in a line, as the library lists it and as results are counted.

use crate::catalogue;
use crate::rules::Seat;
use crate::session::Termination;
use crate::view::ListCell;
use std::cmp::Ordering;

/// What the screens know about the record of a finished match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSummary {
    /// The name of the record, which tasks use.
    pub id: String,
    /// The id of the game.
    pub game: String,
    /// The names at the seats, in order; empty where not known.
    pub names: Vec<String>,
    /// The result, `3-1` or `1/2-1/2`. If the match did not end by its rules, it says how it ended:
    /// `1/2-1/2, agreed`, `0-1, resigned`.
    pub result: String,
    /// How it ended, if not by the rules.
    pub termination: Option<Termination>,
    /// The date, `2026-11-20`; later dates are greater as text.
    pub date: String,
    /// The number of moves.
    pub plies: usize,
}

impl RecordSummary {
    pub(super) fn game_name(&self) -> &str {
        catalogue::find(&self.game).map_or(&self.game, |game| game.name)
    }

    fn shown_names(&self) -> Vec<&str> {
        self.names.iter().map(|name| if name.is_empty() { "?" } else { name }).collect()
    }

    pub(super) fn all_names(&self) -> String {
        self.shown_names().join(" - ")
    }

    /// Whether the first of two players did better than the second; `None` if the result does not say.
    pub(super) fn comparison(&self) -> Option<Ordering> {
        compare(&self.result, self.termination.as_ref())
    }

    /// The names, and who has won.
    pub(super) fn names_cell(&self) -> ListCell {
        let names = self.shown_names().into_iter().map(str::to_owned).collect();
        let winner = match self.comparison().filter(|_| self.names.len() == 2) {
            Some(Ordering::Greater) => Some(0),
            Some(Ordering::Less) => Some(1),
            _ => None,
        };
        ListCell::Names(names, winner)
    }

    /// Whether each of these words, in lower case, is in one of the columns.
    pub(super) fn has(&self, words: &[String]) -> bool {
        if words.is_empty() {
            return true;
        }
        let RecordSummary { id, result, date, plies, .. } = self;
        let (game, names) = (self.game_name(), self.all_names());
        let text = format!("{game}\n{names}\n{result}\n{date}\n{plies}\n{id}").to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}
/// Parses the result of one seat, `3` or `1/2`, as a fraction.
fn share(text: &str) -> Option<(u32, u32)> {
    let (part, of) = text.split_once('/').unwrap_or((text, "1"));
    Some((part.parse().ok()?, of.parse().ok()?))
}

/// Whether the first of two did better than the second, by the result of their match. `None` if the result
/// does not say.
fn compare(result: &str, how: Option<&Termination>) -> Option<Ordering> {
    let scores = result.split(',').next().unwrap_or_default();
    let (first, second) = scores.split_once('-')?;
    let ((a, of_a), (b, of_b)) = (share(first)?, share(second)?);
    let by_score = (u64::from(a) * u64::from(of_b)).cmp(&(u64::from(b) * u64::from(of_a)));
    Some(match how.map(Termination::loser) {
        None => by_score,
        Some(None) => Ordering::Equal,
        Some(Some(Seat::FIRST)) => Ordering::Less,
        Some(Some(_)) => Ordering::Greater,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_tells_who_did_better() {
        for (result, better) in [
            ("3-1", Some(Ordering::Greater)),
            ("9-10", Some(Ordering::Less)),
            ("0-1", Some(Ordering::Less)),
            ("2-2", Some(Ordering::Equal)),
            ("1/2-1/2", Some(Ordering::Equal)),
            ("3-1, more", Some(Ordering::Greater)),
            ("*", None),
            ("", None),
            ("1-", None),
            ("1-2-3", None),
        ] {
            assert_eq!(compare(result, None), better, "{result}");
        }
        for (how, better) in [
            ("agreed", Ordering::Equal),
            ("repetition", Ordering::Equal),
            ("resigned: 1", Ordering::Less),
            ("time: 2", Ordering::Greater),
        ] {
            let how = Termination::parse(how);
            assert_eq!(compare("3-1", how.as_ref()), Some(better), "{how:?}");
        }
    }
}
