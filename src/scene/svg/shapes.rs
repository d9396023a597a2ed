//! The items of a scene as elements. Items of one kind and one role that follow each other share a group.

use super::colours::{Colours, Use};
use super::numbers::Numbers;
use super::plan::{Form, Plan, Point};
use super::text::{escaped, number};
use crate::rules::Symbol;
use crate::scene::{At, Direction, Item, Role, Scene, SeatRole, Shape, Stroke};
use std::collections::VecDeque;
use std::fmt::{self, Write};

/// The kinds of elements. A class names the kind, and a line of style says how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Title,
    Subtitle,
    Card,
    Seat,
    Name,
    Note,
    Score,
    Foot,
    Axis,
    Rule,
    Area,
    Polygon,
    Tile,
    Letter,
    Mark,
    Line,
    Heavy,
    Free,
    Ghost,
    Blocked,
    Cross,
    Dot,
    Arrow,
    Badge,
    Digits,
    Number,
}

impl Kind {
    /// What it is called in a class.
    pub(super) fn name(self) -> String {
        format!("{self:?}").to_ascii_lowercase()
    }

    /// What is the same for all of this kind, as CSS.
    pub(super) fn style(self, plan: &Plan) -> String {
        let line = plan.line();
        let stroke = |width: f64| format!("fill:none;stroke-linecap:round;stroke-width:{width}");
        let dashed = |width: f64, dash: f64, gap: f64| {
            let [width, dash, gap] = [width, dash, gap].map(number);
            format!("{};stroke-dasharray:{dash} {gap}", stroke(width))
        };
        let font = |size: f64| format!("font-size:{size}px");
        let bold = |size: f64| format!("{};font-weight:700", font(size));
        let middle = |font: String| format!("{font};text-anchor:middle");
        match self {
            Kind::Title => bold(22.0),
            Kind::Subtitle | Kind::Foot => font(14.0),
            Kind::Seat => middle(bold(18.0)),
            Kind::Name => font(16.0),
            Kind::Note => font(12.0),
            Kind::Score => format!("{};text-anchor:end", bold(22.0)),
            Kind::Axis | Kind::Number => middle(font(13.0)),
            Kind::Rule => stroke(number((line * 0.4).max(2.0))),
            Kind::Letter if plan.form() == Form::Points => middle("font-weight:700".to_owned()),
            Kind::Letter => middle(bold(letter_size(plan))),
            Kind::Mark => stroke(number(plan.tile() * 0.11)),
            Kind::Line => stroke(line),
            Kind::Heavy => stroke(number(line * 1.25)),
            // A dot, and nothing for the rest of so many parts from dot to dot.
            Kind::Free if plan.form() == Form::Lattice => {
                dashed((line * 0.45).max(1.4), 0.0, free_gap(plan))
            }
            Kind::Free => dashed(1.5, 1.5, 6.0),
            Kind::Ghost => dashed(line * 0.75, line, line * 2.0),
            Kind::Blocked => dashed(1.5, 4.0, 4.0),
            Kind::Cross => stroke(3.0),
            Kind::Digits => middle(bold(number(badge(plan) * 1.25))),
            Kind::Card
            | Kind::Area
            | Kind::Polygon
            | Kind::Tile
            | Kind::Dot
            | Kind::Arrow
            | Kind::Badge => String::new(),
        }
    }
}

/// How large the letter in a box is.
fn letter_size(plan: &Plan) -> f64 {
    number((plan.pitch * 0.4).clamp(8.0, 34.0))
}

/// How far the dots of a line that could be there are apart; there is a whole number of them.
fn free_gap(plan: &Plan) -> f64 {
    plan.pitch / (plan.pitch / 9.0).round().max(3.0)
}

/// How large a badge is, from its middle.
fn badge(plan: &Plan) -> f64 {
    number((plan.pitch / 5.0).clamp(8.0, 15.0))
}

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
                self.push(2, Kind::Dot, role, Use::Ink, circle(plan.point(*at), plan.dot()));
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
                    self.polygon(&corners, *letter, role);
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

    fn polygon(&mut self, corners: &[Point], letter: char, role: Role) {
        let points: Vec<String> = corners.iter().map(|[x, y]| format!("{x},{y}")).collect();
        let body = format!("<polygon points=\"{}\"/>", points.join(" "));
        self.push(0, Kind::Polygon, role, Use::Ground, body);
        // A letter only where it leaves something of the area.
        let (at, room) = roomiest(corners, &self.covers);
        if room >= 6.0 {
            let size = (room * 0.9).clamp(9.0, 30.0).round();
            let (x, y) = (number(at[0]), number(at[1] + 0.36 * size));
            let body = format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{letter}</text>");
            self.push(1, Kind::Letter, role, Use::Ink, body);
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
            self.push(0, Kind::Tile, ground, Use::Ground, body);
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

/// Where two lines cross.
fn meeting([one, other]: [[Point; 2]; 2]) -> Option<Point> {
    let way = |[from, to]: [Point; 2]| [to[0] - from[0], to[1] - from[1]];
    let turn = |a: Point, b: Point| a[0] * b[1] - a[1] * b[0];
    let across = turn(way(one), way(other));
    if across.abs() < 1e-9 {
        return None;
    }
    let between = [other[0][0] - one[0][0], other[0][1] - one[0][1]];
    let part = turn(between, way(other)) / across;
    Some([0, 1].map(|axis| one[0][axis] + part * way(one)[axis]))
}

/// The point in a polygon that is farthest from its rim and from what lies over it, of those of a fine
/// grid, and how far that is.
fn roomiest(corners: &[Point], covers: &VecDeque<Vec<Point>>) -> (Point, f64) {
    const STEPS: u8 = 24;
    let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
        corners.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or(0.0)
    };
    let least = [0, 1].map(|axis| bound(axis, f64::min));
    let most = [0, 1].map(|axis| bound(axis, f64::max));
    let mut best = (least, 0.0);
    for row in 1..STEPS {
        for col in 1..STEPS {
            let part = [col, row].map(|step| f64::from(step) / f64::from(STEPS));
            let at = [0, 1].map(|axis| least[axis] + part[axis] * (most[axis] - least[axis]));
            if !is_inside(corners, at) || covers.iter().any(|cover| is_inside(cover, at)) {
                continue;
            }
            let rims = std::iter::once(corners).chain(covers.iter().map(Vec::as_slice));
            let room =
                rims.flat_map(rim).map(|side| distance(at, side)).fold(f64::INFINITY, f64::min);
            if room > best.1 {
                best = (at, room);
            }
        }
    }
    best
}

/// The sides of a polygon.
fn rim(corners: &[Point]) -> impl Iterator<Item = [Point; 2]> + '_ {
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(from, to)| [*from, *to])
}

/// Whether a point is inside a polygon: a ray from it crosses the rim an odd number of times.
fn is_inside(corners: &[Point], [x, y]: Point) -> bool {
    let crosses = |[from, to]: &[Point; 2]| {
        (from[1] > y) != (to[1] > y)
            && x < from[0] + (y - from[1]) / (to[1] - from[1]) * (to[0] - from[0])
    };
    rim(corners).filter(crosses).count() % 2 == 1
}

/// How far a point is from a line between two others.
pub(super) fn distance(at: Point, [from, to]: [Point; 2]) -> f64 {
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = way[0] * way[0] + way[1] * way[1];
    let along = (at[0] - from[0]) * way[0] + (at[1] - from[1]) * way[1];
    let part = if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
    let near = [0, 1].map(|axis| from[axis] + part * way[axis] - at[axis]);
    (near[0] * near[0] + near[1] * near[1]).sqrt()
}
