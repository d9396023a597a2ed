//! A built-in engine in its own thread, so that key presses never wait for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "runs engines on threads")]

use super::handle::{EventSender, Handle, Job};
use super::{Ask, EngineEvent, MoveTime, Question, ReusableEngine};
use crate::engine::AnyEngine;
use crate::engine::time_management::allot;
use crate::engine::ugi::Clock;
use quadrille_match::session::{EngineSeat, Match, Refusal};
use quadrille_search::{Choice, Control, HELPER_THREAD, Level, Limits, Report, Scope, TableCache};
use std::os::unix::net::UnixStream;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

/// The time limit of a hint.
const HINT: Duration = Duration::from_secs(3);
/// The time limit per position in a review.
const REVIEW: Duration = Duration::from_secs(1);

/// The nice value of the lowest priority.
#[cfg(target_os = "linux")]
const MAX_NICE: i32 = 19;
/// The time limit of pondering. A person who takes longer has probably left.
const PONDER: Duration = Duration::from_secs(300);

/// The resources available to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineLimits {
    /// The size of its tables, in bytes.
    pub memory: usize,
    /// The maximum number of search threads.
    pub threads: usize,
}

impl EngineLimits {
    /// Applies the settings of an engine's seat.
    #[must_use]
    pub fn of(self, seat: EngineSeat) -> EngineLimits {
        let memory = seat.hash.map_or(self.memory, |hash| (hash as usize) << 20);
        let threads = seat.threads.map_or(self.threads, |threads| threads as usize);
        EngineLimits { memory, threads }
    }
}

/// Creates a handle for a built-in engine. A byte is written to `listener` for each event.
pub fn engine(
    table_cache: Arc<dyn TableCache + Send>,
    listener: UnixStream,
    limits: EngineLimits,
) -> Handle {
    Handle::new("engine", listener, None, move |jobs, events| {
        EngineThread { events, table_cache, limits }.run(&jobs);
    })
}

struct EngineThread {
    events: EventSender,
    table_cache: Arc<dyn TableCache + Send>,
    limits: EngineLimits,
}

impl EngineThread {
    /// Answers each job exactly once.
    fn run(&self, jobs: &Receiver<Job>) {
        let mut engine = ReusableEngine::default();
        for job in jobs {
            let heard = match engine.work(job.question.entry, |engine| self.answer(engine, &job)) {
                Ok(Ok(answer)) => answer,
                Ok(Err(refusal)) => EngineEvent::Failed(refusal.to_string()),
                // A failure while pondering needs no report; the next request starts a new engine.
                Err(_) if job.question.ask == Ask::Ponder => EngineEvent::Pondered,
                Err(why) => EngineEvent::Failed(format!("the engine crashed: {why}")),
            };
            self.events.send(job.ticket, heard);
        }
    }

