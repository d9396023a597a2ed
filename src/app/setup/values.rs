//! The values in the rows of the setup form: as text, typed, and changed by left and right.

use super::SetupScreen;
use super::rows::{FormRow, counts, cycle, step_number};
use super::seats::SeatChoice;
use crate::rules::{OptionGroup, OptionSpec};
use crate::session::{EngineSeat, ParseTimeControlError, Player, TimeControl};

/// The value of the clock row without a clock.
const NO_CLOCK: &str = "none";

/// The clocks that left and right go through; any other can be typed.
const CLOCKS: [&str; 6] = [NO_CLOCK, "60+0", "180+2", "300+3", "600+5", "1800+0"];

impl SetupScreen {
    /// The value of a row, as text.
    pub(super) fn value(&self, row: FormRow) -> String {
        match row {
            FormRow::Option(option) => {
                self.setup.get(option.name()).map_or_else(|| option.default(), str::to_owned)
            }
            FormRow::Count(option) => option.as_written(&self.setup).1.unwrap_or_default(),
            FormRow::Seat(seat) => match self.choice(seat) {
                SeatChoice { other: Some(Player::Guest(guest)), .. } => {
                    if guest.hints { "Guest with hints" } else { "Guest" }.to_owned()
                }
                SeatChoice { other: Some(engine), .. } => engine.name().to_owned(),
                SeatChoice { name, .. } => name,
            },
            FormRow::Time => match (&self.wrong_seconds, self.engine()) {
                (Some(typed), _) => typed.clone(),
                (None, engine) => engine.map_or_else(String::new, |engine| engine.seconds()),
            },
            FormRow::Clock if self.clock.is_empty() => NO_CLOCK.to_owned(),
            FormRow::Clock => self.clock.clone(),
            FormRow::Opponents => self
                .opponents()
                .map_or_else(|| self.mixed().to_owned(), |opponents| opponents.value(self.seats)),
            FormRow::More => self.more(),
            FormRow::Start => String::new(),
        }
    }

    /// What the row `more` opens: the names of the options, with the values that are not the defaults.
    fn more(&self) -> String {
        let named = |option: OptionSpec| match self.value(FormRow::Option(option)) {
            value if value == option.default() => option.name().to_owned(),
            value => format!("{} {value}", option.name()),
        };
        let options = (self.entry.options)(&self.setup).into_iter();
        let options = options.filter(|option| option.group() == OptionGroup::More).map(named);
        options.collect::<Vec<_>>().join(", ")
    }

    /// Sets the value of a row. An empty text sets the default.
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
            // The typed text may also be an engine or a program.
            FormRow::Seat(seat) => {
                let player = value.parse().unwrap_or_else(|_| Player::Person(value.to_owned()));
                *self.choice_mut(seat) = SeatChoice::of(player);
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
                // A clock that can be read is written in the usual form.
                if let Ok(Some(clock)) = self.time_control() {
                    self.clock = clock.to_string();
                }
            }
            FormRow::Opponents | FormRow::More | FormRow::Start => {}
        }
        self.check();
    }

    /// Left and right: sets the next value of the row, up or down.
    pub(super) fn turn(&mut self, row: FormRow, up: bool) {
        let value = match row {
            FormRow::Option(OptionSpec::Number(option)) => {
                step_number(&option, &self.value(row), up)
            }
            FormRow::Option(OptionSpec::Choice(option)) => {
                let at = option.read(&self.setup).unwrap_or(0);
                option.choices[cycle(at, option.choices.len(), up)].to_owned()
            }
            FormRow::Option(OptionSpec::Counted(option)) => {
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
            FormRow::Time => {
                let tenths = self.engine().map_or(0, |engine| engine.tenths());
                let seconds = if up { tenths / 10 + 1 } else { tenths.saturating_sub(1) / 10 };
                // Below one second and above the most there is one step each.
                match seconds {
                    0 => "0.1".to_owned(),
                    seconds => seconds.min(*EngineSeat::TENTHS.end() / 10).to_string(),
                }
            }
            FormRow::Clock => {
                let at = CLOCKS.iter().position(|clock| *clock == self.value(row)).unwrap_or(0);
                CLOCKS[cycle(at, CLOCKS.len(), up)].to_owned()
            }
            FormRow::Opponents => return self.turn_opponents(up),
            FormRow::Seat(seat) => return self.turn_seat(seat, up),
            FormRow::More => {
                self.shows_more = true;
                return;
            }
            FormRow::Option(OptionSpec::Text(_)) | FormRow::Start => return,
        };
        self.set(row, &value);
    }

    /// Types a digit, or erases one with `None`, in rows that hold a number.
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
        // With all digits erased the default is back, and the next digit starts a new number.
        self.digits = !value.is_empty();
        Some(())
    }

    /// Types the point of a decimal, behind digits in the row of the seconds.
    pub(super) fn decimal_point(&mut self) -> Option<()> {
        let FormRow::Time = self.row() else { return None };
        let value = self.value(FormRow::Time);
        if !self.digits || value.contains('.') {
            return None;
        }
        self.set(FormRow::Time, &format!("{value}."));
        Some(())
    }

    /// Whether the value of the row is typed as text: a clock, a text option, or the name of a person.
    pub(super) fn is_typed(&self, row: FormRow) -> bool {
        match row {
            FormRow::Seat(seat) => self.choice(seat).other.is_none(),
            row => matches!(row, FormRow::Option(OptionSpec::Text(_)) | FormRow::Clock),
        }
    }

    /// The clock, if there is one; an error if its text is wrong.
    pub(super) fn time_control(&self) -> Result<Option<TimeControl>, ParseTimeControlError> {
        if self.clock.is_empty() { Ok(None) } else { self.clock.parse().map(Some) }
    }
}
