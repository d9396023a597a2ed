//! Keys, as the terminal sends them.

use crossterm::event::{self, Event, KeyCode};
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

/// Reads keys, and joins an arrow that came in two parts. When very many keys come at once, the
/// system may cut its sequence behind the Esc, and crossterm takes that for the key Esc and letters.
#[derive(Default)]
pub(super) struct Keys {
    /// What was read ahead.
    ahead: VecDeque<Event>,
}

impl Keys {
    /// How long the rest of a sequence may take: no finger is that fast.
    const AT_ONCE: Duration = Duration::from_millis(5);

    pub fn read(&mut self) -> io::Result<Event> {
        let first = match self.ahead.pop_front() {
            Some(event) => event,
            None => event::read()?,
        };
        if code(&first) != Some(KeyCode::Esc) {
            return Ok(first);
        }
        while self.ahead.len() < 2 && event::poll(Keys::AT_ONCE)? {
            self.ahead.push_back(event::read()?);
        }
        let whole = match [0, 1].map(|at| self.ahead.get(at).and_then(code)) {
            [Some(KeyCode::Char('[' | 'O')), Some(KeyCode::Char(last))] => match last {
                'A' => KeyCode::Up,
                'B' => KeyCode::Down,
                'C' => KeyCode::Right,
                'D' => KeyCode::Left,
                'H' => KeyCode::Home,
                'F' => KeyCode::End,
                _ => return Ok(first),
            },
            _ => return Ok(first),
        };
        self.ahead.drain(..2);
        Ok(Event::Key(whole.into()))
    }
}

fn code(event: &Event) -> Option<KeyCode> {
    event.as_key_press_event().map(|key| key.code)
}
