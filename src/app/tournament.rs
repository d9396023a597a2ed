//! The screen of a tournament: its table, the games that are being played as small boards, those that have
//! ended, and how long the rest will take.

mod drawing;
mod games;
mod lookout;
mod place;
mod progress;
mod standings;

pub(super) use lookout::{Lookout, Seen};

use super::menu::Menu;
use super::replay::Replay;
use super::screen::{Act, Answer, Screen};
use super::tasks::{DiskTask, TerminalTask};
use super::{Context, Task, keys, text};
use crate::action::{ARROWS, Action, Hint};
use crate::arena::tournament::{
    GameLine, LiveTournament, Stage, TournamentStatus, TournamentTable,
};
use crossterm::event::KeyEvent;
use place::Place;
use progress::Pace;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::cell::Cell;

/// A tournament as it was seen last, and the game under the cursor.
pub(super) struct TournamentScreen {
    /// Has the games that have ended, of which only those in sight are asked for.
    watch: LiveTournament,
    view: TournamentStatus,
    table: TournamentTable,
    pace: Pace,
    /// Where games are played. Each stays where it is.
    places: Vec<Place>,
    /// Which of the two lists the cursor is in, if both have something.
    pane: Pane,
    /// The place under the cursor.
    place: usize,
    /// The game under the cursor of those that have ended, in the order in which they did; `None` for the
    /// latest, whichever that is.
    ended: Option<usize>,
    /// What is to be told, until the next key.
    said: Option<String>,
    drawn: Cell<Drawn>,
}

/// A list of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pane {
    /// Those that are being played.
    #[default]
    Playing,
    /// Those that have ended, the latest first.
    Ended,
}

/// What the last drawing had room for, as the keys need to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Drawn {
    /// The columns of games that are being played, and how many of them are seen at once.
    columns: usize,
    places: usize,
    /// How many of those that have ended are seen at once.
    ended: usize,
}

impl TournamentScreen {
    pub fn new(watch: LiveTournament, seen: &Seen) -> TournamentScreen {
        let view = seen.view.clone();
        let table = seen.table.clone().unwrap_or_else(|| watch.table());
        let mut screen = TournamentScreen {
            watch,
            view,
            table,
            pace: Pace::default(),
            places: Vec::new(),
            pane: Pane::default(),
            place: 0,
            ended: None,
            said: None,
            drawn: Cell::new(Drawn { columns: 1, places: 1, ended: 1 }),
        };
        screen.take_in(seen);
        screen
    }

    fn take_in(&mut self, seen: &Seen) {
        self.view = seen.view.clone();
        if let Some(table) = &seen.table {
            self.table = table.clone();
        }
        self.pace.tell(seen.view.played_now, seen.time);
        place::take_in(&mut self.places, seen);
        self.place = self.place.min(self.places.len().saturating_sub(1));
    }

    /// How many games have ended.
    fn count(&self) -> usize {
        self.view.played as usize
    }

    /// The list with the cursor: the other one if this one is empty.
    fn pane(&self) -> Pane {
        match self.pane {
            Pane::Playing if self.places.is_empty() => Pane::Ended,
            Pane::Ended if self.count() == 0 => Pane::Playing,
            pane => pane,
        }
    }

    /// Whether there is a game under the cursor.
    fn has_games(&self) -> bool {
        self.count() > 0 || !self.places.is_empty()
    }

    /// How far down the list of games that have ended the cursor is.
    fn row(&self) -> usize {
        let last = self.count().saturating_sub(1);
        self.ended.map_or(0, |ended| last.saturating_sub(ended))
    }

    fn go_to_row(&mut self, row: usize) {
        let last = self.count().saturating_sub(1);
        self.ended = (row > 0).then(|| last.saturating_sub(row));
    }

    /// The game of a row of those that have ended.
    fn line(&self, row: usize) -> Option<GameLine> {
        let at = self.count().checked_sub(row + 1)?;
        self.watch.lines(at..at + 1).pop()
    }

    /// Whether both lists have games.
    fn has_both(&self) -> bool {
        self.count() > 0 && !self.places.is_empty()
    }

    /// Does what an action of a list does; `None` where it is none. The lists follow each other in a ring, and
    /// stand side by side.
    fn walk(&mut self, action: Action) -> Option<()> {
        let pane = self.pane();
        let Drawn { columns, places, ended } = self.drawn.get();
        let (at, length, page, columns) = match pane {
            Pane::Playing => (self.place, self.places.len(), places, columns),
            Pane::Ended => (self.row(), self.count(), ended, 1),
        };
        let is_in = |at: &usize| *at < length;
        let within = match action {
            Action::Next | Action::Previous => None,
            Action::Left if at.is_multiple_of(columns) => None,
            Action::Left => Some(at - 1),
            Action::Right => Some(at + 1).filter(is_in).filter(|at| !at.is_multiple_of(columns)),
            Action::Up => at.checked_sub(columns),
            Action::Down => Some(at + columns).filter(is_in),
            action => Some(keys::walk(at, length, page, action)?),
        };
        let to = match (within, action) {
            (Some(to), _) => to,
            (None, _) if self.has_both() => {
                self.pane = match pane {
                    Pane::Playing => Pane::Ended,
                    Pane::Ended => Pane::Playing,
                };
                return Some(());
            }
            (None, Action::Left | Action::Right) => at,
            (None, action) => keys::walk(at, length, page, action)?,
        };
        match pane {
            Pane::Playing => self.place = to,
            Pane::Ended => self.go_to_row(to),
        }
        Some(())
    }

