//! The signals that end a search.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A second signal that comes so soon is of the same wish: `timeout`, for one, sends it to the process and
/// then to its whole group.
const SAME_WISH: Duration = Duration::from_millis(250);

/// The stack of a thread that hardly does anything.
const STACK: usize = 64 << 10;

/// Turns the first SIGINT or SIGTERM into a flag that a search heeds. One that comes later ends the process
/// at once.
pub(super) struct StopSignal {
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicI32>,
    signals: Handle,
}

impl StopSignal {
    pub fn take() -> io::Result<StopSignal> {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let stop_signal =
            StopSignal { stop: Arc::default(), signal: Arc::default(), signals: signals.handle() };
        let StopSignal { stop, signal, .. } = &stop_signal;
        let (stop, first_signal) = (Arc::clone(stop), Arc::clone(signal));
        let heed = move || {
            let mut first = None;
            for signal in signals.forever() {
                let at = *first.get_or_insert_with(|| {
                    first_signal.store(signal, Ordering::SeqCst);
                    stop.store(true, Ordering::SeqCst);
                    Instant::now()
                });
                if at.elapsed() > SAME_WISH {
                    let _ = emulate_default_handler(signal);
                }
            }
        };
        thread::Builder::new().name("signals".to_owned()).stack_size(STACK).spawn(heed)?;
        Ok(stop_signal)
    }

    /// True from the first signal on.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    pub fn are_drawn(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Ends the process by the signal that has come, if one has, so that its parent sees it.
    pub fn pass_on(&self) -> io::Result<()> {
        if !self.are_drawn() {
            return Ok(());
        }
        emulate_default_handler(self.signal.load(Ordering::SeqCst))
    }
}

impl Drop for StopSignal {
    fn drop(&mut self) {
        self.signals.close();
    }
}