    fn control<'a>(
        &'a self,
        job: &'a Job,
        deadline: Option<Instant>,
        seed: u64,
        on_report: &'a (dyn Fn(&Report<String>) + Sync),
    ) -> Control<'a, String> {
        let EngineLimits { memory, threads, .. } = self.limits;
        let limits = Limits { deadline, memory, threads, seed, book: true, ..Limits::default() };
        Control::new(&job.stop, limits, &*self.table_cache, on_report)
    }

    /// Analyzes the positions of a match after these numbers of moves.
    fn review(
        &self,
        engine: &mut dyn AnyEngine,
        job: &Job,
        plies: impl Iterator<Item = usize>,
        limits: impl Fn(Limits) -> Limits,
    ) {
        let mut game = Match::clone(&job.question.game);
        for ply in plies {
            if job.stop.load(Ordering::Relaxed) {
                break;
            }
            game.go_to_ply(ply);
            let mut control = self.control(job, Some(Instant::now() + REVIEW), 0, &|_| ());
            control.limits = limits(control.limits);
            // Analysis fails if the game is over; such a position has no values.
            if let Ok(report) = engine.analyse(game.now(), Scope::Moves, &control) {
                self.events.send(job.ticket, EngineEvent::Ply(ply, report));
            }
        }
    }

    fn answer(&self, engine: &mut dyn AnyEngine, job: &Job) -> Result<EngineEvent, Refusal> {
        let begun = Instant::now();
        let Question { game, ask, .. } = &job.question;
        let hear = |report: &Report<String>| {
            self.events.send(job.ticket, EngineEvent::News(report.clone()));
        };
        let until = |deadline, seed| self.control(job, deadline, seed, &hear);
        let Choice { mv, report } = match ask {
            Ask::Review => {
                self.review(engine, job, (0..=game.ply()).rev(), |limits| limits);
                return Ok(EngineEvent::Reviewed);
            }
            Ask::Proofs(plies, proof) => {
                let plies = plies.iter().copied().filter(|ply| *ply <= game.ply());
                let limits = |_| {
                    let deadline = Instant::now().checked_add(proof.time);
                    Limits { deadline, ..proof.limits() }
                };
                self.review(engine, job, plies, limits);
                return Ok(EngineEvent::Reviewed);
            }
            Ask::Ponder => {
                let limits = Limits {
                    deadline: Some(begun + PONDER),
                    memory: self.limits.memory,
                    book: true,
                    ..Limits::default()
                };
                let control = Control::new(&job.stop, limits, &*self.table_cache, &|_| ());
                with_lowest_priority(|| engine.ponder(game.now(), &control)).transpose()?;
                return Ok(EngineEvent::Pondered);
            }
            Ask::Analysis(scope) => {
                let report = engine.analyse(game.now(), *scope, &until(None, 0))?;
                return Ok(EngineEvent::Done(report));
            }
            Ask::Hint => engine.choose(game, Level::Strong, &until(Some(begun + HINT), 0))?,
            Ask::Move { level, seed, time, limits } => {
                let (level, time) = match time {
                    MoveTime::Unlimited => (*level, None),
                    MoveTime::Each(time) => (*level, Some(*time)),
                    MoveTime::Clock { .. } => {
                        let Clock { left, increment } = time.clock().unwrap_or_default();
                        let time = allot(left, increment, game.legal_moves().len());
                        // A clock leaves no time for proofs, so Perfect plays like Strong.
                        ((*level).min(Level::Strong), Some(time))
                    }
                };
                let mut control = until(time.map(|time| begun + time), *seed);
                (control.limits.nodes, control.limits.depth) = (limits.nodes, limits.depth);
                engine.choose(game, level, &control)?
            }
        };
        let why = engine.why(game.now(), &mv);
        Ok(EngineEvent::Chosen { mv, why, report })
    }
}

