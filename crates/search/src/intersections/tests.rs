use super::IntersectionsReason::{Concedes, KeepsThreat, Leaves, Makes, Nothing, Threatens};
use super::*;
use crate::minimax::after;
use crate::testing::{
    agrees_with_plain_search, answers_within_limits, contains, control, play_match, within,
};
use crate::{Limits, NoTableCache, RoundValue};
use quadrille_rules::Round;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::mem::discriminant;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

fn start(setup: &str) -> Intersections {
    Intersections::from_setup(&setup.parse().unwrap()).unwrap()
}

/// Returns a position from random play with at most `most` segments left in its round.
pub(super) fn random_position(
    start: &Intersections,
    most: u32,
    rng: &mut fastrand::Rng,
) -> Intersections {
    let mut position = start.clone();
    let plies = rng.u32(0..start.rounds()) * start.segments();
    let least = start.segments().saturating_sub(most);
    for _ in 0..plies + rng.u32(least..start.segments()) {
        let moves = position.legal_moves();
        position = after(&position, moves[rng.usize(..moves.len())]);
    }
    position
}

fn analyse(
    engine: &mut IntersectionsEngine,
    position: &Intersections,
    limits: Limits,
) -> Report<Segment> {
    engine.analyse(position, Scope::Moves, &control(limits))
}

/// In random positions with two seats, plain search confirms the margin, the moves and every report.
#[test]
fn two_seat_reports_match_plain_search() {
    let mut rng = fastrand::Rng::with_seed(5);
    for setup in [
        "rows=2 cols=3 rounds=4",
        "rows=2 cols=3 rounds=2 first=next",
        "size=3 segments=2 rounds=4 first=seat1",
        "rows=2 cols=4 segments=4 first=seat1",
    ] {
        let mut known = HashMap::new();
        let mut engine = IntersectionsEngine::default();
        for _ in 0..8 {
            let position = random_position(&start(setup), 4, &mut rng);
            agrees_with_plain_search(&mut engine, &position, &mut known);
        }
    }
}

/// All positions count: those of the moves, of the later rounds and of the variation through them.
#[test]
fn every_position_counts_towards_the_limit() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut after_plies = |setup: &str, plies: u32| {
        (0..plies).fold(start(setup), |position, _| {
            after(&position, *rng.choice(&position.legal_moves()).unwrap())
        })
    };
    let whole = "size=4 segments=8";
    let (first, last) = (after_plies(whole, 0), after_plies(whole, 7));
    let four = after_plies("size=4 segments=8 players=4", 3);
    for position in [&first, &last, &four] {
        if position.seats() == 2 {
            answers_within_limits::<IntersectionsEngine>(position, 1_000);
        }
        let depth = Limits { depth: Some(1), ..Limits::default() };
        let report = analyse(&mut IntersectionsEngine::default(), position, depth);
        assert!(report.nodes <= 1_000 + 1_024, "{}", report.nodes);
    }
    // The last segment of a round needs no search, but the later round does.
    let report = analyse(&mut IntersectionsEngine::default(), &last, Limits::default());
    assert!(report.nodes > 4_000 && report.value.proven().is_some(), "{report:?}");
    let few = Limits { nodes: Some(1_000), ..Limits::default() };
    let report = analyse(&mut IntersectionsEngine::default(), &last, few);
    assert_eq!((report.value.proven(), report.halt), (None, Some(StopReason::Stopped)));
    // Two later rounds cancel out, so the margin is proven, and only the variation needs them.
    let cancels = after_plies("size=4 segments=8 rounds=4", 15);
    let report = analyse(&mut IntersectionsEngine::default(), &cancels, Limits::default());
    assert!(report.nodes > 4_000 && report.pv.len() > 1, "{report:?}");
    let report = analyse(&mut IntersectionsEngine::default(), &cancels, few);
    assert_eq!((report.value.proven().is_some(), report.pv.len()), (true, 1));
    assert!(report.nodes <= 1_000 + 1_024, "{}", report.nodes);
}

