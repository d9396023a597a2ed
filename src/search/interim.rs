//! A stand-in until every game has an engine of its own.

use super::{Control, Engine, Horizon, Move, Report, Scope, WON, lookahead};
use crate::rules::{Game, Seat};
use std::marker::PhantomData;
use std::time::Duration;

/// Looks two plies ahead.
#[derive(Debug)]
pub struct Interim<G>(PhantomData<G>);

impl<G> Default for Interim<G> {
    fn default() -> Self {
        Interim(PhantomData)
    }
}

impl<G: Game> Engine for Interim<G> {
    type Game = G;

    fn glance(position: &G, seat: Seat) -> i32 {
        let won =
            position.outcome().map_or(0, |outcome| if outcome.has(seat) { WON } else { -WON });
        let scores = position.scores().unwrap_or_default();
        let others = scores.iter().enumerate().filter(|(other, _)| *other != seat.index());
        let other = others.map(|(_, score)| *score).max().unwrap_or_default();
        won + scores.get(seat.index()).map_or(0, |own| *own as i32 - other as i32)
    }

    fn horizon(_: &G, _: Duration) -> Horizon {
        Horizon::Sees("two plies ahead".to_owned())
    }

    fn analyse(
        &mut self,
        position: &G,
        _: Scope,
        control: &Control<'_, Move<Self>>,
    ) -> Report<Move<Self>> {
        lookahead(position, 2, Self::glance, control)
    }
}
