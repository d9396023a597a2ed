//! The players at the seats of the setup form.

use super::SetupScreen;
use super::opponents::Opponent;
use super::rows::cycle;
use quadrille_match::session::{EngineSeat, GuestSeat, Player};
use quadrille_match::store::LastSetup;
use quadrille_search::Level;

/// The player at a seat: a guest, engine or program in `other`, or otherwise the person called `name`.
#[derive(Clone, Debug, Default)]
pub(super) struct SeatChoice {
    pub name: String,
    pub other: Option<Player>,
}

impl SeatChoice {
    pub fn of(player: Player) -> SeatChoice {
        match player {
            Player::Person(name) => SeatChoice { name, other: None },
            // Guests choose their names when they join.
            Player::Guest(guest) => {
                let other = Player::Guest(GuestSeat { name: String::new(), ..guest });
                SeatChoice { name: String::new(), other: Some(other) }
            }
            other => SeatChoice { name: String::new(), other: Some(other) },
        }
    }

    pub fn engine(self) -> Option<Player> {
        self.other.filter(|player| !player.is_guest())
    }
}

impl SetupScreen {
    pub(super) fn choice(&self, seat: u8) -> SeatChoice {
        self.choices.get(usize::from(seat)).cloned().unwrap_or_default()
    }

    pub(super) fn choice_mut(&mut self, seat: u8) -> &mut SeatChoice {
        let seat = usize::from(seat);
        if self.choices.len() <= seat {
            self.choices.resize_with(seat + 1, SeatChoice::default);
        }
        &mut self.choices[seat]
    }

    /// Adopts the seating of a different game: engines of the same level, guests and people.
    pub(super) fn sit_as_in(&mut self, other: &LastSetup) {
        let seats: Vec<SeatChoice> =
            other.names.iter().map(|name| SeatChoice::of(player_of(name))).collect();
        let opponent = Opponent::of(&seats);
        let is_same_size = seats.len() == usize::from(self.seats);
        for seat in 0..self.seats {
            let at = if is_same_size { usize::from(seat) } else { 1 };
            let other = seats.get(at).and_then(|seat| seat.other.clone());
            self.choice_mut(seat).other = match other {
                Some(Player::Engine(engine)) if !self.can_be_played(engine.level) => {
                    Some(Player::Engine(EngineSeat { level: Level::Casual, ..engine }))
                }
                // The program may not support this game.
                Some(Player::Program(_)) => Some(Player::Engine(self.offered_engine())),
                _ if seat == 0 && !is_same_size => None,
                other => other,
            };
        }
        self.opponent = opponent;
        self.seat_players();
        self.check();
    }

    /// Returns the first engine or program at the table that uses its thinking time; if there is none, the first engine
    /// or program. All of them have the same thinking time.
    pub(super) fn engine(&self) -> Option<Player> {
        let engines = || (0..self.seats).filter_map(|seat| self.choice(seat).engine());
        engines().find(Player::uses_time).or_else(|| engines().next())
    }

    /// Returns the players. Engines that do not use thinking time get none.
    pub(super) fn players(&self) -> Vec<Player> {
        let choices = (0..self.seats).map(|seat| self.choice(seat));
        let player = |SeatChoice { name, other }| match other {
            None => Player::Person(name),
            Some(Player::Engine(engine)) if !engine.level.uses_time() => {
                Player::Engine(EngineSeat { seed: engine.seed, ..EngineSeat::new(engine.level) })
            }
            Some(other) => other,
        };
        choices.map(player).collect()
    }

    /// Returns whether this level is available in this setup. Perfect is available only if it can solve the game in
    /// time.
    pub(super) fn can_be_played(&self, level: Level) -> bool {
        let player = Player::Engine(EngineSeat::new(level));
        self.promise.is_some_and(|promise| player.check_level(promise).is_ok())
    }

    /// Handles the left and right keys on a seat. They cycle through: person, engines, programs, guest.
    pub(super) fn turn_seat(&mut self, seat: u8, up: bool) {
        let guest = self.choice(seat).other.filter(Player::is_guest);
        let guest = guest.unwrap_or_else(|| Player::Guest(GuestSeat::default()));
        let mut choices = vec![None];
        choices.extend(self.engines_for(seat).into_iter().map(Some));
        choices.push(Some(guest));
        let next = self.next_player(seat, &choices, up);
        self.choice_mut(seat).other = next;
        self.check();
    }

    pub(super) fn turn_level(&mut self, up: bool) {
        let engines = (0..self.seats).filter(|seat| self.choice(*seat).engine().is_some());
        for seat in engines.collect::<Vec<u8>>() {
            let choices: Vec<_> = self.engines_for(seat).into_iter().map(Some).collect();
            let next = self.next_player(seat, &choices, up);
            self.choice_mut(seat).other = next;
        }
        self.check();
    }

    /// Parses a typed player: `guest`, an engine, a configured program such as `program:mine`, or a person's name. The
    /// command of a program is read as a name, which [`Player::check_name`] refuses, because typing a name must never
    /// start a program.
    pub(super) fn typed_player(&self, text: &str) -> Player {
        let mut programs = self.programs.iter();
        let configured = text
            .strip_prefix("program:")
            .and_then(|name| programs.find(|program| program.name() == name));
        match (configured, player_of(text)) {
            (Some(program), _) => Player::Program(program.clone()),
            (None, Player::Program(_)) => Player::Person(text.to_owned()),
            (None, player) => player,
        }
    }

    /// Returns the levels that are available in this setup, the configured programs, and the program of the last setup
    /// at this seat.
    fn engines_for(&self, seat: u8) -> Vec<Player> {
        let levels = Level::ALL.into_iter().filter(|level| self.can_be_played(*level));
        let levels = levels.map(|level| Player::Engine(EngineSeat { level, ..self.offered }));
        let programs = self.programs.iter().cloned().map(Player::Program);
        let mut engines: Vec<Player> = levels.chain(programs).collect();
        let last = self.choice(seat).engine();
        let last = last.filter(|last| !engines.iter().any(|engine| is_same(engine, last)));
        engines.extend(last);
        engines
    }

    /// Returns the choice after or before the current one. An engine keeps the seed and the thinking time.
    fn next_player(&self, seat: u8, choices: &[Option<Player>], up: bool) -> Option<Player> {
        let now = self.choice(seat).other;
        let is_now = |choice: &Option<Player>| match (choice, &now) {
            (Some(player), Some(other)) => is_same(player, other),
            (player, other) => player.is_none() && other.is_none(),
        };
        let at = choices.iter().position(is_now).unwrap_or(0);
        let mut next = choices.get(cycle(at, choices.len().max(1), up)).cloned().flatten()?;
        if let (Player::Engine(next), Some(Player::Engine(now))) = (&mut next, &now) {
            next.seed = now.seed;
        }
        let tenths = self.engine().map(|engine| engine.tenths()).filter(|tenths| *tenths > 0);
        next.set_tenths(tenths.unwrap_or(self.offered.tenths));
        Some(next)
    }
}

pub(super) fn player_of(name: &str) -> Player {
    name.parse().unwrap_or_else(|_| Player::Person(name.to_owned()))
}

/// Returns whether two players are the same choice for a seat: engines of the same level, programs with the same name
/// and command, or guests.
pub(super) fn is_same(player: &Player, other: &Player) -> bool {
    match (player, other) {
        (Player::Engine(engine), Player::Engine(other)) => engine.level == other.level,
        (Player::Program(program), Player::Program(other)) => {
            (program.name(), program.command()) == (other.name(), other.command())
        }
        (Player::Guest(_), Player::Guest(_)) => true,
        _ => false,
    }
}
