//! Real terminals of people who sit apart, two or more at once.

use super::patience::wait_until;
use super::processes::{Process, end, end_all_with};
use super::program::BINARY;
use super::terminal::{Terminal, USUAL_SIZE};
use portable_pty::CommandBuilder;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::rc::Rc;
use tempfile::TempDir;

/// Where somebody sits: a home folder, an environment, and the size of the windows.
///
/// Dropped, it ends all that runs there, also what has left its terminal.
pub struct Desk {
    home: Rc<TempDir>,
    size: (u16, u16),
    environment: Vec<(OsString, OsString)>,
}

impl Desk {
    pub fn new() -> Desk {
        Desk {
            home: Rc::new(tempfile::tempdir().unwrap()),
            size: USUAL_SIZE,
            environment: Vec::new(),
        }
    }

    /// With windows of so many columns and rows.
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

    /// Quadrille in a window.
    pub fn run(&self, arguments: &[&str]) -> Terminal {
        self.start(BINARY, arguments)
    }

    /// Any program in a window.
    pub fn start(&self, program: &str, arguments: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        Terminal::start_at(self.size, command, Rc::clone(&self.home))
    }

    /// The processes with this home that have these arguments and no others, also those that have come through ssh.
    pub fn running(&self, arguments: &str) -> Vec<u32> {
        let processes = Process::with_variable("HOME", self.home());
        let wanted = processes.iter().filter(|process| {
            let words = process.arguments();
            words.get(1..).is_some_and(|words| words.join(" ") == arguments)
        });
        wanted.map(|process| process.id).collect()
    }

    /// Ends them by `kill -9`; there must be some.
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

/// Waits until this text is on all of these screens.
pub fn all_see(terminals: &[&Terminal], text: &str) {
    wait_until(
        text,
        || screens(terminals),
        || terminals.iter().all(|terminal| terminal.sees(text)),
    );
}

/// Waits until this text is on one of these screens, and says on which.
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
