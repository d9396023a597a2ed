//! Tests of the tables of small boards: their values, their storage, and play with tables.

use super::*;
use crate::minimax::after;
use crate::{NoTableCache, TableCache};
use quadrille_rules::Seat;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Computes the values of all positions of a size by the rules alone, with passes over all positions until nothing
/// changes.
fn plain_values(size: u8) -> HashMap<Quixo, BoardValue> {
    let cells = u32::from(size).pow(2);
    let mut positions = Vec::new();
    for number in 0..3_u32.pow(cells) {
        let die = |cell| ['-', 'X', 'O'][(number / 3_u32.pow(cell) % 3) as usize];
        let grid: String = (0..cells).map(die).collect();
        let setup = Setup::new().with("size", size).with("grid", grid);
        positions.extend(
            ["X", "O"].map(|first| {
                (Quixo::from_setup(&setup.clone().with("first", first)).unwrap(), first)
            }),
        );
    }
    let numbers: HashMap<&Quixo, usize> =
        positions.iter().enumerate().map(|(number, (position, _))| (position, number)).collect();
    let next: Vec<Vec<usize>> = positions
        .iter()
        .map(|(position, _)| {
            position.legal_moves().into_iter().map(|mv| numbers[&after(position, mv)]).collect()
        })
        .collect();
    let mut values: Vec<Option<BoardValue>> = positions
        .iter()
        .map(|(position, first)| {
            let seat = if *first == "X" { Seat::FIRST } else { Seat::SECOND };
            position.outcome().map(|outcome| {
                match (outcome.is_winner(seat), outcome.is_winner(seat.next(2))) {
                    (true, false) => BoardValue::Won(0),
                    (false, true) => BoardValue::Lost(0),
                    _ => BoardValue::Drawn,
                }
            })
        })
        .collect();
    let mut plies = 0;
    loop {
        plies += 1;
        let mut found = values.clone();
        for (number, next) in next.iter().enumerate() {
            if values[number].is_none() {
                let mut after = next.iter().map(|&next| values[next]);
                if after.clone().any(|value| matches!(value, Some(BoardValue::Lost(_)))) {
                    found[number] = Some(BoardValue::Won(plies));
                } else if after.all(|value| matches!(value, Some(BoardValue::Won(_)))) {
                    found[number] = Some(BoardValue::Lost(plies));
                }
            }
        }
        if found == values {
            break;
        }
        values = found;
    }
    let values = values.into_iter().map(|value| value.unwrap_or(BoardValue::Drawn));
    positions.into_iter().map(|(position, _)| position).zip(values).collect()
}

#[test]
fn small_tables_match_the_rules() {
    for size in [2, 3] {
        let values = plain_values(size);
        let mut engine = QuixoEngine::default();
        let start = Quixo::new(size).unwrap();
        analyse(&mut engine, &start, Scope::Best, Limits::default());
        let table = engine.table().unwrap();
        for (position, value) in values {
            if position.to_move().is_some() {
                let board = Board::of(&position, mover(&position));
                assert_eq!(table.value(board), value, "{position}");
            }
        }
    }
}

fn perfect_play_keeps_the_value(size: u8, boards: usize) {
    let mut engine = QuixoEngine::default();
    let mut rng = fastrand::Rng::with_seed(3);
    for round in 0..boards {
        let position = random(size, 1 + round % 4, &mut rng);
        let choice = engine.choose(&position, Level::Perfect, &control(Limits::default()));
        let board = Board::of(&position, mover(&position));
        let table = engine.table().unwrap();
        let slide = table.geometry.legal(board).find(|slide| slide.push == choice.mv).unwrap();
        assert_eq!(table.value(slide.play(board)).for_parent(), table.value(board));
        assert_eq!(choice.report.value.proven(), Some(table.value(board).outcome()));
        assert_eq!(choice.report.best[0], choice.mv);
        assert_eq!(choice.report.pv[0], choice.mv);
        if let Some(plies) = choice.report.value.plies {
            assert_eq!(choice.report.pv.len(), plies as usize);
            let end = choice.report.pv.iter().fold(position, |at, &mv| after(&at, mv));
            assert!(end.outcome().is_some());
        }
    }
}

