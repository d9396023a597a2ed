//! The items of a scene as elements. Items of one kind and one role that follow each other share a group.

use super::colours::{Colours, Use};
use super::geometry::{meeting, roomiest};
use super::kind::{Kind, badge, letter_size};
use super::numbers::Numbers;
use super::plan::{Form, Plan, Point};
use super::text::{escaped, number};
use crate::rules::Symbol;
use crate::scene::{At, Direction, Item, Role, Scene, SeatRole, Shape, Stroke};
use std::collections::VecDeque;
use std::fmt::{self, Write};

/// An element before it is in a group.
struct Element {
    /// What is written on a surface comes after all surfaces, and what lies over both at the end.
    layer: u8,
    class: String,
    /// Lines of one class are one path.
    is_path: bool,
    body: String,
}

/// Draws what stands on the ground.
pub(super) fn draw<P>(
    scene: &Scene<P>,
    plan: &Plan,
    colours: &mut Colours,
    out: &mut String,
) -> fmt::Result {
    let covers = scene.items.iter().filter_map(|item| match &item.shape {
        Shape::Polygon(corners, _) => Some(corners.iter().map(|at| plan.point(*at)).collect()),
        _ => None,
    });
    let mut drawing = Drawing { plan, colours, elements: Vec::new(), covers: covers.collect() };
    let mut numbers = Numbers::around(scene, plan);
    for Item { shape, role, .. } in &scene.items {
        drawing.add(shape, *role, &mut numbers);
    }
    let mut elements = drawing.elements;
    elements.sort_by_key(|element| element.layer);
    for run in elements.chunk_by(|one, other| one.class == other.class) {
        let Element { class, is_path, .. } = &run[0];
        let bodies = run.iter().map(|element| &*element.body);
        if *is_path {
            writeln!(out, "<path class=\"{class}\" d=\"{}\"/>", bodies.collect::<String>())?;
            continue;
        }
        writeln!(out, "<g class=\"{class}\">")?;
        for body in bodies {
            writeln!(out, "{body}")?;
        }
        writeln!(out, "</g>")?;
    }
    Ok(())
}

struct Drawing<'a, 'c> {
    plan: &'a Plan,
    colours: &'a mut Colours<'c>,
    elements: Vec<Element>,
    /// The polygons that are still to come, and will lie over those that are there.
    covers: VecDeque<Vec<Point>>,
}

impl Drawing<'_, '_> {
    fn push(&mut self, layer: u8, kind: Kind, role: Role, used: Use, body: String) {
        let class = self.colours.class(kind, role, used);
        self.elements.push(Element { layer, class, is_path: used == Use::Stroke, body });
    }

    fn add(&mut self, shape: &Shape, role: Role, numbers: &mut Numbers) {
        let plan = self.plan;
        match shape {
            Shape::Dot(at) => {
                // What needs no reading hides under a line.
                let size = if role == Role::Faint { plan.line() / 2.0 } else { plan.dot() };
                let body = circle(plan.point(*at), number(size.min(plan.dot())));
                self.push(2, Kind::Dot, role, Use::Ink, body);
            }
            Shape::Line(ends, stroke) => self.line(*ends, *stroke, role),
            Shape::Cross(lines) => {
                let lines = lines.map(|ends| ends.map(|at| plan.point(at)));
                if let Some(at) = meeting(lines) {
                    self.push(2, Kind::Cross, role, Use::Stroke, cross(at, 6.0));
                }
            }
            Shape::Area(corners, letter) => {
                self.area(corners.map(|at| plan.point(at)), *letter, role);
            }
            Shape::Polygon(_, letter) => {
                if let Some(corners) = self.covers.pop_front() {
                    self.polygon(&corners, *letter, role, numbers);
                }
            }
            Shape::Tile(at, symbol) => self.tile(*at, *symbol, role),
            Shape::Arrow(at, side, points) => {
                let arrow = arrow(plan, *at, *side, *points);
                self.push(2, Kind::Arrow, role, Use::Ink, arrow);
            }
            Shape::Badge(at, text) => {
                let at = plan.point(*at);
                let size = badge(plan);
                self.push(2, Kind::Badge, role, Use::Ground, circle(at, size));
                self.write(2, Kind::Digits, role, at, size * 1.25, text);
            }
            Shape::Label(at, text) => {
                let body = numbers.beside(plan.point(*at), text);
                self.push(2, Kind::Number, role, Use::Ink, body);
            }
        }
    }

    /// Writes a text of this size round a point.
    fn write(&mut self, layer: u8, kind: Kind, role: Role, [x, y]: Point, size: f64, text: &str) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (number(x), number(y + 0.36 * size));
        let body = format!("<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(text));
        self.push(layer, kind, role, Use::Ink, body);
    }

    fn line(&mut self, ends: [At; 2], stroke: Stroke, role: Role) {
        let plan = self.plan;
        let [mut from, mut to] = ends.map(|at| plan.point(at));
        let kind = match stroke {
            Stroke::Solid => Kind::Line,
            Stroke::Heavy => Kind::Heavy,
            Stroke::Faint => Kind::Free,
            Stroke::Ghost => Kind::Ghost,
            Stroke::Blocked => Kind::Blocked,
        };
        if matches!(plan.form(), Form::Tiles | Form::Ruled) {
            // Through tiles, and a little beyond what stands on the last ones.
            let beyond = |from: f64, to: f64| number((to - from).signum() * plan.tile() * 0.34);
            let by = [0, 1].map(|axis| match to[axis] - from[axis] {
                0.0 => 0.0,
                _ => beyond(from[axis], to[axis]),
            });
            from = [0, 1].map(|axis| from[axis] - by[axis]);
            to = [0, 1].map(|axis| to[axis] + by[axis]);
        }
        self.push(2, kind, role, Use::Stroke, straight(from, to));
    }

