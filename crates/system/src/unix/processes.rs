//! Other processes: starting them, their signals, their limits, and their end.

use super::descendants::{children, own_pid};
use super::handle::{OwnedHandle, Stream, stop_blocking};
use rustix::io::Errno;
use rustix::process::{
    Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitOptions, getpgid, getrlimit, setrlimit,
    setsid, waitid,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout, stderr};
use std::env;
use std::io;
use std::net::Shutdown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub use super::descendants::{descendants, kill_descendants};
pub use crate::process::{Pid, ProcessEnd, ProcessSignal};

/// The nice value of the lowest priority.
#[cfg(target_os = "linux")]
const MAX_NICE: i32 = 19;

/// Whether a memory limit has an effect. On macOS it can be set, but nothing obeys it.
pub const HAS_MEMORY_LIMIT: bool = !cfg!(target_os = "macos");

/// Returns the path of this program, which works on Linux even if the file was replaced or removed.
pub fn this_program() -> io::Result<PathBuf> {
    let link = Path::new("/proc/self/exe");
    if link.exists() { Ok(link.to_owned()) } else { env::current_exe() }
}

/// Returns a command that runs a program under this name in lists of processes.
pub fn command_named(program: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command.arg0(name);
    command
}

/// Replaces this process with a command. Returns only if that fails.
pub fn replace_with(mut command: Command) -> io::Error {
    command.exec()
}

/// Finds the file of a program. A path is relative to `folder`; a name without `/` is looked up in `PATH`.
pub fn find_program(name: &str, folder: &Path) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(folder.join(name)).filter(|file| file.is_file());
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Gives this thread the lowest priority, on Linux. Elsewhere the priority would apply to the whole process.
pub fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, MAX_NICE);
}

/// Leaves the terminal: keys do not reach this process, which outlives the session that started it.
pub fn begin_session() {
    let _ = setsid();
}

/// Replaces stdin, stdout and stderr with an empty device.
pub fn close_standard_handles() -> io::Result<()> {
    use rustix::fs::{Mode, OFlags, open};
    let nothing = open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(())
}

/// A supervisor, as its parent process sees it.
#[derive(Debug)]
pub struct SupervisorProcess {
    pub child: Child,
    /// Has the supervisor's reports. The supervisor ends its program when the parent process closes it.
    pub control: Stream,
    /// The program's stdin and stdout, which do not block.
    pub input: Option<OwnedHandle>,
    pub output: Option<OwnedHandle>,
}

/// Starts a supervisor, which calls [`become_supervisor`].
pub fn start_supervisor(command: &mut Command) -> io::Result<SupervisorProcess> {
    let (control, theirs) = Stream::pair()?;
    control.set_nonblocking(true)?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(OwnedHandle::from(theirs));
    let mut child = command.spawn()?;
    let input = child.stdin.take().map(OwnedHandle::from);
    let output = child.stdout.take().map(OwnedHandle::from);
    for pipe in input.iter().chain(&output) {
        stop_blocking(pipe)?;
    }
    Ok(SupervisorProcess { child, control, input, output })
}

/// Tells the supervisor to end its program.
pub fn tell_to_end(control: &Stream) {
    let _ = control.shutdown(Shutdown::Write);
}

/// Starts the program of this supervisor, in a process group of its own, with the supervisor's stdin and stdout.
/// Returns its id and its stderr, which does not block.
pub fn start_program(command: &mut Command) -> io::Result<(Pid, Option<OwnedHandle>)> {
    let mut child = command.stderr(Stdio::piped()).process_group(0).spawn()?;
    let errors = child.stderr.take().map(OwnedHandle::from);
    if let Some(errors) = &errors {
        let _ = stop_blocking(errors);
    }
    Ok((Pid::from_child(&child), errors))
}

/// Replaces stdin and stdout with stderr, so that this process no longer holds the pipes that were there.
pub fn release_pipes() {
    let _ = dup2_stdin(stderr());
    let _ = dup2_stdout(stderr());
}

/// Makes this process, in a session of its own, the one that ends whatever its children leave behind.
pub fn become_supervisor() {
    // Without a terminal, keys do not reach the program, and the program cannot write to the screen.
    begin_session();
    // Orphaned descendants become children of the supervisor.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    // A program may stop its supervisor. If Quadrille is killed after that, this signal wakes the supervisor to end
    // everything.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::CONT));
}

pub fn kill_process(process: Pid, signal: ProcessSignal) -> io::Result<()> {
    Ok(rustix::process::kill_process(native(process)?, native_signal(signal))?)
}

pub fn kill_process_group(group: Pid, signal: ProcessSignal) -> io::Result<()> {
    Ok(rustix::process::kill_process_group(native(group)?, native_signal(signal))?)
}

fn native(process: Pid) -> io::Result<rustix::process::Pid> {
    let native = rustix::process::Pid::from_raw(process.as_raw_pid());
    native.ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

const fn native_signal(signal: ProcessSignal) -> Signal {
    match signal {
        ProcessSignal::Stop => Signal::STOP,
        ProcessSignal::Continue => Signal::CONT,
        ProcessSignal::Kill => Signal::KILL,
    }
}

/// Limits the memory of this process and of each process that it starts, and the size of core dumps to 0. Only writable
/// private memory counts, because a runtime may reserve more address space than it uses.
pub fn limit_memory(bytes: u64) {
    limit(Resource::Data, bytes);
    limit(Resource::Core, 0);
}

/// Sets a resource limit, capped at our own limit.
fn limit(resource: Resource, most: u64) {
    let maximum = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    let limit = Some(maximum);
    // A system that does not support the limit ignores it.
    let _ = setrlimit(resource, Rlimit { current: limit, maximum: limit });
}

/// Returns the children of this process. A child that exits during the call may hide a different child, so repeat the
/// call if all children are needed.
pub fn children_of_this_process() -> Vec<Pid> {
    own_pid().map_or(Vec::new(), children)
}

/// Returns a child that has ended, and how, after waiting for one if the call `may_block`. `None` if none has ended, or
/// if there are no children.
pub fn wait_for_child(may_block: bool) -> Option<(Pid, Option<ProcessEnd>)> {
    let options = if may_block { WaitOptions::empty() } else { WaitOptions::NOHANG };
    let (child, status) = loop {
        match rustix::process::wait(options) {
            Err(Errno::INTR) => {}
            ended => break ended.ok().flatten()?,
        }
    };
    let exited = status.exit_status().map(ProcessEnd::Exited);
    let end = exited.or_else(|| status.terminating_signal().map(ProcessEnd::Killed));
    Some((Pid::from_raw(child.as_raw_pid())?, end))
}

/// Returns whether a child is stopped, as by SIGSTOP.
pub fn is_stopped(child: Pid) -> bool {
    let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    native(child)
        .and_then(|child| Ok(waitid(WaitId::Pid(child), options)?))
        .is_ok_and(|status| status.is_some_and(|status| status.stopped()))
}

/// Returns whether a process belongs to this process group.
pub fn is_in_group(process: Pid, group: Pid) -> bool {
    let found = native(process).and_then(|process| Ok(getpgid(Some(process))?));
    found.is_ok_and(|found| found.as_raw_pid() == group.as_raw_pid())
}
