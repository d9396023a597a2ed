//! Stops a search on a signal.

use crate::signals::{Arrivals, SIGINT, SIGTERM, StopArrivals, end_by};
use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

/// A second signal within this time is ignored: `timeout`, for example, signals the process and then its whole process
/// group.
const ONE_SIGNAL: Duration = Duration::from_millis(250);

/// The stack size of the signal thread, in bytes. The thread does very little.
const STACK: usize = 64 << 10;

/// Turns the first terminating signal into a flag that stops a search. A later one ends the process immediately.
pub struct StopSignal {
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicI32>,
    signals: StopArrivals,
}

impl StopSignal {
    pub fn listen() -> io::Result<StopSignal> {
        StopSignal::listen_to(&[SIGINT, SIGTERM], &[], |_| {})
    }

    /// Handles these signals from now on. Calls `heed` with the first signal in `ends`, and with every signal in
    /// `others`.
    pub fn listen_to(
        ends: &[i32],
        others: &[i32],
        mut heed: impl FnMut(i32) + Send + 'static,
    ) -> io::Result<StopSignal> {
        let mut signals = Arrivals::watch(&[ends, others].concat())?;
        let stop_signal =
            StopSignal { stop: Arc::default(), signal: Arc::default(), signals: signals.stop() };
        let StopSignal { stop, signal, .. } = &stop_signal;
        let (stop, first_signal) = (Arc::clone(stop), Arc::clone(signal));
        let others = others.to_vec();
        let ready = Arc::new(Barrier::new(2));
        let is_ready = Arc::clone(&ready);
        let listen = move || {
            let mut first = None;
            let arriving = signals.iter();
            // At a thread's first allocation, the C library maps an arena of 64 MiB, if only for a moment. That must
            // not coincide with a search that has asked how much memory is left.
            drop(black_box(Box::new(0_u8)));
            is_ready.wait();
            for signal in arriving {
                if others.contains(&signal) {
                    heed(signal);
                    continue;
                }
                let at = *first.get_or_insert_with(|| {
                    first_signal.store(signal, Ordering::SeqCst);
                    stop.store(true, Ordering::SeqCst);
                    heed(signal);
                    Instant::now()
                });
                if at.elapsed() > ONE_SIGNAL {
                    let _ = end_by(signal);
                }
            }
        };
        thread::Builder::new().name("signals".to_owned()).stack_size(STACK).spawn(listen)?;
        ready.wait();
        Ok(stop_signal)
    }

    /// Returns the flag, which is true after the first signal.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    pub fn has_come(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// If a signal has arrived, ends the process with the same signal, so that the parent process sees the cause.
    pub fn reraise(&self) -> io::Result<()> {
        if !self.has_come() {
            return Ok(());
        }
        end_by(self.signal.load(Ordering::SeqCst))
    }
}

impl Drop for StopSignal {
    fn drop(&mut self) {
        self.signals.stop();
    }
}
