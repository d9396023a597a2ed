//! One connection of a terminal to a table: a socket, or a command that is the line.

use super::folder;
use super::route::{LineEnd, MOST_SAID, Route};
use crate::engine::ugi::LineBuffer;
use crate::host::say;
use crate::remote::protocol::{GREETING, GuestWord, LONGEST, NOTHING_SAID, TableWord, VERSION};
use crate::wording::cut_to;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read, write};
use rustix::net::sockopt::socket_peercred;
use rustix::process::geteuid;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes that are read before everything else is looked at again.
const PIECE: usize = 4 << 10;
/// The most bytes that are passed over before the greeting.
const MOST_NOISE: usize = 4 << 10;
/// The most bytes that wait to be sent.
const MOST_UNSENT: usize = 64 << 10;
/// How long a command may take to end by itself, once its output has.
const TO_END: Duration = Duration::from_millis(500);

/// What a line has to say when it is looked at.
pub(super) type Told = Result<Vec<String>, String>;

/// A connection. It has greeted at once; what comes before the greeting of the table is passed over.
#[derive(Debug)]
pub(super) struct Line {
    child: Option<Child>,
    to_table: Option<OwnedFd>,
    from_table: OwnedFd,
    errors: Option<OwnedFd>,
    lines: LineBuffer,
    unsent: Vec<u8>,
    error_lines: LineBuffer,
    /// How it has ended, as far as it is known.
    end: LineEnd,
    noise: usize,
    is_greeted: bool,
    /// Whether standard error goes through to ours before the greeting.
    is_first: bool,
}

impl Line {
    /// Begins a connection. The error is a sentence.
    pub fn open(route: &Route, is_first: bool) -> Result<Line, String> {
        match (route, route.command(!is_first)) {
            (Route::Socket(path), _) => Line::connect(path, geteuid().as_raw(), is_first),
            (Route::Shared(shared), _) => Line::connect(&shared.path, shared.owner, is_first),
            (_, Some(command)) => Line::start(route, &command, is_first),
            (_, None) => Err("there is no way to the table".to_owned()),
        }
    }

