mod packed;
mod reasons;

use super::graph::{Graph, LineSet, Part, each};
use super::parts::{Parts, Signatures};
use super::table::{DotsEntry, DotsTable};
use super::*;
use crate::minimax::{self, after};
use crate::testing::{
    agrees_with_plain_search, answers_within_limits, control, play_match, within,
};
use crate::{Limits, NoTableCache};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

const MIB: usize = 1 << 20;

fn board(rows: u8, cols: u8) -> DotsAndBoxes {
    DotsAndBoxes::new(rows + 1, cols + 1).unwrap()
}

/// Returns a board of `rows` × `cols` boxes with `left` random lines undrawn.
fn random(rows: u8, cols: u8, left: usize, rng: &mut fastrand::Rng) -> DotsAndBoxes {
    let mut position = board(rows, cols);
    while position.lines_left() as usize > left {
        let mut moves = Vec::new();
        position.append_legal_moves(&mut moves);
        position.play(moves[rng.usize(..moves.len())]).unwrap();
    }
    position
}

/// Returns limits that only restrict memory.
fn endless() -> Limits {
    Limits { memory: 64 * MIB, ..Limits::default() }
}

/// Returns limits with a deadline that has already passed.
fn at_once() -> Limits {
    Limits { memory: 64 * MIB, ..within(Duration::ZERO) }
}

fn value(position: &DotsAndBoxes, memory: usize) -> i32 {
    let mut known = BoardTable::new(position, memory).unwrap();
    let shared = SharedDotsSearch::new(&known.graph, known.memory.table(), &|_| false);
    let mut solver = DotsSolver::new(&shared);
    solver.any_value(known.graph.undrawn(position), 0).unwrap()
}

/// Computes the exact values of all sets of undrawn lines by trying every line.
fn all_values(graph: &Graph) -> Vec<i8> {
    let mut values = vec![0; 1 << graph.lines.len()];
    for undrawn in 1..1 << graph.lines.len() {
        let worth = |line| {
            let closed = graph.closes(undrawn, line) as i8;
            let next = values[(undrawn & !(1 << line)) as usize];
            if closed > 0 { closed + next } else { -next }
        };
        values[undrawn as usize] = each(undrawn).map(worth).max().unwrap();
    }
    values
}

/// Compares the solver with plain search on every `step`-th set of undrawn lines of a board.
fn hold_to_all(rows: u8, cols: u8, step: usize) {
    let mut known = BoardTable::new(&board(rows, cols), 16 * MIB).unwrap();
    let values = all_values(&known.graph);
    let shared = SharedDotsSearch::new(&known.graph, known.memory.table(), &|_| false);
    let mut solver = DotsSolver::new(&shared);
    for undrawn in (0..values.len()).step_by(step) {
        let found = solver.any_value(undrawn as LineSet, 0).unwrap();
        assert_eq!(found, i32::from(values[undrawn]), "{rows}×{cols}: {undrawn:b}");
    }
}

#[test]
fn solver_is_right_on_every_small_board_position() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (3, 2)] {
        hold_to_all(rows, cols, 1);
    }
}

#[test]
#[ignore = "a minute in release: all 2^24 positions of 3×3 boxes, and all 2^22 of 2×4"]
fn solver_is_right_on_every_larger_board_position() {
    hold_to_all(2, 4, 1);
    hold_to_all(3, 3, 1);
}

#[test]
fn solver_is_right_on_random_positions() {
    let mut rng = fastrand::Rng::with_seed(1);
    for (rows, cols) in [(2, 5), (3, 3), (3, 4), (4, 4), (5, 5), (2, 9), (7, 7), (1, 20)] {
        for round in 0..40 {
            let position = random(rows, cols, 4 + round % 6, &mut rng);
            let seat = position.to_move().unwrap();
            let plain = minimax::margin(&position, &mut HashMap::new());
            let plain = if seat == Seat::FIRST { plain } else { -plain };
            assert_eq!(value(&position, 64 * MIB) + lead(&position, seat), plain, "{position}");
        }
    }
}

#[test]
fn small_boards_have_their_known_values() {
    for n in 1..=8 {
        assert_eq!(value(&board(1, n), MIB), -i32::from(n % 2), "1×{n}");
    }
    assert_eq!(value(&board(2, 2), MIB), 2);
    assert_eq!(value(&board(2, 3), MIB), -2);
    assert_eq!(value(&board(2, 4), MIB), 2);
    assert_eq!(value(&board(3, 3), MIB), -3);
}

