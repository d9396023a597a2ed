//! Tests of the statistics against published numbers and against simulated tournaments with known strengths.

mod by_kind;
mod few;
mod mixed;
mod seating;
mod tied;

use super::counts::Pairing;
use super::elo::{Sets, error_of, normal_below, score_of};
use super::rating::rate;
use super::*;
use std::collections::BTreeMap;

/// Converts half points to points, one per seat.
fn points(halves: &[u64]) -> Vec<Points> {
    halves.iter().map(|&halves| Points { halves }).collect()
}

fn add(results: &mut Results, set: u64, players: &[usize], halves: &[u64]) {
    add_on(results, 0, set, players, halves);
}

fn add_on(results: &mut Results, kind: usize, set: u64, players: &[usize], halves: &[u64]) {
    let (points, termination) = (&points(halves)[..], Ending::Rules);
    results.add(&PlayedGame { set, kind, players, points, termination, by: None });
}

/// Adds a pair of games between two players in which the first player scores `halves` half points.
fn add_pair(results: &mut Results, set: u64, players: [usize; 2], halves: u64) {
    add_pair_on(results, 0, set, players, halves);
}

fn add_pair_on(results: &mut Results, kind: usize, set: u64, [a, b]: [usize; 2], halves: u64) {
    let first = halves.div_ceil(2);
    add_on(results, kind, set, &[a, b], &[first, 2 - first]);
    add_on(results, kind, set, &[b, a], &[2 - (halves - first), halves - first]);
}

/// Creates empty results for these players.
fn between(names: &[&str]) -> Results {
    Results::new(names.iter().map(ToString::to_string).collect(), &[])
}

fn row(table: &TournamentTable, player: usize) -> &PlayerRow {
    table.rows.iter().find(|row| row.player == player).unwrap()
}

/// Creates the results of two players; `counts` is the number of pairs in which the first player scored 0 to 4 half
/// points.
fn pentanomial(counts: [u64; 5]) -> Results {
    let mut results = between(&["new", "old"]);
    let mut set = 0;
    for (halves, count) in counts.into_iter().enumerate() {
        for _ in 0..count {
            add_pair(&mut results, set, [0, 1], halves as u64);
            set += 1;
        }
    }
    results
}

/// Simulates a game between players of these strengths by Luce's choice model: each player draws a random time, and the
/// shortest time wins. Returns the half points.
fn played(rng: &mut fastrand::Rng, strengths: &[f64]) -> Vec<u64> {
    let time = |elo: &f64| -rng.f64().ln() / 10_f64.powf(elo / 400.0);
    let times: Vec<f64> = strengths.iter().map(time).collect();
    let worse = |t: &f64| times.iter().filter(|other| *other > t).count();
    times.iter().map(|t| 2 * worse(t) as u64).collect()
}

fn known(elo: Elo) -> (f64, f64) {
    match elo {
        Elo::Known { elo, error: Some(error) } => (elo, error),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn assert_near(value: f64, expected: f64, within: f64) {
    assert!((value - expected).abs() <= within, "{value} is not {expected}");
}

#[test]
fn elo_error_and_superiority_match_other_programs() {
    for (counts, elo, error, superiority) in [
        // fastchess, app/tests/elo_test.cpp, "EloPentanomial" 1 to 3.
        ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 100.0),
        ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, 5.05),
        ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, 0.0),
        // Results printed by fastchess, from the change logs of Anton 0.5.0 (two) and a tutorial on aspiration windows.
        ([73, 79, 296, 91, 118], 27.02, 15.81, 99.96),
        ([46, 108, 242, 159, 108], 46.12, 15.13, 100.0),
        ([40, 67, 295, 123, 54], 25.25, 13.92, 99.98),
        // A nearly one-sided match.
        ([66, 79, 5, 0, 0], -303.61, 30.73, 0.0),
    ] {
        let table = pentanomial(counts).table();
        for (player, elo) in [(0, elo), (1, -elo)] {
            let (value, plus_minus) = known(row(&table, player).against[0].elo);
            assert_near(value, elo, 0.006);
            assert_near(plus_minus, error, 0.006);
            // The mean of both players is half the distance to the opponent.
            assert_eq!(known(row(&table, player).elo), (value / 2.0, plus_minus / 2.0));
        }
        let percent = 100.0 * row(&table, 0).against[0].superiority.unwrap();
        assert_near(percent, superiority, 0.006);
        let best = &table.rows[0];
        assert_near(100.0 * best.superiority.unwrap(), percent.max(100.0 - percent), 1e-9);
        assert_eq!((best.player, table.rows[1].superiority), (usize::from(elo < 0.0), None));
    }
}

