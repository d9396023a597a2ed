//! Players of a tournament that differ in their options, their time and the limits of their search.

use super::runs::{BEGINNER, CASUAL, TournamentFolder, bot, same};
use crate::common::program::BINARY;
use quadrille_arena::tournament::Ending;
use quadrille_match::session::Record;
use std::fs;
use std::process::Command;

/// Strong, with a number of positions and a seed, plays the same games whenever they are played, and however many are
/// played at once: all files of the two folders are the same, byte for byte.
#[test]
fn strong_with_nodes_and_seed_is_deterministic() {
    for (game, setups) in [
        ("dots-and-boxes", "\"size=4\", \"size=5\""),
        ("join-the-dots", "\"layout=circle:9\", \"layout=random:12 seed=1..2\""),
        ("quixo", "\"size=3\", \"size=5\""),
        ("tic-tac-toe", "\"\""),
        ("intersections", "\"size=4 rounds=2\""),
    ] {
        let play = |concurrency: u8| {
            let lines = format!(
                "setups = [{setups}]\nopenings = {{ plies = 2 }}\nconcurrency = {concurrency}\n\
                 max_plies = 60\n\
                 [[players]]\nname = \"wide\"\nengine = \"strong,seed=7\"\nnodes = 2000\n\
                 options = {{ Hash = 16 }}\n\
                 [[players]]\nname = \"narrow\"\nengine = \"strong,nodes=400\"\n\
                 [[players]]\nname = \"deep\"\nengine = \"strong\"\ndepth = 2\n\
                 options = {{ Hash = 8, Seed = 3 }}\n"
            );
            let field = TournamentFolder::new(game, &lines);
            field.play(&["t.toml"]);
            let files = field.files("results");
            assert_eq!(files.keys().filter(|path| path.starts_with("/games/")).count() % 6, 0);
            files
        };
        let once = play(1);
        same(&once, &play(1));
        same(&once, &play(2));
    }
}

#[test]
fn each_program_receives_its_options_and_limits() {
    let player = |name: &str, lines: &str| {
        format!("[[players]]\nname = \"{name}\"\ncommand = \"sh {name}.sh\"\n{lines}\n")
    };
    let lines = [
        "time = \"20+1\"\n".to_owned(),
        player("one", "options = { Seed = 5 }\ntime = \"move:30\"\nnodes = 900"),
        player("two", "depth = 4"),
        player("three", ""),
    ];
    let field = TournamentFolder::new("tic-tac-toe", &lines.concat());
    for name in ["one", "two", "three"] {
        fs::write(field.path(&format!("{name}.sh")), bot(":")).unwrap();
    }
    field.play(&["t.toml"]);
    let heard = |name: &str| fs::read_to_string(field.path(&format!("{name}.sh.log"))).unwrap();
    let goes = |name: &str| {
        let log = heard(name);
        let goes = log.lines().filter(|line| line.starts_with("go")).map(str::to_owned);
        goes.collect::<Vec<_>>()
    };
    assert!(goes("one").iter().all(|go| go == "go movetime 30000 nodes 900"), "{:?}", goes("one"));
    assert!(heard("one").contains("setoption name Seed value 5"));
    assert!(goes("two").iter().all(|go| go == "go depth 4"), "{:?}", goes("two"));
    // Nobody else in its games has a clock.
    assert!(goes("three").iter().all(|go| {
        go.matches("time").count() == 1 && go.starts_with("go p") && go.contains("inc 1000")
    }));
    let record = fs::read_to_string(field.path("results/games/0001.game")).unwrap();
    assert!(!record.contains("[Clock"), "not all players have this clock: {record}");
    assert!(field.lines("results").iter().all(|line| line.termination == Ending::Rules));
}

/// What the players thought of their moves is in the records, with seconds where they go by time, and `show` reads it.
#[test]
fn records_contain_move_comments() {
    let strong = "[[players]]\nengine = \"strong,seed=7\"\nnodes = 400\n";
    let bot = [("bot", "echo info depth 4 score cp 130")];
    for comments in [true, false] {
        let lines = format!("comments = {comments}\nopenings = {{ plies = 2 }}");
        let field = TournamentFolder::with_programs("tic-tac-toe", &lines, &bot, strong);
        field.play(&["t.toml"]);
        let path = field.path("results/games/0001.game");
        let record: Record = fs::read_to_string(&path).unwrap().parse().unwrap();
        let found = record.move_comments();
        assert_eq!(found.iter().any(Option::is_some), comments);
        if !comments {
            continue;
        }
        assert_eq!(found[..2], [None; 2], "nobody chose the opening");
        let (bot, strong) = (found[2].unwrap(), found[3].unwrap());
        // A game without scores is won or lost, so an estimate is at most 1.
        assert_eq!((bot.score, bot.depth), (Some(1.0), Some(4)));
        assert!(bot.seconds.is_some() && strong.seconds.is_none() && strong.score.is_some());
        let mut show = Command::new(BINARY);
        let shown = show.args(["show", "--format", "json", "--every"]).arg(&path).output().unwrap();
        let states = String::from_utf8(shown.stdout).unwrap();
        let states: Vec<serde_json::Value> =
            states.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(states[3]["comment"]["depth"], 4);
        assert_eq!(states[1]["comment"], serde_json::Value::Null);
    }
}

