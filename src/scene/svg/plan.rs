//! Where the points of a ground stand in a picture, and how large things are there.

use super::colours::{Colours, Use};
use super::kind::Kind;
use super::text::number;
use crate::scene::{At, Ground, Role};
use std::fmt::{self, Write};

/// A point of the picture, from the left and from the top.
pub(super) type Point = [f64; 2];

/// The longest side of a board whose dots or tiles have room, and the same of scattered points.
const LATTICE: i32 = 480;
const TILES: i32 = 400;
const POINTS: f64 = 480.0;
/// How far points are apart where there are many, if they are spread evenly.
const SPREAD: f64 = 72.0;

/// Where things stand on a board, and how large they are.
pub(super) struct Plan {
    /// From one dot or tile to the next; of scattered points about how far they are apart.
    pub pitch: f64,
    /// Where the first of them stands.
    origin: Point,
    /// The whole board, with what is written at its edges.
    pub size: Point,
    /// How many units of the ground one pixel has.
    units: f64,
    form: Form,
}

/// What kind of ground it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Lattice,
    Tiles,
    Ruled,
    Points,
}

impl Plan {
    pub(super) fn new(ground: &Ground) -> Plan {
        match ground {
            Ground::Lattice { rows, cols, numbered } => {
                let (least, pad) = if *numbered { (28, 34) } else { (16, 10) };
                let across = i32::from(*cols) - 1;
                let down = i32::from(*rows) - 1;
                let pitch = even(LATTICE / across.max(down).max(1)).clamp(least, 96);
                Plan::even(Form::Lattice, pitch, [across, down], [pad; 2])
            }
            Ground::Grid { rows, cols, ruled, .. } => {
                let longest = i32::from(*rows.max(cols)).max(1);
                let (form, pitch) = if *ruled {
                    (Form::Ruled, even(TILES / longest).clamp(28, 112))
                } else {
                    (Form::Tiles, even(TILES / longest).clamp(28, 76))
                };
                // Letters stand in the pad, and between them and tiles that lie apart, pointers.
                let pad = pitch / 2 + if *ruled { 26 } else { 40 };
                Plan::even(form, pitch, [*cols, *rows].map(|it| i32::from(it) - 1), [pad; 2])
            }
            Ground::Points(places) => {
                let side = (SPREAD * (places.len() as f64).sqrt()).round().max(POINTS);
                let extent = |axis: fn(&At) -> i32| places.iter().map(axis).max().unwrap_or(0);
                let (across, down) = (extent(|at| at.col), extent(|at| at.row));
                let units = f64::from(across.max(down).max(1)) / side;
                let pad = 30.0;
                Plan {
                    pitch: SPREAD,
                    origin: [pad; 2],
                    size: [across, down].map(|it| (f64::from(it) / units + 2.0 * pad).ceil()),
                    units,
                    form: Form::Points,
                }
            }
        }
    }

    fn even(form: Form, pitch: i32, steps: [i32; 2], pad: [i32; 2]) -> Plan {
        let [across, down] = [0, 1].map(|axis| f64::from(steps[axis] * pitch + 2 * pad[axis]));
        let origin = pad.map(f64::from);
        Plan { pitch: pitch.into(), origin, size: [across, down], units: 1.0, form }
    }

    pub(super) const fn form(&self) -> Form {
        self.form
    }

    /// Where a point of the ground stands: of a tile its middle.
    pub(super) fn point(&self, at: At) -> Point {
        let along = |at: i32, origin: f64| match self.form {
            Form::Points => number(origin + f64::from(at) / self.units),
            _ => origin + f64::from(at) * self.pitch,
        };
        [along(at.col, self.origin[0]), along(at.row, self.origin[1])]
    }

    /// How long the side of a tile is.
    pub(super) fn tile(&self) -> f64 {
        let gap = if self.form == Form::Ruled { 0.0 } else { (self.pitch / 12.0).round().max(3.0) };
        self.pitch - gap
    }

    /// How wide lines are.
    pub(super) fn line(&self) -> f64 {
        number(match self.form {
            Form::Lattice => (self.pitch / 13.0).clamp(2.0, 6.5),
            Form::Points => 4.0,
            Form::Tiles | Form::Ruled => (self.pitch / 11.0).clamp(3.0, 10.0),
        })
    }

    /// How large a dot is, from its middle.
    pub(super) fn dot(&self) -> f64 {
        number(match self.form {
            Form::Points => 5.0,
            _ => (self.pitch / 16.0).clamp(2.4, 6.0),
        })
    }

    /// Draws what belongs to the ground itself: rules between tiles, and what rows and columns are called.
    pub(super) fn draw_ground(
        &self,
        ground: &Ground,
        colours: &mut Colours,
        out: &mut String,
    ) -> fmt::Result {
        match *ground {
            Ground::Grid { rows, cols, first, ruled } => {
                let letters = (0..cols).zip(first..).map(|(_, letter)| letter.to_string());
                let numbers = (1..=rows).map(|row| row.to_string());
                let edge = self.pitch / 2.0 + if ruled { 16.0 } else { 30.0 };
                self.name_axes([letters.collect(), numbers.collect()], edge, colours, out)?;
                if ruled {
                    self.rule([rows, cols], colours, out)?;
                }
            }
            Ground::Lattice { rows, cols, numbered: true } => {
                let names = |count: u8| (0..count).map(|it| it.to_string()).collect();
                self.name_axes([names(cols), names(rows)], 24.0, colours, out)?;
            }
            Ground::Lattice { .. } | Ground::Points(_) => {}
        }
        Ok(())
    }

    /// Writes names so far above the columns and left of the rows.
    fn name_axes(
        &self,
        [columns, rows]: [Vec<String>; 2],
        edge: f64,
        colours: &mut Colours,
        out: &mut String,
    ) -> fmt::Result {
        let class = colours.class(Kind::Axis, Role::Dim, Use::Ink);
        writeln!(out, "<g class=\"{class}\">")?;
        let [left, top] = self.origin;
        for (col, name) in (0..).zip(columns) {
            let [x, _] = self.point(At::new(0, col));
            writeln!(out, "<text x=\"{x}\" y=\"{}\">{name}</text>", number(top - edge + 5.0))?;
        }
        for (row, name) in (0..).zip(rows) {
            let [_, y] = self.point(At::new(row, 0));
            writeln!(
                out,
                "<text x=\"{}\" y=\"{}\">{name}</text>",
                number(left - edge),
                number(y + 5.0)
            )?;
        }
        writeln!(out, "</g>")
    }

    fn rule(&self, [rows, cols]: [u8; 2], colours: &mut Colours, out: &mut String) -> fmt::Result {
        let class = colours.class(Kind::Rule, Role::Faint, Use::Stroke);
        let half = self.pitch / 2.0;
        let [left, top] = self.origin.map(|it| it - half);
        let (width, height) = (f64::from(cols) * self.pitch, f64::from(rows) * self.pitch);
        write!(out, "<path class=\"{class}\" d=\"")?;
        for col in 1..cols {
            write!(out, "M{} {top}v{height}", left + f64::from(col) * self.pitch)?;
        }
        for row in 1..rows {
            write!(out, "M{left} {}h{width}", top + f64::from(row) * self.pitch)?;
        }
        writeln!(out, "\"/>")
    }
}

const fn even(length: i32) -> i32 {
    length - length % 2
}
