//! The events by which the console addresses this process, as the signals of Unix: Ctrl-C is `SIGINT`, Ctrl-Break is
//! `SIGTERM`, and the end of the window or of the user's session is `SIGHUP`. The other signals never arrive.

use super::handle::Stream;
use quadrille_windows::console::{self, ConsoleEvent};
use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub const SIGHUP: i32 = 1;
pub const SIGINT: i32 = 2;
pub const SIGQUIT: i32 = 3;
pub const SIGTERM: i32 = 15;
pub const SIGCHLD: i32 = 17;
pub const SIGCONT: i32 = 18;
pub const SIGTSTP: i32 = 20;
pub const SIGWINCH: i32 = 28;

/// The exit status of a process that Ctrl-C ended (`STATUS_CONTROL_C_EXIT`).
const ENDED_BY_CONSOLE: i32 = 0xC000_013A_u32.cast_signed();

/// What to do on a signal.
enum Handler {
    Set(Arc<AtomicBool>),
    Wake(Stream),
    /// `None` ends the thread that receives.
    Send(Sender<Option<i32>>),
    EndWhile(Arc<AtomicBool>),
    Disregard,
}

static HANDLERS: Mutex<Vec<(i32, Handler)>> = Mutex::new(Vec::new());

fn handlers() -> MutexGuard<'static, Vec<(i32, Handler)>> {
    HANDLERS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn register(signal: i32, handler: Handler) -> io::Result<()> {
    handlers().push((signal, handler));
    console::heed(|event| {
        raise(match event {
            ConsoleEvent::Interrupt => SIGINT,
            ConsoleEvent::Break => SIGTERM,
            ConsoleEvent::Close => SIGHUP,
        })
    })
}

/// Calls the handlers of a signal. Returns whether there are any.
pub(super) fn raise(signal: i32) -> bool {
    let mut is_handled = false;
    // A handler that nobody listens to any more is removed.
    handlers().retain_mut(|(handled, handler)| {
        if *handled != signal {
            return true;
        }
        let is_of_use = match handler {
            Handler::Set(flag) => {
                flag.store(true, Ordering::SeqCst);
                Arc::strong_count(flag) > 1
            }
            Handler::Wake(waker) => waker.write(&[0]).is_ok() || !waker.is_closed(),
            Handler::Send(sender) => sender.send(Some(signal)).is_ok(),
            Handler::EndWhile(is_set) if is_set.load(Ordering::SeqCst) => {
                process::exit(ENDED_BY_CONSOLE)
            }
            Handler::EndWhile(_) | Handler::Disregard => true,
        };
        is_handled |= is_of_use;
        is_of_use
    });
    is_handled
}

/// Catches these signals from now on, and does nothing.
pub fn disregard(signals: &[i32]) -> io::Result<()> {
    signals.iter().try_for_each(|signal| register(*signal, Handler::Disregard))
}

/// Does nothing, because there is no limit on the size of files.
pub fn disregard_size_limit() -> io::Result<()> {
    Ok(())
}

/// Lets these signals end the process while the flag is set, whatever else handles them.
pub fn end_while(is_set: &Arc<AtomicBool>, signals: &[i32]) -> io::Result<()> {
    let end = |signal: &i32| register(*signal, Handler::EndWhile(Arc::clone(is_set)));
    signals.iter().try_for_each(end)
}

/// Ends the process with the status that tells the parent process the cause.
pub fn end_by(_signal: i32) -> io::Result<()> {
    process::exit(ENDED_BY_CONSOLE)
}

/// Returns a stream that becomes readable on any of these signals, which no longer end the process.
pub fn wakeups(signals: &[i32]) -> io::Result<Stream> {
    let (wakeups, waker) = Stream::pair()?;
    wakeups.set_nonblocking(true)?;
    waker.set_nonblocking(true)?;
    signals.iter().try_for_each(|signal| wake_on(*signal, waker.try_clone()?))?;
    Ok(wakeups)
}

/// Sets the flag on each arrival of the signal, which no longer ends the process.
pub fn set_on(signal: i32, has_come: Arc<AtomicBool>) -> io::Result<()> {
    register(signal, Handler::Set(has_come))
}

/// Writes a byte on each arrival of the signal, which no longer ends the process.
pub fn wake_on(signal: i32, waker: Stream) -> io::Result<()> {
    register(signal, Handler::Wake(waker))
}

/// The arriving signals, for a thread that waits for them.
pub struct Arrivals {
    signals: Receiver<Option<i32>>,
    sender: Sender<Option<i32>>,
}

impl Arrivals {
    /// Catches these signals from now on, so that they no longer end the process.
    pub fn watch(signals: &[i32]) -> io::Result<Arrivals> {
        let (sender, arriving) = mpsc::channel();
        signals.iter().try_for_each(|signal| register(*signal, Handler::Send(sender.clone())))?;
        Ok(Arrivals { signals: arriving, sender })
    }

    /// Returns what ends the iteration.
    pub fn stop(&self) -> StopArrivals {
        StopArrivals(self.sender.clone())
    }

    /// Returns the signals as they arrive.
    pub fn iter(&mut self) -> impl Iterator<Item = i32> {
        self.signals.iter().map_while(|signal| signal)
    }
}

pub struct StopArrivals(Sender<Option<i32>>);

impl StopArrivals {
    pub fn stop(&self) {
        let _ = self.0.send(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn signals_reach_their_handlers_while_these_listen() {
        const SIGNAL: i32 = 100;
        assert!(!raise(SIGNAL));
        let flag = Arc::<AtomicBool>::default();
        set_on(SIGNAL, Arc::clone(&flag)).unwrap();
        let wakeups = wakeups(&[SIGNAL]).unwrap();
        let mut arrivals = Arrivals::watch(&[SIGNAL]).unwrap();
        let stop = arrivals.stop();
        assert!(raise(SIGNAL));
        stop.stop();
        assert!(flag.load(Ordering::SeqCst));
        assert_eq!((&wakeups).read(&mut [0; 9]).unwrap(), 1);
        assert_eq!(arrivals.iter().collect::<Vec<_>>(), [SIGNAL]);
        drop((flag, wakeups, arrivals));
        assert!(!raise(SIGNAL) || !raise(SIGNAL));
    }
}
