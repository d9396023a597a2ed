//! The bar on stderr that says how far a tournament is, where that is a terminal.

use crate::cli::progress::{is_shown, target};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How often the time on the bar moves on.
const TICK: Duration = Duration::from_millis(500);

/// How many games of all are played, and how long the rest will take.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// So many games, of which so many were played before.
    pub fn new(games: u64, played: u64) -> Bar {
        if !is_shown() {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(games), target()).with_position(played);
        // Games that were played before took no time of this run.
        bar.reset_eta();
        let template = "{elapsed} [{wide_bar}] {pos} of {len}, {eta} left (Ctrl-C ends it)";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(TICK);
        Bar(bar)
    }

    /// Another game has been played, of which this tells.
    pub fn pass<T>(&self, tell: impl FnOnce() -> T) -> T {
        let told = self.0.suspend(tell);
        self.0.inc(1);
        told
    }

    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}
