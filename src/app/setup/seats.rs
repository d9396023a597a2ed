//! The players at the seats of the setup form.

use super::SetupScreen;
use super::opponents::Opponent;
use super::rows::FormRow;
use crate::field::{Choice, Domain, Field, Range, Steps, TextDomain, Unit};
use quadrille_match::session::{EngineSeat, GuestSeat, Player};
use quadrille_match::store::LastSetup;
use quadrille_rules::Seat;
use quadrille_search::Level;
use quadrille_system::CAN_HOST_TABLES;
use quadrille_table::words;

/// The player at a seat: a guest, engine or program in `other`, or otherwise the person called `name`.
#[derive(Clone, Debug, Default)]
pub(super) struct SeatChoice {
    pub name: String,
    pub other: Option<Player>,
}

impl SeatChoice {
    pub fn of(player: Player) -> SeatChoice {
        match player {
            Player::Person(name) => SeatChoice { name: name.unwrap_or_default(), other: None },
            // Guests choose their names when they join.
            Player::Guest(guest) if CAN_HOST_TABLES => {
                let other = Player::Guest(GuestSeat { name: None, ..guest });
                SeatChoice { name: String::new(), other: Some(other) }
            }
            Player::Guest(_) => SeatChoice::default(),
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
    pub(super) fn reuse_seating(&mut self, other: &LastSetup) {
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
            None => Player::person(&name),
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

    /// Returns the label of a seat, or the name of the player there if there is one.
    pub(super) fn seat_name(&self, seat: u8) -> String {
        let name = match self.choice(seat) {
            SeatChoice { other: Some(player), .. } => shown(&player),
            SeatChoice { name, .. } => name,
        };
        if name.is_empty() { seat_label(seat).to_owned() } else { name }
    }

    /// Returns the visible row for a seat: a name at a table of friends, otherwise any player.
    pub(super) fn seat_row(&self, seat: u8) -> FormRow {
        let mut row = self.any_player_row(seat);
        if self.opponent == Opponent::FriendHere
            && let Domain::Text(domain) = &mut row.field.domain
        {
            domain.choices.clear();
            row.field.aliases.clear();
            row.field.note = "";
            "Enter to change the name".clone_into(&mut row.field.help);
        }
        row
    }

    /// Returns the row for any player at a seat: a person, an engine, a program or a guest.
    pub(super) fn any_player_row(&self, seat: u8) -> FormRow {
        let SeatChoice { name, other } = self.choice(seat);
        let guest = other.clone().filter(Player::is_guest);
        let guest = guest.unwrap_or_else(|| Player::Guest(GuestSeat::default()));
        let person = if name.is_empty() { seat_label(seat) } else { &name };
        let mut choices = vec![Choice::new(&*name, person)];
        let guest = CAN_HOST_TABLES.then_some(guest);
        let players = self.engines_for(seat).into_iter().chain(guest);
        choices.extend(players.map(|player| Choice::new(typed(&player), shown(&player))));
        let domain = Domain::Text(TextDomain {
            form: "a name".to_owned(),
            choices,
            check: |text| match player_of(text) {
                Player::Person(_) | Player::Program(_) => Player::check_name(text),
                Player::Guest(_) if !CAN_HOST_TABLES => {
                    Err("guests cannot join on this system".to_owned())
                }
                Player::Engine(_) | Player::Guest(_) => Ok(()),
            },
            is_edited: other.is_none(),
        });
        let help = match &other {
            Some(player) => self.help_on(player),
            None => "Enter to type a name, left and right to choose another player".to_owned(),
        };
        let value = other.as_ref().map_or(name, typed);
        let field = Field::new(seat_label(seat), value, domain)
            .called((seat + 1).to_string())
            .with_help(help);
        let note = self.kind_of(other.as_ref());
        let field = Field { seat: Some(seat), note, ..field };
        FormRow::new(field, move |form, value| {
            form.set_player(seat, value);
            if form.opponent != Opponent::Custom {
                form.choices.resize_with(form.seats.into(), SeatChoice::default);
                form.opponent = Opponent::of(&form.choices);
            }
            form.check();
            form.reveal(&form.label_of_seat(seat));
        })
    }

    /// Returns the row for the level of all engines.
    pub(super) fn level_row(&self) -> FormRow {
        let engine_seats = |form: &SetupScreen| -> Vec<u8> {
            (0..form.seats).filter(|seat| form.choice(*seat).engine().is_some()).collect()
        };
        let engine = self.engine();
        let seat = engine_seats(self).first().copied();
        let engines = seat.map_or_else(Vec::new, |seat| self.engines_for(seat));
        let choices = engines.iter().map(|engine| Choice::new(typed(engine), shown(engine)));
        let value = engine.as_ref().map_or_else(String::new, typed);
        let help = engine.as_ref().map_or_else(String::new, |engine| self.help_on(engine));
        let field = Field::new("Level", value, Domain::Choice(choices.collect())).with_help(help);
        let note = match self.kind_of(engine.as_ref()) {
            "computer" | "person" => "",
            note => note,
        };
        FormRow::new(Field { note, seat, ..field }, move |form, value| {
            for seat in engine_seats(form) {
                form.set_player(seat, value);
            }
            form.check();
        })
    }

    /// Returns the row for the name of the only person at this terminal.
    pub(super) fn name_row(&self) -> FormRow {
        let own = self.own_seat();
        let domain = Domain::Text(TextDomain {
            form: "a name".to_owned(),
            choices: Vec::new(),
            check: |name| Player::check_name(name),
            is_edited: true,
        });
        let field = Field::new("Your name", self.choice(own).name, domain)
            .called("name")
            .with_help("The name on your records");
        let field = Field { seat: Some(own), placeholder: "You", ..field };
        FormRow::new(field, |form, name| {
            form.set_own_name(name);
            form.check();
        })
    }

    pub(super) fn set_own_name(&mut self, name: &str) {
        let own = self.own_seat();
        name.clone_into(&mut self.choice_mut(own).name);
    }

    /// Returns the row for the thinking time of engines.
    pub(super) fn time_row(&self) -> FormRow {
        let [min, max] = [EngineSeat::TENTHS.start(), EngineSeat::TENTHS.end()]
            .map(|tenths| f64::from(*tenths) / 10.0);
        let engine = self.engine();
        let value = engine.as_ref().map_or_else(String::new, Player::seconds);
        let domain = Domain::Numbers(vec![Range {
            form: format!("{min} to {max} seconds"),
            min,
            max,
            grid: 0.1,
            default: min,
            // Below 1 s is only the minimum.
            steps: Steps::Every { from: 0.0, step: 1.0 },
            unit: Unit::Seconds,
        }]);
        let mut field = Field::new("Move time", value, domain)
            .called("seconds")
            .with_help("Time limit per computer move");
        if let Some(typed) = &self.wrong_seconds {
            (field.value, field.shown) = (typed.clone(), typed.clone());
        }
        FormRow::new(field, |form, value| {
            let default = Some(form.offered.tenths).filter(|_| value.is_empty());
            let tenths = default.or_else(|| EngineSeat::read_seconds(value));
            form.wrong_seconds = tenths.is_none().then(|| value.to_owned());
            if let Some(tenths) = tenths {
                let engines = form.choices.iter_mut().filter_map(|choice| choice.other.as_mut());
                engines.for_each(|engine| engine.set_tenths(tenths));
            }
            form.check();
        })
    }

    /// Returns the word for a kind of player.
    fn kind_of(&self, player: Option<&Player>) -> &'static str {
        match player {
            Some(Player::Guest(_)) => "over ssh",
            Some(Player::Program(_)) => "program",
            Some(Player::Engine(engine)) if Some(engine.level) == self.fitting_level() => {
                "suggested"
            }
            Some(_) => "computer",
            None => "person",
        }
    }

    /// Describes a player other than a person at this terminal.
    fn help_on(&self, player: &Player) -> String {
        match (player, self.horizon) {
            (Player::Guest(_), _) => "Joins over ssh under a name of their choice".to_owned(),
            (Player::Program(program), _) => format!("Runs {}", program.command()),
            (Player::Engine(EngineSeat { level: Level::Strong, .. }), Some(horizon))
                if !self.can_be_played(Level::Perfect) =>
            {
                let horizon = words::horizon(horizon);
                horizon.map_or(String::new(), |horizon| {
                    format!("{horizon}; Perfect cannot solve this board from the start")
                })
            }
            (Player::Engine(engine), _) => engine.level.about().to_owned(),
            (Player::Person(_), _) => String::new(),
        }
    }

    /// Seats the player with this typed form. An engine keeps the seed and the thinking time of the one before it, and
    /// the seat keeps the name of its person.
    fn set_player(&mut self, seat: u8, text: &str) {
        let engine = self.engines_for(seat).into_iter().find(|engine| typed(engine) == text);
        let Some(mut engine) = engine else {
            let choice = SeatChoice::of(self.typed_player(text));
            let name = if choice.other.is_some() { self.choice(seat).name } else { choice.name };
            *self.choice_mut(seat) = SeatChoice { name, other: choice.other };
            return;
        };
        if let (Player::Engine(new), Some(Player::Engine(old))) =
            (&mut engine, self.choice(seat).other)
        {
            new.seed = old.seed;
        }
        let tenths = self.engine().map(|engine| engine.tenths()).filter(|tenths| *tenths > 0);
        engine.set_tenths(tenths.unwrap_or(self.offered.tenths));
        self.choice_mut(seat).other = Some(engine);
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
            (None, Player::Program(_)) => Player::person(text),
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
}

pub(super) fn seat_label(seat: u8) -> &'static str {
    Player::placeholder(Seat::new(seat))
}

/// Returns a player as it is typed: the level of an engine, and the name of a program or a person.
fn typed(player: &Player) -> String {
    match player {
        Player::Engine(engine) => format!("engine:{}", engine.level),
        Player::Program(program) => format!("program:{}", program.name()),
        Player::Guest(_) | Player::Person(_) => player.to_string(),
    }
}

fn shown(player: &Player) -> String {
    match player {
        Player::Guest(guest) if guest.hints => "Guest with hints".to_owned(),
        Player::Guest(_) => "Guest".to_owned(),
        player => player.name().unwrap_or_default().to_owned(),
    }
}

pub(super) fn player_of(name: &str) -> Player {
    name.parse().unwrap_or_else(|_| Player::person(name))
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
