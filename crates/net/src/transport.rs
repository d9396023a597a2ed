//! One connection from a terminal to a table, over a socket or a command's stdin and stdout.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "runs ssh")]

use super::folder;
use super::guest_door::choose;
use super::peer::{Peer, wait};
use super::route::{
    CLOSED, CloseInfo, HostKeyFault, MAX_QUOTED_CHARS, Route, SharedTable, asks_about_host_key,
};
use crate::protocol::{
    CHOOSES, ClientMessage, GREETING, ListedTable, MAX_TOKENS_PER_LINE, NOTHING_SAID,
    ServerMessage, VERSION, check_version,
};
use quadrille_system::handle::{OwnedHandle, Stream};
use quadrille_system::wait::Source;
use quadrille_system::{sockets, terminal, users};
use quadrille_text::printable::print_stderr;
use quadrille_text::wording::cut_to;
use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The maximum number of bytes to skip before the greeting.
const MAX_NOISE: usize = 4 << 10;
const MAX_UNSENT: usize = 64 << 10;
/// How long a table on this machine may take to send its greeting.
const GREETING_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a command may take to exit after it has closed its output.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);
/// The polling interval while waiting for the command to exit.
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The maximum number of tables in a list.
const MAX_LISTED: usize = 600;

/// How the user chooses one of the tables at the other end.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    /// The tokens of the user's seats there.
    pub tokens: Vec<String>,
    /// The table that was chosen.
    pub name: Option<String>,
}

/// A connection. It sends its greeting immediately, and skips any output before the table's greeting.
#[derive(Debug)]
pub(super) struct Transport {
    route: Route,
    peer: Peer,
    /// The command that carries the connection, and its stderr.
    command: Option<(Child, Peer)>,
    /// What is known about the end of the connection.
    end: CloseInfo,
    noise: usize,
    is_greeted: bool,
    /// Whether stderr is passed on to our stderr before the greeting.
    is_first: bool,
    /// The tables to choose from, and the one that was chosen.
    listed: Vec<ListedTable>,
    chosen: Option<String>,
}

impl Transport {
    /// Opens a connection. Only with `is_first` may the call block and ssh ask for a password. The error is a sentence.
    pub fn open(
        route: &Route,
        choice: Option<&Choice>,
        is_first: bool,
    ) -> Result<Transport, String> {
        let (peer, command) = match route {
            Route::Socket(here) => match (folder::connect(&here.path, is_first), &here.door) {
                (Err(error), Some(door)) if folder::has_no_process(&error) => start(route, door)?,
                (socket, _) => (checked(socket, &here.path, users::current())?, None),
            },
            Route::Shared(SharedTable { path, owner, .. }) => {
                (checked(folder::connect(path, is_first), path, *owner)?, None)
            }
            Route::Ssh(ssh) => start(route, &ssh.command(!is_first))?,
            Route::Command(words) => start(route, words)?,
        };
        let (end, noise, is_greeted) = (CloseInfo::default(), 0, false);
        let (listed, chosen) = (Vec::new(), None);
        let mut line = Transport {
            route: route.clone(),
            peer,
            command,
            end,
            noise,
            is_greeted,
            is_first,
            listed,
            chosen,
        };
        if let (Route::Socket(here), None) = (route, &line.command) {
            here.identity.words().for_each(|word| line.send(word));
        }
        let greeting = ClientMessage::Greeting(VERSION);
        if let Some(Choice { tokens, name }) = choice {
            line.send(format!("{greeting} {CHOOSES}"));
            for tokens in tokens.chunks(MAX_TOKENS_PER_LINE) {
                line.send(ClientMessage::Mine(tokens.to_vec()));
            }
            let name = name.clone();
            line.send(name.map_or(ClientMessage::List, |name| ClientMessage::Open(Some(name))));
        } else {
            line.send(greeting);
        }
        Ok(line)
    }

