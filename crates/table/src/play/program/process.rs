//! A user's program as a process: lines in and out, and its exit.

use super::control::SupervisorMessage;
use super::stderr_log::LogName;
use super::suspension::Suspension;
use crate::engine::ugi::{Command, LineBuffer, MAX_LINE_BYTES, TooLong};
use quadrille_match::session::Forfeit;
use quadrille_system::handle::{OwnedHandle, Stream, read, write};
use quadrille_system::processes::{
    Pid, ProcessSignal, SupervisorProcess, command_named, descendants, is_in_group, is_stopped,
    kill_descendants, kill_process, start_supervisor, tell_to_end, this_program,
};
use quadrille_system::wait::{Source, wait_for};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt::Write;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The maximum number of bytes to read before polling the other sources again.
const PIECE: usize = 16 << 10;

/// How long to spin for an answer before this thread sleeps. Waking a thread takes about as long as a fast program
/// needs to answer.
const AWAKE: Duration = Duration::from_micros(100);

/// How long a supervisor may take to end a program. It normally needs little more than half a second.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// How often to check the supervisor meanwhile: a program may stop its supervisor.
const END_POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The resource limits of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramLimits {
    /// The maximum writable memory of each process, in bytes. Reserved address space does not count: some runtimes
    /// reserve more than the machine's memory.
    pub memory: u64,
}

impl Default for ProgramLimits {
    /// Returns a limit of 2 GiB.
    fn default() -> ProgramLimits {
        ProgramLimits { memory: 2 << 30 }
    }
}

/// Timeouts for an unresponsive program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For `ugiok`, and again for the first `readyok`.
    pub to_start: Duration,
    /// For the move after `stop`.
    pub to_stop: Duration,
    /// For the exit after the program closed its input or output.
    pub to_end: Duration,
    /// For the next complete line from a program without a time limit for its move; `margin` is added.
    pub silence: Duration,
    /// How far a move may exceed its time: programs do not measure to the millisecond.
    pub margin: Duration,
}

impl Default for Patience {
    /// Returns 10 s to start, 1 s for `stop` and for the exit, 60 s of silence, and a margin of 50 ms.
    fn default() -> Patience {
        let second = Duration::from_secs(1);
        let margin = Duration::from_millis(50);
        let silence = 60 * second;
        Patience { to_start: 10 * second, to_stop: second, to_end: second, silence, margin }
    }
}

/// The configuration for starting programs.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// Quadrille's executable, which is started as the supervisor of each program.
    pub supervisor: PathBuf,
    /// The folder for stderr logs; `None` to discard stderr.
    pub messages: Option<PathBuf>,
    /// The working directory of programs; `None` for the current one.
    pub folder: Option<PathBuf>,
    /// The resource limits of each program.
    pub limits: ProgramLimits,
    /// The timeouts for each program.
    pub patience: Patience,
}

impl Launcher {
    /// Creates a launcher with default limits and timeouts that uses the current executable as the supervisor.
    pub fn new(messages: Option<PathBuf>) -> io::Result<Launcher> {
        let supervisor = this_program()?;
        let (limits, patience) = (ProgramLimits::default(), Patience::default());
        Ok(Launcher { supervisor, messages, folder: None, limits, patience })
    }
}

/// An event of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessEvent {
    /// A line of output.
    Line(String),
    /// The process exited or is no longer usable, for this reason: `exited with 1`.
    Ended(Forfeit),
    /// The deadline passed.
    TimeUp,
    /// A wake-up arrived.
    Wakeup,
}

