//! A scene in the cells of a screen: where its things stand in some room, how they are drawn there, and
//! what is chosen where somebody points.

mod axis;
mod chart;
mod grid;
mod label;
mod lattice;
mod layout;
mod sheet;
mod stroke;
mod symbol;
mod tile;

pub use axis::Axis;
pub use label::Rank;
pub use layout::Lettering;
pub use sheet::{Format, Sheet};
pub(super) use stroke::ascii as ascii_stroke;

use super::{Ground, Item, Role, Scene, Shape, Skin, Stroke};
use foldhash::{HashMap, HashSet};
use label::{Ink, Inked};
use layout::{Layout, Slot, is_upright};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use std::hash::Hash;
use symbol::Pixels;

/// How much of this room a board on this ground takes.
pub fn size(ground: &Ground, room: Size, lettering: Lettering) -> Size {
    Layout::new(ground, room, lettering).format.size_in(room)
}

/// What is known of a move that is made at a place: a short text, and how good it is.
pub type Label<'a, P> = (P, &'a str, Rank);

/// Draws a scene, as large as the area allows. Of several labels of one place the first is shown. What
/// could be drawn where a label will stand is left out. `scrolled` is a part of the sheet to be shown in
/// the place of the scene's focus; see [`scroll`].
pub fn draw<P: Copy + Eq + Hash>(
    scene: &Scene<P>,
    labels: &[Label<P>],
    scrolled: Option<Position>,
    lettering: Lettering,
    area: Rect,
    buffer: &mut Buffer,
    skin: Skin,
) {
    let layout = Layout::new(&scene.ground, area.as_size(), lettering);
    let focus = in_sight(scene, &layout, scrolled);
    let mut sheet = Sheet::lay(buffer, area, layout.format, focus, skin);
    let labelled: HashSet<P> = labels.iter().map(|(place, ..)| *place).collect();
    draw_ground(&scene.ground, lettering, &mut sheet);
    draw_items(scene, &layout, &labelled, &mut sheet);
    if !labels.is_empty() {
        draw_labels(scene, &layout, labels, &mut sheet);
    }
}

/// Draws a scene to be looked at: with nothing written beside the board or its dots.
pub fn draw_picture<P: Copy + Eq + Hash>(
    scene: &Scene<P>,
    area: Rect,
    buffer: &mut Buffer,
    skin: Skin,
) {
    let layout = Layout::new(&scene.ground, area.as_size(), Lettering::None);
    let mut sheet = Sheet::lay(buffer, area, layout.format, Rect::ZERO, skin);
    if let Ground::Grid { ruled: true, .. } = scene.ground {
        grid::rule(&mut sheet);
    }
    let is_drawn = |item: &&Item<P>| !matches!(item.shape, Shape::Label(..));
    let items = scene.items.iter().filter(is_drawn).cloned().collect();
    let scene = Scene { ground: scene.ground.clone(), items, focus: None };
    draw_items(&scene, &layout, &HashSet::default(), &mut sheet);
}

/// What is chosen at a place of the screen, where the scene was drawn into `area`: what lies uppermost
/// there, or else right beside it.
pub fn hit<P: Copy + PartialEq>(
    scene: &Scene<P>,
    scrolled: Option<Position>,
    lettering: Lettering,
    area: Rect,
    at: Position,
) -> Option<P> {
    let layout = Layout::new(&scene.ground, area.as_size(), lettering);
    let focus = in_sight(scene, &layout, scrolled);
    chosen(scene, &layout, layout.format.on_sheet(area, focus, at)?)
}

/// Each place that can be seen of a scene drawn into `area`, and where it can be clicked.
pub fn places<P: Copy + Eq + Hash>(
    scene: &Scene<P>,
    lettering: Lettering,
    area: Rect,
) -> HashMap<P, Position> {
    let layout = Layout::new(&scene.ground, area.as_size(), lettering);
    let focus = in_sight(scene, &layout, None);
    let placed = scene.items.iter().filter_map(|item| Some((item.place?, &item.shape)));
    let cells = placed
        .flat_map(|(place, shape)| layout.cells(shape).positions().map(move |cell| (cell, place)));
    // Later items lie over earlier ones.
    let top: HashMap<Position, P> = cells.collect();
    let seen = area
        .positions()
        .filter_map(|at| Some((*top.get(&layout.format.on_sheet(area, focus, at)?)?, at)));
    seen.collect()
}

