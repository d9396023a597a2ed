//! Pondering: when, which engine, and what ends it.

use crate::common::player::Player;
use crate::common::terminal::Terminal;
use quadrille::app::{Ask, EngineEvent, EngineTask, Question, Respondent};
use quadrille::settings::{MotionChoice, Seconds, Settings};
use quadrille_rules::Seat;
use quadrille_search::{Report, Scope};
use std::time::Duration;

/// Opens a match with these seats, in which engines ponder.
fn seated<const SEATS: usize>(game: &str, setup: &str, seats: [&str; SEATS]) -> Player {
    let player = Player::against(game, setup, seats);
    let settings = Settings {
        motion: MotionChoice::Never,
        pace: Seconds(Duration::ZERO),
        ..Settings::default()
    };
    Player { app: player.app.with_settings(settings, String::new()), ..player }
}

fn take_question(player: &mut Player) -> (u64, Question) {
    match player.app.engine_task() {
        Some(EngineTask::Think(ticket, question)) => (ticket, *question),
        other => panic!("nothing is asked: {other:?}"),
    }
}

fn ponders(player: &mut Player) -> Option<usize> {
    let task = player.app.engine_task()?;
    let EngineTask::Think(_, question) = task else { panic!("{task:?}") };
    let Respondent::Seat { seat, .. } = question.to else { panic!("{question:?}") };
    assert_eq!(question.ask, Ask::Ponder);
    Some(seat.index())
}

fn chosen(mv: &str) -> EngineEvent {
    EngineEvent::Chosen { mv: mv.to_owned(), why: None, report: Report::default() }
}

#[test]
fn next_engine_ponders_until_the_person_moves() {
    for level in ["engine:strong", "engine:perfect"] {
        let mut player = seated("tic-tac-toe", "", ["Ann", level]);
        let (ticket, question) = take_question(&mut player);
        assert_eq!(question.ask, Ask::Ponder);
        assert!(matches!(question.to, Respondent::Seat { seat: Seat::SECOND, .. }));
        let before = player.screen(80, 24);
        assert!(
            player.app.engine_event(ticket, EngineEvent::Pondered).is_none(),
            "nothing is drawn"
        );
        player.press("<right>");
        assert_eq!(player.app.engine_task(), None, "it goes on");
        player.press("<left>");
        assert_eq!(player.screen(80, 24), before);
        player.press("<enter>");
        let (ticket, question) = take_question(&mut player);
        assert!(matches!(question.ask, Ask::Move { .. }));
        player.app.engine_event(ticket, chosen("a1")).unwrap();
        assert_eq!(ponders(&mut player), Some(1));
    }
}

#[test]
fn hints_and_values_interrupt_pondering() {
    let mut player = seated("tic-tac-toe", "", ["Ann", "engine:strong"]);
    assert_eq!(ponders(&mut player), Some(1));
    player.press("H");
    let (ticket, question) = take_question(&mut player);
    assert_eq!((question.ask, question.to), (Ask::Hint, Respondent::Helper));
    player.app.engine_event(ticket, chosen("b2")).unwrap();
    assert_eq!(ponders(&mut player), Some(1));
    player.press("a");
    let (ticket, question) = take_question(&mut player);
    assert_eq!(question.ask, Ask::Analysis(Scope::Moves));
    player.app.engine_event(ticket, EngineEvent::Done(Report::default())).unwrap();
    assert_eq!(ponders(&mut player), Some(1));
    player.press("H");
    let asks = [(); 2].map(|()| {
        player.app.engine_task().map(|task| match task {
            EngineTask::Think(_, question) => question.ask,
            EngineTask::Rest => panic!("no open request"),
        })
    });
    assert_eq!(asks, [None, None], "the hint is there already");
}

