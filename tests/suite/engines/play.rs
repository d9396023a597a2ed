//! Engines at the table: key scripts in which the app's questions to engines are answered at once.

use crate::common::chance::Chance;
#[cfg(unix)]
use crate::common::cpu_time::cpu_time;
use crate::common::player::Player;
use crate::common::samples::samples;
use crate::common::untimed::Untimed;
use insta::assert_snapshot;
use quadrille::app::{DiskTask, EngineEvent, EngineTask};
use quadrille_match::session::{Match, PositionSpec, Record};
use quadrille_rules::Seat;
use quadrille_search::{
    Control, DotsAndBoxesReason, Level, Limits, NoTableCache, RatedMove, Reason, Report, Scope,
    Value,
};
use quadrille_table::catalogue::{GAMES, GameEntry};
use quadrille_table::engine::Evaluation;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const CASUAL: [&str; 2] = ["Ann", "engine:casual,seed=1"];

fn state(player: &Player) -> (usize, Option<usize>) {
    let game = player.app.open_match().unwrap().current_match();
    (game.ply(), game.to_move().map(Seat::index))
}

#[test]
fn engine_replies_and_the_person_moves_again() {
    let mut player = Player::against("tic-tac-toe", "", CASUAL);
    assert!(!player.think(), "Ann is to move");
    player.press("<enter>");
    assert!(player.sees("Casual is thinking"));
    player.press("<left><enter>");
    assert_eq!(state(&player), (1, Some(1)), "nobody moves for the engine");
    assert!(player.sees("Casual is to move; undo"));
    player.press(":c3<enter>");
    assert_eq!(state(&player), (1, Some(1)));
    assert!(player.think());
    assert!(!player.sees("Casual is to move; undo"), "nobody waits any more");
    assert_eq!(state(&player), (2, Some(0)));
    assert!(!player.think());
    assert_eq!(player.tasks, [DiskTask::Save.into(), DiskTask::Save.into()]);
}

#[test]
fn undo_returns_to_the_persons_turn() {
    let mut player = Player::against("tic-tac-toe", "", CASUAL);
    player.press("<enter>").think();
    player.press("<tab><enter>").think();
    assert_eq!(state(&player), (4, Some(0)));
    player.press("u");
    assert_eq!(state(&player), (2, Some(0)));
    player.press("r");
    assert_eq!(state(&player), (4, Some(0)));
    player.press("uuu");
    assert_eq!(state(&player), (0, Some(0)));
    player.press("r");
    assert_eq!(state(&player), (2, Some(0)));
}

#[test]
fn undo_during_thinking_discards_the_engine_move() {
    let mut player = Player::against("tic-tac-toe", "", CASUAL);
    player.press("<enter>");
    let Some(EngineTask::Think(ticket, question)) = player.app.engine_task() else {
        panic!("it thinks")
    };
    assert_eq!(question.game.ply(), 1);
    assert_eq!(player.app.engine_task(), None, "it is asked once");
    player.press("u");
    assert_eq!(player.app.engine_task(), Some(EngineTask::Rest));
    let event = EngineEvent::Failed("too late".to_owned());
    assert_eq!(player.app.engine_event(ticket, event), None);
    assert_eq!(state(&player), (0, Some(0)));
}

#[test]
fn first_engine_waits_after_undo_for_enter() {
    let mut player = Player::against("tic-tac-toe", "", ["engine:casual", "Bob"]);
    assert!(player.think());
    player.press("u");
    assert_eq!(state(&player), (0, Some(0)));
    assert!(!player.think());
    assert!(player.sees("press Enter to let the engine move"));
    player.press("<enter>");
    assert!(player.think());
    assert_eq!(state(&player), (1, Some(1)));
}

#[test]
fn menu_and_help_pause_the_engine() {
    for keys in ["<esc>", "?"] {
        let mut player = Player::against("tic-tac-toe", "", CASUAL);
        player.press("<enter>");
        assert!(matches!(player.app.engine_task(), Some(EngineTask::Think(..))));
        player.press(keys);
        assert_eq!(player.app.engine_task(), Some(EngineTask::Rest));
        player.press("<esc>");
        assert!(player.think(), "and goes on");
    }
}

#[test]
fn leaving_a_match_stops_its_engine() {
    let mut player = Player::against("tic-tac-toe", "", CASUAL);
    player.press("<enter>");
    assert!(matches!(player.app.engine_task(), Some(EngineTask::Think(..))));
    player.press("q");
    assert_eq!(player.app.engine_task(), Some(EngineTask::Rest));
}

