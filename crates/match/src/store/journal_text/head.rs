use crate::session::{Conditions, Match, Player, Session, TimeControl};
use quadrille_rules::Setup;
use quadrille_search::Level;
use quadrille_text::printable::in_a_line;

/// The part of a journal before the first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The game's name in commands and records.
    pub game: String,
    /// The complete setup.
    pub setup: Setup,
    /// The setup as the user gave it.
    pub given_setup: Setup,
    /// The date, such as `2026-11-20`.
    pub date: String,
    pub clock: Option<TimeControl>,
    /// The version of the levels, if the match began with one. Earlier builds wrote none.
    pub levels: Option<u32>,
    /// The players' names, in seat order.
    pub names: Vec<String>,
}

impl Head {
    /// Builds the head for this match. Control characters become spaces, so no text can break a line.
    pub(in crate::store) fn of(session: &Session, date: &str) -> Head {
        let (game, given_setup) = (session.current_match(), session.given_setup());
        let setup = game.setup();
        // If the given setup does not survive a round trip, store the equivalent complete setup.
        let can_be_read = given_setup.to_string().parse().as_ref() == Ok(given_setup);
        Head {
            game: game.id().to_owned(),
            given_setup: if can_be_read { given_setup.clone() } else { setup.clone() },
            setup,
            date: in_a_line(date),
            clock: session.conditions().clock,
            levels: session
                .players()
                .iter()
                .any(|(_, player)| player.engine().is_some())
                .then_some(Level::VERSION),
            names: names_of(session),
        }
    }

    /// Returns the players and the clock. A program becomes a name; see [`Player::named`]. A guest stays a guest,
    /// because guests' seats are not recorded elsewhere. Every player has a name, so a bare `guest` is a person with
    /// that name.
    pub fn conditions(&self) -> Conditions {
        let player = |name: &String| match name.parse() {
            Ok(Player::Guest(guest)) if guest.name.is_some() => Player::Guest(guest),
            _ => Player::named(name),
        };
        let players: Vec<Player> = self.names.iter().map(player).collect();
        Conditions::from(players).with_clock(self.clock)
    }

    /// Returns the head with the current names if the match has guests and the names differ. Guests get their names
    /// when they join the table.
    pub(in crate::store) fn with_names_of(&self, session: &Session) -> Option<Head> {
        let names = names_of(session);
        let is_guest = |name: &String| name.parse().is_ok_and(|player: Player| player.is_guest());
        let has_guest = || names.iter().chain(&self.names).any(is_guest);
        (names != self.names && has_guest()).then(|| Head { names, ..self.clone() })
    }

    /// Returns whether the match has the same game and setup.
    pub(in crate::store) fn is_of(&self, game: &Match) -> bool {
        (&*self.game, &self.setup) == (game.id(), &game.setup())
    }
}

fn names_of(session: &Session) -> Vec<String> {
    session.players().names().iter().map(|name| in_a_line(name)).collect()
}
