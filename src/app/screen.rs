//! The trait for screens, and the requests that screens make to the app.

pub(super) use super::about::About;

use super::OpenMatch;
use super::command::{Command, Commands};
use super::destination::Destination;
use super::news::News;
use super::unfinished::UnfinishedId;
use super::{Context, Task};
use crate::action::Action;
use crate::board::{AnyBoard, Gesture, Pointer};
use crate::field::Field;
use crate::settings::Settings;
use crate::view::View;
use crossterm::event::KeyEvent;
use quadrille_rules::Seat;
use quadrille_system::job_control::HAS_SUSPENSION;
use quadrille_table::play::{EngineEvent, Question};
use std::any::Any;
use std::fmt::Debug;
use std::rc::Rc;
use std::time::Duration;

/// A request from a screen to the app. The effects in response to one key run in order.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    Open(Destination),
    Replace(Destination),
    /// Leave this screen. Leaving the last screen ends the program.
    Pop,
    /// Perform an action on the new top screen.
    Perform(Action),
    /// Send a command to the new top screen.
    Command(Rc<dyn ScreenCommand>),
    /// Resume an unfinished match, or show it if it has ended.
    Resume(UnfinishedId),
    Discard(UnfinishedId),
    Set(Box<Settings>),
    Run(Task),
}

impl Effect {
    pub fn open(destination: impl Into<Destination>) -> Effect {
        Effect::Open(destination.into())
    }

    pub fn replace(destination: impl Into<Destination>) -> Effect {
        Effect::Replace(destination.into())
    }

    pub fn run(task: impl Into<Task>) -> Effect {
        Effect::Run(task.into())
    }

    pub fn command(command: impl ScreenCommand) -> Effect {
        Effect::Command(Rc::new(command))
    }
}

/// A command that a menu entry sends to the screen below. Each screen defines a type of its own, which the menu does
/// not know.
pub(super) trait ScreenCommand: Any + Debug {}

impl<T: Any + Debug> ScreenCommand for T {}

