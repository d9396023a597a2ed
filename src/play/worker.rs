//! Who thinks: a thread of its own, so that no key ever waits for it.

use super::{Ask, EngineEvent, Question, catch};
use crate::engine::AnyEngine;
use crate::search::{Choice, Control, Level, Limits, Report, Scope, TableCache};
use crate::session::{PositionSpec, Refusal};
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a hint may take.
const HINT: Duration = Duration::from_secs(3);
/// How long a review may take with a position.
const REVIEW: Duration = Duration::from_secs(1);
/// Bytes for an engine's tables.
const MEMORY: usize = 512 << 20;

/// Thinks about one question at a time. A new one stops the one before.
pub struct Worker {
    jobs: Sender<Job>,
    heard: Receiver<(u64, EngineEvent)>,
    /// Stops what is under way.
    stop: Arc<AtomicBool>,
    /// What the thread is made of, until there is anything to think about.
    thread: Option<Thread>,
}

struct Job {
    ticket: u64,
    question: Question,
    stop: Arc<AtomicBool>,
}

struct Thread {
    jobs: Receiver<Job>,
    say: Say,
    table_cache: Arc<dyn TableCache + Send>,
    /// An answer comes no sooner than this.
    pace: Duration,
}

/// Sends what is to be heard, and wakes whoever listens.
struct Say {
    heard: Sender<(u64, EngineEvent)>,
    bell: UnixStream,
}

impl Worker {
    /// `bell` is written to whenever there is something to be heard. An answer comes no sooner than
    /// after `pace`.
    pub fn new(
        table_cache: Arc<dyn TableCache + Send>,
        bell: UnixStream,
        pace: Duration,
    ) -> Worker {
        let (jobs, todo) = channel();
        let (say, heard) = channel();
        let thread = Thread { jobs: todo, say: Say { heard: say, bell }, table_cache, pace };
        Worker { jobs, heard, stop: Arc::default(), thread: Some(thread) }
    }

    /// Thinks about this from now on, and tells of it under this ticket.
    pub fn think(&mut self, ticket: u64, question: Question) -> std::io::Result<()> {
        self.rest();
        self.stop = Arc::default();
        if let Some(thread) = self.thread.take() {
            thread::Builder::new().name("engine".to_owned()).spawn(move || thread.run())?;
        }
        // The thread ends only with this value.
        let _ = self.jobs.send(Job { ticket, question, stop: Arc::clone(&self.stop) });
        Ok(())
    }

