//! The rows of the setup form.

use crate::rules::{Counted, Key, Number};

/// A row of the setup form.
#[derive(Clone, Copy, Debug)]
pub(super) enum FormRow {
    Key(Key),
    /// The count that belongs to the word of a counted option.
    Count(Counted),
    Seat(u8),
    Clock,
    /// The seconds that engines may think about a move, if there is no clock.
    Time,
    Start,
}

impl FormRow {
    /// Its name on the form.
    pub fn label(self) -> String {
        match self {
            FormRow::Key(key) => key.name().to_owned(),
            FormRow::Count(key) => counts(&key).name.to_owned(),
            FormRow::Seat(seat) => format!("seat {}", seat + 1),
            FormRow::Clock => "clock".to_owned(),
            FormRow::Time => "seconds".to_owned(),
            FormRow::Start => "Start the match".to_owned(),
        }
    }

    /// Whether its value is a number.
    pub fn is_number(self) -> bool {
        matches!(self, FormRow::Key(Key::Number(_)) | FormRow::Count(_) | FormRow::Time)
    }

    /// Whether left and right can change its value.
    pub fn can_turn(self) -> bool {
        !matches!(self, FormRow::Key(Key::Text(_)) | FormRow::Start)
    }
}

/// The index after `at`, or before it, in a ring of `length` values.
pub(super) fn cycle(at: usize, length: usize, up: bool) -> usize {
    (at + if up { 1 } else { length - 1 }) % length
}

/// The counts that a counted option takes, as a number option.
pub(super) const fn counts(key: &Counted) -> Number {
    let &Counted { min, max, default, .. } = key;
    Number { name: "number", help: "how many points", shorthand: None, min, max, step: 1, default }
}

/// The next number above or below a value that the option takes; the default if the value is no number.
pub(super) fn step_number(key: &Number, value: &str, up: bool) -> String {
    let Ok(value) = value.parse::<u32>() else { return key.default.to_string() };
    let value = value.clamp(key.min, key.max.max(key.min));
    let steps = (value - key.min) / key.step;
    let steps = if up {
        steps + 1
    } else {
        steps.saturating_sub(u32::from(value == key.min + steps * key.step))
    };
    let value = u64::from(key.min) + u64::from(steps) * u64::from(key.step);
    if value > u64::from(key.max) { key.max.to_string() } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_step_through_what_a_number_takes() {
        let key =
            Number { name: "n", help: "", shorthand: None, min: 3, max: 10, step: 3, default: 6 };
        let up = |value| step_number(&key, value, true);
        let down = |value| step_number(&key, value, false);
        assert_eq!((up("6"), down("6")), ("9".into(), "3".into()));
        assert_eq!((up("3"), down("3")), ("6".into(), "3".into()));
        assert_eq!((up("7"), down("7")), ("9".into(), "6".into()));
        assert_eq!((up("99"), down("99")), ("10".into(), "9".into()));
        assert_eq!((up("x"), down("")), ("6".into(), "6".into()));
    }
}
