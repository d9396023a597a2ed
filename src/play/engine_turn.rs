//! What the engine at the table does when it is its turn: the same for every front end.

use super::{Ask, EngineEvent, Table};
use crate::session::Forfeit;
use std::path::PathBuf;
use std::time::Duration;

/// Whether the engine whose turn it is may think, and whether time of play passes meanwhile. The table itself knows
/// whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineTurn {
    #[default]
    Thinks,
    /// It is a program, which is being started. That takes no time of play.
    Starts,
    /// It waits until it is told to go on.
    Waits,
}

/// The consequence of an engine's event for the match.
#[derive(Debug)]
pub enum EngineOutcome {
    /// Nothing has changed that is to be seen.
    Nothing,
    /// The program at the table is being started, or has been.
    Starting,
    /// The engine at the table plays this move; see [`Table::play_for_engine`].
    Move(String),
    /// The program at the table has lost; see [`Table::forfeit`].
    Forfeit {
        reason: Forfeit,
        /// The file with what the program wrote to its standard error.
        messages: Option<PathBuf>,
    },
    /// The engine at the table has no answer. It waits, and can be asked again.
    Failed(String),
    /// An engine that helps has news.
    Help(EngineEvent),
}

impl EngineTurn {
    /// Whether the engine whose turn it is thinks now, or should: it need not wait, and nobody has to be asked whether
    /// it may be started.
    pub fn thinks(self, table: &Table) -> bool {
        let may_think = self != EngineTurn::Waits && table.program_to_permit().is_none();
        table.engine_to_move().is_some() && may_think
    }

    /// Whether time of play passes: for a person it does, and for an engine that thinks.
    pub fn time_runs(self, table: &Table) -> bool {
        let is_starting = self == EngineTurn::Starts;
        table.engine_to_move().is_none() || self.thinks(table) && !is_starting
    }

    /// The question for the engine whose turn it is, if it thinks; see [`Table::engine_ask`].
    pub fn ask(self, table: &Table, seed: u32, at: Duration) -> Option<Ask> {
        table.engine_ask(seed, at).filter(|_| self.thinks(table))
    }

    /// Lets the engine go on; `false` if it did not wait.
    pub fn go_on(&mut self) -> bool {
        let waited = *self == EngineTurn::Waits;
        if waited {
            *self = EngineTurn::Thinks;
        }
        waited
    }

    /// Takes an event of an engine, and says what follows from it. It changes nothing in the match.
    pub fn hear(&mut self, event: EngineEvent, table: &Table) -> EngineOutcome {
        // A clock may have ended the match meanwhile.
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
