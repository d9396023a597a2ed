//! The first row of the setup form, which selects the opponent.

use super::SetupScreen;
use super::rows::FormRow;
use super::seats::{SeatChoice, is_same};
use crate::field::{Choice, Domain, Field};
use crate::settings::Settings;
use quadrille_match::session::{EngineSeat, GuestSeat, Player};
use quadrille_search::Level;
use quadrille_system::CAN_HOST_TABLES;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opponent {
    /// One person against engines of the same level, or against a program.
    Computer,
    /// Only people, all at this terminal.
    FriendHere,
    /// One person at this terminal, and guests at all other seats.
    FriendOverSsh,
    Custom,
}

impl Opponent {
    /// All values.
    pub const ALL: [Opponent; 4] =
        [Opponent::Computer, Opponent::FriendHere, Opponent::FriendOverSsh, Opponent::Custom];

    /// Returns the offered values, in the order in which the right arrow key selects them.
    pub fn offered() -> impl Iterator<Item = Opponent> {
        let can_play = |it: &Opponent| CAN_HOST_TABLES || *it != Opponent::FriendOverSsh;
        Opponent::ALL.into_iter().filter(can_play)
    }

    /// Returns the value that describes these seats.
    pub fn of(seats: &[SeatChoice]) -> Opponent {
        let others: Vec<&Player> = seats.iter().filter_map(|seat| seat.other.as_ref()).collect();
        match (seats.len() - others.len(), &*others) {
            (_, []) => Opponent::FriendHere,
            (1, others) if others.iter().all(|other| other.is_guest()) => Opponent::FriendOverSsh,
            (1, [first, ..])
                if !first.is_guest() && others.iter().all(|other| is_same(first, other)) =>
            {
                Opponent::Computer
            }
            _ => Opponent::Custom,
        }
    }

    pub const fn label(self, seats: u8) -> &'static str {
        match self {
            Opponent::Computer => "Computer",
            Opponent::FriendHere if seats > 2 => "Friends here",
            Opponent::FriendHere => "Friend here",
            Opponent::FriendOverSsh if seats > 2 => "Friends over ssh",
            Opponent::FriendOverSsh => "Friend over ssh",
            Opponent::Custom => "Custom",
        }
    }

    /// Returns the value in a typed line.
    const fn word(self, seats: u8) -> &'static str {
        match self {
            Opponent::Computer => "computer",
            Opponent::FriendHere if seats > 2 => "friends",
            Opponent::FriendHere => "friend",
            Opponent::FriendOverSsh => "ssh",
            Opponent::Custom => "custom",
        }
    }

    /// Describes the value in a single clause.
    pub const fn about(self, seats: u8) -> &'static str {
        match self {
            Opponent::Computer => "You play against the computer",
            Opponent::FriendHere if seats > 2 => "All players at one keyboard",
            Opponent::FriendHere => "Two players, one keyboard",
            Opponent::FriendOverSsh => "A friend joins over ssh; the next screen shows the command",
            Opponent::Custom => "A person, guest, level or program at each seat",
        }
    }
}

impl SetupScreen {
    /// Returns the seat of the only person, or otherwise the seat that moves first.
    pub(super) fn own_seat(&self) -> u8 {
        let mut people = (0..self.seats).filter(|seat| self.choice(*seat).other.is_none());
        people.next().filter(|_| people.next().is_none()).unwrap_or_else(|| self.first_seat())
    }

    pub(super) fn first_seat(&self) -> u8 {
        let preview = self.preview.as_ref();
        let to_move = preview.and_then(|(_, viewer)| viewer.current_match().to_move());
        to_move.map_or(0, |seat| seat.index() as u8)
    }

    pub(super) fn has_guest(&self) -> bool {
        self.players().iter().any(Player::is_guest)
    }