/// If there is too little time for a proof, the search ends at its maximum depth, and says why nothing is proven.
#[test]
fn unproven_search_reports_why_it_ended() {
    let position = start("size=6");
    let time = Duration::from_secs(100);
    assert!(work_on(&position) > time.as_secs_f32().log2());
    let limits = Limits { depth: Some(1), ..within(time) };
    let report = analyse(&mut IntersectionsEngine::default(), &position, limits);
    assert_eq!((report.value.proven(), report.halt), (None, Some(StopReason::MemoryLimit)));
}

/// Returns the possible final scores when every seat maximizes its own lead and breaks ties arbitrarily.
fn ends(position: &Intersections) -> BTreeSet<Vec<i32>> {
    let Some(seat) = position.to_move() else {
        return BTreeSet::from([scores(position).collect()]);
    };
    let next: Vec<_> =
        position.legal_moves().into_iter().map(|mv| ends(&after(position, mv))).collect();
    let own = |end: &Vec<i32>| lead(end, seat);
    let least = next.iter().map(|ends| ends.iter().map(own).min());
    let least: Vec<i32> = least.map(Option::unwrap).collect();
    let all = next.iter().enumerate().flat_map(|(at, ends)| ends.iter().map(move |end| (at, end)));
    let may_be_chosen = |&(at, end): &(usize, &Vec<i32>)| {
        least.iter().enumerate().all(|(other, &least)| other == at || own(end) >= least)
    };
    all.filter(may_be_chosen).map(|(_, end)| end.clone()).collect()
}

/// In random positions of the last round with at least three seats, the proven bounds hold for every result of best
/// play. The margin is proven for the last segment, and whenever no seat is indifferent.
#[test]
fn last_round_proves_the_margin_with_more_seats() {
    let mut rng = fastrand::Rng::with_seed(15);
    let (mut exact, mut all) = (0, 0);
    for (setup, most) in [
        ("size=3 players=3 rounds=3 segments=3", 3),
        ("size=3 players=3 rounds=6 segments=6 first=next", 3),
        ("size=3 players=4 rounds=4 segments=4 first=seat1", 3),
        ("size=4 players=3 rounds=3 segments=9", 2),
        ("rows=2 cols=4 players=3 rounds=9 segments=3", 3),
    ] {
        let mut engine = IntersectionsEngine::default();
        for _ in 0..30 {
            let start = start(setup);
            let mut position = start.clone();
            let last = start.rounds() * start.segments();
            for _ in 0..last - rng.u32(1..=most) {
                // The offense scores more often than by chance, to make the scores differ.
                let moves = position.legal_moves();
                let made = |&mv: &Segment| position.with_segment(mv).scoring_dots().count();
                let best = moves.iter().copied().max_by_key(made).filter(|_| rng.bool());
                let mv = best.or(rng.choice(moves)).unwrap();
                position = after(&position, mv);
            }
            let seat = position.to_move().unwrap();
            let own = |ends: BTreeSet<Vec<i32>>| -> BTreeSet<i32> {
                ends.iter().map(|end| lead(end, seat)).collect()
            };
            let report = analyse(&mut engine, &position, Limits::default());
            let (value, leads) = (report.value, own(ends(&position)));
            for &lead in &leads {
                assert!(contains(value, lead), "{setup} {position} {value:?} {leads:?}");
            }
            for rated in &report.moves {
                for lead in own(ends(&after(&position, rated.mv))) {
                    assert!(contains(rated.value, lead), "{setup} {position} {}", rated.mv);
                }
            }
            let scores: Vec<i32> = scores(&position).collect();
            let offense = position.round().offense.index();
            let is_ahead = scores.iter().max() == Some(&scores[offense]);
            let defends_behind = seat.index() != offense && lead(&scores, seat) <= 0;
            if left(&position) == 1 || is_ahead || defends_behind {
                assert!(value.proven().is_some(), "{setup} {position} {value:?}");
            }
            all += 1;
            exact += usize::from(value.proven().is_some());
        }
    }
    assert!(exact * 4 > all * 3 && exact < all, "{exact} of {all}");
}

