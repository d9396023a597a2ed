//! Who plays at each seat.

use super::SetupScreen;
use super::rows::cycle;
use crate::search::Level;
use crate::session::{EngineSeat, GuestSeat, Player};
use crate::store::LastSetup;

/// Who plays at a seat: a guest, an engine or a program, or else the person with this name.
#[derive(Clone, Debug, Default)]
pub(super) struct SeatChoice {
    pub name: String,
    pub other: Option<Player>,
}

impl SeatChoice {
    pub fn of(player: Player) -> SeatChoice {
        match player {
            Player::Person(name) => SeatChoice { name, other: None },
            // Guests name themselves when they come.
            Player::Guest(guest) => {
                let other = Player::Guest(GuestSeat { name: String::new(), ..guest });
                SeatChoice { name: String::new(), other: Some(other) }
            }
            other => SeatChoice { name: String::new(), other: Some(other) },
        }
    }

    /// The engine or the program.
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

    /// Gives engines of the same level the seats that they had in another game.
    pub(super) fn sit_as_in(&mut self, other: &LastSetup) {
        if other.names.len() != usize::from(self.seats) {
            return;
        }
        for (seat, name) in (0..).zip(&other.names) {
            let Ok(Player::Engine(engine)) = name.parse() else { continue };
            let level = if self.can_be_played(engine.level) { engine.level } else { Level::Casual };
            self.choice_mut(seat).other = Some(Player::Engine(EngineSeat { level, ..engine }));
        }
        self.check();
    }

    /// The first engine or program at the table that uses its time, or else the first; all think for the same time.
    pub(super) fn engine(&self) -> Option<Player> {
        let engines = || (0..self.seats).filter_map(|seat| self.choice(seat).engine());
        engines().find(Player::uses_time).or_else(|| engines().next())
    }

    /// Who sits at the table. The time of an engine that looks at no clock is left out.
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

    /// Whether an engine of this level keeps its promise in this setup.
    pub(super) fn can_be_played(&self, level: Level) -> bool {
        let player = Player::Engine(EngineSeat::new(level));
        self.promise.as_ref().is_some_and(|promise| player.check_level(promise).is_ok())
    }

    /// Left and right on a seat. They go through the person, the levels that keep their promise in this
    /// setup, the programs of the settings, and the guest, who is to the left of the person.
    pub(super) fn turn_seat(&mut self, seat: u8, up: bool) {
        let engine = |level| Player::Engine(EngineSeat { level, ..self.offered });
        let levels = Level::ALL.into_iter().filter(|level| self.can_be_played(*level));
        let engines = levels.map(engine);
        let programs = self.programs.iter().cloned().map(Player::Program);
        let mut others: Vec<Player> = engines.chain(programs).collect();
        let tenths = self
            .engine()
            .map(|engine| engine.tenths())
            .filter(|tenths| *tenths > 0)
            .unwrap_or(self.offered.tenths);
        let choice = self.choice(seat);
        // A program that was typed comes after them.
        others.extend(
            choice
                .other
                .clone()
                .filter(|player| !player.is_guest())
                .filter(|player| !others.iter().any(|other| is_same(player, other))),
        );
        let guest = choice.other.clone().filter(Player::is_guest);
        others.push(guest.unwrap_or_else(|| Player::Guest(GuestSeat::default())));
        let at = choice
            .other
            .as_ref()
            .and_then(|player| others.iter().position(|other| is_same(player, other)));
        let next = cycle(at.map_or(0, |at| at + 1), others.len() + 1, up);
        let other = next.checked_sub(1).map(|next| {
            let seed =
                choice.other.and_then(|player| player.engine()).and_then(|engine| engine.seed);
            let mut player = match others.swap_remove(next) {
                Player::Engine(engine) => Player::Engine(EngineSeat { seed, ..engine }),
                other => other,
            };
            player.set_tenths(tenths);
            player
        });
        self.choice_mut(seat).other = other;
        self.check();
    }
}

/// Whether these are the same choice for a seat: engines of one level, programs with one name and command, or guests.
fn is_same(player: &Player, other: &Player) -> bool {
    match (player, other) {
        (Player::Engine(engine), Player::Engine(other)) => engine.level == other.level,
        (Player::Program(program), Player::Program(other)) => {
            (program.name(), program.command()) == (other.name(), other.command())
        }
        (Player::Guest(_), Player::Guest(_)) => true,
        _ => false,
    }
}
