//! Key scripts: start the app, press keys, and check the screen.

use crate::common::player::{Player, draws_at};
use crate::common::samples::complete;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use insta::assert_snapshot;
use quadrille::action::{Action, Keymap};
use quadrille::app::{
    CountedRecords, DiskTask, EngineEvent, EngineTask, RecordSummary, SavedMatch, Task,
    TerminalTask,
};
use quadrille::picture::HAS_PIXELS;
use quadrille::settings::{MotionChoice, Program, Settings};
use quadrille_match::session::{Forfeit, ProgramSeat, Record, Termination};
use quadrille_match::store::LastSetup;
use quadrille_rules::Seat;
use quadrille_search::{DotsAndBoxesReason, Reason, Report};
use quadrille_table::catalogue::GAMES;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

#[test]
fn home_screen_matches_snapshots_at_every_size() {
    for (width, height) in [(80, 24), (40, 12), (200, 60), (30, 10), (29, 10), (8, 3), (1, 1)] {
        assert_snapshot!(format!("home_{width}x{height}"), Player::new().body(width, height));
    }
}

#[test]
fn first_match_runs_from_home_screen_to_result_and_back() {
    let mut player = Player::new();
    player.press("<enter>");
    assert_snapshot!("setup_80x24", player.body(80, 24));
    player.press("<right><tab><tab><tab><tab>1");
    assert!(player.sees("1 x 1 box (2 x 2 dots)"), "{}", player.screen(80, 24));
    player.press("s");
    assert_snapshot!("match_start_80x24", player.screen(80, 24));
    player.press("<enter><down><enter><right><enter>");
    assert_eq!(player.moves(), "H0,0 V0,0 V0,1");
    player.press("<down><enter>");
    // The menu of a build without pictures lacks an entry.
    if HAS_PIXELS {
        assert_snapshot!("result_80x24", player.body(80, 24));
    }
    assert!(matches!(player.tasks.remove(0), Task::Disk(DiskTask::Remember(_))));
    assert_eq!(player.tasks, vec![DiskTask::Save.into(); 4]);
    player.press("<wait><end><enter>");
    assert!(
        player.sees("q quit") && !player.sees("Resume"),
        "a finished match is not offered again"
    );
    player.press("q");
    assert_eq!(player.tasks.last(), Some(&TerminalTask::Quit.into()));
}

#[test]
fn match_screen_matches_snapshots_at_every_size() {
    let mut player = Player::at("dots-and-boxes", "");
    player.press("<enter><down><enter><right><enter><tab>");
    for (width, height) in [(80, 24), (40, 12), (200, 60), (30, 10), (60, 10), (120, 30), (5, 5)] {
        assert_snapshot!(format!("match_{width}x{height}"), player.body(width, height));
    }
}

#[test]
fn footer_is_in_the_last_row_of_every_screen() {
    for keys in ["", "<enter>", "<enter><enter>", "<enter><enter><esc>", "<down><right><enter>"] {
        let mut player = Player::new();
        player.press(keys);
        for (width, height) in [(40, 12), (80, 24), (120, 40), (200, 60)] {
            let screen = player.screen(width, height);
            let rows: Vec<&str> = screen.split("\n---").next().unwrap().lines().collect();
            assert_eq!(rows.len(), usize::from(height), "{screen}");
            let last = rows.last().unwrap();
            let begin = last.len() - last.trim_start().len();
            assert!(begin == 2 && last.contains("q "), "{keys} at {width}x{height}: {last:?}");
        }
    }
}

#[test]
fn every_screen_draws_at_any_size() {
    let scripts = ["", "<enter>", "<enter><enter>", "<enter><enter><esc>", "?", "<up><enter>"];
    for script in scripts {
        for size in [(0, 0), (1, 1), (2, 200), (200, 2), (30, 10), (31, 11), (500, 3)] {
            draws_at(size, Player::new().press(script));
        }
    }
    for game in &GAMES {
        for size in [(30, 10), (59, 12), (60, 10), (61, 40), (300, 100)] {
            draws_at(size, Player::at(game.id, "").press("<enter><right><tab><enter>"));
        }
    }
}

#[test]
fn undo_and_redo_step_through_extra_turns() {
    let mut player = Player::at("dots-and-boxes", "rows=2 cols=3");
    player.press(":H0,0<enter>:H1,0<enter>:V0,0<enter>:V0,1<enter>");
    let game = |player: &Player| {
        let game = player.app.open_match().unwrap().current_match();
        (game.scores().unwrap().to_vec(), game.to_move().unwrap().index())
    };
    assert_eq!(game(&player), (vec![0, 1], 1), "Bob closed a box and moves again");
    player.press("uuuuuuu");
    assert_eq!(game(&player), (vec![0, 0], 0));
    assert!(player.sees("nothing to undo"));
    player.press("rrrr");
    assert_eq!(game(&player), (vec![0, 1], 1));
    player.press("u<up>u");
    assert_eq!(player.moves(), "H0,0 H1,0");
    assert!(player.sees("r redo"));
}

#[test]
fn refused_typed_move_stays_editable() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press(":H0,x<enter>");
    assert!(player.sees(":H0,x") && player.sees("try H0,0: a line is H or V with its row"));
    player.press("<backspace>9<enter>");
    assert!(player.sees(":H0,9") && player.sees("this board has no such line"));
    player.press("<backspace>1<enter>");
    assert_eq!(player.moves(), "H0,1");
    player.press(":h0,1<enter>");
    assert!(
        player.sees(":h0,1") && player.sees("already drawn"),
        "not legal in another case either"
    );
    player.press("<esc>:v0,0<enter>");
    assert_eq!(player.moves(), "H0,1 V0,0", "a move may be typed in the wrong case");
    player.press(":q?<esc>");
    assert!(player.app.open_match().is_some(), "letters that are commands are text in the prompt");
}

#[test]
fn panel_shows_engine_heading_only_with_engine_text() {
    let mut player = Player::against("tic-tac-toe", "", ["Ann", "engine:strong"]);
    assert!(!player.sees("engine"), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(player.sees("engine") && player.sees("Strong is thinking, up to"));
}

#[test]
fn refused_key_states_its_reason() {
    let mut player = Player::at("dots-and-boxes", "");
    player.press("<enter><enter>");
    assert!(player.sees("! already drawn"));
    player.press("<right>");
    assert!(!player.sees("already drawn"));
    assert_eq!(player.moves(), "H0,0");
}

#[test]
fn left_match_can_be_resumed() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press("<enter>q");
    assert!(player.app.open_match().is_none());
    assert_snapshot!("home_with_a_match_left", player.body(80, 24));
    player.press("<enter>");
    assert_eq!(player.moves(), "H0,0");
    assert!(player.sees("Ann") && player.sees("Bob"));
    player.press("q");
    assert!(player.sees("Resume"));
}

