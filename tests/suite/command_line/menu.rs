//! The menu of plain mode: games, unfinished matches, records and rules.

use crate::common::program::{Run, command, finish};
use quadrille_match::store::progress::{Event, Score};
use quadrille_rules::Setup;
use quadrille_search::Level;
use quadrille_system::CAN_HOST_TABLES;
use quadrille_table::catalogue::GAMES;
use std::fs;
use tempfile::TempDir;

fn home() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn run_menu(home: &TempDir, args: &[&str], lines: &[&str]) -> Run {
    let input = [lines.join("\n").as_bytes(), b"\n"].concat();
    finish(&mut command(home.path(), args), &input)
}

fn menu(home: &TempDir, lines: &[&str]) -> Vec<String> {
    let said = run_menu(home, &["--plain"], lines).ok();
    assert!(said.chars().all(|letter| letter == '\n' || !letter.is_control()), "{said:?}");
    said.lines().map(str::to_owned).collect()
}

/// The line, with the opponents that this system offers.
fn offered(line: &str) -> String {
    if CAN_HOST_TABLES {
        return line.to_owned();
    }
    line.replace(", Friend over ssh", "").replace(", Friends over ssh", "")
}

fn has(said: &[String], line: &str) {
    let line = offered(line);
    assert!(said.contains(&line), "no {line:?} in {said:#?}");
}

#[test]
fn plain_menu_greets_and_lists_its_entries() {
    let said = menu(&home(), &["quit"]);
    assert_eq!(said[0], "Quadrille: five games on squared paper.");
    assert!(said[1].starts_with("1 Dots and Boxes: "), "{said:#?}");
    assert_eq!(said[said.len() - 1], "Type a number or a name, or help for a list of commands.");
    // A terminal that cannot show the screens gets the menu too, and end of file leaves it.
    let dumb = finish(command(home().path(), &[]).env("TERM", "dumb"), b"").ok();
    assert_eq!(dumb.lines().collect::<Vec<_>>(), said);
}

#[test]
fn menu_sets_up_and_plays_every_game() {
    for (entry, number) in GAMES.iter().zip(1..) {
        let said = menu(&home(), &["play", &number.to_string(), "start", "quit", "quit"]);
        has(&said, "1 Opponent: Computer, or Friend here, Friend over ssh or Custom.");
        assert!(said.iter().any(|line| line == "Your turn."), "{said:#?}");
        // The home menu again.
        assert_eq!(said.last().unwrap(), "Quadrille: five games on squared paper.");
        let said = menu(&home(), &[&format!("play {}", entry.id), "options", "back", "quit"]);
        let opponent = offered("1 Opponent: Computer, or Friend here, Friend over ssh or Custom.");
        assert_eq!(said.iter().filter(|line| **line == opponent).count(), 2);
    }
}

/// A won match reveals the player's strength, and so a suitable level.
#[test]
fn setup_suggests_the_level_that_fits() {
    let home = home();
    let events = (0..20).map(|number| {
        let at = jiff::Timestamp::from_second(1_796_000_000 + number).unwrap();
        let (id, game) = (number.to_string(), "quixo".to_owned());
        let (level, score) = (Level::Strong, Score::Win);
        Event::Match { at, id, game, setup: Setup::new(), level, levels: Level::VERSION, score }
            .line()
            .unwrap()
    });
    let state = home.path().join("quadrille");
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join("progress"), events.collect::<String>()).unwrap();
    let said = menu(&home, &["level", "quit"]);
    assert!(said.iter().any(|line| line.starts_with("Quixo, ")), "{said:#?}");
    assert!(said.iter().any(|line| line.ends_with("suggested: Strong.")), "{said:#?}");
}

/// From the result menu before the record is filed, and from the record.
#[test]
fn review_counts_for_accuracy_wherever_it_is_made() {
    let home = home();
    let state = home.path().join("quadrille");
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join("names"), "Ann\n").unwrap();
    let args = ["play", "tic-tac-toe", "--names", "Ann,Bob", "--plain"];
    let accuracy = || statistics(&home)["games"][0]["accuracy"].clone();
    let moves = ["a1", "b1", "b2", "c3", "c1", "a3", "a2", "b3"];
    run_menu(&home, &args, &[&moves[..], &["quit"]].concat()).ok();
    assert_eq!(accuracy()["moves"], 0, "not reviewed");
    // Another match, so that the review is not of a copy.
    let reviewed = ["a1", "b1", "b2", "c3", "c2", "a3", "a2", "b3", "review", "quit"];
    run_menu(&home, &args, &reviewed).ok();
    let reviewed = accuracy();
    assert!(reviewed["moves"].as_u64().unwrap() > 0, "{reviewed}");
    // The review of the same match in the library replaces it.
    menu(&home, &["records", "1", "review", "quit"]);
    assert_eq!(accuracy(), reviewed);
    let events = fs::read_to_string(state.join("progress")).unwrap();
    assert_eq!(events.matches("\"review\"").count(), 2, "{events}");
    // Only listed records count.
    menu(&home, &["records", "delete 1", "yes", "quit"]);
    assert_eq!(accuracy()["moves"], 0);
}

