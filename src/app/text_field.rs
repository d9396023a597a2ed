//! Single-line text input.

use crate::view::Typed;
use crossterm::event::{Event, KeyEvent};
use tui_input::Input;
use tui_input::backend::crossterm::to_input_request;

/// A single-line text field with the usual editing keys.
#[derive(Clone, Debug, Default)]
pub(super) struct TextField(Input);

impl TextField {
    /// The maximum length in characters, longer than any move, name, setup or path. A longer initial text is kept, but
    /// cannot grow.
    const MAX_LENGTH: usize = 4096;

    /// Creates a field that contains this text, with the cursor at the end.
    pub fn new(text: &str) -> TextField {
        TextField(Input::new(text.to_owned()))
    }

    pub fn text(&self) -> &str {
        self.0.value()
    }

    /// Handles a key; `false` if it changes nothing.
    pub fn key(&mut self, key: &KeyEvent) -> bool {
        let Some(request) = to_input_request(&Event::Key(*key)) else { return false };
        let mut edited = self.0.clone();
        let has_changed = edited.handle(request).is_some();
        // Keys other than letters can lengthen the text too: the user can insert cut text repeatedly.
        let is_too_long = length(&edited) > TextField::MAX_LENGTH.max(length(&self.0));
        if has_changed && !is_too_long {
            self.0 = edited;
        }
        has_changed && !is_too_long
    }

    /// Inserts as much of the pasted text as fits, without control characters. Always returns `true`.
    pub fn paste(&mut self, pasted: &str) -> bool {
        let (text, cursor) = (self.0.value(), self.0.cursor());
        let room = TextField::MAX_LENGTH.saturating_sub(length(&self.0));
        let at = text.char_indices().nth(cursor).map_or(text.len(), |(at, _)| at);
        let pasted: String = pasted.chars().filter(|c| !c.is_control()).take(room).collect();
        let cursor = cursor + pasted.chars().count();
        let text = [&text[..at], &pasted, &text[at..]].concat();
        self.0 = std::mem::take(&mut self.0).with_value(text).with_cursor(cursor);
        true
    }

    pub fn typed(&self) -> Typed<'_> {
        Typed { text: self.text(), cursor: self.0.cursor() }
    }

    /// Returns the number of characters before the cursor.
    pub fn cursor(&self) -> usize {
        self.0.cursor()
    }
}

fn length(input: &Input) -> usize {
    input.value().chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyModifiers};

    fn press(field: &mut TextField, code: KeyCode, modifiers: KeyModifiers) -> bool {
        field.key(&KeyEvent::new(code, modifiers))
    }

    #[test]
    fn paste_inserts_at_the_cursor() {
        let mut field = TextField::new("añd");
        assert!(press(&mut field, KeyCode::Left, KeyModifiers::NONE));
        field.paste("b\r\n林\x1b");
        assert_eq!(field.text(), "añb林d");
        assert!(press(&mut field, KeyCode::Char('c'), KeyModifiers::NONE));
        assert_eq!(field.text(), "añb林cd");
    }

    #[test]
    fn field_limits_its_text_length() {
        let mut field = TextField::new("ab");
        press(&mut field, KeyCode::Left, KeyModifiers::NONE);
        field.paste(&"é".repeat(300_000));
        assert_eq!(field.text().chars().count(), TextField::MAX_LENGTH);
        assert!(field.text().starts_with("aé") && field.text().ends_with("éb"));
        assert!(!press(&mut field, KeyCode::Char('c'), KeyModifiers::NONE));
        press(&mut field, KeyCode::Char('u'), KeyModifiers::CONTROL);
        assert_eq!(field.text(), "");
        for _ in 0..3 {
            press(&mut field, KeyCode::Char('y'), KeyModifiers::CONTROL);
            assert_eq!(field.text().chars().count(), TextField::MAX_LENGTH);
        }
    }

    #[test]
    fn field_keeps_an_overlong_initial_text() {
        let long = "a".repeat(2 * TextField::MAX_LENGTH);
        let mut field = TextField::new(&long);
        field.paste("b");
        assert!(!press(&mut field, KeyCode::Char('b'), KeyModifiers::NONE));
        assert_eq!(field.text(), long);
        assert!(press(&mut field, KeyCode::Backspace, KeyModifiers::NONE));
        assert_eq!(field.text(), &long[1..]);
    }
}
