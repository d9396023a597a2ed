//! Labels of legal moves: a short text, such as a value, or a mark, at the place where the move is selected.

use super::canvas::{Figure, Point, quarters};
use super::fonts::Weight;
use super::items::Painter;
use super::numbers::Block;
use super::{Ground, middle};
use crate::cells::label_role;
use crate::{At, Item, Label, MoveQuality, PlaceId, Role, Scene, Shape};
use foldhash::{HashMap, HashSet};

/// The least height of text that is legible.
const LEAST: f32 = 6.0;

/// The gap between a star and the text behind it.
const GAP: f32 = 2.0;

/// Where a label goes.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Middle(Point),
    /// To the right of this corner and below it.
    Corner(Point),
    /// Beside a point and its number.
    Near(At),
}

impl Painter<'_, '_> {
    /// Draws the first label of each place. All labels have the same height, at which the widest one fits.
    pub fn draw_labels(&mut self, scene: &Scene) {
        let items = || scene.items.iter().filter_map(|item| Some((item.place?, item)));
        let slots: HashMap<PlaceId, Slot> =
            items().filter_map(|(place, item)| Some((place, self.slot(item)?))).collect();
        let is_tile = |(_, item): &(PlaceId, &Item)| matches!(item.shape, Shape::Tile(..));
        let tiles: HashMap<PlaceId, Role> =
            items().filter(is_tile).map(|(place, tile)| (place, tile.role)).collect();
        let widest = scene.labels.iter().map(|label| self.width(label, 1.0) + GAP / LEAST);
        let widest = widest.fold(0.1, f32::max);
        let room = self.layout.label_room();
        let most = match self.layout.ground {
            // Below a symbol.
            Ground::Dice => (self.layout.tile() * 0.22 - 4.0).floor().min(self.layout.text),
            _ => self.layout.text,
        };
        let height = (room / widest).floor().min(most).max(LEAST);
        let mut labelled = HashSet::default();
        for label in &scene.labels {
            let Some(slot) = slots.get(&label.place).filter(|_| labelled.insert(label.place))
            else {
                continue;
            };
            let role = match tiles.get(&label.place) {
                _ if scene.focus == Some(label.place) => Role::Cursor,
                Some(Role::Cursor) => Role::Cursor,
                Some(Role::Best) => Role::Counted,
                _ => label_role(label.rank),
            };
            self.draw_label(label, *slot, role, height, room);
        }
    }

    fn slot(&self, item: &Item) -> Option<Slot> {
        let layout = self.layout;
        match (layout.ground, &item.shape) {
            (Ground::Lattice { .. } | Ground::Points, _) if !layout.is_lettered => None,
            (Ground::Lattice { .. }, Shape::Line(ends, _)) => {
                Some(Slot::Middle(middle(ends.map(|at| layout.point(at)))))
            }
            (Ground::Lattice { .. }, Shape::Dot(at) | Shape::Badge(at, _)) => {
                Some(Slot::Corner(layout.point(*at).map(|at| at + layout.beside_badge())))
            }
            (Ground::Dice, Shape::Tile(at, Some(_))) => {
                let [x, y] = layout.point(*at);
                Some(Slot::Middle([x, y + layout.tile() * 0.39]))
            }
            (Ground::Dice | Ground::Ruled, Shape::Tile(at, _)) => {
                Some(Slot::Middle(layout.point(*at)))
            }
            (Ground::Points, Shape::Dot(at) | Shape::Label(at, _)) => Some(Slot::Near(*at)),
            _ => None,
        }
    }

    /// Returns the width of a label's text and star at this height.
    fn width(&self, label: &Label, height: f32) -> f32 {
        let text = self.canvas.text_width(&label.text, Weight::Bold, height);
        match label.rank {
            MoveQuality::Best => text + height * STAR,
            _ => text,
        }
    }

    /// Draws the text of a label, or the mark of its rank if there is no text or not enough space, since a truncated
    /// value would look like a different value. The best moves also have a star.
    fn draw_label(&mut self, label: &Label, slot: Slot, role: Role, height: f32, room: f32) {
        let is_best = label.rank == MoveQuality::Best;
        let gap = if is_best && !label.text.is_empty() { GAP } else { 0.0 };
        let width = self.width(label, height) + gap;
        let writes_text = !label.text.is_empty() && width <= room;
        let star = if is_best { height * STAR } else { 0.0 };
        let width = match () {
            () if writes_text => width,
            () if is_best => star,
            () => height * MARK,
        };
        let half = [width / 2.0, height / 2.0];
        let face = self.inks.face(role);
        let place = match slot {
            // The label of a line at the edge moves inwards.
            Slot::Middle([x, y]) => {
                let (least, most) = (half[0] + 1.0, self.layout.size[0] as f32 - half[0] - 1.0);
                Some(Block { middle: [x.min(most).max(least), y], half })
            }
            Slot::Corner(corner) => {
                let edge = if face.is_some() { 2.0 } else { 0.0 };
                let middle = [0, 1].map(|axis| corner[axis] + half[axis] + edge);
                Some(Block { middle, half })
            }
            Slot::Near(at) => self.near(at, half, face.is_some()),
        };
        let Some(place) = place else { return };
        match (face, slot) {
            (Some(face), _) => self.pill(place, face),
            // Where a line may be drawn, the label stands on paper.
            (None, Slot::Middle(_)) if matches!(self.layout.ground, Ground::Lattice { .. }) => {
                let [from, to] = [-1.0, 1.0].map(|sign: f32| {
                    [0, 1].map(|axis| place.middle[axis] + sign * (half[axis] + 2.0))
                });
                self.canvas.clear(from, to);
            }
            _ => {}
        }
        let ink = self.inks.ink(role);
        let [x, y] = place.middle;
        let left = x - half[0];
        if is_best {
            let figure = Figure::Star { diameter: quarters(star) };
            self.canvas.put(figure, [left + star / 2.0, y + star * 0.05], ink);
        }
        if writes_text {
            let weight = if face.is_some() { Weight::Bold } else { Weight::Regular };
            let x = x + f32::midpoint(star, gap);
            self.canvas.text(&label.text, weight, height, [x, y], ink);
        } else if label.rank == MoveQuality::Losing {
            let figure = Figure::Cross { side: quarters(width), stroke: quarters(height / 5.0) };
            self.canvas.put(figure, [x, y], ink);
        } else if !is_best {
            self.disc([x, y], width / 4.0, ink);
        }
    }

    /// Returns the place of a label beside a scattered point, and keeps other labels away from it.
    fn near(&mut self, at: At, half: Point, has_face: bool) -> Option<Block> {
        let numbers = self.numbers.as_mut()?;
        let edge = if has_face { [4.0, 2.0] } else { [0.0; 2] };
        let whole = numbers.near(at, [half[0] + edge[0], half[1] + edge[1]])?;
        numbers.keep_off(whole);
        Some(Block { middle: whole.middle, half })
    }
}

/// The width of a star and of a mark, relative to the height of the text.
const STAR: f32 = 1.2;
const MARK: f32 = 0.8;
