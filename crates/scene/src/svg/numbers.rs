//! The numbers next to scattered points, placed so that they cover as little as possible.

use super::metrics::Metrics;
use super::text::{escaped, number};
use crate::geometry::{PlanePoint, bounds, distance};
use crate::{LineStyle, Scene, Shape};

/// The height and width of a digit, and the gap between a point and its number, in pixels.
const HEIGHT: f64 = 10.0;
const WIDTH: f64 = 8.0;
const GAP: f64 = 8.0;

/// The directions from a point to its number, best first.
const WAYS: [[f64; 2]; 12] = [
    [0.8, -0.8],
    [1.0, 0.0],
    [0.0, -1.0],
    [0.8, 0.8],
    [0.0, 1.0],
    [-1.0, 0.0],
    [-0.8, -0.8],
    [-0.8, 0.8],
    [0.4, -1.0],
    [0.4, 1.0],
    [-0.4, -1.0],
    [-0.4, 1.0],
];

/// The obstacles that numbers should avoid covering.
pub(super) struct Numbers {
    lines: Vec<([PlanePoint; 2], f64)>,
    dots: Vec<PlanePoint>,
    /// The center of each number written so far, and half the number's width.
    written: Vec<(PlanePoint, f64)>,
    size: PlanePoint,
}

impl Numbers {
    /// Collects the lines and dots of a scene. The weight of a line is the cost of covering it.
    pub(super) fn around(scene: &Scene, metrics: &Metrics) -> Numbers {
        let has_numbers = scene.items.iter().any(|item| matches!(item.shape, Shape::Label(..)));
        let mut numbers = Numbers {
            lines: Vec::new(),
            dots: Vec::new(),
            written: Vec::new(),
            size: metrics.size,
        };
        for item in scene.items.iter().filter(|_| has_numbers) {
            match &item.shape {
                Shape::Line(ends, line_style) => {
                    let weight = if *line_style == LineStyle::Faint { 2.0 } else { 10.0 };
                    numbers.lines.push((ends.map(|at| metrics.point(at)), weight));
                }
                Shape::Dot(at) => numbers.dots.push(metrics.point(*at)),
                _ => {}
            }
        }
        numbers
    }

    /// Returns the lines and dots that may be inside a polygon with these corners. A dot is a line of length 0.
    pub(super) fn obstacles(&self, corners: &[PlanePoint]) -> Vec<[PlanePoint; 2]> {
        let [least, most] = bounds(corners);
        let is_near = |line: &[PlanePoint; 2]| {
            let [from, to] = bounds(line);
            (0..2).all(|axis| from[axis] <= most[axis] && to[axis] >= least[axis])
        };
        let lines = self.lines.iter().map(|(line, _)| *line);
        lines.chain(self.dots.iter().map(|dot| [*dot; 2])).filter(is_near).collect()
    }

    /// Keeps numbers away from a text centered at this point; `half` is half the text's width.
    pub(super) fn keep_off(&mut self, at: PlanePoint, half: f64) {
        self.written.push((at, half));
    }

    /// Returns the number of a point as an element, placed where it covers as little as possible.
    pub(super) fn beside(&mut self, at: PlanePoint, text: &str) -> String {
        let half = WIDTH * text.chars().count() as f64 / 2.0;
        let near = [1.0, 1.7].into_iter().flat_map(|far| WAYS.map(|way| (far, way)));
        let places = near.enumerate().map(|(rank, (far, [right, down]))| {
            let x = at[0] + right * (half + GAP * far);
            let y = at[1] + down * (HEIGHT / 2.0 + GAP * far);
            ([x, y], 0.1 * rank as f64)
        });
        let costs = places.map(|(place, cost)| (place, cost + self.cost(place, half)));
        let best = costs.min_by(|(_, one), (_, other)| one.total_cmp(other));
        let (place, _) = best.unwrap_or((at, 0.0));
        self.written.push((place, half));
        let (x, y) = (number(place[0]), number(place[1] + 4.7));
        format!("<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(text))
    }

    /// Returns the cost of placing a number at a position, based on the obstacles that it would cover.
    fn cost(&self, [x, y]: PlanePoint, half: f64) -> f64 {
        // A wide number is sampled at three points.
        let parts = [-0.6, 0.0, 0.6].map(|part| [x + part * half, y]);
        let far = |line: &[PlanePoint; 2]| {
            parts.iter().map(|at| distance(*at, *line)).fold(f64::INFINITY, f64::min)
        };
        let lines = self.lines.iter().filter(|(line, _)| far(line) < HEIGHT / 2.0 + 2.5);
        let on_lines: f64 = lines.map(|(_, weight)| weight).sum();
        let is_in = |[left, top]: &PlanePoint, wide: f64, high: f64| {
            (left - x).abs() < wide + half && (top - y).abs() < high + HEIGHT / 2.0
        };
        let dots = self.dots.iter().filter(|dot| is_in(dot, 6.0, 6.0)).count();
        let numbers =
            self.written.iter().filter(|(other, wide)| is_in(other, wide + 2.0, HEIGHT / 2.0));
        let outside = x - half < 1.0
            || x + half > self.size[0] - 1.0
            || y < HEIGHT / 2.0
            || y > self.size[1] - HEIGHT / 2.0;
        let outside = if outside { 60.0 } else { 0.0 };
        on_lines + 20.0 * dots as f64 + 40.0 * numbers.count() as f64 + outside
    }
}
