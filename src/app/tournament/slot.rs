//! A slot of the tournament screen, where one game after the other is played.

use super::TournamentUpdate;
use crate::arena::tournament::{GameLine, Stage, UnderWay};
use crate::board::{Skin, Viewer};
use crate::catalogue::GameEntry;
use crate::rules::Seat;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use std::cell::RefCell;
use std::time::Duration;

/// How long a slot stays after its game has ended if no other game takes it.
const PATIENCE: Duration = Duration::from_secs(2);

/// A slot: a game, and its board once it is drawn. A finished game stays until another takes its slot.
pub(super) struct GameSlot {
    pub game: UnderWay,
    pub ended: Option<GameLine>,
    /// The time of the update in which the game had ended.
    since: Duration,
    picture: RefCell<Picture>,
}

/// The board of a game, and how many of its moves are played on it.
#[derive(Default)]
struct Picture {
    viewer: Option<Viewer>,
    played: usize,
}

impl GameSlot {
    fn of(game: UnderWay) -> GameSlot {
        GameSlot { game, ended: None, since: Duration::ZERO, picture: RefCell::default() }
    }

    /// Whether its whole board fits into this room.
    pub fn has_room(&self, entry: &GameEntry, room: Size) -> bool {
        self.with_board(entry, |viewer| viewer.board.has_room(room)).unwrap_or(true)
    }

    /// Draws the board after the moves so far; returns the seat to move.
    pub fn draw_board(
        &self,
        entry: &GameEntry,
        area: Rect,
        buffer: &mut Buffer,
        skin: Skin,
    ) -> Option<Seat> {
        self.with_board(entry, |viewer| {
            viewer.board.draw_picture(area, buffer, skin);
            viewer.current_match().to_move().filter(|_| self.ended.is_none())
        })?
    }

    /// Plays the new moves on the board, and lends it to `act`.
    fn with_board<T>(&self, entry: &GameEntry, act: impl FnOnce(&Viewer) -> T) -> Option<T> {
        let mut picture = self.picture.borrow_mut();
        let Picture { viewer, played } = &mut *picture;
        if viewer.is_none() {
            *viewer =
                self.game.setup.parse().ok().and_then(|setup| Viewer::open(entry, &setup).ok());
        }
        let viewer = viewer.as_mut()?;
        if let Some(new) = self.game.moves.get(*played..).filter(|new| !new.is_empty()) {
            let mut game = viewer.change();
            for mv in new {
                // A move that cannot be played is not shown; nothing else depends on it.
                let _ = game.play(mv);
            }
            *played = self.game.moves.len();
        }
        Some(act(viewer))
    }
}

/// Brings the slots up to date. A new game goes to the first slot with a finished game.
pub(super) fn update(slots: &mut Vec<GameSlot>, update: &TournamentUpdate) {
    if update.status.stage != Stage::Running {
        slots.clear();
        return;
    }
    for slot in slots.iter_mut() {
        let number = slot.game.game;
        if let Some(game) = update.under_way.iter().find(|game| game.game == number) {
            if slot.game != *game {
                slot.game.clone_from(game);
            }
        } else if let Some(line) = update.ended.iter().find(|line| line.game == number) {
            (slot.ended, slot.since) = (Some(line.clone()), update.time);
        }
    }
    for game in &update.under_way {
        if slots.iter().any(|slot| slot.game.game == game.game) {
            continue;
        }
        let new = GameSlot::of(game.clone());
        match slots.iter_mut().find(|slot| slot.ended.is_some()) {
            Some(slot) => *slot = new,
            None => slots.push(new),
        }
    }
    let is_left = |slot: &GameSlot| slot.ended.is_some() && update.time > slot.since + PATIENCE;
    while slots.last().is_some_and(is_left) {
        slots.pop();
    }
}
