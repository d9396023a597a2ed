//! The scores of the lines of a 5 × 5 board, by the dice on them.

use super::evaluation::KINDS;
use std::array;

/// Every line of five dice that does not end the game, one per text line, in one of its two directions: `+` is a die of
/// the seat to move, `-` a die of the other seat, `.` a blank die. The scores follow, by the kind of line, as in
/// [`StaticEvaluation`](super::evaluation::StaticEvaluation).
///
/// The scores come from a logistic regression on 490,000 positions of some 12,000 games that the search played against
/// itself, with 4,000 boards per move and one random push in 25; a sixth of the positions was held back to compare
/// fits. The target is 0.3 times the result of the game plus 0.7 times the score that the search found, with a small
/// penalty for the distance from scores that only count the dice. The games were played with scores from a first round
/// of this method. Only the score of 2,300 for a line on the rim with four own dice and a blank one was chosen by hand:
/// the seat to move nearly always wins at once in that case, so no such line was among the positions.
const FIVE: &str = include_str!("../../assets/quixo/lines-of-five.txt");

/// Returns the scores of all lines, by [`index`]. Complete lines, which end the game, have the score 0.
pub(super) fn scores() -> Vec<[i32; KINDS]> {
    let mut all = vec![[0; KINDS]; index(31, 31) + 1];
    for line in FIVE.lines() {
        let (dice, numbers) = line.split_at(5);
        let mut numbers = numbers.split_whitespace().filter_map(|number| number.parse().ok());
        let scores = array::from_fn(|_| numbers.next().unwrap_or_default());
        let set = |die: u8, place: fn(usize) -> usize| {
            dice.bytes()
                .enumerate()
                .filter(|known| known.1 == die)
                .map(|(at, _)| 1 << place(at))
                .sum()
        };
        for place in [|at| at, |at| 4 - at] {
            all[index(set(b'+', place), set(b'-', place))] = scores;
        }
    }
    all
}

/// Returns the index of a line, given its own dice and the other seat's dice, with one bit for each place.
pub(super) const fn index(own: usize, other: usize) -> usize {
    own | other << 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_lists_every_unfinished_line_once() {
        let mut lines: Vec<[u8; 5]> =
            FIVE.lines().map(|line| line.as_bytes()[..5].try_into().unwrap()).collect();
        for line in &mut lines {
            let mut back = *line;
            back.reverse();
            *line = back.min(*line);
        }
        lines.sort_unstable();
        lines.dedup();
        // There are 3⁵ - 2 incomplete lines, of which 3³ - 2 are palindromes; of every other line, only one direction
        // is listed.
        assert_eq!((FIVE.lines().count(), lines.len()), (133, (241 - 25) / 2 + 25));
        assert!(lines.iter().flatten().all(|die| b"+-.".contains(die)));
        let is_whole = |line: &str| {
            let numbers = line[5..].split_whitespace();
            numbers.filter(|number| number.parse::<i32>().is_ok()).count() == KINDS
        };
        assert!(FIVE.lines().all(is_whole));
    }

    #[test]
    fn own_die_raises_score_and_opposing_die_lowers_it() {
        let scores = scores();
        let rim = |own: usize, other: usize| scores[index(own, other)][0];
        let (mut more, mut less, mut all) = (0, 0, 0);
        for (own, other, place) in (0..32).flat_map(|own| {
            (0..32).flat_map(move |other| (0..5).map(move |at| (own, other, 1 << at)))
        }) {
            let is_line = own & other == 0 && (own | other) & place == 0;
            if is_line && own | place != 31 && other | place != 31 {
                all += 1;
                more += usize::from(rim(own | place, other) > rim(own, other));
                less += usize::from(rim(own, other | place) < rim(own, other));
            }
        }
        assert_eq!((more, less), (all, all));
    }
}
