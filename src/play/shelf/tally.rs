//! Who has won how often against whom.

use super::Entry;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How two people stand in one game, whichever seats they had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The two, in the order of the alphabet.
    pub names: [String; 2],
    /// The name of the game in commands and records.
    pub game: String,
    /// How often the first of them won.
    pub wins: u32,
    /// How often neither did.
    pub draws: u32,
    /// How often the second did.
    pub losses: u32,
}

/// The results between all pairs of names, a game each, sorted by names and game. What counts are
/// matches that two people with different names played to the end.
pub fn tally(entries: &[Entry]) -> Vec<Tally> {
    let mut table: BTreeMap<([&str; 2], &str), [u32; 3]> = BTreeMap::new();
    for entry in entries {
        let [first, second] = entry.names.as_slice() else { continue };
        let Some(result) = result(entry) else { continue };
        let (names, result) = match first.cmp(second) {
            Ordering::Less => ([&**first, &**second], result),
            Ordering::Greater => ([&**second, &**first], result.reverse()),
            Ordering::Equal => continue,
        };
        if names[0].is_empty() {
            continue;
        }
        let column = match result {
            Ordering::Greater => 0,
            Ordering::Equal => 1,
            Ordering::Less => 2,
        };
        table.entry((names, &entry.game)).or_default()[column] += 1;
    }
    let tallies = table.into_iter().map(|((names, game), [wins, draws, losses])| {
        let (names, game) = (names.map(str::to_owned), game.to_owned());
        Tally { names, game, wins, draws, losses }
    });
    tallies.collect()
}

/// How the first of two seats did: in every game more points, or more of the win, are better.
fn result(entry: &Entry) -> Option<Ordering> {
    let (first, second) = entry.result.split_once('-')?;
    let order = share(first)?.partial_cmp(&share(second)?)?;
    Some(if entry.agreed { Ordering::Equal } else { order })
}

/// `3`, or `1/2`.
fn share(text: &str) -> Option<f64> {
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    let [over, under] = [over, under].map(|number| number.parse::<u32>().ok().map(f64::from));
    under.filter(|under| *under > 0.0).and_then(|under| Some(over? / under))
}
