//! The trait of all screens, and what they can ask of the app.

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
    Command(Rc<dyn ScreenCommand>),
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

    pub fn command(command: impl ScreenCommand) -> Act {
        Act::Command(Rc::new(command))
    }
}

/// What an entry of a menu tells the screen below. Each screen has a type of its own, and the menu does not know it.
pub(super) trait ScreenCommand: Any + Debug {}

impl<T: Any + Debug> ScreenCommand for T {}

/// What a screen is told.
pub(super) enum Input<'a> {
    Action(Action),
    /// Enter, where it chooses nothing on a board.
    GoOn,
    /// Set the row of a form that has this name to a value, as text.
    Assign(&'a str, &'a str),
    /// A key without an action, such as a letter that is typed.
    Key(&'a KeyEvent),
    /// Pasted text.
    Paste(&'a str),
    Pointer(PointerInput),
    /// So much time has passed while the screen was on top, or below others.
    Time {
        passed: Duration,
        is_below: bool,
    },
    /// The time of [`Screen::unchanged_for`] is over.
    Clock,
    /// The time of [`Screen::timer`] is over.
    Tick,
    /// Another screen comes on top, or this one ends.
    Pause,
    /// The settings have changed, or the screen is new.
    Settings,
    /// The key for [`Action::Leave`] was pressed. A screen without an answer is popped. Where the screen is too small to
    /// draw, nobody can see a question.
    Leave {
        can_ask: bool,
    },
    /// What the engine has found that works on the question of this screen.
    Engine(EngineEvent),
    News(News<'a>),
    /// A command that this screen has put into a menu.
    Command(&'a dyn Any),
    /// A line about a task that was done or failed, to be shown until the next key.
    Message(&'a str),
}

/// What the mouse does.
#[derive(Clone, Copy)]
pub(super) enum PointerInput {
    /// Puts the cursor on an entry.
    Entry(usize),
    /// Puts the cursor on a row of a form, and chooses one of its values.
    Value(usize, usize),
    /// Turns the wheel outside the board, to what comes before if `back`.
    Wheel { back: bool },
    /// Points at the board, or leaves it.
    Board(Pointer),
    /// Takes a message away.
    Message,
}

/// How long a screen waits before it does something by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timer {
    /// What the screen waits for. When it changes, the time starts again.
    pub wait: WaitFor,
    pub length: Duration,
}

/// What a screen waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitFor {
    /// To go on from the step with this number, such as a position.
    Step(usize),
    /// To show the next move of the refutation, of which so many are shown.
    Refutation(usize),
    /// Until values have stood long enough; they have changed so often.
    Values(usize),
    /// To show the result.
    Result,
    /// To take the news with this number away.
    News(usize),
}

/// A screen. The app treats all screens alike: a new one is a file that implements this, a [`Destination`], and a line
/// in [`navigation`](super::navigation).
pub(super) trait Screen {
    /// What it shows. It is not live while a menu lies over it.
    fn view<'a>(&'a self, is_live: bool, context: &'a Context) -> View<'a>;

    /// What can be done here now, without what can be done on every screen. Where only [`Action::Confirm`] and
    /// [`Action::Cancel`] can be, keys are text.
    fn actions(&self, context: &Context) -> Vec<Action>;

    /// Answers an input; `None` if nothing has changed, so that nothing is drawn.
    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Act>>;

    /// The actions that the footer names, the most important first, without those that every screen has.
    /// [`Action::Leave`] is named only where it has another word than usual.
    fn key_hints(&self, context: &Context) -> Vec<KeyHint>;

    /// What its help says besides the keys; `None` if it has no help.
    fn about(&self) -> Option<About>;

    /// How long it will look the same if only time passes, such as until a clock shows another second; `None`
    /// if nothing on it depends on time. It counts from the last [`Input::Time`].
    fn unchanged_for(&self) -> Option<Duration> {
        None
    }

    /// How long to wait until [`Input::Tick`]. It is asked whenever anything has happened; while the
    /// answer is the same, the time runs on.
    fn timer(&self) -> Option<Timer> {
        None
    }

    /// The question that engines should work on now.
    fn question(&self, context: &Context) -> Option<Question> {
        let _ = context;
        None
    }

    /// The board on this screen: that of its match, unless it has another.
    fn board_mut(&mut self) -> Option<&mut dyn AnyBoard> {
        Some(&mut *self.open_match_mut()?.board)
    }

    /// The match played on this screen.
    fn open_match(&self) -> Option<&OpenMatch> {
        None
    }

    /// The same, to change it.
    fn open_match_mut(&mut self) -> Option<&mut OpenMatch> {
        None
    }

    /// Ends the screen, and returns the match played on it.
    fn leave(self: Box<Self>) -> Option<OpenMatch> {
        None
    }
}

/// Whether keys are text now, so that keys such as `?` and `q`, which every screen has, type a character too.
pub(super) fn takes_text(screen: &dyn Screen, context: &Context) -> bool {
    let actions = screen.actions(context);
    let is_of_text = |action: &Action| matches!(action, Action::Confirm | Action::Cancel);
    !actions.is_empty() && actions.iter().all(is_of_text)
}

/// The actions of every screen, the most important last; none where keys are text.
fn shared_actions(screen: &dyn Screen, context: &Context) -> Vec<Action> {
    if takes_text(screen, context) {
        return Vec::new();
    }
    // The theme is the first to go where there is no room.
    let theme = (context.has_themes() && !context.is_kiosk).then_some(Action::NextTheme);
    let help = screen.about().map(|_| Action::Help);
    theme.into_iter().chain(help).chain([Action::Leave]).collect()
}

/// All hints: those of the screen, and those of every screen.
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

/// All actions that can be done now. No two of them share a key.
pub(super) fn all_actions(screen: &dyn Screen, context: &Context) -> Vec<Action> {
    let mut actions = screen.actions(context);
    actions.extend(shared_actions(screen, context));
    actions.extend([Action::Quit, Action::Suspend, Action::Redraw]);
    if context.is_kiosk {
        actions.retain(|action| !matches!(action, Action::Suspend | Action::NextTheme));
    }
    actions
}
