//! What a screen is, and what it can ask for.

use super::OpenMatch;
use super::library::Kept;
use super::tally::Counted;
use super::tournament::Seen;
use super::{Context, OpenRecord, Task};
use crate::action::{Action, Hint};
use crate::board::{AnyBoard, Gesture};
use crate::play::{EngineEvent, Question};
use crate::rules::Seat;
use crate::settings::Settings;
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// What a screen wants to happen. Those of one key are done in order.
pub(super) enum Act {
    Push(Box<dyn Screen>),
    Replace(Box<dyn Screen>),
    /// Leave this screen. Leaving the last one ends the program.
    Pop,
    /// Leave this screen with an answer for the one below.
    Answer(Answer),
    /// Change what is set to this.
    Set(Box<Settings>),
    Run(Task),
}

impl Act {
    pub fn push(screen: impl Screen + 'static) -> Act {
        Act::Push(Box::new(screen))
    }

    pub fn replace(screen: impl Screen + 'static) -> Act {
        Act::Replace(Box::new(screen))
    }

    pub fn run(task: impl Into<Task>) -> Act {
        Act::Run(task.into())
    }
}

/// The answers that menus give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Nothing but to close the menu.
    Close,
    /// Delete what the menu asked about.
    Delete,
    /// End the program, whatever is lost.
    Quit,
    Undo,
    /// Offer a draw for whoever is to move.
    OfferDraw,
    /// This seat agrees on the draw that was offered.
    AcceptDraw(Seat),
    /// Ask who gives up.
    AskWhoResigns,
    /// This seat gives up.
    Resign(Seat),
    /// Ask whether to begin the match again.
    AskToRestart,
    Rematch,
    SwapSeats,
    Review,
    /// Save a picture of the board.
    Picture,
    NewGame,
    /// The rules of the game on the screen, or of the n-th of the catalogue.
    Rules(Option<usize>),
    Settings,
    /// Show how the match ended.
    ShowResult,
    /// Start the programs that play in a match which was left.
    StartPrograms,
    Leave,
}

/// A time that a screen lets pass before it does something by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timer {
    /// What is waited at: with another one the time begins anew.
    pub step: usize,
    pub length: Duration,
}

/// What may matter to a screen that does not lie on top.
pub(super) enum News<'a> {
    /// A match was left. If it is not written down, it is now the first of [`Context::left`].
    MatchLeft,
    /// There is another [`Context::left`].
    Unfinished,
    /// These records are kept, and these lines say what is wrong with damaged ones.
    Records(Vec<Kept>, Vec<String>),
    /// The record of the first id has the second one from now on.
    Renamed(&'a str, &'a str),
    /// The results of records, as far as they are counted.
    Counted(&'a Counted),
    /// The record of the game of a tournament that has this number in its schedule.
    Game(u64, Box<OpenRecord>),
}

/// What a screen can do. The app knows no other difference between screens: a new one is a file that
/// implements this, and whoever pushes it.
pub(super) trait Screen {
    /// What can be done here just now, without what can be done on every screen.
    fn actions(&self, context: &Context) -> Vec<Action>;

    /// Does one of its actions; `None` if that changes nothing.
    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Act>>;

    /// Answers a key that stands for no action: where text is typed, a letter of it. `None` if it
    /// means nothing here.
    fn other_key(&mut self, key: &KeyEvent, context: &Context) -> Option<Vec<Act>> {
        let _ = (key, context);
        None
    }

    /// Puts the cursor on an entry that was clicked; see [`Target::Entry`](super::targets::Target).
    fn go_to_entry(&mut self, entry: usize, context: &Context) {
        let _ = (entry, context);
    }

    /// The wheel turns anywhere but on the board, to show what comes after or, if `back`, before.
    /// `None` if that changes nothing.
    fn wheel(&mut self, back: bool, context: &mut Context) -> Option<Vec<Act>> {
        let _ = (back, context);
        None
    }

    /// The mouse does something on the board, which was last drawn into this area, or has left it. `None`
    /// if that changes nothing.
    fn point(&mut self, gesture: Gesture, at: Position, area: Rect) -> Option<Vec<Act>> {
        let _ = (gesture, at, area);
        None
    }

    /// Draws into an area that lies above the line with the keys, and notes in
    /// [`Context::targets`] what can be clicked there. The position is where text is typed.
    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position>;

