//! Locks on journals, so that no two processes play the same match.

use super::error::StoreErrorKind;
use quadrille_system::disk;
use quadrille_system::locked_file::{Lock, LockMode, LockedFile};
use quadrille_system::read::{self, Access};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

pub(super) fn open_locked(path: &Path, mode: LockMode) -> Result<LockedFile, StoreErrorKind> {
    let access = match mode {
        LockMode::Shared => Access::Read,
        LockMode::Exclusive => Access::Write,
    };
    for _ in 0..5 {
        if let Some(file) = hold(read::open(path, access)?, path, mode)? {
            return Ok(file);
        }
    }
    Err(StoreErrorKind::Replaced)
}

/// Locks the opened file. Returns `None` if a different file is now at the path, for example because the match was
/// finished elsewhere.
fn hold(file: File, path: &Path, mode: LockMode) -> Result<Option<LockedFile>, StoreErrorKind> {
    let lock = match mode {
        LockMode::Shared => Lock::take(&file, path, mode)?,
        LockMode::Exclusive => lock(&file, path)?,
    };
    let file = LockedFile::new(file, lock);
    Ok(disk::is_at(&file, path)?.then_some(file))
}

/// Locks a journal. Waits up to 50 ms for readers.
fn lock(file: &File, path: &Path) -> Result<Lock, StoreErrorKind> {
    for _ in 0..5 {
        if let Ok(lock) = Lock::take(file, path, LockMode::Exclusive) {
            return Ok(lock);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(Lock::take(file, path, LockMode::Exclusive)?)
}

// Windows replaces only closed files.
#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    /// Without this check, two processes would each lock a different file and play the same match twice.
    #[test]
    fn lock_on_a_replaced_file_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal");
        for mode in [LockMode::Shared, LockMode::Exclusive] {
            fs::write(&path, "one").unwrap();
            let open = || read::open(&path, Access::Write).unwrap();
            assert!(hold(open(), &path, mode).unwrap().is_some());
            let before = open();
            fs::write(path.with_extension("new"), "one").unwrap();
            fs::rename(path.with_extension("new"), &path).unwrap();
            assert!(hold(before, &path, mode).unwrap().is_none());
            let before = open();
            fs::remove_file(&path).unwrap();
            assert!(matches!(hold(before, &path, mode), Err(StoreErrorKind::Io(_))));
        }
    }
}
