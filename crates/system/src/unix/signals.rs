//! Signals by which the system, a terminal or another process addresses this process.

use super::handle::Stream;
use signal_hook::consts::SIGXFSZ;
use signal_hook::iterator::{Handle, Signals};
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use signal_hook::consts::{
    SIGCHLD, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH,
};

/// Catches these signals from now on, and does nothing. Unlike an ignored signal, a caught one has its default effect
/// again in child processes.
pub fn disregard(signals: &[i32]) -> io::Result<()> {
    for signal in signals {
        flag::register(*signal, Arc::default())?;
    }
    Ok(())
}

/// Makes a file that exceeds the size limit a write error, like a full disk, instead of the end of the process.
pub fn disregard_size_limit() -> io::Result<()> {
    disregard(&[SIGXFSZ])
}

/// Lets these signals end the process while the flag is set, whatever else handles them.
pub fn end_while(is_set: &Arc<AtomicBool>, signals: &[i32]) -> io::Result<()> {
    for signal in signals {
        flag::register_conditional_default(*signal, Arc::clone(is_set))?;
    }
    Ok(())
}

/// Ends the process as the signal would have done, so that the parent process sees the cause.
pub fn end_by(signal: i32) -> io::Result<()> {
    low_level::emulate_default_handler(signal)
}

/// Returns a stream that becomes readable on any of these signals, which no longer end the process.
pub fn wakeups(signals: &[i32]) -> io::Result<Stream> {
    let (wakeups, waker) = Stream::pair()?;
    wakeups.set_nonblocking(true)?;
    for signal in signals {
        wake_on(*signal, waker.try_clone()?)?;
    }
    Ok(wakeups)
}

/// Sets the flag on each arrival of the signal, which no longer ends the process.
pub fn set_on(signal: i32, has_come: Arc<AtomicBool>) -> io::Result<()> {
    flag::register(signal, has_come).map(drop)
}

/// Writes a byte on each arrival of the signal, which no longer ends the process.
pub fn wake_on(signal: i32, waker: Stream) -> io::Result<()> {
    low_level::pipe::register(signal, waker).map(drop)
}

/// The arriving signals, for a thread that waits for them.
pub struct Arrivals(Signals);

impl Arrivals {
    /// Catches these signals from now on, so that they no longer end the process.
    pub fn watch(signals: &[i32]) -> io::Result<Arrivals> {
        Signals::new(signals).map(Arrivals)
    }

    /// Returns what ends the iteration.
    pub fn stop(&self) -> StopArrivals {
        StopArrivals(self.0.handle())
    }

    /// Returns the signals as they arrive.
    pub fn iter(&mut self) -> impl Iterator<Item = i32> {
        self.0.forever()
    }
}

pub struct StopArrivals(Handle);

impl StopArrivals {
    pub fn stop(&self) {
        self.0.close();
    }
}