#[test]
#[ignore = "minutes in release: cargo test --release known_values_of_large -- --ignored"]
fn large_boards_have_their_known_values() {
    for (rows, cols, expected) in
        [(2, 5, -2), (3, 4, 0), (2, 6, 2), (2, 7, 0), (3, 5, -1), (4, 4, 0)]
    {
        assert_eq!(value(&board(rows, cols), 2048 * MIB), expected, "{rows}×{cols}");
    }
}

#[test]
fn openings_have_their_known_values() {
    let mut engine = DotsAndBoxesEngine::default();
    let report = engine.analyse(&board(2, 2), Scope::Moves, &control(endless()));
    let mut moves = report.moves.clone();
    moves.sort_by_key(|rated| rated.mv);
    let values: Vec<i32> = moves.iter().map(|rated| rated.value.proven().unwrap()).collect();
    assert_eq!(values, [2, 2, 0, 0, 2, 2, 2, 0, 2, 2, 0, 2]);
    assert_eq!(report.best.len(), 8);
    assert_eq!((report.value, report.halt), (Value::exact(2), None));
    assert_eq!(report.pv.len(), 12);

    let report = engine.analyse(&board(3, 3), Scope::Moves, &control(endless()));
    assert!(report.moves.iter().all(|rated| rated.value.proven() == Some(-3)));
    assert_eq!((report.moves.len(), report.best.len()), (24, 24));
}

/// The principal variation is legal, reaches the end of the game, and has the value of the report.
#[test]
fn principal_variation_reaches_the_reported_value() {
    let mut rng = fastrand::Rng::with_seed(2);
    for left in [4, 9, 14, 19, 24] {
        let mut position = random(3, 4, left, &mut rng);
        let seat = position.to_move().unwrap();
        let mut engine = DotsAndBoxesEngine::default();
        let report = engine.analyse(&position, Scope::Best, &control(endless()));
        for &mv in &report.pv {
            position.play(mv).unwrap();
        }
        assert_eq!(position.to_move(), None);
        assert_eq!(Some(lead(&position, seat)), report.value.proven());
    }
}

#[test]
fn it_agrees_with_plain_search() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut engine = DotsAndBoxesEngine::default();
    for round in 0..60 {
        let (rows, cols) = [(2, 2), (2, 3), (3, 3), (2, 4), (3, 4)][round % 5];
        let position = random(rows, cols, 4 + round % 9, &mut rng);
        agrees_with_plain_search(&mut engine, &position, &mut HashMap::new());
    }
}

#[test]
fn two_threads_find_the_same_values() {
    let mut engine = DotsAndBoxesEngine::default();
    let limits = Limits { threads: 2, ..endless() };
    let report = engine.analyse(&board(2, 4), Scope::Moves, &control(limits));
    assert_eq!(report.value.proven(), Some(2));
    let mut one = DotsAndBoxesEngine::default();
    let limits = Limits { threads: 1, ..limits };
    let alone = one.analyse(&board(2, 4), Scope::Moves, &control(limits));
    assert_eq!(report.moves, alone.moves);
}

/// Intermediate reports only count the positions of the first thread.
#[test]
fn node_count_includes_all_threads() {
    let reports = Mutex::new(0);
    let on_report = |report: &Report<Line>| *reports.lock().unwrap() = report.nodes;
    let stop = AtomicBool::new(false);
    let limits = Limits { threads: 2, ..endless() };
    let control = Control::new(&stop, limits, &NoTableCache, &on_report);
    let report = DotsAndBoxesEngine::default().analyse(&board(3, 4), Scope::Best, &control);
    let first = *reports.lock().unwrap();
    assert!(first > 0 && report.nodes > first, "{} {first}", report.nodes);
}

#[test]
fn engine_answers_on_every_board() {
    for (rows, cols) in [(1, 1), (1, 63), (63, 1), (5, 5), (8, 8), (63, 63)] {
        answers_within_limits::<DotsAndBoxesEngine>(&board(rows, cols), 300);
    }
}

