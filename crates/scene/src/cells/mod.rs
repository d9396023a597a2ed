//! Scenes in screen cells: layout, drawing and mouse hits. All sizes are in cells. Nothing is ever read back from the
//! screen.
//!
//! `SheetLayout` maps points of the ground to cells, and shapes to rectangles of cells. Drawing, mouse hits (the
//! topmost item with a place, or an adjacent item) and the positions of labels are derived from the layout. The layout
//! does not depend on the labels, so boards do not shift when values arrive. Pictures for cards and previews have no
//! cursor and no lettering; in these pictures, scattered points may share a cell, so they fit into any space.
//!
//! Everything is drawn on a `Sheet` as large as the board. The sheet centers a small board, scrolls a large board by
//! whole cells with the cursor or the wheel, clips its contents, and supports windows down to 1 × 1. Each `Axis`
//! consists of labels, a pad, cells and a second pad. Only the cells scroll, and a scroll bar shows their position. If
//! the numbers of scattered points would touch, the picture is stretched before it scrolls; stretching preserves
//! crossings.
//!
//! Anything larger than a glyph is painted in layers on a `PixelCanvas`, with 2 × 2 pixels per cell; a cell shows its
//! topmost layer over the most frequent color of the other layers. Crosses and circles are drawn in pixels. At a
//! spacing of six rows or more, a board is `heavy`: dots, lines, areas, badges and pointers are drawn in pixels too,
//! and mouse hits use the same pixels. Between scattered points, lines and the outlines of areas are drawn with Braille
//! dots, over pale areas that fill whole cells. Numbers and the values of moves stand beside their points where room is
//! (`numbers`). Each area has its owner's letter where most of the area is visible (`polygons`), or next to the area.
//! Without quadrant blocks (`NARROW`, ASCII), everything is drawn in glyphs, and areas are filled or hatched cell by
//! cell.

mod axis;
mod braille;
mod canvas;
mod grid;
mod heavy;
mod items;
mod label;
mod lattice;
mod layout;
mod letters;
mod numbers;
mod on_screen;
mod point_layout;
mod polygons;
mod sheet;
mod symbol;
mod tile;

use axis::Axis;
pub(super) use braille::ascii as ascii_line;
#[cfg(feature = "pixels")]
pub(crate) use label::role as label_role;
pub use letters::dots;
pub use on_screen::BoardOnScreen;
use sheet::{Sheet, SheetFormat, SheetView};

use super::{BoardGeometry, Item, Label, Lettering, PlaceId, Role, Scene, Shape, Skin};
use foldhash::{HashMap, HashSet};
use layout::{LabelSlot, SheetLayout};
use numbers::{NumberPlaces, Occupied};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use std::rc::Rc;

/// Returns the size that a board on this ground occupies in `room`.
pub fn size(ground: &BoardGeometry, room: Size, lettering: Lettering) -> Size {
    SheetLayout::new(ground, room, lettering).format.size_in(room)
}

/// Returns whether the whole board fits as a picture without lettering.
pub fn has_room(ground: &BoardGeometry, room: Size) -> bool {
    SheetLayout::new(ground, room, Lettering::None).format.fits(room)
}

/// Renders a scene as lines of text. The result exceeds `room` only if the scene cannot be drawn any smaller.
pub fn written(scene: &Scene, room: Size, skin: Skin) -> Vec<String> {
    let size = SheetLayout::new(&scene.ground, room, Lettering::All).format.size();
    let area = Rect::from((Position::ORIGIN, size));
    let mut buffer = Buffer::empty(area);
    Placement::new(scene, None, Lettering::All, area).draw(&mut buffer, skin);
    let text = |row: Rect| -> String {
        row.positions().map(|at| buffer[at].symbol()).collect::<String>().trim_end().to_owned()
    };
    let mut lines: Vec<String> = area.rows().map(text).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The layout of a ground in a room, with the places of numbers, which are derived from each line once.
#[derive(Debug)]
struct BoardLayout {
    ground: BoardGeometry,
    room: Size,
    lettering: Lettering,
    sheet: Rc<SheetLayout>,
    /// The places of the numbers of scattered points, whatever the cursor does.
    numbers: Option<Rc<NumberPlaces>>,
}

impl BoardLayout {
    fn new(scene: &Scene, room: Size, lettering: Lettering) -> BoardLayout {
        let ground = scene.ground.clone();
        let sheet = Rc::new(SheetLayout::new(&ground, room, lettering));
        let mut layout = BoardLayout { ground, room, lettering, sheet, numbers: None };
        if let BoardGeometry::Points(points) = &layout.ground {
            let mut numbers =
                NumberPlaces::new(&layout.sheet, points, lettering != Lettering::None);
            numbers.extend(&scene.strokes, &layout.sheet);
            layout.numbers = Some(Rc::new(numbers));
        }
        layout
    }

    /// Returns the layout with the scene's new lines, if the scene continues the one before in the same room.
    fn extended(mut self, scene: &Scene, room: Size, lettering: Lettering) -> Option<BoardLayout> {
        if (self.room, self.lettering) != (room, lettering) || self.ground != scene.ground {
            return None;
        }
        let is_extended = self
            .numbers
            .as_mut()
            .is_none_or(|numbers| Rc::make_mut(numbers).extend(&scene.strokes, &self.sheet));
        is_extended.then_some(self)
    }
}

/// A scene laid out in a part of the screen, as large as possible.
#[derive(Debug)]
pub struct Placement<'a> {
    scene: &'a Scene,
    layout: Rc<SheetLayout>,
    numbers: Option<Rc<NumberPlaces>>,
    lettering: Lettering,
    area: Rect,
    focus: Rect,
}