#[test]
fn engine_failure_is_reported_and_the_match_continues() {
    let mut player = Player::against("tic-tac-toe", "", CASUAL);
    player.press("<enter>");
    for event in [
        EngineEvent::Failed("the engine crashed: index out of bounds".to_owned()),
        EngineEvent::Chosen { mv: "z9".to_owned(), why: None, report: Report::default() },
    ] {
        let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else {
            panic!("it thinks")
        };
        player.app.engine_event(ticket, event);
        assert!(player.sees("Enter to retry"));
        assert!(!player.think());
        player.press("<enter>");
    }
    assert!(player.think());
    assert_eq!(state(&player), (2, Some(0)));
}

#[test]
fn engines_play_every_game_to_its_end() {
    for (entry, sample) in samples() {
        let seats = ["engine:beginner,seed=1", "engine:casual,seed=2"];
        let mut player = Player::against(entry.id, sample.small, seats);
        let mut plies = 0;
        // A finished round of Making Intersections stays on the screen for a while.
        while player.think() || player.wait() {
            plies += 1;
            assert!(plies < 1000, "{} comes to an end", entry.id);
        }
        assert!(
            player.app.open_match().unwrap().current_match().outcome().is_some(),
            "{}",
            entry.id
        );
        assert!(player.sees("Rematch"), "{}", entry.id);
    }
}

#[test]
fn hint_shows_a_line_without_playing() {
    let mut player = Player::at("tic-tac-toe", "");
    player.press("H");
    assert!(player.sees("thinking"));
    assert!(player.think());
    assert!(player.sees("hint: "));
    assert_eq!(state(&player), (0, Some(0)));
    assert!(!player.think());
    player.press("<enter>");
    assert!(!player.sees("hint: "), "it was for the position before");
}

#[test]
fn values_are_computed_only_while_shown() {
    let mut player = Player::at("tic-tac-toe", "");
    player.press("a");
    assert!(player.sees("checking every move"));
    assert!(player.think());
    assert!(!player.sees("checking every move") && player.sees("a draw with best play"));
    assert!(!player.think(), "what is answered is not asked again");
    player.press("<enter>");
    assert!(player.think(), "of the next position too");
    player.press("a<enter>");
    assert!(!player.think());
    assert!(!player.sees("checking every move"));
}

#[test]
fn setup_form_gives_seats_to_engines() {
    for (place, entry) in GAMES.iter().enumerate() {
        let mut player = Player::new();
        player.press(&"<right>".repeat(place)).press("<enter>");
        assert!(player.sees("[Computer]") && player.sees("Beginner"), "{}", entry.id);
        assert!(!player.sees("Move time"), "{}: Beginner looks at no clock", entry.id);
        let level = if entry.id == "intersections" { "<down><down>" } else { "<down>" };
        player.press(level).press("<right><right><right>");
        assert!(player.sees("Strong") && player.sees("Move time"), "{}", entry.id);
        player.press("<down><down>5<end><enter>");
        let open_match = player.app.open_match().unwrap();
        assert_eq!(open_match.entry.id, entry.id);
        assert_eq!(
            open_match.players().names(),
            ["Player 1", "engine:strong,time=5"],
            "{}",
            entry.id
        );
    }
}

fn reviewing() -> Player {
    let mut player = Player::at("tic-tac-toe", "");
    player.press(":b2<enter>:a2<enter>:a1<enter>:b1<enter>:c3<enter>");
    // The menu with the result ignores keys at first.
    player.turn_clock(Duration::from_secs(1));
    player.press("<down><down><down><enter>");
    player
}

#[test]
fn finished_match_is_reviewed() {
    let mut player = reviewing();
    assert!(player.sees("move 5 of 5") && player.sees("0 of 5"));
    assert!(player.think());
    assert!(!player.think(), "it is reviewed once");
    player.press("<left>");
    assert_snapshot!("review_80x24", player.body(80, 24));
    player.press("a");
    assert!(!player.sees("for Bob"));
}

#[test]
fn review_opens_at_the_first_mistake_and_returns_to_result() {
    let mut player = reviewing();
    assert!(player.think());
    assert!(player.sees("move 2 of 5") && player.sees("1 mistake"));
    assert!(player.sees("Bob's a2 misses a draw") && player.sees("Better: a1 leads to a"));
    player.press("n");
    assert!(player.sees("no later mistake"));
    player.press("GN");
    assert!(player.sees("move 2 of 5"));
    player.press("<esc>");
    assert!(player.sees("Ann wins") && player.sees("Rematch, swap sides"));
}