/// What is chosen at a cell of the sheet.
fn chosen<P: Copy>(scene: &Scene<P>, layout: &Layout, at: Position) -> Option<P> {
    let top = |x: u16| {
        let here = Position { x, y: at.y };
        let is_here =
            |item: &&Item<P>| item.place.is_some() && layout.cells(&item.shape).contains(here);
        scene.items.iter().rev().find(is_here).and_then(|item| item.place)
    };
    let beside = [Some(at.x), at.x.checked_sub(1), at.x.checked_add(1)];
    beside.into_iter().flatten().find_map(top)
}

/// Where to look after a turn of the wheel by these columns and rows: a cell of the sheet just out of
/// sight that way, or `None` if nothing is.
pub fn scroll<P: PartialEq>(
    scene: &Scene<P>,
    scrolled: Option<Position>,
    lettering: Lettering,
    area: Rect,
    (columns, rows): (i8, i8),
) -> Option<Position> {
    let layout = Layout::new(&scene.ground, area.as_size(), lettering);
    let (format, focus) = (layout.format, in_sight(scene, &layout, scrolled));
    let seen = format.seen(area, focus);
    let Size { width, height } = format.size();
    let beyond = |from: u16, to: u16, end: u16, step: i8, now: u16| match step {
        0 => Some(now),
        1.. => (to < end).then_some(to),
        _ => from.checked_sub(1),
    };
    let x = beyond(seen.left(), seen.right(), width, columns, focus.x)?;
    let y = beyond(seen.top(), seen.bottom(), height, rows, focus.y)?;
    Some(Position { x, y })
}

/// How far apart two places are, in cells of a small board.
pub fn distance<P: PartialEq>(scene: &Scene<P>, one: P, other: P) -> u16 {
    let layout = Layout::new(&scene.ground, Size::ZERO, Lettering::All);
    let [one, other] = [one, other].map(|place| cells_of(scene, &layout, &place));
    one.x.abs_diff(other.x) + one.y.abs_diff(other.y)
}

/// The cells of the first thing at a place.
fn cells_of<P: PartialEq>(scene: &Scene<P>, layout: &Layout, place: &P) -> Rect {
    let item = scene.items.iter().find(|item| item.place.as_ref() == Some(place));
    item.map_or(Rect::ZERO, |item| layout.cells(&item.shape))
}

/// The part of the sheet that is to be seen.
fn in_sight<P: PartialEq>(scene: &Scene<P>, layout: &Layout, scrolled: Option<Position>) -> Rect {
    match (scrolled, &scene.focus) {
        (Some(Position { x, y }), _) => Rect { x, y, width: 1, height: 1 },
        (None, Some(focus)) => cells_of(scene, layout, focus),
        (None, None) => Rect::ZERO,
    }
}

/// What belongs to the ground itself.
fn draw_ground(ground: &Ground, lettering: Lettering, sheet: &mut Sheet) {
    let has_coordinates = lettering == Lettering::All && sheet.format().down.labels > 0;
    match *ground {
        Ground::Lattice { .. } if has_coordinates => lattice::number(sheet),
        Ground::Grid { first, ruled, .. } => {
            if has_coordinates {
                grid::label(sheet, first);
            }
            if ruled {
                grid::rule(sheet);
            }
        }
        Ground::Lattice { .. } | Ground::Points(_) => {}
    }
}

