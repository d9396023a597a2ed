//! Parses the terminal's bytes into keys, pasted text and mouse reports.
//!
//! crossterm's reader is not used, because it handles no signals between keys, and after an unterminated sequence or
//! paste it swallows all further keys.

use super::control_string::ControlString;
use super::sequence::{DISAMBIGUATE, Token, first_token};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use quadrille_scene::TerminalColour;
use quadrille_scene::colour::Rgb;
use std::time::{Duration, Instant};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TerminalInput {
    Event(Event),
    Colour(TerminalColour, Rgb),
    /// See [`Token::Attributes`].
    Attributes(u64),
    CellPixels([u16; 2]),
    /// The terminal has kitty's graphics protocol.
    KittyGraphics,
    KeyboardFlags(u32),
    Mode(u16, u16),
    Version(String),
}

/// Parses bytes into events without reading a clock: the caller passes the time at which bytes arrived or a deadline
/// passed.
///
/// A slow connection may split a sequence anywhere. After at least two bytes of a sequence, the parser waits for the
/// rest for up to [`Keys::SEQUENCE_TIMEOUT`]. A lone `ESC` becomes a key after [`Keys::esc_delay`], except in kitty's
/// keyboard protocol, in which Esc is a sequence too. If `ESC` became a key too early, the rest of its sequence is
/// discarded if it arrives within [`Keys::SEQUENCE_TIMEOUT`]; it causes neither keys nor clicks.
///
/// Control strings other than operating system commands begin like a key pressed with Alt. So they begin only if a
/// third byte arrives in the same chunk. The rest may arrive later.
pub(super) struct Keys {
    bytes: Vec<u8>,
    /// The number of parsed bytes.
    done: usize,
    /// The position in `bytes` of the latest chunk.
    latest: usize,
    paste: Option<Paste>,
    string: Option<ControlString>,
    /// The time at which the latest bytes of an unfinished sequence or paste arrived.
    sent: Option<Instant>,
    /// Whether the deadline for the rest has passed.
    given_up: bool,
    /// The unanswered queries; `None` once the terminal has answered.
    queried: Option<Queried>,
    /// How long a lone `ESC` counts as the possible start of a sequence.
    esc_delay: Duration,
    is_esc_a_sequence: bool,
    /// The time at which the latest lone `ESC` became a key.
    lone_esc: Option<Instant>,
    /// Whether the first `ESC` in `bytes` has already become a key.
    is_late: bool,
}

#[derive(Clone, Copy)]
struct Queried {
    at: Instant,
    /// Whether the last query is the one for attributes, so that answers are expected up to that one.
    is_fenced: bool,
}

#[derive(Default)]
struct Paste {
    /// The beginning of the pasted text, truncated to [`Paste::MAX_BYTES`] bytes.
    text: Vec<u8>,
    /// The number of bytes received, including the end sequence.
    length: usize,
    /// The number of bytes of [`Paste::END`] received.
    ended: usize,
    /// Whether the paste contains the byte of Ctrl-C.
    interrupted: bool,
}

impl Keys {
    /// Timeout for the rest of a sequence after a lone `ESC` on a local terminal.
    pub const ESC_HERE: Duration = Duration::from_millis(25);
    /// Timeout for the rest of a sequence after a lone `ESC` over a network.
    pub const ESC_FAR: Duration = Duration::from_millis(150);
    /// Timeout for the rest of an expected answer after a lone `ESC`.
    const ESC_OR_ANSWER: Duration = Duration::from_millis(100);
    /// How long to expect an answer to a query.
    const ANSWER_TIMEOUT: Duration = Duration::from_secs(1);
    /// Timeout for the rest of a sequence after at least two bytes.
    const SEQUENCE_TIMEOUT: Duration = Duration::from_secs(1);
    /// The maximum pause within a paste.
    const PASTE: Duration = Duration::from_secs(1);
    /// How long an unterminated control string swallows keys.
    const STRING: Duration = Duration::from_millis(500);
    /// The maximum length of a key in bytes. A longer chunk of input is a paste.
    const MAX_KEY_LENGTH: usize = 8;
    const ESC: u8 = 0x1b;
    const ESC_AS_SEQUENCE: &[u8] = b"\x1b[27u";