#[test]
fn finished_review_keeps_the_position_after_a_key() {
    let mut player = reviewing();
    player.press("<left>");
    assert!(player.think());
    assert!(player.sees("move 4 of 5"));
    player.press("<esc>");
    assert!(player.sees("Rematch, swap sides"));
}

#[test]
fn engine_accepts_a_draw_after_a_repetition() {
    let mut player = Player::against("quixo", "size=3", CASUAL);
    player.press("<esc>");
    assert!(player.sees("Resume") && !player.sees("Offer a draw"));
    player.press("<esc>");
    for mv in ["A1-C1", "A3-C3", "C1-A1", "C3-A3", "A1-C1", "A3-C3"] {
        assert_eq!(player.app.open_match_mut().unwrap().play(mv), Ok(()));
    }
    player.press("<esc>");
    assert!(player.sees("Offer a draw"));
    player.press("<down><down><down><enter>");
    assert!(player.sees("Draw, by agreement"), "the engine is not asked in a menu");
}

#[test]
fn engines_draw_on_third_repetition() {
    let engines = ["engine:casual,seed=1", "engine:casual,seed=2"];
    let mut player = Player::against("quixo", "size=3", engines);
    let mut moves = ["A1-C1", "A3-C3", "C1-A1", "C3-A3"].into_iter().cycle();
    while let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() {
        let game = player.app.open_match().unwrap().current_match();
        assert!(game.ply() < 20 && game.repeats() < 2, "{}", player.moves());
        let (mv, why, report) = (moves.next().unwrap().to_owned(), None, Report::default());
        player.app.engine_event(ticket, EngineEvent::Chosen { mv, why, report }).unwrap();
    }
    assert!(player.sees("Draw, by repetition"), "{}", player.screen(80, 24));
    let game = player.app.open_match().unwrap().current_match();
    assert_eq!(game.repeats(), 2);
    let record = Record::of(game, &[], "");
    assert_eq!(
        (record.tag("Termination"), record.tag("Result")),
        (Some("repetition"), Some("1/2-1/2"))
    );
}

/// Returns positions of a random match, including the last one before its end; none if the match is over at the start.
fn positions(entry: &'static GameEntry, setup: &str) -> Vec<Match> {
    let mut game = (entry.start)(&setup.parse().unwrap()).unwrap();
    let mut chance = Chance(5);
    while game.to_move().is_some() && game.ply() < 600 {
        let legal = game.legal_moves();
        game.play(&legal[chance.below(legal.len())]).unwrap();
    }
    let Some(last) = game.ply().checked_sub(1) else { return Vec::new() };
    let at = |ply| {
        let mut here = game.clone();
        here.go_to_ply(ply);
        here.copy_line()
    };
    [0, last / 3, last * 2 / 3, last].map(at).to_vec()
}

#[test]
fn every_level_chooses_a_legal_move_in_every_game() {
    let setups =
        samples().flat_map(|(entry, sample)| sample.all().map(move |setup| (entry, setup)));
    for (entry, setup) in setups {
        let id = entry.id;
        for game in positions(entry, setup) {
            let legal = game.legal_moves();
            for level in [Level::Beginner, Level::Casual, Level::Skilled, Level::Strong] {
                for stopped in [false, true] {
                    let deadline = Some(Instant::now() + Duration::from_millis(20));
                    let stop = AtomicBool::new(stopped);
                    let limits = Limits { deadline, memory: 32 << 20, ..Limits::default() };
                    let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
                    let choice = (entry.engine)().choose(&game, level, &control).unwrap();
                    assert!(legal.contains(&choice.mv), "{id} {setup}: {level} {}", choice.mv);
                    assert!(choice.report.best.iter().all(|mv| legal.contains(mv)));
                    assert!(choice.report.moves.iter().all(|rated| legal.contains(&rated.mv)));
                }
            }
        }
    }
}