#[test]
fn pause_menu_offers_rules_and_draw() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press("<enter><esc>");
    assert_snapshot!("pause_80x24", player.body(80, 24));
    assert_snapshot!("pause_40x12", player.body(40, 12));
    player.press("<down><enter>");
    assert_eq!(player.moves(), "");
    player.press("<esc><down><enter>");
    assert!(player.sees("Dots and Boxes: the rules"));
    player.press("<esc><esc><down><down><enter>");
    assert!(player.sees("Ann offers Bob a draw") && player.sees("y yes"));
    player.press("<wait>y");
    assert!(player.sees("Draw 0-0, by agreement"));
    player.press("<esc>u");
    assert!(!player.sees("Draw"));
    player.press("<esc><up><esc>");
    assert!(player.app.open_match().is_some());
}

#[test]
fn resign_menu_asks_which_player_resigns() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press("<enter><esc><down><down><down><down><enter>");
    assert!(player.sees("Who resigns?") && player.sees("The other player wins."));
    assert!(player.sees("Ann resigns") && player.sees("Bob resigns"));
    player.press("<enter>");
    assert!(player.app.open_match().unwrap().current_match().to_move().is_some(), "they play on");
    player.tasks.clear();
    player.press("<esc><down><down><down><down><enter><down><enter>");
    assert!(player.sees("Bob wins, Ann resigned"));
    assert_eq!(player.tasks, [DiskTask::Save.into()]);
    let game = player.app.open_match().unwrap().current_match();
    assert_eq!(Record::of(game, &[], "").tag("Termination"), Some("resigned: 1"));
    player.press("<esc>u");
    assert_eq!(player.moves(), "H0,0", "the resignation alone is taken back");
    assert!(!player.sees("resigned") && player.sees("u undo"));
    let game = player.app.open_match().unwrap().current_match();
    assert_eq!(Record::of(game, &[], "").tag("Termination"), None);
    player.press("u");
    assert_eq!(player.moves(), "");
}

#[test]
fn resign_against_an_engine_asks_only_the_person() {
    let mut player = Player::against("dots-and-boxes", "size=3", ["Ann", "engine:casual,seed=1"]);
    player.press("<esc><down><down><enter>");
    assert!(player.sees("Resign this match?") && player.sees("Cancel"));
    player.press("<down><enter>");
    assert!(player.sees("Casual wins, you resigned"));
}

#[test]
fn draw_offer_among_three_asks_each_by_name() {
    let names = ["Ann", "Bob", "Cleo"];
    let mut player = Player::against("intersections", "size=3 players=3", names);
    player.press(":0,0-0,1<enter><esc><down><down><down><enter>");
    let turn = player.app.open_match().unwrap().current_match().to_move().unwrap();
    let offers = names[turn.index()];
    let mut others = names.into_iter().filter(|name| *name != offers);
    let [second, third] = [others.next().unwrap(), others.next().unwrap()];
    assert!(player.sees(&format!("{offers} offers {second} a draw")));
    player.press("<wait>y");
    assert!(player.sees(&format!("{offers} offers {third} a draw")));
    player.press("<wait>n");
    assert!(!player.sees("a draw") && !player.sees("Draw"), "the match goes on");
    player.press(":1,1-1,2<enter>");
    assert_eq!(player.moves(), "0,0-0,1 1,1-1,2");
    assert!(player.app.open_match().unwrap().session().offer().is_none());

    // Earlier agreement no longer counts: all players are asked again.
    player.press("<esc><down><down><down><enter><wait>y");
    assert!(player.app.open_match().unwrap().current_match().to_move().is_some());
    player.press("<wait>y");
    assert!(player.sees("Draw") && player.sees(", by agreement"));
    player.press("<esc>u");
    assert_eq!(player.moves(), "0,0-0,1 1,1-1,2", "the agreement alone is taken back");
    assert!(!player.sees("agreed"));
}

#[test]
fn start_over_keeps_the_old_match_unfinished() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press("<esc>");
    assert!(!player.sees("Start over"), "nothing was played");
    player.press("<esc><enter><esc><down><down><down><down><down><enter>");
    assert!(player.sees("Start over?") && player.sees("This match stays saved"));
    player.press("<enter>");
    assert_eq!(player.moves(), "H0,0", "they play on");
    player.press("<esc><down><down><down><down><down><enter><down><enter>");
    assert_eq!(player.moves(), "");
    assert_eq!(player.app.open_match().unwrap().players().names(), ["Ann", "Bob"]);
    player.press("q");
    assert!(player.sees("Dots and Boxes, Ann vs Bob, 0-0, move 2"));
    player.press("<enter>");
    assert_eq!(player.moves(), "H0,0");
}

#[test]
fn rematch_can_swap_sides() {
    let mut player = Player::at("dots-and-boxes", "size=2");
    player.press(":H0,0<enter>:H1,0<enter>:V0,0<enter>:V0,1<enter>");
    assert!(player.sees("Bob wins 1-0"));
    player.press("<wait><enter>");
    assert_eq!(player.moves(), "");
    assert_eq!(player.app.open_match().unwrap().players().names(), ["Bob", "Ann"]);
}

#[test]
fn result_shows_the_series_score() {
    let mut player = Player::at("dots-and-boxes", "size=2");
    player.press(":H0,0<enter>:H1,0<enter>:V0,0<enter>:V0,1<enter>");
    assert!(player.sees("Bob wins") && !player.sees("series"));
    player.press("<wait><enter>:H0,0<enter>:H1,0<enter>:V0,0<enter>:V0,1<enter>");
    assert!(player.sees("series  Bob 1  Ann 1"), "{}", player.screen(80, 24));
    player.press("<esc>uu:V0,1<enter>:V0,0<enter>");
    assert!(player.sees("series  Bob 1  Ann 1"), "an end that was taken back does not count");
    player.press("<wait><down><down><enter>:H0,0<enter>:H1,0<enter>:V0,0<enter>:V0,1<enter>");
    assert!(player.sees("series  Bob 1  Ann 2"));
}

/// The placeholder for an unnamed person depends on the seat, the person does not.
#[test]
fn unnamed_person_keeps_the_series_after_a_swap_of_sides() {
    let mut player = Player::against("dots-and-boxes", "size=3", ["", "engine:casual,seed=1"]);
    player.press("<esc><down><down><enter><down><enter>");
    assert!(player.sees("Casual wins") && !player.sees("series"));
    player.press("<wait>").click("Rematch, swap sides");
    assert!(player.sees(" You "), "{}", player.screen(80, 24));
    assert_eq!(
        player.app.open_match().unwrap().players().names(),
        ["engine:casual,seed=1", "Player 2"]
    );
    player.think();
    player.press("<esc><down><down><down><enter><down><enter>");
    assert!(player.sees("Casual wins"), "{}", player.screen(80, 24));
    assert!(player.sees("series"), "{}", player.screen(80, 24));
}