    pub fn new(esc_delay: Duration) -> Keys {
        Keys {
            bytes: Vec::new(),
            done: 0,
            latest: 0,
            paste: None,
            string: None,
            sent: None,
            given_up: false,
            queried: None,
            esc_delay,
            is_esc_a_sequence: false,
            lone_esc: None,
            is_late: false,
        }
    }

    /// Adds bytes that arrived at `now`.
    pub fn feed(&mut self, bytes: &[u8], now: Instant) {
        self.bytes.drain(..self.done);
        self.done = 0;
        let may_answer = |byte: &u8| ControlString::may_answer(*byte) && self.expects_answer();
        let continues_esc = bytes
            .first()
            .is_some_and(|byte| matches!(byte, b'[' | b'O' | b']') || may_answer(byte));
        let is_due =
            |since: Option<Instant>, delay| since.is_some_and(|since| now >= since + delay);
        if self.lone_esc.is_some() && continues_esc && self.bytes.is_empty() {
            self.is_late = !is_due(self.lone_esc, Keys::SEQUENCE_TIMEOUT);
            self.bytes.extend(self.is_late.then_some(Keys::ESC));
        } else if self.bytes == [Keys::ESC]
            && self.string.is_none()
            && !continues_esc
            && !self.is_esc_a_sequence
            && is_due(self.sent, Keys::ESC_HERE)
        {
            // After such a pause, these bytes are Esc and a second key, not a key with Alt.
            self.bytes = Keys::ESC_AS_SEQUENCE.to_vec();
        }
        self.lone_esc = None;
        self.latest = self.bytes.len();
        self.bytes.extend(bytes);
        self.given_up = false;
        // A key pressed to end an unterminated paste or string must not extend the deadline.
        let is_absorbing = self.paste.is_some() || self.string.is_some();
        if !is_absorbing || bytes.len() > Keys::MAX_KEY_LENGTH {
            self.sent = Some(now);
        }
    }

    /// Records that the terminal was queried, and whether it was queried last for its attributes.
    pub fn expect_answer(&mut self, now: Instant, is_fenced: bool) {
        let is_fenced = is_fenced || self.queried.is_some_and(|queried| queried.is_fenced);
        self.queried = Some(Queried { at: now, is_fenced });
    }

    /// Returns whether the latest bytes may begin an expected answer.
    fn expects_answer(&self) -> bool {
        self.queried
            .zip(self.sent)
            .is_some_and(|(queried, sent)| sent < queried.at + Keys::ANSWER_TIMEOUT)
    }

    /// Returns when to call [`Keys::expire`].
    pub fn deadline(&self) -> Option<Instant> {
        let absorbs = self.paste.as_ref().map(|_| Keys::PASTE);
        let absorbs = absorbs.or(self.string.as_ref().map(|_| Keys::STRING));
        let timeout = match (absorbs, &self.bytes[self.done..]) {
            (Some(timeout), _) => timeout,
            (None, [Keys::ESC]) if self.is_esc_a_sequence => Keys::SEQUENCE_TIMEOUT,
            (None, [Keys::ESC]) if self.expects_answer() => self.esc_delay.max(Keys::ESC_OR_ANSWER),
            (None, [Keys::ESC]) => self.esc_delay,
            (None, [Keys::ESC, ..]) => Keys::SEQUENCE_TIMEOUT,
            // An unfinished character needs no deadline, because the next byte completes or ends it.
            (None, _) => return None,
        };
        Some(self.sent? + timeout)
    }

