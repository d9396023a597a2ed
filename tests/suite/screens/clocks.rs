//! Clocks, with simulated time.

use crate::common::player::Player;
use crate::common::program::{Run, command, finish};
use crate::common::store::{files, resume, store};
use insta::assert_snapshot;
use quadrille::app::{DiskTask, EngineEvent, EngineTask, Task};
use quadrille_match::session::{Conditions, Record, Session, Step, Termination};
use quadrille_rules::Seat;
use quadrille_table::catalogue;
use quadrille_table::engine::ugi::Clock;
use quadrille_table::play::{Ask, MoveTime};
use std::fs;
use std::path::Path;
use std::time::Duration;

const BOXES: (&str, &str) = ("dots-and-boxes", "size=3");

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// In milliseconds, at the last step.
fn left(player: &Player) -> Vec<u128> {
    let session = player.app.open_match().unwrap().session();
    session.time_left(session.time()).unwrap().iter().map(Duration::as_millis).collect()
}

fn ended(player: &Player) -> Option<Termination> {
    player.app.open_match().unwrap().current_match().termination().cloned()
}

#[test]
fn each_card_shows_its_clock_at_every_size() {
    let mut player = Player::with_clock(BOXES, ["Ann", "Bob"], "300+5");
    player.turn_clock(millis(61_500));
    for (width, height) in [(30, 10), (40, 12), (60, 20), (80, 24), (120, 40)] {
        let drawn = player.body(width, height);
        assert_snapshot!(format!("cards_{width}x{height}"), drawn);
    }
    assert!(player.screen(40, 12).contains("3:59") && player.screen(40, 12).contains("5:00"));
}

#[test]
fn last_ten_seconds_show_tenths_and_a_mark() {
    let mut player = Player::with_clock(("quixo", ""), ["Ann", "Bob"], "4000+0");
    assert!(player.screen(40, 12).contains("1:06:40"), "{}", player.screen(40, 12));
    player.turn_clock(millis(3_990_050));
    for (width, height) in [(40, 12), (80, 24)] {
        assert_snapshot!(format!("urgent_{width}x{height}"), player.body(width, height));
    }
}

#[test]
fn each_of_eight_seats_shows_a_clock() {
    let seats = ["Ann", "Bob", "Cy", "Di", "Eve", "Flo", "Gus", "Hal"];
    let mut player = Player::with_clock(("intersections", "size=5 players=8"), seats, "90+1");
    player.turn_clock(seconds(20));
    assert_snapshot!("eight_80x24", player.body(80, 24));
}

/// It wakes once a second, ten times a second in the last ten seconds, and once when the time is up.
#[test]
fn clock_wakes_only_when_its_text_changes() {
    let mut player = Player::with_clock(BOXES, ["Ann", "Bob"], "20+0");
    assert_eq!(player.turn_clock(seconds(10)), 10);
    assert_eq!(player.waits(), Some(millis(100)));
    assert_eq!(player.turn_clock(millis(9_999)), 99);
    assert_eq!(ended(&player), None);
    assert_eq!(player.turn_clock(millis(1)), 1);
    assert_eq!(ended(&player), Some(Termination::Time(Seat::FIRST)));
    assert_eq!(player.waits(), None, "nothing runs any more");
    assert!(player.sees("Bob wins") && player.sees("Ann ran out of time"));
    assert_snapshot!("flag_80x24", player.body(80, 24));
    // A loss on time cannot be undone.
    player.press("<esc>u");
    assert_eq!(ended(&player), Some(Termination::Time(Seat::FIRST)));
}

#[test]
fn key_presses_keep_the_clock_deadline() {
    let mut player = Player::with_clock(BOXES, ["Ann", "Bob"], "20+0");
    player.turn_clock(millis(700));
    player.press("<right><down>");
    assert_eq!(player.waits(), Some(millis(300)));
}

#[test]
fn menu_and_help_pause_the_clocks() {
    let mut player = Player::with_clock(BOXES, ["Ann", "Bob"], "20+0");
    player.press(":H0,0<enter>").turn_clock(seconds(3));
    for keys in ["<esc>", "?"] {
        player.press(keys);
        assert_eq!((player.turn_clock(seconds(1000)), player.waits()), (0, None), "{keys}");
        assert!(player.app.open_match().unwrap().current_match().to_move().is_some());
        player.press("<esc>");
    }
    player.time += seconds(1000);
    player.app.resumed(player.time);
    player.turn_clock(seconds(2));
    player.press(":H0,1<enter>");
    // The first move came within the first millisecond, and cost a whole one.
    assert_eq!(left(&player), [19_999, 15_001]);
}

