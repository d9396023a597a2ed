//! A session of any game, with moves as texts.

use super::{
    Actor, AnyMatch, Clocks, Conditions, DrawOffer, LoggedStep, Player, Players, Refusal, Session,
    Step,
};
use crate::rules::{Position, Seat, Setup};
use std::time::Duration;

/// A session of any game. Its moves are texts.
pub trait AnySession: Send {
    /// A number that no other session of this process has. A journal knows its match by it.
    fn id(&self) -> u64;
    /// The match.
    fn game(&self) -> &dyn AnyMatch;
    /// Who sits where.
    fn players(&self) -> &Players;
    /// The setup as it was given, which need not be complete.
    fn given_setup(&self) -> &Setup;
    /// All that happened, from the start.
    fn log(&self) -> &[LoggedStep];
    /// Who plays, and with which clock.
    fn conditions(&self) -> Conditions;
    /// The clocks, if it is played with any.
    fn clocks(&self) -> Option<&Clocks>;
    /// The draw that is offered, if one is.
    fn offer(&self) -> Option<&DrawOffer>;
    /// Takes a step at this time of play. Nothing else changes a match. Whose turn it is and who may take the
    /// step is checked here; a refusal changes nothing.
    fn apply(&mut self, by: Actor, step: Step, at: Duration) -> Result<(), Refusal>;
}

impl dyn AnySession + '_ {
    /// How long the match had been played at its last step.
    pub fn time(&self) -> Duration {
        self.log().last().map_or(Duration::ZERO, |last| last.at)
    }

    /// Whether anything has happened since the match began, with the moves of a record or without any. Those stand at
    /// the time 0 in the log. A pause is nothing.
    pub fn has_news(&self) -> bool {
        let is_new = |it: &LoggedStep| !it.at.is_zero() && it.step != Step::Pause;
        self.log().iter().rev().any(is_new)
    }

    /// The time that each seat has left on its clock at this time of play, the first seat first; `None`
    /// without a clock.
    pub fn time_left(&self, at: Duration) -> Option<Vec<Duration>> {
        Some(self.clocks()?.left(self.game().to_move(), at))
    }

    /// The time of play at which the seat to move is out of time; `None` where no clock runs.
    pub fn runs_out(&self) -> Option<Duration> {
        Some(self.clocks()?.runs_out(self.game().to_move()?))
    }

    /// Who is out of time at this time of play. The arbiter has to end the match then.
    pub fn out_of_time(&self, at: Duration) -> Option<Seat> {
        self.game().to_move().filter(|_| self.runs_out().is_some_and(|end| end <= at))
    }

    /// The engine whose turn it is, ours or a program.
    pub fn engine_to_move(&self) -> Option<&Player> {
        self.players().engine(self.game().to_move()?)
    }

    /// The step that takes back what happened last: an end that was not by the rules, or else the last move.
    /// `None` at the start.
    pub fn undo_step(&self) -> Option<Step> {
        let game = self.game();
        let before = || game.edge(game.node()).map(|(before, _)| before);
        let node = if game.termination().is_some() { Some(game.node()) } else { before() };
        node.map(Step::GoTo)
    }

    /// The step that redoes what was taken back; `None` when there is nothing to redo.
    pub fn redo_step(&self) -> Option<Step> {
        let game = self.game();
        game.next_node(game.node()).map(Step::GoTo)
    }

    /// Who takes such a step: the seat to move, somebody at the table, or the arbiter.
    pub fn actor_of(&self, step: &Step) -> Actor {
        match step {
            Step::GoTo(_) | Step::SelectVariation(_) | Step::Pause => Actor::Table,
            Step::End(_) => Actor::Arbiter,
            _ => self.game().to_move().map_or(Actor::Table, Actor::Seat),
        }
    }
}

impl<G: Position> AnySession for Session<G> {
    fn id(&self) -> u64 {
        self.id
    }

    fn game(&self) -> &dyn AnyMatch {
        &self.game
    }

    fn players(&self) -> &Players {
        &self.players
    }

    fn given_setup(&self) -> &Setup {
        &self.given_setup
    }

    fn log(&self) -> &[LoggedStep] {
        &self.log
    }

    fn conditions(&self) -> Conditions {
        let clock = self.clocks.as_ref().map(Clocks::control);
        Conditions { players: self.players.as_slice().to_vec(), clock }
    }

    fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    fn offer(&self) -> Option<&DrawOffer> {
        self.offer.as_ref()
    }

    fn apply(&mut self, by: Actor, step: Step, at: Duration) -> Result<(), Refusal> {
        let at = Duration::from_millis(at.as_millis() as u64).max((self as &dyn AnySession).time());
        let step = self.take(by, step, at)?;
        self.add_to_log(by, step, at);
        Ok(())
    }
}
