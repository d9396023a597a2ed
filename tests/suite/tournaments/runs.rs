//! Tournaments played by the real program: killed, played in parts, and with programs that fail.

use crate::common::bots::{Process, is_gone, processes, until};
use crate::common::chance::Chance;
use crate::common::program::BINARY;
use quadrille_arena::tournament::{Ending, GameLine};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// A folder with the file of a tournament, and the state of the program.
pub(super) struct TournamentFolder {
    folder: TempDir,
}

/// Time that is enough for a move on a busy machine.
const LONG: &str = "time = \"move:600\"\n";

pub(super) const CASUAL: &str = "[[players]]\nengine = \"casual\"\n";
pub(super) const BEGINNER: &str = "[[players]]\nengine = \"beginner\"\n";

impl TournamentFolder {
    /// A tournament of this game, with these further lines.
    pub(super) fn new(game: &str, lines: &str) -> TournamentFolder {
        let field = TournamentFolder { folder: tempfile::tempdir().unwrap() };
        field.describe(game, lines);
        field
    }

    /// A tournament between programs, each with its name and what it does before a move, and the players in `rest`,
    /// which may begin with lines about the last program.
    pub(super) fn with_programs(
        game: &str,
        lines: &str,
        programs: &[(&str, &str)],
        rest: &str,
    ) -> TournamentFolder {
        let player = |(name, _): &(&str, &str)| {
            format!("[[players]]\nname = \"{name}\"\ncommand = \"sh {name}.sh\"\n")
        };
        let players: String = programs.iter().map(player).collect();
        let field = TournamentFolder::new(game, &format!("{lines}\n{players}{rest}"));
        for (name, go) in programs {
            fs::write(field.path(&format!("{name}.sh")), bot(go)).unwrap();
        }
        field
    }

    pub(super) fn describe(&self, game: &str, lines: &str) {
        let (keys, players) = lines.split_at(lines.find("[[").unwrap_or(lines.len()));
        let levels = [CASUAL, BEGINNER].concat();
        let players = if players.is_empty() { &levels } else { players };
        let out = if keys.contains("out =") { "" } else { "out = \"results\"\n" };
        let text = format!("game = \"{game}\"\n{keys}\n{out}\n{players}");
        fs::write(self.path("t.toml"), text).unwrap();
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.unforced(words);
        // The machine may have a single core.
        command
            .args(words.iter().any(|word| word.contains(".toml")).then_some("--force-concurrency"));
        command
    }

    /// The same where it matters how many cores the machine has.
    pub(super) fn unforced(&self, words: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command.arg("tournament").args(words).current_dir(self.folder.path());
        for name in ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(name, self.path("home"));
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(super) fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    pub(super) fn start(&self, words: &[&str]) -> Child {
        self.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The same, with its output in pipes.
    pub(super) fn spawn(&self, words: &[&str]) -> Child {
        self.command(words).spawn().unwrap()
    }

    /// Plays it to its end, and returns the output.
    pub(super) fn play(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}", said(&output.stderr));
        said(&output.stdout)
    }

    /// The one line that says why it is not played.
    pub(super) fn refused(&self, words: &[&str], status: i32) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        let line = said.lines().last().unwrap_or_default();
        line.strip_prefix("quadrille: ").unwrap_or(line).to_owned()
    }

    pub(super) fn lines(&self, folder: &str) -> Vec<GameLine> {
        let text = fs::read_to_string(self.path(folder).join("games.jsonl")).unwrap_or_default();
        // The last line can be half written.
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// All files of a folder, without the days that the records were written on.
    pub(super) fn files(&self, folder: &str) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        read_all(&self.path(folder), "", &mut files);
        files
    }
}

