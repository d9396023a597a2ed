//! The reasons for lines.

use super::unpacked::{Sides, UnpackedBoard};
use quadrille_rules::Position;
use quadrille_rules::join_the_dots::{Edge, JoinTheDots};

/// With more points than this, only reasons that need no scan of all lines are given.
const SMALL: usize = 60;

/// The effect of a line in Join the Dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinTheDotsReason {
    /// Closes a cycle of this many dots.
    Closes(u32),
    /// Gives no cycle away.
    Safe {
        /// The number of dots of the largest cycle that could be closed before; 0 if there was none.
        blocked: i32,
        /// The number of safe lines left. If none are left, the opponent must give a cycle away. `None` on a large
        /// board, and at the end of the game.
        left: Option<u32>,
    },
    /// Leaves the opponent a smaller cycle than before.
    Reduces {
        /// The number of dots of the largest cycle before.
        from: i32,
        /// The number of dots of the largest cycle now.
        to: i32,
    },
    /// Lets the opponent close a cycle.
    Gives {
        /// The number of dots of the cycle.
        dots: i32,
        /// Whether no other line gives away fewer dots.
        is_least: bool,
    },
}

/// Returns the effect of a line. Later moves count only if they are forced. `None` if the line is illegal.
pub fn why(position: &JoinTheDots, mv: Edge) -> Option<JoinTheDotsReason> {
    position.check(mv).ok()?;
    if let Some(cycle) = position.cycle_closed_by(mv) {
        return Some(JoinTheDotsReason::Closes(cycle.len() as u32));
    }
    let sides = Sides::new(position.points());
    let before = UnpackedBoard::new(&sides, position);
    let mut after = before.clone();
    after.join(mv.ends().map(|end| end as usize - 1));
    Some(match (before.largest(), after.largest()) {
        (blocked, 0) => JoinTheDotsReason::Safe { blocked, left: safe_lines(&after) },
        (from, to) if to < from => JoinTheDotsReason::Reduces { from, to },
        (_, dots) => JoinTheDotsReason::Gives { dots, is_least: offers_least(&before, dots) },
    })
}

/// Returns whether no line offers a smaller cycle than this.
fn offers_least(board: &UnpackedBoard<'_>, offered: i32) -> bool {
    if board.left().len() > SMALL {
        return false;
    }
    let mut exchanges = board.exchanges();
    board.answer(&mut exchanges, &|| false);
    exchanges.iter().all(|exchange| exchange.answer >= offered)
}

/// Counts the lines that give no cycle away, in a position in which no cycle can be closed.
fn safe_lines(board: &UnpackedBoard<'_>) -> Option<u32> {
    if board.left().len() > SMALL || board.moves().next().is_none() {
        return None;
    }
    Some(board.moves().filter(|&pair| board.is_safe(pair)).count() as u32)
}
