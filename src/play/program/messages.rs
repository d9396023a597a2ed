//! The file with what a program writes to its standard error.

use crate::session::read::{self, Access};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// How many bytes of the beginning are kept, and how many of the end.
const HEAD: usize = 768 << 10;
const TAIL: usize = 256 << 10;

/// How many programs of one name can run at once and have a file each.
const MOST: usize = 32;

/// A file that never grows beyond a limit. Of what comes after its first part only the end is kept, in memory, and is
/// written when the program has ended.
#[derive(Debug)]
pub(super) struct Messages {
    file: File,
    room: usize,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl Messages {
    /// Opens and empties the first of `NAME.log`, `NAME-2.log` and so on that no other program writes to. Returns its
    /// name too.
    pub fn open(folder: &Path, name: &str) -> io::Result<(String, Messages)> {
        fs::create_dir_all(folder)?;
        let mut names = (1..=MOST).map(|number| match number {
            1 => format!("{name}.log"),
            _ => format!("{name}-{number}.log"),
        });
        names
            .find_map(|name| match lock(&folder.join(&name)) {
                Ok(Some(file)) => Some(Ok((name, Messages::new(file)))),
                Ok(None) => None,
                Err(error) => Some(Err(error)),
            })
            .unwrap_or_else(|| Err(io::ErrorKind::ResourceBusy.into()))
    }

    fn new(file: File) -> Messages {
        Messages { file, room: HEAD, tail: VecDeque::new(), left_out: 0 }
    }

    /// Adds what came next. What cannot be written is lost, as there is nobody to report to.
    pub fn take(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(self.room));
        self.room -= head.len();
        let _ = self.file.write_all(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..over);
        self.left_out += over as u64;
    }

    /// Writes the end.
    pub fn finish(mut self) {
        if self.left_out > 0 {
            let _ = write!(self.file, "\n[{} bytes are left out here]\n", self.left_out);
        }
        let (first, second) = self.tail.as_slices();
        let _ = self.file.write_all(first).and_then(|()| self.file.write_all(second));
    }
}

/// The empty file at this path, unless a program writes to it.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let file = match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            read::open(path, Access::Write)?
        }
        file => file?,
    };
    if file.try_lock().is_err() {
        return Ok(None);
    }
    file.set_len(0)?;
    Ok(Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (name, mut messages) = Messages::open(folder.path(), "bot").unwrap();
        assert_eq!(name, "bot.log");
        messages.take(b"begins ");
        for _ in 0..100 {
            messages.take(&vec![b'x'; 64 << 10]);
        }
        messages.take(b" ends");
        messages.finish();
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.len() <= (1 << 20) + 100, "{}", text.len());
        assert!(text.starts_with("begins x") && text.ends_with("x ends"));
        let left_out = 12 + (6400 << 10) - (1 << 20);
        assert!(text.contains(&format!("x\n[{left_out} bytes are left out here]\nx")));
    }

    #[test]
    fn each_program_has_a_file_and_the_next_one_begins_it_anew() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Messages::open(folder.path(), "bot").unwrap();
        let (first, mut messages) = open();
        messages.take(b"first");
        let (second, _) = open();
        assert_eq!((&*first, &*second), ("bot.log", "bot-2.log"));
        messages.finish();
        assert_eq!(fs::read_to_string(folder.path().join("bot.log")).unwrap(), "first");
        assert_eq!(open().0, "bot.log");
        assert_eq!(fs::read_to_string(folder.path().join("bot.log")).unwrap(), "");
    }
}