/// Returns the score of the offense in the current round, as proven by the engine.
fn round_value(engine: &mut IntersectionsEngine, position: &Intersections) -> u32 {
    let report = engine.search(position, Scope::Best, false, &control(Limits::default()));
    proven_dots(&report)
}

/// Returns the offense's score. The report's value is positive for the offense and negative for the defenders.
fn proven_dots(report: &Report<Segment>) -> u32 {
    report.round_value.and_then(RoundValue::proven).unwrap().unsigned_abs()
}

#[test]
fn perfect_play_keeps_the_value() {
    let mut rng = fastrand::Rng::with_seed(6);
    for (setup, most) in [
        ("size=3", 6),
        ("size=3 players=3 segments=6 first=seat1", 6),
        ("size=4 first=next", 5),
        ("size=4 players=4 segments=8", 5),
        ("rows=3 cols=6 first=seat1", 4),
        ("size=6 players=5", 2),
        ("size=20 players=3", 1),
    ] {
        let mut engine = IntersectionsEngine::default();
        for seed in 0..6 {
            let position = random_position(&start(setup), most, &mut rng);
            let limits = Limits { seed, ..within(Duration::ZERO) };
            let choice = engine.choose(&position, Level::Perfect, &control(limits));
            assert_eq!(choice.report.halt, None);
            let value = round_value(&mut engine, &position);
            assert_eq!(proven_dots(&choice.report), value);
            let kept = if left(&position) == 1 {
                position.with_segment(choice.mv).scoring_dots().count() as u32
            } else {
                round_value(&mut engine, &after(&position, choice.mv))
            };
            assert_eq!(kept, value, "{setup} {position} {}", choice.mv);
        }
    }
}

#[test]
fn every_level_picks_a_legal_move_determined_by_the_seed() {
    let mut rng = fastrand::Rng::with_seed(8);
    for setup in ["size=2", "rows=2 cols=32", "size=8 players=3", "size=16 players=8 first=seat1"] {
        let position = random_position(&start(setup), 1000, &mut rng);
        for level in [Level::Beginner, Level::Casual, Level::Skilled, Level::Strong] {
            let played = RefCell::new(None);
            for _ in 0..2 {
                let stop = AtomicBool::new(false);
                // The search is stopped after its first report.
                let on_report = |_: &Report<Segment>| stop.store(true, Ordering::Relaxed);
                let control = Control::new(&stop, Limits::default(), &NoTableCache, &on_report);
                let mut engine = IntersectionsEngine::default();
                let choice = engine.choose(&position, level, &control);
                assert_eq!(position.check(choice.mv), Ok(()), "{setup} {level}");
                let before = played.replace(Some(choice.mv));
                assert!(before.is_none_or(|before| before == choice.mv), "{setup} {level}");
            }
        }
    }
}

#[test]
fn stopped_search_reports_its_current_result() {
    let mut engine = IntersectionsEngine::default();
    for setup in ["size=5 players=3", "size=12", "size=32 players=8"] {
        let position = start(setup);
        let stop = AtomicBool::new(false);
        let reports = Mutex::new(0);
        let on_report = |report: &Report<Segment>| {
            assert_eq!(report.moves.len(), position.legal_moves().len());
            assert!(report.value.point_estimate().is_some());
            *reports.lock().unwrap() += 1;
            stop.store(*reports.lock().unwrap() == 2, Ordering::Relaxed);
        };
        let control = Control::new(&stop, Limits::default(), &NoTableCache, &on_report);
        let report = engine.analyse(&position, Scope::Moves, &control);
        assert_eq!(report.halt, Some(StopReason::Stopped), "{setup}");
        assert_eq!(position.check(report.best[0]), Ok(()));
        assert!(*reports.lock().unwrap() <= 3);
    }
}