/// More games at once than cores take time from players that go by it. Those that do not are not slowed down.
#[test]
fn concurrency_above_cores_needs_force_for_timed_players() {
    let run = |engine: &str, words: &[&str]| {
        let lines = format!(
            "concurrency = 1024\nmax_plies = 2\ntime = \"move:0.01\"\n\
             [[players]]\nname = \"first\"\nengine = \"{engine}\"\n[[players]]\nengine = \"casual\"\n"
        );
        let field = TournamentFolder::new("tic-tac-toe", &lines);
        let output = field.unforced(&[&["t.toml"], words].concat()).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let (is_played, said) = run("strong", &[]);
    assert!(!is_played && said.contains("--force-concurrency") && said.contains("1024"), "{said}");
    assert!(run("strong", &["--force-concurrency"]).0);
    assert!(run("beginner", &[]).0);
    assert!(run("strong,nodes=100", &[]).0);
}

/// A move that comes late loses only after the margin, on a clock too.
#[test]
fn margin_forgives_a_late_move() {
    let play = |margin: &str| {
        let lines = format!("time = \"move:0.2\"\n{margin}");
        let slow = ["slow", "clock"].map(|name| (name, "sleep 0.5"));
        let rest = "time = \"0.2+0.1\"\n";
        let field = TournamentFolder::with_programs("tic-tac-toe", &lines, &slow, rest);
        field.play(&["t.toml"]);
        field.lines("results")
    };
    for line in play("") {
        let detail = line.detail.unwrap();
        assert!(detail.ends_with(" s of 0.20"), "{detail}");
        let ending = if detail.starts_with("no answer") { Ending::NoAnswer } else { Ending::Time };
        assert_eq!(line.termination, ending);
    }
    assert!(play("margin = 60").iter().all(|line| line.termination == Ending::Rules));
}

/// What is said of a move that does not come is measured and read before the program is ended: that takes time, and
/// the program may complain about it.
#[test]
fn no_answer_time_excludes_ending_the_program() {
    let slow = [("slow", "trap '' PIPE\n sleep 0.6\n echo too late || echo broken pipe >&2")];
    let others = [CASUAL, BEGINNER].concat();
    let field =
        TournamentFolder::with_programs("tic-tac-toe", "time = \"move:0.2\"", &slow, &others);
    field.play(&["t.toml"]);
    let lines = field.lines("results");
    let details = lines.iter().filter_map(|line| line.detail.as_deref());
    let took = details.map(|detail| {
        let seconds = detail.strip_prefix("no answer after ")?.strip_suffix(" s of 0.20")?;
        seconds.parse::<f64>().ok()
    });
    let took: Option<Vec<f64>> = took.collect();
    let took = took.unwrap_or_else(|| panic!("{lines:?}"));
    assert_eq!(took.len(), 4);
    // One in four is enough, in case the machine is busy.
    assert!(took.iter().any(|took| *took < 0.5), "{took:?}");
    let logs = field.files("results");
    let mut logs = logs.iter().filter(|(name, _)| name.starts_with("/logs/"));
    assert!(logs.any(|(_, log)| log.contains("broken pipe")));
}

#[test]
fn undeclared_program_option_is_an_error() {
    let rest = format!("options = {{ Hahs = 64 }}\n{BEGINNER}");
    let field = TournamentFolder::with_programs("tic-tac-toe", "", &[("mine", ":")], &rest);
    assert_eq!(
        field.refused(&["t.toml"], 1),
        "game 1: mine: it has no option \"Hahs\"; its options are Legal, Seed"
    );
    let text = fs::read_to_string(field.path("t.toml")).unwrap();
    fs::write(field.path("t.toml"), text.replace("Hahs", "Seed")).unwrap();
    field.refused(&["t.toml"], 1);
}
