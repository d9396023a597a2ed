//! Results of Strong against itself, from the start of the game.
//!
//! `cargo bench --bench strong -- quixo size=4`; the words after the game are its setup. Each game has new engines, and
//! no transposition table survives a game, so all knowledge is built in the time of the game's own moves. Threefold
//! repetition is a draw. `QUADRILLE_GAMES` is the number of games (100), `QUADRILLE_SECONDS` the time per move (1),
//! `QUADRILLE_THREADS` the number of threads per move (1), `QUADRILLE_FIRST` the first seed (1).
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use quadrille_rules::Seat;
use quadrille_search::{Control, Level, Limits, NoTableCache};
use quadrille_table::catalogue;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn setting<T: std::str::FromStr>(name: &str, default: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let Some((game, setup)) = words.split_first() else {
        return println!("cargo bench --bench strong -- GAME [KEY=VALUE...]");
    };
    let entry = catalogue::find(game).expect("a game");
    let time = Duration::from_secs_f64(setting("QUADRILLE_SECONDS", 1.0));
    let threads = setting("QUADRILLE_THREADS", 1);
    let first: u64 = setting("QUADRILLE_FIRST", 1);
    let mut results: BTreeMap<String, usize> = BTreeMap::new();
    for seed in first..first + setting("QUADRILLE_GAMES", 100) {
        let mut game = (entry.start)(&setup.join(" ").parse().expect("a setup")).unwrap();
        let mut engines: Vec<_> = (0..game.seats()).map(|_| (entry.engine)()).collect();
        let mut moves = Vec::new();
        while let Some(seat) = game.to_move().filter(|_| game.repeats() < 2) {
            let (deadline, seed) = (Some(Instant::now() + time), seed << 12 | game.ply() as u64);
            let limits = Limits { deadline, threads, seed, book: true, ..Limits::default() };
            let stop = AtomicBool::new(false);
            let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
            let engine = &mut engines[seat.index()];
            let mv = engine.choose(&game, Level::Strong, &control).unwrap().mv;
            game.play(&mv).unwrap();
            moves.push(mv);
        }
        let winners = game.outcome().map(|outcome| outcome.winners().collect::<Vec<Seat>>());
        let result = match winners.as_deref() {
            Some([winner]) => format!("seat {} wins", winner.index() + 1),
            _ => "drawn".to_owned(),
        };
        println!("{seed:>4} {result:<12} {}", moves.join(" "));
        *results.entry(result).or_default() += 1;
    }
    println!("{results:?}");
}
