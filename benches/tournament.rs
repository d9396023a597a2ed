//! Tournament speed, and overhead beyond the playing programs.
//!
//! Measures the games of Tic-tac-toe per second of the built-in fast levels; the extra time of a Join the Dots
//! tournament between two Python programs over asking them the same positions directly through their pipes; and the
//! time of a Tic-tac-toe tournament between two programs that also answer queries about the state of the game. If
//! `QUADRILLE_CUTEGAMES` is the path of cutegames, another tournament runner, it plays as many games of these two
//! programs.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use quadrille_rules::Setup;
use quadrille_table::catalogue;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
const BOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/tournament/bot.py");

fn main() {
    if std::env::args().any(|argument| argument == "--bench") {
        let folders = Folders::default();
        ours(&folders);
        programs(&folders);
        programs_that_answer_queries(&folders);
    }
}

/// Temporary directories, all kept until the end: on ext4, creating files soon after removing others is slow.
#[derive(Default)]
struct Folders(RefCell<Vec<TempDir>>);

impl Folders {
    fn make(&self) -> PathBuf {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        self.0.borrow_mut().push(folder);
        path
    }
}

/// Plays a new tournament in a directory. Returns its duration.
fn play(folder: &Path, toml: &str) -> Duration {
    fs::write(folder.join("t.toml"), toml).unwrap();
    let begun = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(["tournament", "t.toml"]).current_dir(folder);
    for kind in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
        command.env(kind, folder);
    }
    let done = command.stdin(Stdio::null()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    begun.elapsed()
}

fn games(folder: &Path) -> usize {
    fs::read_to_string(folder.join("out/games.jsonl")).unwrap().lines().count()
}

fn ours(folders: &Folders) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for concurrency in [1, cores] {
        let folder = folders.make();
        let took = play(
            &folder,
            &format!(
                "game = \"tic-tac-toe\"\nrounds = 5000\nconcurrency = {concurrency}\nout = \"out\"\n\
                 [[players]]\nengine = \"beginner\"\n[[players]]\nengine = \"casual\"\n"
            ),
        );
        let games = games(&folder);
        let rate = games as f64 / took.as_secs_f64();
        println!(
            "{games} games of our own, {concurrency} at once: {:.2} s, {rate:.0} a second",
            took.as_secs_f64()
        );
    }
}

/// Alternates the tournament and the bare programs, so that background load affects both, and takes the best time of
/// each.
fn programs(folders: &Folders) {
    const REPEATS: usize = 5;
    for setups in [50, 500] {
        let (mut took, mut bare) = (Duration::MAX, Duration::MAX);
        let (mut all, mut moves) = (0, 0);
        for _ in 0..REPEATS {
            let folder = folders.make();
            let file = format!(
                "game = \"join-the-dots\"\nsetups = [\"layout=random:10 seed=1..{setups}\"]\n\
                 out = \"out\"\n\
                 [[players]]\nname = \"random\"\ncommand = \"python3 '{ASSETS}/bots/random_mover.py'\"\n\
                 [[players]]\nname = \"greedy\"\ncommand = \"python3 '{ASSETS}/bots/greedy.py'\"\n"
            );
            took = took.min(play(&folder, &file));
            all = games(&folder);
            let asked: Vec<_> = (1..=all).map(|game| questions(&folder, game)).collect();
            moves = asked.iter().map(Vec::len).sum();
            bare = bare.min(by_themselves(&asked));
        }
        let (took, bare) = (took.as_secs_f64(), bare.as_secs_f64());
        let more = 100.0 * (took / bare - 1.0);
        println!(
            "{all} games of two programs, {moves} moves: {took:.2} s; the programs by themselves \
             {bare:.2} s; {more:+.0} %"
        );
    }
}

/// Returns the time that the two programs take to start and to answer all questions.
fn by_themselves(asked: &[Vec<(String, String)>]) -> Duration {
    let begun = Instant::now();
    let mut bots =
        ["random_mover", "greedy"].map(|name| Bare::new(&format!("{ASSETS}/bots/{name}.py")));
    for (game, positions) in asked.iter().enumerate() {
        for bot in &mut bots {
            bot.send("uginewgame\n");
        }
        for (ply, (position, legal)) in positions.iter().enumerate() {
            // The programs swap seats each game. Only the first one, random_mover.py, is sent the legal moves.
            let bot = (game + ply) % 2;
            let legal = if bot == 0 { legal } else { "" };
            bots[bot].ask(&format!("{position}{legal}go movetime 1000\n"), "bestmove");
        }
    }
    drop(bots);
    begun.elapsed()
}

