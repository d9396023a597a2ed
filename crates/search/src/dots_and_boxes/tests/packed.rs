//! Tests of packed positions and of the table's entries.

use super::*;

/// Positions with different values have different signatures, and many with equal values share one.
#[test]
fn signature_distinguishes_values() {
    for (rows, cols) in [(2, 3), (3, 2), (1, 5)] {
        let graph = Graph::new(&board(rows, cols)).unwrap();
        let mut known = HashMap::new();
        let mut signatures = Signatures::new();
        for (undrawn, value) in all_values(&graph).into_iter().enumerate() {
            let signature = signatures.of(&graph, undrawn as LineSet);
            assert_eq!(
                *known.entry(signature).or_insert(value),
                value,
                "{rows}×{cols}: {undrawn:b}"
            );
        }
        assert!(known.len() < (1 << graph.lines.len()) / 10);
    }
}

/// Each half of a signature alone distinguishes nearly as many positions as the whole, so both halves contribute.
#[test]
fn each_signature_half_distinguishes_positions() {
    let graph = Graph::new(&board(2, 4)).unwrap();
    let mut all = HashSet::new();
    let sets = 0..1 << 22;
    let mut signatures = Signatures::new();
    all.extend(sets.map(|undrawn| signatures.of(&graph, undrawn)));
    let halves = |shift: u32| {
        let halves: HashSet<u64> = all.iter().map(|&whole| (whole >> shift) as u64).collect();
        halves.len()
    };
    assert_eq!(all.len(), 72_237);
    assert_eq!([halves(0), halves(64)], [all.len(); 2]);
}

/// A signature built from cached parts equals a signature computed from scratch.
#[test]
fn incremental_signature_matches_full_signature() {
    let mut rng = fastrand::Rng::with_seed(14);
    for (rows, cols) in [(3, 3), (4, 4), (2, 7), (4, 5), (9, 2)] {
        let (mut kept, mut parts) = (Signatures::new(), Parts::new());
        let graph = Graph::new(&board(rows, cols)).unwrap();
        for _ in 0..2000 {
            let lines = graph.lines.len();
            let undrawn = (rng.u64(..) | rng.u64(..)) & ((1 << lines) - 1);
            let afresh = graph.signature(undrawn);
            let signature = kept.of(&graph, undrawn);
            assert_eq!(signature, afresh);
            parts.find(&graph, undrawn, signature, &mut kept);
            for line in each(undrawn) {
                let rest = undrawn & !(1 << line);
                let without = parts.without(&graph, 1 << line, &mut kept);
                assert_eq!(without, graph.signature(rest), "{undrawn:b} without {line}");
            }
        }
    }
}

/// On a large board, parts are found and trees are removed line by line. Only there do equal cycles in different places
/// have different signatures.
#[test]
fn line_by_line_parts_match_place_parts() {
    let mut rng = fastrand::Rng::with_seed(15);
    let mut trees = 0;
    for (rows, cols) in [(3, 3), (4, 4), (2, 7), (4, 5)] {
        let graph = Graph::new(&board(rows, cols)).unwrap();
        let by_lines = Graph::new(&board(rows, cols)).unwrap().without_places();
        for _ in 0..500 {
            let undrawn = rng.u64(..) & rng.u64(..) & graph.all();
            let parts: Vec<_> = graph.parts(undrawn).collect();
            let same: Vec<_> = by_lines.parts(undrawn).collect();
            let lines_and_boxes = |parts: &[Part]| -> Vec<(LineSet, u64)> {
                parts.iter().map(|part| (part.lines, part.boxes)).collect()
            };
            assert_eq!(lines_and_boxes(&parts), lines_and_boxes(&same), "{undrawn:b}");
            let edges = |part: &Part| (part.lines & graph.inner).count_ones();
            for part in parts.iter().filter(|part| edges(part) < part.boxes.count_ones()) {
                assert_eq!(graph.signature(part.lines), by_lines.signature(part.lines));
                trees += 1;
            }
        }
    }
    assert!(trees > 2000, "{trees}");
}

/// Turning or moving a part by itself changes neither the value nor the signature.
#[test]
fn signature_ignores_part_placement() {
    let graph = Graph::new(&board(4, 5)).unwrap();
    let line = |text: &str| 1 << graph.bit(text.parse().unwrap()).unwrap();
    let set = |texts: &str| texts.split(' ').map(line).fold(0, |all, one: LineSet| all | one);
    // Two squares of four boxes, one of them with two extra boxes that lead to the ground.
    let one = set("V0,1 V1,1 H1,0 H1,1 V0,2 V0,3 H0,2");
    let turned = set("V0,1 V1,1 H1,0 H1,1 H2,0 H3,0 V2,0");
    let moved = set("V0,3 V1,3 H1,2 H1,3 V0,4 V0,5");
    let moved = moved ^ set("V0,5") ^ set("H0,4");
    let other = set("V0,1 V1,1 H1,0 H1,1 V0,2 H0,2");
    let square = set("V2,3 V3,3 H3,2 H3,3");
    let mut signatures = Signatures::new();
    let signature = signatures.of(&graph, one);
    assert_eq!(signature, signatures.of(&graph, turned));
    assert_ne!(signature, signatures.of(&graph, other));
    assert_eq!(signatures.of(&graph, moved), signatures.of(&graph, other));
    let with_square = signatures.of(&graph, one | square);
    assert_ne!(with_square, signature);
    assert_eq!(with_square, signatures.of(&graph, set("V0,1 V1,1 H1,0 H1,1") | one | square));
}

/// The table returns the bounds that were stored, for any number of boxes left, and merges new bounds with them.
#[test]
fn table_returns_and_joins_stored_bounds() {
    let mut memory = table::memory(60, 2 * MIB).unwrap();
    let mut table: DotsTable<'_> = memory.table();
    let mut rng = fastrand::Rng::with_seed(1);
    for left in 0..=30 {
        let key = rng.u128(..);
        let entry = |lower, upper| DotsEntry { lower, upper };
        table.store(key, left, 40, entry(-left, left));
        assert_eq!(table.entry(key, left), Some(entry(-left, left)));
        let middle = left & 1;
        table.store(key, left, 40, entry(-left, middle));
        table.store(key, left, 40, entry(-middle, left));
        assert_eq!(table.entry(key, left), Some(entry(-middle, middle)));
    }
}

/// Entries that can be proven again by a lookup are evicted first; of equally proven entries, those with fewer lines.
/// The newest entry of a bucket always stays.
#[test]
fn full_table_evicts_cheap_entries_first() {
    const LEFT: i32 = 12;
    let lower = DotsEntry { lower: 0, upper: LEFT };
    let upper = DotsEntry { lower: -LEFT, upper: 0 };
    for (forgotten, kept) in
        [((lower, 30), (upper, 20)), ((lower, 20), (lower, 21)), ((upper, 20), (lower, 33))]
    {
        let mut memory = table::memory(30, MIB).unwrap();
        let mut table: DotsTable<'_> = memory.table();
        let mut rng = fastrand::Rng::with_seed(14);
        let pairs: Vec<[u128; 2]> = (0..100_000).map(|_| [rng.u128(..), rng.u128(..)]).collect();
        for (key, (entry, lines)) in
            pairs.iter().flat_map(|pair| pair.iter().zip([forgotten, kept]))
        {
            table.store(*key, LEFT, lines, entry);
        }
        let [forgotten, kept] = [0, 1].map(|kind| {
            pairs.iter().filter(|pair| table.entry(pair[kind], LEFT).is_some()).count()
        });
        assert!(kept > 4 * forgotten, "{kept} {forgotten}");
    }
}
