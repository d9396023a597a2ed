//! The proven bounds of a value during a null-window search.

/// Returns the maximum number of positions to search for the principal variation, given the number of positions
/// searched so far.
pub const fn for_variation(nodes: u64) -> u64 {
    if nodes / 16 > 1 << 16 { nodes / 16 } else { 1 << 16 }
}

/// The proven bounds of a value, and the goal of the next null window. Each answer determines the next goal: Plaat,
/// Schaeffer, Pijls and de Bruin, *Best-first fixed-depth minimax algorithms*, 1996 (MTD-f).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// A lower bound on the value.
    pub lower: i32,
    /// An upper bound on the value.
    pub upper: i32,
    /// The goal of the next null window, or of the last one: is the value at least this?
    pub goal: i32,
    /// The distance between adjacent possible values.
    step: i32,
}

impl Window {
    /// Creates the window before the search. `guess` is the likely value.
    pub fn new(lower: i32, upper: i32, guess: i32) -> Window {
        Window { lower, upper, goal: guess.min(upper).max(lower + 1), step: 1 }
    }

    /// Creates the window of a value between `-most` and `most` with the parity of `most`. `guess` is the likely value.
    pub fn of_parity(most: i32, guess: i32) -> Window {
        let goal = guess.clamp(-most, most);
        // A guess of the wrong parity is moved toward 0, since estimates tend to be too far from 0.
        let towards = if goal > 0 { -1 } else { 1 };
        Window { lower: -most, upper: most, goal: goal + towards * ((goal ^ most) & 1), step: 2 }
    }

    /// Returns the window, given that the value is from `lower` to `upper`. A raised lower bound becomes the goal but
    /// is not recorded as proven, so that a search still finds the move that reaches it.
    pub fn within(self, lower: i32, upper: i32) -> Window {
        let goal = if lower > self.lower { lower } else { self.goal.min(upper) };
        Window { upper: self.upper.min(upper), goal, ..self }
    }

    /// Returns whether there is more to prove.
    pub const fn is_open(self) -> bool {
        self.lower < self.upper
    }

    /// Returns the window after it is proven whether the goal is reached.
    pub const fn after(self, reached: bool) -> Window {
        let Window { goal, step, .. } = self;
        if reached {
            Window { lower: goal, goal: goal + step, ..self }
        } else {
            Window { upper: goal - step, goal: goal - step, ..self }
        }
    }
}
