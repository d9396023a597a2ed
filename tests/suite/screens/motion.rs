//! Animations and their duration: they end in the same picture as without animation, a key ends them, and the app does
//! not wake afterwards.

use crate::common::chance::Chance;
use crate::common::picture_in_full_glyphs;
use crate::common::player::Player;
use crate::common::samples::{open, samples};
#[cfg(unix)]
use crate::common::terminal::Terminal;
use crate::common::untimed::Untimed;
use crossterm::event::{Event, MouseButton, MouseEventKind};
use insta::assert_snapshot;
use quadrille::app::{OpenMatch, Task, TerminalTask};
use quadrille::board::{Details, Direction, Press, Skin};
use quadrille::picture::HAS_PIXELS;
use quadrille::settings::{MotionChoice, Seconds, Settings};
use quadrille_match::session::Conditions;
use quadrille_rules::Setup;
use quadrille_scene::cells::BoardOnScreen;
use quadrille_scene::{Lettering, Theme};
use quadrille_table::catalogue;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::rc::Rc;
use std::time::Duration;
#[cfg(unix)]
use std::{fs, thread};

/// The longest animation, and the longest at the end of a match.
const MAX_DURATIONS: [Duration; 2] = [Duration::from_millis(400), Duration::from_millis(800)];

/// Space for a whole board, for a part of it, and for hardly anything.
const SIZES: [(u16, u16); 4] = [(100, 50), (40, 16), (7, 4), (1, 1)];

fn skins() -> [Skin; 3] {
    let full = Skin::default().with_full_glyphs();
    [full.with_theme(Theme::night()), full.with_theme(Theme::mono()), Skin::default().in_ascii()]
}

/// A match whose board a renderer shows.
struct Shown {
    table: OpenMatch,
    on_screen: BoardOnScreen,
}

impl Shown {
    fn new(table: OpenMatch) -> Shown {
        let mut shown = Shown { table, on_screen: BoardOnScreen::default() };
        assert_eq!(shown.start_animation(), None, "nothing moves at first");
        shown
    }

    fn start_animation(&mut self) -> Option<Duration> {
        let scene = self.table.board.scene(Details::default());
        self.on_screen.show((0, 0), &Rc::new(scene)).map(|(_, length)| length)
    }

    fn pictures(&self) -> Vec<Buffer> {
        let scene = Rc::new(self.table.board.scene(Details::default()));
        let drawn = |(width, height), skin| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
            self.on_screen.draw(&scene, Lettering::All, buffer.area, &mut buffer, skin);
            buffer
        };
        SIZES.into_iter().flat_map(|size| skins().map(|skin| drawn(size, skin))).collect()
    }
}

/// Returns whether anything is animated since the board was last shown, checking every frame. If the board `fits` on
/// the screen, the frames must differ.
fn watch(shown: &mut Shown, fits: bool, what: &str) -> bool {
    let Some(length) = shown.start_animation() else {
        assert!(!shown.on_screen.animator.is_animating(), "{what}");
        return false;
    };
    let is_end =
        shown.table.current_match().outcome().is_some() || shown.table.board.shows_interlude();
    assert!(length <= MAX_DURATIONS[usize::from(is_end)], "{what}: {length:?}");
    let on_the_way: Vec<Vec<Buffer>> = (0..10_u8)
        .map(|step| {
            shown.on_screen.animator.set_progress(f32::from(step) / 10.0);
            assert!(shown.on_screen.animator.is_animating());
            shown.pictures()
        })
        .collect();
    shown.on_screen.animator.set_progress(1.0);
    assert!(!shown.on_screen.animator.is_animating(), "{what}");
    let end = shown.pictures();
    // Without animation the picture is the same.
    shown.on_screen.animator.hide();
    assert_eq!(shown.pictures(), end, "{what}");
    assert_eq!(shown.start_animation(), None);
    for at in (0..skins().len()).filter(|_| fits) {
        assert!(on_the_way.iter().any(|pictures| pictures[at] != end[at]), "{what}");
    }
    true
}

