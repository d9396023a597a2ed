//! Where points and tiles are, and the sizes of everything on a board, in pixels.
//!
//! Dots and tiles are a whole number of pixels apart, and lines are a whole number of pixels thick. If that number is
//! odd, lines are centered between two pixels' edges, so that their own edges are sharp.

use super::CellSize;
use super::canvas::Point;
use crate::{At, BoardGeometry, Direction, Lettering};
use ratatui::layout::Size;

/// The greatest distance between dots, dice and ruled tiles, in columns of cells, as in cells.
const MOST: [f32; 3] = [28.0, 24.0, 40.0];

/// The least distance between dots, numbered dots and tiles that are legible.
const LEAST: [f32; 3] = [14.0, 24.0, 18.0];
/// The least distance on a picture without lettering.
const LEAST_IN_PICTURE: f32 = 5.0;

/// The number of steps from the true proportions of scattered points to a picture that fills the space.
pub(super) const STRETCHES: u16 = 4;

/// The width of a digit relative to its height.
pub(super) const DIGIT: f32 = 0.89;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    Lattice { has_badges: bool },
    Dice,
    Ruled,
    Points,
}

#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The size of the image.
    pub size: [u32; 2],
    pub ground: Ground,
    /// The position of the point at row 0 and column 0.
    origin: Point,
    /// The position of the last dot or tile.
    end: Point,
    /// The number of pixels per unit of the ground, across and down.
    scale: Point,
    /// The distance between neighboring dots or tiles; for scattered points, the average.
    pub pitch: f32,
    /// The thickness of a line.
    pub line: f32,
    /// The radius of a dot.
    pub dot: f32,
    /// The height of capitals and digits in coordinates, numbers and values.
    pub text: f32,
    pub has_coordinates: bool,
    pub is_lettered: bool,
}

/// The space around the centers of the outer dots or tiles: left, top, right and bottom.
type Margins = [f32; 4];

impl Layout {
    /// Lays out a board as large as the space allows, up to a maximum size that still looks good. `stretch` is the
    /// step, up to [`STRETCHES`], from the true proportions of scattered points to a picture that fills the space.
    /// Returns `None` if the whole board does not fit legibly.
    pub fn new(
        ground: &BoardGeometry,
        lettering: Lettering,
        room: Size,
        cell: CellSize,
        stretch: u16,
    ) -> Option<Layout> {
        let is_lettered = lettering != Lettering::None;
        let size = [(room.width, cell.width), (room.height, cell.height)]
            .map(|(cells, pixels)| u32::from(cells) * u32::from(pixels));
        let layout = Layout {
            size,
            ground: match *ground {
                BoardGeometry::Lattice { numbered, .. } => Ground::Lattice { has_badges: numbered },
                BoardGeometry::Grid { ruled: false, .. } => Ground::Dice,
                BoardGeometry::Grid { ruled: true, .. } => Ground::Ruled,
                BoardGeometry::Points(_) => Ground::Points,
            },
            origin: [0.0; 2],
            end: [0.0; 2],
            scale: [1.0; 2],
            pitch: 0.0,
            line: 0.0,
            dot: 0.0,
            text: f32::from(cell.height / 2).clamp(6.0, 40.0),
            has_coordinates: false,
            is_lettered,
        };
        match ground {
            BoardGeometry::Points(points) => layout.scattered(points, stretch),
            BoardGeometry::Lattice { rows, cols, .. } | BoardGeometry::Grid { rows, cols, .. } => {
                let counts = [*cols, *rows];
                let coordinates = [lettering == Lettering::All, false];
                let layouts =
                    coordinates.map(|has_coordinates| Layout { has_coordinates, ..layout.clone() });
                let cell = f32::from(cell.width);
                layouts.into_iter().find_map(|layout| layout.regular(counts, cell))
            }
        }
    }