fn statistics(home: &TempDir) -> serde_json::Value {
    let printed = finish(&mut command(home.path(), &["statistics", "--json"]), b"").ok();
    serde_json::from_str(&printed).unwrap()
}

/// Record files do not change.
#[test]
fn renames_and_starting_over_change_the_statistics() {
    let home = home();
    let state = home.path().join("quadrille");
    fs::create_dir_all(state.join("records")).unwrap();
    fs::write(state.join("names"), "Ann\n").unwrap();
    let file = |name: &str, players: [&str; 2]| {
        let [first, second] = players;
        let text = format!(
            "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n[Date \"2026-11-20\"]\n[Seat1 \"{first}\"]\n\
             [Seat2 \"{second}\"]\n\na1 b1 a2 b2 a3\n"
        );
        fs::write(state.join(format!("records/{name}.game")), text).unwrap();
    };
    file("won", ["Ann", "Bob"]);
    file("lost", ["Bob", "Anny"]);
    file("others", ["Bob", "Eve"]);
    let counts = |json: &serde_json::Value| {
        let game = &json["games"][0];
        let against = &json["against"][0]["games"][0];
        let all = [&game["matches"], &game["wins"], &against["wins"], &against["losses"]];
        all.map(serde_json::Value::as_u64)
    };
    assert_eq!(counts(&statistics(&home)), [1, 1, 1, 0].map(Some));
    let said = menu(&home, &["rename", "Anny", "Ann", "yes", "quit"]);
    has(&said, "Rename Anny to Ann?");
    has(&said, "The results of Anny and Ann are merged.");
    assert_eq!(counts(&statistics(&home)), [2, 1, 1, 1].map(Some));
    let said = menu(&home, &["rename", "Anny", "Ann", "", "quit"]);
    has(&said, "Ann is the same player already.");
    // There and back.
    menu(&home, &["rename", "Ann", "Zoe", "yes", "quit"]);
    assert_eq!(statistics(&home)["name"], "Zoe");
    let said = menu(&home, &["rename", "Zoe", "Ann", "yes", "quit"]);
    has(&said, "Rename Zoe to Ann?");
    assert!(!said.iter().any(|line| line.contains("merged")), "{said:#?}");
    assert_eq!(statistics(&home)["name"], "Ann");
    let others = serde_json::json!([{
        "names": ["Bob", "Eve"],
        "games": [{ "game": "tic-tac-toe", "wins": 1, "draws": 0, "losses": 0 }],
    }]);
    assert_eq!(statistics(&home)["others"], others);
    let said = menu(&home, &["reset", "no", "quit"]);
    has(&said, "Start over?");
    assert_eq!(counts(&statistics(&home)), [2, 1, 1, 1].map(Some));
    let said = menu(&home, &["reset", "yes", "quit"]);
    has(&said, "Bob - Eve: won 1, drawn 0, lost 0.");
    let anew = statistics(&home);
    assert_eq!(
        (&anew["games"], &anew["against"]),
        (&serde_json::json!([]), &serde_json::json!([]))
    );
    // A record counts neither under another file name nor after another process has looked.
    fs::rename(state.join("records/won.game"), state.join("records/again.game")).unwrap();
    menu(&home, &["statistics", "quit"]);
    assert_eq!(statistics(&home)["games"], serde_json::json!([]));
    let text = finish(&mut command(home.path(), &["statistics"]), b"").ok();
    assert!(text.starts_with("Statistics of Ann\n") && text.contains("Bob - Eve"), "{text}");
    assert_eq!(fs::read_dir(state.join("records")).unwrap().count(), 3);
}