#[test]
fn only_an_engine_that_moves_next_ponders() {
    for seats in [
        ["Ann", "Bob"],
        ["Ann", "engine:beginner"],
        ["Ann", "engine:casual"],
        ["Ann", "cmd:python3 bot.py"],
    ] {
        let mut player = seated("dots-and-boxes", "size=3", seats);
        assert_eq!(player.app.engine_task(), None, "{seats:?}");
    }
    let mut player = seated("dots-and-boxes", "size=3", ["engine:strong"; 2]);
    assert!(matches!(take_question(&mut player).1.ask, Ask::Move { .. }), "an engine is to move");

    let mut player = seated("dots-and-boxes", "size=3", ["Ann", "engine:strong"]);
    assert_eq!(ponders(&mut player), Some(1));
    player.press("<esc>");
    assert_eq!(player.app.engine_task(), Some(EngineTask::Rest), "the match is paused");
    player.press("<esc>");
    assert_eq!(ponders(&mut player), Some(1));
    player.press("?");
    assert_eq!(player.app.engine_task(), Some(EngineTask::Rest), "help lies over it");

    let mut player = seated("tic-tac-toe", "grid=XX-OO---- first=X", ["Ann", "engine:strong"]);
    assert_eq!(ponders(&mut player), Some(1));
    player.press(":c1<enter>");
    assert!(player.app.open_match().unwrap().current_match().outcome().is_some());
    assert_eq!(player.app.engine_task(), Some(EngineTask::Rest), "the match is over");
}

#[test]
fn next_of_several_engines_ponders() {
    let seats = ["engine:strong", "Ann", "engine:beginner", "engine:perfect"];
    let mut player = seated("intersections", "size=3 players=4 first=next", seats);
    assert_eq!(ponders(&mut player), Some(3));
    let seats = ["engine:strong", "Ann", "engine:beginner", "Bob"];
    let mut player = seated("intersections", "size=3 players=4 first=next", seats);
    assert_eq!(ponders(&mut player), Some(0), "it goes round");
}

#[test]
fn ponder_setting_disables_pondering() {
    let mut player = seated("tic-tac-toe", "", ["Ann", "engine:strong"]);
    let off = Settings { ponder: false, ..Settings::default() };
    player = Player { app: player.app.with_settings(off, String::new()), ..player };
    assert_eq!(player.app.engine_task(), None);
}

#[cfg(target_os = "linux")]
fn threads_of_lowest_priority(process: u32) -> usize {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let nice = |thread: std::fs::DirEntry| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The third field follows the name in parentheses, which may contain anything; nice is the 19th.
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).to_owned();
        fields.split_whitespace().nth(16).map(str::to_owned)
    };
    threads.flatten().filter_map(nice).filter(|nice| nice == "19").count()
}

/// In the real program one thread of lowest priority ponders until the person moves.
#[cfg(target_os = "linux")]
#[test]
fn pondering_uses_one_lowest_priority_thread() {
    let play = ["play", "dots-and-boxes", "size=5", "--seat", "2=engine:strong,time=0.1"];
    for plain in [false, true] {
        let (prompt, quit) = if plain { ("> ", "quit\r") } else { ("lines left", "\x03") };
        let args = [&play[..], if plain { &["--plain"] } else { &[] }].concat();
        let mut terminal = Terminal::run(&args);
        terminal.wait_for(prompt);
        let ponders = |terminal: &Terminal| threads_of_lowest_priority(terminal.process()) == 1;
        terminal.wait_until("pondering", ponders);
        if !plain {
            terminal.keys("\x1b").wait_for("Pause");
            terminal.wait_until("rest", |terminal| !ponders(terminal));
            terminal.keys("\x1b").wait_until("pondering", ponders);
        }
        terminal.leave_by(quit);

        let mut terminal = Terminal::run(&[&args[..], &["--ponder", "never"]].concat());
        terminal.wait_for(prompt);
        // A whole move and its answer, after which it would ponder.
        terminal.keys(if plain { "H0,0\r" } else { "\r" });
        terminal.wait_for(if plain { "Strong draws" } else { "38 lines left" });
        assert_eq!(threads_of_lowest_priority(terminal.process()), 0);
        terminal.leave_by(quit);
    }
}
