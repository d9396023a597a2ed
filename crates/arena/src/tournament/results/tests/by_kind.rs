//! Tests of the results by kind of setup.

use super::*;

fn kinds(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn two(kinds: &[String]) -> Results {
    Results::new(vec!["new".into(), "old".into()], kinds)
}

/// One player wins everything on one kind and half of the games on the other.
#[test]
fn kind_table_shows_differences_with_errors() {
    let mut results = two(&kinds(&["grid", "circle"]));
    for pair in 0..40 {
        let (kind, halves) = if pair < 20 { (0, 4) } else { (1, 2) };
        add_pair_on(&mut results, kind, pair, [0, 1], halves);
    }
    let table = results.table();
    let [grid, circle] = &table.kinds[..] else { panic!("{table:?}") };
    assert_eq!((&*grid.kind, &*circle.kind), ("grid", "circle"));
    let best = &grid.rows[0];
    assert!(matches!(best.row.elo, Elo::Above(_)) && best.row.games == 40, "{best:?}");
    assert_eq!(best.row.against[0].sets.pentanomial(), Some(&[0, 0, 0, 0, 20][..]));
    // Overall, the player has 3 of 4 half points per pair, with a variance of 1. A random sample of 20 of the 40 pairs
    // has a sum with variance 20 * 20 / 39.
    let difference = best.difference.unwrap();
    assert_near(difference.share, 0.25, 1e-12);
    assert_near(difference.error, 1.959_964 * (400.0_f64 / 39.0).sqrt() / 80.0, 1e-7);
    let share = |row: &KindRow| row.difference.unwrap().share;
    assert_near(share(&grid.rows[1]), -0.25, 1e-12);
    assert_near(share(circle.rows.iter().find(|row| row.row.player == 0).unwrap()), -0.25, 1e-12);
    assert_eq!(
        table.kinds_in_words(),
        [
            "new is better on grid, and worse on circle, than on all kinds together, beyond the margin of error.",
            "old is better on circle, and worse on grid, than on all kinds together, beyond the margin of error.",
        ]
    );
}

#[test]
fn few_or_identical_sets_show_no_difference_by_kind() {
    let none = "No kind shows any player significantly better or worse than on all together.";
    for (sets, halves) in [(7, [4, 0]), (50, [4, 4])] {
        let mut results = two(&kinds(&["grid", "circle"]));
        for pair in 0..sets {
            for (kind, halves) in halves.into_iter().enumerate() {
                add_pair_on(&mut results, kind, 2 * pair + kind as u64, [0, 1], halves);
            }
        }
        let table = results.table();
        assert!(table.kinds.iter().flat_map(|kind| &kind.rows).all(|row| row.difference.is_none()));
        assert_eq!(table.kinds_in_words(), [none]);
    }
}

/// A single kind gives no comparison, and a table of more than 100 kinds would be unreadable.
#[test]
fn kind_table_needs_2_to_100_kinds() {
    for count in [1, 101] {
        let names: Vec<String> = (0..count).map(|kind| kind.to_string()).collect();
        let mut results = two(&names);
        add_pair_on(&mut results, 0, 0, [0, 1], 4);
        let table = results.table();
        assert!(table.kinds.is_empty() && table.kinds_in_words().is_empty());
        assert_eq!(table.rows[0].games, 2);
    }
}

/// Simulates tournaments of three players over five kinds. The second player is stronger by `shift` Elo points on the
/// first kind. Returns the number of tournaments in which any player is reported as better or worse on any kind, and
/// the number in which the second player is reported as better on the first kind.
fn found(tournaments: u64, seats: usize, shift: f64) -> (u32, u32) {
    const TRUE: [f64; 3] = [200.0, 0.0, -500.0];
    let mut rng = fastrand::Rng::with_seed(21);
    let names = kinds(&["a", "b", "c", "d", "e"]);
    let (mut any, mut second) = (0, 0);
    for _ in 0..tournaments {
        let mut results = Results::new(kinds(&["x", "y", "z"]), &names);
        let groups: &[&[usize]] =
            if seats == 2 { &[&[0, 1], &[0, 2], &[1, 2]] } else { &[&[0, 1, 2]] };
        let mut set = 0;
        for kind in 0..names.len() {
            for _ in 0..15 {
                for players in groups {
                    for turn in 0..seats {
                        let mut order = players.to_vec();
                        order.rotate_left(turn);
                        let more = |player| if (player, kind) == (1, 0) { shift } else { 0.0 };
                        let strengths: Vec<f64> =
                            order.iter().map(|&player| TRUE[player] + more(player)).collect();
                        let halves = played(&mut rng, &strengths);
                        add_on(&mut results, kind, set, &order, &halves);
                    }
                    set += 1;
                }
            }
        }
        let table = results.table();
        let verdict = |row: &KindRow| row.difference.and_then(Difference::beyond_error);
        any += u32::from(
            table.kinds.iter().flat_map(|kind| &kind.rows).any(|row| verdict(row).is_some()),
        );
        let of_second = table.kinds[0].rows.iter().find(|row| row.row.player == 1).unwrap();
        second += u32::from(verdict(of_second) == Some(std::cmp::Ordering::Greater));
    }
    (any, second)
}

/// If no kind matters, at most five of a hundred tournaments report a difference, even with a player who loses nearly
/// everything. A large difference is detected nearly always.
#[test]
fn irrelevant_kind_is_rarely_reported() {
    for seats in [2, 3] {
        let (any, _) = found(400, seats, 0.0);
        assert!((4..=26).contains(&any), "{seats} seats: {any}");
        let (_, second) = found(50, seats, 400.0);
        assert!(second >= 45, "{seats} seats: {second}");
    }
}

#[test]
fn results_table_lists_players_by_kind() {
    let names = kinds(&["layout=circle", "layout=random:12"]);
    let mut results = Results::new(kinds(&["Strong", "Casual", "Beginner"]), &names);
    let mut rng = fastrand::Rng::with_seed(3);
    for set in 0..90 {
        let (kind, pair) = (set as usize % 2, [[0, 1], [0, 2], [1, 2]][set as usize % 3]);
        let halves = rng.u64(0..=1) + if kind == 0 { 3 } else { 1 };
        add_pair_on(&mut results, kind, set, pair, halves);
    }
    let table = results.table();
    insta::assert_snapshot!("by_kind", table);
    assert!(table.by_kind().to_string().lines().all(|line| line.len() <= 80), "{table}");
    let json: serde_json::Value = serde_json::from_str(&table.json()).unwrap();
    let kind = &json["kinds"][0];
    assert_eq!(kind["kind"], "layout=circle");
    let (best, all) = (&kind["players"][0], &json["players"][0]);
    assert_eq!((&best["name"], &all["name"]), (&"Strong".into(), &"Strong".into()));
    for key in all.as_object().unwrap().keys() {
        assert!(best.get(key).is_some(), "{key}");
    }
    assert_eq!(best["than_all"]["verdict"], "better");
    assert!(best["than_all"]["share"].as_f64() > best["than_all"]["error"].as_f64());
    assert_eq!(json["kinds"][1]["players"][1]["than_all"]["verdict"], serde_json::Value::Null);
}