#[test]
fn puzzles_are_solved_in_plain_mode() {
    let puzzle =
        quadrille_puzzles::of("dots-and-boxes").find(|puzzle| puzzle.solution.len() == 1).unwrap();
    let right = &puzzle.solution[0];
    let legal = puzzle.position().unwrap().legal_moves();
    let wrong = legal.iter().find(|mv| *mv != right).unwrap();
    let begin = format!("puzzle {}", puzzle.id);
    let said = menu(&home(), &[&begin, wrong, right, "back", "quit"]);
    has(&said, "Not that one.");
    // The goal comes before the board.
    let goal = quadrille_puzzles::Attempt::new(puzzle.clone()).unwrap().goal();
    let at = |line: &str| said.iter().position(|said| said.starts_with(line)).unwrap();
    assert!(at(&format!("{goal}.")) < at("You are "), "{said:#?}");
    // One reply is named, none is played, and the move is taken back.
    assert!(said.iter().any(|line| line.starts_with("That ")), "{said:#?}");
    let taken = format!("Your {wrong} is taken back.");
    assert!(said.iter().any(|line| line.contains(&taken)), "{said:#?}");
    assert!(said.iter().any(|line| line.starts_with("Solved: ")), "{said:#?}");
    let position = puzzle.position().unwrap();
    let position = position.now();
    let mark = position.mark(position.to_move().unwrap());
    has(&said, &format!("You are {mark}."));
}

/// The rest of the match is played out after the solution, also where it ends a round.
#[test]
fn rest_after_a_solution_is_told_in_plain_mode() {
    let puzzle = quadrille_puzzles::find("intersections-4").unwrap();
    let begin = format!("puzzle {}", puzzle.id);
    let said = menu(&home(), &[&begin, &puzzle.solution[0], "back", "quit"]);
    assert!(said.iter().any(|line| line.contains("Watch the rest.")), "{said:#?}");
    assert!(said.iter().any(|line| line.starts_with("Your side draws ")), "{said:#?}");
    assert!(said.iter().any(|line| line.contains(" 14 to 14. ")), "{said:#?}");
    assert!(!said.iter().any(|line| line.starts_with("Next: ")), "no menu opens: {said:#?}");
}

/// After an attempt, `next` asks for confirmation, and only the explicit entry gives up.
#[test]
fn giving_up_a_puzzle_needs_confirmation() {
    let gives_up = |lines: &[&str]| {
        let said = menu(&home(), &[&["puzzle dots-1"], lines, &["back", "quit"]].concat());
        let asks = said.iter().filter(|line| *line == "Give up this puzzle?").count();
        (asks, said.iter().any(|line| line.starts_with("The solution is ")))
    };
    assert_eq!(gives_up(&["next"]), (0, false), "nothing was tried");
    assert_eq!(gives_up(&["hint", "next"]), (1, false));
    assert_eq!(gives_up(&["hint", "next", "moves", "next"]), (2, false));
    assert_eq!(gives_up(&["hint", "next", "2"]), (1, true));
}

#[test]
fn plain_puzzle_hint_is_recorded_at_once() {
    let home = home();
    let right = &quadrille_puzzles::find("dots-1").unwrap().solution[0];
    menu(&home, &["puzzle dots-1", "hint", "hint"]);
    let said = menu(&home, &["puzzle dots-1", right, "back", "quit"]);
    assert!(said.iter().any(|line| line.starts_with("Solved: ")), "{said:#?}");
    assert!(!said.iter().any(|line| line.contains("first try")), "{said:#?}");
}

#[test]
fn plain_rush_follows_the_rush_rules() {
    let home = home();
    let rush = |lines: &[&str]| {
        let lines = [&["start"], lines].concat();
        run_menu(&home, &["puzzle", "rush", "dots", "--plain"], &lines).ok()
    };
    let said = rush(&["hint", "next", "next", "moves", "next", "quit"]);
    let has = |line: &str| assert!(said.contains(line), "no {line:?} in {said}");
    has("Solve all you can in 3 min.\n");
    has("Quadrille rush \u{b7} Dots and Boxes \u{b7} 0 solved \u{b7} \u{2013}\u{2013}\u{2013}\n");
    has("\"hint\" is not available now.\n");
    assert_eq!(said.matches("Skipped. The solution is ").count(), 3, "{said}");
    has(" 0 solved, 2 mistakes.\n");
    has("Three mistakes. 0 solved.\n");
    let said = rush(&["menu", "end the rush", "quit"]);
    assert!(said.contains("0 solved. Your best is 0."), "{said}");
    let said = rush(&["quit"]);
    assert!(!said.contains("End the rush") && said.contains(" 0 solved\n"), "{said}");
}