/// In random matches of every game, each move is animated, including undo and redo. The last picture equals the one
/// without animation.
#[test]
fn every_move_is_animated_to_its_still_picture() {
    for (entry, sample) in samples() {
        for (setup, seed) in sample.usual().zip(1..) {
            let mut shown = Shown::new(open(entry, setup));
            let mut chance = Chance(seed);
            for ply in 1..=25 {
                let what = format!("{} {setup}, move {ply}", entry.id);
                let legal = shown.table.current_match().legal_moves();
                let Some(mv) = chance.pick(&legal) else { break };
                shown.table.play(mv).unwrap();
                assert!(watch(&mut shown, true, &what), "{what} is not seen");
                if ply % 4 == 0 {
                    assert!(
                        shown.table.undo()
                            && watch(&mut shown, true, &format!("{what} taken back"))
                    );
                    assert!(
                        shown.table.redo() && watch(&mut shown, true, &format!("{what} again"))
                    );
                }
            }
            let plies = shown.table.current_match().ply();
            for ply in [0, plies / 2, plies, plies.min(1), plies] {
                let before = shown.table.current_match().ply();
                shown.table.go_to_ply(ply);
                let moved = watch(&mut shown, true, &format!("{} {setup}, to {ply}", entry.id));
                // Two rounds can have the same segments.
                assert!(moved || (before == 0) == (ply == 0), "{} {setup} to {ply}", entry.id);
            }
        }
    }
}

#[test]
fn large_boards_are_animated() {
    for (entry, sample) in samples() {
        let mut shown = Shown::new(open(entry, sample.largest()));
        let mut chance = Chance(5);
        for _ in 0..3 {
            let legal = shown.table.current_match().legal_moves();
            shown.table.play(chance.pick(&legal).unwrap()).unwrap();
            assert!(watch(&mut shown, false, entry.id));
        }
    }
}

/// Cursor and pick are not animated; the preview of a push is.
#[test]
fn cursor_starts_no_animation() {
    let arrows = Direction::ALL.map(Press::Arrow);
    for (entry, sample) in samples() {
        for setup in sample.usual() {
            let mut shown = Shown::new(open(entry, setup));
            let walk = |shown: &mut Shown, presses: &[Press]| {
                for press in presses {
                    shown.table.board.press(*press);
                    let status = shown.table.board.status(true).unwrap_or_default();
                    if entry.id == "quixo" && press != &Press::Choose && status.contains('-') {
                        // Pulls a die out, and shows the push.
                        shown.table.board.press(Press::Back);
                        shown.start_animation();
                        continue;
                    }
                    assert_eq!(shown.start_animation(), None, "{} {setup} {press:?}", entry.id);
                }
            };
            walk(&mut shown, &arrows);
            walk(&mut shown, &[Press::Next, Press::Next, Press::Previous]);
            if entry.id != "dots-and-boxes" && entry.id != "tic-tac-toe" {
                walk(&mut shown, &[Press::Choose]);
            }
            if entry.id == "intersections" || entry.id == "join-the-dots" {
                walk(&mut shown, &arrows);
                walk(&mut shown, &[Press::Next, Press::Next]);
            }
            walk(&mut shown, &[Press::Back]);
        }
    }
    let mut shown = Shown::new(crate::common::match_board("quixo", "", ""));
    shown.table.board.press(Press::Choose);
    assert_eq!(shown.start_animation(), None);
    shown.table.board.press(Press::Arrow(Direction::Right));
    assert!(watch(&mut shown, true, "the row as it would be"));
    shown.table.board.press(Press::Choose);
    shown.table.play("A1-E1").unwrap();
    assert!(!watch(&mut shown, true, "the row has come there already"));
    shown.table.undo();
    assert!(watch(&mut shown, true, "and goes back"));
}

fn at(game: &str, setup: &str) -> Player {
    with(Player::at(game, setup), Settings::default())
}

