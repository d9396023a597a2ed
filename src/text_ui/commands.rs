//! Interprets a line typed on the current screen.

use super::TextUi;
use super::board::{ask, is_live};
use super::form;
use super::views::{closes_by_itself, describe, is_loaded_in_pieces, row_text};
use crate::action::{ARROWS, Action, DIGITS, LIST};
use crate::app::{App, Task};
use crate::view::{BoardView, PanelBody, View};
use quadrille_match::session::read_typed;
use quadrille_puzzles::{PuzzleSet, Rush};
use quadrille_table::catalogue;
use quadrille_table::words::turn;
use quadrille_text::printable::printable;
use quadrille_text::wording::{cut, either, list, sentence};

/// Synonyms for actions, and the lines that they stand for. `*` is the rest of the line.
const SYNONYMS: [(&str, &[&str]); 7] = [
    ("play", &["*"]),
    ("records", &["Records", "*"]),
    ("show", &["Records", "*", "end", "board"]),
    ("replay", &["Records", "*", "moves"]),
    ("rules", &["Rules", "*"]),
    ("learn", &["Learn", "*"]),
    ("settings", &["Settings"]),
];

/// The commands of the home screen, with descriptions.
const HOME: [(&str, &str); 11] = [
    ("play", "set up a match, as in play quixo size=3"),
    ("resume", "list unfinished matches; add a number to resume one"),
    ("records", "list finished matches"),
    ("show", "show the final position of record N"),
    ("replay", "tell all moves of record N"),
    ("rules", "show the rules of a game"),
    ("level", "show your rating in each game"),
    ("learn", "list lessons; add a game and a lesson number to start one"),
    (
        "puzzle",
        "solve puzzles; add daily, rush, a game, a puzzle id, or mistakes and a record number",
    ),
    ("settings", "list the settings"),
    ("quit", "quit"),
];

/// The commands that only ask about a board, with descriptions.
const ASKS: [(&str, &str); 4] = [
    ("board", "describe the board"),
    ("score", "show the score and the clocks"),
    ("moves", "list legal moves; in a replay, all moves of the match"),
    ("text", "show the text beside the board"),
];

const ON_A_BOARD: [(&str, Action); 15] = [
    ("undo", Action::Undo),
    ("agree", Action::Agree),
    ("no", Action::Refuse),
    ("quit", Action::Leave),
    ("leave", Action::Leave),
    ("menu", Action::Back),
    ("pause", Action::Back),
    ("next", Action::NextPuzzle),
    ("next", Action::StepOn),
    ("skip", Action::PageDown),
    ("skip", Action::NextPuzzle),
    ("end", Action::Last),
    ("back", Action::StepBack),
    ("back", Action::PageUp),
    ("back", Action::Leave),
];

const ON_A_LIST: [(&str, Action); 2] = [("back", Action::Back), ("quit", Action::Leave)];

/// Actions without a command: they only move a cursor or have no visible effect.
const SILENT: [Action; 18] = [
    Action::Type,
    Action::NextTheme,
    Action::Redraw,
    Action::Suspend,
    Action::Quit,
    Action::Choose,
    Action::NextValue,
    Action::PreviousValue,
    Action::Next,
    Action::Previous,
    Action::LeapBack,
    Action::LeapOn,
    Action::Faster,
    Action::Slower,
    Action::Run,
    Action::Erase,
    Action::EraseNumber,
    // The menu entries distinguish a rematch with swapped sides.
    Action::Rematch,
];

/// Commands that apply at a different point of a match.
const LATER: [&str; 8] = ["agree", "no", "draw", "resign", "rematch", "hint", "values", "say"];

enum Found {
    Action(Action),
    Several(Vec<String>),
    None,
}

impl TextUi {
    pub fn hear(&mut self, line: &str, app: &mut App) -> Vec<Task> {
        let text = match line.trim() {
            "?" => "help",
            text => text,
        };
        // A typed answer counts at once, even if a message covers the question.
        app.dismiss_message();
        if app.takes_text() {
            return if text.is_empty() {
                app.perform_action(Action::Cancel)
            } else {
                app.type_text(text)
            };
        }
        self.is_unanswered = true;
        let is_board = matches!(app.shown().first(), Some((_, View::Board(_))));
        if is_board { self.hear_on_board(text, app) } else { self.hear_on_list(text, app) }
    }

    pub fn close_what_was_read(&mut self, app: &mut App) -> Option<Vec<Task>> {
        let is_incomplete = |view: &View<'_>| self.is_loading && is_loaded_in_pieces(view);
        let close = {
            let (_, top) = app.shown().into_iter().next()?;
            closes_by_itself(&top).filter(|_| !is_incomplete(&top))?
        };
        Some(app.perform_action(close))
    }