    /// Thinks no more.
    pub fn rest(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// What was heard next.
    pub fn heard(&self) -> Option<(u64, EngineEvent)> {
        self.heard.try_recv().ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.rest();
    }
}

impl Thread {
    /// One reply to each job, however it ends. The engine of a game is kept, with what it has learnt,
    /// until there is a job of another game or it has failed.
    fn run(self) {
        let mut engine: Option<(&str, Box<dyn AnyEngine>)> = None;
        for job in self.jobs {
            let entry = job.question.entry;
            let (_, thinker) = match engine.take().filter(|(id, _)| *id == entry.id) {
                Some(engine) => engine,
                None => (entry.id, (entry.engine)()),
            };
            let answered = catch(|| {
                let mut thinker = thinker;
                let answer = answer(&mut *thinker, &job, &self.say, &*self.table_cache, self.pace);
                (thinker, answer)
            });
            let heard = match answered {
                Ok((thinker, answer)) => {
                    engine = Some((entry.id, thinker));
                    answer.unwrap_or_else(|refusal| EngineEvent::Failed(refusal.to_string()))
                }
                Err(why) => EngineEvent::Failed(format!("the engine has failed: {why}")),
            };
            self.say.say(job.ticket, heard);
        }
    }
}

impl Say {
    fn say(&self, ticket: u64, heard: EngineEvent) {
        // Nobody listens any more when the program ends.
        let _ = self.heard.send((ticket, heard));
        // A full pipe wakes as well as one byte more.
        let _ = (&self.bell).write(&[0]);
    }
}

fn answer(
    thinker: &mut dyn AnyEngine,
    job: &Job,
    say: &Say,
    table_cache: &dyn TableCache,
    pace: Duration,
) -> Result<EngineEvent, Refusal> {
    let begun = Instant::now();
    let Question { position, ask, .. } = &job.question;
    let hear = |report: &Report<String>| say.say(job.ticket, EngineEvent::News(report.clone()));
    let until = |deadline, seed, hear| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Control::new(
            &job.stop,
            Limits { deadline, memory: MEMORY, threads, seed },
            table_cache,
            hear,
        )
    };
    let Choice { mv, report } = match *ask {
        Ask::Review => {
            for ply in (0..=position.moves.len()).rev() {
                if job.stop.load(Ordering::Relaxed) {
                    break;
                }
                let moves = position.moves[..ply].to_vec();
                let position = PositionSpec { setup: position.setup.clone(), moves };
                let control = until(Some(Instant::now() + REVIEW), 0, &|_: &_| ());
                // The game may be over there, and then there is nothing to be said.
                if let Ok(report) = thinker.analyse(&position, Scope::Moves, &control) {
                    say.say(job.ticket, EngineEvent::Ply(ply, report));
                }
            }
            return Ok(EngineEvent::Reviewed);
        }
        Ask::Analysis(scope) => {
            let report = thinker.analyse(position, scope, &until(None, 0, &hear))?;
            return Ok(EngineEvent::Done(report));
        }
        Ask::Hint => {
            thinker.choose(position, Level::Strong, &until(Some(begun + HINT), 0, &hear))?
        }
        Ask::Move(engine, seed) => {
            let deadline = Some(begun + engine.time());
            thinker.choose(position, engine.level, &until(deadline, seed, &hear))?
        }
    };
    while begun.elapsed() < pace && !job.stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(10));
    }
    let why = thinker.why(position, &mv);
    Ok(EngineEvent::Chosen { mv, why, report })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Entry, GAMES};
    use crate::rules::Setup;
    use crate::search::{Halt, Horizon, NoTableCache};

    /// Panics when asked to move, and thinks for ever when asked to analyse.
    struct Troubled;

    impl AnyEngine for Troubled {
        fn horizon(&self, _: &PositionSpec, _: Duration) -> Result<Horizon, Refusal> {
            Ok(Horizon::Solved)
        }

        fn analyse(
            &mut self,
            _: &PositionSpec,
            _: Scope,
            control: &Control<'_, String>,
        ) -> Result<Report<String>, Refusal> {
            control.tell(&Report { depth: 1, ..Report::default() });
            loop {
                if let Some(halt) = control.halt() {
                    return Ok(Report { halt: Some(halt), ..Report::default() });
                }
                thread::yield_now();
            }
        }

        fn choose(
            &mut self,
            position: &PositionSpec,
            _: Level,
            _: &Control<'_, String>,
        ) -> Result<Choice<String>, Refusal> {
            panic!("after {} moves", position.moves.len());
        }

        fn why(&self, _: &PositionSpec, _: &str) -> Option<String> {
            None
        }
    }

    static TROUBLED: Entry = Entry { engine: || Box::new(Troubled), ..GAMES[0] };

    fn question(entry: &'static Entry, ask: Ask) -> Question {
        let position = Arc::new(PositionSpec { setup: Setup::new(), moves: Vec::new() });
        Question { entry, position, ask }
    }

    fn worker() -> Worker {
        let (_, bell) = UnixStream::pair().unwrap();
        Worker::new(Arc::new(NoTableCache), bell, Duration::ZERO)
    }

    fn next(worker: &Worker) -> (u64, EngineEvent) {
        worker.heard.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    #[test]
    fn what_is_stopped_says_so_once() {
        let mut worker = worker();
        for ticket in [1, 2] {
            worker.think(ticket, question(&TROUBLED, Ask::Analysis(Scope::Best))).unwrap();
            assert!(matches!(next(&worker), (it, EngineEvent::News(_)) if it == ticket));
            assert_eq!(worker.heard(), None);
            worker.rest();
            let report = Report { halt: Some(Halt::Stopped), ..Report::default() };
            assert_eq!(next(&worker), (ticket, EngineEvent::Done(report)));
            assert_eq!(worker.heard(), None);
        }
    }

    #[test]
    fn a_new_question_stops_the_one_before() {
        let mut worker = worker();
        worker.think(1, question(&TROUBLED, Ask::Analysis(Scope::Best))).unwrap();
        assert!(matches!(next(&worker), (1, EngineEvent::News(_))));
        worker.think(2, question(&TROUBLED, Ask::Hint)).unwrap();
        assert!(matches!(next(&worker), (1, EngineEvent::Done(_))));
        assert!(matches!(next(&worker), (2, EngineEvent::Failed(_))));
    }

    #[test]
    fn a_panic_is_told_and_the_next_question_answered() {
        let mut worker = worker();
        worker.think(1, question(&TROUBLED, Ask::Hint)).unwrap();
        let why = "the engine has failed: after 0 moves".to_owned();
        assert_eq!(next(&worker), (1, EngineEvent::Failed(why)));
        worker.think(2, question(&GAMES[3], Ask::Hint)).unwrap();
        loop {
            match next(&worker) {
                (2, EngineEvent::News(_)) => {}
                (2, EngineEvent::Chosen { mv, .. }) => break assert!(!mv.is_empty()),
                other => panic!("{other:?}"),
            }
        }
    }
}
