//! The rows of the setup form. Each is a field together with the way in which its value changes the form.

use super::SetupScreen;
use super::opponents::Opponent;
use crate::action::KeySet;
use crate::field::{Choice, Domain, Field, TextDomain};
use quadrille_match::session::{Conditions, TimeControl};

/// The clocks that the left and right keys select, after none. Any other clock can be typed.
const CLOCKS: [&str; 5] = ["60+0", "180+2", "300+3", "600+5", "1800+0"];

/// The days per move that they select at a table with a guest.
const DAYS: [&str; 4] = ["1d", "3d", "7d", "14d"];

const KEYS: [&str; 2] = ["shared", "one key set each"];

/// Changes a value, which may be wrong. An empty one restores the default.
pub(super) type SetValue = Box<dyn Fn(&mut SetupScreen, &str)>;

pub(super) struct FormRow {
    pub field: Field,
    pub set: SetValue,
}

impl FormRow {
    pub fn new(field: Field, set: impl Fn(&mut SetupScreen, &str) + 'static) -> FormRow {
        FormRow { field, set: Box::new(set) }
    }
}

impl SetupScreen {
    /// Returns the visible rows.
    pub(super) fn rows(&self) -> Vec<FormRow> {
        let mut rows = vec![self.opponent_row()];
        rows.extend(self.option_rows(OptionGroup::Players));
        let seats = || (0..self.seats).map(|seat| self.seat_row(seat));
        match self.opponent {
            Opponent::Computer => rows.extend([self.level_row(), self.first_move_row()]),
            Opponent::FriendHere if self.seats == 2 => {
                rows.extend(seats().chain([self.first_move_row()]));
            }
            Opponent::FriendOverSsh => rows.extend([self.name_row(), self.first_move_row()]),
            Opponent::FriendHere | Opponent::Custom => rows.extend(seats()),
        }
        rows.extend(self.asks_for_seconds().then(|| self.time_row()));
        rows.extend(self.board_row());
        rows.extend(self.option_rows(OptionGroup::Common));
        rows.push(self.clock_row());
        let more = self.more();
        if self.shows_more || more.is_empty() {
            rows.extend(more);
        } else {
            let field = Field::new("More options", "", Domain::Link);
            rows.push(FormRow::new(field, |form, _| form.shows_more = true));
        }
        let start = Field::new("Start", "", Domain::Button).with_help(self.players_in_words());
        rows.push(FormRow::new(start, |_, _| {}));
        rows
    }

    /// Returns the rows under *More options*.
    pub(super) fn more(&self) -> Vec<FormRow> {
        let name = (self.opponent == Opponent::Computer).then(|| self.name_row());
        let keys = self.can_share_keyboard().then(|| self.keys_row());
        let rows = name.into_iter().chain(keys).chain(self.side_rows());
        rows.chain(self.option_rows(OptionGroup::More)).collect()
    }

    /// Returns the visible rows, those under *More options*, and the seats, which can be typed even if the first row
    /// hides them.
    pub(super) fn all_rows(&self) -> Vec<FormRow> {
        let hidden = if self.shows_more { Vec::new() } else { self.more() };
        let seats = (0..self.seats).map(|seat| self.any_player_row(seat));
        self.rows().into_iter().chain(hidden).chain(seats).collect()
    }

    /// Shows the row with this label if it is under *More options*.
    pub(super) fn reveal(&mut self, label: &str) {
        self.shows_more |= self.more().iter().any(|row| row.field.label == label);
    }

    fn clock_row(&self) -> FormRow {
        let shown = |clock: &str| TimeControl::from_words(clock).map(TimeControl::in_words);
        let choice = |clock: &str| Choice::new(clock, shown(clock).unwrap_or_default());
        let days = DAYS.into_iter().filter(|_| Conditions::check_days(&self.players()).is_ok());
        let clocks = CLOCKS.into_iter().chain(days).map(choice);
        let choices = [Choice::new("", "none")].into_iter().chain(clocks).collect();
        let domain = Domain::Text(TextDomain {
            form: "a clock such as 5 min + 3 s".to_owned(),
            choices,
            check: |text| read_clock(text).map(drop),
            is_edited: true,
        });
        let help = match self.time_control() {
            Ok(Some(TimeControl::Fischer(clock))) if !clock.increment.is_zero() => {
                "Time per player, plus an increment per move"
            }
            Ok(Some(TimeControl::Fischer(_))) => "Time per player for all moves",
            Ok(Some(TimeControl::Days(_))) => "Time for each move, while you come and go",
            _ => "Enter to type one, such as 5 min + 3 s",
        };
        let mut field = Field::new("Clock", &*self.clock, domain).with_help(help);
        if let Ok(Some(clock)) = self.time_control() {
            field.shown = clock.in_words();
        }
        FormRow::new(field, |form, value| {
            let is_none = value.eq_ignore_ascii_case("none");
            form.clock = if is_none { String::new() } else { value.to_owned() };
            // A valid clock is stored in command-line syntax.
            if let Ok(Some(clock)) = form.time_control() {
                form.clock = clock.to_string();
            }
            form.check();
        })
    }

    fn keys_row(&self) -> FormRow {
        let help = if self.two_key_sets {
            let [letters, arrows] = [KeySet::Letters, KeySet::Arrows];
            let keys = || format!("Player 1: {letters}. Player 2: {arrows}");
            self.lost_keys.clone().unwrap_or_else(keys)
        } else {
            "Both players share all keys".to_owned()
        };
        let now = KEYS[usize::from(self.two_key_sets)];
        let field = Field::new("Keys", now, Domain::words(&KEYS)).with_help(help);
        FormRow::new(field, |form, value| {
            form.two_key_sets = value == KEYS[1];
            form.check();
        })
    }

    /// Returns the clock. The error is a clause.
    pub(super) fn time_control(&self) -> Result<Option<TimeControl>, String> {
        if self.clock.is_empty() {
            return Ok(None);
        }
        let clock = read_clock(&self.clock)?;
        if clock.days().is_some() {
            Conditions::check_days(&self.players())?;
        }
        Ok(Some(clock))
    }
}

/// Parses a typed clock. A number alone could mean minutes or seconds.
fn read_clock(text: &str) -> Result<TimeControl, String> {
    let number = text.trim();
    if number.parse::<f64>().is_ok() {
        return Err(format!("type the unit: {number} min or {number} s"));
    }
    TimeControl::from_words(text)
        .map_err(|_| "type it as 5 min + 3 s, at most 24 h + 1 h, or as 1 to 14 days".to_owned())
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
