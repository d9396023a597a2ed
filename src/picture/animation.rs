//! A match as an animated GIF with at most 255 colours. There is a frame for the start and one for
//! each move; each holds only the pixels that have changed.

use super::{PictureError, raster};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

// These times are in hundredths of a second.

/// How long a frame is shown in a short match.
const STEP: usize = 70;
/// The shortest time for a frame.
const LEAST: usize = 8;
/// How long the last frame is shown.
const LAST: usize = 350;
/// The longest time for all frames before the last one, unless [`LEAST`] makes it longer.
const LONGEST: usize = 6000;

/// How many frames are looked at to choose the colours. Nearly all colours of a match are in each frame.
const SAMPLES: usize = 24;

/// The colour index of a pixel that has not changed: it is transparent.
const CLEAR: u8 = 255;

type Rgb = [u8; 3];

/// Draws a frame for each position from the start to the one after `last` moves. `svg(ply)` draws the position after
/// `ply` moves.
pub(super) fn gif(
    svg: &mut dyn FnMut(usize) -> String,
    last: usize,
    [width, height]: [u32; 2],
) -> Result<Vec<u8>, PictureError> {
    let too_large = |_| PictureError::TooLarge(width, height);
    let size =
        [u16::try_from(width).map_err(too_large)?, u16::try_from(height).map_err(too_large)?];
    let mut draw = |ply| Ok(colours(&raster::draw(&svg(ply), [width, height])?));
    let mut palette = GifPalette::of(last, &mut draw)?;
    let mut bytes = Vec::new();
    let refused = |error: gif::EncodingError| PictureError::Refused(error.to_string());
    let mut encoder =
        Encoder::new(&mut bytes, size[0], size[1], &palette.bytes()).map_err(refused)?;
    encoder.set_repeat(Repeat::Infinite).map_err(refused)?;
    let mut shown: Vec<u8> = Vec::new();
    for ply in 0..=last {
        let pixels: Vec<u8> = draw(ply)?.into_iter().map(|rgb| palette.index(rgb)).collect();
        let changed = Changed::between(&shown, &pixels, width as usize);
        let delay = if ply == last { LAST } else { (LONGEST / last).clamp(LEAST, STEP) };
        encoder.write_frame(&changed.frame(&shown, &pixels, delay as u16)).map_err(refused)?;
        shown = pixels;
    }
    drop(encoder);
    Ok(bytes)
}

/// The colours of the pixels. A picture has no transparent pixels.
fn colours(pixels: &resvg::tiny_skia::Pixmap) -> Vec<Rgb> {
    pixels.pixels().iter().map(|it| [it.red(), it.green(), it.blue()]).collect()
}

/// The colours of the sampled frames: all of them if there are at most 255, else the most frequent ones.
struct GifPalette {
    colours: Vec<Rgb>,
    known: HashMap<Rgb, u8>,
}

impl GifPalette {
    fn of(
        last: usize,
        draw: &mut impl FnMut(usize) -> Result<Vec<Rgb>, PictureError>,
    ) -> Result<GifPalette, PictureError> {
        let samples = SAMPLES.min(last + 1);
        let mut counts: BTreeMap<Rgb, usize> = BTreeMap::new();
        for sample in 0..samples {
            for rgb in draw(last * (sample + 1) / samples)? {
                *counts.entry(rgb).or_default() += 1;
            }
        }
        let mut counts: Vec<(Rgb, usize)> = counts.into_iter().collect();
        // Equally frequent colours stay in the order of the map, so the file is always the same.
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let colours: Vec<Rgb> = counts.into_iter().map(|(rgb, _)| rgb).take(CLEAR.into()).collect();
        let known = colours.iter().zip(0..).map(|(rgb, index)| (*rgb, index)).collect();
        Ok(GifPalette { colours, known })
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.concat();
        bytes.resize(3 * 256, 0);
        bytes
    }

    /// The index of a colour, or of the nearest one in the palette.
    fn index(&mut self, rgb: Rgb) -> u8 {
        let colours = &self.colours;
        *self.known.entry(rgb).or_insert_with(|| {
            let distance = |other: &Rgb| -> i32 {
                rgb.iter().zip(other).map(|(a, b)| (i32::from(*a) - i32::from(*b)).pow(2)).sum()
            };
            let nearest = (0..).zip(colours).min_by_key(|(_, other)| distance(other));
            nearest.map_or(0, |(index, _)| index)
        })
    }
}

/// The rectangle in which two frames differ.
struct Changed {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    /// The width of the whole picture, in pixels.
    picture_width: usize,
}

impl Changed {
    /// Compares two frames; without a frame before, everything differs. The rectangle has at least one
    /// pixel.
    fn between(before: &[u8], now: &[u8], picture_width: usize) -> Changed {
        let differs = |at: &usize| before.get(*at) != now.get(*at);
        let pixels: Vec<usize> = (0..now.len()).filter(differs).collect();
        let rows = || pixels.iter().map(|at| at / picture_width);
        let columns = || pixels.iter().map(|at| at % picture_width);
        let (left, top) = (columns().min().unwrap_or(0), rows().min().unwrap_or(0));
        let extent = |last: Option<usize>, first: usize| last.map_or(1, |last| last + 1 - first);
        let (width, height) = (extent(columns().max(), left), extent(rows().max(), top));
        Changed { left, top, width, height, picture_width }
    }

    /// The GIF frame of this rectangle; pixels that have not changed are transparent.
    fn frame(&self, before: &[u8], now: &[u8], delay: u16) -> Frame<'static> {
        let part = (self.top..self.top + self.height)
            .flat_map(|row| (self.left..self.left + self.width).map(move |col| (row, col)));
        let pixel = |(row, col): (usize, usize)| {
            let at = row * self.picture_width + col;
            if before.get(at) == now.get(at) { CLEAR } else { now[at] }
        };
        Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(CLEAR),
            left: self.left as u16,
            top: self.top as u16,
            width: self.width as u16,
            height: self.height as u16,
            buffer: Cow::Owned(part.map(pixel).collect()),
            ..Frame::default()
        }
    }
}
