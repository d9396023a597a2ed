//! Locks on files. Windows lets no process read bytes that another has locked, so a lock is a file beside the data, which no
//! other process can open. The system removes that file when the lock or the process ends.

use crate::locked_file::LockMode;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Whether a file can be replaced while it is open.
pub const CAN_REPLACE_OPEN_FILES: bool = false;

/// `DELETE`, `FILE_FLAG_DELETE_ON_CLOSE`, `GENERIC_WRITE` and `ERROR_SHARING_VIOLATION` of the Windows API.
const DELETE: u32 = 0x0001_0000;
const DELETE_ON_CLOSE: u32 = 0x0400_0000;
const GENERIC_WRITE: u32 = 0x4000_0000;
const SHARING_VIOLATION: i32 = 32;

/// The lock of an open file: the open file beside it, unless the lock is shared.
#[derive(Debug)]
pub struct Lock(Option<File>);

impl Lock {
    /// Locks an open file. `path` is its path now or soon. A shared lock only checks that no process has an exclusive
    /// one: whoever wants that waits for a reader only when the file is replaced.
    pub fn take(_file: &File, path: &Path, mode: LockMode) -> Result<Lock, TryLockError> {
        let path = beside(path);
        let mut options = OpenOptions::new();
        match mode {
            LockMode::Shared => options.read(true),
            LockMode::Exclusive => options
                .write(true)
                .create(true)
                .truncate(false)
                .access_mode(GENERIC_WRITE | DELETE)
                .share_mode(0)
                .custom_flags(DELETE_ON_CLOSE),
        };
        match options.open(path) {
            Ok(file) => Ok(Lock(Some(file).filter(|_| mode == LockMode::Exclusive))),
            Err(error) if mode == LockMode::Shared && error.kind() == ErrorKind::NotFound => {
                Ok(Lock(None))
            }
            Err(error) if is_taken(&error) => Err(TryLockError::WouldBlock),
            Err(error) => Err(TryLockError::Error(error)),
        }
    }

    pub fn release(&mut self, _file: &File) {
        self.0 = None;
    }
}

/// Returns whether another process has the file open.
fn is_taken(error: &io::Error) -> bool {
    error.raw_os_error() == Some(SHARING_VIOLATION)
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// Prepares a locked draft for its new name, under which others can read it.
pub fn before_rename(draft: &File) {
    let _ = draft.unlock();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_locked_file_can_be_read_and_its_lock_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        fs::write(&path, "data").unwrap();
        let file = File::open(&path).unwrap();
        let lock = Lock::take(&file, &path, LockMode::Exclusive).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "data");
        for mode in [LockMode::Exclusive, LockMode::Shared] {
            assert!(matches!(Lock::take(&file, &path, mode), Err(TryLockError::WouldBlock)));
        }
        drop(lock);
        let _shared = Lock::take(&file, &path, LockMode::Shared).unwrap();
        Lock::take(&file, &path, LockMode::Exclusive).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