fn with(mut player: Player, settings: Settings) -> Player {
    let settings = Settings { pace: Seconds(Duration::ZERO), ..settings };
    player.app = player.app.with_settings(settings, String::new());
    player.draw();
    player.app.deadline(player.time);
    player
}

/// Waits until the animation ends. Returns its duration and number of frames.
fn pass(player: &mut Player) -> (Duration, usize) {
    let (began, mut pictures) = (player.time, 0);
    while player.wait() {
        pictures += 1;
        assert!(pictures < 100, "it never ends");
    }
    (player.time.checked_sub(began).unwrap(), pictures)
}

fn still(player: &mut Player, (width, height): (u16, u16)) -> String {
    player.app.deadline(player.time);
    assert_eq!(player.waits(), None);
    player.screen(width, height)
}

#[test]
fn animation_is_short_and_then_stays_idle() {
    let mut player = at("dots-and-boxes", "size=3");
    assert_eq!(player.waits(), None);
    for (mv, longest) in [("H0,0", 180), ("H1,0", 180), ("V0,0", 180), ("V0,1", 250)] {
        player.press(&format!(":{mv}<enter>"));
        let at_first = player.screen(80, 24);
        let (took, pictures) = pass(&mut player);
        assert!(took <= Duration::from_millis(longest), "{mv} {took:?}");
        assert!((5..=11).contains(&pictures), "{mv}: {pictures} pictures");
        assert_ne!(at_first, player.screen(80, 24));
        assert_eq!(player.waits(), None);
    }
    player.press("<down><left>");
    assert_eq!(player.waits(), None, "the cursor alone");
}

#[test]
fn key_ends_the_animation_and_keeps_its_effect() {
    for keys in ["<down>", "u", "q", "?", "x", "<enter>", ":V0,1<enter>"] {
        let mut player = at("dots-and-boxes", "size=3");
        let mut without = Player::at("dots-and-boxes", "size=3");
        for player in [&mut player, &mut without] {
            player.press(":H0,0<enter>");
            player.press(keys);
        }
        pass(&mut player);
        assert_eq!(player.screen(80, 24), without.screen(80, 24), "{keys}");
    }
    let mut player = at("dots-and-boxes", "size=3");
    player.press(":H0,0<enter>");
    assert!(player.waits().is_some());
    player.press("x");
    assert_eq!(player.waits(), None, "a key that means nothing ends it too");
}

#[test]
fn several_keys_at_once_animate_only_the_last_move() {
    let mut player = at("dots-and-boxes", "size=4");
    player.press(":H0,0<enter>:H0,1<enter>:H0,2<enter>");
    let (took, _) = pass(&mut player);
    assert!(took <= MAX_DURATIONS[0]);
    player.press("uuu");
    assert!(pass(&mut player).0 <= MAX_DURATIONS[0]);
}

/// After a delay, as on a busy machine, there is one more frame, not many.
#[test]
fn late_frames_are_skipped() {
    let mut player = at("tic-tac-toe", "");
    player.press("<enter>");
    player.app.deadline(player.time);
    player.time += Duration::from_secs(3);
    assert!(player.app.tick(player.time).is_some());
    assert_eq!(player.waits(), None);
}

#[test]
fn resize_during_an_animation_keeps_the_final_picture() {
    for (entry, sample) in samples() {
        let mut player = at(entry.id, sample.small);
        let mut without = Player::at(entry.id, sample.small);
        let mv = player.app.open_match().unwrap().current_match().legal_moves()[0].clone();
        for player in [&mut player, &mut without] {
            player.press(&format!(":{mv}<enter>"));
        }
        for size in [(80, 24), (200, 60), (40, 12), (3, 2), (80, 24)] {
            player.wait();
            player.screen(size.0, size.1);
            player.app.update(&Event::Resize(size.0, size.1));
        }
        pass(&mut player);
        for size in [(80, 24), (200, 60), (40, 12), (30, 10)] {
            let end = still(&mut player, size);
            assert_eq!(end, without.screen(size.0, size.1), "{} at {size:?}", entry.id);
        }
    }
}

