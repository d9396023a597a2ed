//! The time to solve Join the Dots from its start, with an empty transposition table and one thread. For larger ones
//! run `quadrille solve join-the-dots layout=random:14 --threads 2`.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use quadrille_rules::Position;
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_search::{Control, Engine, JoinTheDotsEngine, Limits, NoTableCache, Scope};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn solve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve join-the-dots");
    group.sample_size(10).warm_up_time(Duration::from_millis(1));
    for layout in
        ["circle:12", "circle:16", "circle:18", "random:10", "random:11", "random:12", "random:13"]
    {
        let setup = format!("layout={layout}").parse().expect("words");
        let position = JoinTheDots::from_setup(&setup).expect("a setup");
        group.bench_function(layout, |bencher| {
            bencher.iter(|| {
                let stop = AtomicBool::new(false);
                let limits = Limits { memory: 1 << 30, ..Limits::default() };
                let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
                let report = JoinTheDotsEngine::default().analyse(&position, Scope::Best, &control);
                report.value.proven().expect("a proven value")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solve);
criterion_main!(benches);
