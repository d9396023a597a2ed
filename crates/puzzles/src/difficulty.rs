//! The difficulty of a puzzle, measured by the tries of players with known ratings.

/// A player's tries at a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tries {
    /// The player's rating, in Elo.
    pub rating: f64,
    pub tries: u32,
    /// The number of successful tries.
    pub solved: u32,
}

/// The minimum and maximum rating of a puzzle. If all players solve it or none does, its true rating may be outside
/// this range.
pub const RANGE: [f64; 2] = [400.0, 2800.0];

/// Returns the rating of a puzzle, which is the rating of a player who would solve it half the time. The probability of
/// solving a puzzle is the logistic curve of Elo (Arpad Elo, *The Rating of Chessplayers*, 1978), and the result is the
/// maximum-likelihood rating. Each player gets an extra half success and half failure, so that a player who always or
/// never succeeds does not count as a certainty.
pub fn rating(tries: &[Tries]) -> f64 {
    let surplus = |rating: f64| -> f64 {
        let of = |player: &Tries| {
            let chance = 1.0 / (1.0 + 10f64.powf((rating - player.rating) / 400.0));
            f64::from(player.solved) + 0.5 - (f64::from(player.tries) + 1.0) * chance
        };
        tries.iter().map(of).sum()
    };
    // The higher the puzzle's rating, the further the players' successes exceed the expected number.
    let [mut low, mut high] = RANGE;
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if surplus(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifty_percent_solver_matches_the_puzzle_rating() {
        let even = Tries { rating: 1310.0, tries: 64, solved: 32 };
        assert!((rating(&[even]) - 1310.0).abs() < 1.0);
    }

    #[test]
    fn more_solutions_lower_the_rating() {
        let of = |solved: [u32; 3]| {
            let player = |(rating, solved)| Tries { rating, tries: 64, solved };
            rating(&[(800.0, solved[0]), (1100.0, solved[1]), (1500.0, solved[2])].map(player))
        };
        let ratings =
            [[64; 3], [40, 60, 64], [8, 30, 60], [0, 4, 40], [0, 0, 3], [0, 0, 0]].map(of);
        assert!(ratings.is_sorted_by(|easier, harder| easier < harder), "{ratings:?}");
        assert!(RANGE[0] <= ratings[0] && ratings[5] <= RANGE[1], "{ratings:?}");
    }
}
