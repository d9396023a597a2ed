//! The signals that end a search.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Turns the first SIGINT or SIGTERM into a flag that a search heeds. A second one ends the process at
/// once.
pub(super) struct Reins {
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Reins {
    pub fn take() -> io::Result<Reins> {
        let reins = Reins { stop: Arc::default(), signal: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            // What was registered first acts first: it must not see the flag of its own signal.
            flag::register_conditional_default(signal, Arc::clone(&reins.stop))?;
            flag::register_usize(signal, Arc::clone(&reins.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&reins.stop))?;
        }
        Ok(reins)
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
