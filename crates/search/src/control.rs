//! The limits of a search, and the conditions for stopping it.

use super::Report;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Random games or positions for each ply of the depth limit, in a search without iterative deepening.
pub const GAMES_A_PLY: u64 = 1_000;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The deadline of the search; `None` for no limit.
    pub deadline: Option<Instant>,
    /// The maximum depth in plies. A search without iterative deepening converts each ply to [`GAMES_A_PLY`] games or
    /// positions.
    pub depth: Option<u32>,
    /// The approximate maximum number of positions to search or random games to play.
    pub nodes: Option<u64>,
    /// The maximum memory for tables, in bytes.
    pub memory: usize,
    /// The maximum number of concurrent search threads; at least 1.
    pub threads: usize,
    /// The random seed. With equal seeds, ties between moves are broken in the same way.
    pub seed: u64,
    /// Whether the search may use an opening book. Without the book, the search itself proves every proven value.
    pub book: bool,
}

impl Default for Limits {
    /// Returns limits of 256 MiB, one thread and seed 0, with no deadline, no depth or node limit, and no book.
    fn default() -> Limits {
        let (deadline, depth, nodes) = (None, None, None);
        Limits { deadline, depth, nodes, memory: 256 << 20, threads: 1, seed: 0, book: false }
    }
}

/// The reason why a search ended before everything was proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The search was stopped, or reached its depth or node limit.
    Stopped,
    /// The search reached its deadline.
    Time,
    /// The search needs more memory than its limit.
    MemoryLimit,
    /// The system refused to allocate memory within the limit.
    OutOfMemory,
}

/// Stores tables that take long to build, as bytes under a name. A cache may lose bytes or return wrong ones, so the
/// caller must validate what it loads.
pub trait TableCache: Sync {
    /// Loads the bytes last stored under this name, if possible.
    fn load(&self, name: &str) -> Option<Vec<u8>>;
    /// Stores bytes under a name, if possible.
    fn store(&self, name: &str, bytes: &[u8]);
}

/// A cache that stores nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoTableCache;

impl TableCache for NoTableCache {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn store(&self, _: &str, _: &[u8]) {}
}

/// The environment of a running search: its stop flag, limits, report callback and table cache.
pub struct Control<'a, M> {
    stop: Option<&'a AtomicBool>,
    on_report: &'a (dyn Fn(&Report<M>) + Sync),
    /// The table cache.
    pub table_cache: &'a dyn TableCache,
    /// The limits of the search.
    pub limits: Limits,
}

impl<M> Default for Control<'_, M> {
    /// Returns a control without a deadline, depth limit, node limit or stop flag. It discards reports.
    fn default() -> Self {
        let limits = Limits::default();
        Control { stop: None, on_report: &|_| (), table_cache: &NoTableCache, limits }
    }
}

