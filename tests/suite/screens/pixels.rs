//! Boards in pixels show what boards in cells show, at the same places.

use crate::common::chance::Chance;
use crate::common::samples::{open, samples};
use quadrille::board::{Details, Direction, Press, Skin, Viewer};
use quadrille::picture::fonts;
use quadrille_scene::pixels::{CellSize, Fonts, Pixels, Placement};
use quadrille_scene::{Item, Lettering, LineStyle, Role, Scene, Shape, Theme, cells};
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
const TRIED: usize = 24;

fn letters() -> Fonts {
    let [regular, bold] = fonts();
    Fonts::new(regular, bold).expect("two fonts")
}

fn skin() -> Skin {
    Skin::default().with_theme(Theme::night()).with_full_glyphs()
}

/// Plays some random moves and presses some random keys.
fn board_after(viewer: &mut Viewer, plies: usize, chance: &mut Chance) -> Scene {
    for _ in 0..plies {
        let legal = viewer.current_match().legal_moves();
        let Some(mv) = chance.pick(&legal) else { break };
        viewer.change().play(mv).expect("a listed move is legal");
    }
    for _ in 0..chance.below(6) {
        let key = KEYS[chance.below(KEYS.len())];
        let _ = viewer.board.press(key);
    }
    viewer.board.scene(Details::default())
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
            let scene = board_after(&mut viewer, 3 + 5 * (turn % 5), &mut chance);
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
    assert!(boards > 30 && shown > 300, "{boards} boards with {shown} items");
}