#[test]
fn instant_first_move_earns_the_increment() {
    let mut player = Player::with_clock(BOXES, ["Ann", "Bob"], "20+5");
    player.press(":H0,0<enter>");
    assert_eq!(left(&player), [24_999, 20_000]);
}

/// A resumed match has the time left at the pause. Without a clock, pauses are not logged.
#[test]
fn pause_is_logged_only_with_a_clock() {
    for (clock, noted) in [(Some("20+0"), 1), (None, 0)] {
        let mut player = match clock {
            Some(clock) => Player::with_clock(BOXES, ["Ann", "Bob"], clock),
            None => Player::against(BOXES.0, BOXES.1, ["Ann", "Bob"]),
        };
        player.press(":H0,0<enter>").turn_clock(seconds(3));
        player.tasks.clear();
        player.press("<esc><esc><esc>");
        let saves = player.tasks.iter().filter(|task| **task == Task::Disk(DiskTask::Save));
        assert_eq!(saves.count(), noted);
        let log = player.app.open_match().unwrap().session().log();
        assert_eq!(log.iter().filter(|step| step.step == Step::Pause).count(), noted);
    }
}

#[test]
fn undo_restores_clocks_against_engines() {
    let mut player = Player::with_clock(BOXES, ["Ann", "engine:beginner"], "60+2");
    player.turn_clock(seconds(5));
    player.press(":H0,0<enter>");
    player.turn_clock(seconds(4));
    assert!(player.think());
    assert_eq!(left(&player), [57_000, 58_000]);
    player.turn_clock(seconds(9));
    player.press("u");
    assert_eq!(left(&player), [60_000, 60_000]);
    player.turn_clock(seconds(1));
    player.press("r");
    assert_eq!(left(&player), [57_000, 58_000]);
}

/// The engine waits to let the user look at the position, at no cost to its clock.
#[test]
fn waiting_engine_clock_stands_still() {
    let mut player = Player::with_clock(BOXES, ["engine:beginner", "Bob"], "60+0");
    assert!(player.think());
    player.turn_clock(seconds(1));
    player.press("u");
    assert_eq!((player.turn_clock(seconds(100)), ended(&player)), (0, None));
    player.press("<enter>").turn_clock(seconds(60));
    assert_eq!(ended(&player), Some(Termination::Time(Seat::FIRST)));
}

#[test]
fn engine_receives_clocks_and_pays_no_startup_time() {
    let mut player = Player::with_clock(BOXES, ["Ann", "engine:strong"], "60+2");
    player.turn_clock(seconds(5));
    player.press(":H0,0<enter>");
    let Some(EngineTask::Think(ticket, question)) = player.app.engine_task() else { panic!() };
    let Ask::Move { time: MoveTime::Clock { seat, clocks }, .. } = question.ask else { panic!() };
    let clock = |left| Some(Clock { left: seconds(left), increment: seconds(2) });
    assert_eq!((seat, clocks), (Seat::SECOND, vec![clock(57), clock(60)]));
    player.app.engine_event(ticket, EngineEvent::Starting);
    assert_eq!((player.turn_clock(seconds(100)), ended(&player)), (0, None));
    player.app.engine_event(ticket, EngineEvent::Ready);
    player.turn_clock(seconds(60));
    assert_eq!(ended(&player), Some(Termination::Time(Seat::SECOND)));
    // Later events of the engine are ignored.
    assert!(player.app.engine_event(ticket, EngineEvent::Failed("late".to_owned())).is_none());
}

#[test]
fn timeout_with_three_seats_lets_the_best_others_win() {
    let seats = ["Ann", "Bob", "Cy"];
    let mut player = Player::with_clock(("intersections", "size=3 players=3"), seats, "10+0");
    player.turn_clock(seconds(4));
    player.press(":0,0-0,2<enter>").turn_clock(seconds(10));
    assert_eq!(ended(&player), Some(Termination::Time(Seat::SECOND)));
    let outcome = player.app.open_match().unwrap().current_match().outcome().unwrap();
    assert!(!outcome.is_winner(Seat::SECOND) && outcome.winners().count() > 0);
}