fn draw_items<P: Copy + Eq + Hash>(
    scene: &Scene<P>,
    layout: &Layout,
    labelled: &HashSet<P>,
    sheet: &mut Sheet,
) {
    let visible = sheet.visible();
    let is_left_out = |item: &Item<P>| {
        matches!(item.shape, Shape::Line(_, Stroke::Faint))
            && item.place.as_ref().is_some_and(|place| labelled.contains(place))
    };
    let mut pixels = Pixels::default();
    let mut strokes = Vec::new();
    let mut over_strokes = Vec::new();
    for Item { shape, role, .. } in scene.items.iter().filter(|item| !is_left_out(item)) {
        let part = layout.cells(shape);
        let style = sheet.skin().style(*role);
        match shape {
            Shape::Line(ends, stroke) if layout.is_scattered() => {
                strokes.push(stroke::Stroke::new(ends.map(|at| layout.end(at)), *stroke, style));
            }
            _ if !part.intersects(sheet.area().intersection(visible_with_pads(visible))) => {}
            Shape::Polygon(corners, letter) => {
                let corners: Vec<_> = corners.iter().map(|at| layout.end(*at)).collect();
                draw_polygon(&corners, part, *letter, *role, sheet);
            }
            Shape::Line(ends, _) if layout.is_ruled() => {
                draw_strike(ends.map(|at| layout.format.cell(at)), *role, &mut pixels, sheet);
            }
            Shape::Line(_, stroke) => draw_line(part, is_upright(shape), *stroke, *role, sheet),
            Shape::Area(_, letter) => draw_area(part, *letter, *role, sheet),
            Shape::Tile(_, symbol) => {
                tile::draw(sheet, &mut pixels, part, *symbol, *role, layout.is_ruled());
            }
            Shape::Arrow(_, _, points) => {
                let glyph = sheet.skin().glyphs().pointer(*points);
                sheet.glyph(part.x, part.y, glyph, style);
            }
            Shape::Dot(_) | Shape::Cross(_) | Shape::Badge(..) | Shape::Label(..) => {
                over_strokes.push((shape, part, *role));
            }
        }
    }
    stroke::draw(sheet, &strokes);
    for (shape, part, role) in over_strokes {
        draw_mark(shape, part, role, layout, sheet);
    }
    pixels.draw(sheet);
}

/// With a column and a row on each side, for what stands at the rim.
const fn visible_with_pads(Rect { x, y, width, height }: Rect) -> Rect {
    let (left, top) = (x.saturating_sub(1), y.saturating_sub(1));
    Rect { x: left, y: top, width: width + 1 + (x - left), height: height + 1 + (y - top) }
}

/// Draws what lies over lines.
fn draw_mark(shape: &Shape, part: Rect, role: Role, layout: &Layout, sheet: &mut Sheet) {
    let (style, glyphs) = (sheet.skin().style(role), sheet.skin().glyphs());
    match shape {
        Shape::Dot(_) => sheet.glyph(part.x, part.y, glyphs.dot, style),
        Shape::Cross(lines) => {
            let [one, other] = lines.map(|ends| ends.map(|at| layout.end(at)));
            if let Some((x, y)) = stroke::meeting(one, other).map(stroke::cell) {
                sheet.glyph(x, y, glyphs.cross, style);
            }
        }
        Shape::Badge(_, text) => {
            // Where nothing is painted, brackets are what is seen of it.
            let [left, right] = if style.bg.is_some() { [' '; 2] } else { ['[', ']'] };
            sheet.text(part.x, part.y, &format!("{left}{text:^1}{right}"), style);
        }
        Shape::Label(_, text) => sheet.whole_text(part, text, style),
        _ => {}
    }
}

fn draw_line(part: Rect, is_upright: bool, stroke: Stroke, role: Role, sheet: &mut Sheet) {
    let style = sheet.skin().style(role);
    let glyphs = sheet.skin().glyphs();
    let axis = usize::from(is_upright);
    match stroke {
        Stroke::Solid | Stroke::Heavy => sheet.fill(part, glyphs.line[axis], style),
        Stroke::Ghost => sheet.fill(part, glyphs.ghost[axis], style),
        // A point in every other cell, the same from both ends. The cells between have the same style,
        // as each change of it costs some twenty bytes on the way to the terminal.
        Stroke::Faint => {
            sheet.fill(part, ' ', style);
            let length = part.width.max(part.height);
            let skip = usize::from(length % 2 == 1 && length > 1);
            for at in part.positions().skip(skip).step_by(2) {
                sheet.glyph(at.x, at.y, glyphs.faint, style);
            }
        }
        Stroke::Blocked => {
            let (x, y) = grid::centre(part);
            sheet.glyph(x, y, glyphs.cross, style);
        }
    }
}

/// Strikes a line through tiles; where there are no pixels, the tiles alone tell.
fn draw_strike(tiles: [Rect; 2], role: Role, pixels: &mut Pixels, sheet: &Sheet) {
    let skin = sheet.skin();
    if skin.glyphs().manner == super::Manner::Blocks && tiles[0].height > 1 {
        pixels.strike(tiles, skin.style(role));
    }
}

