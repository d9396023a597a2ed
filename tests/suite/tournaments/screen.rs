//! The screen of a running tournament. The test says what happens in it.

#[cfg(unix)]
use crate::common::cpu_time::cpu_time;
use crate::common::player::Player;
use crate::common::test_tournament::TestTournament;
use insta::assert_snapshot;
use quadrille::app::{DiskTask, Task, TerminalTask};
use quadrille::board::Skin;
use quadrille_arena::tournament::{Ending, LiveTournament, Results, Sprt, SprtSettings, Stage};
use quadrille_table::catalogue::{self, GAMES, GameEntry};
use std::time::Duration;

const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (200, 60)];

fn game(id: &str) -> &'static GameEntry {
    catalogue::find(id).unwrap()
}

/// Dots and Boxes, five games ended, three being played.
fn dots() -> (TestTournament, Player) {
    let tournament = TestTournament::with_games_under_way(game("dots-and-boxes"), "size=3", 3);
    let player = tournament.app(Skin::default());
    (tournament, player)
}

/// Lets enough time pass for the screen to be updated.
fn wait(player: &mut Player) {
    player.turn_clock(Duration::from_millis(500));
}

/// The number of the game whose record was asked for last.
fn take_requested_game(player: &mut Player) -> Option<u64> {
    player.tasks.drain(..).rev().find_map(|task| match task {
        Task::Disk(DiskTask::Game(game, record)) => {
            assert_eq!(record, format!("games/{game:04}.game"));
            Some(game)
        }
        _ => None,
    })
}

