//! The services that an event loop needs from the rest of the program.

use super::runtime::GraphicsEnvironment;
use super::{App, DiskTask, Task};
use quadrille_search::{NoTableCache, TableCache};
use quadrille_system::wakers::PollSources;
use std::path::PathBuf;
use std::sync::Arc;

/// Performs the tasks that concern neither the terminal nor an engine, and provides the services of this machine to
/// engines and programs.
pub trait Host {
    /// Performs a task and reports its outcome to the app.
    fn perform(&mut self, task: DiskTask, app: &mut App);

    /// Returns whether the terminal should report mouse events. If not, the mouse selects text in the terminal.
    fn has_mouse(&self) -> bool {
        true
    }

    /// Returns whether the terminal is connected over a network.
    fn is_terminal_far(&self) -> bool {
        false
    }

    /// Returns whether the terminal is kitty, which reports some of xterm's sequences as errors.
    fn is_terminal_kitty(&self) -> bool {
        false
    }

    /// Returns what the environment says about the terminal's images; `None`, the default, shows none.
    fn graphics(&self) -> Option<GraphicsEnvironment> {
        None
    }

    /// Pauses background games and engines before the process is suspended.
    fn suspend(&mut self) {}

    /// Resumes background games and engines after the process has continued.
    fn resume(&mut self) {}

    /// Reads messages of the shared table on the screen and updates the app. Returns tasks, like [`App::update`].
    fn receive_from_table(&mut self, app: &mut App) -> Option<Vec<Task>> {
        let _ = app;
        None
    }

    /// Sends the requests of local players to the shared table.
    fn send_to_table(&mut self, app: &mut App) {
        let _ = app;
    }

    /// Reconnects to the shared table. ssh may prompt for a password on the terminal. The error is a sentence.
    fn log_in(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn has_work(&self) -> bool {
        false
    }

    /// Performs a short piece of background work, during which keys wait. Returns whether the app has changed.
    fn work(&mut self, app: &mut App) -> bool {
        let _ = app;
        false
    }

    /// Returns the folder for the stderr of programs; `None`, the default, discards stderr.
    fn program_stderr(&self) -> Option<PathBuf> {
        None
    }

    /// Returns the cache for the engines' tables. By default nothing is cached.
    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        Arc::new(NoTableCache)
    }

    /// Returns the file descriptors to poll for the connection to a remote table, if there is one.
    fn line(&self) -> PollSources<'_> {
        PollSources::default()
    }

    /// Sends and receives on the connection to a remote table, without blocking.
    fn keep_up_line(&mut self) {}
}
