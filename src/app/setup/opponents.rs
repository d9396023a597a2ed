//! The first row of the setup form: whether people play, the computer, or both.

use super::SetupScreen;
use super::rows::cycle;
use crate::search::Level;
use crate::session::{EngineSeat, GuestSeat, Player};
use crate::settings::Settings;
use crate::wording::number;

/// Which seats people have, and which engines or programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opponents {
    People,
    /// One person has the first seat.
    AgainstComputer,
    /// One person has the last seat.
    ComputerBegins,
    ComputerAlone,
    /// One person has the first seat, and the others come to a table.
    Guests,
}

impl Opponents {
    /// In the order of right.
    const ALL: [Opponents; 5] = [
        Opponents::People,
        Opponents::AgainstComputer,
        Opponents::ComputerBegins,
        Opponents::ComputerAlone,
        Opponents::Guests,
    ];

    const fn has_person(self, seat: u8, seats: u8) -> bool {
        match self {
            Opponents::People => true,
            Opponents::AgainstComputer | Opponents::Guests => seat == 0,
            Opponents::ComputerBegins => seat + 1 == seats,
            Opponents::ComputerAlone => false,
        }
    }

    /// The value of the row.
    pub fn value(self, seats: u8) -> String {
        match self {
            Opponents::People => format!("{} people", number(seats.into())),
            Opponents::AgainstComputer => "against the computer".to_owned(),
            Opponents::ComputerBegins => "the computer begins".to_owned(),
            Opponents::ComputerAlone => "the computer alone".to_owned(),
            Opponents::Guests if seats == 2 => "with a guest".to_owned(),
            Opponents::Guests => "with guests".to_owned(),
        }
    }

    /// What that means, in one clause.
    pub const fn about(self, seats: u8) -> &'static str {
        match self {
            Opponents::People => "all of you at this keyboard; left and right choose the computer",
            Opponents::AgainstComputer => "you have the first move",
            Opponents::ComputerBegins if seats == 2 => "you have the second move",
            Opponents::ComputerBegins => "you have the last seat",
            Opponents::ComputerAlone => "you watch",
            Opponents::Guests => "somebody comes from another terminal, here or elsewhere",
        }
    }
}

impl SetupScreen {
    /// How people, engines and guests sit at the table; `None` for any other way.
    pub(super) fn opponents(&self) -> Option<Opponents> {
        let sits = |opponents: &Opponents| {
            (0..self.seats).all(|seat| {
                let other = self.choice(seat).other;
                let is_guest = other.as_ref().is_some_and(Player::is_guest);
                opponents.has_person(seat, self.seats) == other.is_none()
                    && (other.is_none() || is_guest == (*opponents == Opponents::Guests))
            })
        };
        Opponents::ALL.into_iter().find(sits).filter(|_| self.seats > 0)
    }

    /// The value of the row for a way that is not on the list.
    pub(super) fn mixed(&self) -> &'static str {
        match (self.has_guest(), self.engine()) {
            (false, _) => "people and engines",
            (true, None) => "with a guest",
            (true, Some(_)) => "a guest and engines",
        }
    }

    pub(super) fn has_guest(&self) -> bool {
        self.players().iter().any(Player::is_guest)
    }

    /// Left and right on the row.
    pub(super) fn turn_opponents(&mut self, up: bool) {
        let now = self.opponents();
        let at = now.and_then(|now| Opponents::ALL.iter().position(|opponents| *opponents == now));
        let next = at.map_or(0, |at| cycle(at, Opponents::ALL.len(), up));
        let next = Opponents::ALL[next];
        // Whoever plays against the computer keeps their name when they leave the first seat.
        if (next == Opponents::ComputerBegins) != (now == Some(Opponents::ComputerBegins)) {
            let last = self.seats.saturating_sub(1);
            self.choice_mut(last);
            if let [first, .., last] = &mut self.choices[..=usize::from(last)] {
                std::mem::swap(&mut first.name, &mut last.name);
            }
        }
        self.seat(next);
        self.check();
    }

    /// Seats people, engines and guests like this. Who is an engine already stays the same, if engines are wanted.
    pub(super) fn seat(&mut self, opponents: Opponents) {
        let engine = self.engine().and_then(|engine| engine.engine());
        let engine =
            engine.map_or_else(|| self.offered_engine(), |seat| EngineSeat { seed: None, ..seat });
        for seat in 0..self.seats {
            let has_person = opponents.has_person(seat, self.seats);
            let choice = self.choice_mut(seat);
            choice.other = match choice.other.take() {
                _ if has_person => None,
                Some(Player::Guest(guest)) if opponents == Opponents::Guests => {
                    Some(Player::Guest(guest))
                }
                _ if opponents == Opponents::Guests => Some(Player::Guest(GuestSeat::default())),
                None | Some(Player::Guest(_)) => Some(Player::Engine(engine)),
                kept => kept,
            };
        }
    }

    /// The level that fits the user on this board, if that is known.
    pub(super) fn fitting_level(&self) -> Option<Level> {
        self.strength.as_ref()?.level(self.entry.id, &self.setup)
    }

    /// An engine of the level that fits the user. If that is not known, or the settings name another level than usual, it
    /// is the engine of the settings, or the nearest level below it that keeps its promise here.
    fn offered_engine(&self) -> EngineSeat {
        if self.offered.level == Settings::default().level
            && let Some(level) = self.fitting_level()
        {
            return EngineSeat { level, ..self.offered };
        }
        let levels = Level::ALL.into_iter().rev().filter(|level| *level <= self.offered.level);
        let level = levels.into_iter().find(|level| self.can_be_played(*level));
        EngineSeat { level: level.unwrap_or(self.offered.level), ..self.offered }
    }
}