#[test]
fn puzzle_rush_has_its_own_help() {
    let help = run_menu(&home(), &["puzzle", "rush", "--help"], &[]).ok();
    assert!(help.contains("Three mistakes end the rush") && !help.contains("Today"), "{help}");
    let help = run_menu(&home(), &["puzzle", "daily", "--help"], &[]).ok();
    assert!(help.contains("Today's puzzle") && !help.contains("mistakes"), "{help}");
}

#[test]
fn unwritable_puzzle_result_is_reported() {
    let home = home();
    fs::create_dir_all(home.path().join("quadrille/progress")).unwrap();
    let right = &quadrille_puzzles::find("dots-1").unwrap().solution[0];
    let begin = ["puzzle dots-1", right, "back", "quit"].join("\n");
    let said = finish(&mut command(home.path(), &["--plain"]), begin.as_bytes());
    let lines: Vec<&str> = said.out.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("Solved")).unwrap();
    let is_told = |line: &&str| line.starts_with("Not saved: ") && line.ends_with('.');
    assert!(lines[at..].iter().any(is_told), "{said:?}");
}

#[cfg(unix)]
#[test]
fn setup_form_seats_a_guest() {
    let said = menu(&home(), &["dots 1=Ann 2=guest", "2=Bob", "quit"]);
    has(&said, "1 Opponent: Friend over ssh, or Computer, Friend here or Custom.");
    has(&said, "3 Player 2: Bob.");
}

#[test]
fn setup_form_accepts_all_options() {
    let said = menu(
        &home(),
        &[
            "dots size=3",
            "1=Ann",
            "2=casual",
            "clock=300+5",
            "size=99",
            "size=2",
            "seat",
            "3=Bob",
            "2=casual",
            "start",
        ],
    );
    has(&said, "4 Board: 2 x 2 boxes (3 x 3 dots).");
    has(&said, "2 Level: Casual.");
    has(&said, "6 Your name: Ann.");
    has(&said, "5 Clock: 5 min + 5 s.");
    has(
        &said,
        "Board: must be a whole number of dots from 2 to 64, or of boxes, as in 3 x 4 boxes, not \"99\".",
    );
    has(
        &said,
        "Unknown choice \"seat\". Type a row's name or number, or help for a list of commands.",
    );
    has(&said, "First move: must be You or Computer, not \"Bob\".");
    has(&said, "Dots and Boxes, 1 x 1 box (2 x 2 dots). You against Casual.");
    has(&said, "Clock: 5 min + 5 s.");
    let rows = ["quixo level=skilled first-move=computer name=Ann Lee", "options", "back"];
    let said = menu(&home(), &rows);
    has(&said, "2 Level: Skilled.");
    has(&said, "3 First move: Computer.");
    has(&said, "6 Your name: Ann Lee.");
    let wrong = menu(&home(), &["quixo", "2=engine:god", "back"]);
    assert!(wrong.iter().any(|line| line.contains("the levels are beginner")), "{wrong:#?}");
}

#[test]
fn setup_form_accepts_several_changes_per_line() {
    let said = menu(&home(), &["dots size=4 2=strong clock = 60+1", "1=Ann Lee 2=Bob size=3", "x"]);
    has(&said, "2 Level: Strong.");
    has(&said, "2 Player 1: Ann Lee.");
    has(&said, "5 Board: 2 x 2 boxes (3 x 3 dots).");
    let said = menu(&home(), &["intersections 3=Cy players=3", "40=Dan", "size 3=x"]);
    assert!(said.iter().any(|line| line.ends_with("Player 3: Cy person.")), "{said:#?}");
    has(&said, "Unknown row \"40\".");
    has(&said, "Unknown row \"size 3\".");
}

/// Returns the lines after the first one that is `line`.
fn after<'a>(said: &'a [String], line: &str) -> &'a [String] {
    has(said, line);
    &said[said.iter().position(|text| text == line).map_or(0, |at| at + 1)..]
}

const FORM: &str = "Type a row's number or name to hear its values, and add a value to change it.";

