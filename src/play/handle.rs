//! The handle on an engine of ours in its thread, or on a program in its process. Both look alike
//! from outside.

use super::program::Suspension;
use super::{EngineEvent, Question};
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// An engine or a program, which thinks about one question at a time. A new question stops the one before. Each
/// question has a ticket and gets exactly one [answer](EngineEvent::is_answer), however it ends. Dropping the
/// handle ends the engine or the program.
pub struct Handle {
    jobs: Sender<Job>,
    heard: Receiver<(u64, EngineEvent)>,
    /// Stops what is under way.
    stop: Arc<AtomicBool>,
    /// Rung when there is a job, when it is to stop, and when the handle is dropped.
    bell: Option<UnixStream>,
    /// The thread, until it is started.
    thread: Option<PendingThread>,
    /// What has to be suspended when this process is.
    suspension: Option<Arc<Suspension>>,
}

/// A thread that is not started yet: its name, and what it does.
type PendingThread = (&'static str, Box<dyn FnOnce() + Send>);

/// A question for the thread behind a handle.
pub(super) struct Job {
    pub ticket: u64,
    pub question: Question,
    /// Becomes true when the answer is no longer wanted.
    pub stop: Arc<AtomicBool>,
}

/// Sends events, and wakes whoever listens.
pub(super) struct EventSender {
    heard: Sender<(u64, EngineEvent)>,
    bell: UnixStream,
}

impl EventSender {
    pub fn send(&self, ticket: u64, heard: EngineEvent) {
        // It fails only if the handle was dropped, and then nobody listens.
        let _ = self.heard.send((ticket, heard));
        // If the pipe is full, the reader wakes anyway.
        let _ = (&self.bell).write(&[0]);
    }
}

impl Handle {
    /// A handle on a thread of this name, which is started by the first question and runs `run`. It has
    /// to end when there are no more jobs. A byte is written to `listener` for each event. A thread
    /// that waits for more than jobs has a `bell`, which is rung whenever the handle wants something of
    /// it.
    pub(super) fn new(
        name: &'static str,
        listener: UnixStream,
        bell: Option<UnixStream>,
        run: impl FnOnce(Receiver<Job>, EventSender) + Send + 'static,
    ) -> Handle {
        let (jobs, todo) = channel();
        let (sender, heard) = channel();
        let events = EventSender { heard: sender, bell: listener };
        let thread: PendingThread = (name, Box::new(move || run(todo, events)));
        Handle { jobs, heard, stop: Arc::default(), bell, thread: Some(thread), suspension: None }
    }

    /// The same for a program: another process is not suspended with this one by itself.
    pub(super) fn with_suspension(mut self, suspension: Arc<Suspension>) -> Handle {
        self.suspension = Some(suspension);
        self
    }

    /// What has to be suspended when this process is, to be shared with the code that suspends it.
    pub fn suspension(&self) -> Option<&Arc<Suspension>> {
        self.suspension.as_ref()
    }

    /// This process is about to be stopped. Nobody thinks until [`resume`](Handle::resume), and no time
    /// counts for it.
    pub fn suspend(&self) {
        self.suspension.iter().for_each(|suspension| suspension.suspend());
    }

    /// This process goes on.
    pub fn resume(&self) {
        self.suspension.iter().for_each(|suspension| suspension.resume());
    }

    /// Starts the thread now, so that the first question does not have to wait until a program has started. The error
    /// is that no thread can be started.
    pub fn begin(&mut self) -> io::Result<()> {
        if let Some((name, run)) = self.thread.take() {
            thread::Builder::new().name(name.to_owned()).spawn(run)?;
        }
        Ok(())
    }

    /// Asks a question, whose events come under this ticket. The first question [begins](Handle::begin) the
    /// thread.
    pub fn ask(&mut self, ticket: u64, question: Question) -> io::Result<()> {
        self.begin()?;
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::default();
        // The thread ends only with this value.
        let _ = self.jobs.send(Job { ticket, question, stop: Arc::clone(&self.stop) });
        self.ring();
        Ok(())
    }

    /// Ends what is under way: its answer comes soon, and is what is known by then.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.ring();
    }

    /// The next event, if there is one.
    pub fn next_event(&self) -> Option<(u64, EngineEvent)> {
        self.heard.try_recv().ok()
    }

    /// The same, and waits for it.
    pub fn wait_for_event(&self) -> Option<(u64, EngineEvent)> {
        self.heard.recv().ok()
    }

    fn ring(&self) {
        if let Some(bell) = &self.bell {
            let _ = { bell }.write(&[0]);
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.stop();
        // Dropping the bell wakes the thread once more, and it finds that there are no more jobs.
    }
}