    fn tell_again(&mut self, app: &App) {
        if let Some((id, view)) = app.shown().first() {
            self.said.extend(describe(view));
            self.views.insert(*id, describe(view));
        }
    }

    fn hear_on_board(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        let (first, rest) = split(text);
        if text.is_empty() {
            return app.go_on().unwrap_or_else(|| {
                self.with_board(app, |ui, view| {
                    let texts = view.words.standing(view.players);
                    let turn = turn(view.words.game, view.players);
                    ui.say(if is_live(view) { turn } else { texts });
                });
                Vec::new()
            });
        }
        if first == "say" && app.actions().contains(&Action::Say) {
            if rest.is_empty() {
                self.say("Type say and your message.");
                return Vec::new();
            }
            app.perform_action(Action::Say);
            return app.type_text(rest);
        }
        if let Some(tasks) = self.answer_question(first, rest, app) {
            return tasks;
        }
        let is_word = rest.is_empty() || words(app).iter().any(|(word, _)| word == text);
        if is_word {
            match find(text, app) {
                Found::Action(action) => return self.act(action, app),
                Found::Several(words) => {
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    let line = format!(
                        "{} is ambiguous: {}. Type more letters.",
                        quoted(text),
                        either(&words)
                    );
                    self.say(line);
                    return Vec::new();
                }
                Found::None => {}
            }
            let mut is_told = false;
            self.with_board(app, |ui, view| is_told = ui.tell_of_board(first, view));
            if is_told {
                return Vec::new();
            }
        }
        let mut is_replay = false;
        self.with_board(app, |_, view| is_replay = view.is_replay);
        if is_replay {
            self.say(
                "You cannot play moves in a replay. Type next, back or end to step, or moves to list all moves.",
            );
            return Vec::new();
        }
        let mut typed = None;
        self.with_board(app, |_, view| typed = Some(read_typed(view.words.game, text)));
        match typed {
            Some(Err(refusal)) if refusal.is_no_move() => {
                self.hear_in_pause(text, app).unwrap_or_else(|| {
                    if LATER.contains(&first) {
                        self.say(format!("{} is not available now.", quoted(first)));
                        return Vec::new();
                    }
                    self.with_board(app, |ui, view| {
                        let game = view.words.game;
                        let example = game.legal_moves().into_iter().next();
                        let example = example.map_or(String::new(), |mv| format!(", such as {mv}"));
                        ui.say(format!(
                            "{} is neither a command nor a legal move: {refusal:#}{example}. Type help for a list \
                             of commands.",
                            quoted(text)
                        ));
                    });
                    Vec::new()
                })
            }
            _ => self.play(text, app),
        }
    }

