//! What the engine says about a push is true.

use super::*;
use crate::minimax::after;
use quadrille_rules::Outcome;
use std::collections::HashMap;

/// Whether the seat with this symbol, if it were to move, could complete a line of its own and none of the other.
fn could_win(position: &Quixo, symbol: Symbol) -> bool {
    let setup = position.setup().with("first", symbol);
    let turned = Quixo::from_setup(&setup).unwrap();
    turned
        .legal()
        .into_iter()
        .any(|push| after(&turned, push).outcome() == Some(Outcome::win(symbol.seat())))
}

#[test]
fn reasons_are_true() {
    let mut engine = QuixoEngine::default();
    analyse(&mut engine, &Quixo::new(3).unwrap(), Scope::Best, Limits::default());
    let table = engine.table().unwrap();
    let mut rng = fastrand::Rng::with_seed(11);
    let mut said: HashMap<String, usize> = HashMap::new();
    for _ in 0..600 {
        let position = random(3, rng.usize(1..9), &mut rng);
        let (own, other) = (mover(&position), mover(&position).other());
        for push in position.legal() {
            let reason = QuixoEngine::why(&position, push).unwrap();
            let next = after(&position, push);
            let words: Vec<&str> = reason.split(' ').collect();
            *said.entry(words[..2].join(" ")).or_default() += 1;
            let value = |next: &Quixo| table.value(Board::of(next, other)).for_parent();
            match words[..] {
                ["completes", "a", "line", "of", symbol] => {
                    let symbol = if symbol == "X" { Symbol::X } else { Symbol::O };
                    assert_eq!(next.outcome(), Some(Outcome::win(symbol.seat())));
                }
                ["completes", "lines", ..] => assert_eq!(next.outcome(), Some(Outcome::shared(2))),
                ["makes", "more", ..] => assert_eq!(value(&next), BoardValue::Won(3)),
                ["leaves", .., "complete"] => assert!(!could_win(&next, other)),
                ["leaves", ..] => assert_eq!(value(&next), BoardValue::Won(2)),
                ["cannot", ..] => {
                    assert!(position.legal().into_iter().all(|push| {
                        let next = after(&position, push);
                        next.outcome() == Some(Outcome::win(other.seat()))
                            || could_win(&next, other)
                    }));
                }
                ["lets", ..] => assert!(could_win(&next, other)),
                ["breaks", "up", count, ..] => {
                    let most = |position: &Quixo| {
                        let board = Board::<u64>::of(position, other);
                        let lines = table.geometry.lines.iter();
                        lines.map(|line| (line.places & board.own).count()).max().unwrap()
                    };
                    assert_eq!(Some(most(&position)), count.parse().ok());
                    assert!(most(&next) < most(&position));
                }
                ["stops", ..] => {
                    assert!(could_win(&position, other) && !could_win(&next, other));
                    assert!(reason.ends_with(other.letter()));
                }
                ["threatens", ..] => {
                    assert!(could_win(&next, own) && reason.ends_with(own.letter()));
                }
                ["brings", count, "of", "3", ..] => {
                    let most = |position: &Quixo| {
                        let board = Board::<u64>::of(position, own);
                        table
                            .geometry
                            .lines
                            .iter()
                            .map(|line| (line.places & board.own).count())
                            .max()
                    };
                    assert_eq!(most(&next), Some(count.parse().unwrap()));
                    assert!(most(&position) < most(&next));
                }
                _ => panic!("{reason}"),
            }
        }
    }
    assert!(said.len() >= 9, "{said:?}");
}
