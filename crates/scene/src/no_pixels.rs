//! Stands in for `pixels` in builds without the feature: no board fits an image, so callers need no `cfg`.

use crate::{Lettering, PlaceId, Scene};
use ratatui::layout::Size;

/// The size of a terminal's cell in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSize {
    pub width: u16,
    pub height: u16,
}

#[derive(Debug)]
pub enum Placement {}

impl Placement {
    pub const fn new(_: &Scene, _: Lettering, _: Size, _: CellSize) -> Option<Placement> {
        None
    }

    pub const fn hit(&self, _: [f32; 2], _: f32) -> Option<PlaceId> {
        match *self {}
    }
}
