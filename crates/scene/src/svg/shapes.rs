//! The items of a scene as SVG elements. Consecutive items of the same kind and role share a group.

use super::colours::{Colours, Use};
use super::element_kind::{ElementKind, badge, letter_size};
use super::metrics::{GroundKind, Metrics};
use super::numbers::Numbers;
use super::parts::{Bounds, Form, SvgPart};
use super::text::{escaped, number};
use crate::geometry::{PlanePoint, bounds, meeting, roomiest};
use crate::{At, Direction, Item, LineStyle, Role, Scene, SeatRole, Shape};
use quadrille_rules::Symbol;
use std::collections::VecDeque;
use std::slice;

pub(super) fn draw(scene: &Scene, metrics: &Metrics, colours: &mut Colours) -> Vec<SvgPart> {
    let covers = scene.items.iter().filter_map(|item| match &item.shape {
        Shape::Polygon(corners, _) => Some(corners.iter().map(|at| metrics.point(*at)).collect()),
        _ => None,
    });
    let covers = covers.collect();
    let mut drawing = ShapeWriter { metrics, colours, parts: Vec::new(), bounds: [0.0; 4], covers };
    let mut numbers = Numbers::around(scene, metrics);
    for Item { shape, role, .. } in &scene.items {
        drawing.bounds = drawing.bounds_of(shape);
        drawing.add(shape, *role, &mut numbers);
    }
    drawing.parts.sort_by_key(|(layer, _)| *layer);
    drawing.parts.into_iter().map(|(_, part)| part).collect()
}

struct ShapeWriter<'a, 'c> {
    metrics: &'a Metrics,
    colours: &'a mut Colours<'c>,
    /// The parts, each with its layer: 0 for surfaces, 1 for text on surfaces, 2 for overlays.
    parts: Vec<(u8, SvgPart)>,
    bounds: Bounds,
    /// The polygons that have not been drawn yet and will cover the earlier ones.
    covers: VecDeque<Vec<PlanePoint>>,
}

impl ShapeWriter<'_, '_> {
    fn push(&mut self, layer: u8, kind: ElementKind, role: Role, used: Use, body: String) {
        let class = self.colours.class(kind, role, used);
        let form = if used == Use::Stroke { Form::InPath } else { Form::Grouped };
        self.parts.push((layer, SvgPart { form, class, body, bounds: self.bounds }));
    }

    /// Returns the bounds of an item: the bounds of its points, plus a margin such as the size of a tile.
    fn bounds_of(&self, shape: &Shape) -> Bounds {
        let points: &[At] = match shape {
            Shape::Dot(at)
            | Shape::Tile(at, _)
            | Shape::Arrow(at, ..)
            | Shape::Badge(at, _)
            | Shape::Label(at, _) => slice::from_ref(at),
            Shape::Line(ends, _) | Shape::Area(ends, _) | Shape::Note(ends, _) => ends,
            Shape::Cross(lines) => lines.as_flattened(),
            Shape::Polygon(corners, _) => corners,
        };
        let points: Vec<PlanePoint> = points.iter().map(|at| self.metrics.point(*at)).collect();
        let [[left, top], [right, bottom]] = bounds(&points);
        let round = self.metrics.pitch + 4.0;
        [left - round, top - round, right + round, bottom + round]
    }