    fn area(&mut self, [one, other]: [Point; 2], letter: Option<char>, role: Role) {
        let inset = number(self.plan.pitch * 0.06);
        let [x, y] = [0, 1].map(|axis| one[axis].min(other[axis]) + inset);
        let [width, height] =
            [0, 1].map(|axis| number((one[axis] - other[axis]).abs() - 2.0 * inset));
        let round = number(self.plan.pitch * 0.06);
        let rect = format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>",
            number(x),
            number(y)
        );
        self.push(0, Kind::Area, role, Use::Ground, rect);
        if let Some(letter) = letter {
            let middle = [x + width / 2.0, y + height / 2.0];
            let size = letter_size(self.plan);
            self.write(1, Kind::Letter, role, middle, size, &letter.to_string());
        }
    }

    fn polygon(&mut self, corners: &[Point], letter: char, role: Role, numbers: &mut Numbers) {
        let points: Vec<String> = corners.iter().map(|[x, y]| format!("{x},{y}")).collect();
        let body = format!("<polygon points=\"{}\"/>", points.join(" "));
        self.push(0, Kind::Polygon, role, Use::Ground, body);
        let apart = roomiest(corners, &self.covers, &numbers.obstacles(corners));
        let (at, room) = if apart.1 >= 9.0 { apart } else { roomiest(corners, &self.covers, &[]) };
        // A letter only where it leaves something of the area.
        if room >= 6.0 {
            let size = (room * 0.9).clamp(9.0, 30.0).round();
            let (x, y) = (number(at[0]), number(at[1] + 0.36 * size));
            let body = format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{letter}</text>");
            self.push(1, Kind::Letter, role, Use::Ink, body);
            numbers.keep_off(at, size / 2.0);
        }
    }

    fn tile(&mut self, at: At, symbol: Option<Symbol>, role: Role) {
        let side = self.plan.tile();
        let middle = self.plan.point(at);
        let [x, y] = middle.map(|it| number(it - side / 2.0));
        let ground = match role {
            // What was played last has the ground of a tile that is taken.
            Role::Of(SeatRole::LastLine, seat) => Role::Of(SeatRole::Fill, seat),
            role => role,
        };
        let is_ruled = self.plan.form() == Form::Ruled;
        if !is_ruled || self.colours.style(ground).bg.is_some() {
            // Between rules a tile leaves them free.
            let inset = if is_ruled { self.plan.line() / 2.0 } else { 0.0 };
            let [x, y, side] = [x + inset, y + inset, side - 2.0 * inset].map(number);
            let round = number(side * if is_ruled { 0.06 } else { 0.14 });
            let body = format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"{round}\"/>"
            );
            self.push(0, Kind::Square, ground, Use::Ground, body);
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
        self.push(1, Kind::Mark, ink, Use::Stroke, body);
    }
}

fn circle([x, y]: Point, size: f64) -> String {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{size}\"/>")
}

/// A straight line as part of a path.
fn straight([x, y]: Point, [to_x, to_y]: Point) -> String {
    let [x, y, to_x, to_y] = [x, y, to_x, to_y].map(number);
    let is_same = |one: f64, other: f64| (one - other).abs() < 0.05;
    match (is_same(x, to_x), is_same(y, to_y)) {
        (false, true) => format!("M{x} {y}H{to_x}"),
        (true, false) => format!("M{x} {y}V{to_y}"),
        _ => format!("M{x} {y}L{to_x} {to_y}"),
    }
}

/// Two strokes that cross, as part of a path.
fn cross([x, y]: Point, reach: f64) -> String {
    let at = |dx: f64, dy: f64| [x + dx * reach, y + dy * reach];
    straight(at(-1.0, -1.0), at(1.0, 1.0)) + &straight(at(-1.0, 1.0), at(1.0, -1.0))
}

/// A circle as part of a path: two halves.
fn ring([x, y]: Point, size: f64) -> String {
    let (left, y, across) = (number(x - size), number(y), number(2.0 * size));
    format!("M{left} {y}a{size} {size} 0 1 1 {across} 0a{size} {size} 0 1 1 -{across} 0")
}

/// A pointer beside a thing.
fn arrow(plan: &Plan, at: At, side: Direction, points: Direction) -> String {
    let beside = match plan.form() {
        Form::Tiles | Form::Ruled => plan.tile() / 2.0 + 10.0,
        Form::Lattice | Form::Points => badge(plan) + 8.0,
    };
    let [x, y] = plan.point(at);
    let step = |direction: Direction| {
        let (right, down) = direction.step();
        [f64::from(right), f64::from(down)]
    };
    let [away, ahead] = [side, points].map(step);
    let middle = [x + away[0] * beside, y + away[1] * beside];
    let half = (plan.pitch / 12.0).clamp(4.0, 7.0);
    let corner = |along: f64, across: f64| {
        let x = number(middle[0] + half * (along * ahead[0] - across * ahead[1]));
        let y = number(middle[1] + half * (along * ahead[1] + across * ahead[0]));
        format!("{x},{y}")
    };
    let corners = [corner(0.8, 0.0), corner(-0.7, 1.0), corner(-0.7, -1.0)];
    format!("<polygon points=\"{}\"/>", corners.join(" "))
}
