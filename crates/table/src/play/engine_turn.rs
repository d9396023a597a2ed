//! The turn of an engine at the table, shared by all front ends.

use super::{Ask, EngineEvent, Table};
use quadrille_match::session::Forfeit;
use std::path::PathBuf;
use std::time::Duration;

/// Whether the engine to move may think, and whether its clock runs. The table itself tracks whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineTurn {
    #[default]
    Thinks,
    /// A program is starting. No match time passes.
    Starts,
    /// Waiting for a call of [`go_on`](EngineTurn::go_on).
    Waits,
}

/// The effect of an engine's event on the match.
#[derive(Debug)]
pub enum EngineOutcome {
    /// No visible change.
    Nothing,
    Starting,
    /// The engine plays this move; see [`Table::play_for_engine`].
    Move(String),
    /// The program forfeits; see [`Table::forfeit`].
    Forfeit {
        reason: Forfeit,
        /// The file with the program's stderr.
        messages: Option<PathBuf>,
    },
    /// The engine has no answer. It waits and can be asked again.
    Failed(String),
    /// An event of the engine that provides hints and values.
    Help(EngineEvent),
}

impl EngineTurn {
    /// Returns whether the engine to move should think: it is not waiting and needs no permission to start.
    pub fn thinks(self, table: &Table) -> bool {
        let may_think = self != EngineTurn::Waits && table.program_to_permit().is_none();
        table.engine_to_move().is_some() && may_think
    }

    /// Returns whether match time passes: on a person's turn, and while an engine thinks.
    pub fn time_runs(self, table: &Table) -> bool {
        let is_starting = self == EngineTurn::Starts;
        table.engine_to_move().is_none() || self.thinks(table) && !is_starting
    }

    /// Returns the request for the engine to move, if it should think; see [`Table::engine_ask`].
    pub fn ask(self, table: &Table, seed: u32, at: Duration) -> Option<Ask> {
        table.engine_ask(seed, at).filter(|_| self.thinks(table))
    }

    /// Lets a waiting engine continue; `false` if it was not waiting.
    pub fn go_on(&mut self) -> bool {
        let waited = *self == EngineTurn::Waits;
        if waited {
            *self = EngineTurn::Thinks;
        }
        waited
    }

    /// Processes an engine's event and returns its effect. Does not change the match.
    pub fn on_event(&mut self, event: EngineEvent, table: &Table) -> EngineOutcome {
        // The clock may have ended the match in the meantime.
        if table.current_match().to_move().is_none() || event == EngineEvent::Pondered {
            return EngineOutcome::Nothing;
        }
        if table.engine_to_move().is_none() {
            return EngineOutcome::Help(event);
        }
        match event {
            EngineEvent::Starting => {
                *self = EngineTurn::Starts;
                EngineOutcome::Starting
            }
            EngineEvent::Ready => {
                *self = EngineTurn::Thinks;
                EngineOutcome::Starting
            }
            EngineEvent::Chosen { mv, .. } => EngineOutcome::Move(mv),
            EngineEvent::Forfeit { reason, messages } => {
                EngineOutcome::Forfeit { reason, messages }
            }
            EngineEvent::Failed(why) => {
                *self = EngineTurn::Waits;
                EngineOutcome::Failed(why)
            }
            event => EngineOutcome::Help(event),
        }
    }
}
