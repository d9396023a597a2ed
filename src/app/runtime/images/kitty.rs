//! kitty's graphics protocol with Unicode placeholders: an image is sent once under its id, and then shown by cells
//! that name the id in their text color and the image's row and column in diacritics. So text can replace them cell by
//! cell.
//!
//! An image is always sent with `a=t` and then given its size in cells with `a=p`. tmux does not pass on `a=T`, and
//! after `a=t` alone a known image would vanish.

use crate::app::RESERVED;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ratatui::layout::Size;
use ratatui::style::Color;
use std::io::{self, Write};

/// The largest part of an image in one command, in characters.
const CHUNK: usize = 4096;

/// The numbers 0 to 23 as combining marks.
const NUMBERS: [char; 24] = [
    '\u{305}', '\u{30d}', '\u{30e}', '\u{310}', '\u{312}', '\u{33d}', '\u{33e}', '\u{33f}',
    '\u{346}', '\u{34a}', '\u{34b}', '\u{34c}', '\u{350}', '\u{351}', '\u{352}', '\u{357}',
    '\u{35b}', '\u{363}', '\u{364}', '\u{365}', '\u{366}', '\u{367}', '\u{368}', '\u{369}',
];

/// Returns the symbol of a cell of an image.
pub(super) fn placeholder(row: u16, column: u16) -> String {
    let number = |at: u16| NUMBERS[usize::from(at) % NUMBERS.len()];
    [RESERVED, number(row), number(column)].into_iter().collect()
}

/// Returns the text color that names an image.
pub(super) const fn colour(id: u32) -> Color {
    let [_, red, green, blue] = id.to_be_bytes();
    Color::Rgb(red, green, blue)
}

/// Sends a PNG as the image with this id and this size in cells.
pub(super) fn send(
    id: u32,
    cells: Size,
    png: &[u8],
    is_in_tmux: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    let data = BASE64_STANDARD.encode(png);
    let mut rest = data.as_str();
    let mut keys = format!("a=t,f=100,i={id},q=2,");
    loop {
        let (part, later) = rest.split_at(rest.len().min(CHUNK));
        let more = u8::from(!later.is_empty());
        command(&format!("{keys}m={more};{part}"), is_in_tmux, output)?;
        if later.is_empty() {
            break;
        }
        (rest, keys) = (later, "q=2,".to_owned());
    }
    let Size { width, height } = cells;
    command(&format!("a=p,U=1,i={id},c={width},r={height},q=2"), is_in_tmux, output)
}

/// Deletes an image with its data.
pub(super) fn delete(id: u32, is_in_tmux: bool, output: &mut impl Write) -> io::Result<()> {
    command(&format!("a=d,d=I,i={id},q=2"), is_in_tmux, output)
}

fn command(text: &str, is_in_tmux: bool, output: &mut impl Write) -> io::Result<()> {
    if is_in_tmux {
        write!(output, "\x1bPtmux;\x1b\x1b_G{text}\x1b\x1b\\\x1b\\")
    } else {
        write!(output, "\x1b_G{text}\x1b\\")
    }
}
