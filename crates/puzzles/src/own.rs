//! The user's own mistakes as puzzles.

use super::judge::{Judged, live_limits};
use super::{Puzzle, PuzzleSet, themes};
use quadrille_match::session::{Match, SeatSet};
use quadrille_search::Report;
use quadrille_table::catalogue;
use quadrille_table::play::{Ask, Question, Respondent};
use std::sync::Arc;

/// A search for the mistakes of certain seats in a match. An engine analyzes the positions, since that takes some time.
#[derive(Clone, Debug)]
pub struct OwnMistakes {
    question: Question,
    /// The number of positions analyzed.
    done: usize,
    found: Vec<Puzzle>,
}

impl OwnMistakes {
    /// Begins a search; `None` if none of these seats has moved.
    pub fn new(game: &Match, seats: SeatSet) -> Option<OwnMistakes> {
        let game = game.copy_line();
        let moves = game.moves().iter().enumerate();
        let plies: Arc<[usize]> =
            moves.filter(|(_, (seat, _))| seats.contains(*seat)).map(|(ply, _)| ply).collect();
        let entry = catalogue::find(game.id()).filter(|_| !plies.is_empty())?;
        let question = Question {
            entry,
            game: Arc::new(game),
            ask: Ask::Proofs(plies, live_limits(entry)),
            to: Respondent::Helper,
        };
        Some(OwnMistakes { question, done: 0, found: Vec::new() })
    }

    /// Returns the question for the engine.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Returns the number of positions analyzed, and of all positions to analyze.
    pub fn progress(&self) -> (usize, usize) {
        let all = match &self.question.ask {
            Ask::Proofs(plies, _) => plies.len(),
            _ => self.done,
        };
        (self.done, all)
    }

    /// Adds the report on the position after `ply` plies. If the next move is a proven mistake, the position becomes a
    /// puzzle without an id.
    pub fn add_report(&mut self, ply: usize, report: Report<String>) {
        self.done += 1;
        self.found.extend(self.puzzle(ply, report));
    }

    fn puzzle(&self, ply: usize, report: Report<String>) -> Option<Puzzle> {
        let Question { entry, game, .. } = &self.question;
        let (_, played) = game.moves().get(ply)?;
        let judged = Judged::of(game, report);
        let value = judged.value.proven()?;
        let (best, worth) = judged.moves.iter().find(|(mv, _)| judged.reaches(mv, value))?;
        let plies = worth.plies.filter(|_| game.scores().is_none() && value > 0);
        if !judged.is_clearly_worse(played, value, 1) {
            return None;
        }
        let mut here = Match::clone(game);
        here.go_to_ply(ply);
        let here = here.copy_line();
        Some(Puzzle {
            id: String::new(),
            game: entry.id,
            setup: here.setup(),
            moves: here.moves().iter().map(|(_, mv)| mv.clone()).collect(),
            solution: vec![best.clone()],
            value,
            plies,
            rating: 0,
            themes: themes::of(&[(here, best.clone())], plies, value, &*(entry.engine)()),
            decisions: 1,
        })
    }

    /// Returns the mistakes found so far as a set; `None` if there are none.
    pub fn puzzle_set(&self) -> Option<PuzzleSet> {
        (!self.found.is_empty()).then(|| PuzzleSet::Own(self.found.iter().cloned().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Attempt};
    use quadrille_rules::Seat;
    use quadrille_search::{Control, NoTableCache, Scope};
    use std::sync::atomic::AtomicBool;

    /// Returns the mistakes of a seat, as an engine finds them.
    fn mistakes(game: &Match, seat: Seat) -> Vec<Puzzle> {
        let mut own = OwnMistakes::new(game, [seat].into_iter().collect()).unwrap();
        let Question { entry, ask: Ask::Proofs(plies, limits), .. } = own.question().clone() else {
            panic!("{own:?}")
        };
        let (mut engine, mut here) = ((entry.engine)(), game.clone());
        for &ply in &*plies {
            here.go_to_ply(ply);
            let stop = AtomicBool::new(false);
            let control = Control::new(&stop, limits.limits(), &NoTableCache, &|_| ());
            own.add_report(ply, engine.analyse(here.now(), Scope::Moves, &control).unwrap());
        }
        assert_eq!(own.progress(), (plies.len(), plies.len()));
        own.found
    }

    #[test]
    fn proven_mistake_becomes_a_puzzle() {
        let entry = catalogue::find("tic-tac-toe").unwrap();
        let mut game = (entry.start)(&"first=X".parse().unwrap()).unwrap();
        assert!(OwnMistakes::new(&game, [Seat::FIRST].into_iter().collect()).is_none());
        // b1 lets X win, and c1 misses the win.
        for mv in ["a1", "b1", "b2", "c3", "c1"] {
            game.play(mv).unwrap();
        }
        let [puzzle] = &mistakes(&game, Seat::SECOND)[..] else { panic!("c3 had to be") };
        assert_eq!(puzzle.moves, ["a1"]);
        assert_eq!((puzzle.value, puzzle.solution.as_slice()), (0, &["b2".to_owned()][..]));
        let mut attempt = Attempt::new(puzzle.clone()).unwrap();
        assert!(matches!(attempt.answer("b1"), Ok(Answer::Wrong { .. })));
        assert!(matches!(attempt.answer("b2"), Ok(Answer::Solved { .. })));
        let first = mistakes(&game, Seat::FIRST);
        assert_eq!(first[0].moves, ["a1", "b1", "b2", "c3"], "X could have won");
    }
}
