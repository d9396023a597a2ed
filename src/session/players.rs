//! Who sits where at a table.

use super::{GuestSeat, Player, ProgramSeat};
use crate::printable::printable;
use crate::rules::Seat;
use crate::wording::cut_to;

/// The longest name that is told in full, in letters. A file may have one of any length.
const LONGEST: usize = 1000;

/// Who sits where: one player for each seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Players(Vec<Player>);

impl Players {
    /// The players at a table of this many seats. Those that are missing or have no name become `Player 1`
    /// and so on.
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

    /// Gives the person at this seat a name. Engines keep theirs.
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

    /// The same by their names, as a file has them, to be shown. A program is a person here, so that no file can start
    /// it, called as at the table.
    pub fn named(seats: u8, names: &[String]) -> Players {
        let named = |name: &String| match name.parse() {
            Ok(Player::Program(program)) => Player::Person(program.name().to_owned()),
            _ => Player::named(name),
        };
        Players::seated(seats, names.iter().map(named).collect())
    }

    /// All of them, in the order of their seats.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &Player)> {
        (0..).map(Seat::new).zip(&self.0)
    }

    /// What the player at a seat is called at the table.
    pub fn name(&self, seat: Seat) -> &str {
        self.0.get(seat.index()).map_or("", Player::name)
    }

    /// The same players, with names that can be printed and that no two of them share: where two are called
    /// `Strong`, the one at the first seat becomes `Strong 1`.
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

    /// The same players, with names that a line has room for.
    #[must_use]
    pub fn with_short_names(&self) -> Players {
        let short = self.iter().map(|(_, player)| Player::Person(cut_to(player.name(), LONGEST)));
        Players(short.collect())
    }

    /// The engine at a seat, ours or a program, if one sits there.
    pub fn engine(&self, seat: Seat) -> Option<&Player> {
        self.0.get(seat.index()).filter(|player| !player.is_person())
    }

    /// The seats of people, those of guests among them.
    pub fn people(&self) -> impl Iterator<Item = Seat> {
        self.iter().filter(|(_, player)| player.is_person()).map(|(seat, _)| seat)
    }

    /// The seats of guests.
    pub fn guests(&self) -> impl Iterator<Item = Seat> {
        self.iter().filter(|(_, player)| player.is_guest()).map(|(seat, _)| seat)
    }

    /// The programs.
    pub fn programs(&self) -> impl Iterator<Item = &ProgramSeat> {
        self.0.iter().filter_map(Player::program)
    }

    /// Whether only engines play.
    pub fn are_engines(&self) -> bool {
        self.people().next().is_none()
    }

    /// All of them, the one at the first seat first.
    pub fn as_slice(&self) -> &[Player] {
        &self.0
    }

    /// Their names, as they are written.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// The seat of the only person, if that is somebody at this terminal without a name.
    pub fn unnamed_and_alone(&self) -> Option<Seat> {
        let mut people = self.people();
        let seat = people.next().filter(|_| people.next().is_none())?;
        let is_unnamed = matches!(self.0.get(seat.index()), Some(Player::Person(name)) if *name == unnamed(seat));
        is_unnamed.then_some(seat)
    }

    /// The names of the people at this terminal, without `Player 1` and the like. The names of guests are their own.
    pub fn given_names(&self) -> Vec<String> {
        let given = self.iter().filter_map(|(seat, player)| match player {
            Player::Person(name) if *name != unnamed(seat) => Some(name.clone()),
            _ => None,
        });
        given.collect()
    }
}

/// What a person without a name is called at this seat.
fn unnamed(seat: Seat) -> String {
    format!("Player {seat}")
}

/// A person's name at this seat: the given one, if it is one.
fn seated_name(seat: Seat, given: &str) -> String {
    match given.trim() {
        "" => unnamed(seat),
        name => name.to_owned(),
    }
}