/// The menu of the result opens by itself, so an Enter meant for the board may reach it.
#[test]
fn extra_enter_at_the_end_starts_no_rematch() {
    let mut player = Player::at("dots-and-boxes", "size=2");
    player.press("<enter><down><enter><right><enter><down><enter>");
    let moves = player.moves();
    assert!(player.sees("Bob wins 1-0") && moves.split(' ').count() == 4, "{moves}");
    for _ in 0..5 {
        player.press("<enter>");
        assert_eq!(player.moves(), moves);
        assert!(player.sees("Bob wins 1-0") || player.sees("what next"));
    }
}

#[test]
fn refused_draw_offer_is_announced() {
    for refuses in ["<wait>n", "<esc><down><down><enter>"] {
        let mut player = Player::at("dots-and-boxes", "size=3");
        player.press("<esc><down><down><enter>");
        assert!(player.sees("Ann offers Bob a draw") && !player.sees("refuses"), "{refuses}");
        player.press(refuses);
        assert!(player.sees("Bob declines the draw") && !player.sees("offers"), "{refuses}");
        player.press("<right>");
        assert!(!player.sees("refuses") && !player.sees("offers"), "{refuses}");
    }
}

/// Typed-ahead keys are moves: they neither accept nor refuse an opponent's offer.
#[test]
fn draw_offer_keeps_the_playing_keys() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press("<esc><down><down><enter><down><enter>");
    assert!(player.moves().len() > 1 && !player.sees("Draw"), "{}", player.screen(80, 24));
    assert!(!player.sees("offers"), "the move has refused it");
    // Keys bound to other actions perform those instead of answering; answer in the menu.
    let mut player = Player::at("dots-and-boxes", "size=3");
    let taken = [(Action::Undo, "y"), (Action::Redo, "n")];
    let taken = taken.map(|(action, key)| (action, vec![key.parse().unwrap()]));
    let (keys, left_out) = Keymap::with(taken.to_vec());
    assert!(left_out.is_empty(), "{left_out:?}");
    let settings = Settings { keys, ..Settings::default() };
    player.app = player.app.with_settings(settings, String::new());
    player.press("<enter><esc><down><down><down><enter>");
    assert!(player.sees("answer in the menu") && !player.sees(" yes"));
    player.press("y");
    assert_eq!(player.moves(), "", "undo");
    player.press("<enter><esc><down><down><down><enter><esc><down><enter>");
    assert!(player.sees("Draw 0-0, by agreement"));
}

#[test]
fn setup_form_validates_while_typing() {
    let mut player = Player::new();
    player.press("<enter><right><down><down><down><down>0");
    assert!(player.sees("! Board: must be a whole number from"), "{}", player.screen(80, 24));
    player.press("<end><enter>");
    assert!(player.app.open_match().is_none(), "no match starts from a form with an error");
    player.press("<tab><enter>");
    assert!(player.app.open_match().is_none(), "nor from the first row");
    player.press("<down><down><down><down><right>");
    assert!(!player.sees("must be"));
    player.press("<backspace>11");
    assert!(player.sees("11 x 11 boxes"));
    player.press("<home><down><enter>Anna q?<enter><down><enter>Bob<esc><end><enter>");
    assert_eq!(player.app.open_match().unwrap().players().names(), ["Anna q?", "Player 2"]);
    assert_eq!(
        player.app.open_match().unwrap().current_match().setup().to_string(),
        "rows=12 cols=12"
    );
}

#[test]
fn move_time_is_typed_in_seconds() {
    let mut player = Player::against("dots-and-boxes", "", ["Ann", "engine:strong"]);
    let new_game = "<esc><up><up><up><enter><down><down><down>";
    player.press(new_game).press("0");
    assert!(player.sees("! Move time: the thinking time must be"), "{}", player.screen(80, 24));
    player.press("5");
    assert!(!player.sees("! Move time"));
    let seat = |player: &mut Player| {
        player.press("<end><enter>");
        player.app.open_match().unwrap().players().names().swap_remove(1)
    };
    assert_eq!(seat(&mut player), "engine:strong,time=5");
    for (keys, who) in [
        ("0.5", "engine:strong,time=0.5"),
        ("12.34<backspace>", "engine:strong,time=12.3"),
        ("7<backspace>", "engine:strong"),
        ("3600<right><right>", "engine:strong,time=3600"),
        ("1<left><left><right>", "engine:strong,time=1"),
    ] {
        player.press(new_game).press(keys);
        assert_eq!(seat(&mut player), who, "{keys}");
    }
    player.press(new_game).press("9999<end><enter>");
    assert!(player.app.open_match().is_none(), "no match starts with a wrong time");
}

#[test]
fn missing_program_is_named_before_the_match() {
    let player = Player::new();
    let programs = ["bot", "bird"].map(|name| Program::new(name, &format!("./{name}"), None));
    let programs = programs.map(Option::unwrap).to_vec();
    let settings = Settings { programs, ..Settings::default() };
    let check = |program: &ProgramSeat| match program.command() {
        "./bot" => Some("./bot".to_owned()),
        _ => None,
    };
    let app = player.app.with_settings(settings, String::new()).with_program_check(check);
    let mut player = Player { app, ..player };
    player.press("<enter><right><down><down><enter>program:bot<enter><end><enter>");
    assert!(player.app.open_match().is_none());
    let told = player.sees("! Player 2: program not found: ./bot");
    assert!(told, "{}", player.screen(80, 24));
    player.press("<home><down><down><right>");
    assert!(!player.sees("program not found:"), "{}", player.screen(80, 24));
    player.press("<end><enter>");
    assert!(player.app.open_match().is_some(), "{}", player.screen(80, 24));
}

#[test]
fn truncated_seat_names_stay_distinct() {
    let clock = ("dots-and-boxes", "size=3");
    let title = |names: [&str; 2]| {
        let player = Player::with_clock(clock, names, "60+5");
        player.screen(40, 12).lines().next().unwrap().to_owned()
    };
    assert!(title(["", ""]).contains("Pl\u{25b8}1 A") && title(["", ""]).contains("Pl\u{25b8}2 B"));
    let names = title(["Annabella", "Annabelle"]);
    assert!(names.contains("An\u{25b8}a A") && names.contains("An\u{25b8}e B"), "{names}");
}