fn read_all(folder: &Path, name: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{name}/{}", entry.file_name().display());
        if entry.file_type().unwrap().is_dir() {
            read_all(&entry.path(), &name, files);
        } else {
            let text = fs::read_to_string(entry.path()).unwrap();
            let lines = text.lines().filter(|line| !line.starts_with("[Date "));
            files.insert(name, lines.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// Checks that both have the same files with the same contents.
pub(super) fn same(left: &BTreeMap<String, String>, right: &BTreeMap<String, String>) {
    let differs = |name: &&String| left.get(*name) != right.get(*name);
    if let Some(name) = left.keys().chain(right.keys()).find(differs) {
        panic!("{name}:\n{:?}\n{:?}", left.get(name), right.get(name));
    }
}

/// Many short games on two maps between three players.
const MANY: &str = "setups = [\"layout=circle:5..6\", \"layout=random:6 seed=3\"]\nrounds = 100\n\
    openings = { plies = 1 }\nconcurrency = 2\nmax_plies = 8\n[[players]]\nengine = \"casual\"\n\
    [[players]]\nengine = \"beginner\"\n[[players]]\nname = \"third\"\nengine = \"casual,seed=9\"\n";

/// And the games are the same however many are played at once.
#[test]
fn tournament_killed_twenty_times_equals_an_unbroken_one() {
    let [alone, killed] = ["1", "4"].map(|at_once| {
        let lines = MANY.replace("concurrency = 2", &format!("concurrency = {at_once}"));
        TournamentFolder::new("join-the-dots", &lines)
    });
    alone.play(&["t.toml"]);
    let mut chance = Chance(7);
    let mut before = 0;
    for kill in 0..20 {
        let mut child = killed.start(&["t.toml"]);
        thread::sleep(Duration::from_millis(chance.below(120) as u64));
        if kill % 4 == 0 {
            // A signal that the program can handle.
            let pid = rustix::process::Pid::from_child(&child);
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        } else {
            child.kill().unwrap();
        }
        child.wait().unwrap();
        let there = killed.lines("results").len();
        assert!(there >= before, "none is lost");
        before = there;
    }
    killed.play(&["t.toml"]);
    assert_eq!(killed.lines("results").len(), 3 * 2 * 3 * 100);
    same(&alone.files("results"), &killed.files("results"));
}

#[test]
fn merged_shards_equal_the_whole() {
    let field = TournamentFolder::new("join-the-dots", MANY);
    field.play(&["t.toml"]);
    let setups = field.lines("results").into_iter().map(|line| line.setup).take(18);
    assert!(!setups.is_sorted(), "the order is shuffled");
    for part in ["1/3", "2/3", "3/3"] {
        field.play(&["t.toml", "--shard", part]);
    }
    let [one, two, three] = ["results/1-of-3", "results/2-of-3", "results/3-of-3"];
    let table = field.play(&["merge", three, one, two, "--out", "merged"]);
    let whole = field.files("results");
    let whole = whole.into_iter().filter(|(name, _)| !name.contains("-of-3"));
    let whole: BTreeMap<_, _> = whole.collect();
    same(&field.files("merged"), &whole);
    assert_eq!(table.trim_end(), whole["/table.txt"].trim_end());
    // Parts can be added one after the other.
    field.play(&["merge", one, "--out", "merged2", "--partial"]);
    field.play(&["merge", one, two, three, "--out", "merged2"]);
    same(&field.files("merged2"), &whole);
    // All files have the same permissions.
    let mode = |name: &str| fs::metadata(field.path(name)).unwrap().permissions().mode();
    for name in ["results/games.jsonl", "results/table.json", "merged/table.txt"] {
        assert_eq!(mode(name), mode("results/games/0001.game"), "{name}");
    }
    // A merged tournament can be resumed, and is complete.
    field.describe("join-the-dots", &MANY.replacen("rounds", "out = \"merged\"\nrounds", 1));
    field.play(&["t.toml"]);
    same(&field.files("merged"), &whole);
}

/// A folder of an earlier build says nothing of an order, and was played in that of the file.
#[test]
fn started_tournament_keeps_its_order() {
    let setups = "setups = [\"layout=circle:5..9\", \"layout=random:5 seed=1..5\"]\nmax_plies = 3";
    let field = TournamentFolder::new("join-the-dots", setups);
    field.play(&["t.toml", "--shard", "1/2"]);
    let given = format!("order = \"given\"\nout = \"old\"\n{setups}");
    field.describe("join-the-dots", &given);
    field.play(&["t.toml", "--shard", "1/2"]);
    let setups_of = |folder: &str| -> Vec<String> {
        field.lines(folder).into_iter().map(|line| line.setup).collect()
    };
    let (old, new) = (setups_of("old/1-of-2"), setups_of("results/1-of-2"));
    assert!(old.is_sorted() && !new.is_sorted(), "{new:?}");

    let head = field.path("old/1-of-2/schedule.json");
    let mut terms: Value = serde_json::from_slice(&fs::read(&head).unwrap()).unwrap();
    for key in ["order", "kinds"] {
        assert!(terms.as_object_mut().unwrap().remove(key).is_some(), "{key}");
    }
    fs::write(&head, terms.to_string()).unwrap();
    let lines = field.path("old/1-of-2/games.jsonl");
    let first = fs::read_to_string(&lines).unwrap().lines().next().unwrap().to_owned() + "\n";
    fs::write(&lines, first).unwrap();
    field.describe("join-the-dots", &given.replace("order = \"given\"\n", ""));
    for part in ["1/2", "2/2"] {
        field.play(&["t.toml", "--shard", part]);
    }
    assert_eq!(setups_of("old/1-of-2"), old);
    // The kinds, which that build did not write either, are there for the merge.
    assert!(fs::read_to_string(&head).unwrap().contains("\"layout=circle\""));
    field.play(&["merge", "old/1-of-2", "old/2-of-2", "--out", "merged"]);
    assert!(setups_of("merged").is_sorted());
    let table = fs::read_to_string(field.path("merged/table.txt")).unwrap();
    assert!(table.contains("\nlayout=circle\n"), "{table}");
    field.describe("join-the-dots", &given.replace("given", "shuffled"));
    assert!(
        field
            .refused(&["t.toml", "--shard", "1/2"], 1)
            .contains("order was \"given\" and is \"shuffled\"")
    );
}

#[test]
fn merge_names_missing_shards_and_games() {
    let field = TournamentFolder::new("tic-tac-toe", "rounds = 4");
    field.play(&["t.toml", "--shard", "1/3"]);
    field.play(&["t.toml", "--shard", "3/3"]);
    let path = field.path("results/3-of-3/games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.lines().next().unwrap().to_owned() + "\n").unwrap();
    let parts = ["merge", "results/1-of-3", "results/3-of-3", "--out", "merged"];
    let missing = "part 2/3 is missing, with 2 games\nresults/3-of-3: 1 of 2 games is missing\n";
    let said = |output: Output| (output.status.code(), String::from_utf8(output.stderr).unwrap());
    let why = "nothing merged: 3 of 8 games are missing; add --partial to merge the rest\n";
    assert_eq!(said(field.run(&parts)), (Some(1), format!("{missing}{why}")));
    assert!(!field.path("merged").exists());
    let partial = said(field.run(&[&parts[..], &["--partial"]].concat()));
    assert_eq!(partial, (Some(0), format!("{missing}merged has 5 of 8 games.\n")));
    let last = ["merge", "results/3-of-3", "--out", "merged"];
    assert!(said(field.run(&last)).1.starts_with("parts 1/3 to 2/3 are missing, with 6 games\n"));
    assert_eq!(
        field.lines("merged").iter().map(|line| line.game).collect::<Vec<_>>(),
        [1, 2, 5, 7, 8]
    );
}

/// A part that was killed before it wrote its schedule is missing, like one that was never started.
#[test]
fn merge_counts_an_unwritten_part_as_missing() {
    let field = TournamentFolder::new("tic-tac-toe", "rounds = 4");
    field.play(&["t.toml", "--shard", "1/2"]);
    fs::create_dir_all(field.path("results/2-of-2/games")).unwrap();
    fs::write(field.path("results/2-of-2/.quadrille-schedule.json"), "").unwrap();
    let parts = ["merge", "results/1-of-2", "results/2-of-2", "--out", "merged"];
    let said = field.run(&parts);
    let expected = "part 2/2 is missing, with 4 games\n\
        nothing merged: 4 of 8 games are missing; add --partial to merge the rest\n";
    assert_eq!(String::from_utf8(said.stderr).unwrap(), expected);
    field.play(&[&parts[..], &["--partial"]].concat());
    assert_eq!(field.lines("merged").len(), 4);
    let only = ["merge", "--partial", "results/2-of-2", "--out", "other"];
    assert_eq!(field.refused(&only, 1), "nothing merged: no part has been started");
    // A folder with anything else in it is a mistake.
    fs::write(field.path("results/2-of-2/games/0001.game"), "").unwrap();
    assert!(field.refused(&parts, 1).starts_with("results/2-of-2/schedule.json: "));
}

#[test]
fn merge_refuses_shards_of_different_tournaments() {
    let field = TournamentFolder::new("tic-tac-toe", "rounds = 4");
    field.play(&["t.toml", "--shard", "1/2"]);
    field.play(&["t.toml", "--shard", "2/3"]);
    field.describe("tic-tac-toe", "rounds = 5\nout = \"other\"");
    field.play(&["t.toml", "--shard", "2/2"]);
    let refused = |parts: &[&str]| {
        let words = [&["merge"], parts, &["--out", "merged"]].concat();
        field.refused(&words, 1)
    };
    assert_eq!(
        refused(&["results/1-of-2", "other/2-of-2"]),
        "other/2-of-2: not a part of the tournament in results/1-of-2: rounds was 4 and is 5"
    );
    assert!(
        refused(&["results/1-of-2", "results/2-of-3"])
            .contains("the number of parts was 2 and is 3")
    );
    assert!(refused(&["results/1-of-2", "results/1-of-2"]).contains("part 1/2 is already in "));
    assert!(refused(&["nowhere"]).starts_with("nowhere/schedule.json: "));
    assert!(!field.path("merged").exists());
    let itself = ["merge", "results/1-of-2", "--out", "results/1-of-2", "--partial"];
    assert!(field.refused(&itself, 1).ends_with("cannot be merged into itself"));
    assert!(field.refused(&["t.toml", "--shard", "3/2"], 2).contains("1/8, the first of eight"));
}

#[test]
fn results_folder_refuses_another_tournament() {
    let field = TournamentFolder::new("tic-tac-toe", "rounds = 2\nconcurrency = 1");
    field.play(&["t.toml"]);
    let before = field.files("results");
    field.describe("tic-tac-toe", "rounds = 1\nconcurrency = 1");
    assert_eq!(
        field.refused(&["t.toml"], 1),
        "results: this folder belongs to another tournament: rounds was 2 and is 1; undo that change, or choose another folder"
    );
    field.describe("tic-tac-toe", "rounds = 2\nconcurrency = 3");
    field.play(&["t.toml"]);
    same(&field.files("results"), &before);
    fs::rename(field.path("results"), field.path("moved")).unwrap();
    field.describe("tic-tac-toe", "rounds = 2\nout = \"moved\"");
    field.play(&["t.toml"]);
    same(&field.files("moved"), &before);
}

#[test]
fn results_folder_refuses_a_second_process() {
    let slow = [("slow", "sleep 1000")];
    let field = TournamentFolder::with_programs("tic-tac-toe", "time = \"move:60\"", &slow, CASUAL);
    let mut first = field.start(&["t.toml"]);
    let lines = field.path("results/games.jsonl");
    while !lines.exists() {
        assert_eq!(first.try_wait().unwrap(), None);
        thread::sleep(Duration::from_millis(5));
    }
    let refused = field.refused(&["t.toml"], 1);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(refused, "results: another process is running a tournament in this folder");
}

#[test]
fn damaged_game_list_is_reported_with_its_line_and_kept() {
    let field = TournamentFolder::new("tic-tac-toe", "rounds = 4");
    field.play(&["t.toml"]);
    let whole = field.files("results");
    let path = field.path("results/games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let damaged = |text: String| {
        fs::write(&path, &text).unwrap();
        let why = field.refused(&["t.toml"], 1);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        why
    };
    let first = text.lines().next().unwrap();
    assert!(
        damaged(text.replacen("\"game\":2", "\"game\":9", 1))
            .contains("results/games.jsonl: line 2: no game 9 in this schedule")
    );
    assert!(damaged(format!("{text}{first}\n")).contains("line 9: duplicate game 1"));
    assert!(damaged(text.replacen("Casual", "Carla", 1)).contains("line 1: this is not game 1"));
    assert!(damaged(format!("x\n{text}")).contains("games.jsonl: line 1: expected value"));
    // A game whose line was cut or whose record is missing is played again.
    fs::write(&path, &text[..text.len() - 9]).unwrap();
    fs::remove_file(field.path("results/games/0003.game")).unwrap();
    field.play(&["t.toml"]);
    same(&field.files("results"), &whole);
}

#[test]
fn game_with_a_torn_record_is_replayed() {
    type Tear = dyn Fn(&[u8]) -> Vec<u8>;
    let field = TournamentFolder::new("tic-tac-toe", "rounds = 4");
    field.play(&["t.toml"]);
    let whole = field.files("results");
    let tear: [&Tear; 6] = [
        &|_| Vec::new(),
        &|bytes| bytes[..bytes.len() - 1].to_vec(),
        &|bytes| bytes[..bytes.len() - 2].to_vec(),
        &|bytes| bytes[..bytes.len() / 2].to_vec(),
        &|bytes| vec![0; bytes.len()],
        &|bytes| [&bytes[..bytes.len() - 1], b"\0"].concat(),
    ];
    for (game, tear) in (1..).zip(tear) {
        let path = field.path(&format!("results/games/{game:04}.game"));
        let torn = tear(&fs::read(&path).unwrap());
        fs::write(&path, torn).unwrap();
    }
    field.play(&["t.toml"]);
    same(&field.files("results"), &whole);
}

/// Plays the first legal move; with lines of its own before each.
pub(super) fn bot(go: &str) -> String {
    format!(
        "echo start >>\"$0.log\"\nwhile read -r word rest; do\n echo \"$word $rest\" >>\"$0.log\"\n case $word in\n\
         ugi) echo 'option name Legal type check default true'\n  echo 'option name Seed type spin default 0 min 0 max 9'\n  echo ugiok;;\n\
         isready) echo readyok;;\n legal) move=${{rest%% *}};;\n quit) exit;;\n\
         go) {go}\n  echo bestmove $move;;\n esac\ndone\n"
    )
}

#[test]
fn game_endings_are_distinguished() {
    let programs = [
        ("good", ":"),
        ("liar", "move=z9"),
        ("dead", "echo oops >&2; exit 3"),
        ("mute", "sleep 1000"),
    ];
    let lines = "time = \"move:5\"\nconcurrency = 3";
    let field = TournamentFolder::with_programs("tic-tac-toe", lines, &programs, "");
    let output = field.run(&["t.toml"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("crash by dead: exited with 3: oops"), "{said}");
    assert!(said.contains(" s of 5.00 by mute"), "{said}");
    assert!(said.contains("illegal move \"z9\" by liar"), "{said}");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("The stderr of dead is in "), "{notes}");
    let mut seen = BTreeMap::new();
    for line in field.lines("results") {
        let by = line.by.map(|seat| line.players[usize::from(seat)].clone());
        // Each start has a log of its own, if something was written.
        let log = field.path(&format!("results/logs/{:04}-dead.log", line.game));
        let detail = line.detail.clone().unwrap_or_default();
        match (by.as_deref(), line.termination) {
            (Some("dead"), _) => {
                assert_eq!(detail, "exited with 3: oops");
                assert_eq!(fs::read_to_string(log).unwrap(), "sh dead.sh\noops\n");
            }
            (Some("mute"), _) => {
                let (took, allowed) = detail.rsplit_once(" s of ").unwrap();
                let took = took.strip_prefix("no answer after ").unwrap();
                assert!(allowed == "5.00" && took.parse::<f64>().unwrap() >= 5.0, "{detail}");
            }
            (Some(_), _) => assert_eq!(detail, "illegal move \"z9\""),
            (None, _) => assert_eq!(line.detail, None),
        }
        if let Some(by) = &by {
            let loser = usize::from(line.by.unwrap());
            assert_eq!((line.points[loser].halves, line.points[1 - loser].halves), (0, 2), "{by}");
        }
        seen.entry((by, line.termination)).and_modify(|count| *count += 1).or_insert(1);
        let record = fs::read_to_string(field.path("results").join(&line.record)).unwrap();
        assert_eq!(record.contains("[Termination \"forfeit: "), line.by.is_some(), "{record}");
    }
    let named = |name: &str| Some(name.to_owned());
    let expected = [
        ((named("dead"), Ending::Crash), 4),
        ((named("liar"), Ending::IllegalMove), 4),
        ((named("mute"), Ending::NoAnswer), 4),
    ];
    // The two that fail meet each other too, and the one at the first seat fails first.
    assert_eq!(seen.values().sum::<i32>(), 12);
    for ((who, ending), _) in &expected {
        assert!(seen.keys().any(|key| key == &(who.clone(), *ending)), "{seen:?}");
    }
    assert!(seen.keys().all(|key| expected.iter().any(|(failure, _)| failure == key)), "{seen:?}");
    let logs = fs::read_dir(field.path("results/logs")).unwrap();
    let names: Vec<_> =
        logs.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().all(|name| name.ends_with("-dead.log")), "{names:?}");
    // A program that does not fail is started once for each game at a time, and is told of each new
    // game.
    let log = fs::read_to_string(field.path("good.sh.log")).unwrap();
    assert!(log.matches("start\n").count() <= 3, "{log}");
    // It was not asked in games where the other moved first and failed.
    let told = log.matches("uginewgame").count();
    assert!((3..=6).contains(&told), "{log}");
    let seeds: std::collections::BTreeSet<_> =
        log.lines().filter(|line| line.starts_with("setoption name Seed")).collect();
    assert!(seeds.len() > 1, "{seeds:?}");
}

/// However the tournament ends, no process is left of a program that has stopped the one that would end it.
#[test]
fn tournament_end_kills_programs_with_a_stopped_supervisor() {
    for (name, number) in [("TERM", 15), ("KILL", 9)] {
        let field = TournamentFolder::new("tic-tac-toe", "");
        let program = field.path("bot.sh");
        fs::write(&program, bot("kill -STOP $PPID; sleep 1000")).unwrap();
        let player =
            format!("[[players]]\nname = \"bot\"\ncommand = \"sh {}\"\n", program.display());
        let lines = format!("{LONG}{player}[[players]]\nengine = \"casual\"\n");
        field.describe("tic-tac-toe", &lines);
        let mut child = field.start(&["t.toml"]);
        let is_stopped = |process: &Process| process.is_supervisor && process.state == 'T';
        until("a stopped supervisor, or the end", || {
            processes(field.folder.path()).iter().any(is_stopped)
                || child.try_wait().unwrap().is_some()
        });
        // The games may be forfeited before anybody sees the supervisor stand still.
        if child.try_wait().unwrap().is_none() {
            let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
            assert!(sent.unwrap().success());
            let signal = child.wait().unwrap().signal();
            assert!(signal.is_none_or(|signal| signal == number), "{signal:?}");
        }
        is_gone(field.folder.path());
    }
}

#[test]
fn tournament_without_threads_fails_in_one_line() {
    let field = TournamentFolder::new("tic-tac-toe", "");
    // What a thread needs is more than there is.
    let output =
        field.command(&["t.toml"]).env("RUST_MIN_STACK", "70368744177664").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let why = "cannot start a game thread: Resource temporarily unavailable (os error 11)\n";
    assert_eq!((output.status.code(), &*said), (Some(1), why));
}

/// With this little memory, two hundred games at once would end the program.
#[test]
fn little_memory_reduces_concurrency() {
    let field = TournamentFolder::new("tic-tac-toe", "rounds = 100\nconcurrency = 200\n");
    let mut limited = Command::new("sh");
    let limit = "ulimit -v 1000000; exec \"$0\" \"$@\"";
    limited.args(["-c", limit, BINARY, "tournament", "t.toml"]).current_dir(field.folder.path());
    for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
        limited.env(name, field.path("home"));
    }
    let output = limited.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    assert_eq!(field.lines("results").len(), 200);
    assert!(said.contains("Only ") && said.contains("games ran at once"), "{said}");
}

#[test]
fn restart_option_starts_a_program_for_each_game() {
    let (lines, rest) = (format!("rounds = 2\n{LONG}"), format!("restart = true\n{BEGINNER}"));
    let field = TournamentFolder::with_programs("tic-tac-toe", &lines, &[("good", ":")], &rest);
    field.play(&["t.toml"]);
    let log = fs::read_to_string(field.path("good.sh.log")).unwrap();
    assert_eq!(log.matches("start\n").count(), 4, "{log}");
}

/// Also a program that is not in this game, but has played before.
#[cfg(target_os = "linux")]
#[test]
fn idle_programs_are_stopped_while_another_thinks() {
    let names = ["one", "two", "three"];
    // Each writes what state the others are in that have moved before: T if they are stopped. It waits for that, but
    // not for ever.
    let look = "for file in *.pid; do\n  [ -e \"$file\" ] || continue\n  pid=$(cat \"$file\")\n  [ $pid = $$ ] && continue\n  \
                for try in $(seq 100); do\n   read -r line </proc/$pid/stat\n   \
                line=${line##*) }; state=${line%% *}\n   [ $state = T ] && break\n   sleep 0.1\n  done\n  \
                echo $state $file >>\"$0.states\"\n  done\n  echo $$ >\"$0.pid\"";
    let lines = format!("{LONG}max_plies = 4");
    let programs = names.map(|name| (name, look));
    let field = TournamentFolder::with_programs("tic-tac-toe", &lines, &programs, "");
    field.play(&["t.toml"]);
    for name in names {
        let states = fs::read_to_string(field.path(&format!("{name}.sh.states"))).unwrap();
        for other in names.iter().filter(|other| **other != name) {
            assert!(states.contains(&format!("T {other}.sh.pid")), "{name}: {states}");
        }
        assert!(states.lines().all(|line| line.starts_with("T ")), "{name}: {states}");
    }
}

#[test]
fn a_player_without_time_loses_on_time() {
    let (lines, mute) = ("time = \"5+0.1\"\nconcurrency = 2", [("mute", "sleep 1000")]);
    let field = TournamentFolder::with_programs("tic-tac-toe", lines, &mute, BEGINNER);
    field.play(&["t.toml"]);
    for line in field.lines("results") {
        let by = line.by.map(|seat| &*line.players[usize::from(seat)]);
        assert_eq!((line.termination, by), (Ending::Time, Some("mute")));
        let record = fs::read_to_string(field.path("results").join(&line.record)).unwrap();
        assert!(record.contains("[Clock \"5+0.1\"]"), "{record}");
    }
}

#[test]
fn endless_games_are_drawn() {
    let field = TournamentFolder::new("quixo", "max_plies = 5\nopenings = { plies = 2 }");
    field.play(&["t.toml"]);
    for line in field.lines("results") {
        assert_eq!((line.termination, line.plies, line.by), (Ending::Limit, 5, None));
        assert_eq!(line.points.iter().map(|points| points.halves).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(line.opening.len(), 2);
    }
    let lines = field.lines("results");
    assert_eq!(lines[0].opening, lines[1].opening);
    // A player who always moves the same die from one end of its column to the other repeats
    // positions.
    let players = "[[players]]\nname = \"A\"\ncommand = \"sh A.sh\"\n\
                   [[players]]\nname = \"E\"\ncommand = \"sh E.sh\"\n";
    let field = TournamentFolder::new("quixo", &format!("{LONG}{players}"));
    for column in ["A", "E"] {
        let go = format!(
            "move={column}1-{column}5; [ \"$last\" = $move ] && move={column}5-{column}1\n  last=$move"
        );
        let bot = bot(&go).replace("isready)", "uginewgame) last=;;\n isready)");
        fs::write(field.path(&format!("{column}.sh")), bot).unwrap();
    }
    field.play(&["t.toml"]);
    let lines = field.lines("results");
    let ends: Vec<_> = lines.iter().map(|line| (line.termination, line.plies, line.by)).collect();
    assert_eq!(ends, [(Ending::Repetition, 10, None); 2]);
    let record = fs::read_to_string(field.path("results/games/0001.game")).unwrap();
    assert!(record.contains("[Termination \"repetition\"]"), "{record}");
}

#[test]
fn every_set_plays_in_every_seat_rotation() {
    let player = |name| format!("[[players]]\nname = \"{name}\"\nengine = \"beginner\"\n");
    let players = ["a", "b", "c", "d"].map(player).concat();
    let setups = "setups = [\"players=3 size=3 rounds=3 segments=6\"]\n";
    let field = TournamentFolder::new("intersections", &format!("{setups}{players}"));
    field.play(&["t.toml"]);
    let lines = field.lines("results");
    assert_eq!(lines.len(), 4 * 3);
    for line in &lines {
        assert_eq!(line.points.iter().map(|points| points.halves).sum::<u64>(), 6, "{line:?}");
    }
    let table: Value =
        serde_json::from_str(&fs::read_to_string(field.path("results/table.json")).unwrap())
            .unwrap();
    let games: Vec<_> =
        table["players"].as_array().unwrap().iter().map(|row| row["games"].as_u64()).collect();
    assert_eq!(games, [Some(9); 4]);
}

#[test]
fn sequential_test_stops_in_schedule_order() {
    let test = "rounds = 2000\nsprt = { elo0 = 0, elo1 = 100 }\n";
    let [one, four] = ["1", "4"].map(|at_once| {
        let field =
            TournamentFolder::new("tic-tac-toe", &format!("{test}concurrency = {at_once}\n"));
        field.play(&["t.toml"]);
        field
    });
    let lines = one.lines("results");
    assert!((2..1000).contains(&lines.len()), "{}", lines.len());
    assert!(lines.iter().map(|line| line.game).eq(1..=lines.len() as u64));
    same(&one.files("results"), &four.files("results"));
    let before = one.files("results");
    // The record of a game beyond the end of the test, as a run that is killed at the end leaves
    // it.
    fs::write(one.path("results/games/3999.game"), "").unwrap();
    one.play(&["t.toml"]);
    same(&one.files("results"), &before);
    assert!(one.refused(&["t.toml", "--shard", "1/2"], 1).contains("remove sprt or --shard"));
}

#[test]
fn sequential_test_waits_for_the_next_game() {
    // The first player is slow once. Meanwhile the other thread must not play on without limit.
    let slow = [("slow", "mkdir waits 2>/dev/null && sleep 2")];
    let test = "rounds = 1000\nconcurrency = 2\ntime = \"move:60\"\n\
                sprt = { elo0 = 0, elo1 = 100 }\n";
    let field = TournamentFolder::with_programs("tic-tac-toe", test, &slow, CASUAL);
    let output = field.run(&["t.toml"]);
    let said = String::from_utf8(output.stdout).unwrap();
    let told = said.lines().filter(|line| line.contains(" plies")).count();
    let kept = field.lines("results").len();
    // Four sets of two games for each game at once, and the games that are being played.
    assert!(kept <= told && told <= kept + 20, "{kept} of {told}");
    let notes = String::from_utf8(output.stderr).unwrap();
    let in_vain = format!("{} games still running when the test ended", told - kept);
    assert_eq!(notes.contains(&in_vain), told > kept, "{notes}");
}

#[test]
fn tournament_errors_are_one_line() {
    let field = TournamentFolder::new("tic-tac-toe", "time = \"soon\"");
    assert!(field.refused(&["t.toml"], 1).starts_with("t.toml: line 2: time: must be move:0.1"));
    assert!(field.refused(&["none.toml"], 1).starts_with("none.toml: "));
    assert!(field.refused(&[], 2).contains("<FILE>"));
    let players =
        "[[players]]\nname = \"mine\"\ncommand = \"./nothing\"\n[[players]]\nengine = \"casual\"\n";
    field.describe("tic-tac-toe", players);
    assert_eq!(
        field.refused(&["t.toml"], 1),
        "t.toml: players: mine: program not found: ./nothing"
    );
    field.describe("join-the-dots", "setups = [\"points=@map.txt\"]");
    assert!(field.refused(&["t.toml"], 1).starts_with("t.toml: line 2: setups: map.txt: "));
    fs::write(field.path("map.txt"), "0,0 1,0 0.4,1 0.5,0.3").unwrap();
    field.play(&["t.toml"]);
    assert_eq!(field.lines("results")[0].setup, "points=0,0;1,0;0.4,1;0.5,0.3");
    // Paths are relative to the tournament file, whatever the current folder is.
    let elsewhere = field.path("home");
    fs::create_dir_all(&elsewhere).unwrap();
    let again = field.command(&["../t.toml"]).current_dir(elsewhere).output().unwrap();
    assert!(again.status.success(), "{again:?}");
}

#[test]
fn tournament_file_may_be_stdin() {
    let field = TournamentFolder::new("tic-tac-toe", "rounds = 2");
    let from_stdin = || {
        let file = fs::File::open(field.path("t.toml")).unwrap();
        field.command(&["-", "--force-concurrency"]).stdin(file).output().unwrap()
    };
    let played = from_stdin();
    assert!(played.status.success(), "{played:?}");
    let results = field.files("results");
    let again = field.play(&["t.toml"]);
    assert_eq!((field.files("results"), field.lines("results").len()), (results, 4), "{again}");
    field.describe("tic-tac-toe", "time = \"soon\"");
    let said = String::from_utf8(from_stdin().stderr).unwrap();
    assert!(said.starts_with("stdin: line 2: time: must be move:0.1"), "{said}");
}

/// The installed examples are in a folder that users cannot write to. Even root cannot create files in `/sys`.
#[cfg(target_os = "linux")]
#[test]
fn unwritable_results_folder_error_says_what_to_do() {
    let field = TournamentFolder::new("tic-tac-toe", "out = \"/sys/quadrille\"");
    let why = field.refused(&["t.toml"], 1);
    let advice = "; copy the tournament file to a folder of yours first, or set `out` in it to one";
    assert!(why.starts_with("/sys/quadrille/games: ") && why.ends_with(advice), "{why}");
}

#[test]
fn closed_stdout_stops_the_tournament() {
    let field = TournamentFolder::new("tic-tac-toe", "rounds = 100000");
    let mut child = field.command(&["t.toml"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let games = field.lines("results").len();
    assert!((1..200_000).contains(&games));
    let said = String::from_utf8(output.stderr).unwrap();
    let why = format!("stdout was closed after {games} of 200000 games\n");
    assert!(said.contains("Run the same command to resume.") && said.ends_with(&why), "{said}");
    assert!(field.path("results/table.txt").exists());
    // Only the table is left to print.
    field.describe("tic-tac-toe", "out = \"short\"");
    field.play(&["t.toml"]);
    let mut child = field.command(&["t.toml"]).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}
