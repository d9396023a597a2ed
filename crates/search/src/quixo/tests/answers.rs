//! Tests that the engine answers on every board and within its limits.

use super::*;
use crate::minimax::after;
use crate::testing::{answers_within_limits, within};

#[test]
fn engine_takes_and_names_a_win() {
    // X wins at once with A5-A1, since the die in the corner A5 shows X. O threatens to complete its column.
    let setup: Setup = "size=5 grid=-XXXX----------O----X---- first=X".parse().unwrap();
    let position = Quixo::from_setup(&setup).unwrap();
    let report = analyse(&mut QuixoEngine::default(), &position, Scope::Best, Limits::default());
    assert_eq!((report.value, report.halt), (Value::exact(1).with_plies(1), None));
    let reason = QuixoReason::Completes(Symbol::X);
    assert_eq!(QuixoEngine::why(&position, report.best[0]), Some(Reason::Quixo(reason)));
    assert_eq!(after(&position, report.best[0]).outcome().unwrap().winners().count(), 1);
}

#[test]
fn engine_answers_on_all_sizes() {
    for size in [5, 6, 7, 8, 9, 15, 26] {
        answers_within_limits::<QuixoEngine>(&Quixo::new(size).unwrap(), 2_000);
    }
}

#[test]
fn engine_searches_without_memory_for_a_table() {
    let position = Quixo::new(4).unwrap();
    let mut engine = QuixoEngine::default();
    let little = Limits { memory: 1 << 16, ..within(Duration::ZERO) };
    let report = analyse(&mut engine, &position, Scope::Best, little);
    assert_eq!(report.halt, Some(StopReason::Time));
    assert!(report.table_bytes <= 1 << 16 && position.check(report.best[0]).is_ok());
    let endless = Limits { deadline: None, ..little };
    let report = analyse(&mut engine, &position, Scope::Best, endless);
    assert_eq!(report.halt, Some(StopReason::MemoryLimit));
    assert!(position.check(report.best[0]).is_ok());
}
