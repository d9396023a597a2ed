//! The screen of a running tournament, on the terminal.

use super::disk_host::{self, DiskHost};
use super::display_args::Looks;
use super::keeper::Keeper;
use super::play;
use crate::app::runtime::Ending;
use crate::arena::tournament::Watch;
use std::path::PathBuf;

/// Shows a tournament that others play, until somebody leaves it: while games run, or when all is played,
/// which [`Watch::view`] tells. Its records lie in `folder`. `halt` is told `true` before the process is
/// stopped, and `false` when it goes on.
///
/// The terminal has been given back then. Whoever calls ends the tournament, prints its table, and passes the
/// answer on: see [`Ending::pass_on`].
pub(super) fn show(
    watch: Watch,
    folder: PathBuf,
    halt: impl Fn(bool) + 'static,
    looks: &Looks,
) -> anyhow::Result<Ending> {
    let app = play::app(looks).with_tournament(watch);
    let mut disk_host = DiskHost::new(Keeper::new(None), looks).with_tournament(folder, halt);
    disk_host::run_to_the_end(app, &mut disk_host)
}
