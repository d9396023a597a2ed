//! Interprets a line typed on the current screen.

use super::TextUi;
use super::board::{ask, is_live};
use super::form;
use super::views::{closes_by_itself, describe, is_loaded_in_pieces, row_text};
use crate::action::Action;
use crate::app::{App, Command, Commands, Task};
use crate::view::{BoardView, View};
use quadrille_match::session::read_typed;
use quadrille_puzzles::{PuzzleSet, Rush};
use quadrille_table::catalogue;
use quadrille_table::words::turn;
use quadrille_text::printable::printable;
use quadrille_text::wording::{cut, either, list, sentence};

/// The commands that only ask about a board, with descriptions.
const ASKS: [(&str, &str); 4] = [
    ("board", "describe the board"),
    ("score", "show the score and the clocks"),
    ("moves", "list legal moves; in a replay, all moves of the match"),
    ("text", "show the text beside the board"),
];

enum Found<T> {
    One(T),
    /// The names that the text could mean.
    Several(Vec<String>),
    None,
}

/// What a word means on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Ask(&'static str),
    /// The command with this index.
    Command(usize),
}

/// What a text can name.
struct Name<T> {
    /// The names, the usual one first, in lower case.
    words: Vec<String>,
    /// Whether one letter is not enough.
    is_final: bool,
    meaning: T,
}

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
        let is_board = matches!(app.visible_views().first(), Some((_, View::Board(_))));
        if is_board { self.on_board_line(text, app) } else { self.on_list_line(text, app) }
    }

    /// Takes a line as text. A word that is a command elsewhere is text only if it is typed again.
    fn on_text(&mut self, text: &str, doubted: Option<&str>, app: &mut App) -> Vec<Task> {
        if text.is_empty() {
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
        app.type_text(text)
    }

    pub fn close_finished_screen(&mut self, app: &mut App) -> Option<Vec<Task>> {
        let is_incomplete = |view: &View<'_>| self.is_loading && is_loaded_in_pieces(view);
        let close = {
            let (_, top) = app.visible_views().into_iter().next()?;
            closes_by_itself(&top).filter(|_| !is_incomplete(&top))?
        };
        Some(app.perform_action(close))
    }

    fn print_again(&mut self, app: &App) {
        if let Some((id, view)) = app.visible_views().first() {
            self.output.extend(describe(view));
            self.views.insert(*id, describe(view));
        }
    }

    fn on_board_line(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        let (first, rest) = split(text);
        if text.is_empty() {
            return app.continue_screen().unwrap_or_else(|| {
                self.with_board(app, |ui, view| {
                    let texts = view.words.standing(view.players);
                    let turn = turn(view.words.game, view.players);
                    ui.print(if is_live(view) { turn } else { texts });
                });
                Vec::new()
            });
        }
        let commands = app.commands();
        let says = |command: &Command| command.is(Action::Say) && command.is_available();
        if first == "say" && commands.iter().any(says) {
            if rest.is_empty() {
                self.print("Type say and your message.");
                return Vec::new();
            }
            app.perform_action(Action::Say);
            return app.type_text(rest);
        }
        if let Some(tasks) = self.answer_question(first, rest, app) {
            return tasks;
        }
        match find_on_board(text, &commands) {
            Found::One(Meaning::Command(at)) => return self.run(&commands[at], "", app),
            Found::One(Meaning::Ask(word)) => {
                self.with_board(app, |ui, view| {
                    ui.answer_query(word, view);
                });
                return Vec::new();
            }
            Found::Several(words) => return self.ask_which(text, &words),
            Found::None => {}
        }
        let (mut is_replay, mut is_over, mut typed) = (false, false, None);
        self.with_board(app, |_, view| {
            is_replay = view.is_replay;
            is_over = !is_replay && view.words.game.to_move().is_none();
            typed = Some(read_typed(view.words.game, text));
        });
        if is_replay && let Ok(ply) = text.parse::<usize>() {
            // The entries of the list are the moves.
            return match ply.checked_sub(1) {
                Some(entry) => app.go_to_listed(entry),
                None => app.perform_action(Action::First),
            };
        }
        if is_replay {
            self.print(
                "You cannot play moves in a replay. Type next, back, end or the number of a move to step, or moves to list all \
                 moves.",
            );
            return Vec::new();
        }
        // The numbers of the menu that has told the result stay valid.
        if is_over && text.parse::<usize>().is_ok() {
            let mut tasks = app.continue_screen().unwrap_or_default();
            if matches!(app.visible_views().first(), Some((_, View::Menu(_)))) {
                tasks.extend(self.on_list_line(text, app));
                return tasks;
            }
        }
        match typed {
            Some(Err(refusal)) if refusal.is_no_move() => {
                if let Found::One(Meaning::Command(at)) = find_on_board(first, &commands)
                    && commands[at].action().is_none()
                {
                    return self.run(&commands[at], rest, app);
                }
                if self.refuse_for_now(first, &commands) {
                    return Vec::new();
                }
                self.with_board(app, |ui, view| {
                    let game = view.words.game;
                    let example = game.legal_moves().into_iter().next();
                    let example = example.map_or(String::new(), |mv| format!(", such as {mv}"));
                    ui.print(format!(
                        "{} is neither a command nor a legal move: {refusal}{example}. Type help for a list of \
                         commands.",
                        quoted(text)
                    ));
                });
                Vec::new()
            }
            _ => self.play(text, app),
        }
    }

    /// Answers the word of a command that does not work now; `false` if it is not such a word.
    fn refuse_for_now(&mut self, word: &str, commands: &Commands) -> bool {
        let is_later = |command: &Command| !command.is_available() && command.is_named(word);
        let is_known = commands.iter().any(is_later);
        if is_known {
            self.print(format!("{} is not available now.", quoted(word)));
        }
        is_known
    }

    /// Answers the question whose number is typed. If several questions are open, asks for the number. `None` for other
    /// lines.
    fn answer_question(&mut self, word: &str, rest: &str, app: &mut App) -> Option<Vec<Task>> {
        let answers = |action: Action| action.words().split_whitespace().any(|own| own == word);
        let yes = answers(Action::Agree);
        if !yes && !answers(Action::Refuse) {
            return None;
        }
        let mut numbers = Vec::new();
        self.with_board(app, |_, view| {
            numbers = view.questions.iter().filter_map(|question| question.number).collect();
        });
        match rest.parse() {
            _ if numbers.is_empty() => return None,
            Ok(number) if numbers.contains(&number) => {
                return Some(app.answer_question(number, yes));
            }
            // `agree with Bob` is an entry of the menu.
            Err(_) if !rest.is_empty() || numbers.len() < 2 => return None,
            _ => {}
        }
        let numbers: Vec<String> =
            numbers.iter().map(|number| format!("{word} {number}")).collect();
        self.with_board(app, |ui, view| {
            ui.output.extend(view.questions.iter().map(|question| ask(question, view)));
        });
        self.print(format!("Which question? Type {}.", either(&numbers)));
        Some(Vec::new())
    }

    fn ask_which(&mut self, text: &str, words: &[String]) -> Vec<Task> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.print(format!(
            "{} is ambiguous: {}. Type more letters.",
            quoted(text),
            either(&words)
        ));
        Vec::new()
    }

    fn play(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        if !app.actions().contains(&Action::Type) {
            self.with_board(app, |ui, view| {
                let turn = turn(view.words.game, view.players);
                let game = view.words.game;
                // Otherwise the result says it.
                let is_ended_by_rules = game.termination().is_none();
                let why = read_typed(game, text).err().filter(|_| is_ended_by_rules);
                let why = why.map_or(String::new(), |why| sentence(&why.to_string()));
                ui.print(format!("{why} {turn}").trim());
            });
            return Vec::new();
        }
        // The first action may only take back a wrong answer.
        let mut tasks = Vec::new();
        for _ in 0..2 {
            tasks.extend(app.perform_action(Action::Type));
            self.is_unanswered = false;
            let said = self.announce(app);
            self.output.extend(said);
            if app.takes_text() {
                tasks.extend(app.type_text(text));
                break;
            }
        }
        self.is_unanswered = true;
        if app.takes_text() {
            // The reason for the refusal is shown as a message.
            tasks.extend(app.perform_action(Action::Cancel));
        }
        tasks
    }

    /// Does what a command does. The rest of the line is for the screen that it opens.
    fn run(&mut self, command: &Command, rest: &str, app: &mut App) -> Vec<Task> {
        let is_board = matches!(app.visible_views().first(), Some((_, View::Board(_))));
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
            Some(Action::Leave) if is_board => return app.leave_at_once(),
            _ => {}
        }
        if !rest.is_empty() {
            self.queue_first(rest, app);
        }
        let mut tasks = app.run(command);
        if rest.is_empty() && command.is_named("resign") {
            tasks.extend(self.agree(app));
        }
        tasks
    }

    /// Queues the rest of this line before the lines that are already queued.
    fn queue_first(&mut self, rest: &str, app: &App) {
        let later = std::mem::take(&mut self.queue);
        self.queue([rest].into_iter().map(str::to_owned).chain(later), app);
    }

    /// Answers the question of the menu on top with yes.
    fn agree(&mut self, app: &mut App) -> Vec<Task> {
        let agrees = |name: &Name<usize>| name.words.iter().any(|word| word == "yes");
        let answer = entries(app).iter().find(|name| agrees(name)).map(|name| name.meaning);
        answer.map_or_else(Vec::new, |answer| self.choose(answer, "", app))
    }

    fn with_board(&mut self, app: &App, print: impl FnOnce(&mut TextUi, &BoardView<'_>)) {
        if let Some((_, View::Board(view))) = app.visible_views().first() {
            print(self, view);
        }
    }

    /// Chooses an entry. The rest of the line is for the screen that the entry opens.
    pub(super) fn choose(&mut self, entry: usize, rest: &str, app: &mut App) -> Vec<Task> {
        self.queue_first(rest, app);
        let mut tasks = app.go_to_listed(entry);
        tasks.extend(app.perform_action(Action::Choose));
        tasks
    }

    fn on_list_line(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        if text.is_empty() {
            return self.enter(app);
        }
        let is_form = form::is_open(app);
        let is_general = |command: &Command| {
            [Action::Back, Action::Leave, Action::Help].iter().any(|action| command.is(*action))
        };
        let is_command =
            app.commands().iter().any(|command| is_general(command) && command.is_named(text));
        if is_form && text == "options" {
            self.print_again(app);
            return Vec::new();
        }
        if is_form
            && !is_command
            && let Some(tasks) = self.on_form_line(text, app)
        {
            return tasks;
        }
        let length = entries(app).len();
        if let Ok(number) = text.parse::<usize>() {
            if let Some(at) = number.checked_sub(1).filter(|at| *at < length) {
                return self.choose(at, "", app);
            }
            self.print(format!("{} is out of range: choose 1 to {length}.", quoted(text)));
            return Vec::new();
        }
        let (first, rest) = split(text);
        let kind =
            |is: fn(&View<'_>) -> bool| app.visible_views().first().is_some_and(|(_, top)| is(top));
        let is_home = kind(|view| matches!(view, View::Cards(_)));
        let is_menu = kind(|view| matches!(view, View::Menu(_))) && app.visible_views().len() > 1;
        if is_menu
            && asks().any(|ask| ask.words.iter().any(|word| word == text))
            && let Some(tasks) = self.on_line_below_menu(text, app)
        {
            return tasks;
        }
        let commands = app.commands();
        // A word of a row must not change the row; `on_form_line` reads and sets rows.
        let entries = if is_form { Vec::new() } else { entries(app) };
        // Leaving a menu over a board leaves the board.
        let leaves = |name: &Name<Meaning>| match name.meaning {
            Meaning::Command(at) => is_menu && commands[at].is(Action::Leave),
            Meaning::Ask(_) => false,
        };
        let names: Vec<_> = names(&commands).filter(|name| !leaves(name)).collect();
        // On the home screen `q` means Quixo, not `quit`.
        let is_game = is_home && catalogue::named(first).is_ok();
        let found = find(first, &names);
        if is_home && !is_game {
            match found {
                Found::One(Meaning::Command(at)) => {
                    return self.run_at_home(&commands[at], rest, app);
                }
                Found::Several(words) => return self.ask_which(first, &words),
                _ => {}
            }
        }
        if let Some(entry) = named_exactly(text, &entries) {
            return self.choose(entry, "", app);
        }
        if !is_game && let Some(Meaning::Command(at)) = named_exactly(first, &names) {
            return self.run_on_list(&commands[at], rest, app);
        }
        if let Some(entry) = entry_named(text, &entries) {
            return self.choose(entry, "", app);
        }
        if let Some((entry, rest)) = game_named(text, app) {
            return self.choose(entry, rest, app);
        }
        match find(first, &names) {
            Found::One(Meaning::Command(at)) => {
                return self.run_on_list(&commands[at], rest, app);
            }
            Found::Several(words) => return self.ask_which(first, &words),
            _ => {}
        }
        if let Some(entry) = entry_named(first, &entries) {
            return self.choose(entry, rest, app);
        }
        if is_menu && let Some(tasks) = self.on_line_below_menu(text, app) {
            return tasks;
        }
        // A list closes for a command of the home screen.
        let is_of_home = |command: &Command| command.action().is_none() && command.is_named(first);
        let home = app.commands_below().last();
        if !is_form && !is_menu && home.is_some_and(|home| home.iter().any(is_of_home)) {
            let mut tasks = app.perform_action(Action::Back);
            tasks.extend(self.on_line(text, app));
            return tasks;
        }
        if is_home {
            return self.refuse_at_home(text);
        }
        let others = if is_form { "a row's name or number, or help" } else { "help" };
        let line =
            format!("Unknown choice {}. Type {others} for a list of commands.", quoted(text));
        self.print(line);
        if is_menu {
            self.print_again(app);
        }
        Vec::new()
    }

    fn refuse_at_home(&mut self, text: &str) -> Vec<Task> {
        let (first, _) = split(text);
        let mut words = Action::ALL.iter().flat_map(|action| action.words().split_whitespace());
        if words.any(|word| word == first) {
            self.print(format!("{} is not available here.", quoted(first)));
        } else {
            let games = either(&catalogue::GAMES.map(|entry| entry.id));
            self.print(format!("Unknown game {}. Choose {games}.", quoted(text)));
        }
        Vec::new()
    }

    /// Runs a command of a list. The rest of the line is the number of an entry, or the text that the command asks for.
    fn run_on_list(&mut self, command: &Command, rest: &str, app: &mut App) -> Vec<Task> {
        let entry = rest.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let mut tasks = entry.map(|entry| app.go_to_listed(entry)).unwrap_or_default();
        tasks.extend(self.run(command, "", app));
        if entry.is_none() && !rest.is_empty() && app.takes_text() {
            tasks.extend(app.type_text(rest));
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

    /// Answers an empty line.
    fn enter(&mut self, app: &mut App) -> Vec<Task> {
        let at = match app.visible_views().first() {
            Some((_, View::Menu(menu))) => Some(menu.at),
            _ => None,
        };
        if let Some(at) = at {
            return self.choose(at, "", app);
        }
        self.print_again(app);
        Vec::new()
    }

    /// Runs a command of the home screen. The rest of the line says what to open.
    fn run_at_home(&mut self, command: &Command, rest: &str, app: &mut App) -> Vec<Task> {
        let words = command.words();
        let mut then: &[&str] = &[];
        match words.first().map_or("", |word| word) {
            "play" if rest.is_empty() => {
                self.print_again(app);
                return Vec::new();
            }
            "play" => return self.on_list_line(rest, app),
            "puzzle" => match rest.strip_prefix("mistakes") {
                Some(number) => {
                    let commands = app.commands();
                    let records = commands.iter().find(|command| command.is_named("records"));
                    let number = format!("puzzles {}", number.trim());
                    return records
                        .map_or_else(Vec::new, |records| self.run(records, &number, app));
                }
                None => {
                    return course(rest, app).map_or_else(
                        |why| {
                            self.print(why);
                            Vec::new()
                        },
                        |course| app.open_course(course),
                    );
                }
            },
            "show" => then = &["end", "board"],
            "replay" => then = &["moves"],
            _ => {}
        }
        if command.action().is_some() {
            return self.run(command, "", app);
        }
        let tasks = self.run(command, rest, app);
        let then = then.iter().filter(|_| !rest.is_empty());
        self.queue.extend(then.map(|line| (*line).to_owned()));
        tasks
    }

    fn help(&mut self, app: &App) {
        let is_board = matches!(app.visible_views().first(), Some((_, View::Board(_))));
        let is_home = matches!(app.visible_views().first(), Some((_, View::Cards(_))));
        if is_board {
            self.with_board(app, |ui, view| {
                let mv = view.words.game.legal_moves().into_iter().next();
                let example = mv.map_or(String::new(), |mv| format!(" such as {mv}"));
                ui.print(if view.is_replay {
                    "Type the number of a move to go there, or a command:".to_owned()
                } else {
                    format!("Type a move{example} or a command:")
                });
            });
            self.output.extend(ASKS.map(|(word, sentence)| format!("{word}: {sentence}.")));
        } else if !is_home {
            self.print("Type the number or the name of an entry, or a command:");
        }
        let commands = app.commands();
        let mut entries: Vec<String> = Vec::new();
        let mut known: Vec<String> = Vec::new();
        for command in commands.iter().filter(|command| command.is_available()) {
            let Some(word) = command.words().into_iter().next() else { continue };
            if known.contains(&word) {
                continue;
            }
            known.push(word.clone());
            if command.sentence().is_empty() {
                entries.push(word);
            } else {
                self.print(format!("{word}: {}.", command.sentence()));
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

fn split(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(&cut(text)))
}

/// Returns the words that ask about a board.
fn asks() -> impl Iterator<Item = Name<Meaning>> {
    let words = ASKS.into_iter().map(|(word, _)| word).chain(["clock"]);
    words.map(|word| Name {
        words: vec![word.to_owned()],
        is_final: false,
        meaning: Meaning::Ask(word),
    })
}

/// Returns the words for those commands that work now.
fn names(commands: &Commands) -> impl Iterator<Item = Name<Meaning>> {
    let named = commands.iter().enumerate().filter(|(_, command)| command.is_available());
    named.map(|(at, command)| Name {
        words: command.words(),
        is_final: command.is_final(),
        meaning: Meaning::Command(at),
    })
}

/// Returns what a text means on a board. Questions and commands with keys come before the entries of the menu.
fn find_on_board(text: &str, commands: &Commands) -> Found<Meaning> {
    let names: Vec<_> = asks().chain(names(commands)).collect();
    let is_entry =
        |meaning| matches!(meaning, Meaning::Command(at) if commands[at].action().is_none());
    let exactly = named_exactly(text, &names);
    let (entries, others): (Vec<_>, Vec<_>) =
        names.into_iter().partition(|name| is_entry(name.meaning));
    match (exactly, find(text, &others)) {
        (Some(meaning), _) => Found::One(meaning),
        (None, Found::None) => find(text, &entries),
        (None, found) => found,
    }
}

fn named_exactly<T: Copy>(text: &str, names: &[Name<T>]) -> Option<T> {
    let text = text.to_lowercase();
    names.iter().find(|name| name.words.contains(&text)).map(|name| name.meaning)
}

/// Returns what a text or its beginning names. One letter names nothing that cannot be undone, and only the usual name
/// of anything else.
fn find<T: Copy + PartialEq>(text: &str, names: &[Name<T>]) -> Found<T> {
    if let Some(meaning) = named_exactly(text, names) {
        return Found::One(meaning);
    }
    let text = text.to_lowercase();
    let is_letter = text.chars().count() < 2;
    let begun = names.iter().filter(|name| !(text.is_empty() || is_letter && name.is_final));
    let begun = begun.filter_map(|name| {
        let enough = if is_letter { name.words.get(..1)? } else { &name.words };
        Some((enough.iter().find(|word| word.starts_with(&text))?, name.meaning))
    });
    let begun: Vec<(&String, T)> = begun.collect();
    match begun[..] {
        [] => Found::None,
        [(word, meaning), ref others @ ..]
            if others.iter().all(|(other, also)| *also == meaning || *other == word) =>
        {
            Found::One(meaning)
        }
        _ => Found::Several(begun.into_iter().map(|(word, _)| word.clone()).collect()),
    }
}

/// Returns the entries of the view on top.
fn entries(app: &App) -> Vec<Name<usize>> {
    let Some((_, view)) = app.visible_views().into_iter().next() else { return Vec::new() };
    let names: Vec<(Vec<String>, bool)> = match &view {
        View::Menu(_) => {
            let commands = app.commands();
            let entries = commands.iter().filter(|command| command.label().is_some());
            entries.map(|entry| (entry.words(), entry.is_final())).collect()
        }
        View::Cards(cards) => {
            let entries = cards.entries.iter().map(|entry| entry.name.clone());
            let names = cards.cards.iter().map(|card| card.name.to_owned()).chain(entries);
            names.map(|name| (vec![name], false)).collect()
        }
        View::Form(form) => {
            form.rows.iter().map(|row| (vec![row.field.label.clone()], false)).collect()
        }
        View::List(list) => {
            list.rows.iter().map(|row| (vec![row_text(list, row)], false)).collect()
        }
        _ => Vec::new(),
    };
    let names = names.into_iter().enumerate().map(|(meaning, (words, is_final))| {
        let words = words.into_iter().map(|word| word.to_lowercase()).collect();
        Name { words, is_final, meaning }
    });
    names.collect()
}

/// Returns the entry that a text names by its name, the beginning of its name, or one of its words.
fn entry_named(text: &str, entries: &[Name<usize>]) -> Option<usize> {
    match find(text, entries) {
        Found::One(entry) => return Some(entry),
        Found::Several(_) => return None,
        Found::None => {}
    }
    let text = text.to_lowercase();
    let has_word = |name: &&Name<usize>| {
        let words =
            name.words.iter().flat_map(|name| name.split(|letter: char| !letter.is_alphanumeric()));
        let is_enough = !(name.is_final && text.chars().count() < 2);
        is_enough && words.into_iter().any(|word| word.starts_with(&text))
    };
    let mut found = entries.iter().filter(has_word);
    found.next().filter(|_| found.next().is_none()).map(|name| name.meaning)
}

/// Returns the entry for the game whose name starts the text, and the rest of the text.
fn game_named<'t>(text: &'t str, app: &App) -> Option<(usize, &'t str)> {
    let ends = text.match_indices(char::is_whitespace).map(|(at, _)| at).chain([text.len()]);
    let mut ends: Vec<usize> = ends.collect();
    ends.reverse();
    ends.into_iter().find_map(|end| {
        let entry = catalogue::named(text[..end].trim()).ok()?;
        let name = entry.name.to_lowercase();
        let is_it = |entry: &Name<usize>| entry.words.iter().any(|word| word.starts_with(&name));
        let at = entries(app).iter().position(is_it)?;
        Some((at, text[end..].trim()))
    })
}

/// Returns the puzzle course that the words ask for. The error is a sentence.
fn course(words: &str, app: &App) -> Result<PuzzleSet, String> {
    let (first, rest) = split(words);
    let game = |name: &str| match catalogue::named(name) {
        _ if name.is_empty() => Ok(None),
        Ok(entry) if quadrille_puzzles::of(entry.id).next().is_some() => Ok(Some(entry.id)),
        _ => Err(format!(
            "{} has no puzzles. Choose {}.",
            quoted(name),
            list(quadrille_puzzles::games())
        )),
    };
    match first {
        "daily" => {
            let daily = quadrille_puzzles::daily(app.today(), game(rest)?);
            daily.map(PuzzleSet::Daily).ok_or_else(|| "There is no daily puzzle today.".to_owned())
        }
        "rush" => Ok(PuzzleSet::Rush(Rush::new(game(rest)?))),
        id => match quadrille_puzzles::find(&id.to_lowercase()) {
            Some(puzzle) => Ok(PuzzleSet::One(puzzle.clone())),
            None => Ok(PuzzleSet::AtMyLevel(game(words)?)),
        },
    }
}
