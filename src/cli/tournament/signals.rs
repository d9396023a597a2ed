//! The signals that come while a tournament is played in lines.

use crate::arena::tournament::Stop;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::{Handle, Signals as Iterator};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

/// The first signal that would end this process ends the tournament instead, which is then whole on disk; a
/// second one ends the process at once. While it is suspended, so is the tournament.
pub(super) struct Signals {
    handle: Handle,
    has_come: Arc<AtomicI32>,
}

impl Signals {
    pub fn watch(stop: &Stop) -> io::Result<Signals> {
        let mut signals = Iterator::new([SIGINT, SIGTERM, SIGHUP, SIGTSTP])?;
        let (handle, has_come) = (signals.handle(), Arc::new(AtomicI32::new(0)));
        let (stop, come) = (stop.clone(), Arc::clone(&has_come));
        let listen = move || {
            for signal in &mut signals {
                if signal == SIGTSTP {
                    stop.suspend();
                    // It comes back when the process goes on.
                    let _ = emulate_default_handler(signal);
                    stop.resume();
                } else if come.swap(signal, Ordering::SeqCst) == 0 {
                    stop.stop();
                } else {
                    let _ = emulate_default_handler(signal);
                }
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
        Ok(Signals { handle, has_come })
    }

    /// Ends the process by the signal that has come, if one has, so that its parent sees it.
    pub fn pass_on(&self) -> io::Result<()> {
        match self.has_come.load(Ordering::SeqCst) {
            0 => Ok(()),
            signal => emulate_default_handler(signal),
        }
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
    }
}
