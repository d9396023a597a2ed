//! Whole rounds of Making Intersections solved from the empty array, tables and all.
#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use quadrille::rules::Game;
use quadrille::rules::intersections::Intersections as Match;
use quadrille::search::{Control, Engine, Intersections, Limits, NoTableCache, Scope};
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn bench(criterion: &mut Criterion, setup: &str, dots: u32) {
    let start = Match::from_setup(&setup.parse().expect("words")).expect("a setup");
    let stop = AtomicBool::new(false);
    let control = Control::new(&stop, Limits::default(), &NoTableCache, &|_| ());
    criterion.benchmark_group("solve").bench_function(
        format!("intersections {setup}"),
        |bencher| {
            bencher.iter(|| {
                let report =
                    Intersections::default().analyse(black_box(&start), Scope::Best, &control);
                assert_eq!(report.round_value, Some(dots));
            });
        },
    );
}

fn solve(criterion: &mut Criterion) {
    bench(criterion, "size=4", 6);
    bench(criterion, "size=4 first=next", 6);
    bench(criterion, "size=4 players=3", 2);
    bench(criterion, "size=5 segments=8", 4);
    bench(criterion, "size=5 segments=8 first=next", 4);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(5));
    targets = solve
}
criterion_main!(benches);
