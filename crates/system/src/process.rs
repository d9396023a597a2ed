//! The id of a process, what can be done to it, and how it ended, in the same words for every system.

use std::num::NonZeroI32;
use std::process::Child;

/// The id of a process, or of a process group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pid(NonZeroI32);

impl Pid {
    pub fn from_raw(id: i32) -> Option<Pid> {
        NonZeroI32::new(id).filter(|id| id.get() > 0).map(Pid)
    }

    pub fn from_child(child: &Child) -> Pid {
        // No process has the id 0.
        Pid(NonZeroI32::new(child.id().cast_signed()).unwrap_or(NonZeroI32::MAX))
    }

    pub const fn as_raw_pid(self) -> i32 {
        self.0.get()
    }
}

/// What one process can do to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessSignal {
    Stop,
    Continue,
    Kill,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// It exited with this status.
    Exited(i32),
    /// This signal ended it.
    Killed(i32),
}