    /// Answers the question whose number is typed. If several questions are open, asks for the number. `None` for other
    /// lines.
    fn answer_question(&mut self, word: &str, rest: &str, app: &mut App) -> Option<Vec<Task>> {
        let yes = match word {
            "agree" => true,
            "no" => false,
            _ => return None,
        };
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
            ui.said.extend(view.questions.iter().map(|question| ask(question, view)));
        });
        self.say(format!("Which question? Type {}.", either(&numbers)));
        Some(Vec::new())
    }

    fn play(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        if !app.actions().contains(&Action::Type) {
            self.with_board(app, |ui, view| {
                let turn = turn(view.words.game, view.players);
                let game = view.words.game;
                // Otherwise the result says it.
                let is_ended_by_rules = game.termination().is_none();
                let why = read_typed(game, text).err().filter(|_| is_ended_by_rules);
                let why = why.map_or(String::new(), |why| sentence(&format!("{why:#}")));
                ui.say(format!("{why} {turn}").trim());
            });
            return Vec::new();
        }
        // The first action may only take back a wrong answer.
        let mut tasks = Vec::new();
        for _ in 0..2 {
            tasks.extend(app.perform_action(Action::Type));
            self.is_unanswered = false;
            let said = self.announce(app);
            self.said.extend(said);
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

    fn act(&mut self, action: Action, app: &mut App) -> Vec<Task> {
        let is_board = matches!(app.shown().first(), Some((_, View::Board(_))));
        // The values of the moves are announced when they are known.
        self.is_unanswered &= action != Action::Values;
        match action {
            Action::Help => {
                self.help(app);
                Vec::new()
            }
            // Text output cannot draw over the board.
            Action::Chains if app.may_help() => {
                self.with_board(app, TextUi::tell_notes);
                Vec::new()
            }
            // Unlike a key press, a typed word is unlikely to be a mistake.
            Action::Leave if is_board => app.leave_at_once(),
            action => app.perform_action(action),
        }
    }

    fn with_board(&mut self, app: &App, tell: impl FnOnce(&mut TextUi, &BoardView<'_>)) {
        if let Some((_, View::Board(view))) = app.shown().first() {
            tell(self, view);
        }
    }

    /// Chooses an entry by name from the menu over a board; `None` if no entry matches.
    fn hear_in_pause(&mut self, text: &str, app: &mut App) -> Option<Vec<Task>> {
        let (first, rest) = split(text);
        if !has_menu(app) || matches!(find(first, app), Found::Action(_)) {
            return None;
        }
        let mut tasks = app.perform_action(Action::Back);
        let found = entry_named(text, app)
            .map(|entry| (entry, ""))
            .or_else(|| Some((entry_named(first, app)?, rest)));
        let Some((entry, rest)) = found else {
            app.perform_action(Action::Back);
            return None;
        };
        tasks.extend(self.choose(entry, rest, app));
        if text.eq_ignore_ascii_case("resign") {
            tasks.extend(self.resign(app));
        }
        Some(tasks)
    }

    /// Answers the question of who resigns: the player to move, or the only player who can.
    fn resign(&mut self, app: &mut App) -> Vec<Task> {
        let to_move = app.open_match().and_then(|open_match| {
            let seat = open_match.current_match().to_move()?;
            Some(open_match.players().name(seat).to_owned())
        });
        let answer = to_move.and_then(|name| entry_named(&format!("{name} resigns"), app));
        match answer.or_else(|| entry_named("Resign", app)) {
            Some(answer) => self.choose(answer, "", app),
            None => Vec::new(),
        }
    }

    /// Chooses an entry. The rest of the line is for the screen that the entry opens.
    pub(super) fn choose(&mut self, entry: usize, rest: &str, app: &mut App) -> Vec<Task> {
        // The rest of this line comes before the queue.
        let later = std::mem::take(&mut self.queue);
        self.queue([rest].into_iter().map(str::to_owned).chain(later), app);
        let mut tasks = app.go_to_listed(entry);
        tasks.extend(app.perform_action(Action::Choose));
        tasks
    }

    fn hear_on_list(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        if text.is_empty() {
            return self.enter(app);
        }
        let is_form = form::is_open(app);
        let is_command = ON_A_LIST.iter().any(|(word, _)| *word == text) || text == "help";
        if is_form && text == "options" {
            self.tell_again(app);
            return Vec::new();
        }
        if is_form
            && !is_command
            && let Some(tasks) = self.hear_on_form(text, app)
        {
            return tasks;
        }
        let length = entries(app).len();
        if let Ok(number) = text.parse::<usize>() {
            if let Some(at) = number.checked_sub(1).filter(|at| *at < length) {
                return self.choose(at, "", app);
            }
            self.say(format!("{} is out of range: choose 1 to {length}.", quoted(text)));
            return Vec::new();
        }
        let (first, rest) = split(text);
        let kind = |is: fn(&View<'_>) -> bool| app.shown().first().is_some_and(|(_, top)| is(top));
        let is_home = kind(|view| matches!(view, View::Cards(_)));
        let is_menu = kind(|view| matches!(view, View::Menu(_))) && app.shown().len() > 1;
        if is_home && let Some(tasks) = self.hear_at_home(first, rest, app) {
            return tasks;
        }
        let is_entry = entries(app).iter().any(|entry| entry.eq_ignore_ascii_case(text));
        if let Some(entry) = entry_named(text, app).filter(|_| is_entry || !is_command) {
            return self.choose(entry, "", app);
        }
        if let Some((entry, rest)) = game_named(text, app) {
            return self.choose(entry, rest, app);
        }
        match find(first, app) {
            // Leaving a menu over a board leaves the board.
            Found::Action(Action::Leave) if is_menu => {}
            Found::Action(action) => {
                let entry = rest.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let mut tasks = entry.map(|entry| app.go_to_listed(entry)).unwrap_or_default();
                tasks.extend(self.act(action, app));
                return tasks;
            }
            Found::Several(words) => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                self.say(format!(
                    "{} is ambiguous: {}. Type more letters.",
                    quoted(first),
                    either(&words)
                ));
                return Vec::new();
            }
            Found::None => {}
        }
        if let Some(entry) = entry_named(first, app) {
            return self.choose(entry, rest, app);
        }
        // A menu closes if the line is meant for the screen below, and a list closes for a command of the home screen.
        let is_of_home = !is_form && HOME.iter().any(|(word, _)| *word == first);
        if is_menu || is_of_home && app.shown().len() == 1 {
            let mut tasks = app.perform_action(Action::Back);
            tasks.extend(self.hear(text, app));
            return tasks;
        }
        if is_home {
            let games = list(catalogue::GAMES.iter().map(|entry| entry.id));
            self.say(format!("Unknown game {}. Choose {games}.", quoted(text)));
            return Vec::new();
        }
        let others = if is_form { "a row's name or number, or help" } else { "help" };
        let line =
            format!("Unknown choice {}. Type {others} for a list of commands.", quoted(text));
        self.say(line);
        Vec::new()
    }

    /// Answers an empty line.
    fn enter(&mut self, app: &mut App) -> Vec<Task> {
        let at = match app.shown().first() {
            Some((_, View::Menu(menu))) => Some(menu.at),
            _ => None,
        };
        if let Some(at) = at {
            return self.choose(at, "", app);
        }
        self.tell_again(app);
        Vec::new()
    }

    /// Answers the commands of the home screen; `None` for other words.
    fn hear_at_home(&mut self, first: &str, rest: &str, app: &mut App) -> Option<Vec<Task>> {
        let begun = |word: &str| word.starts_with(first) && !first.is_empty();
        // Here `q` means Quixo, not `quit`.
        if catalogue::named(first).is_ok() {
            return None;
        }
        let words: Vec<&str> =
            HOME.iter().map(|(word, _)| *word).filter(|word| begun(word)).collect();
        let word = match words[..] {
            [word] => word,
            _ if words.contains(&first) => first,
            [] => return None,
            _ => {
                self.say(format!(
                    "{} is ambiguous: {}. Type more letters.",
                    quoted(first),
                    either(&words)
                ));
                return Some(Vec::new());
            }
        };
        match word {
            "play" if rest.is_empty() => self.tell_again(app),
            "resume" => {
                self.queue([rest], app);
                return Some(app.open_unfinished());
            }
            "level" => return Some(app.open_strength()),
            "quit" => return Some(app.perform_action(Action::Leave)),
            "puzzle" => match rest.strip_prefix("mistakes") {
                Some(number) => {
                    self.queue([format!("puzzles {}", number.trim())], app);
                    return Some(self.hear_on_list("Records", app));
                }
                None => match course(rest, app) {
                    Ok(course) => return Some(app.open_course(course)),
                    Err(why) => self.say(why),
                },
            },
            word => {
                let (_, lines) = SYNONYMS.iter().find(|(synonym, _)| *synonym == word)?;
                let mut lines = lines.iter().map(|line| if *line == "*" { rest } else { line });
                let first = lines.next().unwrap_or_default();
                self.queue(lines, app);
                return Some(self.hear_on_list(first, app));
            }
        }
        Some(Vec::new())
    }

    fn help(&mut self, app: &App) {
        let is_board = matches!(app.shown().first(), Some((_, View::Board(_))));
        let is_home = matches!(app.shown().first(), Some((_, View::Cards(_))));
        let line = |(word, does): &(&str, &str)| format!("{word}: {does}.");
        if is_home {
            self.said.extend(HOME.iter().map(line));
            self.say("help: list these commands.");
            return;
        }
        if is_board {
            self.with_board(app, |ui, view| {
                let mv = view.words.game.legal_moves().into_iter().next();
                let example = mv.map_or(String::new(), |mv| format!(" such as {mv}"));
                ui.say(if view.is_replay {
                    "Commands:".to_owned()
                } else {
                    format!("Type a move{example} or a command:")
                });
            });
            self.said.extend(ASKS.iter().map(line));
        } else {
            self.say("Type the number or the name of an entry, or a command:");
        }
        for (word, action) in words(app) {
            let listed = LIST.iter().find(|listed| listed.actions.contains(&action));
            let does = listed.map_or("", |listed| listed.sentence);
            self.say(format!("{word}: {does}."));
        }
        if has_menu(app) {
            self.say("menu: list more actions; you can type their names too.");
        }
        if is_board {
            self.say("Press Enter to continue, or to hear whose turn it is.");
        }
    }
}

fn has_menu(app: &App) -> bool {
    match app.shown().first() {
        Some((_, View::Board(view))) => {
            !view.is_replay && !matches!(view.body, PanelBody::Lesson(_))
        }
        _ => false,
    }
}

fn split(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(&cut(text)))
}

/// Returns the commands for the current screen's actions, as in its footer.
fn words(app: &App) -> Vec<(String, Action)> {
    let actions = app.actions();
    let is_word = |action: &Action| {
        !ARROWS.contains(action) && !DIGITS.contains(action) && !SILENT.contains(action)
    };
    let hinted = app.key_hints();
    let is_board = matches!(app.shown().first(), Some((_, View::Board(_))));
    let mut words: Vec<(String, Action)> = Vec::new();
    for action in actions.iter().copied().filter(is_word) {
        let hint = hinted.iter().find(|hint| hint.names(action) && hint.actions.len() == 1);
        if hint.is_none() && matches!(action, Action::PageUp | Action::PageDown) {
            continue;
        }
        let word = hint.map_or(action.hint().does, |hint| hint.does);
        let word = if action == Action::Leave { "quit" } else { word };
        let is_menu = is_board && action == Action::Back;
        if !is_menu && !words.iter().any(|(known, _)| known == word) {
            words.push((word.to_owned(), action));
        }
    }
    words
}

/// Returns the action that a word or its beginning names on the current screen.
fn find(word: &str, app: &App) -> Found {
    let word = word.to_lowercase();
    let actions = app.actions();
    let mut offered = words(app);
    let is_board = matches!(app.shown().first(), Some((_, View::Board(_))));
    let others: &[(&str, Action)] = if is_board { &ON_A_BOARD } else { &ON_A_LIST };
    let is_there = |(word, action): &&(&str, Action)| {
        actions.contains(action) && (!["menu", "pause"].contains(word) || has_menu(app))
    };
    let named = others.iter().filter(is_there);
    offered.extend(named.map(|(word, action)| ((*word).to_owned(), *action)));
    if let Some((_, action)) = offered.iter().find(|(offered, _)| *offered == word) {
        return Found::Action(*action);
    }
    let is_ask = ASKS.iter().any(|(ask, _)| *ask == word) || word == "clock";
    let begun: Vec<&(String, Action)> = offered
        .iter()
        .filter(|(offered, _)| !is_ask && !word.is_empty() && offered.starts_with(&word))
        .collect();
    match begun[..] {
        [] => Found::None,
        [(_, action), ref others @ ..] if others.iter().all(|(_, other)| other == action) => {
            Found::Action(*action)
        }
        _ => Found::Several(begun.iter().map(|(word, _)| word.clone()).collect()),
    }
}

fn entries(app: &App) -> Vec<String> {
    let Some((_, view)) = app.shown().into_iter().next() else { return Vec::new() };
    match &view {
        View::Cards(cards) => {
            let entries = cards.entries.iter().map(|entry| entry.name.clone());
            cards.cards.iter().map(|card| card.name.to_owned()).chain(entries).collect()
        }
        View::Menu(menu) => menu.entries.iter().map(|entry| (*entry).to_owned()).collect(),
        View::Form(form) => form.rows.iter().map(|row| row.field.label.clone()).collect(),
        View::List(list) => (0..list.length).map(|at| row_text(list, at)).collect(),
        _ => Vec::new(),
    }
}

/// Returns the entry that a text names by its label, the beginning of its label, or one of its words.
fn entry_named(text: &str, app: &App) -> Option<usize> {
    let text = text.to_lowercase();
    let entries: Vec<String> = entries(app).iter().map(|entry| entry.to_lowercase()).collect();
    let only = |is: &dyn Fn(&String) -> bool| {
        let mut found = (0..).zip(&entries).filter(|(_, entry)| is(entry));
        found.next().filter(|_| found.next().is_none()).map(|(at, _)| at)
    };
    let has_word = |entry: &String| {
        entry.split(|letter: char| !letter.is_alphanumeric()).any(|word| word.starts_with(&text))
    };
    entries
        .iter()
        .position(|entry| *entry == text)
        .or_else(|| only(&|entry| entry.starts_with(&text)))
        .or_else(|| only(&has_word))
}

/// Returns the entry for the game whose name starts the text, and the rest of the text.
fn game_named<'t>(text: &'t str, app: &App) -> Option<(usize, &'t str)> {
    let ends = text.match_indices(char::is_whitespace).map(|(at, _)| at).chain([text.len()]);
    let mut ends: Vec<usize> = ends.collect();
    ends.reverse();
    ends.into_iter().find_map(|end| {
        let entry = catalogue::named(text[..end].trim()).ok()?;
        let at = entries(app).iter().position(|name| name.starts_with(entry.name))?;
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
