//! Lines typed on a board: moves, commands, answers, and words that only ask.

use super::TextUi;
use super::board::{ask, is_live};
use super::names::{Found, Meaning, Name, find, named_exactly, names, quoted, split};
use crate::action::Action;
use crate::app::{App, Command, Commands, Task};
use crate::view::View;
use quadrille_match::session::read_typed;
use quadrille_table::words::turn;
use quadrille_text::wording::{either, sentence};

/// The commands that only ask about a board, with descriptions.
pub(super) const ASKS: [(&str, &str); 4] = [
    ("board", "describe the board"),
    ("score", "show the score and the clocks"),
    ("moves", "list legal moves; in a replay, all moves of the match"),
    ("text", "show the text beside the board"),
];

/// What people type before the number of a move in a replay.
const STEP_VERBS: [&str; 4] = ["move ", "go to ", "goto ", "go "];

impl TextUi {
    pub(super) fn on_board_line(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        let (first, rest) = split(text);
        if text.is_empty() {
            return self.enter_on_board(app);
        }
        let commands = app.commands();
        let says = |command: &Command| command.is(Action::Say) && command.is_available();
        // `chat` alone lists the messages.
        let is_message = first == "say" || first == "chat" && !rest.is_empty();
        if is_message && commands.iter().any(says) {
            if rest.is_empty() {
                self.print("Type say and your message.");
                return Vec::new();
            }
            app.perform_action(Action::Say);
            return self.type_text(rest, app);
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
        if is_replay {
            return self.step_in_replay(text, app);
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

    /// Answers an empty line: repeats the open questions, and continues, or tells whose turn it is.
    fn enter_on_board(&mut self, app: &mut App) -> Vec<Task> {
        self.with_board(app, |ui, view| {
            ui.output.extend(view.questions.iter().map(|question| ask(question, view)));
        });
        app.continue_screen().unwrap_or_else(|| {
            self.with_board(app, |ui, view| {
                let texts = view.words.standing(&view.names);
                let turn = turn(view.words.game, &view.names);
                ui.print(if is_live(view) { turn } else { texts });
            });
            Vec::new()
        })
    }

    /// Goes to the move with this number. The entries of the list are the moves.
    fn step_in_replay(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        let number = STEP_VERBS.iter().find_map(|verb| text.strip_prefix(verb)).unwrap_or(text);
        let Ok(ply) = number.trim().parse::<usize>() else {
            self.print(
                "You cannot play moves in a replay. Type next, back, end or the number of a move to step, or moves \
                 to list all moves.",
            );
            return Vec::new();
        };
        match ply.checked_sub(1) {
            Some(entry) => app.go_to_listed(entry),
            None => app.perform_action(Action::First),
        }
    }

    /// Answers the word of a command that does not work now; `false` if it is not such a word.
    pub(super) fn refuse_for_now(&mut self, word: &str, commands: &Commands) -> bool {
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
        let answers = |action: Action| {
            action.words().split_whitespace().any(|own| own.eq_ignore_ascii_case(word))
        };
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

    fn play(&mut self, text: &str, app: &mut App) -> Vec<Task> {
        if !app.actions().contains(&Action::Type) {
            self.with_board(app, |ui, view| {
                let turn = turn(view.words.game, &view.names);
                let game = view.words.game;
                // Otherwise the result says it.
                let is_ended_by_rules = game.termination().is_none();
                let why = read_typed(game, text).err().filter(|_| is_ended_by_rules);
                let why = why.map_or(String::new(), |why| sentence(&why.to_string()));
                ui.print(format!("{why} {turn}").trim());
            });
            return Vec::new();
        }
        let mut tasks = app.perform_action(Action::Type);
        // The action may have taken back a wrong answer.
        self.is_unanswered = false;
        let said = self.announce(app);
        self.output.extend(said);
        if app.takes_text() {
            tasks.extend(app.type_text(text));
        }
        self.is_unanswered = true;
        if app.takes_text() {
            // The reason for the refusal is shown as a message.
            tasks.extend(app.perform_action(Action::Cancel));
        }
        tasks
    }
}

/// Returns the words that ask about a board.
pub(super) fn asks() -> impl Iterator<Item = Name<Meaning>> {
    let words = ASKS.into_iter().map(|(word, _)| word).chain(["clock"]);
    words.map(|word| Name {
        words: vec![word.to_owned()],
        is_final: false,
        meaning: Meaning::Ask(word),
    })
}

/// Returns what a text means on a board. Questions and commands with keys come before the entries of the menu.
pub(super) fn find_on_board(text: &str, commands: &Commands) -> Found<Meaning> {
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
