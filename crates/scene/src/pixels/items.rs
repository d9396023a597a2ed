//! Draws the items of a scene, complete or in mid-animation.

use super::canvas::{Canvas, Figure, Point, quarters, rounded};
use super::fonts::Weight;
use super::inks::Inks;
use super::numbers::{Block, NumberPlaces};
use super::{Ground, Layout, middle};
use crate::colour::Rgb;
use crate::geometry::{PlanePoint, meeting, roomiest};
use crate::{At, BoardGeometry, Direction, Item, LineStyle, Phase, PlaceId, Role, Scene, Shape};
use foldhash::HashSet;
use std::collections::VecDeque;

pub(super) struct Painter<'a, 'f> {
    pub layout: &'a Layout,
    pub inks: &'a Inks,
    pub canvas: Canvas<'f>,
    pub numbers: Option<NumberPlaces>,
}

/// The width of the frame or ring of a cursor and of a picked dot.
pub(super) const FRAME: f32 = 2.5;

impl Painter<'_, '_> {
    /// Draws coordinates and the lines between ruled tiles.
    pub fn draw_ground(&mut self, ground: &BoardGeometry) {
        let layout = self.layout;
        if layout.has_coordinates {
            let [columns, rows] = ground.coordinates();
            let (edge, ink, height) = (layout.coordinate(), self.inks.ink(Role::Dim), layout.text);
            for (col, name) in (0..).zip(columns) {
                let [x, y] = layout.point(At::new(0, col));
                self.canvas.text(&name, Weight::Regular, height, [x, y - edge], ink);
            }
            for (row, name) in (0..).zip(rows) {
                let [x, y] = layout.point(At::new(row, 0));
                let half = self.canvas.text_width(&name, Weight::Regular, height) / 2.0;
                let right = x - edge + height / 2.0;
                self.canvas.text(&name, Weight::Regular, height, [right - half, y], ink);
            }
        }
        if let BoardGeometry::Grid { rows, cols, ruled: true, .. } = *ground {
            self.rule([cols, rows]);
        }
    }

    /// Draws all items except faint lines whose place has a label.
    pub fn draw_items(&mut self, scene: &Scene) {
        let labelled: HashSet<PlaceId> = scene.labels.iter().map(|label| label.place).collect();
        let covers = scene.items.iter().filter_map(|item| match &item.shape {
            Shape::Polygon(corners, _) => Some(self.corners(corners)),
            _ => None,
        });
        // The polygons that have not been drawn yet and will cover the earlier ones.
        let mut covers: VecDeque<Vec<PlanePoint>> = covers.collect();
        let mut letters = Vec::new();
        for item in &scene.items {
            let Item { shape, role, .. } = item;
            let is_left_out = matches!(shape, Shape::Line(_, LineStyle::Faint))
                && item.place.is_some_and(|place| labelled.contains(&place));
            let shown = amount(item.phase);
            if is_left_out || shown <= 0.0 && !matches!(shape, Shape::Tile(..)) {
                continue;
            }
            match shape {
                Shape::Dot(at) => self.dot(self.layout.point(*at), *role),
                Shape::Line(ends, line_style) => self.line(*ends, *line_style, shown, *role),
                Shape::Cross(lines) => self.cross(*lines, *role),
                Shape::Area(corners, letter) => self.area(*corners, *letter, shown, *role),
                Shape::Polygon(corners, letter) => {
                    covers.pop_front();
                    self.polygon(corners, shown, *role);
                    if shown >= 1.0 {
                        letters.push((corners, *letter, *role, covers.clone()));
                    }
                }
                Shape::Tile(at, symbol) => {
                    let from = match item.phase {
                        Phase::Moving(from, way) => Some((from, way)),
                        Phase::Whole | Phase::Part(_) => None,
                    };
                    self.tile(*at, from, symbol.map(|symbol| (symbol, shown)), *role);
                }
                Shape::Arrow(at, side, points) => {
                    let ink = self.inks.mark(*role);
                    self.pointer(self.layout.beside(*at, *side), *points, ink);
                }
                Shape::Badge(at, text) => self.badge(self.layout.point(*at), text, shown, *role),
                Shape::Label(at, text) => self.number(*at, text, *role),
                Shape::Note(corners, text) => self.note(*corners, text, *role),
            }
        }
        for (corners, letter, role, covers) in letters {
            self.write_letter(corners, letter, role, &covers);
        }
    }