/// A running program. Dropping it waits until all its processes have ended, which takes little more than half a second.
#[derive(Debug)]
pub struct Process {
    supervisor: Child,
    /// The socket to the supervisor, which ends the program when the socket closes.
    control: Option<Stream>,
    words: LineBuffer,
    input: Option<OwnedHandle>,
    /// The bytes that did not fit into the program's pipe yet.
    unsent: VecDeque<u8>,
    output: Option<OwnedHandle>,
    lines: LineBuffer,
    read: VecDeque<Result<String, TooLong>>,
    /// When to stop spinning for an answer to the last write.
    awake_until: Option<Instant>,
    /// The deadline for which the final read was done.
    late: Option<Instant>,
    group: Option<Pid>,
    suspension: Arc<Suspension>,
    /// The stopped processes outside the program's process group.
    stopped: Vec<Pid>,
    folder: Option<PathBuf>,
    messages: Option<PathBuf>,
    /// When the program closed its input or output, and which one.
    closed: Option<(Instant, &'static str)>,
    /// Why the process ended.
    ended: Option<Forfeit>,
    pub(super) patience: Patience,
}

impl Process {
    /// Starts a program that writes stderr to the file `log`. Fails if the supervisor cannot be started. A program that
    /// cannot be started is reported as one that has exited.
    pub fn start(
        launcher: &Launcher,
        command: &[String],
        log: &LogName,
        suspension: Arc<Suspension>,
    ) -> io::Result<Process> {
        let mut supervisor = command_named(&launcher.supervisor, "quadrille");
        supervisor.arg("supervise");
        supervisor.arg("--memory").arg(launcher.limits.memory.to_string());
        if let Some(folder) = &launcher.messages {
            supervisor.arg("--messages").arg(folder).arg("--name").arg(&log.name);
            supervisor.args(log.is_new.then_some("--new"));
        }
        if let Some(folder) = &launcher.folder {
            supervisor.current_dir(folder);
        }
        supervisor.arg("--").args(command.iter().map(OsString::from));
        let SupervisorProcess { child, control, input, output } =
            start_supervisor(&mut supervisor)?;
        Ok(Process {
            supervisor: child,
            control: Some(control),
            words: LineBuffer::new(MAX_LINE_BYTES),
            input,
            unsent: VecDeque::new(),
            output,
            lines: LineBuffer::new(MAX_LINE_BYTES),
            read: VecDeque::new(),
            awake_until: None,
            late: None,
            group: None,
            suspension,
            stopped: Vec::new(),
            folder: launcher.messages.clone(),
            messages: None,
            closed: None,
            ended: None,
            patience: launcher.patience,
        })
    }

    /// Returns the path of the stderr log, if there is one.
    pub fn messages(&self) -> Option<&Path> {
        self.messages.as_deref()
    }

    /// Returns the time used for deadlines, which is paused while the program is suspended.
    pub fn now(&self) -> Instant {
        self.suspension.now()
    }

    /// Sends commands without blocking: bytes that do not fit into the pipe are sent while waiting for the answer.
    pub fn send_commands(&mut self, commands: &[Command]) {
        let mut lines = String::new();
        for command in commands {
            // Writing to a string never fails.
            let _ = writeln!(lines, "{command}");
        }
        self.write(&lines);
        self.look_at_supervisor();
    }

    /// Sends text to the program.
    pub fn write(&mut self, text: &str) {
        if self.input.is_some() {
            self.unsent.extend(text.as_bytes());
            self.send();
            self.awake_until = Some(Instant::now() + AWAKE);
        }
    }

    /// Closes the program's input once everything is sent.
    pub fn close_input(&mut self) {
        self.send();
        self.input = None;
    }

    /// Waits for the next event. At the deadline, all available output is read once more, so that no program loses
    /// because Quadrille is late. `wakeups` is polled but not emptied.
    pub fn next_event(
        &mut self,
        deadline: Option<Instant>,
        wakeups: Option<Source<'_>>,
    ) -> ProcessEvent {
        loop {
            match self.read.pop_front() {
                Some(Ok(line)) => return ProcessEvent::Line(line),
                Some(Err(_)) => {
                    let why = format!("a line longer than {} KiB", MAX_LINE_BYTES >> 10);
                    return ProcessEvent::Ended(self.ended.insert(Forfeit::Other(why)).clone());
                }
                None => {}
            }
            if let (None, Some(why)) = (&self.output, &self.ended) {
                return ProcessEvent::Ended(why.clone());
            }
            let now = self.now();
            if let Some((since, what)) = self.closed
                && now >= since + self.patience.to_end
            {
                let ended = self.ended.get_or_insert_with(|| Forfeit::Other(what.to_owned()));
                return ProcessEvent::Ended(ended.clone());
            }
            let is_late = deadline.is_some_and(|deadline| now >= deadline);
            if is_late && self.late == deadline {
                return self.look_at_supervisor().map_or(ProcessEvent::TimeUp, ProcessEvent::Ended);
            }
            if self.answers_at_once() {
                continue;
            }
            if self.wait(true, deadline, wakeups) {
                return ProcessEvent::Wakeup;
            }
            if is_late {
                self.late = deadline;
            }
        }
    }

