//! Days per move on the screens, in the setup and at the command line, with simulated time.

use crate::common::player::Player;
use crate::common::program::run;
use jiff::Timestamp;
use quadrille::app::{DiskTask, OpenMatch, SavedMatch, Task};
use quadrille_match::session::{Actor, Conditions, LoggedStep, Player as Seated, Session, Step};
use quadrille_rules::Seat;
use quadrille_table::catalogue;
use quadrille_table::play::{
    Attendance, ChatMessage, ClientRequest, Participant, Peers, Table, TableNews,
};
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);
const DAYS: Duration = Duration::from_secs(3 * 24 * 3600);

/// Opens Ann's terminal at a table with three days per move, at this match time. Ann has moved after an hour, so it is
/// Bob's turn.
fn at_table(time: Duration) -> Player {
    let entry = catalogue::find("dots-and-boxes").unwrap();
    let position = (entry.start)(&"size=3".parse().unwrap()).unwrap();
    let conditions = Conditions::named(&["Ann", "Bob"].map(str::to_owned));
    let conditions = conditions.with_clock("3d".parse().ok());
    let mut session = Session::new(position, "size=3".parse().unwrap(), conditions);
    for (by, step, at) in [
        (Actor::Table, "begin 1795823432", Duration::from_millis(1)),
        (Actor::Seat(Seat::FIRST), "play H0,0", HOUR),
    ] {
        session.apply(by, Step::parse(step).unwrap(), at).unwrap();
    }
    let mut peers = Peers::new("dots".to_owned(), "Ann".to_owned());
    let seats = [Seat::SECOND].into_iter().collect();
    peers.set(Participant { name: "Bob".to_owned(), seats, attendance: Attendance::Here });
    peers.time_runs = true;
    let local = [Seat::FIRST].into_iter().collect();
    let table = Table::elsewhere(entry, session, local, peers);
    let mut player = Player::new();
    player.app = player.app.with_table(OpenMatch::resumed(table), false);
    player.turn_clock(Duration::from_secs(5));
    let tasks = player.app.follow_table(|_| vec![TableNews::Clock(time)]);
    player.tasks.extend(tasks.unwrap());
    player.draw();
    player
}

/// Returns the steps that this terminal has proposed since the last call.
fn proposed(player: &mut Player) -> Vec<String> {
    let peers = player.app.open_match_mut().unwrap().owner_mut().peers_mut().unwrap();
    let steps = peers.take_requests().into_iter().filter_map(|request| match request {
        ClientRequest::Take(seat, step) => Some(format!("{seat} {step}")),
        _ => None,
    });
    steps.collect()
}

#[test]
fn clocks_show_days_then_hours_then_minutes() {
    for (after, text) in [
        (Duration::ZERO, "3 d"),
        (20 * HOUR, "2 d 4 h"),
        (66 * HOUR + HOUR * 4 / 5, "5 h 12 min"),
        (71 * HOUR + HOUR * 59 / 60, "!1 min"),
        (72 * HOUR, "!overdue"),
    ] {
        let player = at_table(HOUR + after);
        for (width, height) in [(80, 24), (120, 40)] {
            let screen = player.screen(width, height);
            assert!(screen.contains(text), "{text}\n{screen}");
        }
    }
}

/// The deadline passes while the screen is open: the next change of its text is its only wake-up, an hour or a minute
/// later.
#[test]
fn opponent_becomes_overdue_on_the_screen() {
    let mut player = at_table(HOUR + 20 * HOUR);
    let waits = player.waits().unwrap();
    assert!(waits > HOUR * 9 / 10 && waits <= HOUR, "{waits:?}");
    let mut player = at_table(DAYS + HOUR * 59 / 60);
    assert!(!player.sees("Bob is overdue"), "{}", player.screen(80, 24));
    player.press("o").draw();
    assert!(!player.sees("Claim the win"), "{}", player.screen(80, 24));
    player.turn_clock(Duration::from_secs(61));
    player.draw();
    assert!(player.sees("Bob is overdue"), "{}", player.screen(80, 24));
    assert_eq!((player.waits(), proposed(&mut player)), (None, Vec::new()));
}

#[test]
fn overdue_menu_claims_gives_more_time_or_waits() {
    for (keys, expected) in [
        ("<enter>", None),
        ("<down><enter><enter>", None),
        ("<down><enter><down><enter>", Some("1 claim")),
        ("<down><down><enter>", Some("1 more-time")),
    ] {
        let mut player = at_table(HOUR + DAYS + HOUR);
        player.press("o");
        assert!(player.sees("Bob is overdue"), "{}", player.screen(80, 24));
        assert!(player.sees("Bob loses in 2 d 23 h."), "{}", player.screen(80, 24));
        assert!(player.sees("Wait") && player.sees("Claim the win"), "{}", player.screen(80, 24));
        player.press(keys);
        assert_eq!(proposed(&mut player), expected.into_iter().collect::<Vec<_>>(), "{keys}");
    }
    // The menu of the table has both too.
    let mut player = at_table(HOUR + DAYS);
    player.press("<esc>");
    for entry in ["Claim the win", "Give more time"] {
        assert!(player.sees(entry), "{}", player.screen(80, 24));
    }
}

