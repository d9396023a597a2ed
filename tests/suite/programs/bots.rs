//! The example bots, as real processes: each plays by the rules and answers as the page says.
//!
//! They need python3. Where that is missing, these tests do nothing but say so; with `CI` set they fail.

use crate::common::program::{BINARY, run};
use crate::common::samples::samples;
use crate::common::ugi_client::UgiClient;
use quadrille_match::session::{Match, PositionSpec};
use quadrille_rules::Seat;
use quadrille_table::catalogue;
use quadrille_table::engine::ugi::{Command, OptionKind, Reply, Start, UgiOption};
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process;

/// A bot, with the options that it has declared.
struct Bot {
    client: UgiClient,
    options: Vec<UgiOption>,
}

impl Bot {
    fn start(name: &str) -> Bot {
        let mut client =
            UgiClient::with(process::Command::new("python3").arg(format!("assets/bots/{name}.py")));
        client.send("ugi");
        let declared = client.wait_for("ugiok").0;
        let options = declared.iter().filter_map(|line| match line.parse() {
            Ok(Reply::Option(option)) => Some(option),
            Ok(Reply::Name(_)) => None,
            other => panic!("{line}: {other:?}"),
        });
        let options = options.collect();
        assert_eq!(client.ask("isready", "readyok"), "");
        Bot { client, options }
    }

    fn option(&self, name: &str) -> Option<&OptionKind> {
        self.options.iter().find(|option| option.is_called(name)).map(|option| &option.kind)
    }

    /// Its move in the present position of a match, asked for as in a match.
    fn choose(&mut self, game: &Match, go: &str) -> String {
        let PositionSpec { setup, moves } = PositionSpec::to(game);
        let position = Command::Position { start: Start::Setup(setup), moves };
        self.client.send(&position.to_string());
        if self.option("Legal") == Some(&OptionKind::Check { default: true }) {
            self.client.send(&Command::Legal(game.legal_moves()).to_string());
        }
        self.client.ask(go, "bestmove")
    }
}

/// Whether there is python3, which the bots need.
fn has_python() -> bool {
    let has = process::Command::new("python3").arg("--version").output().is_ok();
    assert!(has || std::env::var_os("CI").is_none(), "there is no python3, which CI needs");
    if !has {
        // Written past the test harness, which captures `println!`.
        let _ = writeln!(stderr(), "left out: there is no python3");
    }
    has
}

fn start(id: &str, setup: &str) -> Match {
    (catalogue::find(id).unwrap().start)(&setup.parse().unwrap()).unwrap()
}

/// A match in which the bot has this seat, and all others play random moves.
fn play(bot: &mut Bot, id: &str, setup: &str, seat: Seat, seed: u64) -> Match {
    let mut game = start(id, setup);
    let mut chance = fastrand::Rng::with_seed(seed);
    bot.client.send("uginewgame");
    while let Some(turn) = game.to_move().filter(|_| game.ply() < 200) {
        let mv = if turn == seat {
            bot.choose(&game, "go movetime 1000")
        } else {
            chance.choice(game.legal_moves()).unwrap()
        };
        game.play(&mv).unwrap_or_else(|refusal| panic!("{id} {setup}: {mv}: {refusal}"));
    }
    if game.to_move().is_none() {
        assert_eq!(bot.choose(&game, "go movetime 1000"), "none");
    }
    game
}

#[test]
fn random_mover_plays_every_game() {
    if !has_python() {
        return;
    }
    let mut bot = Bot::start("random_mover");
    for (entry, sample) in samples() {
        for setup in ["", sample.small] {
            for seat in [Seat::FIRST, Seat::SECOND] {
                play(&mut bot, entry.id, setup, seat, 1);
            }
        }
    }
    play(&mut bot, "intersections", "players=3", Seat::new(2), 1);
}

#[test]
fn minimax_never_loses() {
    if !has_python() {
        return;
    }
    let mut bot = Bot::start("minimax");
    let games = ["tic-tac-toe".to_owned()].to_vec();
    let only = OptionKind::Combo { default: games[0].clone(), vars: games };
    assert_eq!(bot.option("Game"), Some(&only));
    for seed in 0..20 {
        for (setup, seat) in [("", 0), ("", 1), ("first=O", 0), ("first=O", 1)] {
            let game = play(&mut bot, "tic-tac-toe", setup, Seat::new(seat), seed);
            assert!(
                game.outcome().unwrap().is_winner(Seat::new(seat)),
                "{setup} {:?}",
                game.moves()
            );
        }
    }
    // It wins where it can, and as soon as it can.
    for (setup, mv) in [
        ("grid=XX-OO----", "c1"),
        ("first=O grid=XX-OO----", "c2"),
        ("grid=X-O-X-O--", "c3"),
        ("grid=XOXXOOO-X", "b3"),
    ] {
        assert_eq!(bot.choose(&start("tic-tac-toe", setup), "go depth 1"), mv, "{setup}");
    }
}

#[test]
fn greedy_bot_plays_join_the_dots_legally() {
    if !has_python() {
        return;
    }
    let mut bot = Bot::start("greedy");
    let mut won = 0;
    for seed in 0..10 {
        for setup in ["layout=random:12", "layout=random:40", "layout=circle:9", "layout=eight"] {
            let setup = if setup.contains("random") {
                format!("{setup} seed={seed}")
            } else {
                setup.to_owned()
            };
            let seat = Seat::new((seed % 2) as u8);
            let game = play(&mut bot, "join-the-dots", &setup, seat, seed);
            won += u32::from(game.outcome().unwrap().is_winner(seat));
        }
    }
    assert!(won > 35, "it loses to chance: {won} of 40");
    let mut game = start("join-the-dots", "points=0,0;1,0;0.5,1;0.5,0.3");
    for mv in ["1-2", "2-3", "3-4"] {
        game.play(mv).unwrap();
    }
    // It prefers a cycle of four to one of three.
    assert_eq!(bot.choose(&game, "go nodes 1"), "1-4");
}

