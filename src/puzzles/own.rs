//! The user's own mistakes as puzzles.

use super::Puzzle;
use super::judge::Judge;
use super::themes;
use crate::catalogue;
use crate::session::{Match, SeatSet};

/// The mistakes of certain seats in a match. They are found on demand, since analysing a position takes some time.
#[derive(Clone, Debug)]
pub struct OwnMistakes {
    game: Match,
    seats: SeatSet,
    /// The next ply to examine.
    ply: usize,
}

impl OwnMistakes {
    pub fn new(game: &Match, seats: SeatSet) -> OwnMistakes {
        OwnMistakes { game: game.copy_line(), seats, ply: 0 }
    }

    /// Returns the position before the next proven mistake as a puzzle without an id; `None` if no mistakes are left.
    pub(super) fn next(&mut self) -> Option<Puzzle> {
        let entry = catalogue::find(self.game.id())?;
        let mut judge = Judge::live(entry);
        let moves = self.game.moves().to_vec();
        while let Some((seat, played)) = moves.get(self.ply) {
            let ply = self.ply;
            self.ply += 1;
            if !self.seats.contains(*seat) {
                continue;
            }
            let mut here = self.game.copy_line();
            here.go_to_ply(ply);
            let here = here.copy_line();
            let Ok(judged) = judge.judge(&here) else { continue };
            let Some(value) = judged.value.proven() else { continue };
            let best = judged.moves.iter().find(|(mv, _)| judged.reaches(mv, value));
            if let Some((best, worth)) = best
                && judged.is_clearly_worse(played, value, 1)
            {
                let plies = worth.plies.filter(|_| here.scores().is_none() && value > 0);
                return Some(Puzzle {
                    id: String::new(),
                    game: entry.id,
                    setup: here.setup(),
                    moves: moves[..ply].iter().map(|(_, mv)| mv.clone()).collect(),
                    solution: vec![best.clone()],
                    value,
                    plies,
                    rating: 0,
                    themes: themes::of(&[(here, best.clone())], plies, value, &mut judge),
                    decisions: 1,
                });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::{Answer, Attempt};
    use crate::rules::Seat;

    #[test]
    fn proven_mistake_becomes_a_puzzle() {
        let entry = catalogue::find("tic-tac-toe").unwrap();
        let mut game = (entry.start)(&"first=X".parse().unwrap()).unwrap();
        // b1 lets X win, and c1 misses the win.
        for mv in ["a1", "b1", "b2", "c3", "c1"] {
            game.play(mv).unwrap();
        }
        let mut own = OwnMistakes::new(&game, [Seat::SECOND].into_iter().collect());
        let puzzle = own.next().unwrap();
        assert_eq!(puzzle.moves, ["a1"]);
        assert_eq!((puzzle.value, puzzle.solution.as_slice()), (0, &["b2".to_owned()][..]));
        let mut attempt = Attempt::new(puzzle).unwrap();
        assert!(matches!(attempt.answer("b1"), Ok(Answer::Wrong { .. })));
        assert!(matches!(attempt.answer("b2"), Ok(Answer::Solved { .. })));
        assert!(own.next().is_none(), "c3 had to be");
        let mut first = OwnMistakes::new(&game, [Seat::FIRST].into_iter().collect());
        assert_eq!(first.next().unwrap().moves, ["a1", "b1", "b2", "c3"], "X could have won");
    }
}
