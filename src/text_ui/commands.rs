//! Interprets a line typed on the current screen.

use super::board_commands::ASKS;
use super::names::{Name, quoted};
use super::{QueuedLine, TextUi};
use crate::action::Action;
use crate::app::{App, Command, Task};
use crate::view::{BoardView, ListView, View};
use quadrille_text::wording::{either, list};

impl TextUi {
    pub fn on_line(&mut self, line: &str, app: &mut App) -> Vec<Task> {
        let text = line.trim();
        // A typed answer counts at once, even if a message covers the question.
        app.dismiss_message();
        let doubted = self.doubted.take();
        if app.takes_text() {
            return self.on_text(text, doubted.as_deref(), app);
        }
        let text = if text == "?" { "help" } else { text };
        self.is_unanswered = true;
        if is_board(app) { self.on_board_line(text, app) } else { self.on_list_line(text, app) }
    }

    /// Takes a line as text. A word that is a command elsewhere is text only if it is typed again.
    fn on_text(&mut self, text: &str, doubted: Option<&str>, app: &mut App) -> Vec<Task> {
        let finds = matches!(
            app.visible_views().first(),
            Some((_, View::List(ListView { filter: Some(_), .. })))
        );
        if text.is_empty() && !finds {
            return app.perform_action(Action::Cancel);
        }
        let mut words = Action::ALL.iter().flat_map(|action| action.words().split_whitespace());
        let is_command = text == "done" || words.any(|word| word == text);
        if is_command && doubted != Some(text) && app.actions().contains(&Action::Confirm) {
            self.doubted = Some(text.to_owned());
            self.print(format!(
                "{} is also a command. Type it again to use it as text, or an empty line to cancel.",
                quoted(text)
            ));
            return Vec::new();
        }
        self.type_text(text, app)
    }

    /// Types a text into the open field. The list that a search finds is read as a whole.
    pub(super) fn type_text(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        if let Some((id, View::List(ListView { filter: Some(_), .. }))) =
            app.visible_views().first()
        {
            self.views.remove(id);
        }
        app.type_text(text)
    }

    pub(super) fn ask_which(&mut self, text: &str, words: &[String]) -> Vec<Task> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.print(format!(
            "{} is ambiguous: {}. Type more letters.",
            quoted(text),
            either(&words)
        ));
        Vec::new()
    }

    /// Does what a command does. The rest of the line is for the screen that it opens.
    pub(super) fn run(&mut self, command: &Command, rest: &str, app: &mut App) -> Vec<Task> {
        // The values of the moves are announced when they are known.
        self.is_unanswered &= !command.is(Action::Values);
        match command.action() {
            Some(Action::Help) => {
                self.help(app);
                return Vec::new();
            }
            // Text output cannot draw over the board.
            Some(Action::Chains) if app.may_help() => {
                self.with_board(app, TextUi::print_notes);
                return Vec::new();
            }
            // Unlike a key press, a typed word is unlikely to be a mistake.
            Some(Action::Leave) if is_board(app) => return app.leave_at_once(),
            _ => {}
        }
        let typed = match rest {
            "" => String::new(),
            rest => format!("{} {rest}", command.passes_on()),
        };
        let typed = Some(typed.trim().to_owned()).filter(|line| !line.is_empty());
        let typed = typed.map(|line| QueuedLine { line, is_typed: true });
        let follow = command.followed_by().iter();
        let follow = follow.map(|line| QueuedLine { line: (*line).to_owned(), is_typed: false });
        self.queue_first(typed.into_iter().chain(follow), app);
        app.run(command)
    }

    /// Queues lines before those that are already queued.
    pub(super) fn queue_first(&mut self, lines: impl IntoIterator<Item = QueuedLine>, app: &App) {
        let mut lines = lines.into_iter().peekable();
        if lines.peek().is_none() {
            return;
        }
        let later = std::mem::take(&mut self.queue);
        self.queue.extend(lines);
        self.queue.extend(later);
        self.queued_on = app.visible_views().first().map(|(id, _)| *id);
    }

    pub(super) fn with_board(
        &mut self,
        app: &App,
        print: impl FnOnce(&mut TextUi, &BoardView<'_>),
    ) {
        if let Some((_, View::Board(view))) = app.visible_views().first() {
            print(self, view);
        }
    }

    fn help(&mut self, app: &App) {
        let (is_board, is_home) = match app.visible_views().first() {
            Some((_, View::Board(view))) => {
                let mv = view.words.game.legal_moves().into_iter().next();
                let example = mv.map_or(String::new(), |mv| format!(" such as {mv}"));
                self.print(if view.is_replay {
                    "Type the number of a move to go there, or a command:".to_owned()
                } else {
                    format!("Type a move{example} or a command:")
                });
                self.output.extend(ASKS.map(|(word, sentence)| format!("{word}: {sentence}.")));
                (true, false)
            }
            Some((_, View::Cards(_))) => (false, true),
            _ => (false, false),
        };
        if !is_board && !is_home {
            self.print("Type the number or the name of an entry, or a command:");
        }
        let commands = app.commands();
        let mut entries: Vec<String> = Vec::new();
        // The last line but one describes the menu.
        let on_board = ASKS.into_iter().map(|(word, _)| word).chain(["menu"]);
        let mut known: Vec<String> = on_board.filter(|_| is_board).map(str::to_owned).collect();
        let works = |command: &&Command| command.is_available() || command.is_of_entry();
        for command in commands.iter().filter(works) {
            let Some(word) = command.words().into_iter().next() else { continue };
            if known.contains(&word) {
                continue;
            }
            known.push(word.clone());
            if command.sentence().is_empty() {
                entries.push(word);
            } else {
                let entry = if command.is_of_entry() { " N" } else { "" };
                self.print(format!("{word}{entry}: {}.", command.sentence()));
            }
        }
        if is_board && !entries.is_empty() {
            self.print(format!(
                "menu: list more actions, which you can also type: {}.",
                list(entries)
            ));
        }
        if is_board {
            self.print("Press Enter to continue, or to hear whose turn it is.");
        }
    }
}

pub(super) fn is_board(app: &App) -> bool {
    matches!(app.visible_views().first(), Some((_, View::Board(_))))
}

/// Returns whether one of these names has the word.
pub(super) fn has_word<T>(names: impl IntoIterator<Item = Name<T>>, word: &str) -> bool {
    names.into_iter().any(|name| name.words.iter().any(|own| own == word))
}
