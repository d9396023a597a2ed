//! Why a line is drawn, in a few words.

use super::wide::{Sides, WideBoard};
use crate::OTHER;
use quadrille_rules::Position;
use quadrille_rules::join_the_dots::{Edge, JoinTheDots};
use quadrille_rules::wording::counted;

/// With more points than this nothing is said that takes a look at all lines.
const SMALL: usize = 60;

/// What a line does. Nothing is said of later moves that play does not force. `None` if it cannot be drawn.
pub fn why(position: &JoinTheDots, mv: Edge) -> Option<String> {
    position.check(mv).ok()?;
    if let Some(cycle) = position.cycle_closed_by(mv) {
        return Some(format!("closes a cycle of {} dots", cycle.len()));
    }
    let sides = Sides::new(position.points());
    let before = WideBoard::new(&sides, position);
    let mut after = before.clone();
    after.join(mv.ends().map(|end| end as usize - 1));
    Some(match (before.largest(), after.largest()) {
        (0, 0) => format!("gives no cycle away{}", left(&after)),
        (stopped, 0) => format!("blocks a cycle of {stopped} dots{}", left(&after)),
        (stopped, offered) if offered < stopped => {
            format!("leaves {OTHER} a cycle of {offered} dots, not of {stopped}")
        }
        (_, offered) if offers_least(&before, offered) => {
            format!("lets {OTHER} take {offered} dots; no line lets it be fewer")
        }
        (_, offered) => format!("lets {OTHER} take {offered} dots"),
    })
}

/// Whether no line offers a smaller cycle than this.
fn offers_least(board: &WideBoard<'_>, offered: i32) -> bool {
    if board.left().len() > SMALL {
        return false;
    }
    let mut exchanges = board.exchanges();
    board.answer(&mut exchanges, &|| false);
    exchanges.iter().all(|exchange| exchange.answer >= offered)
}

/// How many lines give no cycle away. There is no cycle to close.
fn left(board: &WideBoard<'_>) -> String {
    if board.left().len() > SMALL || board.moves().next().is_none() {
        return String::new();
    }
    match board.moves().filter(|&pair| board.is_safe(pair)).count() {
        0 => format!("; no line is left that gives none, so it is {OTHER} who must give one away"),
        safe => {
            let are =
                counted(safe, "line is left that gives none", "lines are left that give none");
            format!("; {are}")
        }
    }
}
