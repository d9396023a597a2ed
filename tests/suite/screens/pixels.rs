//! Boards in pixels show what boards in cells show, at the same places.

use crate::common::chance::Chance;
use crate::common::samples::{open, samples};
use quadrille::board::{Details, Direction, MoveLabel, MoveQuality, Press, Skin, Viewer};
use quadrille::picture::fonts;
use quadrille_scene::motion::Animation;
use quadrille_scene::pixels::{CellSize, Fonts, Pixels, Placement};
use quadrille_scene::{
    Item, Lettering, LineStyle, Role, Scene, Shape, Theme, built_in, built_in_names, cells,
};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

const KEYS: [Press; 6] = [
    Press::Arrow(Direction::Left),
    Press::Arrow(Direction::Right),
    Press::Arrow(Direction::Up),
    Press::Arrow(Direction::Down),
    Press::Choose,
    Press::Next,
];

/// A number of items of which each is left out once.
const TRIED: usize = 16;

fn letters() -> Fonts {
    let [regular, bold] = fonts();
    Fonts::new(regular, bold).expect("two fonts")
}

fn skin() -> Skin {
    Skin::default().with_theme(Theme::night()).with_full_glyphs()
}

/// Plays some random moves and presses some random keys.
fn board_after(viewer: &mut Viewer, plies: usize, keys: usize, chance: &mut Chance) -> Scene {
    for _ in 0..plies {
        let legal = viewer.current_match().legal_moves();
        let Some(mv) = chance.pick(&legal) else { break };
        viewer.change().play(mv).expect("a listed move is legal");
    }
    for _ in 0..keys {
        let key = KEYS[chance.below(KEYS.len())];
        let _ = viewer.board.press(key);
    }
    viewer.board.scene(Details::default())
}

/// Labels all legal moves.
fn label(viewer: &mut Viewer) {
    let labelled = |(index, mv): (usize, String)| {
        let (text, rank) = [
            ("+1", MoveQuality::Best),
            ("=", MoveQuality::Near),
            ("~-2", MoveQuality::Rest),
            ("-3", MoveQuality::Losing),
            ("", MoveQuality::Open),
        ][index % 5];
        MoveLabel { mv, text: text.to_owned(), is_proven: true, draws_move: index == 0, rank }
    };
    let moves = viewer.current_match().legal_moves();
    viewer.board.label(moves.into_iter().enumerate().map(labelled).collect());
}

fn in_cells(scene: &Scene, size: Size) -> Buffer {
    let area = Rect::from(size);
    let mut buffer = Buffer::empty(area);
    cells::Placement::new(scene, None, Lettering::All, area).draw(&mut buffer, skin());
    buffer
}

fn without(scene: &Scene, index: usize) -> Scene {
    let mut scene = scene.clone();
    scene.items.remove(index);
    scene
}

/// A line that is not drawn is hidden by the cursor on it.
fn is_under_cursor(scene: &Scene, item: &Item) -> bool {
    let Shape::Line(ends, LineStyle::Faint) = item.shape else { return false };
    let ghost = Shape::Line(ends, LineStyle::Ghost);
    scene.items.iter().any(|item| item.role == Role::Cursor && item.shape == ghost)
}

/// The pixels that differ.
fn changes(one: &Pixels, other: &Pixels) -> Vec<[f32; 2]> {
    let pixels = one.rgba.chunks_exact(4).zip(other.rgba.chunks_exact(4)).enumerate();
    let at = |index: usize| {
        let [x, y] = [index % one.width as usize, index / one.width as usize];
        [x as f32 + 0.5, y as f32 + 0.5]
    };
    pixels.filter(|(_, (one, other))| one != other).map(|(index, _)| at(index)).collect()
}

