//! Key scripts for the library of records and the replay viewer.

use crate::common::chance::Chance;
use crate::common::player::{Player, draws_at};
use crate::common::samples::complete;
use crate::common::untimed::Untimed;
use insta::assert_snapshot;
use quadrille::app::{
    CountedRecords, DiskTask, EngineEvent, EngineTask, OpenMatch, OpenRecord, RecordSummary,
    RecordTask, Task, TerminalTask,
};
use quadrille::board::Viewer;
use quadrille_match::session::{Conditions, Termination};
use quadrille_rules::{Seat, Setup};
use quadrille_search::Report;
use quadrille_table::catalogue::{self, GAMES};
use quadrille_table::old_records::Filed;
use std::time::Duration;

fn record(
    id: &str,
    game: &str,
    names: &[&str],
    result: &str,
    date: &str,
    plies: usize,
) -> RecordSummary {
    let names = names.iter().map(|&name| name.to_owned()).collect();
    let (id, game, result) = (id.to_owned(), game.to_owned(), result.to_owned());
    let termination = result.ends_with(", agreed").then_some(Termination::Agreed);
    RecordSummary { id, game, names, result, termination, date: date.to_owned(), plies }
}

fn some() -> Vec<RecordSummary> {
    let ann = ["Ann", "Bob"];
    let bob = ["Bob", "Ann"];
    vec![
        record("one", "dots-and-boxes", &ann, "3-1", "2026-11-20", 12),
        record("two", "quixo", &bob, "1-0", "2026-11-23", 31),
        record("three", "dots-and-boxes", &bob, "9-7", "2026-11-21", 40),
        record("four", "dots-and-boxes", &ann, "0-0, agreed", "2026-11-21", 3),
        record("five", "tic-tac-toe", &["Ann", "小林さん"], "1/2-1/2", "2026-11-22", 9),
        record(
            "six",
            "intersections",
            &["Ann", "Bob", "Charlotte", "Desmond", "Eve", "Frederic"],
            "3-2-12-0-4-5",
            "2026-11-02",
            108,
        ),
        record("nobody", "quixo", &["Ann", ""], "1-0", "2025-12-31", 20),
        record("seven", "go", &["Ann", "Cleo"], "*", "2025-01-31", 7),
    ]
}

/// Opens the library, the third entry after the games, before its records are read.
fn opened() -> Player {
    let mut player = Player::new();
    player.press(&"<tab>".repeat(GAMES.len() + 2)).press("<enter>");
    player
}

fn library(records: &[RecordSummary]) -> Player {
    let mut player = opened();
    player.app.records(records, &[]);
    player.tasks.clear();
    player
}

/// Presses the key that counts results, and reports that every record is readable.
fn count(player: &mut Player, records: &[RecordSummary]) {
    player.press("t");
    let Some(Task::Disk(DiskTask::Records(RecordTask::Count(ids)))) = player.tasks.pop() else {
        panic!("nothing is counted")
    };
    let is_wanted =
        |record: &&RecordSummary| ids.as_ref().is_none_or(|ids| ids.contains(&record.id));
    let records = records.iter().filter(is_wanted).cloned().collect();
    player.app.counted(&CountedRecords { records, ..CountedRecords::default() });
}

/// Only moves with a proven value count, and only if a worse move was possible.
#[test]
fn review_of_a_listed_record_is_recorded_for_accuracy() {
    let reviewed = |name: &str, is_listed: bool| {
        let mut player = Player::new();
        player.app.set_login_name(name.to_owned());
        let record = open_record("tic-tac-toe", "first=X", "a1 b1 b2 c3 c1");
        let [fingerprint, date] = ["fingerprint", "2026-11-20"].map(str::to_owned);
        let filed = Filed { fingerprint, date };
        let record = if is_listed { record.filed_as(filed) } else { record };
        player.app.open_replay(record);
        player.press("a");
        assert!(player.think());
        let events = player.tasks.into_iter().filter_map(|task| match task {
            Task::Disk(DiskTask::Append(events)) => Some(events),
            _ => None,
        });
        events.flatten().collect::<Vec<_>>()
    };
    // The first move cannot be a mistake, the second keeps the win, and the third loses it.
    let [
        quadrille_match::store::progress::Event::Review {
            record, seat: 1, moves, best, lost, ..
        },
    ] = &reviewed("Ann", true)[..]
    else {
        panic!()
    };
    assert_eq!((&**record, *moves, *best, *lost), ("fingerprint", 2, 1, 1));
    assert_eq!(reviewed("Eve", true), [], "she did not play");
    assert_eq!(reviewed("Ann", false), [], "not in the library");
}

