//! A user's program as a process: lines to it and from it, and its end.

use super::control::Word;
use super::descendants::{descendants, kill_descendants};
use super::ready::wait_for;
use super::stderr_log::LogName;
use super::suspension::Suspension;
use crate::engine::ugi::{Command, LineBuffer, MOST_BYTES, TooLong};
use crate::session::Forfeit;
use rustix::event::PollFlags;
use rustix::io::{Errno, ioctl_fionbio, read, write};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpgid, kill_process, waitid};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt::Write;
use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes that are read before everything else is looked at again.
const PIECE: usize = 16 << 10;

/// How long to look for an answer before this thread sleeps. To wake it takes about as long as a quick program takes to
/// answer.
const AWAKE: Duration = Duration::from_micros(100);

/// How long a supervisor may take to end a program. It needs little more than half a second.
const TO_END: Duration = Duration::from_secs(5);

/// How often it is looked at meanwhile: a program may stop its supervisor.
const LOOK: Duration = Duration::from_millis(100);

/// What a program may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramLimits {
    /// Bytes of writable memory that each of its processes may have. Reserved addresses do not count: some runtimes
    /// reserve more than there is memory.
    pub memory: u64,
}

impl Default for ProgramLimits {
    /// 2 GiB.
    fn default() -> ProgramLimits {
        ProgramLimits { memory: 2 << 30 }
    }
}

/// How long to wait for a program that may never answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For `ugiok`, and again for its first `readyok`.
    pub to_start: Duration,
    /// For its move after `stop`.
    pub to_stop: Duration,
    /// For its end, once it has closed its input or output.
    pub to_end: Duration,
    /// For the next whole line of a program that has no time limit for its move; `margin` is added.
    pub silence: Duration,
    /// How much longer than its time a move may take: programs do not measure to the millisecond.
    pub margin: Duration,
}

impl Default for Patience {
    /// 10 s for the start, 1 s for `stop` and the end, a minute of silence, and a margin of 50 ms.
    fn default() -> Patience {
        let second = Duration::from_secs(1);
        let margin = Duration::from_millis(50);
        let silence = 60 * second;
        Patience { to_start: 10 * second, to_stop: second, to_end: second, silence, margin }
    }
}

/// How programs are started.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// The executable of this program, which is started again as the supervisor of each program.
    pub supervisor: PathBuf,
    /// The folder for the programs' standard error, if that is kept.
    pub messages: Option<PathBuf>,
    /// The folder in which programs are started, if not the present one.
    pub folder: Option<PathBuf>,
    /// What each may use.
    pub limits: ProgramLimits,
    /// How long to wait for each.
    pub patience: Patience,
}

impl Launcher {
    /// With the usual limits and patience, and the file of this very process as the supervisor.
    pub fn new(messages: Option<PathBuf>) -> io::Result<Launcher> {
        // Right also when the file has been replaced or removed since.
        let this = Path::new("/proc/self/exe");
        let supervisor = if this.exists() { this.to_owned() } else { std::env::current_exe()? };
        let (limits, patience) = (ProgramLimits::default(), Patience::default());
        Ok(Launcher { supervisor, messages, folder: None, limits, patience })
    }
}

/// What a process did next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessEvent {
    /// A line.
    Line(String),
    /// It has ended or cannot be used any more, for this reason: `exited with 1`.
    Ended(Forfeit),
    /// Nothing came in time.
    TimeUp,
    /// The bell has rung.
    Bell,
}

