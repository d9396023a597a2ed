//! Tests of the Quixo engine.

mod answers;
mod levels;
mod packed;
mod reasons;
mod searches;
mod tables;

use super::*;
use crate::Limits;
use crate::testing::control;
use quadrille_rules::Setup;

fn mover(position: &Quixo) -> Symbol {
    Symbol::from(position.to_move().unwrap())
}

/// Returns a random position in which the game is not over. A larger `blanks` gives a greater share of blank dice.
fn random(size: u8, blanks: usize, rng: &mut fastrand::Rng) -> Quixo {
    loop {
        let die = |_| ['X', 'O', '-'][rng.usize(..2 + blanks).min(2)];
        let grid: String = (0..size as usize * size as usize).map(die).collect();
        let first = if rng.bool() { "X" } else { "O" };
        let setup = Setup::new().with("size", size).with("grid", grid).with("first", first);
        let position = Quixo::from_setup(&setup).unwrap();
        if position.to_move().is_some() {
            return position;
        }
    }
}

fn analyse(
    engine: &mut QuixoEngine,
    position: &Quixo,
    scope: Scope,
    limits: Limits,
) -> Report<Push> {
    engine.analyse(position, scope, &control(limits))
}