/// Returns the words on the last rows above the footer of a small screen.
fn said_at(player: &Player, (width, height): (u16, u16)) -> String {
    let screen = player.screen(width, height);
    let rows = screen.lines().take(usize::from(height) - 1).skip(usize::from(height) - 4);
    rows.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn hint_fits_on_a_small_screen() {
    for game in &GAMES {
        let mut player = Player::at(game.id, "");
        player.press("H");
        assert!(said_at(&player, (40, 12)).contains("thinking"), "{}", game.id);
        let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else {
            panic!("no engine is asked in {}", game.id);
        };
        let mv = player.app.open_match().unwrap().current_match().legal_moves().swap_remove(0);
        let hint = format!("hint: probably {mv}, which offers two boxes without a double-cross");
        let reason = DotsAndBoxesReason::Opens { boxes: 2, kept: 0, is_least: false };
        let why = Some(Reason::DotsAndBoxes(reason));
        let report = Report::default();
        player.app.engine_event(ticket, EngineEvent::Chosen { mv, why, report }).unwrap();
        for size in [(40, 12), (30, 10)] {
            let said = said_at(&player, size);
            assert!(said.contains(&hint), "{hint}\n{}", player.screen(size.0, size.1));
        }
        player.press("<down>");
        let said = said_at(&player, (40, 12));
        assert!(said.contains("hint: ") && !said.contains('\u{25b8}'), "{said}");
    }
}

/// The hint is for a line along the lowest row, with three rows of words.
#[test]
fn hint_does_not_cover_its_line() {
    let mut player = Player::at("dots-and-boxes", "size=4");
    player.press("H");
    let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else {
        panic!("no engine is asked");
    };
    let last = DotsAndBoxesReason::LastSafe { has_chain: true, has_loop: false };
    let why = Some(Reason::DotsAndBoxes(last));
    let chosen = EngineEvent::Chosen { mv: "H3,0".to_owned(), why, report: Report::default() };
    player.app.engine_event(ticket, chosen).unwrap();
    let why = "gives nothing away; no safe lines left, so Bob must open a chain";
    let screen = player.screen(40, 12);
    assert!(said_at(&player, (40, 12)).contains(why), "{screen}");
    assert!(screen.lines().any(|line| line.trim_start().starts_with("3 ")), "{screen}");
}

#[test]
fn home_screen_status_fits_on_a_small_screen() {
    let mut player = Player::new();
    for game in &GAMES {
        let said = said_at(&player, (40, 12));
        assert!(said.contains(game.tagline), "{}", player.screen(40, 12));
        assert!(player.screen(40, 12).contains(game.name));
        assert!(player.screen(40, 12).contains(" of 11"), "it says that there is more");
        player.press("<down>");
    }
    let trouble =
        "not saved: no space left on device, although the match before this one was saved";
    player.app.show_message(trouble);
    let said = said_at(&player, (40, 12));
    assert!(said.contains(&format!("! {trouble}")), "{}", player.screen(40, 12));
}

#[test]
fn match_status_fits_on_a_small_screen() {
    let mut player = Player::at("dots-and-boxes", "");
    player.press(":x<enter>");
    let said = "a line is H or V with its row";
    assert!(said_at(&player, (40, 12)).contains(said), "{}", player.screen(40, 12));
    let mut player = Player::against("dots-and-boxes", "", ["engine:casual", "Ann"]);
    player.press("H");
    let said = "Casual is to move";
    assert!(said_at(&player, (40, 12)).contains(said), "{}", player.screen(40, 12));
    let mut player = Player::at("intersections", "size=3 segments=2");
    player.press(":0,0-0,1<enter>:1,1-1,2<enter>");
    let said = "Round 1 is over: 0 points for A. Press Enter.";
    assert!(said_at(&player, (40, 12)).contains(said), "{}", player.screen(40, 12));
}

#[test]
fn help_describes_the_current_screen() {
    let mut player = Player::at("dots-and-boxes", "");
    player.press("?");
    assert_snapshot!("help_80x24", player.body(80, 24));
    player.press("<esc><esc>?");
    assert!(player.sees("Pause: help"));
    player.press("qqq?");
    assert!(player.sees("Home: help"));
}

#[test]
fn help_lists_local_actions_before_global_actions() {
    for game in &GAMES {
        let mut player = Player::at(game.id, "");
        player.press("?");
        let help = player.screen(80, 120);
        let at = |text: &str| help.find(text).unwrap_or_else(|| panic!("no {text} in\n{help}"));
        let first: String = game.how_to_move.split(' ').take(5).collect::<Vec<_>>().join(" ");
        let order =
            [&*first, "take back the last move", "VALUES.", "THE RULES.", "KEYS ON MOST SCREENS."];
        let order = order.map(at);
        assert!(order.is_sorted() && order[0] < 200, "{help}");
        assert!(at("suspend the program") > order[4], "{help}");
        let marks = match game.id {
            "quixo" | "tic-tac-toe" => ["- W1: ", "- L6: ", "- =: ", "- ~+0.2: "],
            "intersections" => ["- +4: ", "- -4: ", "- =: ", "- ~-4: "],
            _ => ["- +2: ", "- -3: ", "- =: ", "- ~+1: "],
        };
        for mark in marks {
            at(mark);
        }
    }
}

#[test]
fn review_help_explains_marks_and_graph() {
    let mut player = Player::at("tic-tac-toe", "");
    player.press(":a1<enter>:b2<enter>:a2<enter>:b3<enter>:a3<enter>");
    player.press("<wait><down><down><down><enter>?");
    let help = player.screen(80, 120);
    assert!(help.contains("Tic-tac-toe, replay: help"), "{help}");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in ["? marks a mistake and ?!", "+1 is a proven win for Ann, and -1 the same for Bob"]
    {
        assert!(help.contains(text), "{help}");
    }
}

#[test]
fn paste_goes_only_to_the_move_prompt() {
    let mut player = Player::at("dots-and-boxes", "");
    assert!(player.app.update(&Event::Paste("\r\rqqq".into())).is_none());
    assert_eq!(player.moves(), "");
    player.press(":");
    player.app.update(&Event::Paste("H0,\n1".into()));
    player.press("<enter>");
    assert_eq!(player.moves(), "H0,1");
}

#[test]
fn control_keys_work_on_every_screen() {
    for script in ["", "<enter>", "<enter><enter>", "<enter><enter>:", "?", "<enter><up><enter>"] {
        let mut player = Player::new();
        player.press(script).press("<C-z><C-c>");
        let ends = [TerminalTask::Suspend.into(), TerminalTask::Quit.into()];
        assert_eq!(player.tasks[player.tasks.len() - 2..], ends, "{script}");
    }
}

#[test]
fn unknown_key_does_not_redraw() {
    let mut player = Player::new();
    let key = |code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
    assert!(player.app.update(&key(KeyCode::F(5))).is_none());
    assert!(player.app.update(&Event::FocusGained).is_none());
    assert!(player.app.update(&key(KeyCode::Down)).is_some());
}

#[test]
fn record_write_error_is_shown_in_the_match() {
    let mut player = Player::at("dots-and-boxes", "");
    player.app.open_match_mut().unwrap().owner_mut().saved.record =
        Some(Err("x.game: no space left".to_owned()));
    assert!(player.sees("! x.game: no space left"));
    player.app.open_match_mut().unwrap().owner_mut().saved.record = Some(Ok(()));
    assert!(!player.sees("no space left"));
}

#[test]
fn any_key_ends_the_pause_after_a_round() {
    let mut player = Player::at("intersections", "size=3 segments=2");
    player.press(":0,0-0,1<enter>:1,1-1,2<enter>");
    assert!(player.sees("Round 1 is over"));
    assert!(!player.sees("to move") && player.sees("next"), "nobody is to move yet");
    let key = KeyEvent::new(KeyCode::Char('x'), KeyModifiers::NONE);
    assert!(player.app.update(&Event::Key(key)).is_some(), "the screen is drawn anew");
    assert!(!player.sees("Round 1 is over"));
    player.press(":0,0-0,1<enter>:1,1-1,2<enter>");
    assert!(player.sees("Round 2 is over") && !player.sees("Rematch"));
    player.press("x");
    assert!(player.sees("Rematch"));
}

/// Besides ending the pause, the key has its usual effect.
#[test]
fn any_key_but_undo_shows_the_result_after_the_last_round() {
    for (key, is_over) in
        [("a", true), ("v", true), (":", true), ("H", true), ("r", true), ("u", false)]
    {
        let mut player = Player::at("intersections", "size=3 segments=2");
        player.press(":0,0-0,1<enter>:1,1-1,2<enter>x:0,0-0,1<enter>:1,1-1,2<enter>");
        assert!(player.sees("Round 2 is over"), "{key}");
        player.press(key);
        assert_eq!(player.sees("Rematch"), is_over, "{key}");
    }
}

fn shelved(id: usize, names: &[&str], when: &str) -> SavedMatch {
    SavedMatch {
        id: id.to_string(),
        game: "Dots and Boxes".to_owned(),
        names: names.iter().map(|&name| name.to_owned()).collect(),
        guests: Vec::new(),
        score: "3-1".to_owned(),
        ply: Some(id),
        waiting: Vec::new(),
        is_over: false,
        when: when.to_owned(),
    }
}

fn waiting(matches: usize) -> Player {
    let mut player = Player::new();
    let names = ["Annabella", "Bob"];
    player.app.set_unfinished((0..matches).map(|n| shelved(n, &names, "2026-11-20")).collect());
    player
}

#[test]
fn unfinished_matches_leave_room_for_the_games() {
    for (matches, width, height) in
        [(1, 40, 12), (4, 80, 24), (9, 80, 24), (9, 40, 12), (9, 30, 10)]
    {
        let player = waiting(matches);
        let name = format!("home_{matches}_left_{width}x{height}");
        assert_snapshot!(name, player.body(width, height));
    }
    let mut player = waiting(9);
    player.screen(40, 12);
    player.press("<end><enter>");
    assert!(player.sees("Settings"));
    player.press("q<home><enter>");
    assert!(player.sees("Dots and Boxes") && !player.sees("Records"));
}

#[test]
fn resume_label_uses_whole_words() {
    let label = |names: &[&str], width| {
        let mut player = Player::new();
        player.app.set_unfinished(vec![shelved(0, names, "14:05")]);
        let screen = player.screen(width, 24);
        let line = screen.lines().find(|line| line.contains("Resume")).unwrap_or_default();
        let label = line.split("Resume").nth(1).unwrap_or_default().split("  ").next();
        label.unwrap_or_default().trim().to_owned()
    };
    let short = ["Ann", "Bob"];
    assert_eq!(label(&short, 80), "Dots and Boxes, Ann 3 - 1 Bob");
    assert_eq!(label(&short, 40), "Dots and Boxes, Ann 3 - 1 Bob");
    assert_eq!(label(&short, 30), "Ann 3 - 1 Bob");
    let long = ["Annabella Montgomery", "Bartholomew Fitzgerald"];
    assert_eq!(
        label(&long, 80),
        "Dots and Boxes, Annabella Montgomery 3 - 1 Bartholomew Fitzgerald"
    );
    assert_eq!(label(&long, 62), "Dots and Boxes, 3 - 1");
    assert_eq!(
        label(&long, 120),
        "Dots and Boxes, Annabella Montgomery 3 - 1 Bartholomew Fitzgerald"
    );
}

#[test]
fn many_unfinished_matches_have_their_own_list() {
    let mut player = waiting(30);
    player.press("<right><enter>");
    for (width, height) in [(80, 24), (40, 12), (30, 10)] {
        assert_snapshot!(format!("waiting_{width}x{height}"), player.body(width, height));
    }
    player.press("<end><up>d<down><enter>");
    assert_eq!(player.tasks, [DiskTask::Discard("28".to_owned()).into()]);
    player.press("<enter>");
    assert_eq!(
        player.tasks.last(),
        Some(&DiskTask::Resume("29".to_owned()).into()),
        "it stays near"
    );
    assert!(player.sees("q quit"), "the list makes way for the match");
}

/// Matches with days per move in which something waits come first.
#[test]
fn home_says_what_waits_in_matches_with_days() {
    let player = || {
        let mut player = Player::new();
        let waits: [(&[&str], &str); 3] = [
            (&["your turn", "question"], "5 h 12 min"),
            (&["claim"], "2 d 4 h"),
            (&["result"], ""),
        ];
        let waiting = (0..).zip(waits).map(|(id, (waiting, when))| SavedMatch {
            waiting: waiting.iter().map(|&label| label.to_owned()).collect(),
            ..shelved(id, &["Annabella", "Bob"], when)
        });
        let others = (3..5).map(|id| shelved(id, &["Annabella", "Bob"], "2026-11-20"));
        player.app.set_unfinished(waiting.chain(others).collect());
        player
    };
    for (width, height) in [(120, 30), (80, 24), (40, 12)] {
        assert_snapshot!(format!("home_turns_{width}x{height}"), player().body(width, height));
        let mut list = player();
        list.press("<right><enter>");
        assert_snapshot!(format!("turns_{width}x{height}"), list.body(width, height));
    }
    // A single match that waits is also in the list.
    let mut one = Player::new();
    let waiting = vec!["your turn".to_owned()];
    one.app.set_unfinished(vec![SavedMatch { waiting, ..shelved(0, &["Ann", "Bob"], "2 d") }]);
    assert!(one.sees("Your turn (1)"), "{}", one.screen(80, 24));
    one.app.set_unfinished(vec![shelved(0, &["Ann", "Bob"], "14:05")]);
    assert!(!one.sees("Your turn"), "{}", one.screen(80, 24));
}

#[test]
fn deleting_a_match_with_friends_names_them() {
    let asked = |guests: &[&str]| {
        let mut player = Player::new();
        let guests = guests.iter().map(|&name| name.to_owned()).collect();
        let one = SavedMatch { guests, ..shelved(0, &["Ann", "Bob", "Eve"], "14:05") };
        player.app.set_unfinished(vec![one]);
        player.press("d").draw();
        player
    };
    let one = asked(&["Bob"]);
    assert!(one.sees("Delete the match with Bob?") && one.sees("Bob's seat ends too."));
    let screen = asked(&["Bartholomew the Magnificent"]).screen(40, 12);
    assert!(screen.contains("Delete") && screen.contains("Cancel"), "{screen}");
    let two = asked(&["Bob", "Eve"]);
    assert!(two.sees("Delete this match?") && two.sees("The seats of Bob and Eve"));
}

#[test]
fn deleting_a_match_needs_confirmation() {
    let mut player = waiting(3);
    player.press("d");
    assert!(player.sees("Delete this match?") && player.sees("Annabella - Bob"));
    player.press("<enter>d<esc>");
    assert_eq!(player.tasks, []);
    player.press("d<down><enter>");
    assert_eq!(player.tasks, [DiskTask::Discard("0".to_owned()).into()]);
    let rest = [1, 2].map(|n| shelved(n, &["Ann", "Bob"], "14:05"));
    player.app.set_unfinished(rest.to_vec());
    player.press("<enter>");
    assert_eq!(player.tasks.last(), Some(&DiskTask::Resume("1".to_owned()).into()), "the next one");
    player.press("<end>d");
    assert!(!player.sees("Delete"), "only a match can be deleted here");
}

/// The menu deletes the match that it names, even if the list changes while it is open.
#[test]
fn delete_applies_to_the_match_in_the_menu() {
    let some = |ids: &[usize]| ids.iter().map(|&n| shelved(n, &["Ann", "Bob"], "14:05")).collect();
    let discarded = |id: &str| Some(DiskTask::Discard(id.to_owned()).into());
    // On the home screen, and in the list of all unfinished matches.
    for (keys, id, mv) in [("<up><down>", "0", "move 1"), ("<right><enter><down>", "1", "move 2")] {
        let asked = || {
            let mut player = waiting(30);
            player.press(keys).press("d");
            assert!(player.sees("Delete this match?") && player.sees(mv));
            player
        };
        let mut player = asked();
        player.app.set_unfinished(some(&[7, 8, 0, 1, 2, 9]));
        player.press("<down><enter>");
        assert_eq!(player.tasks.last().cloned(), discarded(id), "it stands elsewhere");
        let mut player = asked();
        player.app.set_unfinished(some(&[7, 8, 2]));
        player.press("<down><enter>");
        assert_eq!(player.tasks, [], "it went elsewhere");
    }
}

#[test]
fn the_cursor_stays_on_its_match() {
    let some = |ids: &[usize]| ids.iter().map(|&n| shelved(n, &["Ann", "Bob"], "14:05")).collect();
    for (keys, id) in [("<up><down>", "0"), ("<right><enter><down>", "1")] {
        let mut player = waiting(30);
        player.press(keys);
        player.app.set_unfinished(some(&[7, 0, 1, 2]));
        player.press("<enter>");
        assert_eq!(player.tasks.last(), Some(&DiskTask::Resume(id.to_owned()).into()));
    }
}

/// A finished match that could not be saved is kept like an unfinished one.
#[test]
fn unsaved_finished_match_is_kept() {
    let mut player = Player::at("dots-and-boxes", "size=2");
    player.press(":H0,0<enter>:H1,0<enter>:V0,0<enter>:V0,1<enter>");
    let why = "not saved: no space left on device (.../matches/x.journal)";
    player.app.open_match_mut().unwrap().owner_mut().saved.not_in_journal = Some(why.to_owned());
    player.press("q");
    assert!(player.sees(&format!("! {why}")));
    player.press("q");
    assert!(player.sees("View Dots and Boxes, Ann 0 - 1 Bob") && player.sees("not saved"));
    assert_snapshot!("home_not_saved_80x24", player.body(80, 24));
    assert_snapshot!("home_not_saved_40x12", player.body(40, 12));
    player.press("q");
    assert_snapshot!("quit_not_saved_80x24", player.body(80, 24));
    assert!(!player.tasks.contains(&TerminalTask::Quit.into()));
    player.press("<enter>");
    player.tasks.clear();
    player.press("<enter>");
    assert_eq!(player.tasks, [DiskTask::Save.into()], "there may be a place for it by now");
    assert_eq!(player.moves(), "H0,0 H1,0 V0,0 V0,1");
    player.press("qq<down><enter>");
    assert_eq!(player.tasks.last(), Some(&TerminalTask::Quit.into()));

    // Once saved, it is no longer kept in memory.
    let open_match = player.app.unsaved_mut().next().unwrap();
    open_match.saved.journal = Some("x".to_owned());
    open_match.saved.not_in_journal = None;
    player.app.set_unfinished(Vec::new());
    assert!(!player.sees("Look at") && player.app.unsaved_mut().next().is_none());
}

#[test]
fn long_status_takes_two_rows_or_refers_to_help() {
    let mut player = Player::at("dots-and-boxes", "");
    let why =
        "not saved: no space left on device (.../matches/2026-11-21-dots-and-boxes-Ann.journal)";
    player.app.open_match_mut().unwrap().owner_mut().saved.not_in_journal = Some(why.to_owned());
    let screen = player.screen(80, 24);
    let said = "  ! not saved: no space left on device\n  \
        (.../matches/2026-11-21-dots-and-boxes-Ann.journal)\n";
    assert!(screen.contains(said), "{screen}");
    assert!(player.screen(40, 12).contains("  ! not saved; see help\n"));
    let saved = &mut player.app.open_match_mut().unwrap().owner_mut().saved;
    (saved.not_in_journal, saved.record) = (None, Some(Err(why.to_owned())));
    assert!(player.screen(40, 12).contains("  ! record not written; see help\n"));
    player.press("?");
    assert!(player.sees("2026-11-21-dots-and-boxes-Ann.journal"));
}

/// The help shows the key's current effect.
#[test]
fn footer_names_the_current_effect_of_escape() {
    let mut player = Player::at("quixo", "");
    assert!(player.sees("Enter take  Esc pause  Tab next"));
    player.press("<enter>");
    assert!(player.sees("Esc put back") && !player.sees("Esc pause"));
    player.press("<esc>");
    assert!(player.sees("Esc pause") && !player.sees("put back"));
}

#[test]
fn rules_fit_on_a_narrow_screen() {
    let mut player = Player::new();
    player.screen(40, 12);
    player.press("<end><up><enter><enter>");
    assert_snapshot!("rules_40x12", player.body(40, 12));
    player.press("<esc><enter><down><down><down><down><enter>");
    assert!(player.screen(40, 12).starts_with("  Making Intersections "));
    assert!(player.screen(80, 24).starts_with("  Making Intersections: the rules"));
}

#[test]
fn home_and_end_jump_to_the_ends_of_a_form() {
    let mut player = Player::new();
    player.press("<enter><end><up><home><right>");
    assert!(player.sees("\u{25ba} Opponent") && player.sees("[Friend here]"));
    player.press("<end><enter>");
    assert_eq!(player.app.open_match().unwrap().players().names(), ["Player 1", "Player 2"]);
}

#[test]
fn enter_on_an_engine_seat_moves_to_start() {
    let mut player = Player::new();
    player.press("<enter><left><down><down>");
    assert!(player.sees("Beginner") && !player.sees("Enter edit"), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(player.sees("Enter start"));
    player.press("<home><down><down><left><enter>Eve<enter><end><enter>");
    assert_eq!(player.app.open_match().unwrap().players().names(), ["Player 1", "Eve"]);
}

#[test]
fn setup_form_repeats_the_last_setup() {
    let mut player = Player::new();
    player.press("<enter><down><right><right><down><down>6<end><up><enter><enter>Eve<enter>");
    player.press("<end><enter>qq");
    let Some(Task::Disk(DiskTask::Remember(setup))) = player.tasks.first().cloned() else {
        panic!("a task")
    };
    assert_eq!(setup.given_setup.to_string(), "rows=7 cols=7");
    assert_eq!(setup.names, ["Eve", "engine:skilled"]);

    for mut player in [player, Player::new()] {
        player.app.remember(vec![(*setup).clone()]);
        player.press("<home><enter>");
        assert!(player.sees("7 x 7") && player.sees("Skilled"));
        player.press("<enter>");
        assert_eq!(player.app.open_match().unwrap().players().names(), setup.names);
    }

    // An invalid last setup is not offered.
    let mut player = Player::new();
    let given_setup = "rows=99".parse().unwrap();
    player.app.remember(vec![LastSetup { given_setup, ..*setup }]);
    player.press("<enter><enter>");
    assert_eq!(
        player.app.open_match().unwrap().current_match().setup().to_string(),
        "rows=5 cols=5"
    );
}

/// The number of a layout can be typed digit by digit, and the layout does not change meanwhile.
#[test]
fn layout_count_is_typed_digit_by_digit() {
    let form = || {
        let mut player = Player::new();
        player.press("<right><enter><down><down><down><down>");
        player
    };
    let row = |player: &Player, name: &str| {
        let screen = player.screen(80, 24);
        let name = format!(" {name} ");
        let is_named = |row: &&str| {
            row.starts_with("  ")
                && row.chars().skip(3).take(14).collect::<String>().contains(&*name)
        };
        let row = screen.lines().skip(1).find(is_named).unwrap();
        row.chars().skip(18).take(24).filter(char::is_ascii).collect::<String>()
    };
    let shown = |player: &Player, layout: &str, number: &str| {
        let words = ["Layout", "Dots"].map(|name| row(player, name));
        let words =
            words.each_ref().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "));
        assert_eq!(words, [layout.replace('-', " "), number.to_owned()]);
    };
    let layouts = [
        "spread",
        "random",
        "clustered",
        "grid",
        "circle",
        "double-circle",
        "spiral",
        "onion",
        "zigzag",
    ];
    for (turns, layout) in layouts.iter().enumerate() {
        let mut player = form();
        player.press(&"<right>".repeat(turns)).press("<up>1");
        shown(&player, layout, "1 !");
        let wrong = "! Dots: must be a whole number from 3 to";
        assert!(player.sees(wrong), "{}", player.screen(80, 24));
        player.press("2");
        shown(&player, layout, "12");
        assert!(!player.sees("! Dots"));
        player.press("<end><enter>");
        let setup = player.app.open_match().unwrap().current_match().setup().to_string();
        assert_eq!(setup.split(';').count(), 12, "{setup}");
    }
    let mut player = form();
    player.press("<right><right><up>200");
    shown(&player, "clustered", "200");
    player.press("0");
    shown(&player, "clustered", "2000 !");
    player.press("<end><enter>");
    assert!(player.app.open_match().is_none(), "what cannot be is not started");
    player.press("<up><enter>").click("Seed").press("5");
    shown(&player, "clustered", "2000 !");
    assert!(row(&player, "Seed").trim_start().starts_with('5'), "{}", row(&player, "Seed"));
    player.press("<home><down><down><down>2<right>");
    shown(&player, "clustered", "4");
    player.press("<left><left><left>");
    shown(&player, "clustered", "3");
    player.press("<backspace>");
    shown(&player, "clustered", "10");
    // After a click on a row, the next digit starts a new number there.
    player.press("14").click("Seed").press("7");
    shown(&player, "clustered", "14");
    assert!(row(&player, "Seed").trim_start().starts_with('7'), "{}", row(&player, "Seed"));
}

#[test]
fn form_help_lists_all_rows() {
    let mut player = Player::new();
    player.press("<right><enter>?");
    let help = player.screen(80, 60);
    for row in [
        "- Computer:",
        "- Custom:",
        "- Move time:",
        "- Layout:",
        "- Seed:",
        "- Own dots:",
        "- Clock:",
    ] {
        assert!(help.contains(row), "{row} is not in\n{help}");
    }
    assert!(help.contains("Home/End, g G"), "{help}");
}

#[test]
fn pause_menu_offers_only_available_actions() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press("<esc>");
    assert!(!player.sees("Undo") && !player.sees("Save and leave"));
    player.press("<down><down><enter><wait>y");
    assert!(player.sees("Draw 0-0, by agreement") && !player.sees("Review"));
    player.press("<esc>u<enter><esc>");
    assert!(player.sees("Undo") && player.sees("Save and leave"));
}

#[test]
fn draw_marks_no_player_to_move() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press("<enter><esc><down><down><down><enter><wait>y<esc>");
    let screen = player.screen(80, 24);
    assert!(screen.contains("Ann") && !screen.contains('\u{25ba}'), "{screen}");
    assert!(!player.screen(40, 12).contains('\u{25ba}'));
}