/// The engine also estimates every move if the deadline has passed.
#[test]
fn engine_estimates_every_move_after_the_deadline() {
    let position = board(5, 5);
    let reports = Mutex::new(Vec::new());
    let stop = AtomicBool::new(false);
    let on_report = |report: &Report<Line>| reports.lock().unwrap().push(report.clone());
    let control = Control::new(&stop, at_once(), &NoTableCache, &on_report);
    let report = DotsAndBoxesEngine::default().analyse(&position, Scope::Moves, &control);
    assert_eq!(report.halt, Some(StopReason::Time));
    let reports = reports.lock().unwrap();
    assert!(!reports.is_empty() && reports.iter().all(|report| report.moves.len() == 60));
    assert!(report.moves.iter().all(|rated| rated.value.kind() == crate::Kind::Estimate));
}

/// Holds for any number of random games.
#[test]
fn symmetric_moves_share_an_estimate() {
    let line = |text: &str| text.parse::<Line>().unwrap();
    let estimates = |position: &DotsAndBoxes| {
        let few = Limits { nodes: Some(1000), ..endless() };
        let report = DotsAndBoxesEngine::default().analyse(position, Scope::Moves, &control(few));
        let moves = report.moves.into_iter();
        moves.map(|rated| (rated.mv, rated.value.estimate)).collect::<HashMap<_, _>>()
    };
    let mut position = board(5, 5);
    let empty = estimates(&position);
    for same in [["H0,0", "V4,5"], ["H0,0", "H5,4"], ["H2,2", "V2,3"], ["V1,2", "H3,1"]] {
        let [one, other] = same.map(|text| empty[&line(text)]);
        assert!(one.is_some() && one == other, "{same:?}: {one:?} {other:?}");
    }
    // Only one symmetry is left after this line.
    position.play(line("H0,2")).unwrap();
    let rest = estimates(&position);
    assert_eq!(rest[&line("H0,1")], rest[&line("H0,3")]);
    assert_eq!(rest[&line("V3,0")], rest[&line("V3,5")]);
    assert!(rest.values().collect::<Vec<_>>().windows(2).any(|pair| pair[0] != pair[1]));
}

/// The solver checks its limits every 1024 positions.
#[test]
fn solver_obeys_the_node_limit() {
    for (rows, cols) in [(4, 4), (5, 5)] {
        for checks in [1, 20] {
            let nodes = ESTIMATE_GAMES + checks * 1024;
            let stop = AtomicBool::new(false);
            let limits = Limits { nodes: Some(nodes), ..endless() };
            let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
            let engine = &mut DotsAndBoxesEngine::default();
            let report = engine.analyse(&board(rows, cols), Scope::Moves, &control);
            assert!(report.halt.is_some());
            assert!((nodes..=nodes + 1024).contains(&report.nodes), "{rows}×{cols}: {report:?}");
        }
    }
}

/// Random games check for a stop after each game.
#[test]
fn random_games_obey_a_stop() {
    let stop = AtomicBool::new(false);
    let games = AtomicU64::new(0);
    let on_report = |report: &Report<Line>| {
        if report.nodes >= 256 && !stop.swap(true, Relaxed) {
            games.store(report.nodes, Relaxed);
        }
    };
    let control = Control::new(&stop, endless(), &NoTableCache, &on_report);
    let report = DotsAndBoxesEngine::default().analyse(&board(30, 30), Scope::Best, &control);
    assert_eq!((report.halt, report.nodes), (Some(StopReason::Stopped), games.load(Relaxed) + 1));
}

#[test]
fn horizon_matches_measurements() {
    let sees = |rows, cols, seconds| {
        DotsAndBoxesEngine::horizon(&board(rows, cols), Duration::from_secs(seconds))
    };
    assert_eq!(sees(3, 3, 2), Horizon::Solved);
    assert_eq!(sees(3, 4, 2), Horizon::Solved);
    assert_eq!(sees(5, 5, 2), Horizon::Lines(34));
    for (rows, cols) in [(2, 7), (3, 5), (4, 4)] {
        assert_eq!(sees(rows, cols, 10), Horizon::Solved, "{rows} × {cols}");
    }
    for (rows, cols) in [(4, 5), (2, 8)] {
        assert_ne!(sees(rows, cols, 10), Horizon::Solved, "{rows} × {cols}");
    }
}

