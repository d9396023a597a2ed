//! The log of a program's stderr.

use quadrille_system::locked_file::{LockMode, LockedFile};
use quadrille_system::read::{self, Access, Limit};
use quadrille_text::printable::printable;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// How many bytes of the beginning and of the end are kept.
const HEAD: usize = 768 << 10;
const TAIL: usize = 256 << 10;

/// The maximum number of simultaneous logs with the same base name.
const MAX_LOGS: usize = 100;

/// The name of a log file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogName {
    /// The file name without `.log`.
    pub name: String,
    /// Whether to keep existing files by appending a number to the name.
    pub is_new: bool,
}

/// A log of bounded size. The beginning is written at once. After that only the end is kept, in memory, and `finish`
/// writes it.
#[derive(Debug)]
pub(super) struct StderrLog {
    file: LockedFile,
    head_room: usize,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl StderrLog {
    /// Locks and empties the first of `NAME.log`, `NAME-2.log` and so on that is unused or missing. Also returns its
    /// name.
    pub fn open(
        folder: &Path,
        LogName { name, is_new }: &LogName,
    ) -> io::Result<(String, StderrLog)> {
        fs::create_dir_all(folder)?;
        // New logs go to a tournament's folder, and nothing may be written outside that folder.
        if *is_new && fs::symlink_metadata(folder)?.is_symlink() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let mut names = (1..=MAX_LOGS).map(|number| match number {
            1 => format!("{name}.log"),
            _ => format!("{name}-{number}.log"),
        });
        let open = |path: &Path| if *is_new { create(path) } else { lock(path) };
        names
            .find_map(|name| match open(&folder.join(&name)) {
                Ok(Some(file)) => Some(Ok((name, StderrLog::new(file)))),
                Ok(None) => None,
                Err(error) => Some(Err(error)),
            })
            .unwrap_or_else(|| Err(io::ErrorKind::ResourceBusy.into()))
    }

    fn new(file: LockedFile) -> StderrLog {
        StderrLog { file, head_room: HEAD, tail: VecDeque::new(), left_out: 0 }
    }

    /// Appends bytes. Write errors are ignored, because they cannot be reported here.
    pub fn add(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(self.head_room));
        self.head_room -= head.len();
        let _ = self.file.write_all(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..over);
        self.left_out += over as u64;
    }

    /// Writes the end of the log.
    pub fn finish(mut self) {
        if self.left_out > 0 {
            let _ = write!(self.file, "\n[{} bytes are left out here]\n", self.left_out);
        }
        let (first, second) = self.tail.as_slices();
        let _ = self.file.write_all(first).and_then(|()| self.file.write_all(second));
    }
}

/// Returns the non-empty lines of a stderr log in printable form, each cut to `longest` characters. Returns none if the
/// file cannot be read.
pub fn messages_in(log: &Path, longest: usize) -> Vec<String> {
    let bytes = read::regular(log, Limit::MESSAGES).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    // The first line is the command.
    let lines = text.lines().skip(1).map(str::trim).filter(|line| !line.is_empty());
    let short = |line: &str| line.chars().take(longest).collect::<String>();
    lines.map(|line| printable(&short(line)).into_owned()).collect()
}

/// Creates and locks a file at this path; `None` if one exists.
fn create(path: &Path) -> io::Result<Option<LockedFile>> {
    match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        file => Ok(LockedFile::lock(file?, path, LockMode::Exclusive).ok()),
    }
}

/// Opens, locks and empties the file at this path; `None` if it cannot be locked.
fn lock(path: &Path) -> io::Result<Option<LockedFile>> {
    let file = match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            read::open(path, Access::Write)?
        }
        file => file?,
    };
    let Ok(file) = LockedFile::lock(file, path, LockMode::Exclusive) else { return Ok(None) };
    file.set_len(0)?;
    Ok(Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_name(is_new: bool) -> LogName {
        LogName { name: "bot".to_owned(), is_new }
    }

    #[test]
    fn log_keeps_the_beginning_and_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let (name, mut log) = StderrLog::open(folder.path(), &log_name(false)).unwrap();
        assert_eq!(name, "bot.log");
        log.add(b"begins ");
        for _ in 0..100 {
            log.add(&vec![b'x'; 64 << 10]);
        }
        log.add(b" ends");
        log.finish();
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.len() <= (1 << 20) + 100, "{}", text.len());
        assert!(text.starts_with("begins x") && text.ends_with("x ends"));
        let left_out = 12 + (6400 << 10) - (1 << 20);
        assert!(text.contains(&format!("x\n[{left_out} bytes are left out here]\nx")));
    }

    #[test]
    fn each_program_has_its_own_log_and_reuse_truncates_it() {
        let folder = tempfile::tempdir().unwrap();
        let open = || StderrLog::open(folder.path(), &log_name(false)).unwrap();
        let (first, mut log) = open();
        log.add(b"first");
        let (second, _) = open();
        assert_eq!((&*first, &*second), ("bot.log", "bot-2.log"));
        log.finish();
        assert_eq!(fs::read_to_string(folder.path().join("bot.log")).unwrap(), "first");
        assert_eq!(open().0, "bot.log");
        assert_eq!(StderrLog::open(folder.path(), &log_name(true)).unwrap().0, "bot-3.log");
        assert_eq!(fs::read_to_string(folder.path().join("bot.log")).unwrap(), "");
    }
}
