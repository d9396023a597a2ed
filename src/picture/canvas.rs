//! A pixel buffer for a sequence of pictures. Only the differences from the previous picture are redrawn.

use super::{PictureError, raster};
use quadrille_scene::svg::{Bounds, Drawing};
use resvg::tiny_skia::{Pixmap, Transform};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DirtyRect {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
}

/// The maximum number of dirty rectangles; with more, the whole picture is redrawn.
const MAX_DIRTY: usize = 64;
/// How far outside its bounds a part may color pixels, in pixels.
const BLUR: f64 = 2.0;

pub(super) struct FrameCanvas {
    pub pixels: Pixmap,
    shown: Option<Drawing>,
    /// The number of pixels drawn so far, for a test.
    #[cfg(test)]
    pub drawn: u64,
}

impl FrameCanvas {
    pub fn new([width, height]: [u32; 2]) -> Result<FrameCanvas, PictureError> {
        let pixels = Pixmap::new(width, height).ok_or(PictureError::TooLarge(width, height))?;
        Ok(FrameCanvas {
            pixels,
            shown: None,
            #[cfg(test)]
            drawn: 0,
        })
    }

    /// Draws a picture over the previous one. Returns disjoint rectangles that cover all changes.
    pub fn show(&mut self, next: Drawing) -> Result<Vec<DirtyRect>, PictureError> {
        let changes = self.shown.as_ref().and_then(|shown| next.changes(shown));
        let changed = changes.and_then(|changes| self.rects(&changes, next.size));
        let changed = changed.unwrap_or_else(|| vec![self.whole()]);
        for rect in &changed {
            self.draw(&next, *rect)?;
        }
        self.shown = Some(next);
        Ok(changed)
    }

    fn whole(&self) -> DirtyRect {
        DirtyRect { left: 0, top: 0, right: self.pixels.width(), bottom: self.pixels.height() }
    }

    /// Returns the horizontal and vertical scale factors relative to the natural size.
    fn scale(&self, [width, height]: [u32; 2]) -> [f64; 2] {
        let across = f64::from(self.pixels.width()) / f64::from(width);
        let down = f64::from(self.pixels.height()) / f64::from(height);
        [across, down]
    }

    /// Returns disjoint pixel rectangles that cover these bounds; `None` if they cover almost the whole picture.
    fn rects(&self, changes: &[Bounds], natural: [u32; 2]) -> Option<Vec<DirtyRect>> {
        let [across, down] = self.scale(natural);
        let whole = self.whole();
        let mut rects: Vec<DirtyRect> = Vec::new();
        for [left, top, right, bottom] in changes {
            let least = |at: f64, scale: f64| ((at * scale - BLUR).floor().max(0.0)) as u32;
            let most = |at: f64, scale: f64| ((at * scale + BLUR).ceil().max(0.0)) as u32;
            let mut rect = DirtyRect {
                left: least(*left, across),
                top: least(*top, down),
                right: most(*right, across).min(whole.right),
                bottom: most(*bottom, down).min(whole.bottom),
            };
            if rect.area() == 0 {
                continue;
            }
            // A rectangle absorbs the ones it overlaps; the union may overlap more of them.
            while let Some(other) = rects.iter().position(|other| rect.overlaps(*other)) {
                rect = rect.with(rects.swap_remove(other));
            }
            rects.push(rect);
            if rects.len() > MAX_DIRTY {
                return None;
            }
        }
        let area: u64 = rects.iter().map(|rect| rect.area()).sum();
        (2 * area <= whole.area()).then_some(rects)
    }

    fn draw(&mut self, picture: &Drawing, rect: DirtyRect) -> Result<(), PictureError> {
        let [across, down] = self.scale(picture.size);
        let DirtyRect { left, top, right, bottom } = rect;
        let bounds = [
            f64::from(left) / across,
            f64::from(top) / down,
            f64::from(right) / across,
            f64::from(bottom) / down,
        ];
        let [x, y] = [left, top].map(|edge| -(edge as f32));
        let to_its_corner = Transform::from_translate(x, y);
        let svg = picture.within(bounds);
        let size = [self.pixels.width(), self.pixels.height()];
        let part = raster::draw_part(&svg, size, [right - left, bottom - top], to_its_corner)?;
        let stride = self.pixels.width() as usize;
        let width = part.width() as usize;
        let rows = part.pixels().chunks_exact(width);
        let pixels = self.pixels.pixels_mut();
        for (row, drawn) in (top as usize..).zip(rows) {
            let start = row * stride + left as usize;
            pixels[start..start + width].copy_from_slice(drawn);
        }
        #[cfg(test)]
        {
            self.drawn += rect.area();
        }
        Ok(())
    }
}