    /// Stops waiting for the rest of an unfinished sequence, paste or string, if its deadline has passed.
    pub fn expire(&mut self, now: Instant) {
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            self.given_up = true;
            self.lone_esc = (self.bytes[self.done..] == [Keys::ESC]).then_some(now);
        }
    }

    /// Returns the next complete event or answer; `None` if there is none yet.
    pub fn next(&mut self) -> Option<TerminalInput> {
        loop {
            let rest = &self.bytes[self.done..];
            if let Some(mut paste) = self.paste.take() {
                let (taken, is_whole) = paste.take(rest);
                self.done += taken;
                if is_whole {
                    return Some(TerminalInput::Event(Event::Paste(paste.into_text())));
                }
                if !self.given_up {
                    self.paste = Some(paste);
                    return None;
                }
                // Drop the text: some of it may be keys typed to end the paste, and only Ctrl-C is unambiguous.
                if paste.interrupted {
                    let code = KeyCode::Char('c');
                    let key = KeyEvent::new(code, KeyModifiers::CONTROL);
                    return Some(TerminalInput::Event(Event::Key(key)));
                }
                continue;
            }
            if let Some(mut string) = self.string.take() {
                let (taken, is_over) = string.take(rest);
                self.done += taken;
                if string.has_kitty_graphics() {
                    return Some(TerminalInput::KittyGraphics);
                }
                if let Some(version) = string.version() {
                    return Some(TerminalInput::Version(version));
                }
                if !is_over && !self.given_up {
                    self.string = Some(string);
                    return None;
                }
                continue;
            }
            if (self.done >= self.latest || self.expects_answer())
                && let Some(string) = ControlString::begun_by(rest)
            {
                self.string = Some(string);
                self.done += 2;
                self.is_late = false;
                continue;
            }
            if let [Keys::ESC, introducer] = *rest
                && ControlString::may_answer(introducer)
                && self.expects_answer()
                && !self.given_up
            {
                return None;
            }
            let (token, length) = first_token(rest, self.given_up)?;
            self.done += length;
            let is_late = std::mem::take(&mut self.is_late);
            match token {
                Token::Key(_) | Token::Mouse(_) if is_late => {}
                Token::Key(key) => return Some(TerminalInput::Event(Event::Key(key))),
                Token::Mouse(mouse) => return Some(TerminalInput::Event(Event::Mouse(mouse))),
                Token::Focus(true) => return Some(TerminalInput::Event(Event::FocusGained)),
                Token::Focus(false) => return Some(TerminalInput::Event(Event::FocusLost)),
                Token::Colour(which, colour) => {
                    self.queried = self.queried.filter(|queried| queried.is_fenced);
                    return Some(TerminalInput::Colour(which, colour));
                }
                Token::KeyboardFlags(flags) => {
                    self.is_esc_a_sequence = flags & DISAMBIGUATE != 0;
                    return Some(TerminalInput::KeyboardFlags(flags));
                }
                Token::Mode(number, state) => return Some(TerminalInput::Mode(number, state)),
                Token::Attributes(attributes) => {
                    self.queried = None;
                    return Some(TerminalInput::Attributes(attributes));
                }
                Token::CellPixels(pixels) => return Some(TerminalInput::CellPixels(pixels)),
                Token::LongCommand => self.string = Some(ControlString::new(b']')),
                Token::Paste => self.paste = Some(Paste::default()),
                Token::Unknown => {}
            }
        }
    }
}

/// Returns the text that a line of input types: without other keys, and without answers of the terminal.
pub fn typed_text(line: &[u8]) -> String {
    let now = Instant::now();
    let mut keys = Keys::new(Duration::ZERO);
    keys.feed(line, now);
    let mut text = String::new();
    for is_over in [false, true] {
        if is_over {
            keys.expire(now + Keys::SEQUENCE_TIMEOUT);
        }
        for input in std::iter::from_fn(|| keys.next()) {
            match input {
                TerminalInput::Event(Event::Paste(pasted)) => text.push_str(&pasted),
                TerminalInput::Event(Event::Key(KeyEvent {
                    code: KeyCode::Char(letter),
                    modifiers: KeyModifiers::NONE | KeyModifiers::SHIFT,
                    ..
                })) => text.push(letter),
                _ => {}
            }
        }
    }
    text
}

