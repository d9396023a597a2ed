//! Counting move sequences, the usual test of a move generator.

use super::Position;

/// How many sequences of exactly `depth` legal moves start from the position. No sequence goes on after the
/// end of the game: a game that is over has one of length 0 and none that is longer.
pub fn perft<G: Position>(position: &G, depth: u8) -> u64 {
    let mut moves = Vec::new();
    match depth {
        0 => return 1,
        _ => position.legal_moves(&mut moves),
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