    fn connect(path: &Path, owner: u32, is_first: bool) -> Result<Line, String> {
        let why = |error: io::Error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::ConnectionRefused => {
                "the table has ended; its host can open it again with quadrille resume".to_owned()
            }
            ErrorKind::PermissionDenied => "the table is not shared with you".to_owned(),
            _ => format!("the table does not answer: {error}"),
        };
        let socket = folder::connect(path).map_err(why)?;
        let found = socket_peercred(&socket).map_err(|error| why(error.into()))?.uid.as_raw();
        if found != owner {
            let [owner, found] = [owner, found].map(folder::user_name);
            return Err(format!(
                "{} is not {owner}'s table, but a socket of {found}",
                path.display()
            ));
        }
        let other = socket.try_clone().map_err(why)?;
        Ok(Line::new(None, Some(other.into()), socket.into(), None, is_first))
    }

    fn start(route: &Route, command: &[String], is_first: bool) -> Result<Line, String> {
        let Some((program, arguments)) = command.split_first() else {
            return Err("--via: there is no command".to_owned());
        };
        let no_program = |error: io::Error| route.no_program(program, &error);
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(no_program)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (errors, stdin) = (child.stderr.take().map(OwnedFd::from), stdin.map(OwnedFd::from));
        let Some(stdout) = stdout.map(OwnedFd::from) else {
            return Err(format!("{route} cannot be spoken to"));
        };
        for pipe in stdin.iter().chain([&stdout]).chain(&errors) {
            ioctl_fionbio(pipe, true).map_err(|error| no_program(error.into()))?;
        }
        Ok(Line::new(Some(child), stdin, stdout, errors, is_first))
    }

    fn new(
        child: Option<Child>,
        to_table: Option<OwnedFd>,
        from_table: OwnedFd,
        errors: Option<OwnedFd>,
        is_first: bool,
    ) -> Line {
        Line {
            child,
            to_table,
            from_table,
            errors,
            lines: LineBuffer::new(LONGEST),
            unsent: format!("{}\n", GuestWord::Greeting(VERSION)).into_bytes(),
            error_lines: LineBuffer::new(LONGEST),
            end: LineEnd::default(),
            noise: 0,
            is_greeted: false,
            is_first,
        }
    }

    /// Whether ssh has refused to connect without asking the user for a password or the like.
    pub fn needs_login(&self, route: &Route) -> bool {
        !self.is_greeted && route.needs_login(&self.end)
    }

    /// What has come last in place of a greeting.
    pub fn last_output(&self) -> Option<&str> {
        self.end.error.as_deref().or(self.end.noise.as_deref())
    }

    /// Whether the table has greeted.
    pub fn is_greeted(&self) -> bool {
        self.is_greeted
    }

    /// Sends a line as soon as it can be.
    pub fn send(&mut self, line: &str) {
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
    }

    /// What to wait for. Nothing new is wanted of the table while `has_room` is false.
    pub fn sources(&self, has_room: bool) -> impl Iterator<Item = PollFd<'_>> {
        let output = self.to_table.as_ref().filter(|_| !self.unsent.is_empty());
        let output = output.map(|output| (output, PollFlags::OUT));
        let input = has_room.then_some((&self.from_table, PollFlags::IN));
        let errors = self.errors.as_ref().map(|errors| (errors, PollFlags::IN));
        let all = input.into_iter().chain(output).chain(errors);
        all.map(|(source, flags)| PollFd::from_borrowed_fd(source.as_fd(), flags))
    }

    /// Sends and reads what can be, without waiting. The error says why the line is of no use any more.
    pub fn look(&mut self, route: &Route, has_room: bool) -> Told {
        self.write()?;
        self.read_errors();
        if !has_room {
            return Ok(Vec::new());
        }
        let mut bytes = [0; PIECE];
        let length = match read(&self.from_table, &mut bytes) {
            Ok(length) => length,
            Err(Errno::AGAIN | Errno::INTR) => return Ok(Vec::new()),
            Err(_) => 0,
        };
        if length == 0 {
            return Err(self.why_ended(route));
        }
        let mut told = Vec::new();
        for line in self.lines.feed(&bytes[..length]) {
            match line {
                Ok(line) if self.is_greeted => told.push(line),
                Ok(line) => told.extend(self.hear_first(route, &line)?),
                Err(_) if self.is_greeted => {
                    return Err("the table has said a line longer than 4 KiB".to_owned());
                }
                Err(_) => {
                    return Err(route.noise(self.end.noise.as_deref().unwrap_or("a long line")));
                }
            }
        }
        Ok(told)
    }

    /// Looks for the greeting in a line. A login file may have written something before it.
    fn hear_first(&mut self, route: &Route, line: &str) -> Result<Option<String>, String> {
        let begins = line.find(&format!("{GREETING} "));
        let word = TableWord::parse(begins.map_or(line, |at| &line[at..]));
        match word {
            Some(TableWord::Greeting(version)) if (1..=VERSION).contains(&version) => {
                self.is_greeted = true;
                Ok(begins.map(|at| line[at..].to_owned()))
            }
            Some(TableWord::Greeting(version)) => Err(format!(
                "the table speaks version {version} of the protocol, and this Quadrille version {VERSION}; \
                 both need a Quadrille that speaks the same"
            )),
            Some(TableWord::Full) => Err("the table is full; try again later".to_owned()),
            // The greeting was sent at once.
            Some(TableWord::No(why)) if why == NOTHING_SAID && self.unsent.is_empty() => {
                Err(route.greeting_lost())
            }
            Some(TableWord::No(why) | TableWord::Closed(why)) => {
                Err(format!("the table says: {}", cut_to(&why, MOST_SAID)))
            }
            _ => {
                self.noise += line.len() + 1;
                if !line.trim().is_empty() {
                    self.end.noise = Some(line.to_owned());
                }
                if self.noise > MOST_NOISE { Err(route.noise(line)) } else { Ok(None) }
            }
        }
    }

    fn write(&mut self) -> Result<(), String> {
        while let Some(output) = self.to_table.as_ref().filter(|_| !self.unsent.is_empty()) {
            match write(output, &self.unsent) {
                Ok(length) => drop(self.unsent.drain(..length)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) if self.unsent.len() > MOST_UNSENT => {
                    return Err("the line takes nothing any more".to_owned());
                }
                Err(Errno::AGAIN) => break,
                // Its output may say why.
                Err(_) => self.to_table = None,
            }
        }
        Ok(())
    }

    fn read_errors(&mut self) {
        let mut bytes = [0; PIECE];
        let Some(errors) = &self.errors else { return };
        match read(errors, &mut bytes) {
            Ok(length @ 1..) => {
                let lines = self.error_lines.feed(&bytes[..length]);
                for line in lines.into_iter().flatten().filter(|line| !line.trim().is_empty()) {
                    self.end.is_said = self.is_first && !self.is_greeted;
                    if self.end.is_said {
                        say(&line);
                    }
                    self.end.error = Some(line);
                }
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Ok(_) | Err(_) => self.errors = None,
        }
    }

    /// Why it has ended, now that its output has.
    fn why_ended(&mut self, route: &Route) -> String {
        self.finish();
        let rest = std::mem::replace(&mut self.lines, LineBuffer::new(LONGEST)).finish();
        self.end.noise = rest.filter(|rest| !rest.trim().is_empty()).or(self.end.noise.take());
        match &self.end.error {
            _ if !self.is_greeted => route.explain(&self.end),
            Some(error) => format!("{}: {}", route.ended(), cut_to(error, MOST_SAID)),
            None => route.ended(),
        }
    }

    /// Sends what is taken at once, and ends the line.
    pub fn close(&mut self, route: &Route) {
        let _ = self.look(route, false);
        self.finish();
    }

    /// Lets the command end, and hears what it says meanwhile. It is killed if it does not.
    fn finish(&mut self) {
        self.to_table = None;
        let Some(mut child) = self.child.take() else { return };
        let until = Instant::now() + TO_END;
        let mut status = None;
        while Instant::now() < until && (self.errors.is_some() || status.is_none()) {
            match &self.errors {
                Some(errors) => {
                    let time = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
                    let _ = poll(&mut [PollFd::new(errors, PollFlags::IN)], Some(&time));
                    self.read_errors();
                }
                None => thread::sleep(Duration::from_millis(5)),
            }
            status = status.or(child.try_wait().ok().flatten());
        }
        let _ = child.kill();
        self.end.status = status.or(child.wait().ok());
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits for one of these, or until then. The error is that of the system.
pub(super) fn wait(sources: &mut [PollFd<'_>], deadline: Option<Instant>) -> io::Result<()> {
    let time = deadline.map(|deadline| {
        let left = deadline.saturating_duration_since(Instant::now());
        Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() }
    });
    match poll(sources, time.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// A bell as a source.
pub(super) fn bell(bell: BorrowedFd<'_>) -> PollFd<'_> {
    PollFd::from_borrowed_fd(bell, PollFlags::IN)
}
