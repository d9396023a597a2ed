//! Noticing that a file is removed or replaced. Only hosts of tables watch files, and there are none here.

use super::wait::Source;
use std::io;
use std::path::Path;
use std::time::Instant;

/// Watches a file, which cannot be done here.
#[derive(Debug)]
pub enum FileWatch {}

impl FileWatch {
    pub fn new(_path: &Path) -> io::Result<FileWatch> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns the source to wait for, if there is one.
    pub fn source(&self) -> Option<Source<'_>> {
        match *self {}
    }

    /// Returns when to look even if the source is not ready.
    pub fn deadline(&self) -> Option<Instant> {
        match *self {}
    }

    /// Returns whether the file may have been removed or replaced since the last call.
    pub fn may_have_changed(&mut self) -> bool {
        match *self {}
    }
}
