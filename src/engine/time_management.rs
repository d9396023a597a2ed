//! How an engine makes its time last.

use std::time::Duration;

/// What is never planned with: what a move takes besides thinking, and a machine that has other things to
/// do.
const RESERVE: Duration = Duration::from_millis(50);

/// How long to think about a move, with so much time left, so much more for the move, and so many legal
/// moves.
///
/// The time left is spread evenly over the moves that this seat probably has still to make, and the increment
/// is spent where it is earned. That is the basic plan of R. Hyatt, "Using Time Wisely" (ICCA Journal 7, 1984)
/// and the strategy EXP of H. Baier and M. Winands, "Time Management for Monte-Carlo Tree Search in Go"
/// (Advances in Computer Games, 2012). A pencil-and-paper game is over when all has been drawn, so half the
/// legal moves bound what one of two still has to do; on a board where moves do not run out there are always
/// as many to come as ten to thirty. Whatever is left, one move gets no more than a fifth of it, and
/// a twentieth of it stays untouched, 50 ms at least: so time that is short shrinks and never ends.
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

    fn seconds(text: f64) -> Duration {
        Duration::from_secs_f64(text)
    }

    #[test]
    fn time_is_spread_over_the_moves_to_come() {
        let of = |left, increment, legal| allot(seconds(left), seconds(increment), legal);
        assert!((seconds(3.0)..seconds(4.0)).contains(&of(60.0, 0.6, 40)));
        assert!(of(60.0, 0.0, 10) > of(60.0, 0.0, 60), "fewer moves to come have more time each");
        assert_eq!(of(60.0, 0.0, 1), Duration::ZERO, "there is nothing to think about");
        assert_eq!(of(0.05, 5.0, 10), Duration::ZERO, "the increment comes after the move");
    }

    proptest! {
        /// Whatever the clock, a game of any length ends before the time does, when each move takes a bit longer
        /// than it may and the increment pays for that bit.
        #[test]
        fn time_never_ends(base in 1.0..600.0_f64, increment in 0.0..5.0_f64, legal in 2..400_usize) {
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
