//! Progress reports of a running exact search.

use super::graph::{Graph, LineSet, QuietPosition, each};
use super::table::DotsTable;
use crate::window::Window;
use crate::{Control, Report};
use quadrille_rules::dots_and_boxes::Line;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The interval between progress reports while nothing new is proven.
const TICK: Duration = Duration::from_millis(500);

/// Reports the progress of a search. Each search thread calls [`poll`](SolveMonitor::poll) every thousand positions or
/// so, and sends a report if one is due. A separate monitor thread would take processor time from the search.
pub struct SolveMonitor<'a> {
    control: &'a Control<'a, Line>,
    graph: &'a Graph,
    table: DotsTable<'a>,
    /// The rest of the position after all boxes on offer are taken.
    rest: QuietPosition,
    /// The approximate number of positions searched by all threads.
    nodes: AtomicU64,
    state: Mutex<MonitorState>,
}

struct MonitorState {
    window: Window,
    /// The last report of a new result.
    report: Report<Line>,
    /// The time of the next progress report.
    next: Instant,
}

impl<'a> SolveMonitor<'a> {
    pub fn new(
        control: &'a Control<'a, Line>,
        graph: &'a Graph,
        table: DotsTable<'a>,
        undrawn: LineSet,
        window: Window,
        report: &Report<Line>,
    ) -> SolveMonitor<'a> {
        let next = Instant::now() + TICK;
        let nodes = AtomicU64::new(report.nodes);
        let state = Mutex::new(MonitorState { window, report: report.clone(), next });
        SolveMonitor { control, graph, table, rest: graph.settle(undrawn).rest, nodes, state }
    }

    /// Stores the bounds proven so far, for the next report.
    pub fn set_window(&self, window: Window) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).window = window;
    }

    /// Sends a report immediately, after a new result.
    pub fn send_report(&self, report: &Report<Line>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.report.clone_from(report);
        self.control.send_report(report);
    }

    /// Counts `nodes` more positions searched by the calling thread. Sends a progress report if one is due and no other
    /// thread is sending it.
    pub fn poll(&self, nodes: u64) {
        let nodes = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        let Ok(mut state) = self.state.try_lock() else { return };
        let now = Instant::now();
        if now >= state.next {
            state.next = now + TICK;
            let mut report = state.report.clone();
            report.nodes = report.nodes.max(nodes);
            report.table_bytes = self.table.bytes();
            report.fill = Some(self.table.fill());
            report.moves_decided = self.moves_decided(state.window);
            self.control.send_report(&report);
        }
    }

    /// Returns the number of safe lines that are decided (proven to reach the goal, or proven not to), and the number
    /// of all safe lines. Lines that lead to the same position count once. The table never evicts these positions,
    /// since they have the most undrawn lines.
    fn moves_decided(&self, window: Window) -> Option<(u32, u32)> {
        let QuietPosition { undrawn, left, .. } = self.rest;
        let next = each(self.graph.safe(&self.rest)).map(|line| undrawn & !(1 << line));
        let moves: HashMap<u128, bool> = next
            .map(|next| {
                let key = self.graph.signature(next);
                let known = self.table.entry(key, left);
                let most = -window.goal;
                (key, known.is_some_and(|known| known.lower > most || known.upper <= most))
            })
            .collect();
        let is_running = window.is_open() && !moves.is_empty();
        let decided = moves.values().filter(|known| **known).count();
        is_running.then_some((decided as u32, moves.len() as u32))
    }
}
