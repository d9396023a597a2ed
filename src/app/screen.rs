//! The trait of all screens, and their requests to the app.

pub(super) use super::about::About;

use super::OpenMatch;
use super::destination::Destination;
use super::news::News;
use super::unfinished::UnfinishedId;
use super::{Context, Task};
use crate::action::{Action, KeyHint};
use crate::board::{AnyBoard, Pointer};
use crate::play::{EngineEvent, Question};
use crate::settings::Settings;
use crate::view::View;
use crossterm::event::KeyEvent;
use std::any::Any;
use std::fmt::Debug;
use std::rc::Rc;
use std::time::Duration;

/// A request of a screen to the app. The acts of one key run in order.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Open(Destination),
    Replace(Destination),
    /// Leave this screen. Leaving the last one ends the program.
    Pop,
    /// Perform an action on the new top screen.
    Perform(Action),
    /// Give a command to the new top screen.
    Command(Rc<dyn ScreenCommand>),
    /// Resume an unfinished match, or show it again if it is over.
    Resume(UnfinishedId),
    Discard(UnfinishedId),
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

    pub fn command(command: impl ScreenCommand) -> Act {
        Act::Command(Rc::new(command))
    }
}

/// A command of a menu entry to the screen below. Each screen has its own type, unknown to the menu.
pub(super) trait ScreenCommand: Any + Debug {}

impl<T: Any + Debug> ScreenCommand for T {}

pub(super) enum Input<'a> {
    Action(Action),
    /// Enter, where it chooses nothing on a board.
    GoOn,
    /// Set the named row of a form to a value, as text.
    Assign(&'a str, &'a str),
    /// A key without an action, such as a typed letter.
    Key(&'a KeyEvent),
    Paste(&'a str),
    Pointer(PointerInput),
    /// Elapsed time while the screen was on top, or below others.
    Time {
        passed: Duration,
        is_below: bool,
    },
    /// [`Screen::unchanged_for`] has elapsed.
    Clock,
    /// [`Screen::timer`] has elapsed.
    Tick,
    /// Another screen opens on top, or this one ends.
    Pause,
    Settings,
    /// The key for [`Action::Leave`]. A screen without an answer is popped. A screen too small to draw cannot show a
    /// question.
    Leave {
        can_ask: bool,
    },
    /// An engine's result on the question of this screen.
    Engine(EngineEvent),
    News(News<'a>),
    /// A command that this screen put into a menu.
    Command(&'a dyn Any),
    /// The outcome of a task, shown until the next key.
    Message(&'a str),
}

#[derive(Clone, Copy)]
pub(super) enum PointerInput {
    /// Puts the cursor on an entry.
    Entry(usize),
    /// Puts the cursor on a row of a form, and chooses one of its values.
    Value(usize, usize),
    /// Turns the wheel outside the board, backwards if `back`.
    Wheel { back: bool },
    /// Points at the board, or leaves it.
    Board(Pointer),
    /// Dismisses a message.
    Message,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timer {
    /// What the screen waits for. When this changes, the time starts again.
    pub wait: WaitFor,
    pub length: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitFor {
    /// To go on from the step with this number, such as a position.
    Step(usize),
    /// To show the next move of the refutation, after this many.
    Refutation(usize),
    /// For the values to be settled; they have changed this many times.
    Values(usize),
    Result,
    /// To dismiss the news with this number.
    News(usize),
}

/// A screen. A new one is a file that implements this trait, a [`Destination`], and a line in
/// [`navigation`](super::navigation).
pub(super) trait Screen {
    /// Returns the view. The screen is not live while a menu lies over it.
    fn view<'a>(&'a self, is_live: bool, context: &'a Context) -> View<'a>;

    /// Returns the currently available actions, without those of every screen. If only [`Action::Confirm`] and
    /// [`Action::Cancel`] are available, keys are text.
    fn actions(&self, context: &Context) -> Vec<Action>;

    /// Handles an input; `None` if nothing has changed, so that nothing is drawn.
    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Act>>;

    /// Returns the actions for the footer, most important first, without those of every screen. [`Action::Leave`] is
    /// included only with another word than usual.
    fn key_hints(&self, context: &Context) -> Vec<KeyHint>;

    /// Returns the help of the screen, apart from its keys; `None` if it has none.
    fn about(&self) -> Option<About>;

    /// Returns how long the screen looks unchanged if only time passes, such as until a clock shows another second;
    /// `None` if nothing depends on time. Counts from the last [`Input::Time`].
    fn unchanged_for(&self) -> Option<Duration> {
        None
    }

    /// Returns the time until [`Input::Tick`]. Called after every event; the timer restarts only when the returned value changes.
    fn timer(&self) -> Option<Timer> {
        None
    }

    fn question(&self, context: &Context) -> Option<Question> {
        let _ = context;
        None
    }

    /// Returns the board on this screen, by default the board of its match.
    fn board_mut(&mut self) -> Option<&mut dyn AnyBoard> {
        Some(&mut *self.open_match_mut()?.board)
    }

    fn open_match(&self) -> Option<&OpenMatch> {
        None
    }

    fn open_match_mut(&mut self) -> Option<&mut OpenMatch> {
        None
    }

    fn leave(self: Box<Self>) -> Option<OpenMatch> {
        None
    }
}

/// Returns whether keys are text, so that even `?` and `q`, which every screen has, type a character.
pub(super) fn takes_text(screen: &dyn Screen, context: &Context) -> bool {
    let actions = screen.actions(context);
    let is_of_text = |action: &Action| matches!(action, Action::Confirm | Action::Cancel);
    !actions.is_empty() && actions.iter().all(is_of_text)
}

/// Returns the actions of every screen, most important last; none where keys are text.
fn shared_actions(screen: &dyn Screen, context: &Context) -> Vec<Action> {
    if takes_text(screen, context) {
        return Vec::new();
    }
    // The theme is dropped first where room is short.
    let theme = (context.has_themes() && !context.is_kiosk).then_some(Action::NextTheme);
    let help = screen.about().map(|_| Action::Help);
    theme.into_iter().chain(help).chain([Action::Leave]).collect()
}

/// Returns the hints of this screen and those of every screen.
pub(super) fn all_key_hints(screen: &dyn Screen, context: &Context) -> Vec<KeyHint> {
    let (leave, mut hints): (Vec<KeyHint>, Vec<KeyHint>) =
        screen.key_hints(context).into_iter().partition(|hint| hint.names(Action::Leave));
    let shared = shared_actions(screen, context).into_iter().map(|action| match action {
        Action::Leave => leave.first().copied().unwrap_or(Action::Leave.to("leave")),
        action => action.hint(),
    });
    hints.extend(shared);
    hints
}

/// Returns all available actions. No two of them share a key.
pub(super) fn all_actions(screen: &dyn Screen, context: &Context) -> Vec<Action> {
    let mut actions = screen.actions(context);
    actions.extend(shared_actions(screen, context));
    actions.extend([Action::Quit, Action::Suspend, Action::Redraw]);
    if context.is_kiosk {
        actions.retain(|action| !matches!(action, Action::Suspend | Action::NextTheme));
    }
    actions
}