#[test]
fn tournament_screen_matches_snapshots_at_every_size() {
    let (mut tournament, mut player) = dots();
    player.turn_clock(Duration::from_secs(10));
    tournament.finish(7);
    wait(&mut player);
    for (width, height) in SIZES {
        assert_snapshot!(format!("running_{width}x{height}"), player.body(width, height));
    }
    let settings = SprtSettings { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
    tournament.live.tested(Sprt::new(settings).unwrap().verdict());
    wait(&mut player);
    player.press("<tab><down>");
    assert_snapshot!("test_80x24", player.body(80, 24));
    tournament.live.stops(Stage::Failed("results/games.jsonl: no space left on device".to_owned()));
    wait(&mut player);
    assert_snapshot!("failed_80x24", player.body(80, 24));
    assert_snapshot!("failed_40x12", player.body(40, 12));
}

/// Four players on two kinds of maps, some games lost by a crash or on time.
fn maps() -> (TestTournament, Player) {
    let setups = ["layout=circle:8 seed=1", "layout=random:12 seed=5"];
    let mut tournament = TestTournament::on(game("join-the-dots"), &setups, 400);
    for number in 1..=200 {
        match number % 50 {
            7 => tournament.lose_unseen(number, Ending::Crash, 0),
            9 => tournament.lose_unseen(number, Ending::Time, 1),
            _ => {
                let halves = (number * number / 3) % 3;
                tournament.end_unseen(number, [halves, 2 - halves]);
            }
        }
    }
    for number in 201..=204 {
        tournament.begin(number);
        tournament.play(number, 4);
    }
    let player = tournament.app(Skin::default());
    (tournament, player)
}

/// What has no room on the first page is on further ones, and nothing is on none.
#[test]
fn whole_table_spans_as_many_pages_as_needed() {
    const PARTS: [&str; 7] =
        ["W-D-L", "LOS", "crash", "by kind of setup", "wins by seat", "points of", "more than"];
    for (width, height) in SIZES {
        let (_, mut player) = maps();
        let first = player.screen(width, height);
        let mut pages = vec![first.clone()];
        loop {
            if pages.len() <= 2 {
                let name = format!("page_{}_{width}x{height}", pages.len());
                assert_snapshot!(name, player.body(width, height));
            }
            player.press("v");
            let page = player.screen(width, height);
            if page == first {
                break;
            }
            pages.push(page);
        }
        let all = pages.concat();
        let wide = width > 40;
        for part in PARTS.into_iter().filter(|_| wide) {
            // On a wide screen wins, draws and losses have columns of their own.
            let is_there = all.contains(part) || part == "W-D-L" && all.contains("losses");
            assert!(is_there, "{part} at {width}x{height}: {all}");
        }
        assert!(!wide || all.contains("random:12 seed=5"), "{first}");
        if pages.len() > 1 {
            player.press("V");
            assert_eq!(player.screen(width, height), pages[pages.len() - 1]);
            player.press("<esc>");
            assert_eq!(player.screen(width, height), first);
        }
    }
}

#[test]
fn finished_tournament_screen_matches_snapshot() {
    let mut tournament = TestTournament::of(game("quixo"), "size=3", 4);
    for number in 1..=4 {
        tournament.begin(number);
        tournament.finish(number);
    }
    tournament.live.stops(Stage::Over);
    let mut player = tournament.app(Skin::default());
    for (width, height) in SIZES {
        assert_snapshot!(format!("over_{width}x{height}"), player.body(width, height));
    }
    player.press("q");
    assert_eq!(player.tasks, [TerminalTask::Quit.into()], "no open request");
}

#[test]
fn every_game_can_be_followed_to_its_end() {
    for entry in &GAMES {
        let mut tournament = TestTournament::small(entry, 4);
        let mut player = tournament.app(Skin::default());
        for (width, height) in
            SIZES.into_iter().chain([(1, 1), (30, 10), (31, 11), (72, 15), (80, 8)])
        {
            player.screen(width, height);
        }
        player.screen(80, 24);
        player.press("<enter>");
        assert!(player.sees("game 6, running"), "{}", player.screen(80, 24));
        tournament.play(6, 2);
        wait(&mut player);
        assert!(player.sees("running"), "{}", player.screen(80, 24));
        tournament.finish(6);
        wait(&mut player);
        assert_eq!(take_requested_game(&mut player), Some(6), "{}", entry.id);
        player.app.game_record(6, tournament.record(6));
        let moves = tournament.record(6).current_match().ply();
        assert!(player.sees(&format!("move {moves} of {moves}")), "{}", player.screen(80, 24));
        assert!(!player.sees("running"), "{}", player.screen(80, 24));
        player.press("<esc>");
        assert!(player.sees(&format!("{}, tournament", entry.name)), "{}", player.screen(80, 24));
    }
}

#[test]
fn new_moves_keep_the_position_after_stepping_back() {
    let (mut tournament, mut player) = dots();
    player.press("<down>");
    let _ = player.screen(80, 24);
    player.press("<up><enter><left>");
    assert!(player.sees("1 move behind"), "{}", player.screen(80, 24));
    tournament.play(6, 1);
    wait(&mut player);
    assert!(player.sees("move 2 of 4") && player.sees("2 moves behind"));
    player.press("G");
    tournament.play(6, 1);
    wait(&mut player);
    assert!(player.sees("move 5 of 5") && player.sees("running"));
    assert!(!player.sees("a review"), "its end is not known");
    tournament.finish(6);
    player.press("<left><left>");
    wait(&mut player);
    player.app.game_record(6, tournament.record(6));
    assert!(player.sees("move 3 of 12") && player.sees("a review"), "{}", player.screen(80, 24));
}

#[test]
fn a_game_that_is_followed_names_its_setup_and_shows_its_clocks() {
    let (_, mut player) = maps();
    player.screen(80, 24);
    player.press("<enter>");
    let screen = player.screen(80, 24);
    assert!(screen.contains("game 201, running  circle:8 seed=1"), "{screen}");
    // The clocks are those after the last move.
    assert!(player.sees("0:56"), "{screen}");
    player.press("<left>");
    assert!(!player.sees("0:56"), "{}", player.screen(80, 24));
}

#[test]
fn aborted_game_stays_on_screen() {
    let (tournament, mut player) = dots();
    player.press("<enter>");
    tournament.live.stops(Stage::Over);
    wait(&mut player);
    assert!(player.sees("unfinished game"), "{}", player.screen(80, 24));
    player.press("q");
    assert!(player.sees("finished"), "{}", player.screen(80, 24));
}

#[test]
fn finished_game_opens_as_a_replay() {
    let (tournament, mut player) = dots();
    player.press("<tab><down><enter>");
    assert_eq!(take_requested_game(&mut player), Some(4));
    player.app.game_record(4, tournament.record(4));
    assert!(player.sees("move 0 of 12"), "{}", player.screen(80, 24));
    player.press("q");
    assert!(player.sees("tournament"));
    player.app.show_message("games/0004.game: no such file");
    assert!(player.sees("! games/0004.game: no such file"));
    player.press("<tab>");
    assert!(!player.sees("no such file"));
}

#[test]
fn cursor_stays_on_its_game_or_the_latest() {
    let (mut tournament, mut player) = dots();
    let _ = player.screen(80, 24);
    player.press("<tab><down><down>");
    tournament.finish(6);
    wait(&mut player);
    player.press("<enter>");
    assert_eq!(take_requested_game(&mut player), Some(3), "one more has come before it");
    player.press("g<enter>");
    assert_eq!(take_requested_game(&mut player), Some(6));
    tournament.finish(7);
    wait(&mut player);
    player.press("<enter>");
    assert_eq!(take_requested_game(&mut player), Some(7));
    player.press("G<enter>");
    assert_eq!(take_requested_game(&mut player), Some(1));
}

#[test]
fn new_game_replaces_a_finished_one_in_place() {
    let (mut tournament, mut player) = dots();
    let place = |player: &Player, text: &str| player.place_of(text);
    let places = [place(&player, " 6 "), place(&player, " 7 ")];
    tournament.finish(6);
    wait(&mut player);
    assert!(player.sees("1-3") || player.sees("-"), "its result stands there");
    assert_eq!(place(&player, " 7 "), places[1]);
    player.press("<enter>");
    assert_eq!(
        take_requested_game(&mut player),
        Some(6),
        "what has ended is looked at, not followed"
    );
    tournament.begin(9);
    wait(&mut player);
    assert_eq!([place(&player, " 9 "), place(&player, " 7 ")], places);
    // If no new game takes its place, it disappears after a while, when something else happens.
    tournament.finish(8);
    wait(&mut player);
    player.turn_clock(Duration::from_secs(3));
    tournament.play(7, 1);
    wait(&mut player);
    player.press("<tab><tab><end><enter>");
    assert_eq!(take_requested_game(&mut player), None);
    assert!(player.sees("game 7, running"), "{}", player.screen(80, 24));
}

#[test]
fn leaving_asks_only_while_games_run() {
    let (tournament, mut player) = dots();
    player.press("q");
    assert!(player.sees("Stop the tournament?") && player.sees("Finished games"));
    player.press("<enter>");
    assert!(!player.sees("Stop the tournament?") && player.tasks.is_empty());
    player.press("<esc><down><enter>");
    assert_eq!(player.tasks.pop(), Some(TerminalTask::Quit.into()));
    // Where there is no room for the question, it is not asked.
    let (_, mut cramped) = dots();
    cramped.screen(10, 3);
    cramped.press("q");
    assert_eq!(cramped.tasks, [TerminalTask::Quit.into()]);
    tournament.live.stops(Stage::Failed("x".to_owned()));
    let mut player = tournament.app(Skin::default());
    player.press("q");
    assert_eq!(player.tasks, [TerminalTask::Quit.into()]);
}

#[test]
fn games_open_by_click() {
    let (_, mut player) = dots();
    player.click("my bot - Casual");
    assert_eq!(take_requested_game(&mut player), None, "the first click chooses");
    let chosen = player.screen(80, 24);
    player.click("my bot - Casual");
    assert_eq!(take_requested_game(&mut player), Some(4), "{chosen}");
    let card = player.place_of(" 6 ");
    player.click_at((card.0 + 3, card.1 + 4));
    player.click_at((card.0 + 3, card.1 + 4));
    assert!(player.sees("game 6, running"), "{}", player.screen(80, 24));
}

/// The app does not wake while nothing happens, and never more than ten times a second.
#[test]
fn screen_redraws_at_most_ten_times_a_second() {
    let mut tournament = TestTournament::of(game("tic-tac-toe"), "", 100_000);
    let mut player = tournament.app(Skin::default());
    assert_eq!(player.waits(), None);
    let mut woken = 0;
    for number in 1..=1000 {
        tournament.end_unseen(number, [2, 0]);
        woken += player.turn_clock(Duration::from_millis(1));
    }
    assert!((9..=11).contains(&woken), "{woken}");
    player.turn_clock(Duration::from_secs(1));
    tournament.end_unseen(1001, [2, 0]);
    tournament.end_unseen(1002, [2, 0]);
    assert_eq!(player.turn_clock(Duration::from_secs(1)), 1, "the last of them");
    assert_eq!(player.waits(), None);
    assert!(player.sees("1002 of 100000"), "{}", player.screen(80, 24));
}

/// It takes a third of a second of processor time; if each picture went through all games, it would be
/// many seconds.
#[cfg(unix)]
#[test]
fn drawing_time_does_not_depend_on_game_count() {
    let mut tournament = TestTournament::of(game("tic-tac-toe"), "", 1_000_000);
    for number in 1..=200_000 {
        tournament.end_unseen(number, [number % 3, 2 - number % 3]);
    }
    let mut player = tournament.app(Skin::default());
    let took = cpu_time(|| {
        for number in 0..200 {
            tournament.end_unseen(200_001 + number, [2, 0]);
            wait(&mut player);
            player.press("<down>");
            player.screen(200, 60);
        }
    });
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(player.screen(200, 60).contains("200200 of 1000000"));
}

#[test]
fn tournament_names_are_escaped() {
    let names = vec!["bo\u{1b}[2Jt".to_owned(), "\u{202e}tob".to_owned()];
    let watch = LiveTournament::new(&GAMES[3], Results::new(names, &[]), 2);
    let player = Player::new();
    let screen = Player { app: player.app.with_tournament(watch), ..player }.screen(80, 24);
    assert!(screen.contains("bo\\u{1b}[2Jt") && screen.contains("\\u{202e}tob"), "{screen}");
}

/// Games that were played in an earlier run say nothing about how fast games are played now.
#[test]
fn resumed_tournament_shows_no_estimate_at_first() {
    let (mut tournament, mut player) = dots();
    wait(&mut player);
    assert!(!player.sees(" left") && player.sees("5 of 40"), "{}", player.screen(80, 24));
    player.turn_clock(Duration::from_secs(10));
    tournament.finish(6);
    wait(&mut player);
    assert!(player.sees("about") && player.sees(" left"), "{}", player.screen(80, 24));
}

/// Even a small board is shown whole; if there is no room for that, its game is a line.
#[test]
fn small_board_is_shown_whole_or_as_a_line() {
    let bars = Skin::default().glyphs().scroll;
    let setups = [
        ("join-the-dots", "layout=random:24", [true, true]),
        ("join-the-dots", "layout=clustered:16", [true, true]),
        ("join-the-dots", "layout=random:200", [true, true]),
        ("dots-and-boxes", "size=10", [false, true]),
        ("quixo", "size=8", [true, true]),
        ("quixo", "size=9", [false, true]),
        ("quixo", "size=26", [false, false]),
        ("intersections", "size=8", [false, true]),
    ];
    for (id, setup, has_boards) in setups {
        let player = TestTournament::with_games_under_way(game(id), setup, 3).app(Skin::default());
        for ((width, height), has_boards) in [(80, 24), (100, 30)].into_iter().zip(has_boards) {
            let screen = player.screen(width, height);
            let has_lines = screen.contains("being played");
            assert_eq!(!has_lines, has_boards, "{id} {setup}\n{screen}");
            // The left part of the screen has bars of its own.
            let right = |row: &str| row.chars().skip(50).collect::<String>();
            let is_cut = screen.lines().map(right).any(|row| row.contains(bars[1]));
            assert!(!is_cut || has_lines, "{id} {setup}\n{screen}");
        }
    }
    for setup in ["layout=random:24", "layout=clustered:16"] {
        let player = TestTournament::with_games_under_way(game("join-the-dots"), setup, 3)
            .app(Skin::default());
        let name = setup.split_once('=').unwrap().1.replace(':', "_");
        assert_snapshot!(format!("{name}_80x24"), player.body(80, 24));
    }
}