#[test]
fn a_long_name_ends_in_a_mark() {
    let mut player = Player::against("dots-and-boxes", "size=2", ["Annabella the Great", "Bob"]);
    assert!(player.sees("A  Annabella the Great"));
    assert!(player.screen(40, 12).contains("Annabell\u{25b8} A"));
    player.press(":H0,0<enter>:H1,0<enter>:V0,0<enter>:V0,1<enter>");
    let small = player.screen(40, 12);
    assert!(small.contains("A Annabella the G\u{25b8}    0"), "the score is still there: {small}");
}

/// The message is in English, with an example of a legal move if the text is none.
#[test]
fn invalid_move_text_error_is_in_english() {
    let texts = [
        ("quixo", "C3-A3", "a turn is two places on the rim"),
        ("quixo", "x", "try A1-A5: a turn is two places on the rim"),
        ("dots-and-boxes", "H0", "try H0,0: a line is H or V with its row and column"),
        ("dots-and-boxes", "H0,9", "this board has no such line"),
        ("join-the-dots", "x", "try 1-10: a move is the numbers of two dots"),
        ("tic-tac-toe", "d4", "try a1: a move is a cell from a1 to c3"),
        ("intersections", "a", "try 0,0-0,1: a segment is row,column of two dots"),
    ];
    complete(texts.map(|(game, ..)| game));
    for (game, typed, told) in texts {
        let mut player = Player::at(game, "");
        player.press(&format!(":{typed}<enter>"));
        let screen = player.screen(100, 24);
        assert!(screen.contains(told), "{game}: {screen}");
        assert!(!screen.contains("ongeldig") && !screen.contains("invalid position"));
    }
    let mut player = Player::new();
    player.press("<right><right><enter><end><up><enter><down><down><enter>XX<enter>");
    assert!(player.sees("XX   !") && player.sees("! Position: must be 25 characters of"));
}