    /// Waits for the process to exit, for a wake-up or for the deadline, whichever comes first. Output is not read.
    pub fn wait_for_end(&mut self, deadline: Option<Instant>, wakeups: Source<'_>) -> ProcessEvent {
        loop {
            if let Some(why) = &self.ended {
                return ProcessEvent::Ended(why.clone());
            }
            if self.wait(false, deadline, Some(wakeups)) {
                return ProcessEvent::Wakeup;
            }
            if deadline.is_some_and(|deadline| self.now() >= deadline) {
                return ProcessEvent::TimeUp;
            }
        }
    }

    /// Spins for an answer to the last write. Returns whether a line has arrived.
    fn answers_at_once(&mut self) -> bool {
        let Some(until) = self.awake_until else { return false };
        // This loop does not read the supervisor's reports, so the start must have been reported already.
        while self.group.is_some() && self.output.is_some() && Instant::now() < until {
            // Let other runnable processes run, such as the program.
            thread::yield_now();
            self.take_output();
            if !self.read.is_empty() {
                return true;
            }
        }
        self.awake_until = None;
        false
    }

    /// Waits for an event and reads a piece of each input. Returns whether a wake-up arrived.
    fn wait(
        &mut self,
        listens: bool,
        deadline: Option<Instant>,
        wakeups: Option<Source<'_>>,
    ) -> bool {
        let closed = self.closed.filter(|_| listens).map(|(since, _)| since + self.patience.to_end);
        let until = deadline.into_iter().chain(closed).min();
        let left = until.map(|end| end.saturating_duration_since(self.now()));
        let input = self.input.as_ref().filter(|_| !self.unsent.is_empty());
        let output = self.output.as_ref().filter(|_| listens);
        let control = self.control.as_ref().map(Source::readable);
        let come = wait_for(
            [wakeups, control, output.map(Source::readable), input.map(Source::writable)],
            left,
        );
        let Ok([has_wakeup, has_word, has_output, has_room]) = come else { return false };
        if has_word {
            self.take_words();
        }
        if has_room {
            self.send();
        }
        if has_output {
            self.take_output();
        } else if self.ended.is_some() {
            self.output = None;
        }
        has_wakeup
    }

    fn take_words(&mut self) {
        let Some(control) = &self.control else { return };
        let mut bytes = [0; 4 << 10];
        let lines = match read(control, &mut bytes) {
            Ok(0) => {
                self.control = None;
                if self.ended.is_none() {
                    // The supervisor was killed. Kill the program from here, with all descendants that can be found.
                    self.kill();
                    self.ended = Some(Forfeit::Other("its supervisor was killed".to_owned()));
                }
                return;
            }
            Ok(length) => self.words.feed(&bytes[..length]),
            Err(_) => return,
        };
        for word in lines.iter().flatten().filter_map(|line| line.parse().ok()) {
            match word {
                SupervisorMessage::Started(group) => {
                    self.group = Pid::from_raw(group);
                    self.suspension.set_group(self.group);
                }
                SupervisorMessage::Messages(file) => {
                    self.messages = self.folder.as_ref().map(|folder| folder.join(file));
                }
                SupervisorMessage::Ended(why) => {
                    self.group = None;
                    self.suspension.set_group(None);
                    self.ended = Some(why);
                }
            }
        }
    }

    fn take_output(&mut self) {
        let Some(output) = &self.output else { return };
        let mut bytes = [0; PIECE];
        match read(output, &mut bytes) {
            Ok(0) => {
                self.output = None;
                self.closed.get_or_insert((self.suspension.now(), "closed its output"));
            }
            Ok(length) => self.read.extend(self.lines.feed(&bytes[..length])),
            Err(_) => {}
        }
    }

