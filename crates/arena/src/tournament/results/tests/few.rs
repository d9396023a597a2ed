//! Tests with few sets, and with identical sets.

use super::*;

#[test]
fn identical_results_have_no_error_margin() {
    let none = pentanomial([0; 5]).table();
    assert!(none.rows.iter().all(|row| row.elo == Elo::Unknown && row.superiority.is_none()));
    assert_eq!(none.rows.iter().map(|row| row.player).collect::<Vec<_>>(), [0, 1]);

    let all = pentanomial([0, 0, 0, 0, 10]).table();
    let (Elo::Above(above), Elo::Below(below)) = (all.rows[0].elo, all.rows[1].elo) else {
        panic!("{all:?}")
    };
    // Twenty games, one of them counted as a draw. The difference from the mean is half the difference between the
    // players.
    assert_near(above, 200.0 * (19.5_f64 / 0.5).log10(), 1e-9);
    assert_near(below, -above, 1e-9);
    assert_near(all.rows[0].superiority.unwrap(), 1.0 - 0.5_f64.powi(10), 1e-12);

    // If all pairs are identical, the variance is unknown.
    let even = pentanomial([0, 0, 10, 0, 0]).table();
    assert_eq!(even.rows[0].elo, Elo::Known { elo: 0.0, error: None });
    assert_eq!(even.rows[0].superiority, None);
    let better = pentanomial([0, 0, 0, 10, 0]).table();
    assert!(matches!(better.rows[0].elo, Elo::Known { error: None, .. }));
    assert_eq!(better.rows[0].superiority, None);
}

/// With three seats, scores are multiples of one sixth, which floating-point arithmetic rounds; the variance must still
/// be treated as unknown.
#[test]
fn identical_sets_have_no_error_margin_or_superiority() {
    let mut results = between(&["a", "b", "c"]);
    for set in 0..10 {
        add(&mut results, set, &[0, 1, 2], &[4, 2, 0]);
        add(&mut results, set, &[1, 2, 0], &[2, 0, 4]);
        add(&mut results, set, &[2, 0, 1], &[4, 0, 2]);
    }
    let rows = results.table().rows;
    assert_eq!(rows.iter().map(|row| row.player).collect::<Vec<_>>(), [0, 1, 2]);
    for row in &rows {
        assert!(matches!(row.elo, Elo::Known { error: None, .. }), "{row:?}");
        assert_eq!(row.superiority, None);
        assert!(row.against.iter().all(|met| (met.elo.error(), met.superiority) == (None, None)));
    }
}

/// With fewer than eight sets, the variance is too uncertain: the sets may be identical by chance.
#[test]
fn fewer_than_eight_sets_have_no_error_margin() {
    let mut results = between(&["a", "b", "c"]);
    let mut set = 0;
    let mut play = |results: &mut Results, times: u64| {
        for _ in 0..times {
            for (one, other, halves) in [(0, 1, 2), (0, 2, 3), (0, 2, 2), (1, 2, 2)] {
                add_pair(results, set, [one, other], halves);
                set += 1;
            }
        }
    };
    play(&mut results, 2);
    let rows = results.table().rows;
    let has_error =
        |player: usize| rows.iter().find(|row| row.player == player).unwrap().elo.error().is_some();
    // The three players have six, four and six sets.
    assert!(!has_error(0) && !has_error(1) && !has_error(2), "{rows:?}");
    assert!(rows.iter().all(|row| row.superiority.is_none()), "{rows:?}");
    play(&mut results, 2);
    let rows = results.table().rows;
    assert!(rows.iter().all(|row| row.elo.error().is_some()), "{rows:?}");
    assert!(rows[..2].iter().all(|row| row.superiority.is_some()), "{rows:?}");
    // Against each single opponent, there are only four sets.
    let b = rows.iter().find(|row| row.player == 1).unwrap();
    assert!(b.against.iter().all(|met| (met.elo.error(), met.superiority) == (None, None)));

    assert_eq!(pentanomial([0, 0, 3, 4, 0]).table().rows[0].elo.error(), None);
    assert!(pentanomial([0, 0, 4, 4, 0]).table().rows[0].elo.error().is_some());
}

/// The likelihood exceeds 97.5 % exactly if the 95 % interval of the score is above one half, also with few sets and for
/// scores near 0 and 1.
#[test]
fn superiority_agrees_with_the_interval_of_the_score() {
    let mut seen = 0;
    for code in 0..10_u64.pow(4) {
        let count = |place: u32| code / 10_u64.pow(place) % 10;
        let counts = [count(0) / 3, count(1), count(2) / 2, count(3), count(1) + count(3)];
        let row = &pentanomial(counts).table().rows[0];
        if let Elo::Known { elo, error: Some(_) } = row.elo {
            let (mean, variance) = row.against[0].sets.mean_and_variance();
            let superiority = row.superiority.unwrap();
            let is_above = mean - error_of(variance) > 0.5;
            assert_eq!(is_above, superiority > 0.975, "{counts:?}: {row:?}");
            assert!(elo >= 0.0 && superiority >= 0.5, "{counts:?}: {row:?}");
            seen += 1;
        }
    }
    assert!(seen > 1000);
    // Nearly all games were won.
    let (elo, error) = known(pentanomial([0, 0, 0, 1, 999]).table().rows[0].against[0].elo);
    assert!(error > 100.0 && elo > 1300.0, "{elo} {error}");
}

/// A cut interval is very wide, although the points leave no doubt. The expected numbers are those of `get_elo` in
/// Fishtest, without its regularization of empty counts.
#[test]
fn superiority_is_from_points_even_if_the_interval_is_cut() {
    let mut results = between(&["mine", "a", "b"]);
    for set in 0..12 {
        // Four wins and 20 losses against the first opponent; half of the points against the other.
        add_pair(&mut results, 2 * set, [0, 1], if set < 2 { 4 } else { 0 });
        add_pair(&mut results, 2 * set + 1, [0, 2], 1 + 2 * (set % 2));
    }
    let table = results.table();
    let met = row(&table, 0).against.iter().find(|met| met.player == 1).unwrap();
    let (elo, error) = known(met.elo);
    assert_near(elo, -279.59, 0.006);
    assert!(error > 400.0, "{error}");
    assert_near(met.superiority.unwrap(), 0.000_972, 1e-6);
    let back = row(&table, 1).against.iter().find(|met| met.player == 0).unwrap();
    assert_near(back.superiority.unwrap(), 1.0 - 0.000_972, 1e-6);
}
