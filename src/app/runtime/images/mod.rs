//! Boards as images in the terminal.
//!
//! An image is cut into tiles, and only the tiles whose pixels have changed are sent. A frame without a change costs no
//! drawing and no bytes. In kitty's protocol, tiles have ids, which are used again, so the terminal holds a bounded
//! number of images. In the other protocols, a tile lies on its cells until text is written there: when text over a tile
//! is gone, the tile is sent again, and text over a part of a tile is written after the tile.

mod iterm2;
mod kitty;
mod png;
mod sixel;
mod tile;

use super::cells::{write_cells, write_style};
use super::protocol::Protocol;
use crate::app::{BoardImage, RESERVED};
use crate::picture::fonts;
use crossterm::cursor::MoveTo;
use crossterm::queue;
use png::png;
use quadrille_scene::colour::Rgb;
use quadrille_scene::pixels::{CellSize, Fonts, Pixels, Placement};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};
use std::cell::OnceCell;
use std::io::{self, Write};
use tile::{PixelRect, Tile};

// Sixels have a hundred steps of brightness, and iTerm2 may convert colors, so a painted paper may differ by a shade
// from the paper of the cells. In these protocols it stays unset, if the terminal then shows the background of the
// cells.

/// The size of a tile in cells. Its height makes the pixels of every tile but the last a multiple of six, as sixels
/// need.
const TILE: Size = Size { width: 24, height: 6 };

/// Begins and ends a synchronized update (mode 2026): the terminal shows it at once.
const BEGIN_UPDATE: &[u8] = b"\x1b[?2026h";
const END_UPDATE: &[u8] = b"\x1b[?2026l";

/// Ends a command that was only partly written.
const END_COMMAND: &[u8] = b"\x1b\\";

/// The images that the terminal shows.
pub struct Images {
    fonts: OnceCell<Option<Fonts>>,
    /// The id of the first tile.
    first_id: u32,
    shown: Shown,
    /// The hash of each tile that the terminal has; `None` if it must be sent.
    hashes: Vec<Option<u64>>,
}

/// What the tiles show.
#[derive(Default, PartialEq)]
struct Shown {
    how: Option<(Protocol, CellSize)>,
    boards: Vec<BoardImage>,
}

/// A tile on the screen.
struct Place {
    /// The index of its board.
    board: usize,
    /// Its cells.
    area: Rect,
}

impl Images {
    /// Creates the images of a process. Ids of different processes differ, so that several programs can use the same
    /// terminal.
    pub const fn new(process: u32) -> Images {
        /// Spreads the numbers of processes that start one after the other.
        const SPREAD: u32 = 0x9e37;
        let prefix = process.wrapping_mul(SPREAD) & 0xffff;
        // 0 is no id.
        let prefix = if prefix == 0 { 1 } else { prefix };
        Images {
            fonts: OnceCell::new(),
            first_id: prefix << 8,
            shown: Shown { how: None, boards: Vec::new() },
            hashes: Vec::new(),
        }
    }

    /// Forgets what the terminal shows, so that everything is sent again.
    pub fn forget(&mut self) {
        self.shown.boards.clear();
        self.hashes.fill(None);
    }

    /// Returns the bytes that delete all images and end an unfinished frame.
    pub fn farewell(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.shown.how.is_some() {
            bytes.extend(END_COMMAND);
            // A vector accepts everything.
            let _ = self.delete_all(&mut bytes);
            bytes.extend(END_UPDATE);
        }
        bytes
    }

    fn id(&self, tile: usize) -> u32 {
        (self.first_id + tile as u32) & 0x00ff_ffff
    }

    fn delete_all(&self, output: &mut impl Write) -> io::Result<()> {
        let is_in_tmux = match self.shown.how {
            Some((Protocol::Kitty, _)) => false,
            Some((Protocol::KittyInTmux, _)) => true,
            _ => return Ok(()),
        };
        (0..self.hashes.len()).try_for_each(|tile| kitty::delete(self.id(tile), is_in_tmux, output))
    }

