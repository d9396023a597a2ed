//! Lines typed on lists, menus and forms: the number or name of an entry, or a command.

use super::board_commands::{asks, find_on_board};
use super::commands::has_word;
use super::names::{
    Found, Meaning, Name, entries, entry_named, find, named_exactly, names, quoted, split,
};
use super::views::{closes_by_itself, describe, is_loaded_in_pieces};
use super::{QueuedLine, TextUi};
use crate::action::Action;
use crate::app::{App, Command, Task};
use crate::view::View;
use quadrille_match::session::read_typed;
use quadrille_table::catalogue;

/// What lines are typed on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Home,
    Form,
    /// A menu over another screen.
    MenuAbove,
    Other,
}

impl TextUi {
    pub(super) fn print_again(&mut self, app: &App) {
        if let Some((id, view)) = app.visible_views().first() {
            let page = describe(view);
            self.output.extend(page.lines.iter().cloned());
            self.views.insert(*id, page);
        }
    }

    pub fn close_finished_screen(&mut self, app: &mut App) -> Option<Vec<Task>> {
        let close = {
            let (_, top) = app.visible_views().into_iter().next()?;
            let is_incomplete = self.is_loading && is_loaded_in_pieces(&top);
            closes_by_itself(&top).filter(|_| !is_incomplete)?
        };
        Some(app.perform_action(close))
    }

    /// Chooses an entry. The rest of the line is for the screen that the entry opens.
    pub(super) fn choose(&mut self, entry: usize, rest: &str, app: &mut App) -> Vec<Task> {
        let rest = Some(rest.to_owned()).filter(|line| !line.is_empty());
        self.queue_first(rest.map(|line| QueuedLine { line, is_typed: true }), app);
        let query = menu_query(entry, app);
        let mut tasks = app.go_to_listed(entry);
        tasks.extend(app.perform_action(Action::Choose));
        if let Some(word) = query {
            self.with_board(app, |ui, view| {
                ui.answer_query(word, view);
            });
        }
        tasks
    }

    pub(super) fn on_list_line(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        if text.is_empty() {
            return self.enter(app);
        }
        let Some((kind, entries)) = read_top(app) else { return Vec::new() };
        let commands = app.commands();
        let is_general = |command: &Command| {
            [Action::Back, Action::Leave, Action::Help].iter().any(|action| command.is(*action))
        };
        let is_command =
            commands.iter().any(|command| is_general(command) && command.is_named(text));
        if kind == Kind::Form && text == "options" {
            self.print_again(app);
            return Vec::new();
        }
        if kind == Kind::Form
            && !is_command
            && let Some(tasks) = self.on_form_line(text, app)
        {
            return tasks;
        }
        if let Ok(number) = text.parse::<usize>() {
            return match self.listed(number, entries.len()) {
                Some(entry) => self.choose(entry, "", app),
                None => Vec::new(),
            };
        }
        let (first, rest) = split(text);
        if kind == Kind::MenuAbove
            && has_word(asks(), text)
            && let Some(tasks) = self.on_line_below_menu(text, app)
        {
            return tasks;
        }
        // A word of a row must not change the row; `on_form_line` reads and sets rows.
        let entries = if kind == Kind::Form { Vec::new() } else { entries };
        // Leaving a menu over a board leaves the board.
        let leaves = |name: &Name<Meaning>| match name.meaning {
            Meaning::Command(at) => kind == Kind::MenuAbove && commands[at].is(Action::Leave),
            Meaning::Ask(_) => false,
        };
        let names: Vec<_> = names(&commands).filter(|name| !leaves(name)).collect();
        // On the home screen `q` means Quixo, not `quit`.
        let is_game = kind == Kind::Home && catalogue::named(first).is_ok();
        let found = find(first, &names);
        if kind == Kind::Home && !is_game {
            match &found {
                Found::One(Meaning::Command(at)) => {
                    return self.run_at_home(&commands[*at], rest, entries.len(), app);
                }
                Found::Several(words) => return self.ask_which(first, words),
                _ => {}
            }
        }
        if let Some(entry) = named_exactly(text, &entries) {
            return self.choose(entry, "", app);
        }
        if kind == Kind::MenuAbove
            && let Some(entry) = named_exactly(first, &entries)
        {
            return self.choose(entry, rest, app);
        }
        if !is_game && let Some(Meaning::Command(at)) = named_exactly(first, &names) {
            return self.run_on_list(&commands[at], rest, entries.len(), app);
        }
        if let Some(entry) = entry_named(text, &entries) {
            return self.choose(entry, "", app);
        }
        if let Some((entry, rest)) = game_named(text, &entries) {
            return self.choose(entry, rest, app);
        }
        match found {
            Found::One(Meaning::Command(at)) => {
                return self.run_on_list(&commands[at], rest, entries.len(), app);
            }
            Found::Several(words) => return self.ask_which(first, &words),
            _ => {}
        }
        if let Some(entry) = entry_named(first, &entries) {
            return self.choose(entry, rest, app);
        }
        if kind == Kind::MenuAbove
            && let Some(tasks) = self.on_line_below_menu(text, app)
        {
            return tasks;
        }
        // A list closes for a command of the home screen.
        let is_of_home = |command: &Command| command.action().is_none() && command.is_named(first);
        let home = app.commands_below().last();
        if kind == Kind::Other && home.is_some_and(|home| home.iter().any(is_of_home)) {
            let mut tasks = app.perform_action(Action::Back);
            tasks.extend(self.on_line(text, app));
            return tasks;
        }
        self.refuse_choice(text, kind, app)
    }

