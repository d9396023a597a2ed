//! A position in text form.

use super::{Match, Refusal};
use quadrille_rules::{Position, Setup};

/// A position as its setup and the moves that lead to it, as texts. See also [`Match::position_spec`].
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

    pub fn after(&self, mv: &str) -> PositionSpec {
        let mut next = self.clone();
        next.moves.push(mv.to_owned());
        next
    }

    /// Reconstructs the position. Refuses an invalid setup or move.
    pub fn reach<G: Position>(&self) -> Result<G, Refusal> {
        let mut position = G::from_setup(&self.setup).map_err(Refusal::new)?;
        for text in &self.moves {
            let mv: G::Move = text.parse()?;
            position.play(mv).map_err(Refusal::illegal::<G>)?;
        }
        Ok(position)
    }

    /// Yields the positions before the last move, beginning with the first position. Each position is computed on
    /// demand.
    pub fn before<G: Position>(&self) -> impl Iterator<Item = G> {
        let mut next = G::from_setup(&self.setup).ok();
        self.moves.iter().map_while(move |text| {
            let here = next.take()?;
            let mut after = here.clone();
            after.play(text.parse().ok()?).ok()?;
            next = Some(after);
            Some(here)
        })
    }

    /// Like [`reach`](PositionSpec::reach), but also refuses a finished game.
    pub fn reach_unfinished<G: Position>(&self) -> Result<G, Refusal> {
        let position: G = self.reach()?;
        match position.to_move() {
            Some(_) => Ok(position),
            None => Err(Refusal::new("the game is over")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_rules::tic_tac_toe::TicTacToe;

    #[test]
    fn before_yields_the_position_before_each_move() {
        let moves = ["b2", "a1", "c3"].map(str::to_owned);
        let spec = PositionSpec { setup: Setup::new(), moves: moves.to_vec() };
        let before: Vec<TicTacToe> = spec.before().collect();
        assert_eq!(before.len(), 3);
        for (played, position) in before.iter().enumerate() {
            let there = PositionSpec { setup: Setup::new(), moves: moves[..played].to_vec() };
            assert_eq!(there.reach::<TicTacToe>().as_ref(), Ok(position));
        }
    }
}
