//! Notices when the screen changes without a key pressed here, and keeps keys aimed at the old screen from acting on
//! the new one.
//!
//! This is the only place that does so: it compares what keys would act on before and after each event, and every
//! change that no key, command or click at this terminal has caused raises the [`Guard`]. Screens know nothing about
//! it, except that the status line of a match shows [`Context::notice`](super::Context::notice). Plain mode has no
//! guard, because it neither draws nor sends terminal events.

use super::guard::{Guard, GuardRule, Pressed};
use super::screen::{QuestionId, takes_text};
use super::{App, OpenMatch};
use crate::action::Action;
use quadrille_table::play::LineState;
use std::cell::Cell;
use std::time::Duration;

/// The actions that work under a guard: they only look around, go back, or concern the whole program.
const ALWAYS: &[Action] = &[
    Action::Left,
    Action::Down,
    Action::Up,
    Action::Right,
    Action::PreviousValue,
    Action::NextValue,
    Action::StepBack,
    Action::StepOn,
    Action::LeapBack,
    Action::LeapOn,
    Action::NextPage,
    Action::PageUp,
    Action::PageDown,
    Action::First,
    Action::Last,
    Action::Back,
    Action::Cancel,
    Action::Quit,
    Action::Suspend,
    Action::Redraw,
];

/// What keys act on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct KeyTarget {
    /// The id of the top screen. Later screens have larger ids.
    screen: usize,
    game: Option<MatchState>,
    /// The question in the status line; `None` under a menu or page.
    question: Option<QuestionId>,
}

/// The state of the match on the top screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MatchState {
    session: u64,
    is_over: bool,
    line: Connection,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Connection {
    /// Also a match without a table.
    Up,
    Down,
    Closed,
}

impl MatchState {
    fn of(open_match: &OpenMatch) -> MatchState {
        let line = match open_match.peers().map(|peers| &peers.line) {
            None | Some(LineState::Up) => Connection::Up,
            Some(LineState::Down(_)) => Connection::Down,
            Some(LineState::Closed(_)) => Connection::Closed,
        };
        let has_outcome = open_match.current_match().outcome().is_some();
        let is_over = has_outcome && !open_match.board.shows_interlude();
        MatchState { session: open_match.session().id(), is_over, line }
    }

    fn has_returned(self, before: MatchState) -> bool {
        before.line == Connection::Down && self.line == Connection::Up
    }

    /// Returns whether keys aimed at the match before must not act on it now. When the connection drops, the board
    /// stays, and nothing can be played.
    fn is_different(self, before: MatchState) -> bool {
        let is_closed = self.line == Connection::Closed && before.line != Connection::Closed;
        let is_other = (self.session, self.is_over) != (before.session, before.is_over);
        is_other || is_closed || self.has_returned(before)
    }
}

impl KeyTarget {
    fn has_closed_a_screen(self, before: KeyTarget) -> bool {
        self.screen < before.screen
    }

    fn is_different(self, before: KeyTarget) -> bool {
        self.screen != before.screen
            || self.game.zip(before.game).is_some_and(|(now, before)| now.is_different(before))
    }
}

#[derive(Debug)]
struct ScreenGuard {
    guard: Guard,
    /// Whether a page or menu closed by itself. If so, `q` could give up the seat.
    has_closed_a_screen: bool,
}

#[derive(Debug)]
pub(super) struct Unprompted {
    known: KeyTarget,
    /// Whether changes since the last comparison were caused by the user.
    is_own: bool,
    guard: Option<ScreenGuard>,
    /// The question that the match on top showed last. A page over the match does not change it.
    question: Option<QuestionId>,
    question_guard: Guard,
    /// The key for an answer that was pressed last.
    answered: Option<(Pressed, Duration)>,
    drawn: Cell<KeyTarget>,
    /// What the table has reported since the last comparison.
    report: Option<String>,
}

impl Default for Unprompted {
    /// The first screen was opened by a command.
    fn default() -> Unprompted {
        Unprompted {
            known: KeyTarget::default(),
            is_own: true,
            guard: None,
            question: None,
            question_guard: Guard::new(GuardRule::QUESTION),
            answered: None,
            drawn: Cell::default(),
            report: None,
        }
    }
}

impl App {
    fn key_target(&self) -> KeyTarget {
        let Some(top) = self.stack.last() else { return KeyTarget::default() };
        KeyTarget {
            screen: top.id,
            game: top.open_match().map(MatchState::of),
            question: top.readable_question(&self.context),
        }
    }

    /// Raises the guard if the screen has changed by itself. Call it after all events, before drawing.
    pub fn notice_changes(&mut self) {
        let (now, before) = (self.key_target(), self.unprompted.known);
        let is_own = std::mem::take(&mut self.unprompted.is_own);
        let report = self.unprompted.report.take();
        if now.is_different(before) {
            self.context.notice = None;
            if is_own {
                self.unprompted.guard = None;
            } else {
                self.raise_guard(now.has_closed_a_screen(before));
                self.context.notice = report.or_else(|| self.describe_change(now, before));
            }
        }
        // The notice may hide a question.
        let known = self.key_target();
        let Unprompted { question, question_guard, answered, .. } = &mut self.unprompted;
        if known.game.is_some() && *question != known.question {
            *question = known.question;
            *question_guard = Guard::new(GuardRule::QUESTION).after(*answered);
        }
        self.unprompted.known = known;
    }

