//! The generic board: the widget of a game, following a match.

use super::animator::Animator;
use super::{AnyBoard, Gesture, Hand, MoveLabel, MoveOf, Press, PressReply, Skin, Widget};
use crate::action::KeyHint;
use quadrille_match::session::{Match, Players};
use quadrille_rules::Position;
use quadrille_scene::cells::{self, Lettering, Placement};
use quadrille_scene::{At, Item, Role, Scene, SeatRole, Shape};
use quadrille_table::words::{Caption, Note, PositionView, TypedMatch, Words, event};
use ratatui::buffer::Buffer;
use ratatui::layout::{self, Rect, Size};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::fmt::Display;
use std::time::Duration;

struct WidgetBoard<W: Widget> {
    seen: TypedMatch<W::Game>,
    hand: Hand<W>,
    /// The move to scroll to instead of the cursor.
    focus: Option<MoveOf<W>>,
    /// The labels of legal moves, and the number of the position they belong to.
    labels: (usize, Vec<(MoveOf<W>, MoveLabel)>),
    mouse: MouseOnBoard<W::Place>,
    animator: Animator<W::Place>,
    lettering: Lettering,
    shows_notes: bool,
    shows_estimates: bool,
    hides_cursor: bool,
}

#[derive(Clone, Copy, Debug)]
struct MouseOnBoard<P> {
    over: Option<P>,
    /// The place where the left button was pressed, while the button is down.
    pressed: Option<P>,
    /// The scroll target set by the wheel: a cell of the sheet.
    scrolled: Option<layout::Position>,
}

impl<P> Default for MouseOnBoard<P> {
    fn default() -> Self {
        MouseOnBoard { over: None, pressed: None, scrolled: None }
    }
}

/// Creates the board of a match of this widget's game; returns `None` for a match of a different game.
pub(super) fn board<W: Widget>(game: &Match) -> Option<Box<dyn AnyBoard>> {
    Some(Box::new(WidgetBoard::<W>::new(TypedMatch::of(game)?, Hand::default())))
}

impl<W: Widget> WidgetBoard<W> {
    fn new(seen: TypedMatch<W::Game>, hand: Hand<W>) -> WidgetBoard<W> {
        let mut board = WidgetBoard {
            seen,
            hand,
            focus: None,
            labels: (0, Vec::new()),
            mouse: MouseOnBoard::default(),
            animator: Animator::default(),
            lettering: Lettering::All,
            shows_notes: false,
            shows_estimates: false,
            hides_cursor: false,
        };
        board.position_changed();
        board.hand.seek_stop(&board.seen.view());
        board
    }

    fn position_changed(&mut self) {
        self.focus = None;
        self.hand.position_changed(&self.seen.view());
    }

    /// Returns the move with this text, if it is legal.
    fn legal(&self, text: &str) -> Option<MoveOf<W>> {
        text.parse().ok().filter(|&mv| self.seen.view().now.check(mv).is_ok())
    }

    /// Returns the labels; none if they belong to a different position.
    fn labels(&self) -> impl Iterator<Item = &(MoveOf<W>, MoveLabel)> {
        let (node, labels) = &self.labels;
        labels.iter().filter(|_| *node == self.seen.node())
    }

