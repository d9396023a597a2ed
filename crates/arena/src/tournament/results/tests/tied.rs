//! Tests of which players get a rating and which have won or lost too much to be rated.

use super::*;

/// Players who won or lost everything get no rating and do not affect the others.
#[test]
fn all_winners_rank_first_and_all_losers_last() {
    let mut results = between(&["weak", "b", "strong", "a"]);
    let mut set = 0;
    for (one, other, halves) in
        [(2, 0, 4), (2, 1, 4), (2, 3, 4), (3, 0, 4), (1, 0, 4), (3, 1, 3), (1, 3, 1), (3, 1, 1)]
    {
        for _ in 0..8 {
            add_pair(&mut results, set, [one, other], halves);
            set += 1;
        }
    }
    let rows = results.table().rows;
    assert_eq!(rows.iter().map(|row| row.player).collect::<Vec<_>>(), [2, 3, 1, 0]);
    assert!(matches!(rows[0].elo, Elo::Above(bound) if bound > 130.0), "{:?}", rows[0].elo);
    assert!(matches!(rows[3].elo, Elo::Below(bound) if bound < -130.0), "{:?}", rows[3].elo);
    let (a, b) = (known(rows[1].elo), known(rows[2].elo));
    assert_near(a.0, -b.0, 1e-9);
    assert_near(rows[0].superiority.unwrap(), 1.0 - 0.5_f64.powi(8), 1e-12);
}

/// If A won everything against B and C, and B won everything against C, no player is on a scale, not even B.
#[test]
fn incomparable_player_has_no_rating() {
    let mut results = between(&["mine", "a", "casual"]);
    for set in 0..3 {
        for (i, players) in [[1, 0], [1, 2], [2, 0]].into_iter().enumerate() {
            add_pair(&mut results, 3 * set + i as u64, players, 4);
        }
    }
    let table = results.table();
    assert_eq!(table.rows.iter().map(|row| row.player).collect::<Vec<_>>(), [1, 2, 0]);
    assert!(table.rows.iter().all(|row| row.elo == Elo::Unknown), "{table:?}");
    assert_said_alike(&table);
    // The head-to-head results are still given.
    assert!(matches!(table.rows[0].against[0].elo, Elo::Above(_)));
    assert_eq!(table.rows[0].superiority, Some(0.875));

    // Two players who have both scored against each other form a scale.
    for set in 20..28 {
        add_pair(&mut results, set, [1, 2], set % 4);
    }
    let table = results.table();
    assert!(matches!(table.rows[2].elo, Elo::Below(bound) if bound < 0.0), "{table:?}");
    assert_said_alike(&table);
}

/// A player who has won only one set, against a much weaker player, is only known to be stronger than that player. This
/// lower bound is below the mean, so it contains no information.
#[test]
fn uninformative_bound_is_omitted() {
    let mut results = between(&["last", "b", "c", "new"]);
    for set in 0..100 {
        add_pair(&mut results, 2 * set, [1, 0], if set == 0 { 3 } else { 4 });
        add_pair(&mut results, 2 * set + 1, [2, 1], 1 + set % 3);
    }
    add_pair(&mut results, 1000, [3, 0], 4);
    let table = results.table();
    let new = table.rows.iter().find(|row| row.name == "new").unwrap();
    assert_eq!((new.elo, table.rows[0].player), (Elo::Unknown, 3));
    assert_said_alike(&table);
}

/// Asserts that both tables, `table.txt` and `table.json`, have the same numbers and bounds.
#[track_caller]
fn assert_said_alike(table: &TournamentTable) {
    let json: serde_json::Value = serde_json::from_str(&table.json()).unwrap();
    for (row, line) in
        json["players"].as_array().unwrap().iter().zip(table.to_string().lines().skip(2))
    {
        let number = |key: &str| row[key].as_f64();
        let said = match (number("elo"), number("elo_above"), number("elo_below")) {
            (Some(elo), None, None) => format!(" {elo:+.1} "),
            (None, Some(above), None) => format!(" > {above:.0} "),
            (None, None, Some(below)) => format!(" < {below:.0} "),
            (None, None, None) => " - ".to_owned(),
            other => panic!("{other:?}"),
        };
        let after = line.split(row["name"].as_str().unwrap()).nth(1).unwrap();
        assert!(after.trim_start().starts_with(said.trim_start()), "{line:?} has no {said:?}");
    }
}
