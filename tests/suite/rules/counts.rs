//! Perft counts from the start of each game, depth by depth.

use crate::common::samples::{complete, open};
use quadrille_table::catalogue;

/// A game, a setup, and the counts of depths 1, 2, …
const COUNTS: &[(&str, &str, &[u64])] = &[
    ("tic-tac-toe", "", &[9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0]),
    ("dots-and-boxes", "size=2", &[4, 12, 24, 24, 0]),
    ("dots-and-boxes", "rows=2 cols=3", &[7, 42, 210, 840, 2_520, 5_040]),
    ("dots-and-boxes", "size=3", &[12, 132, 1_320, 11_880, 95_040, 665_280]),
    ("dots-and-boxes", "size=4", &[24, 552, 12_144, 255_024, 5_100_480]),
    ("quixo", "size=1", &[0]),
    ("quixo", "size=2", &[8, 48, 288, 576]),
    ("quixo", "size=3", &[20, 356, 6_332, 99_648, 1_572_096]),
    ("quixo", "size=4", &[32, 952, 28_312, 778_744]),
    ("quixo", "size=5", &[44, 1_836, 76_596, 3_018_100]),
    ("join-the-dots", "layout=circle:5", &[10, 80, 510, 2_250, 5_040]),
    ("join-the-dots", "layout=circle:6", &[15, 180, 1_770, 13_716, 76_608, 262_008]),
    ("join-the-dots", "layout=circle:7", &[21, 350, 4_830, 54_894, 497_994]),
    ("intersections", "size=3 segments=6", &[18, 280, 3_708, 41_088, 373_680]),
    ("intersections", "size=4 segments=10", &[48, 2_064, 79_248, 2_707_416]),
];

#[test]
fn perft_counts_match_known_values() {
    complete(COUNTS.iter().map(|(id, ..)| *id));
    for (id, setup, counts) in COUNTS {
        let table = open(catalogue::find(id).unwrap(), setup);
        let counted: Vec<u64> = (1..=counts.len() as u8)
            .map(|depth| table.current_match().now().perft(depth))
            .collect();
        assert_eq!(counted, *counts, "{id} {setup}");
    }
}