    /// Lays out dots or tiles in columns and rows.
    fn regular(self, counts: [u8; 2], cell: f32) -> Option<Layout> {
        let (most, least) = match self.ground {
            Ground::Lattice { has_badges } => (MOST[0], LEAST[usize::from(has_badges)]),
            Ground::Dice => (MOST[1], LEAST[2]),
            Ground::Ruled | Ground::Points => (MOST[2], LEAST[2]),
        };
        let least = if self.is_lettered { least } else { LEAST_IN_PICTURE };
        let steps = counts.map(|count| f32::from(count) - 1.0);
        let spare = |layout: &Layout| {
            let [left, top, right, bottom] = layout.margins(counts);
            let around = [left + right, top + bottom];
            [0, 1].map(|axis| layout.size[axis] as f32 - layout.pitch * steps[axis] - around[axis])
        };
        let pitches = (least as u32..=(most * cell) as u32).rev();
        let layouts = pitches.map(|pitch| self.clone().spaced(pitch as f32));
        let mut layout =
            layouts.into_iter().find(|layout| spare(layout).iter().all(|spare| *spare >= 0.0))?;
        let spare = spare(&layout);
        let [left, top, ..] = layout.margins(counts);
        // The edges of lines, and of tiles, are edges of pixels.
        let edge = match layout.ground {
            Ground::Lattice { .. } | Ground::Points => layout.line / 2.0,
            Ground::Dice => layout.tile() / 2.0,
            Ground::Ruled => f32::midpoint(layout.pitch, layout.line),
        };
        layout.origin =
            [left + spare[0] / 2.0, top + spare[1] / 2.0].map(|at| at.floor() + edge.fract());
        layout.end = [0, 1].map(|axis| layout.origin[axis] + layout.pitch * steps[axis]);
        layout.scale = [layout.pitch; 2];
        Some(layout)
    }

    /// Sets the sizes for this distance between dots or tiles.
    fn spaced(self, pitch: f32) -> Layout {
        let line = match self.ground {
            Ground::Lattice { has_badges } => pitch / if has_badges { 18.0 } else { 15.0 },
            Ground::Dice => pitch / 12.0,
            Ground::Ruled | Ground::Points => pitch / 32.0,
        };
        let line = line.round().clamp(1.0, 12.0);
        let line = if pitch < 12.0 { line } else { line.max(2.0) };
        let dot = match self.ground {
            Ground::Lattice { has_badges: true } => line * 1.1 + 0.5,
            _ => line * 0.9 + 0.5,
        };
        Layout { pitch, line, dot, text: self.text_for(pitch), ..self }
    }

    /// Returns the height of text at this distance between dots: as high as the terminal's own text, and higher on a
    /// large board.
    fn text_for(&self, pitch: f32) -> f32 {
        self.text.max((pitch / 14.0).min(self.text * 1.8)).round()
    }

    /// Returns the space that the board itself takes around the centers of its outer dots or tiles, with pointers.
    fn around(&self) -> f32 {
        let half = self.pitch / 2.0;
        let pointer = if self.is_lettered { self.pointer() + 4.0 } else { 0.0 };
        match self.ground {
            Ground::Lattice { has_badges: false } | Ground::Points => {
                self.dot.max(self.line / 2.0 + 3.0) + 1.0
            }
            Ground::Lattice { has_badges: true } => self.badge() + 1.0 + pointer,
            Ground::Dice => half + pointer,
            Ground::Ruled => half + 1.0,
        }
    }

    /// Returns the distance from the center of the first dot or tile to the middle of its coordinate.
    pub fn coordinate(&self) -> f32 {
        let gap = match self.ground {
            Ground::Lattice { has_badges: false } | Ground::Ruled | Ground::Points => 0.8,
            Ground::Lattice { has_badges: true } | Ground::Dice => 0.4,
        };
        (self.around() + (gap + 0.5) * self.text).ceil()
    }

    fn margins(&self, [_, rows]: [u8; 2]) -> Margins {
        let around = self.around();
        let [left, top] = if self.has_coordinates {
            let digits = if rows < 10 { 1.0 } else { 2.0 };
            let middle = self.coordinate();
            [middle + (digits * DIGIT - 0.5) * self.text, middle + self.text / 2.0]
        } else {
            [around; 2]
        };
        // The labels of the last dots.
        let [right, below] = match self.ground {
            Ground::Lattice { has_badges: true } if self.is_lettered => {
                let label = self.beside_badge();
                [label + 4.0 * self.text, label + self.text]
            }
            _ => [0.0; 2],
        };
        [left, top, around.max(right), around.max(below)].map(f32::ceil)
    }

