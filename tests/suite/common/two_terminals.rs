//! Real terminals of two or more separate users.

use super::chance::Chance;
use super::processes::{Process, end, end_all_with};
use super::program::BINARY;
use super::store;
use super::terminal::{Terminal, USUAL_SIZE, home};
use super::untimed::Untimed;
use super::wait::wait_until;
use portable_pty::CommandBuilder;
use quadrille_match::session::{Session, who_won};
use quadrille_match::store::{MatchStore, RecordEntry};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// A user's environment: a home directory, environment variables, and the size of the windows.
///
/// Dropping it kills everything that runs there, including processes that have left their terminal.
pub struct Desk {
    home: Rc<TempDir>,
    size: (u16, u16),
    environment: Vec<(OsString, OsString)>,
}

impl Desk {
    /// Animations are off: right after a move of another terminal, a click or Enter would only end its animation.
    pub fn new() -> Desk {
        let home = tempfile::tempdir().unwrap();
        // The second directory is for programs that are started through ssh.
        for folder in ["config/quadrille", ".config/quadrille"] {
            let folder = home.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("config.toml"), "motion = false\npace = 0\n").unwrap();
        }
        Desk { home: Rc::new(home), size: USUAL_SIZE, environment: Vec::new() }
    }

    /// In columns and rows.
    pub fn with_size(mut self, size: (u16, u16)) -> Desk {
        self.size = size;
        self
    }

    pub fn with_env(mut self, name: &str, value: impl AsRef<OsStr>) -> Desk {
        self.environment.push((name.into(), value.as_ref().to_owned()));
        self
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn run(&self, arguments: &[&str]) -> Terminal {
        self.start(BINARY, arguments)
    }

    pub fn start(&self, program: &str, arguments: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        Terminal::start_at(self.size, command, Rc::clone(&self.home))
    }

    /// Returns a command for `--via` that leads from another desk to this table.
    pub fn connect_to(&self, table: &str) -> String {
        let variables =
            home(self.home()).map(|(name, value)| format!("{name}={}", value.display()));
        format!("env {} {BINARY} table connect {table}", variables.join(" "))
    }

    /// Opens a table for a game, with a guest at each of these seats, and dismisses the invitation page.
    pub fn host(&self, game: &str, setup: &str, guests: &[&str]) -> Terminal {
        let seats = guests.iter().map(|seat| format!("--seat={seat}=guest"));
        let words: Vec<String> = ["play", game]
            .into_iter()
            .chain(setup.split_whitespace())
            .chain(["--names", "Ann"])
            .map(str::to_owned)
            .chain(seats)
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut host = self.run(&words);
        to_the_board(&mut host);
        host
    }

    /// Waits for this many records, and returns them.
    pub fn records(&self, count: usize) -> Vec<RecordEntry> {
        let store = MatchStore::open(&self.home().join("quadrille")).unwrap();
        let mut found = Vec::new();
        wait_until("record", String::new, || {
            found = store::records(&store).0;
            found.len() >= count
        });
        assert_eq!(found.len(), count, "{found:?}");
        found
    }

    /// Returns the processes with this home and exactly these arguments, including those started through ssh.
    pub fn running(&self, arguments: &str) -> Vec<u32> {
        let processes = Process::with_variable("HOME", self.home());
        let wanted = processes.iter().filter(|process| {
            let words = process.arguments();
            words.get(1..).is_some_and(|words| words.join(" ") == arguments)
        });
        wanted.map(|process| process.id).collect()
    }

    /// Kills them with SIGKILL; at least one must exist.
    pub fn kill(&self, arguments: &str) {
        let ids = self.running(arguments);
        assert!(!ids.is_empty(), "nothing runs with {arguments:?}");
        end(&ids);
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        end_all_with("HOME", self.home());
    }
}

/// Dismisses the host's invitation page.
pub fn to_the_board(host: &mut Terminal) {
    let (page, menu) = ("invite", "At the table");
    host.wait_for(page).keys("\x1b");
    // If a guest has just closed the page, the key has opened the menu.
    host.wait_until("board", |host| !host.sees(page) && (host.sees("s say") || host.sees(menu)));
    if host.sees(menu) {
        host.keys("\x1b").wait_until("board", |host| !host.sees(menu));
    }
}

