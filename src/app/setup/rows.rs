//! The rows of the setup form.

use quadrille_rules::{ChoiceOption, NumberOption, OptionSpec};
use quadrille_text::wording::capital;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormRow {
    /// The opponent: the computer, a friend, or a custom selection.
    Opponent,
    Name,
    Seat(u8),
    Level,
    FirstMove,
    /// The thinking time of engines in seconds per move, if there is no clock.
    Time,
    /// The board size: all its options in a single row.
    Board,
    Option(OptionSpec),
    /// The number that follows the word in a word option.
    Count(ChoiceOption),
    Clock,
    /// The key sets of two people at this terminal.
    Keys,
    More,
    Start,
}

impl FormRow {
    pub fn label(self) -> String {
        match self {
            FormRow::Opponent => "Opponent".to_owned(),
            FormRow::Name => "Your name".to_owned(),
            FormRow::Seat(seat) => format!("Player {}", seat + 1),
            FormRow::Level => "Level".to_owned(),
            FormRow::FirstMove => "First move".to_owned(),
            FormRow::Time => "Move time".to_owned(),
            FormRow::Board => "Board".to_owned(),
            FormRow::Option(option) => label(option.name()),
            FormRow::Count(option) => capital(option.counts),
            FormRow::Clock => "Clock".to_owned(),
            FormRow::Keys => "Keys".to_owned(),
            FormRow::More => "More options".to_owned(),
            FormRow::Start => "Start".to_owned(),
        }
    }

    /// Returns whether a typed name, as in `size=4` or `first-move=computer`, refers to this row.
    pub fn is_called(self, name: &str) -> bool {
        let is_alias = match self {
            FormRow::Name => name == "name",
            FormRow::Seat(seat) => name == (seat + 1).to_string(),
            FormRow::Time => name == "seconds",
            FormRow::Board => name == "size",
            FormRow::Option(option) => name == option.name(),
            _ => false,
        };
        is_alias || self.label().replace(' ', "-").eq_ignore_ascii_case(name)
    }

    pub const fn is_number(self) -> bool {
        matches!(
            self,
            FormRow::Option(OptionSpec::Number(_))
                | FormRow::Count(_)
                | FormRow::Time
                | FormRow::Board
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionGroup {
    /// Shown with the players, because the option determines their number.
    Players,
    /// Shown after the players, because most people use the option.
    Common,
    /// Shown under *More options*.
    More,
}

impl OptionGroup {
    pub fn of(option: &OptionSpec) -> OptionGroup {
        match option.name() {
            "players" => OptionGroup::Players,
            "rows" | "cols" | "size" | "layout" | "rounds" => OptionGroup::Common,
            _ => OptionGroup::More,
        }
    }
}

fn label(name: &str) -> String {
    match name {
        "cols" => "Columns".to_owned(),
        "first" => "Begins".to_owned(),
        "grid" => "Position".to_owned(),
        "points" => "Own dots".to_owned(),
        name => capital(name),
    }
}

/// Returns whether this option is a side length of the board, which `size` also sets.
pub(super) fn is_size(option: &OptionSpec) -> bool {
    [Some(option.name()), option.shorthand()].contains(&Some("size"))
}

/// Returns the index after or before `at`, wrapping around at `length`.
pub(super) fn cycle(at: usize, length: usize, up: bool) -> usize {
    (at + if up { 1 } else { length - 1 }) % length
}

/// Returns the counts that a word option allows, as a separate number option.
pub(super) const fn counts(option: &ChoiceOption) -> NumberOption {
    let &ChoiceOption { counts, min, max, default, .. } = option;
    NumberOption { name: counts, help: counts, shorthand: None, min, max, step: 1, default }
}

/// Returns the next higher or lower number that the option allows; if the value is not a number, the default.
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

    #[test]
    fn arrows_step_through_allowed_numbers() {
        let option = NumberOption {
            name: "n",
            help: "",
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
