//! The trait of all screens, and what they can ask of the app.

pub(super) use super::about::About;

use super::OpenMatch;
use super::board_input::{BoardInput, Pointer};
use super::destination::Destination;
use super::list::ListState;
use super::news::{News, TournamentUpdate};
use super::scroll::Scroll;
use super::unfinished::UnfinishedId;
use super::{Context, Task};
use crate::action::{Action, KeyHint};
use crate::board::AnyBoard;
use crate::play::{EngineEvent, Question, TableNews};
use crate::settings::Settings;
use crate::tui;
use crate::view::BoardView;
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::any::Any;
use std::fmt::Debug;
use std::rc::Rc;
use std::time::Duration;

/// What a screen asks the app to do. The acts of one key are done in order.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Open(Destination),
    /// Leave this screen, and open another.
    Replace(Destination),
    /// Leave this screen. Leaving the last one ends the program.
    Pop,
    /// Perform an action on the screen that is now on top.
    Perform(Action),
    /// Give a command to the screen that is now on top.
    Command(Rc<dyn Command>),
    /// Resume an unfinished match, or show it again if it is over.
    Resume(UnfinishedId),
    /// Delete an unfinished match.
    Discard(UnfinishedId),
    /// Change the settings to these.
    Set(Box<Settings>),
    Run(Task),
}

impl Act {
    pub fn open(destination: impl Into<Destination>) -> Act {
        Act::Open(destination.into())
    }

    pub fn replace(destination: impl Into<Destination>) -> Act {
        Act::Replace(destination.into())
    }

    pub fn run(task: impl Into<Task>) -> Act {
        Act::Run(task.into())
    }

    pub fn command(command: impl Command) -> Act {
        Act::Command(Rc::new(command))
    }
}

/// What an entry of a menu tells the screen below. Each screen has a type of its own, and the menu does not know it.
pub(super) trait Command: Any + Debug {}

impl<T: Any + Debug> Command for T {}

/// How long a screen waits before it does something by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timer {
    /// Identifies what the screen waits for, such as a ply; when it changes, the time starts again.
    pub step: usize,
    pub length: Duration,
}

/// A screen. The app treats all screens alike: a new one is a file that implements this, a [`Destination`], and a line
/// in [`navigation`](super::navigation). Methods that return `Option<Vec<Act>>` return `None` if nothing has changed, so that nothing
/// is drawn.
pub(super) trait Screen {
    /// What can be done here now, without what can be done on every screen. Unless a screen says otherwise, it can
    /// be scrolled and left.
    fn actions(&self, context: &Context) -> Vec<Action> {
        let _ = context;
        [Scroll::ACTIONS, &[Action::Back]].concat()
    }

    /// Does one of these actions.
    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Act>> {
        let _ = context;
        match action {
            Action::Back => Some(vec![Act::Pop]),
            action => self.scroll_mut()?.perform(action).then(Vec::new),
        }
    }

    /// How far a screen is scrolled that can be scrolled and nothing else.
    fn scroll_mut(&mut self) -> Option<&mut Scroll> {
        None
    }

    /// Answers a key without an action, such as a letter that is typed.
    fn other_key(&mut self, key: &KeyEvent, context: &Context) -> Option<Vec<Act>> {
        let _ = context;
        self.input_mut()?.other_key(key).then(Vec::new)
    }

    /// Takes away a message that lasts until the next key. Returns whether there was one.
    fn dismiss(&mut self) -> bool {
        self.input_mut().is_some_and(BoardInput::dismiss)
    }

    /// The list on a screen that shows one list, and how many entries it has.
    fn list_mut(&mut self) -> Option<(&mut ListState, usize)> {
        None
    }

    /// Puts the cursor on an entry that was clicked; see [`Target::Entry`](super::targets::Target).
    fn go_to_entry(&mut self, entry: usize, context: &Context) {
        let _ = context;
        if let Some((list, _)) = self.list_mut() {
            list.go_to(entry);
        }
    }