    fn add(&mut self, shape: &Shape, role: Role, numbers: &mut Numbers) {
        let metrics = self.metrics;
        match shape {
            Shape::Dot(at) => {
                // A faint dot is small enough to be hidden by a line.
                let size = if role == Role::Faint { metrics.line() / 2.0 } else { metrics.dot() };
                let body = circle(metrics.point(*at), number(size.min(metrics.dot())));
                self.push(2, ElementKind::Dot, role, Use::Ink, body);
            }
            Shape::Line(ends, line_style) => self.line(*ends, *line_style, role),
            Shape::Cross(lines) => {
                let lines = lines.map(|ends| ends.map(|at| metrics.point(at)));
                if let Some(at) = meeting(lines) {
                    self.push(2, ElementKind::Cross, role, Use::Stroke, cross(at, 6.0));
                }
            }
            Shape::Area(corners, letter) => {
                self.area(corners.map(|at| metrics.point(at)), *letter, role);
            }
            Shape::Polygon(_, letter) => {
                if let Some(corners) = self.covers.pop_front() {
                    self.polygon(&corners, *letter, role, numbers);
                }
            }
            Shape::Tile(at, symbol) => self.tile(*at, *symbol, role),
            Shape::Arrow(at, side, points) => {
                let arrow = arrow(metrics, *at, *side, *points);
                self.push(2, ElementKind::Arrow, role, Use::Ink, arrow);
            }
            Shape::Badge(at, text) => {
                let at = metrics.point(*at);
                let size = badge(metrics);
                self.push(2, ElementKind::Badge, role, Use::Fill, circle(at, size));
                self.write(2, ElementKind::Digits, role, at, size * 1.25, text);
            }
            Shape::Note(corners, text) => {
                let [one, other] = corners.map(|at| metrics.point(at));
                let middle = [0, 1].map(|axis| f64::midpoint(one[axis], other[axis]));
                self.write(1, ElementKind::Letter, role, middle, letter_size(metrics), text);
            }
            Shape::Label(at, text) => {
                let body = numbers.beside(metrics.point(*at), text);
                self.push(2, ElementKind::Number, role, Use::Ink, body);
            }
        }
    }

    /// Writes text in this font size, centered at a point.
    fn write(
        &mut self,
        layer: u8,
        kind: ElementKind,
        role: Role,
        [x, y]: PlanePoint,
        size: f64,
        text: &str,
    ) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (number(x), number(y + 0.36 * size));
        let body = format!("<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(text));
        self.push(layer, kind, role, Use::Ink, body);
    }

    fn line(&mut self, ends: [At; 2], line_style: LineStyle, role: Role) {
        let metrics = self.metrics;
        let [mut from, mut to] = ends.map(|at| metrics.point(at));
        let kind = match line_style {
            LineStyle::Solid => ElementKind::Line,
            LineStyle::Heavy => ElementKind::Heavy,
            LineStyle::Faint => ElementKind::Free,
            LineStyle::Ghost => ElementKind::Ghost,
            LineStyle::Blocked => ElementKind::Blocked,
        };
        if matches!(metrics.ground_kind, GroundKind::Tiles | GroundKind::Ruled) {
            // The line extends slightly beyond the symbols on the tiles at its ends.
            let beyond = |from: f64, to: f64| number((to - from).signum() * metrics.tile() * 0.34);
            let by = [0, 1].map(|axis| match to[axis] - from[axis] {
                0.0 => 0.0,
                _ => beyond(from[axis], to[axis]),
            });
            from = [0, 1].map(|axis| from[axis] - by[axis]);
            to = [0, 1].map(|axis| to[axis] + by[axis]);
        }
        self.push(2, kind, role, Use::Stroke, straight(from, to));
    }

