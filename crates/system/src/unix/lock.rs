//! Locks on files. Here, a lock is on the file itself, and only asks other processes to respect it.

use crate::locked_file::LockMode;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Whether a file can be replaced while it is open.
pub const CAN_REPLACE_OPEN_FILES: bool = true;

/// The lock of an open file.
#[derive(Debug)]
pub struct Lock(());

impl Lock {
    /// Locks an open file. `path` is its path now or soon.
    pub fn take(file: &File, _path: &Path, mode: LockMode) -> Result<Lock, TryLockError> {
        match mode {
            LockMode::Shared => file.try_lock_shared()?,
            LockMode::Exclusive => file.try_lock()?,
        }
        Ok(Lock(()))
    }

    pub fn release(&mut self, file: &File) {
        let _ = file.unlock();
    }
}

/// Prepares a locked draft for its new name. The lock remains.
pub fn before_rename(_draft: &File) {}
