//! Time management in matches with a clock.

use std::time::Duration;

/// A safety margin: a move takes longer than its search, and the machine may be under load.
const RESERVE: Duration = Duration::from_millis(50);

/// Returns how long to think about a move, given the remaining time, the increment and the number of legal moves.
///
/// The remaining time is divided evenly among this seat's expected remaining moves, and each move also gets three
/// quarters of the increment. This is the basic plan of R. Hyatt, "Using Time Wisely" (ICCA Journal 7, 1984) and the
/// strategy EXP of H. Baier and M. Winands, "Time Management for Monte-Carlo Tree Search in Go" (Advances in Computer
/// Games, 2012). A pencil-and-paper game ends when all lines are drawn, so with two seats, each seat has about half of
/// the legal moves left at most. That number is clamped to between 10 and 30, even for games whose moves do not run
/// out. A single move gets at most a fifth of the remaining time. A twentieth of the remaining time, but at least 50
/// ms, is held back, so the time never runs out.
pub fn allot(left: Duration, increment: Duration, legal: usize) -> Duration {
    let left = left.saturating_sub(RESERVE.max(left / 20));
    if legal <= 1 {
        return Duration::ZERO;
    }
    let moves = (legal / 2).clamp(10, 30) as u32;
    let planned = left / moves + increment * 3 / 4;
    planned.min(left / 5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seconds(number: f64) -> Duration {
        Duration::from_secs_f64(number)
    }

    #[test]
    fn time_is_spread_over_remaining_moves() {
        let of = |left, increment, legal| allot(seconds(left), seconds(increment), legal);
        assert!((seconds(3.0)..seconds(4.0)).contains(&of(60.0, 0.6, 40)));
        assert!(of(60.0, 0.0, 10) > of(60.0, 0.0, 60), "fewer moves to come have more time each");
        assert_eq!(of(10.0, 60.0, 40), seconds(1.9), "a fifth of what is not held back");
        assert_eq!(of(60.0, 0.0, 1), Duration::ZERO, "there is no choice");
        assert_eq!(of(0.05, 5.0, 10), Duration::ZERO, "the increment comes after the move");
    }

    proptest! {
        /// The time suffices for a game of any length, even if each move takes slightly longer than allotted, as long
        /// as the increment covers the excess.
        #[test]
        fn allotted_time_lasts_for_any_game_length(base in 1.0..600.0_f64, increment in 0.0..5.0_f64, legal in 2..400_usize) {
            let (mut left, late) = (seconds(base), Duration::from_millis(3));
            let increment = seconds(increment) + late;
            for _ in 0..1000 {
                let took = allot(left, increment, legal) + late;
                prop_assert!(took < left, "{took:?} of {left:?}");
                left = left.saturating_sub(took) + increment;
            }
        }
    }
}
