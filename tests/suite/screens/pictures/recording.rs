//! The recording and the screenshots of README.md: everything they show still exists.

use crate::common::terminal::Terminal;
use quadrille_table::catalogue::GAMES;
use std::fs;
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pictures");

/// Starts the program with copies of the records in that directory.
fn start(arguments: &str, copies: &Path) -> Terminal {
    let copy = |word: &str| match word.strip_suffix(".game") {
        Some(_) => copies.join(word).to_str().unwrap().to_owned(),
        None => word.to_owned(),
    };
    let arguments: Vec<String> = arguments.split(' ').map(copy).collect();
    Terminal::run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Presses the keys of a script and finds its texts on the screen; returns the number of scenes.
fn play(script: &str) -> usize {
    let copies = tempfile::tempdir().unwrap();
    for file in fs::read_dir(FOLDER).unwrap().flatten() {
        if file.path().extension().is_some_and(|extension| extension == "game") {
            fs::copy(file.path(), copies.path().join(file.file_name())).unwrap();
        }
    }
    let script = fs::read_to_string(Path::new(FOLDER).join(script)).unwrap();
    let mut terminal: Option<Terminal> = None;
    let mut scenes = 0;
    for line in script.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(arguments) = line.strip_prefix("$ ") {
            if let Some(ended) = terminal.take() {
                ended.leave_by("\x03");
            }
            terminal = Some(start(arguments, copies.path()));
            scenes += 1;
            continue;
        }
        let [keys, _, text] = line.splitn(3, '|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let keys = keys.replace("\\r", "\r").replace("\\t", "\t").replace("\\e", "\x1b");
        terminal.as_mut().unwrap().keys(&keys).wait_for(text);
    }
    terminal.unwrap().leave_by("\x03");
    scenes
}

#[test]
fn recording_script_finds_its_screens() {
    assert_eq!(play("recording.txt"), 3);
}

#[test]
fn screenshot_script_covers_every_game() {
    assert_eq!(play("screenshots.txt"), GAMES.len());
}
