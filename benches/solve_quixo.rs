//! The time to solve all positions of Quixo on small boards, and to load a stored table.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use quadrille_rules::quixo::Quixo;
use quadrille_search::quixo::retrograde::RetrogradeSolver;
use std::hint::black_box;
use std::time::Duration;

fn solve(size: u8) -> RetrogradeSolver {
    let mut solver = RetrogradeSolver::new(&Quixo::new(size).expect("a size")).expect("memory");
    while solver.table().is_none() {
        solver.step();
    }
    solver
}

fn tables(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("quixo table");
    for size in [3, 4] {
        group.bench_function(format!("solve {size}"), |bencher| bencher.iter(|| solve(size)));
    }
    let four = Quixo::new(4).expect("a size");
    let solver = solve(4);
    let bytes = solver.table().expect("a whole table").to_bytes().expect("memory");
    group.bench_function("load 4", |bencher| {
        bencher.iter(|| {
            let mut solver = RetrogradeSolver::new(&four).expect("memory");
            solver.load(black_box(&bytes));
            assert!(solver.table().is_some());
            solver
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = tables
}
criterion_main!(benches);