#[test]
fn animation_is_off_by_setting_or_on_a_slow_terminal() {
    let mut player = with(
        Player::at("tic-tac-toe", ""),
        Settings { motion: MotionChoice::Never, ..Settings::default() },
    );
    player.press("<enter>");
    assert_eq!(player.waits(), None);

    let mut player = at("tic-tac-toe", "");
    player.app.drawn(player.time, Duration::from_secs(1));
    player.press("<enter>");
    player.app.drawn(player.time, Duration::from_millis(2));
    assert!(player.waits().is_some(), "the first screen may take its time, and this was fast");
    player.app.drawn(player.time, Duration::from_millis(60));
    assert_eq!(player.waits(), Some(Duration::ZERO), "the last picture comes at once");
    let mut without = Player::at("tic-tac-toe", "");
    without.press("<enter>");
    assert_eq!(pass(&mut player).1, 1);
    assert_eq!(player.screen(80, 24), without.screen(80, 24));
    player.press("<left><enter>");
    assert_eq!(player.waits(), None);
}

/// An engine's immediate move waits until the animation of the previous move has ended.
#[test]
fn engine_move_waits_for_the_animation() {
    let player = Player::against("tic-tac-toe", "", ["Ann", "engine:casual,seed=1"]);
    let mut player = with(player, Settings::default());
    player.press("<enter>");
    assert!(player.think());
    assert_eq!(player.moves(), "b2");
    let mut took = Duration::ZERO;
    while player.moves() == "b2" {
        took += player.waits().unwrap();
        player.wait();
    }
    assert!(took <= Duration::from_millis(180), "{took:?}");
    assert!(player.waits().is_some(), "its own move is seen as well");
    pass(&mut player);
    assert_eq!(player.moves().split_whitespace().count(), 2);

    // A key during the animation does not lose the move.
    player.press("u:a1<enter>");
    let legal = player.app.open_match().unwrap().current_match().legal_moves();
    assert_eq!(legal.len(), 8);
    assert!(player.think());
    player.press("?");
    player.press("q");
    assert_eq!(player.moves().split_whitespace().count(), 2);
}

/// Keys meant for the position before an engine's move do not act on the position after it.
#[test]
fn first_choose_key_only_ends_an_opponents_animation() {
    let moves = |player: &Player| player.moves().split_whitespace().count();
    // The engine has answered, and Ann's own move is still animated.
    let asked = || {
        let player = Player::against("tic-tac-toe", "", ["Ann", "engine:casual,seed=1"]);
        let mut player = with(player, Settings::default());
        player.press("<enter>");
        assert!(player.think());
        player
    };
    let answered = || {
        let mut player = asked();
        while moves(&player) == 1 {
            player.wait();
        }
        assert!(player.waits().is_some(), "the engine's move is seen");
        player
    };
    let mut at_rest = answered();
    pass(&mut at_rest);
    for keys in ["<enter>", " "] {
        let mut player = answered();
        player.press(keys);
        assert_eq!(player.waits(), None);
        assert_eq!(player.screen(80, 24), at_rest.screen(80, 24), "{keys}");
        player.press(keys);
        assert_ne!(player.screen(80, 24), at_rest.screen(80, 24), "the next one acts");
        let mut player = answered();
        player.turn_clock(Duration::from_millis(150));
        assert!(player.waits().is_some());
        player.press(keys);
        assert_ne!(player.screen(80, 24), at_rest.screen(80, 24), "and so does a later one");
        // A key that ends the animation of the player's own move lets the engine move.
        let mut player = asked();
        player.press(keys);
        assert!(moves(&player) == 2 && player.waits().is_some());
        pass(&mut player);
        assert_eq!(player.screen(80, 24), at_rest.screen(80, 24), "{keys}");
    }
    let mut places = (0..24).flat_map(|y| (0..48).map(move |x| (x, y)));
    let free = places.find(|place| {
        at_rest.click_at(*place);
        moves(&at_rest) == 3
    });
    let mut player = answered();
    player.click_at(free.unwrap());
    assert_eq!(moves(&player), 2);
    player.click_at(free.unwrap());
    assert_eq!(moves(&player), 3);
}

