//! `cargo bench --bench puzzles`: the time that a live solver takes for each puzzle, the distribution of ratings, and
//! Strong's success rate in each rating band at 0.1 s per move.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]

use quadrille_puzzles::judge::Judge;
use quadrille_puzzles::{Answer, Attempt, Puzzle};
use quadrille_search::{Control, Level, Limits, NoTableCache};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const BAND: u32 = 200;

/// The time limit of a live solver.
const LIMIT: Duration = Duration::from_millis(100);

fn main() {
    // `cargo test` only checks that a bench starts.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    for game in quadrille_puzzles::games() {
        let timed = || quadrille_puzzles::of(game).map(|puzzle| (puzzle, slowest(puzzle)));
        for (puzzle, time) in timed().filter(|(_, time)| *time > LIMIT) {
            println!("{} takes {time:.1?}", puzzle.id);
        }
        let mut times: Vec<Duration> = timed().map(|(_, time)| time).collect();
        times.sort();
        let (middle, most) = (times[times.len() / 2], times[times.len() - 1]);
        println!(
            "{game}: {} puzzles, live {middle:.1?} in the middle, {most:.1?} at most",
            times.len()
        );
        let mut bands: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for puzzle in quadrille_puzzles::of(game) {
            let (all, solved) = bands.entry(puzzle.rating / BAND * BAND).or_default();
            *all += 1;
            *solved += u32::from(is_solved_by_strong(puzzle));
        }
        for (band, (all, solved)) in bands {
            println!("{band:6} to {:4}: {all:3} puzzles, Strong solves {solved}", band + BAND - 1);
        }
    }
}

/// Returns the time of the slowest position of a solution, each judged by a new solver.
fn slowest(puzzle: &Puzzle) -> Duration {
    let (Some(entry), Ok(mut game)) = (puzzle.entry(), puzzle.position()) else {
        return Duration::MAX;
    };
    let mut most = Duration::ZERO;
    for mv in &puzzle.solution {
        let begin = Instant::now();
        let judged = Judge::live(entry).judge(&game);
        most = most.max(begin.elapsed());
        if judged.is_err() || game.play(mv).is_err() {
            return Duration::MAX;
        }
    }
    most
}

fn is_solved_by_strong(puzzle: &Puzzle) -> bool {
    let (Some(entry), Ok(mut attempt)) = (puzzle.entry(), Attempt::new(puzzle.clone())) else {
        return false;
    };
    let mut engine = (entry.engine)();
    let stop = AtomicBool::new(false);
    while !attempt.is_over() {
        let deadline = Some(Instant::now() + Duration::from_millis(100));
        let limits = Limits { deadline, threads: 1, ..Limits::default() };
        let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
        let chosen = engine.choose(attempt.current_match(), Level::Strong, &control);
        let Ok(chosen) = chosen else { return false };
        match attempt.answer(&chosen.mv) {
            Ok(Answer::Right { .. } | Answer::Solved { .. }) => {}
            Ok(Answer::Wrong { .. }) | Err(_) => return false,
        }
    }
    true
}