#[test]
fn rows_of_the_setup_are_read_by_number_and_name() {
    let lines = ["dots", "1", "opponent", "2", "4", "clock", "first-move", "seed", "", "quit"];
    let said = menu(&home(), &lines);
    let said = after(&said, FORM);
    let opponent = [
        "1 Opponent: Computer.",
        "Values: Computer, Friend here, Friend over ssh or Custom.",
        "You play against the computer.",
    ];
    let opponent = opponent.map(offered);
    assert_eq!([&said[..3], &said[3..6]], [&opponent, &opponent]);
    assert_eq!(said[7], "Values: Beginner, Casual, Skilled, Strong or Perfect.");
    assert_eq!(
        said[9..11],
        [
            "4 Board: 4 x 4 boxes (5 x 5 dots).",
            "Values: a whole number of dots from 2 to 64, or of boxes, as in 3 x 4 boxes."
        ]
    );
    has(
        said,
        "Values: none, 1 min, 3 min + 2 s, 5 min + 3 s, 10 min + 5 s, 30 min or a clock such as 5 min + 3 s.",
    );
    has(said, "Values: You or Computer.");
    has(
        said,
        "Unknown choice \"seed\". Type a row's name or number, or help for a list of commands.",
    );
    // An empty line reads the form again.
    assert_eq!(said.iter().filter(|line| *line == FORM).count(), 1);
    assert!(!said.iter().any(|line| line.ends_with("to move.")), "{said:#?}");
}

#[test]
fn no_number_starts_a_match_in_any_game() {
    for entry in &GAMES {
        for opponent in ["computer", "friend", "custom"] {
            let set = format!("play {} opponent={opponent}", entry.id);
            let numbers: Vec<String> = (1..=16).map(|number| number.to_string()).collect();
            let lines: Vec<&str> =
                [&*set].into_iter().chain(numbers.iter().map(|number| &**number)).collect();
            let said = menu(&home(), &lines);
            assert!(!said.iter().any(|line| line.ends_with("to move.")), "{said:#?}");
            assert!(said.iter().any(|line| line.ends_with("Start. Type start to choose it.")));
        }
    }
}

#[test]
fn rows_of_the_setup_are_set_by_name_and_number() {
    let lines = [
        "dots",
        "level casual",
        "3 computer",
        "board 3 x 4 boxes",
        "board",
        "board 3 x 4",
        "clock 5 min + 3 s",
        "opponent=nobody",
        "clock soon",
        "level casual",
        "change",
        "1=friend",
        "players 3",
        "1=Ann Lee 2=Bob",
        "first move=bob board=3",
        "start",
    ];
    let said = menu(&home(), &lines);
    let said = after(&said, FORM);
    assert_eq!(said[0], "2 Level: Casual.");
    has(said, "3 First move: Computer.");
    has(said, "4 Board: 2 x 3 boxes (3 x 4 dots).");
    has(said, "4 Board: 3 x 4 boxes (4 x 5 dots).");
    has(said, "Values: a whole number of dots from 2 to 64, or of boxes, as in 3 x 4 boxes.");
    has(said, "5 Clock: 5 min + 3 s.");
    has(
        said,
        "Opponent: must be Computer, Friend here, Friend over ssh or Custom, not \"nobody\".",
    );
    has(said, "Clock: type it as 5 min + 3 s, at most 24 h + 1 h, or as 1 to 14 days.");
    assert_eq!(said.iter().filter(|line| *line == "2 Level: Casual.").count(), 2);
    has(
        said,
        "Unknown choice \"change\". Type a row's name or number, or help for a list of commands.",
    );
    has(said, "1 Opponent: Friend here, or Computer, Friend over ssh or Custom.");
    has(
        said,
        "Unknown choice \"players 3\". Type a row's name or number, or help for a list of commands.",
    );
    has(said, "2 Player 1: Ann Lee.");
    has(said, "4 First move: Bob.");
    has(said, "Dots and Boxes, 2 x 2 boxes (3 x 3 dots). Bob against Ann Lee.");
    let said = menu(
        &home(),
        &["making players=3 opponent=friends", "opponent computer", "level=skilled", "2=4"],
    );
    has(&said, "1 Opponent: Friends here, or Computer, Friends over ssh or Custom.");
    has(&said, "3 Level: Skilled.");
    has(&said, "2 Players: 4.");
}

