//! Tests that each level beats the level below.

use super::*;
use crate::testing::play_match;

#[test]
#[ignore = "plays 800 games; cargo test --release -- --ignored --nocapture"]
fn each_level_beats_the_one_below() {
    // On 3 × 3 the first player wins, so the better level cannot win much more than half of the games.
    for (size, opening, least) in [(3, 0, 65), (4, 4, 75), (5, 4, 75), (6, 4, 75)] {
        let start = |seed| {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut position = Quixo::new(size).unwrap();
            for _ in 0..opening {
                position.play(rng.choice(position.legal_moves()).unwrap()).unwrap();
            }
            position
        };
        for (better, worse) in [(Level::Casual, Level::Beginner), (Level::Strong, Level::Casual)] {
            let time = Duration::from_millis(50);
            let result = play_match::<QuixoEngine>(better, worse, 100, time, start);
            eprintln!("{size} × {size}, {better} against {worse}: {result:?}");
            assert!(result.won >= least, "{size} × {size}, {better} against {worse}: {result:?}");
        }
    }
}