    /// Returns the scene, including labelled moves and the effect of a click.
    fn scene(&self) -> Scene<W::Place> {
        let view = self.seen.view();
        let mut scene = self.hand.scene(&view);
        scene.items.retain(|item| !self.hides_cursor || item.role != Role::Cursor);
        if let Some(mv) = self.focus {
            scene.focus = Some(W::place_of(mv));
        }
        for (mv, label) in self.labels() {
            if label.draws_move {
                W::add_ghost(&view, *mv, label.rank.ghost(), &mut scene);
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

    /// Adds a preview of a click at the mouse position.
    fn add_hover(&self, view: &PositionView<W::Game>, scene: &mut Scene<W::Place>) {
        let (Some(place), Some(seat)) = (self.mouse.over, view.now.to_move()) else { return };
        match self.hand.clone().click(view, place) {
            PressReply::Play(mv) => W::add_ghost(view, mv, Role::Of(SeatRole::Ink, seat), scene),
            PressReply::Handled if place != self.hand.cursor => {
                let here = |item: &&Item<W::Place>| item.place == Some(place);
                let top = scene.items.iter().rev().find(here).cloned();
                let role = Role::Of(SeatRole::Card, seat);
                scene.items.extend(top.map(|item| Item { role, ..item }));
            }
            _ => {}
        }
    }

    /// Clicks a place, or an empty spot, which drops the pick.
    fn press_at(&mut self, place: Option<W::Place>) -> PressReply<MoveOf<W>> {
        let view = self.seen.view();
        let Some(place) = place else { return self.hand.press(&view, Press::Back) };
        let mut hand = self.hand.clone();
        let reply = hand.click(&view, place);
        // If the click is refused, the cursor stays where it was.
        if !matches!(reply, PressReply::Refused(_)) {
            self.hand = hand;
        }
        reply
    }
}

/// Converts the move in a reply to text.
fn written<M: Display>(reply: PressReply<M>) -> PressReply<String> {
    match reply {
        PressReply::Ignored => PressReply::Ignored,
        PressReply::Handled => PressReply::Handled,
        PressReply::Refused(reason) => PressReply::Refused(reason),
        PressReply::Play(mv) => PressReply::Play(mv.to_string()),
    }
}

impl<W: Widget> AnyBoard for WidgetBoard<W> {
    fn follow(&mut self, game: &Match) {
        if self.seen.follow(game) {
            self.position_changed();
        }
    }

    fn focus_move(&mut self, text: &str) {
        self.focus = text.parse().ok();
    }

    fn press(&mut self, key: Press) -> PressReply<String> {
        self.focus = None;
        self.mouse = MouseOnBoard::default();
        written(self.hand.press(&self.seen.view(), key))
    }

    fn expects_enter(&self) -> bool {
        self.hand.own.expects_enter()
    }

    fn pass(&mut self, time: Duration) {
        self.hand.own.pass(time);
    }

    fn point(&mut self, gesture: Gesture, at: layout::Position, area: Rect) -> PressReply<String> {
        let scene = self.scene();
        let placement = Placement::new(&scene, self.mouse.scrolled, self.lettering, area);
        let place = placement.hit(at);
        match gesture {
            Gesture::Hover | Gesture::Drag | Gesture::Leave => {
                let over = place.filter(|_| gesture != Gesture::Leave && !self.shows_interlude());
                let was = std::mem::replace(&mut self.mouse.over, over);
                if was == over { PressReply::Ignored } else { PressReply::Handled }
            }
            Gesture::Press => {
                let reply = self.press_at(place);
                self.mouse.over = None;
                self.mouse.pressed = place.filter(|_| reply == PressReply::Handled);
                written(reply)
            }
            Gesture::Release => match (self.mouse.pressed.take(), place) {
                (Some(from), Some(to)) if from != to => written(self.press_at(place)),
                _ => PressReply::Ignored,
            },
            Gesture::Drop => written(self.press_at(None)),
            Gesture::Scroll(direction) => match placement.scroll(direction.step()) {
                Some(scrolled) => {
                    self.mouse.scrolled = Some(scrolled);
                    PressReply::Handled
                }
                None => PressReply::Ignored,
            },
        }
    }

    fn show_last_move(&mut self) {
        if let Some(last) = self.seen.view().last {
            self.hand.go_to(W::place_of(last.mv));
        }
    }

    fn put_cursor_near_last_move(&mut self) {
        self.show_last_move();
        self.position_changed();
        let view = self.seen.view();
        let is_refused = |hand: &Hand<W>| {
            matches!(hand.clone().press(&view, Press::Choose), PressReply::Refused(_))
        };
        if !is_refused(&self.hand) {
            return;
        }
        let scene = self.hand.scene(&view);
        // The smallest size of the board.
        let placement = Placement::new(&scene, None, Lettering::All, Rect::ZERO);
        let beside = [Press::Next, Press::Previous].map(|key| {
            let mut hand = self.hand.clone();
            hand.press(&view, key);
            hand
        });
        let far = |hand: &Hand<W>| placement.distance(self.hand.cursor, hand.cursor);
        let nearest = beside.into_iter().filter(|hand| !is_refused(hand)).min_by_key(far);
        self.hand = nearest.unwrap_or(self.hand.clone());
    }

    fn label(&mut self, labels: Vec<MoveLabel>) {
        let legal = labels.into_iter().filter_map(|label| Some((self.legal(&label.mv)?, label)));
        self.labels = (self.seen.node(), legal.collect());
    }

    fn show_estimates(&mut self, shown: bool) {
        self.shows_estimates = shown;
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
            let places = W::next_places(&self.hand, *mv);
            let is_shown = label.is_proven || self.shows_estimates;
            let text = if is_shown { &*label.text } else { "" };
            places.map(move |place| (place, text, label.rank))
        });
        let labels: Vec<cells::Label<W::Place>> = labels.collect();
        let scene = self.animator.show(self.scene());
        let placement = Placement::new(&scene, self.mouse.scrolled, self.lettering, area);
        placement.draw(&labels, buffer, skin);
    }

    fn still(&self) -> Scene<()> {
        let mut hand = self.hand.clone();
        let _ = hand.back();
        let view = PositionView { is_live: false, ..self.seen.view() };
        hand.scene(&view).without_places()
    }

    fn label_at_cursor(&self) -> Option<&MoveLabel> {
        let is_here = |mv| W::next_places(&self.hand, mv).any(|at| at == self.hand.cursor);
        self.labels().find(|(mv, _)| is_here(*mv)).map(|(_, label)| label)
    }

    fn can_become(&self, text: &str) -> bool {
        self.legal(text).is_some_and(|mv| W::next_places(&self.hand, mv).next().is_some())
    }

    fn size(&self, room: Size) -> Size {
        cells::size(&W::ground(self.seen.view().now), room, self.lettering)
    }

    fn show_coordinates(&mut self, shown: bool) {
        self.lettering = if shown { Lettering::All } else { Lettering::NoCoordinates };
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        W::key_hints(&self.hand, &self.seen.view())
    }

    fn caption(&self) -> Caption {
        W::Game::caption(&self.seen.view(), self.shows_interlude())
    }

    fn event(&self, players: &Players) -> Option<[String; 4]> {
        event(&self.seen.view(), players)
    }

    fn hide_cursor(&mut self, is_hidden: bool) {
        self.hides_cursor = is_hidden;
    }

    fn show_notes(&mut self, shown: bool) {
        self.shows_notes = shown;
    }

    fn status(&self, helps: bool) -> Option<String> {
        W::status(&self.hand, &self.seen.view(), helps)
    }

    fn shows_interlude(&self) -> bool {
        self.hand.own.shows_interlude()
    }

    fn reach(&self, keys: &[Press]) -> BTreeMap<String, usize> {
        let view = self.seen.view();
        let mut moves = BTreeMap::new();
        let mut seen = HashSet::from([self.hand.clone()]);
        let mut open = VecDeque::from([(self.hand.clone(), 0)]);
        while let Some((hand, pressed)) = open.pop_front() {
            for &key in keys {
                let mut next = hand.clone();
                if let PressReply::Play(mv) = next.press(&view, key) {
                    moves.entry(mv.to_string()).or_insert(pressed + 1);
                }
                next.own.forget_way();
                if seen.insert(next.clone()) {
                    open.push_back((next, pressed + 1));
                }
            }
        }
        moves
    }

    fn reach_by_clicks(&self, area: Rect) -> BTreeSet<String> {
        let view = self.seen.view();
        let mut board = WidgetBoard::new(self.seen.clone(), self.hand.clone());
        let mut moves = BTreeSet::new();
        // The cursor position does not affect a click.
        let state = |hand: &Hand<W>| (hand.pick, hand.own.shows_interlude());
        let mut seen = HashSet::from([state(&self.hand)]);
        let mut open = vec![self.hand.clone()];
        while let Some(hand) = open.pop() {
            let scene = hand.scene(&view);
            let placement = Placement::new(&scene, None, self.lettering, area);
            for at in placement.places().into_values() {
                board.hand = hand.clone();
                if let PressReply::Play(mv) = board.point(Gesture::Press, at, area) {
                    moves.insert(mv);
                }
                if seen.insert(state(&board.hand)) {
                    open.push(board.hand.clone());
                }
            }
        }
        moves
    }
}