/// A new engine without a cache, whose deadline is now, soon, or past. Each answer may take half a second of CPU time,
/// ten times the target.
#[cfg(unix)]
#[test]
fn engines_answer_soon_after_the_deadline() {
    let stop = AtomicBool::new(false);
    for (entry, sample) in samples() {
        for setup in sample.all() {
            for game in positions(entry, setup) {
                for millis in [0, 1, 10] {
                    let mut engine = (entry.engine)();
                    let took = cpu_time(|| {
                        let deadline = Some(Instant::now() + Duration::from_millis(millis));
                        let limits = Limits { deadline, ..Limits::default() };
                        let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
                        engine.choose(&game, Level::Strong, &control).unwrap();
                    });
                    assert!(took < Duration::from_millis(500), "{} {setup}: {took:?}", entry.id);
                }
            }
        }
    }
}

/// The proven value of a position is consistent with the proven values of its successors.
#[test]
fn proven_values_agree_between_successive_positions() {
    for (entry, sample) in samples() {
        let id = entry.id;
        let mut engine = (entry.engine)();
        let stop = AtomicBool::new(false);
        let control = Control::new(&stop, Limits::default(), &NoTableCache, &|_| ());
        for mut game in positions(entry, sample.small) {
            let way = PositionSpec::to(&game);
            let seat = game.to_move().unwrap();
            let report = engine.analyse(game.now(), Scope::Moves, &control).unwrap();
            assert_eq!(report.moves.len(), game.legal_moves().len(), "{id}");
            let best = report.moves.iter().filter_map(|rated| rated.value.proven()).max();
            assert!(best.is_some(), "{id} is solved at once with {}", sample.small);
            assert_eq!(report.value.proven(), best, "{id} {way:?}");
            for rated in &report.moves {
                game.play(&rated.mv).unwrap();
                let report = match game.to_move() {
                    None => Report::default(),
                    Some(_) => engine.analyse(game.now(), Scope::Best, &control).unwrap(),
                };
                let after = Evaluation::of(&game, report, Duration::ZERO);
                assert_eq!(
                    rated.value.proven(),
                    after.value_for(seat).proven(),
                    "{id} {way:?} {}",
                    rated.mv
                );
                game.undo();
            }
            let choice = engine.choose(&game, Level::Perfect, &control).unwrap();
            let chosen = report.moves.iter().find(|rated| rated.mv == choice.mv).unwrap();
            assert_eq!(chosen.value.proven(), best, "{id}: Perfect gives nothing away");
        }
    }
}

/// Returns a text that identifies the position, using only the rules.
fn position_key(game: &Match) -> String {
    let counted = (game.to_move(), game.scores(), game.now().round(), game.legal_moves());
    format!("{}\n{counted:?}", game.board())
}

/// A search by the rules alone: it plays every move to the end.
struct Plain {
    /// The values of positions for the first of two seats.
    known: HashMap<String, i32>,
    /// The number of positions left in the budget.
    left: usize,
}

impl Plain {
    /// Returns the value of a position for the seat; `None` if the budget is exhausted.
    fn value(&mut self, game: &mut Match, seat: Seat) -> Option<i32> {
        let sign = |seat| if seat == Seat::FIRST { 1 } else { -1 };
        let Some(to_move) = game.to_move() else { return Some(result(game, seat)) };
        let key = position_key(game);
        if let Some(value) = self.known.get(&key) {
            return Some(sign(seat) * value);
        }
        self.left = self.left.checked_sub(1)?;
        let mut best = None;
        for mv in game.legal_moves() {
            game.play(&mv).unwrap();
            let value = self.value(game, to_move);
            game.undo();
            best = best.max(Some(value?));
        }
        let value = sign(to_move) * best.unwrap();
        self.known.insert(key, value);
        Some(sign(seat) * value)
    }
}

/// Returns the value of a finished two-player game: the margin if there are scores, otherwise 1, 0 or -1.
fn result(game: &Match, seat: Seat) -> i32 {
    let other = seat.next(2);
    if let Some(scores) = game.scores() {
        return scores[seat.index()] as i32 - scores[other.index()] as i32;
    }
    let outcome = game.outcome().unwrap();
    i32::from(outcome.is_winner(seat)) - i32::from(outcome.is_winner(other))
}