    /// Answers the wheel outside the board: it shows what comes next or, if `back`, what comes before.
    fn wheel(&mut self, back: bool, context: &mut Context) -> Option<Vec<Act>> {
        let _ = context;
        let moves = match self.list_mut() {
            Some((list, length)) => list.wheel(back, length),
            None => self.scroll_mut()?.wheel(back),
        };
        moves.then(Vec::new)
    }

    /// Answers the mouse on the board, or when it has left it.
    fn point(&mut self, pointer: Pointer, context: &mut Context) -> Option<Vec<Act>> {
        let _ = (pointer, context);
        None
    }

    /// What a screen with a board shows. It is not `live` while a menu lies over it.
    fn board_view(&self, live: bool, context: &Context) -> Option<BoardView<'_>> {
        let _ = (live, context);
        None
    }

    /// Draws into the area above the footer, and notes in [`Context::targets`] what can be clicked. Returns
    /// where the cursor is if text is typed.
    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let view = self.board_view(true, context)?;
        let drawn = tui::board::draw(&view, area, &mut context.canvas(buffer));
        context.status_line.set(Some(drawn.status));
        drawn.cursor
    }

    /// Draws what shows while a menu lies over it. Returns where the menu can stand, if there is room beside
    /// the rest.
    fn draw_beneath(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Rect> {
        let Some(view) = self.board_view(false, context) else {
            self.draw(context, area, buffer);
            return None;
        };
        let drawn = tui::board::draw_beneath(&view, area, &mut context.canvas(buffer));
        context.status_line.set(Some(drawn.status));
        drawn.place
    }

    /// Draws it into the place that [`Screen::draw_beneath`] of the screen below has returned.
    fn draw_beside(&self, context: &Context, place: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.draw(context, place, buffer)
    }

    /// The actions that the footer names, the most important first, without those that every screen has.
    fn key_hints(&self) -> Vec<KeyHint>;

    /// What its help says besides the keys.
    fn about(&self) -> About;

    /// This much time has passed while it was on top.
    fn time_passed(&mut self, time: Duration) {
        let _ = time;
    }

    /// The same while it was below others.
    fn time_passed_below(&mut self, time: Duration) {
        let _ = time;
    }

    /// How long it will look the same if only time passes, such as until a clock shows another second; `None`
    /// if nothing on it depends on time. It counts from the last call of [`Screen::time_passed`].
    fn unchanged_for(&self) -> Option<Duration> {
        None
    }

    /// Called when that time is over.
    fn show_time(&mut self, context: &Context) -> Vec<Act> {
        let _ = context;
        Vec::new()
    }

    /// Called when another screen comes on top, or the screen ends. Returns whether a match must be saved
    /// because of that.
    fn pause(&mut self) -> bool {
        false
    }

    /// Whether keys are text now, so that keys such as `?` and `q`, which every screen has, type a character
    /// too.
    fn takes_text(&self) -> bool {
        self.input().is_some_and(BoardInput::is_typing)
    }

    /// Takes pasted text into a text field; `None` if there is none.
    fn paste(&mut self, text: &str) -> Option<Vec<Act>> {
        self.input_mut()?.paste(text).then(Vec::new)
    }

    /// How long to wait until [`Screen::tick`]. It is asked whenever anything has happened; while the
    /// answer is the same, the time runs on.
    fn timer(&self) -> Option<Timer> {
        None
    }

    /// Called when the time of its timer is over.
    fn tick(&mut self, context: &Context) -> Option<Vec<Act>> {
        let _ = context;
        None
    }

    /// The question that engines should work on now.
    fn question(&self, context: &Context) -> Option<Question> {
        let _ = context;
        None
    }

    /// Takes an event of the engine that works on the question.
    fn engine_event(&mut self, event: EngineEvent) -> Option<Vec<Act>> {
        let _ = event;
        None
    }

    /// Takes news, or returns it for a screen further down.
    fn news<'a>(&mut self, news: News<'a>, context: &Context) -> Option<News<'a>> {
        let _ = context;
        Some(news)
    }

    /// Says what guests type to come, where the match has just moved to a table.
    fn show_table(&mut self) -> Option<Vec<Act>> {
        None
    }

    /// Whether it is of no use any more once a guest has sat down.
    fn closes_when_guest_joins(&self) -> bool {
        false
    }

    /// Takes news of the shared table whose match is on this screen.
    fn table_news(&mut self, news: Vec<TableNews>) -> Option<Vec<Act>> {
        let _ = news;
        None
    }

    /// Takes an update of the running tournament; every screen in the stack gets it. Returns tasks to carry
    /// out.
    fn tournament_update(&mut self, update: &TournamentUpdate) -> Vec<Task> {
        let _ = update;
        Vec::new()
    }

    /// Shows a line about a task that was done or failed; `false` if it has no place for it.
    fn show_message(&mut self, line: &str) -> bool {
        self.input_mut().map(|input| input.note(line)).is_some()
    }

    /// Obeys a command that this screen has put into a menu.
    fn command(&mut self, command: &dyn Any, context: &mut Context) -> Vec<Act> {
        let _ = (command, context);
        Vec::new()
    }

    /// For the first screen: asks whether to end the program; `None` if it can end at once.
    fn ask_to_quit(&self, context: &Context) -> Option<Act> {
        let _ = context;
        None
    }

    /// What [`Action::Leave`] does here.
    fn leaves(&self) -> Vec<Act> {
        vec![Act::Pop]
    }

    /// The word for that.
    fn way_out(&self) -> &'static str {
        "leave"
    }

    /// Whether [`Action::Help`] opens its help.
    fn has_help(&self) -> bool {
        true
    }

    /// Whether the screen below shows beneath this one.
    fn is_overlay(&self) -> bool {
        false
    }

    /// The board on this screen.
    fn board_mut(&mut self) -> Option<&mut dyn AnyBoard> {
        None
    }

    /// How moves are entered on that board.
    fn input(&self) -> Option<&BoardInput> {
        None
    }

    fn input_mut(&mut self) -> Option<&mut BoardInput> {
        None
    }

    /// The match played on this screen.
    fn open_match(&self) -> Option<&OpenMatch> {
        None
    }

    /// The same, to change it.
    fn open_match_mut(&mut self) -> Option<&mut OpenMatch> {
        None
    }

    /// Takes over the settings: when the screen is pushed, and when they change.
    fn adopt(&mut self, settings: &Settings) {
        let _ = settings;
    }

    /// Notes how far it has come, when it is left, to go on from there another time.
    fn keep_place(&self, context: &mut Context) {
        let _ = context;
    }

    /// Ends the screen, and returns the match played on it.
    fn leave(self: Box<Self>) -> Option<OpenMatch> {
        None
    }
}

