//! Whole pictures of every board at several sizes, and what its keys can reach.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use common::{board, table};
use insta::assert_snapshot;

#[test]
fn dots_and_boxes() {
    let mut game = table("dots-and-boxes", "size=3", "H0,0 H2,1 H0,1 H2,0 V0,0 V1,2 H1,0 V0,1");
    for (width, height) in [(9, 5), (40, 20), (5, 3), (1, 1), (0, 0)] {
        assert_snapshot!(format!("dots_and_boxes_{width}x{height}"), board(&*game, width, height));
    }
    game.play("H1,1").unwrap();
    assert_snapshot!("dots_and_boxes_captured", board(&*game, 20, 10));
}
