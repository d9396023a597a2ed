//! A common handle for built-in engines, which run in a thread, and programs, which run in a process.

use super::program::Suspension;
use super::{EngineEvent, Question};
use quadrille_system::handle::Stream;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// An engine or a program that handles one request at a time. A new request stops the previous one. Each request has a
/// ticket and always gets exactly one [answer](EngineEvent::is_answer). Dropping the handle ends the engine or program.
pub struct Handle {
    jobs: Sender<Job>,
    heard: Receiver<(u64, EngineEvent)>,
    /// Stops the current request.
    stop: Arc<AtomicBool>,
    /// Written to for each new job, for a stop, and on drop.
    waker: Option<Stream>,
    /// The thread if it has not been started yet; `None` once started.
    thread: Option<PendingThread>,
    /// The process to suspend together with Quadrille.
    suspension: Option<Arc<Suspension>>,
}

/// A thread that was not started yet: its name and its function.
type PendingThread = (&'static str, Box<dyn FnOnce() + Send>);

/// A request for the thread behind a handle.
pub(super) struct Job {
    pub ticket: u64,
    pub question: Question,
    /// Set to cancel the job.
    pub stop: Arc<AtomicBool>,
}

/// Sends events, and wakes the listener.
pub(super) struct EventSender {
    heard: Sender<(u64, EngineEvent)>,
    waker: Stream,
}

impl EventSender {
    pub fn send(&self, ticket: u64, heard: EngineEvent) {
        // Sending fails only if the handle was dropped.
        let _ = self.heard.send((ticket, heard));
        // If the pipe is full, the reader is going to wake anyway.
        let _ = (&self.waker).write(&[0]);
    }
}

impl Handle {
    /// Creates a handle for a thread of this name, which the first request starts. `run` must return when the job
    /// channel closes. A byte is written to `listener` for each event. A thread that waits for other events besides
    /// jobs passes a `waker`, which wakes it for each action of the handle.
    pub(super) fn new(
        name: &'static str,
        listener: Stream,
        waker: Option<Stream>,
        run: impl FnOnce(Receiver<Job>, EventSender) + Send + 'static,
    ) -> Handle {
        let (jobs, todo) = channel();
        let (sender, heard) = channel();
        let events = EventSender { heard: sender, waker: listener };
        let thread: PendingThread = (name, Box::new(move || run(todo, events)));
        Handle { jobs, heard, stop: Arc::default(), waker, thread: Some(thread), suspension: None }
    }

    /// Adds the suspension of a program, whose process does not stop with Quadrille by itself.
    pub(super) fn with_suspension(mut self, suspension: Arc<Suspension>) -> Handle {
        self.suspension = Some(suspension);
        self
    }

    /// Returns the suspension to share with the code that suspends this process.
    pub fn suspension(&self) -> Option<&Arc<Suspension>> {
        self.suspension.as_ref()
    }

    /// Suspends the program before this process stops, until [`resume`](Handle::resume). Its clock is paused in
    /// between.
    pub fn suspend(&self) {
        self.suspension.iter().for_each(|suspension| suspension.suspend());
    }

    pub fn resume(&self) {
        self.suspension.iter().for_each(|suspension| suspension.resume());
    }

    /// Starts the thread now, so that the first request need not wait for a program to start. Fails if no thread can be
    /// started.
    pub fn begin(&mut self) -> io::Result<()> {
        if let Some((name, run)) = self.thread.take() {
            thread::Builder::new().name(name.to_owned()).spawn(run)?;
        }
        Ok(())
    }

    /// Sends a request, whose events carry this ticket. The first request [starts](Handle::begin) the thread.
    pub fn ask(&mut self, ticket: u64, question: Question) -> io::Result<()> {
        self.begin()?;
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::default();
        // The thread ends only after the handle is dropped.
        let _ = self.jobs.send(Job { ticket, question, stop: Arc::clone(&self.stop) });
        self.wake();
        Ok(())
    }

    /// Stops the current request. The answer follows soon, with the result so far.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.wake();
    }

    pub fn next_event(&self) -> Option<(u64, EngineEvent)> {
        self.heard.try_recv().ok()
    }

    pub fn wait_for_event(&self) -> Option<(u64, EngineEvent)> {
        self.heard.recv().ok()
    }

    fn wake(&self) {
        if let Some(waker) = &self.waker {
            let _ = { waker }.write(&[0]);
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.stop();
        // Dropping the waker wakes the thread, which then finds the job channel closed.
    }
}
