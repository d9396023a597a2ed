//! How often a level beats the one below it, and how soon an engine stops when it is told to.
//!
//! `cargo bench --bench levels [-- WORD…]`; with words, only the setups whose lines contain one of them are played.
//! Every opening has some random moves, and is played twice, with seats exchanged. A game in which a position occurs
//! three times is a draw, and a shared win counts half.
//! `QUADRILLE_GAMES` sets the number of games in a line (100), and `QUADRILLE_SECONDS` the time for a move (0.1).
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

#[allow(dead_code)]
#[path = "../tests/common/samples.rs"]
mod samples;

use quadrille::catalogue::Entry;
use quadrille::engine::AnyEngine;
use quadrille::rules::Seat;
use quadrille::search::{Control, Horizon, Level, Limits, NoTableCache, Scope};
use quadrille::session::{AnyMatch, PositionSpec};
use samples::samples;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn setting<T: std::str::FromStr>(name: &str, default: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let seconds: f64 = setting("QUADRILLE_SECONDS", 0.1);
    let games: usize = setting("QUADRILLE_GAMES", 100);
    println!("{games} games a line, {seconds} s a move\n");
    let lines = samples().flat_map(|(entry, sample)| {
        sample.contests.iter().map(move |&(setup, opening)| (entry, setup, opening))
    });
    for (entry, setup, opening) in lines {
        let line = format!("{} {setup}", entry.id);
        if !words.is_empty() && !words.iter().any(|word| line.contains(word.as_str())) {
            continue;
        }
        println!("{line}, {opening} random moves first");
        stop(entry, setup);
        let start = (entry.start)(&seeded(setup, 1)).unwrap();
        let time = Duration::from_secs_f64(seconds);
        let horizon = (entry.engine)().horizon(&PositionSpec::to(&*start), time).unwrap();
        let levels = if horizon == Horizon::Solved { &Level::ALL[..] } else { &Level::ALL[..4] };
        for pair in levels.windows(2) {
            let [mut won, mut drawn, mut lost] = [0; 3];
            for index in 0..games {
                let seat = Seat::new((index % 2) as u8);
                let seed = (index / 2 + 1) as u64;
                match play(entry, setup, opening, seed, [pair[0], pair[1]], seat, time) {
                    1.. => won += 1,
                    0 => drawn += 1,
                    _ => lost += 1,
                }
            }
            let points = f64::from(won) + f64::from(drawn) / 2.0;
            println!(
                "  {:<9} against {:<9} won {won:>3}  drawn {drawn:>3}  lost {lost:>3}  = {points:>5} of {games}",
                pair[1], pair[0]
            );
        }
    }
}

fn seeded(setup: &str, seed: u64) -> quadrille::rules::Setup {
    setup.replace("SEED", &seed.to_string()).parse().unwrap()
}

/// Plays a game with the higher level at `seat`, and the lower level at all others. 1 if the higher level has won alone, 0
/// for a draw, -1 for a loss.
fn play(
    entry: &Entry,
    setup: &str,
    opening: usize,
    seed: u64,
    [lower, higher]: [Level; 2],
    seat: Seat,
    time: Duration,
) -> i32 {
    let mut game = (entry.start)(&seeded(setup, seed)).unwrap();
    let mut chance = fastrand::Rng::with_seed(seed);
    while game.ply() < opening {
        let legal = game.legal();
        game.play(&legal[chance.usize(..legal.len())]).unwrap();
    }
    let mut engines = [(entry.engine)(), (entry.engine)()];
    while let Some(to_move) = game.to_move() {
        let (engine, level) =
            if to_move == seat { (&mut engines[1], higher) } else { (&mut engines[0], lower) };
        let mv = choose(&mut **engine, &*game, level, time, seed << 12 | game.ply() as u64);
        game.play(&mv).unwrap();
        if game.repeats() >= 2 || game.ply() > 400 {
            return 0;
        }
    }
    let outcome = game.outcome().unwrap();
    match (outcome.has(seat), outcome.winners().count()) {
        (true, 1) => 1,
        (true, _) | (false, 0) => 0,
        (false, _) => -1,
    }
}

fn choose(
    engine: &mut dyn AnyEngine,
    game: &dyn AnyMatch,
    level: Level,
    time: Duration,
    seed: u64,
) -> String {
    let limits = Limits { deadline: Some(Instant::now() + time), seed, ..Limits::default() };
    let stop = AtomicBool::new(false);
    let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
    engine.choose(&PositionSpec::to(game), level, &control).unwrap().mv
}

/// Prints the longest time from the stop flag to the answer, of ten searches.
fn stop(entry: &Entry, setup: &str) {
    let game = (entry.start)(&seeded(setup, 1)).unwrap();
    let position = PositionSpec::to(&*game);
    let mut longest = Duration::ZERO;
    for round in 0..10 {
        let stop = AtomicBool::new(false);
        let took = thread::scope(|scope| {
            let thinking = scope.spawn(|| {
                let limits = Limits { memory: 512 << 20, threads: 2, ..Limits::default() };
                let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
                (entry.engine)().analyse(&position, Scope::Moves, &control).unwrap();
                Instant::now()
            });
            thread::sleep(Duration::from_millis(round * 40));
            let stopped = Instant::now();
            stop.store(true, Ordering::Relaxed);
            thinking.join().unwrap().saturating_duration_since(stopped)
        });
        longest = longest.max(took);
    }
    println!("  stops within {:.1} ms", longest.as_secs_f64() * 1000.0);
}