/// The expected numbers are "score" and "variance" from a Fishtest page,
/// montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712.
#[test]
fn mean_and_variance_match_fishtest() {
    let (mean, variance) = Sets([(2, vec![13, 37, 50, 25, 3])].into()).mean_and_variance();
    assert_near(mean, 0.43750, 5e-6);
    // The variance of one pair, of 128.
    assert_near(128.0 * variance, 0.05762, 5e-6);
}

#[test]
fn game_order_is_ignored_and_half_sets_add_points_only() {
    let mut games = Vec::new();
    for set in 0..40 {
        let halves = fastrand::Rng::with_seed(set).u64(0..=2);
        games.push((set, [0, 1], [halves, 2 - halves]));
        games.push((set, [1, 0], [2 - halves / 2, halves / 2]));
    }
    let play = |games: &[(u64, [usize; 2], [u64; 2])]| {
        let mut results = between(&["a", "b"]);
        for (set, players, halves) in games {
            add(&mut results, *set, players, halves);
        }
        results.table()
    };
    let table = play(&games);
    fastrand::Rng::with_seed(7).shuffle(&mut games);
    assert_eq!(play(&games), table);

    games.push((99, [1, 0], [2, 0]));
    let more = play(&games);
    let (row, before) = (row(&more, 0), row(&table, 0));
    assert_eq!((row.games, row.tally.points()), (81, before.tally.points()));
    assert_eq!(row.elo, before.elo);
    assert_eq!(row.against[0].sets.count(), 40);
}

/// Turner and Firth, *Bradley-Terry Models in R: The `BradleyTerry2` Package* (2012): the citations between four
/// statistics journals, and the abilities estimated from them.
#[test]
fn ratings_match_a_published_bradley_terry_fit() {
    const CITED: [[u64; 4]; 4] =
        [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]];
    const ABILITY: [f64; 4] = [0.0, -2.9491, -0.4796, 0.2690];
    let mut pairings = BTreeMap::new();
    for (i, row) in CITED.iter().enumerate() {
        for j in (0..4).filter(|j| *j != i) {
            // Treats each citation as a set of one game.
            let sets = Sets([(1, vec![CITED[j][i], 0, row[j]])].into());
            pairings.insert((i, j), Pairing { tally: Tally::default(), sets });
        }
    }
    let ratings = rate(4, &pairings, &BTreeMap::new());
    let elo = |player| match ratings.elo(player) {
        Elo::Known { elo, .. } => elo,
        other => panic!("{other:?}"),
    };
    for (player, ability) in ABILITY.into_iter().enumerate() {
        let found = (elo(player) - elo(0)) * std::f64::consts::LN_10 / 400.0;
        assert_near(found, ability, 6e-5);
    }
    assert_near((0..4).map(elo).sum(), 0.0, 1e-6);
}