    pub fn disc(&mut self, at: Point, radius: f32, colour: Rgb) {
        self.canvas.put(Figure::Disc { diameter: quarters(2.0 * radius) }, at, colour);
    }

    fn ring(&mut self, at: Point, radius: f32, stroke: f32, colour: Rgb) {
        let (diameter, stroke) = (quarters(2.0 * radius), quarters(stroke));
        self.canvas.put(Figure::Ring { diameter, stroke }, at, colour);
    }

    fn dot(&mut self, at: Point, role: Role) {
        let (dot, line) = (self.layout.dot, self.layout.line);
        let is_scattered = self.layout.ground == Ground::Points;
        match role {
            // A faint dot is small enough to be hidden by a line.
            Role::Faint => {
                let radius = if is_scattered { (dot * 0.45).max(1.25) } else { line / 2.0 };
                self.disc(at, radius, self.inks.ink(role));
            }
            Role::Cursor | Role::Pick => {
                let colour = self.inks.mark(role);
                if is_scattered {
                    let ring = self.layout.ring();
                    self.ring(at, dot + ring, ring * 0.6, colour);
                }
                self.disc(at, dot, colour);
            }
            role => {
                if let Some(face) = self.inks.face(role) {
                    self.disc(at, dot + 4.0, face);
                }
                self.disc(at, dot, self.inks.ink(role));
            }
        }
    }

    fn badge(&mut self, at: Point, text: &str, shown: f32, role: Role) {
        let radius = self.layout.badge() * shown.min(1.25);
        let (face, ink) = (self.inks.face(role), self.inks.ink(role));
        let stroke = FRAME.min(radius / 3.0);
        let height = (radius * 0.85).round();
        match (face, text.is_empty(), role) {
            // The cursor is a ring around the dot or the badge beneath.
            (_, true, _) => self.ring(at, radius + stroke + 1.0, stroke, self.inks.mark(role)),
            (_, false, Role::Cursor) => self.ring(at, radius, stroke, self.inks.mark(role)),
            (Some(face), ..) => {
                self.disc(at, radius, face);
                self.canvas.text(text, Weight::Bold, height, at, ink);
            }
            (None, ..) => {
                self.disc(at, radius, self.inks.paper);
                self.ring(at, radius, stroke, ink);
                self.canvas.text(text, Weight::Bold, height, at, ink);
            }
        }
    }

    fn pointer(&mut self, at: Point, points: Direction, colour: Rgb) {
        let turns = match points {
            Direction::Right => 0,
            Direction::Down => 1,
            Direction::Left => 2,
            Direction::Up => 3,
        };
        let size = quarters(self.layout.pointer());
        self.canvas.put(Figure::Pointer { turns, size }, at, colour);
    }

    /// Draws a number beside its point, in bold if it stands out.
    fn number(&mut self, at: At, text: &str, role: Role) {
        let Some(place) = self.numbers.as_ref().and_then(|numbers| numbers.place(at)) else {
            return;
        };
        let height = self.layout.text;
        let (weight, ink) = match role {
            Role::Cursor | Role::Pick => (Weight::Bold, self.inks.mark(role)),
            role => (Weight::Regular, self.inks.ink(role)),
        };
        if let Some(face) = self.inks.face(role).filter(|_| role != Role::Cursor) {
            self.pill(place, face);
        }
        self.canvas.text(text, weight, height, place.middle, ink);
    }

    /// Draws a surface with round ends behind a text.
    pub fn pill(&mut self, text: Block, colour: Rgb) {
        let half = [text.half[0] + 4.0, text.half[1] + 3.0];
        let [from, to] = [-1.0, 1.0]
            .map(|sign: f32| [0, 1].map(|axis| (text.middle[axis] + sign * half[axis]).round()));
        if let Some(path) = rounded(from, to, half[1]) {
            self.canvas.fill_path(path, colour);
        }
    }

    fn note(&mut self, corners: [At; 2], text: &str, role: Role) {
        let height = self.layout.text.min((self.layout.pitch * 0.4).round());
        let at = middle(corners.map(|at| self.layout.point(at)));
        let room = self.layout.pitch - self.layout.line - 4.0;
        let fits = self.canvas.text_width(text, Weight::Bold, height) <= room;
        let text = if fits { text } else { "+" };
        let half = [self.canvas.text_width(text, Weight::Bold, height) / 2.0, height / 2.0];
        if let Some(face) = self.inks.face(role) {
            self.pill(Block { middle: at, half }, face);
        }
        self.canvas.text(text, Weight::Bold, height, at, self.inks.ink(role));
    }