    /// Waits for the greeting. Only a table on this machine can time out, because ssh may ask for a password. Returns
    /// the table's first lines.
    pub fn wait_for_greeting(&mut self) -> Result<Vec<String>, String> {
        let is_here = matches!(self.route, Route::Socket(..) | Route::Shared(_));
        let mut deadline = Some(Instant::now() + GREETING_TIMEOUT);
        loop {
            let told = self.exchange(true)?;
            if self.is_greeted {
                return Ok(told);
            }
            // The user may have taken long to choose.
            deadline = deadline.filter(|_| self.chosen.is_none());
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                if is_here {
                    return Err(
                        "the table is not responding; its process may be suspended".to_owned()
                    );
                }
                let output = self.end.error.as_deref().or(self.end.noise.as_deref());
                print_stderr(&self.route.still_waiting(output));
                deadline = None;
            }
            wait(self.sources(), deadline).map_err(|error| error.to_string())?;
        }
    }

    /// Returns whether ssh could not connect without user input, such as a password.
    pub fn needs_login(&self) -> bool {
        !self.is_greeted && self.route.needs_login(&self.end)
    }

    /// Returns whether a process that was just ending did not greet this connection, so that the next one will.
    pub fn may_have_fallen_asleep(&self) -> bool {
        let has_door = matches!(&self.route, Route::Socket(here) if here.door.is_some());
        has_door && self.command.is_none() && self.peer.has_ended() && self.end.noise.is_none()
    }

    /// Returns the table that the user has chosen.
    pub fn chosen(&self) -> Option<&str> {
        self.chosen.as_deref()
    }

    pub fn is_greeted(&self) -> bool {
        self.is_greeted
    }

    /// Sends as much of a line as fits; the next [`Transport::exchange`] sends the rest.
    pub fn send(&mut self, line: impl Display) {
        self.peer.push(line);
        self.peer.write();
    }

    /// Returns the sources to poll before [`Transport::exchange`].
    pub fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        let errors = self.command.iter().flat_map(|(_, errors)| errors.sources());
        self.peer.sources().chain(errors)
    }

    /// Sends and reads without blocking. Without `has_room`, no lines are read. The error says why the connection is
    /// unusable.
    pub fn exchange(&mut self, has_room: bool) -> Result<Vec<String>, String> {
        self.peer.exchange();
        self.read_errors();
        if self.peer.unsent() > MAX_UNSENT {
            return Err("the connection is closed for writing".to_owned());
        }
        let mut told = Vec::new();
        while let Some(line) = has_room.then(|| self.peer.next_line()).flatten() {
            match line {
                Ok(line) if self.is_greeted => told.push(line),
                Ok(line) => told.extend(self.hear_first(&line)?),
                Err(_) if self.is_greeted => {
                    return Err("the table sent a line longer than 4 KiB".to_owned());
                }
                Err(_) => {
                    let noise = self.end.noise.as_deref().unwrap_or("a long line");
                    return Err(self.route.noise(noise));
                }
            }
        }
        if self.peer.has_ended() { Err(self.why_ended()) } else { Ok(told) }
    }

    /// Looks for the greeting in a line. A login script may have printed text before it.
    fn hear_first(&mut self, line: &str) -> Result<Option<String>, String> {
        let begins = line.find(&format!("{GREETING} "));
        let word = ServerMessage::parse(begins.map_or(line, |at| &line[at..]));
        match word {
            Some(ServerMessage::Greeting(greeting)) => {
                check_version(greeting.version)?;
                self.is_greeted = true;
                Ok(begins.map(|at| line[at..].to_owned()))
            }
            Some(ServerMessage::Table(table)) if self.listed.len() < MAX_LISTED => {
                if folder::is_table_name(&table.name) {
                    self.listed.push(table);
                }
                Ok(None)
            }
            Some(ServerMessage::Choose) if self.is_first => {
                let advice = self.route.how_to_choose();
                self.chosen = choose(&std::mem::take(&mut self.listed), &advice)?;
                self.send(ClientMessage::Open(self.chosen.clone()));
                Ok(None)
            }
            Some(ServerMessage::Full) => Err("the table is full; try again later".to_owned()),
            // Our greeting was sent immediately, so it must have been lost in transit.
            Some(ServerMessage::No(why)) if why == NOTHING_SAID && self.peer.unsent() == 0 => {
                Err(self.route.greeting_lost())
            }
            Some(ServerMessage::No(why) | ServerMessage::Closed(why)) => {
                let why = cut_to(&why, MAX_QUOTED_CHARS);
                Err(format!("{} says: {why}", self.route))
            }
            _ => {
                self.noise += line.len() + 1;
                if !line.trim().is_empty() {
                    self.end.noise = Some(line.to_owned());
                }
                if self.noise > MAX_NOISE { Err(self.route.noise(line)) } else { Ok(None) }
            }
        }
    }

    fn read_errors(&mut self) {
        let Some((_, errors)) = &mut self.command else { return };
        errors.exchange();
        while let Some(line) = errors.next_line() {
            let Some(line) = line.ok().filter(|line| !line.trim().is_empty()) else { continue };
            self.end.is_said = self.is_first && !self.is_greeted;
            if self.end.is_said {
                print_stderr(&line);
            }
            self.end.host_key = HostKeyFault::in_line(&line).or(self.end.host_key);
            self.end.error = Some(line);
        }
    }

    /// Returns why the connection ended, after its output has ended.
    fn why_ended(&mut self) -> String {
        self.close();
        let rest = self.peer.take_rest();
        self.end.noise = rest.filter(|rest| !rest.trim().is_empty()).or(self.end.noise.take());
        let route = &self.route;
        if self.is_first
            && route.host_key_question(&self.end).is_some_and(|words| has_asked(&words))
        {
            self.end.host_key = Some(HostKeyFault::NotAccepted);
        }
        match &self.end.error {
            _ if !self.is_greeted => route.explain(&self.end),
            Some(error) => format!("{}: {}", route.ended(), cut_to(error, MAX_QUOTED_CHARS)),
            None => route.ended(),
        }
    }

    /// Sends what fits and waits for the command to exit. Kills a command that does not exit in time.
    pub fn close(&mut self) {
        self.peer.write();
        self.peer.stop_writing();
        let until = Instant::now() + EXIT_TIMEOUT;
        while let Some((child, errors)) = &mut self.command
            && Instant::now() < until
        {
            self.end.status = child.try_wait().ok().flatten();
            if self.end.status.is_some() && errors.has_ended() {
                break;
            }
            let _ = wait(errors.sources(), Some(Instant::now() + EXIT_POLL_INTERVAL));
            self.read_errors();
        }
        if let Some((mut child, _)) = self.command.take() {
            let _ = child.kill();
            self.end.status = child.wait().ok();
        }
    }
}