/// Requested in the list; shown as puzzles once the record is read.
#[test]
fn record_mistakes_open_as_puzzles() {
    let mut player = library(&some());
    player.press("<down>m");
    assert_eq!(player.tasks, [RecordTask::Mistakes("five".to_owned()).into()]);
    // b1 lets X win, and c1 misses it.
    player.app.open_mistakes(&open_record("tic-tac-toe", "first=X", "a1 b1 b2 c3 c1"));
    // The engine's thread searches, not the screen's.
    assert!(player.sees("Looking for your mistakes"), "{}", player.screen(80, 24));
    assert!(player.sees("0 of 5 moves checked"), "{}", player.screen(80, 24));
    assert!(player.think());
    assert!(player.sees("Tic-tac-toe, your mistakes"), "{}", player.screen(80, 24));
    assert!(player.sees("Hold the draw"), "{}", player.screen(80, 24));
    player.press("q");
    let sound = open_record("tic-tac-toe", "first=X", "b2 a1");
    player.app.open_mistakes(&sound);
    player.press("<enter><esc>");
    assert!(player.sees("Records") && !player.think(), "{}", player.screen(80, 24));
    player.app.open_mistakes(&sound);
    assert!(player.think());
    assert!(player.sees("No proven mistakes in this match"), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(player.sees("Records"), "{}", player.screen(80, 24));
}

fn replay(game: &str, setup: &str, moves: &str) -> Player {
    let mut player = Player::new();
    player.app.open_replay(open_record(game, setup, moves));
    player
}

fn open_record(game: &str, setup: &str, moves: &str) -> OpenRecord {
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    let entry = catalogue::find(game).unwrap();
    let mut open_match =
        OpenMatch::opened(entry, &setup.parse().unwrap(), Conditions::named(&names)).unwrap();
    moves.split_whitespace().for_each(|mv| open_match.play(mv).unwrap());
    open_match.viewing_copy()
}

const BOXES: &str = "H0,0 H2,1 H0,1 H2,0 V0,0 V1,2 H1,0 V0,1 H1,1 V0,2 V1,1 V1,0";

/// The 12-move example of the record format.
fn boxes() -> Player {
    replay("dots-and-boxes", "size=3", BOXES)
}

/// A match with three lines after its second move, of which the second is the longest.
fn forked() -> Player {
    let mut record = open_record("dots-and-boxes", "size=3", "H0,0 H0,1 V0,0 V0,1");
    let mut game = record.viewer.change();
    game.go_to_ply(2);
    game.play("H1,0").unwrap();
    game.play("H1,1").unwrap();
    game.play("H2,0").unwrap();
    game.go_to_ply(2);
    game.play("V1,0").unwrap();
    game.go_to_ply(2);
    let second = game.children(game.node())[1];
    game.select_variation(second);
    game.go_to_ply(usize::MAX);
    drop(game);
    let mut player = Player::new();
    player.app.open_replay(record);
    player
}

#[test]
fn library_matches_snapshots_at_every_size() {
    for (width, height) in [(80, 24), (40, 12), (200, 60), (30, 10), (60, 11), (6, 4)] {
        let mut player = library(&some());
        player.app.records(&some(), &["bad.game: line 3: no tag".to_owned()]);
        player.press("<down>");
        assert_snapshot!(format!("library_{width}x{height}"), player.body(width, height));
    }
}

/// Names are truncated only in a narrow window.
#[test]
fn a_wide_window_shows_long_names_in_full() {
    let names = ["Bartholomew of the Long Meadow", "Strong, 20 s a move, with a seed of 7"];
    let player = library(&[record("a", "quixo", &names, "1-0", "2026-11-20", 12)]);
    let both = names.join(" - ");
    assert!(player.body(200, 60).contains(&both), "{}", player.body(200, 60));
    assert!(!player.body(100, 60).contains(&both));
}

#[test]
fn library_requests_its_records_on_opening() {
    let mut player = opened();
    assert_eq!(player.tasks, [RecordTask::List.into()]);
    assert!(player.sees("Records") && !player.sees("No records yet"), "it is not known yet");
    player.app.records(&[], &[]);
    assert!(player.sees("No records yet"));
    for key in ["<enter>", "n", "d", "e", "<down>", "<end>", "<pageup>"] {
        player.press(key);
    }
    assert_eq!(player.tasks, [RecordTask::List.into()], "there is nothing to do anything with");
    count(&mut player, &[]);
    assert!(player.sees("Finish a match to see results here."));
    player.press("<esc><esc>");
    assert!(player.sees("Tic-tac-toe"));
}

#[test]
fn the_latest_record_comes_first_and_enter_opens_it() {
    let mut player = library(&some());
    player.press("<enter><down><enter><end><enter><home><down><down><enter>");
    let ids = ["two", "five", "seven", "three"];
    assert_eq!(player.tasks, ids.map(|id| RecordTask::Read(id.to_owned()).into()));
    player.app.show_message("three.game: move 7: no such line");
    assert!(player.sees("three.game: move 7: no such line"));
    player.press("<down>");
    assert!(!player.sees("no such line"));
    player.app.open_replay(open_record("quixo", "", "A1-E1"));
    assert!(player.sees("move 0 of 1"));
    player.press("<esc>");
    assert!(player.sees("Records  8 matches"), "back in the list");
}

#[test]
fn narrow_list_shows_both_names() {
    let names = ["Beginner", "Strong"];
    let player = library(&[record("a", "quixo", &names, "1-0", "2026-11-20", 12)]);
    assert!(player.body(40, 12).contains("Beg▸ - Str▸"));
}

/// No file can start a program.
#[test]
fn branch_from_a_record_seats_you_for_programs() {
    let entry = catalogue::find("quixo").unwrap();
    let viewer = Viewer::open(entry, &Setup::new()).unwrap();
    let names = ["cmd:python3 bots/mine.py --depth 4", "engine:beginner"].map(str::to_owned);
    let mut player = Player::new();
    player.app.open_replay(OpenRecord::new(entry, viewer, &names));
    assert!(player.sees("mine.py") && !player.sees("--depth"));
    player.press("b");
    assert!(player.sees("you play for mine.py"));
    assert!(player.app.open_match().unwrap().players().people().eq([Seat::FIRST]));
}

#[test]
fn typing_filters_by_any_column() {
    let mut player = library(&some());
    player.press("/QuIx");
    assert!(player.sees("two") && !player.sees("Cleo"));
    assert_snapshot!("library_filtering_80x24", player.body(80, 24));
    player.press("<enter>");
    assert!(player.sees("/QuIx  2 of 8"));
    player.press("/<esc>");
    assert!(player.sees("/QuIx  2 of 8"), "what was not kept is dropped");
    player.press("<esc>");
    assert!(player.sees("Cleo"), "the first Esc clears the filter");
    for (filter, first) in [
        ("2025-01", "seven"),
        ("cleo", "seven"),
        ("9-7", "three"),
        ("108", "six"),
        ("boxes ann 40", "three"),
    ] {
        player.tasks.clear();
        player.press(&format!("/{filter}<enter><home><enter><esc>"));
        assert_eq!(player.tasks, [RecordTask::Read(first.to_owned()).into()], "{filter}");
    }
    player.press("/nobody at all<enter>");
    assert!(player.sees("No matching records"));
    player.press("/<backspace><enter>q");
    assert!(player.sees("Quixo"), "q left the screen, not the filter");
}

#[test]
fn library_cursor_stays_on_its_record() {
    let mut player = library(&some());
    player.press("<down><down><down>");
    let task = |id: &str| Some(RecordTask::Read(id.to_owned()).into());
    player.press("<enter>");
    assert_eq!(player.tasks.last().cloned(), task("four"));
    player.press("/ann<enter><enter>");
    assert_eq!(player.tasks.last().cloned(), task("four"));
    player.press("<esc><enter>");
    assert_eq!(player.tasks.last().cloned(), task("four"));
    let mut more = some();
    more.push(record("new", "quixo", &["A", "B"], "1-0", "2027-01-01", 5));
    player.app.records(&more, &[]);
    player.press("<enter>");
    assert_eq!(player.tasks.last().cloned(), task("four"));
    player
        .app
        .records(&some().into_iter().filter(|record| record.id != "four").collect::<Vec<_>>(), &[]);
    player.press("<enter>");
    assert_eq!(player.tasks.last().cloned(), task("six"), "the one that stood behind it");
}

#[test]
fn deleting_a_record_needs_confirmation() {
    let mut player = library(&some());
    player.press("<down>d");
    assert_snapshot!("library_delete_80x24", player.body(80, 24));
    assert_snapshot!("library_delete_30x10", player.body(30, 10));
    player.press("<enter>d<esc>dq");
    assert_eq!(player.tasks, []);
    player.press("d<down><enter>");
    assert_eq!(
        player.tasks,
        [RecordTask::Delete("five".to_owned()).into(), RecordTask::List.into()]
    );
}

#[test]
fn a_record_is_renamed_and_exported_by_typing() {
    let mut player = library(&some());
    player.press("n<backspace><backspace><backspace>the q? match");
    assert_snapshot!("library_rename_80x24", player.body(80, 24));
    player.press("<esc>n<enter>n<backspace><backspace><backspace><enter>");
    assert_eq!(player.tasks, [], "not with Esc, and not to the same or to nothing");
    player.press("n 2<enter>");
    let rename = RecordTask::Rename { id: "two".to_owned(), to: "two 2".to_owned() }.into();
    assert_eq!(player.tasks, [rename, RecordTask::List.into()]);
    player.tasks.clear();
    player.press("<down>e<home>/tmp/<enter>");
    let export =
        RecordTask::Export { id: "five".to_owned(), to: "/tmp/five.game".to_owned() }.into();
    assert_eq!(player.tasks, [export]);
}

/// A confirmation applies to the named record, even if the list has changed meanwhile.
#[test]
fn rename_applies_to_the_record_in_the_prompt() {
    let without =
        |id: &str| some().into_iter().filter(|record| record.id != id).collect::<Vec<_>>();
    let mut player = library(&some());
    player.press("<down>n 2");
    player.app.records(&without("five"), &[]);
    player.press("<enter>");
    let rename = RecordTask::Rename { id: "five".to_owned(), to: "five 2".to_owned() }.into();
    assert_eq!(player.tasks, [rename, RecordTask::List.into()]);
    let mut player = library(&some());
    player.press("<down>e");
    player.app.records(&without("five"), &[]);
    player.press("<enter>");
    let export = RecordTask::Export { id: "five".to_owned(), to: "five.game".to_owned() }.into();
    assert_eq!(player.tasks, [export]);
    let mut player = library(&some());
    player.press("<down>d");
    player.app.records(&without("five"), &[]);
    player.press("<down><enter>");
    assert_eq!(
        player.tasks,
        [RecordTask::Delete("five".to_owned()).into(), RecordTask::List.into()]
    );
}

#[test]
fn long_list_scrolls_with_the_cursor() {
    let many = |n: usize| record(&format!("r{n}"), "quixo", &["A", "B"], "1-0", "2026-01-01", n);
    let mut player = library(&(0..100).map(many).collect::<Vec<_>>());
    player.screen(80, 24);
    player.press("<pagedown>");
    assert_snapshot!("library_long_80x24", player.body(80, 24));
    for (keys, at) in [
        ("<end>", 99),
        ("<down>", 0),
        ("<up>", 99),
        ("<pageup>", 81),
        ("G", 99),
        ("k<up>", 97),
        ("g", 0),
        ("<pagedown>", 18),
    ] {
        player.press(keys);
        assert!(player.sees(&format!("\n  r{at}\n")), "{keys}");
        assert!(player.sees(&format!("2026-01-01{at:>7}\n")), "{keys}");
    }
}

#[test]
fn head_to_head_counts_listed_records() {
    let mut player = library(&some());
    count(&mut player, &some());
    for (width, height) in [(80, 24), (40, 12), (30, 10)] {
        assert_snapshot!(format!("tally_{width}x{height}"), player.body(width, height));
    }
    player.press("<esc>/cleo<enter>");
    count(&mut player, &some());
    assert!(player.sees("No result among"), "a match without an end counts for nobody");
    player.press("<esc><esc>/quixo<enter>");
    count(&mut player, &some());
    assert!(player.sees("Quixo") && !player.sees("Dots and Boxes"), "only what the list shows");
}

#[test]
fn head_to_head_reports_uncounted_records() {
    let mut player = library(&some());
    player.press("t");
    player.app.counted(&CountedRecords {
        records: some(),
        unsound: 2,
        copies: 1,
        ..CountedRecords::default()
    });
    let but = "not counted: 2 records whose results contradict their moves, 1 copy";
    assert!(player.sees(but));
    player.screen(30, 10);
    player.press("<end>");
    let narrow = player.screen(30, 10);
    assert!(narrow.contains("not counted: 2 records\n"), "{narrow}");
}

/// A renamed record may move to another place in the list.
#[test]
fn cursor_follows_a_renamed_record() {
    let mut player = library(&some());
    player.press("<down><down>n<backspace><backspace>x<enter>");
    let rename = RecordTask::Rename { id: "three".to_owned(), to: "thrx".to_owned() }.into();
    assert_eq!(player.tasks, [rename, RecordTask::List.into()]);
    player.app.renamed("three", "thrx");
    let mut records = some();
    records.swap(2, 3);
    records[3].id = "thrx".to_owned();
    player.app.records(&records, &[]);
    player.press("d<down><enter>");
    assert!(player.tasks.contains(&RecordTask::Delete("thrx".to_owned()).into()));
}

#[test]
fn damaged_record_files_are_named() {
    let mut player = library(&some());
    let damaged = ["a.game: empty".to_owned(), "b.game: not UTF-8".to_owned()];
    player.app.records(&some(), &damaged);
    assert!(player.sees("! 1 more damaged; a.game: empty"));
    player.press("?<end>");
    assert!(player.sees("b.game: not UTF-8"));
}

#[test]
fn replay_matches_snapshots_at_every_size() {
    for (width, height) in [(80, 24), (40, 12), (200, 60), (30, 10), (60, 10), (5, 5)] {
        let mut player = boxes();
        player.press("7<enter>");
        let body = player.body(width, height);
        assert!(!body.contains("to move"), "{body}");
        assert!(width < 30 || body.contains("replay"), "{body}");
        assert_snapshot!(format!("replay_{width}x{height}"), body);
    }
}

/// A replay shows the players' comments on their moves from the record, as space allows.
#[test]
fn replay_shows_move_comments() {
    let comments = ["", "+1.5/8 0.022s", "-2.0/12 1.5s", "+0.0"];
    let comments = comments.map(|text| text.parse().ok());
    let commented = || {
        let mut player = Player::new();
        let record = open_record("dots-and-boxes", "size=3", BOXES).with_comments(&comments);
        player.app.open_replay(record);
        player
    };
    let mut player = commented();
    let looks = |keys: &str, plain: &str, width: u16, height: u16| {
        let [mut with, mut without] = [commented(), boxes()];
        with.press(keys);
        without.press(keys);
        assert!(without.body(width, height).contains(plain));
        with.body(width, height)
    };
    let wide = looks("2<enter>", "move 2 of 12", 80, 24);
    assert!(wide.contains("  Bob: +1.5, 8 plies, 0.02 s"), "{wide}");
    assert_snapshot!("replay_with_comments_80x24", wide);
    let narrow = looks("3<enter>", "move 3 of 12", 40, 12);
    assert!(narrow.contains("  3/12  Ann: -2.0, 12 plies, 1.50 s"), "{narrow}");
    let narrowest = looks("3<enter>", "move 3 of 12", 33, 12);
    assert!(narrowest.contains("  3/12  -2.0, 12 plies, 1.50 s"), "{narrowest}");
    // The review adds to it.
    player.press("2<enter>a");
    let screen = player.screen(80, 24);
    assert!(screen.contains("of 12 positions  Bob: +1.5, 8 plies, 0.02 s"), "{screen}");
    // Moves without a comment, and other lines, have none.
    player.press("<esc>1<enter>");
    assert!(player.sees("move 1 of 12") && !player.sees("Ann:"));
    let mut record =
        open_record("dots-and-boxes", "size=3", "H0,0 H0,1 V0,0").with_comments(&comments);
    record.viewer.change().go_to_ply(1);
    record.viewer.change().play("H1,0").unwrap();
    let mut forked = Player::new();
    forked.app.open_replay(record);
    forked.press("2<enter>");
    assert!(!forked.sees("plies"), "{}", forked.screen(80, 24));
    forked.press("1<enter>v2<enter>");
    assert!(forked.sees("Bob: +1.5"), "{}", forked.screen(80, 24));
}

#[test]
fn a_replay_steps_and_jumps() {
    let mut player = boxes();
    let script = [
        ("", 0),
        ("<left>", 0),
        ("<right>", 1),
        ("ll", 3),
        ("h<left>", 1),
        ("<end>", 12),
        ("<right>", 12),
        ("<up>", 2),
        ("<up>", 0),
        ("j", 10),
        ("<down>", 12),
        ("<home>", 0),
        ("G", 12),
        ("g", 0),
        ("11<enter>", 11),
        ("5<esc>", 11),
        ("1<backspace>", 11),
        ("34<backspace><enter>", 3),
        ("999999999999999999999<enter>", 12),
        ("0<enter>", 0),
        ("5<right>", 1),
    ];
    for (keys, ply) in script {
        player.press(keys);
        assert!(player.sees(&format!(" move {ply} of 12")), "{keys}: {}", player.screen(80, 24));
    }
    player.press("<end>");
    assert!(player.sees("Ann wins 3-1"));
    assert_snapshot!("replay_end_80x24", player.board_and_status());
    player.press("<right>");
    assert!(player.sees("already at the end"));
    player.press("12");
    assert!(player.sees("go to move 12_ of 12"));
    assert_eq!(player.tasks, [], "looking at a match changes nothing");
    player.press("<esc><esc>");
    assert!(player.sees("q quit"));
}

#[test]
fn replay_autoplays_until_the_end_or_a_key() {
    let mut player = boxes();
    assert_eq!(player.waits(), None);
    assert!(!player.wait());
    player.press("9<enter> ");
    assert_eq!(player.waits(), Some(Duration::from_secs(1)));
    assert!(player.sees(">>") && player.sees("Space stop"));
    assert!(player.wait());
    assert!(player.sees("move 10 of 12"));
    assert_snapshot!("replay_running_80x24", player.board_and_status());
    player.press("+");
    assert_eq!(player.waits(), Some(Duration::from_millis(300)));
    assert!(player.sees(">>>  fast, 0.3 s per move"));
    player.press("?");
    assert_eq!(player.waits(), None, "it waits under the help");
    player.press("<esc>+");
    assert_eq!(player.waits(), Some(Duration::from_millis(300)));
    player.press("---");
    assert_eq!(player.waits(), Some(Duration::from_secs(2)));
    for key in ["<left>", "<right>", "<up>", "<down>", "<home>", "g", "3", "v", " "] {
        player.press(key);
        assert_eq!(player.waits(), None, "{key} stops it");
        player.press("<esc>".repeat(usize::from(key == "3")).as_str()).press(" ");
        assert!(player.waits().is_some(), "{key}");
    }
    player.press("10<enter> ");
    assert!(player.wait() && player.wait());
    assert!(!player.wait(), "it stops at the end");
    player.press(" ");
    assert!(player.sees("move 0 of 12") && player.sees(">"), "from the end it begins anew");
    let mut empty = replay("quixo", "", "");
    empty.press(" ");
    assert_eq!(empty.waits(), None);
}

#[test]
fn review_started_in_a_replay_returns_to_it() {
    let mut player = boxes();
    player.press("5<enter>a");
    assert!(player.sees("review") && player.sees("n/N mistakes"));
    player.press("<esc>");
    assert!(player.sees("move 5 of 12") && !player.sees("n/N mistakes"));
}

/// Frequent reports of a running review do not delay the replay.
#[test]
fn review_does_not_delay_replay_autoplay() {
    let mut player = boxes();
    player.press("<home>a");
    let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else { panic!("no review") };
    player.press(" ---");
    assert_eq!(player.waits(), Some(Duration::from_secs(2)));
    for ply in (1..=12).rev() {
        let deadline = player.app.deadline(player.time).unwrap();
        player.time += Duration::from_millis(300);
        assert_eq!(player.app.deadline(player.time), Some(deadline), "news at {ply}");
        assert_eq!(player.app.tick(player.time).is_some(), deadline <= player.time);
        let news = EngineEvent::Ply(ply, Report::default());
        assert!(player.app.engine_event(ticket, news).is_some());
    }
    assert!(player.sees("move 1 of 12"), "{}", player.screen(80, 24));
}

#[test]
fn replay_shows_every_played_position() {
    for game in &GAMES {
        let mut chance = Chance(3);
        let mut played = open_record(game.id, "", "");
        let mut boards = vec![played.current_match().board()];
        while !played.current_match().legal_moves().is_empty() && boards.len() < 80 {
            let legal = played.current_match().legal_moves();
            let mv = chance.pick(&legal).unwrap();
            played.viewer.change().play(mv).unwrap();
            boards.push(played.current_match().board());
        }
        let last = boards.len() - 1;
        let mut player = Player::new();
        player.app.open_replay(played);
        player.press(" ");
        for ply in 0..=last {
            assert!(player.sees(&format!("move {ply} of {last}")), "{} {ply}", game.id);
            for (width, height) in [(2, 200), (30, 10), (61, 40), (300, 100)] {
                player.screen(width, height);
            }
            player.wait();
        }
        for ply in (0..last).rev() {
            player.press("h");
            assert!(player.sees(&format!("move {ply} of {last}")), "{} {ply}", game.id);
        }
        let middle = last / 2;
        player.press(&format!("{middle}<enter>b"));
        assert_eq!(
            player.app.open_match().unwrap().current_match().board(),
            boards[middle],
            "{}",
            game.id
        );
    }
}

#[test]
fn replay_highlights_the_last_move_in_each_game() {
    let games = [
        ("dots-and-boxes", "size=3", "H0,0 V0,0 H1,0 V0,1"),
        ("join-the-dots", "layout=circle:7", "1-3 3-5 1-5 2-4"),
        ("quixo", "", "A1-E1 B1-B5 E1-A1"),
        ("tic-tac-toe", "", "a1 b2 c3 a3"),
        ("intersections", "size=3 rounds=2 segments=2", "0,0-0,1 0,1-1,1 1,1-1,2"),
    ];
    complete(games.map(|(game, ..)| game));
    for (game, setup, moves) in games {
        let mut player = replay(game, setup, moves);
        player.press("<right><right>");
        assert_snapshot!(format!("replay_{game}"), player.board_and_status());
    }
}

#[test]
fn a_large_board_scrolls_to_the_last_move() {
    let mut player = replay("dots-and-boxes", "size=64", "H0,0 H63,62");
    player.press("<end>");
    assert_snapshot!("replay_large_40x12", player.body(40, 12));
}

#[test]
fn replay_switches_between_variations() {
    let mut player = forked();
    assert!(player.sees("move 0 of 5"));
    player.press("<down>");
    assert!(player.sees("move 2 of 5"), "the fork is nearer than ten plies");
    assert!(player.sees("variation 2/3 H1,0") && player.sees("v variation"));
    assert_snapshot!("replay_fork_80x24", player.board_and_status());
    assert_snapshot!("replay_fork_30x10", player.body(30, 10));
    player.press("v");
    assert!(player.sees("move 2 of 3") && player.sees("variation 3/3 V1,0"));
    player.press("v");
    assert!(player.sees("move 2 of 4") && player.sees("variation 1/3 V0,0"));
    player.press("<end>");
    assert!(player.sees("V0,1  Bob"));
    player.press("<up>");
    assert!(player.sees("move 2 of 4"), "the fork is nearer than ten plies");
    player.press("<up>v");
    assert!(player.sees("move 0 of 4") && player.sees("no other variation here"));
    assert!(!player.sees("v variation"));
}

#[test]
fn new_match_branches_off_a_replay() {
    let mut player = boxes();
    player.press("3<enter>b");
    assert_eq!(player.moves(), "H0,0 H2,1 H0,1");
    assert!(player.tasks.is_empty(), "nothing is new yet");
    assert!(player.sees("Ann") && player.sees("u undo"));
    player.press(":V0,0<enter>");
    assert_eq!(player.tasks, [DiskTask::Save.into()]);
    player.press("q");
    assert!(player.sees("move 3 of 12"), "the replay is as it was left");
    player.press("<end>b");
    assert!(player.sees("the match is over") && player.app.open_match().is_none());
    player.press("qq<down><enter>");
    assert!(player.tasks.contains(&TerminalTask::Quit.into()));
    let mut player = boxes();
    player.press("3<enter>b:V0,0<enter>qq");
    assert!(player.sees("Dots and Boxes, Ann vs Bob, 0-0, move 5"));
    // A match that has a record is not saved twice.
    let mut player = boxes();
    player.press("3<enter>b<esc>");
    assert!(player.sees("Leave") && !player.sees("Save and leave"), "{}", player.screen(80, 24));
    player.press("<esc>qq");
    assert!(!player.sees("Resume") && !player.sees("not saved"), "{}", player.screen(80, 24));
}

#[test]
fn replay_shows_an_agreed_draw_at_the_end() {
    let mut record = open_record("dots-and-boxes", "size=3", "H0,0 H0,1");
    record.viewer.change().end(Termination::Agreed);
    let mut player = Player::new();
    player.app.open_replay(record);
    assert!(!player.sees("agreed"));
    player.press("<end>");
    assert!(player.sees("move 2 of 2") && player.sees("Draw 0-0, by agreement"));
    player.press("<left>");
    assert!(!player.sees("agreed"));
    player.press("<right>b");
    assert_eq!(player.moves(), "H0,0 H0,1");
    assert!(!player.sees("agreed"), "the new match goes on");
}

#[test]
fn redo_follows_the_chosen_variation() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press(":H0,0<enter>:V0,0<enter>:V0,1<enter>uu");
    assert!(player.sees("r redo"));
    player.press("v");
    assert!(player.sees("no other variation here"));
    player.press(":V0,2<enter>u:H2,0<enter>u");
    assert!(player.sees("r/v redo"));
    assert_snapshot!("match_lines_80x24", player.board_and_status());
    player.tasks.clear();
    player.press("v");
    assert!(player.sees("redo plays V0,0, variation 1 of 3"));
    assert_eq!(player.tasks, [DiskTask::Save.into()]);
    player.press("rr");
    assert_eq!(player.moves(), "H0,0 V0,0 V0,1");
    player.press("uuvvr");
    assert_eq!(player.moves(), "H0,0 H2,0");
    player.press("uvr");
    assert_eq!(player.moves(), "H0,0 V0,0");
}