/// Fills an area where the theme has a background for it, and else hatches it.
fn draw_area(part: Rect, letter: Option<char>, role: Role, sheet: &mut Sheet) {
    let style = sheet.skin().style(role);
    let glyphs = sheet.skin().glyphs();
    let glyph = match (style.bg, letter) {
        (Some(_), _) => ' ',
        (None, Some(_)) => glyphs.hatch,
        (None, None) => return,
    };
    sheet.fill(part, glyph, style);
    if let Some(letter) = letter {
        let (x, y) = (part.x + part.width / 2, part.y + (part.height - 1) / 2);
        let text = if part.width < 3 { letter.to_string() } else { format!(" {letter} ") };
        let half = text.len() as u16 / 2;
        sheet.text(x - half, y, &text, sheet.skin().last(style));
    }
}

/// Fills the cells of which the middle is inside, as [`draw_area`] does.
fn draw_polygon(corners: &[(i32, i32)], part: Rect, letter: char, role: Role, sheet: &mut Sheet) {
    let style = sheet.skin().style(role);
    let glyph = if style.bg.is_some() { ' ' } else { sheet.skin().glyphs().hatch };
    let mut filled = Vec::new();
    for at in part.intersection(sheet.visible()).positions() {
        if is_inside(corners, (2 * i32::from(at.x) + 1, 4 * i32::from(at.y) + 2)) {
            sheet.glyph(at.x, at.y, glyph, style);
            filled.push(at);
        }
    }
    // A letter only where it leaves something of the area.
    if filled.len() > 5
        && let Some(middle) = middle(&filled)
    {
        sheet.glyph(middle.x, middle.y, letter, sheet.skin().last(style));
    }
}

/// Of these cells the one nearest to the middle of them all.
fn middle(cells: &[Position]) -> Option<Position> {
    let count = cells.len() as u32;
    let sum = |axis: fn(&Position) -> u16| cells.iter().map(|at| u32::from(axis(at))).sum::<u32>();
    let (x, y) = (sum(|at| at.x), sum(|at| at.y));
    // A cell is about twice as high as wide.
    let far = |at: &&Position| {
        (count * u32::from(at.x)).abs_diff(x) + 2 * (count * u32::from(at.y)).abs_diff(y)
    };
    cells.iter().min_by_key(far).copied()
}

/// Whether a point is inside a polygon: a ray from it crosses the rim an odd number of times.
fn is_inside(corners: &[(i32, i32)], (x, y): (i32, i32)) -> bool {
    let next = corners.iter().cycle().skip(1);
    let crossed = corners.iter().zip(next).filter(|&(&(ax, ay), &(bx, by))| {
        let ((ax, ay), (bx, by)) =
            if ay < by { ((ax, ay), (bx, by)) } else { ((bx, by), (ax, ay)) };
        ay <= y && y < by && (x - ax) * (by - ay) < (bx - ax) * (y - ay)
    });
    crossed.count() % 2 == 1
}

fn draw_labels<P: Copy + Eq + Hash>(
    scene: &Scene<P>,
    layout: &Layout,
    labels: &[Label<P>],
    sheet: &mut Sheet,
) {
    let is_framed = !tile::are_solid(sheet.skin());
    let slot = |item: &Item<P>| Some((item.place?, layout.slot(&item.shape, is_framed)?));
    let slots: HashMap<P, Slot> = scene.items.iter().filter_map(slot).collect();
    let mut inked = inked(scene, layout);
    let mut taken = HashSet::default();
    for (place, text, rank) in labels {
        if let Some(slot) = slots.get(place).filter(|_| taken.insert(*place)) {
            let at_cursor = scene.focus == Some(*place);
            label::draw(sheet, (text, *rank), *slot, &mut inked, at_cursor);
        }
    }
}