/// Returns the questions of a game: for each move the position and the legal moves.
fn questions(folder: &Path, game: usize) -> Vec<(String, String)> {
    let record = fs::read_to_string(folder.join(format!("out/games/{game:04}.game"))).unwrap();
    let tag = record.lines().find_map(|line| line.strip_prefix("[Setup \"")).unwrap();
    let setup: Setup = tag.trim_end_matches("\"]").parse().unwrap();
    let moves = record.lines().filter(|line| !line.starts_with('['));
    let moves: Vec<&str> = moves.flat_map(str::split_whitespace).collect();
    let mut state = (catalogue::find("join-the-dots").unwrap().start)(&setup).unwrap();
    let question_at = |ply: usize| {
        let legal = state.legal_moves().join(" ");
        state.play(moves[ply]).unwrap();
        let played =
            if ply == 0 { String::new() } else { format!(" moves {}", moves[..ply].join(" ")) };
        (format!("position fen {setup}{played}\n"), format!("legal {legal}\n"))
    };
    (0..moves.len()).map(question_at).collect()
}

struct Bare {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Bare {
    fn new(path: &str) -> Bare {
        let mut command = Command::new("python3");
        let child = command.arg(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut bare = Bare { child, input, output: BufReader::new(output) };
        bare.ask("ugi\n", "ugiok");
        bare.ask("isready\n", "readyok");
        bare
    }

    fn send(&mut self, lines: &str) {
        self.input.write_all(lines.as_bytes()).unwrap();
    }

    fn ask(&mut self, lines: &str, answer: &str) {
        self.send(lines);
        let mut line = String::new();
        while !line.starts_with(answer) {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "{lines}");
        }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.input.write_all(b"quit\n");
        let _ = self.child.wait();
    }
}

const GAMES: usize = 200;

fn programs_that_answer_queries(folders: &Folders) {
    let folder = folders.make();
    let player =
        |name: &str| format!("[[players]]\nname = \"{name}\"\ncommand = \"python3 '{BOT}'\"\n");
    let took = play(
        &folder,
        &format!(
            "game = \"tic-tac-toe\"\nrounds = {}\nout = \"out\"\n{}{}",
            GAMES / 2,
            player("a"),
            player("b")
        ),
    );
    println!(
        "{} games of two programs that answer queries: {:.2} s",
        games(&folder),
        took.as_secs_f64()
    );
    if let Some(path) = std::env::var_os("QUADRILLE_CUTEGAMES") {
        cutegames(&path, &folder);
    }
}

/// Plays as many games of the same two programs under cutegames.
fn cutegames(path: &OsStr, folder: &Path) {
    let engine = |name: &str| serde_json::json!({ "name": name, "path": "python3", "parameters": BOT, "protocol": "UGI" });
    let settings = serde_json::json!({
        "game": "generic", "games": GAMES, "concurrency": 1, "ratinginterval": 100, "verbose": false,
        "tournament": "roundrobin", "debug": false,
        "protocol": { "askturn": true, "gameover": "both" },
        "openings": { "path": "openings", "repeat": true, "shuffle": false },
        "adjudication": { "timeoutbuffer": 25, "maxfullmoves": 300 },
        "timecontrol": { "type": "movetime", "time": 1000 },
        "options": {},
        "pgn": { "enabled": false },
        "engines": [engine("a"), engine("b")],
    });
    fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
    fs::write(folder.join("openings"), "startpos\n").unwrap();
    let begun = Instant::now();
    let mut command = Command::new(path);
    let done = command.args(["--settings", "settings.json"]).current_dir(folder).output().unwrap();
    let took = begun.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&done.stdout);
    let line = |start: &str| said.lines().rev().find(|line| line.starts_with(start)).unwrap_or("");
    println!(
        "the same under cutegames: {took:.2} s; {}; {}",
        line("Games finished"),
        line("Score")
    );
}