/// Compares proven values with a search that plays every move to the end. Positions near the end of larger games are
/// included.
#[test]
fn proven_values_match_full_search() {
    for (entry, sample) in samples().filter(|(_, sample)| !sample.endless) {
        for setup in [sample.small].into_iter().chain(sample.solved.iter().copied()) {
            let id = entry.id;
            let mut game = (entry.start)(&setup.parse().unwrap()).unwrap();
            if game.seats() != 2 {
                continue;
            }
            // Positions near the end come first, as their values help with the earlier ones.
            let mut ways = BTreeMap::new();
            for seed in 0..10 {
                let mut chance = Chance(seed);
                while game.to_move().is_some() {
                    ways.insert((Reverse(game.ply()), position_key(&game)), game.copy_line());
                    let legal = game.legal_moves();
                    game.play(&legal[chance.below(legal.len())]).unwrap();
                }
                game.go_to_ply(0);
            }
            let mut plain = Plain { known: HashMap::new(), left: 10_000 };
            let stop = AtomicBool::new(false);
            let control = Control::new(&stop, Limits::default(), &NoTableCache, &|_| ());
            let mut held = 0;
            for mut game in ways.into_values() {
                let way = PositionSpec::to(&game);
                let seat = game.to_move().unwrap();
                let Some(value) = plain.value(&mut game, seat) else { continue };
                let report = (entry.engine)().analyse(game.now(), Scope::Moves, &control).unwrap();
                assert_eq!(report.value.proven(), Some(value), "{id} {way:?}");
                assert_eq!(report.moves.len(), game.legal_moves().len(), "{id} {way:?}");
                for rated in &report.moves {
                    game.play(&rated.mv).unwrap();
                    let value = plain.value(&mut game, seat);
                    assert_eq!(rated.value.proven(), value, "{id} {way:?} {}", rated.mv);
                    game.undo();
                }
                held += 1;
            }
            assert!(held > 0, "{id}: no position of {setup} is small enough");
        }
    }
}

/// If the value of a position is proven, the principal variation leads to the end of the game, except for a draw in
/// quixo.
#[test]
fn line_of_a_proven_value_reaches_the_end() {
    let solved = samples().flat_map(|(entry, sample)| {
        let setups = [sample.small].into_iter().chain(sample.solved.iter().copied());
        setups.map(move |setup| (entry, setup, sample.endless))
    });
    for (entry, setup, endless) in solved {
        let id = entry.id;
        let stop = AtomicBool::new(false);
        let control = Control::new(&stop, Limits::default(), &NoTableCache, &|_| ());
        for game in positions(entry, setup) {
            let way = PositionSpec::to(&game);
            for scope in [Scope::Best, Scope::Moves] {
                let report = (entry.engine)().analyse(game.now(), scope, &control).unwrap();
                let found = Evaluation::of(&game, report, Duration::ZERO);
                let value = found.report.value.proven();
                assert!(value.is_some(), "{id} {way:?}");
                let need_not_end = endless && value == Some(0);
                assert!(found.is_complete || need_not_end, "{id} {way:?} {:?}", found.report.pv);
                assert_eq!(found.report.pv[0], found.report.best[0]);
            }
        }
    }
}

/// Without a deadline, one thread finds the same answer however busy the machine is: here each report is slow.
#[test]
fn search_without_a_deadline_is_deterministic() {
    let solved =
        samples().flat_map(|(entry, sample)| sample.solved.iter().map(move |setup| (entry, setup)));
    for (entry, setup) in solved {
        let game = entry.id;
        let start = (entry.start)(&setup.parse().unwrap()).unwrap();
        let stop = AtomicBool::new(false);
        for scope in [Scope::Best, Scope::Moves] {
            let answer = |slow: u32| {
                let told = AtomicU32::new(0);
                let on_report = |_: &Report<String>| {
                    if told.fetch_add(1, Ordering::Relaxed) < slow {
                        thread::sleep(Duration::from_millis(350));
                    }
                };
                let control = Control::new(&stop, Limits::default(), &NoTableCache, &on_report);
                (entry.engine)().analyse(start.now(), scope, &control).unwrap()
            };
            assert_eq!(answer(4), answer(0), "{game} {scope:?}");
        }
    }
}

/// On a board larger than the screen the view scrolls to the engine's move, and with the next key back to the cursor.
#[test]
fn large_board_scrolls_to_an_engine_move() {
    let mut player = Player::against("dots-and-boxes", "size=40", ["Ann", "engine:beginner"]);
    player.press("<enter>");
    let before = player.screen(80, 24);
    let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else { panic!("it thinks") };
    let mv = "H38,37".to_owned();
    player
        .app
        .engine_event(ticket, EngineEvent::Chosen { mv, why: None, report: Report::default() });
    let board = |screen: &str| -> Vec<String> {
        let rows = screen.lines().skip(2).take(18);
        let board = rows.map(|row| row.chars().take(46).collect::<String>().trim_end().to_owned());
        board.collect()
    };
    assert_ne!(board(&player.screen(80, 24)), board(&before));
    player.press("<up>");
    assert_eq!(board(&player.screen(80, 24)), board(&before));
}

