//! The one place where files are read. Nothing is read without a limit in bytes.
//!
//! A file that the user names may be of any kind, a pipe too. Where the program looks by itself, only a regular
//! file counts; anything else in its place is neither waited for nor read.

use rustix::fs::OFlags;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The most bytes that a file of some kind may have. No match that people play comes near these limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    bytes: u64,
    /// The kind, for the error.
    what: &'static str,
}

impl Limit {
    pub const RECORD: Limit = Limit { bytes: 64 << 20, what: "a record" };
    /// For journals; they are longer than the records of the same matches.
    pub const JOURNAL: Limit = Limit { bytes: 256 << 20, what: "a journal" };
    pub const NAMES: Limit = Limit { bytes: 16 << 20, what: "a list of names" };
    pub const COMMANDS: Limit = Limit { bytes: 16 << 20, what: "a list of commands" };
    pub const LESSON: Limit = Limit { bytes: 1 << 20, what: "a lesson" };
    pub const SETUPS: Limit = Limit { bytes: 16 << 20, what: "a list of setups" };
    pub const PROGRESS: Limit = Limit { bytes: 64 << 20, what: "a list of what you have done" };
    pub const TABLE: Limit = Limit { bytes: 64 << 20, what: "a table" };
    /// For points with comments between them.
    pub const POINTS: Limit = Limit { bytes: 16 << 20, what: "a list of points" };
    /// For what programs write to their standard error. No more than this is kept.
    pub const MESSAGES: Limit = Limit { bytes: 2 << 20, what: "messages" };
    pub const TOURNAMENT: Limit = Limit { bytes: 16 << 20, what: "a tournament" };
    /// For a line that says how a game of a tournament went.
    pub const GAME_LINE: Limit = Limit { bytes: 16 << 20, what: "a line about a game" };
    /// For a match that is handed to the process of a table.
    pub const OPENING: Limit = Limit { bytes: 256 << 20, what: "a match" };
    /// For what is kept beside the socket of a table.
    pub const HOST: Limit = Limit { bytes: 1 << 20, what: "the host of a table" };
    /// For what the system tells about a process.
    pub const PROCESS: Limit = Limit { bytes: 1 << 20, what: "a list of processes" };
    /// No file of a time zone comes near it.
    pub const TIME_ZONE: Limit = Limit { bytes: 1 << 20, what: "a time zone" };

    fn exceeded(self) -> io::Error {
        let Limit { bytes, what } = self;
        let text = format!("larger than {} MiB, too large for {what}", bytes >> 20);
        io::Error::new(io::ErrorKind::FileTooLarge, text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    /// Reading, and writing at the end whatever was read.
    Append,
    /// Reading and writing, and a link is not followed.
    OwnFile,
}

/// What is in a file that the user has named, of whatever kind it is.
pub fn named(path: &Path, limit: Limit) -> io::Result<Vec<u8>> {
    contents(&mut File::open(path)?, limit)
}

/// The same as text.
pub fn named_text(path: &Path, limit: Limit) -> io::Result<String> {
    io::read_to_string(&named(path, limit)?[..])
}

/// What comes from stdin until it ends.
pub fn stdin(limit: Limit) -> io::Result<Vec<u8>> {
    up_to(io::stdin().lock(), 0, limit)
}

/// What is in a file, if it is a regular one.
pub fn regular(path: &Path, limit: Limit) -> io::Result<Vec<u8>> {
    contents(&mut open(path, Access::Read)?, limit)
}

/// Whether a regular file holds exactly these bytes. It is read no further than necessary.
pub fn holds(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut there = Vec::new();
    let most = bytes.len() as u64 + 1;
    open(path, Access::Read)?.take(most).read_to_end(&mut there)?;
    Ok(there == bytes)
}

/// Opens a file, if it is a regular one. A pipe is not waited for.
pub fn open(path: &Path, access: Access) -> io::Result<File> {
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if access == Access::OwnFile {
        flags |= OFlags::NOFOLLOW;
    }
    let mut options = File::options();
    options.read(true).write(access != Access::Read).append(access == Access::Append);
    options.custom_flags(flags.bits() as i32);
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(not_regular());
    }
    Ok(file)
}

/// The error for what is no regular file where only such a file counts.
pub fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

/// The lines of a regular file one by one, so that a file of any size takes no more memory than its longest line.
#[derive(Debug)]
pub struct Lines {
    file: BufReader<File>,
    line: Vec<u8>,
    limit: Limit,
}

impl Lines {
    /// Opens a file. `limit` is for each of its lines.
    pub fn of(path: &Path, limit: Limit) -> io::Result<Lines> {
        let file = BufReader::new(open(path, Access::Read)?);
        Ok(Lines { file, line: Vec::new(), limit })
    }