/// Names, tags, paths and other external text cannot act on the terminal.
#[test]
fn foreign_text_cannot_control_the_terminal() {
    let odd =
        |n: u32| format!("A{n}\u{2028}b\u{202e}c\u{e0041}d\u{200b}e{}", "\u{301}".repeat(500));
    let names = [odd(1), "\u{200b}\u{2060}".to_owned()];
    let check = |player: &Player| {
        for (width, height) in [(200, 60), (80, 24), (59, 12), (40, 12), (30, 10)] {
            let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
            player.app.draw(buffer.area, &mut buffer);
            for cell in &buffer.content {
                let bad = |c: char| {
                    c.is_control()
                        || ('\u{2000}'..'\u{2010}').contains(&c)
                        || ('\u{2028}'..'\u{2070}').contains(&c) && !"\u{2039}\u{203a}".contains(c)
                        || c >= '\u{e0000}'
                };
                let symbol = cell.symbol();
                assert!(!symbol.contains(bad) && symbol.chars().count() <= 5, "{symbol:?}");
            }
        }
    };
    let mut player =
        Player::against("dots-and-boxes", "size=2", names.each_ref().map(|name| &**name));
    check(&player);
    assert!(player.sees("A1\\u{2028}b"), "it is seen that there is something");
    assert!(player.sees("\\u{200b}\\u"), "no seat looks empty");
    let open_match = player.app.open_match_mut().unwrap().owner_mut();
    open_match.saved.record = Some(Err(odd(2)));
    open_match.saved.not_in_journal = Some(odd(3));
    check(&player);
    player.press("?");
    check(&player);
    player.press("<esc>:H0,0<enter>:H1,0<enter>:V0,0<enter>:V0,1<enter>");
    check(&player);
    player.press("<esc>");
    check(&player);
    player.press("<enter><down><down><enter>");
    check(&player);
    player.press("qq");
    check(&player);
    player.press("q");
    check(&player);

    let mut player = Player::new();
    player.app.set_unfinished((0..5).map(|n| shelved(n, &[&odd(1), &odd(2)], &odd(4))).collect());
    player.app.show_message(&odd(5));
    check(&player);
    player.press("<home><down><down><down><enter>d");
    check(&player);
    player.press("<esc><esc><down><enter><up><enter>");
    player.app.update(&Event::Paste(odd(6)));
    check(&player);
    player.press("<enter>");
    check(&player);

    let mut player = Player::new();
    player.press("<end><left><left><left><enter>");
    let kept = |n: u32| RecordSummary {
        id: odd(n),
        game: odd(n),
        names: names.to_vec(),
        result: odd(n),
        termination: Some(Termination::Forfeit(Seat::FIRST, Forfeit::Other(odd(n)))),
        date: odd(n),
        plies: 3,
    };
    player.app.records(&[kept(1), kept(2)], &[odd(3)]);
    for keys in ["", "n", "<esc>d", "<esc>/A1", "<enter>"] {
        player.press(keys);
        check(&player);
    }
    player.app.show_message(&odd(5));
    check(&player);
    player.app.counted(&CountedRecords { records: vec![kept(1)], ..CountedRecords::default() });
    check(&player);
}

