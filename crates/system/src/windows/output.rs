//! Standard output.

use super::handle::stdout;
use super::wait::Source;
use std::io::{self, Write};
use std::time::Duration;

/// Standard output, written by each flush. A window in which the user selects text does not read meanwhile, and the
/// program waits.
#[derive(Debug)]
pub struct Output {
    pending: Vec<u8>,
}

impl Output {
    pub fn open() -> Output {
        Output { pending: Vec::new() }
    }

    /// Returns whether unwritten data is pending, which does not happen here.
    pub const fn is_blocked(&self) -> bool {
        false
    }

    /// Returns the source that is ready when there is room to write.
    pub fn source(&self) -> Source<'_> {
        Source::writable(stdout())
    }

    /// Writes everything.
    pub fn drain(&mut self, _patience: Duration) -> io::Result<bool> {
        self.flush().map(|()| true)
    }

    /// Discards unwritten data.
    pub fn forget(&mut self) {
        self.pending.clear();
    }
}

impl Write for Output {
    /// Buffers until the next flush.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let written = out.write_all(&self.pending).and_then(|()| out.flush());
        self.pending.clear();
        written
    }
}
