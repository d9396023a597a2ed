//! The values of the rows of the setup form: how they are shown, typed, and changed by the left and right keys.

use super::SetupScreen;
use super::opponents::Opponent;
use super::rows::{FormRow, counts, cycle, step_number};
use super::seats::SeatChoice;
use quadrille_match::session::{EngineSeat, ParseTimeControlError, Player, TimeControl};
use quadrille_rules::OptionSpec;

/// The value of the clock row if there is no clock.
const NO_CLOCK: &str = "none";

/// The clocks that the left and right keys select. Any other clock can be typed.
const CLOCKS: [&str; 6] = [NO_CLOCK, "60+0", "180+2", "300+3", "600+5", "1800+0"];

const KEYS: [&str; 2] = ["shared", "one key set each"];

impl SetupScreen {
    /// Returns the value of a row in command-line syntax.
    pub(super) fn value(&self, row: FormRow) -> String {
        match row {
            FormRow::Option(option) => {
                self.setup.get(option.name()).map_or_else(|| option.default(), str::to_owned)
            }
            FormRow::Count(option) => option.as_written(&self.setup).1.unwrap_or_default(),
            FormRow::Board => {
                let sizes = self.sizes().map(|size| self.value(FormRow::Option(size)));
                let mut sizes: Vec<String> = sizes.collect();
                sizes.dedup();
                sizes.join(" x ")
            }
            FormRow::Seat(seat) => match self.choice(seat) {
                SeatChoice { other: Some(Player::Guest(guest)), .. } => {
                    if guest.hints { "Guest with hints" } else { "Guest" }.to_owned()
                }
                SeatChoice { other: Some(engine), .. } => engine.name().to_owned(),
                SeatChoice { name, .. } => name,
            },
            FormRow::Name => self.choice(self.own_seat()).name,
            FormRow::Level => {
                self.engine().map_or_else(String::new, |engine| engine.name().to_owned())
            }
            FormRow::FirstMove => self.first_move(),
            FormRow::Time => match (&self.wrong_seconds, self.engine()) {
                (Some(typed), _) => typed.clone(),
                (None, engine) => engine.map_or_else(String::new, |engine| engine.seconds()),
            },
            FormRow::Clock if self.clock.is_empty() => NO_CLOCK.to_owned(),
            FormRow::Clock => self.clock.clone(),
            FormRow::Opponent => self.opponent.label(self.seats).to_owned(),
            FormRow::Keys => KEYS[usize::from(self.two_key_sets)].to_owned(),
            FormRow::More | FormRow::Start => String::new(),
        }
    }

    /// Returns the displayed value of a row.
    pub(super) fn shown(&self, row: FormRow) -> String {
        match row {
            FormRow::Option(OptionSpec::Choice(option)) => {
                let here = option.as_written(&self.setup).0;
                let choice = option.choices.iter().find(|choice| choice.word == here);
                match choice {
                    Some(choice) if !option.is_counted() && !choice.help.is_empty() => {
                        choice.help.to_owned()
                    }
                    _ => here.replace('-', " "),
                }
            }
            FormRow::Board => match &*self.value(row) {
                side if side.contains('x') => side.to_owned(),
                side => format!("{side} x {side}"),
            },
            FormRow::Time if self.wrong_seconds.is_none() => format!("{} s", self.value(row)),
            FormRow::Clock => match self.time_control() {
                Ok(Some(clock)) => clock.in_words(),
                _ => self.value(row),
            },
            row => self.value(row),
        }
    }

    fn first_move(&self) -> String {
        let first = self.first_seat();
        match self.opponent {
            Opponent::FriendHere => match self.choice(first).name {
                name if name.is_empty() => FormRow::Seat(first).label(),
                name => name,
            },
            _ if first == self.own_seat() => "You".to_owned(),
            Opponent::FriendOverSsh => "Friend".to_owned(),
            _ => "Computer".to_owned(),
        }
    }

    /// Sets the value of a row. An empty text restores the default.
    pub(super) fn set(&mut self, row: FormRow, value: &str) {
        match row {
            FormRow::Option(option) if value.is_empty() || value == option.default() => {
                self.setup.remove(option.name());
            }
            FormRow::Option(option) => self.setup.set(option.name(), value),
            FormRow::Count(option) => {
                let word = option.as_written(&self.setup).0;
                let default = option.default.to_string();
                let count = if value.is_empty() { &default } else { value };
                return self.set(FormRow::Option(option.into()), &format!("{word}:{count}"));
            }
            FormRow::Board => {
                let sides: Vec<&str> = value.split('x').map(str::trim).collect();
                let sizes: Vec<OptionSpec> = self.sizes().collect();
                for (size, side) in sizes.into_iter().zip(sides.iter().cycle()) {
                    self.set(FormRow::Option(size), side);
                }
                return;
            }
            FormRow::Seat(seat) => {
                *self.choice_mut(seat) = SeatChoice::of(self.typed_player(value));
                if self.opponent != Opponent::Custom {
                    self.choices.resize_with(self.seats.into(), SeatChoice::default);
                    self.opponent = Opponent::of(&self.choices);
                }
            }
            FormRow::Name => {
                let own = self.own_seat();
                value.clone_into(&mut self.choice_mut(own).name);
            }
            FormRow::Level => {
                let level = format!("engine:{}", value.to_lowercase());
                let player = level.parse().unwrap_or_else(|_| self.typed_player(value));
                for choice in &mut self.choices {
                    if choice.other.is_some() {
                        choice.other = SeatChoice::of(player.clone()).other.or(choice.other.take());
                    }
                }
            }
            FormRow::FirstMove => {
                let is_there = self.first_move().eq_ignore_ascii_case(value);
                if !is_there {
                    self.turn_first_move();
                }
            }
            FormRow::Time => {
                let default = Some(self.offered.tenths).filter(|_| value.is_empty());
                let tenths = default.or_else(|| EngineSeat::read_seconds(value));
                self.wrong_seconds = tenths.is_none().then(|| value.to_owned());
                if let Some(tenths) = tenths {
                    let engines =
                        self.choices.iter_mut().filter_map(|choice| choice.other.as_mut());
                    engines.for_each(|engine| engine.set_tenths(tenths));
                }
            }
            FormRow::Clock => {
                let is_none = value.eq_ignore_ascii_case(NO_CLOCK);
                self.clock = if is_none { String::new() } else { value.to_owned() };
                // A valid clock is stored in command-line syntax.
                if let Ok(Some(clock)) = self.time_control() {
                    self.clock = clock.to_string();
                }
            }
            FormRow::Opponent => {
                let value = value.to_lowercase();
                let is_meant = |opponent: &Opponent| {
                    let label = opponent.label(self.seats).to_lowercase();
                    label == value || label.split(' ').any(|word| word == value)
                };
                if let Some(opponent) = Opponent::ALL.into_iter().find(is_meant) {
                    return self.choose_opponent(opponent);
                }
            }
            FormRow::Keys => self.two_key_sets = value.eq_ignore_ascii_case(KEYS[1]),
            FormRow::More | FormRow::Start => {}
        }
        self.check();
    }

