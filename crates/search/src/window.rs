//! The proven bounds of a value during a search by null windows.

/// How many positions a search that has looked at so many may look at to find the principal variation.
pub const fn for_variation(nodes: u64) -> u64 {
    if nodes / 16 > 1 << 16 { nodes / 16 } else { 1 << 16 }
}

/// The proven bounds of a value, and the next question about it: one null window after the other, where each answer
/// chooses the next number. Plaat, Schaeffer, Pijls and de Bruin, *Best-first fixed-depth minimax algorithms*, 1996
/// (MTD-f).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
    /// The number of the next null window, or of the last: is the value at least this?
    pub goal: i32,
    /// How far possible values are apart.
    step: i32,
}

impl Window {
    /// The window before anything is searched. `guess` is the likely value.
    pub fn new(lower: i32, upper: i32, guess: i32) -> Window {
        Window { lower, upper, goal: guess.min(upper).max(lower + 1), step: 1 }
    }

    /// The window of a value between `-most` and `most` that has the parity of `most`. `guess` is the likely value.
    pub fn of_parity(most: i32, guess: i32) -> Window {
        let goal = guess.clamp(-most, most);
        // A guess of the other parity is moved towards 0, as estimates tend to be too far from it.
        let towards = if goal > 0 { -1 } else { 1 };
        Window { lower: -most, upper: most, goal: goal + towards * ((goal ^ most) & 1), step: 2 }
    }

    /// The window when the value is known to be from `lower` to `upper`. The lower bound becomes the goal and no more,
    /// so that a search still finds the move that reaches it.
    pub fn within(self, lower: i32, upper: i32) -> Window {
        let goal = if lower > self.lower { lower } else { self.goal.min(upper) };
        Window { upper: self.upper.min(upper), goal, ..self }
    }

    /// Whether there is more to prove.
    pub const fn is_open(self) -> bool {
        self.lower < self.upper
    }

    /// The window once it is proven whether the goal is reached.
    pub const fn after(self, reached: bool) -> Window {
        let Window { goal, step, .. } = self;
        if reached {
            Window { lower: goal, goal: goal + step, ..self }
        } else {
            Window { upper: goal - step, goal: goal - step, ..self }
        }
    }
}
