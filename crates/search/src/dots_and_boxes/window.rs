//! The proven bounds of a value during a search.

use super::graph::SettledPosition;

/// The proven bounds of a value, and the next question about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
    /// The number of the next null window, or of the last: is the value at least this?
    pub goal: i32,
}

impl Window {
    /// The window for a position with `left` boxes, before anything is searched. `guess` is the likely value.
    pub fn new(left: i32, guess: i32) -> Window {
        let goal = guess.clamp(-left, left);
        // The value has the parity of the boxes left. A guess of the other parity is moved towards 0, as estimates tend
        // to be too far from it.
        let step = if goal > 0 { -1 } else { 1 };
        Window { lower: -left, upper: left, goal: goal + step * ((goal ^ left) & 1) }
    }

    /// The window when the value is known to be from `lower` to `upper`. The lower bound becomes the goal and no more,
    /// so that a search still finds the move that reaches it.
    pub fn within(self, lower: i32, upper: i32) -> Window {
        let goal = if lower > self.lower { lower } else { self.goal.min(upper) };
        Window { lower: self.lower, upper: self.upper.min(upper), goal }
    }

    /// The window once it is proven whether the goal is reached.
    pub const fn after(self, reached: bool) -> Window {
        let Window { lower, upper, goal } = self;
        if reached {
            Window { lower: goal, upper, goal: goal + 2 }
        } else {
            Window { lower, upper: goal - 2, goal: goal - 2 }
        }
    }
}

/// The bounds of the value of a settled position, from those of what remains.
pub const fn between(settled: &SettledPosition, lower: i32, upper: i32) -> (i32, i32) {
    if settled.kept == 0 {
        return (settled.taken + lower, settled.taken + upper);
    }
    let (lower, upper) = (settled.kept + lower, settled.kept + upper);
    let least = if lower > 0 {
        lower
    } else if upper < 0 {
        -upper
    } else {
        0
    };
    let most = if upper > -lower { upper } else { -lower };
    (settled.taken + least, settled.taken + most)
}