/// Pulling a die out is animated too, after a move of the opponent. The recording of the README does it in a resumed
/// match.
#[test]
fn die_just_pulled_out_can_be_pushed_at_once() {
    let player = Player::against("quixo", "", ["engine:beginner,seed=1", "Ann"]);
    let mut player = with(player, Settings::default());
    while player.moves().is_empty() {
        assert!(player.think() || player.wait());
    }
    pass(&mut player);
    // The cursor is on A1.
    player.press("<left>");
    assert!(player.waits().is_some());
    player.press("<enter>");
    assert_eq!(player.moves().split_whitespace().count(), 2);
}

/// The first animation of a resumed match is no move of the opponent either.
#[test]
fn die_can_be_pushed_at_once_in_a_resumed_match() {
    let players: Vec<_> =
        ["engine:beginner", "Ann"].iter().map(|player| player.parse().unwrap()).collect();
    let quixo = catalogue::find("quixo").unwrap();
    let mut open_match = OpenMatch::opened(quixo, &Setup::new(), players.into()).unwrap();
    open_match.play("A2-E2").unwrap();
    let player = Player::new();
    let player = Player { app: player.app.with_match(open_match), ..player };
    let mut player = with(player, Settings::default());
    pass(&mut player);
    player.press("<left>");
    assert!(player.waits().is_some());
    player.press("<enter>");
    assert_eq!(player.moves().split_whitespace().count(), 2);
}

/// The longest animation at the end of a match that was won.
const WIN: Duration = MAX_DURATIONS[1];

/// A won match of Dots and Boxes, and one that ends in a draw.
const WON: &str = "H0,0 H1,0 V0,0 V0,1 H0,1 H1,1 V0,2 H2,0 V1,0 V1,1 H2,1 V1,2";
const DRAWN: &str = "b2 a1 a2 c2 b1 b3 c1 a3 c3";

/// Plays all of these moves but waits only for the animations of those before the last.
fn play_to_the_end(player: &mut Player, moves: &str) {
    let (others, last) = moves.rsplit_once(' ').unwrap();
    for mv in others.split(' ') {
        player.press(&format!(":{mv}<enter>"));
        pass(player);
    }
    player.press(&format!(":{last}<enter>"));
}

/// Returns a match of Dots and Boxes that Bob has just won by three boxes to one.
fn just_won() -> Player {
    let mut player = at("dots-and-boxes", "size=3");
    play_to_the_end(&mut player, WON);
    player
}

fn shows_result(player: &Player) -> bool {
    player.sees("View the board")
}

#[test]
fn winner_is_shown_before_the_result() {
    let mut player = just_won();
    let began = player.time;
    let mut frames = Vec::new();
    while !shows_result(&player) {
        frames.push(player.screen(80, 24));
        assert!(player.wait(), "the result never comes");
    }
    let took = player.time.checked_sub(began).unwrap();
    assert!(Duration::from_millis(400) < took && took <= WIN, "{took:?}");
    assert_snapshot!("win_in_the_middle", frames[frames.len() / 2]);
    assert!(frames.len() > 15, "{} frames", frames.len());
    let mut without = Player::at("dots-and-boxes", "size=3");
    play_to_the_end(&mut without, WON);
    assert!(shows_result(&without), "without motion, the result is shown at once");
    for (width, height) in [(80, 24), (120, 40), (40, 12), (200, 60), (60, 20)] {
        let end = player.screen(width, height);
        assert_eq!(end, without.screen(width, height));
    }
    player.turn_clock(Duration::from_secs(2));
    assert_eq!(player.waits(), None);
}