#[test]
fn pixels_show_what_cells_show() {
    let (fonts, mut chance) = (letters(), Chance(7));
    let (mut shown, mut boards) = (0, 0);
    for (entry, sample) in samples() {
        for (turn, setup) in sample.usual().enumerate() {
            let mut viewer = Viewer::new(open(entry, setup).current_match().copy_line());
            let scene = board_after(&mut viewer, 3 + 5 * (turn % 5), turn % 6, &mut chance);
            let room = [Size::new(40, 18), Size::new(26, 13), Size::new(60, 30)][turn % 3];
            let size = cells::size(&scene.ground, room, Lettering::All);
            let cell = CellSize { width: 8, height: 16 };
            let Some(placement) = Placement::new(&scene, Lettering::All, size, cell) else {
                continue;
            };
            boards += 1;
            let name = format!("{} {setup} in {size}", entry.id);
            let area = Rect::from(size);
            let places = placement.places();
            for place in cells::Placement::new(&scene, None, Lettering::All, area).places().keys() {
                assert!(places.contains_key(place), "{name}: {place:?}");
            }
            for (place, at) in places {
                assert_eq!(placement.hit(at, 0.0), Some(place), "{name}");
            }
            let (image, buffer) = (placement.draw(skin(), &fonts, true), in_cells(&scene, size));
            let again = Placement::new(&scene, Lettering::All, size, cell).expect("it fitted");
            assert_eq!(again.draw(skin(), &fonts, true), image, "{name}");
            let step = scene.items.len().div_ceil(TRIED).max(1);
            for index in (chance.below(step)..scene.items.len()).step_by(step) {
                let item = &scene.items[index];
                let rest = without(&scene, index);
                if in_cells(&rest, size) == buffer || is_under_cursor(&scene, item) {
                    continue;
                }
                let drawn = Placement::new(&rest, Lettering::All, size, cell);
                let drawn = drawn.expect("it fitted").draw(skin(), &fonts, true);
                let changes = changes(&image, &drawn);
                assert!(!changes.is_empty(), "{name} does not show {item:?}");
                if let Some(place) = item.place {
                    let is_hit = |at: &[f32; 2]| placement.hit(*at, 1.0) == Some(place);
                    assert!(changes.iter().any(is_hit), "{name}: {item:?}");
                }
                shown += 1;
            }
        }
    }
    assert!(boards > 30 && shown > 200, "{boards} boards with {shown} items");
}

/// Every label that cells show is in the pixels.
#[test]
fn pixels_show_labels() {
    let (fonts, mut chance) = (letters(), Chance(3));
    for (entry, _) in samples() {
        let mut viewer = Viewer::new(open(entry, "").current_match().copy_line());
        let _ = board_after(&mut viewer, 4, 0, &mut chance);
        label(&mut viewer);
        let scene = viewer.board.scene(Details::default());
        let size = cells::size(&scene.ground, Size::new(60, 30), Lettering::All);
        let draw = |scene: &Scene| {
            let cell = CellSize { width: 10, height: 20 };
            let placement = Placement::new(scene, Lettering::All, size, cell).expect("it fits");
            placement.draw(skin(), &fonts, false)
        };
        let (image, buffer) = (draw(&scene), in_cells(&scene, size));
        let mut shown = 0;
        for index in 0..scene.labels.len() {
            let mut rest = scene.clone();
            rest.labels.remove(index);
            if in_cells(&rest, size) != buffer {
                assert_ne!(draw(&rest), image, "{} {:?}", entry.id, scene.labels[index]);
                shown += 1;
            }
        }
        assert!(shown > 2, "{shown} labels in {}", entry.id);
    }
}

/// In mid-motion the picture is neither the old nor the new one, also without paper and in every theme.
#[test]
fn pixels_move() {
    let (fonts, mut chance) = (letters(), Chance(11));
    let entries: Vec<_> = samples().map(|(entry, _)| entry).collect();
    for (entry, name) in entries.into_iter().cycle().zip(built_in_names()) {
        let skin = skin().with_theme(built_in(name).expect("a theme"));
        let mut viewer = Viewer::new(open(entry, "").current_match().copy_line());
        let old = board_after(&mut viewer, 5, 0, &mut chance);
        let new = board_after(&mut viewer, 1, 0, &mut chance);
        for lettering in [Lettering::All, Lettering::None] {
            let draw = |scene: &Scene| {
                let (room, cell) = (Size::new(50, 20), CellSize { width: 8, height: 16 });
                let placement = Placement::new(scene, lettering, room, cell).expect("it fits");
                placement.draw(skin, &fonts, false)
            };
            let [from, to] = [draw(&old), draw(&new)];
            for part in [0.2, 0.4, 0.6] {
                let image = draw(&Animation::Change.between(&old, &new, part));
                assert!(image != from && image != to, "{} in {name} at {part}", entry.id);
            }
            let corner = &to.rgba[..4];
            assert_eq!(corner, [0; 4], "nothing is drawn in the corner");
        }
    }
}
