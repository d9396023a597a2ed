//! The cursor and the pick, and how they respond to keys and clicks in every game.

use super::{Press, PressReply, ReplyOf, Widget};
use quadrille_rules::Position;
use quadrille_scene::Scene;
use quadrille_table::words::PositionView;

/// The cursor and the half-made move. Equal selections respond identically to every key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Selection<W: Widget> {
    pub own: W,
    pub cursor: W::Place,
    /// The picked place: the first half of a move.
    pub pick: Option<W::Place>,
}

impl<W: Widget> Default for Selection<W> {
    fn default() -> Self {
        Selection { own: W::default(), cursor: W::START, pick: None }
    }
}

impl<W: Widget> Selection<W> {
    pub(super) fn scene(&self, view: &PositionView<W::Game>) -> Scene {
        let mut scene = Scene::on(W::ground(view.now));
        scene.focus = Some(W::id(self.cursor));
        W::draw(self, view, &mut scene);
        scene
    }

    /// Returns the pick and the cursor if they are different places.
    pub(super) fn ends(&self) -> Option<[W::Place; 2]> {
        self.pick.filter(|&pick| pick != self.cursor).map(|pick| [pick, self.cursor])
    }

    pub(super) fn go_to(&mut self, place: W::Place) {
        self.cursor = place;
        self.own.goes_to(place);
    }

    /// Drops the half-made move and keeps the cursor in a sensible place.
    pub(super) fn position_changed(&mut self, view: &PositionView<W::Game>) {
        self.pick = None;
        W::position_changed(self, view);
    }

    pub(super) fn press(&mut self, view: &PositionView<W::Game>, press: Press) -> ReplyOf<W> {
        if let Some(reply) = W::before(self, view, press) {
            return reply;
        }
        match press {
            Press::Arrow(direction) => W::arrow(self, view, direction),
            Press::Choose => self.choose(view),
            Press::Back | Press::Erase => self.back(),
            Press::Next | Press::Previous => {
                if let Some(place) = self.next_stop(view, press == Press::Previous) {
                    self.go_to(place);
                }
                PressReply::Handled
            }
            Press::Digit(digit) => W::digit(self, view, digit),
        }
    }

    /// Makes the move, or picks the place under the cursor.
    pub(super) fn choose(&mut self, view: &PositionView<W::Game>) -> ReplyOf<W> {
        match (W::complete(self), self.pick) {
            (Some(mv), _) => match view.now.check(mv) {
                Ok(()) => PressReply::Play(mv),
                Err(illegal) => PressReply::refused(&illegal),
            },
            (None, Some(_)) => match W::UNFINISHED {
                Some(reason) => PressReply::Refused(reason.to_owned()),
                None => self.back(),
            },
            (None, None) => match W::check_pick(self, view) {
                Ok(()) => {
                    self.pick = Some(self.cursor);
                    PressReply::Handled
                }
                Err(reason) => PressReply::Refused(reason),
            },
        }
    }

    pub(super) fn back(&mut self) -> ReplyOf<W> {
        let Some(from) = self.pick.take() else { return PressReply::Ignored };
        if W::UNFINISHED.is_some() {
            self.cursor = from;
        }
        PressReply::Handled
    }

    /// Selects a place, or drops the pick if the place is already picked.
    pub(super) fn click(&mut self, view: &PositionView<W::Game>, place: W::Place) -> ReplyOf<W> {
        if self.pick == Some(place) {
            return self.press(view, Press::Back);
        }
        self.go_to(place);
        self.press(view, Press::Choose)
    }

    /// Describes the place under the cursor, or the half-made move.
    pub(super) fn status(&self, view: &PositionView<W::Game>) -> Option<String> {
        view.now.to_move()?;
        Some(match (self.pick, W::complete(self)) {
            (None, _) => self.cursor.to_string(),
            (Some(from), None) => match W::UNFINISHED {
                Some(task) => format!("{from}: now {task}"),
                None => from.to_string(),
            },
            (Some(_), Some(mv)) => mv.to_string(),
        })
    }

    /// Moves the cursor to a Tab stop unless it is already on one: a match can be opened in the middle.
    pub(super) fn seek_stop(&mut self, view: &PositionView<W::Game>) {
        if !W::is_tab_stop(self, view, self.cursor)
            && let Some(place) = self.next_stop(view, false)
        {
            self.go_to(place);
        }
    }

    /// Returns the next stop in the Tab order after the cursor, or the one before it if `back`. The order wraps around,
    /// and the cursor's own place comes last.
    fn next_stop(&self, view: &PositionView<W::Game>, back: bool) -> Option<W::Place> {
        let mut order = W::tab_order(self, view);
        if back {
            order.reverse();
        }
        // A cursor that is not in the Tab order counts as before the first place.
        let passed = order.iter().position(|&place| place == self.cursor).map_or(0, |at| at + 1);
        order.rotate_left(passed);
        order.into_iter().find(|&place| W::is_tab_stop(self, view, place))
    }
}
