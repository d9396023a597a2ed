//! What a front end needs of the rest of the program to let engines play, and how it ends.

use super::LineWait;
use crate::search::{NoTableCache, TableCache};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// What engines and programs need of this machine.
pub trait Host {
    /// The folder for what programs write to standard error; `None`, the default, if that is not kept.
    fn program_stderr(&self) -> Option<PathBuf> {
        None
    }

    /// Where engines keep their tables; nowhere by default.
    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        Arc::new(NoTableCache)
    }

    /// What to wait for on behalf of the line to a table elsewhere, if there is one.
    fn line(&self) -> LineWait<'_> {
        LineWait::default()
    }

    /// Lets that line send and read what it can without waiting.
    fn keep_up_line(&mut self) {}
}

/// Why a front end has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// Somebody left, the input ended, or nobody reads the output any more.
    Quit,
    /// This signal asked the process to end.
    Signal(i32),
    /// The terminal is gone.
    Gone,
}

impl ExitReason {
    /// Ends the process by the same signal, so that its parent sees why it ended. For other endings it does
    /// nothing.
    pub fn pass_on(self) -> io::Result<()> {
        match self {
            ExitReason::Signal(signal) => emulate_default_handler(signal),
            ExitReason::Quit | ExitReason::Gone => Ok(()),
        }
    }
}
