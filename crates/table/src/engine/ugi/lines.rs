//! Splits a byte stream into lines.

/// Collects chunks of bytes and returns complete lines. A line ends with a line feed; neither the line feed nor a
/// carriage return before it is part of the line.
///
/// Buffers at most one line. If a line is too long, it is discarded up to its end.
#[derive(Clone, Debug)]
pub struct LineBuffer {
    most: usize,
    line: Vec<u8>,
    is_too_long: bool,
}

/// The error for a line that is too long. Reported as soon as the limit is exceeded, before the line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a line is longer than {} KiB", .most >> 10)]
pub struct TooLong {
    most: usize,
}

impl LineBuffer {
    /// Creates a buffer with this maximum line length in bytes.
    pub const fn new(most: usize) -> LineBuffer {
        LineBuffer { most, line: Vec::new(), is_too_long: false }
    }

    /// Returns the lines completed by these bytes. Invalid UTF-8 is replaced.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Result<String, TooLong>> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (piece, ends) = match piece.strip_suffix(b"\n") {
                Some(piece) => (piece, true),
                None => (piece, false),
            };
            if !self.is_too_long {
                let room = self.most + 2 - self.line.len();
                self.line.extend_from_slice(&piece[..piece.len().min(room)]);
                // A carriage return may belong to the line end.
                let length = self.line.len() - usize::from(self.line.ends_with(b"\r"));
                if length > self.most {
                    self.line = Vec::new();
                    self.is_too_long = true;
                    lines.push(Err(TooLong { most: self.most }));
                }
            }
            if ends {
                lines.extend(self.end().map(Ok));
            }
        }
        lines
    }

    /// Returns the last line if it has no line end.
    pub fn finish(mut self) -> Option<String> {
        if self.line.is_empty() { None } else { self.end() }
    }

    /// Ends the buffered line. Returns `None` if it was too long.
    fn end(&mut self) -> Option<String> {
        if std::mem::take(&mut self.is_too_long) {
            return None;
        }
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        Some(String::from_utf8_lossy(line).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_input_gives_the_same_lines() {
        let bytes = b"one\r\n\n two\rthree \n\xff\nfour";
        let whole = |pieces: &[&[u8]]| {
            let mut lines = LineBuffer::new(64);
            let mut all: Vec<_> = pieces.iter().flat_map(|piece| lines.feed(piece)).collect();
            all.extend(lines.finish().map(Ok));
            all.into_iter().collect::<Result<Vec<_>, _>>().unwrap()
        };
        let expected = ["one", "", " two\rthree ", "\u{fffd}", "four"];
        for cut in 0..=bytes.len() {
            assert_eq!(whole(&[&bytes[..cut], &bytes[cut..]]), expected, "cut at {cut}");
        }
        assert_eq!(whole(&bytes.chunks(1).collect::<Vec<_>>()), expected);
    }

    #[test]
    fn overlong_line_is_reported_once_and_dropped() {
        let mut lines = LineBuffer::new(4);
        assert_eq!(lines.feed(b"abcd\r\nabcd"), [Ok("abcd".to_owned())]);
        assert_eq!(lines.feed(b"\r"), []);
        let error = lines.feed(b"\r").remove(0).unwrap_err();
        assert_eq!(error, TooLong { most: 4 });
        for _ in 0..1000 {
            assert_eq!(lines.feed(&[b'x'; 1000]), []);
            assert!(lines.line.capacity() < 10);
        }
        assert_eq!(
            lines.feed(b"x\nab\nabcde\nc"),
            [Ok("ab".to_owned()), Err(TooLong { most: 4 }),]
        );
        assert_eq!(lines.finish().as_deref(), Some("c"));
        assert_eq!(TooLong { most: 64 << 10 }.to_string(), "a line is longer than 64 KiB");
        let mut lines = LineBuffer::new(4);
        assert_eq!(lines.feed(b"abcde").len(), 1);
        assert_eq!(lines.finish(), None, "what is left of it is no line");
    }
}
