//! Other processes: starting them, their limits, and their end.
//!
//! A supervisor is in a job, which the system ends with all its processes when the supervisor ends. The supervisor
//! reads the program's input from its parent process and passes it on, so it notices when that process ends.

use super::handle::{OwnedHandle, Stream, lose_parent, stop_blocking};
use super::signals::{SIGCHLD, raise};
use quadrille_windows::job;
use std::env;
use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

pub use crate::process::{Pid, ProcessEnd, ProcessSignal};

/// Whether a memory limit has an effect. A job object takes one, but wine does not enforce it.
pub const HAS_MEMORY_LIMIT: bool = false;

/// The console of this process is not the program's, and no window opens (`CREATE_NO_WINDOW`). So Ctrl-C does not reach
/// the program.
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// How often a supervisor asks whether its parent process still listens, once the program's input is closed.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// The extensions of programs, if `PATHEXT` is not set.
const EXTENSIONS: &str = ".COM;.EXE;.BAT;.CMD";

/// Returns the path of this program.
pub fn this_program() -> io::Result<PathBuf> {
    env::current_exe()
}

/// Returns a command that runs a program. Lists of processes always show the name of its file.
pub fn command_named(program: &Path, _name: &str) -> Command {
    Command::new(program)
}

/// Runs a command in place of this process, and exits with its status. Returns only if it cannot be started.
pub fn replace_with(mut command: Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// Finds the file of a program, whose extension may be missing. A path is relative to `folder`; a name without `/` and
/// `\` is looked up beside this program and in `PATH`.
pub fn find_program(name: &str, folder: &Path) -> Option<PathBuf> {
    let extensions = env::var("PATHEXT").unwrap_or_else(|_| EXTENSIONS.to_owned());
    if name.contains(['/', '\\']) {
        return with_extension(&folder.join(name), &extensions);
    }
    let beside = env::current_exe().ok();
    let beside = beside.as_deref().and_then(Path::parent).map(Path::to_owned);
    let folders = env::var_os("PATH").unwrap_or_default();
    beside
        .into_iter()
        .chain(env::split_paths(&folders))
        .find_map(|folder| with_extension(&folder.join(name), &extensions))
}

/// Returns the file at this path, or with one of these extensions.
fn with_extension(path: &Path, extensions: &str) -> Option<PathBuf> {
    let extended = extensions.split(';').filter(|extension| !extension.is_empty()).map(|end| {
        let mut path = path.as_os_str().to_owned();
        path.push(end.to_ascii_lowercase());
        PathBuf::from(path)
    });
    // A file without an extension cannot be run.
    let itself = path.extension().map(|_| path.to_owned());
    itself.into_iter().chain(extended).find(|file| file.is_file())
}

/// Does nothing: the priority of the threads stays.
pub fn lower_priority() {}

/// Does nothing, because processes do not belong to sessions of a terminal.
pub fn begin_session() {}

pub fn close_standard_handles() -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
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
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.creation_flags(CREATE_NO_WINDOW).spawn()?;
    let input = child.stdin.take().map(OwnedHandle::from);
    let output = child.stdout.take().map(OwnedHandle::from);
    let control = child.stderr.take().map(OwnedHandle::from).ok_or(ErrorKind::BrokenPipe)?;
    for pipe in input.iter().chain(&output).chain([&control]) {
        stop_blocking(pipe)?;
    }
    Ok(SupervisorProcess { child, control, input, output })
}

/// Tells the supervisor to end its program.
pub fn tell_to_end(control: &Stream) {
    let _ = control.shutdown(Shutdown::Read);
}

/// The program of this supervisor after its end, until [`wait_for_child`] returns it.
static ENDED: Mutex<Option<(Pid, Option<ProcessEnd>)>> = Mutex::new(None);

/// Starts the program of this supervisor with the supervisor's stdout, and passes on its stdin. Returns its id and its
/// stderr, which does not block.
pub fn start_program(command: &mut Command) -> io::Result<(Pid, Option<OwnedHandle>)> {
    let name = command.get_program();
    let found = name.to_str().and_then(|name| find_program(name, Path::new("")));
    let mut command = Command::new(found.unwrap_or_else(|| name.into()))
        .args(command.get_args())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let process = Pid::from_child(&command);
    let errors = command.stderr.take().map(OwnedHandle::from);
    if let Some(errors) = &errors {
        stop_blocking(errors)?;
    }
    let input = command.stdin.take();
    thread::Builder::new().spawn(move || pass_on(input))?;
    thread::Builder::new().spawn(move || {
        let status = command.wait().ok();
        let end = status.and_then(|status| status.code()).map(ProcessEnd::Exited);
        *ENDED.lock().unwrap_or_else(PoisonError::into_inner) = Some((process, end));
        raise(SIGCHLD);
    })?;
    Ok((process, errors))
}

/// Copies stdin to the program. When stdin has ended, the parent process has closed the program's input, or tells the
/// supervisor to end the program, or has ended. In the last two cases it no longer reads stderr.
fn pass_on(mut input: Option<ChildStdin>) {
    let mut bytes = [0; 16 << 10];
    while let Ok(length @ 1..) = io::stdin().read(&mut bytes) {
        // A program that does not read is not told more.
        input.take_if(|input| input.write_all(&bytes[..length]).is_err());
    }
    drop(input);
    while io::stderr().write_all(b"\n").is_ok() {
        thread::sleep(LOOK_INTERVAL);
    }
    lose_parent();
}

/// Does nothing: a program cannot notice who else holds its pipes.
pub fn release_pipes() {}

/// Does nothing: [`limit_memory`] makes the job.
pub fn become_supervisor() {}

/// Puts this process and all that it starts into a job with this limit for each process, which ends with this process.
pub fn limit_memory(bytes: u64) {
    let _ = job::end_children_with_this_process(bytes);
}

/// Fails: the job ends the processes of a program.
pub fn kill_process(_process: Pid, _signal: ProcessSignal) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Fails: programs are not paused, and the job ends their processes.
pub fn kill_process_group(_group: Pid, _signal: ProcessSignal) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Does nothing: the job ends the processes.
pub fn kill_descendants(_process: Pid) {}

/// Returns none: the job knows them.
pub fn descendants(_process: Pid) -> Vec<Pid> {
    Vec::new()
}

/// Returns none: the job knows them.
pub fn children_of_this_process() -> Vec<Pid> {
    Vec::new()
}

/// Returns the program, if it has ended, and how. The call never blocks.
pub fn wait_for_child(_may_block: bool) -> Option<(Pid, Option<ProcessEnd>)> {
    ENDED.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Returns `false`: processes are not stopped.
pub fn is_stopped(_child: Pid) -> bool {
    false
}

pub fn is_in_group(process: Pid, group: Pid) -> bool {
    process == group
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn programs_are_found_by_their_extensions() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["one.exe", "two.cmd", "three", "four.py"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let found = |name: &str| {
            let file = with_extension(&folder.path().join(name), ".COM;.EXE;;.CMD")?;
            Some(file.file_name()?.to_str()?.to_owned())
        };
        assert_eq!(found("one").as_deref(), Some("one.exe"));
        assert_eq!(found("one.exe").as_deref(), Some("one.exe"));
        assert_eq!(found("two").as_deref(), Some("two.cmd"));
        assert_eq!(found("four.py").as_deref(), Some("four.py"));
        for missing in ["three", "four", "one.cmd"] {
            assert_eq!(found(missing), None);
        }
        assert!(find_program("./one", folder.path()).is_some());
    }
}
