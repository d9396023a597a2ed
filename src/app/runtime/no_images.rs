//! Stands in for `images` in builds without pictures.

use super::cells::write_cells;
use super::protocol::Protocol;
use crate::app::BoardImage;
use quadrille_scene::pixels::CellSize;
use ratatui::buffer::Buffer;
use std::io::{self, Write};

pub struct Images;

impl Images {
    pub const fn new(_: u32) -> Images {
        Images
    }

    pub const fn forget(&mut self) {}

    pub const fn farewell(&self) -> Vec<u8> {
        Vec::new()
    }

    pub fn write_frame(
        &mut self,
        _: Option<(Protocol, CellSize)>,
        _: &[BoardImage],
        shown: &mut Buffer,
        next: &mut Buffer,
        output: &mut impl Write,
    ) -> io::Result<bool> {
        let mut changes = shown.diff_iter(next).peekable();
        if changes.peek().is_some() {
            write_cells(changes, output)?;
        }
        Ok(false)
    }
}
