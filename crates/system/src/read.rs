//! The only place that reads files. Every read has a size limit in bytes.
//!
//! A file named by the user may be of any kind, including a pipe. At paths chosen by the program, only regular files
//! are read, and no other kind of file can block the program.

use crate::files;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// The maximum size of one kind of file. Realistic matches stay far below these limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    bytes: u64,
    /// The kind of file, for the error message.
    what: &'static str,
}

impl Limit {
    pub const RECORD: Limit = Limit { bytes: 64 << 20, what: "a record" };
    /// Larger than for records, since journals are longer than the records of the same matches.
    pub const JOURNAL: Limit = Limit { bytes: 256 << 20, what: "a journal" };
    pub const NAMES: Limit = Limit { bytes: 16 << 20, what: "a list of names" };
    pub const COMMANDS: Limit = Limit { bytes: 16 << 20, what: "a list of commands" };
    pub const LESSON: Limit = Limit { bytes: 1 << 20, what: "a lesson" };
    pub const SETUPS: Limit = Limit { bytes: 16 << 20, what: "a list of setups" };
    pub const PROGRESS: Limit = Limit { bytes: 64 << 20, what: "your progress file" };
    pub const TABLE: Limit = Limit { bytes: 64 << 20, what: "a table" };
    /// For lists of points, which may contain comments.
    pub const POINTS: Limit = Limit { bytes: 16 << 20, what: "a list of points" };
    /// For the stderr of programs. Anything beyond the limit is discarded.
    pub const MESSAGES: Limit = Limit { bytes: 2 << 20, what: "messages" };
    /// For the line that names the interpreter of a script.
    pub const INTERPRETER: Limit = Limit { bytes: 1 << 12, what: "a first line" };
    pub const TOURNAMENT: Limit = Limit { bytes: 16 << 20, what: "a tournament" };
    /// For the line that reports the result of a tournament game.
    pub const GAME_LINE: Limit = Limit { bytes: 16 << 20, what: "a line about a game" };
    /// For a match passed to a table's process.
    pub const OPENING: Limit = Limit { bytes: 256 << 20, what: "a match" };
    /// For the data stored beside a table's socket.
    pub const HOST: Limit = Limit { bytes: 1 << 20, what: "the host data of a table" };
    /// For the system's process information.
    pub const PROCESS: Limit = Limit { bytes: 1 << 20, what: "a list of processes" };
    /// Far larger than any time zone file.
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
    /// Allows reads at any position; writes go to the end.
    Append,
    /// Allows reads and writes, and does not follow symbolic links.
    OwnFile,
}

/// Reads a file of any kind named by the user.
pub fn named(path: &Path, limit: Limit) -> io::Result<Vec<u8>> {
    contents(&mut File::open(path)?, limit)
}

pub fn named_text(path: &Path, limit: Limit) -> io::Result<String> {
    io::read_to_string(&named(path, limit)?[..])
}

pub fn stdin_text(limit: Limit) -> io::Result<String> {
    io::read_to_string(&stdin(limit)?[..])
}

/// Why a file that the user named cannot be read as text.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {cause}")]
pub struct NamedFileError {
    name: String,
    cause: io::Error,
}

impl NamedFileError {
    pub fn new(path: &Path, cause: io::Error) -> NamedFileError {
        NamedFileError { name: name(path).to_string(), cause }
    }
}

/// Returns the text of a settings file, with its name for messages; `None` if the file does not exist.
pub fn settings(path: &Path) -> Result<Option<(String, String)>, NamedFileError> {
    let other = |kind, why| io::Error::new(kind, why);
    let text = match regular(path, Limit::SETUPS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            Err(other(error.kind(), "too large"))
        }
        Err(error) => Err(error),
        Ok(bytes) => {
            String::from_utf8(bytes).map_err(|_| other(io::ErrorKind::InvalidData, "not UTF-8"))
        }
    };
    let text = text.map_err(|cause| NamedFileError::new(path, cause))?;
    Ok(Some((name(path).to_string(), text)))
}

/// Reads a text that the user names; `-` is stdin.
pub fn text(path: &Path, limit: Limit) -> Result<String, NamedFileError> {
    let text = if is_stdin(path) { stdin_text(limit) } else { named_text(path, limit) };
    text.map_err(|cause| NamedFileError::new(path, cause))
}

/// Formats the path of a file that the user named, which is `-` for stdin.
pub fn name(path: &Path) -> impl Display {
    if is_stdin(path) { Path::new("stdin") } else { path }.display()
}

pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads stdin to the end.
pub fn stdin(limit: Limit) -> io::Result<Vec<u8>> {
    up_to(io::stdin().lock(), 0, limit)
}