    /// The next line with the end that it has in the file; `None` at the end of the file.
    pub fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        let mut source = (&mut self.file).take(self.limit.bytes + 1);
        source.read_until(b'\n', &mut self.line)?;
        if self.line.len() as u64 > self.limit.bytes {
            return Err(self.limit.exceeded());
        }
        Ok((!self.line.is_empty()).then_some(&*self.line))
    }
}

/// Opens a folder, to sync it.
pub fn folder(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// What is in an open file, from its present position on.
pub fn contents(file: &mut File, limit: Limit) -> io::Result<Vec<u8>> {
    // Files that are no regular ones have no length.
    let length = file.metadata()?.len();
    up_to(file, length, limit)
}

/// All of a source, if it is no more than the limit. `expected` is how many bytes are expected.
fn up_to(source: impl Read, expected: u64, limit: Limit) -> io::Result<Vec<u8>> {
    if expected > limit.bytes {
        return Err(limit.exceeded());
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(expected as usize + 1)?;
    source.take(limit.bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit.bytes {
        return Err(limit.exceeded());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;
    use std::thread;

    const SMALL: Limit = Limit { bytes: 3 << 20, what: "a test" };
    const TOO_LARGE: &str = "larger than 3 MiB, too large for a test";

    #[test]
    fn no_more_is_read_than_the_limit_allows() {
        /// Counts what is taken from an endless source.
        struct Endless(u64);
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 += buffer.len() as u64;
                Ok(buffer.len())
            }
        }
        let mut endless = Endless(0);
        assert_eq!(up_to(&mut endless, 0, SMALL).unwrap_err().to_string(), TOO_LARGE);
        assert_eq!(endless.0, SMALL.bytes + 1);
        let just_fits = endless.take(SMALL.bytes);
        assert_eq!(up_to(just_fits, 0, SMALL).unwrap().len() as u64, SMALL.bytes);
        // A file that is known to be too large is not even begun.
        let mut endless = Endless(0);
        assert!(up_to(&mut endless, SMALL.bytes + 1, SMALL).is_err());
        assert_eq!(endless.0, 0);
    }

    #[test]
    fn where_the_program_looks_only_regular_files_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let why = |name: &str, access| open(&path(name), access).unwrap_err().to_string();
        rustix::fs::mkfifoat(rustix::fs::CWD, path("pipe"), rustix::fs::Mode::RWXU).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path("zero")).unwrap();
        std::os::unix::fs::symlink("file", path("link")).unwrap();
        fs::write(path("file"), "abc").unwrap();
        for access in [Access::Read, Access::Write] {
            assert_eq!(why("pipe", access), "not a regular file");
            assert_eq!(why("zero", access), "not a regular file");
            assert!(open(folder.path(), access).is_err());
        }
        assert_eq!(regular(&path("link"), SMALL).unwrap(), b"abc");
        for (bytes, same) in [(&b"abc"[..], true), (b"ab", false), (b"abd", false), (b"", false)] {
            assert_eq!(holds(&path("file"), bytes).unwrap(), same);
        }
        assert!(holds(&path("pipe"), b"").is_err());
        assert_eq!(named(&path("zero"), SMALL).unwrap_err().to_string(), TOO_LARGE);
        fs::File::create(path("large")).unwrap().set_len(SMALL.bytes + 1).unwrap();
        assert_eq!(regular(&path("large"), SMALL).unwrap_err().to_string(), TOO_LARGE);
    }

    #[test]
    fn lines_are_read_one_by_one_and_none_beyond_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        fs::write(&path, "one\n\nthree").unwrap();
        let mut lines = Lines::of(&path, SMALL).unwrap();
        for line in [&b"one\n"[..], b"\n", b"three"] {
            assert_eq!(lines.next_line().unwrap(), Some(line));
        }
        assert_eq!(lines.next_line().unwrap(), None);
        // A hole of 100 GiB: it is not even looked through.
        fs::File::options().write(true).open(&path).unwrap().set_len(100 << 30).unwrap();
        let mut lines = Lines::of(&path, SMALL).unwrap();
        for _ in 0..2 {
            lines.next_line().unwrap();
        }
        assert_eq!(lines.next_line().unwrap_err().to_string(), TOO_LARGE);
        assert_eq!(lines.line.len() as u64, SMALL.bytes + 1);
    }

    #[test]
    fn what_the_user_names_may_be_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        let other_end = pipe.clone();
        let writer = thread::spawn(move || {
            let mut file = File::options().write(true).open(other_end).unwrap();
            file.write_all(b"abc").unwrap();
        });
        assert_eq!(named(&pipe, SMALL).unwrap(), b"abc");
        writer.join().unwrap();
    }
}
