//! The generic board: the widget of a game, following a match.

use super::any_board::{Details, Means};
use super::{AnyBoard, Gesture, MoveLabel, MoveOf, Press, PressReply, Selection, Widget};
use crate::action::KeyHint;
use quadrille_match::session::{Match, PlayerNames, Players};
use quadrille_rules::Position;
use quadrille_scene::{At, Item, Label, PlaceId, Role, Scene, SceneEnd, SeatRole, Shape};
use quadrille_table::words::{Caption, Note, PositionView, TypedMatch, Words, event};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fmt::Display;
use std::time::Duration;

struct WidgetBoard<W: Widget> {
    seen: TypedMatch<W::Game>,
    selection: Selection<W>,
    /// The move to keep visible instead of the cursor.
    focus: Option<MoveOf<W>>,
    /// The labels of legal moves, and the number of the position they belong to.
    labels: (usize, Vec<(MoveOf<W>, MoveLabel)>),
    /// The place under the mouse.
    over: Option<W::Place>,
    /// The place where the left button was pressed, while the button is down.
    pressed: Option<W::Place>,
    keys: usize,
}

/// Creates the board of a match of this widget's game; returns `None` for a match of a different game.
pub(super) fn board<W: Widget>(game: &Match) -> Option<Box<dyn AnyBoard>> {
    Some(Box::new(WidgetBoard::<W>::new(TypedMatch::of(game)?)))
}

impl<W: Widget> WidgetBoard<W> {
    fn new(seen: TypedMatch<W::Game>) -> WidgetBoard<W> {
        let mut board = WidgetBoard {
            seen,
            selection: Selection::default(),
            focus: None,
            labels: (0, Vec::new()),
            over: None,
            pressed: None,
            keys: 0,
        };
        board.position_changed();
        board.selection.seek_stop(&board.seen.view());
        board
    }

