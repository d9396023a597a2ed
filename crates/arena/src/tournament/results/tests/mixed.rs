//! Tests with setups of different numbers of seats in one tournament.

use super::*;

/// Four players of known strengths play pairs and trios, complete or not, in any order.
fn mixed(rng: &mut fastrand::Rng, strengths: [f64; 4], rounds: u64) -> Results {
    const GROUPS: [&[usize]; 10] = [
        &[0, 1],
        &[0, 2],
        &[0, 3],
        &[1, 2],
        &[1, 3],
        &[2, 3],
        &[0, 1, 2],
        &[0, 1, 3],
        &[0, 2, 3],
        &[1, 2, 3],
    ];
    let mut games: Vec<(u64, Vec<usize>)> = Vec::new();
    for set in 0..rounds * 10 {
        let mut players = GROUPS[(set % 10) as usize].to_vec();
        for _ in 0..players.len() {
            games.push((set, players.clone()));
            players.rotate_left(1);
        }
    }
    rng.shuffle(&mut games);
    let mut results = between(&["a", "b", "c", "d"]);
    for (set, players) in games {
        let halves =
            played(rng, &players.iter().map(|&player| strengths[player]).collect::<Vec<_>>());
        add(&mut results, set, &players, &halves);
    }
    results
}

#[test]
fn sets_of_different_lengths_give_symmetric_tables() {
    let mut rng = fastrand::Rng::with_seed(3);
    for rounds in [1, 4, 20] {
        let table = mixed(&mut rng, [120.0, 40.0, -60.0, -100.0], rounds).table();
        let elo = |row: &PlayerRow| match row.elo {
            Elo::Known { elo, .. } => elo,
            other => panic!("{other:?}"),
        };
        assert_near(table.rows.iter().map(elo).sum(), 0.0, 1e-6);
        for row in &table.rows {
            for met in &row.against {
                let other = table.rows.iter().find(|other| other.player == met.player).unwrap();
                let back = other.against.iter().find(|back| back.player == row.player).unwrap();
                assert_eq!(met.tally.total(), rounds * (2 + 3 * 2));
                assert_eq!((met.sets.count(), back.sets.count()), (3 * rounds, 3 * rounds));
                assert_eq!(met.sets.halves(), 2 * met.tally.wins + met.tally.draws);
                assert_eq!(met.sets.halves() + back.sets.halves(), 2 * met.sets.games());
                assert_eq!(met.sets.pentanomial(), None);
                match (met.elo, back.elo) {
                    (Elo::Known { elo, error }, Elo::Known { elo: down, error: other }) => {
                        assert_near(elo, -down, 1e-9);
                        assert_near(error.unwrap_or(0.0), other.unwrap_or(0.0), 1e-9);
                    }
                    (Elo::Above(above), Elo::Below(below))
                    | (Elo::Below(below), Elo::Above(above)) => assert_near(above, -below, 1e-9),
                    other => panic!("{other:?}"),
                }
                let superiority = |met: &Against| met.superiority.unwrap_or(0.5);
                assert_near(superiority(met) + superiority(back), 1.0, 1e-9);
            }
        }
    }
}

/// The direct results and the ratings agree, and the intervals contain the true differences.
#[test]
fn sets_of_different_lengths_have_correct_errors() {
    const TRUE: [f64; 4] = [70.0, 20.0, -20.0, -70.0];
    let mut rng = fastrand::Rng::with_seed(4);
    let (mut inside, mut direct, mut all) = (0, 0, 0);
    for _ in 0..150 {
        let table = mixed(&mut rng, TRUE, 12).table();
        for row in &table.rows {
            let (elo, error) = known(row.elo);
            inside += u32::from((elo - TRUE[row.player]).abs() <= error);
            let met = &row.against[0];
            let (elo, error) = known(met.elo);
            let difference = TRUE[row.player] - TRUE[met.player];
            direct += u32::from((elo - difference).abs() <= error);
            all += 1;
        }
    }
    for count in [inside, direct] {
        let share = f64::from(count) / f64::from(all);
        assert!((0.91..=0.98).contains(&share), "{share}");
    }
}

/// Sets of both lengths that have the same score do not determine an error.
#[test]
fn sets_of_different_lengths_with_equal_scores_have_no_error() {
    let mut results = between(&["a", "b", "c"]);
    for set in 0..10 {
        add_pair(&mut results, 2 * set, [0, 1], 2);
        let trio = 2 * set + 1;
        add(&mut results, trio, &[0, 1, 2], &[2, 2, 2]);
        add(&mut results, trio, &[1, 2, 0], &[4, 1, 1]);
        add(&mut results, trio, &[2, 0, 1], &[1, 4, 1]);
    }
    let table = results.table();
    let met = row(&table, 0).against.iter().find(|met| met.player == 1).unwrap();
    assert_eq!((met.elo, met.superiority), (Elo::Known { elo: 0.0, error: None }, None));
}