impl DirtyRect {
    pub fn area(self) -> u64 {
        let across = self.right.saturating_sub(self.left);
        let down = self.bottom.saturating_sub(self.top);
        u64::from(across) * u64::from(down)
    }

    fn overlaps(self, other: DirtyRect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub fn with(self, other: DirtyRect) -> DirtyRect {
        DirtyRect {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Viewer;
    use crate::picture::Subject;
    use fastrand::Rng;
    use quadrille_match::session::Players;
    use quadrille_rules::Setup;
    use quadrille_scene::Theme;
    use quadrille_table::catalogue::{GAMES, find};

    /// Plays random moves. Returns the match and its players.
    fn by_chance(game: &str, setup: &str, plies: usize) -> (Viewer, Players) {
        let entry = find(game).unwrap();
        let setup: Setup = setup.parse().unwrap();
        let mut viewer = Viewer::open(entry, &setup).unwrap();
        let mut chance = Rng::with_seed(7);
        for _ in 0..plies {
            let legal = viewer.current_match().legal_moves();
            if let Some(mv) = chance.choice(&legal) {
                viewer.change().play(mv).unwrap();
            }
        }
        let seats = viewer.current_match().seats();
        (viewer, Players::named(seats, &["Ann".to_owned(), "Bob".to_owned()]))
    }

    fn drawing(game: &str, viewer: &mut Viewer, players: &Players, ply: usize) -> Drawing {
        viewer.change().go_to_ply(ply);
        let (entry, board) = (find(game).unwrap(), &*viewer.board);
        Subject { entry, game: viewer.current_match(), board, players }.drawing(Theme::night())
    }

    #[test]
    fn incremental_frames_match_full_frames() {
        for (game, setup) in [
            ("dots-and-boxes", "size=5"),
            ("join-the-dots", "layout=random:9 seed=5"),
            ("quixo", ""),
            ("tic-tac-toe", ""),
            ("intersections", "size=4 players=3"),
        ] {
            for scale in [1.0, 1.7] {
                let (mut viewer, players) = by_chance(game, setup, 24);
                let last = viewer.current_match().ply();
                let natural = drawing(game, &mut viewer, &players, last).size;
                let size = natural.map(|side| (f64::from(side) * scale) as u32);
                let mut canvas = FrameCanvas::new(size).unwrap();
                // Steps forward one ply at a time, then backward in larger steps.
                for ply in (0..=last).chain((0..last).rev().step_by(5)) {
                    let next = drawing(game, &mut viewer, &players, ply);
                    let mut whole = FrameCanvas::new(size).unwrap();
                    whole.show(drawing(game, &mut viewer, &players, ply)).unwrap();
                    canvas.show(next).unwrap();
                    // A curve clipped by a rectangle may be rounded differently at the edge, by an invisible amount.
                    let bytes = canvas.pixels.data().iter().zip(whole.pixels.data());
                    let differs: Vec<u8> = bytes.map(|(one, other)| one.abs_diff(*other)).collect();
                    let worst = differs.iter().max().copied().unwrap_or_default();
                    let seen = differs.iter().filter(|difference| **difference > 16).count();
                    let is_same = worst <= 100 && 2000 * seen <= differs.len();
                    assert!(is_same, "{game} x {scale}, ply {ply}: {seen} bytes, by up to {worst}");
                }
            }
        }
        assert_eq!(GAMES.len(), 5);
    }

    #[test]
    fn move_on_a_large_board_redraws_little() {
        let (mut viewer, players) = by_chance("dots-and-boxes", "size=40", 60);
        let of = |viewer: &mut Viewer, ply| drawing("dots-and-boxes", viewer, &players, ply);
        let first = of(&mut viewer, 0);
        let mut canvas = FrameCanvas::new(first.size).unwrap();
        canvas.show(first).unwrap();
        let whole = canvas.drawn;
        for ply in 1..=60 {
            canvas.show(of(&mut viewer, ply)).unwrap();
        }
        // Drawing 60 moves costs less than drawing seven whole pictures.
        assert!(canvas.drawn < 7 * whole, "{} of {whole}", canvas.drawn);
    }
}
