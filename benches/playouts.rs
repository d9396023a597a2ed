//! Random games played to their end, with the rules alone. Criterion's elements per second are games per second.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::expect_used)]

#[path = "../tests/suite/common/chance.rs"]
mod chance;

use chance::Chance;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::Intersections;
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_rules::quixo::Quixo;
use quadrille_rules::tic_tac_toe::TicTacToe;
use quadrille_table::catalogue::GAMES;
use std::hint::black_box;
use std::time::Duration;

/// Games are aborted after this many plies, as some never end.
const PLIES: usize = 1_000;

/// Plays one game; `moves` is a buffer for the legal moves.
fn playout<G: Position>(start: &G, moves: &mut Vec<G::Move>, chance: &mut Chance) -> G {
    let mut position = start.clone();
    for _ in 0..PLIES {
        moves.clear();
        position.append_legal_moves(moves);
        let Some(&mv) = chance.pick(moves) else { break };
        position.play(mv).expect("a listed move is legal");
    }
    position
}

/// Measures a game with this setup, and returns its name.
fn bench<G: Position>(criterion: &mut Criterion, setup: &str) -> &'static str {
    let start = G::from_setup(&setup.parse().expect("words")).expect("a setup");
    let (mut moves, mut chance) = (Vec::new(), Chance(1));
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    group.bench_function(format!("{} {setup}", G::ID).trim_end(), |bencher| {
        bencher.iter(|| black_box(playout(black_box(&start), &mut moves, &mut chance)));
    });
    group.finish();
    G::ID
}

fn playouts(criterion: &mut Criterion) {
    let measured = [
        bench::<TicTacToe>(criterion, ""),
        bench::<DotsAndBoxes>(criterion, "size=4"),
        bench::<DotsAndBoxes>(criterion, "size=6"),
        bench::<Quixo>(criterion, "size=5"),
        bench::<JoinTheDots>(criterion, "layout=circle:10"),
        bench::<Intersections>(criterion, "size=4"),
    ];
    for entry in &GAMES {
        assert!(measured.contains(&entry.id), "{} is not measured", entry.id);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = playouts
}
criterion_main!(benches);
