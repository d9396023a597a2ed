//! The time to solve boards of Dots and Boxes from the start, with an empty transposition table, on one thread and on
//! two.
//!
//! The largest boards take minutes: `cargo test --release known_values_of_large -- --ignored`.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_search::{Control, DotsAndBoxesEngine, Engine, Limits, NoTableCache, Scope};
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn solve(rows: u8, cols: u8, threads: usize) -> Option<i32> {
    let position = DotsAndBoxes::new(rows + 1, cols + 1).expect("a board");
    let stop = AtomicBool::new(false);
    let limits = Limits { threads, ..Limits::default() };
    let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
    DotsAndBoxesEngine::default().analyse(&position, Scope::Best, &control).value.proven()
}

fn solving(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve dots-and-boxes");
    for (rows, cols) in [(2, 4), (3, 3), (2, 5), (3, 4)] {
        for threads in [1, 2] {
            group.bench_function(format!("{rows}x{cols} boxes, {threads} threads"), |bencher| {
                bencher.iter(|| solve(black_box(rows), cols, threads));
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(5));
    targets = solving
}
criterion_main!(benches);
