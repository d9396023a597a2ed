//! A match of any game on its board.
//!
//! [`Table`] is a board at which a match is played: the match belongs to a session, and only steps
//! change it. [`Viewer`] is a board on which a copy is looked at, by walking through it.

use super::press::press;
use super::{Gesture, Hint, Mark, Press, Reply, Sheet, Skin, Spot, View, Widget, cells, mark};
use crate::rules::{Game, Setup, SetupError};
use crate::session::{Actor, AnyMatch, AnySession, Match, Refusal, Session, Step};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

/// A match of any game with its board: what can be drawn, and asked by keys.
pub trait AnyBoard: Send {
    /// The match.
    fn game(&self) -> &dyn AnyMatch;
    /// A copy of the line from the start to the present position, to be looked at.
    fn copy_line(&self) -> Box<dyn Viewer>;
    /// Puts the cursor on the last move, if there is one; see [`Widget::point_at`].
    fn point_at_last(&mut self);
    /// Puts the cursor on the last move, if there is one, for a match that goes on: or near it, where
    /// there is no move to be made from there.
    fn point_near_last(&mut self);
    /// Keeps the move with this text in sight rather than the cursor, until a key is pressed or the
    /// match changes. The cursor stays where it is.
    fn focus_move(&mut self, text: &str);
    /// Answers a key. A move it makes is legal, and not played yet.
    fn press(&mut self, key: Press) -> Reply<String>;
    /// Answers the mouse at this place of the screen, where the board was last drawn into `area`. A move
    /// it makes is legal, and not played yet. A click on what is nothing drops the pick.
    fn point(&mut self, gesture: Gesture, at: Position, area: Rect) -> Reply<String>;
    /// Puts marks on legal moves, the better ones first: where several belong to one place, the first
    /// of them stands there. A mark on what is not a legal move is left out. They stay as long as the
    /// position does, or until others are put in their stead.
    fn mark(&mut self, marks: Vec<Mark>);
    /// Draws the board, as large as the area allows.
    fn draw(&self, area: Rect, buffer: &mut Buffer, skin: Skin);
    /// Draws the board to be looked at, as large as the area allows: without cursor, labels and marks.
    fn draw_picture(&self, area: Rect, buffer: &mut Buffer, skin: Skin);
    /// The first of the marks that belongs where the cursor is, which the board may have no room to
    /// show in full.
    fn mark_at_cursor(&self) -> Option<&Mark>;
    /// Whether the move with this text can be made from what is half made.
    fn can_become(&self, text: &str) -> bool;
    /// How much of this room the board would take.
    fn size(&self, room: Size) -> Size;
    /// The live keys of the board.
    fn hints(&self) -> Vec<Hint>;
    /// How much there is on the board, in a few words; see [`Widget::extent`].
    fn extent(&self) -> String;
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

/// A board at which a match is played.
pub trait Table: AnyBoard {
    /// The owner of the match.
    fn session(&self) -> &dyn AnySession;
    /// Does something with the owner of the match; the board then follows the match.
    fn with_session(&mut self, act: &mut dyn FnMut(&mut dyn AnySession));
}

impl dyn Table + '_ {
    /// Takes a step; see [`AnySession::apply`].
    pub fn apply(&mut self, by: Actor, step: &Step, at: Duration) -> Result<(), Refusal> {
        let mut done = Ok(());
        self.with_session(&mut |session| done = session.apply(by, step.clone(), at));
        done
    }
}

/// A board on which a copy of a match is looked at. Nothing of it is logged.
pub trait Viewer: AnyBoard {
    /// Walks through the match; the board then follows it.
    fn walk(&mut self, walk: &mut dyn FnMut(&mut dyn AnyMatch));
    /// Gives the match to a session, for it to be played on; see [`Session::new`].
    fn into_table(self: Box<Self>, words: Setup, names: &[String]) -> Box<dyn Table>;
}

/// What has a match of a game.
trait HasMatch<G: Game>: Send {
    fn game(&self) -> &Match<G>;
}

impl<G: Game> HasMatch<G> for Match<G> {
    fn game(&self) -> &Match<G> {
        self
    }
}

impl<G: Game> HasMatch<G> for Session<G> {
    fn game(&self) -> &Match<G> {
        self.game()
    }
}

/// The moves of a widget's game.
type MoveOf<W> = <<W as Widget>::Game as Game>::Move;

/// A match, or the session that owns it, and the widget of its game.
struct Board<W: Widget, M> {
    of: M,
    widget: W,
    /// A move that is kept in sight in the cursor's place.
    focus: Option<MoveOf<W>>,
    /// The marks on legal moves of the position with this number.
    marks: (usize, Vec<(MoveOf<W>, Mark)>),
}

/// Opens a match with this setup on its board.
pub fn open<W: Widget>(setup: &Setup) -> Result<Box<dyn Viewer>, SetupError> {
    Ok(Box::new(Board::<W, _>::new(Match::new(W::Game::from_setup(setup)?), W::default())))
}

impl<W: Widget, M: HasMatch<W::Game>> Board<W, M> {
    fn new(of: M, widget: W) -> Board<W, M> {
        let mut board = Board { of, widget, focus: None, marks: (0, Vec::new()) };
        board.settle();
        board
    }

    /// Tells the widget that the match has changed.
    fn settle(&mut self) {
        self.focus = None;
        self.widget.settle(&Self::view(self.of.game()));
    }

    /// The move with this text, if it is legal.
    fn legal(&self, text: &str) -> Option<MoveOf<W>> {
        text.parse().ok().filter(|&mv| self.of.game().now().check(mv).is_ok())
    }

