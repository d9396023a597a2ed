//! The board of any game: the widget of the game, which follows a match.

use super::animator::Animator;
use super::press::{press, to_a_stop};
use super::{AnyBoard, Gesture, MoveLabel, Press, Reply, ReplyOf, Skin, Widget};
use crate::action::KeyHint;
use crate::rules::Position;
use crate::scene::cells::{self, Lettering};
use crate::scene::{At, Item, Role, Scene, SeatRole, Shape};
use crate::session::{Match, Players};
use crate::words::{Caption, Follower, Note, View, Words};
use ratatui::buffer::Buffer;
use ratatui::layout::{self, Rect, Size};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Display;
use std::time::Duration;

/// The moves of a widget's game.
type MoveOf<W> = <<W as Widget>::Game as Position>::Move;

/// What there is to see of a match, with the widget of its game.
struct WidgetBoard<W: Widget> {
    seen: Follower<W::Game>,
    widget: W,
    /// A move to keep in sight instead of the cursor.
    focus: Option<MoveOf<W>>,
    /// The labels of legal moves, and the number of the position they belong to.
    labels: (usize, Vec<(MoveOf<W>, MoveLabel)>),
    mouse: MouseOnBoard<W::Place>,
    animator: Animator<W::Place>,
    lettering: Lettering,
    shows_notes: bool,
}

/// What the mouse has done, until a key is pressed.
#[derive(Clone, Copy, Debug)]
struct MouseOnBoard<P> {
    /// Where it is.
    over: Option<P>,
    /// Where the left button went down; it is still down.
    pressed: Option<P>,
    /// Where the wheel has scrolled to: a cell of the sheet.
    scrolled: Option<layout::Position>,
}

impl<P> Default for MouseOnBoard<P> {
    fn default() -> Self {
        MouseOnBoard { over: None, pressed: None, scrolled: None }
    }
}

/// The board of a match of this widget's game; `None` for a match of another game.
pub(super) fn board<W: Widget>(game: &Match) -> Option<Box<dyn AnyBoard>> {
    Some(Box::new(WidgetBoard::new(Follower::of(game)?, W::default())))
}

impl<W: Widget> WidgetBoard<W> {
    fn new(seen: Follower<W::Game>, widget: W) -> WidgetBoard<W> {
        let mut board = WidgetBoard {
            seen,
            widget,
            focus: None,
            labels: (0, Vec::new()),
            mouse: MouseOnBoard::default(),
            animator: Animator::default(),
            lettering: Lettering::All,
            shows_notes: false,
        };
        board.tell_widget();
        to_a_stop(&mut board.widget, &board.seen.view());
        board
    }

    /// Tells the widget that the match has changed.
    fn tell_widget(&mut self) {
        self.focus = None;
        self.widget.position_changed(&self.seen.view());
    }

    /// The move with this text, if it is legal.
    fn legal(&self, text: &str) -> Option<MoveOf<W>> {
        text.parse().ok().filter(|&mv| self.seen.view().now.check(mv).is_ok())
    }

    /// The labels, in order; none if they belong to another position.
    fn labels(&self) -> impl Iterator<Item = &(MoveOf<W>, MoveLabel)> {
        let (node, labels) = &self.labels;
        labels.iter().filter(|_| *node == self.seen.node())
    }

    /// What the board shows, with the labelled moves and what a click would do.
    fn scene(&self) -> Scene<W::Place> {
        let view = self.seen.view();
        let mut scene = self.widget.scene(&view);
        if let Some(mv) = self.focus {
            let mut looker = self.widget.clone();
            looker.show_move(mv);
            scene.focus = Some(looker.cursor());
        }
        for (mv, label) in self.labels() {
            if label.draws_move {
                self.widget.add_ghost(&view, *mv, label.rank.ghost(), &mut scene);
            }
        }
        if self.shows_notes {
            let players = Players::named(view.now.seats(), &[]);
            for Note { corners, text, counts } in W::Game::notes(&view, &players).on_board {
                let role = if counts { Role::Counted } else { Role::Text };
                let corners = corners.map(|[row, col]| At::new(row, col));
                scene.add(Shape::Note(corners, text), role);
            }
        }
        self.add_hover(&view, &mut scene);
        scene
    }