#[test]
fn example_bots_wait_for_stop_and_skip_unknown_commands() {
    if !has_python() {
        return;
    }
    for (name, id) in
        [("random_mover", "quixo"), ("greedy", "join-the-dots"), ("minimax", "tic-tac-toe")]
    {
        let mut bot = Bot::start(name);
        let game = start(id, "");
        for line in ["", "frobnicate", "setoption name Game value x", "stop", "\r"] {
            bot.client.send(line);
        }
        let position = Command::Position { start: Start::Setup(game.setup()), moves: Vec::new() };
        bot.client.send(&position.to_string());
        bot.client.send(&Command::Legal(game.legal_moves()).to_string());
        bot.client.send("go infinite");
        assert_eq!(bot.client.ask("isready", "readyok"), "");
        bot.client.send("stop");
        let (before, mv) = bot.client.wait_for("bestmove");
        assert!(before.is_empty() && game.legal_moves().contains(&mv), "{before:?} {mv}");
        bot.client.send("stop");
        bot.client.send("quit");
        assert_eq!(bot.client.finish(), (Vec::new(), Some(0)));
        let bot = Bot::start(name);
        assert_eq!(bot.client.finish(), (Vec::new(), Some(0)), "the end of its input is its end");
    }
}

/// Python looks for modules beside the program first, so a bot with the name of one would be imported in its place.
#[test]
fn bot_names_do_not_shadow_python_modules() {
    let mut modules = Vec::new();
    let mut names = Vec::new();
    for file in fs::read_dir("assets/bots").unwrap() {
        let path = file.unwrap().path();
        names.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
        let imports = fs::read_to_string(&path).unwrap();
        let imports = imports.lines().filter_map(|line| {
            let rest = line.strip_prefix("import ").or(line.strip_prefix("from "))?;
            rest.split(' ').next().map(str::to_owned)
        });
        modules.extend(imports);
    }
    assert!(names.len() >= 3 && modules.len() >= names.len(), "{names:?} {modules:?}");
    assert!(names.iter().all(|name| !modules.contains(name)), "{names:?} {modules:?}");
}

/// Checks that a program passes all checks, and plays these games at the table to their end.
fn passes_and_plays(words: &[&str], ids: &[&str]) {
    // On a busy machine a bot can be late.
    let is_late = |line: &str| line.starts_with("FAIL") && line.contains(" took ");
    let mut runs = (0..10).map(|_| run(&[&["compliance", "--"], words].concat()));
    let run_in_time = runs.find(|run| !run.out.lines().any(is_late));
    let checked = run_in_time.expect("it is late each time").ok();
    assert!(checked.lines().count() > 10 && !checked.contains("FAIL"), "{checked}");
    for id in ids {
        let seat = format!("2=cmd,time=60:{}", words.join(" "));
        let seats = ["--seat", "1=engine:beginner,time=0.1,seed=1", "--seat", &seat];
        let played = run(&[&["play", id, "--plain"], &seats[..]].concat()).ok();
        // The menu of the result is behind it.
        let last = played.lines().nth_back(1).unwrap();
        let name = words[words.len() - 1].rsplit('/').next().unwrap();
        assert!(played.contains(&format!("{name} to move.")), "{played}");
        assert!(last.contains("wins.") || last.contains("Draw"), "{played}");
    }
}

#[test]
fn example_bots_pass_all_checks_and_play() {
    if !has_python() {
        return;
    }
    for (name, id) in
        [("random_mover", "intersections"), ("greedy", "join-the-dots"), ("minimax", "tic-tac-toe")]
    {
        passes_and_plays(&["python3", &format!("assets/bots/{name}.py")], &[id]);
    }
}

/// An example of the packages. It is built by `cargo test`, but not by `cargo test --test suite`.
fn example(name: &str) -> Option<PathBuf> {
    let path = Path::new(BINARY).with_file_name("examples").join(name);
    let is_built = path.is_file();
    assert!(is_built || std::env::var_os("CI").is_none(), "there is no {}", path.display());
    if !is_built {
        let _ = writeln!(stderr(), "left out: there is no {}", path.display());
    }
    is_built.then_some(path)
}

#[test]
fn rust_example_bot_passes_all_checks_and_plays_every_game() {
    let Some(bot) = example("bot") else { return };
    passes_and_plays(&[bot.to_str().unwrap()], &catalogue::GAMES.map(|entry| entry.id));
    // It wins where it can.
    let mut client = UgiClient::with(&mut process::Command::new(bot));
    client.send("setoption name Game value tic-tac-toe");
    client.send("position fen grid=XX-OO----");
    assert_eq!(client.ask("go movetime 1000", "bestmove"), "c1");
}

#[test]
fn solve_example_prints_every_value() {
    let Some(solve) = example("solve") else { return };
    let said = process::Command::new(solve).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("\nbest: ") && !said.contains("not proven"), "{said}");
    // 24 lines on 3 × 3 boxes, of which four are drawn.
    let values = said.lines().filter(|line| line.contains("  +") || line.contains("  -"));
    assert_eq!(values.count(), 20, "{said}");
}

#[test]
fn example_bots_are_short() {
    for file in std::fs::read_dir("assets/bots").unwrap() {
        let path = file.unwrap().path();
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines < 64, "{} has {lines} lines", path.display());
    }
}
