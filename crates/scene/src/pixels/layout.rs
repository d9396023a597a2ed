//! Where points and tiles are, in pixels.

use super::CellSize;
use crate::{At, BoardGeometry, Lettering};
use ratatui::layout::Size;

#[derive(Debug)]
pub(super) struct Layout {
    /// The size of the image.
    pub size: [u32; 2],
    origin: [f32; 2],
    /// The number of pixels per unit of the ground.
    scale: [f32; 2],
}

impl Layout {
    pub fn new(
        ground: &BoardGeometry,
        _lettering: Lettering,
        room: Size,
        cell: CellSize,
    ) -> Option<Layout> {
        let size = [
            u32::from(room.width) * u32::from(cell.width),
            u32::from(room.height) * u32::from(cell.height),
        ];
        let steps = match ground {
            BoardGeometry::Lattice { rows, cols, .. } | BoardGeometry::Grid { rows, cols, .. } => {
                [cols, rows].map(|count| i32::from(*count) - 1)
            }
            BoardGeometry::Points(points) => {
                let most = |axis: fn(&At) -> i32| points.iter().map(axis).max().unwrap_or(0);
                [most(|at| at.col), most(|at| at.row)]
            }
        };
        let pad = 2.0 * f32::from(cell.height);
        let room = size.map(|length| length as f32 - 2.0 * pad);
        let pitch = (0..2).map(|axis| room[axis] / steps[axis].max(1) as f32);
        let pitch = pitch.fold(f32::INFINITY, f32::min);
        let origin = [0, 1].map(|axis| (size[axis] as f32 - pitch * steps[axis] as f32) / 2.0);
        (pitch > 0.0).then_some(Layout { size, origin, scale: [pitch; 2] })
    }

    /// Returns the position of a point or of the centre of a tile.
    pub fn point(&self, at: At) -> [f32; 2] {
        let [x, y] = [at.col, at.row].map(|at| at as f32);
        [self.origin[0] + x * self.scale[0], self.origin[1] + y * self.scale[1]]
    }
}