    fn cross(&mut self, lines: [[At; 2]; 2], role: Role) {
        let exact = |at: At| self.layout.point(at).map(f64::from);
        if let Some(at) = meeting(lines.map(|ends| ends.map(exact))) {
            let side = quarters(self.layout.dot * 2.5);
            let stroke = quarters((self.layout.dot * 0.5).max(2.0));
            self.canvas.put(
                Figure::Cross { side, stroke },
                at.map(|at| at as f32),
                self.inks.ink(role),
            );
        }
    }

    /// Fills the square between four dots; the lines around it cover its edges.
    fn area(&mut self, corners: [At; 2], letter: Option<char>, shown: f32, role: Role) {
        let [one, other] = corners.map(|at| self.layout.point(at));
        let centre = middle([one, other]);
        let half = [0, 1].map(|axis| (one[axis] - other[axis]).abs() * shown.min(1.0) / 2.0);
        if let Some(face) = self.inks.face(role) {
            let [from, to] =
                [-1.0, 1.0].map(|sign: f32| [0, 1].map(|axis| centre[axis] + sign * half[axis]));
            self.canvas.fill(from, to, face);
        }
        if let Some(letter) = letter {
            let height =
                (self.layout.pitch * 0.27 * shown.min(1.0)).round().min(4.0 * self.layout.text);
            let ink = self.inks.letter(role);
            self.canvas.text(&letter.to_string(), Weight::Bold, height, centre, ink);
        }
    }

    fn corners(&self, corners: &[At]) -> Vec<PlanePoint> {
        corners.iter().map(|at| self.layout.point(*at).map(f64::from)).collect()
    }

    /// Fills a polygon and draws its outline. An incomplete one is smaller.
    fn polygon(&mut self, corners: &[At], shown: f32, role: Role) {
        let corners: Vec<Point> = corners.iter().map(|at| self.layout.point(*at)).collect();
        let count = corners.len().max(1) as f32;
        let mean = [0, 1].map(|axis| corners.iter().map(|at| at[axis]).sum::<f32>() / count);
        let shown = shown.min(1.0);
        let scaled = |at: &Point| [0, 1].map(|axis| mean[axis] + (at[axis] - mean[axis]) * shown);
        let corners: Vec<Point> = corners.iter().map(scaled).collect();
        if let Some(face) = self.inks.face(role) {
            self.canvas.fill_polygon(&corners, face);
        }
        let outline: Vec<Point> = corners.iter().chain(corners.first()).copied().collect();
        self.canvas.lines(&outline, self.layout.line, self.inks.outline(role));
    }

    /// Writes the letter of a polygon where most room is: on its visible part, or else beside a corner.
    fn write_letter(
        &mut self,
        corners: &[At],
        letter: char,
        role: Role,
        covers: &VecDeque<Vec<PlanePoint>>,
    ) {
        let plane = self.corners(corners);
        let numbers = self.numbers.iter().flat_map(NumberPlaces::places);
        let numbers =
            numbers.map(|Block { middle: [x, y], half }| [[x - half[0], y], [x + half[0], y]]);
        let lines = self.numbers.iter().flat_map(NumberPlaces::obstacles).chain(numbers);
        let lines: Vec<[PlanePoint; 2]> =
            lines.map(|line| line.map(|at| at.map(f64::from))).collect();
        let (least, text) = (self.layout.text * 0.6, self.layout.text);
        let (at, room) = roomiest(&plane, covers, &lines);
        let room = room as f32 - self.layout.line / 2.0;
        let height = (room * 0.95).min(2.2 * text).floor();
        let (at, height, ink) = if height >= least {
            (at.map(|at| at as f32), height, self.inks.ink(role))
        } else {
            let half = [text * 0.5; 2];
            let beside = self
                .numbers
                .as_ref()
                .and_then(|numbers| corners.iter().find_map(|corner| numbers.near(*corner, half)));
            let Some(place) = beside else { return };
            (place.middle, text, self.inks.outline(role))
        };
        let half = [height * 0.5; 2];
        if let Some(numbers) = &mut self.numbers {
            numbers.keep_off(Block { middle: at, half });
        }
        self.canvas.text(&letter.to_string(), Weight::Bold, height, at, ink);
    }
}

/// Returns the visible fraction of an item; a popping badge exceeds 1.
const fn amount(phase: Phase) -> f32 {
    match phase {
        Phase::Part(shown) => shown,
        Phase::Whole | Phase::Moving(..) => 1.0,
    }
}
