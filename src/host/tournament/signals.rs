//! Signals during a tournament without the screen.

use crate::arena::tournament::Stop;
use crate::host::say;
use crate::play::{CANNOT_SUSPEND, can_be_suspended, suspend};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::{Handle, Signals as Iterator};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

/// The first signal that would end this process stops the tournament instead, so that its folder is complete. The
/// second one ends the process at once. While the process is suspended, so is the tournament.
pub struct Signals {
    handle: Handle,
    has_come: Arc<AtomicI32>,
}

impl Signals {
    /// Heeds the signals from now on.
    pub fn watch(stop: &Stop) -> io::Result<Signals> {
        let mut signals = Iterator::new([SIGINT, SIGTERM, SIGHUP, SIGTSTP])?;
        let (handle, has_come) = (signals.handle(), Arc::new(AtomicI32::new(0)));
        let (stop, come) = (stop.clone(), Arc::clone(&has_come));
        let listen = move || {
            for signal in &mut signals {
                if signal == SIGTSTP && !can_be_suspended() {
                    say(CANNOT_SUSPEND);
                } else if signal == SIGTSTP {
                    stop.suspend();
                    // Returns when the process continues.
                    let _ = suspend();
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

    /// If a signal has come, ends the process by it, so that the parent process sees it.
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