/// The value of a round, like every value, is from the view of the seat to move: the offense gains what the defenders
/// lose. This also applies to each move, and the best move has the value of the position.
#[test]
fn round_value_is_relative_to_the_seat_to_move() {
    for (setup, sign) in [
        ("size=3 segments=4", 1),
        ("size=3 segments=4 first=next", -1),
        ("size=3 players=3 segments=3 first=next", -1),
    ] {
        let position = start(setup);
        let report = analyse(&mut IntersectionsEngine::default(), &position, Limits::default());
        let value = report.round_value.and_then(RoundValue::proven).unwrap();
        assert!(value * sign >= 0, "{setup}: {value}");
        let moves: Vec<i32> =
            report.moves.iter().filter_map(|rated| rated.round_value?.proven()).collect();
        assert_eq!(moves.len(), position.legal_moves().len(), "{setup}");
        assert!(moves.iter().max() == Some(&value) && moves.is_sorted_by(|a, b| a >= b), "{setup}");
        let dots =
            |mv: Segment| round_value(&mut IntersectionsEngine::default(), &after(&position, mv));
        for rated in report.moves {
            assert_eq!(
                rated.round_value,
                Some(RoundValue::Proven(sign * dots(rated.mv) as i32)),
                "{setup}"
            );
        }
    }
}

#[test]
fn memory_limit_bounds_the_tables() {
    for memory in [0, 1 << 20, 8 << 20] {
        let mut engine = IntersectionsEngine::default();
        let limits = Limits { memory, ..Limits::default() };
        let report = analyse(&mut engine, &start("size=4 segments=4"), limits);
        assert_eq!(
            (report.round_value, report.value.proven()),
            (Some(RoundValue::Proven(1)), Some(0))
        );
        assert!(report.table_bytes <= memory.max(1 << 16), "{} of {memory}", report.table_bytes);
    }
}

#[test]
fn why_names_a_reason_if_one_exists() {
    let why = |position: &Intersections, mv: &str| why::why(position, mv.parse().unwrap());
    let after = |setup: &str, moves: &str| {
        let mut position = start(setup);
        moves.split_whitespace().for_each(|mv| position.play(mv.parse().unwrap()).unwrap());
        position
    };
    let position = after("size=4", "1,1-3,1 1,2-3,2");
    assert_eq!(why(&position, "1,0-1,3"), Some(Makes(2)));
    assert_eq!(why(&position, "2,0-2,1"), Some(Makes(1)));
    assert_eq!(why(&position, "0,0-0,1"), Some(KeepsThreat(2)));
    let position = after("size=5", "4,0-4,1 1,1-2,1");
    assert_eq!(why(&position, "2,2-3,2"), Some(Threatens(2)));
    // Two vertical segments end in row 2, and one horizontal segment could pass both ends.
    let position = after("size=5 first=next", "1,1-2,1 2,2-3,2");
    assert_eq!(why(&position, "2,1-2,2"), Some(Leaves { before: 2, now: 1 }));
    assert_eq!(why(&position, "0,0-0,1"), Some(Leaves { before: 2, now: 2 }));
    let position = after("size=3 segments=4 first=offense", "0,1-1,1 1,0-1,1 0,0-0,1");
    assert_eq!(why(&position, "2,0-2,1"), Some(Nothing));
    assert_eq!(why(&position, "1,1-1,2"), Some(Concedes(1)));
    assert_eq!(why(&position, "1,0-1,1"), None);
    // Only the defense draws after these segments.
    let position = after("size=3 segments=4 rounds=2", "0,0-0,1 2,1-2,2");
    assert_eq!(why(&position, "0,1-1,1"), Some(Nothing));
    let position = after("size=3 players=3 segments=3 rounds=3", "0,1-2,1");
    assert_eq!(why(&position, "0,0-1,0"), Some(Nothing));
    let position = after("size=3 players=3 segments=6", "0,1-2,1 0,0-1,0");
    assert_eq!(why(&position, "2,0-2,1"), Some(Leaves { before: 1, now: 1 }));
}

