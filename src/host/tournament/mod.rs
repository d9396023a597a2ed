//! A running tournament on the terminal: its screen, or without one its progress bar and its signals.

mod bar;
mod signals;

pub use bar::TournamentBar;
pub use signals::Signals;

use super::disk_host::{self, DiskHost};
use super::keeper::Keeper;
use super::looks::Looks;
use crate::app::runtime::ExitReason;
use crate::arena::tournament::LiveTournament;
use std::path::PathBuf;

/// Shows a tournament that other threads play, until the user leaves it: while games run, or after the last one;
/// [`LiveTournament::view`] says which. Its records lie in `folder`. `halt` is called with `true` before the process is
/// suspended, and with `false` when it continues.
///
/// When this returns, the terminal is restored. The caller then stops the tournament, prints its table, and calls
/// [`ExitReason::pass_on`].
pub fn show(
    live: LiveTournament,
    folder: PathBuf,
    halt: impl Fn(bool) + 'static,
    looks: &Looks,
) -> anyhow::Result<ExitReason> {
    let app = looks.app().with_tournament(live);
    let mut disk_host = DiskHost::new(Keeper::new(None), looks).with_tournament(folder, halt);
    disk_host::run_to_the_end(app, &mut disk_host)
}
