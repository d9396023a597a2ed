//! Short names of games, names of seats, and files that are accepted or rejected.

use crate::common::program::{command, file, finish, run, run_in};
use quadrille_table::catalogue::GAMES;

#[test]
fn every_command_accepts_short_game_names() {
    let counts = run(&["perft", "tic-tac-toe", "3"]).ok();
    for name in ["ttt", "tic", "TicTacToe", "noughts"] {
        assert_eq!(run(&["perft", name, "3"]).ok(), counts, "{name}");
    }
    let rules = run(&["rules", "dots-and-boxes"]).ok();
    for name in ["dots", "boxes", "d"] {
        assert_eq!(run(&["rules", name]).ok(), rules, "{name}");
    }
    assert_eq!(run(&["rules", "join"]).ok(), run(&["rules", "join-the-dots"]).ok());
    let home = tempfile::tempdir().unwrap();
    let said = finish(&mut command(home.path(), &["play", "ttt", "--plain"]), b"quit\n").ok();
    assert!(said.starts_with("Tic-tac-toe"), "{said}");
    let solved = |what: &str| {
        let args = ["solve", what, "size=2", "--json", "--threads", "1"];
        let text = run_in(home.path(), &args, b"").ok();
        text.split("\"nodes\"").next().unwrap().to_owned()
    };
    assert_eq!(solved("dots"), solved("dots-and-boxes"));
}

#[test]
fn ambiguous_game_name_error_lists_games() {
    let all = GAMES.map(|entry| entry.id).join(", ");
    let why = run(&["rules", ""]).fails(2);
    assert!(why.ends_with(&format!("[possible values: {all}]")), "{why}");
}

/// An existing file takes precedence over the short name of a game.
#[test]
fn file_takes_precedence_over_a_short_game_name() {
    let (folder, _) = file("ttt", "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n\na1 b1 a2 b2 a3\n");
    let solved = run_in(folder.path(), &["solve", "ttt"], b"").ok();
    assert!(solved.starts_with("Tic-tac-toe, first=X, over after 5 moves\n"), "{solved}");
}

#[test]
fn names_option_conflicts_with_a_given_seat() {
    let args = ["play", "quixo", "--names", "Ann,Bob", "--seat", "2=engine:casual", "--plain"];
    assert_eq!(
        run(&args).fails(2),
        "--names: Bob conflicts with --seat, which gives the seat to engine:casual"
    );
}

#[test]
fn record_option_requires_a_file_name() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "ttt", "--plain", "--record"];
    let refused = run_in(folder.path(), &[&args[..], &["-"]].concat(), b"").fails(2);
    assert_eq!(
        refused,
        "--record -: needs a file name, such as evening.game (./- is a file named -)"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    run_in(folder.path(), &[&args[..], &["./-"]].concat(), b"b2\n").ok();
    assert!(folder.path().join("-").is_file());
}

#[test]
fn points_file_may_start_with_a_byte_order_mark() {
    let (folder, _) = file("points", "\u{feff}0,0 1,0 0,1 1,1");
    let args = ["perft", "join", "points=@points", "1"];
    assert_eq!(run_in(folder.path(), &args, b"").ok(), "6\n");
}

#[test]
fn show_draws_scattered_points() {
    let record = "[Game \"join-the-dots\"]\n[Setup \"points=0,0;1,0;1,1;0,1\"]\n\n1-2 2-3 1-3\n";
    let (folder, _) = file("a.game", record);
    let show =
        |args: &[&str]| run_in(folder.path(), &[&["show", "a.game"], args].concat(), b"").ok();
    insta::assert_snapshot!(show(&["--every"]));
    insta::assert_snapshot!(show(&["--ascii"]));
    assert!(show(&["--ascii"]).is_ascii());
}