/// Checks the owner of the socket at this path.
fn checked(socket: io::Result<Stream>, path: &Path, owner: u32) -> Result<Peer, String> {
    let why = |error: io::Error| match error.kind() {
        _ if folder::has_no_process(&error) => CLOSED.to_owned(),
        ErrorKind::PermissionDenied => "this table is not shared with you".to_owned(),
        _ => format!("the table is not responding: {error}"),
    };
    let socket = socket.map_err(why)?;
    let found = sockets::peer_user(&socket).map_err(why)?;
    if found != owner {
        let [owner, found] = [owner, found].map(folder::user_name);
        let path = path.display();
        return Err(format!("{path} belongs to {found}, not to {owner}"));
    }
    Peer::socket(socket).map_err(why)
}

/// Returns whether ssh has asked the user about an unknown host key. `words` is the command that prints its settings.
fn has_asked(words: &[String]) -> bool {
    // ssh asks only on a terminal.
    let output = || Command::new(&words[0]).args(&words[1..]).stdin(Stdio::null()).output();
    terminal::is_there()
        && output()
            .is_ok_and(|output| asks_about_host_key(&String::from_utf8_lossy(&output.stdout)))
}

fn start(route: &Route, words: &[String]) -> Result<(Peer, Option<(Child, Peer)>), String> {
    let Some((program, arguments)) = words.split_first() else {
        return Err("--via: the command is empty".to_owned());
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| route.no_program(program, &error))?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let Some((stdout, stderr)) = stdout.zip(stderr) else {
        return Err(format!("cannot connect to {route}"));
    };
    let peer = Peer::pipes(stdout, stdin.map(OwnedHandle::from));
    Ok((peer, Some((child, Peer::pipes(stderr, None)))))
}

impl Drop for Transport {
    fn drop(&mut self) {
        if let Some((child, _)) = &mut self.command {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
