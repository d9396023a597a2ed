//! Stop latency of engines: the maximum of ten searches, each stopped a little later than the one before.
//!
//! `cargo bench --bench stops [-- WORD…]`; with words, only the setups whose output line contains one of them.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

#[allow(dead_code)]
#[path = "../tests/suite/common/samples.rs"]
mod samples;

use quadrille_rules::Setup;
use quadrille_search::{Control, Limits, NoTableCache, Scope};
use quadrille_table::catalogue::GameEntry;
use samples::samples;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let lines = samples().flat_map(|(entry, sample)| {
        sample.level_matches.iter().map(move |&(setup, _)| (entry, setup))
    });
    for (entry, setup) in lines {
        let line = format!("{} {setup}", entry.id);
        if words.is_empty() || words.iter().any(|word| line.contains(word.as_str())) {
            let longest = longest_stop(entry, &setup.replace("SEED", "1").parse().unwrap());
            println!("{line}: stops within {:.1} ms", longest.as_secs_f64() * 1000.0);
        }
    }
}

/// Returns the maximum time from the stop flag to the answer.
fn longest_stop(entry: &GameEntry, setup: &Setup) -> Duration {
    let game = (entry.start)(setup).unwrap();
    let mut longest = Duration::ZERO;
    for round in 0..10 {
        let stop = AtomicBool::new(false);
        let took = thread::scope(|scope| {
            let thinking = scope.spawn(|| {
                let limits = Limits { memory: 512 << 20, threads: 2, ..Limits::default() };
                let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
                (entry.engine)().analyse(game.now(), Scope::Moves, &control).unwrap();
                Instant::now()
            });
            thread::sleep(Duration::from_millis(round * 40));
            let stopped = Instant::now();
            stop.store(true, Ordering::Relaxed);
            thinking.join().unwrap().saturating_duration_since(stopped)
        });
        longest = longest.max(took);
    }
    longest
}
