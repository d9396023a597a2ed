//! The exact search compared with plain search.

use super::super::convex::Convex;
use super::super::point_set::tests::{start, walk};
use super::super::scattered::Scattered;
use super::super::table;
use super::*;
use crate::minimax::{after, final_margin, margin};
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_rules::{Position, Seat};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

fn with_solver<A: PointSet, T>(
    point_set: &A,
    budget: usize,
    ask: impl FnOnce(&mut JoinSolver<'_, A>) -> T,
) -> T {
    let mut memory = table::memory(budget).unwrap();
    ask(&mut JoinSolver::new(&SharedJoinSearch::new(point_set, memory.table(), &|_| false)))
}

fn value(position: &JoinTheDots) -> i32 {
    fn solve<A: PointSet>(point_set: &A, position: &JoinTheDots) -> i32 {
        with_solver(point_set, 64 << 20, |solver| {
            let proven = solver.solve(&point_set.pack(position).unwrap(), 0, |_, _| ());
            assert_eq!(proven.lower, proven.upper);
            proven.lower
        })
    }
    match Convex::new(position) {
        Some(point_set) => solve(&point_set, position),
        None => solve(&Scattered::new(position).unwrap(), position),
    }
}

/// Returns the margin to come for the side to move, by plain search.
fn ahead(position: &JoinTheDots, known: &mut HashMap<JoinTheDots, i32>) -> i32 {
    let ahead = margin(position, known) - final_margin(position);
    if position.to_move() == Some(Seat::FIRST) { ahead } else { -ahead }
}

/// Compares the search with plain search in one position: whether each margin is reached; the margin, the best move and
/// the principal variation from every guess; and the margin of each move.
fn hold_to_plain<A: PointSet>(
    point_set: &A,
    position: &JoinTheDots,
    known: &mut HashMap<JoinTheDots, i32>,
    solver: &mut JoinSolver<'_, A>,
) {
    let state = point_set.pack(position).unwrap();
    let margin = ahead(position, known);
    let left = point_set.left(&state);
    for goal in -left - 1..=left + 1 {
        assert_eq!(solver.is_at_least(&state, goal), margin >= goal, "{position} {goal}");
    }
    let mut worth = HashMap::new();
    for line in position.legal_moves() {
        let next = after(position, line);
        let gain = position.cycle_closed_by(line).map_or(0, |cycle| cycle.len() as i32);
        let after = if next.to_move().is_some() { ahead(&next, known) } else { 0 };
        worth.insert(point_set.mv(position, &state, line).unwrap(), gain - after);
    }
    for (&mv, &worth) in &worth {
        assert_eq!(solver.prove_move(&state, mv, margin), Some(worth));
        assert_eq!(solver.reaches(&state, mv, margin), Some(worth >= margin));
    }
    for guess in [-left, margin, left] {
        let proven = solver.solve(&state, guess, |_, told| {
            assert!((told.lower..=told.upper).contains(&margin));
            assert!(told.best.is_none_or(|mv| worth[&mv] >= told.lower));
        });
        assert_eq!((proven.lower, proven.upper), (margin, margin), "{position}");
        assert_eq!(worth[&proven.best.unwrap()], margin, "{position}");
        let line = solver.pv(&state, proven);
        let lines = point_set.lines(position, &state, &line);
        let end = lines.iter().fold(position.clone(), |position, &mv| after(&position, mv));
        let all = final_margin(&end) - final_margin(position);
        assert_eq!(all, if position.to_move() == Some(Seat::FIRST) { margin } else { -margin });
        assert!(end.outcome().is_some(), "a whole line");
    }
}

#[test]
fn solver_matches_plain_search() {
    for seed in 0..24 {
        let setup = format!("layout=random:{} seed={seed}", 3 + seed % 4);
        let point_set = Scattered::new(&start(&setup)).unwrap();
        let mut known = HashMap::new();
        for budget in [0, 1 << 20] {
            with_solver(&point_set, budget, |solver| {
                walk(&setup, 2, seed, |position| {
                    hold_to_plain(&point_set, position, &mut known, solver);
                });
            });
        }
    }
    for count in 3..=6 {
        let setup = format!("layout=circle:{count}");
        let point_set = Convex::new(&start(&setup)).unwrap();
        let mut known = HashMap::new();
        for budget in [0, 1 << 20] {
            with_solver(&point_set, budget, |solver| {
                walk(&setup, 4, count, |position| {
                    hold_to_plain(&point_set, position, &mut known, solver);
                });
            });
        }
    }
}

/// Tests more points, late in a game, where plain search is fast enough.
#[test]
fn solver_matches_plain_search_late_in_a_game() {
    for seed in 0..6 {
        let setup = format!("layout=random:9 seed={seed}");
        let point_set = Scattered::new(&start(&setup)).unwrap();
        let mut known = HashMap::new();
        with_solver(&point_set, 4 << 20, |solver| {
            walk(&setup, 2, seed, |position| {
                let left = position.points_left().count();
                if position.lines().len() + 6 > left {
                    hold_to_plain(&point_set, position, &mut known, solver);
                }
            });
        });
    }
}

/// Both ways of packing the corners of a convex polygon give the same values.
#[test]
fn convex_and_scattered_packing_give_equal_values() {
    let position = start("layout=circle:9");
    let round = Convex::new(&position).unwrap();
    let any = Scattered::new(&position).unwrap();
    with_solver(&round, 8 << 20, |round_solver| {
        with_solver(&any, 8 << 20, |solver| {
            walk("layout=circle:9", 6, 5, |position| {
                let one = round_solver.solve(&round.pack(position).unwrap(), 0, |_, _| ());
                let other = solver.solve(&any.pack(position).unwrap(), 0, |_, _| ());
                assert_eq!(one.lower, other.lower, "{position}");
            });
        });
    });
}

/// The margin of the first player on circles of at least 3 points.
#[test]
fn circles_have_their_known_values() {
    for (count, margin) in (3..=15).zip([3, 3, -3, 0, 0, 0, -3, 3, 2, 0, 0, 0, -3]) {
        assert_eq!(value(&start(&format!("layout=circle:{count}"))), margin, "{count}");
    }
}

/// For more than 16 points, no other source for these values is known.
#[test]
#[ignore = "takes seconds in release: run by `cargo test --release -- --ignored`"]
fn larger_circles_have_their_computed_values() {
    for (count, margin) in (16..=20).zip([3, 3, 0, 0, 0]) {
        assert_eq!(value(&start(&format!("layout=circle:{count}"))), margin, "{count}");
    }
}

/// The order types of four and five points (Aichholzer's count is 2 and 3).
#[test]
fn order_types_have_their_known_values() {
    let margin = |points: &str| value(&start(&format!("points={points}")));
    assert_eq!(margin("0,0;1,0.1;0.9,1;0.1,0.9"), 3);
    assert_eq!(margin("0,0;1,0.1;0.4,1;0.45,0.4"), -4);
    assert_eq!(value(&start("layout=circle:5")), -3);
    // A quadrilateral with one point inside, and a triangle with two.
    assert_eq!(margin("0,0;1,0.1;0.9,1;0.1,0.9;0.5,0.3"), 3);
    assert_eq!(margin("0,0;1,0.1;0.4,1;0.45,0.4;0.5,0.5"), 3);
    for seed in 0..40 {
        let count = 6 + seed % 2;
        assert_eq!(value(&start(&format!("layout=random:{count} seed={seed}"))), 0, "{seed}");
    }
}

const PUZZLE: &str = "points=0.818,0.567;0.481,0.746;0.257,0.575;0.941,0.857;0.067,0.22;\
                      0.6,0.38;0.068,0.857;0.909,0.383";

#[test]
fn puzzle_has_two_winning_moves() {
    let position = start(PUZZLE);
    assert_eq!(value(&position), 1);
    let wins = position.legal_moves().into_iter().filter(|&mv| value(&after(&position, mv)) < 0);
    assert_eq!(wins.map(|mv| mv.to_string()).collect::<Vec<_>>(), ["4-5", "7-8"]);
}

/// Several threads with one table find the same results, and each searches fewer positions.
#[test]
fn threads_share_the_work() {
    let position = start("layout=random:10 seed=1");
    let point_set = Scattered::new(&position).unwrap();
    let state = point_set.pack(&position).unwrap();
    let alone = with_solver(&point_set, 64 << 20, |solver| {
        (solver.solve(&state, 0, |_, _| ()).lower, solver.nodes)
    });
    let mut memory = table::memory(64 << 20).unwrap();
    let over = AtomicBool::new(false);
    let halt = |_| over.load(Relaxed);
    let shared = SharedJoinSearch::new(&point_set, memory.table(), &halt);
    let found = thread::scope(|threads| {
        let solve = || {
            let mut solver = JoinSolver::new(&shared);
            (solver.solve(&state, 0, |_, _| ()), solver.nodes)
        };
        [(); 3].map(|()| threads.spawn(solve)).map(|thread| thread.join().unwrap())
    });
    for (proven, _) in found {
        assert_eq!((proven.lower, proven.upper), (alone.0, alone.0));
    }
    let nodes: u64 = found.iter().map(|(_, nodes)| nodes).sum();
    assert!(nodes < 2 * alone.1, "{nodes} and {}", alone.1);
}

#[test]
fn stopped_search_keeps_proven_bounds() {
    let position = start("layout=random:10 seed=1");
    let point_set = Scattered::new(&position).unwrap();
    let state = point_set.pack(&position).unwrap();
    let margin = value(&position);
    let mut memory = table::memory(64 << 20).unwrap();
    let mut most = 0;
    for nodes in [0, 300, 3_000, 30_000, 3_000_000] {
        let halt = |searched| searched >= nodes;
        let shared = SharedJoinSearch::new(&point_set, memory.table(), &halt);
        let mut solver = JoinSolver::new(&shared);
        let proven = solver.solve(&state, 0, |_, _| ());
        assert!((proven.lower..=proven.upper).contains(&margin), "{proven:?}");
        assert_eq!(solver.stopped, proven.lower < proven.upper);
        assert!(solver.nodes <= nodes + HALT_INTERVAL);
        most = most.max(solver.nodes);
    }
    assert!(most > 0);
}