#[test]
fn keys_clicks_and_pastes_only_end_the_win() {
    let waited = || {
        let mut player = just_won();
        player.turn_clock(WIN);
        assert!(shows_result(&player));
        player
    };
    let end = waited().screen(80, 24);
    let keys = ["<enter>", "<esc>", "q", "?", "R", "u", " ", "T", "x", "<down>", "1", ":", "<tab>"];
    for keys in keys {
        let mut player = just_won();
        player.turn_clock(Duration::from_millis(300));
        assert!(!shows_result(&player));
        let tasks = player.tasks.len();
        player.press(keys);
        assert_eq!(player.screen(80, 24), end, "{keys}");
        assert_eq!(player.tasks.len(), tasks, "{keys}: {:?}", player.tasks);
    }
    for place in [(5, 5), (50, 10), (3, 23), (50, 12)] {
        let mut player = just_won();
        player.turn_clock(Duration::from_millis(300));
        assert!(player.click_at(place));
        assert_eq!(player.screen(80, 24), end, "{place:?}");
    }
    let mut player = just_won();
    player.app.update(&Event::Paste(":a1".to_owned()));
    assert_eq!(player.screen(80, 24), end);
    // The mouse may move meanwhile, and the window may change its size.
    let mut player = just_won();
    for kind in [MouseEventKind::Moved, MouseEventKind::Up(MouseButton::Left)] {
        player.mouse(kind, (50, 12));
    }
    player.app.update(&Event::Resize(80, 24));
    assert!(!shows_result(&player));
    pass(&mut player);
    assert_eq!(player.screen(80, 24), end);
}

#[test]
fn keys_that_end_or_suspend_the_program_work_during_the_win() {
    for (keys, task) in [("<C-c>", TerminalTask::Quit), ("<C-z>", TerminalTask::Suspend)] {
        let mut player = just_won();
        player.press(keys);
        assert_eq!(player.tasks.last(), Some(&Task::Terminal(task)), "{keys}");
        assert!(shows_result(&player));
    }
}

#[test]
fn menu_after_the_win_is_guarded_from_its_first_frame() {
    for ended_by in [None, Some("<enter>"), Some("R"), Some("click")] {
        let mut player = just_won();
        player.turn_clock(Duration::from_millis(300));
        match ended_by {
            None => drop(player.turn_clock(WIN)),
            Some("click") => drop(player.click_at((50, 12))),
            Some(keys) => drop(player.press(keys).turn_clock(Duration::ZERO)),
        }
        let result = player.screen(80, 24);
        for _ in 0..12 {
            player.press("<enter>R1");
            player.click_at((50, 12));
            assert_eq!(player.screen(80, 24), result, "{ended_by:?}");
            player.turn_clock(Duration::from_millis(33));
        }
        player.turn_clock(Duration::from_secs(1));
        player.press("R");
        assert!(!shows_result(&player), "{ended_by:?}");
    }
    // Esc and q work under the guard, as everywhere.
    let mut player = just_won();
    player.press("q");
    player.draw();
    player.press("q");
    assert!(!shows_result(&player) && player.app.open_match().is_some());
}

#[test]
fn result_is_shown_at_once_after_a_draw_or_if_the_winner_owns_nothing() {
    let mut player = at("tic-tac-toe", "");
    play_to_the_end(&mut player, DRAWN);
    assert!(player.sees("Draw") && shows_result(&player));
    // Ann resigns. Bob has boxes, cells, dice or segments, or nothing yet.
    for (game, setup, moves, lights_up) in [
        ("dots-and-boxes", "size=3", "H0,0 H0,1", false),
        ("dots-and-boxes", "size=3", "H0,0 H1,0 V0,0 V0,1", true),
        ("tic-tac-toe", "", "b2", false),
        ("tic-tac-toe", "", "b2 a1", true),
        ("quixo", "", "A1-E1", false),
        ("quixo", "", "A1-E1 B1-B5", true),
        ("join-the-dots", "", "1-2", false),
        ("intersections", "", "0,0-0,1", false),
        ("intersections", "", "0,0-0,1 1,0-1,1", true),
    ] {
        let mut player = at(game, setup);
        for mv in moves.split(' ') {
            player.press(&format!(":{mv}<enter>"));
            pass(&mut player);
        }
        player.press("<esc>");
        player.click("Resign");
        assert!(player.sees("Who resigns?"));
        player.click("Ann resigns");
        assert_eq!(!shows_result(&player), lights_up, "{game} {moves}\n{}", player.screen(80, 24));
        pass(&mut player);
        assert!(shows_result(&player), "{game}");
    }
}

