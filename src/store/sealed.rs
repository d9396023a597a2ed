//! Long files, written and read as a stream, in which every cut and every change is noticed.
//!
//! The bytes are stored in chunks: the length of a chunk (4 bytes, little-endian), its bytes, and the CRC-32 of
//! all before in the file (4 bytes). A chunk of no bytes is the end. So a reader gets only bytes as they were
//! written, and keeps one chunk in memory.

use crc32fast::Hasher;
use std::io::{self, ErrorKind, Read, Write};

/// How many bytes a chunk has; the last one has fewer.
const CHUNK: usize = 1 << 20;

/// Writes such a file, with a first line in plain text. Without [`finish`](SealedWriter::finish) it counts as cut.
pub(crate) struct SealedWriter<W> {
    out: W,
    chunk: Vec<u8>,
    hasher: Hasher,
}

impl<W: Write> SealedWriter<W> {
    pub fn new(mut out: W, line: &str) -> io::Result<SealedWriter<W>> {
        out.write_all(line.as_bytes())?;
        let mut hasher = Hasher::new();
        hasher.update(line.as_bytes());
        Ok(SealedWriter { out, chunk: Vec::with_capacity(CHUNK), hasher })
    }

    /// Ends the file.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.seal()?;
        self.out.flush()
    }

    /// Writes the chunk, and begins the next one.
    fn seal(&mut self) -> io::Result<()> {
        let length = (self.chunk.len() as u32).to_le_bytes();
        self.hasher.update(&length);
        self.hasher.update(&self.chunk);
        self.out.write_all(&length)?;
        self.out.write_all(&self.chunk)?;
        self.out.write_all(&self.hasher.clone().finalize().to_le_bytes())?;
        self.chunk.clear();
        Ok(())
    }
}

impl<W: Write> Write for SealedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fits = bytes.len().min(CHUNK - self.chunk.len());
        self.chunk.extend_from_slice(&bytes[..fits]);
        if self.chunk.len() == CHUNK {
            self.seal()?;
        }
        Ok(fits)
    }

    /// Ends the chunk, if there is anything in it.
    fn flush(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() { Ok(()) } else { self.seal() }
    }
}

/// Reads such a file.
pub(crate) struct SealedReader<R> {
    input: R,
    chunk: Vec<u8>,
    /// How many bytes of the chunk were given out.
    given: usize,
    hasher: Hasher,
    is_over: bool,
}

impl<R: Read> SealedReader<R> {
    /// Reads on after the first line, which the caller has read.
    pub fn new(input: R, line: &str) -> SealedReader<R> {
        let mut hasher = Hasher::new();
        hasher.update(line.as_bytes());
        SealedReader { input, chunk: Vec::new(), given: 0, hasher, is_over: false }
    }

    /// The rest of the present chunk, or else the next one; empty at the end.
    pub fn chunk(&mut self) -> io::Result<&[u8]> {
        self.is_at_end()?;
        let from = std::mem::replace(&mut self.given, self.chunk.len());
        Ok(&self.chunk[from..])
    }

    /// Whether nothing follows.
    pub fn is_at_end(&mut self) -> io::Result<bool> {
        if self.given == self.chunk.len() && !self.is_over {
            self.next()?;
        }
        Ok(self.given == self.chunk.len())
    }

    fn next(&mut self) -> io::Result<()> {
        let mut word = [0; 4];
        self.fill(&mut word)?;
        self.hasher.update(&word);
        let length = u32::from_le_bytes(word) as usize;
        if length > CHUNK {
            return Err(damaged());
        }
        let mut chunk = std::mem::take(&mut self.chunk);
        chunk.resize(length, 0);
        self.fill(&mut chunk)?;
        self.hasher.update(&chunk);
        self.fill(&mut word)?;
        if u32::from_le_bytes(word) != self.hasher.clone().finalize() {
            return Err(damaged());
        }
        self.is_over = length == 0;
        if self.is_over && self.input.read(&mut word)? > 0 {
            return Err(damaged());
        }
        (self.chunk, self.given) = (chunk, 0);
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => io::Error::new(ErrorKind::InvalidData, "it was cut"),
            _ => error,
        })
    }
}

impl<R: Read> Read for SealedReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.is_at_end()?;
        let left = &self.chunk[self.given..];
        let length = left.len().min(out.len());
        out[..length].copy_from_slice(&left[..length]);
        self.given += length;
        Ok(length)
    }
}

fn damaged() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "it is damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "a line\n";

    fn sealed(parts: &[&[u8]]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut writer = SealedWriter::new(&mut out, LINE).unwrap();
        for part in parts {
            writer.write_all(part).unwrap();
        }
        writer.finish().unwrap();
        out
    }

    fn unsealed(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        SealedReader::new(&bytes[LINE.len()..], LINE).read_to_end(&mut all)?;
        Ok(all)
    }

    #[test]
    fn what_was_written_is_read() {
        let long: Vec<u8> = (0..CHUNK * 2 + 77).map(|at| (at % 251) as u8).collect();
        let exactly = &long[..CHUNK];
        let cases: [&[&[u8]]; 5] =
            [&[], &[b"abc"], &[&long], &[exactly, b"x"], &[&long, b"", exactly, exactly]];
        for parts in cases {
            assert_eq!(unsealed(&sealed(parts)).unwrap(), parts.concat());
        }
    }

    /// Whatever the damage, no byte is given out that was not written.
    #[test]
    fn every_cut_and_every_change_is_seen() {
        let mut out = Vec::new();
        let mut writer = SealedWriter::new(&mut out, LINE).unwrap();
        for part in [&b"one"[..], b"other"] {
            writer.write_all(part).unwrap();
            writer.flush().unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(unsealed(&out).unwrap(), b"oneother");
        for cut in LINE.len()..out.len() {
            assert_eq!(unsealed(&out[..cut]).unwrap_err().to_string(), "it was cut", "{cut}");
        }
        for at in LINE.len()..out.len() {
            for bit in 0..8 {
                let mut changed = out.clone();
                changed[at] ^= 1 << bit;
                assert!(unsealed(&changed).is_err(), "{at}.{bit}");
            }
        }
        assert!(unsealed(&[&out[..], b"x"].concat()).is_err());
        assert!(SealedReader::new(&out[LINE.len()..], "another\n").chunk().is_err());
        let mut reader = SealedReader::new(&out[LINE.len()..], LINE);
        assert_eq!(reader.chunk().unwrap(), b"one");
        assert_eq!(reader.chunk().unwrap(), b"other");
        assert_eq!([reader.chunk().unwrap().len(), reader.chunk().unwrap().len()], [0, 0]);
    }
}