#[test]
fn setup_form_offers_clocks_and_accepts_any() {
    let mut player = Player::new();
    player.press("<enter>");
    assert!(player.sees("Clock") && player.sees("none"), "{}", player.screen(80, 24));
    player.press("<end><up><up><right><right>");
    assert!(player.sees("3 min + 2 s"), "{}", player.screen(80, 24));
    assert_snapshot!("setup_80x24", player.body(80, 24));
    player.press("<enter>");
    player.press(&"<backspace>".repeat(12)).press("nonsense<enter>");
    assert!(player.sees("! Clock: type it as 5 min + 3 s"), "{}", player.screen(80, 24));
    player.press("<enter>").press(&"<backspace>".repeat(9)).press("90+0<enter>s");
    let clock = |player: &Player| {
        let clock = player.app.open_match().unwrap().session().conditions().clock;
        clock.map(|clock| clock.to_string())
    };
    assert_eq!(clock(&player).as_deref(), Some("90+0"));
    let remembered = player.tasks.iter().find_map(|task| match task {
        Task::Disk(DiskTask::Remember(setup)) => setup.clock,
        _ => None,
    });
    assert_eq!(remembered.map(|clock| clock.to_string()).as_deref(), Some("90+0"));
    // A setup screen without a clock starts with an empty text.
    let mut other = Player::new();
    other.press("<enter><end><up><up><enter>7 s + 1 s<enter>s");
    assert_eq!(clock(&other).as_deref(), Some("7+1"));
    // A rematch and a branched match keep the clock.
    let rematch = player.app.open_match().unwrap().rematch(true).unwrap();
    assert_eq!(rematch.session().conditions().clock, remembered);
    let branch = player.app.open_match().unwrap().viewing_copy().branch_off();
    assert_eq!(branch.session().conditions().clock, remembered);
}

#[test]
fn resume_restores_clock() {
    let (_folder, store) = store();
    let game = (catalogue::find(BOXES.0).unwrap().start)(&BOXES.1.parse().unwrap()).unwrap();
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    let conditions = Conditions::named(&names).with_clock(Some("300+5".parse().unwrap()));
    let mut session = Session::new(game, BOXES.1.parse().unwrap(), conditions);
    let mut journal = store.begin(&session, "2026-11-22");
    for (at, step) in [(7, "play H0,0"), (9, "play H0,1"), (10, "go 1"), (15, "pause")] {
        let step = Step::parse(step).unwrap();
        let by = step.infer_actor(session.current_match().to_move());
        session.apply(by, step, seconds(at)).unwrap();
        journal.record(&session).unwrap();
    }
    let expected = [seconds(298), seconds(295)];
    assert_eq!(session.time_left(seconds(15)).unwrap(), expected);
    let id = journal.id();
    drop(journal);
    let (mut journal, mut again, lost) = resume(&store, &id);
    assert_eq!((again.time_left(again.time()), lost), (Some(expected.to_vec()), None));
    assert_eq!(again.time_left(again.time() + seconds(5)).unwrap(), [seconds(298), seconds(290)]);
    // The record has the clock beside the setup, and is unchanged after a round trip.
    let flag = Step::End(Termination::Time(Seat::SECOND));
    let by = flag.infer_actor(again.current_match().to_move());
    again.apply(by, flag, seconds(400)).unwrap();
    journal.record(&again).unwrap();
    let path = store.finish(journal, &again).unwrap();
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains("[Setup \"rows=3 cols=3\"]\n[Clock \"300+5\"]\n"), "{text}");
    assert!(text.contains("[Termination \"time: 2\"]"), "{text}");
    assert_eq!(text.parse::<Record>().unwrap().to_string(), text);
}

#[test]
fn version_2_journal_continues_as_the_current_version() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/journal-2");
    for path in files(&folder) {
        let (_folder, store) = store();
        let id = path.file_stem().unwrap().to_str().unwrap();
        let ours = store.folder().join("matches").join(path.file_name().unwrap());
        fs::copy(&path, &ours).unwrap();
        let (mut journal, mut session, lost) = resume(&store, id);
        assert_eq!((session.conditions().clock, lost), (None, None));
        let lines: Vec<String> = session.log().iter().map(ToString::to_string).collect();
        assert_snapshot!(format!("journal_2_{id}"), lines.join("\n"));
        journal.record(&session).unwrap();
        assert_eq!(fs::read(&ours).unwrap(), fs::read(&path).unwrap(), "nothing has happened yet");
        let step = Step::Play(session.current_match().legal_moves().remove(0));
        let (by, at) =
            (step.infer_actor(session.current_match().to_move()), session.time() + seconds(1));
        session.apply(by, step, at).unwrap();
        journal.record(&session).unwrap();
        assert!(fs::read_to_string(&ours).unwrap().starts_with("quadrille-journal 3\n"));
        drop(journal);
        let (_, again, lost) = resume(&store, id);
        assert_eq!((again.log(), lost), (session.log(), None));
    }
}

