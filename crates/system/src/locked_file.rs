//! Files that tell other processes that they are in use.

use std::fs::File;
use std::ops::{Deref, DerefMut};

/// A file that stays locked until this value is dropped.
///
/// A child process that is just starting briefly inherits all open files. Closing the file would leave it locked by the
/// child, so dropping this value unlocks the file explicitly.
#[derive(Debug)]
pub struct LockedFile(pub File);

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}
