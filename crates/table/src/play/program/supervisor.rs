//! The process between Quadrille and a user's program. It starts the program, sets its limits, and ends all its
//! processes when the program or Quadrille ends.
//!
//! The supervisor is a process because a thread would end with Quadrille. It holds one end of a socket, and the system
//! closes the other end even if Quadrille is killed.

use super::control::SupervisorMessage;
use super::lookup::missing_file;
use super::stderr_log::{LogName, StderrLog};
use quadrille_match::session::Forfeit;
use quadrille_system::handle::{OwnedHandle, Stream, is_not_ready, read, stderr};
use quadrille_system::processes::{
    Pid, ProcessEnd, ProcessSignal, become_supervisor, children_of_this_process, kill_process,
    kill_process_group, limit_memory, release_pipes, start_program, wait_for_child,
};
use quadrille_system::read::cause;
use quadrille_system::signals::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, wakeups};
use quadrille_system::wait::{Source, wait_for};
use quadrille_text::printable::printable;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a program may take to exit after `quit` and the end of its input.
pub const GRACE: Duration = Duration::from_millis(500);

/// The parameters of a supervisor.
#[derive(Debug)]
pub struct Supervision {
    /// The program's command line.
    pub command: Vec<OsString>,
    /// The memory limit of each process, in bytes.
    pub memory: u64,
    /// The folder and name of the stderr log.
    pub messages: Option<(PathBuf, LogName)>,
}

/// Runs as the supervisor. Stdin and stdout are passed on to the program; stderr is the socket to the parent process.
pub fn supervise(supervision: &Supervision) {
    let why = Supervisor::start(supervision).map_or_else(|error| error, Supervisor::run);
    send(&SupervisorMessage::Ended(why));
}

struct Supervisor {
    program: Pid,
    /// The program's stderr, and the log file after the first output.
    errors: Option<OwnedHandle>,
    messages: Option<StderrLog>,
    /// Until the log file is opened: its folder, its name, and its first line, the command.
    unopened: Option<(PathBuf, LogName, String)>,
    /// Readable after a child has exited.
    child_signals: Stream,
    /// Readable after the supervisor is told to end.
    end_signals: Stream,
}

impl Supervisor {
    /// Starts the program. The error says why that failed.
    fn start(supervision: &Supervision) -> Result<Supervisor, Forfeit> {
        let cannot = |what: &str, error: &io::Error| {
            Forfeit::NotStarted(format!("{what}: {}", cause(error)))
        };
        let here = |error: &io::Error| cannot("its supervisor", error);
        become_supervisor();
        let child_signals = wakeups(&[SIGCHLD]).map_err(|error| here(&error))?;
        let end_signals =
            wakeups(&[SIGHUP, SIGINT, SIGQUIT, SIGTERM]).map_err(|error| here(&error))?;
        limit_memory(supervision.memory);
        let Some((name, arguments)) = supervision.command.split_first() else {
            return Err(Forfeit::NotStarted("the command is empty".to_owned()));
        };
        let words: Vec<_> = supervision.command.iter().map(|word| word.to_string_lossy()).collect();
        let unopened = supervision.messages.clone();
        let unopened = unopened.map(|(folder, name)| (folder, name, words.join(" ") + "\n"));
        let mut command = Command::new(name);
        command.args(arguments);
        let (program, errors) = start_program(&mut command).map_err(|error| {
            let name = name.to_string_lossy();
            let missing = missing_file(&name, Path::new(""));
            let what = missing.filter(|_| error.kind() == io::ErrorKind::NotFound);
            cannot(&printable(&what.unwrap_or_else(|| name.into_owned())), &error)
        })?;
        send(&SupervisorMessage::Started(program.as_raw_pid()));
        // The program must be the only holder of its pipes, so that they close when it exits.
        release_pipes();
        Ok(Supervisor { program, errors, messages: None, unopened, child_signals, end_signals })
    }

    /// Waits until the program or the parent process ends. Returns why the program ended.
    fn run(mut self) -> Forfeit {
        let mut deadline = None;
        let mut status = None;
        while status.is_none() {
            let (has_errors, is_told_to_end) = match self.sleep(deadline) {
                Ok(woken) => woken,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // Without polling nothing can be supervised, so end the program.
                Err(_) => break,
            };
            if has_errors {
                self.take_errors();
            }
            if is_told_to_end {
                deadline = Some(Instant::now() + GRACE);
                let _ = kill_process_group(self.program, ProcessSignal::Continue);
            }
            while let Some((process, ended)) = wait_for_child(false) {
                status = status.or(ended.filter(|_| process == self.program));
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
        }
        let status = status.or(self.end_all());
        while self.take_errors() > 0 {}
        if let Some(messages) = self.messages {
            messages.finish();
        }
        forfeit(status)
    }

    /// Sleeps until an event, or until the deadline if the supervisor was told to end. Returns whether the program's
    /// stderr is readable and whether the supervisor was told to end.
    fn sleep(&mut self, deadline: Option<Instant>) -> io::Result<(bool, bool)> {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let control = stderr();
        let untold = |source| Some(source).filter(|_| deadline.is_none());
        let sources = [
            Some(Source::readable(&self.child_signals)),
            self.errors.as_ref().map(Source::readable),
            untold(Source::readable(&self.end_signals)),
            untold(Source::readable(&control)),
        ];
        let [_, has_errors, has_end, has_control] = wait_for(sources, left)?;
        let _ = (&self.child_signals).read(&mut [0; 64]);
        Ok((has_errors, has_end || has_control))
    }

    /// Reads a bounded amount of the program's stderr. Returns the number of bytes read.
    fn take_errors(&mut self) -> usize {
        let Some(errors) = &self.errors else { return 0 };
        let mut bytes = [0; 16 << 10];
        match read(errors, &mut bytes) {
            Ok(0) => self.errors = None,
            Ok(length) => {
                if let Some((folder, name, command)) = self.unopened.take()
                    && let Ok((file, mut open)) = StderrLog::open(&folder, &name)
                {
                    open.add(command.as_bytes());
                    self.messages = Some(open);
                    send(&SupervisorMessage::Messages(file));
                }
                if let Some(messages) = &mut self.messages {
                    messages.add(&bytes[..length]);
                }
                return length;
            }
            Err(error) if is_not_ready(&error) => {}
            Err(_) => self.errors = None,
        }
        0
    }

    /// Ends the program and its descendants. Returns the program's exit status, unless it exited earlier.
    fn end_all(&self) -> Option<ProcessEnd> {
        let mut status = None;
        loop {
            // When a child exits, its children become children of the supervisor.
            let group = kill_process_group(self.program, ProcessSignal::Kill).is_ok();
            let killed = |child: &Pid| kill_process(*child, ProcessSignal::Kill).is_ok();
            let others = children_of_this_process().iter().filter(|child| killed(child)).count();
            // Do not wait for a process that cannot be killed, such as one of a different user.
            let Some((process, ended)) = wait_for_child(group || others > 0) else { return status };
            status = status.or(ended.filter(|_| process == self.program));
        }
    }
}

fn forfeit(end: Option<ProcessEnd>) -> Forfeit {
    match end {
        Some(ProcessEnd::Exited(status)) => Forfeit::Exited(status),
        Some(ProcessEnd::Killed(signal)) => Forfeit::Other(format!("killed by signal {signal}")),
        None => Forfeit::Other("has ended".to_owned()),
    }
}

/// Reports to the parent process. If that process is gone, the report is not needed.
fn send(message: &SupervisorMessage) {
    let _ = io::stderr().write_all(format!("{message}\n").as_bytes());
}