/// The hints of every screen; none where keys are text.
fn shared_key_hints(screen: &dyn Screen, context: &Context) -> Vec<KeyHint> {
    if screen.takes_text() {
        return Vec::new();
    }
    // The theme is the first to go where there is no room.
    let theme = (context.has_themes() && !context.is_kiosk).then_some(Action::NextTheme.hint());
    let help = screen.has_help().then_some(Action::Help.hint());
    let leave = Action::Leave.to(screen.way_out());
    theme.into_iter().chain(help).chain([leave]).collect()
}

/// All hints: those of the screen, and those of every screen.
pub(super) fn all_key_hints(screen: &dyn Screen, context: &Context) -> Vec<KeyHint> {
    let mut hints = screen.key_hints();
    hints.extend(shared_key_hints(screen, context));
    hints
}

/// All actions that can be done now. No two of them share a key.
pub(super) fn all_actions(screen: &dyn Screen, context: &Context) -> Vec<Action> {
    let mut actions = screen.actions(context);
    actions.extend(shared_key_hints(screen, context).iter().flat_map(|hint| hint.actions));
    actions.extend([Action::Quit, Action::Suspend, Action::Redraw]);
    if context.is_kiosk {
        actions.retain(|action| !matches!(action, Action::Suspend | Action::NextTheme));
    }
    actions
}
