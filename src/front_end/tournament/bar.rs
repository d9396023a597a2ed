//! The progress bar of a tournament, shown on stderr if that is a terminal.

use crate::platform::progress::bar;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

const TICK: Duration = Duration::from_millis(500);

/// A bar with the number of games played and the time left.
pub struct TournamentBar(ProgressBar);

impl TournamentBar {
    /// Creates a bar for `games` games, including `played` games from earlier runs.
    pub fn new(games: u64, played: u64) -> TournamentBar {
        let template = "{elapsed} [{wide_bar}] {pos} of {len}, {eta} left (Ctrl-C ends it)";
        let style = |style: ProgressStyle| style.progress_chars("=> ");
        let bar = bar(Some(games), template, style, TICK).with_position(played);
        // The estimate must exclude games from earlier runs.
        bar.reset_eta();
        TournamentBar(bar)
    }

    /// Counts a game. `print` writes the game's line while the bar is hidden.
    pub fn count<T>(&self, print: impl FnOnce() -> T) -> T {
        let printed = self.0.suspend(print);
        self.0.inc(1);
        printed
    }

    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}
