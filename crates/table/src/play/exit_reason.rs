use quadrille_system::signals::end_by;
use std::io;

/// Why a front end ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The user left, the input ended, or the output was closed.
    Quit,
    /// The process received this terminating signal.
    Signal(i32),
    Gone,
}

impl ExitReason {
    /// Ends the process with the same signal, so that the parent process sees the cause. Does nothing for other
    /// reasons.
    pub fn reraise(self) -> io::Result<()> {
        match self {
            ExitReason::Signal(signal) => end_by(signal),
            ExitReason::Quit | ExitReason::Gone => Ok(()),
        }
    }
}