#[test]
fn engine_waits_for_enter_in_a_new_variation() {
    let mut player = Player::against("tic-tac-toe", "", ["engine:casual", "engine:beginner"]);
    while player.think() {}
    // The menu with the result has opened by itself, and ignores keys at first.
    player.turn_clock(Duration::from_secs(1));
    player.press("<down><down><down><enter><home>b");
    assert!(player.sees("press Enter to let the engine move"));
    assert!(!player.think());
    player.press("<enter>");
    assert!(player.think());
}

#[test]
fn interrupted_review_counts_each_position_once() {
    let mut player = reviewing();
    for _ in 0..2 {
        let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else {
            panic!("it reviews")
        };
        for ply in [4, 3] {
            let report = Report { nodes: 1, ..Report::default() };
            player.app.engine_event(ticket, EngineEvent::Ply(ply, report)).unwrap();
        }
        assert!(player.sees("2 of 5"));
        player.press("?");
        assert_eq!(player.app.engine_task(), Some(EngineTask::Rest));
        player.press("<esc>");
    }
}

#[test]
fn thinking_status_shows_only_while_an_engine_thinks() {
    let seats = ["engine:strong", "engine:perfect"];
    let mut player = Player::against("tic-tac-toe", "", seats);
    assert!(player.sees("Strong is thinking") && player.sees("up to 2 s"));
    player.press("<esc>");
    for screen in [player.screen(80, 24), player.screen(200, 60)] {
        assert!(screen.contains("Strong waits") && !screen.contains("is thinking"), "{screen}");
    }
    player.press("<esc>");
    assert!(player.sees("Strong is thinking"));

    let mut player = Player::at("tic-tac-toe", "");
    player.press("H");
    assert!(player.sees("thinking"));
    player.press("<esc>");
    assert!(!player.sees("thinking"));
}

#[test]
fn finished_round_waits_for_a_key() {
    let setup = "size=3 segments=2";
    let mut player = Player::against("intersections", setup, ["Ann", "engine:perfect"]);
    for mv in ["0,0-0,1", "1,1-1,2"] {
        assert_eq!(player.app.open_match_mut().unwrap().play(mv), Ok(()));
    }
    assert!(player.sees("Round 1 is over: 0 points for A. Press Enter."));
    assert!(!player.sees("thinks") && !player.sees("solves the position"));
    assert!(!player.think() && player.waits().is_none());
    player.press("x");
    assert!(player.sees("Perfect is solving the position"));
}

#[test]
fn engines_alone_continue_after_a_round() {
    let seats = ["engine:beginner", "engine:casual"];
    let mut player = Player::against("intersections", "size=3 segments=2", seats);
    for round in [1, 2] {
        assert!(player.waits().is_none());
        assert!(player.think() && player.think() && !player.think());
        assert!(player.sees(&format!("Round {round} is over")) && !player.sees("Press Enter"));
        assert!(!player.sees("thinks") && !player.sees("Rematch"));
        assert!(player.wait() && !player.sees("is over"));
    }
    assert!(player.sees("Rematch"));
}

/// A hint is for the position, so it may not begin with the die already taken.
#[test]
fn hint_for_another_piece_says_to_cancel_the_selection() {
    for (game, setup, mv, back) in [
        ("quixo", "size=3", "C3-A3", "put back"),
        ("join-the-dots", "layout=circle:6", "2-3", "cancel"),
        ("intersections", "size=3 segments=4", "1,1-1,2", "cancel"),
    ] {
        let mut player = Player::at(game, setup);
        player.press("<enter>H");
        let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else {
            panic!("it thinks")
        };
        let (mv, report) = (mv.to_owned(), Report::default());
        player.app.engine_event(ticket, EngineEvent::Chosen { mv: mv.clone(), why: None, report });
        assert!(
            player.sees(&format!("hint: probably {mv}; press Esc first ({back})")),
            "{}",
            player.screen(80, 24)
        );
        player.press("<esc>");
        let hint = format!("hint: probably {mv}");
        assert!(player.sees(&hint) && !player.sees("press Esc first"), "{game}");
    }
    let mut player = Player::at("quixo", "size=3");
    player.press("<enter>H");
    let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else { panic!("it thinks") };
    let report = Report::default();
    player
        .app
        .engine_event(ticket, EngineEvent::Chosen { mv: "A1-A3".to_owned(), why: None, report });
    let hint = "hint: probably A1-A3";
    assert!(player.sees(hint) && !player.sees("press Esc first"), "it can be played");
}