pub(super) enum Input<'a> {
    Action(Action),
    /// Enter when it does not apply to the board.
    Continue,
    /// Sets the field at this index of [`Screen::fields`] to a value that it allows.
    Set(usize, &'a str),
    /// A key that has no action, such as a typed letter.
    Key(&'a KeyEvent),
    Paste(&'a str),
    Pointer(PointerInput),
    /// Moves the cursor to an entry: a click, or its number or name in a line-based front end.
    GoTo(usize),
    /// Time that elapsed while this screen was on top, or while other screens covered it.
    Time {
        passed: Duration,
        is_below: bool,
    },
    /// The time from [`Screen::unchanged_for`] has elapsed.
    Clock,
    /// The [`Screen::timer`] has elapsed.
    Tick,
    /// Another screen opens on top, or this screen ends.
    Pause,
    Settings,
    /// A key for [`Action::Leave`]. If the screen does not handle this input, it is popped. `can_ask` is false if the
    /// screen is too small to show a question.
    Leave {
        can_ask: bool,
    },
    /// An engine's answer to the question of this screen.
    Engine(EngineEvent),
    News(News<'a>),
    /// A typed answer to the question with this number.
    Answer(u64, bool),
    /// A command from a menu entry that this screen created.
    Command(&'a dyn Any),
    /// The outcome of a task, shown until the next key press.
    Message(&'a str),
}

impl Input<'_> {
    /// Returns whether the user has pressed a key that works, or a button of the mouse.
    pub fn is_by_hand(&self) -> bool {
        match self {
            Input::Action(_) => true,
            Input::Pointer(PointerInput::Board(pointer)) => pointer.gesture == Gesture::Press,
            _ => false,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum PointerInput {
    /// Moves the cursor to a row of a form and selects one of its values.
    Value(usize, usize),
    /// Turns the wheel outside the board; `back` means up.
    Wheel { back: bool },
    /// Moves the pointer over the board or off it, or clicks on the board.
    Board(Pointer),
    /// Dismisses a message.
    Message,
}

/// Identifies a question from one player to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuestionId {
    /// The number of the question at its table.
    AtTable(u64),
    /// A draw offer at this terminal: its index in the log, and the player to answer.
    Draw(usize, Seat),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timer {
    /// The reason for waiting. When it changes, the timer restarts.
    pub wait: WaitFor,
    pub length: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitFor {
    /// The end of the step with this number, such as a position in a replay.
    Step(usize),
    /// The next move of the refutation. The number counts the moves shown so far.
    Refutation(usize),
    /// Settled values. The number counts their changes so far.
    Values(usize),
    /// The result of a match, which is shown at once or, after an animation, when the winner was shown.
    Result,
    /// The result of a puzzle in a rush.
    PuzzleResult,
    /// The dismissal of the news with this number.
    News(usize),
}

/// A screen. A new screen needs a file that implements this trait, a [`Destination`], and a line in
/// [`navigation`](super::navigation).
pub(super) trait Screen {
    /// Returns the view. `is_live` is false while a menu covers the screen.
    fn view<'a>(&'a self, is_live: bool, context: &'a Context) -> View<'a>;

    /// Returns what the user can do now, most important first, excluding the commands that every screen has. If their
    /// actions are only [`Action::Confirm`] and [`Action::Cancel`], keys are text. Includes [`Action::Leave`] only if
    /// its word differs from the usual one.
    fn commands(&self, context: &Context) -> Commands;

    /// Handles an input; `None` if nothing has changed, so that no redraw is needed.
    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>>;

    /// Returns the fields that a typed line can set: those on the rows of a form in their order, then the others.
    fn fields(&self, context: &Context) -> Vec<Field> {
        let _ = context;
        Vec::new()
    }

    /// Returns the help text of the screen, without its keys; `None` if the screen has no help.
    fn about(&self) -> Option<About>;

    /// Returns how long the screen looks unchanged if only time passes, for example until a clock shows the next
    /// second; `None` if nothing depends on time. The period starts at the last [`Input::Time`].
    fn unchanged_for(&self) -> Option<Duration> {
        None
    }

    /// Returns the time until [`Input::Tick`]. Called after every event; the timer restarts only when the returned
    /// value changes.
    fn timer(&self) -> Option<Timer> {
        None
    }

    fn question(&self, context: &Context) -> Option<Question> {
        let _ = context;
        None
    }

    /// Returns the question between players that the user can read and answer with a key.
    fn readable_question(&self, context: &Context) -> Option<QuestionId> {
        let _ = context;
        None
    }

    /// Returns the board on this screen. By default it is the board of the screen's match.
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

/// Returns whether keys are text. If so, even `?` and `q`, which are actions on every other screen, type a character.
pub(super) fn takes_text(screen: &dyn Screen, context: &Context) -> bool {
    are_of_text(&screen.commands(context))
}

fn are_of_text(commands: &Commands) -> bool {
    let actions = commands.actions();
    let is_of_text = |action: &Action| matches!(action, Action::Confirm | Action::Cancel);
    !actions.is_empty() && actions.iter().all(is_of_text)
}

/// Returns the commands of this screen, followed by those that every screen has. No two of their actions share a key.
pub(super) fn all_commands(screen: &dyn Screen, context: &Context) -> Commands {
    let always: &[Action] = if context.is_kiosk || !HAS_SUSPENSION {
        &[Action::Quit, Action::Redraw]
    } else {
        &[Action::Quit, Action::Suspend, Action::Redraw]
    };
    let commands = screen.commands(context);
    if are_of_text(&commands) {
        return commands.hide(always);
    }
    let (leave, commands) = commands.split_off(Action::Leave);
    let leave = leave.into_iter().next().unwrap_or(Action::Leave.to("leave").into());
    // If space is short, the theme is omitted first.
    commands
        .show_if(context.has_themes() && !context.is_kiosk, Action::NextTheme.hint())
        .show_if(screen.about().is_some(), Action::Help.hint())
        .show(Command::shown_if(leave, true))
        .hide(always)
}
