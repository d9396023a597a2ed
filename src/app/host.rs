//! What the front ends' loops need from the rest of the program.

use super::{App, DiskTask, Task};
use crate::play::LineWait;
use crate::search::{NoTableCache, TableCache};
use std::path::PathBuf;
use std::sync::Arc;

/// Carries out the app's tasks that concern neither the terminal nor an engine, and provides what engines and programs
/// need from this machine.
pub trait Host {
    /// Performs a task and reports its outcome to the app.
    fn perform(&mut self, task: DiskTask, app: &mut App);

    /// Returns whether the terminal should report the mouse. If not, the mouse selects text in the terminal.
    fn has_mouse(&self) -> bool {
        true
    }

    /// Returns whether a network lies between this machine and the terminal.
    fn is_terminal_far(&self) -> bool {
        false
    }

    /// Stops background games and engines: the process is about to be suspended.
    fn suspend(&mut self) {}

    /// Resumes background games and engines: the process continues.
    fn resume(&mut self) {}

    /// Reads from the shared table on the screen and updates the app; returns tasks like [`App::update`].
    fn hear_table(&mut self, app: &mut App) -> Option<Vec<Task>> {
        let _ = app;
        None
    }

    /// Sends the local players' requests to the shared table.
    fn tell_table(&mut self, app: &mut App) {
        let _ = app;
    }

    /// Reconnects to the shared table; ssh may ask for a password on the terminal. The error is a sentence.
    fn log_in(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn has_work(&self) -> bool {
        false
    }

    /// Performs a short piece of background work; keys wait for it. Returns whether the app has changed.
    fn work(&mut self, app: &mut App) -> bool {
        let _ = app;
        false
    }

    /// Returns the folder for the standard error of programs; `None`, the default, discards it.
    fn program_stderr(&self) -> Option<PathBuf> {
        None
    }

    /// Returns the cache of the engines' tables; by default, none.
    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        Arc::new(NoTableCache)
    }

    /// Returns what to poll for the connection to a remote table, if there is one.
    fn line(&self) -> LineWait<'_> {
        LineWait::default()
    }

    /// Sends and reads on that connection, without blocking.
    fn keep_up_line(&mut self) {}
}
