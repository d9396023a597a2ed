//! A position in text form.

use super::Match;
use quadrille_rules::Setup;

/// A position as texts: its setup and the moves that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PositionSpec {
    /// The setup of the first position.
    pub setup: Setup,
    pub moves: Vec<String>,
}

impl PositionSpec {
    pub fn to(game: &Match) -> PositionSpec {
        let moves = game.moves().iter().map(|(_, mv)| mv.clone()).collect();
        PositionSpec { setup: game.setup(), moves }
    }
}
