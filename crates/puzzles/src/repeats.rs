//! Detects puzzles that repeat a different puzzle up to symmetry.

use super::Puzzle;
use quadrille_rules::Position;
use quadrille_rules::intersections::Intersections;
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_rules::quixo::Quixo;
use quadrille_search::census::Symmetry;
use quadrille_search::{
    DotsAndBoxesEngine, Engine, IntersectionsEngine, JoinTheDotsEngine, QuixoEngine,
};

/// Classifies puzzles up to symmetry.
#[derive(Default)]
pub struct Classes {
    /// Numbers the arrangements of points in the order in which they are first seen.
    figures: Option<Box<dyn Symmetry<JoinTheDots>>>,
}

impl Classes {
    /// Returns a key that only a puzzle and its repeats share: the board up to symmetry from the perspective of the
    /// seat to move, without the scores and earlier rounds. `None` for a puzzle with illegal moves.
    pub fn of(&mut self, puzzle: &Puzzle) -> Option<Vec<u8>> {
        let game = puzzle.position().ok()?;
        let setup = game.setup();
        let size = ["rows", "cols"].map(|key| setup.get(key));
        let mut out = format!("{} {size:?} ", puzzle.game).into_bytes();
        match puzzle.game {
            "dots-and-boxes" => {
                let position = game.now().typed()?;
                DotsAndBoxesEngine::symmetry(position).class(position, &mut out);
            }
            "join-the-dots" => {
                let position = game.now().typed()?;
                let figures =
                    self.figures.get_or_insert_with(|| JoinTheDotsEngine::symmetry(position));
                figures.class(position, &mut out);
            }
            "quixo" => {
                let position = with_x_to_move(game.now().typed()?)?;
                QuixoEngine::symmetry(&position).class(&position, &mut out);
            }
            "intersections" => {
                let reached: &Intersections = game.now().typed()?;
                let mut position = Intersections::from_setup(&setup).ok()?;
                reached.drawn().iter().try_for_each(|&segment| position.play(segment)).ok()?;
                IntersectionsEngine::symmetry(&position).class(&position, &mut out);
            }
            _ => return None,
        }
        Some(out)
    }
}

/// Swaps the two symbols if it is O's turn.
fn with_x_to_move(position: &Quixo) -> Option<Quixo> {
    let setup = position.setup();
    if setup.get("first") == Some("X") {
        return Some(position.clone());
    }
    let grid: String = setup.get("grid")?.chars().map(exchanged).collect();
    Quixo::from_setup(&setup.with("grid", grid).with("first", "X")).ok()
}

const fn exchanged(symbol: char) -> char {
    match symbol {
        'X' => 'O',
        'O' => 'X',
        blank => blank,
    }
}
