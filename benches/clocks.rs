//! Time management of engines: Strong against Strong, on real clocks.
//!
//! `cargo bench --bench clocks -- [GAME…] [GAMES] [CLOCK]` plays all games by default, 20 matches of each, with the
//! clock 6+0.06. Each seat has its own handle and thread, as in a match on the screen. The first two moves are random,
//! and random layouts have a different seed each time. `QUADRILLE_AT_ONCE` sets the number of concurrent matches (2),
//! and `QUADRILLE_LEVEL` the level of both players (strong).
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use quadrille_match::session::{Conditions, EngineSeat, Player, TimeControl};
use quadrille_rules::Setup;
use quadrille_search::{Level, NoTableCache};
use quadrille_table::catalogue::{GAMES, GameEntry};
use quadrille_table::engine::time_management::allot;
use quadrille_table::play::program::Launcher;
use quadrille_table::play::{Ask, EngineEvent, Engines, Table};
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn setting<T: std::str::FromStr>(name: &str, default: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[derive(Default)]
struct Figures {
    games: usize,
    lost_on_time: usize,
    moves: usize,
    /// The minimum time that a seat had left after a move.
    least: Option<Duration>,
    /// The maximum time of a move beyond the engine's allotment.
    overrun: Duration,
    elapsed: Duration,
}

impl Figures {
    fn add(&mut self, other: &Figures) {
        self.games += other.games;
        self.lost_on_time += other.lost_on_time;
        self.moves += other.moves;
        self.least = self.least.into_iter().chain(other.least).min();
        self.overrun = self.overrun.max(other.overrun);
        self.elapsed += other.elapsed;
    }
}

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = words.iter().find_map(|word| word.parse::<usize>().ok());
    let clock = words.iter().find(|word| word.contains('+')).map(|word| word.parse().unwrap());
    let (games, clock): (_, TimeControl) =
        (number.unwrap_or(20), clock.unwrap_or_else(|| "6+0.06".parse().unwrap()));
    let named = |entry: &&GameEntry| words.iter().any(|word| entry.id == word);
    let named: Vec<&'static GameEntry> = GAMES.iter().filter(named).collect();
    let entries = if named.is_empty() { GAMES.iter().collect() } else { named };
    let (at_once, level) =
        (setting("QUADRILLE_AT_ONCE", 2), setting("QUADRILLE_LEVEL", Level::Strong));
    println!("{games} games each, {clock}, {level}, {at_once} at a time");
    for entry in entries {
        let (next, mut figures) = (AtomicUsize::new(0), Figures::default());
        let play_on = || {
            let mut figures = Figures::default();
            loop {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= games {
                    return figures;
                }
                figures.add(&play(entry, level, clock, game as u64 + 1));
            }
        };
        thread::scope(|scope| {
            let tables: Vec<_> = (0..at_once).map(|_| scope.spawn(play_on)).collect();
            for table in tables {
                figures.add(&table.join().unwrap());
            }
        });
        println!(
            "{:<15} {:>3} games, {} lost on time, least left {:.3} s, longest overrun {:.1} ms, {:.1} moves and {:.1} s a game",
            entry.id,
            figures.games,
            figures.lost_on_time,
            figures.least.unwrap_or_default().as_secs_f64(),
            figures.overrun.as_secs_f64() * 1000.0,
            figures.moves as f64 / figures.games as f64,
            figures.elapsed.as_secs_f64() / figures.games as f64,
        );
    }
}

fn play(entry: &'static GameEntry, level: Level, clock: TimeControl, seed: u64) -> Figures {
    let mut setup = Setup::new();
    if (entry.options)(&setup).iter().any(|option| option.name() == "seed") {
        setup.set("seed", seed);
    }
    let players = vec![Player::Engine(EngineSeat::new(level)); 2];
    let conditions = Conditions::from(players).with_clock(Some(clock));
    let mut open_match = Table::new(entry, &setup, conditions).unwrap();
    let mut chance = fastrand::Rng::with_seed(seed);
    for _ in 0..2 {
        let legal = open_match.current_match().legal_moves();
        open_match.play_for_engine(&chance.choice(legal).unwrap(), Duration::ZERO).unwrap();
    }
    let (listener, mut bell) = UnixStream::pair().unwrap();
    let launcher = Launcher::new(None).unwrap();
    let mut engines = Engines::new(Arc::new(NoTableCache), launcher, listener);
    let mut figures = Figures { games: 1, ..Figures::default() };
    let begun = Instant::now();
    while let Some(seat) =
        open_match.current_match().to_move().filter(|_| open_match.current_match().ply() < 400)
    {
        let at = begun.elapsed();
        let ask = open_match.engine_ask(seed as u32, at).unwrap();
        let Ask::Move { time, .. } = &ask else { panic!() };
        let clock = time.clock().unwrap();
        let share =
            allot(clock.left, clock.increment, open_match.current_match().legal_moves().len());
        engines.think(open_match.current_match().ply() as u64, open_match.question(ask));
        let answer = loop {
            match engines.next_event() {
                Some((_, heard)) if heard.is_answer() => break heard,
                Some(_) => {}
                None => drop(bell.read(&mut [0; 64]).unwrap()),
            }
        };
        let done = begun.elapsed();
        figures.moves += 1;
        figures.overrun = figures.overrun.max(done.saturating_sub(at + share));
        if open_match.flag(done) {
            figures.lost_on_time += 1;
            println!(
                "{} game {seed}: lost on time after {} moves",
                entry.id,
                open_match.current_match().ply()
            );
            break;
        }
        let EngineEvent::Chosen { mv, .. } = answer else { panic!("{answer:?}") };
        open_match.play_for_engine(&mv, done).unwrap();
        let left = open_match.session().time_left(done).unwrap()[seat.index()];
        figures.least = Some(figures.least.map_or(left, |least| least.min(left)));
    }
    figures.elapsed = begun.elapsed();
    figures
}
