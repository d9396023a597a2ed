//! A place where games are played, one after the other.

use super::Seen;
use crate::arena::tournament::{GameLine, Stage, UnderWay};
use crate::board::{Skin, Viewer};
use crate::catalogue::Entry;
use crate::rules::Seat;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use std::cell::RefCell;
use std::time::Duration;

/// As long as a place stays where no other game begins.
const PATIENCE: Duration = Duration::from_secs(2);

/// A game, and what it looks like as soon as anybody sees it. One that has ended stays until another takes
/// its place.
pub(super) struct Place {
    pub game: UnderWay,
    pub ended: Option<GameLine>,
    /// When that was seen.
    since: Duration,
    picture: RefCell<Picture>,
}

/// The board of a game after some of its moves.
#[derive(Default)]
struct Picture {
    viewer: Option<Box<dyn Viewer>>,
    played: usize,
}

impl Place {
    fn of(game: UnderWay) -> Place {
        Place { game, ended: None, since: Duration::ZERO, picture: RefCell::default() }
    }

    /// Whether all of its board has so much room.
    pub fn has_room(&self, entry: &Entry, room: Size) -> bool {
        self.with_board(entry, |board| board.has_room(room)).unwrap_or(true)
    }

    /// Draws the board with the moves so far; says whose turn it is.
    pub fn draw_board(
        &self,
        entry: &Entry,
        area: Rect,
        buffer: &mut Buffer,
        skin: Skin,
    ) -> Option<Seat> {
        self.with_board(entry, |board| {
            board.draw_picture(area, buffer, skin);
            board.game().to_move().filter(|_| self.ended.is_none())
        })?
    }

    /// Does something with the board after the moves so far, of which only those are played that nobody has
    /// seen.
    fn with_board<T>(&self, entry: &Entry, act: impl FnOnce(&dyn Viewer) -> T) -> Option<T> {
        let mut picture = self.picture.borrow_mut();
        let Picture { viewer, played } = &mut *picture;
        if viewer.is_none() {
            *viewer = self.game.setup.parse().ok().and_then(|setup| (entry.open)(&setup).ok());
        }
        let viewer = viewer.as_mut()?;
        if let Some(new) = self.game.moves.get(*played..).filter(|new| !new.is_empty()) {
            viewer.walk(&mut |game| {
                for mv in new {
                    // What cannot be played is not shown; nothing else depends on it.
                    let _ = game.play(mv);
                }
            });
            *played = self.game.moves.len();
        }
        Some(act(&**viewer))
    }
}

/// Brings the places up to date. A new game goes to the first place where none is played any more.
pub(super) fn take_in(places: &mut Vec<Place>, seen: &Seen) {
    if seen.view.stage != Stage::Running {
        places.clear();
        return;
    }
    for place in places.iter_mut() {
        let number = place.game.game;
        if let Some(game) = seen.under_way.iter().find(|it| it.game == number) {
            if place.game != *game {
                place.game.clone_from(game);
            }
        } else if let Some(line) = seen.ended.iter().find(|it| it.game == number) {
            (place.ended, place.since) = (Some(line.clone()), seen.time);
        }
    }
    for game in &seen.under_way {
        if places.iter().any(|place| place.game.game == game.game) {
            continue;
        }
        let new = Place::of(game.clone());
        match places.iter_mut().find(|place| place.ended.is_some()) {
            Some(place) => *place = new,
            None => places.push(new),
        }
    }
    let is_left = |place: &Place| place.ended.is_some() && seen.time > place.since + PATIENCE;
    while places.last().is_some_and(is_left) {
        places.pop();
    }
}
