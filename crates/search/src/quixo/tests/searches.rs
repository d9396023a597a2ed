//! Compares searches without a table with tables.

use super::*;
use crate::minimax::after;
use crate::testing::within;

/// Checks that a search without a table proves the values in the table, as far as its depth allows.
fn hold_to_the_table(size: u8, boards: usize, depth: u8) {
    let mut engine = QuixoEngine::default();
    let start = Quixo::new(size).unwrap();
    analyse(&mut engine, &start, Scope::Best, Limits::default());
    let table = engine.table().unwrap();
    let mut rng = fastrand::Rng::with_seed(7);
    let mut kept = TableSlot::default();
    let (mut proven, mut lines) = (0, 0);
    for round in 0..boards {
        let memory = if round % 3 == 0 { 4096 } else { 1 << 20 };
        let position = random(size, 1 + round % 4, &mut rng);
        let board = Board::of(&position, mover(&position));
        let scope = if round % 2 == 0 { Scope::Best } else { Scope::Moves };
        let in_match = round % 4 == 0;
        let control = control(Limits { memory, ..Limits::default() });
        let transposition = transposition_of(&mut kept, memory);
        let mut search = Search::new(&table.geometry, transposition, &control);
        if in_match {
            // Half of the positions that the seat can move to occurred before. The proven results do not depend on
            // that.
            let next = table.geometry.legal(board).map(|slide| slide.play(board));
            let earlier = next.step_by(2).chain([board]);
            search = search.in_match(earlier.collect());
        }
        let report = search.run(board, scope, depth);
        let hold = |value: Value, expected: BoardValue| {
            let outcome = expected.outcome();
            assert!(value.lower.is_none_or(|lower| lower <= outcome), "{position}\n{value:?}");
            assert!(value.upper.is_none_or(|upper| upper >= outcome), "{position}\n{value:?}");
            if value.plies.is_some() && expected != BoardValue::Drawn {
                assert_eq!(value.plies, expected.plies(), "{position}\n{value:?}");
            }
            if !in_match && expected.plies().is_some_and(|plies| plies <= depth.into()) {
                assert_eq!(value, Value { plies: expected.plies(), ..Value::exact(outcome) });
            }
            usize::from(value.proven().is_some())
        };
        proven += hold(report.value, table.value(board));
        let plies = report.value.plies.filter(|_| report.halt.is_none());
        assert!(report.value.proven() != Some(0) || plies.is_none(), "a draw has no distance");
        if let Some(plies) = plies {
            // The principal variation leads to the end of the game, and each of its pushes keeps the value.
            let (mut at, mut value) = (board, table.value(board));
            for push in &report.pv {
                let slide = table.geometry.legal(at).find(|slide| slide.push == *push).unwrap();
                at = slide.play(at);
                assert_eq!(table.value(at).for_parent(), value, "{position}");
                value = table.value(at);
            }
            assert_eq!(report.pv.len(), plies as usize, "{position}");
            lines += 1;
        }
        for rated in &report.moves {
            let slide = table.geometry.legal(board).find(|slide| slide.push == rated.mv).unwrap();
            hold(rated.value, table.value(slide.play(board)).for_parent());
        }
        assert_eq!(report.moves.is_empty(), scope == Scope::Best);
    }
    assert!(proven > boards / 4 && lines > boards / 8, "{proven} {lines}");
}

#[test]
fn search_proves_table_values() {
    hold_to_the_table(3, 150, 9);
}

