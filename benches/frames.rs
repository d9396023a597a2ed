//! The time to draw the match screen of each game after a few moves, on a usual and on a large terminal.
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
use quadrille::app::{App, OpenMatch};
use quadrille::board::Skin;
use quadrille_match::session::{Conditions, Step};
use quadrille_rules::Setup;
use quadrille_table::catalogue::{GAMES, GameEntry};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::hint::black_box;
use std::time::Duration;

const SCREENS: [(u16, u16); 2] = [(80, 24), (200, 60)];

/// The number of moves before the drawing.
const PLIES: usize = 5;

fn some_moves_in(entry: &'static GameEntry) -> App {
    let mut chance = Chance(1);
    let mut open_match =
        OpenMatch::opened(entry, &Setup::new(), Conditions::default()).expect("the default setup");
    for _ in 0..PLIES {
        let legal = open_match.current_match().legal_moves();
        let Some(mv) = chance.pick(&legal) else { break };
        let session = open_match.session();
        let by = Step::Play(mv.clone()).infer_actor(session.current_match().to_move());
        let played = open_match.change().apply(by, &Step::Play(mv.clone()), Duration::ZERO);
        played.expect("a listed move is legal");
    }
    App::new(Skin::default(), 1).with_match(open_match)
}

fn frames(criterion: &mut Criterion) {
    for entry in &GAMES {
        let app = some_moves_in(entry);
        for (width, height) in SCREENS {
            let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
            let name = format!("frames/{} {width}x{height}", entry.id);
            criterion.bench_function(&name, |bencher| {
                bencher.iter(|| {
                    buffer.reset();
                    black_box(&app).draw(buffer.area, black_box(&mut buffer))
                });
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = frames
}
criterion_main!(benches);
