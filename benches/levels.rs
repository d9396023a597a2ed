//! How strong Beginner and Casual feel: their matches against two players without a plan, who know little more than the
//! rules (`crates/rules/examples/bot/naive.rs`).
//!
//! `cargo bench --bench levels -- quixo` plays the boards of one game; without a game, all boards of `docs/engines.md`.
//! `QUADRILLE_GAMES` is the number of games per cell (400). Seats alternate. A cell is the naive player's share of the
//! points with its standard error, and the number of wins, draws and losses. The third occurrence of a position is a
//! draw; the last column is the share of games of `naive1` against Beginner that end in this way. The same seeds give
//! the same table on every machine.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a command that prints a table"
)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

#[path = "../crates/rules/examples/bot/naive.rs"]
mod naive;

use fastrand::Rng;
use naive::{Gains, Naive};
use quadrille_rules::{Outcome, Position, Seat};
use quadrille_search::{
    Control, DotsAndBoxesEngine, Engine, IntersectionsEngine, JoinTheDotsEngine, Level, Limits,
    NoTableCache, QuixoEngine, TicTacToeEngine,
};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let games = std::env::var("QUADRILLE_GAMES").map_or(400, |games| games.parse().unwrap());
    println!("| | naive0 v Beginner | naive1 v Beginner | naive1 v Casual | repeated |");
    println!("|---|---|---|---|---|");
    let is_meant = |id: &str| words.is_empty() || words.iter().any(|word| word == id);
    let rows = |id, boards: &[(&str, &str)], row: fn(&str, &str, u64)| {
        for (name, setup) in boards.iter().filter(|_| is_meant(id)) {
            row(name, setup, games);
        }
    };
    rows(
        "dots-and-boxes",
        &[("3 × 3 boxes", "size=4"), ("4 × 4 boxes", "size=5")],
        row::<DotsAndBoxesEngine>,
    );
    rows("quixo", &[("4 × 4 dice", "size=4"), ("5 × 5 dice", "size=5")], row::<QuixoEngine>);
    rows(
        "join-the-dots",
        &[("10 dots", "layout=random:10"), ("16 dots", "layout=random:16")],
        row::<JoinTheDotsEngine>,
    );
    rows(
        "intersections",
        &[("4 × 4 dots, 6 rounds", "size=4 rounds=6"), ("5 × 5 dots, 4 rounds", "size=5 rounds=4")],
        row::<IntersectionsEngine>,
    );
    rows("tic-tac-toe", &[("3 × 3 cells", "")], row::<TicTacToeEngine>);
}

/// The results of a naive player against a level.
#[derive(Default)]
struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
    repeated: u32,
}

impl Tally {
    fn games(&self) -> f64 {
        f64::from(self.won + self.drawn + self.lost)
    }

    /// Returns the share of the points, and its standard error.
    fn share(&self) -> (f64, f64) {
        let [won, drawn] = [self.won, self.drawn].map(|count| f64::from(count) / self.games());
        let share = won + drawn / 2.0;
        let variance = won + drawn / 4.0 - share * share;
        (share, (variance / self.games()).sqrt())
    }

    fn cell(&self) -> String {
        let (share, error) = self.share();
        let Tally { won, drawn, lost, .. } = self;
        format!("{:.1} ± {:.1} % ({won}-{drawn}-{lost})", 100.0 * share, 100.0 * error)
    }
}

fn row<E: Engine<Game: Gains>>(name: &str, setup: &str, games: u64) {
    let cell = |naive, level| -> Tally {
        let mut tally = Tally::default();
        for game in 0..games {
            // A pair of games on the same points has both seatings.
            let seed = if setup.contains("random") {
                format!(" seed={}", game / 2 + 1)
            } else {
                String::new()
            };
            let start = E::Game::from_setup(&format!("{setup}{seed}").parse().unwrap()).unwrap();
            let seat = Seat::new((game % 2) as u8);
            play::<E>(start, naive, seat, level, game, &mut tally);
        }
        tally
    };
    let weak = cell(Naive::Zero, Level::Beginner);
    let beginner = cell(Naive::One, Level::Beginner);
    let casual = cell(Naive::One, Level::Casual);
    let repeated = 100.0 * f64::from(beginner.repeated) / beginner.games();
    let game = E::Game::NAME;
    let [weak, beginner, casual] = [weak, beginner, casual].map(|tally| tally.cell());
    println!("| {game}, {name} | {weak} | {beginner} | {casual} | {repeated:.1} % |");
}

fn play<E: Engine<Game: Gains>>(
    mut position: E::Game,
    naive: Naive,
    naive_seat: Seat,
    level: Level,
    game: u64,
    tally: &mut Tally,
) {
    let mut rng = Rng::with_seed(game);
    let mut engine = E::default();
    let mut seen: HashMap<E::Game, u32> = HashMap::new();
    while let Some(seat) = position.to_move() {
        let times = seen.entry(position.clone()).or_default();
        *times += 1;
        if *times == 3 {
            tally.repeated += 1;
            break;
        }
        let mv = if seat == naive_seat {
            naive.choose(&position, &mut rng).unwrap()
        } else {
            let stop = AtomicBool::new(false);
            let limits = Limits { seed: rng.u64(..), ..Limits::default() };
            let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
            let earlier: Vec<E::Game> =
                seen.keys().filter(|&earlier| *earlier != position).cloned().collect();
            engine.choose_in_match(earlier.into_iter(), &position, level, &control).mv
        };
        position.play(mv).unwrap();
    }
    let outcome: Option<Outcome> = position.outcome();
    let has_won = |seat| outcome.is_some_and(|outcome| outcome.is_winner(seat));
    match [naive_seat, naive_seat.next(2)].map(has_won) {
        [true, false] => tally.won += 1,
        [false, true] => tally.lost += 1,
        _ => tally.drawn += 1,
    }
}