/// A hint is probable until it is proven best. If another move is proven better, the hint changes to that move, with the
/// reason and a note that it has changed. The order of the requests does not matter.
#[test]
fn hint_updates_with_later_results() {
    let report =
        |best: &str, value| Report { best: vec![best.to_owned()], value, ..Report::default() };
    let value = |mv: &str, value| RatedMove { mv: mv.to_owned(), value, round_value: None };
    let chosen = || EngineEvent::Chosen {
        mv: "H0,0".to_owned(),
        why: Some(Reason::DotsAndBoxes(DotsAndBoxesReason::Takes(1))),
        report: report("H0,0", Value::between(-1, 4)),
    };
    let proven = |best: &str| {
        let mut moves = vec![value(best, Value::exact(1)), value("H0,1", Value::exact(-3))];
        if best != "H0,0" {
            moves.push(value("H0,0", Value::exact(-1)));
        }
        EngineEvent::Done(Report { moves, ..report(best, Value::exact(1)) })
    };
    let send_event = |player: &mut Player, event| {
        let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else {
            panic!("it thinks")
        };
        player.app.engine_event(ticket, event).unwrap();
    };
    let first = "hint: probably H0,0, which takes a box";
    for (best, hint) in [
        ("H0,0", "hint: H0,0, which takes a box"),
        ("V0,0", "hint: V0,0, which gives nothing away; 11 safe lines left"),
    ] {
        let mut player = Player::at("dots-and-boxes", "size=3");
        player.press("H");
        send_event(&mut player, chosen());
        assert!(player.sees(first));
        player.press("a");
        send_event(&mut player, proven(best));
        assert!(player.sees(hint) && !player.sees("may lose"), "{}", player.screen(80, 24));
        let says_so = player.screen(200, 60).contains("; better than H0,0, the previous hint");
        assert_eq!(says_so, best != "H0,0", "{}", player.screen(200, 60));
        player.press("a");
        assert!(player.sees(hint) && !player.sees("may lose"), "{}", player.screen(80, 24));

        let mut player = Player::at("dots-and-boxes", "size=3");
        player.press("aH");
        send_event(&mut player, chosen());
        assert!(player.sees(first));
        // No key was pressed since the hint.
        send_event(&mut player, proven(best));
        assert!(player.sees(hint) && !player.sees("may lose"), "{}", player.screen(80, 24));

        let mut player = Player::at("dots-and-boxes", "size=3");
        player.press("a");
        send_event(&mut player, proven(best));
        player.press("H");
        let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else {
            panic!("it thinks")
        };
        let news = EngineEvent::News(report("H0,1", Value::between(-2, 3)));
        player.app.engine_event(ticket, news).unwrap();
        assert!(player.sees("Ann wins by 1"), "{}", player.screen(80, 24));
        player.app.engine_event(ticket, chosen()).unwrap();
        assert!(player.sees("Ann wins by 1"), "{}", player.screen(80, 24));
        assert!(player.sees(hint) && !player.sees("may lose"), "{}", player.screen(80, 24));
        assert_eq!(player.app.engine_task(), Some(EngineTask::Rest), "all is known");
    }
}

/// Unproven values that prefer another move do not change a hint.
#[test]
fn hint_stays_until_a_better_move_is_proven() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press("H");
    let send_event = |player: &mut Player, event| {
        let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else {
            panic!("it thinks")
        };
        player.app.engine_event(ticket, event).unwrap();
        ticket
    };
    let why = Some(Reason::DotsAndBoxes(DotsAndBoxesReason::LeavesBoxes));
    let report = Report { value: Value::between(0, 4), ..Report::default() };
    send_event(&mut player, EngineEvent::Chosen { mv: "H0,0".to_owned(), why, report });
    let hint = "hint: probably H0,0, which leaves boxes to Bob";
    assert!(player.sees(hint), "{}", player.screen(80, 24));
    player.press("a");
    let rated = |mv: &str, value| RatedMove { mv: mv.to_owned(), value, round_value: None };
    let news = Report {
        value: Value::estimate(1.0),
        best: vec!["V0,0".to_owned()],
        moves: vec![rated("V0,0", Value::estimate(1.0)), rated("H0,0", Value::estimate(-1.0))],
        ..Report::default()
    };
    send_event(&mut player, EngineEvent::News(news));
    assert!(player.sees(hint), "{}", player.screen(80, 24));
}

