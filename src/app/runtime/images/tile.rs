//! Parts of an image with few colors.

use foldhash::HashMap;
use foldhash::fast::FixedState;
use quadrille_scene::pixels::Pixels;
use ratatui::layout::Size;
use std::hash::{BuildHasher, Hasher};

/// A rectangle of an image, in pixels.
#[derive(Clone, Copy)]
pub(super) struct PixelRect {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

/// A part of an image with a palette of its own, because a whole board can have too many colors for one.
pub(super) struct Tile {
    pub width: usize,
    pub height: usize,
    /// The colors in straight RGBA.
    pub palette: Vec<[u8; 4]>,
    /// The index of each pixel's color.
    pub indices: Vec<u8>,
}

impl PixelRect {
    fn rows(self, pixels: &Pixels) -> impl Iterator<Item = &[u8]> {
        let stride = pixels.width as usize * 4;
        let row = move |y: usize| {
            let start = y * stride + self.x * 4;
            pixels.rgba.get(start..start + self.width * 4).unwrap_or_default()
        };
        (self.y..self.y + self.height).map(row)
    }

    /// Returns a hash of the pixels, and of the number of cells on which they are shown.
    pub fn hash(self, pixels: &Pixels, cells: Size) -> u64 {
        let mut hasher = FixedState::default().build_hasher();
        for number in [self.width, self.height, cells.width.into(), cells.height.into()] {
            hasher.write_usize(number);
        }
        self.rows(pixels).for_each(|row| hasher.write(row));
        hasher.finish()
    }
}

impl Tile {
    /// The largest palette that all protocols allow.
    const MAX_COLOURS: usize = 256;

    /// Cuts a tile out of an image. If it has too many colors, similar ones are merged.
    pub fn cut(pixels: &Pixels, rect: PixelRect) -> Tile {
        let tile = |lost_bits| Tile::with_coarser_colours(pixels, rect, lost_bits);
        (0..8).find_map(tile).unwrap_or(Tile {
            width: 0,
            height: 0,
            palette: Vec::new(),
            indices: Vec::new(),
        })
    }

    /// Returns `None` if the tile has too many colors without this many bits of each component.
    fn with_coarser_colours(pixels: &Pixels, rect: PixelRect, lost_bits: u32) -> Option<Tile> {
        let mut palette = Vec::new();
        let mut known: HashMap<[u8; 4], u8> = HashMap::default();
        let mut indices = Vec::with_capacity(rect.width * rect.height);
        let mut last = None;
        for row in rect.rows(pixels) {
            for pixel in row.as_chunks::<4>().0 {
                let index = match last {
                    // Most neighbors have the same color.
                    Some((same, index)) if same == pixel => index,
                    _ => {
                        let colour = coarse(*pixel, lost_bits);
                        match known.get(&colour) {
                            Some(index) => *index,
                            None if palette.len() == Tile::MAX_COLOURS => return None,
                            None => {
                                let index = palette.len() as u8;
                                palette.push(colour);
                                known.insert(colour, index);
                                index
                            }
                        }
                    }
                };
                last = Some((pixel, index));
                indices.push(index);
            }
        }
        Some(Tile { width: rect.width, height: rect.height, palette, indices })
    }
}

/// Returns a color without the lowest bits. All transparent colors are the same.
fn coarse([red, green, blue, alpha]: [u8; 4], lost_bits: u32) -> [u8; 4] {
    if alpha == 0 {
        return [0; 4];
    }
    // Full brightness stays full.
    let coarse = |part: u8| {
        let kept = part >> lost_bits << lost_bits;
        kept | (kept >> (8 - lost_bits).min(7)).min((1 << lost_bits) - 1)
    };
    if lost_bits == 0 { [red, green, blue, alpha] } else { [red, green, blue, alpha].map(coarse) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tile_keeps_its_colours_or_merges_similar_ones() {
        let of = |colours: u32| {
            let rgba = (0..colours).flat_map(|n| [n as u8, (n >> 8) as u8 * 64, 255, 255]);
            Pixels { width: colours, height: 1, rgba: rgba.collect() }
        };
        for (colours, is_exact) in [(1, true), (256, true), (257, false), (900, false)] {
            let pixels = of(colours);
            let rect = PixelRect { x: 0, y: 0, width: colours as usize, height: 1 };
            let tile = Tile::cut(&pixels, rect);
            assert!(tile.palette.len() <= Tile::MAX_COLOURS);
            let shown = tile.indices.iter().map(|index| tile.palette[usize::from(*index)]);
            let farthest = shown.zip(pixels.rgba.as_chunks::<4>().0).flat_map(|(shown, pixel)| {
                shown.into_iter().zip(*pixel).map(|(one, other)| one.abs_diff(other))
            });
            let farthest = farthest.max().unwrap();
            assert!(if is_exact { farthest == 0 } else { farthest < 16 }, "{colours}: {farthest}");
        }
    }

    #[test]
    fn hash_tells_pixels_and_sizes_apart() {
        let mut pixels = Pixels { width: 4, height: 4, rgba: vec![7; 64] };
        let rect = |x, width| PixelRect { x, y: 1, width, height: 2 };
        let cells = Size::new(2, 1);
        let before = rect(1, 2).hash(&pixels, cells);
        assert_eq!(rect(2, 2).hash(&pixels, cells), before);
        assert_ne!(rect(1, 3).hash(&pixels, cells), before);
        assert_ne!(rect(1, 2).hash(&pixels, Size::new(1, 1)), before);
        pixels.rgba[4 * (2 * 4 + 1)] = 8;
        assert_ne!(rect(1, 2).hash(&pixels, cells), before);
        assert_eq!(rect(2, 2).hash(&pixels, cells), before);
    }
}
