//! The head of a journal.

use crate::printable::in_a_line;
use crate::rules::Setup;
use crate::session::{Conditions, Match, Session, TimeControl};

/// What stands in a journal before the first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The name of the game in commands and records.
    pub game: String,
    /// The complete setup.
    pub setup: Setup,
    /// The setup as it was given.
    pub given_setup: Setup,
    /// The day, as `2026-11-20`.
    pub date: String,
    pub clock: Option<TimeControl>,
    /// The names of the seats, in their order.
    pub names: Vec<String>,
}

impl Head {
    /// The head of this match. Nothing in it can break a line: control characters become spaces.
    pub(in crate::store) fn of(session: &Session, date: &str) -> Head {
        let (game, given_setup) = (session.current_match(), session.given_setup());
        let setup = game.setup();
        // If the given setup could not be read back, the complete setup says the same.
        let can_be_read = given_setup.to_string().parse().as_ref() == Ok(given_setup);
        Head {
            game: game.id().to_owned(),
            given_setup: if can_be_read { given_setup.clone() } else { setup.clone() },
            setup,
            date: in_a_line(date),
            clock: session.conditions().clock,
            names: session.players().names().iter().map(|name| in_a_line(name)).collect(),
        }
    }

    /// Who plays, and with which clock. A program is only a name here; see [`Conditions::named`].
    pub fn conditions(&self) -> Conditions {
        Conditions::named(&self.names).with_clock(self.clock)
    }

    /// Whether this match has the same game and setup.
    pub(in crate::store) fn is_of(&self, game: &Match) -> bool {
        (&*self.game, &self.setup) == (game.id(), &game.setup())
    }
}
