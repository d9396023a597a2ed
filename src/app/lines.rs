//! The interface for line-based front ends: the visible views as output, and whole lines as input.

use super::command::{Command, Commands};
use super::screen::{Effect, Input, PointerInput, WaitFor, all_commands, takes_text};
use super::{App, OpenMatch, Task};
use crate::action::{Action, CLEAR_FIELD};
use crate::field::Field;
use crate::view::{Announcements, View};
use quadrille_puzzles::PuzzleSet;
use quadrille_table::play::{Ask, Peers, Respondent};

impl App {
    /// Returns the visible views, top first, each with the id of its screen. Every new screen has a new id.
    pub(crate) fn visible_views(&self) -> Vec<(usize, View<'_>)> {
        let ids = self.stack.iter().rev().map(|layer| layer.id);
        ids.zip(self.views()).collect()
    }

    /// Returns whether text is being typed, so that a line is text and not a command.
    pub(crate) fn takes_text(&self) -> bool {
        self.stack.last().is_some_and(|top| takes_text(&**top, &self.context))
    }

    pub(crate) fn perform_action(&mut self, action: Action) -> Vec<Task> {
        let effects = self.perform(action);
        self.carry_out(effects.unwrap_or_default())
    }

    /// Does what a command of the screen on top does.
    pub(crate) fn run(&mut self, command: &Command) -> Vec<Task> {
        match command.own_effects() {
            [] => command.action().map_or_else(Vec::new, |action| self.perform_action(action)),
            effects => self.carry_out(effects.to_vec()),
        }
    }

    /// Returns the commands of the screens below the top, uppermost first.
    pub(crate) fn commands_below(&self) -> impl Iterator<Item = Commands> {
        let below = self.stack.iter().rev().skip(1);
        below.map(|screen| all_commands(&**screen, &self.context))
    }

    pub(crate) fn leave_at_once(&mut self) -> Vec<Task> {
        let effects = self.send_input(Input::Leave { can_ask: false }).unwrap_or(vec![Effect::Pop]);
        self.carry_out(effects)
    }

    /// Answers the question that its table has given this number.
    pub(crate) fn answer_question(&mut self, number: u64, yes: bool) -> Vec<Task> {
        let effects = self.send_input(Input::Answer(number, yes));
        self.carry_out(effects.unwrap_or_default())
    }

    pub(crate) fn dismiss_message(&mut self) {
        self.send_input(Input::Pointer(PointerInput::Message));
    }

    /// Continues like Enter when Enter does not apply to the board; `None` if Enter does not continue the screen.
    pub(crate) fn continue_screen(&mut self) -> Option<Vec<Task>> {
        let effects = self.send_input(Input::Continue)?;
        Some(self.carry_out(effects))
    }

    pub(crate) fn go_to_listed(&mut self, entry: usize) -> Vec<Task> {
        let effects = self.send_input(Input::GoTo(entry));
        self.carry_out(effects.unwrap_or_default())
    }

    /// Replaces the text of the open field and confirms it; see [`App::takes_text`].
    pub(crate) fn type_text(&mut self, text: &str) -> Vec<Task> {
        if self.actions().contains(&Action::Confirm) {
            self.send_input(Input::Key(&CLEAR_FIELD));
        }
        let effects = self.send_input(Input::Paste(text));
        let mut tasks = self.carry_out(effects.unwrap_or_default());
        tasks.extend(self.perform_action(Action::Confirm));
        tasks
    }

    /// Returns the fields of the screen on top that a line can set, in the order of their rows.
    pub(crate) fn fields(&self) -> Vec<Field> {
        self.stack.last().map_or_else(Vec::new, |top| top.fields(&self.context))
    }

    /// Sets the field at this index of [`App::fields`] to a value that it allows.
    pub(crate) fn set_field(&mut self, index: usize, value: &str) -> Vec<Task> {
        let effects = self.send_input(Input::Set(index, value));
        self.carry_out(effects.unwrap_or_default())
    }

    pub(crate) fn open_course(&mut self, course: PuzzleSet) -> Vec<Task> {
        self.carry_out(vec![Effect::open(course)])
    }

    /// Returns the local date, which a [`PuzzleSet`] needs.
    pub(crate) fn today(&self) -> jiff::civil::Date {
        self.context.today()
    }

    /// Returns the question to an engine that the user is waiting for: a move, help, proofs or a review.
    pub(crate) fn awaited_question(&self) -> Option<&Ask> {
        let ask = &self.pending.question()?.ask;
        (!matches!(ask, Ask::Ponder)).then_some(ask)
    }

    /// Skips a purely visual pause: a finished round on the board, the moves of a refutation, or a short result. `None`
    /// if there is no such pause.
    pub(crate) fn skip_pause(&mut self) -> Option<Vec<Task>> {
        let top = self.stack.last_mut()?;
        if top.board_mut().is_some_and(|board| board.shows_interlude()) {
            return Some(self.perform_action(Action::Choose));
        }
        match top.timer()?.wait {
            WaitFor::Step(_) | WaitFor::Result | WaitFor::PuzzleResult => {}
            // The refuting reply has already been announced.
            WaitFor::Refutation(_) => return self.continue_screen(),
            WaitFor::Values(_) | WaitFor::News(_) => return None,
        }
        let effects = self.send_input(Input::Tick)?;
        Some(self.carry_out(effects))
    }

    /// Returns what happened to matches that are no longer on the screen.
    pub(crate) fn announcements(&self) -> &Announcements {
        &self.context.announcements
    }

    /// Returns whether the shared table has to answer a move or a request from this terminal.
    pub(crate) fn awaits_table(&self) -> bool {
        self.peers().is_some_and(Peers::awaits_answer)
    }

    pub(crate) fn peers(&self) -> Option<&Peers> {
        self.open_match()?.peers()
    }

    /// Returns whether help is allowed in the match on the screen.
    pub(crate) fn may_help(&self) -> bool {
        let is_allowed = |open_match: &OpenMatch| {
            let is_allowed_here = open_match.peers().is_none_or(|peers| peers.has_hints);
            self.context.settings.hints && is_allowed_here
        };
        self.open_match().is_none_or(is_allowed)
    }

    /// Returns whether an engine or a program is to move and has not answered.
    pub(crate) fn awaits_move(&self) -> bool {
        matches!(self.awaited_question(), Some(Ask::Move { .. }))
    }

    /// Returns whether a program, rather than a built-in engine, is to move.
    pub(crate) fn awaits_program(&self) -> bool {
        let question = self.pending.question();
        question.is_some_and(|question| {
            matches!(&question.to, Respondent::Seat { player, .. } if player.engine().is_none())
        })
    }

    pub(crate) fn shows_values(&self) -> bool {
        let shows = |view: &View<'_>| matches!(view, View::Board(board) if board.values.is_some());
        self.open_match().is_some() && self.views().first().is_some_and(shows)
    }
}