    /// Opens the game under the cursor: to be followed, or to be looked at.
    fn open(&mut self) -> Option<Vec<Act>> {
        let line = match self.pane() {
            Pane::Playing => {
                let place = self.places.get(self.place)?;
                match &place.ended {
                    Some(line) => line.clone(),
                    None => return self.follow(),
                }
            }
            Pane::Ended => self.line(self.row())?,
        };
        Some(vec![Act::run(DiskTask::Game(line.game, line.record))])
    }

    fn follow(&mut self) -> Option<Vec<Act>> {
        let game = &self.places.get(self.place)?.game;
        let Some(replay) = Replay::following(self.view.entry, game) else {
            self.said = Some(format!("game {} cannot be shown", game.game));
            return Some(Vec::new());
        };
        Some(vec![Act::push(replay)])
    }
}

impl Screen for TournamentScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        const LIST: &[Action] = &[
            Action::Up,
            Action::Down,
            Action::First,
            Action::Last,
            Action::PageUp,
            Action::PageDown,
            Action::Choose,
        ];
        let list = if self.has_games() { LIST } else { &[] };
        let sides: &[Action] = match (self.has_both(), self.places.len()) {
            (true, _) => &[Action::Left, Action::Right, Action::Next, Action::Previous],
            (false, 2..) => &[Action::Left, Action::Right],
            _ => &[],
        };
        [list, sides, &[Action::Back]].concat()
    }

    fn perform(&mut self, action: Action, _: &mut Context) -> Option<Vec<Act>> {
        self.said = None;
        match action {
            Action::Choose => self.open(),
            Action::Back => Some(vec![Act::Pop]),
            action => self.walk(action).map(|()| Vec::new()),
        }
    }

    fn other_key(&mut self, _: &KeyEvent, _: &Context) -> Option<Vec<Act>> {
        self.said.take().map(|_| Vec::new())
    }

    fn go_to_entry(&mut self, entry: usize, _: &Context) {
        match entry.checked_sub(self.places.len()) {
            None => (self.pane, self.place) = (Pane::Playing, entry),
            Some(row) => {
                self.pane = Pane::Ended;
                self.go_to_row(row);
            }
        }
    }

    fn wheel(&mut self, back: bool, _: &mut Context) -> Option<Vec<Act>> {
        match self.pane() {
            Pane::Playing => keys::wheel(&mut self.place, self.places.len(), back),
            Pane::Ended => {
                let mut row = self.row();
                let acts = keys::wheel(&mut row, self.count(), back)?;
                self.go_to_row(row);
                Some(acts)
            }
        }
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.draw_all(context, area, buffer);
        None
    }

    fn hints(&self) -> Vec<Hint> {
        if !self.has_games() {
            return Vec::new();
        }
        let is_played = self.pane() == Pane::Playing
            && self.places.get(self.place).is_some_and(|place| place.ended.is_none());
        let arrows = if self.has_both() { ARROWS } else { &[Action::Up, Action::Down] };
        let mut hints = vec![
            Hint::new(arrows, "move"),
            Action::Choose.to(if is_played { "follow" } else { "see" }),
        ];
        if self.has_both() {
            hints.push(Action::Next.to(match self.pane() {
                Pane::Playing => "finished games",
                Pane::Ended => "running games",
            }));
        }
        hints
    }

    fn about(&self) -> (String, String) {
        let text = "A tournament while it is played. Every win is a point for the winner and every draw half \
                    a point for both; among several, each has a point for every player who did worse.\n\n\
                    The small boards are games that are being played. Enter follows the one under the \
                    cursor, and looks at one that has ended. What is left takes about as long as the games \
                    of this run have taken.\n\n\
                    Whoever leaves while games run stops the tournament: these games are played again from \
                    their start when the same command is given again, and nothing else is lost.";
        (format!("{}, tournament", self.view.entry.name), text.to_owned())
    }

    fn look(&mut self, seen: &Seen) -> Vec<Task> {
        self.take_in(seen);
        Vec::new()
    }

    fn ask_to_quit(&self, context: &Context) -> Option<Act> {
        if self.view.stage != Stage::Running {
            return None;
        }
        let runs = self.places.iter().filter(|place| place.ended.is_none()).count();
        let games = match runs {
            0 => String::new(),
            1 => "One game is being played, and will be played again from its start. ".to_owned(),
            n => format!("{n} games are being played, and will be played again from their start. "),
        };
        let why = format!("{games}All else is kept: the same command goes on.");
        let entries =
            [("Stay".to_owned(), Answer::Close), ("Stop and leave".to_owned(), Answer::Quit)];
        let menu = Menu::new("Stop the tournament?", entries.into())
            .with_lines(text::wrap(&why, 28, 6, context.skin))
            .with_about("A tournament that was stopped goes on with the same command.");
        Some(Act::push(menu))
    }

    fn answer(&mut self, answer: Answer, _: &mut Context) -> Vec<Act> {
        match answer {
            Answer::Quit => vec![Act::run(TerminalTask::Quit)],
            _ => Vec::new(),
        }
    }

    fn hear(&mut self, line: &str) -> bool {
        self.said = Some(line.to_owned());
        true
    }
}
