//! With more than two seats, a result also depends on who draws after whom. The schedule favors no place in the file.

use super::*;
use crate::tournament::{Schedule, SeatOrder, read};
use quadrille_text::toml_file::Source;
use std::sync::Arc;

/// The effect of the player who draws before, per Elo point of strength: after a weak player, there is more to gain.
const EFFECT: f64 = -0.6;

/// Plays a tournament of Making Intersections between players of these strengths.
fn table(seats: usize, seating: SeatOrder, strengths: &[f64], rounds: u64) -> TournamentTable {
    let player = |number| format!("[[players]]\nname = \"P{number}\"\nengine = \"casual\"\n");
    let players: String = (0..strengths.len()).map(player).collect();
    let text = format!(
        "game = \"intersections\"\nsetups = [\"players={seats} size=3\", \"players={seats}\"]\n\
         rounds = {rounds}\nout = \"results\"\n{players}"
    );
    let mut plan = read(Source { file: "t.toml", text: &text }, &|_, _| Ok(())).unwrap();
    plan.seating = seating;
    let schedule = Schedule::new(Arc::new(plan)).unwrap();
    let mut results = Results::new(schedule.plan().names(), &[]);
    let mut rng = fastrand::Rng::with_seed(seats as u64);
    for game in 1..=schedule.games() {
        let fixture = schedule.fixture(game).unwrap();
        let strength = |seat: usize| {
            let before = fixture.players[(seat + seats - 1) % seats];
            strengths[fixture.players[seat]] + EFFECT * strengths[before]
        };
        let halves = played(&mut rng, &(0..seats).map(strength).collect::<Vec<_>>());
        add(&mut results, fixture.set, &fixture.players, &halves);
    }
    results.table()
}

/// Returns the difference between two players, in standard deviations.
fn sigmas(table: &TournamentTable, [one, other]: [usize; 2]) -> f64 {
    let [(a, error), (b, its)] = [one, other].map(|player| known(row(table, player).elo));
    (a - b) / (error_of(1.0).recip() * error.hypot(its))
}

/// Two equal engines, first and last in the file, and two other equal engines between them.
#[test]
fn equal_players_are_rated_equally_with_three_and_four_seats() {
    let three = (3, vec![60.0, -60.0, -60.0, 60.0]);
    let four = (4, vec![60.0, -60.0, 0.0, -60.0, 60.0]);
    for (seats, strengths) in [three, four] {
        let last = strengths.len() - 1;
        let drawn = table(seats, SeatOrder::Drawn, &strengths, 250);
        for pair in [[0, last], [1, last - 1]] {
            let sigmas = sigmas(&drawn, pair);
            assert!(sigmas.abs() < 3.0, "{seats} seats: {sigmas}\n{drawn}");
        }
        // In file order, the place in the file decides.
        let listed = table(seats, SeatOrder::Listed, &strengths, 250);
        assert!(sigmas(&listed, [0, last]).abs() > 3.0, "{seats} seats\n{listed}");
        // If all are equal, none is beyond three standard deviations.
        for row in &table(seats, SeatOrder::Drawn, &vec![0.0; last + 1], 100).rows {
            let (elo, error) = known(row.elo);
            assert!(elo.abs() < 3.0 * error / error_of(1.0), "{seats} seats: {row:?}");
        }
    }
}
