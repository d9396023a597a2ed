//! The one handle for whoever thinks, be it an engine of ours in a thread or a program in a process.

use super::program::Suspension;
use super::{EngineEvent, Question};
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Whoever thinks: one, about one question at a time. A new question stops the one before. Each has a
/// ticket and exactly one [answer](EngineEvent::is_answer), however it ends. A handle that is dropped ends what
/// is behind it.
pub struct Handle {
    jobs: Sender<Job>,
    heard: Receiver<(u64, EngineEvent)>,
    /// Stops what is under way.
    stop: Arc<AtomicBool>,
    /// Rung when there is a job, when it is to stop, and when the handle goes.
    bell: Option<UnixStream>,
    /// What the thread is made of, until there is anything to think about.
    thread: Option<Thread>,
    /// What has to be stopped when this process is.
    suspension: Option<Arc<Suspension>>,
}

/// A thread to be: its name, and what it does.
type Thread = (&'static str, Box<dyn FnOnce() + Send>);

/// A question to whoever is behind a handle.
pub(super) struct Job {
    pub ticket: u64,
    pub question: Question,
    /// Becomes true when the answer is no longer wanted.
    pub stop: Arc<AtomicBool>,
}

/// Sends what is to be heard, and wakes whoever listens.
pub(super) struct Say {
    heard: Sender<(u64, EngineEvent)>,
    bell: UnixStream,
}

impl Say {
    pub fn say(&self, ticket: u64, heard: EngineEvent) {
        // Nobody listens any more when the program ends.
        let _ = self.heard.send((ticket, heard));
        // A full pipe wakes as well as one byte more.
        let _ = (&self.bell).write(&[0]);
    }
}

impl Handle {
    /// A handle for what a thread of this name does, which begins with the first question. It ends when
    /// there are no more jobs. `listener` is written to whenever there is something to be heard, and
    /// `bell` whenever the thread has something to look at, for one that does not wait for jobs alone.
    pub(super) fn new(
        name: &'static str,
        listener: UnixStream,
        bell: Option<UnixStream>,
        run: impl FnOnce(Receiver<Job>, Say) + Send + 'static,
    ) -> Handle {
        let (jobs, todo) = channel();
        let (say, heard) = channel();
        let say = Say { heard: say, bell: listener };
        let thread: Thread = (name, Box::new(move || run(todo, say)));
        Handle { jobs, heard, stop: Arc::default(), bell, thread: Some(thread), suspension: None }
    }

    /// The same with what has to be stopped when this process is: another process is not by itself.
    pub(super) fn with_suspension(mut self, suspension: Arc<Suspension>) -> Handle {
        self.suspension = Some(suspension);
        self
    }

    /// What has to be stopped when this process is, to be shared with whoever stops it.
    pub fn suspension(&self) -> Option<&Arc<Suspension>> {
        self.suspension.as_ref()
    }

    /// This process is about to be stopped. Nobody thinks until [`resume`](Handle::resume), and no time
    /// counts for it.
    pub fn suspend(&self) {
        self.suspension.iter().for_each(|it| it.suspend());
    }

    /// This process goes on.
    pub fn resume(&self) {
        self.suspension.iter().for_each(|it| it.resume());
    }

    /// Begins with what has to be done before the first question, which else has to wait for it: a program starts. The
    /// error is that there can be no thread.
    pub fn begin(&mut self) -> io::Result<()> {
        if let Some((name, run)) = self.thread.take() {
            thread::Builder::new().name(name.to_owned()).spawn(run)?;
        }
        Ok(())
    }

    /// Asks something, and has it told under this ticket. It [begins](Handle::begin) with the first question.
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
    pub fn heard(&self) -> Option<(u64, EngineEvent)> {
        self.heard.try_recv().ok()
    }

    /// The same, and waits for it.
    pub fn hear(&self) -> Option<(u64, EngineEvent)> {
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
        // The bell goes with the handle, which wakes the thread once more: then there are no more jobs.
    }
}