impl<'a, M> Control<'a, M> {
    /// Creates a control. Setting `stop` stops the search, and `on_report` receives its reports.
    pub fn new(
        stop: &'a AtomicBool,
        limits: Limits,
        table_cache: &'a dyn TableCache,
        on_report: &'a (dyn Fn(&Report<M>) + Sync),
    ) -> Control<'a, M> {
        Control { stop: Some(stop), on_report, table_cache, limits }
    }

    /// Returns whether the stop flag is set, regardless of the deadline.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Returns why the search must stop, if it must. Reads the clock, so call it only about once in a thousand
    /// positions, but at least every 10 ms.
    pub fn halt(&self) -> Option<StopReason> {
        if self.is_stopped() {
            Some(StopReason::Stopped)
        } else {
            let late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            late.then_some(StopReason::Time)
        }
    }

    /// Returns [`halt`](Control::halt), or [`StopReason::Stopped`] if `nodes` positions reach the limit.
    pub fn halt_at(&self, nodes: u64) -> Option<StopReason> {
        if self.nodes_left(nodes) == 0 { Some(StopReason::Stopped) } else { self.halt() }
    }

    /// Returns the number of positions left in the limit after `nodes` positions.
    pub fn nodes_left(&self, nodes: u64) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes))
    }

    /// Converts the depth limit to a node limit, for a search without iterative deepening.
    pub fn without_depth(&self) -> Control<'a, M> {
        let for_depth = self.limits.depth.map(|plies| GAMES_A_PLY * u64::from(plies));
        let nodes = self.limits.nodes.into_iter().chain(for_depth).min();
        Control { limits: Limits { nodes, ..self.limits }, ..*self }
    }

    /// Returns a function like [`halt`](Control::halt) that also returns [`StopReason::Time`] from its `times`-th call
    /// on.
    pub fn halt_within(&self, times: u32) -> impl Fn() -> Option<StopReason> {
        let left = Cell::new(times);
        move || {
            left.set(left.get().saturating_sub(1));
            self.halt().or((left.get() == 0).then_some(StopReason::Time))
        }
    }

    /// Returns a function like [`halt_at`](Control::halt_at) that counts positions itself: the first call counts
    /// `nodes`, and each later call adds `interval`.
    pub fn halt_counting(&self, nodes: u64, interval: u64) -> impl Fn() -> Option<StopReason> {
        let looked = Cell::new(nodes);
        move || self.halt_at(looked.replace(looked.get().saturating_add(interval)))
    }

    /// Sends a report of the results so far.
    pub fn send_report(&self, report: &Report<M>) {
        (self.on_report)(report);
    }

    /// Returns the control for a search with a different move type, whose reports go to `on_report`.
    pub fn reporting_to<'b, N>(
        &'b self,
        on_report: &'b (dyn Fn(&Report<N>) + Sync),
    ) -> Control<'b, N> {
        let Control { stop, table_cache, limits, .. } = *self;
        Control { stop, on_report, table_cache, limits }
    }

    /// Returns the time until the deadline, if any.
    pub fn time_left(&self) -> Option<Duration> {
        self.limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Returns the control with an earlier deadline: after the share `part` (0 to 1) of the time left, or after `most`
    /// if that is sooner. Without a deadline, the result has none either; the caller must then limit the number of
    /// games or positions, so that the result does not depend on the speed of the machine.
    pub fn share(&self, part: f32, most: Duration) -> Control<'a, M> {
        let share = self.time_left().map(|left| left.mul_f32(part).min(most));
        let deadline = share.and_then(|share| Instant::now().checked_add(share));
        Control { limits: Limits { deadline, ..self.limits }, ..*self }
    }

    /// Returns the control with different limits.
    pub const fn within(&self, limits: Limits) -> Control<'a, M> {
        Control { limits, ..*self }
    }

    /// Returns the control without a deadline.
    pub fn without_deadline(&self) -> Control<'a, M> {
        Control { limits: Limits { deadline: None, ..self.limits }, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_stops_at_node_and_depth_limits() {
        let stop = AtomicBool::new(false);
        let halt = |depth, nodes, at| {
            let limits = Limits { depth, nodes, ..Limits::default() };
            Control::<u8>::new(&stop, limits, &NoTableCache, &|_| ()).without_depth().halt_at(at)
        };
        assert_eq!(halt(None, None, u64::MAX), None);
        assert_eq!(
            [99, 100].map(|at| halt(None, Some(100), at)),
            [None, Some(StopReason::Stopped)]
        );
        assert_eq!(halt(Some(2), None, 2 * GAMES_A_PLY - 1), None);
        assert_eq!(halt(Some(2), None, 2 * GAMES_A_PLY), Some(StopReason::Stopped));
        assert_eq!(halt(Some(2), Some(5), 5), Some(StopReason::Stopped));
    }

    #[test]
    fn share_deadline_precedes_the_whole_deadline() {
        let stop = AtomicBool::new(false);
        let deadline = Instant::now() + Duration::from_secs(100);
        let limits = Limits { deadline: Some(deadline), ..Limits::default() };
        let on_report = |_: &Report<u8>| ();
        let control = Control::new(&stop, limits, &NoTableCache, &on_report);
        let ends = |part, most| control.share(part, most).limits.deadline.unwrap();
        let most = Duration::from_secs(1000);
        assert!(ends(0.5, most) + Duration::from_secs(40) < deadline);
        assert!(ends(0.5, Duration::from_secs(5)) + Duration::from_secs(90) < deadline);
        assert!(ends(0.0, most) <= Instant::now());
        let endless = control.without_deadline();
        assert_eq!(endless.share(0.5, Duration::ZERO).limits.deadline, None);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(control.share(0.5, most).halt(), Some(StopReason::Stopped));
    }
}
