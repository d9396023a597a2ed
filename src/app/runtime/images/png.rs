//! Tiles as PNG files with a palette.

use super::tile::Tile;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const PALETTE_COLOURS: u8 = 3;

pub(super) fn png(tile: &Tile) -> Vec<u8> {
    let depth = match tile.palette.len() {
        0..=2 => 1,
        3..=4 => 2,
        5..=16 => 4,
        _ => 8,
    };
    let mut head = Vec::new();
    head.extend((tile.width as u32).to_be_bytes());
    head.extend((tile.height as u32).to_be_bytes());
    // The methods of compression, filtering and interlacing.
    head.extend([depth, PALETTE_COLOURS, 0, 0, 0]);
    let colours: Vec<u8> =
        tile.palette.iter().flat_map(|colour| [colour[0], colour[1], colour[2]]).collect();
    let mut alphas: Vec<u8> = tile.palette.iter().map(|colour| colour[3]).collect();
    while alphas.last() == Some(&u8::MAX) {
        alphas.pop();
    }
    let mut file = SIGNATURE.to_vec();
    add(*b"IHDR", &head, &mut file);
    add(*b"PLTE", &colours, &mut file);
    if !alphas.is_empty() {
        add(*b"tRNS", &alphas, &mut file);
    }
    add(*b"IDAT", &compressed(tile, depth), &mut file);
    add(*b"IEND", &[], &mut file);
    file
}

/// Adds a chunk.
fn add(name: [u8; 4], content: &[u8], file: &mut Vec<u8>) {
    file.extend((content.len() as u32).to_be_bytes());
    let mut sum = Crc::new();
    for part in [&name, content] {
        sum.update(part);
        file.extend(part);
    }
    file.extend(sum.sum().to_be_bytes());
}

fn compressed(tile: &Tile, depth: u8) -> Vec<u8> {
    const NO_FILTER: u8 = 0;
    let mut rows = Vec::with_capacity(tile.indices.len() + tile.height);
    for row in tile.indices.chunks(tile.width.max(1)) {
        rows.push(NO_FILTER);
        if depth == 8 {
            rows.extend(row);
            continue;
        }
        for packed in row.chunks(8 / usize::from(depth)) {
            let shifts = (0..8).step_by(depth.into()).map(|used| 8 - depth - used);
            rows.push(
                packed.iter().zip(shifts).fold(0, |byte, (index, shift)| byte | index << shift),
            );
        }
    }
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
    // A vector accepts everything.
    let _ = zlib.write_all(&rows);
    zlib.finish().unwrap_or_default()
}

/// The best compression; a tile takes a fraction of a millisecond.
const LEVEL: u32 = 9;
