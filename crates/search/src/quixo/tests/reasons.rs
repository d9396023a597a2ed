//! Tests that the engine's reasons for pushes are true.

use super::QuixoReason::{
    Allows, BreaksUp, Builds, CannotStop, Completes, CompletesBoth, Forces, Safe, Stops, Threatens,
    Unstoppable,
};
use super::*;
use crate::minimax::after;
use quadrille_rules::Outcome;
use std::collections::HashSet;
use std::mem::discriminant;

/// Returns whether the seat with this symbol, if it were to move, could complete a line of its own symbol and none of
/// the other.
fn could_win(position: &Quixo, symbol: Symbol) -> bool {
    let setup = position.setup().with("first", symbol);
    let turned = Quixo::from_setup(&setup).unwrap();
    turned
        .legal_moves()
        .into_iter()
        .any(|push| after(&turned, push).outcome() == Some(Outcome::win(symbol.seat())))
}

#[test]
fn reasons_are_true() {
    let mut engine = QuixoEngine::default();
    analyse(&mut engine, &Quixo::new(3).unwrap(), Scope::Best, Limits::default());
    let table = engine.table().unwrap();
    let mut rng = fastrand::Rng::with_seed(11);
    let mut said = HashSet::new();
    for _ in 0..600 {
        let position = random(3, rng.usize(1..9), &mut rng);
        let (own, other) = (mover(&position), mover(&position).opponent());
        for push in position.legal_moves() {
            let reason = why::why::<u64>(&position, push).unwrap();
            let next = after(&position, push);
            said.insert(discriminant(&reason));
            let most = |position: &Quixo, symbol| {
                let own = Board::<u64>::of(position, symbol).own;
                let lines = table.geometry.lines.iter();
                lines.map(|line| (line.places & own).count()).max().unwrap()
            };
            let value = |next: &Quixo| table.value(Board::of(next, other)).for_parent();
            match reason {
                Completes(symbol) => {
                    assert_eq!(next.outcome(), Some(Outcome::win(symbol.seat())));
                }
                CompletesBoth => assert_eq!(next.outcome(), Some(Outcome::draw(2))),
                Unstoppable(symbol) => {
                    assert_eq!((value(&next), symbol), (BoardValue::Won(3), own));
                    assert!(next.legal_moves().into_iter().all(|push| {
                        let answered = after(&next, push);
                        answered.outcome() == Some(Outcome::win(own.seat()))
                            || could_win(&answered, own)
                    }));
                }
                Safe => assert!(!could_win(&next, own) && !could_win(&next, other)),
                Forces(symbol) => {
                    assert_eq!((value(&next), symbol), (BoardValue::Won(2), own));
                }
                CannotStop(symbol) => {
                    assert_eq!(symbol, other);
                    assert!(position.legal_moves().into_iter().all(|push| {
                        let next = after(&position, push);
                        next.outcome() == Some(Outcome::win(other.seat()))
                            || could_win(&next, other)
                    }));
                }
                Allows(symbol) => assert!(symbol == other && could_win(&next, other)),
                BreaksUp { dice, size, symbol } => {
                    assert_eq!((most(&position, other), 3, other), (dice, size, symbol));
                    assert!(most(&next, other) < dice);
                }
                Stops(symbol) => {
                    assert!(could_win(&position, other) && !could_win(&next, other));
                    assert_eq!(symbol, other);
                }
                Threatens(symbol) => {
                    assert!(could_win(&next, own) && !could_win(&next, other) && symbol == own);
                }
                Builds { dice, size } => {
                    assert_eq!((most(&next, own), 3), (dice, size));
                    assert!(most(&position, own) < dice);
                }
            }
        }
    }
    assert_eq!(said.len(), 11);
}