    /// Shows what a click at the mouse would do.
    fn add_hover(&self, view: &View<W::Game>, scene: &mut Scene<W::Place>) {
        let (Some(place), Some(seat)) = (self.mouse.over, view.now.to_move()) else { return };
        let mut widget = self.widget.clone();
        match click(&mut widget, view, place) {
            Reply::Play(mv) => {
                let role = Role::Of(SeatRole::Ink, seat);
                self.widget.add_ghost(view, mv, role, scene);
            }
            Reply::Handled if place != self.widget.cursor() => {
                let here = |item: &&Item<W::Place>| item.place == Some(place);
                let top = scene.items.iter().rev().find(here).cloned();
                let role = Role::Of(SeatRole::Card, seat);
                scene.items.extend(top.map(|item| Item { role, ..item }));
            }
            _ => {}
        }
    }

    /// Clicks on a place, or on nothing, which drops the pick.
    fn press_at(&mut self, place: Option<W::Place>) -> Reply<MoveOf<W>> {
        let view = self.seen.view();
        let Some(place) = place else { return press(&mut self.widget, &view, Press::Back) };
        let mut widget = self.widget.clone();
        let reply = click(&mut widget, &view, place);
        // A refusal leaves the cursor where it was.
        if !matches!(reply, Reply::Refused(_)) {
            self.widget = widget;
        }
        reply
    }
}

/// Chooses a place, or drops the pick where that is chosen again.
fn click<W: Widget>(widget: &mut W, view: &View<W::Game>, place: W::Place) -> ReplyOf<W> {
    if widget.picked() == Some(place) {
        return press(widget, view, Press::Back);
    }
    widget.go_to(place);
    press(widget, view, Press::Choose)
}

/// The same reply with the move as a text.
fn written<M: Display>(reply: Reply<M>) -> Reply<String> {
    match reply {
        Reply::Ignored => Reply::Ignored,
        Reply::Handled => Reply::Handled,
        Reply::Refused(reason) => Reply::Refused(reason),
        Reply::Play(mv) => Reply::Play(mv.to_string()),
    }
}

impl<W: Widget> AnyBoard for WidgetBoard<W> {
    fn follow(&mut self, game: &Match) {
        if self.seen.follow(game) {
            self.tell_widget();
        }
    }

    fn focus_move(&mut self, text: &str) {
        self.focus = text.parse().ok();
    }

    fn press(&mut self, key: Press) -> Reply<String> {
        self.focus = None;
        self.mouse = MouseOnBoard::default();
        written(press(&mut self.widget, &self.seen.view(), key))
    }

    fn point(&mut self, gesture: Gesture, at: layout::Position, area: Rect) -> Reply<String> {
        let scene = self.scene();
        let place = cells::hit(&scene, self.mouse.scrolled, self.lettering, area, at);
        match gesture {
            Gesture::Hover | Gesture::Drag | Gesture::Leave => {
                let over = place.filter(|_| gesture != Gesture::Leave && !self.shows_interlude());
                let was = std::mem::replace(&mut self.mouse.over, over);
                if was == over { Reply::Ignored } else { Reply::Handled }
            }
            Gesture::Press => {
                let reply = self.press_at(place);
                self.mouse.over = None;
                self.mouse.pressed = place.filter(|_| reply == Reply::Handled);
                written(reply)
            }
            Gesture::Release => match (self.mouse.pressed.take(), place) {
                (Some(from), Some(to)) if from != to => written(self.press_at(place)),
                _ => Reply::Ignored,
            },
            Gesture::Drop => written(self.press_at(None)),
            Gesture::Scroll(direction) => {
                let step = direction.step();
                match cells::scroll(&scene, self.mouse.scrolled, self.lettering, area, step) {
                    Some(scrolled) => {
                        self.mouse.scrolled = Some(scrolled);
                        Reply::Handled
                    }
                    None => Reply::Ignored,
                }
            }
        }
    }

    fn show_last_move(&mut self) {
        if let Some(last) = self.seen.view().last {
            self.widget.show_move(last.mv);
        }
    }

    fn put_cursor_near_last_move(&mut self) {
        self.show_last_move();
        self.tell_widget();
        let view = self.seen.view();
        let is_refused = |widget: &W| {
            matches!(press(&mut widget.clone(), &view, Press::Choose), Reply::Refused(_))
        };
        if !is_refused(&self.widget) {
            return;
        }
        let scene = self.widget.scene(&view);
        let beside = [Press::Next, Press::Previous].map(|key| {
            let mut widget = self.widget.clone();
            press(&mut widget, &view, key);
            widget
        });
        let here = self.widget.cursor();
        let far = |widget: &W| cells::distance(&scene, here, widget.cursor());
        let nearest = beside.into_iter().filter(|widget| !is_refused(widget)).min_by_key(far);
        self.widget = nearest.unwrap_or(self.widget.clone());
    }