    /// Lays out scattered points.
    fn scattered(self, points: &[At], stretch: u16) -> Option<Layout> {
        let extent =
            |axis: fn(&At) -> i32| points.iter().map(axis).max().unwrap_or(0).max(1) as f32;
        let extent = [extent(|at| at.col), extent(|at| at.row)];
        let count = points.len().max(1) as f32;
        let room = self.size.map(|length| length as f32);
        let pitch = (room[0].min(room[1] * 1.6) * room[1].min(room[0] * 1.6) / count).sqrt();
        let least = if self.is_lettered { 2.2 } else { 1.5 };
        let dot = (pitch / 23.0).clamp(least, 9.0);
        let line = ((dot * 1.2).round() / 2.0).clamp(1.0, 6.0);
        let text = self.text_for(pitch).min((pitch / 5.0).floor()).max(6.0);
        let digits = count.log10().floor() + 1.0;
        let margins = if self.is_lettered {
            let beside = dot + 3.0 + digits * DIGIT * text + 2.0;
            [beside, dot + 4.0 + text / 2.0]
        } else {
            [dot + 1.0; 2]
        };
        let free = [0, 1].map(|axis| room[axis] - 2.0 * margins[axis]);
        if free.iter().any(|free| *free < 1.0) {
            return None;
        }
        let whole = [0, 1].map(|axis| free[axis] / extent[axis]);
        let even = whole[0].min(whole[1]);
        let part = f32::from(stretch) / f32::from(STRETCHES);
        let scale = whole.map(|whole| even + (whole - even) * part);
        let origin = [0, 1].map(|axis| (room[axis] - scale[axis] * extent[axis]) / 2.0);
        let layout = Layout { origin, scale, pitch, line, dot, text, ..self };
        let apart = 2.0 * dot + 3.0;
        let is_near = |one: Point, other: Point| {
            let [x, y] = [0, 1].map(|axis| one[axis] - other[axis]);
            x * x + y * y < apart * apart
        };
        let all: Vec<Point> = points.iter().map(|at| layout.point(*at)).collect();
        let touch = self.is_lettered
            && (1..all.len())
                .any(|index| all[..index].iter().any(|other| is_near(all[index], *other)));
        (!touch).then_some(layout)
    }

    /// Returns the position of a point or of the center of a tile.
    pub fn point(&self, at: At) -> Point {
        let [x, y] = [at.col, at.row].map(|at| at as f32);
        let exact = [self.origin[0] + x * self.scale[0], self.origin[1] + y * self.scale[1]];
        // Dots look alike at the same position between pixels.
        if self.ground == Ground::Points { exact.map(|at| (at * 2.0).round() / 2.0) } else { exact }
    }

    /// Returns the side of a tile.
    pub fn tile(&self) -> f32 {
        match self.ground {
            Ground::Dice => self.pitch - (self.pitch / 13.0).round().max(2.0),
            _ => self.pitch - self.line,
        }
    }

    /// Returns the middle of a pointer beside a tile or a badge; at the edge of the image, just inside.
    pub fn beside(&self, at: At, side: Direction) -> Point {
        let size = self.pointer();
        let edge = match self.ground {
            Ground::Lattice { .. } | Ground::Points => self.badge() + 1.0,
            Ground::Dice | Ground::Ruled => self.tile() / 2.0,
        };
        let (right, down) = side.step();
        let [x, y] = self.point(at);
        let far = edge + size * 0.5 + 3.0;
        let beside = [x + f32::from(right) * far, y + f32::from(down) * far];
        let inside = |axis: usize| {
            let most = self.size[axis] as f32 - size / 2.0;
            beside[axis].min(most).max(size / 2.0)
        };
        [inside(0), inside(1)]
    }

    /// Returns the distance, to the right and below, from a dot with a badge to its label.
    pub fn beside_badge(&self) -> f32 {
        self.badge() * 0.75 + 3.0
    }

    /// Returns the width in which the label of a move has to fit.
    pub fn label_room(&self) -> f32 {
        match self.ground {
            Ground::Lattice { has_badges: false } => self.pitch - 2.0 * self.dot - 10.0,
            Ground::Lattice { has_badges: true } => {
                let margin = self.size[0] as f32 - self.end[0];
                margin.min(self.pitch - self.line) - self.beside_badge() - 8.0
            }
            Ground::Dice | Ground::Ruled => self.tile() - 12.0,
            Ground::Points => f32::INFINITY,
        }
    }

    /// Returns the distance from the edge of a scattered dot to the outer edge of a ring around it.
    pub fn ring(&self) -> f32 {
        (self.dot * 0.7).clamp(2.0, 4.5)
    }

    /// Returns the radius of a badge.
    pub fn badge(&self) -> f32 {
        (self.pitch / 5.5).clamp(6.0, 26.0).round()
    }

    /// Returns the size of a pointer.
    pub fn pointer(&self) -> f32 {
        match self.ground {
            Ground::Dice => (self.pitch / 6.5).clamp(5.0, 20.0).round(),
            _ => (self.pitch / 9.0).clamp(5.0, 14.0).round(),
        }
    }
}
