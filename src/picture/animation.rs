//! Animated GIFs of matches, with at most 255 colors. The start position and each move get one frame, which stores
//! only the pixels that changed.

use super::PictureError;
use super::canvas::{DirtyRect, FrameCanvas};
use foldhash::HashMap;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use quadrille_scene::svg::Drawing;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

// Frame durations, in hundredths of a second.

/// The duration of each frame in a short match.
const STEP: usize = 70;
const MIN_DELAY: usize = 8;
const LAST: usize = 350;
/// The maximum total duration of all frames except the last, unless [`MIN_DELAY`] requires more.
const MAX_DURATION: usize = 6000;

/// The number of frames sampled for the palette. Almost every color of a match occurs in all of its frames.
const SAMPLES: usize = 24;

/// The transparent color index, used for unchanged pixels.
const CLEAR: u8 = 255;

type RgbBytes = [u8; 3];

/// Draws a frame for each position from the start to the one after `last` moves. `drawing(ply)` returns the picture of
/// the position after `ply` moves.
pub(super) fn gif(
    drawing: &mut dyn FnMut(usize) -> Drawing,
    last: usize,
    [width, height]: [u32; 2],
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Vec<u8>, PictureError> {
    let too_large = |_| PictureError::TooLarge(width, height);
    let size =
        [u16::try_from(width).map_err(too_large)?, u16::try_from(height).map_err(too_large)?];
    let mut canvas = FrameCanvas::new([width, height])?;
    let samples = SAMPLES.min(last + 1);
    let frames = samples + last + 1;
    let mut done = 0;
    let mut told = || {
        done += 1;
        match progress(done as f64 / frames as f64) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(PictureError::Stopped),
        }
    };
    let mut counts = ColourCounts::default();
    for sample in 0..samples {
        canvas.show(drawing(last * (sample + 1) / samples))?;
        counts.add(&canvas.pixels);
        told()?;
    }
    let mut palette = counts.palette();
    let mut bytes = Vec::new();
    let refused = |error: gif::EncodingError| PictureError::Refused(error.to_string());
    let mut encoder =
        Encoder::new(&mut bytes, size[0], size[1], &palette.bytes()).map_err(refused)?;
    encoder.set_repeat(Repeat::Infinite).map_err(refused)?;
    // The color index of each pixel on screen. Initially all are clear, so the first frame redraws everything.
    let mut shown = vec![CLEAR; width as usize * height as usize];
    for ply in 0..=last {
        let mut drawn = canvas.show(drawing(ply))?;
        if ply == 0 {
            drawn = vec![DirtyRect { left: 0, top: 0, right: width, bottom: height }];
        }
        let changed = changed(&mut shown, &canvas.pixels, &drawn, &mut palette);
        let delay = if ply == last { LAST } else { (MAX_DURATION / last).clamp(MIN_DELAY, STEP) };
        encoder.write_frame(&frame(&changed, delay as u16)).map_err(refused)?;
        told()?;
    }
    drop(encoder);
    Ok(bytes)
}

/// Returns the color of a pixel. Pictures have no transparent pixels.
fn colour(pixel: PremultipliedColorU8) -> RgbBytes {
    [pixel.red(), pixel.green(), pixel.blue()]
}

#[derive(Default)]
struct ColourCounts(BTreeMap<RgbBytes, usize>);

impl ColourCounts {
    fn add(&mut self, pixels: &Pixmap) {
        // Most pixels have the same color as the previous one.
        for run in pixels.pixels().chunk_by(|one, other| one == other) {
            *self.0.entry(colour(run[0])).or_default() += run.len();
        }
    }

    fn palette(self) -> GifPalette {
        let mut counts: Vec<(RgbBytes, usize)> = self.0.into_iter().collect();
        // Equally frequent colors stay in map order, so the file is deterministic.
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let colours: Vec<RgbBytes> =
            counts.into_iter().map(|(rgb, _)| rgb).take(CLEAR.into()).collect();
        let known = colours.iter().zip(0..).map(|(rgb, index)| (*rgb, index)).collect();
        GifPalette { colours, known }
    }
}

/// The colors of the sampled frames: all of them if there are at most 255, otherwise the most frequent ones.
struct GifPalette {
    colours: Vec<RgbBytes>,
    known: HashMap<RgbBytes, u8>,
}

impl GifPalette {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.concat();
        bytes.resize(3 * 256, 0);
        bytes
    }

    /// Returns the palette index of a color, or of the nearest color in the palette.
    fn index(&mut self, rgb: RgbBytes) -> u8 {
        let colours = &self.colours;
        *self.known.entry(rgb).or_insert_with(|| {
            let distance = |other: &RgbBytes| -> i32 {
                rgb.iter().zip(other).map(|(a, b)| (i32::from(*a) - i32::from(*b)).pow(2)).sum()
            };
            let nearest = (0..).zip(colours).min_by_key(|(_, other)| distance(other));
            nearest.map_or(0, |(index, _)| index)
        })
    }
}

/// The pixels that changed between two frames, as color indices.
struct Changed {
    /// The bounding box of the changes, at least one pixel.
    rect: DirtyRect,
    /// The pixels of the rectangle, row by row; [`CLEAR`] where unchanged.
    indices: Vec<u8>,
}

/// Updates `shown` within these rectangles and returns the differences.
fn changed(
    shown: &mut [u8],
    pixels: &Pixmap,
    drawn: &[DirtyRect],
    palette: &mut GifPalette,
) -> Changed {
    let stride = pixels.width() as usize;
    let mut rect: Option<DirtyRect> = None;
    let mut places = Vec::new();
    for &DirtyRect { left, top, right, bottom } in drawn {
        let mut last = (PremultipliedColorU8::TRANSPARENT, CLEAR);
        for row in top..bottom {
            for col in left..right {
                let at = row as usize * stride + col as usize;
                let pixel = pixels.pixels()[at];
                if pixel != last.0 {
                    last = (pixel, palette.index(colour(pixel)));
                }
                if shown[at] != last.1 {
                    shown[at] = last.1;
                    places.push(at);
                    let one = DirtyRect { left: col, top: row, right: col + 1, bottom: row + 1 };
                    rect = Some(rect.map_or(one, |rect| rect.with(one)));
                }
            }
        }
    }
    let rect = rect.unwrap_or(DirtyRect { left: 0, top: 0, right: 1, bottom: 1 });
    let width = (rect.right - rect.left) as usize;
    let mut indices = vec![CLEAR; rect.area() as usize];
    for at in places {
        let (row, col) = (at / stride - rect.top as usize, at % stride - rect.left as usize);
        indices[row * width + col] = shown[at];
    }
    Changed { rect, indices }
}

fn frame(Changed { rect, indices }: &Changed, delay: u16) -> Frame<'_> {
    Frame {
        delay,
        dispose: DisposalMethod::Keep,
        transparent: Some(CLEAR),
        left: rect.left as u16,
        top: rect.top as u16,
        width: (rect.right - rect.left) as u16,
        height: (rect.bottom - rect.top) as u16,
        buffer: Cow::Borrowed(indices),
        ..Frame::default()
    }
}
