//! Pictures of a match as SVG, PNG and GIF: the board with a title and the players.
//!
//! PNG and GIF are rendered from the SVG if the program was built with the `pictures` feature. They use only built-in
//! fonts, so a picture is identical on every machine.
//!
//! Without the feature, the functions return an error, so callers need no `cfg`. This module writes the text around the
//! board: the seats, their scores, the player to move, and a description for screen readers.
//!
//! A [`Drawing`] is a picture split into parts with known bounds. For a GIF, only the parts that differ from the
//! previous frame are rendered (`canvas`); a test compares the result with fully rendered pictures. A GIF has a single
//! palette of the most frequent colors. Each frame covers only the changed rectangle and is transparent where nothing
//! changed.

#[cfg(feature = "pictures")]
mod animation;
#[cfg(feature = "pictures")]
mod canvas;
pub mod file;
#[cfg(feature = "pictures")]
mod raster;

#[cfg(feature = "pictures")]
pub use raster::fonts;

use crate::board::{AnyBoard, Viewer};
use quadrille_match::session::{self, Match, PlayerNames, Players};
use quadrille_rules::Seat;
use quadrille_scene::svg::{self, Drawing, Frame, SeatCard, Svg};
use quadrille_scene::{Theme, svg::height};
use quadrille_table::catalogue::GameEntry;
use quadrille_text::wording::counted;
use std::ops::ControlFlow;

/// Whether PNG and GIF are supported.
pub const HAS_PIXELS: bool = cfg!(feature = "pictures");

/// The maximum number of pixels: a square with sides of 8192.
const MAX_PIXELS: u64 = 8192 * 8192;

/// The maximum length of a description, in characters.
const MAX_DESCRIPTION_CHARS: usize = 3000;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// The program was built without the `pictures` feature.
    #[error(
        "this build supports only SVG; rebuild with the feature \"pictures\" for PNG and GIF\""
    )]
    NoPixels,
    /// The picture would have too many pixels at this width and height.
    #[error("{0} x {1} pixels is too large; use a smaller width")]
    TooLarge(u32, u32),
    /// The caller has stopped the drawing of an animation.
    #[error("the drawing was stopped")]
    Stopped,
    /// The rendering library returned this error message.
    #[error("cannot draw the picture: {0}")]
    Refused(String),
}

#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub entry: &'static GameEntry,
    pub game: &'a Match,
    pub board: &'a dyn AnyBoard,
    pub players: &'a Players,
}

impl Subject<'_> {
    /// Renders the board as SVG; see [`svg::write`].
    pub fn svg(self, theme: &Theme, width: Option<u32>) -> Svg {
        // Names read from files can be arbitrarily long.
        let subject = Subject { players: &self.players.with_short_names(), ..self };
        let name = format!("{}: {}", self.entry.name, subject.who_has_what());
        let frame = Frame { name, description: subject.description(), ..subject.seen_frame() };
        svg::write(&self.board.still(), &frame, theme, width)
    }

    /// Returns the picture split into parts that can be drawn separately.
    fn drawing(self, theme: &Theme) -> Drawing {
        let subject = Subject { players: &self.players.with_short_names(), ..self };
        Drawing::new(&self.board.still(), &subject.seen_frame(), theme)
    }

    /// Returns the text around the board, without the title and description for screen readers.
    fn seen_frame(self) -> Frame {
        let (game, caption) = (self.game, self.board.caption());
        let result = session::in_words(game, &self.players.into());
        Frame {
            title: self.entry.name.to_owned(),
            subtitle: caption.board.clone(),
            seats: self.cards(),
            foot: if result.is_empty() { caption.progress } else { result },
            ..Frame::default()
        }
    }

    fn seats(self) -> impl Iterator<Item = Seat> {
        (0..self.game.seats()).map(Seat::new)
    }

    fn score(self, seat: Seat) -> Option<u32> {
        self.game.scores()?.get(seat.index()).copied()
    }

    fn cards(self) -> Vec<SeatCard> {
        let (game, caption) = (self.game, self.board.caption());
        let card = |seat: Seat| {
            // `to move`, `wins`, `shares the win`, or empty.
            let standing = session::standing(game, seat);
            // The card already shows the score, so a note that contains only its unit, such as `boxes`, is omitted.
            let is_not_unit =
                |note: &String| caption.unit.is_none_or(|unit| !unit.contains(&note.as_str()));
            let note = caption.seat_notes(seat).into_iter().next().filter(is_not_unit);
            let notes = [note.as_deref().unwrap_or_default(), standing];
            let notes = notes.into_iter().filter(|note| !note.is_empty());
            SeatCard {
                seat,
                mark: game.now().mark(seat),
                name: self.players.name(seat).to_owned(),
                score: self.score(seat),
                note: notes.collect::<Vec<_>>().join(" · "),
                stands_out: !standing.is_empty(),
            }
        };
        self.seats().map(card).collect()
    }

    /// Returns the players and their scores, `Ann 9, Bob 7`, or only the players if the game has no scores:
    /// `Ann and Bob`.
    fn who_has_what(self) -> String {
        let of = |seat: Seat| {
            let name = self.players.name(seat);
            self.score(seat).map_or_else(|| name.to_owned(), |score| format!("{name} {score}"))
        };
        let all: Vec<String> = self.seats().map(of).collect();
        match all.as_slice() {
            [one, other] if self.game.scores().is_none() => format!("{one} and {other}"),
            all => all.join(", "),
        }
    }

    /// Describes the picture in sentences, most important first, as many as fit into [`MAX_DESCRIPTION_CHARS`].
    fn description(self) -> String {
        let names = PlayerNames::of(self.players);
        let mut sentences = self.entry.in_words(self.game).board(&names);
        let moves = match self.game.ply() {
            0 => "No moves yet.".to_owned(),
            moves => counted(moves, "move played.", "moves played."),
        };
        let last = self.entry.in_words(self.game).last_move(&names);
        sentences.splice(1..1, [moves].into_iter().chain(last));
        let mut length = 0;
        let is_read = |sentence: &String| {
            length += sentence.chars().count();
            length <= MAX_DESCRIPTION_CHARS
        };
        let read: Vec<String> = sentences.into_iter().take_while(is_read).collect();
        read.join(" ")
    }
}

