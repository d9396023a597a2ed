//! Pictures of a match: a board with what is said round it, as SVG, PNG and GIF.
//!
//! SVG is text and always there. PNG and GIF are drawn from it, with the font that is part of the
//! program, if it was built with the feature `pictures`; nothing of the machine comes in, so that a
//! picture is the same everywhere.

#[cfg(feature = "pictures")]
mod animation;
#[cfg(feature = "pictures")]
mod raster;

use crate::board::{AnyBoard, Viewer};
use crate::catalogue::Entry;
use crate::rules::Seat;
use crate::scene::svg::{self, Frame, SeatCard, Svg};
use crate::scene::{Theme, svg::height};
use crate::session::{self, Players};
use std::fmt;

/// Whether PNG and GIF can be drawn.
pub const HAS_PIXELS: bool = cfg!(feature = "pictures");

/// The most pixels a picture may have: those of a square with sides of 8192.
const MOST: u64 = 8192 * 8192;

/// The longest description, in characters.
const LONGEST: usize = 3000;

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureError {
    /// The program was built without what draws pixels.
    NoPixels,
    /// It would have so many columns and rows of pixels.
    TooLarge(u32, u32),
    /// What draws it has refused.
    Refused(String),
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PictureError::NoPixels => f.write_str(
                "this quadrille was built without PNG and GIF; SVG works, or build it with its feature \"pictures\"",
            ),
            PictureError::TooLarge(width, height) => {
                write!(f, "a picture of {width} x {height} pixels is too large; give it a smaller width")
            }
            PictureError::Refused(why) => write!(f, "the picture cannot be drawn: {why}"),
        }
    }
}

impl std::error::Error for PictureError {}

/// What a picture is of.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The game.
    pub entry: &'static Entry,
    /// The match on its board.
    pub board: &'a dyn AnyBoard,
    /// Who plays.
    pub players: &'a Players,
}

impl Subject<'_> {
    /// The board as it is, as SVG; see [`svg::write`].
    pub fn svg(self, theme: &Theme, width: Option<u32>) -> Svg {
        svg::write(&self.board.still(), &self.frame(), theme, width)
    }

    /// What is said round the board.
    fn frame(self) -> Frame {
        let (game, caption) = (self.board.game(), self.board.caption());
        let result = session::in_words(game, self.players);
        Frame {
            name: format!("{}: {}", self.entry.name, self.who_has_what()),
            description: self.description(),
            title: self.entry.name.to_owned(),
            subtitle: caption.ground.clone(),
            seats: self.cards(),
            foot: if result.is_empty() { caption.progress } else { result },
        }
    }

    fn seats(self) -> impl Iterator<Item = Seat> {
        (0..self.board.game().seats()).map(Seat::new)
    }

    fn score(self, seat: Seat) -> Option<u32> {
        self.board.game().scores()?.get(seat.index()).copied()
    }

    fn cards(self) -> Vec<SeatCard> {
        let (game, caption) = (self.board.game(), self.board.caption());
        let card = |seat: Seat| {
            let standing = session::standing(game, seat);
            // The number says that it is points.
            let is_unit = |note: &&str| caption.unit.is_none_or(|unit| !unit.contains(note));
            let note = caption.seats.get(seat.index()).map(String::as_str).filter(is_unit);
            let notes = [note.unwrap_or_default(), standing];
            let notes = notes.into_iter().filter(|note| !note.is_empty());
            SeatCard {
                seat,
                mark: game.mark(seat),
                name: self.players.name(seat).to_owned(),
                score: self.score(seat),
                note: notes.collect::<Vec<_>>().join(" · "),
                stands_out: !standing.is_empty(),
            }
        };
        self.seats().map(card).collect()
    }

    /// `Ann 9, Bob 7`, or without scores `Ann and Bob`.
    fn who_has_what(self) -> String {
        let of = |seat: Seat| {
            let name = self.players.name(seat);
            self.score(seat).map_or_else(|| name.to_owned(), |score| format!("{name} {score}"))
        };
        let all: Vec<String> = self.seats().map(of).collect();
        match all.as_slice() {
            [one, other] if self.board.game().scores().is_none() => format!("{one} and {other}"),
            all => all.join(", "),
        }
    }

    /// What is to be seen, in sentences: what matters most first, and no more of them than one reads.
    fn description(self) -> String {
        let mut sentences = self.board.board_in_words(self.players);
        let moves = match self.board.game().ply() {
            0 => "Nothing is played yet.".to_owned(),
            1 => "1 move is played.".to_owned(),
            moves => format!("{moves} moves are played."),
        };
        let last = self.board.last_in_words(self.players);
        sentences.splice(1..1, [moves].into_iter().chain(last));
        let mut length = 0;
        let is_read = |sentence: &String| {
            length += sentence.chars().count();
            length <= LONGEST
        };
        let read: Vec<String> = sentences.into_iter().take_while(is_read).collect();
        read.join(" ")
    }
}

/// Where a match is looked at, and who plays it.
pub struct Film<'a> {
    /// The game.
    pub entry: &'static Entry,
    /// The board on which the match is walked through.
    pub viewer: &'a mut dyn Viewer,
    /// Who plays.
    pub players: &'a Players,
}

impl Film<'_> {
    /// The picture of the position after so many moves.
    pub fn svg(&mut self, ply: usize, theme: &Theme, width: Option<u32>) -> Svg {
        self.viewer.walk(&mut |game| game.go_to_ply(ply));
        let board: &dyn AnyBoard = &*self.viewer;
        Subject { entry: self.entry, board, players: self.players }.svg(theme, width)
    }

    /// A film of the positions up to the one after so many moves, as GIF: a frame a move. It is of its
    /// natural size, or so wide.
    pub fn gif(
        &mut self,
        last: usize,
        theme: &Theme,
        width: Option<u32>,
    ) -> Result<Vec<u8>, PictureError> {
        let size = self.svg(last, theme, None).size;
        let size = allowed(size, width.unwrap_or(size[0]))?;
        pixels::gif(&mut |ply| self.svg(ply, theme, None).text, last, size)
    }
}

/// The picture as PNG: so wide, or twice its natural size, as today's screens show it sharp.
pub fn png(svg: &Svg, width: Option<u32>) -> Result<Vec<u8>, PictureError> {
    let size = allowed(svg.size, width.unwrap_or(2 * svg.size[0]))?;
    pixels::png(&svg.text, size)
}

/// The size of a picture when it is so wide, if that can be drawn.
fn allowed(size: [u32; 2], width: u32) -> Result<[u32; 2], PictureError> {
    let height = height(size, width);
    if u64::from(width) * u64::from(height) > MOST {
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
    use super::PictureError;

    pub(super) fn png(_: &str, _: [u32; 2]) -> Result<Vec<u8>, PictureError> {
        Err(PictureError::NoPixels)
    }

    pub(super) fn gif(
        _: &mut dyn FnMut(usize) -> String,
        _: usize,
        _: [u32; 2],
    ) -> Result<Vec<u8>, PictureError> {
        Err(PictureError::NoPixels)
    }
}
