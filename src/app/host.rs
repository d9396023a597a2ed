//! What the loops of the front ends need of the rest of the program.

use super::{App, DiskTask, Task};
use crate::play::LineWait;
use crate::search::{NoTableCache, TableCache};
use std::path::PathBuf;
use std::sync::Arc;

/// Carries out the tasks of the app that concern neither the terminal nor an engine, and knows what engines and
/// programs need of this machine.
pub trait Host {
    /// Does a task, and tells the app the outcome.
    fn perform(&mut self, task: DiskTask, app: &mut App);

    /// Whether the terminal should report the mouse to the program. Without that, the mouse selects text in
    /// the terminal.
    fn has_mouse(&self) -> bool {
        true
    }

    /// Whether a network is between this machine and the terminal.
    fn is_terminal_far(&self) -> bool {
        false
    }

    /// The process is about to be suspended: stop games and engines that run beside the screens.
    fn suspend(&mut self) {}

    /// The process continues: let games and engines go on.
    fn resume(&mut self) {}

    /// Reads from the table whose match is on the screen, and lets the app follow it; returns the same as [`App::update`].
    fn hear_table(&mut self, app: &mut App) -> Option<Vec<Task>> {
        let _ = app;
        None
    }

    /// Sends the requests of the players here to that table.
    fn tell_table(&mut self, app: &mut App) {
        let _ = app;
    }

    /// Connects to that table again; ssh may ask for a password on the terminal. The error is a sentence.
    fn log_in(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Whether there is background work to do.
    fn has_work(&self) -> bool {
        false
    }

    /// Does a short piece of the background work; keys wait for it. Returns whether the app has changed.
    fn work(&mut self, app: &mut App) -> bool {
        let _ = app;
        false
    }

    /// The folder for what programs write to standard error; `None`, the default, if that is not kept.
    fn program_stderr(&self) -> Option<PathBuf> {
        None
    }

    /// Where engines keep their tables; nowhere by default.
    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        Arc::new(NoTableCache)
    }

    /// What to wait for on behalf of the connection to a table elsewhere, if there is one.
    fn line(&self) -> LineWait<'_> {
        LineWait::default()
    }

    /// Lets that connection send and read what it can without waiting.
    fn keep_up_line(&mut self) {}
}
