//! Tests of the engine as a whole.

use super::JoinTheDotsReason::{Closes, Gives, Reduces, Safe};
use super::*;
use crate::minimax::after;
use crate::random::choice;
use crate::testing::{agrees_with_plain_search, answers_within_limits, control};
use crate::{Kind, Limits};

fn position(setup: &str) -> JoinTheDots {
    JoinTheDots::from_setup(&setup.parse().unwrap()).unwrap()
}

fn analyse(position: &JoinTheDots, scope: Scope, limits: Limits) -> Report<Edge> {
    JoinTheDotsEngine::default().analyse(position, scope, &control(limits))
}

/// Plays random games, using one engine for all positions of a game.
#[test]
fn it_agrees_with_plain_search() {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut known = HashMap::new();
    for seed in 0..12 {
        let mut position = position(&format!("layout=random:{} seed={seed}", 5 + seed % 2));
        let mut engine = JoinTheDotsEngine::default();
        while position.to_move().is_some() {
            agrees_with_plain_search(&mut engine, &position, &mut known);
            position = after(&position, *rng.choice(&position.legal_moves()).unwrap());
        }
    }
}

#[test]
fn levels_take_a_cycle_and_beginner_overlooks_some_answers() {
    let choose = |setup: &str, level| {
        let game = "1-2 2-3"
            .split(' ')
            .fold(position(setup), |position, mv| after(&position, mv.parse().unwrap()));
        JoinTheDotsEngine::default().choose(&game, level, &control(Limits::default()))
    };
    // Skilled may leave a cycle for a later one.
    for level in Level::ALL.into_iter().filter(|&level| level != Level::Skilled) {
        let choice = choose("layout=circle:7", level);
        assert_eq!(choice.mv.to_string(), "1-3", "{level}");
        let reason = why::why(&position("layout=circle:7"), choice.mv).unwrap();
        assert!(matches!(reason, Safe { blocked: 0, left: Some(_) }), "{reason:?}");
    }
    let start = after(&position("layout=circle:7"), "1-2".parse().unwrap());
    let offers = |level| {
        let offers = |&seed: &u64| {
            let limits = Limits { seed, ..Limits::default() };
            let mv = JoinTheDotsEngine::default().choose(&start, level, &control(limits)).mv;
            matches!(why::why(&start, mv), Some(Gives { .. }))
        };
        (0..1000).filter(offers).count()
    };
    let [beginner, casual] = [Level::Beginner, Level::Casual].map(offers);
    assert!((10..200).contains(&beginner) && casual < beginner, "{beginner} {casual}");
}

#[test]
fn why_names_the_reason() {
    let play = |moves: &str| {
        let words = moves.split_whitespace();
        words
            .fold(position("layout=circle:7"), |position, mv| after(&position, mv.parse().unwrap()))
    };
    let why = |moves: &str, mv: &str| why::why(&play(moves), mv.parse().unwrap());
    assert_eq!(why("1-2 2-3 3-4", "1-4"), Some(Closes(4)));
    assert!(matches!(why("1-2", "3-4"), Some(Safe { blocked: 0, left: Some(_) })));
    assert_eq!(why("1-2", "2-3"), Some(Gives { dots: 3, is_least: false }));
    assert_eq!(why("1-2", "1-2"), None);
    let eight = "3-4 2-3"
        .split(' ')
        .fold(position("layout=eight"), |position, mv| after(&position, mv.parse().unwrap()));
    let reason = why::why(&eight, "7-8".parse().unwrap());
    assert!(matches!(reason, Some(Safe { blocked: 3, .. })), "{reason:?}");
}

/// Returns the size of the largest cycle that can be closed, by the rules.
fn largest(position: &JoinTheDots) -> i32 {
    let cycles =
        position.legal_moves().into_iter().filter_map(|line| position.cycle_closed_by(line));
    cycles.map(|cycle| cycle.len() as i32).max().unwrap_or_default()
}

/// Returns the lines that close no cycle and give none away.
fn safe(position: &JoinTheDots) -> Vec<Edge> {
    let closes = |line: Edge| position.cycle_closed_by(line).is_some();
    let is_safe = |&line: &Edge| !closes(line) && largest(&after(position, line)) == 0;
    position.legal_moves().into_iter().filter(is_safe).collect()
}

