//! Turns the bytes that the terminal sends into keys, pasted text and mouse reports.
//!
//! crossterm's own reader is not used: it handles no signal between two keys, and a sequence or a paste
//! without an end makes it swallow all keys for ever.

use super::sequence::{Token, first_token};
use crate::scene::colour::Rgb;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use std::time::{Duration, Instant};

/// What the terminal has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Event(Event),
    /// The colour of its background.
    Background(Rgb),
}

/// Turns bytes into events. It reads no clock: the caller says when bytes came, and when to stop waiting for
/// more.
#[derive(Default)]
pub(super) struct Keys {
    bytes: Vec<u8>,
    /// How many of the bytes have become events.
    done: usize,
    paste: Option<Paste>,
    /// When the last bytes of an unfinished sequence or paste came.
    sent: Option<Instant>,
    /// Whether the rest of it is no longer waited for.
    given_up: bool,
    /// When the terminal was asked something that it has not answered yet.
    asked: Option<Instant>,
}

/// Text being pasted.
#[derive(Default)]
struct Paste {
    /// The beginning of the text, up to [`Paste::LONGEST`] bytes.
    text: Vec<u8>,
    /// How many bytes have come, including those of the end sequence.
    length: usize,
    /// How many bytes of [`Paste::END`] have come.
    ended: usize,
    /// Whether the byte of Ctrl-C has come.
    interrupted: bool,
}

impl Keys {
    /// How long the rest of a sequence may take. Nobody presses Esc and then another key that fast.
    const SEQUENCE: Duration = Duration::from_millis(20);
    /// The same while an answer of the terminal is expected.
    const ANSWER: Duration = Duration::from_millis(100);
    /// For how long an answer is expected.
    const EXPECTED: Duration = Duration::from_secs(1);
    /// How long an answer that has begun, or a paste, may pause.
    const PASTE: Duration = Duration::from_secs(1);
    /// The most bytes of one key. More bytes at once are pasted, not typed.
    const ONE_KEY: usize = 8;

    /// Takes bytes that came now.
    pub fn feed(&mut self, bytes: &[u8], now: Instant) {
        self.bytes.drain(..self.done);
        self.done = 0;
        self.bytes.extend(bytes);
        self.given_up = false;
        // A paste without an end must not last longer because somebody presses keys to end it.
        if self.paste.is_none() || bytes.len() > Keys::ONE_KEY {
            self.sent = Some(now);
        }
    }

    /// Says that the terminal was asked for its background now.
    pub fn expect_answer(&mut self, now: Instant) {
        self.asked = Some(now);
    }

    /// Whether the last bytes may be the beginning of an answer.
    fn expects_answer(&self) -> bool {
        self.asked.zip(self.sent).is_some_and(|(asked, sent)| sent < asked + Keys::EXPECTED)
    }

    /// Whether the bytes that are left begin an answer. `ESC ]` alone is also what Alt with `]` sends.
    fn may_be_answer(&self) -> bool {
        let rest = &self.bytes[self.done..];
        rest.starts_with(b"\x1b]") && (rest.len() > 2 || self.expects_answer())
    }

    /// When to call [`Keys::give_up`].
    pub fn deadline(&self) -> Option<Instant> {
        let patience = match (&self.paste, self.bytes.get(self.done)) {
            (Some(_), _) => Keys::PASTE,
            (None, Some(_)) if self.may_be_answer() => Keys::PASTE,
            // An unfinished character needs no deadline: the next byte ends it.
            (None, Some(0x1b)) if self.expects_answer() => Keys::ANSWER,
            (None, Some(0x1b)) => Keys::SEQUENCE,
            (None, _) => return None,
        };
        Some(self.sent? + patience)
    }

    /// Stops waiting for the rest of an unfinished sequence or paste.
    pub fn give_up(&mut self) {
        self.given_up = true;
    }

    /// The next event or answer, if it is complete.
    pub fn next(&mut self) -> Option<Input> {
        loop {
            let rest = &self.bytes[self.done..];
            if let Some(mut paste) = self.paste.take() {
                let (taken, is_whole) = paste.take(rest);
                self.done += taken;
                if is_whole {
                    return Some(Input::Event(Event::Paste(paste.into_text())));
                }
                if !self.given_up {
                    self.paste = Some(paste);
                    return None;
                }
                // The text is dropped: it may hold keys that were typed to end the paste, and only Ctrl-C is
                // known to be one.
                if paste.interrupted {
                    let code = KeyCode::Char('c');
                    let key = KeyEvent::new(code, KeyModifiers::CONTROL);
                    return Some(Input::Event(Event::Key(key)));
                }
                continue;
            }
            let (token, length) = first_token(rest, self.given_up)?;
            self.done += length;
            match token {
                Token::Key(key) => return Some(Input::Event(Event::Key(key))),
                Token::Mouse(mouse) => return Some(Input::Event(Event::Mouse(mouse))),
                Token::Background(colour) => {
                    self.asked = None;
                    return Some(Input::Background(colour));
                }
                Token::Paste => self.paste = Some(Paste::default()),
                Token::Unknown => {}
            }
        }
    }
}

