//! The recording and the screenshots of README.md: everything they show still exists.

use crate::common::terminal::Terminal;
use portable_pty::CommandBuilder;
use quadrille_table::catalogue::GAMES;
use std::fs;
use std::path::Path;
use std::rc::Rc;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pictures");

/// What a script shows: its scenes and their length.
struct Shown {
    scenes: Vec<String>,
    seconds: f64,
}

/// Starts the program with the arguments of a scene, in a home folder with copies of all records.
fn start(size: &str, arguments: &[&str]) -> Terminal {
    let home = tempfile::tempdir().unwrap();
    for file in fs::read_dir(FOLDER).unwrap().flatten() {
        if file.path().extension().is_some_and(|extension| extension == "game") {
            fs::copy(file.path(), home.path().join(file.file_name())).unwrap();
        }
    }
    let (columns, rows) = size.split_once('x').unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(arguments);
    command.cwd(home.path());
    Terminal::start_at((columns.parse().unwrap(), rows.parse().unwrap()), command, Rc::new(home))
}

/// Presses the keys of a script and finds its texts on the screen.
fn play(script: &str) -> Shown {
    let script = fs::read_to_string(Path::new(FOLDER).join(script)).unwrap();
    let mut terminal: Option<Terminal> = None;
    let mut shown = Shown { scenes: Vec::new(), seconds: 0.0 };
    for line in script.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(scene) = line.strip_prefix("$ ") {
            if let Some(ended) = terminal.take() {
                ended.leave_by("\x03");
            }
            let [name, size, arguments @ ..] = &*scene.split(' ').collect::<Vec<_>>() else {
                panic!("{line}")
            };
            terminal = Some(start(size, arguments));
            shown.scenes.push((*name).to_owned());
            continue;
        }
        let [keys, seconds, text] = line.splitn(3, '|').map(str::trim).collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        shown.seconds += seconds.parse::<f64>().unwrap();
        let keys = keys.replace("\\r", "\r").replace("\\t", "\t").replace("\\e", "\x1b");
        terminal.as_mut().unwrap().keys(&keys).wait_for(text);
    }
    terminal.unwrap().leave_by("\x03");
    shown
}

#[test]
fn recording_script_finds_its_screens() {
    let shown = play("recording.txt");
    assert_eq!(shown.scenes, ["home", "chain", "push", "puzzle"]);
    assert!(shown.seconds <= 25.0, "{} s", shown.seconds);
}

#[test]
fn screenshot_script_covers_every_game() {
    let shown = play("screenshots.txt");
    for game in GAMES {
        assert!(shown.scenes.contains(&format!("{}-play", game.id)), "{}", game.id);
    }
    for scene in shown.scenes {
        assert!(Path::new(FOLDER).join(format!("{scene}.png")).exists(), "{scene}");
    }
}