/// Returns whether the offense draws again in this round, by playing on.
fn offense_draws_again(position: &Intersections, round: Round) -> bool {
    let mut here = position.clone();
    while here.to_move().is_some() && here.round() == round {
        if here.to_move() == Some(round.offense) {
            return true;
        }
        here = after(&here, here.legal_moves()[0]);
    }
    false
}

/// In random positions with two to four seats, also at the end of a round, the rules confirm the reason for every
/// segment.
#[test]
fn reasons_are_true() {
    let mut rng = fastrand::Rng::with_seed(33);
    let mut said = HashSet::new();
    let dots = |position: &Intersections| position.scoring_dots().count() as u32;
    for (setup, most) in [
        ("size=3", 7),
        ("size=3 segments=4 rounds=2", 3),
        ("size=3 segments=4 first=seat1", 4),
        ("size=3 players=3 rounds=3 segments=3", 3),
        ("size=3 players=3 segments=6 first=next", 4),
        ("size=4 first=next", 7),
        ("rows=3 cols=5 players=3 segments=6", 6),
        ("size=4 players=4 segments=8 first=seat1", 8),
        ("size=9", 30),
    ] {
        for _ in 0..12 {
            let position = random_position(&start(setup), most, &mut rng);
            let most = |position: &Intersections| {
                let with = |mv| dots(&position.with_segment(mv)) - dots(position);
                position.legal_moves().into_iter().map(with).max().unwrap_or_default()
            };
            let is_offense = position.to_move() == Some(position.round().offense);
            let before = most(&position);
            for mv in position.legal_moves().into_iter().take(60) {
                let next = position.with_segment(mv);
                let expected = match dots(&next) - dots(&position) {
                    made @ 1.. if is_offense => Makes(made),
                    made @ 1.. => Concedes(made),
                    0 if !offense_draws_again(&after(&position, mv), position.round()) => Nothing,
                    0 => match most(&next) {
                        now if !is_offense => Leaves { before, now },
                        0 => Nothing,
                        now if now > before => Threatens(now),
                        now => KeepsThreat(now),
                    },
                };
                assert_eq!(why::why(&position, mv), Some(expected), "{setup} {position} {mv}");
                said.insert(discriminant(&expected));
            }
        }
    }
    assert_eq!(said.len(), 6);
}

#[test]
fn horizon_covers_a_round_solved_in_time() {
    let horizon = |setup: &str, seconds| {
        IntersectionsEngine::horizon(&start(setup), Duration::from_secs(seconds))
    };
    for setup in ["size=3", "size=4", "rows=4 cols=5 segments=10", "size=5 segments=8"] {
        assert_eq!(horizon(setup, 1), Horizon::Solved, "{setup}");
    }
    assert_eq!(horizon("size=5", 1), Horizon::Segments(Some(10)));
    assert_eq!(horizon("size=32", 1), Horizon::Segments(Some(1)));
    assert_eq!(horizon("size=4 players=3", 1), Horizon::Segments(None));
}

#[test]
#[ignore = "plays 1200 matches, minutes in release: run by `cargo test --release -- --ignored`"]
fn each_level_beats_the_one_below() {
    for setup in ["size=4 rounds=4", "size=5 rounds=4", "size=6", "size=4 players=3 rounds=24"] {
        for (better, worse) in [
            (Level::Casual, Level::Beginner),
            (Level::Skilled, Level::Casual),
            (Level::Strong, Level::Skilled),
        ] {
            let time = Duration::from_millis(100);
            let result =
                play_match::<IntersectionsEngine>(better, worse, 100, time, |_| start(setup));
            assert!(result.won >= 75, "{setup}, {better} against {worse}: {result:?}");
        }
    }
}