    /// The marks and their places, in their order.
    fn places(&self) -> impl Iterator<Item = (&Mark, W::Place)> {
        let (node, marks) = &self.marks;
        let marks = marks.iter().filter(|_| *node == self.of.game().node());
        marks.flat_map(|(mv, mark)| {
            self.widget.places(*mv).into_iter().map(move |place| (mark, place))
        })
    }

    /// Draws the first of the marks that belong to each place.
    fn draw_marks(
        &self,
        marks: &[(&Mark, W::Place)],
        spot: impl Fn(W::Place) -> Option<Spot>,
        sheet: &mut Sheet,
    ) {
        let mut taken = foldhash::HashSet::default();
        for (mark, place) in marks {
            if let Some(spot) = spot(*place).filter(|_| taken.insert(*place)) {
                mark::draw(sheet, mark, spot, *place == self.widget.cursor());
            }
        }
    }

    fn view(game: &Match<W::Game>) -> View<'_, W::Game> {
        View { now: game.now(), last: game.last_move(), played: game.played() }
    }
}

impl<W: Widget, M: HasMatch<W::Game>> AnyBoard for Board<W, M> {
    fn game(&self) -> &dyn AnyMatch {
        self.of.game()
    }

    fn copy_line(&self) -> Box<dyn Viewer> {
        Box::new(Board::new(self.of.game().copy_line(), self.widget.clone()))
    }

    fn focus_move(&mut self, text: &str) {
        self.focus = text.parse().ok();
    }

    fn press(&mut self, key: Press) -> Reply<String> {
        self.focus = None;
        match press(&mut self.widget, &Self::view(self.of.game()), key) {
            Reply::Ignored => Reply::Ignored,
            Reply::Taken => Reply::Taken,
            Reply::Refused(reason) => Reply::Refused(reason),
            Reply::Play(mv) => Reply::Play(mv.to_string()),
        }
    }

    fn point_at_last(&mut self) {
        if let Some(last) = self.of.game().last_move() {
            self.widget.point_at(last.mv);
        }
    }

    fn point_near_last(&mut self) {
        self.point_at_last();
        self.settle();
        let view = Self::view(self.of.game());
        let is_refused = |widget: &W| {
            matches!(press(&mut widget.clone(), &view, Press::Choose), Reply::Refused(_))
        };
        if !is_refused(&self.widget) {
            return;
        }
        let place = |widget: &W| {
            let format = widget.format(view.now, Size::default());
            match widget.scene(&view) {
                Some(scene) => cells::focus(&scene, format),
                None => widget.focus(view.now, format),
            }
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
        self.marks = (self.of.game().node(), legal.collect());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, skin: Skin) {
        let now = self.of.game().now();
        let format = self.widget.format(now, area.as_size());
        let mut looker = self.widget.clone();
        if let Some(mv) = self.focus {
            looker.point_at(mv);
        }
        let view = Self::view(self.of.game());
        let marks: Vec<(&Mark, W::Place)> = self.places().collect();
        if let Some(mut scene) = self.widget.scene(&view) {
            scene.focus = Some(looker.cursor());
            let focus = cells::focus(&scene, format);
            let mut sheet = Sheet::lay(buffer, area, format, focus, skin);
            let marked = marks.iter().map(|(_, place)| *place).collect();
            cells::draw(&scene, &marked, &mut sheet);
            if !marks.is_empty() {
                let spots = cells::spots(&scene, format);
                self.draw_marks(&marks, |place| spots.get(&place).copied(), &mut sheet);
            }
        } else {
            let focus = looker.focus(now, format);
            let mut sheet = Sheet::lay(buffer, area, format, focus, skin);
            self.widget.paint(&view, &mut sheet);
            let spot = self.widget.spots(now, format);
            self.draw_marks(&marks, |place| Some(spot(place)), &mut sheet);
        }
    }

    fn point(&mut self, _: Gesture, _: Position, _: Rect) -> Reply<String> {
        Reply::Ignored
    }

    fn draw_picture(&self, area: Rect, buffer: &mut Buffer, skin: Skin) {
        self.draw(area, buffer, skin);
    }

    fn mark_at_cursor(&self) -> Option<&Mark> {
        let cursor = self.widget.cursor();
        self.places().find(|(_, place)| *place == cursor).map(|(mark, _)| mark)
    }

    fn can_become(&self, text: &str) -> bool {
        self.legal(text).is_some_and(|mv| self.widget.places(mv).into_iter().next().is_some())
    }

    fn size(&self, room: Size) -> Size {
        self.widget.format(self.of.game().now(), room).size_in(room)
    }

    fn hints(&self) -> Vec<Hint> {
        self.widget.hints(&Self::view(self.of.game()))
    }

    fn extent(&self) -> String {
        self.widget.extent(self.of.game().now())
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        self.widget.facts(&Self::view(self.of.game()))
    }

    fn status(&self) -> Option<String> {
        self.widget.status(&Self::view(self.of.game()))
    }

    fn shows_interlude(&self) -> bool {
        self.widget.shows_interlude()
    }

    fn reach(&self, keys: &[Press]) -> BTreeSet<String> {
        let view = Self::view(self.of.game());
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

impl<W: Widget> Table for Board<W, Session<W::Game>> {
    fn session(&self) -> &dyn AnySession {
        &self.of
    }

    fn with_session(&mut self, act: &mut dyn FnMut(&mut dyn AnySession)) {
        act(&mut self.of);
        self.settle();
    }
}

impl<W: Widget> Viewer for Board<W, Match<W::Game>> {
    fn walk(&mut self, walk: &mut dyn FnMut(&mut dyn AnyMatch)) {
        walk(&mut self.of);
        self.settle();
    }

    fn into_table(self: Box<Self>, words: Setup, names: &[String]) -> Box<dyn Table> {
        Box::new(Board::new(Session::new(self.of, words, names), self.widget))
    }
}
