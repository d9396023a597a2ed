//! External engines at the table, as the screens see them: the test answers for the engine.

use crate::common::player::Player;
use insta::assert_snapshot;
use quadrille::app::{EngineEvent, EngineTask, OpenMatch, Question, Respondent};
use quadrille::settings::{Program, Settings};
use quadrille_match::session::{Forfeit, Player as Who, ProgramSeat};
use quadrille_rules::Seat;
use quadrille_search::Report;
use quadrille_table::catalogue;
use std::path::PathBuf;
use std::time::Duration;

const PROGRAM: [&str; 2] = ["Ann", "cmd:python3 bot.py --depth 4"];

fn take_question(player: &mut Player) -> (u64, Question) {
    match player.app.engine_task() {
        Some(EngineTask::Think(ticket, question)) => (ticket, *question),
        other => panic!("nothing is asked: {other:?}"),
    }
}

fn chosen(mv: &str) -> EngineEvent {
    EngineEvent::Chosen { mv: mv.to_owned(), why: None, report: Report::default() }
}

fn termination(player: &Player) -> String {
    let game = player.app.open_match().unwrap().current_match();
    game.termination().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn program_moves_at_its_seat() {
    let mut player = Player::against("tic-tac-toe", "", PROGRAM);
    player.press("<enter>");
    let (ticket, question) = take_question(&mut player);
    let session = player.app.session_in_play().unwrap();
    let who: Who = PROGRAM[1].parse().unwrap();
    assert_eq!(question.to, Respondent::Seat { session, seat: Seat::SECOND, player: who });
    assert!(player.sees("bot.py is thinking"));
    player.app.engine_event(ticket, chosen("a1")).unwrap();
    let game = player.app.open_match().unwrap().current_match();
    assert_eq!((game.ply(), game.to_move()), (2, Some(Seat::FIRST)));
    player.press("H");
    let (_, question) = take_question(&mut player);
    assert_eq!(question.to, Respondent::Helper, "hints are not a program's business");
}

#[test]
fn program_start_time_does_not_count() {
    let mut player = Player::against("tic-tac-toe", "", PROGRAM);
    player.turn_clock(Duration::from_secs(3));
    player.press("<enter>");
    let (ticket, _) = take_question(&mut player);
    player.app.engine_event(ticket, EngineEvent::Starting).unwrap();
    assert!(player.sees("bot.py is starting"));
    player.turn_clock(Duration::from_secs(60));
    player.app.engine_event(ticket, EngineEvent::Ready).unwrap();
    assert!(player.sees("bot.py is thinking"));
    player.turn_clock(Duration::from_secs(2));
    player.app.engine_event(ticket, chosen("a1")).unwrap();
    let times = player.app.open_match().unwrap().session().log().iter().map(|logged| logged.at);
    assert_eq!(times.collect::<Vec<_>>(), [Duration::from_secs(3), Duration::from_secs(5)]);
}

#[test]
fn illegal_program_move_forfeits() {
    for (mv, reason) in [
        ("b2", "illegal move \"b2\""),
        ("none", "illegal move \"none\""),
        ("\u{1b}[2J", "illegal move \"\u{1b}[2J\""),
    ] {
        let mut player = Player::against("tic-tac-toe", "", PROGRAM);
        player.press("<enter>");
        let (ticket, _) = take_question(&mut player);
        player.app.engine_event(ticket, chosen(mv)).unwrap();
        let reason = reason.replace('\u{1b}', "\\u{1b}");
        assert_eq!(termination(&player), format!("forfeit: 2: {reason}"));
        assert!(player.sees("You win, bot.py forfeited"), "{}", player.screen(80, 24));
        assert!(!player.screen(80, 24).contains('\u{1b}'));
        player.press("<esc>u");
        assert_eq!(termination(&player), format!("forfeit: 2: {reason}"), "it stands");
    }
}

#[test]
fn failed_program_forfeits_and_its_log_is_named() {
    let mut player = Player::against("dots-and-boxes", "size=3", PROGRAM);
    player.press("<enter>");
    let (ticket, _) = take_question(&mut player);
    let messages = Some(PathBuf::from("/home/ann/.local/state/quadrille/programs/bot.py.log"));
    let heard = EngineEvent::Forfeit { reason: Forfeit::Exited(1), messages };
    player.app.engine_event(ticket, heard).unwrap();
    assert_eq!(termination(&player), "forfeit: 2: exited with 1");
    assert_eq!(player.app.session_in_play(), None, "nobody's program runs any more");
    assert_snapshot!(player.body(80, 24));
    assert_snapshot!(player.body(40, 12));
    player.press("<wait><enter>");
    assert!(player.sees("Rematch"));
}

/// However the message is closed, the result comes next.
#[test]
fn forfeit_message_leads_to_the_result() {
    for key in ["<enter>", "<esc>", "q"] {
        let mut player = Player::against("tic-tac-toe", "", PROGRAM);
        player.press("<enter>");
        let (ticket, _) = take_question(&mut player);
        let heard = EngineEvent::Forfeit { reason: Forfeit::Exited(1), messages: None };
        player.app.engine_event(ticket, heard).unwrap();
        assert!(player.sees("bot.py forfeits") && !player.sees("Rematch"));
        player.press("<wait>").press(key);
        assert!(!player.sees("bot.py forfeits") && player.sees("Rematch"), "{key}");
    }
}

#[test]
fn resumed_programs_wait_for_consent() {
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let players = [PROGRAM[1], "Bob"].map(|who| who.parse().unwrap()).to_vec();
    let mut open_match = OpenMatch::opened(entry, &"".parse().unwrap(), players.into()).unwrap();
    open_match.owner_mut().may_start_programs = false;
    let mut player = Player::new();
    player.app.begin(open_match);
    assert_snapshot!(player.body(80, 24));
    assert_eq!(player.app.engine_task(), None);
    player.press("<esc>");
    assert!(player.sees("bot.py is not running; press Enter to start it"));
    assert_eq!(player.app.engine_task(), None);
    player.press("<enter>");
    assert!(player.sees("python3 bot.py --depth 4"));
    player.press("<enter>");
    let (ticket, _) = take_question(&mut player);
    player.app.engine_event(ticket, chosen("a1")).unwrap();
    player.press("u");
    assert!(player.sees("press Enter to let the engine move"), "it is asked once");
    assert_eq!(player.app.engine_task(), Some(EngineTask::Rest));
    player.press("<enter>");
    take_question(&mut player);
}

fn with_programs() -> Player {
    let programs = vec![
        Program::new("mine", "python3 bot.py", None).unwrap(),
        Program::new("other", "./other", Some(vec!["quixo"])).unwrap(),
        Program::new("third", "./third", Some(vec!["tic-tac-toe"])).unwrap(),
    ];
    let mut player = Player::new();
    let settings = Settings { programs, ..Settings::default() };
    player.app = player.app.with_settings(settings, String::new());
    player
}

#[test]
fn setup_form_offers_programs_for_the_game() {
    let mut player = with_programs();
    player.press("<right><right><right><enter><left><down><down>");
    let mut seen = Vec::new();
    for _ in 0..9 {
        player.press("<right>");
        let screen = player.screen(80, 24);
        let row = screen.lines().find(|line| line.contains("Player 2 ")).unwrap();
        seen.push(row.split_whitespace().nth(4).unwrap_or_default().to_owned());
    }
    let levels = "Casual Skilled Strong Perfect";
    assert_eq!(seen.join(" "), format!("{levels} mine third Guest Player Beginner"));
    player.press("<left><left><left><left>");
    assert_snapshot!(player.body(80, 24));
    player.press("<end><enter>");
    let who = player.app.open_match().unwrap().players().names();
    assert_eq!(who[1], "cmd,name=mine:python3 bot.py");
}

#[test]
fn command_typed_as_a_name_is_refused() {
    // The seats of a custom match and of two friends, and the only person's own name.
    let custom = "<right><right><right><enter><right><down><down><enter>";
    let friends = "<right><right><right><enter><right><right><down><enter>";
    let own_name = "<right><right><right><enter><end><up><enter><enter>";
    for to_the_name in [custom, friends, own_name] {
        for command in ["cmd:'x", "cmd:./bot", "cmd,time=5:./bot"] {
            let mut player = with_programs();
            player.press(to_the_name).press(&format!("{command}<enter>"));
            let screen = player.screen(80, 24);
            assert!(screen.contains(": a command is not a name;"), "{screen}");
            player.press("<end><enter>");
            assert!(player.app.open_match().is_none(), "{}", player.screen(80, 24));
        }
    }
}

#[test]
fn configured_program_can_be_typed() {
    let mut player = with_programs();
    player.press("<right><right><right><enter><right><down><down><enter>program:mine<enter>");
    player.press("<end><enter>");
    let players = player.app.open_match().unwrap().players();
    assert_eq!(players.programs().map(ProgramSeat::name).collect::<Vec<_>>(), ["mine"]);
}