    /// Writes what differs between the frame that the terminal shows and the next one, with these boards as images.
    /// `next` contains [`RESERVED`] in the cells of images, and afterwards what the terminal shows. Returns whether
    /// images were sent or deleted.
    pub fn write_frame(
        &mut self,
        how: Option<(Protocol, CellSize)>,
        boards: &[BoardImage],
        shown: &mut Buffer,
        next: &mut Buffer,
        output: &mut impl Write,
    ) -> io::Result<bool> {
        let mut images = Vec::new();
        if self.shown.how != how {
            self.delete_all(&mut images)?;
            self.hashes.clear();
            self.shown = Shown { how, boards: Vec::new() };
        }
        if let Some((protocol, cell)) = how {
            self.write_tiles((protocol, cell), boards, shown, next, &mut images)?;
        }
        if !images.is_empty() {
            output.write_all(BEGIN_UPDATE)?;
            output.write_all(&images)?;
        }
        let mut changes = shown.diff_iter(next).peekable();
        if changes.peek().is_some() {
            write_cells(changes, output)?;
        }
        if !images.is_empty() {
            output.write_all(END_UPDATE)?;
        }
        Ok(!images.is_empty())
    }

    fn write_tiles(
        &mut self,
        (protocol, cell): (Protocol, CellSize),
        boards: &[BoardImage],
        shown: &mut Buffer,
        next: &mut Buffer,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let places: Vec<Place> =
            (0..).zip(boards).flat_map(|(at, board)| tiles(at, board.area)).collect();
        self.hashes.resize(self.hashes.len().max(places.len()), None);
        let is_kitty = matches!(protocol, Protocol::Kitty | Protocol::KittyInTmux);
        let areas = |boards: &[BoardImage]| -> Vec<Rect> {
            boards.iter().map(|board| board.area).collect()
        };
        if !is_kitty && areas(&self.shown.boards) != areas(boards) {
            self.hashes.fill(None);
        }
        let has_paper = is_kitty || protocol == Protocol::SixelOnPaper;
        let is_known = self.shown.boards == boards;
        let mut drawn: Vec<Option<Pixels>> = boards.iter().map(|_| None).collect();
        for (at, place) in places.iter().enumerate() {
            let is_lost = match first_reserved(place.area, next) {
                _ if is_kitty => {
                    put_placeholders(self.id(at), place.area, next);
                    false
                }
                Some(_) => is_damaged(place.area, shown, next),
                None => {
                    self.hashes[at] = None;
                    continue;
                }
            };
            let is_sent = self.hashes[at].is_some();
            if is_known && is_sent && !is_lost {
                continue;
            }
            let board = &boards[place.board];
            let pixels =
                drawn[place.board].get_or_insert_with(|| self.draw(board, cell, has_paper));
            let rect = pixels_of(place.area, board.area, cell);
            let hash = rect.hash(pixels, place.area.as_size());
            if self.hashes[at].replace(hash) == Some(hash) && !is_lost {
                continue;
            }
            let tile = Tile::cut(pixels, rect);
            let cells = place.area.as_size();
            match protocol {
                Protocol::Kitty | Protocol::KittyInTmux => {
                    let is_in_tmux = protocol == Protocol::KittyInTmux;
                    kitty::send(self.id(at), cells, &png(&tile), is_in_tmux, output)?;
                }
                Protocol::Sixel | Protocol::SixelOnPaper => {
                    erase(place.area, next, output)?;
                    sixel::write(&tile, output)?;
                }
                Protocol::ITerm2 => {
                    erase(place.area, next, output)?;
                    iterm2::write(&png(&tile), cells, output)?;
                }
            }
            if !is_kitty {
                lay(place.area, shown, next);
            }
        }
        if !is_known {
            self.shown.boards = boards.to_vec();
        }
        Ok(())
    }