    fn position_changed(&mut self) {
        self.focus = None;
        self.selection.position_changed(&self.seen.view());
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

    /// Adds the labels and the labeled moves.
    fn add_labels(&self, view: &PositionView<W::Game>, details: Details, scene: &mut Scene) {
        for (mv, label) in self.labels() {
            if label.draws_move {
                W::add_ghost(view, *mv, label.rank.ghost(), scene);
            }
            if !label.text.is_empty() {
                let is_shown = label.is_proven || details.estimates;
                let text = if is_shown { &*label.text } else { "" };
                let places = W::next_places(&self.selection, *mv).map(W::id);
                let labels =
                    places.map(|place| Label { place, text: text.to_owned(), rank: label.rank });
                scene.labels.extend(labels);
            }
        }
    }

    /// Adds a preview of a click at the mouse position.
    fn add_hover(&self, view: &PositionView<W::Game>, scene: &mut Scene) {
        let (Some(place), Some(seat)) = (self.over, view.now.to_move()) else { return };
        match self.selection.clone().click(view, place) {
            PressReply::Play(mv) => W::add_ghost(view, mv, Role::Of(SeatRole::Ink, seat), scene),
            PressReply::Handled if place != self.selection.cursor => {
                let here = |item: &&Item| item.place == Some(W::id(place));
                let top = scene.items.iter().rev().find(here).cloned();
                let role = Role::Of(SeatRole::Card, seat);
                scene.items.extend(top.map(|item| Item { role, ..item }));
            }
            _ => {}
        }
    }

    /// Returns the place with this number, if the board shows it now.
    fn place(&self, id: PlaceId) -> Option<W::Place> {
        let scene = self.selection.scene(&self.seen.view());
        W::place(id).filter(|_| scene.items.iter().any(|item| item.place == Some(id)))
    }

    /// Clicks a place, or an empty spot, which drops the pick.
    fn press_at(&mut self, place: Option<W::Place>) -> PressReply<MoveOf<W>> {
        let view = self.seen.view();
        let Some(place) = place else { return self.selection.press(&view, Press::Back) };
        let mut selection = self.selection.clone();
        let reply = selection.click(&view, place);
        // If the click is refused, the cursor stays where it was.
        if !matches!(reply, PressReply::Refused(_)) {
            self.selection = selection;
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

    fn go_to_last_move(&mut self) {
        if let Some(last) = self.seen.view().last {
            self.selection.go_to(W::place_of(last.mv));
        }
    }

    fn go_near_last_move(&mut self) {
        self.go_to_last_move();
        self.position_changed();
        let view = self.seen.view();
        let is_refused = |selection: &Selection<W>| {
            matches!(selection.clone().press(&view, Press::Choose), PressReply::Refused(_))
        };
        if !is_refused(&self.selection) {
            return;
        }
        let scene = self.selection.scene(&view);
        let beside = [Press::Next, Press::Previous].map(|key| {
            let mut selection = self.selection.clone();
            selection.press(&view, key);
            selection
        });
        let distance = |selection: &Selection<W>| {
            scene.distance(W::id(self.selection.cursor), W::id(selection.cursor))
        };
        let nearest =
            beside.into_iter().filter(|selection| !is_refused(selection)).min_by_key(distance);
        self.selection = nearest.unwrap_or(self.selection.clone());
    }

    fn focus_move(&mut self, text: &str) {
        self.focus = text.parse().ok();
    }

    fn press(&mut self, key: Press) -> PressReply<String> {
        (self.focus, self.over, self.pressed) = (None, None, None);
        self.keys += 1;
        written(self.selection.press(&self.seen.view(), key))
    }

    fn point(&mut self, gesture: Gesture, place: Option<PlaceId>) -> PressReply<String> {
        let place = place.and_then(|id| self.place(id));
        match gesture {
            Gesture::Hover | Gesture::Drag | Gesture::Leave => {
                let over = place.filter(|_| gesture != Gesture::Leave && !self.shows_interlude());
                let was = std::mem::replace(&mut self.over, over);
                if was == over { PressReply::Ignored } else { PressReply::Handled }
            }
            Gesture::Press => {
                let reply = self.press_at(place);
                self.over = None;
                self.pressed = place.filter(|_| reply == PressReply::Handled);
                written(reply)
            }
            Gesture::Release => match (self.pressed.take(), place) {
                (Some(from), Some(to)) if from != to => written(self.press_at(place)),
                _ => PressReply::Ignored,
            },
            Gesture::Drop => written(self.press_at(None)),
        }
    }

    fn pass(&mut self, time: Duration) -> bool {
        self.selection.own.pass(time)
    }

    fn label(&mut self, labels: Vec<MoveLabel>) {
        let legal = labels.into_iter().filter_map(|label| Some((self.legal(&label.mv)?, label)));
        self.labels = (self.seen.node(), legal.collect());
    }

    fn label_at_cursor(&self) -> Option<&MoveLabel> {
        let is_here =
            |mv| W::next_places(&self.selection, mv).any(|at| at == self.selection.cursor);
        self.labels().find(|(mv, _)| is_here(*mv)).map(|(_, label)| label)
    }

    fn can_become(&self, text: &str) -> bool {
        self.legal(text).is_some_and(|mv| W::next_places(&self.selection, mv).next().is_some())
    }

    fn scene(&self, details: Details) -> Scene {
        let view = PositionView { is_live: details.input, ..self.seen.view() };
        let mut selection = self.selection.clone();
        if !details.input {
            let _ = selection.back();
        }
        let mut scene = selection.scene(&view);
        if let Some(mv) = self.focus {
            scene.focus = Some(W::id(W::place_of(mv)));
        }
        if details.input {
            self.add_labels(&view, details, &mut scene);
        }
        if details.notes {
            let names = PlayerNames::of(&Players::named(view.now.seats(), &[]));
            for Note { corners, text, counts } in W::Game::notes(&view, &names).on_board {
                let role = if counts { Role::Counted } else { Role::Text };
                let corners = corners.map(|[row, col]| At::new(row, col));
                scene.add(Shape::Note(corners, text), role);
            }
        }
        if details.input {
            self.add_hover(&view, &mut scene);
        }
        scene.end = match view.outcome {
            _ if self.shows_interlude() => SceneEnd::Round,
            None => SceneEnd::Nothing,
            Some(_) if view.is_won() => SceneEnd::Win,
            Some(_) => SceneEnd::Draw,
        };
        scene.keys = self.keys;
        scene
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        W::key_hints(&self.selection, &self.seen.view())
    }

    fn caption(&self) -> Caption {
        W::Game::caption(&self.seen.view(), self.shows_interlude())
    }

    fn event(&self, names: &PlayerNames) -> Option<[String; 4]> {
        event(&self.seen.view(), names)
    }

    fn status(&self, helps: bool) -> Option<String> {
        W::status(&self.selection, &self.seen.view(), helps)
    }

    fn task(&self) -> Option<&'static str> {
        (!W::is_half_made(&self.selection)).then_some(W::TASK)
    }

    fn shows_interlude(&self) -> bool {
        self.selection.own.shows_interlude()
    }

    fn reach(&self, means: &Means) -> BTreeMap<String, usize> {
        let view = self.seen.view();
        // The cursor does not affect a click.
        let state = |selection: &Selection<W>| match means {
            Means::Keys(_) => selection.clone(),
            Means::Clicks(_) => {
                let mut selection = selection.clone();
                selection.go_to(W::START);
                selection
            }
        };
        let mut moves = BTreeMap::new();
        let mut seen = HashSet::from([state(&self.selection)]);
        let mut open = VecDeque::from([(self.selection.clone(), 0)]);
        while let Some((selection, inputs)) = open.pop_front() {
            let click = |id| {
                let mut next = selection.clone();
                let reply = next.click(&view, W::place(id)?);
                Some((next, reply))
            };
            let press = |key: &Press| {
                let mut next = selection.clone();
                let reply = next.press(&view, *key);
                (next, reply)
            };
            let replies: Vec<_> = match means {
                Means::Keys(keys) => keys.iter().map(press).collect(),
                Means::Clicks(places) => {
                    places(&selection.scene(&view)).into_iter().filter_map(click).collect()
                }
            };
            for (mut next, reply) in replies {
                if let PressReply::Play(mv) = reply {
                    moves.entry(mv.to_string()).or_insert(inputs + 1);
                }
                next.own.forget_way();
                if seen.insert(state(&next)) {
                    open.push_back((next, inputs + 1));
                }
            }
        }
        moves
    }
}