#[test]
fn footer_names_all_keys_at_80_columns() {
    let list = ["up/down", "Enter", "/", "t", "e", "n", "d", "?", "q"];
    let still = ["arrows", "Space", "b", "Home/End", "0-9", "?", "q"];
    for (player, keys) in [(library(&some()), &list[..]), (boxes(), &still)] {
        let screen = player.screen(80, 24);
        let hints = format!(" {}", screen.lines().nth(23).unwrap());
        for key in keys {
            assert!(hints.contains(&format!(" {key} ")), "{key}: {hints}");
        }
    }
    for key in ["arrows", "Space", "v", "b", "Home/End", "?", "q"] {
        let screen = forked().press("2<enter>").screen(80, 24);
        let hints = format!(" {}", screen.lines().nth(23).unwrap());
        assert!(hints.contains(&format!(" {key} ")), "{key}: {hints}");
    }
}

#[test]
fn library_and_replay_draw_at_any_size() {
    let sizes = [(0, 0), (1, 1), (2, 200), (200, 2), (30, 10), (31, 11), (500, 3), (500, 200)];
    for script in ["", "/ann", "n", "d", "t", "?", "<end>", "/zzz<enter>"] {
        for size in sizes {
            draws_at(size, library(&some()).press(script));
        }
    }
    for script in ["", "2<enter>", "2<enter>v", "12", " ", "?", "<end><end>"] {
        for size in sizes {
            draws_at(size, forked().press(script));
        }
    }
}