    /// Handles the left and right keys: selects the previous or next value of the row.
    pub(super) fn turn(&mut self, row: FormRow, up: bool) {
        let value = match row {
            FormRow::Option(OptionSpec::Number(option)) => {
                step_number(&option, &self.value(row), up)
            }
            FormRow::Option(OptionSpec::Choice(option)) => {
                let here = option.as_written(&self.setup).0;
                let at = option.choices.iter().position(|choice| choice.word == here);
                let count = option.read(&self.setup).ok().map(|(_, count)| count);
                let count = count.filter(|count| *count > 0).unwrap_or(option.default);
                let choice = option.choices[cycle(at.unwrap_or(0), option.choices.len(), up)];
                if choice.is_counted {
                    format!("{}:{count}", choice.word)
                } else {
                    choice.word.to_owned()
                }
            }
            FormRow::Count(option) => step_number(&counts(&option), &self.value(row), up),
            FormRow::Board => {
                let sizes: Vec<OptionSpec> = self.sizes().collect();
                return sizes.into_iter().for_each(|size| self.turn(FormRow::Option(size), up));
            }
            FormRow::Time => {
                let tenths = self.engine().map_or(0, |engine| engine.tenths());
                let seconds = if up { tenths / 10 + 1 } else { tenths.saturating_sub(1) / 10 };
                // The value below 1 s is 0.1 s, the minimum.
                match seconds {
                    0 => "0.1".to_owned(),
                    seconds => seconds.min(*EngineSeat::TENTHS.end() / 10).to_string(),
                }
            }
            FormRow::Clock => {
                let at = CLOCKS.iter().position(|clock| *clock == self.value(row)).unwrap_or(0);
                CLOCKS[cycle(at, CLOCKS.len(), up)].to_owned()
            }
            FormRow::Keys => KEYS[usize::from(!self.two_key_sets)].to_owned(),
            FormRow::Opponent => return self.turn_opponent(up),
            FormRow::Level => return self.turn_level(up),
            FormRow::FirstMove => return self.turn_first_move(),
            FormRow::Seat(seat) => return self.turn_seat(seat, up),
            FormRow::More => {
                self.shows_more = true;
                return;
            }
            FormRow::Name | FormRow::Option(OptionSpec::Text(_)) | FormRow::Start => return,
        };
        self.set(row, &value);
    }

    /// Types a digit in a row that holds a number; `None` erases the last digit.
    pub(super) fn digit(&mut self, row: FormRow, digit: Option<u8>) -> Option<()> {
        if !row.is_number() {
            return None;
        }
        let mut value = self.value(row);
        match digit {
            None => {
                value.pop();
            }
            Some(digit) => {
                if !self.digits || value == "0" {
                    value.clear();
                }
                if value.len() < 9 {
                    value.push((b'0' + digit) as char);
                }
            }
        }
        self.set(row, &value);
        // When all digits are erased, the default returns, and the next digit starts a new number.
        self.digits = !value.is_empty();
        Some(())
    }

    /// Types the decimal point after digits in the row for the thinking time.
    pub(super) fn decimal_point(&mut self) -> Option<()> {
        let FormRow::Time = self.row() else { return None };
        let value = self.value(FormRow::Time);
        if !self.digits || value.contains('.') {
            return None;
        }
        self.set(FormRow::Time, &format!("{value}."));
        Some(())
    }

    /// Returns whether the value of the row is entered as text: a clock, a text option, or a person's name.
    pub(super) fn is_typed(&self, row: FormRow) -> bool {
        match row {
            FormRow::Seat(seat) => self.choice(seat).other.is_none(),
            FormRow::Name | FormRow::Clock => true,
            row => is_text(row),
        }
    }

    pub(super) fn can_turn(&self, row: FormRow) -> bool {
        match row {
            FormRow::Seat(_) => self.opponent == Opponent::Custom,
            FormRow::Name | FormRow::Start => false,
            row => !is_text(row),
        }
    }

    pub(super) fn time_control(&self) -> Result<Option<TimeControl>, ParseTimeControlError> {
        if self.clock.is_empty() {
            Ok(None)
        } else {
            TimeControl::from_words(&self.clock).map(Some)
        }
    }
}

pub(super) const fn is_text(row: FormRow) -> bool {
    matches!(row, FormRow::Option(OptionSpec::Text(_)))
}
