//! A position as texts.

use super::{AnyMatch, Refusal};
use crate::rules::{Game, Setup};

/// A position, given by the setup and the moves that lead to it, as texts. See also
/// [`AnyMatch::position_spec`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionSpec {
    /// The setup of the first position.
    pub setup: Setup,
    /// The moves from there.
    pub moves: Vec<String>,
}

impl PositionSpec {
    /// The present position of a match.
    pub fn to(game: &dyn AnyMatch) -> PositionSpec {
        let moves = game.moves().iter().map(|(_, mv)| mv.clone()).collect();
        PositionSpec { setup: game.setup(), moves }
    }

    /// The position itself. A setup or a move that is wrong is refused.
    pub fn reach<G: Game>(&self) -> Result<G, Refusal> {
        let mut position = G::from_setup(&self.setup).map_err(Refusal::new)?;
        for text in &self.moves {
            let mv: G::Move = text.parse().map_err(Refusal::no_move)?;
            position.play(mv).map_err(Refusal::new)?;
        }
        Ok(position)
    }

    /// The same, but a position where the game is over is refused too.
    pub fn reach_open<G: Game>(&self) -> Result<G, Refusal> {
        let position: G = self.reach()?;
        match position.to_move() {
            Some(_) => Ok(position),
            None => Err(Refusal::new("the game is over")),
        }
    }
}
