//! Keys and their names.

use Key::{Control, Plain};
use crossterm::event::KeyCode::{
    BackTab, Backspace, Char, Delete, Down, End, Enter, Esc, F, Home, Insert, Left, PageDown,
    PageUp, Right, Tab, Up,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A key without Control and Alt. Shift is part of the typed character.
    Plain(KeyCode),
    Control(char),
}

const NAMES: [(&str, KeyCode); 16] = [
    ("Space", Char(' ')),
    ("Enter", Enter),
    ("Esc", Esc),
    ("Tab", Tab),
    ("Shift-Tab", BackTab),
    ("Backspace", Backspace),
    ("Insert", Insert),
    ("Delete", Delete),
    ("Home", Home),
    ("End", End),
    ("PgUp", PageUp),
    ("PgDn", PageDown),
    ("left", Left),
    ("down", Down),
    ("up", Up),
    ("right", Right),
];

/// The text does not name a key that an action can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a key is one character, such as k, 7 or /; Ctrl- with a letter other than H, I, J and M; or Enter, Space, Tab, F1 and the like"
)]
pub struct ParseKeyError;

impl Key {
    /// Letters whose Control key some terminals cannot distinguish from a different key: Ctrl-I is Tab, Ctrl-M is
    /// Enter; Ctrl-J can be Enter, and Ctrl-H Backspace.
    const SAME_AS_OTHER_KEYS: [char; 4] = ['h', 'i', 'j', 'm'];

    /// Returns the pressed key; `None` if no action can have it.
    pub fn of(event: &KeyEvent) -> Option<Key> {
        let held = |which| event.modifiers.intersects(which);
        let other = KeyModifiers::SUPER | KeyModifiers::HYPER | KeyModifiers::META;
        match event.code {
            _ if held(KeyModifiers::ALT | other) => None,
            Char(letter) if held(KeyModifiers::CONTROL) => Key::control(letter),
            _ if held(KeyModifiers::CONTROL) => None,
            Tab if held(KeyModifiers::SHIFT) => Some(Plain(BackTab)),
            Char(letter) => (!letter.is_control()).then_some(Plain(Char(letter))),
            F(_) => Some(Plain(event.code)),
            code => NAMES.iter().any(|(_, named)| *named == code).then_some(Plain(code)),
        }
    }

    fn control(letter: char) -> Option<Key> {
        let letter = letter.to_ascii_lowercase();
        let is_distinct = letter.is_ascii_lowercase() && !Key::SAME_AS_OTHER_KEYS.contains(&letter);
        is_distinct.then_some(Control(letter))
    }

    pub fn is(self, event: &KeyEvent) -> bool {
        Key::of(event) == Some(self)
    }

    pub const fn character(self) -> Option<char> {
        match self {
            Plain(Char(character)) => Some(character),
            _ => None,
        }
    }

    /// Returns whether the key's action is fixed, as for arrows, Enter, Esc and Ctrl-C.
    pub const fn is_fixed(self) -> bool {
        matches!(self, Plain(Left | Down | Up | Right | Enter | Esc) | Control('c'))
    }

    pub(super) const fn is_arrow(self) -> bool {
        matches!(self, Plain(Left | Down | Up | Right))
    }

    /// Returns whether the key types or deletes in a text field, or jumps to the start or end of the text. Excludes
    /// arrows, which are fixed, and Control keys, which actions may use.
    pub(super) const fn edits_text(self) -> bool {
        matches!(self, Plain(Char(_) | Backspace | Delete | Home | End))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let named = |code| NAMES.iter().find(|(_, named)| *named == code);
        match *self {
            Control(letter) => write!(f, "Ctrl-{}", letter.to_ascii_uppercase()),
            Plain(code) => match (named(code), code) {
                (Some((name, _)), _) => f.write_str(name),
                (None, Char(letter)) => letter.fmt(f),
                (None, code) => code.fmt(f),
            },
        }
    }
}

/// Case matters only for single letters.
impl FromStr for Key {
    type Err = ParseKeyError;

    fn from_str(text: &str) -> Result<Key, ParseKeyError> {
        let only_letter = |text: &str| {
            let mut letters = text.chars();
            letters.next().filter(|_| letters.next().is_none())
        };
        let lower = text.to_ascii_lowercase();
        let key = match only_letter(text) {
            Some(letter) if letter == ' ' || letter.is_control() => None,
            Some(letter) => Some(Plain(Char(letter))),
            None => {
                let named = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
                let control = || Key::control(only_letter(lower.strip_prefix("ctrl-")?)?);
                let number = || lower.strip_prefix('f')?.parse().ok();
                let function = || number().filter(|number| (1..=12).contains(number));
                let named = named.map(|(_, code)| Plain(*code));
                named.or_else(control).or_else(|| function().map(|number| Plain(F(number))))
            }
        };
        key.ok_or(ParseKeyError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_name_round_trips() {
        let typed = ["k", "K", "é", "/", "Ctrl-R", "F1", "F12"];
        for name in NAMES.map(|(name, _)| name).into_iter().chain(typed) {
            assert_eq!(name.parse::<Key>().map(|key| key.to_string()), Ok(name.to_owned()));
        }
        assert_eq!("ctrl-r".parse(), Ok(Control('r')));
        assert_eq!("ENTER".parse(), Ok(Plain(Enter)));
        for none in
            ["", " ", "\t", "ab", "Ctrl-", "Ctrl-ab", "Ctrl-m", "Ctrl-1", "F0", "F13", "f1x"]
        {
            assert_eq!(none.parse::<Key>(), Err(ParseKeyError), "{none:?}");
        }
    }

    #[test]
    fn key_folds_shift_and_rejects_alt() {
        let of = |code, with| Key::of(&KeyEvent::new(code, with));
        assert_eq!(of(Char('G'), KeyModifiers::SHIFT), Some(Plain(Char('G'))));
        assert_eq!(of(Tab, KeyModifiers::SHIFT), Some(Plain(BackTab)));
        assert_eq!(of(BackTab, KeyModifiers::SHIFT), Some(Plain(BackTab)));
        assert_eq!(of(Char('a'), KeyModifiers::ALT), None);
        assert_eq!(of(Char('R'), KeyModifiers::CONTROL), Some(Control('r')));
        assert_eq!(of(Left, KeyModifiers::CONTROL), None);
    }
}
