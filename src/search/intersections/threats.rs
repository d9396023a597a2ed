//! The threats of the offense, which the others must block.

use super::packed::{Degrees, Packed, PackedWord, Stroke};
use super::solver::Rounds;

/// How many threats are listed at most.
const MOST: usize = 24;

/// Segments with which the offense, which draws the segment after the next, would reach its goal. Whoever draws
/// the next one must block all of them.
pub struct Threats<W> {
    drawn: [W; MOST],
    count: usize,
}

impl<W: PackedWord> Threats<W> {
    /// The threats in a round. There are none unless the offense draws the segment after the next.
    pub fn new(
        rounds: &Rounds<W>,
        round: &Packed<W>,
        left: u32,
        goal: i32,
        degrees: &Degrees<W>,
    ) -> Threats<W> {
        let array = &rounds.array;
        let mut threats = Threats { drawn: [W::default(); MOST], count: 0 };
        let is_next = !rounds.is_offense(left) && left > 1 && rounds.is_offense(left - 1);
        let goal = goal as u32;
        if !is_next || !array.can_gain(round.0[0], degrees, goal) {
            return threats;
        }
        // The longest come first, and a segment gains no more dots than it has.
        let strokes = array.strokes().iter().take_while(|stroke| stroke.dots >= goal);
        let threatening =
            strokes.filter(|stroke| round.takes(stroke) && degrees.gain(stroke) >= goal);
        for (place, stroke) in threats.drawn.iter_mut().zip(threatening) {
            *place = stroke.images[0];
            threats.count += 1;
        }
        threats
    }

    /// Whether this segment blocks all of them.
    pub fn are_met_by(&self, stroke: &Stroke<W>) -> bool {
        self.drawn[..self.count].iter().all(|&threat| threat & stroke.images[0] != W::default())
    }
}