/// In a match that has already had every position after the best pushes, a search first avoids these positions, and finds
/// a later win. What it proves is independent of the match, and so is a later search with its transposition table.
#[test]
fn proven_plies_are_independent_of_the_match() {
    let mut engine = QuixoEngine::default();
    analyse(&mut engine, &Quixo::new(3).unwrap(), Scope::Best, Limits::default());
    let table = engine.table().unwrap();
    let control = control(Limits::default());
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut asked, mut proven) = (0, 0);
    for round in 0..20_000 {
        let position = random(3, 1 + round % 3, &mut rng);
        let board = Board::of(&position, mover(&position));
        let value = table.value(board);
        let Some(plies @ 3..=7) = value.plies() else { continue };
        let after = table.geometry.legal(board).map(|slide| slide.play(board));
        let best: Vec<_> =
            after.filter(|&after| table.value(after).for_parent() == value).collect();
        // Only boards with equally many marked dice can repeat.
        let dice = (board.own | board.other).count();
        if best.iter().any(|after| (after.own | after.other).count() != dice) {
            continue;
        }
        let expected = Value { plies: Some(plies), ..Value::exact(value.outcome()) };
        let earlier: Vec<_> = best.into_iter().flat_map(|after| [after, board]).collect();
        let scope = if asked % 3 == 0 { Scope::Moves } else { Scope::Best };
        let mut transposition = TranspositionTable::new(1 << 20);
        let mut ask = |boards, depth| {
            let search = Search::new(&table.geometry, &mut transposition, &control);
            search.in_match(boards).run(board, scope, depth).value
        };
        let in_match = ask(earlier, plies as u8 + 4);
        if in_match.plies.is_some() {
            assert_eq!(in_match, expected, "{position}");
            proven += 1;
        }
        assert_eq!(ask(Vec::new(), plies as u8), expected, "{position}");
        asked += 1;
        if asked == 40 {
            break;
        }
    }
    assert!(asked == 40 && proven > 3, "{proven} of {asked}");
}

#[test]
#[ignore = "solves 4 x 4; cargo test --release -- --ignored"]
fn search_proves_table_values_on_size_four() {
    hold_to_the_table(4, 1000, 7);
}

/// One push completes two lines, which is a draw; all other pushes lose. In this position, a search without a table
/// also ends. The engine only begins such a search if there is a deadline, which is far away here.
#[test]
fn draw_is_found_with_and_without_a_table() {
    let setup = "size=4 grid=O-O-XOOOXOXOXOO-".parse().unwrap();
    let position = Quixo::from_setup(&setup).unwrap();
    let ask = |memory| {
        let limits = Limits { memory, ..within(Duration::from_secs(600)) };
        analyse(&mut QuixoEngine::default(), &position, Scope::Best, limits)
    };
    for report in [ask(4 << 20), ask(64 << 20)] {
        assert_eq!((report.value, report.halt, report.pv.len()), (Value::exact(0), None, 1));
    }
}

/// A small budget does not suffice for a table of all boards, so it is spent on a search.
#[test]
fn node_and_depth_limits_hold_on_small_boards() {
    let start = Quixo::new(4).unwrap();
    let nodes = Limits { nodes: Some(2_000), ..Limits::default() };
    let depth = Limits { depth: Some(3), ..Limits::default() };
    for limits in [nodes, depth] {
        let mut engine = QuixoEngine::default();
        let report = analyse(&mut engine, &start, Scope::Moves, limits);
        assert!(engine.table().is_none() && report.value.proven().is_none(), "{report:?}");
        assert!(limits.nodes.is_none_or(|most| report.nodes <= most + 256), "{}", report.nodes);
        assert!((2..=3).contains(&report.depth), "{}", report.depth);
    }
    // The boards of the smallest size fit into a larger budget.
    let mut engine = QuixoEngine::default();
    let nodes = Limits { nodes: Some(100_000), ..Limits::default() };
    analyse(&mut engine, &Quixo::new(3).unwrap(), Scope::Moves, nodes);
    assert!(engine.table().is_some());
}

/// On boards without blanks, dice can be pushed back and forth forever.
#[test]
fn match_play_avoids_repetition() {
    let limits = Limits { nodes: Some(4_000), ..Limits::default() };
    let mut rng = fastrand::Rng::with_seed(5);
    let (mut asked, mut avoided) = (0, 0);
    while asked < 12 {
        let position = random(5, 0, &mut rng);
        let first = QuixoEngine::default().choose(&position, Level::Strong, &control(limits));
        let there = after(&position, first.mv);
        // A seat that is far behind welcomes a repetition.
        if first.report.value.proven().is_none() && first.report.value.point_estimate() > Some(0.0)
        {
            asked += 1;
            let earlier = [there.clone()].into_iter();
            let other = QuixoEngine::default().choose_in_match(
                earlier,
                &position,
                Level::Strong,
                &control(limits),
            );
            avoided += usize::from(after(&position, other.mv) != there);
        }
    }
    assert!(avoided >= 9, "{avoided}");
}
