//! Processes of this machine, and ways to end them.

use super::wait::wait_until;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;

pub struct Process {
    pub id: u32,
    pub parent: u32,
    name: String,
    state: char,
}

impl Process {
    pub fn all() -> Vec<Process> {
        let entries = fs::read_dir("/proc").unwrap();
        let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        ids.filter_map(Process::of).collect()
    }

    /// Returns the processes with this environment variable, which children inherit.
    pub fn with_variable(name: &str, value: &Path) -> Vec<Process> {
        let expected = format!("{name}={}", value.display());
        let has_it = |process: &Process| {
            let environment = fs::read(format!("/proc/{}/environ", process.id)).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == expected.as_bytes())
        };
        Process::all().into_iter().filter(has_it).collect()
    }

    /// Returns the arguments, the program first.
    pub fn arguments(&self) -> Vec<String> {
        let line = fs::read_to_string(format!("/proc/{}/cmdline", self.id)).unwrap_or_default();
        line.split_terminator('\0').map(str::to_owned).collect()
    }

    pub fn of(id: u32) -> Option<Process> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let (name, rest) = stat.split_once('(')?.1.rsplit_once(") ")?;
        let mut fields = rest.split(' ');
        let state = fields.next()?.chars().next()?;
        Some(Process { id, parent: fields.next()?.parse().ok()?, name: name.to_owned(), state })
    }
}

/// Stops a process and its descendants, so that none of them starts another; with `only_sshd`, only those of `sshd`.
/// Returns them.
pub fn freeze(id: u32, only_sshd: bool) -> Vec<u32> {
    let mut frozen = vec![id];
    let mut next = 0;
    while let Some(&id) = frozen.get(next) {
        signal(id, Signal::STOP);
        wait_until("process that stands still", String::new, || {
            Process::of(id).is_none_or(|process| "TtZX".contains(process.state))
        });
        let children = Process::all().into_iter().filter(|process| process.parent == id);
        let children = children.filter(|child| !only_sshd || child.name.starts_with("sshd"));
        frozen.extend(children.map(|child| child.id));
        next += 1;
    }
    frozen
}

/// Kills processes with SIGKILL, and waits until they are gone.
pub fn end(ids: &[u32]) {
    for id in ids {
        signal(*id, Signal::KILL);
    }
    wait_until("end of a process", String::new, || {
        ids.iter().all(|id| Process::of(*id).is_none_or(|process| "ZX".contains(process.state)))
    });
}

/// Ignores processes that are gone.
pub fn signal(id: u32, signal: Signal) {
    let _ = kill_process(Pid::from_raw(id as i32).unwrap(), signal);
}

/// Kills all processes with this environment variable, including those started meanwhile.
pub fn end_all_with(name: &str, value: &Path) {
    loop {
        let left = Process::with_variable(name, value);
        if left.is_empty() {
            break;
        }
        end(&left.iter().map(|process| process.id).collect::<Vec<_>>());
    }
}