/// The end of a round stays on the board until a key is pressed; only then is the winner shown.
#[test]
fn winner_is_shown_after_the_last_round() {
    let mut player = at("intersections", "size=3 segments=4");
    let rounds = ["0,0-2,0 1,0-1,1 0,1-2,1 1,1-1,2", "0,0-0,1 0,1-0,2 0,1-1,1 1,1-2,1"];
    play_to_the_end(&mut player, rounds[0]);
    assert!(pass(&mut player).0 <= Duration::from_millis(600));
    player.press("<enter>");
    play_to_the_end(&mut player, rounds[1]);
    assert!(pass(&mut player).0 <= Duration::from_millis(600));
    assert!(player.sees("Round 2 is over") && !shows_result(&player));
    player.press("<enter>");
    assert!(!player.sees("Round 2 is over") && !shows_result(&player));
    let (took, frames) = pass(&mut player);
    assert!(took <= WIN && frames > 10, "{took:?}, {frames} frames");
    assert!(shows_result(&player));
}

#[test]
fn redo_shows_the_winner_again() {
    let mut player = just_won();
    player.turn_clock(WIN + Duration::from_secs(2));
    player.press("<esc>u");
    pass(&mut player);
    player.press("r");
    assert!(!shows_result(&player));
    player.press("r");
    assert!(shows_result(&player));
}

#[test]
fn far_and_slow_terminals_show_a_win_only_on_request() {
    let far = |motion| {
        let mut player = Player::at("tic-tac-toe", "");
        player.app.set_terminal_far();
        with(player, Settings { motion, ..Settings::default() })
    };
    let moves = "b2 a1 a2 b1 c2";
    for (motion, moves_at_all) in
        [(MotionChoice::Auto, false), (MotionChoice::Always, true), (MotionChoice::Never, false)]
    {
        let mut player = far(motion);
        play_to_the_end(&mut player, moves);
        assert_eq!(player.waits().is_some(), moves_at_all, "{motion:?}");
        assert_eq!(shows_result(&player), !moves_at_all, "{motion:?}");

        let mut player =
            with(Player::at("tic-tac-toe", ""), Settings { motion, ..Settings::default() });
        play_to_the_end(&mut player, moves);
        player.draw();
        player.app.deadline(player.time);
        // One frame takes too long.
        player.app.drawn(player.time, Duration::from_millis(60));
        let frames = pass(&mut player).1;
        assert_eq!(frames > 1, motion == MotionChoice::Always, "{motion:?}: {frames} frames");
        assert!(shows_result(&player));
    }
    // On a screen that is too small for a board, nothing moves.
    for (size, moves_at_all) in [((80, 24), true), ((20, 5), false)] {
        let mut player = far(MotionChoice::Always);
        player.screen(size.0, size.1);
        for mv in moves.split(' ') {
            player.app.open_match_mut().unwrap().play(mv).unwrap();
        }
        player.draw();
        assert_eq!(player.waits().unwrap() > Duration::ZERO, moves_at_all, "{size:?}");
        pass(&mut player);
        assert!(shows_result(&player), "{size:?}");
    }
}

