//! The signals that end a search.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Turns the first SIGINT or SIGTERM into a flag that a search heeds. A second one ends the process at
/// once.
pub(super) struct StopSignal {
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl StopSignal {
    pub fn take() -> io::Result<StopSignal> {
        let stop_signal = StopSignal { stop: Arc::default(), signal: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            // What was registered first acts first: it must not see the flag of its own signal.
            flag::register_conditional_default(signal, Arc::clone(&stop_signal.stop))?;
            flag::register_usize(signal, Arc::clone(&stop_signal.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&stop_signal.stop))?;
        }
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
        low_level::emulate_default_handler(self.signal.load(Ordering::SeqCst) as i32)
    }
}