/// Dismisses the invitation page unless it has closed by itself.
pub fn to_its_board(host: &mut Terminal) {
    host.wait_until("board", |host| host.sees("invite") || host.sees("s say"));
    if host.sees("invite") {
        to_the_board(host);
    }
}

pub use super::terminal::past_the_guard;

/// Answers a question with a key, as soon as the terminal accepts an answer.
pub fn answer<'a>(terminal: &'a mut Terminal, question: &str, key: &str) -> &'a mut Terminal {
    terminal.wait_for(question);
    thread::sleep(Duration::from_millis(700));
    terminal.keys(key)
}

/// The test's own copy of a match typed at terminals.
pub struct TypedMatch {
    session: Session,
    names: Vec<String>,
    chance: Chance,
}

impl TypedMatch {
    pub fn new(game: &str, setup: &str, names: &[&str]) -> TypedMatch {
        let session = store::open_for((game, setup), names);
        let names = names.iter().map(|&name| name.to_owned()).collect();
        TypedMatch { session, names, chance: Chance(36) }
    }

    pub fn is_over(&self) -> bool {
        self.session.current_match().to_move().is_none()
    }

    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    pub fn last(&self) -> String {
        let (seat, mv) = self.session.current_match().moves().last().unwrap();
        format!("last {mv} {}", self.names[seat.index()])
    }

    pub fn result(&self) -> String {
        who_won(self.session.current_match(), &self.session.players().into())
    }

    pub fn length(&self) -> usize {
        self.session.current_match().ply()
    }

    /// Returns a move that ends the match if there is one, otherwise one that differs from the recent moves: a screen
    /// that shows it has received it.
    pub fn choose(&mut self) -> String {
        let game = self.session.current_match();
        let mut legal = game.legal_moves();
        if let Some(last) = legal.iter().find(|mv| game.ends_after(&[String::clone(mv)])) {
            return last.clone();
        }
        let is_new = |mv: &String| !game.moves().iter().rev().take(2).any(|(_, last)| last == mv);
        if legal.iter().any(is_new) {
            legal.retain(is_new);
        }
        self.chance.pick(&legal).unwrap().clone()
    }

    /// Types one more move at the terminal of the seat to move, and waits until all terminals show it.
    pub fn play(&mut self, terminals: &mut [&mut Terminal], seats: &[usize]) {
        let mv = self.choose();
        let mover = self.session.current_match().to_move().unwrap();
        terminals[seats[mover.index()]].keys(&format!(":{mv}\r"));
        self.session.play(&mv).unwrap();
        let wanted = if self.is_over() { self.result() } else { self.last() };
        // An earlier message may stay on the status line; then large letters name the winner.
        let is_shown = |terminal: &Terminal| {
            terminal.sees(&wanted) || self.is_over() && terminal.sees("View the board")
        };
        for terminal in terminals {
            terminal.wait_until(&wanted, |terminal| {
                is_shown(terminal) || self.is_over() && terminal.sees("Press Enter")
            });
            if !is_shown(terminal) {
                terminal.keys("\r").wait_until(&wanted, |terminal| is_shown(terminal));
            }
        }
    }

    /// Types moves until the match is over and all terminals show the result.
    pub fn play_to_the_end(&mut self, terminals: &mut [&mut Terminal], seats: &[usize]) {
        while !self.is_over() {
            self.play(terminals, seats);
        }
    }
}

pub fn all_see(terminals: &[&Terminal], text: &str) {
    wait_until(
        text,
        || screens(terminals),
        || terminals.iter().all(|terminal| terminal.sees(text)),
    );
}

/// Waits until this text is on one of these screens, and returns its index.
pub fn one_sees(terminals: &[&Terminal], text: &str) -> usize {
    let mut which = None;
    let seen = || terminals.iter().position(|terminal| terminal.sees(text));
    wait_until(
        text,
        || screens(terminals),
        || {
            which = seen();
            which.is_some()
        },
    );
    which.unwrap()
}

fn screens(terminals: &[&Terminal]) -> String {
    let screens: Vec<_> = terminals.iter().map(|terminal| terminal.contents()).collect();
    screens.join("\n--- the next terminal ---\n")
}