    pub(super) fn opponent_row(&self) -> FormRow {
        let seats = self.seats;
        let choices = Opponent::offered().map(|it| Choice::new(it.word(seats), it.label(seats)));
        let domain = Domain::Choice(choices.collect());
        let field = Field::new("Opponent", self.opponent.word(seats), domain)
            .with_help(self.opponent.about(seats));
        FormRow::new(field, |form, value| {
            let is_meant = |opponent: &Opponent| opponent.word(form.seats) == value;
            if let Some(opponent) = Opponent::offered().find(is_meant) {
                form.keep_players();
                form.opponent = opponent;
                form.seat_players();
                form.check();
            }
        })
    }

    /// Stores the names and the engine, in case the user returns to them in the first row.
    fn keep_players(&mut self) {
        if let Some(engine) = self.engine() {
            self.last_engine = Some(engine);
        }
        let names = (0..self.seats).map(|seat| self.choice(seat).name);
        match self.opponent {
            Opponent::FriendHere => self.pair = names.collect(),
            Opponent::Computer | Opponent::FriendOverSsh => {
                self.own_name = self.choice(self.own_seat()).name;
            }
            Opponent::Custom => {}
        }
    }

    /// Seats people, engines and guests according to the first row. Engines and guests that already have a seat keep
    /// it.
    pub(super) fn seat_players(&mut self) {
        let own = self.own_seat();
        let engine = self.engine().or_else(|| self.last_engine.clone());
        let can_be_played = |engine: EngineSeat| self.can_be_played(engine.level);
        let engine = engine.filter(|engine| engine.engine().is_none_or(can_be_played));
        let engine = match engine.unwrap_or_else(|| Player::Engine(self.offered_engine())) {
            Player::Engine(engine) => Player::Engine(EngineSeat { seed: None, ..engine }),
            other => other,
        };
        for seat in 0..self.seats {
            let other = self.choice(seat).other;
            let (name, other) = match self.opponent {
                Opponent::Custom => continue,
                Opponent::FriendHere => {
                    (self.pair.get(usize::from(seat)).cloned().unwrap_or_default(), None)
                }
                _ if seat == own => (self.own_name.clone(), None),
                Opponent::Computer => {
                    let kept = other.filter(|other| !other.is_guest());
                    (String::new(), Some(kept.unwrap_or_else(|| engine.clone())))
                }
                Opponent::FriendOverSsh => {
                    let guest = other.filter(Player::is_guest);
                    let guest = guest.unwrap_or_else(|| Player::Guest(GuestSeat::default()));
                    (String::new(), Some(guest))
                }
            };
            *self.choice_mut(seat) = SeatChoice { name, other };
        }
    }

    /// Returns the row for the player who moves first: the user or the others; of two friends, one or the other.
    pub(super) fn first_move_row(&self) -> FormRow {
        let first = self.first_seat();
        let (own, others) = match self.opponent {
            Opponent::FriendHere => {
                let [own, other] = [first, 1 - first.min(1)].map(|seat| self.seat_name(seat));
                (own, other)
            }
            Opponent::FriendOverSsh => ("You".to_owned(), "Friend".to_owned()),
            _ => ("You".to_owned(), "Computer".to_owned()),
        };
        let is_own = self.opponent == Opponent::FriendHere || first == self.own_seat();
        let domain = Domain::words(&[&*own, &*others]);
        let now = if is_own { own } else { others };
        let field = Field::new("First move", &*now, domain);
        FormRow::new(field, move |form, value| {
            if value != now {
                form.turn_first_move();
            }
        })
    }

    fn turn_first_move(&mut self) {
        let (own, first, last) = (self.own_seat(), self.first_seat(), self.seats.saturating_sub(1));
        let to = match first {
            _ if own != first => first,
            _ if first == last => 0,
            _ => last,
        };
        self.choice_mut(own.max(to));
        self.choices.swap(own.into(), to.into());
        self.check();
    }

    /// Returns the level that matches the user's strength on this board, if known.
    pub(super) fn fitting_level(&self) -> Option<Level> {
        self.strength.as_ref()?.level(self.entry.id, &self.setup)
    }

    /// Returns an engine whose level matches the user's strength. If this level is unknown, or the settings specify a
    /// non-default level, returns an engine with the level from the settings, or with the next lower level that is
    /// available in this setup.
    pub(super) fn offered_engine(&self) -> EngineSeat {
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