/// In a gauntlet, the difference between the first player and any other depends only on their own games.
#[test]
fn gauntlet_ratings_share_one_scale() {
    let mut results = between(&["mine", "a", "b", "c"]);
    let counts = [[3, 6, 20, 7, 4], [1, 2, 9, 12, 16], [11, 10, 12, 4, 3]];
    let mut set = 0;
    for (other, counts) in counts.iter().enumerate() {
        for (halves, count) in counts.iter().enumerate() {
            for _ in 0..*count {
                add_pair(&mut results, set, [0, other + 1], halves as u64);
                set += 1;
            }
        }
    }
    let table = results.table();
    let mine = known(row(&table, 0).elo).0;
    for other in 1..4 {
        let met = row(&table, 0).against.iter().find(|met| met.player == other).unwrap();
        assert_near(mine - known(row(&table, other).elo).0, known(met.elo).0, 1e-6);
    }
    // `mine` lost clearly to c, and beat a and b. Therefore, it ranks above a and b, however many points the other
    // games gave.
    assert_eq!(table.rows.iter().map(|row| row.player).collect::<Vec<_>>(), [3, 0, 1, 2]);
    // For neighbors that have met, only their own games are used.
    let c = &table.rows[0];
    assert_near(c.superiority.unwrap(), c.against[0].superiority.unwrap(), 0.003);
}

/// Simulates tournaments of players with known strengths, in games that favor a seat or a setup: the interval contains
/// the true rating about as often as it claims.
#[test]
fn error_interval_has_its_stated_coverage() {
    const TRUE: [f64; 4] = [90.0, 30.0, -20.0, -100.0];
    let mut rng = fastrand::Rng::with_seed(20);
    for (seats, rounds) in [(2, 25), (4, 40)] {
        let (mut inside, mut all) = (0, 0);
        for _ in 0..250 {
            let mut results = Results::new(vec![String::new(); 4], &[]);
            for set in 0..rounds * if seats == 2 { 6 } else { 1 } {
                let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
                let players =
                    if seats == 2 { pairs[set as usize % 6].to_vec() } else { vec![0, 1, 2, 3] };
                // The advantage of the first seat on this setup, in Elo points.
                let bias = rng.f64() * 300.0 - 100.0;
                for turn in 0..seats {
                    let mut order = players.clone();
                    order.rotate_left(turn);
                    let strength =
                        |seat, player: usize| TRUE[player] + if seat == 0 { bias } else { 0.0 };
                    let strengths: Vec<f64> = (order.iter().enumerate())
                        .map(|(seat, player)| strength(seat, *player))
                        .collect();
                    let halves = played(&mut rng, &strengths);
                    add(&mut results, set, &order, &halves);
                }
            }
            let table = results.table();
            for row in &table.rows {
                let (elo, error) = known(row.elo);
                inside += u32::from((elo - TRUE[row.player]).abs() <= error);
                all += 1;
            }
        }
        let share = f64::from(inside) / f64::from(all);
        assert!((0.92..=0.975).contains(&share), "{seats} seats: {share}");
    }
}

#[test]
fn wins_are_counted_by_seat_and_losses_by_cause() {
    let mut results = between(&["a", "b", "c"]);
    add(&mut results, 0, &[0, 1, 2], &[4, 1, 1]);
    let (points, termination) = (&points(&[0, 3, 3])[..], Ending::IllegalMove);
    let players = &[1, 2, 0];
    results.add(&PlayedGame { set: 0, kind: 0, players, points, termination, by: Some(0) });
    let table = results.table();
    let tally = |wins, draws, losses| Tally { wins, draws, losses };
    assert_eq!(table.seats, [tally(2, 0, 2), tally(1, 2, 1), tally(1, 2, 1)]);
    assert_eq!(row(&table, 0).tally, tally(3, 1, 0));
    assert_eq!(row(&table, 0).tally.points(), Points { halves: 7 });
    assert_eq!(row(&table, 0).seats, [tally(2, 0, 0), tally(0, 0, 0), tally(1, 1, 0)]);
    assert_eq!(row(&table, 1).lost_by.0.values().sum::<u64>(), 1);
    assert_eq!(row(&table, 1).lost_by.0[&Ending::IllegalMove], 1);
    assert_eq!(row(&table, 1).against.len(), 2);
    assert_eq!(
        table.endings.into_iter().collect::<Vec<_>>(),
        [(Ending::Rules, 1), (Ending::IllegalMove, 1)]
    );
}