impl Paste {
    const END: &[u8] = b"\x1b[201~";
    /// The maximum size of a pasted text in bytes. No text field holds more.
    const MAX_BYTES: usize = 1 << 16;
    const INTERRUPT: u8 = 3;

    /// Consumes bytes up to the end sequence. Returns the number of bytes consumed, and whether the paste has ended.
    fn take(&mut self, bytes: &[u8]) -> (usize, bool) {
        for (at, &byte) in bytes.iter().enumerate() {
            self.length += 1;
            if self.text.len() < Paste::MAX_BYTES {
                self.text.push(byte);
            }
            self.interrupted |= byte == Paste::INTERRUPT;
            // The first byte of the end sequence does not recur in it, so after a mismatch only this byte can start a
            // new match.
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
    use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

    fn key(code: KeyCode) -> TerminalInput {
        TerminalInput::Event(Event::Key(code.into()))
    }

    fn paste(text: impl Into<String>) -> TerminalInput {
        TerminalInput::Event(Event::Paste(text.into()))
    }

    fn interrupt() -> TerminalInput {
        TerminalInput::Event(Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)))
    }

    fn here() -> Keys {
        Keys::new(Keys::ESC_HERE)
    }

    /// Returns the events parsed from these chunks, which arrive at the same time.
    fn events(parts: &[&str], now: Instant) -> (Keys, Vec<TerminalInput>) {
        let mut keys = here();
        let mut events = Vec::new();
        for part in parts {
            keys.feed(part.as_bytes(), now);
            events.extend(std::iter::from_fn(|| keys.next()));
        }
        (keys, events)
    }

    fn give_up(keys: &mut Keys) {
        let deadline = keys.deadline().expect("a deadline");
        keys.expire(deadline);
    }

