//! What a front end in lines of text needs: the views that show, and whole lines as input.

use super::destination::Destination;
use super::screen::{Act, Input, PointerInput, WaitFor, takes_text};
use super::{App, Task};
use crate::action::{Action, CLEAR_FIELD};
use crate::play::{Ask, Peers, Respondent};
use crate::puzzles::Course;
use crate::view::View;

impl App {
    /// The views that show, the top one first, each with the number of its screen. A new screen has a new number.
    pub(crate) fn shown(&self) -> Vec<(usize, View<'_>)> {
        let ids = self.stack.iter().rev().map(|layer| layer.id);
        ids.zip(self.views()).collect()
    }

    /// Whether a text is being typed, so that a line is only text.
    pub(crate) fn takes_text(&self) -> bool {
        self.stack.last().is_some_and(|top| takes_text(&**top, &self.context))
    }

    /// Does an action on the top screen.
    pub(crate) fn perform_action(&mut self, action: Action) -> Vec<Task> {
        let acts = self.perform(action);
        self.carry_out(acts.unwrap_or_default())
    }

    /// Leaves the top screen without a question.
    pub(crate) fn leave_at_once(&mut self) -> Vec<Task> {
        let acts = self.tell(Input::Leave { can_ask: false }).unwrap_or(vec![Act::Pop]);
        self.carry_out(acts)
    }

    /// Takes the message of the top screen away.
    pub(crate) fn dismiss_message(&mut self) {
        self.tell(Input::Pointer(PointerInput::Message));
    }

    /// Goes on, as Enter does where it chooses nothing on a board; `None` where it does not.
    pub(crate) fn go_on(&mut self) -> Option<Vec<Task>> {
        let acts = self.tell(Input::GoOn)?;
        Some(self.carry_out(acts))
    }

    /// Puts the cursor of the top screen on this entry.
    pub(crate) fn point_at_entry(&mut self, entry: usize) -> Vec<Task> {
        let acts = self.tell(Input::Pointer(PointerInput::Entry(entry)));
        self.carry_out(acts.unwrap_or_default())
    }

    /// Replaces the text of a field where [`App::takes_text`], and finishes it.
    pub(crate) fn type_text(&mut self, text: &str) -> Vec<Task> {
        if self.actions().contains(&Action::Confirm) {
            self.tell(Input::Key(&CLEAR_FIELD));
        }
        let acts = self.tell(Input::Paste(text));
        let mut tasks = self.carry_out(acts.unwrap_or_default());
        tasks.extend(self.perform_action(Action::Confirm));
        tasks
    }

    /// Sets the row with this name in the form on top. `false` if there is none.
    pub(crate) fn assign(&mut self, name: &str, value: &str) -> Option<Vec<Task>> {
        let acts = self.tell(Input::Assign(name, value))?;
        Some(self.carry_out(acts))
    }

    /// Opens the list of unfinished matches.
    pub(crate) fn open_unfinished(&mut self) -> Vec<Task> {
        self.carry_out(vec![Act::Open(Destination::Unfinished)])
    }

    /// Opens the strength of the user in each game.
    pub(crate) fn open_strength(&mut self) -> Vec<Task> {
        self.carry_out(vec![Act::Open(Destination::Results)])
    }

    /// Opens the first puzzle of a course.
    pub(crate) fn open_course(&mut self, course: Course) -> Vec<Task> {
        self.carry_out(vec![Act::open(course)])
    }

    /// The day where the user is, for a [`Course`].
    pub(crate) fn today(&self) -> jiff::civil::Date {
        self.context.today()
    }

    /// The question to an engine whose answer the user waits for: a move, or help.
    pub(crate) fn awaited(&self) -> Option<&Ask> {
        let ask = &self.pending.question()?.ask;
        (!matches!(ask, Ask::Ponder | Ask::Review)).then_some(ask)
    }

    /// Ends a pause that only gives the eye time: a finished round on the board, the steps of a refutation, a short result.
    /// `None` if there is nothing like that.
    pub(crate) fn skip_pause(&mut self) -> Option<Vec<Task>> {
        let top = self.stack.last_mut()?;
        if top.board_mut().is_some_and(|board| board.shows_interlude()) {
            return Some(self.perform_action(Action::Choose));
        }
        match top.timer()?.wait {
            WaitFor::Step(_) | WaitFor::Result => {}
            // The reply that refutes the move is said already.
            WaitFor::Refutation(_) => return self.go_on(),
            WaitFor::Values(_) | WaitFor::News(_) => return None,
        }
        let acts = self.tell(Input::Tick)?;
        Some(self.carry_out(acts))
    }

    /// The table that the match on the screen shares with other terminals.
    pub(crate) fn peers(&self) -> Option<&Peers> {
        self.open_match()?.peers()
    }

    /// Whether a program, and no engine of ours, is asked for a move.
    pub(crate) fn awaits_program(&self) -> bool {
        let question = self.pending.question();
        question.is_some_and(|question| {
            matches!(&question.to, Respondent::Seat { player, .. } if player.engine().is_none())
        })
    }

    /// Whether the values of the moves are wanted on the board on top.
    pub(crate) fn shows_values(&self) -> bool {
        match self.views().first() {
            Some(View::Board(board)) => board.worth.is_some(),
            _ => false,
        }
    }
}
