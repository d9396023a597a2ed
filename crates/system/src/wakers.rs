//! The sources that wake the program: its input, signals, and a waker that other threads use.

use crate::handle::Stream;
use crate::output::Output;
use crate::signals;
use crate::wait::{Source, wait};
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Standard input, a set of signals, and a waker.
pub struct Wakers {
    /// Each signal, and whether it has arrived.
    signals: Vec<(i32, Arc<AtomicBool>)>,
    /// Both ends of the pipe that signals and other threads write to.
    waker: [Stream; 2],
}

/// The sources and deadline of the connection to a remote table.
#[derive(Default)]
pub struct PollSources<'s> {
    pub sources: Vec<Source<'s>>,
    /// When the connection needs attention even without data.
    pub deadline: Option<Instant>,
}

/// The causes of a wake-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Woken {
    /// Standard input is readable or has ended.
    pub has_input: bool,
    /// The writing end of standard input was closed.
    pub input_has_gone: bool,
}

impl Wakers {
    /// Catches these signals from now on, so that they no longer end the process.
    pub fn watch(signals: &[i32]) -> io::Result<Wakers> {
        let waker = <[Stream; 2]>::from(Stream::pair()?);
        for end in &waker {
            end.set_nonblocking(true)?;
        }
        let signals: Vec<_> = signals.iter().map(|signal| (*signal, Arc::default())).collect();
        for (signal, has_come) in &signals {
            signals::set_on(*signal, Arc::clone(has_come))?;
            signals::wake_on(*signal, waker[1].try_clone()?)?;
        }
        Ok(Wakers { signals, waker })
    }

    /// Returns the write end of the waker: writing a byte wakes the program.
    pub fn waker(&self) -> io::Result<Stream> {
        self.waker[1].try_clone()
    }

    /// Sleeps until a source is ready or the deadline passes. Polls stdin only with `to_input`, the output only while
    /// it is blocked, and the connection to a table.
    pub fn wait<'s>(
        &'s self,
        to_input: bool,
        output: Option<&'s Output>,
        line: PollSources<'s>,
        deadline: Option<Instant>,
    ) -> io::Result<Woken> {
        let input = to_input.then(Source::stdin);
        let output = output.filter(|output| output.is_blocked()).map(Output::source);
        let mut sources: Vec<Source> =
            input.into_iter().chain(output).chain(line.sources).collect();
        self.wait_for(&mut sources, deadline.into_iter().chain(line.deadline).min())?;
        let input = sources.first().filter(|_| to_input);
        Ok(Woken {
            has_input: input.is_some_and(Source::is_ready),
            input_has_gone: input.is_some_and(Source::is_closed),
        })
    }

    /// Sleeps until one of these sources is ready, a signal arrives, the waker is used, or the deadline passes. The
    /// sources show which are ready.
    pub fn wait_for<'s>(
        &'s self,
        sources: &mut Vec<Source<'s>>,
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        sources.push(Source::readable(&self.waker[0]));
        let waited = wait(sources, deadline);
        sources.pop();
        self.silence();
        waited
    }

    /// Empties the waker. After this, the caller checks every possible cause.
    fn silence(&self) {
        let _ = (&self.waker[0]).read(&mut [0; 64]);
    }

    /// Returns whether an unprocessed signal has arrived.
    pub fn is_signalled(&self) -> bool {
        self.signals.iter().any(|(_, has_come)| has_come.load(Ordering::SeqCst))
    }

    /// Ignores these signals if they have already arrived.
    pub fn forget(&self, signals: &[i32]) {
        for (_, has_come) in self.signals.iter().filter(|(signal, _)| signals.contains(signal)) {
            has_come.store(false, Ordering::SeqCst);
        }
    }

    /// Returns the signals that arrived since the last call.
    pub fn signals(&self) -> Vec<i32> {
        let signals = self.signals.iter();
        let come = signals.filter(|(_, has_come)| has_come.swap(false, Ordering::SeqCst));
        come.map(|(signal, _)| *signal).collect()
    }
}