    fn area(&mut self, [one, other]: [PlanePoint; 2], letter: Option<char>, role: Role) {
        let inset = number(self.metrics.pitch * 0.06);
        let [x, y] = [0, 1].map(|axis| one[axis].min(other[axis]) + inset);
        let [width, height] =
            [0, 1].map(|axis| number((one[axis] - other[axis]).abs() - 2.0 * inset));
        let round = number(self.metrics.pitch * 0.06);
        let rect = format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>",
            number(x),
            number(y)
        );
        self.push(0, ElementKind::Area, role, Use::Fill, rect);
        if let Some(letter) = letter {
            let middle = [x + width / 2.0, y + height / 2.0];
            let size = letter_size(self.metrics);
            self.write(1, ElementKind::Letter, role, middle, size, &letter.to_string());
        }
    }

    fn polygon(&mut self, corners: &[PlanePoint], letter: char, role: Role, numbers: &mut Numbers) {
        let points: Vec<String> = corners.iter().map(|[x, y]| format!("{x},{y}")).collect();
        let body = format!("<polygon points=\"{}\"/>", points.join(" "));
        self.push(0, ElementKind::Polygon, role, Use::Fill, body);
        let apart = roomiest(corners, &self.covers, &numbers.obstacles(corners));
        let (at, room) = if apart.1 >= 9.0 { apart } else { roomiest(corners, &self.covers, &[]) };
        // The letter is written only if enough of the area around it is visible.
        if room >= 6.0 {
            let size = (room * 0.9).clamp(9.0, 30.0).round();
            let (x, y) = (number(at[0]), number(at[1] + 0.36 * size));
            let body = format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{letter}</text>");
            self.push(1, ElementKind::Letter, role, Use::Ink, body);
            numbers.keep_off(at, size / 2.0);
        }
    }

    fn tile(&mut self, at: At, symbol: Option<Symbol>, role: Role) {
        let side = self.metrics.tile();
        let middle = self.metrics.point(at);
        let [x, y] = middle.map(|middle| number(middle - side / 2.0));
        let square_role = match role {
            // The last move has the background of a taken tile.
            Role::Of(SeatRole::LastLine, seat) => Role::Of(SeatRole::Fill, seat),
            role => role,
        };
        let is_ruled = self.metrics.ground_kind == GroundKind::Ruled;
        if !is_ruled || self.colours.style(square_role).bg.is_some() {
            // A ruled tile does not cover the lines around it.
            let inset = if is_ruled { self.metrics.line() / 2.0 } else { 0.0 };
            let [x, y, side] = [x + inset, y + inset, side - 2.0 * inset].map(number);
            let round = number(side * if is_ruled { 0.06 } else { 0.14 });
            let body = format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"{round}\"/>"
            );
            self.push(0, ElementKind::Square, square_role, Use::Fill, body);
        }
        let Some(symbol) = symbol else { return };
        let ink = match role {
            Role::Of(SeatRole::Fill, seat) => Role::Of(SeatRole::FillInk, seat),
            Role::Of(SeatRole::LostFill, seat) => Role::Of(SeatRole::Line, seat),
            Role::Moved => Role::Of(SeatRole::Line, symbol.seat()),
            role => role,
        };
        let reach = number(side * 0.24);
        let body = match symbol {
            Symbol::X => cross(middle, reach),
            Symbol::O => ring(middle, number(side * 0.26)),
        };
        self.push(1, ElementKind::Mark, ink, Use::Stroke, body);
    }
}

fn circle([x, y]: PlanePoint, size: f64) -> String {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{size}\"/>")
}

/// Returns a straight line as path data.
fn straight([x, y]: PlanePoint, [to_x, to_y]: PlanePoint) -> String {
    let [x, y, to_x, to_y] = [x, y, to_x, to_y].map(number);
    let is_same = |one: f64, other: f64| (one - other).abs() < 0.05;
    match (is_same(x, to_x), is_same(y, to_y)) {
        (false, true) => format!("M{x} {y}H{to_x}"),
        (true, false) => format!("M{x} {y}V{to_y}"),
        _ => format!("M{x} {y}L{to_x} {to_y}"),
    }
}

/// Returns two crossing strokes as path data.
fn cross([x, y]: PlanePoint, reach: f64) -> String {
    let at = |dx: f64, dy: f64| [x + dx * reach, y + dy * reach];
    straight(at(-1.0, -1.0), at(1.0, 1.0)) + &straight(at(-1.0, 1.0), at(1.0, -1.0))
}

/// Returns a circle as path data, in two halves.
fn ring([x, y]: PlanePoint, size: f64) -> String {
    let (left, y, across) = (number(x - size), number(y), number(2.0 * size));
    format!("M{left} {y}a{size} {size} 0 1 1 {across} 0a{size} {size} 0 1 1 -{across} 0")
}

fn arrow(metrics: &Metrics, at: At, side: Direction, points: Direction) -> String {
    let beside = match metrics.ground_kind {
        GroundKind::Tiles | GroundKind::Ruled => metrics.tile() / 2.0 + 10.0,
        GroundKind::Lattice | GroundKind::Points => badge(metrics) + 8.0,
    };
    let [x, y] = metrics.point(at);
    let step = |direction: Direction| {
        let (right, down) = direction.step();
        [f64::from(right), f64::from(down)]
    };
    let [away, ahead] = [side, points].map(step);
    let middle = [x + away[0] * beside, y + away[1] * beside];
    let half = (metrics.pitch / 12.0).clamp(4.0, 7.0);
    let corner = |along: f64, across: f64| {
        let x = number(middle[0] + half * (along * ahead[0] - across * ahead[1]));
        let y = number(middle[1] + half * (along * ahead[1] + across * ahead[0]));
        format!("{x},{y}")
    };
    let corners = [corner(0.8, 0.0), corner(-0.7, 1.0), corner(-0.7, -1.0)];
    format!("<polygon points=\"{}\"/>", corners.join(" "))
}
