//! `quadrille solve`: output and exit status.

#[cfg(unix)]
use crate::common::program::BINARY;
use crate::common::program::{Run, file, is_not_found, run, run_in};
use crate::common::samples::complete;
#[cfg(unix)]
use crate::common::terminal::Terminal;
use quadrille_match::session::MatchState;
use quadrille_table::catalogue::GAMES;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;

/// A draw in nine plies.
const DRAWN: &str = "b2 a1 c3 a3 a2 c2 b3 b1 c1";
/// The first player wins a column.
const WON: &str = "a1 b1 a2 b2 a3";

const NAMES: [&str; 19] = [
    "game",
    "setup",
    "ply",
    "turn",
    "kind",
    "value",
    "lower",
    "upper",
    "estimate",
    "outcome",
    "plies",
    "round_value",
    "best",
    "pv",
    "complete",
    "moves",
    "nodes",
    "seconds",
    "table_mib",
];

fn solve(args: &[&str]) -> Run {
    run(&[&["solve"], args].concat())
}

fn record(game: &str, setup: &str, moves: &str) -> String {
    format!("[Game \"{game}\"]\n[Setup \"{setup}\"]\n\n{moves}\n")
}

/// Parses the JSON lines of a run, proven or not.
fn lines(run: &Run) -> Vec<Value> {
    assert!(run.status <= 1, "{run:?}");
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn names(line: &str) -> Vec<&str> {
    let names = NAMES.iter().filter_map(|name| Some((line.find(&format!("\"{name}\":"))?, *name)));
    let mut names: Vec<(usize, &str)> = names.collect();
    names.sort_unstable();
    names.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn solve_reports_a_finished_game_as_exact() {
    assert_eq!(
        solve(&["tic-tac-toe", "--moves", WON, "--json"]).ok(),
        "{\"game\":\"tic-tac-toe\",\"setup\":\"first=X\",\"ply\":5,\"turn\":null,\
         \"kind\":\"exact\",\"value\":null,\"lower\":1,\"upper\":1,\"estimate\":null,\
         \"outcome\":\"win\",\"plies\":0,\"round_value\":null,\"best\":[],\"pv\":[],\"complete\":true,\"moves\":[],\
         \"nodes\":0,\"seconds\":0.0,\"table_mib\":0.0}\n"
    );
    assert_eq!(
        solve(&["tic-tac-toe", "--moves", DRAWN]).ok(),
        "Tic-tac-toe, first=X, over after 9 moves\na draw\n"
    );
    let moves = "H0,0 V0,0 V0,1 H1,0";
    assert_eq!(
        solve(&["dots-and-boxes", "size=2", "--moves", moves, "--moves-values"]).ok(),
        "Dots and Boxes, rows=2 cols=2, over after 4 moves\nseat 2 wins 0-1\n"
    );
    let json = solve(&["dots-and-boxes", "size=2", "--moves", moves, "--json"]).ok();
    let value = "\"value\":-1,\"lower\":-1,\"upper\":-1,\"estimate\":null,\"outcome\":\"loss\"";
    assert!(json.contains(value), "{json}");
    assert_eq!(
        solve(&["quixo", "size=1"]).ok(),
        "Quixo, size=1 first=X, over after 0 moves\nnobody wins\n"
    );
}

#[test]
fn solve_json_keys_are_stable_and_ordered() {
    for entry in GAMES {
        for args in [&["--time", "0.2"][..], &["--time", "0.2", "--moves-values"]] {
            let run = solve(&[&[entry.id, "--json"], args].concat());
            assert!(run.status <= 1, "{run:?}");
            assert_eq!(names(run.out.strip_suffix('\n').unwrap()), NAMES, "{}", run.out);
            let line = &lines(&run)[0];
            let start = (entry.start)(&quadrille_rules::Setup::new()).unwrap();
            let state = MatchState::of(&start);
            assert_eq!(line["game"], entry.id);
            assert_eq!(line["setup"], state.setup);
            assert_eq!((&line["ply"], &line["turn"]), (&0.into(), &state.turn.into()));
            let best = line["best"].as_array().unwrap();
            assert!(best.iter().all(|mv| state.legal.contains(&mv.as_str().unwrap().to_owned())));
            let moves = line["moves"].as_array().unwrap();
            if args.len() == 2 {
                assert!(moves.is_empty());
                continue;
            }
            let rated: BTreeSet<&str> =
                moves.iter().map(|mv| mv["move"].as_str().unwrap()).collect();
            assert_eq!(rated, state.legal.iter().map(String::as_str).collect());
            assert_eq!(rated.len(), moves.len(), "each once");
            for mv in moves {
                let names: Vec<&String> = mv.as_object().unwrap().keys().collect();
                let mut expected = [
                    "move",
                    "value",
                    "lower",
                    "upper",
                    "estimate",
                    "outcome",
                    "plies",
                    "round_value",
                    "round_estimate",
                    "line",
                ];
                expected.sort_unstable();
                assert_eq!(names, expected);
                assert_eq!(mv["line"][0], mv["move"]);
            }
        }
    }
}

/// Exit status 0 means that all values are exact; otherwise one line says so.
#[test]
fn unproven_result_gives_status_1() {
    for entry in GAMES {
        let run = solve(&[entry.id, "--json", "--time", "0.1", "--threads", "1", "--memory", "16"]);
        let line = &lines(&run)[0];
        let proven = line["kind"] == "exact";
        assert_eq!(run.status == 0, proven, "{run:?}");
        assert_eq!(run.err.lines().count(), usize::from(!proven), "{run:?}");
    }
    let run = solve(&["dots-and-boxes", "size=64", "--time", "0"]);
    assert_eq!((run.status, &*run.err), (1, "dots-and-boxes: not proven: time is up\n"));
    let title = "Dots and Boxes, rows=64 cols=64, move 1, seat 1 to move\n";
    assert!(run.out.starts_with(title), "{}", run.out);
}

/// A proven round says nothing about later rounds. With three seats nothing more can be proven.
#[test]
fn proven_round_gives_status_1_with_two_seats() {
    let drawn = "0,0-0,1 1,0-1,1 2,0-2,1 3,0-3,1 4,0-4,1 0,2-0,3 1,2-1,3 2,2-2,3 3,2-3,3";
    let setup = ["intersections", "size=5", "segments=10", "--moves", drawn, "--time", "0"];
    let run = solve(&[&setup[..], &["--json", "--moves-values"]].concat());
    let line = &lines(&run)[0];
    assert_eq!((&line["kind"], &line["round_value"]), (&"bounds".into(), &0.into()));
    assert_eq!((run.status, &*run.err), (1, "intersections: not proven: time is up\n"));
    for mv in line["moves"].as_array().unwrap() {
        assert!(mv["round_value"].is_u64() && mv["value"].is_null(), "{mv}");
    }
    let three = ["intersections", "size=3", "players=3", "segments=3"];
    assert_eq!(solve(&[&three[..], &["--json", "--moves-values"]].concat()).status, 0);
}

const SIX: &str = "points=0.149,0.787;0.645,0.496;0.363,0.717;0.68,0.211;0.446,0.875;0.681,0.364";

#[test]
fn solve_marks_an_incomplete_line() {
    let solved = [
        (&["join-the-dots", SIX, "--moves", "1-2 3-5 4-6"][..], 4),
        // A transposition table much too small for this search.
        (&["dots-and-boxes", "rows=2", "cols=12", "--memory", "1", "--threads", "1"], 34),
        (&["intersections", "size=4", "segments=6", "rounds=4"], 24),
        (&["tic-tac-toe"], 9),
        (&["quixo", "size=3"], 7),
    ];
    complete(solved.map(|(args, _)| args[0]));
    for (args, plies) in solved {
        let line = exact(args);
        let pv = line["pv"].as_array().unwrap();
        assert_eq!((pv.len(), &line["complete"]), (plies, &true.into()), "{args:?}");
        let text = solve(args).ok();
        let pv: Vec<&str> = pv.iter().map(|mv| mv.as_str().unwrap()).collect();
        assert!(text.contains(&format!("line  {}\n", pv.join(" "))), "{text}");
    }
    // The principal variation ends with the round, since the next round is not part of the proof.
    let rounds = ["intersections", "size=3", "players=3", "segments=6"];
    assert_eq!(exact(&rounds)["complete"], false);
    let text = solve(&rounds).ok();
    let line = text.lines().find(|line| line.starts_with("line")).unwrap();
    assert!(line.ends_with(" …") && line.split(' ').count() == 9, "{text}");
}

#[test]
fn a_draw_has_no_distance() {
    for args in [
        &["quixo", "size=4", "grid=O-O-XOOOXOXOXOO-", "--memory", "4", "--time", "5"][..],
        &["tic-tac-toe"],
        &["tic-tac-toe", "--moves", DRAWN],
    ] {
        let line = exact(args);
        assert_eq!((&line["outcome"], &line["plies"]), (&"draw".into(), &Value::Null), "{args:?}");
    }
}

/// With too little memory a search ends with a non-zero exit status and one line that says why.
#[cfg(target_os = "linux")]
#[test]
fn out_of_memory_solve_gives_one_line_and_status_1() {
    let asked = [
        "dots-and-boxes rows=5 cols=5 --memory 16",
        "dots-and-boxes rows=5 cols=5 --memory 40 --threads 16",
        "dots-and-boxes rows=9 cols=9",
        "quixo size=4",
        "quixo size=5 --memory 4096",
        "join-the-dots layout=random:14",
        "intersections size=5",
        "intersections rows=32 cols=32 players=8 --moves-values",
        "tic-tac-toe",
    ];
    complete(asked.iter().filter_map(|asked| asked.split(' ').next()));
    let cache = tempfile::tempdir().unwrap();
    // The program itself takes more than half of the first limit. At 100,000 KiB the 32 × 32 board still aborts in about
    // one of forty runs. The C library cannot map twice the arena (64 MiB) of the signal thread there, and then keeps
    // the arena only if it happens to be aligned, which leaves less than the first list of moves needs.
    for kibibytes in [52_000, 58_000, 68_000, 125_000, 150_000, 250_000, 400_000] {
        for asked in asked {
            let script = format!("ulimit -v {kibibytes}; exec {BINARY} solve {asked} --time 0.15");
            let run = Command::new("sh")
                .args(["-c", &script])
                .env("XDG_CACHE_HOME", cache.path())
                .output()
                .unwrap();
            let err = String::from_utf8(run.stderr).unwrap();
            let status = run.status.code();
            assert!(matches!(status, Some(0 | 1)), "{kibibytes}: {asked}: {status:?} {err}");
            assert_eq!(err.lines().count(), usize::from(status == Some(1)), "{asked}: {err}");
        }
    }
    let script = format!("ulimit -v 68000; exec {BINARY} solve dots-and-boxes size=6");
    let run = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(
        String::from_utf8(run.stderr).unwrap(),
        "dots-and-boxes: not proven: out of memory; try a smaller --memory\n"
    );
}

#[test]
fn solve_accepts_a_record_and_a_ply() {
    let (folder, _) = file("a.game", record("tic-tac-toe", "", WON));
    let solve = |args: &[&str]| run_in(folder.path(), &[&["solve", "a.game"], args].concat(), b"");
    let over = "Tic-tac-toe, first=X, over after 5 moves\nseat 1 wins\n";
    assert_eq!(solve(&[]).ok(), over);
    assert_eq!(solve(&["--ply", "5"]).ok(), over);
    let from_stdin =
        run_in(Path::new("."), &["solve", "-"], record("tic-tac-toe", "", WON).as_bytes());
    assert_eq!(from_stdin.ok(), over);
    let third = solve(&["--ply", "3", "--time", "5"]);
    assert!(third.out.starts_with("Tic-tac-toe, first=X, move 4, seat 2 to move\n"), "{third:?}");
    assert_eq!(solve(&["--ply", "6"]).fails(2), "a.game: no ply 6; the last is 5");
    // The moves of `--moves` form a line too.
    let start = run(&["solve", "tic-tac-toe", "--moves", WON, "--ply", "0", "--json"]);
    assert_eq!(lines(&start)[0]["ply"], 0);

    let every = solve(&["--every", "--json", "--time", "5"]);
    let plies: Vec<u64> = lines(&every).iter().map(|line| line["ply"].as_u64().unwrap()).collect();
    assert_eq!(plies, [0, 1, 2, 3, 4, 5]);
    let turns: Vec<Option<u64>> = lines(&every).iter().map(|line| line["turn"].as_u64()).collect();
    assert_eq!(turns, [Some(0), Some(1), Some(0), Some(1), Some(0), None]);
    assert_eq!(every.status == 0, lines(&every).iter().all(|line| line["kind"] == "exact"));
}

#[test]
fn solve_accepts_trmph_text_and_an_agreed_draw() {
    let (folder, _) = file("a.trmph", "1,b1a2b3c2\n");
    let run = |name: &str| run_in(folder.path(), &["solve", name], b"");
    assert_eq!(
        run("a.trmph").ok(),
        "Dots and Boxes, rows=2 cols=2, over after 4 moves\nseat 2 wins 0-1\n"
    );
    let agreed = format!("[Termination \"agreed draw\"]\n{}", record("tic-tac-toe", "", "b2"));
    std::fs::write(folder.path().join("b.game"), agreed).unwrap();
    let solved = run("b.game");
    assert!(solved.out.starts_with("Tic-tac-toe, first=X, move 2, seat 2 to move\n"), "{solved:?}");
}

#[test]
fn solve_every_prints_a_row_per_move() {
    let text = solve(&["tic-tac-toe", "--moves", WON, "--every", "--time", "5"]).out;
    let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(text.lines().next(), Some("Tic-tac-toe, first=X"));
    assert_eq!(rows[1], ["ply", "seat", "move", "before", "after"]);
    for ((row, ply), mv) in rows[2..7].iter().zip(1..).zip(WON.split(' ')) {
        let seat = 2 - ply % 2;
        assert_eq!(row[..3], [&*ply.to_string(), &*seat.to_string(), mv], "{text}");
    }
    assert_eq!(rows[6][4], "W1", "{text}");
    assert_eq!(text.lines().nth(7), Some("over after 5 moves, seat 1 wins"));
    assert_eq!(text.lines().count(), 9);
}

#[test]
fn wrong_arguments_give_one_line_and_status_2() {
    let cases: [(&[&str], &str); 9] = [
        (&[], "the following required arguments were not provided: <GAME|FILE>"),
        (&["tic-tac-toe", "grid=X"], "grid=X: must be 9 characters of - X O"),
        (&["dots-and-boxes", "rows"], "rows: must be written key=value"),
        (&["a.game", "rows=3"], "rows=3: a.game is not a game, and a file contains its own setup"),
        (
            &["a.game", "--moves", "a1"],
            "--moves: a.game is not a game, and a file contains its own moves",
        ),
        (
            &["tic-tac-toe", "--time", "soon"],
            "invalid value 'soon' for '--time <S>': must be a number of seconds, such as 60 or 0.5",
        ),
        (
            &["tic-tac-toe", "--memory", "0"],
            "invalid value '0' for '--memory <MIB>': 0 is not in 1..=16777216",
        ),
        (
            &["tic-tac-toe", "--threads", "0"],
            "invalid value '0' for '--threads <N>': 0 is not in 1..=1024",
        ),
        (
            &["tic-tac-toe", "--ply", "1", "--every"],
            "the argument '--ply <N>' cannot be used with '--every'",
        ),
    ];
    for (args, message) in cases {
        assert_eq!(solve(args).fails(2), message, "{args:?}");
    }
    assert_eq!(
        solve(&["tic-tac-toe", "--ply", "1"]).fails(2),
        "tic-tac-toe: no ply 1; the last is 0"
    );
}

#[test]
fn bad_file_or_move_gives_one_line_and_status_1() {
    let (folder, _) = file("a.game", record("tic-tac-toe", "", "a1 a1"));
    let bad = run_in(folder.path(), &["solve", "a.game"], b"").fails(1);
    assert_eq!(bad, "a.game: move 2 \"a1\": a1 already has an X");
    let moves = |moves: &str| solve(&["tic-tac-toe", "--moves", moves]).fails(1);
    assert_eq!(moves("b2  b1 b2"), "--moves: move 3 \"b2\": b2 already has an X");
    assert!(moves("b2 d9").starts_with("--moves: move 2 \"d9\": "));
    for (game, mv, told) in [
        ("quixo", "C3-C5", "a turn is two places on the rim (ongeldige positie)"),
        ("quixo", "x", "a turn is two places on the rim (ongeldige positie)"),
        ("dots-and-boxes", "H9,9", "this board has no such line (invalid position)"),
        ("join-the-dots", "1-1", "dot 1 cannot be joined to itself"),
    ] {
        let wrong = solve(&[game, "--moves", mv]).fails(1);
        assert_eq!(wrong, format!("--moves: move 1 {mv:?}: {told}"));
    }
    assert!(moves(&format!("{DRAWN} a1")).starts_with("--moves: move 10 \"a1\": "));
    let games = GAMES.map(|entry| entry.id).join(", ");
    let missing = solve(&["chess"]).fails(1);
    assert!(is_not_found(&missing, "chess"), "{missing}");
    assert!(missing.ends_with(&format!("; the games are {games}")), "{missing}");
    let missing = solve(&["./tic-tac-toe"]).fails(1);
    assert!(is_not_found(&missing, "./tic-tac-toe"), "{missing}");
    assert!(!missing.contains("games"), "{missing}");
}

/// The shell sees the signal, and the results so far are printed. The board is far too large to be solved.
#[cfg(unix)]
#[test]
fn interrupt_prints_the_current_result() {
    use portable_pty::CommandBuilder;

    for (args, end) in [("", " nodes, "), ("--every --moves 'H0,0 H1,1'", "mistakes proven: 0")] {
        // `trap` with a command, not `trap ''`: the shell survives the signal, and its child does not.
        let script =
            format!("trap : INT; {BINARY} solve dots-and-boxes size=64 {args}; echo status $?");
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", &script]);
        let mut terminal = Terminal::start(command);
        terminal.wait_for("until proven (Ctrl-C ends it)").keys("\x03");
        terminal.wait_for("status 130");
        let screen = terminal.contents();
        assert!(screen.contains(end) && !screen.contains("Ctrl-C ends it"), "{screen}");
        assert_eq!(terminal.wait_for_the_end(), 0, "that of echo");
    }
}

/// Returns the JSON line of a solve in which all must be proven.
fn exact(args: &[&str]) -> Value {
    let out = solve(&[args, &["--json"]].concat()).ok();
    serde_json::from_str(&out).unwrap()
}

/// Returns the moves of a line with their fields, in text order.
fn rated<'a>(line: &'a Value, field: &str) -> Vec<(&'a str, &'a Value)> {
    let moves = line["moves"].as_array().unwrap();
    let mut rated: Vec<_> =
        moves.iter().map(|mv| (mv["move"].as_str().unwrap(), &mv[field])).collect();
    rated.sort_unstable_by_key(|(mv, _)| *mv);
    rated
}

#[test]

fn solve_proves_tic_tac_toe() {
    let start = exact(&["tic-tac-toe", "--moves-values"]);
    assert_eq!((&start["outcome"], &start["value"]), (&"draw".into(), &Value::Null));
    assert_eq!((&start["lower"], &start["upper"]), (&0.into(), &0.into()));
    assert_eq!(start["best"].as_array().unwrap().len(), 9, "every opening draws");
    let lost = exact(&["tic-tac-toe", "--moves", "b2 b1"]);
    assert_eq!((&lost["outcome"], &lost["lower"]), (&"win".into(), &1.into()));
    // A win by a double threat.
    let text = solve(&["tic-tac-toe", "--moves", "a1 b1 a2 b2"]).ok();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Tic-tac-toe, first=X, move 5, seat 1 to move");
    assert_eq!(lines[1..4], ["exact: W1, seat 1 wins in 1 ply", "best  a3", "line  a3"]);
    let every = solve(&["tic-tac-toe", "--moves", "b2 b1 a1 c3", "--every"]).ok();
    let mistake: Vec<&str> = every.lines().nth(3).unwrap().split_whitespace().collect();
    assert_eq!(mistake[..4], ["2", "2", "b1", "="], "{every}");
    assert!(mistake[4].starts_with('L') && mistake[5] == "?", "{every}");
    assert!(every.contains("?  misses a draw, better "), "{every}");
    assert!(every.ends_with("mistakes proven: 0 by seat 1, 1 by seat 2\n"), "{every}");
}

/// The values of all openings on 2 × 2 boxes, and of 3 × 3 boxes, by independent solvers.
#[test]

fn solve_proves_small_dots_and_boxes() {
    let start = exact(&["dots-and-boxes", "size=3", "--moves-values"]);
    assert_eq!((&start["value"], &start["outcome"]), (&2.into(), &"win".into()));
    let values: Vec<i64> =
        rated(&start, "value").iter().map(|(_, value)| value.as_i64().unwrap()).collect();
    assert_eq!(values, [2, 2, 0, 0, 2, 2, 2, 0, 2, 2, 0, 2]);
    assert_eq!(exact(&["dots-and-boxes", "rows=3", "cols=4"])["value"], -2);
    assert_eq!(exact(&["dots-and-boxes", "size=4"])["value"], -3);
    let every = solve(&["dots-and-boxes", "size=3", "--moves", "H1,0", "--every"]).ok();
    assert!(every.contains("+2      =  ?  costs 2, better "), "{every}");
}

#[test]

fn solve_proves_size_3_quixo_won_in_7() {
    let start = exact(&["quixo", "size=3"]);
    assert_eq!((&start["outcome"], &start["plies"]), (&"win".into(), &7.into()));
    assert_eq!(start["pv"].as_array().unwrap().len(), 7);
}

#[test]

fn solve_proves_small_circles() {
    for (points, value) in [(3, 3), (4, 3), (5, -3), (6, 0), (7, 0), (8, 0)] {
        let setup = format!("layout=circle:{points}");
        assert_eq!(exact(&["join-the-dots", &setup])["value"], value, "{points}");
    }
}

#[test]

fn solve_proves_a_round_of_intersections() {
    for (setup, dots) in [
        (&["size=3", "segments=4"][..], 1),
        (&["size=3", "segments=6"], 2),
        (&["size=4", "segments=6"], 2),
        (&["size=3", "players=3", "segments=6"], 1),
    ] {
        let line = exact(&[&["intersections"], setup].concat());
        assert_eq!(line["round_value"], dots, "{setup:?}");
    }
}
