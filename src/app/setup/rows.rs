//! The rows of the setup form.

use crate::rules::{CountedOption, NumberOption, OptionSpec};

/// A row of the setup form.
#[derive(Clone, Copy, Debug)]
pub(super) enum FormRow {
    /// Who plays: people, the computer or both.
    Opponents,
    Seat(u8),
    /// The seconds that engines may think about a move, if there is no clock.
    Time,
    Option(OptionSpec),
    /// The count behind the word of such an option.
    Count(CountedOption),
    Clock,
    /// Opens the options that few people change.
    More,
    Start,
}

impl FormRow {
    /// Its name on the form.
    pub fn label(self) -> String {
        match self {
            FormRow::Opponents => "match".to_owned(),
            FormRow::Seat(seat) => format!("player {}", seat + 1),
            FormRow::Time => "seconds".to_owned(),
            FormRow::Option(option) => option.name().to_owned(),
            FormRow::Count(option) => counts(&option).name.to_owned(),
            FormRow::Clock => "clock".to_owned(),
            FormRow::More => "more".to_owned(),
            FormRow::Start => "Start the match".to_owned(),
        }
    }

    /// Whether its value is a number.
    pub fn is_number(self) -> bool {
        matches!(self, FormRow::Option(OptionSpec::Number(_)) | FormRow::Count(_) | FormRow::Time)
    }

    /// Whether left and right can change its value.
    pub fn can_turn(self) -> bool {
        !matches!(self, FormRow::Option(OptionSpec::Text(_)) | FormRow::Start)
    }
}

/// The index after `at`, or before it, in a ring of `length` values.
pub(super) fn cycle(at: usize, length: usize, up: bool) -> usize {
    (at + if up { 1 } else { length - 1 }) % length
}

/// The counts that an option takes, as an option of their own, which has the name that the help of the command line
/// gives them.
pub(super) const fn counts(option: &CountedOption) -> NumberOption {
    let &CountedOption { min, max, default, .. } = option;
    NumberOption {
        name: ":N",
        help: option.counts,
        group: option.group,
        shorthand: None,
        min,
        max,
        step: 1,
        default,
    }
}

/// The next number an option takes above or below a value; the default where the value is no number.
pub(super) fn step_number(option: &NumberOption, value: &str, up: bool) -> String {
    let Ok(value) = value.parse::<u32>() else { return option.default.to_string() };
    let value = value.clamp(option.min, option.max.max(option.min));
    let steps = (value - option.min) / option.step;
    let steps = if up {
        steps + 1
    } else {
        steps.saturating_sub(u32::from(value == option.min + steps * option.step))
    };
    let value = u64::from(option.min) + u64::from(steps) * u64::from(option.step);
    if value > u64::from(option.max) { option.max.to_string() } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::OptionGroup;

    #[test]
    fn arrows_step_through_what_a_number_takes() {
        let option = NumberOption {
            name: "n",
            help: "",
            group: OptionGroup::Common,
            shorthand: None,
            min: 3,
            max: 10,
            step: 3,
            default: 6,
        };
        let up = |value| step_number(&option, value, true);
        let down = |value| step_number(&option, value, false);
        assert_eq!((up("6"), down("6")), ("9".into(), "3".into()));
        assert_eq!((up("3"), down("3")), ("6".into(), "3".into()));
        assert_eq!((up("7"), down("7")), ("9".into(), "6".into()));
        assert_eq!((up("99"), down("99")), ("10".into(), "9".into()));
        assert_eq!((up("x"), down("")), ("6".into(), "6".into()));
    }
}