/// A match that can be drawn at any position.
///
/// ```
/// use quadrille::picture::Film;
/// use quadrille_scene::Theme;
/// use quadrille_match::session::Players;
///
/// let entry = quadrille_table::catalogue::find("tic-tac-toe").ok_or("no such game")?;
/// let mut viewer = quadrille::board::Viewer::sample(entry).ok_or("no sample")?;
/// let players = Players::named(2, &["Ann".to_owned(), "Bob".to_owned()]);
/// let svg = Film { entry, viewer: &mut viewer, players: &players }.svg(3, Theme::night(), None);
/// assert!(svg.text.starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Film<'a> {
    pub entry: &'static GameEntry,
    /// The match and its board. After drawing, the match is at the position drawn last.
    pub viewer: &'a mut Viewer,
    pub players: &'a Players,
}

impl Film<'_> {
    /// Renders the position after `ply` moves, `width` pixels wide or at its natural size.
    pub fn svg(&mut self, ply: usize, theme: &Theme, width: Option<u32>) -> Svg {
        self.at(ply).svg(theme, width)
    }

    fn at(&mut self, ply: usize) -> Subject<'_> {
        self.viewer.change().go_to_ply(ply);
        let Film { entry, players, .. } = *self;
        Subject { entry, game: self.viewer.current_match(), board: &*self.viewer.board, players }
    }

    /// Renders an animated GIF from the start to the position after `last` moves, one frame per position, `width`
    /// pixels wide or at its natural size. `progress` receives the completed fraction, and may stop the drawing.
    pub fn gif(
        &mut self,
        last: usize,
        theme: &Theme,
        width: Option<u32>,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Vec<u8>, PictureError> {
        let size = self.at(last).drawing(theme).size;
        let size = allowed(size, width.unwrap_or(size[0]))?;
        pixels::gif(&mut |ply| self.at(ply).drawing(theme), last, size, progress)
    }
}

/// Renders a PNG, `width` pixels wide; the default is twice the natural size, for high-density screens.
pub fn png(svg: &Svg, width: Option<u32>) -> Result<Vec<u8>, PictureError> {
    let size = allowed(svg.size, width.unwrap_or(2 * svg.size[0]))?;
    pixels::png(&svg.text, size)
}

/// Returns the size of a picture scaled to this width, or an error if it is too large.
fn allowed(size: [u32; 2], width: u32) -> Result<[u32; 2], PictureError> {
    let height = height(size, width);
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(PictureError::TooLarge(width, height));
    }
    Ok([width, height])
}

#[cfg(feature = "pictures")]
mod pixels {
    pub(super) use super::animation::gif;
    pub(super) use super::raster::png;
}

#[cfg(not(feature = "pictures"))]
mod pixels {
    use super::{ControlFlow, Drawing, PictureError};

    pub(super) fn png(_: &str, _: [u32; 2]) -> Result<Vec<u8>, PictureError> {
        Err(PictureError::NoPixels)
    }

    pub(super) fn gif(
        _: &mut dyn FnMut(usize) -> Drawing,
        _: usize,
        _: [u32; 2],
        _: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Vec<u8>, PictureError> {
        Err(PictureError::NoPixels)
    }
}
