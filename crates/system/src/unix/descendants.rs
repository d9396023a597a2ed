//! Child processes and descendants, read from `/proc`. On systems without `/proc`, none are found.

use super::processes::{Pid, ProcessSignal, kill_process};
use crate::read::{self, Limit};
use std::fs;
use std::path::Path;

/// Returns the id of this process.
pub(super) fn own_pid() -> Option<Pid> {
    Pid::from_raw(rustix::process::getpid().as_raw_pid())
}

/// Returns the children of a process. A child that exits during the call may hide a different child, so repeat the call
/// if all children are needed.
pub fn children(process: Pid) -> Vec<Pid> {
    let folder = format!("/proc/{}/task", process.as_raw_pid());
    let listed = numbers(Path::new(&folder)).map(|thread| {
        let text = text(&format!("{folder}/{thread}/children"))?;
        Some(text.split_whitespace().filter_map(pid).collect::<Vec<_>>())
    });
    match listed.collect::<Option<Vec<_>>>() {
        Some(children) => children.concat(),
        // Kernels without CONFIG_PROC_CHILDREN have no `children` files.
        None => numbers(Path::new("/proc"))
            .filter(|number| {
                Kinship::read(number).is_some_and(|kinship| kinship.parent == Some(process))
            })
            .filter_map(|number| pid(&number))
            .collect(),
    }
}

pub fn descendants(process: Pid) -> Vec<Pid> {
    let mut found = children(process);
    let mut at = 0;
    while let Some(&next) = found.get(at) {
        let new: Vec<Pid> =
            children(next).into_iter().filter(|child| !found.contains(child)).collect();
        found.extend(new);
        at += 1;
    }
    found
}

/// Kills all descendants of a process. The process itself must not fork or reap children during the call.
pub fn kill_descendants(process: Pid) {
    // The next round finds processes started during this one. The limit bounds the time spent on a fork bomb.
    const ROUNDS: usize = 100;
    let mut killed = Vec::new();
    for _ in 0..ROUNDS {
        let found = descendants(process);
        if found.iter().all(|descendant| killed.contains(descendant)) {
            break;
        }
        for one in &found {
            let _ = kill_process(*one, ProcessSignal::Kill);
        }
        killed = found;
    }
}

/// Parent, process group and session from `/proc`. The kernel reports 0 for ids outside the PID namespace, and rustix
/// treats 0 as an error.
pub struct Kinship {
    pub parent: Option<Pid>,
    pub group: i32,
    pub session: i32,
}

impl Kinship {
    pub fn of_this_process() -> Option<Kinship> {
        Kinship::read("self")
    }

    pub fn of(process: Pid) -> Option<Kinship> {
        Kinship::read(&process.as_raw_pid().to_string())
    }

    /// Parses `/proc/PID/stat`. Its second field is the command name in parentheses, which may contain spaces and
    /// parentheses.
    fn read(process: &str) -> Option<Kinship> {
        let stat = text(&format!("/proc/{process}/stat"))?;
        let mut words = stat.rsplit_once(')')?.1.split_whitespace().skip(1);
        let mut number = || words.next()?.parse().ok();
        let parent = Pid::from_raw(number()?);
        Some(Kinship { parent, group: number()?, session: number()? })
    }
}

fn pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

fn text(path: &str) -> Option<String> {
    String::from_utf8(read::regular(Path::new(path), Limit::PROCESS).ok()?).ok()
}

/// Returns the folder entries whose names are numbers.
fn numbers(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn child_and_its_descendants_are_found() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "sh -c 'echo; read x; true'; true"]);
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let id = Pid::from_child(&child);
        // Both shells have started once the first output arrives.
        std::io::Read::read(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
        assert!(children(own_pid().unwrap()).contains(&id));
        let inner = children(id);
        assert_eq!(inner.len(), 1, "{inner:?}");
        assert!(descendants(own_pid().unwrap()).contains(&inner[0]));
        assert_eq!(Kinship::of(inner[0]).unwrap().parent, Some(id));
        drop(child.stdin.take());
        child.wait().unwrap();
        assert_eq!(children(id), []);
    }
}