#[test]
fn settings_are_typed_as_they_are_read_out() {
    let home = home();
    let lines = [
        "settings",
        "bell=on my turn",
        "set bell on",
        "8",
        "theme=paper",
        "theme night",
        "theme nihgt",
        "engine level=skilled",
        "16=5",
        "engine delay = none program memory=4 GB table timeout 2 h",
        "table timeout=2 h on my turn=engines wait",
        "confirm=maybe",
        "sets",
        "21",
        "keys",
        "back",
        "back",
        "theme blueprint",
    ];
    let said = menu(&home, &lines);
    let said = after(&said, FORM);
    assert_eq!(said[..3], ["8 bell: on my turn.", "8 bell: on my turn.", "8 bell: on my turn."]);
    assert_eq!(said[3], "Values: off or on my turn.");
    has(said, "1 theme: paper.");
    assert_eq!(after(said, "1 theme: paper.")[0], "1 theme: night.");
    assert!(said.iter().any(|line| line.starts_with("theme: must be night, paper, ")), "{said:#?}");
    has(said, "15 engine level: skilled.");
    has(said, "16 engine time: 5 s.");
    has(said, "14 engine delay: none.");
    has(
        said,
        "program memory: must be a whole number of MiB from 64 to 65536, not \"4 GB table timeout 2 h\".",
    );
    has(said, "19 table timeout: 2 h.");
    has(said, "17 on my turn: engines wait.");
    has(said, "confirm a move: must be off or on, not \"maybe\".");
    has(
        said,
        "Unknown choice \"sets\". Type a row's name or number, or help for a list of commands.",
    );
    has(said, "\"21\" is out of range: choose 1 to 20.");
    has(said, "Keys.");
    let listed = finish(&mut command(home.path(), &["config"]), b"").ok();
    for line in [
        "bell = true",
        "theme = \"night\"",
        "level = \"skilled\"",
        "time = 5",
        "pace = 0",
        "table-idle = 120",
        "confirm = false",
    ] {
        assert!(listed.lines().any(|text| text == line), "no {line} in {listed}");
    }
}

#[test]
fn refused_number_of_segments_names_the_allowed_ones() {
    let why = run_menu(&home(), &["play", "making", "size=3", "segments=3", "--plain"], &[]);
    assert_eq!(why.fails(2), "segments=3: must be 2, 4 or 6");
    let said = menu(&home(), &["making size=3", "segments=3", "segments"]);
    has(&said, "Segments: must be 2, 4 or 6, not \"3\".");
    has(&said, "Values: 2, 4 or 6.");
}

#[test]
fn unknown_game_names_all_games() {
    let games = "dots-and-boxes, join-the-dots, quixo, tic-tac-toe or intersections";
    has(&menu(&home(), &["play board"]), &format!("Unknown game \"board\". Choose {games}."));
}

/// Where games are listed, any name of a game works, even one that is also a command.
#[test]
fn menu_accepts_any_name_of_a_game() {
    let said = menu(&home(), &["99", "q", "back", "play q size=3", "back", "play", "quit"]);
    assert!(said.iter().any(|line| line.starts_with("\"99\" is out of range: choose 1 to ")));
    has(&said, "4 Board: 5 x 5.");
    has(&said, "4 Board: 3 x 3.");
}

#[test]
fn plain_menu_leaves_and_resumes_a_match() {
    let home = home();
    let said = menu(
        &home,
        &[
            "resume",
            "records",
            "play ttt",
            "opponent=friend",
            "start",
            "b2",
            "quit",
            "resume",
            "quit",
        ],
    );
    has(&said, "No unfinished matches.");
    has(&said, "No records yet. Finished matches appear here.");
    assert!(said.iter().any(|line| line.starts_with("6 Resume: Tic-tac-toe vs ")), "{said:#?}");
    assert!(said.iter().any(|line| line.starts_with("1 Tic-tac-toe, ")), "{said:#?}");
    let said = menu(&home, &["resume 7", "resume 1", "a1"]);
    has(&said, "\"7\" is out of range: choose 1 to 1.");
    has(&said, "1 move played. pat puts X on b2.");
    has(&said, "Player 2 puts O on a1. pat to move.");
}

