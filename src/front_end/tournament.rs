//! A running tournament on the terminal: its screen, and the signals during one without a screen.

use super::appearance::Appearance;
use super::disk_host::{self, DiskHost};
use crate::app::runtime::ExitReason;
use quadrille_arena::tournament::{LiveTournament, Stop};
use quadrille_system::job_control::{CANNOT_SUSPEND, can_be_suspended, suspend};
use quadrille_system::signals::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use quadrille_system::stop_signal::StopSignal;
use quadrille_table::match_saver::MatchSaver;
use quadrille_text::printable::print_stderr;
use std::path::PathBuf;
use std::{io, mem};

/// Handles signals during a tournament without a screen. The first signal that would end the process stops the
/// tournament instead, so that its folder is complete. The tournament is suspended together with the process.
pub fn watch_signals(stop: &Stop) -> io::Result<StopSignal> {
    let stop = stop.clone();
    let mut is_own_signal = false;
    StopSignal::listen_to(&[SIGINT, SIGTERM, SIGHUP], &[SIGTSTP], move |signal| match signal {
        // `suspend` sends SIGTSTP to the whole process group.
        SIGTSTP if mem::take(&mut is_own_signal) => {}
        SIGTSTP if !can_be_suspended() => print_stderr(CANNOT_SUSPEND),
        SIGTSTP => {
            stop.suspend();
            // Returns when the process continues.
            is_own_signal = suspend().is_ok();
            stop.resume();
        }
        _ => stop.stop(),
    })
}

/// Shows a tournament played by other threads until the user leaves, during the games or afterwards;
/// [`LiveTournament::view`] tells which. Its records are in `folder`. `halt` is called with `true` before the process
/// is suspended, and with `false` when it continues.
///
/// The terminal is restored on return. The caller then stops the tournament, prints its table, and calls
/// [`ExitReason::reraise`].
pub fn show(
    live: LiveTournament,
    folder: PathBuf,
    halt: impl Fn(bool) + 'static,
    appearance: &Appearance,
) -> anyhow::Result<ExitReason> {
    let app = appearance.app().with_tournament(live);
    let mut disk_host =
        DiskHost::new(MatchSaver::new(None), appearance).with_tournament(folder, halt);
    disk_host::run_to_the_end(app, &mut disk_host)
}
