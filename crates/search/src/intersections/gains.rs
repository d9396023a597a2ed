//! The gains of segments, in dots, computed for all segments of an array at once.

use super::packed::{Array, Degrees, PackedWord};

impl<W: PackedWord> Array<W> {
    /// Returns whether one more segment can gain at least `goal` dots.
    pub fn can_gain(&self, image: W, degrees: &Degrees<W>, goal: u32) -> bool {
        if goal == 0 {
            return true;
        }
        // A segment gains an end dot where two units meet, and a passed dot where one unit ends.
        if (degrees.one | degrees.two).count() < goal {
            return false;
        }
        let unpassed = self.unpassed(image);
        let [right, down] = self.free(image);
        gains(degrees, unpassed & right, right, 1, goal)
            || gains(degrees, unpassed & down, down, self.cols, goal)
    }

    /// Returns whether this many segments without gains can be drawn in turn. Considers only segments that share no
    /// dot, so a negative answer may be wrong.
    pub fn is_quiet(&self, image: W, degrees: &Degrees<W>, segments: u32) -> bool {
        self.are_apart(self.quiet(image, degrees), segments)
    }

    /// Returns whether, after any next segment, this many segments without gains can be drawn. Ignores segments near
    /// the next one, so a negative answer may be wrong.
    pub fn stays_quiet(&self, image: W, degrees: &Degrees<W>, segments: u32) -> bool {
        if segments == 0 {
            return true;
        }
        let [right, down] = self.quiet(image, degrees);
        // A segment only changes the dots of one row or column.
        self.lines.iter().all(|line| self.are_apart([right & !line[0], down & !line[1]], segments))
    }

    /// Returns the free units that gain nothing, to the right of and below each dot. A longer segment that gains
    /// nothing consists of such units, so if there are none, every segment gains something.
    fn quiet(&self, image: W, degrees: &Degrees<W>) -> [W; 2] {
        let [right, down] = self.free(image);
        let two = degrees.two;
        [right & !(two | two >> 1), down & !(two | two >> self.cols)]
    }

    /// Returns whether this many of these units can be chosen with no two sharing a dot. The choice is greedy, so a
    /// negative answer may be wrong.
    fn are_apart(&self, [mut right, mut down]: [W; 2], count: u32) -> bool {
        for _ in 0..count {
            let ends = if right != W::default() {
                let dot = right.lowest();
                dot | dot << 1
            } else if down != W::default() {
                let dot = down.lowest();
                dot | dot << self.cols
            } else {
                return false;
            };
            right = right & !(ends | ends >> 1);
            down = down & !(ends | ends >> self.cols);
        }
        true
    }
}

/// Returns whether a segment in one direction can gain `goal` dots, which must be at least 1. Neighbors in that
/// direction are `step` bits apart. `free` is the set of free units in that direction, and `inner` the set of dots that
/// a segment can pass into a free unit.
fn gains<W: PackedWord>(degrees: &Degrees<W>, inner: W, free: W, step: u32, goal: u32) -> bool {
    let none = W::default();
    // The dots that a segment can reach after gaining `gained - 1` dots.
    let mut reached = free << step;
    for gained in 1..=goal {
        if gained == goal && reached & degrees.two != none {
            return true;
        }
        let mut next = inner & degrees.one & reached;
        if gained == 1 {
            next |= degrees.two & free;
        }
        next = next << step;
        // The segment may continue through more dots; their gains are not counted.
        loop {
            let longer = next | (next & inner) << step;
            if longer == next {
                break;
            }
            next = longer;
        }
        if next == none {
            return false;
        }
        reached = next;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intersections::packed::PackedRound;

    /// Returns the legal segments with their gains in dots.
    fn legal<W: PackedWord>(array: &Array<W>, round: &PackedRound<W>) -> Vec<(usize, u32)> {
        let degrees = array.degrees(round.0[0]);
        let segments = array.segments().iter().enumerate();
        segments
            .filter(|(_, segment)| round.takes(segment))
            .map(|(number, segment)| (number, degrees.gain(segment)))
            .collect()
    }

    /// Returns whether this many segments without gains can be drawn, by exhaustive search.
    fn plays_quietly<W: PackedWord>(
        array: &Array<W>,
        round: &PackedRound<W>,
        segments: u32,
    ) -> bool {
        segments == 0
            || legal(array, round).into_iter().any(|(number, gain)| {
                let next = round.draw(&array.segments()[number]);
                gain == 0 && plays_quietly(array, &next, segments - 1)
            })
    }

    fn hold_to_each<W: PackedWord>(rows: u8, cols: u8) {
        let array = Array::<W>::new(rows, cols);
        let mut rng = fastrand::Rng::with_seed(7);
        let mut answers = [0; 2];
        for _ in 0..60 {
            let mut round = array.pack(&[]);
            loop {
                let (image, legal) = (round.0[0], legal(&array, &round));
                let degrees = array.degrees(image);
                let most = legal.iter().map(|&(_, gain)| gain).max().unwrap_or_default();
                for goal in 0..8 {
                    assert_eq!(array.can_gain(image, &degrees, goal), goal <= most, "{round:?}");
                }
                for segments in 1..3 {
                    let quiet = array.is_quiet(image, &degrees, segments);
                    assert!(!quiet || plays_quietly(&array, &round, segments));
                    let stays = array.stays_quiet(image, &degrees, segments);
                    answers[usize::from(stays)] += 1;
                    for &(number, _) in legal.iter().filter(|_| stays) {
                        let next = round.draw(&array.segments()[number]);
                        assert!(plays_quietly(&array, &next, segments));
                    }
                }
                let quiet = array.is_quiet(image, &degrees, 1);
                assert_eq!(quiet, legal.iter().any(|&(_, gain)| gain == 0));
                let Some(&(number, _)) = rng.choice(&legal) else { break };
                round = round.draw(&array.segments()[number]);
            }
        }
        assert!(answers.iter().all(|&count| count > 20), "{answers:?}");
    }

    #[test]
    fn gains_match_playing_each_segment() {
        hold_to_each::<u64>(4, 4);
        hold_to_each::<u64>(3, 5);
        hold_to_each::<u128>(3, 4);
        hold_to_each::<u128>(6, 5);
    }
}