#[test]
fn perfect_play_keeps_the_value_on_small_boards() {
    perfect_play_keeps_the_value(2, 20);
    perfect_play_keeps_the_value(3, 200);
}

#[test]
#[ignore = "solves 4 x 4; cargo test --release -- --ignored"]
fn perfect_play_keeps_the_value_on_size_four() {
    perfect_play_keeps_the_value(4, 2000);
}

/// A cache that stores one table.
#[derive(Default)]
struct OneTable(Mutex<Option<Vec<u8>>>);

impl TableCache for OneTable {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap().clone()
    }

    fn store(&self, _: &str, bytes: &[u8]) {
        *self.0.lock().unwrap() = Some(bytes.to_vec());
    }
}

#[test]
fn damaged_table_is_not_loaded() {
    let position = Quixo::new(3).unwrap();
    let mut engine = QuixoEngine::default();
    analyse(&mut engine, &position, Scope::Best, Limits::default());
    let kept = engine.table().unwrap().to_bytes().unwrap();
    let load = |bytes: &[u8], size: u8| {
        let position = Quixo::new(size).unwrap();
        let mut solver = RetrogradeSolver::new(&position).unwrap();
        solver.load(bytes);
        solver.table().map(|table| table.to_bytes().unwrap())
    };
    assert_eq!(load(&kept, 3).unwrap(), kept);
    assert!(load(&kept, 2).is_none());
    assert!(load(&kept[..kept.len() - 1], 3).is_none());
    assert!(load(&[], 3).is_none());
    for at in 0..kept.len() {
        let mut damaged = kept.clone();
        damaged[at] ^= 0x10;
        assert!(load(&damaged, 3).is_none(), "{at}");
    }
}

#[test]
#[ignore = "solves 4 x 4; cargo test --release -- --ignored"]
fn size_four_table_is_cached() {
    let cache = OneTable::default();
    let stop = AtomicBool::new(false);
    let position = Quixo::new(4).unwrap();
    let ask = || {
        let built = AtomicBool::new(false);
        let on_report = |report: &Report<Push>| {
            built.fetch_or(report.progress.is_some(), Ordering::Relaxed);
        };
        let control = Control::new(&stop, Limits::default(), &cache, &on_report);
        let report = QuixoEngine::default().analyse(&position, Scope::Best, &control);
        assert_eq!(report.value, Value::exact(1).with_plies(23));
        built.load(Ordering::Relaxed)
    };
    assert!(ask());
    assert!(!ask());
    if let Some(bytes) = cache.0.lock().unwrap().as_mut() {
        bytes[100_000] ^= 1;
    }
    assert!(ask(), "a damaged table is built again");
    assert!(!ask());
}

#[test]
fn table_build_obeys_a_stop() {
    let position = Quixo::new(4).unwrap();
    let stop = AtomicBool::new(false);
    let reports = Mutex::new(Vec::new());
    let on_report = |report: &Report<Push>| {
        reports.lock().unwrap().push(report.clone());
        if report.progress.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let mut engine = QuixoEngine::default();
    let control = Control::new(&stop, Limits::default(), &NoTableCache, &on_report);
    let report = engine.analyse(&position, Scope::Moves, &control);
    assert_eq!(report.halt, Some(StopReason::Stopped));
    assert_eq!(report.moves.len(), 32);
    assert!(report.value.proven().is_none());
    assert!(engine.solver.is_some(), "what is built is kept");
    let reports = reports.lock().unwrap();
    assert_eq!(reports[0].moves.len(), 32, "estimates of all moves come first");
    assert_eq!(reports.iter().filter(|report| report.progress.is_some()).count(), 1);
}