/// Runs work in a thread of lowest priority and waits for the result. Returns `None` if no thread can be started.
fn with_lowest_priority<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let work = || {
            // On Linux the priority applies to this thread only; elsewhere it would apply to the whole process.
            #[cfg(target_os = "linux")]
            let _ = rustix::process::setpriority_process(None, MAX_NICE);
            work()
        };
        // The thread's name tells the panic hook that panics are caught here.
        let thread =
            thread::Builder::new().name(HELPER_THREAD.to_owned()).spawn_scoped(scope, work);
        Some(thread.ok()?.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{GAMES, GameEntry};
    use crate::play::Respondent;
    use quadrille_match::session::{AnyPosition, SearchLimits};
    use quadrille_rules::{Seat, Setup};
    use quadrille_search::{Horizon, NoTableCache, Reason, StopReason};
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    /// An engine that panics when asked to move and never finishes an analysis.
    struct Troubled;

    impl AnyEngine for Troubled {
        fn horizon(&self, _: &dyn AnyPosition, _: Duration) -> Result<Horizon, Refusal> {
            Ok(Horizon::Solved)
        }

        fn analyse(
            &mut self,
            _: &dyn AnyPosition,
            _: Scope,
            control: &Control<'_, String>,
        ) -> Result<Report<String>, Refusal> {
            control.send_report(&Report { depth: 1, ..Report::default() });
            loop {
                if let Some(halt) = control.halt() {
                    return Ok(Report { halt: Some(halt), ..Report::default() });
                }
                thread::yield_now();
            }
        }

        fn choose(
            &mut self,
            game: &Match,
            _: Level,
            _: &Control<'_, String>,
        ) -> Result<Choice<String>, Refusal> {
            panic!("after {} moves", game.ply());
        }

        fn ponder(
            &mut self,
            position: &dyn AnyPosition,
            control: &Control<'_, String>,
        ) -> Result<(), Refusal> {
            assert_eq!(position.scores().as_deref(), Some(&[0, 0][..]));
            assert_eq!(control.limits.threads, 1);
            PONDERS.store(true, Ordering::Relaxed);
            while control.halt().is_none() {
                thread::yield_now();
            }
            Ok(())
        }

        fn why(&self, _: &dyn AnyPosition, _: &str) -> Option<Reason> {
            None
        }
    }

    /// Whether the engine has started to ponder.
    static PONDERS: AtomicBool = AtomicBool::new(false);

    /// An engine that plays the first legal move, and records how it was asked.
    struct Recording;

    static ASKED: Mutex<Option<(Level, Limits)>> = Mutex::new(None);

    impl AnyEngine for Recording {
        fn horizon(&self, _: &dyn AnyPosition, _: Duration) -> Result<Horizon, Refusal> {
            Ok(Horizon::Solved)
        }

        fn analyse(
            &mut self,
            _: &dyn AnyPosition,
            _: Scope,
            _: &Control<'_, String>,
        ) -> Result<Report<String>, Refusal> {
            Ok(Report::default())
        }

        fn choose(
            &mut self,
            game: &Match,
            level: Level,
            control: &Control<'_, String>,
        ) -> Result<Choice<String>, Refusal> {
            *ASKED.lock().unwrap() = Some((level, control.limits));
            Ok(Choice { mv: game.legal_moves().remove(0), report: Report::default() })
        }

        fn ponder(&mut self, _: &dyn AnyPosition, _: &Control<'_, String>) -> Result<(), Refusal> {
            Ok(())
        }

        fn why(&self, _: &dyn AnyPosition, _: &str) -> Option<Reason> {
            None
        }
    }

    static RECORDING: GameEntry = GameEntry { engine: || Box::new(Recording), ..GAMES[0] };

    static TROUBLED: GameEntry = GameEntry { engine: || Box::new(Troubled), ..GAMES[0] };

    fn question(entry: &'static GameEntry, ask: Ask) -> Question {
        let game = Arc::new((entry.start)(&Setup::new()).unwrap());
        Question { entry, game, ask, to: Respondent::Helper }
    }

    fn handle() -> Handle {
        let (_, waker) = UnixStream::pair().unwrap();
        engine(Arc::new(NoTableCache), waker, EngineLimits { memory: 64 << 20, threads: 1 })
    }

    fn next(handle: &Handle) -> (u64, EngineEvent) {
        handle.wait_for_event().unwrap()
    }

    /// A clock limits the time, and Perfect plays like Strong, since it has no time for proofs.
    #[test]
    fn engine_is_asked_for_a_move_with_its_level_and_limits() {
        let clock = |seconds| {
            let left = Duration::from_secs(seconds);
            Some(Clock { left, increment: Duration::from_secs(2) })
        };
        let on_clock = |seat| MoveTime::Clock { seat, clocks: vec![clock(60), clock(600)] };
        let legal = question(&RECORDING, Ask::Hint).game.legal_moves().len();
        let allotted =
            |seconds| Some(allot(Duration::from_secs(seconds), Duration::from_secs(2), legal));
        let each = Duration::from_secs(7);
        let searches = SearchLimits { nodes: Some(5), depth: Some(6) };
        let mut handle = handle();
        for (ticket, (level, time, expected)) in (1..).zip([
            (Level::Perfect, MoveTime::Unlimited, (Level::Perfect, None)),
            (Level::Perfect, MoveTime::Each(each), (Level::Perfect, Some(each))),
            (Level::Perfect, on_clock(Seat::FIRST), (Level::Strong, allotted(60))),
            (Level::Strong, on_clock(Seat::SECOND), (Level::Strong, allotted(600))),
            (Level::Casual, on_clock(Seat::SECOND), (Level::Casual, allotted(600))),
        ]) {
            let ask = Ask::Move { level, seed: 9, time, limits: searches };
            let before = Instant::now();
            handle.ask(ticket, question(&RECORDING, ask)).unwrap();
            assert!(matches!(next(&handle), (_, EngineEvent::Chosen { .. })));
            let after = Instant::now();
            let (level, limits) = ASKED.lock().unwrap().take().unwrap();
            let Limits { deadline, nodes, depth, memory, seed, .. } = limits;
            assert_eq!((level, deadline.is_some()), (expected.0, expected.1.is_some()));
            if let (Some(deadline), Some(time)) = (deadline, expected.1) {
                assert!((before + time..=after + time).contains(&deadline));
            }
            assert_eq!((nodes, depth, memory, seed), (Some(5), Some(6), 64 << 20, 9));
        }
    }

    #[test]
    fn a_stopped_question_gets_one_answer() {
        let mut handle = handle();
        for ticket in [1, 2] {
            handle.ask(ticket, question(&TROUBLED, Ask::Analysis(Scope::Best))).unwrap();
            assert!(
                matches!(next(&handle), (answered, EngineEvent::News(_)) if answered == ticket)
            );
            assert_eq!(handle.next_event(), None);
            handle.stop();
            let report = Report { halt: Some(StopReason::Stopped), ..Report::default() };
            assert_eq!(next(&handle), (ticket, EngineEvent::Done(report)));
            assert_eq!(handle.next_event(), None);
        }
    }

    #[test]
    fn new_question_stops_the_previous_one() {
        let mut handle = handle();
        handle.ask(1, question(&TROUBLED, Ask::Analysis(Scope::Best))).unwrap();
        assert!(matches!(next(&handle), (1, EngineEvent::News(_))));
        handle.ask(2, question(&TROUBLED, Ask::Hint)).unwrap();
        assert!(matches!(next(&handle), (1, EngineEvent::Done(_))));
        assert!(matches!(next(&handle), (2, EngineEvent::Failed(_))));
    }

    #[test]
    fn question_ends_pondering_and_hides_its_panic() {
        let mut handle = handle();
        handle.ask(1, question(&TROUBLED, Ask::Ponder)).unwrap();
        while !PONDERS.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        assert_eq!(handle.next_event(), None);
        handle.ask(2, question(&TROUBLED, Ask::Hint)).unwrap();
        assert_eq!(next(&handle), (1, EngineEvent::Pondered));
        assert!(matches!(next(&handle), (2, EngineEvent::Failed(_))));
        let mut played = question(&TROUBLED, Ask::Ponder);
        let mut game = (TROUBLED.start)(&"size=2".parse().unwrap()).unwrap();
        for mv in ["H0,0", "H1,0", "V0,0", "V0,1"] {
            game.play(mv).unwrap();
        }
        played.game = Arc::new(game);
        handle.ask(3, played).unwrap();
        assert_eq!(next(&handle), (3, EngineEvent::Pondered));
    }

    #[test]
    fn worker_reports_a_panic_and_keeps_answering() {
        let mut handle = handle();
        handle.ask(1, question(&TROUBLED, Ask::Hint)).unwrap();
        let why = "the engine crashed: after 0 moves".to_owned();
        assert_eq!(next(&handle), (1, EngineEvent::Failed(why)));
        handle.ask(2, question(&GAMES[3], Ask::Hint)).unwrap();
        loop {
            match next(&handle) {
                (2, EngineEvent::News(_)) => {}
                (2, EngineEvent::Chosen { mv, .. }) => break assert!(!mv.is_empty()),
                other => panic!("{other:?}"),
            }
        }
    }
}
