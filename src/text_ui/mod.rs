//! The text front end: the screens as lines of text, for screen readers, simple terminals and pipes.
//!
//! It has no screens of its own. [`TextUi`] runs the same [`App`] as the terminal front end: [`TextUi::on_line`]
//! interprets a typed line, and [`TextUi::announce`] returns the changes on the screens as sentences. A line is the
//! number or name of an entry, a value for a form row (`size=4`), a move, or a command for an action of the screen.
//! Words after the name of an entry are handled as the next line: `learn quixo 2` makes three choices.
//!
//! [`run()`] is the loop. It saves the match and runs engines like the loop of the terminal front end, and changes are
//! on disk before the answer to a line is written. At a prompt, a line is answered at once. Without a prompt, no line
//! is answered while an engine is thinking, so lines typed ahead always get the same answers.

mod board;
mod board_commands;
mod commands;
mod console;
mod form;
mod home_commands;
mod input;
mod list_commands;
mod names;
#[cfg(test)]
mod tests;
mod views;

pub use console::{TextOptions, run};
pub use input::LineReader;

use crate::action::Action;
use crate::app::{App, Task};
use crate::view::{Announcement, View};
use board::BoardMemory;
use names::quoted;
use quadrille_match::session::Player;
use quadrille_table::play::{Ask, Peers};
use quadrille_text::wording::sentence;
use std::collections::{HashMap, VecDeque};
use views::Page;

/// A text dialogue with an app.
#[derive(Default)]
pub struct TextUi {
    output: Vec<String>,
    /// The rest of a typed line, for the screens that it opens.
    queue: VecDeque<QueuedLine>,
    /// The id of the screen on which the queued line was typed.
    queued_on: Option<usize>,
    /// What was announced for each open board, by screen id.
    boards: HashMap<usize, BoardMemory>,
    /// What was read of each open screen without a board, by screen id.
    views: HashMap<usize, Page>,
    /// Whether the host is still reading list entries. A list is announced when it is complete.
    is_loading: bool,
    /// The number of chat messages announced.
    chat: usize,
    /// The number of the app's own announcements read.
    heard: usize,
    /// The command word that was last typed as text.
    doubted: Option<String>,
    /// Whether the last line still needs an answer.
    is_unanswered: bool,
}

/// A line for a screen that is about to open.
struct QueuedLine {
    line: String,
    /// Whether the user typed it, rather than a command that consists of several lines.
    is_typed: bool,
}

impl TextUi {
    pub fn print(&mut self, line: impl Into<String>) {
        self.output.push(line.into());
    }

    /// Returns the next line from the queue. The rest of a line is refused if the line has opened no screen.
    pub fn next_line(&mut self, app: &App) -> Option<String> {
        if self.queue.is_empty() {
            return None;
        }
        let shown = app.visible_views();
        let (id, view) = shown.first()?;
        if self.queued_on == Some(*id) {
            let typed = self.queue.drain(..).filter(|queued| queued.is_typed);
            let ignored = typed.map(|queued| format!("Ignored: {}.", quoted(&queued.line)));
            self.output.extend(ignored);
        }
        // Several words may be meant for the same board.
        if !matches!(view, View::Board(_)) {
            self.queued_on = Some(*id);
        }
        self.queue.pop_front().map(|queued| queued.line)
    }

    pub fn has_line(&self) -> bool {
        !self.queue.is_empty()
    }

    pub fn set_loading(&mut self, is_loading: bool) {
        self.is_loading = is_loading;
    }

    /// Returns the lines to print for all changes on the screens.
    pub fn announce(&mut self, app: &App) -> Vec<String> {
        self.print_chat(app);
        self.print_announcements(app);
        let shown = app.visible_views();
        // Announce the lower screens first.
        for (id, view) in shown.into_iter().rev() {
            self.print_view(id, &view, app);
        }
        // An engine is about to answer.
        if self.is_unanswered && app.awaited_question().is_none() && self.queue.is_empty() {
            // The table answers its requests itself.
            if self.output.is_empty() && !app.peers().is_some_and(Peers::has_requests) {
                self.print_status(app);
            }
            self.is_unanswered = false;
        }
        std::mem::take(&mut self.output)
    }

    pub fn leave_unanswered(&mut self) {
        self.is_unanswered = false;
    }

    fn print_chat(&mut self, app: &App) {
        let Some(peers) = app.peers() else {
            self.chat = 0;
            return;
        };
        let new = peers.heard.saturating_sub(self.chat).min(peers.said.len());
        let said: Vec<String> = peers
            .said
            .range(peers.said.len() - new..)
            .map(|message| {
                let author = message.author(&app.local_time());
                let says = if message.sent.is_some() { "" } else { " says" };
                format!("{author}{says}: {}", message.text)
            })
            .collect();
        self.chat = peers.heard;
        self.output.extend(said);
    }

    /// Prints what happened to matches that are no longer on the screen.
    fn print_announcements(&mut self, app: &App) {
        let announcements = app.announcements();
        for announcement in announcements.after(self.heard) {
            if let Announcement::Event(words) | Announcement::Refusal(words) = announcement {
                self.output.push(sentence(words));
            }
        }
        self.heard = announcements.count();
    }

    /// Ends an analysis: announces the values found so far and stops the engine.
    pub fn end_analysis(&mut self, app: &mut App) -> Vec<Task> {
        self.print_values(app);
        app.perform_action(Action::Values)
    }

    pub fn wants_values(&self, app: &App) -> bool {
        app.shows_values()
    }

    /// Returns the notice that an engine is still thinking.
    pub fn thinking(&self, app: &App) -> String {
        let mover = app.open_match().and_then(|table| table.engine_to_move());
        let name =
            mover.filter(|_| app.awaits_move()).and_then(Player::name).unwrap_or("The engine");
        format!("{name} is thinking.")
    }

    pub fn is_analysis(ask: &Ask) -> bool {
        matches!(ask, Ask::Analysis(_))
    }
}