#[test]
fn plain_menu_lists_and_replays_records() {
    let home = home();
    let lines = ["ttt", "1=Ann", "2=Bob", "start", "a1", "b1", "a2", "b2", "a3", "quit", "records"];
    let said = menu(&home, &lines);
    let record = said.iter().find(|line| line.starts_with("1 Tic-tac-toe, ")).unwrap();
    assert!(record.starts_with("1 Tic-tac-toe, Ann against Bob, 1-0, 2"), "{record}");
    assert!(record.ends_with(", moves 5."), "{record}");
    let found = menu(&home, &["records", "find bob", "show 1"]);
    has(&found, "Ann has X on a1, a2 and a3.");
    let shown = menu(&home, &["show 1"]);
    has(&shown, "Ann has X on a1, a2 and a3.");
    let said = menu(&home, &["replay 1", "quit", "show 2", "replay"]);
    has(&said, "1. Ann puts X on a1.");
    has(&said, "5. Ann puts X on a3 and has three in a row: a1, a2 and a3.");
    has(&said, "Ann wins.");
    has(&said, "\"2\" is out of range: choose 1 to 1.");
    let lines = ["boxes", "1=Ann", "start", "resign", "yes", "nonsense", "quit", "records"];
    let said = menu(&home, &lines);
    assert!(said.iter().any(|line| line.starts_with("Unknown choice \"nonsense\".")));
    let is_resigned = |line: &String| line.contains("Boxes, Ann against Bob, 0-1, resigned");
    assert!(said.iter().any(is_resigned), "{said:#?}");
    fs::write(home.path().join("quadrille/records/bad.game"), "nothing").unwrap();
    let said = menu(&home, &["records"]);
    assert!(said.iter().any(|line| line.contains("bad.game")), "{said:#?}");
}

#[test]
fn results_are_read_when_all_records_are_counted() {
    let home = home();
    let records = home.path().join("quadrille/records");
    fs::create_dir_all(&records).unwrap();
    for number in 0..40 {
        let text = format!(
            "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n[Date \"{number:03}\"]\n[Seat1 \"Ann\"]\n[Seat2 \"Bob\"]\n\
             [Result \"1-0\"]\n\na1 b1 a2 b2 a3\n"
        );
        fs::write(records.join(format!("{number}.game")), text).unwrap();
    }
    let said = menu(&home, &["records", "wins", "wins", "quit"]);
    let counted = said.iter().filter(|line| line.contains(": won ")).collect::<Vec<_>>();
    let lines = ["Ann - Bob: won 40, drawn 0, lost 0.", "Tic-tac-toe: won 40, drawn 0, lost 0."];
    assert_eq!(counted, [lines, lines].concat(), "{said:#?}");
    assert!(!said.iter().any(|line| line.contains("still to count")), "{said:#?}");
}

#[test]
fn menu_reports_ambiguous_and_unknown_words() {
    let said =
        menu(&home(), &["r", "chess", "play chess", "rules", "rules dots", "99", "help", "qui"]);
    has(
        &said,
        "\"r\" is ambiguous: resume, records, replay, rules, rename or reset. Type more letters.",
    );
    let games = "dots-and-boxes, join-the-dots, quixo, tic-tac-toe or intersections";
    has(&said, &format!("Unknown game \"chess\". Choose {games}."));
    has(&said, "Rules.");
    let rules = GAMES[0].rules.lines().next().unwrap();
    has(&said, rules);
}

#[test]
fn menu_ignores_an_unterminated_line() {
    let home = home();
    let said = finish(&mut command(home.path(), &["--plain"]), b"play ttt").ok();
    let last = said.lines().last().unwrap();
    assert_eq!(last, "Input ended in the middle of a line; ignored: \"play ttt\".");
}

#[test]
fn plain_option_needs_a_command_with_screens() {
    let refused = run_menu(&home(), &["--plain", "rules", "quixo"], &[]).fails(2);
    assert_eq!(
        refused,
        "--plain: only the home screen, play, resume, join, lobby, learn, puzzle, replay and tournament have a text mode"
    );
    let said = run_menu(&home(), &["--plain", "play", "ttt"], &["quit"]).ok();
    assert!(said.starts_with("Tic-tac-toe"), "{said}");
}

/// The search waits for the engine, and closes by itself.
#[test]
fn plain_menu_opens_mistakes_as_puzzles() {
    let home = home();
    let moves = ["a1", "b1", "b2", "c3", "c1", "b3", "a3"];
    let begin = ["ttt", "1=Ann", "2=Bob", "start"];
    menu(&home, &[&begin, &moves[..], &["quit"]].concat());
    let said = menu(&home, &["puzzle mistakes 1", "b1", "back", "quit"]);
    has(&said, "Looking for your mistakes.");
    assert!(said.iter().any(|line| line.contains("your mistakes")), "{said:#?}");
    assert!(said.iter().any(|line| line.contains("b1")), "{said:#?}");
}