/// Returns the seconds in the first time after this text, such as 299 for `4:59`.
fn left_in(line: &str, text: &str) -> u32 {
    let time = line.split_once(text).unwrap().1.split_whitespace().next().unwrap();
    let (minutes, seconds) = time.split_once(':').unwrap();
    60 * minutes.parse::<u32>().unwrap() + seconds.parse::<u32>().unwrap()
}

fn run(home: &Path, args: &[&str], input: &str) -> Run {
    finish(&mut command(home, args), input.as_bytes())
}

#[test]
fn plain_mode_prints_the_clocks() {
    let home = tempfile::tempdir().unwrap();
    let args = ["play", "tic-tac-toe", "--names", "Ann,Bob", "--plain", "--clock", "300+5"];
    let out = run(home.path(), &args, "clock\nb2\nscore\nquit\n").ok();
    assert!(out.contains("Clock: 5 min + 5 s."), "{out}");
    // Some time has passed, more on a busy machine. Bob's clock has not run yet.
    let told: Vec<&str> = out.lines().filter(|line| line.contains(" left; Bob has ")).collect();
    let [before, after] = told[..] else { panic!("{out}") };
    assert!(before.ends_with("; Bob has 5:00 left."), "{out}");
    let ann = |line| left_in(line, "Ann has ");
    assert!(ann(before) <= 300 && ann(after) <= ann(before) + 5, "{out}");
    assert!(ann(after) > 120, "{out}");
    let out = run(home.path(), &["resume", "--plain"], "clock\nquit\n").ok();
    let line = out.lines().find(|line| line.contains(" left; Bob has ")).unwrap();
    assert_eq!(left_in(line, "Ann has "), ann(after), "{out}");
    assert!((120..=300).contains(&left_in(line, "Bob has ")), "{out}");
    let out = run(home.path(), &["play", "quixo", "--plain"], "clock\nquit\n").ok();
    assert!(out.contains("This match has no clock."), "{out}");
}

#[test]
fn invalid_clock_option_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let run = run(home.path(), &["play", "quixo", "--plain", "--clock", "5 minutes"], "");
    assert_eq!(run.status, 2);
    assert!(run.err.contains("write a clock as 300+5: 0.1 to 86400 seconds"), "{}", run.err);
}

/// The flag falls while the program waits for a line.
#[test]
fn plain_mode_ends_the_match_on_timeout() {
    use std::io::{BufRead, BufReader};
    let home = tempfile::tempdir().unwrap();
    let args = ["play", "tic-tac-toe", "--names", "Ann,Bob", "--plain", "--clock", "0.2+0"];
    let mut child = command(home.path(), &args).spawn().unwrap();
    // Nothing is typed.
    let stdin = child.stdin.take();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "Bob wins, Ann ran out of time."));
    drop(stdin);
    assert!(child.wait().unwrap().success());
    let record = fs::read_dir(home.path().join("quadrille/records")).unwrap().next().unwrap();
    let record = fs::read_to_string(record.unwrap().path()).unwrap();
    assert!(record.contains("[Termination \"time: 1\"]"), "{record}");
}

/// The match has the clock of the record, and all players start with the full time.
#[test]
fn continued_record_keeps_its_clock() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.game");
    let file = path.to_str().unwrap();
    let base = ["play", "tic-tac-toe", "--names", "Ann,Bob", "--plain", "--record", file];
    let first = [&base[..], &["--clock", "300+5"]].concat();
    run(home.path(), &first, "b2\na1\nquit\n").ok();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("[Clock \"300+5\"]"), "{text}");
    let out = run(home.path(), &base, "clock\nquit\n").ok();
    assert!(out.contains("; Bob has 5:00 left.") || out.contains("Ann has 5:00 left; "), "{out}");
    run(home.path(), &[&base[..], &["--clock", "60+0"]].concat(), "a2\nquit\n").ok();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("[Clock \"60+0\"]") && text.contains("b2 a1 a2"), "{text}");
}