    fn refuse_choice(&mut self, text: &str, kind: Kind, app: &App) -> Vec<Task> {
        if kind == Kind::Home {
            return self.refuse_at_home(text);
        }
        let others = if kind == Kind::Form { "a row's name or number, or help" } else { "help" };
        self.print(format!(
            "Unknown choice {}. Type {others} for a list of commands.",
            quoted(text)
        ));
        if kind == Kind::MenuAbove {
            self.print_again(app);
        }
        Vec::new()
    }

    /// Returns the index of the entry with this number. Refuses other numbers.
    fn listed(&mut self, number: usize, length: usize) -> Option<usize> {
        let entry = number.checked_sub(1).filter(|entry| *entry < length);
        if entry.is_none() {
            self.print(format!("\"{number}\" is out of range: choose 1 to {length}."));
        }
        entry
    }

    /// Runs a command of a list with so many entries. The rest of the line is the number of the entry that the command
    /// is about, and then the text that the command asks for. An entry that was not named is never changed.
    pub(super) fn run_on_list(
        &mut self,
        command: &Command,
        rest: &str,
        length: usize,
        app: &mut App,
    ) -> Vec<Task> {
        let word = command.words().into_iter().next().unwrap_or_default();
        let (mut tasks, mut text) = (Vec::new(), rest);
        if command.is_of_entry() {
            let (number, after) = split(rest);
            let entry = match number.parse::<usize>() {
                Ok(number) => {
                    text = after;
                    self.listed(number, length)
                }
                Err(_) if length == 1 => Some(0),
                Err(_) => {
                    self.print(format!("Which entry? Type {word} and its number, 1 to {length}."));
                    None
                }
            };
            let Some(entry) = entry else { return Vec::new() };
            tasks = app.go_to_listed(entry);
            if !app.commands().iter().any(|now| now.is_available() && now.is_named(&word)) {
                self.print(format!("{} is not available for entry {}.", quoted(&word), entry + 1));
                return tasks;
            }
        }
        tasks.extend(self.run(command, "", app));
        if !text.is_empty() && app.takes_text() {
            tasks.extend(self.type_text(text, app));
        } else if !text.is_empty() {
            self.print(format!("Ignored: {}.", quoted(text)));
        }
        tasks
    }

    /// Answers a line on a menu that is meant for the board below; `None` if it means nothing there. The menu closes
    /// unless the line only asks about the board.
    fn on_line_below_menu(&mut self, text: &str, app: &mut App) -> Option<Vec<Task>> {
        let (first, _) = split(text);
        let commands = app.commands_below().next()?;
        let is_move = match app.visible_views().get(1)? {
            (_, View::Board(view)) => {
                let typed = read_typed(view.words.game, text);
                if let Found::One(Meaning::Ask(word)) = find_on_board(text, &commands) {
                    self.answer_query(word, view);
                    return Some(Vec::new());
                }
                typed.map_or_else(|why| !why.is_no_move(), |_| true)
            }
            _ => false,
        };
        if !is_move && !matches!(find_on_board(first, &commands), Found::One(_)) {
            return self.refuse_for_now(first, &commands).then(Vec::new);
        }
        let mut tasks = app.perform_action(Action::Back);
        tasks.extend(self.on_line(text, app));
        Some(tasks)
    }

    /// Answers an empty line, which may be a late Enter: it gives the usual answer to a question, but starts nothing
    /// that cannot be undone.
    fn enter(&mut self, app: &mut App) -> Vec<Task> {
        let (at, is_question) = match app.visible_views().first() {
            Some((_, View::Menu(menu))) => (Some(menu.at), menu.is_question),
            _ => (None, false),
        };
        let is_harmless = |at| menu_entry(at, app).is_some_and(|entry| !entry.is_final());
        if let Some(at) = at.filter(|at| is_question || is_harmless(*at)) {
            return self.choose(at, "", app);
        }
        self.print_again(app);
        Vec::new()
    }
}

/// Returns what is on top, and its entries.
fn read_top(app: &App) -> Option<(Kind, Vec<Name<usize>>)> {
    let views = app.visible_views();
    let ((_, view), beneath) = views.split_first()?;
    let kind = match view {
        View::Cards(_) => Kind::Home,
        View::Form(_) => Kind::Form,
        View::Menu(_) if !beneath.is_empty() => Kind::MenuAbove,
        _ => Kind::Other,
    };
    Some((kind, entries(view, app)))
}

/// Returns the word that asks about a board if this entry of a menu has it, as that which shows the board has.
fn menu_query(entry: usize, app: &App) -> Option<&'static str> {
    let command = menu_entry(entry, app)?;
    asks().find_map(|ask| match ask.meaning {
        Meaning::Ask(word) if command.is_named(word) => Some(word),
        _ => None,
    })
}

/// Returns this entry of the menu on top, if a menu is on top.
fn menu_entry(entry: usize, app: &App) -> Option<Command> {
    let is_menu = matches!(app.visible_views().first(), Some((_, View::Menu(_))));
    let commands = app.commands();
    let mut listed = commands.iter().filter(|command| command.label().is_some());
    listed.nth(entry).filter(|_| is_menu).cloned()
}

/// Returns the entry for the game whose name starts the text, and the rest of the text.
fn game_named<'t>(text: &'t str, entries: &[Name<usize>]) -> Option<(usize, &'t str)> {
    let ends = text.match_indices(char::is_whitespace).map(|(at, _)| at).chain([text.len()]);
    let mut ends: Vec<usize> = ends.collect();
    ends.reverse();
    ends.into_iter().find_map(|end| {
        let entry = catalogue::named(text[..end].trim()).ok()?;
        let name = entry.name.to_lowercase();
        let is_it = |entry: &Name<usize>| entry.words.iter().any(|word| word.starts_with(&name));
        let at = entries.iter().position(is_it)?;
        Some((at, text[end..].trim()))
    })
}