/// In random positions, every line has a reason, and the rules confirm it.
#[test]
fn reasons_are_true() {
    let mut rng = fastrand::Rng::with_seed(33);
    let mut said = [0; 6];
    for seed in 0..25 {
        let mut position = position(&format!("layout=random:{} seed={seed}", 5 + seed % 4));
        while position.to_move().is_some() {
            let stopped = largest(&position);
            let offers = |line| largest(&after(&position, line));
            let least = position.legal_moves().into_iter().map(offers).min().unwrap();
            for line in position.legal_moves() {
                let reason = why::why(&position, line).unwrap();
                let next = after(&position, line);
                let offered = largest(&next);
                let told = format!("{position} {line} {reason:?}");
                let cycle = position.cycle_closed_by(line).map(|cycle| cycle.len() as u32);
                assert_eq!(cycle.is_some(), matches!(reason, Closes(_)), "{told}");
                let kind = match reason {
                    Closes(dots) => {
                        assert_eq!(Some(dots), cycle, "{told}");
                        0
                    }
                    Reduces { from, to } => {
                        assert_eq!([from, to], [stopped, offered], "{told}");
                        1
                    }
                    Gives { dots, is_least } => {
                        assert_eq!((dots, is_least), (offered, offered == least), "{told}");
                        2
                    }
                    Safe { blocked, left } => {
                        assert_eq!((offered, blocked), (0, stopped), "{told}");
                        let goes_on = next.to_move().is_some();
                        assert_eq!(left, goes_on.then(|| safe(&next).len() as u32), "{told}");
                        match (blocked, left) {
                            (1.., _) => 3,
                            (_, Some(0)) => 4,
                            _ => 5,
                        }
                    }
                };
                said[kind] += 1;
            }
            position = after(&position, choice(&mut rng, &position.legal_moves()).unwrap());
        }
    }
    assert!(said.iter().all(|&count| count > 0), "{said:?}");
}

#[test]
fn engine_answers_on_every_board() {
    for setup in ["layout=random:3", "layout=circle:17", "layout=random:60", "layout=random:200"] {
        answers_within_limits::<JoinTheDotsEngine>(&position(setup), 1_000);
    }
}

/// The choice among equally good moves counts too.
#[test]
fn choice_of_the_hardest_move_counts_towards_the_limit() {
    let position = position("layout=random:10 seed=1");
    let analysed = analyse(&position, Scope::Best, Limits::default()).nodes;
    let choose = |nodes| {
        let limits = Limits { nodes, ..Limits::default() };
        JoinTheDotsEngine::default().choose(&position, Level::Strong, &control(limits)).report
    };
    assert!(choose(None).nodes > analysed + 4 * 1_024);
    let report = choose(Some(analysed + 1));
    assert!(report.value.proven().is_some());
    assert!(report.nodes <= analysed + 2 * 1_024, "{} {analysed}", report.nodes);
}

#[test]
fn engine_stays_within_its_memory() {
    let position = position("layout=random:9 seed=1");
    let values = [0, 1 << 20, 64 << 20].map(|memory| {
        let report = analyse(&position, Scope::Best, Limits { memory, ..Limits::default() });
        assert!(report.table_bytes <= memory, "{} of {memory}", report.table_bytes);
        report.value
    });
    assert_eq!(values, [values[2]; 3]);
    assert_eq!(values[2].kind(), Kind::Exact);
}

#[test]
fn horizon_depends_on_points_and_layout() {
    let horizon = |setup: &str, seconds| {
        JoinTheDotsEngine::horizon(&position(setup), Duration::from_secs(seconds))
    };
    assert_eq!(horizon("layout=random:10", 1), Horizon::Solved);
    assert_eq!(horizon("layout=random:13", 1), Horizon::Points(12));
    assert_eq!(horizon("layout=circle:16", 1), Horizon::Solved);
    assert_eq!(horizon("layout=circle:17", 1), Horizon::Points(12));
}