#[test]
fn one_key_opens_the_next_match_that_waits() {
    let mut player = at_table(2 * HOUR);
    let peers = player.app.open_match_mut().unwrap().owner_mut().peers_mut().unwrap();
    peers.is_host = true;
    player.press("N");
    let saved = |id: &str, waiting: Option<&str>| SavedMatch {
        id: id.to_owned(),
        game: "Quixo".to_owned(),
        names: ["Ann", "Bob"].map(str::to_owned).into(),
        guests: Vec::new(),
        score: String::new(),
        ply: Some(1),
        waiting: waiting.map(str::to_owned).into_iter().collect(),
        is_over: false,
        when: String::new(),
    };
    player.app.set_unfinished(vec![saved("1", None)]);
    player.press("N").draw();
    assert!(!player.sees("next match"), "{}", player.screen(80, 24));
    let is_resume = |task: &Task| matches!(task, Task::Disk(DiskTask::Resume(_)));
    assert!(!player.tasks.iter().any(is_resume));
    player.app.set_unfinished(vec![saved("2", Some("your turn")), saved("1", None)]);
    player.draw();
    assert!(player.sees("N next match"), "{}", player.screen(120, 24));
    player.press("N");
    assert_eq!(player.tasks.last(), Some(&DiskTask::Resume("2".to_owned()).into()));
}

#[test]
fn help_explains_days_per_move() {
    let mut player = at_table(2 * HOUR);
    player.press("?");
    let mut seen = player.screen(80, 60);
    for _ in 0..8 {
        player.press("<pagedown>");
        seen += &player.screen(80, 60);
    }
    for words in ["DAYS PER MOVE", "3 days per move", "quadrille resume"] {
        assert!(seen.contains(words), "{words}\n{seen}");
    }
}

/// The simulated clock begins in 1970.
#[test]
fn message_that_waited_shows_when_it_was_sent() {
    let mut player = at_table(2 * HOUR);
    let message = |text: &str, sent: Option<i64>| ChatMessage {
        name: "Bob".to_owned(),
        text: text.to_owned(),
        sent: sent.map(|sent| Timestamp::from_second(sent).unwrap()),
    };
    let mut hear = |text: &str, sent| {
        let message = message(text, sent);
        let tasks = player.app.follow_table(|table| {
            table.peers_mut().unwrap().add_message(message.clone());
            vec![TableNews::Said(message.clone())]
        });
        player.tasks.extend(tasks.unwrap());
        player.draw();
        player.screen(120, 40)
    };
    let screen = hear("good move", Some(1_795_823_432));
    assert!(screen.contains("Bob, Nov 27, 23:50: good move"), "{screen}");
    let screen = hear("thanks", None);
    assert!(screen.contains("Bob: thanks"), "{screen}");
}

#[test]
fn no_rematch_is_offered_after_a_claim() {
    let mut player = at_table(HOUR + DAYS);
    let tasks = player.app.follow_table(|table| {
        let claim = LoggedStep::parse("3 262800000 1 claim").unwrap();
        table.follow(&claim).unwrap();
        vec![TableNews::Stepped]
    });
    player.tasks.extend(tasks.unwrap());
    player.turn_clock(Duration::from_secs(5));
    player.draw();
    let screen = player.screen(80, 24);
    assert!(screen.contains("Ann wins") && !screen.contains("Rematch"), "{screen}");
}

/// Days per move need a guest, and the branch is played at one terminal.
#[test]
fn match_that_branches_off_has_no_days() {
    let player = at_table(HOUR);
    let branch = player.app.open_match().unwrap().viewing_copy().branch_off();
    assert_eq!(branch.session().conditions().clock, None);
}

/// The clock's row offers days to a friend over ssh, and refuses them against others.
#[test]
fn setup_offers_days_per_move_with_a_guest() {
    let mut player = Player::new();
    player.press("<enter><end><up><up><left>");
    assert!(player.sees("30 min"), "{}", player.screen(80, 24));
    let mut player = Player::new();
    player.press("<enter><right><right><end><up><up>");
    for days in ["14 days per move", "7 days per move", "3 days per move", "1 day per move"] {
        player.press("<left>");
        assert!(player.sees(days), "{days}\n{}", player.screen(80, 24));
    }
    player.press("<right>s");
    let opened = player.tasks.iter().find_map(|task| match task {
        Task::Disk(DiskTask::OpenTable(setup)) => setup.clock,
        _ => None,
    });
    assert_eq!(opened.map(|clock| clock.to_string()).as_deref(), Some("3d"));
    player.tasks.clear();
    player.press("<home><left>");
    assert!(player.sees("Clock: days per move need a guest"), "{}", player.screen(80, 24));
    player.press("s");
    assert!(player.app.open_match().is_none(), "{}", player.screen(80, 24));
}

#[test]
fn programs_get_no_days_per_move() {
    let players =
        |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>();
    let check = |texts: &[&str]| Conditions::check_days(&players(texts) as &[Seated]);
    assert_eq!(check(&["Ann", "guest"]), Ok(()));
    assert_eq!(check(&["Ann", "guest", "engine:strong"]), Ok(()));
    assert_eq!(check(&["Ann", "engine:strong"]), Err("days per move need a guest"));
    assert_eq!(check(&["guest", "cmd:true"]), Err("programs cannot play with days per move"));
}

#[test]
fn days_option_refuses_what_cannot_sleep() {
    let guest = "--seat=2=guest";
    for (args, why) in [
        (vec!["--days=3"], "--days: days per move need a guest"),
        (vec!["--days=3", "--names=Ann,Bob"], "--days: days per move need a guest"),
        (vec!["--days=3", guest, "--clock=60"], "--days: not available with --clock"),
        (vec!["--days=3", guest, "--shared"], "--days: not available with --shared"),
        (vec!["--days=3", guest, "--seat=1=cmd:true"], "--days: programs cannot play"),
        (vec!["--days=0", guest], "must be a number from 1 to 14"),
        (vec!["--days=15", guest], "must be a number from 1 to 14"),
        (vec!["--clock=3d", guest], "write a clock as 300+5"),
    ] {
        let error = run(&[&["play", "quixo"], &*args].concat()).fails(2);
        assert!(error.contains(why), "{args:?}: {error}");
    }
}
