//! A match and its board, tied together for any game.

use super::press::press;
use super::{Hint, Mark, Press, Reply, Sheet, Skin, View, Widget, mark};
use crate::rules::{Game, Setup, SetupError};
use crate::session::{AnyMatch, Match, Refusal};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use std::collections::{BTreeSet, HashSet};

/// A match of any game with its board: what the match screen holds.
pub trait Table: Send {
    /// The match.
    fn game(&self) -> &dyn AnyMatch;
    /// The match, to change it; [`Table::settle`] must follow if the position does change. `change`
    /// on a `dyn Table` does both.
    fn game_mut(&mut self) -> &mut dyn AnyMatch;
    /// Tells the board that the match has changed.
    fn settle(&mut self);
    /// Puts the cursor on the last move, if there is one; see [`Widget::point_at`].
    fn point_at_last(&mut self);
    /// Puts the cursor on the last move, if there is one, for a match that goes on: or near it, where
    /// there is no move to be made from there.
    fn point_near_last(&mut self);
    /// Keeps the move with this text in sight rather than the cursor, until a key is pressed or the
    /// match changes. The cursor stays where it is.
    fn look_at(&mut self, text: &str);
    /// Answers a key; a move it makes is played.
    fn press(&mut self, key: Press) -> Reply<String>;
    /// Puts marks on legal moves, the better ones first: where several belong to one place, the first
    /// of them stands there. A mark on what is not a legal move is left out. They stay as long as the
    /// position does, or until others are put in their stead.
    fn mark(&mut self, marks: Vec<Mark>);
    /// Draws the board, as large as the area allows.
    fn draw(&self, area: Rect, buffer: &mut Buffer, skin: Skin);
    /// The first of the marks that belongs where the cursor is, which the board may have no room to
    /// show in full.
    fn mark_at_cursor(&self) -> Option<&Mark>;
    /// Whether the move with this text can be made from what is half made.
    fn can_become(&self, text: &str) -> bool;
    /// How much of this room the board would take.
    fn size(&self, room: Size) -> Size;
    /// The live keys of the board.
    fn hints(&self) -> Vec<Hint>;
    /// Lines for the panel.
    fn facts(&self) -> Vec<(&'static str, String)>;
    /// A line about what is under the cursor or half made.
    fn status(&self) -> Option<String>;
    /// Whether the board shows something that passed, until a key is pressed.
    fn shows_interlude(&self) -> bool;
    /// The texts of all moves that these keys alone can make from here, pressed in any order. For
    /// tests: it tries every state the cursor can get into.
    fn reach(&self, keys: &[Press]) -> BTreeSet<String>;
}

impl dyn Table + '_ {
    /// Changes the match, and lets the board know.
    pub fn change<T>(&mut self, change: impl FnOnce(&mut dyn AnyMatch) -> T) -> T {
        let done = change(self.game_mut());
        self.settle();
        done
    }

    /// Plays the move with this text.
    pub fn play(&mut self, text: &str) -> Result<(), Refusal> {
        self.change(|game| game.play(text))
    }

    /// Takes back one ply; `false` at the start.
    pub fn undo(&mut self) -> bool {
        self.change(|game| game.undo())
    }

    /// Plays again the ply taken back last; `false` when there is none.
    pub fn redo(&mut self) -> bool {
        self.change(|game| game.redo())
    }
}

/// The moves of a widget's game.
type MoveOf<W> = <<W as Widget>::Game as Game>::Move;

/// A match and the widget of its game.
#[derive(Clone, Debug)]
pub struct Seated<W: Widget> {
    game: Match<W::Game>,
    widget: W,
    /// A move that is kept in sight in the cursor's place.
    focus_move: Option<MoveOf<W>>,
    /// The marks on legal moves of the position with this number.
    marks: (usize, Vec<(MoveOf<W>, Mark)>),
}

impl<W: Widget> Seated<W> {
    /// A new match with this setup.
    pub fn new(setup: &Setup) -> Result<Seated<W>, SetupError> {
        let mut seated = Seated {
            game: Match::new(W::Game::from_setup(setup)?),
            widget: W::default(),
            focus_move: None,
            marks: (0, Vec::new()),
        };
        seated.settle();
        Ok(seated)
    }

    /// The move with this text, if it is legal.
    fn legal(&self, text: &str) -> Option<MoveOf<W>> {
        text.parse().ok().filter(|&mv| self.game.now().check(mv).is_ok())
    }

