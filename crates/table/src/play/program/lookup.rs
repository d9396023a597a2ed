//! Finds the files that a program needs to start.

use quadrille_match::session::ProgramSeat;
use quadrille_system::processes::find_program;
use quadrille_system::read::{Limit, Lines};
use std::path::Path;

/// Returns the file that is missing when the program `name` is started: the program itself, or the interpreter of a
/// script. A path is relative to `folder`; a name without `/` is looked up in `PATH`. `None` if nothing is missing.
pub fn missing_file(name: &str, folder: &Path) -> Option<String> {
    let Some(file) = find_program(name, folder) else { return Some(name.to_owned()) };
    let interpreter = interpreter(&file)?;
    let is_there = folder.join(&interpreter).is_file();
    (!is_there).then(|| format!("{interpreter}, the interpreter of {name}"))
}

/// Returns the file that is missing when this program is started from `folder`; `None` if nothing is missing.
pub fn missing_program(program: &ProgramSeat, folder: &Path) -> Option<String> {
    missing_file(program.words().first()?, folder)
}

/// Returns the interpreter in the first line of a script. A script with the line ends of Windows names an interpreter
/// that ends in a carriage return.
fn interpreter(script: &Path) -> Option<String> {
    let mut lines = Lines::of(script, Limit::INTERPRETER).ok()?;
    let line = lines.next_line().ok()??.strip_prefix(b"#!")?;
    let line = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line));
    let blank = [' ', '\t'];
    let word = line.trim_matches(blank).split(blank).next();
    word.filter(|word| !word.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[cfg(unix)]
    #[test]
    fn missing_interpreter_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = |first_line: &[u8]| {
            fs::write(folder.path().join("bot"), first_line).unwrap();
            missing_file("./bot", folder.path())
        };
        let lacks = |interpreter: &str| Some(format!("{interpreter}, the interpreter of ./bot"));
        assert_eq!(missing(b"#!/no/such/python3 -u\nprint()\n"), lacks("/no/such/python3"));
        assert_eq!(missing(b"#!\t /no/such/python3"), lacks("/no/such/python3"));
        assert_eq!(missing(b"#!/bin/sh\r\n"), lacks("/bin/sh\r"));
        for fine in [&b"#!/bin/sh\n"[..], b"#! /bin/sh -e\n", b"\x7fELF", b"", b"#!", b"#!\n"] {
            assert_eq!(missing(fine), None, "{}", fine.escape_ascii());
        }
        assert_eq!(missing_file("./other", folder.path()), Some("./other".to_owned()));
        assert_eq!(missing_file("no-such-program", folder.path()).unwrap(), "no-such-program");
        assert_eq!(missing_file("sh", folder.path()), None);
    }
}
