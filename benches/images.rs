//! What a terminal with images costs: the time to draw and encode a frame, and its bytes, which are printed. The marks
//! are for Dots and Boxes 5×5 on a screen of 100 × 32.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use crossterm::event::{Event, KeyCode};
use quadrille::app::runtime::Protocol;
use quadrille::app::runtime::images::Images;
use quadrille::app::{App, OpenMatch};
use quadrille::board::Skin;
use quadrille_match::session::Conditions;
use quadrille_scene::Theme;
use quadrille_scene::pixels::CellSize;
use quadrille_table::catalogue;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::mem;
use std::time::Duration;

const CELL: CellSize = CellSize { width: 10, height: 21 };
const SCREEN: Rect = Rect::new(0, 0, 100, 32);
const PROTOCOLS: [Protocol; 3] = [Protocol::Kitty, Protocol::Sixel, Protocol::ITerm2];

/// The app with the part of the loop that writes frames.
struct Screen {
    app: App,
    images: Images,
    protocol: Protocol,
    shown: Buffer,
    next: Buffer,
}

impl Screen {
    fn new(game: &str, setup: &str, protocol: Protocol) -> Screen {
        let entry = catalogue::find(game).expect("a game");
        let setup = setup.parse().expect("a setup");
        let open_match = OpenMatch::opened(entry, &setup, Conditions::default()).expect("a match");
        let skin = Skin::default().with_theme(Theme::night());
        let [shown, next] = [SCREEN; 2].map(Buffer::empty);
        let app = App::new(skin, 1).with_match(open_match);
        Screen { app, images: Images::new(1), protocol, shown, next }
    }

    fn frame(&mut self) -> Vec<u8> {
        let Screen { app, images, protocol, shown, next } = self;
        app.show_images(Some(CELL));
        app.draw(SCREEN, next);
        let mut bytes = Vec::new();
        images
            .write_frame(Some((*protocol, CELL)), &app.images(), shown, next, &mut bytes)
            .expect("a vector accepts everything");
        mem::swap(shown, next);
        next.reset();
        bytes
    }

    fn press(&mut self, key: KeyCode) -> Vec<u8> {
        self.app.update(&Event::Key(key.into()));
        self.frame()
    }
}

fn images(criterion: &mut Criterion) {
    for protocol in PROTOCOLS {
        for (game, setup) in [
            ("dots-and-boxes", "size=5"),
            ("join-the-dots", ""),
            ("quixo", ""),
            ("tic-tac-toe", ""),
            ("intersections", ""),
        ] {
            let mut screen = Screen::new(game, setup, protocol);
            let first = screen.frame().len();
            let arrow = screen.press(KeyCode::Right).len();
            let mut last = 0;
            for key in [KeyCode::Enter, KeyCode::Right, KeyCode::Enter] {
                last = screen.press(key).len().max(last);
            }
            let unchanged = screen.frame().len();
            println!(
                "{protocol} {game}: first {first} bytes, arrow {arrow}, move at most {last}, unchanged {unchanged}"
            );
        }
        let mut screen = Screen::new("dots-and-boxes", "size=5", protocol);
        screen.frame();
        let mut keys = [KeyCode::Right, KeyCode::Left].into_iter().cycle();
        criterion.bench_function(&format!("images/arrow in {protocol}"), |bencher| {
            bencher.iter(|| screen.press(keys.next().expect("a cycle")));
        });
        criterion.bench_function(&format!("images/unchanged in {protocol}"), |bencher| {
            bencher.iter(|| screen.frame());
        });
        criterion.bench_function(&format!("images/first board in {protocol}"), |bencher| {
            bencher.iter(|| {
                screen.images.forget();
                screen.shown.reset();
                screen.frame()
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500));
    targets = images
}
criterion_main!(benches);