    /// The marks and their places, in their order.
    fn places(&self) -> impl Iterator<Item = (&Mark, W::Place)> {
        let (node, marks) = &self.marks;
        let marks = marks.iter().filter(|_| *node == self.game.node());
        marks.flat_map(|(mv, mark)| {
            self.widget.places(*mv).into_iter().map(move |place| (mark, place))
        })
    }

    fn view(game: &Match<W::Game>) -> View<'_, W::Game> {
        View { now: game.now(), last: game.last_move() }
    }
}

impl<W: Widget> Table for Seated<W> {
    fn game(&self) -> &dyn AnyMatch {
        &self.game
    }

    fn look_at(&mut self, text: &str) {
        self.focus_move = text.parse().ok();
    }

    fn press(&mut self, key: Press) -> Reply<String> {
        self.focus_move = None;
        match press(&mut self.widget, &Self::view(&self.game), key) {
            Reply::Ignored => Reply::Ignored,
            Reply::Taken => Reply::Taken,
            Reply::Refused(reason) => Reply::Refused(reason),
            Reply::Play(mv) => {
                if let Err(refusal) = self.game.play_move(mv) {
                    return Reply::Refused(refusal.to_string());
                }
                self.settle();
                Reply::Play(mv.to_string())
            }
        }
    }

    fn game_mut(&mut self) -> &mut dyn AnyMatch {
        &mut self.game
    }

    fn settle(&mut self) {
        self.focus_move = None;
        self.widget.settle(&Self::view(&self.game));
    }

    fn point_at_last(&mut self) {
        if let Some(last) = self.game.last_move() {
            self.widget.point_at(last.mv);
        }
    }

    fn point_near_last(&mut self) {
        self.point_at_last();
        self.settle();
        let view = Self::view(&self.game);
        let is_refused = |widget: &W| {
            matches!(press(&mut widget.clone(), &view, Press::Choose), Reply::Refused(_))
        };
        if !is_refused(&self.widget) {
            return;
        }
        let place = |widget: &W| {
            let format = widget.format(self.game.now(), Size::default());
            widget.focus(self.game.now(), format)
        };
        let here = place(&self.widget);
        let beside = [Press::Next, Press::Previous].map(|key| {
            let mut widget = self.widget.clone();
            press(&mut widget, &view, key);
            widget
        });
        let far = |widget: &W| {
            let there = place(widget);
            here.x.abs_diff(there.x) + here.y.abs_diff(there.y)
        };
        let nearest = beside.into_iter().filter(|widget| !is_refused(widget)).min_by_key(far);
        self.widget = nearest.unwrap_or(self.widget.clone());
    }

    fn mark(&mut self, marks: Vec<Mark>) {
        let legal = marks.into_iter().filter_map(|mark| Some((self.legal(&mark.mv)?, mark)));
        self.marks = (self.game.node(), legal.collect());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, skin: Skin) {
        let now = self.game.now();
        let format = self.widget.format(now, area.as_size());
        let mut looker = self.widget.clone();
        if let Some(mv) = self.focus_move {
            looker.point_at(mv);
        }
        let focus = looker.focus(now, format);
        let mut sheet = Sheet::lay(buffer, area, format, focus, skin);
        self.widget.paint(&Self::view(&self.game), &mut sheet);
        let spot = self.widget.spots(now, format);
        let mut taken = foldhash::HashSet::default();
        for (mark, place) in self.places() {
            if taken.insert(place) {
                mark::draw(&mut sheet, mark, spot(place), place == self.widget.cursor());
            }
        }
    }

    fn mark_at_cursor(&self) -> Option<&Mark> {
        let cursor = self.widget.cursor();
        self.places().find(|(_, place)| *place == cursor).map(|(mark, _)| mark)
    }

    fn can_become(&self, text: &str) -> bool {
        self.legal(text).is_some_and(|mv| self.widget.places(mv).into_iter().next().is_some())
    }

    fn size(&self, room: Size) -> Size {
        self.widget.format(self.game.now(), room).size_in(room)
    }

    fn hints(&self) -> Vec<Hint> {
        self.widget.hints(&Self::view(&self.game))
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        self.widget.facts(&Self::view(&self.game))
    }

    fn status(&self) -> Option<String> {
        self.widget.status(&Self::view(&self.game))
    }

    fn shows_interlude(&self) -> bool {
        self.widget.shows_interlude()
    }

    fn reach(&self, keys: &[Press]) -> BTreeSet<String> {
        let view = Self::view(&self.game);
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
}
