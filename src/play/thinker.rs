//! Engines of any game, asked by texts.

use super::{AnyMatch, Refusal};
use crate::rules::{Game, Setup};
use crate::search::{Choice, Control, Engine, Horizon, Level, Move, Rated, Report, Scope, Value};
use std::time::Duration;

/// A position by the way to it: the setup and the texts of the moves. See also [`AnyMatch::way`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The setup of the first position.
    pub setup: Setup,
    /// The moves from there.
    pub moves: Vec<String>,
}

impl Way {
    /// The way to where a match stands.
    pub fn to(game: &dyn AnyMatch) -> Way {
        let moves = game.moves().iter().map(|(_, mv)| mv.clone()).collect();
        Way { setup: game.setup(), moves }
    }

    /// Goes it.
    fn go<G: Game>(&self) -> Result<G, Refusal> {
        let mut position = G::from_setup(&self.setup).map_err(Refusal::new)?;
        for text in &self.moves {
            let mv: G::Move = text.parse().map_err(Refusal::new)?;
            position.play(mv).map_err(Refusal::new)?;
        }
        Ok(position)
    }

    /// The same, to a position in which somebody is to move.
    fn go_on<G: Game>(&self) -> Result<G, Refusal> {
        let position: G = self.go()?;
        match position.to_move() {
            Some(_) => Ok(position),
            None => Err(Refusal::new("the game is over")),
        }
    }
}

/// An engine of any game. A way that cannot be gone, or leads to a game that is over, is refused;
/// else the questions are those of [`Engine`].
pub trait Thinker: Send {
    /// See [`Engine::horizon`].
    fn horizon(&self, way: &Way, time: Duration) -> Result<Horizon, Refusal>;
    /// See [`Engine::analyse`].
    fn analyse(
        &mut self,
        way: &Way,
        scope: Scope,
        control: &Control<'_, String>,
    ) -> Result<Report<String>, Refusal>;
    /// See [`Engine::choose`].
    fn choose(
        &mut self,
        way: &Way,
        level: Level,
        control: &Control<'_, String>,
    ) -> Result<Choice<String>, Refusal>;
    /// See [`Engine::why`].
    fn why(&self, way: &Way, mv: &str) -> Option<String>;
}

impl<E: Engine> Thinker for E {
    fn horizon(&self, way: &Way, time: Duration) -> Result<Horizon, Refusal> {
        Ok(E::horizon(&way.go_on()?, time))
    }

    fn analyse(
        &mut self,
        way: &Way,
        scope: Scope,
        control: &Control<'_, String>,
    ) -> Result<Report<String>, Refusal> {
        let position: E::Game = way.go_on()?;
        let scored = position.scores().is_some();
        let hear = |report: &Report<Move<E>>| control.tell(&spell(report, scored));
        Ok(spell(&Engine::analyse(self, &position, scope, &control.heard_by(&hear)), scored))
    }

    fn choose(
        &mut self,
        way: &Way,
        level: Level,
        control: &Control<'_, String>,
    ) -> Result<Choice<String>, Refusal> {
        let position: E::Game = way.go_on()?;
        let scored = position.scores().is_some();
        let hear = |report: &Report<Move<E>>| control.tell(&spell(report, scored));
        let choice = Engine::choose(self, &position, level, &control.heard_by(&hear));
        Ok(Choice { mv: choice.mv.to_string(), report: spell(&choice.report, scored) })
    }

    fn why(&self, way: &Way, mv: &str) -> Option<String> {
        E::why(&way.go_on().ok()?, mv.parse().ok()?)
    }
}

/// A value without bounds that say nothing: in a game without scores all are within 1 of a draw.
fn telling(value: Value, scored: bool) -> Value {
    let open =
        !scored && value.lower.is_none_or(|it| it <= -1) && value.upper.is_none_or(|it| it >= 1);
    if open { Value { lower: None, upper: None, ..value } } else { value }
}

/// A report with the moves as texts.
fn spell<M: ToString>(report: &Report<M>, scored: bool) -> Report<String> {
    let texts = |moves: &[M]| moves.iter().map(M::to_string).collect();
    let rated = |it: &Rated<M>| Rated {
        mv: it.mv.to_string(),
        value: telling(it.value, scored),
        round_value: it.round_value,
    };
    Report {
        value: telling(report.value, scored),
        round_value: report.round_value,
        depth: report.depth,
        progress: report.progress,
        best: texts(&report.best),
        pv: texts(&report.pv),
        moves: report.moves.iter().map(rated).collect(),
        nodes: report.nodes,
        table: report.table,
        halt: report.halt,
    }
}
