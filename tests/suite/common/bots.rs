//! External engines written in a few lines of shell, and a list of an engine's processes.

use super::program::BINARY;
use quadrille_match::session::{Player, ProgramSeat, SearchLimits};
use quadrille_rules::Seat;
use quadrille_search::Level;
use quadrille_table::catalogue;
use quadrille_table::play::program::{Launcher, Patience, ProgramLimits, program};
use quadrille_table::play::{Ask, EngineEvent, Handle, MoveTime, Question, Respondent};
use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longer than any step takes on the slowest machine.
pub const LONG: Duration = Duration::from_secs(60);
/// Long enough to conclude that nothing arrives.
pub const SHORT: Duration = Duration::from_millis(200);

/// Timeouts that never expire, even on a busy machine. Tests of timeouts use their own.
pub const PATIENT: Patience = Patience {
    to_start: LONG,
    to_stop: LONG,
    to_end: LONG,
    silence: LONG,
    margin: Duration::from_millis(50),
};

/// Returns an engine that plays the first legal move, running `top` at the start and `go` before each move. It and its
/// children are found by their working directory.
pub fn bot(top: &str, go: &str) -> String {
    format!(
        r#"
cd "${{0%/*}}"
child() {{ trap '' TERM HUP INT; while :; do sleep 1000; done; }}
{top}
while read -r word rest; do
    case $word in
        ugi) echo 'id name bot'; echo 'option name Legal type check default true'; echo ugiok;;
        isready) echo readyok;;
        legal) move=${{rest%% *}};;
        go) {go}
            echo "bestmove $move";;
        quit) exit 0;;
    esac
done
"#
    )
}

pub struct Bot {
    pub folder: TempDir,
    pub launcher: Launcher,
    pub seat: ProgramSeat,
    handle: Option<Handle>,
    tickets: u64,
}

impl Bot {
    pub fn new(script: &str) -> Bot {
        Bot::with(script, ProgramLimits::default(), PATIENT)
    }

    pub fn with(script: &str, limits: ProgramLimits, patience: Patience) -> Bot {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bot.sh");
        fs::write(&file, script).unwrap();
        Bot::command(&format!("sh {}", file.display()), folder, limits, patience)
    }

    pub fn command(
        command: &str,
        folder: TempDir,
        limits: ProgramLimits,
        patience: Patience,
    ) -> Bot {
        let messages = Some(folder.path().join("messages"));
        let supervisor = BINARY.into();
        let launcher = Launcher { supervisor, messages, folder: None, limits, patience };
        let seat = ProgramSeat::new(command).unwrap();
        let (_, listener) = UnixStream::pair().unwrap();
        let handle = Some(program(&launcher, &seat, listener).unwrap());
        Bot { folder, launcher, seat, handle, tickets: 0 }
    }

    pub fn handle(&self) -> &Handle {
        self.handle.as_ref().unwrap()
    }

    /// Asks for a move in tic-tac-toe, and returns the ticket.
    pub fn ask(&mut self, moves: &str, time: Duration) -> u64 {
        self.ask_at("tic-tac-toe", "", moves, MoveTime::Each(time))
    }

    pub fn ask_at(&mut self, game: &str, setup: &str, moves: &str, time: MoveTime) -> u64 {
        let entry = catalogue::find(game).unwrap();
        let mut game = (entry.start)(&setup.parse().unwrap()).unwrap();
        moves.split_whitespace().for_each(|mv| game.play(mv).unwrap());
        let game = Arc::new(game);
        let player = Player::Program(self.seat.clone());
        let to = Respondent::Seat { session: 1, seat: Seat::FIRST, player };
        let ask =
            Ask::Move { level: Level::Strong, seed: 1, time, limits: SearchLimits::default() };
        self.tickets += 1;
        let question = Question { entry, game, ask, to };
        self.handle.as_mut().unwrap().ask(self.tickets, question).unwrap();
        self.tickets
    }

    /// Returns all events up to the next answer, asserting this ticket.
    pub fn events(&self, ticket: u64) -> Vec<EngineEvent> {
        let mut events = Vec::new();
        until("an answer", || {
            while let Some((of, event)) = self.handle().next_event() {
                assert_eq!(of, ticket, "{event:?}");
                events.push(event);
                if events.last().is_some_and(EngineEvent::is_answer) {
                    return true;
                }
            }
            false
        });
        events
    }

    pub fn answer(&self, ticket: u64) -> EngineEvent {
        self.events(ticket).pop().unwrap()
    }

    pub fn plays(&mut self, moves: &str) -> String {
        let ticket = self.ask(moves, LONG);
        match self.answer(ticket) {
            EngineEvent::Chosen { mv, .. } => mv,
            other => panic!("{other:?}"),
        }
    }

    /// Asks for its first move with this much time. The engine must lose; returns the reason and its messages.
    pub fn loses(&mut self, time: Duration) -> (String, String) {
        let ticket = self.ask("", time);
        forfeit(self.answer(ticket))
    }

    pub fn leave(&mut self) {
        self.handle = None;
    }

    pub fn processes(&self) -> Vec<Process> {
        processes(self.folder.path())
    }

    pub fn is_gone(&self) {
        is_gone(self.folder.path());
    }
}

pub fn forfeit(event: EngineEvent) -> (String, String) {
    match event {
        EngineEvent::Forfeit { reason, messages } => {
            let read = |path| fs::read_to_string(path).unwrap();
            (reason.to_string(), messages.map_or(String::new(), read))
        }
        other => panic!("{other:?}"),
    }
}

pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + 2 * LONG;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what} has not come");
        thread::sleep(Duration::from_millis(5));
    }
}

#[derive(Debug)]
pub struct Process {
    pub id: i32,
    /// `T` means stopped.
    pub state: char,
    pub is_supervisor: bool,
}

/// Returns all processes whose working directory is in a directory, and the supervisors of engines started from there.
pub fn processes(folder: &Path) -> Vec<Process> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let path = entry.path();
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let command = fs::read(path.join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        let stands_there = fs::read_link(path.join("cwd")).is_ok_and(|at| at.starts_with(folder));
        let named = command.contains(folder.to_str().unwrap());
        let is_supervisor = named && command.starts_with("quadrille supervise");
        let stat = fs::read_to_string(path.join("stat")).unwrap_or_default();
        let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
        let Some(state) = state.filter(|state| *state != 'Z') else { continue };
        if stands_there || is_supervisor {
            found.push(Process { id, state, is_supervisor });
        }
    }
    found
}

pub fn is_gone(folder: &Path) {
    until("the end of all processes", || processes(folder).is_empty());
}

pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}
