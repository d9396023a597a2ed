//! DEC's sixel graphics: rows of six pixels, color by color.

use super::tile::Tile;
use std::io::{self, Write};

/// The number of pixels in a sixel.
const BAND: usize = 6;
/// The character of a sixel without pixels.
const EMPTY: u8 = b'?';
/// A longer run is written with its length.
const LONGEST_PLAIN_RUN: usize = 3;

/// Writes a tile at the cursor. Transparent pixels stay as they are.
pub(super) fn write(tile: &Tile, output: &mut impl Write) -> io::Result<()> {
    // The second parameter leaves pixels without a color as they are.
    write!(output, "\x1bP0;1q\"1;1;{};{}", tile.width, tile.height)?;
    let is_seen = |index: u8| tile.palette[usize::from(index)][3] > 0;
    for (index, [red, green, blue, alpha]) in tile.palette.iter().enumerate() {
        if *alpha > 0 {
            let [red, green, blue] = [red, green, blue].map(|part| percent(*part));
            write!(output, "#{index};2;{red};{green};{blue}")?;
        }
    }
    for (number, band) in tile.indices.chunks(tile.width.max(1) * BAND).enumerate() {
        if number > 0 {
            output.write_all(b"-")?;
        }
        // Each color of the band with its sixels.
        let mut colours: Vec<(u8, Vec<u8>)> = Vec::new();
        let mut slots = [None; 256];
        for (y, row) in band.chunks(tile.width).enumerate() {
            for (x, &index) in row.iter().enumerate().filter(|(_, index)| is_seen(**index)) {
                let slot = *slots[usize::from(index)].get_or_insert_with(|| {
                    colours.push((index, vec![0; tile.width]));
                    colours.len() - 1
                });
                colours[slot].1[x] |= 1 << y;
            }
        }
        for (at, (index, sixels)) in colours.iter().enumerate() {
            if at > 0 {
                output.write_all(b"$")?;
            }
            write!(output, "#{index}")?;
            write_runs(sixels, output)?;
        }
    }
    output.write_all(b"\x1b\\")
}

/// Writes the sixels of one color, up to the last one with pixels.
fn write_runs(sixels: &[u8], output: &mut impl Write) -> io::Result<()> {
    let end = sixels.iter().rposition(|sixel| *sixel > 0).map_or(0, |last| last + 1);
    for run in sixels[..end].chunk_by(PartialEq::eq) {
        let letter = EMPTY + run[0];
        if run.len() > LONGEST_PLAIN_RUN {
            write!(output, "!{}{}", run.len(), char::from(letter))?;
        } else {
            output.write_all(&[letter; LONGEST_PLAIN_RUN][..run.len()])?;
        }
    }
    Ok(())
}

/// Returns a component of a color in percent.
const fn percent(part: u8) -> u32 {
    (part as u32 * 100 + 127) / 255
}
