//! The threats of the offense, which the defenders must block.

use super::packed::{PackedSegment, PackedWord};
use super::solver::{RoundNode, Rounds};

/// The maximum number of threats listed.
const MAX_THREATS: usize = 24;

/// Segments with which the offense, drawing next after the seat to move, would reach its goal. The seat to move must
/// block all of these segments.
pub struct Threats<W> {
    drawn: [W; MAX_THREATS],
    count: usize,
}

impl<W: PackedWord> Threats<W> {
    /// Finds the threats in a position. The result is empty unless the offense draws after the seat to move.
    pub fn new(rounds: &Rounds<W>, node: &RoundNode<'_, W>) -> Threats<W> {
        let &RoundNode { round, left, goal, ref degrees } = node;
        let array = &rounds.array;
        let mut threats = Threats { drawn: [W::default(); MAX_THREATS], count: 0 };
        let is_next = !rounds.is_offense(left) && left > 1 && rounds.is_offense(left - 1);
        let goal = goal as u32;
        if !is_next || !array.can_gain(round.0[0], degrees, goal) {
            return threats;
        }
        // Segments are sorted longest first, and a segment gains at most as many dots as it has.
        let segments = array.segments().iter().take_while(|segment| segment.dots >= goal);
        let threatening =
            segments.filter(|segment| round.takes(segment) && degrees.gain(segment) >= goal);
        for (place, segment) in threats.drawn.iter_mut().zip(threatening) {
            *place = segment.images[0];
            threats.count += 1;
        }
        threats
    }

    pub fn are_met_by(&self, segment: &PackedSegment<W>) -> bool {
        self.drawn[..self.count].iter().all(|&threat| threat & segment.images[0] != W::default())
    }
}
