//! Positions and sizes in a picture, in pixels at natural size.

use super::colours::{Colours, Use};
use super::element_kind::ElementKind;
use super::parts::{Form, SvgPart};
use super::text::number;
use crate::geometry::PlanePoint;
use crate::{At, BoardGeometry, Role};
use std::rc::Rc;

/// The longer side of a board, unless dots or tiles would become too small.
const LATTICE: i32 = 480;
const TILES: i32 = 400;
const POINTS: f64 = 480.0;
/// The average distance between scattered points, if there are many.
const SPREAD: f64 = 72.0;

pub(super) struct Metrics {
    /// The distance between adjacent dots or tiles. For scattered points, approximately the average distance.
    pub pitch: f64,
    /// The position of the point at row 0 and column 0.
    origin: PlanePoint,
    /// The size of the whole board, including coordinates and pads.
    pub size: PlanePoint,
    /// The number of pixels per unit of the ground, as numerator and denominator.
    scale: (f64, f64),
    pub ground_kind: GroundKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroundKind {
    Lattice,
    Tiles,
    Ruled,
    Points,
}

impl Metrics {
    pub(super) fn new(ground: &BoardGeometry) -> Metrics {
        let steps = |rows: u8, cols: u8| [cols, rows].map(|count| i32::from(count) - 1);
        let (ground_kind, pitch, extent, pad) = match ground {
            BoardGeometry::Lattice { rows, cols, numbered } => {
                let (least, pad) = if *numbered { (28, 34) } else { (16, 10) };
                let [across, down] = steps(*rows, *cols);
                let pitch = even(LATTICE / across.max(down).max(1)).clamp(least, 96);
                (GroundKind::Lattice, pitch.into(), [across, down], pad)
            }
            BoardGeometry::Grid { rows, cols, ruled, .. } => {
                let (ground_kind, most) =
                    if *ruled { (GroundKind::Ruled, 112) } else { (GroundKind::Tiles, 76) };
                let pitch = even(TILES / i32::from(*rows.max(cols)).max(1)).clamp(28, most);
                // Coordinates are in the pad. For separate tiles, pointers are between the coordinates and the tiles.
                let pad = pitch / 2 + if *ruled { 26 } else { 40 };
                (ground_kind, pitch.into(), steps(*rows, *cols), pad)
            }
            BoardGeometry::Points(places) => {
                let extent = |axis: fn(&At) -> i32| places.iter().map(axis).max().unwrap_or(0);
                (GroundKind::Points, SPREAD, [extent(|at| at.col), extent(|at| at.row)], 30)
            }
        };
        let scale = match ground {
            BoardGeometry::Points(places) => {
                let side = (SPREAD * (places.len() as f64).sqrt()).round().max(POINTS);
                (side, extent[0].max(extent[1]).max(1).into())
            }
            BoardGeometry::Lattice { .. } | BoardGeometry::Grid { .. } => (pitch, 1.0),
        };
        let pad = f64::from(pad);
        let side = |length: i32| (f64::from(length) * scale.0 / scale.1 + 2.0 * pad).ceil();
        Metrics { pitch, origin: [pad; 2], size: extent.map(side), scale, ground_kind }
    }

    /// Returns the position of a point or of the center of a tile.
    pub(super) fn point(&self, at: At) -> PlanePoint {
        let (pixels, units) = self.scale;
        let along = |at: i32, origin: f64| number(origin + f64::from(at) * pixels / units);
        [along(at.col, self.origin[0]), along(at.row, self.origin[1])]
    }

    pub(super) fn tile(&self) -> f64 {
        let gap = if self.ground_kind == GroundKind::Ruled {
            0.0
        } else {
            (self.pitch / 12.0).round().max(3.0)
        };
        self.pitch - gap
    }

    pub(super) fn line(&self) -> f64 {
        number(match self.ground_kind {
            GroundKind::Lattice => (self.pitch / 13.0).clamp(2.0, 6.5),
            GroundKind::Points => 4.0,
            GroundKind::Tiles | GroundKind::Ruled => (self.pitch / 11.0).clamp(3.0, 10.0),
        })
    }

    pub(super) fn dot(&self) -> f64 {
        number(match self.ground_kind {
            GroundKind::Points => 5.0,
            _ => (self.pitch / 16.0).clamp(2.4, 6.0),
        })
    }

    /// Draws the ground: coordinates and the lines between ruled tiles.
    pub(super) fn draw_ground(
        &self,
        ground: &BoardGeometry,
        colours: &mut Colours,
    ) -> Vec<SvgPart> {
        let mut parts = match *ground {
            BoardGeometry::Grid { ruled, .. } => {
                let edge = self.pitch / 2.0 + if ruled { 16.0 } else { 30.0 };
                self.name_axes(ground.coordinates(), edge, colours)
            }
            BoardGeometry::Lattice { numbered: true, .. } => {
                self.name_axes(ground.coordinates(), 24.0, colours)
            }
            BoardGeometry::Lattice { .. } | BoardGeometry::Points(_) => Vec::new(),
        };
        if let BoardGeometry::Grid { rows, cols, ruled: true, .. } = *ground {
            parts.push(self.rule([rows, cols], colours));
        }
        parts
    }

    /// Writes coordinates above the columns and to the left of the rows, at a distance of `edge` pixels from the first
    /// dots or tiles.
    fn name_axes(
        &self,
        [columns, rows]: [Vec<String>; 2],
        edge: f64,
        colours: &mut Colours,
    ) -> Vec<SvgPart> {
        let class = colours.class(ElementKind::Axis, Role::Dim, Use::Ink);
        let [left, top] = self.origin;
        let at = |x: f64, y: f64, name: String| SvgPart {
            form: Form::Grouped,
            class: Rc::clone(&class),
            body: format!("<text x=\"{x}\" y=\"{y}\">{name}</text>"),
            bounds: [x - 20.0, y - 14.0, x + 20.0, y + 6.0],
        };
        let columns = (0..).zip(columns).map(|(col, name)| {
            let [x, _] = self.point(At::new(0, col));
            at(x, number(top - edge + 5.0), name)
        });
        let rows = (0..).zip(rows).map(|(row, name)| {
            let [_, y] = self.point(At::new(row, 0));
            at(number(left - edge), number(y + 5.0), name)
        });
        columns.chain(rows).collect()
    }

    fn rule(&self, [rows, cols]: [u8; 2], colours: &mut Colours) -> SvgPart {
        let class = colours.class(ElementKind::Rule, Role::Board, Use::Stroke);
        let half = self.pitch / 2.0;
        let [left, top] = self.origin.map(|origin| origin - half);
        let (width, height) = (f64::from(cols) * self.pitch, f64::from(rows) * self.pitch);
        let down =
            (1..cols).map(|col| format!("M{} {top}v{height}", left + f64::from(col) * self.pitch));
        let across =
            (1..rows).map(|row| format!("M{left} {}h{width}", top + f64::from(row) * self.pitch));
        let [right, bottom] = self.size;
        let body = down.chain(across).collect();
        SvgPart { form: Form::InPath, class, body, bounds: [0.0, 0.0, right, bottom] }
    }
}

const fn even(length: i32) -> i32 {
    length - length % 2
}
