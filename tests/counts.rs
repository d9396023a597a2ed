//! The numbers of move sequences from the start of each game, depth by depth.
#![allow(missing_docs, clippy::unwrap_used)]

use quadrille::rules::dots_and_boxes::Pipopipette;
use quadrille::rules::intersections::Intersections;
use quadrille::rules::join_the_dots::JoinTheDots;
use quadrille::rules::quixo::Quixo;
use quadrille::rules::tic_tac_toe::TicTacToe;
use quadrille::rules::{Game, perft};

/// Holds the counts of depths 1, 2, … from the start of a game to a table.
fn counts<G: Game>(setup: &str, table: &[u64]) {
    let start = G::from_setup(&setup.parse().unwrap()).unwrap();
    let counted: Vec<u64> = (1..=table.len() as u8).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counted, table, "{} {setup}", G::ID);
}

#[test]
fn tic_tac_toe() {
    let table = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0];
    counts::<TicTacToe>("", &table);
}

#[test]
fn dots_and_boxes() {
    counts::<Pipopipette>("size=2", &[4, 12, 24, 24, 0]);
    counts::<Pipopipette>("rows=2 cols=3", &[7, 42, 210, 840, 2_520, 5_040]);
    counts::<Pipopipette>("size=3", &[12, 132, 1_320, 11_880, 95_040, 665_280]);
    counts::<Pipopipette>("size=4", &[24, 552, 12_144, 255_024, 5_100_480]);
}

#[test]
fn quixo() {
    counts::<Quixo>("size=1", &[0]);
    counts::<Quixo>("size=2", &[8, 48, 288, 576]);
    counts::<Quixo>("size=3", &[20, 356, 6_332, 99_648, 1_572_096]);
    counts::<Quixo>("size=4", &[32, 952, 28_312, 778_744]);
    counts::<Quixo>("size=5", &[44, 1_836, 76_596, 3_018_100]);
}

#[test]
fn join_the_dots() {
    counts::<JoinTheDots>("layout=circle:5", &[10, 80, 510, 2_250, 5_040]);
    counts::<JoinTheDots>("layout=circle:6", &[15, 180, 1_770, 13_716, 76_608, 262_008]);
    counts::<JoinTheDots>("layout=circle:7", &[21, 350, 4_830, 54_894, 497_994]);
}

#[test]
fn intersections() {
    counts::<Intersections>("size=3 segments=6", &[18, 280, 3_708, 41_088, 373_680]);
    counts::<Intersections>("size=4 segments=10", &[48, 2_064, 79_248, 2_707_416]);
}
