//! The overhead of a handle per move of an external engine: it wakes a thread, resumes the process, sends `isready` and
//! `go`, and suspends the process again. For comparison, the same engine is asked directly through its pipes. The two
//! alternate, so that background load affects both equally.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use quadrille_match::session::{Player, ProgramSeat, SearchLimits};
use quadrille_rules::{Seat, Setup};
use quadrille_search::Level;
use quadrille_table::catalogue;
use quadrille_table::play::program::{Launcher, program};
use quadrille_table::play::{Ask, EngineEvent, Handle, MoveTime, Question, Respondent};
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::os::unix::net::UnixStream;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const MOVES: usize = 1000;
/// Warm-up moves.
const BEFORE: usize = 50;
/// The argument with which this executable acts as the engine.
const ECHO: &str = "--echo";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == ECHO) {
        echo();
    } else if arguments.iter().any(|argument| argument == "--bench") {
        compare();
    }
}

/// Runs the engine, which always gives the same answers.
fn echo() {
    for line in stdin().lines() {
        let answer = match line.unwrap().split(' ').next() {
            Some("ugi") => "ugiok\n",
            Some("isready") => "readyok\n",
            Some("go") => "bestmove a1\n",
            _ => continue,
        };
        stdout().write_all(answer.as_bytes()).unwrap();
        stdout().flush().unwrap();
    }
}

struct Bare {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Bare {
    fn ask(&mut self) {
        self.input.write_all(b"go movetime 1000\n").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert_eq!(line, "bestmove a1\n");
    }
}

fn ask(handle: &mut Handle, ticket: u64, question: &Question) {
    handle.ask(ticket, question.clone()).unwrap();
    loop {
        match handle.wait_for_event().unwrap().1 {
            EngineEvent::Chosen { mv, .. } => break assert_eq!(mv, "a1"),
            event if event.is_answer() => panic!("{event:?}"),
            _ => {}
        }
    }
}

fn compare() {
    let this = std::env::current_exe().unwrap();
    let mut child = Command::new(&this);
    let child = child.arg(ECHO).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut bare = Bare { input, output: BufReader::new(output) };

    let supervisor = env!("CARGO_BIN_EXE_quadrille").into();
    let launcher = Launcher { supervisor, ..Launcher::new(None).unwrap() };
    let seat = ProgramSeat::new(&format!("'{}' {ECHO}", this.display())).unwrap();
    let (_, listener) = UnixStream::pair().unwrap();
    let mut handle = program(&launcher, &seat, listener).unwrap();
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let question = Question {
        entry,
        game: Arc::new((entry.start)(&Setup::new()).unwrap()),
        ask: Ask::Move {
            level: Level::Strong,
            seed: 1,
            time: MoveTime::Each(Duration::from_secs(1)),
            limits: SearchLimits::default(),
        },
        to: Respondent::Seat { session: 1, seat: Seat::FIRST, player: Player::Program(seat) },
    };

    let mut took = [Vec::new(), Vec::new()];
    for round in 0..BEFORE + MOVES {
        let begun = Instant::now();
        bare.ask();
        let between = Instant::now();
        ask(&mut handle, round as u64, &question);
        if round >= BEFORE {
            took[0].push(between - begun);
            took[1].push(between.elapsed());
        }
    }
    drop(bare);
    child.wait().unwrap();
    let micros = |times: &mut Vec<Duration>, part: usize| {
        times.sort();
        times[(times.len() - 1) * part / 100].as_secs_f64() * 1e6
    };
    println!("{MOVES} moves, µs          p50      p95");
    for (name, times) in ["a bare echo", "through a handle"].iter().zip(&mut took) {
        println!("{name:20}{:9.0}{:9.0}", micros(times, 50), micros(times, 95));
    }
    let [bare, ours] = took.each_mut().map(|times| micros(times, 50));
    println!("our own part, p50   {:9.0}", ours - bare);
}
