//! Noticing that a file is removed or replaced.

use super::wait::Source;
use std::io;
use std::path::Path;
use std::time::Instant;

#[cfg(not(target_os = "linux"))]
use std::time::Duration;

/// How often to look where the system does not report it: the one timer of a process that otherwise sleeps.
#[cfg(not(target_os = "linux"))]
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// Watches a file. By inotify on Linux, elsewhere by a look every five seconds.
#[derive(Debug)]
pub struct FileWatch {
    #[cfg(target_os = "linux")]
    events: std::os::fd::OwnedFd,
    #[cfg(not(target_os = "linux"))]
    next_look: Instant,
}

#[cfg(target_os = "linux")]
impl FileWatch {
    pub fn new(path: &Path) -> io::Result<FileWatch> {
        use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
        let events = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let removal = WatchFlags::ATTRIB | WatchFlags::DELETE_SELF | WatchFlags::MOVE_SELF;
        inotify::add_watch(&events, path, removal)?;
        Ok(FileWatch { events })
    }

    /// Returns the source to wait for, if there is one.
    pub fn source(&self) -> Option<Source<'_>> {
        Some(Source::readable(&self.events))
    }

    /// Returns when to look even if the source is not ready.
    pub fn deadline(&self) -> Option<Instant> {
        None
    }

    /// Returns whether the file may have been removed or replaced since the last call.
    pub fn may_have_changed(&mut self) -> bool {
        let mut events = [0; 1 << 10];
        let mut has_read = || rustix::io::read(&self.events, &mut events).is_ok();
        let has_changed = has_read();
        while has_changed && has_read() {}
        has_changed
    }
}

#[cfg(not(target_os = "linux"))]
impl FileWatch {
    pub fn new(_path: &Path) -> io::Result<FileWatch> {
        Ok(FileWatch { next_look: Instant::now() + LOOK_INTERVAL })
    }

    /// Returns the source to wait for, if there is one.
    pub fn source(&self) -> Option<Source<'_>> {
        None
    }

    /// Returns when to look even if the source is not ready.
    pub fn deadline(&self) -> Option<Instant> {
        Some(self.next_look)
    }

    /// Returns whether the file may have been removed or replaced since the last call.
    pub fn may_have_changed(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.next_look;
        if is_due {
            self.next_look = now + LOOK_INTERVAL;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[cfg(target_os = "linux")]
    #[test]
    fn removal_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "").unwrap();
        let mut watch = FileWatch::new(&path).unwrap();
        assert!(!watch.may_have_changed() && watch.deadline().is_none());
        fs::remove_file(&path).unwrap();
        assert!(watch.source().unwrap().checked().can_read());
        assert!(watch.may_have_changed() && !watch.may_have_changed());
    }
}