/// A running program. Dropping it waits until nothing of it is left, which takes little more than half a second.
#[derive(Debug)]
pub struct Process {
    supervisor: Child,
    /// The socket to the supervisor, which ends the program when this is closed.
    control: Option<UnixStream>,
    words: LineBuffer,
    input: Option<OwnedFd>,
    /// What is still to be sent, as the pipe to the program was full.
    unsent: VecDeque<u8>,
    output: Option<OwnedFd>,
    lines: LineBuffer,
    read: VecDeque<Result<String, TooLong>>,
    /// Until when to look for an answer without sleeping, if something was just sent.
    awake_until: Option<Instant>,
    /// The deadline after which everything was read once more.
    late: Option<Instant>,
    group: Option<Pid>,
    suspension: Arc<Suspension>,
    /// The processes outside its group that were stopped.
    stopped: Vec<Pid>,
    folder: Option<PathBuf>,
    messages: Option<PathBuf>,
    /// When its input or output was closed, and which of them.
    closed: Option<(Instant, &'static str)>,
    /// Why it has ended.
    ended: Option<Forfeit>,
    pub(super) patience: Patience,
}

impl Process {
    /// Starts a program. Its messages go to the file `log`. The error is that the supervisor cannot be started. A
    /// program that cannot be started is reported like one that has ended.
    pub fn start(
        launcher: &Launcher,
        command: &[String],
        log: &LogName,
        suspension: Arc<Suspension>,
    ) -> io::Result<Process> {
        let (control, theirs) = UnixStream::pair()?;
        control.set_nonblocking(true)?;
        let mut supervisor = std::process::Command::new(&launcher.supervisor);
        supervisor.arg0("quadrille").arg("supervise");
        supervisor.arg("--memory").arg(launcher.limits.memory.to_string());
        if let Some(folder) = &launcher.messages {
            supervisor.arg("--messages").arg(folder).arg("--name").arg(&log.name);
            supervisor.args(log.is_new.then_some("--new"));
        }
        if let Some(folder) = &launcher.folder {
            supervisor.current_dir(folder);
        }
        supervisor.arg("--").args(command.iter().map(OsString::from));
        supervisor.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(OwnedFd::from(theirs));
        let mut supervisor = supervisor.spawn()?;
        let input = supervisor.stdin.take().map(OwnedFd::from);
        let output = supervisor.stdout.take().map(OwnedFd::from);
        for pipe in input.iter().chain(&output) {
            ioctl_fionbio(pipe, true)?;
        }
        Ok(Process {
            supervisor,
            control: Some(control),
            words: LineBuffer::new(MOST_BYTES),
            input,
            unsent: VecDeque::new(),
            output,
            lines: LineBuffer::new(MOST_BYTES),
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

    /// The file of its standard error, if that is kept.
    pub fn messages(&self) -> Option<&Path> {
        self.messages.as_deref()
    }

    /// The time that deadlines are measured by. It stands still while the program is suspended.
    pub fn now(&self) -> Instant {
        self.suspension.now()
    }

    /// Sends a line to it. This never waits: what does not fit into the pipe is sent while its answer is waited for.
    pub fn say(&mut self, commands: &[Command]) {
        let mut lines = String::new();
        for command in commands {
            // Writing to a string never fails.
            let _ = writeln!(lines, "{command}");
        }
        self.write(&lines);
        self.look_at_supervisor();
    }

    /// Sends bytes to it.
    pub fn write(&mut self, text: &str) {
        if self.input.is_some() {
            self.unsent.extend(text.as_bytes());
            self.send();
            self.awake_until = Some(Instant::now() + AWAKE);
        }
    }

    /// Closes its input once everything is sent.
    pub fn close_input(&mut self) {
        self.send();
        self.input = None;
    }

    /// Waits for the next event. At the deadline everything that has arrived is still read, so no program loses because
    /// we are late. `bell` is only looked at, not emptied.
    pub fn hear(
        &mut self,
        deadline: Option<Instant>,
        bell: Option<BorrowedFd<'_>>,
    ) -> ProcessEvent {
        loop {
            match self.read.pop_front() {
                Some(Ok(line)) => return ProcessEvent::Line(line),
                Some(Err(_)) => {
                    let why = format!("a line longer than {} KiB", MOST_BYTES >> 10);
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
            if self.wait(true, deadline, bell) {
                return ProcessEvent::Bell;
            }
            if is_late {
                self.late = deadline;
            }
        }
    }

    /// Waits for its end, for the bell, or until the deadline. What it says is not read.
    pub fn hear_end(&mut self, deadline: Option<Instant>, bell: BorrowedFd<'_>) -> ProcessEvent {
        loop {
            if let Some(why) = &self.ended {
                return ProcessEvent::Ended(why.clone());
            }
            if self.wait(false, deadline, Some(bell)) {
                return ProcessEvent::Bell;
            }
            if deadline.is_some_and(|deadline| self.now() >= deadline) {
                return ProcessEvent::TimeUp;
            }
        }
    }

    /// Waits without sleeping for an answer to what was just sent. Returns whether there is a line.
    fn answers_at_once(&mut self) -> bool {
        let Some(until) = self.awake_until else { return false };
        // What the supervisor says is not read here, so it must have said that the program runs.
        while self.group.is_some() && self.output.is_some() && Instant::now() < until {
            // Another process that can run, such as another program, does.
            thread::yield_now();
            self.take_output();
            if !self.read.is_empty() {
                return true;
            }
        }
        self.awake_until = None;
        false
    }

    /// Waits until something happens, and takes in a piece of each input. Returns whether the bell has rung.
    fn wait(
        &mut self,
        listens: bool,
        deadline: Option<Instant>,
        bell: Option<BorrowedFd<'_>>,
    ) -> bool {
        let closed = self.closed.filter(|_| listens).map(|(since, _)| since + self.patience.to_end);
        let until = deadline.into_iter().chain(closed).min();
        let left = until.map(|end| end.saturating_duration_since(self.now()));
        let input = self.input.as_ref().filter(|_| !self.unsent.is_empty());
        let output = self.output.as_ref().filter(|_| listens);
        let come = wait_for(
            [
                (bell, PollFlags::IN),
                (self.control.as_ref().map(AsFd::as_fd), PollFlags::IN),
                (output.map(AsFd::as_fd), PollFlags::IN),
                (input.map(AsFd::as_fd), PollFlags::OUT),
            ],
            left,
        );
        let Ok([has_bell, has_word, has_output, has_room]) = come else { return false };
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
        has_bell
    }

    fn take_words(&mut self) {
        let Some(control) = &self.control else { return };
        let mut bytes = [0; 4 << 10];
        let lines = match read(control, &mut bytes) {
            Ok(0) => {
                self.control = None;
                if self.ended.is_none() {
                    // It was killed. So the program is killed from here, with those of its processes
                    // that can be found.
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
                Word::Started(group) => {
                    self.group = Pid::from_raw(group);
                    self.suspension.set_group(self.group);
                }
                Word::Messages(file) => {
                    self.messages = self.folder.as_ref().map(|folder| folder.join(file));
                }
                Word::Ended(why) => {
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
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
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
            if getpgid(Some(process)) != Ok(group) && !self.stopped.contains(&process) {
                let _ = kill_process(process, Signal::STOP);
                self.stopped.push(process);
            }
        }
    }

    /// Lets it go on.
    pub fn resume(&mut self) {
        for process in self.stopped.drain(..) {
            let _ = kill_process(process, Signal::CONT);
        }
        self.suspension.set_turn(true);
    }

    fn kill(&mut self) {
        self.group = None;
        self.suspension.kill();
    }

    /// Ends it if its supervisor was stopped, as nobody would hold it. Returns why it has ended then.
    fn look_at_supervisor(&mut self) -> Option<Forfeit> {
        if self.ended.is_some() || !self.is_supervisor_stopped() {
            return None;
        }
        self.end_by_force();
        self.output = None;
        let why = Forfeit::Other("its supervisor was stopped".to_owned());
        Some(self.ended.insert(why).clone())
    }

    /// Whether somebody has stopped the supervisor. Only the program or the user can do that.
    fn is_supervisor_stopped(&self) -> bool {
        let look = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let supervisor = Pid::from_child(&self.supervisor);
        waitid(WaitId::Pid(supervisor), look)
            .is_ok_and(|status| status.is_some_and(|status| status.stopped()))
    }

    /// Kills all its processes and its supervisor, which cannot do that itself.
    fn end_by_force(&mut self) {
        self.kill();
        kill_descendants(Pid::from_child(&self.supervisor));
        let _ = self.supervisor.kill();
    }

    /// Waits until its supervisor has ended. Returns whether it has done its work.
    fn wait_for_supervisor(&mut self) -> bool {
        let until = Instant::now() + TO_END;
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
                    let _ = wait_for([(Some(control.as_fd()), PollFlags::IN)], Some(LOOK));
                    self.take_words();
                }
                // It has closed its end, so it ends now.
                None => thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.say(&[Command::Quit]);
        self.resume();
        self.input = None;
        self.output = None;
        if let Some(control) = &self.control {
            // That tells the supervisor to end the program.
            let _ = control.shutdown(Shutdown::Write);
        }
        // It has ended all else, unless somebody has killed it.
        if !self.wait_for_supervisor() {
            self.kill();
        }
        self.suspension.set_group(None);
    }
}
