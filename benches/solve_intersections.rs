//! The time to solve whole rounds of Making Intersections, with an empty transposition table, on one thread and on two.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use quadrille_rules::Position;
use quadrille_rules::intersections::Intersections as Match;
use quadrille_search::{Control, Engine, IntersectionsEngine, Limits, NoTableCache, Scope};
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Returns the dots that the offense scores in the first round of a match.
fn solve(setup: &str, threads: usize) -> Option<u32> {
    let start = Match::from_setup(&setup.parse().expect("words")).expect("a setup");
    let stop = AtomicBool::new(false);
    let limits = Limits { threads, ..Limits::default() };
    let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
    let report = IntersectionsEngine::default().analyse(&start, Scope::Best, &control);
    Some(report.round_value?.proven()?.unsigned_abs())
}

fn solving(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve intersections");
    for (setup, dots) in [
        ("size=4", 6),
        ("size=4 first=next", 6),
        ("size=4 players=3", 2),
        ("size=5 segments=8", 4),
        ("size=5 segments=10", 6),
        ("size=5 segments=10 first=next", 6),
        ("rows=4 cols=5 segments=12", 8),
    ] {
        for threads in [1, 2] {
            group.bench_function(format!("{setup}, {threads} threads"), |bencher| {
                bencher.iter(|| assert_eq!(solve(black_box(setup), threads), Some(dots)));
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