/// An unproven value is open, without a star, until it has been stable for a second. Proven values are not open, and
/// after the search none is.
#[test]
fn values_settle_when_proven_or_stable_for_a_second() {
    let mut player = Player::at("tic-tac-toe", "");
    player.press("a");
    let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else { panic!("it thinks") };
    let rated = |mv: &str, value| RatedMove { mv: mv.to_owned(), value, round_value: None };
    let news = |value| Report {
        value: Value::estimate(value),
        moves: vec![
            rated("b2", Value::estimate(value)),
            rated("a1", Value::exact(0)),
            rated("a2", Value::estimate(-0.5)),
        ],
        ..Report::default()
    };
    let second = Duration::from_secs(1);
    let send_event = |player: &mut Player, value| {
        player.app.engine_event(ticket, EngineEvent::News(news(value))).unwrap();
    };
    send_event(&mut player, 0.5);
    assert!(player.sees("~+0.5") && !player.sees(", best"), "{}", player.screen(80, 24));
    player.turn_clock(second * 9 / 10);
    send_event(&mut player, 0.4);
    assert!(player.sees("~+0.4") && !player.sees(", best"), "{}", player.screen(80, 24));
    player.turn_clock(second * 9 / 10);
    assert!(!player.sees(", best"), "it has changed since");
    assert_eq!(player.turn_clock(second), 1, "it is woken once");
    assert!(player.sees("~+0.4, best"), "{}", player.screen(80, 24));
    assert_eq!(player.turn_clock(second * 10), 0, "nothing runs any more");
    // A repeated report changes nothing.
    send_event(&mut player, 0.4);
    assert!(player.sees("~+0.4, best"), "{}", player.screen(80, 24));
    send_event(&mut player, 0.6);
    assert!(player.sees("~+0.6") && !player.sees(", best"), "{}", player.screen(80, 24));
    player.app.engine_event(ticket, EngineEvent::Done(news(0.6))).unwrap();
    assert!(player.sees("~+0.6, best"), "{}", player.screen(80, 24));
    assert_eq!(player.turn_clock(second * 10), 0, "all is settled");
}

#[cfg(unix)]
#[test]
fn every_hint_has_a_reason_quickly() {
    for (entry, sample) in samples() {
        for setup in sample.all() {
            for game in positions(entry, setup) {
                let legal = game.legal_moves();
                let step = legal.len().div_ceil(5);
                for mv in legal.iter().step_by(step) {
                    let mut why = None;
                    let took = cpu_time(|| why = (entry.engine)().why(game.now(), mv));
                    assert!(why.is_some(), "{} {setup} {mv}", entry.id);
                    assert!(
                        took < Duration::from_millis(500),
                        "{} {setup} {mv}: {took:?}",
                        entry.id
                    );
                }
            }
        }
    }
}

/// Each key redraws the known values of a large board without a new search. Ten keys may take a second of CPU time, ten
/// times the target.
#[cfg(unix)]
#[test]
fn keys_on_a_large_board_with_values_stay_fast() {
    let mut player = Player::at("intersections", "size=32 players=8");
    player.press("a");
    let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else { panic!("it thinks") };
    let moves = player.app.open_match().unwrap().current_match().legal_moves();
    let mut moves: Vec<_> = moves
        .into_iter()
        .map(|mv| RatedMove {
            mv,
            value: Value::exact(0),
            round_value: Some(quadrille_search::RoundValue::Proven(2)),
        })
        .collect();
    moves[0].round_value = Some(quadrille_search::RoundValue::Proven(3));
    let best = vec![moves[0].mv.clone()];
    player.app.engine_event(ticket, EngineEvent::Done(Report { moves, best, ..Report::default() }));
    assert!(player.screen(200, 60).contains("*+3"));
    let took = cpu_time(|| {
        for key in ["<right>", "<down>", "<enter>", "<right>", "<esc>"].repeat(2) {
            player.press(key).screen(200, 60);
        }
    });
    assert!(took < Duration::from_secs(1), "{took:?}");
}