impl<'a> Placement<'a> {
    /// Lays out a scene. `scrolled` is the cell of the sheet to keep visible instead of the scene's focus; see
    /// [`Placement::scroll`].
    pub fn new(
        scene: &'a Scene,
        scrolled: Option<Position>,
        lettering: Lettering,
        area: Rect,
    ) -> Placement<'a> {
        let layout = BoardLayout::new(scene, area.as_size(), lettering);
        Placement::on(&layout, scene, scrolled, area)
    }

    fn on(
        layout: &BoardLayout,
        scene: &'a Scene,
        scrolled: Option<Position>,
        area: Rect,
    ) -> Placement<'a> {
        let numbers = layout.numbers.as_ref().map(|numbers| numbers.preferring(scene));
        let (lettering, layout) = (layout.lettering, Rc::clone(&layout.sheet));
        let mut placement =
            Placement { scene, layout, numbers, lettering, area, focus: Rect::ZERO };
        placement.focus = match (scrolled, scene.focus) {
            (Some(Position { x, y }), _) => Rect { x, y, width: 1, height: 1 },
            (None, Some(focus)) => placement.cells_of(focus),
            (None, None) => Rect::ZERO,
        };
        placement
    }

    /// Draws the scene. A label replaces the faint line beneath it.
    pub fn draw(&self, buffer: &mut Buffer, skin: Skin) {
        let mut sheet = Sheet::lay(buffer, self.area, self.layout.format, self.focus, skin);
        let labels = &self.scene.labels;
        let labelled: HashSet<PlaceId> = labels.iter().map(|label| label.place).collect();
        if self.lettering == Lettering::All {
            grid::label(self.scene.ground.coordinates(), &mut sheet);
        }
        if self.layout.is_ruled() {
            grid::rule(&mut sheet);
        }
        self.draw_items(&labelled, &mut sheet);
        if !labels.is_empty() {
            self.draw_labels(&mut sheet);
        }
    }

    /// Returns the place of the topmost item at a screen cell, or of an adjacent item if there is none.
    pub fn hit(&self, at: Position) -> Option<PlaceId> {
        let at = self.view().on_sheet(at)?;
        let top = |x: u16| {
            let here = Position { x, y: at.y };
            let is_here =
                |item: &&Item| item.place.is_some() && self.cells(&item.shape).contains(here);
            self.scene.items.iter().rev().find(is_here).and_then(|item| item.place)
        };
        let beside = [Some(at.x), at.x.checked_sub(1), at.x.checked_add(1)];
        beside.into_iter().flatten().find_map(top)
    }

    /// Returns every visible place with a screen cell at which it is clickable.
    pub fn places(&self) -> HashMap<PlaceId, Position> {
        let placed = self.scene.items.iter().filter_map(|item| Some((item.place?, &item.shape)));
        let cells = placed.flat_map(|(place, shape)| {
            self.cells(shape).positions().map(move |cell| (cell, place))
        });
        // Later items are on top of earlier items.
        let top: HashMap<Position, PlaceId> = cells.collect();
        let view = self.view();
        self.area.positions().filter_map(|at| Some((*top.get(&view.on_sheet(at)?)?, at))).collect()
    }

    /// Returns the scroll target for a turn of the wheel: a cell of the sheet just outside the visible part in this
    /// direction, or `None` at the edge of the board.
    pub fn scroll(&self, (columns, rows): (i8, i8)) -> Option<Position> {
        let (format, focus) = (self.layout.format, self.focus);
        let seen = self.view().visible();
        // Labels and pads do not scroll.
        let beyond = |from: u16, to: u16, axis: Axis, step: i8, now: u16| match step {
            0 => Some(now),
            1.. => (to < axis.at(axis.count) - axis.gap).then_some(to),
            _ => (from > axis.at(0)).then(|| from - 1),
        };
        let x = beyond(seen.left(), seen.right(), format.across, columns, focus.x)?;
        let y = beyond(seen.top(), seen.bottom(), format.down, rows, focus.y)?;
        Some(Position { x, y })
    }

    fn view(&self) -> SheetView {
        self.layout.format.view(self.area, self.focus)
    }

    /// Returns the cells of the first item at a place.
    fn cells_of(&self, place: PlaceId) -> Rect {
        let item = self.scene.items.iter().find(|item| item.place == Some(place));
        item.map_or(Rect::ZERO, |item| self.cells(&item.shape))
    }

    /// Returns the clickable cells of an item at its full size; none for a number without a place.
    fn cells(&self, shape: &Shape) -> Rect {
        match (shape, &self.numbers) {
            (Shape::Label(at, _), Some(numbers)) => numbers.place(*at).unwrap_or(Rect::ZERO),
            _ => self.layout.cells(shape),
        }
    }

    /// Returns the space for the label of a move selected at this item, if there is any.
    fn slot(&self, shape: &Shape, is_framed: bool) -> Option<LabelSlot> {
        match (shape, &self.numbers) {
            (Shape::Label(at, _), Some(numbers)) => {
                let dot = self.layout.cells(&Shape::Dot(*at));
                Some(LabelSlot::Near(numbers.place(*at).map_or(dot, |place| place.union(dot))))
            }
            _ => self.layout.slot(shape, is_framed),
        }
    }

    fn draw_labels(&self, sheet: &mut Sheet) {
        let is_framed = !tile::are_solid(sheet.skin);
        let items = self.scene.items.iter();
        let slot = |item: &Item| Some((item.place?, self.slot(&item.shape, is_framed)?));
        let slots: HashMap<PlaceId, LabelSlot> = items.clone().filter_map(slot).collect();
        let tiles = items.filter(|item| matches!(item.shape, Shape::Tile(..)));
        let tiles: HashMap<PlaceId, Role> =
            tiles.filter_map(|tile| Some((tile.place?, tile.role))).collect();
        let mut occupied = self.occupied();
        let mut taken = HashSet::default();
        for Label { place, text, rank } in &self.scene.labels {
            if let Some(slot) = slots.get(place).filter(|_| taken.insert(*place)) {
                // On a filled tile, no other ink is readable.
                let role = match tiles.get(place) {
                    _ if self.scene.focus == Some(*place) => Role::Cursor,
                    Some(Role::Cursor) => Role::Cursor,
                    Some(Role::Best) => Role::Counted,
                    _ => label::role(*rank),
                };
                label::draw(sheet, (text, *rank), *slot, role, &mut occupied);
            }
        }
    }

    /// Returns the items to draw; without lettering, numbers are excluded.
    fn items(&self) -> impl Iterator<Item = &Item> {
        let is_lettered = self.lettering != Lettering::None;
        let items = self.scene.items.iter();
        items.filter(move |item| is_lettered || !matches!(item.shape, Shape::Label(..)))
    }

    fn occupied(&self) -> Occupied {
        self.numbers.as_ref().map_or_else(Occupied::default, |numbers| numbers.occupied.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{At, Direction, LineStyle, Role};

    #[test]
    fn the_wheel_reaches_both_ends_of_a_large_board() {
        let ground = BoardGeometry::Lattice { rows: 64, cols: 64, numbered: false };
        let mut scene = Scene::on(ground);
        scene.add(Shape::Dot(At::new(0, 0)), Role::Strong);
        let area = Rect::new(0, 0, 40, 20);
        for step in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let mut at = None;
            let mut turns = 0;
            while let Some(next) = Placement::new(&scene, at, Lettering::All, area).scroll(step) {
                at = Some(next);
                turns += 1;
                assert!(turns < 100, "{step:?}");
            }
            assert_eq!(turns > 3, step.0 + step.1 > 0, "{step:?} from the start");
        }
    }

    /// A click on a drawn cell finds the place of its item or of an item on top of it. Also tests areas of several
    /// sizes and a partly visible board.
    #[test]
    fn click_on_a_drawn_cell_finds_its_place() {
        let at = |row: u8, col: u8| At::new(row, col);
        let across = |row, col| Shape::Line([at(row, col), at(row, col + 1)], LineStyle::Solid);
        let down = |row, col| Shape::Line([at(row, col), at(row + 1, col)], LineStyle::Faint);
        let cells = || (0..9).flat_map(|row| (0..9).map(move |col| (row, col)));
        let lattice = |numbered| BoardGeometry::Lattice { rows: 10, cols: 10, numbered };
        let grid = |ruled| BoardGeometry::Grid { rows: 9, cols: 9, first: 'a', ruled };
        let points: Vec<At> = cells()
            .map(|(row, col)| At::new(i32::from(row) * 99_991, i32::from(col) * 99_991))
            .collect();
        let tile = |(row, col)| Shape::Tile(at(row, col), None);
        let badge = |(row, col)| Shape::Badge(at(row, col), "3".to_owned());
        let label = |at: &At| Shape::Label(*at, "12".to_owned());
        let boards: Vec<(BoardGeometry, Vec<Shape>)> = vec![
            (lattice(false), cells().flat_map(|(r, c)| [across(r, c), down(r, c)]).collect()),
            (lattice(true), cells().map(badge).collect()),
            (
                BoardGeometry::Lattice { rows: 4, cols: 4, numbered: true },
                vec![badge((0, 0)), badge((3, 3)), Shape::Dot(at(1, 2)), badge((1, 1))],
            ),
            (grid(true), cells().map(tile).collect()),
            (grid(false), cells().map(tile).collect()),
            (BoardGeometry::Points(points.clone()), points.iter().map(label).collect()),
        ];
        for (ground, shapes) in boards {
            let mut scene = Scene::on(ground);
            for (place, shape) in (0..).zip(shapes) {
                scene.add_at(PlaceId(place, 0), shape, Role::Text);
            }
            let mut found = 0;
            for (width, height) in [(30, 12), (45, 20), (165, 56)] {
                for focus in [0, scene.items.len() - 1] {
                    scene.focus = scene.items[focus].place;
                    let area = Rect::new(7, 3, width, height);
                    let placement = Placement::new(&scene, None, Lettering::All, area);
                    let sheet_at = |at| placement.view().on_sheet(at);
                    for at in area.positions() {
                        let Some(cell) = sheet_at(at) else { continue };
                        let drawn = |item: &&Item| placement.cells(&item.shape).contains(cell);
                        if let Some(top) = scene.items.iter().rev().find(drawn) {
                            assert_eq!(placement.hit(at), top.place);
                            found += 1;
                        }
                    }
                }
            }
            assert!(found > 400, "{found} cells of {:?}", scene.ground);
        }
    }

    /// Items stay within their clickable cells at every weight and at all edges of a board. On a large board, items are
    /// larger than a glyph.
    #[test]
    fn items_draw_only_inside_their_cells() {
        let ground = BoardGeometry::Lattice { rows: 4, cols: 4, numbered: true };
        let dice = BoardGeometry::Grid { rows: 3, cols: 3, first: 'a', ruled: false };
        let corners = || [(0, 0), (0, 2), (2, 0), (2, 2), (1, 1)].map(|(r, c)| At::new(r, c));
        let mut largest = 0;
        for (width, height) in [(40, 20), (80, 36), (160, 56)] {
            let area = Rect::new(0, 0, width, height);
            let mut look = |ground: &BoardGeometry, shape: Shape| {
                let mut scene = Scene::on(ground.clone());
                scene.add_at(PlaceId(1, 0), shape.clone(), Role::Strong);
                let placement = Placement::new(&scene, None, Lettering::NoCoordinates, area);
                let mut buffer = Buffer::empty(area);
                placement.draw(&mut buffer, Skin::default().with_full_glyphs());
                let drawn: Vec<Position> =
                    area.positions().filter(|at| buffer[*at].symbol() != " ").collect();
                assert!(!drawn.is_empty(), "{shape:?} in {width} x {height}");
                for at in &drawn {
                    assert_eq!(
                        placement.hit(*at),
                        Some(PlaceId(1, 0)),
                        "{shape:?} in {width} x {height} at {at}"
                    );
                }
                largest = largest.max(drawn.len());
            };
            for at in corners() {
                look(&ground, Shape::Dot(at));
                look(&ground, Shape::Badge(at, "3".to_owned()));
                for side in Direction::ALL.into_iter().filter(|_| at == At::new(1, 1)) {
                    look(&ground, Shape::Arrow(at, side, side));
                }
                for side in Direction::ALL {
                    look(&dice, Shape::Arrow(at, side, side.opposite()));
                }
            }
        }
        assert!(largest > 20, "{largest}");
    }
}
