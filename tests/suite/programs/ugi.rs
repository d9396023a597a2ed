//! UGI dialogues with the real program and with its loop, whole and cut into pieces anywhere.

use crate::common::program::{command, finish};
use crate::common::samples::samples;
use crate::common::ugi_client::UgiClient;
use quadrille_match::session::Match;
use quadrille_table::catalogue::GAMES;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::Stdio;

const PAGE: &str = include_str!("../../../docs/ugi.md");

/// Plays through a dialogue: sends each line after `>`, and compares the answers with the lines
/// after `<`. Reports of a search are skipped. `…` stands for any words.
fn hold(client: &mut UgiClient, dialogue: &str, send: &mut dyn FnMut(&mut UgiClient, &str)) {
    let mut lines = dialogue.lines().peekable();
    while let Some(line) = lines.next() {
        send(client, line.strip_prefix("> ").unwrap_or_else(|| panic!("{line}: nobody says it")));
        while let Some(expected) = lines.next_if(|line| line.starts_with("< ")) {
            let expected = &expected[2..];
            let heard = loop {
                let heard =
                    client.next_line().unwrap_or_else(|| panic!("it ended before {expected}"));
                if !heard.starts_with("info depth ") {
                    break heard;
                }
            };
            match expected.split_once('…') {
                Some((begin, _)) => assert!(heard.starts_with(begin), "{heard}"),
                None => assert_eq!(heard, expected),
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn engine_without_a_reader_thread_fails_in_one_line() {
    let home = tempfile::tempdir().unwrap();
    let mut engine = command(home.path(), &["engine"]);
    // What a thread needs is more than there is.
    let run = finish(engine.env("RUST_MIN_STACK", "70368744177664"), b"");
    let why = "cannot start a thread: Resource temporarily unavailable (os error 11)";
    assert_eq!(run.fails(1), why);
}

fn plainly(client: &mut UgiClient, line: &str) {
    client.send(line);
}

/// The blocks of this language on the page.
fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("```{language}\n");
    let ends = |block: &'static str| block.split("```").next();
    PAGE.split(&begin).skip(1).filter_map(ends).collect()
}

#[test]
fn the_real_program_answers_as_on_the_page_and_in_the_dialogues() {
    let page = blocks("ugi");
    assert!(page.len() > 4);
    for dialogue in page.into_iter().chain(DIALOGUES) {
        let mut client = UgiClient::with_engine();
        hold(&mut client, dialogue, &mut plainly);
        let (rest, status) = client.finish();
        assert_eq!((rest.len(), status), (0, Some(0)), "{rest:?} after {dialogue}");
    }
}

#[test]
fn documented_bot_equals_the_example_file() {
    assert_eq!(blocks("python"), [fs::read_to_string("assets/bots/random_mover.py").unwrap()]);
}

/// Each line has exactly one answer, so the input can be cut anywhere.
const DIALOGUES: [&str; 3] = [
    "> isready
< readyok
> setoption name Setup value size=3
> position startpos moves H0,0  V0,0
> query turn
< response 0
> position startpos moves H0,0 V0,0 V0,0
< info string position: move 3 \"V0,0\": already drawn
> query legal
< response H0,1 H1,0 H1,1 H2,0 H2,1 V0,1 V0,2 V1,0 V1,1 V1,2
> setoption name hash value 8
> go nodes 10
< bestmove …
> position startpos moves H0,0 V0,0 H1,0
> go movetime 1
< bestmove V0,1",
    "> setoption name Game value tic-tac-toe
> position fen first=O grid=XX-OO---- moves
> go infinite
> isready
< readyok
> stop
< bestmove c2
> query p1turn
< response false
> what
< info string unknown command \"what\"
> position fen first=O grid=XX-OO---- moves c2
> go infinite
< bestmove none
> query result
< response p2win",
    "> setoption name Game value join-the-dots
> position fen points=0,0;1,0;0.5,1;0.5,0.3
> go depth 3
< bestmove …
> position fen points=0,0;1,0;0.5,1;0.5,0.3 moves 2-1 3-2 1-3
> query state
< response {\"game\":\"join-the-dots\",\"setup\":\"points=0,0;1,0;0.5,1;0.5,0.3\",\"ply\":3,…",
];

#[test]
fn engine_accepts_lines_in_any_pieces() {
    for dialogue in DIALOGUES {
        let said: usize = dialogue.lines().filter(|line| line.starts_with('>')).map(str::len).sum();
        for cut in 0..said {
            let mut before = cut;
            let ends = if cut % 2 == 0 { "\n" } else { "\r\n" };
            let mut in_pieces = |client: &mut UgiClient, line: &str| {
                let line = format!("{line}{ends}");
                let at = before.min(line.len());
                before -= at;
                client.feed(&line.as_bytes()[..at]);
                client.feed(&line.as_bytes()[at..]);
            };
            let mut client = UgiClient::with_server();
            hold(&mut client, dialogue, &mut in_pieces);
            assert_eq!(client.finish().0, [""; 0], "cut at {cut}");
        }
    }
}

/// The match that both sides play, and the `position` command for it.
struct Referee {
    id: &'static str,
    game: Match,
}

impl Referee {
    fn new(id: &'static str, setup: &str) -> Referee {
        let entry = quadrille_table::catalogue::find(id).unwrap();
        Referee { id, game: (entry.start)(&setup.parse().unwrap()).unwrap() }
    }

    fn position(&self) -> String {
        let moves: Vec<&str> = self.game.moves().iter().map(|(_, mv)| &**mv).collect();
        format!("position fen {} moves {}", self.game.setup(), moves.join(" "))
    }
}

/// Plays two engines against each other: all their moves must be legal, and both must know who has
/// won.
fn play(id: &'static str, setup: &str, levels: [&str; 2]) {
    let mut referee = Referee::new(id, setup);
    let mut clients = levels.map(|level| {
        let mut client = UgiClient::with_server();
        client.send(&format!("setoption name Game value {id}"));
        client.send(&format!("setoption name Level value {level}"));
        client.send("setoption name Hash value 16");
        client.send("uginewgame");
        client
    });
    // Quixo may go on for ever.
    while referee.game.ply() < 60 {
        let position = referee.position();
        for client in &mut clients {
            client.send(&position);
        }
        let Some(seat) = referee.game.to_move() else { break };
        let client = &mut clients[seat.index() % 2];
        assert_eq!(client.ask("query turn", "response"), seat.index().to_string());
        assert_eq!(client.ask("query legal", "response"), referee.game.legal_moves().join(" "));
        let mv = client.ask("go nodes 300", "bestmove");
        referee.game.play(&mv).unwrap_or_else(|refusal| panic!("{id} {setup}: {mv}: {refusal}"));
    }
    let results = clients.each_mut().map(|client| {
        let is_over = client.ask("query gameover", "response");
        assert_eq!(is_over, referee.game.to_move().is_none().to_string());
        client.ask("query result", "response")
    });
    assert_eq!(results[0], results[1], "{} {setup}", referee.id);
}

#[test]
fn two_engines_play_every_game_to_its_end() {
    for (entry, sample) in samples() {
        play(entry.id, sample.small, ["strong", "casual"]);
        play(entry.id, sample.solved.last().unwrap(), ["beginner", "perfect"]);
    }
    play("intersections", "size=3 players=3 rounds=3 segments=3", ["strong", "casual"]);
}

#[test]
fn every_limited_search_ends_by_itself() {
    for (entry, sample) in samples() {
        let mut client = UgiClient::with_server();
        client.send(&format!("setoption name Game value {}", entry.id));
        client.send("setoption name Hash value 16");
        for setup in ["", sample.large.first().unwrap()] {
            let setup = (entry.start)(&setup.parse().unwrap()).unwrap().setup();
            client.send(&format!("position fen {setup}"));
            for level in ["strong", "perfect"] {
                client.send(&format!("setoption name Level value {level}"));
                for go in
                    ["nodes 1000", "depth 2", "movetime 50", "p1time 500 p2time 500 p3time 500"]
                {
                    let mv = client.ask(&format!("go {go}"), "bestmove");
                    assert!(Referee::new(entry.id, &setup.to_string()).game.play(&mv).is_ok());
                }
            }
        }
    }
}

/// The moves, the replies to them and a later round all count towards the limit.
#[test]
fn several_lines_keep_within_one_limit() {
    let mut client = UgiClient::with_server();
    for (game, setup) in [
        ("intersections", "size=4 segments=10"),
        ("intersections", "size=4 segments=6 players=3"),
        ("dots-and-boxes", "size=5"),
        ("join-the-dots", "layout=random:12 seed=1"),
        ("quixo", "size=4"),
        ("quixo", "size=5"),
    ] {
        client.send(&format!("setoption name Game value {game}"));
        client.send(&format!("position fen {setup}"));
        for (go, most) in [
            ("nodes 1000 multipv 3", 1_000),
            ("nodes 8000 multipv 3", 8_000),
            ("depth 1 multipv 2", if game == "quixo" { 10_000 } else { 1_000 }),
        ] {
            client.send(&format!("go {go}"));
            let (infos, _) = client.wait_for("bestmove");
            let searched = infos.iter().filter_map(|line| {
                let mut words = line.split(' ').skip_while(|word| *word != "nodes");
                words.nth(1)?.parse::<u64>().ok()
            });
            let searched = searched.max().unwrap();
            // The analysis and each reply look at their limit every 1024 positions.
            assert!(searched <= most + 4 * 1_024, "{game} {setup}: {go}: {searched}");
        }
    }
}

#[test]
fn engine_answers_queries_during_a_search_and_obeys_stop() {
    let mut client = UgiClient::with_engine();
    for entry in &GAMES {
        client.send(&format!("setoption name Game value {}", entry.id));
        client.send("go infinite");
        let (info, _) = client.wait_for("info depth");
        assert!(info.is_empty(), "{info:?}");
        assert_eq!(client.ask("isready", "readyok"), "");
        assert_eq!(client.ask("query gameover", "response"), "false");
        let busy = ["go depth 1", "position startpos", "uginewgame", "setoption name Seed value 1"];
        for line in busy {
            let word = line.split(' ').next().unwrap();
            let refused = client.ask(line, "info string");
            assert_eq!(refused, format!("{word}: a search is running; stop it first"));
        }
        client.send("stop");
        let (_, mv) = client.wait_for("bestmove");
        assert!(client.ask("query legal", "response").split(' ').any(|legal| legal == mv));
        client.send("stop");
        assert_eq!(client.ask("isready", "readyok"), "", "nothing comes after the move");
    }
    client.send("quit");
    assert_eq!(client.finish(), (Vec::new(), Some(0)));
}

#[test]
fn end_of_input_ends_the_engine_during_a_search() {
    for (go, has_move) in [("go infinite", true), ("isready", false), ("go movetime 600000", true)]
    {
        let mut client = UgiClient::with_engine();
        client.send("setoption name Setup value size=9");
        client.send(go);
        let (last, status) = client.finish();
        assert_eq!(status, Some(0));
        assert_eq!(last.iter().any(|line| line.starts_with("bestmove H")), has_move, "{last:?}");
    }
    let mut client = UgiClient::with_engine();
    client.feed(b"isready\nquery turn");
    assert_eq!(client.finish().0, ["readyok", "response 0"], "the last line needs no end");
}

#[test]
fn closed_stdout_ends_the_engine_quietly() {
    let home = tempfile::tempdir().unwrap();
    let mut engine = command(home.path(), &["engine"]);
    let mut child = engine.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut client = child.stdin.take().unwrap();
    client.write_all(b"setoption name Setup value size=9\ngo infinite\n").unwrap();
    // Its standard input stays open.
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    drop(client);
}

#[test]
fn wrong_line_keeps_the_engine_state() {
    let mut client = UgiClient::with_server();
    client.send("setoption name Game value quixo");
    client.send("setoption name Setup value size=4");
    client.send("position startpos moves B1-B4 C1-A1");
    let state = client.ask("query state", "response");
    let long = format!("position {}", "x".repeat(2 << 20));
    for (line, why) in [
        ("position", "position: write position startpos"),
        ("position fen rows=3 cols=3", "position: rows=3: unknown option"),
        ("position fen size", "position: size: must be written key=value"),
        ("position fen grid=@grid.txt", "position: grid=@grid.txt: files are not read here"),
        ("position startpos moves B1-B4 C1-A1 B1-B4 Z9-Z9", "position: move 4 \"Z9-Z9\": "),
        ("position startpos moves b1-B4", "position: move 1 \"b1-B4\": "),
        ("setoption name Game value chess", "Game: must be dots-and-boxes or "),
        ("setoption name Setup value size=99", "Setup: size=99: must be "),
        ("setoption name Setup value rows=3", "Setup: rows=3: unknown option"),
        ("setoption name Threads value 0", "Threads: must be a whole number from 1 to 1024"),
        ("setoption name Hash", "Hash: a value is missing"),
        ("setoption name Ponder value true", "unknown option \"Ponder\"; the options are Game, "),
        ("setoption", "setoption: missing name"),
        ("go depth", "depth: a number is missing"),
        ("go p2time 100", "go: player 1 is to move, but p1time is missing"),
        ("query", "query: missing keyword"),
        ("go multipv 0 depth 1", "multipv: \"0\" is not a number it takes"),
        ("go searchmoves", "searchmoves: a move is missing"),
        ("go depth 1 searchmoves Z9-Z9", "go: searchmoves \"Z9-Z9\": "),
        ("isready \u{1b}[2J", "isready: ignored: "),
        ("uci", "unknown command \"uci\""),
        ("\u{1b}[2J\u{0}", "unknown command "),
        (&long, "a line is longer than 1024 KiB"),
    ] {
        let answer = client.ask(line, "info string");
        assert!(answer.starts_with(why), "{answer}");
        assert!(!answer.contains(char::is_control) && answer.len() < 300, "{answer}");
        assert_eq!(client.ask("query state", "response"), state, "{why}");
    }
    for line in ["", "  \t ", "stop", "legal B1-B4 A1-A4", "query state"] {
        client.send(line);
    }
    assert_eq!(client.wait_for("response").0, [""; 0], "these are right");
}

/// The lines of a search: the last report on each of the moves that were asked for, and the move.
fn multipv(client: &mut UgiClient, go: &str) -> (Vec<(String, i32)>, String) {
    let (mut lines, mut last) = (Vec::new(), 0);
    client.send(go);
    loop {
        let line = client.next_line().unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let after = |word: &str| Some(words[words.iter().position(|other| *other == word)? + 1]);
        if let Some(mv) = after("bestmove") {
            return (lines, mv.to_owned());
        }
        let Some(number) = after("multipv").map(|number| number.parse::<usize>().unwrap()) else {
            continue;
        };
        assert!(number == 1 || number == last + 1, "{line} after line {last}");
        last = number;
        lines.truncate(number - 1);
        lines.push((after("pv").unwrap().to_owned(), after("cp").unwrap().parse().unwrap()));
    }
}

#[test]
fn multipv_reports_the_best_moves_first() {
    for (entry, sample) in samples() {
        let mut client = UgiClient::with_server();
        client.send(&format!("setoption name Game value {}", entry.id));
        let setup = sample.solved.last().unwrap();
        let referee = Referee::new(entry.id, setup);
        client.send(&referee.position());
        let legal = referee.game.legal_moves();
        for (go, count) in [("go multipv 3 depth 60", 3), ("go depth 60 multipv 1000", 1000)] {
            let (lines, mv) = multipv(&mut client, go);
            assert_eq!(lines.len(), count.min(legal.len()), "{}: {lines:?}", entry.id);
            assert_eq!(lines[0].0, mv, "{}", entry.id);
            assert!(lines.is_sorted_by(|a, b| a.1 >= b.1), "{}: {lines:?}", entry.id);
            assert!(lines.iter().all(|(mv, _)| legal.contains(mv)), "{}: {lines:?}", entry.id);
        }
        // The worst two moves are still ranked as they were.
        let (lines, _) = multipv(&mut client, "go multipv 1000 depth 60");
        let [.., better, worst] = &lines[..] else { continue };
        let go = format!("go multipv 9 searchmoves {} {} depth 60", worst.0, better.0);
        let (few, mv) = multipv(&mut client, &go);
        assert_eq!((few.len(), few[0].1, few[1].1), (2, better.1, worst.1), "{}", entry.id);
        assert_eq!(few[0].0, mv);
        let mv = client.ask(&format!("go depth 60 searchmoves {}", worst.0), "bestmove");
        assert_eq!(mv, worst.0, "{}", entry.id);
    }
}

#[test]
fn query_values_returns_the_last_search() {
    let values = |client: &mut UgiClient| -> Value {
        serde_json::from_str(&client.ask("query values", "response")).unwrap()
    };
    let known = |values: &Value| {
        let moves = values["moves"].as_array().unwrap();
        moves.iter().filter(|mv| !mv["value"].is_null()).count()
    };
    let mut client = UgiClient::with_server();
    client.send("setoption name Game value join-the-dots");
    client.send("position fen points=0.1,0.1;0.9,0.1;0.8,0.9;0.2,0.8");
    let nothing = values(&mut client);
    assert_eq!((nothing["moves"].as_array().unwrap().len(), known(&nothing)), (6, 0));
    client.ask("go depth 9", "bestmove");
    let one = values(&mut client);
    assert_eq!((&one["value"], &one["moves"][0]["value"]), (&3.into(), &3.into()));
    assert!((1..=2).contains(&known(&one)), "the best: {one}");
    client.ask("go depth 9 multipv 3", "bestmove");
    let all = values(&mut client);
    let of: Vec<i64> =
        all["moves"].as_array().unwrap().iter().map(|mv| mv["value"].as_i64().unwrap()).collect();
    assert_eq!(of, [3, 3, -3, -3, -3, -3]);
    for (mv, is_reported) in all["moves"].as_array().unwrap().iter().zip([true, true, true, false])
    {
        let line = mv["line"].as_array().unwrap();
        assert_eq!((&line[0], line.len() > 1), (&mv["move"], is_reported), "{mv}");
    }
    client.send("position fen points=0.1,0.1;0.9,0.1;0.8,0.9;0.2,0.8 moves 1-3");
    assert_eq!(known(&values(&mut client)), 0, "another position");

    // An unfinished search has estimates, and bounds where they are proven.
    client.send("position fen points=0.564,0.736;0.952,0.447;0.439,0.180;0.083,0.098;0.2,0.9;0.7,0.05;\
                0.31,0.41;0.87,0.93;0.62,0.33;0.05,0.55;0.41,0.62;0.78,0.21;0.33,0.02;0.98,0.71;0.13,0.37");
    client.ask("go nodes 500 multipv 2", "bestmove");
    let open = values(&mut client);
    let moves = open["moves"].as_array().unwrap();
    assert!(open["value"].is_null() && open["estimate"].is_number(), "{open}");
    assert!(moves.iter().all(|mv| mv["value"].is_null() && mv["estimate"].is_number()), "{open}");
    assert_eq!(moves.len(), 15 * 14 / 2);
}

#[test]
fn unknown_words_are_named() {
    let mut client = UgiClient::with_server();
    client.send("go ponder depth 1 movestogo 40");
    assert_eq!(client.wait_for("info string").1, "go: ignored: \"ponder\", \"movestogo\", \"40\"");
    client.wait_for("bestmove");
    let words = "x ".repeat(1000);
    let told = client.ask(&format!("isready {words}"), "info string");
    assert!(told.ends_with("\"x\", \"x\", and 992 more"), "{told}");
    assert_eq!(client.wait_for("readyok").1, "");
}

#[test]
fn options_apply_in_any_order_and_the_last_setup_counts() {
    let mut client = UgiClient::with_server();
    let mut setup = |lines: &[&str]| {
        for line in lines {
            client.send(line);
        }
        let state = client.ask("query state", "response");
        let setup = state.split("\"setup\":\"").nth(1).unwrap().split('"').next().unwrap();
        setup.to_owned()
    };
    let [quixo, dots, circle] = [
        "setoption name Game value quixo",
        "setoption name game value Dots-And-Boxes",
        "setoption name Setup value layout=circle:3",
    ];
    assert_eq!(setup(&["setoption name Setup value first=O", quixo]), "size=5 first=O");
    assert_eq!(setup(&["setoption name Setup value size=3"]), "size=3 first=X");
    assert_eq!(setup(&[dots]), "rows=3 cols=3");
    assert_eq!(setup(&["position fen rows=2 cols=2"]), "rows=2 cols=2");
    assert_eq!(setup(&["setoption name Setup value"]), "rows=5 cols=5");
    assert_eq!(setup(&["position fen rows=2 cols=2", "position startpos"]), "rows=5 cols=5");
    assert_eq!(setup(&["position fen rows=2 cols=2", "uginewgame"]), "rows=5 cols=5");
    assert_eq!(setup(&["position fen rows=2 cols=2", circle]), "rows=2 cols=2", "it waits");
    let points = setup(&["setoption name Game value join-the-dots"]);
    assert!(points.starts_with("points=") && points.matches(';').count() == 2, "{points}");
    assert_eq!(setup(&[quixo]), "size=5 first=X", "no board of the game before");
}

#[test]
fn position_line_may_be_long_and_continued() {
    let mut client = UgiClient::with_server();
    client.send("setoption name Setup value size=64");
    let moves: Vec<String> =
        client.ask("query legal", "response").split(' ').map(str::to_owned).collect();
    assert_eq!(moves.len(), 2 * 63 * 64);
    let line = |count: usize| format!("position startpos moves {}", moves[..count].join("     "));
    assert!(line(moves.len()).len() > 64 << 10);
    // Forward, back, forward again, and to the end.
    for count in [4_000, 4_001, 10, 8_000, moves.len()] {
        client.send(&line(count));
        let left = client.ask("query legal", "response").split_whitespace().count();
        assert_eq!(left, moves.len() - count);
    }
    assert_eq!(client.ask("query gameover", "response"), "true");
}

/// After any input the engine still answers.
#[test]
fn engine_survives_any_input() {
    let words = "ugi isready uginewgame setoption name value Game Setup quixo go tic-tac-toe size=3 players=3 \
                 position startpos fen moves b1 a2 0,0-0,1 B1-B3 H0,0 depth nodes 1 -1 infinite multipv \
                 searchmoves stop query state values p1time \u{0}";
    let words: Vec<&str> = words.split(' ').collect();
    for seed in 0..40 {
        let mut chance = fastrand::Rng::with_seed(seed);
        let mut client = UgiClient::with_server();
        for _ in 0..60 {
            let count = chance.usize(0..8);
            let line: Vec<&str> = (0..count).map(|_| *chance.choice(&words).unwrap()).collect();
            client.send(&line.join(if chance.u8(0..9) == 0 { "\n" } else { " " }));
            if chance.u8(0..5) == 0 {
                client.send("stop");
            }
        }
        client.send("stop");
        client.send("setoption name Seed value 1");
        client.send("query p1turn");
        while !["true", "false"].contains(&&*client.wait_for("response").1) {}
        let (rest, status) = client.finish();
        let is_of_a_search =
            |line: &String| line.starts_with("bestmove ") || line.starts_with("info ");
        assert!(rest.iter().all(is_of_a_search), "{rest:?}");
        assert_eq!(status, None, "a thread has no exit status");
    }
}
