//! Engines of any game.

use quadrille_match::session::{AnyPosition, Match, Refusal};
use quadrille_rules::Position;
use quadrille_search::{
    Choice, Control, Engine, Horizon, Level, Move, RatedMove, Reason, Report, Scope, Value, memory,
};
use std::time::Duration;

/// An engine of any game, with moves as texts in its answers. The methods correspond to those of [`Engine`]. They refuse
/// positions of other games and positions where the game is over.
///
/// ```
/// use quadrille_match::session::Match;
/// use quadrille_rules::tic_tac_toe::TicTacToe;
/// use quadrille_search::{Control, Scope, TicTacToeEngine};
/// use quadrille_table::engine::AnyEngine;
///
/// let mut engine: Box<dyn AnyEngine> = Box::new(TicTacToeEngine::default());
/// let mut game = Match::new(TicTacToe::from_setup(&"first=X".parse().unwrap()).unwrap());
/// # use quadrille_rules::Position;
/// for mv in ["a1", "b1", "a2", "b2"] {
///     game.play(mv).unwrap();
/// }
/// let report = engine.analyse(game.now(), Scope::Best, &Control::default()).unwrap();
/// assert_eq!(report.best, ["a3"]);
/// game.play("a3").unwrap();
/// let refused = engine.analyse(game.now(), Scope::Best, &Control::default()).unwrap_err();
/// assert_eq!(refused.to_string(), "the game is over");
/// ```
pub trait AnyEngine: Send {
    /// See [`Engine::horizon`].
    fn horizon(&self, position: &dyn AnyPosition, time: Duration) -> Result<Horizon, Refusal>;
    /// See [`Engine::analyse`].
    fn analyse(
        &mut self,
        position: &dyn AnyPosition,
        scope: Scope,
        control: &Control<'_, String>,
    ) -> Result<Report<String>, Refusal>;
    /// Chooses a move in the current position of a match; see [`Engine::choose_in_match`].
    fn choose(
        &mut self,
        game: &Match,
        level: Level,
        control: &Control<'_, String>,
    ) -> Result<Choice<String>, Refusal>;
    /// See [`Engine::ponder`].
    fn ponder(
        &mut self,
        position: &dyn AnyPosition,
        control: &Control<'_, String>,
    ) -> Result<(), Refusal>;
    /// See [`Engine::why`]. Also returns `None` if the position is refused or the move is invalid.
    fn why(&self, position: &dyn AnyPosition, mv: &str) -> Option<Reason>;
}

impl<E: Engine> AnyEngine for E {
    fn horizon(&self, position: &dyn AnyPosition, time: Duration) -> Result<Horizon, Refusal> {
        Ok(E::horizon(typed::<E>(position)?, time))
    }

    fn analyse(
        &mut self,
        position: &dyn AnyPosition,
        scope: Scope,
        control: &Control<'_, String>,
    ) -> Result<Report<String>, Refusal> {
        let scored = position.scores().is_some();
        let on_report = |report: &Report<Move<E>>| control.send_report(&with_texts(report, scored));
        let control = control.reporting_to(&on_report);
        Ok(with_texts(&Engine::analyse(self, typed::<E>(position)?, scope, &control), scored))
    }

    fn choose(
        &mut self,
        game: &Match,
        level: Level,
        control: &Control<'_, String>,
    ) -> Result<Choice<String>, Refusal> {
        let position = game.now();
        let scored = position.scores().is_some();
        let on_report = |report: &Report<Move<E>>| control.send_report(&with_texts(report, scored));
        let control = control.reporting_to(&on_report);
        let earlier = game.earlier().map_while(|position| position.typed().cloned());
        let position = typed::<E>(position)?;
        let choice = Engine::choose_in_match(self, earlier, position, level, &control);
        Ok(Choice { mv: choice.mv.to_string(), report: with_texts(&choice.report, scored) })
    }

    fn ponder(
        &mut self,
        position: &dyn AnyPosition,
        control: &Control<'_, String>,
    ) -> Result<(), Refusal> {
        Engine::ponder(self, typed::<E>(position)?, &control.reporting_to(&|_| ()));
        Ok(())
    }

    fn why(&self, position: &dyn AnyPosition, mv: &str) -> Option<Reason> {
        E::why(typed::<E>(position).ok()?, mv.parse().ok()?)
    }
}

/// Returns the position for its engine. Refuses a position of a different game, or with no seat to move.
fn typed<E: Engine>(position: &dyn AnyPosition) -> Result<&E::Game, Refusal> {
    if position.to_move().is_none() {
        return Err(Refusal::new("the game is over"));
    }
    let other = || Refusal::new(format!("a {} engine cannot play {}", E::Game::ID, position.id()));
    position.typed().ok_or_else(other)
}

/// Drops trivial bounds: in a game without scores, every value is between -1 and 1.
fn without_trivial_bounds(value: Value, scored: bool) -> Value {
    let is_trivial = !scored
        && value.lower.is_none_or(|lower| lower <= -1)
        && value.upper.is_none_or(|upper| upper >= 1);
    if is_trivial { Value { lower: None, upper: None, ..value } } else { value }
}

/// Converts a report to moves as texts. Once the value of the position is proven, the best moves get that value,
/// possibly before the engine has rated each move. Without the memory for all moves, the result has none.
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
    let mut moves = Vec::new();
    let out_of_memory = memory::reserve(&mut moves, report.moves.len()).err();
    if out_of_memory.is_none() {
        moves.extend(report.moves.iter().map(rated));
    }
    Report {
        value: without_trivial_bounds(report.value, scored),
        round_value: report.round_value,
        depth: report.depth,
        progress: report.progress,
        best: texts(&report.best),
        pv: texts(&report.pv),
        moves,
        variations: report.variations.iter().map(|line| texts(line)).collect(),
        nodes: report.nodes,
        table_bytes: report.table_bytes,
        fill: report.fill,
        moves_decided: report.moves_decided,
        halt: report.halt.or(out_of_memory.map(Into::into)),
    }
}
