//! Engines of any game, with moves as texts.

use quadrille_match::session::{PositionSpec, Refusal};
use quadrille_rules::Position;
use quadrille_search::{
    Choice, Control, Engine, Horizon, Level, Move, RatedMove, Reason, Report, Scope, Value,
};
use std::time::Duration;

/// An engine of any game, with moves as texts. The methods correspond to those of [`Engine`]. They refuse positions
/// that are unreachable and positions where the game is over.
///
/// ```
/// use quadrille_table::engine::AnyEngine;
/// use quadrille_search::TicTacToeEngine;
/// use quadrille_match::session::PositionSpec;
///
/// let engine: Box<dyn AnyEngine> = Box::new(TicTacToeEngine::default());
/// let after = |moves: &[&str]| PositionSpec {
///     setup: "first=X".parse().unwrap(),
///     moves: moves.iter().map(|mv| (*mv).to_owned()).collect(),
/// };
/// assert_eq!(engine.count_legal_moves(&after(&["b2", "a1"])), Ok(7));
/// let refused = engine.count_legal_moves(&after(&["b2", "b2"])).unwrap_err();
/// assert_eq!(refused.to_string(), "b2 already has an X");
/// ```
pub trait AnyEngine: Send {
    /// See [`Engine::horizon`].
    fn horizon(&self, position: &PositionSpec, time: Duration) -> Result<Horizon, Refusal>;
    fn count_legal_moves(&self, position: &PositionSpec) -> Result<usize, Refusal>;
    /// See [`Engine::analyse`].
    fn analyse(
        &mut self,
        position: &PositionSpec,
        scope: Scope,
        control: &Control<'_, String>,
    ) -> Result<Report<String>, Refusal>;
    /// See [`Engine::choose_in_match`].
    fn choose(
        &mut self,
        position: &PositionSpec,
        level: Level,
        control: &Control<'_, String>,
    ) -> Result<Choice<String>, Refusal>;
    /// See [`Engine::ponder`].
    fn ponder(
        &mut self,
        position: &PositionSpec,
        control: &Control<'_, String>,
    ) -> Result<(), Refusal>;
    /// See [`Engine::why`]. Also returns `None` if the position is refused or the move is invalid.
    fn why(&self, position: &PositionSpec, mv: &str) -> Option<Reason>;
}

impl<E: Engine> AnyEngine for E {
    fn horizon(&self, position: &PositionSpec, time: Duration) -> Result<Horizon, Refusal> {
        Ok(E::horizon(&position.reach_unfinished()?, time))
    }

    fn count_legal_moves(&self, position: &PositionSpec) -> Result<usize, Refusal> {
        Ok(position.reach_unfinished::<E::Game>()?.legal_moves().len())
    }

    fn analyse(
        &mut self,
        position: &PositionSpec,
        scope: Scope,
        control: &Control<'_, String>,
    ) -> Result<Report<String>, Refusal> {
        let position: E::Game = position.reach_unfinished()?;
        let scored = position.scores().is_some();
        let on_report = |report: &Report<Move<E>>| control.send_report(&with_texts(report, scored));
        Ok(with_texts(
            &Engine::analyse(self, &position, scope, &control.reporting_to(&on_report)),
            scored,
        ))
    }

    fn choose(
        &mut self,
        position: &PositionSpec,
        level: Level,
        control: &Control<'_, String>,
    ) -> Result<Choice<String>, Refusal> {
        let earlier = position.before();
        let position: E::Game = position.reach_unfinished()?;
        let scored = position.scores().is_some();
        let on_report = |report: &Report<Move<E>>| control.send_report(&with_texts(report, scored));
        let control = control.reporting_to(&on_report);
        let choice = Engine::choose_in_match(self, earlier, &position, level, &control);
        Ok(Choice { mv: choice.mv.to_string(), report: with_texts(&choice.report, scored) })
    }

    fn ponder(
        &mut self,
        position: &PositionSpec,
        control: &Control<'_, String>,
    ) -> Result<(), Refusal> {
        Engine::ponder(self, &position.reach_unfinished()?, &control.reporting_to(&|_| ()));
        Ok(())
    }

    fn why(&self, position: &PositionSpec, mv: &str) -> Option<Reason> {
        E::why(&position.reach_unfinished().ok()?, mv.parse().ok()?)
    }
}

/// Drops trivial bounds: in a game without scores, every value is between -1 and 1.
fn without_trivial_bounds(value: Value, scored: bool) -> Value {
    let is_trivial = !scored
        && value.lower.is_none_or(|lower| lower <= -1)
        && value.upper.is_none_or(|upper| upper >= 1);
    if is_trivial { Value { lower: None, upper: None, ..value } } else { value }
}

/// Converts a report to moves as texts. Once the value of the position is proven, the best moves get that value,
/// possibly before the engine has rated each move.
fn with_texts<M: ToString + PartialEq>(report: &Report<M>, scored: bool) -> Report<String> {
    let texts = |moves: &[M]| moves.iter().map(M::to_string).collect();
    let rated = |found: &RatedMove<M>| {
        let is_proven = report.value.proven().is_some() && report.best.contains(&found.mv);
        let value = if is_proven { report.value } else { found.value };
        RatedMove {
            mv: found.mv.to_string(),
            value: without_trivial_bounds(value, scored),
            round_value: found.round_value,
        }
    };
    Report {
        value: without_trivial_bounds(report.value, scored),
        round_value: report.round_value,
        depth: report.depth,
        progress: report.progress,
        best: texts(&report.best),
        pv: texts(&report.pv),
        moves: report.moves.iter().map(rated).collect(),
        variations: report.variations.iter().map(|line| texts(line)).collect(),
        nodes: report.nodes,
        table_bytes: report.table_bytes,
        fill: report.fill,
        moves_decided: report.moves_decided,
        halt: report.halt,
    }
}
