//! Control strings that the terminal sends (ECMA-48, 5.6): answers, possibly to the queries of an earlier program.

use super::sequence::KITTY_GRAPHICS_WORK;

/// A control string of which only the beginning has arrived. Its text is swallowed.
///
/// Without its end, a string is indistinguishable from keys, such as Alt-P and the keys after it. So it ends after
/// [`ControlString::MAX_LENGTH`] bytes, and the caller ends it after a time.
pub(super) struct ControlString {
    introducer: u8,
    text: Vec<u8>,
    is_terminated: bool,
}

impl ControlString {
    /// Device control strings (DCS) and application program commands (APC), in which answers come.
    const DEVICE: u8 = b'P';
    const APPLICATION: u8 = b'_';
    /// The maximum length in bytes.
    const MAX_LENGTH: usize = 4096;
    const ESC: u8 = 0x1b;
    const BEL: u8 = 7;
    /// Ctrl-C, and the keys that cancel a string according to ECMA-48.
    const CANCELS: [u8; 3] = [3, 0x18, 0x1a];

    /// Returns the string that these bytes begin, if their first two bytes introduce one and at least one more byte
    /// arrived with them. Otherwise they are a key pressed with Alt.
    pub fn begun_by(bytes: &[u8]) -> Option<ControlString> {
        match *bytes {
            [ControlString::ESC, introducer @ (b'P' | b'X' | b'^' | b'_'), _, ..] => {
                Some(ControlString::new(introducer))
            }
            _ => None,
        }
    }

    /// Returns whether a string with this introducer may be an answer.
    pub const fn may_answer(introducer: u8) -> bool {
        matches!(introducer, ControlString::DEVICE | ControlString::APPLICATION)
    }

    pub const fn new(introducer: u8) -> ControlString {
        ControlString { introducer, text: Vec::new(), is_terminated: false }
    }

    /// Consumes bytes up to the end of the string. Returns the number of bytes consumed, and whether the string has
    /// ended. A key that interrupts the string ends it and is not consumed.
    pub fn take(&mut self, bytes: &[u8]) -> (usize, bool) {
        for (at, &byte) in bytes.iter().enumerate() {
            let next = bytes.get(at + 1);
            match byte {
                ControlString::BEL => {
                    self.is_terminated = true;
                    return (at + 1, true);
                }
                ControlString::ESC if next == Some(&b'\\') => {
                    self.is_terminated = true;
                    return (at + 2, true);
                }
                ControlString::ESC => return (at, next.is_some()),
                _ if ControlString::CANCELS.contains(&byte) => return (at, true),
                _ if self.text.len() == ControlString::MAX_LENGTH => return (at, true),
                _ => self.text.push(byte),
            }
        }
        (bytes.len(), false)
    }

    /// Returns the terminal's name and version, if the string is the answer to XTVERSION.
    pub fn version(&self) -> Option<String> {
        let is_answer = self.is_terminated && self.introducer == ControlString::DEVICE;
        let text = self.text.strip_prefix(b">|").filter(|_| is_answer)?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    /// Returns whether the string is a positive answer to the query of kitty's graphics protocol.
    pub fn has_kitty_graphics(&self) -> bool {
        self.is_terminated
            && self.introducer == ControlString::APPLICATION
            && self.text == KITTY_GRAPHICS_WORK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn string_ends_at_its_terminator_or_a_key() {
        for (bytes, taken, is_over) in [
            (&b"abc\x1b\\q"[..], 5, true),
            (b"abc\x07q", 4, true),
            (b"abc", 3, false),
            (b"abc\x1b", 3, false),
            (b"abc\x1b[A", 3, true),
            (b"abc\x03", 3, true),
            (b"a\r\n\xc3\xa9\x1b\\", 7, true),
            (b"\x1b\\", 2, true),
        ] {
            let mut string = ControlString::new(b'P');
            assert_eq!(string.take(bytes), (taken, is_over), "{bytes:?}");
        }
        let long = [b'1'; ControlString::MAX_LENGTH + 9];
        assert_eq!(ControlString::new(b'_').take(&long), (ControlString::MAX_LENGTH, true));
    }

    #[test]
    fn version_is_read_from_the_answer_to_xtversion() {
        let version = |introducer, text: &[u8]| {
            let mut string = ControlString::new(introducer);
            string.take(text);
            string.version()
        };
        assert_eq!(version(b'P', b">|XTerm(390)\x1b\\"), Some("XTerm(390)".to_owned()));
        assert_eq!(version(b'P', b"1+r436f=323536\x1b\\"), None);
        assert_eq!(version(b'P', b">|XTerm\x03"), None);
        assert_eq!(version(b'_', b">|XTerm(390)\x1b\\"), None);
    }

    #[test]
    fn only_a_positive_answer_to_our_query_means_graphics() {
        for (introducer, text, expected) in [
            (b'_', &b"Gi=5117;OK\x1b\\"[..], true),
            (b'_', b"Gi=5117;OK\x03", false),
            (b'_', b"Gi=5117;EINVAL:bad\x1b\\", false),
            (b'_', b"Gi=31;OK\x1b\\", false),
            (b'P', b"Gi=5117;OK\x1b\\", false),
        ] {
            let mut string = ControlString::new(introducer);
            string.take(text);
            assert_eq!(string.has_kitty_graphics(), expected, "{text:?}");
        }
    }
}
