//! The players at a table.

use super::{GuestSeat, Player, ProgramSeat};
use quadrille_rules::Seat;
use quadrille_text::printable::printable;
use quadrille_text::wording::cut_to;

/// The maximum number of letters of a name in messages. Names in files have no limit.
const MAX_NAME_CHARS: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Players(Vec<Player>);

impl Players {
    /// Seats these players at a table with `seats` seats. Missing and unnamed players become `Player 1` and so on.
    pub fn seated(seats: u8, players: Vec<Player>) -> Players {
        let mut players: Vec<Player> = players.into_iter().take(seats.into()).collect();
        players.resize(seats.into(), Player::Person(String::new()));
        for (seat, player) in (0..).map(Seat::new).zip(&mut players) {
            if let Player::Person(name) | Player::Guest(GuestSeat { name, .. }) = player {
                *name = seated_name(seat, name);
            }
        }
        Players(players)
    }

    /// Sets the name of the person at this seat. Engines keep their names.
    pub(super) fn name_person(&mut self, at: Seat, to: &str) {
        match self.0.get_mut(at.index()) {
            Some(Player::Guest(guest)) => guest.name = seated_name(at, to),
            Some(Player::Person(name)) => *name = seated_name(at, to),
            _ => {}
        }
    }

    pub(super) fn seat_guest(&mut self, at: Seat) {
        if let Some(player) = self.0.get_mut(at.index()) {
            let name = player.name().to_owned();
            *player = Player::Guest(GuestSeat { name, hints: false });
        }
    }

    /// Seats players by their names from a file, for display. A program becomes a person with the program's display
    /// name, so that no file can start the program.
    pub fn named(seats: u8, names: &[String]) -> Players {
        let named = |name: &String| match name.parse() {
            Ok(Player::Program(program)) => Player::Person(program.name().to_owned()),
            _ => Player::named(name),
        };
        Players::seated(seats, names.iter().map(named).collect())
    }

    /// Returns the players, with a person in place of each program that [plays elsewhere](ProgramSeat::elsewhere).
    #[must_use]
    pub fn without_unknown(&self) -> Players {
        let known = self.0.iter().map(|player| match player {
            Player::Program(program) if program.command().is_empty() => {
                Player::Person(program.name().to_owned())
            }
            player => player.clone(),
        });
        Players(known.collect())
    }

    /// Iterates over the players in seat order.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &Player)> {
        (0..).map(Seat::new).zip(&self.0)
    }

    /// Returns the display name of the player at a seat.
    pub fn name(&self, seat: Seat) -> &str {
        self.0.get(seat.index()).map_or("", Player::name)
    }

    /// Returns the players with printable, distinct names: of two players called `Strong`, the first becomes
    /// `Strong 1`.
    #[must_use]
    pub fn with_distinct_names(&self) -> Players {
        let is_shared =
            |name: &str| self.iter().filter(|(_, other)| other.name() == name).count() > 1;
        let apart = self.iter().map(|(seat, player)| {
            let name = printable(player.name());
            let shared = is_shared(player.name());
            Player::Person(if shared { format!("{name} {seat}") } else { name.into_owned() })
        });
        Players(apart.collect())
    }

    /// Returns the players with names short enough for one line.
    #[must_use]
    pub fn with_short_names(&self) -> Players {
        let short =
            self.iter().map(|(_, player)| Player::Person(cut_to(player.name(), MAX_NAME_CHARS)));
        Players(short.collect())
    }

    pub fn engine(&self, seat: Seat) -> Option<&Player> {
        self.0.get(seat.index()).filter(|player| !player.is_person())
    }

    /// Returns the seats of people, including guests.
    pub fn people(&self) -> impl Iterator<Item = Seat> {
        self.iter().filter(|(_, player)| player.is_person()).map(|(seat, _)| seat)
    }

    pub fn guests(&self) -> impl Iterator<Item = Seat> {
        self.iter().filter(|(_, player)| player.is_guest()).map(|(seat, _)| seat)
    }

    /// Iterates over the seats of guests whose names are known.
    pub fn named_guests(&self) -> impl Iterator<Item = Seat> {
        self.guests().filter(|&seat| self.name(seat) != unnamed(seat))
    }

    pub fn programs(&self) -> impl Iterator<Item = &ProgramSeat> {
        self.0.iter().filter_map(Player::program)
    }

    pub fn are_engines(&self) -> bool {
        self.people().next().is_none()
    }

    /// Returns all players, in seat order.
    pub fn as_slice(&self) -> &[Player] {
        &self.0
    }

    /// Returns the full text of each player.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// Returns the seat of the only person, if that person is at this terminal and has no name.
    pub fn unnamed_and_alone(&self) -> Option<Seat> {
        let mut people = self.people();
        let seat = people.next().filter(|_| people.next().is_none())?;
        let is_unnamed = matches!(self.0.get(seat.index()), Some(Player::Person(name)) if *name == unnamed(seat));
        is_unnamed.then_some(seat)
    }

    /// Returns the names of the people at this terminal, without placeholders such as `Player 1`. Guests name
    /// themselves.
    pub fn given_names(&self) -> Vec<String> {
        let given = self.iter().filter_map(|(seat, player)| match player {
            Player::Person(name) if *name != unnamed(seat) => Some(name.clone()),
            _ => None,
        });
        given.collect()
    }
}

/// Returns the placeholder name for this seat.
fn unnamed(seat: Seat) -> String {
    format!("Player {seat}")
}

/// Returns the name of the person at this seat: the given name if it is valid, or else the placeholder.
fn seated_name(seat: Seat, given: &str) -> String {
    match given.trim() {
        "" => unnamed(seat),
        name => name.to_owned(),
    }
}
