//! What is told of an exact search, and written down of it, while it goes on.

use super::checkpoint;
use super::graph::{Graph, Lines, Position, each};
use super::solver::Window;
use super::table::Table;
use crate::rules::dots_and_boxes::Line;
use crate::search::{Control, Report};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often it is told how far a search is in which nothing new was proven.
const TICK: Duration = Duration::from_millis(500);

/// How far a search is. Its threads come by every thousand positions or so, and one that finds that
/// something is due does it; a thread of its own would take the time of theirs.
pub struct Watch<'a> {
    control: &'a Control<'a, Line>,
    graph: &'a Graph,
    table: Table<'a>,
    /// The undrawn lines of the position, and what remains of it once all on offer is taken.
    open: Lines,
    rest: Position,
    /// About how many positions all threads have looked at.
    nodes: AtomicU64,
    state: Mutex<State>,
}

struct State {
    window: Window,
    /// What was told last but for these news.
    report: Report<Line>,
    /// When they are told again.
    next: Instant,
}

impl<'a> Watch<'a> {
    pub fn new(
        control: &'a Control<'a, Line>,
        graph: &'a Graph,
        table: Table<'a>,
        open: Lines,
        window: Window,
        report: &Report<Line>,
    ) -> Watch<'a> {
        let next = Instant::now() + TICK;
        let nodes = AtomicU64::new(report.nodes);
        let state = Mutex::new(State { window, report: report.clone(), next });
        Watch { control, graph, table, open, rest: graph.settle(open).rest, nodes, state }
    }

    /// Remembers what is proven by now.
    pub fn set_window(&self, window: Window) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).window = window;
    }

    /// Tells what is new.
    pub fn tell(&self, report: &Report<Line>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.report.clone_from(report);
        self.control.tell(report);
    }

    /// What a thread does after so many more positions: tells how far the search is, and writes the checkpoint,
    /// each if it is time to and no other thread is at it. `is_over` says whether the search is waited for.
    pub fn come_by(&self, nodes: u64, is_over: &dyn Fn() -> bool) {
        let nodes = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        let Ok(mut state) = self.state.try_lock() else { return };
        let now = Instant::now();
        if now >= state.next {
            state.next = now + TICK;
            let mut report = state.report.clone();
            report.nodes = report.nodes.max(nodes);
            report.table = self.table.bytes();
            report.fill = Some(self.table.fill());
            report.openings = self.openings(state.window);
            self.control.tell(&report);
        }
        let window = state.window;
        drop(state);
        if let Some(checkpoint) = self.control.checkpoint {
            checkpoint.save_if_due(&mut |out| {
                checkpoint::write(out, self.graph, self.open, window, &self.table, is_over)
            });
        }
    }

    /// Writes the checkpoint when the search is over.
    pub fn end(&self) {
        let window = self.state.lock().unwrap_or_else(PoisonError::into_inner).window;
        if let Some(checkpoint) = self.control.checkpoint {
            checkpoint.save(&mut |out| {
                checkpoint::write(out, self.graph, self.open, window, &self.table, &|| false)
            });
        }
    }

    /// How many of the safe lines are known to reach what is asked, or not to, and how many there are: those
    /// that come to the same are one. What the table holds of them stays to the end, as it is of many lines.
    fn openings(&self, window: Window) -> Option<(u32, u32)> {
        let Position { open, left, .. } = self.rest;
        let next = each(self.graph.safe(&self.rest)).map(|line| open & !(1 << line));
        let openings: HashMap<u128, bool> = next
            .map(|next| {
                let key = self.graph.signature(next);
                let known = self.table.get(key, left);
                let most = -window.goal;
                (key, known.is_some_and(|known| known.lower > most || known.upper <= most))
            })
            .collect();
        let is_open = window.lower < window.upper && !openings.is_empty();
        let known = openings.values().filter(|known| **known).count();
        is_open.then_some((known as u32, openings.len() as u32))
    }
}
