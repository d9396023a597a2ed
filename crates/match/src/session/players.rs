//! The players at a table.

use super::{GuestSeat, Player, ProgramSeat};
use quadrille_rules::Seat;
use quadrille_text::wording::cut_to;

/// The maximum number of letters of a name in messages. Names in files have no limit.
const MAX_NAME_CHARS: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Players(Vec<Player>);

impl Players {
    /// Seats these players at a table with `seats` seats. People take the missing seats. The [placeholder](Players::name)
    /// of a seat is not a name.
    pub fn seated(seats: u8, players: Vec<Player>) -> Players {
        let mut players: Vec<Player> = players.into_iter().take(seats.into()).collect();
        players.resize(seats.into(), Player::Person(None));
        for (seat, player) in (0..).map(Seat::new).zip(&mut players) {
            if let Player::Person(name) | Player::Guest(GuestSeat { name, .. }) = player {
                *name = name.as_deref().and_then(|name| given(seat, name));
            }
        }
        Players(players)
    }

    /// Sets the name of the person at this seat, unless it is the [placeholder](Players::name). Engines keep their names.
    pub(super) fn name_person(&mut self, at: Seat, to: &str) {
        if let Some(Player::Person(name) | Player::Guest(GuestSeat { name, .. })) =
            self.0.get_mut(at.index())
        {
            *name = given(at, to);
        }
    }

    pub(super) fn seat_guest(&mut self, at: Seat) {
        if let Some(player) = self.0.get_mut(at.index()) {
            let name = player.name().map(str::to_owned);
            *player = Player::Guest(GuestSeat { name, hints: false });
        }
    }

    /// Seats players by their names from a file, for display. A program becomes a person with the program's display
    /// name, so that no file can start the program.
    pub fn named(seats: u8, names: &[String]) -> Players {
        let named = |name: &String| match name.parse() {
            Ok(Player::Program(program)) => Player::person(program.name()),
            _ => Player::named(name),
        };
        Players::seated(seats, names.iter().map(named).collect())
    }

    /// Returns the players, with a person in place of each program that [plays elsewhere](ProgramSeat::elsewhere).
    #[must_use]
    pub fn without_unknown(&self) -> Players {
        let known = self.0.iter().map(|player| match player {
            Player::Program(program) if program.command().is_empty() => {
                Player::person(program.name())
            }
            player => player.clone(),
        });
        Players(known.collect())
    }

    /// Iterates over the players in seat order.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &Player)> {
        (0..).map(Seat::new).zip(&self.0)
    }

    /// Returns the display name of the player at a seat. People without a name have a placeholder, such as `Player 1`,
    /// on screens and in files and messages.
    pub fn name(&self, seat: Seat) -> &str {
        let player = self.0.get(seat.index());
        player.map_or("", |player| player.name().unwrap_or(Player::placeholder(seat)))
    }

    /// Returns the players with names short enough for one line.
    #[must_use]
    pub fn with_short_names(&self) -> Players {
        let short = |(seat, _)| Player::person(&cut_to(self.name(seat), MAX_NAME_CHARS));
        Players(self.iter().map(short).collect())
    }

    /// Returns the players, each moved to the next seat. If several people play, those without a name take their
    /// placeholder along, which tells them apart.
    pub fn rotated(&self) -> Vec<Player> {
        let is_alone = self.only_person().is_some();
        let moved = self.iter().map(|(seat, player)| match player {
            Player::Person(None) if !is_alone => Player::person(Player::placeholder(seat)),
            player => player.clone(),
        });
        let mut players: Vec<Player> = moved.collect();
        players.rotate_right(1);
        players
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
        let is_named = |(_, player): &(Seat, &Player)| player.is_guest() && player.name().is_some();
        self.iter().filter(is_named).map(|(seat, _)| seat)
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

    /// Returns the full text of each player for files and messages.
    pub fn names(&self) -> Vec<String> {
        let text = |(seat, player): (Seat, &Player)| match player {
            Player::Person(_) => self.name(seat).to_owned(),
            Player::Guest(guest) => {
                let name = Some(self.name(seat).to_owned());
                GuestSeat { name, ..*guest }.to_string()
            }
            player => player.to_string(),
        };
        self.iter().map(text).collect()
    }

    /// Returns the seat of the only person, if that person is at this terminal.
    pub fn only_person(&self) -> Option<Seat> {
        let mut people = self.people();
        let seat = people.next().filter(|_| people.next().is_none())?;
        matches!(self.0.get(seat.index()), Some(Player::Person(_))).then_some(seat)
    }

    /// Returns the name of the only person at this terminal, with or without guests.
    pub fn name_used_alone(&self) -> Option<&str> {
        let mut here = self.0.iter().filter(|player| matches!(player, Player::Person(_)));
        here.next().filter(|_| here.next().is_none())?.name()
    }

    /// Gives this name to the first person at this terminal, unless that person has a name or another player has this
    /// one.
    #[must_use]
    pub fn with_usual_name(mut self, usual: &str) -> Players {
        let is_taken = self.0.iter().any(|player| player.name() == Some(usual));
        let mut here = (0..).map(Seat::new).zip(&mut self.0);
        if let Some((seat, Player::Person(name @ None))) =
            here.find(|(_, player)| matches!(player, Player::Person(_))).filter(|_| !is_taken)
        {
            *name = given(seat, usual);
        }
        self
    }

    /// Returns the names of the people at this terminal. Guests name themselves.
    pub fn given_names(&self) -> Vec<String> {
        let given = self.0.iter().filter_map(|player| match player {
            Player::Person(name) => name.clone(),
            _ => None,
        });
        given.collect()
    }
}

/// Returns the name of a person at this seat; `None` for an empty text and for the placeholder.
fn given(seat: Seat, name: &str) -> Option<String> {
    let name = name.trim();
    (!name.is_empty() && name != Player::placeholder(seat)).then(|| name.to_owned())
}
