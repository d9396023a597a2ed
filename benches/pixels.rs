//! The time to lay out and draw each game's board in pixels, in the middle of a match and at its end, with the cursor.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::expect_used)]

#[path = "../tests/suite/common/chance.rs"]
mod chance;

use chance::Chance;
use criterion::{Criterion, criterion_group, criterion_main};
use quadrille::board::{Details, Skin, Viewer};
use quadrille::picture::fonts;
use quadrille_rules::Setup;
use quadrille_scene::pixels::{CellSize, Fonts, Placement};
use quadrille_scene::{Lettering, Scene, Theme};
use quadrille_table::catalogue::{GAMES, GameEntry};
use ratatui::layout::Size;
use std::hint::black_box;
use std::time::Duration;

/// Rooms of 600 × 600 and 1200 × 1000 pixels.
const ROOMS: [Size; 2] = [Size::new(60, 30), Size::new(120, 50)];
const CELL: CellSize = CellSize { width: 10, height: 20 };

/// The numbers of moves before the drawing; the last one ends most matches.
const PLIES: [usize; 2] = [8, 60];

fn scene_after(entry: &'static GameEntry, plies: usize) -> Scene {
    let mut chance = Chance(1);
    let mut viewer = Viewer::open(entry, &Setup::new()).expect("the default setup");
    for _ in 0..plies {
        let legal = viewer.current_match().legal_moves();
        let Some(mv) = chance.pick(&legal) else { break };
        viewer.change().play(mv).expect("a listed move is legal");
    }
    viewer.board.scene(Details::default())
}

fn pixels(criterion: &mut Criterion) {
    let [regular, bold] = fonts();
    let fonts = Fonts::new(regular, bold).expect("two fonts");
    let skin = Skin::default().with_theme(Theme::night());
    for entry in &GAMES {
        for plies in PLIES {
            let scene = scene_after(entry, plies);
            for room in ROOMS {
                let [width, height] = [room.width * CELL.width, room.height * CELL.height];
                for paints in [true, false] {
                    let paper = if paints { "" } else { " without paper" };
                    let name = format!("pixels/{} after {plies} {width}x{height}{paper}", entry.id);
                    criterion.bench_function(&name, |bencher| {
                        bencher.iter(|| {
                            let placed =
                                Placement::new(black_box(&scene), Lettering::All, room, CELL);
                            placed.map(|placed| placed.draw(skin, &fonts, paints))
                        });
                    });
                }
            }
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300));
    targets = pixels
}
criterion_main!(benches);
