//! Players of a tournament that differ in their options, their time and the limits of their search.

use super::runs::{TournamentFolder, bot, same};
use quadrille::arena::tournament::Ending;
use std::fs;

/// Strong, with a number of positions and a seed, plays the same games whenever they are played, and however many are
/// played at once: all files of the two folders are the same, byte for byte.
#[test]
fn strong_repeats_its_games_if_it_counts_positions_and_has_a_seed() {
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
            assert_eq!(files.keys().filter(|it| it.ends_with(".game")).count() % 6, 0);
            files
        };
        let once = play(1);
        same(&once, &play(1));
        same(&once, &play(2));
    }
}

#[test]
fn each_program_is_told_its_options_and_its_limits() {
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

#[test]
fn an_option_that_a_program_does_not_declare_is_an_error() {
    let field = TournamentFolder::new(
        "tic-tac-toe",
        "[[players]]\nname = \"mine\"\ncommand = \"sh mine.sh\"\noptions = { Hahs = 64 }\n\
         [[players]]\nengine = \"beginner\"\n",
    );
    fs::write(field.path("mine.sh"), bot(":")).unwrap();
    assert_eq!(
        field.refused(&["t.toml"], 1),
        "game 1: mine: it has no option \"Hahs\"; it declares Legal, Seed"
    );
    let text = fs::read_to_string(field.path("t.toml")).unwrap();
    fs::write(field.path("t.toml"), text.replace("Hahs", "Seed")).unwrap();
    field.refused(&["t.toml"], 1);
}
