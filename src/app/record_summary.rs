//! The summary of a finished match, for the library and for counting results.

use crate::view::ListCell;
use quadrille_match::session::Termination;
use quadrille_rules::Seat;
use quadrille_table::catalogue;
use std::cmp::Ordering;

/// The facts about a finished match that screens need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSummary {
    pub id: String,
    pub game: String,
    /// The players' names by seat; empty if unknown.
    pub names: Vec<String>,
    /// The result, such as `3-1` or `1/2-1/2`, followed by the ending if the match did not end by the rules:
    /// `1/2-1/2, agreed`, `0-1, resigned`.
    pub result: String,
    /// How the match ended; `None` if it ended by the rules.
    pub termination: Option<Termination>,
    /// The date, such as `2026-11-20`. Its alphabetical order is chronological.
    pub date: String,
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

    /// Compares the result of the first of two players with that of the second; `None` if the result does not determine
    /// the order.
    pub(super) fn comparison(&self) -> Option<Ordering> {
        compare(&self.result, self.termination.as_ref())
    }

    /// Compares the result of the player at this seat with the best result of the others; `None` if unknown.
    pub(super) fn standing(&self, seat: usize) -> Option<Ordering> {
        if self.names.len() == 2 {
            let comparison = self.comparison();
            return if seat == 0 { comparison } else { comparison.map(Ordering::reverse) };
        }
        match self.termination.as_ref().map(Termination::loser) {
            Some(Some(loser)) if loser.index() == seat => return Some(Ordering::Less),
            Some(None) => return Some(Ordering::Equal),
            _ => {}
        }
        let scores = self.result.split(',').next().unwrap_or_default().split('-').map(|score| {
            let (part, of) = share(score)?;
            Some(f64::from(part) / f64::from(of))
        });
        let scores: Vec<f64> = scores.collect::<Option<_>>()?;
        let own = *scores.get(seat).filter(|_| scores.len() == self.names.len())?;
        let others = scores.iter().enumerate().filter(|(other, _)| *other != seat);
        let best = others.map(|(_, score)| *score).max_by(f64::total_cmp)?;
        own.partial_cmp(&best)
    }

    pub(super) fn names_cell(&self) -> ListCell {
        let names = self.shown_names().into_iter().map(str::to_owned).collect();
        let winner = match self.comparison().filter(|_| self.names.len() == 2) {
            Some(Ordering::Greater) => Some(0),
            Some(Ordering::Less) => Some(1),
            _ => None,
        };
        ListCell::Names(names, winner)
    }

    /// Returns whether each of these lower-case words occurs in at least one column.
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
/// Parses one seat's result, such as `3` or `1/2`, as a fraction.
fn share(text: &str) -> Option<(u32, u32)> {
    let (part, of) = text.split_once('/').unwrap_or((text, "1"));
    Some((part.parse().ok()?, of.parse().ok()?))
}

/// Compares the first of two players with the second by the result of their match; `None` if the result does not
/// determine the order.
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
    fn compare_orders_players_by_result() {
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