    /// Returns the events parsed from these chunks, which arrive with this pause between them and a long pause after
    /// the last.
    fn events_with_pauses(mut keys: Keys, parts: &[&[u8]], pause: Duration) -> Vec<TerminalInput> {
        let mut now = Instant::now();
        let mut events = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            keys.feed(part, now);
            events.extend(std::iter::from_fn(|| keys.next()));
            now += if at + 1 == parts.len() { 5 * Keys::SEQUENCE_TIMEOUT } else { pause };
            while let Some(deadline) = keys.deadline().filter(|deadline| *deadline <= now) {
                keys.expire(deadline);
                events.extend(std::iter::from_fn(|| keys.next()));
            }
        }
        events
    }

    fn mouse(kind: MouseEventKind) -> TerminalInput {
        let (column, row, modifiers) = (2, 3, KeyModifiers::NONE);
        TerminalInput::Event(Event::Mouse(MouseEvent { kind, column, row, modifiers }))
    }

    #[test]
    fn split_bytes_give_the_same_events() {
        let now = Instant::now();
        let text = "a\x1b[A\x1b[<35;3;4M林\x1b[200~b\rü\x1b[20\x1b\x1b[201~\x1bOB\x1b[I\
                    \x1b]11;rgb:14/16/1d\x1b\\\x1b]11;rgb:ffff/0/0\x07\x1b[?62;4c\x03";
        let bytes = text.as_bytes();
        let (_, whole) = events(&[text], now);
        let pasted = paste("b\rü\x1b[20\x1b");
        let keys = [KeyCode::Char('a'), KeyCode::Up, KeyCode::Char('林'), KeyCode::Down].map(key);
        let [a, up, forest, down] = keys;
        let moved = mouse(MouseEventKind::Moved);
        let focus = TerminalInput::Event(Event::FocusGained);
        let [dark, red] = [Rgb(0x14, 0x16, 0x1d), Rgb(255, 0, 0)]
            .map(|colour| TerminalInput::Colour(TerminalColour::Background, colour));
        let end = [dark, red, TerminalInput::Attributes(1 << 62 | 1 << 4), interrupt()];
        assert_eq!(whole, [&[a, up, moved, forest, pasted, down, focus][..], &end].concat());
        for first in 0..bytes.len() {
            for second in first..bytes.len() {
                let mut keys = here();
                let mut events = Vec::new();
                for part in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
                    keys.feed(part, now);
                    events.extend(std::iter::from_fn(|| keys.next()));
                }
                assert_eq!(events, whole, "cut at {first} and {second}");
            }
        }
    }

    /// No sequence types text, and a sequence is lost only if its `ESC` arrived alone and the rest too late.
    #[test]
    fn split_sequence_types_nothing_after_any_pause() {
        let sequences = [
            ("\x1b[D", key(KeyCode::Left)),
            ("\x1bOA", key(KeyCode::Up)),
            ("\x1b[1;1:1B", key(KeyCode::Down)),
            ("\x1b[15~", key(KeyCode::F(5))),
            ("\x1b[13u", key(KeyCode::Enter)),
            ("\x1b[<35;3;4M", mouse(MouseEventKind::Moved)),
            ("\x1b[<0;3;4m", mouse(MouseEventKind::Up(MouseButton::Left))),
            ("\x1b[O", TerminalInput::Event(Event::FocusLost)),
            (
                "\x1b]11;rgb:1414/1616/1d1d\x1b\\",
                TerminalInput::Colour(TerminalColour::Background, Rgb(0x14, 0x16, 0x1d)),
            ),
            ("\x1b[200~Hello\x1b[201~", paste("Hello")),
        ];
        let pauses = [1, 24, 25, 60, 149, 150, 500, 999].map(Duration::from_millis);
        let unambiguous = || {
            let mut keys = here();
            keys.feed(b"\x1b[?1u", Instant::now());
            assert_eq!(keys.next(), Some(TerminalInput::KeyboardFlags(1)));
            keys
        };
        let far = || Keys::new(Keys::ESC_FAR);
        let lines: [(&dyn Fn() -> Keys, _); 3] = [
            (&here, Keys::ESC_HERE),
            (&far, Keys::ESC_FAR),
            (&unambiguous, Keys::SEQUENCE_TIMEOUT),
        ];
        for (sequence, event) in sequences {
            let (bytes, q) = (sequence.as_bytes(), key(KeyCode::Char('q')));
            for (line, esc_delay) in &lines {
                for pause in pauses {
                    let acts_late =
                        !matches!(event, TerminalInput::Event(Event::Key(_) | Event::Mouse(_)));
                    for first in 1..bytes.len() {
                        for second in first..bytes.len() {
                            // The total of these pauses exceeds the maximum pause within a paste.
                            let is_long = second > first
                                && matches!(event, TerminalInput::Event(Event::Paste(_)));
                            if is_long && 2 * pause >= Keys::PASTE {
                                continue;
                            }
                            let rest = [&bytes[second..], b"q"].concat();
                            let parts = [&bytes[..first], &bytes[first..second], &rest];
                            let parts: Vec<&[u8]> =
                                parts.into_iter().filter(|part| !part.is_empty()).collect();
                            let expected = if first == 1 && pause >= *esc_delay {
                                let esc = key(KeyCode::Esc);
                                let late = acts_late.then(|| event.clone());
                                [esc].into_iter().chain(late).chain([q.clone()]).collect()
                            } else {
                                vec![event.clone(), q.clone()]
                            };
                            let events = events_with_pauses(line(), &parts, pause);
                            assert_eq!(events, expected, "{parts:?} {pause:?} {esc_delay:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn lone_esc_becomes_a_key_after_its_delay() {
        let now = Instant::now();
        let (mut keys, before) = events(&["x\x1b"], now);
        assert_eq!(before, [key(KeyCode::Char('x'))]);
        assert_eq!(keys.deadline(), Some(now + Keys::ESC_HERE));
        keys.expire(now + Keys::ESC_HERE / 2);
        assert_eq!(keys.next(), None);
        give_up(&mut keys);
        assert_eq!(keys.next(), Some(key(KeyCode::Esc)));
        assert_eq!((keys.next(), keys.deadline()), (None, None));
        keys.feed(b"[", now + 2 * Keys::SEQUENCE_TIMEOUT);
        assert_eq!(keys.next(), Some(key(KeyCode::Char('['))), "what comes too late is typed");
    }

    /// Even over a network, a user may press Esc and then another key in quick succession.
    #[test]
    fn esc_then_key_gives_two_keys() {
        let esc = key(KeyCode::Esc);
        for pause in [30, 140, 160, 500].map(Duration::from_millis) {
            for line in [Keys::ESC_HERE, Keys::ESC_FAR] {
                let parts: [&[u8]; 2] = [b"\x1b", b"q"];
                let events = events_with_pauses(Keys::new(line), &parts, pause);
                assert_eq!(events, [esc.clone(), key(KeyCode::Char('q'))], "{pause:?}");
                let parts: [&[u8]; 2] = [b"\x1b", b"\x1b"];
                let events = events_with_pauses(Keys::new(line), &parts, pause);
                assert_eq!(events, [esc.clone(), esc.clone()], "{pause:?}");
            }
        }
        let with_alt = KeyEvent::new(KeyCode::Char('b'), KeyModifiers::ALT);
        let (_, events) = events(&["\x1bb"], Instant::now());
        assert_eq!(events, [TerminalInput::Event(Event::Key(with_alt))]);
    }

    /// An answer that arrives byte by byte over a slow connection produces no key, but Esc still works.
    #[test]
    fn awaited_terminal_reply_may_pause_anywhere() {
        let start = Instant::now();
        let answer = b"\x1b]11;rgb:1414/1616/1d1d\x1b\\";
        let mut keys = here();
        keys.expect_answer(start, false);
        let mut now = start;
        for byte in answer {
            keys.feed(&[*byte], now);
            let before = keys.next();
            now += Duration::from_millis(50);
            keys.expire(now);
            let next = before.or_else(|| keys.next());
            let ended = TerminalInput::Colour(TerminalColour::Background, Rgb(0x14, 0x16, 0x1d));
            assert_eq!(next, (*byte == b'\\').then_some(ended), "{byte}");
        }
        // Once the answer has arrived, Esc has its usual short delay again.
        keys.feed(b"\x1b", now);
        assert_eq!((keys.next(), keys.deadline()), (None, Some(now + Keys::ESC_HERE)));
        // A terminal that does not answer delays Esc only slightly, and only during the first second.
        let mut keys = here();
        keys.expect_answer(start, false);
        for (after, timeout) in
            [(Duration::ZERO, Keys::ESC_OR_ANSWER), (Keys::ANSWER_TIMEOUT, Keys::ESC_HERE)]
        {
            let now = start + after;
            keys.feed(b"\x1b", now);
            assert_eq!((keys.next(), keys.deadline()), (None, Some(now + timeout)));
            give_up(&mut keys);
            assert_eq!(keys.next(), Some(key(KeyCode::Esc)));
        }
    }

    /// Strings begin like keys with Alt, which they are not while an answer is expected.
    #[test]
    fn awaited_answers_type_nothing_wherever_they_pause() {
        for (answer, expected) in [
            (
                &b"\x1bP>|kitty(0.36.4)\x1b\\"[..],
                TerminalInput::Version("kitty(0.36.4)".to_owned()),
            ),
            (b"\x1b_Gi=5117;OK\x1b\\", TerminalInput::KittyGraphics),
            (b"\x1b[6;18;9t", TerminalInput::CellPixels([9, 18])),
            (b"\x1b[?1016;2$y", TerminalInput::Mode(1016, 2)),
        ] {
            let fence = TerminalInput::Attributes(1 << 62);
            for cut in 1..answer.len() {
                let mut keys = here();
                keys.expect_answer(Instant::now(), true);
                let parts = [&answer[..cut], &answer[cut..], b"\x1b[?62c", b"\x1bP", b"q"];
                let events = events_with_pauses(keys, &parts, Duration::from_millis(60));
                let alt_p =
                    KeyEvent::new(KeyCode::Char('P'), KeyModifiers::ALT | KeyModifiers::SHIFT);
                let typed = [TerminalInput::Event(Event::Key(alt_p)), key(KeyCode::Char('q'))];
                let all: Vec<_> =
                    [expected.clone(), fence.clone()].into_iter().chain(typed).collect();
                assert_eq!(events, all, "{answer:?} to {cut}");
            }
        }
    }

    #[test]
    fn unfinished_sequence_expires() {
        let now = Instant::now();
        for begun in ["\x1b[1;", "\x1b[", "\x1bO", "\x1b\x1b[", "\x1b[[", "\x1b\u{e9}"] {
            for cut in 1..=begun.len() {
                let mut keys = here();
                keys.feed(&begun.as_bytes()[..cut], now);
                while keys.next().is_some() {}
                keys.expire(now + Keys::SEQUENCE_TIMEOUT);
                while keys.next().is_some() {}
                assert_eq!(keys.deadline(), None, "{begun:?} to {cut}");
                keys.feed(b"q", now);
                assert_eq!(keys.next(), Some(key(KeyCode::Char('q'))), "{begun:?} to {cut}");
            }
        }
    }

    #[test]
    fn unfinished_character_does_not_delay_the_next_key() {
        let now = Instant::now();
        let mut keys = here();
        keys.feed(&"林".as_bytes()[..2], now);
        assert_eq!((keys.next(), keys.deadline()), (None, None));
        keys.feed(b"\x03", now);
        assert_eq!(keys.next(), Some(interrupt()));
    }

    /// Alt-P, and Esc followed by P, stay keys.
    #[test]
    fn control_string_begins_only_with_a_third_byte_in_the_same_chunk() {
        let version = TerminalInput::Version("XTerm(390)".to_owned());
        let strings = [
            ("\x1bP>|XTerm(390)\x1b\\", Some(version)),
            ("\x1bP1+r436f=323536\x1b\\", None),
            ("\x1b_Gi=31;OK\x1b\\", None),
            ("\x1b^3-9\x1b\\", None),
            ("\x1bX3-9\r\x07", None),
            ("\x1bP\x1b\\", None),
        ];
        let typed = |bytes: &[u8]| {
            let mut keys = here();
            keys.feed(bytes, Instant::now());
            std::iter::from_fn(|| keys.next()).collect::<Vec<_>>()
        };
        let q = key(KeyCode::Char('q'));
        for (string, answer) in strings {
            let swallowed: Vec<_> = answer.into_iter().chain([q.clone()]).collect();
            for cut in 1..=string.len() {
                let (first, second) = string.as_bytes().split_at(cut);
                let second = [second, b"q"].concat();
                for pause in [0, 24, 60, 300, 499].map(Duration::from_millis) {
                    let events = events_with_pauses(here(), &[first, &second], pause);
                    if cut >= 3 {
                        assert_eq!(events, swallowed, "{string:?} {cut} {pause:?}");
                        continue;
                    }
                    let introducer = KeyCode::Char(string.as_bytes()[1].into());
                    let has_code = |input: &TerminalInput| match input {
                        TerminalInput::Event(Event::Key(key)) => key.code == introducer,
                        _ => false,
                    };
                    assert!(events.iter().any(has_code), "{events:?}");
                    if cut == 2 {
                        assert_eq!(events, [typed(first), typed(&second)].concat(), "{string:?}");
                    }
                }
            }
            // Byte by byte after its beginning, up to the limit of time.
            let mut parts: Vec<&[u8]> = vec![&string.as_bytes()[..3]];
            parts.extend(string.as_bytes()[3..].chunks(1));
            parts.push(b"q");
            let events = events_with_pauses(here(), &parts, Duration::from_millis(20));
            assert_eq!(events, swallowed, "{string:?}");
        }
        let alt_p = KeyEvent::new(KeyCode::Char('P'), KeyModifiers::ALT | KeyModifiers::SHIFT);
        assert_eq!(typed(b"\x1bP"), [TerminalInput::Event(Event::Key(alt_p))]);
        let esc_p = events_with_pauses(here(), &[b"\x1b", b"P"], Duration::from_millis(40));
        let shift_p = KeyEvent::new(KeyCode::Char('P'), KeyModifiers::SHIFT);
        assert_eq!(esc_p, [key(KeyCode::Esc), TerminalInput::Event(Event::Key(shift_p))]);
    }

    #[test]
    fn unterminated_control_string_swallows_at_most_half_a_second_and_4_kib() {
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        let clipboard = format!("\x1b]52;c;{}", "a".repeat(64));
        for begun in ["\x1bP1+r", &clipboard] {
            let (mut keys, before) = events(&[begun], start);
            assert_eq!((before, keys.deadline()), (vec![], Some(after(500))), "{begun:?}");
            keys.feed(b"3", after(300));
            assert_eq!((keys.next(), keys.deadline()), (None, Some(after(500))), "typing");
            keys.feed(b"nine bytes", after(400));
            assert_eq!((keys.next(), keys.deadline()), (None, Some(after(900))), "an answer");
            keys.expire(after(900));
            assert_eq!((keys.next(), keys.deadline()), (None, None));
            keys.feed(b"q", after(901));
            assert_eq!(keys.next(), Some(key(KeyCode::Char('q'))));
        }
        let (mut keys, _) = events(&["\x1b_"], start);
        keys.feed(&[b"\x1b_".as_slice(), &[b'1'; 4096], b"q"].concat(), start);
        assert_eq!(keys.next(), Some(key(KeyCode::Char('q'))), "4 KiB");
        // Keys that belong to no string work at once.
        for (bytes, event) in [("\x1bP>|\x03", interrupt()), ("\x1b_a\x1b[A", key(KeyCode::Up))] {
            assert_eq!(events(&[bytes], start).1, [event]);
        }
        let (mut keys, before) = events(&["\x1bP>|\x1b"], start);
        assert_eq!(before, []);
        give_up(&mut keys);
        assert_eq!(keys.next(), Some(key(KeyCode::Esc)));
    }

    #[test]
    fn unterminated_paste_expires() {
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
        give_up(&mut keys);
        assert_eq!((keys.next(), keys.deadline()), (None, None), "nobody can tell text from keys");
        keys.feed(b"q\x1b[201~\x1b[A", later(16));
        let rest: Vec<TerminalInput> = std::iter::from_fn(|| keys.next()).collect();
        assert_eq!(rest, [key(KeyCode::Char('q')), key(KeyCode::Up)]);
    }

    #[test]
    fn ctrl_c_interrupts_only_an_unterminated_paste() {
        let now = Instant::now();
        let (mut keys, before) = events(&["\x1b[200~hello\x03", "qq"], now);
        assert_eq!(before, []);
        give_up(&mut keys);
        assert_eq!(keys.next(), Some(interrupt()));
        assert_eq!(keys.next(), None);
        let (_, pasted) = events(&["\x1b[200~hello\x03", "\x1b[201~"], now);
        assert_eq!(pasted, [paste("hello\x03")]);
    }

    #[test]
    fn long_paste_is_truncated() {
        let now = Instant::now();
        for length in (Paste::MAX_BYTES - 8..Paste::MAX_BYTES + 8).chain([1 << 20]) {
            let text = format!("\x1b[200~{}\x1b[201~q", "a".repeat(length));
            let (keys, events) = events(&[&text], now);
            let kept = "a".repeat(length.min(Paste::MAX_BYTES));
            assert!(events == [paste(kept), key(KeyCode::Char('q'))], "{length}");
            drop(keys);
        }
    }
}