    fn label(&mut self, labels: Vec<MoveLabel>) {
        let legal = labels.into_iter().filter_map(|label| Some((self.legal(&label.mv)?, label)));
        self.labels = (self.seen.node(), legal.collect());
    }

    fn start_animation(&mut self) -> Option<Duration> {
        let is_end = self.shows_interlude() || self.seen.view().outcome.is_some();
        let scene = self.scene();
        self.animator.start_animation(scene, is_end)
    }

    fn hide(&mut self) {
        self.animator.clear();
    }

    fn set_progress(&mut self, done: f32) {
        self.animator.set_progress(done);
    }

    fn is_animating(&self) -> bool {
        self.animator.is_animating()
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, skin: Skin) {
        let labels = self.labels().filter(|(_, label)| !label.text.is_empty());
        let labels = labels.flat_map(|(mv, label)| {
            let places = self.widget.next_places(*mv).into_iter();
            places.map(|place| (place, &*label.text, label.rank))
        });
        let labels: Vec<cells::Label<W::Place>> = labels.collect();
        let scene = self.animator.show(self.scene());
        let scrolled = self.mouse.scrolled;
        cells::draw(&scene, &labels, scrolled, self.lettering, area, buffer, skin);
    }

    fn still(&self) -> Scene<()> {
        let mut widget = self.widget.clone();
        let _ = widget.back();
        let view = View { is_live: false, ..self.seen.view() };
        widget.scene(&view).without_places()
    }

    fn label_at_cursor(&self) -> Option<&MoveLabel> {
        let cursor = self.widget.cursor();
        let is_here =
            |mv: MoveOf<W>| self.widget.next_places(mv).into_iter().any(|at| at == cursor);
        self.labels().find(|(mv, _)| is_here(*mv)).map(|(_, label)| label)
    }

    fn can_become(&self, text: &str) -> bool {
        self.legal(text).is_some_and(|mv| self.widget.next_places(mv).into_iter().next().is_some())
    }

    fn size(&self, room: Size) -> Size {
        cells::size(&self.widget.ground(self.seen.view().now), room, self.lettering)
    }

    fn show_coordinates(&mut self, shown: bool) {
        self.lettering = if shown { Lettering::All } else { Lettering::NoCoordinates };
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        self.widget.key_hints(&self.seen.view())
    }

    fn caption(&self) -> Caption {
        W::Game::caption(&self.seen.view(), self.widget.shows_interlude())
    }

    fn show_notes(&mut self, shown: bool) {
        self.shows_notes = shown;
    }

    fn status(&self) -> Option<String> {
        self.widget.status(&self.seen.view())
    }

    fn shows_interlude(&self) -> bool {
        self.widget.shows_interlude()
    }

    fn reach(&self, keys: &[Press]) -> BTreeSet<String> {
        let view = self.seen.view();
        let mut moves = BTreeSet::new();
        let mut seen = HashSet::from([self.widget.clone()]);
        let mut open = vec![self.widget.clone()];
        while let Some(widget) = open.pop() {
            for &key in keys {
                let mut next = widget.clone();
                if let Reply::Play(mv) = press(&mut next, &view, key) {
                    moves.insert(mv.to_string());
                }
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        moves
    }

    fn reach_by_clicks(&self, area: Rect) -> BTreeSet<String> {
        let view = self.seen.view();
        let mut board = WidgetBoard::new(self.seen.clone(), self.widget.clone());
        let mut moves = BTreeSet::new();
        // The cursor makes no difference to a click.
        let state = |widget: &W| (widget.picked(), widget.shows_interlude());
        let mut seen = foldhash::HashSet::from_iter([state(&self.widget)]);
        let mut open = vec![self.widget.clone()];
        while let Some(widget) = open.pop() {
            for at in cells::places(&widget.scene(&view), self.lettering, area).into_values() {
                board.widget = widget.clone();
                if let Reply::Play(mv) = board.point(Gesture::Press, at, area) {
                    moves.insert(mv);
                }
                if seen.insert(state(&board.widget)) {
                    open.push(board.widget.clone());
                }
            }
        }
        moves
    }
}