/// The cells where something is drawn between scattered points.
fn inked<P>(scene: &Scene<P>, layout: &Layout) -> Inked {
    let mut inked = Inked::default();
    if !layout.is_scattered() {
        return inked;
    }
    for Item { shape, .. } in &scene.items {
        match shape {
            Shape::Line(ends, _) => {
                for at in stroke::cells(ends.map(|at| layout.end(at))) {
                    inked.entry(at).or_insert(Ink::Stroke);
                }
            }
            Shape::Dot(_) | Shape::Label(..) => {
                let cells = layout.cells(shape).positions();
                inked.extend(cells.map(|at| ((at.x, at.y), Ink::Text)));
            }
            _ => {}
        }
    }
    inked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::At;

    #[test]
    fn a_cell_is_inside_a_polygon_or_not() {
        let arrow = [(0, 0), (20, 0), (20, 20), (10, 8), (0, 20)];
        let inside = |x, y| is_inside(&arrow, (x, y));
        assert!(inside(3, 3) && inside(17, 12) && inside(10, 7));
        assert!(!inside(10, 12) && !inside(21, 5) && !inside(-1, 5) && !inside(10, -1));
    }

    #[test]
    fn the_wheel_comes_to_both_ends_of_a_large_board() {
        let ground = Ground::Lattice { rows: 64, cols: 64, numbered: false };
        let mut scene: Scene<u8> = Scene::on(ground);
        scene.add(Shape::Dot(At::new(0, 0)), Role::Strong);
        let area = Rect::new(0, 0, 40, 20);
        for step in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let mut at = None;
            let mut turns = 0;
            while let Some(next) = scroll(&scene, at, Lettering::All, area, step) {
                at = Some(next);
                turns += 1;
                assert!(turns < 100, "{step:?}");
            }
            assert_eq!(turns > 3, step.0 + step.1 > 0, "{step:?} from the start");
        }
    }

    /// Where a thing is drawn, what is found is its place, or that of what lies over it; and with other
    /// sizes of the area as well, also when a part of the board is out of sight.
    #[test]
    fn a_place_is_found_under_every_cell_it_draws() {
        let at = |row: u8, col: u8| At::new(row, col);
        let across = |row, col| Shape::Line([at(row, col), at(row, col + 1)], Stroke::Solid);
        let down = |row, col| Shape::Line([at(row, col), at(row + 1, col)], Stroke::Faint);
        let cells = || (0..9).flat_map(|row| (0..9).map(move |col| (row, col)));
        let lattice = |numbered| Ground::Lattice { rows: 10, cols: 10, numbered };
        let grid = |ruled| Ground::Grid { rows: 9, cols: 9, first: 'a', ruled };
        let points: Vec<At> = cells()
            .map(|(row, col)| At::new(i32::from(row) * 99_991, i32::from(col) * 99_991))
            .collect();
        let tile = |(row, col)| Shape::Tile(at(row, col), None);
        let badge = |(row, col)| Shape::Badge(at(row, col), "3".to_owned());
        let label = |at: &At| Shape::Label(*at, "12".to_owned());
        let boards: Vec<(Ground, Vec<Shape>)> = vec![
            (lattice(false), cells().flat_map(|(r, c)| [across(r, c), down(r, c)]).collect()),
            (lattice(true), cells().map(badge).collect()),
            (grid(true), cells().map(tile).collect()),
            (grid(false), cells().map(tile).collect()),
            (Ground::Points(points.clone()), points.iter().map(label).collect()),
        ];
        for (ground, shapes) in boards {
            let mut scene: Scene<usize> = Scene::on(ground);
            for (place, shape) in shapes.into_iter().enumerate() {
                scene.add_at(place, shape, Role::Text);
            }
            let mut found = 0;
            for (width, height) in [(30, 12), (45, 20), (165, 56)] {
                for focus in [0, scene.items.len() - 1] {
                    scene.focus = Some(focus);
                    let area = Rect::new(7, 3, width, height);
                    let layout = Layout::new(&scene.ground, area.as_size(), Lettering::All);
                    let sheet_at =
                        |at| layout.format.on_sheet(area, in_sight(&scene, &layout, None), at);
                    for at in area.positions() {
                        let Some(cell) = sheet_at(at) else { continue };
                        let drawn = |item: &&Item<usize>| layout.cells(&item.shape).contains(cell);
                        if let Some(top) = scene.items.iter().rev().find(drawn) {
                            assert_eq!(hit(&scene, None, Lettering::All, area, at), top.place);
                            found += 1;
                        }
                    }
                }
            }
            assert!(found > 500, "{found} cells of {:?}", scene.ground);
        }
    }
}