    /// Draws what is seen of it while a menu lies over it; says where the menu may stand, if there is
    /// room beside what is to be seen.
    fn draw_beneath(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Rect> {
        self.draw(context, area, buffer);
        None
    }

    /// Draws it over another screen, which has left it this place beside what is to be seen.
    fn draw_beside(&self, context: &Context, place: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.draw(context, place, buffer)
    }

    /// The actions that are named in the last line of the screen, the most important first, without
    /// those that every screen has.
    fn hints(&self) -> Vec<Hint>;

    /// Its name, and what its help says besides the keys.
    fn about(&self) -> (String, String);

    /// So much time has passed while it lay on top.
    fn pass(&mut self, time: Duration) {
        let _ = time;
    }

    /// For how long it looks as it does, as long as nothing but time passes; `None` where that changes nothing.
    /// It counts from when it was told the time last.
    fn stands_for(&self) -> Option<Duration> {
        None
    }

    /// That time is over; what is to be done.
    fn show_time(&mut self) -> Vec<Act> {
        Vec::new()
    }

    /// Something else comes to lie on top, or the screen ends. Whether a match has to be written down
    /// because of that.
    fn pause(&mut self) -> bool {
        false
    }

    /// Whether keys are text just now, so that those which work on every screen are letters.
    fn takes_text(&self) -> bool {
        false
    }

    /// Takes pasted text into a text field; `None` where there is none.
    fn paste(&mut self, text: &str) -> Option<Vec<Act>> {
        let _ = text;
        None
    }

    /// What the screen waits for until it goes on by itself, asked each time anything has happened. While
    /// the answer is the same, the time runs on, whatever else happens.
    fn timer(&self) -> Option<Timer> {
        None
    }

    /// The time of its timer has come; `None` if that changes nothing.
    fn tick(&mut self) -> Option<Vec<Act>> {
        None
    }

    /// What the screen wants thought about just now.
    fn wants(&self, context: &Context) -> Option<Question> {
        let _ = context;
        None
    }

    /// What is heard of that; `None` if it changes nothing.
    fn heard(&mut self, heard: EngineEvent) -> Option<Vec<Act>> {
        let _ = heard;
        None
    }

    /// Takes in what has happened elsewhere, or gives it back for a screen further down.
    fn news<'a>(&mut self, news: News<'a>, context: &Context) -> Option<News<'a>> {
        let _ = context;
        Some(news)
    }

    /// Takes in what is seen of the tournament that runs, wherever in the stack it is; what is to be run
    /// because of it.
    fn look(&mut self, seen: &Seen) -> Vec<Task> {
        let _ = seen;
        Vec::new()
    }

    /// Shows a line about a task that was done or failed; `false` where there is no place for it.
    fn hear(&mut self, line: &str) -> bool {
        let _ = line;
        false
    }

    /// The answer of a menu that lay over this screen.
    fn answer(&mut self, answer: Answer, context: &mut Context) -> Vec<Act> {
        let _ = (answer, context);
        Vec::new()
    }

    /// What asks whether the program is to end, where this is the first screen; `None` where nothing speaks
    /// against it.
    fn ask_to_quit(&self, context: &Context) -> Option<Act> {
        let _ = context;
        None
    }

    /// The word for what [`Action::Leave`] does here.
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

    /// The board that is seen here.
    fn board_mut(&mut self) -> Option<&mut dyn AnyBoard> {
        None
    }

    /// The match that is played here.
    fn open_match(&self) -> Option<&OpenMatch> {
        None
    }

    /// The same, to change it.
    fn open_match_mut(&mut self) -> Option<&mut OpenMatch> {
        None
    }

    /// Takes over what is set: when it comes onto the stack, and when settings change.
    fn adopt(&mut self, settings: &Settings) {
        let _ = settings;
    }

    /// Ends the screen, and gives back the match that was played here.
    fn leave(self: Box<Self>) -> Option<OpenMatch> {
        None
    }
}

/// What can be done on every screen, but for what works even where keys are text.
fn shared_hints(screen: &dyn Screen, context: &Context) -> Vec<Hint> {
    if screen.takes_text() {
        return Vec::new();
    }
    // The first to go where there is no room.
    let theme = context.has_themes().then_some(Action::NextTheme.hint());
    let help = screen.has_help().then_some(Action::Help.hint());
    let leave = Action::Leave.to(screen.way_out());
    theme.into_iter().chain(help).chain([leave]).collect()
}

/// The hints of this moment: the screen's own, and those of every screen.
pub(super) fn all_hints(screen: &dyn Screen, context: &Context) -> Vec<Hint> {
    let mut hints = screen.hints();
    hints.extend(shared_hints(screen, context));
    hints
}

/// All that can be done at this moment. No two of these actions have a key in common.
pub(super) fn all_actions(screen: &dyn Screen, context: &Context) -> Vec<Action> {
    let mut actions = screen.actions(context);
    actions.extend(shared_hints(screen, context).iter().flat_map(|hint| hint.actions));
    actions.extend([Action::Quit, Action::Suspend]);
    actions
}