#[test]
fn setup_form_refuses_an_invisible_name() {
    let mut player = Player::new();
    player.press("<enter><right><down><enter>");
    player.app.update(&Event::Paste("\u{200b}\u{2060}".to_owned()));
    player.press("<enter><end><enter>");
    assert!(player.app.open_match().is_none());
    let screen = player.screen(80, 24);
    assert!(screen.contains("! Player 1: \"\\u{200b}\\u{2060}\" is not a"), "{screen}");
}

/// For every way in which a match can end.
#[test]
fn review_shows_how_the_match_ended() {
    let mut player = Player::against("dots-and-boxes", "size=3", ["Ann", "Bob"]);
    player.press("<enter><right><enter><esc>");
    for _ in 0..4 {
        player.press("<down>");
    }
    player.press("<enter><down><enter>");
    assert!(player.sees("Bob wins, Ann resigned") && player.sees("Review the match"));
    player.press("<wait><down><down><down><enter>");
    assert!(player.sees("move 2 of 2") && player.sees("Bob wins, Ann resigned"));
    player.press("<left>");
    assert!(!player.sees("resigned"));
    player.press("<right>");
    assert!(player.sees("Bob wins, Ann resigned"));
}

/// The menu of a finished match offers a picture of the board beneath.
#[test]
fn result_menu_saves_a_picture() {
    let mut player = Player::at("tic-tac-toe", "");
    player.press(":b2<enter>:a1<enter>:c1<enter>:a2<enter>:a3<enter>");
    // Without pixels there is no entry for a GIF between the picture and the end.
    player.press(if HAS_PIXELS {
        "<wait><end><up><up><up><enter>"
    } else {
        "<wait><end><up><up><enter>"
    });
    assert!(matches!(player.tasks.last(), Some(Task::Disk(DiskTask::Picture("tic-tac-toe", _)))));
    assert!(
        player.sees("Enter menu"),
        "the menu has closed, so that one sees where the picture is"
    );
}