/// Reads a regular file.
pub fn regular(path: &Path, limit: Limit) -> io::Result<Vec<u8>> {
    contents(&mut open(path, Access::Read)?, limit)
}

/// Returns whether the path is a regular file with exactly these bytes. Stops reading at the first difference.
pub fn holds(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut there = Vec::new();
    let most = bytes.len() as u64 + 1;
    open(path, Access::Read)?.take(most).read_to_end(&mut there)?;
    Ok(there == bytes)
}

/// Opens a regular file. Does not block if the path is a pipe.
pub fn open(path: &Path, access: Access) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(access != Access::Read).append(access == Access::Append);
    files::open_at_once(&mut options, access != Access::OwnFile);
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(not_regular());
    }
    Ok(file)
}

/// Returns the system's message as part of a sentence: in lower case, without the full stop of Windows and the error number.
pub fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.strip_suffix('.').unwrap_or(text).chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

/// Returns the error for a path that is not a regular file.
pub fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

/// The lines of a regular file. Memory use is bounded by the longest line.
#[derive(Debug)]
pub struct Lines {
    file: BufReader<File>,
    line: Vec<u8>,
    limit: Limit,
}

impl Lines {
    /// Opens a file. `limit` applies to each line separately.
    pub fn of(path: &Path, limit: Limit) -> io::Result<Lines> {
        let file = BufReader::new(open(path, Access::Read)?);
        Ok(Lines { file, line: Vec::new(), limit })
    }

    /// Returns the next line including its line end; `None` at the end of the file.
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

/// Opens a folder in order to sync it.
pub fn folder(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Reads an open file from its current position.
pub fn contents(file: &mut File, limit: Limit) -> io::Result<Vec<u8>> {
    // Only regular files have a known length.
    let length = file.metadata()?.len();
    up_to(file, length, limit)
}

/// Reads a source to its end, up to `limit` bytes. `expected` is a size estimate.
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

    const SMALL: Limit = Limit { bytes: 3 << 20, what: "a test" };
    const TOO_LARGE: &str = "larger than 3 MiB, too large for a test";

    #[test]
    fn cause_is_part_of_a_sentence() {
        let of = |text: &str| cause(&io::Error::other(text));
        assert_eq!(of("Access is denied. (os error 5)"), "access is denied");
        assert_eq!(of("No space left on device (os error 28)"), "no space left on device");
        assert_eq!(of(""), "");
    }

    #[test]
    fn reader_stops_at_its_limit() {
        /// Counts the bytes read from an endless source.
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
        // A file that is known to be too large is not read at all.
        let mut endless = Endless(0);
        assert!(up_to(&mut endless, SMALL.bytes + 1, SMALL).is_err());
        assert_eq!(endless.0, 0);
    }

    #[test]
    fn contents_are_compared_and_limited() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "abc").unwrap();
        for (bytes, same) in [(&b"abc"[..], true), (b"ab", false), (b"abd", false), (b"", false)] {
            assert_eq!(holds(&path("file"), bytes).unwrap(), same);
        }
        fs::File::create(path("large")).unwrap().set_len(SMALL.bytes + 1).unwrap();
        assert_eq!(regular(&path("large"), SMALL).unwrap_err().to_string(), TOO_LARGE);
        for access in [Access::Read, Access::Write] {
            assert!(open(folder.path(), access).is_err());
        }
    }

    #[cfg(unix)]
    #[cfg(unix)]
    #[test]
    fn own_files_must_be_regular() {
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
        }
        assert_eq!(regular(&path("link"), SMALL).unwrap(), b"abc");
        assert!(holds(&path("pipe"), b"").is_err());
        assert_eq!(named(&path("zero"), SMALL).unwrap_err().to_string(), TOO_LARGE);
    }

    #[test]
    fn lines_are_read_singly_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        fs::write(&path, "one\n\nthree").unwrap();
        let mut lines = Lines::of(&path, SMALL).unwrap();
        for line in [&b"one\n"[..], b"\n", b"three"] {
            assert_eq!(lines.next_line().unwrap(), Some(line));
        }
        assert_eq!(lines.next_line().unwrap(), None);
        // A sparse file of 100 GiB, which is not read either.
        fs::File::options().write(true).open(&path).unwrap().set_len(100 << 30).unwrap();
        let mut lines = Lines::of(&path, SMALL).unwrap();
        for _ in 0..2 {
            lines.next_line().unwrap();
        }
        assert_eq!(lines.next_line().unwrap_err().to_string(), TOO_LARGE);
        assert_eq!(lines.line.len() as u64, SMALL.bytes + 1);
    }

    #[cfg(unix)]
    #[cfg(unix)]
    #[test]
    fn user_named_file_may_be_a_pipe() {
        use std::io::Write;
        use std::thread;
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
