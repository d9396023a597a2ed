//! Minimax without pruning: a reference for testing the fast searches.

use quadrille_rules::{Position, Seat};
use std::collections::HashMap;
use std::hash::BuildHasher;

/// Returns the final margin of the first of two seats with best play; in a game without scores, 1, 0 or -1. `known`
/// stores the value of every position, so the game must be small. Positions must not repeat.
pub fn margin<G: Position, S: BuildHasher>(position: &G, known: &mut HashMap<G, i32, S>) -> i32 {
    let Some(seat) = position.to_move() else { return final_margin(position) };
    if let Some(&value) = known.get(position) {
        return value;
    }
    let values = position.legal_moves().into_iter().map(|mv| margin(&after(position, mv), known));
    let best = if seat == Seat::FIRST { values.max() } else { values.min() };
    // A position with a seat to move has a legal move.
    let best = best.unwrap_or_default();
    known.insert(position.clone(), best);
    best
}

/// Returns the position after a legal move.
pub fn after<G: Position>(position: &G, mv: G::Move) -> G {
    let mut next = position.clone();
    let played = next.play(mv);
    debug_assert_eq!(played, Ok(()), "a legal move");
    next
}

/// Returns the current margin of the first of two seats; in a game without scores, 1, 0 or -1 by the winner.
pub fn final_margin<G: Position>(position: &G) -> i32 {
    if let Some(scores) = position.scores() {
        return scores[0] as i32 - scores[1] as i32;
    }
    let won = |seat| i32::from(position.outcome().is_some_and(|outcome| outcome.is_winner(seat)));
    won(Seat::FIRST) - won(Seat::SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_rules::Setup;
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::tic_tac_toe::TicTacToe;

    #[test]
    fn minimax_finds_known_values_of_small_games() {
        let boxes = DotsAndBoxes::new(3, 3).unwrap();
        assert_eq!(margin(&boxes, &mut HashMap::new()), 2);
        let cells = TicTacToe::from_setup(&Setup::new()).unwrap();
        assert_eq!(margin(&cells, &mut HashMap::new()), 0);
    }
}