/// Returns the end of a match of Dots and Boxes that the second of these players has won.
fn won_by(name: &str, skin: Skin) -> Player {
    let entry = catalogue::find("dots-and-boxes").unwrap();
    let names = ["Ann", name].map(str::to_owned);
    let setup = "size=3".parse().unwrap();
    let open_match = OpenMatch::opened(entry, &setup, Conditions::named(&names)).unwrap();
    let player = Player::with(skin);
    let mut player = Player { app: player.app.with_match(open_match), ..player };
    for mv in WON.split(' ') {
        player.press(&format!(":{mv}<enter>"));
    }
    player
}

/// Large letters where the sentence fits the card, and bold ones elsewhere.
#[test]
fn card_names_the_winner_in_large_letters() {
    let full = skins()[0];
    let screen = |name, skin, (width, height)| {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        won_by(name, skin).app.draw(buffer.area, &mut buffer);
        picture_in_full_glyphs(&buffer)
    };
    for (width, height) in [(80, 24), (120, 40), (40, 12)] {
        let shown = screen("Bob", full, (width, height));
        // The menu of a build without pictures lacks an entry.
        if HAS_PIXELS {
            assert_snapshot!(format!("win_{width}x{height}"), shown);
        }
    }
    if HAS_PIXELS {
        assert_snapshot!("win_in_two_lines", screen("Player 2", full, (80, 24)));
    }
    // On the card, above the status line, the name is text only if it is not large.
    let is_bold = |name, skin, size| {
        let screen = screen(name, skin, size);
        screen.lines().take(10).any(|line| line.contains(&format!("{name} wins")))
    };
    for (name, skin, size, bold) in [
        ("Bob", full, (80, 24), false),
        ("Bob", skins()[1], (80, 24), false),
        ("Bob", full, (60, 20), true),
        ("Bob", full, (200, 60), false),
        ("Bob", full, (80, 18), true),
        ("Bob", full, (40, 12), true),
        ("Bob", Skin::default(), (80, 24), true),
        ("Bob", Skin::default().in_ascii(), (80, 24), true),
        ("Alexander", full, (80, 24), true),
        ("Alexander", full, (200, 60), false),
        ("\u{c9}lise", full, (80, 24), true),
    ] {
        assert_eq!(is_bold(name, skin, size), bold, "{name} at {size:?}");
    }
}

#[test]
fn hidden_board_is_not_animated() {
    let mut player = at("tic-tac-toe", "");
    player.press("<enter>?");
    assert_eq!(player.waits(), None);
    player.press("<esc>");
    assert_eq!(player.waits(), None);
}

/// Returns the bytes written for a sliding row of dice, until the program is idle.
#[cfg(unix)]
fn bytes_of_a_slide(arguments: &[&str]) -> usize {
    let mut terminal = Terminal::run(&[&["play", "quixo"], arguments].concat());
    terminal.wait_for("q leave").keys("\r").wait_for("now pick where it goes in");
    let before = bytes_when_idle(&mut terminal);
    terminal.keys("\x1b[C").wait_for("A1-E1");
    let after = bytes_when_idle(&mut terminal);
    terminal.leave();
    after - before
}

/// Waits until the program neither writes nor wakes for a while, and returns the bytes written so far. Fails if the
/// program keeps waking.
#[cfg(unix)]
fn bytes_when_idle(terminal: &mut Terminal) -> usize {
    let spent = |terminal: &Terminal| [terminal.bytes_written(), wakes(terminal.process())];
    terminal.wait_until("idle program", |terminal| {
        let before = spent(terminal);
        thread::sleep(Duration::from_millis(600));
        spent(terminal) == before
    });
    terminal.bytes_written()
}

/// Returns the number of voluntary context switches of the main thread, if readable.
#[cfg(unix)]
fn wakes(process: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    line.map_or(0, |count| count.trim().parse().unwrap())
}

#[cfg(unix)]
#[test]
fn program_is_idle_after_an_animation_and_with_motion_off() {
    let without = bytes_of_a_slide(&["--motion", "never"]);
    // On a busy machine, all frames of an animation may be late and dropped.
    let with = (0..10).map(|_| bytes_of_a_slide(&[])).find(|with| *with > without);
    assert!(with.is_some(), "nothing is written on the way");
}
