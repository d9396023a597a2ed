//! A position as text.

use super::{AnyMatch, Refusal};
use crate::rules::{Game, Setup};

/// A position by the way to it: the setup and the texts of the moves. See also [`AnyMatch::position_spec`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionSpec {
    /// The setup of the first position.
    pub setup: Setup,
    /// The moves from there.
    pub moves: Vec<String>,
}

impl PositionSpec {
    /// The way to where a match stands.
    pub fn to(game: &dyn AnyMatch) -> PositionSpec {
        let moves = game.moves().iter().map(|(_, mv)| mv.clone()).collect();
        PositionSpec { setup: game.setup(), moves }
    }

    /// The position itself; refused where a move of the way cannot be played.
    pub fn reach<G: Game>(&self) -> Result<G, Refusal> {
        let mut position = G::from_setup(&self.setup).map_err(Refusal::new)?;
        for text in &self.moves {
            let mv: G::Move = text.parse().map_err(Refusal::no_move)?;
            position.play(mv).map_err(Refusal::new)?;
        }
        Ok(position)
    }

    /// The positions on the way there, played to one by one as they are asked for: first that of the setup, and
    /// so on up to the one before the last move.
    pub fn before<G: Game>(&self) -> impl Iterator<Item = G> {
        let mut next = G::from_setup(&self.setup).ok();
        self.moves.iter().map_while(move |text| {
            let here = next.take()?;
            let mut after = here.clone();
            after.play(text.parse().ok()?).ok()?;
            next = Some(after);
            Some(here)
        })
    }

    /// The same, where somebody is to move there.
    pub fn reach_open<G: Game>(&self) -> Result<G, Refusal> {
        let position: G = self.reach()?;
        match position.to_move() {
            Some(_) => Ok(position),
            None => Err(Refusal::new("the game is over")),
        }
    }
}