    /// Records what the table reports, in case the screen changes because of it.
    pub(super) fn record_report(&mut self, report: Option<String>) {
        self.unprompted.report = report;
    }

    /// Attributes changes to the user if the latest event was the user's. Call it before any other event.
    pub(super) fn notice_own_changes(&mut self) {
        if self.unprompted.is_own {
            self.notice_changes();
        }
    }

    /// Attributes changes from now on to the user, until the next event.
    pub fn begin_own_changes(&mut self) {
        self.unprompted.is_own = true;
    }

    /// Guards the changes since the last comparison, even if a key has caused them.
    pub(super) fn attribute_changes_to_others(&mut self) {
        self.unprompted.is_own = false;
    }

    fn raise_guard(&mut self, has_closed_a_screen: bool) {
        let earlier = self.unprompted.guard.take().filter(|earlier| earlier.guard.is_up(self.now));
        let has_closed_a_screen =
            has_closed_a_screen || earlier.as_ref().is_some_and(|guard| guard.has_closed_a_screen);
        let last = earlier.and_then(|earlier| earlier.guard.last());
        let guard = Guard::new(GuardRule::SCREEN).after(last);
        self.unprompted.guard = Some(ScreenGuard { guard, has_closed_a_screen });
    }

    /// Says what happened, unless the screen says so anyway.
    fn describe_change(&self, now: KeyTarget, before: KeyTarget) -> Option<String> {
        let (game, earlier) = now.game.zip(before.game)?;
        if game.has_returned(earlier) {
            Some("Reconnected".to_owned())
        } else if game.line == Connection::Closed {
            None
        } else if game.session != earlier.session {
            Some("New match".to_owned())
        } else if game.is_over && self.motion.delays_result() {
            None
        } else if game.is_over {
            self.open_match().map(|open_match| open_match.match_view().result())
        } else {
            Some("The match goes on".to_owned())
        }
    }

    /// Guards the first screen, because others let the user in after a wait. Keys may have been pressed meanwhile.
    #[must_use]
    pub fn let_in_by_others(mut self) -> App {
        self.unprompted.known = self.key_target();
        self.unprompted.is_own = false;
        self.raise_guard(false);
        self.context.notice = Some("You are at the table".to_owned());
        self
    }

    pub(super) fn record_drawing(&self) {
        let mut drawn = self.key_target();
        // A screen that is too small shows no question.
        drawn.question.take_if(|_| self.cramped.get());
        self.unprompted.drawn.set(drawn);
    }

    /// Starts the guards of what the terminal now shows.
    pub(super) fn record_frame(&mut self, now: Duration) {
        let (drawn, known) = (self.unprompted.drawn.get(), self.unprompted.known);
        if (drawn.screen, drawn.game) != (known.screen, known.game) {
            return;
        }
        if let Some(guard) = &mut self.unprompted.guard {
            guard.guard.show(now);
        }
        if drawn.game.is_some() && drawn.question == self.unprompted.question {
            self.unprompted.question_guard.show(now);
        }
    }

    /// Returns when the notice about the change disappears.
    pub(super) fn notice_deadline(&self) -> Option<Duration> {
        self.context.notice.as_ref()?;
        self.unprompted.guard.as_ref()?.guard.end()
    }

    /// Removes a guard that has ended. Returns whether this changes the screen.
    pub(super) fn lower_guard(&mut self, now: Duration) -> bool {
        let guard = &mut self.unprompted.guard;
        guard.take_if(|guard| !guard.guard.is_up(now)).is_some()
            && self.context.notice.take().is_some()
    }

    /// Returns whether a key must not act, because it was meant for an earlier screen or question.
    pub(super) fn is_stray(&mut self, pressed: Pressed, action: Option<Action>) -> bool {
        let takes_text = self.stack.last().is_some_and(|top| takes_text(&**top, &self.context));
        let now = self.now;
        if let Some(ScreenGuard { guard, has_closed_a_screen }) = &mut self.unprompted.guard {
            let works = match action {
                Some(Action::Leave) => !*has_closed_a_screen,
                Some(action) => ALWAYS.contains(&action),
                // Editing a text plays nothing.
                None => takes_text,
            };
            if !works && guard.swallows(pressed, now) {
                return true;
            }
        }
        action.is_some_and(|action| self.answers_too_early(pressed, action))
    }

    /// Returns whether this key or click would answer a question that may not have been read yet.
    pub(super) fn answers_too_early(&mut self, pressed: Pressed, action: Action) -> bool {
        if !matches!(action, Action::Agree | Action::Refuse) {
            return false;
        }
        let Unprompted { question_guard, answered, .. } = &mut self.unprompted;
        *answered = Some((pressed, self.now));
        question_guard.swallows(pressed, self.now)
    }

    /// Returns whether a click must not act, because it was meant for an earlier screen.
    pub(super) fn is_stray_click(&mut self) -> bool {
        let guard = &mut self.unprompted.guard;
        guard.as_mut().is_some_and(|guard| guard.guard.swallows(Pressed::Button, self.now))
    }
}
