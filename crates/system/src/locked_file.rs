//! Files that tell other processes that they are in use.

use std::fs::{File, TryLockError};
use std::ops::{Deref, DerefMut};
use std::path::Path;

pub use crate::lock::Lock;

/// What other processes can lock in the meantime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockMode {
    /// Others can hold the same kind of lock.
    Shared,
    Exclusive,
}

/// A file that stays locked until this value is dropped.
///
/// A child process that is just starting briefly inherits all open files. Closing the file would leave it locked by the
/// child, so dropping this value unlocks the file explicitly.
#[derive(Debug)]
pub struct LockedFile {
    file: File,
    lock: Lock,
}

impl LockedFile {
    pub fn new(file: File, lock: Lock) -> LockedFile {
        LockedFile { file, lock }
    }

    /// Locks the open file at this path.
    pub fn lock(file: File, path: &Path, mode: LockMode) -> Result<LockedFile, TryLockError> {
        let lock = Lock::take(&file, path, mode)?;
        Ok(LockedFile { file, lock })
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.file
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.file
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        self.lock.release(&self.file);
    }
}
