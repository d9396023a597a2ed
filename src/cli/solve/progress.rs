//! The line that says how far a search is, on a terminal.

use crate::cli::progress::{is_shown, target};
use crate::engine::ValueFormat;
use crate::search::Report;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::time::Duration;

/// A line on stderr, if that is a terminal: the time, and what is known by now.
pub(super) struct Progress {
    bar: ProgressBar,
    /// How long it may take.
    until: &'static str,
    /// Which position it is of several.
    place: String,
}

/// How often the time on the line moves on.
const TICK: Duration = Duration::from_millis(125);

impl Progress {
    pub fn new(time: Option<Duration>) -> Progress {
        let until = if time.is_some() { "Ctrl-C ends it" } else { "until proven (Ctrl-C ends it)" };
        let bar = if is_shown() {
            ProgressBar::with_draw_target(None, target())
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
            bar.set_style(style.tick_chars("|/-\\ "));
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Progress { bar, until, place: String::new() }
    }

    /// Begins with a position: its ply and the last, where it is one of several.
    pub fn set_position(&mut self, ply: Option<(usize, usize)>) {
        self.place = ply.map_or(String::new(), |(ply, last)| format!("ply {ply} of {last}  "));
        self.bar.set_message(format!("{}{}", self.place, self.until));
    }

    /// Takes news from a search.
    pub fn hear(&self, report: &Report<String>, value_format: ValueFormat) {
        if self.bar.is_hidden() {
            return;
        }
        let Report { depth, value, nodes, .. } = report;
        let depth = if *depth > 0 { format!("depth {depth}  ") } else { String::new() };
        let value = value_format.write(*value);
        let nodes = HumanCount(*nodes);
        let Progress { place, until, .. } = self;
        self.bar.set_message(format!("{place}{depth}{value}  {nodes} nodes  {until}"));
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
