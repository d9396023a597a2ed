//! The progress file: append-only, with one or more writers.

use super::MatchStore;
use super::error::{StoreError, StoreErrorKind};
use super::progress::{Event, Progress};
use quadrille_system::disk;
use quadrille_system::locked_file::LockedFile;
use quadrille_system::read::{self, Access, Limit};
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The number of retries while a different process appends, and the delay between retries.
const TRIES: u32 = 400;
const RETRY_DELAY: Duration = Duration::from_millis(5);

impl MatchStore {
    fn progress_path(&self) -> PathBuf {
        self.folder().join("progress")
    }

    /// Reads the progress; a missing file counts as empty.
    pub fn progress(&self) -> Result<Progress, StoreError> {
        let path = self.progress_path();
        match read::regular(&path, Limit::PROGRESS) {
            Ok(bytes) => Ok(Progress::read(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Progress::default()),
            Err(error) => Err(StoreErrorKind::from(error).at(&path)),
        }
    }

    /// Appends these events. On success, they survive a power loss. On error, the file is truncated to its old length;
    /// if even that fails, readers skip the incomplete line.
    pub fn append(&self, events: &[Event]) -> Result<(), StoreError> {
        let path = self.progress_path();
        let appended = open(&path).and_then(|mut file| append(&mut file, events));
        appended.map_err(|reason| reason.at(&path))
    }
}

fn append(file: &mut File, events: &[Event]) -> Result<(), StoreErrorKind> {
    let lines: Result<String, _> = events.iter().map(Event::line).collect();
    let lines = lines.map_err(io::Error::from)?;
    let end = file.metadata()?.len();
    Ok(disk::append(file, end, lines.as_bytes())?)
}

/// Opens and locks the file. Creates it if it does not exist.
fn open(path: &Path) -> Result<LockedFile, StoreErrorKind> {
    for _ in 0..TRIES {
        let file = match read::open(path, Access::Append) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                match disk::create(path, b"") {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                        return Err(error.into());
                    }
                    _ => continue,
                }
            }
            file => file?,
        };
        match disk::lock_in_place(file, path) {
            Ok(Some(file)) => return Ok(file),
            Ok(None) => {}
            Err(TryLockError::WouldBlock) => thread::sleep(RETRY_DELAY),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
    Err(StoreErrorKind::Busy)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Writes go to `/dev/null`, which cannot be synced.
    #[test]
    fn events_count_only_once_they_are_synced() {
        let mut null = File::create("/dev/null").unwrap();
        let events = [Event::RecordsCounted { at: jiff::Timestamp::UNIX_EPOCH }];
        let error = append(&mut null, &events).unwrap_err();
        assert_eq!(error.to_string(), "invalid argument");
    }
}
