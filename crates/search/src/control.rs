//! What a search may use, and when it must stop.

use super::Report;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A search that does not deepen ply by ply counts random games or positions instead: this many for each ply of the
/// limit.
pub const GAMES_A_PLY: u64 = 1_000;

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When the search must end; `None` for no limit.
    pub deadline: Option<Instant>,
    /// How many plies to look ahead. A search that does not deepen ply by ply takes [`GAMES_A_PLY`] games or
    /// positions for each instead.
    pub depth: Option<u32>,
    /// About how many positions to look at, or random games to play.
    pub nodes: Option<u64>,
    /// Bytes for tables.
    pub memory: usize,
    /// How many threads may search at the same time; at least one.
    pub threads: usize,
    /// The seed of random choices. The same seed makes the same choices among equal moves.
    pub seed: u64,
    /// Whether an opening book may be used. Without it, what is proven is proven by the search itself.
    pub book: bool,
}

impl Default for Limits {
    /// No deadline, no limit of depth or positions, 256 MiB, one thread, seed 0, no book.
    fn default() -> Limits {
        let (deadline, depth, nodes) = (None, None, None);
        Limits { deadline, depth, nodes, memory: 256 << 20, threads: 1, seed: 0, book: false }
    }
}

/// Why a search ended before all was proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It was told to stop, or has reached its limit of depth or positions.
    Stopped,
    /// Its time was up.
    Time,
    /// It needs more memory than it may use.
    Memory,
    /// The system refused memory that it was allowed to use.
    Refused,
}

/// Keeps tables that take long to build, as bytes under a name. A cache may lose them or return other
/// bytes, so the caller must check what it loads.
pub trait TableCache: Sync {
    /// What was stored last under this name, if it can be read.
    fn load(&self, name: &str) -> Option<Vec<u8>>;
    /// Stores bytes under a name, if it can.
    fn store(&self, name: &str, bytes: &[u8]);
}

/// A cache that keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoTableCache;

impl TableCache for NoTableCache {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn store(&self, _: &str, _: &[u8]) {}
}

/// What a running search is given: the flag that stops it, its limits, the function that receives its reports,
/// and where it keeps its tables.
pub struct Control<'a, M> {
    stop: Option<&'a AtomicBool>,
    on_report: &'a (dyn Fn(&Report<M>) + Sync),
    /// Where tables are kept.
    pub table_cache: &'a dyn TableCache,
    /// What may be used.
    pub limits: Limits,
}

impl<M> Default for Control<'_, M> {
    /// A search without limits of time, depth or positions, which nothing stops and nobody watches.
    fn default() -> Self {
        let limits = Limits::default();
        Control { stop: None, on_report: &|_| (), table_cache: &NoTableCache, limits }
    }
}

impl<'a, M> Control<'a, M> {
    /// The search stops when `stop` becomes true; `on_report` receives its reports.
    pub fn new(
        stop: &'a AtomicBool,
        limits: Limits,
        table_cache: &'a dyn TableCache,
        on_report: &'a (dyn Fn(&Report<M>) + Sync),
    ) -> Control<'a, M> {
        Control { stop: Some(stop), on_report, table_cache, limits }
    }

    /// Whether the search was told to stop, whatever time it has left.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Why the search must stop, if it must. This reads the clock, so a search asks only every thousand
    /// positions or so, but at least every 10 ms.
    pub fn halt(&self) -> Option<Halt> {
        if self.is_stopped() {
            Some(Halt::Stopped)
        } else {
            let late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            late.then_some(Halt::Time)
        }
    }

    /// The same as [`halt`](Control::halt), for a search that has looked at `nodes` positions.
    pub fn halt_at(&self, nodes: u64) -> Option<Halt> {
        if self.nodes_left(nodes) == 0 { Some(Halt::Stopped) } else { self.halt() }
    }

    /// How many more positions may be looked at after the first `nodes`.
    pub fn nodes_left(&self, nodes: u64) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes))
    }

    /// The same control for a search that does not deepen ply by ply: its depth becomes a limit of nodes.
    pub fn without_depth(&self) -> Control<'a, M> {
        let for_depth = self.limits.depth.map(|plies| GAMES_A_PLY * u64::from(plies));
        let nodes = self.limits.nodes.into_iter().chain(for_depth).min();
        Control { limits: Limits { nodes, ..self.limits }, ..*self }
    }

    /// A function like [`halt`](Control::halt) that also returns [`Halt::Time`] when it is called the `times`-th time,
    /// and from then on.
    pub fn halt_within(&self, times: u32) -> impl Fn() -> Option<Halt> {
        let left = Cell::new(times);
        move || {
            left.set(left.get().saturating_sub(1));
            self.halt().or((left.get() == 0).then_some(Halt::Time))
        }
    }

    /// A function like [`halt_at`](Control::halt_at) that counts the positions itself: `nodes` at its first call,
    /// and `interval` more at each further one.
    pub fn halt_counting(&self, nodes: u64, interval: u64) -> impl Fn() -> Option<Halt> {
        let looked = Cell::new(nodes);
        move || self.halt_at(looked.replace(looked.get().saturating_add(interval)))
    }

    /// Sends a report of what is known so far.
    pub fn send_report(&self, report: &Report<M>) {
        (self.on_report)(report);
    }

    /// The same control for a search with another type of moves; its reports go to `on_report`.
    pub fn reporting_to<'b, N>(
        &'b self,
        on_report: &'b (dyn Fn(&Report<N>) + Sync),
    ) -> Control<'b, N> {
        let Control { stop, table_cache, limits, .. } = *self;
        Control { stop, on_report, table_cache, limits }
    }

    /// The time until the deadline, if there is one.
    pub fn time_left(&self) -> Option<Duration> {
        self.limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The same control with an earlier deadline: after the share `part` (0 to 1) of the time left, or after `most`
    /// if that is sooner. Without a deadline there is none for the part either. Then the caller must limit
    /// the number of games or positions, so that the result does not depend on the speed of the machine.
    pub fn share(&self, part: f32, most: Duration) -> Control<'a, M> {
        let share = self.time_left().map(|left| left.mul_f32(part).min(most));
        let deadline = share.and_then(|share| Instant::now().checked_add(share));
        Control { limits: Limits { deadline, ..self.limits }, ..*self }
    }

    /// The same control with other limits.
    pub const fn within(&self, limits: Limits) -> Control<'a, M> {
        Control { limits, ..*self }
    }

    /// The same control without a deadline.
    pub fn without_deadline(&self) -> Control<'a, M> {
        Control { limits: Limits { deadline: None, ..self.limits }, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_stops_at_its_limit_of_positions_or_plies() {
        let stop = AtomicBool::new(false);
        let halt = |depth, nodes, at| {
            let limits = Limits { depth, nodes, ..Limits::default() };
            Control::<u8>::new(&stop, limits, &NoTableCache, &|_| ()).without_depth().halt_at(at)
        };
        assert_eq!(halt(None, None, u64::MAX), None);
        assert_eq!([99, 100].map(|at| halt(None, Some(100), at)), [None, Some(Halt::Stopped)]);
        assert_eq!(halt(Some(2), None, 2 * GAMES_A_PLY - 1), None);
        assert_eq!(halt(Some(2), None, 2 * GAMES_A_PLY), Some(Halt::Stopped));
        assert_eq!(halt(Some(2), Some(5), 5), Some(Halt::Stopped));
    }

    #[test]
    fn a_share_ends_before_the_whole() {
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
        assert_eq!(control.share(0.5, most).halt(), Some(Halt::Stopped));
    }
}