/// `3` Enter `7` Enter is one move, even if the numbers play by themselves.
#[test]
fn enter_after_a_number_is_not_the_opponents() {
    let at = |keys: &str| {
        let mut player = Player::at("join-the-dots", "layout=circle:9");
        player.press(keys);
        player
    };
    let picks = |player: &Player| player.sees("7: now choose the dot to join");
    let mut player = at("3<enter>7<enter>");
    assert!(player.moves() == "3-7" && !picks(&player), "{}", player.screen(80, 24));
    assert!(picks(player.press("<enter>")), "only the very next Enter");
    let mut player = at("37");
    player.turn_clock(Duration::from_millis(1001));
    assert!(picks(player.press("<enter>")), "only within a second");
    for between in ["ur", "<left><right>", "?<esc>", "x"] {
        let mut player = at(&format!("37{between}"));
        let before = player.screen(80, 24);
        player.press("<enter>");
        assert_ne!(player.screen(80, 24), before, "{between} is another key");
    }
    let mut player = at("37");
    player.click_at((78, 10));
    assert!(picks(player.press("<enter>")), "after a click");
}

#[test]
fn enter_after_the_last_number_keeps_the_result_open() {
    let mut player = Player::at("join-the-dots", "layout=circle:3");
    player.press("12<enter>23<enter>1<enter>3<enter>");
    assert!(player.sees("Rematch"), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(player.sees("Rematch, swap sides"), "{}", player.screen(80, 24));
    assert_eq!(player.moves().split(' ').count(), 3, "{}", player.moves());
}

#[test]
fn enter_confirms_a_move_of_numbers_once() {
    let mut player = Player::at("join-the-dots", "layout=circle:9");
    let settings = Settings { confirm: true, motion: MotionChoice::Never, ..Settings::default() };
    player.app = player.app.with_settings(settings, String::new());
    player.press("3<enter>7");
    assert!(player.sees("Play 3-7?") && player.moves().is_empty());
    assert_eq!(player.press("<enter>").moves(), "3-7");
    assert!(player.press("<enter>").sees("7: now choose the dot to join"));
}