#[test]
fn normal_distribution_and_score_match_published_tables() {
    assert_near(normal_below(1.96), 0.975_002, 1e-6);
    assert_near(normal_below(-3.0), 0.001_350, 1e-6);
    // From the table in the FIDE Handbook, B.02: a difference of 200 corresponds to 0.76.
    assert_near(score_of(200.0), 0.76, 0.005);
    assert_near(score_of(400.0), 10.0 / 11.0, 1e-12);
}

/// Returns the table of a round robin or a gauntlet of eight players.
fn eight(is_gauntlet: bool) -> TournamentTable {
    let names = (1..=8).map(|i| format!("player with number {i}"));
    let mut results = Results::new(names.collect(), &[]);
    let mut rng = fastrand::Rng::with_seed(8);
    let mut set = 0;
    for a in 0..8 {
        for b in (a + 1..8).filter(|_| a == 0 || !is_gauntlet) {
            for _ in 0..100 {
                let halves = rng.u64(0..=2) + u64::from(rng.usize(0..16) < 8 + b - a);
                add_pair(&mut results, set, [a, b], halves + rng.u64(0..=1));
                set += 1;
            }
        }
    }
    let (points, termination) = (&points(&[0, 2])[..], Ending::NoAnswer);
    results.add(&PlayedGame { set, kind: 0, players: &[3, 0], points, termination, by: Some(0) });
    results.table()
}

#[test]
fn text_table_fits_80_columns() {
    let mut table = eight(false);
    table.sprt = Some(SprtVerdict { llr: 1.234, lower: -2.944, upper: 2.944, accepted: None });
    insta::assert_snapshot!("round_robin", table);
    insta::assert_snapshot!("gauntlet", eight(true));
    insta::assert_snapshot!("two", pentanomial([1, 2, 9, 4, 4]).table());
    for table in [table, eight(true)] {
        assert!(table.to_string().lines().all(|line| line.len() <= 80), "{table}");
    }
    assert!(!between(&["a", "b"]).table().to_string().is_empty());
}

#[test]
fn text_table_truncates_only_very_long_names() {
    let names = [
        "a program with a name of 40 columns, such",
        "a program with a name of more than forty columns",
    ];
    let text = Results::new(names.map(String::from).to_vec(), &[]).table().to_string();
    assert!(text.contains("1 a program with a name of 40 columns, su… "), "{text}");
    assert!(text.contains("2 a program with a name of more than fort… "), "{text}");
    let fits = Results::new(vec![names[0][..40].to_owned(), "b".into()], &[]).table().to_string();
    assert!(fits.contains(&names[0][..40]), "{fits}");
}

#[test]
fn json_table_contains_only_finite_numbers() {
    let read = |table: &TournamentTable| -> serde_json::Value {
        let text = table.json();
        serde_json::from_str(&text).unwrap()
    };
    let mut two = pentanomial([0, 0, 0, 0, 10]).table();
    let (accepted, lower) = (Some(Hypothesis::Elo1), -2.944_438_9);
    two.sprt = Some(SprtVerdict { llr: 3.0, lower, upper: 2.9, accepted });
    let json = read(&two);
    let [first, second] = [0, 1].map(|i| &json["players"][i]);
    assert_eq!(
        (&first["elo"], &first["error"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    assert!(
        first["elo_above"].as_f64().unwrap() > 90.0
            && second["elo_below"].as_f64().unwrap() < -90.0
    );
    assert_eq!((first["points"].as_u64(), first["wins"].as_u64()), (Some(20), Some(20)));
    assert_eq!(first["lost_by"]["no answer"].as_u64(), Some(0));
    assert_eq!(
        json["sprt"],
        serde_json::json!({ "llr": 3.0, "lower": -2.9444, "upper": 2.9, "accepted": "elo1" })
    );

    let many = read(&eight(false));
    assert_eq!(many["sprt"], serde_json::Value::Null);
    assert_eq!(many["endings"], serde_json::json!({ "rules": 5600, "no answer": 1 }));
    let player = &many["players"][0];
    assert!(player["elo"].is_f64() && player["error"].is_f64() && player["los"].is_f64());
    assert_eq!(player["against"].as_array().unwrap().len(), 7);
    assert_eq!(player["seats"].as_array().unwrap().len(), 2);
}
