//! A place where games are played, one after the other.

use super::Seen;
use crate::arena::tournament::{GameLine, Stage, UnderWay};
use crate::board::{Skin, Viewer};
use crate::catalogue::Entry;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::cell::RefCell;

/// A game, and what it looks like as soon as anybody sees it. One that has ended stays until another takes
/// its place.
pub(super) struct Place {
    pub game: UnderWay,
    pub ended: Option<GameLine>,
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
        Place { game, ended: None, picture: RefCell::default() }
    }

    /// Draws the board with the moves so far, of which only those are played that nobody has seen.
    pub fn draw_board(&self, entry: &Entry, area: Rect, buffer: &mut Buffer, skin: Skin) {
        let mut picture = self.picture.borrow_mut();
        let Picture { viewer, played } = &mut *picture;
        if viewer.is_none() {
            *viewer = self.game.setup.parse().ok().and_then(|setup| (entry.open)(&setup).ok());
        }
        let Some(viewer) = viewer else { return };
        if let Some(new) = self.game.moves.get(*played..).filter(|new| !new.is_empty()) {
            viewer.walk(&mut |game| {
                for mv in new {
                    // What cannot be played is not shown; nothing else depends on it.
                    let _ = game.play(mv);
                }
            });
            *played = self.game.moves.len();
        }
        viewer.draw_picture(area, buffer, skin);
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
            place.ended = Some(line.clone());
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
}