/// In the opening of 4 × 4 boxes, every position is as hard as the first positions after the book.
#[test]
fn horizon_includes_the_book() {
    let mut position = board(4, 4);
    for mv in ["H0,0", "V3,4", "H2,1", "V1,1"] {
        assert_eq!(difficulty_in_a_match(&position), 36, "before {mv}");
        position.play(mv.parse().unwrap()).unwrap();
    }
    assert!(difficulty_in_a_match(&position) <= 36);
}

/// The book contains the first moves of 4 × 4 boxes under all rotations and reflections, and an answer to a reply.
#[test]
fn book_knows_the_opening_moves_in_every_symmetry() {
    let ask = |moves: &str, book| {
        let mut position = board(4, 4);
        moves.split(' ').filter(|mv| !mv.is_empty()).for_each(|mv| {
            position.play(mv.parse().unwrap()).unwrap();
        });
        let limits = Limits { book, ..at_once() };
        DotsAndBoxesEngine::default().analyse(&position, Scope::Best, &control(limits))
    };
    for moves in ["", "H0,0", "V3,4", "H4,3 V0,0", "H1,1 H2,1 V1,3", "V2,1 V1,1 H1,1"] {
        let report = ask(moves, true);
        let Some(value) = report.value.proven() else { panic!("{moves}: {:?}", report.value) };
        let best = report.best[0];
        assert_eq!(ask(moves, false).value.proven(), None, "{moves}");
        let next = ask(&format!("{moves} {best}"), true).value;
        assert_eq!(next.upper, Some(-value), "{moves}");
    }
    // The book's answer to any reply is proven to reach the value of the previous position.
    let best = ask("H1,1 H2,1 V1,3", true).best[0];
    let report = ask(&format!("H1,1 H2,1 V1,3 {best} H4,2"), true);
    assert_eq!((report.value.lower, report.value.upper), (Some(0), Some(16)));
}

#[test]
fn table_stays_within_its_memory() {
    let known = BoardTable::new(&board(5, 5), 64 * MIB).unwrap();
    assert!(known.memory.bytes() <= 64 * MIB + 64);
    assert_eq!(value(&board(2, 3), 64), -2, "a table of one entry or so");
}

#[test]
fn playout_scores_match_the_rules() {
    let mut rng = fastrand::Rng::with_seed(4);
    for (rows, cols) in [(1, 1), (3, 3), (5, 5), (2, 9)] {
        for left in [200, 20] {
            let start = random(rows, cols, left, &mut rng);
            let layout = BoardLayout::new(&start);
            for _ in 0..50 {
                let (mut position, mut marks) = (start.clone(), layout.marks(&start));
                while position.to_move().is_some() {
                    let line = rng.choice(position.legal_moves()).unwrap();
                    let before: u32 = position.score().iter().sum();
                    position.play(line).unwrap();
                    let closed = layout.draw(&mut marks, layout.index(line).unwrap());
                    assert_eq!(position.score().iter().sum::<u32>(), before + closed as u32);
                }
                assert_eq!(layout.undrawn(&marks).count(), 0);
            }
        }
    }
}

/// Returns the points that `better` scores in `games` games against `worse`, with this time per move.
fn points(size: [u8; 2], better: Level, worse: Level, games: u64, time: Duration) -> f32 {
    let start = |_| board(size[0], size[1]);
    play_match::<DotsAndBoxesEngine>(better, worse, games, time, start).points()
}

#[test]
fn casual_beats_beginner() {
    assert!(points([3, 3], Level::Casual, Level::Beginner, 40, Duration::ZERO) >= 30.0);
}

#[test]
#[ignore = "takes minutes in release: run by `cargo test --release -- --ignored`"]
#[allow(clippy::disallowed_methods)]
fn each_level_beats_the_one_below() {
    let millis = std::env::var("MILLIS").map_or(100, |text| text.parse().unwrap());
    for size @ [rows, cols] in [[2, 2], [2, 3], [3, 3], [3, 4], [4, 4], [5, 5], [8, 8]] {
        let casual = points(size, Level::Casual, Level::Beginner, 100, Duration::ZERO);
        let games = if rows == 8 { 20 } else { 100 };
        let time = Duration::from_millis(millis);
        let strong = points(size, Level::Strong, Level::Casual, games, time);
        assert!(casual > 50.0, "{rows}×{cols}: casual {casual} of 100");
        // On the smallest boards, both levels often play perfectly.
        assert!(strong >= games as f32 / 2.0, "{rows}×{cols}: strong {strong} of {games}");
    }
}