    fn send(&mut self) {
        while let Some(input) = &self.input
            && !self.unsent.is_empty()
        {
            match write(input, self.unsent.as_slices().0) {
                Ok(length) => drop(self.unsent.drain(..length)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => {
                    self.input = None;
                    self.closed.get_or_insert((self.suspension.now(), "closed its input"));
                }
            }
        }
        self.unsent.clear();
    }

    /// Stops the program and all its descendants until [`resume`](Process::resume).
    pub fn pause(&mut self) {
        let Some(group) = self.group else { return };
        self.suspension.set_turn(false);
        for process in descendants(Pid::from_child(&self.supervisor)) {
            if !is_in_group(process, group) && !self.stopped.contains(&process) {
                let _ = kill_process(process, ProcessSignal::Stop);
                self.stopped.push(process);
            }
        }
    }

    /// Continues the program.
    pub fn resume(&mut self) {
        for process in self.stopped.drain(..) {
            let _ = kill_process(process, ProcessSignal::Continue);
        }
        self.suspension.set_turn(true);
    }

    fn kill(&mut self) {
        self.group = None;
        self.suspension.kill();
    }

    /// Ends the program if its supervisor was stopped and could no longer control it. Returns why the program ended in
    /// that case.
    fn look_at_supervisor(&mut self) -> Option<Forfeit> {
        if self.ended.is_some() || !self.is_supervisor_stopped() {
            return None;
        }
        self.end_by_force();
        self.output = None;
        let why = Forfeit::Other("its supervisor was stopped".to_owned());
        Some(self.ended.insert(why).clone())
    }

    /// Returns whether the supervisor is stopped. Only the program or the user can cause that.
    fn is_supervisor_stopped(&self) -> bool {
        is_stopped(Pid::from_child(&self.supervisor))
    }

    /// Kills all processes of the program and its stopped supervisor.
    fn end_by_force(&mut self) {
        self.kill();
        kill_descendants(Pid::from_child(&self.supervisor));
        let _ = self.supervisor.kill();
    }

    /// Waits until the supervisor has exited. Returns whether it finished its work.
    fn wait_for_supervisor(&mut self) -> bool {
        let until = Instant::now() + END_TIMEOUT;
        loop {
            match self.supervisor.try_wait() {
                Ok(None) => {}
                ended => return matches!(ended, Ok(Some(status)) if status.success()),
            }
            if self.is_supervisor_stopped() || Instant::now() >= until {
                self.end_by_force();
                let _ = self.supervisor.wait();
                return false;
            }
            match &self.control {
                Some(control) => {
                    let _ = wait_for([Some(Source::readable(control))], Some(END_POLL_INTERVAL));
                    self.take_words();
                }
                // The supervisor has closed its end and is about to exit.
                None => thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send_commands(&[Command::Quit]);
        self.resume();
        self.input = None;
        self.output = None;
        if let Some(control) = &self.control {
            tell_to_end(control);
        }
        // The supervisor has ended everything, unless it was killed.
        if !self.wait_for_supervisor() {
            self.kill();
        }
        self.suspension.set_group(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts a shell script in place of the supervisor.
    fn start(script: &str) -> (tempfile::TempDir, Process) {
        let folder = tempfile::tempdir().unwrap();
        // The shell gets the supervisor's arguments, and the first is the name of its script.
        std::fs::write(folder.path().join("supervise"), script).unwrap();
        let launcher = Launcher {
            supervisor: "/bin/sh".into(),
            messages: None,
            folder: Some(folder.path().to_owned()),
            limits: ProgramLimits::default(),
            patience: Patience::default(),
        };
        let log = LogName { name: "program".to_owned(), is_new: false };
        let process = Process::start(&launcher, &[], &log, Arc::default()).unwrap();
        (folder, process)
    }

    #[cfg(unix)]
    #[test]
    fn output_is_read_once_more_at_the_deadline() {
        let (_folder, mut process) = start("echo one; read word; echo two; exec cat >/dev/null");
        let output = |process: &Process| {
            let output = process.output.as_ref().map(Source::readable);
            let waits = wait_for([output], None).unwrap();
            assert_eq!(waits, [true]);
        };
        output(&process);
        let deadline = Some(process.now());
        let heard = process.next_event(deadline, None);
        assert_eq!(heard, ProcessEvent::Line("one".to_owned()), "it was in time");
        assert_eq!(process.next_event(deadline, None), ProcessEvent::TimeUp);
        // What comes later is not read for this deadline.
        process.write("word\n");
        output(&process);
        process.awake_until = None;
        assert_eq!(process.next_event(deadline, None), ProcessEvent::TimeUp);
        let heard = process.next_event(Some(process.now()), None);
        assert_eq!(heard, ProcessEvent::Line("two".to_owned()));
    }
}