impl Paste {
    const END: &[u8] = b"\x1b[201~";
    /// The most bytes kept of a text; no field takes more.
    const LONGEST: usize = 1 << 16;
    const INTERRUPT: u8 = 3;

    /// Takes bytes up to the end sequence. Returns how many it took, and whether the end has come.
    fn take(&mut self, bytes: &[u8]) -> (usize, bool) {
        for (at, &byte) in bytes.iter().enumerate() {
            self.length += 1;
            if self.text.len() < Paste::LONGEST {
                self.text.push(byte);
            }
            self.interrupted |= byte == Paste::INTERRUPT;
            // The first byte of the end sequence occurs in it only once, so only that byte can start it
            // again.
            let goes_on = byte == Paste::END[self.ended];
            self.ended = if goes_on { self.ended + 1 } else { (byte == Paste::END[0]).into() };
            if self.ended == Paste::END.len() {
                return (at + 1, true);
            }
        }
        (bytes.len(), false)
    }

    fn into_text(mut self) -> String {
        self.text.truncate(self.length - Paste::END.len());
        String::from_utf8_lossy(&self.text).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{MouseEvent, MouseEventKind};

    fn key(code: KeyCode) -> Input {
        Input::Event(Event::Key(code.into()))
    }

    fn paste(text: impl Into<String>) -> Input {
        Input::Event(Event::Paste(text.into()))
    }

    fn interrupt() -> Input {
        Input::Event(Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)))
    }

    /// The events of bytes that come in these parts, all at the same time.
    fn events(parts: &[&str], now: Instant) -> (Keys, Vec<Input>) {
        let mut keys = Keys::default();
        let mut events = Vec::new();
        for part in parts {
            keys.feed(part.as_bytes(), now);
            events.extend(std::iter::from_fn(|| keys.next()));
        }
        (keys, events)
    }

    #[test]
    fn events_do_not_depend_on_where_bytes_are_cut() {
        let now = Instant::now();
        let text = "a\x1b[A\x1b[<35;3;4M林\x1b[200~b\rü\x1b[20\x1b\x1b[201~\x1bOB\
                    \x1b]11;rgb:14/16/1d\x1b\\\x1b]11;rgb:ffff/0/0\x07\x03";
        let bytes = text.as_bytes();
        let (_, whole) = events(&[text], now);
        let pasted = paste("b\rü\x1b[20\x1b");
        let keys = [KeyCode::Char('a'), KeyCode::Up, KeyCode::Char('林'), KeyCode::Down].map(key);
        let [a, up, forest, down] = keys;
        let kind = MouseEventKind::Moved;
        let (column, row, modifiers) = (2, 3, KeyModifiers::NONE);
        let moved = Input::Event(Event::Mouse(MouseEvent { kind, column, row, modifiers }));
        let [dark, red] = [Rgb(0x14, 0x16, 0x1d), Rgb(255, 0, 0)].map(Input::Background);
        assert_eq!(whole, [a, up, moved, forest, pasted, down, dark, red, interrupt()]);
        for first in 0..bytes.len() {
            for second in first..bytes.len() {
                let mut keys = Keys::default();
                let mut events = Vec::new();
                for part in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
                    keys.feed(part, now);
                    events.extend(std::iter::from_fn(|| keys.next()));
                }
                assert_eq!(events, whole, "cut at {first} and {second}");
            }
        }
    }

    #[test]
    fn esc_alone_is_a_key() {
        let now = Instant::now();
        let (mut keys, before) = events(&["x\x1b"], now);
        assert_eq!(before, [key(KeyCode::Char('x'))]);
        assert_eq!(keys.deadline(), Some(now + Keys::SEQUENCE));
        keys.give_up();
        assert_eq!(keys.next(), Some(key(KeyCode::Esc)));
        assert_eq!((keys.next(), keys.deadline()), (None, None));
        keys.feed(b"[A", now);
        assert_eq!(keys.next(), Some(key(KeyCode::Char('['))), "what comes too late is typed");
    }

    /// An answer that comes byte by byte on a slow line is no key. Esc is one all the same.
    #[test]
    fn an_answer_that_is_awaited_may_pause_anywhere() {
        let start = Instant::now();
        let answer = b"\x1b]11;rgb:1414/1616/1d1d\x1b\\";
        let mut keys = Keys::default();
        keys.expect_answer(start);
        let mut now = start;
        for byte in answer {
            keys.feed(&[*byte], now);
            let before = keys.next();
            now += Duration::from_millis(50);
            if keys.deadline().is_some_and(|deadline| deadline <= now) {
                keys.give_up();
            }
            let next = before.or_else(|| keys.next());
            let ended = Input::Background(Rgb(0x14, 0x16, 0x1d));
            assert_eq!(next, (*byte == b'\\').then_some(ended), "{byte}");
        }
        // Now that it is here, Esc and Alt with ] are as quick as ever.
        for bytes in [&b"\x1b"[..], b"\x1b]"] {
            keys.feed(bytes, now);
            assert_eq!((keys.next(), keys.deadline()), (None, Some(now + Keys::SEQUENCE)));
            keys.give_up();
            assert!(keys.next().is_some());
        }
        // A terminal that does not answer delays Esc for the first second only, and little.
        let mut keys = Keys::default();
        keys.expect_answer(start);
        for (after, patience) in [(Duration::ZERO, Keys::ANSWER), (Keys::EXPECTED, Keys::SEQUENCE)]
        {
            let now = start + after;
            keys.feed(b"\x1b", now);
            assert_eq!((keys.next(), keys.deadline()), (None, Some(now + patience)));
            keys.give_up();
            assert_eq!(keys.next(), Some(key(KeyCode::Esc)));
        }
    }

    #[test]
    fn an_unfinished_sequence_is_given_up() {
        let now = Instant::now();
        for begun in ["\x1b[1;", "\x1b[", "\x1bO", "\x1b\x1b[", "\x1b[[", "\x1b\u{e9}"] {
            for cut in 1..=begun.len() {
                let mut keys = Keys::default();
                keys.feed(&begun.as_bytes()[..cut], now);
                while keys.next().is_some() {}
                keys.give_up();
                while keys.next().is_some() {}
                assert_eq!(keys.deadline(), None, "{begun:?} to {cut}");
                keys.feed(b"q", now);
                assert_eq!(keys.next(), Some(key(KeyCode::Char('q'))), "{begun:?} to {cut}");
            }
        }
    }

    #[test]
    fn an_unfinished_character_delays_no_key() {
        let now = Instant::now();
        let mut keys = Keys::default();
        keys.feed(&"林".as_bytes()[..2], now);
        assert_eq!((keys.next(), keys.deadline()), (None, None));
        keys.feed(b"\x03", now);
        assert_eq!(keys.next(), Some(interrupt()));
    }

    #[test]
    fn a_paste_without_an_end_is_given_up() {
        let now = Instant::now();
        let later = |tenths: u64| now + Duration::from_millis(100 * tenths);
        let (mut keys, before) = events(&["\x1b[200~hello, world"], now);
        assert_eq!((before, keys.deadline()), (vec![], Some(later(10))));
        keys.feed(b"some more text", later(5));
        assert_eq!(keys.next(), None);
        assert_eq!(keys.deadline(), Some(later(15)), "it still comes in");
        keys.feed(b"\x1b[A", later(9));
        assert_eq!(keys.next(), None);
        assert_eq!(keys.deadline(), Some(later(15)), "somebody presses keys");
        keys.give_up();
        assert_eq!((keys.next(), keys.deadline()), (None, None), "nobody can tell text from keys");
        keys.feed(b"q\x1b[201~\x1b[A", later(16));
        let rest: Vec<Input> = std::iter::from_fn(|| keys.next()).collect();
        assert_eq!(rest, [key(KeyCode::Char('q')), key(KeyCode::Up)]);
    }

    #[test]
    fn control_c_is_a_key_only_in_a_paste_without_an_end() {
        let now = Instant::now();
        let (mut keys, before) = events(&["\x1b[200~hello\x03", "qq"], now);
        assert_eq!(before, []);
        keys.give_up();
        assert_eq!(keys.next(), Some(interrupt()));
        assert_eq!(keys.next(), None);
        let (_, pasted) = events(&["\x1b[200~hello\x03", "\x1b[201~"], now);
        assert_eq!(pasted, [paste("hello\x03")]);
    }

    #[test]
    fn only_the_start_of_a_long_paste_is_kept() {
        let now = Instant::now();
        for length in (Paste::LONGEST - 8..Paste::LONGEST + 8).chain([1 << 20]) {
            let text = format!("\x1b[200~{}\x1b[201~q", "a".repeat(length));
            let (keys, events) = events(&[&text], now);
            let kept = "a".repeat(length.min(Paste::LONGEST));
            assert!(events == [paste(kept), key(KeyCode::Char('q'))], "{length}");
            drop(keys);
        }
    }
}
