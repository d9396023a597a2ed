//! Perft: counts move sequences to test move generators.

use super::Position;

/// Counts the sequences of exactly `depth` legal moves from the position. Sequences do not continue past the end of the
/// game: a finished game has one sequence of length 0 and no longer ones.
pub fn perft<G: Position>(position: &G, depth: u8) -> u64 {
    let mut moves = Vec::new();
    match depth {
        0 => return 1,
        _ => position.append_legal_moves(&mut moves),
    }
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|mv| {
            let mut next = position.clone();
            match next.play(mv) {
                Ok(()) => perft(&next, depth - 1),
                Err(_) => 0,
            }
        })
        .sum()
}