    /// Draws a board. Pixels in the color of the theme's paper are transparent if `has_paper` is false.
    fn draw(&self, board: &BoardImage, cell: CellSize, has_paper: bool) -> Pixels {
        let BoardImage { scene, lettering, skin, area, is_on_paper } = board;
        let has_paper = *is_on_paper && has_paper;
        let fonts = self.fonts.get_or_init(|| {
            let [regular, bold] = fonts();
            Fonts::new(regular, bold)
        });
        let placement = Placement::new(scene, *lettering, area.as_size(), cell);
        let drawn = placement.zip(fonts.as_ref());
        let drawn = drawn.map(|(placement, fonts)| placement.draw(*skin, fonts, true));
        let mut pixels = drawn.unwrap_or(Pixels { width: 0, height: 0, rgba: Vec::new() });
        let paper = skin.paper().bg.and_then(Rgb::of).filter(|_| !has_paper);
        if let Some(Rgb(red, green, blue)) = paper {
            for pixel in pixels.rgba.as_chunks_mut::<4>().0 {
                if *pixel == [red, green, blue, u8::MAX] {
                    *pixel = [0; 4];
                }
            }
        }
        pixels
    }
}

/// Returns the tiles of a board.
fn tiles(board: usize, area: Rect) -> impl Iterator<Item = Place> {
    let starts = |from: u16, to: u16, step: u16| (from..to).step_by(step.into());
    starts(area.top(), area.bottom(), TILE.height).flat_map(move |y| {
        starts(area.left(), area.right(), TILE.width).map(move |x| {
            let tile = Rect { x, y, width: TILE.width, height: TILE.height };
            Place { board, area: tile.intersection(area) }
        })
    })
}

/// Returns the pixels of a tile in the image of its board.
fn pixels_of(tile: Rect, board: Rect, cell: CellSize) -> PixelRect {
    let [width, height] = [cell.width, cell.height].map(usize::from);
    PixelRect {
        x: usize::from(tile.x - board.x) * width,
        y: usize::from(tile.y - board.y) * height,
        width: usize::from(tile.width) * width,
        height: usize::from(tile.height) * height,
    }
}

fn is_reserved(buffer: &Buffer, at: Position) -> bool {
    buffer[at].symbol().starts_with(RESERVED)
}

/// Returns the first cell of a tile that nothing covers.
fn first_reserved(area: Rect, next: &Buffer) -> Option<&Cell> {
    area.positions().find(|at| is_reserved(next, *at)).map(|at| &next[at])
}

/// Makes the reserved cells of a tile show its image.
fn put_placeholders(id: u32, area: Rect, next: &mut Buffer) {
    for y in area.top()..area.bottom() {
        let mut continues = false;
        for x in area.left()..area.right() {
            let is_shown = is_reserved(next, Position { x, y });
            if is_shown {
                next[(x, y)].set_fg(kitty::colour(id));
            }
            // Without numbers, a cell continues the one to its left.
            if is_shown && !continues {
                next[(x, y)].set_symbol(&kitty::placeholder(y - area.y, x - area.x));
            }
            continues = is_shown;
        }
    }
}

/// Returns whether the terminal shows something else than the image on a cell of a tile.
fn is_damaged(area: Rect, shown: &Buffer, next: &Buffer) -> bool {
    area.positions().any(|at| is_reserved(next, at) && shown[at] != next[at])
}

/// Erases the cells of a tile, because old pixels show through the transparent ones, and moves to its corner.
fn erase(area: Rect, next: &Buffer, output: &mut impl Write) -> io::Result<()> {
    if let Some(cell) = first_reserved(area, next) {
        write_style(cell, output)?;
    }
    for y in area.top()..area.bottom() {
        queue!(output, MoveTo(area.x, y))?;
        write!(output, "\x1b[{}X", area.width)?;
    }
    output.write_all(b"\x1b[m")?;
    queue!(output, MoveTo(area.x, area.y))
}

/// Records that a tile has been sent: its image lies on all its cells, also where text must cover it.
fn lay(area: Rect, shown: &mut Buffer, next: &Buffer) {
    for at in area.positions() {
        if is_reserved(next, at) {
            shown[at] = next[at].clone();
        } else {
            shown[at].reset();
            shown[at].set_char(RESERVED);
        }
    }
}
