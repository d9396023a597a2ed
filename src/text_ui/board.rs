//! Announces a board: first the whole position, then each change.

use super::TextUi;
use super::views::{describe, stopped};
use crate::action::Action;
use crate::app::App;
use crate::tui::text;
use crate::view::{BoardView, PanelBody, SeatTurn, SeatView, StatusRoom, View};
use quadrille_match::session::Match;
use quadrille_rules::{Scores, Seat};
use quadrille_scene::Role;
use quadrille_table::words::{InWords, score, turn};
use quadrille_text::wording::{capital, counted, sentence};
use std::collections::HashSet;

/// The maximum number of announced texts to remember.
const MAX_KNOWN: usize = 200;

#[derive(Clone, Debug, Default)]
pub(super) struct BoardMemory {
    title: String,
    moves: Vec<(Seat, String)>,
    scores: Option<Scores>,
    /// The player to move, or how the match ended.
    turn: String,
    is_over: bool,
    texts: Vec<String>,
    /// The status line, unless it holds a message.
    status: String,
    messages: usize,
    /// The status lines announced for this position.
    standing: HashSet<String>,
}

impl TextUi {
    pub(super) fn tell_board(&mut self, id: usize, view: &BoardView<'_>, app: &App) {
        let before = self.boards.get(&id).cloned();
        let mut now = BoardMemory {
            title: format!(
                "{}, {}",
                view.title,
                view.subtitle.first().map_or("", |subtitle| subtitle)
            ),
            moves: view.words.game.moves().to_vec(),
            scores: view.words.game.scores(),
            turn: turn(view.words.game, view.players),
            is_over: view.words.game.to_move().is_none(),
            texts: texts(view),
            status: status(view, app),
            messages: view.messages.count(),
            standing: HashSet::new(),
        };
        if before.as_ref().is_some_and(|before| before.title != now.title) {
            self.say(format!("{}.", now.title));
        }
        let has_moved = match &before {
            None => {
                self.begin(view, &now, app);
                true
            }
            Some(before) => self.tell_change(view, before, &now),
        };
        let before = before.unwrap_or_default();
        let known = &before.texts;
        self.said.extend(now.texts.iter().filter(|text| !known.contains(text)).cloned());
        if !has_moved {
            now.standing = before.standing;
        }
        for message in view.messages.after(before.messages) {
            // The take-back was already announced.
            let text = match message.split_once("; ") {
                Some((_, rest)) if has_moved && self.walks => rest,
                None if has_moved && self.walks => "",
                _ => message,
            };
            // The text may stay in the status line, as a hint does.
            note(&mut now.standing, text);
            self.say_once(as_sentence(text, view));
        }
        if view.shows_message {
            now.status = before.status;
        } else if now.status != before.status {
            self.tell_status(&mut now, view, app);
        }
        self.boards.insert(id, now);
    }

    /// Queues a sentence unless the pending output contains it.
    fn say_once(&mut self, text: String) {
        if !text.is_empty() && !self.said.iter().any(|said| said.contains(&text)) {
            self.say(text);
        }
    }

    fn begin(&mut self, view: &BoardView<'_>, now: &BoardMemory, app: &App) {
        let InWords { game, .. } = view.words;
        let is_lesson = matches!(view.body, PanelBody::Lesson(_) | PanelBody::Texts(_));
        let players = view.players.with_distinct_names();
        let names: Vec<&str> = players.iter().map(|(_, player)| player.name()).collect();
        let names = match &*names {
            [one, two] => format!("{one} against {two}"),
            names => names.join(", "),
        };
        self.say(if is_lesson {
            format!("{}.", now.title)
        } else {
            format!("{}. {names}.", now.title)
        });
        let board = view.words.board(view.players);
        if is_lesson {
            self.said.extend(board.into_iter().skip(1));
            self.tell_who_you_are(view);
        } else if game.ply() > 0 {
            // The title was announced above, and the player to move follows.
            self.said.extend(board.into_iter().skip(2));
            let last = view.words.last_move(view.players).unwrap_or_default();
            let moves = counted(game.ply(), "move", "moves");
            self.say(format!("{moves} played. {last}").trim());
            self.say(view.words.standing(view.players));
        } else {
            self.say(&*now.turn);
        }
        let clock = app.open_match().and_then(|table| table.session().conditions().clock);
        match clock.filter(|_| game.ply() == 0) {
            Some(clock) => self.say(format!("Clock: {}.", clock.in_words())),
            None => self.said.extend(times(view)),
        }
        let plays = app.actions().contains(&Action::Type)
            && app.open_match().is_none_or(|table| !table.only_engines_play());
        let example = game.legal_moves().into_iter().next().filter(|_| plays);
        if let Some(example) = example {
            self.say(format!("Type a move, such as {example}, or help for a list of commands."));
        }
    }

    fn tell_who_you_are(&mut self, view: &BoardView<'_>) {
        if let PanelBody::Texts(paragraphs) = &view.body {
            let heading = paragraphs.first().map(|paragraph| stopped(&capital(&paragraph.heading)));
            self.said.extend(heading.filter(|heading| !heading.is_empty()));
        }
        let you = view.you.map(|seat| format!("You are {}.", view.players.name(seat)));
        self.said.extend(you);
    }

    /// Announces moves, take-backs and the result. Returns whether there were any.
    fn tell_change(
        &mut self,
        view: &BoardView<'_>,
        before: &BoardMemory,
        now: &BoardMemory,
    ) -> bool {
        let InWords { game, .. } = view.words;
        let same = before.moves.iter().zip(&now.moves).take_while(|(one, other)| one == other);
        let same = same.count();
        let taken = &before.moves[same..];
        if view.is_replay {
            if now.moves != before.moves {
                let last = view.words.last_move(view.players);
                let last = last.map(|last| format!("{}. {last}", game.ply()));
                self.say(last.unwrap_or_else(|| "The start.".to_owned()));
            }
            return now.moves != before.moves;
        }
        let is_new = now.title != before.title || (!taken.is_empty() && now.moves.len() > same);
        if is_new {
            if now.moves == before.moves && now.turn == before.turn && now.scores == before.scores {
                return false;
            }
            let board = view.words.board(view.players);
            self.said.extend(board.into_iter().skip(1));
            self.tell_who_you_are(view);
            return true;
        }
        if now.moves.len() > same {
            self.said.extend(played(game, view, same));
            let last = self.said.pop().unwrap_or_default();
            self.say(format!("{last} {}", now.turn));
        } else if !taken.is_empty() {
            let names = view.players.with_distinct_names();
            let what = match taken {
                [(seat, mv)] => format!("{}'s {mv} is", names.name(*seat)),
                [(one, first), (other, last)] => {
                    format!(
                        "{}'s {last} and {}'s {first} are",
                        names.name(*other),
                        names.name(*one)
                    )
                }
                many => format!("{} moves are", many.len()),
            };
            let score = score(game, view.players).filter(|_| now.scores != before.scores);
            let score = score.map_or(String::new(), |score| format!(" {score}."));
            self.say(format!("{what} taken back.{score} {}", now.turn));
        } else if now.turn != before.turn {
            let what = if before.is_over { "Match resumed. " } else { "" };
            self.say(format!("{what}{}", now.turn));
        } else {
            return false;
        }
        true
    }

    fn tell_status(&mut self, now: &mut BoardMemory, view: &BoardView<'_>, app: &App) {
        let line = &view.status;
        let text = now.status.trim_start_matches("! ");
        let is_new = if line.role == Role::Wrong {
            note(&mut self.warnings, text)
        } else {
            note(&mut now.standing, text)
        };
        if is_new {
            let text = as_sentence(text, view);
            let asks = app.actions().contains(&Action::Agree) && line.role == Role::Strong;
            self.say_once(if asks { format!("{text} Type agree or no.") } else { text });
        }
    }

    /// Answers a line that changed nothing with the status line or the player to move.
    pub(super) fn tell_standing(&mut self, app: &App) {
        let shown = app.shown();
        let Some((_, View::Board(view))) = shown.first() else {
            let lines = shown.first().map(|(_, view)| describe(view)).unwrap_or_default();
            self.said.extend(lines.into_iter().next());
            return;
        };
        let status = status(view, app);
        let text = if status.is_empty() { turn(view.words.game, view.players) } else { status };
        self.say(as_sentence(text.trim_start_matches("! "), view));
    }

    /// Announces the values of the moves, best first. Moves of equal value share a line.
    pub(super) fn tell_worth(&mut self, app: &App) {
        for (_, view) in app.shown() {
            let View::Board(BoardView { worth: Some(worth), .. }) = view else {
                continue;
            };
            let worth = worth();
            if worth.is_empty() {
                self.say("No values yet.");
            }
            for (worth, moves) in worth {
                let worth = if worth.is_empty() { "unknown" } else { &worth };
                let worth = sentence(worth);
                self.said.extend(wrapped(&format!(
                    "{}: {}.",
                    worth.trim_end_matches('.'),
                    moves.join(", ")
                )));
            }
        }
    }

    /// Answers a command that only asks about the board; `false` for any other word.
    pub(super) fn tell_of_board(&mut self, word: &str, view: &BoardView<'_>) -> bool {
        let InWords { game, .. } = view.words;
        match word {
            "board" => {
                let lines = view.words.board(view.players);
                self.said.extend(lines);
                self.tell_who_you_are(view);
            }
            "score" => {
                self.say(view.words.standing(view.players));
                self.said.extend(times(view));
            }
            "clock" => {
                let none = "This match has no clock.".to_owned();
                self.say(times(view).unwrap_or(none));
            }
            "text" => self.said.extend(texts(view)),
            "moves" if view.is_replay => {
                let mut all = game.clone();
                all.go_to_ply(usize::MAX);
                let lines = played(&all, view, 0);
                self.said.extend(lines);
                self.say(turn(&all, view.players));
            }
            "moves" => {
                let legal = game.legal_moves();
                let line = match legal.len() {
                    0 => turn(game, view.players),
                    1 => format!("1 move: {}.", legal[0]),
                    many => format!("{many} moves: {}.", legal.join(", ")),
                };
                // A long line is hard to step through with a screen reader.
                self.said.extend(wrapped(&line));
            }
            _ => return false,
        }
        true
    }

    pub(super) fn tell_notes(&mut self, view: &BoardView<'_>) {
        let notes = view.words.notes(view.players);
        self.said.extend(notes.sentences.iter().flat_map(|line| wrapped(line)));
    }
}

/// Adds a text, and returns whether it is new. A table can send texts without end, so a full set is emptied.
fn note(known: &mut HashSet<String>, text: &str) -> bool {
    if known.len() >= MAX_KNOWN {
        known.clear();
    }
    known.insert(text.to_owned())
}

/// Formats a phrase as a sentence. A leading name or setup is not capitalized.
pub(super) fn as_sentence(text: &str, view: &BoardView<'_>) -> String {
    let is_name = view.players.iter().any(|(_, player)| {
        let rest = text.strip_prefix(player.name());
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    });
    let is_setup = text.split(' ').next().is_some_and(|word| word.contains('='));
    stopped(&if is_name || is_setup { text.to_owned() } else { capital(text) })
}

/// Describes the moves after this ply, one sentence each, with move numbers in a replay.
fn played(game: &Match, view: &BoardView<'_>, after: usize) -> Vec<String> {
    let mut copy = game.copy_line();
    let mut lines = Vec::new();
    for ply in after + 1..=game.ply() {
        copy.go_to_ply(ply);
        let last =
            InWords { game: &copy, ..view.words }.last_move(view.players).unwrap_or_default();
        lines.push(if view.is_replay { format!("{ply}. {last}") } else { last });
    }
    lines
}

/// Returns the paragraphs beside the board, and the verdict on the last move.
fn texts(view: &BoardView<'_>) -> Vec<String> {
    // These texts change during a review.
    let is_ready = view.course.as_ref().is_none_or(|course| course.is_done);
    let verdict = view.verdict.iter().filter(|_| is_ready).map(|(text, _)| stopped(text));
    let paragraphs = match &view.body {
        PanelBody::Texts(paragraphs) | PanelBody::Lesson(paragraphs) => &**paragraphs,
        PanelBody::Moves { .. } => &[],
    };
    let paragraphs = paragraphs.iter().map(|paragraph| stopped(&paragraph.text));
    // A match announces its result on a separate line.
    let result = view.result.iter().filter(|result| result.is_of_puzzles());
    let result = result.flat_map(|result| &result.how).map(|how| stopped(how));
    verdict.chain(result).chain(paragraphs).filter(|text| !text.is_empty()).collect()
}

/// Returns the status line, unless it is idle, concerns an awaited engine, or was announced elsewhere.
fn status(view: &BoardView<'_>, app: &App) -> String {
    let line = &view.status;
    let is_free = line.room == StatusRoom::Free;
    let is_said = is_free && line.role == Role::Strong && view.result.is_some();
    let is_busy = is_free && line.role == Role::Text && app.awaited().is_some();
    // The last move was announced with the round that it ended.
    let is_interlude = view.board.shows_interlude();
    if line.is_idle || is_said || is_busy || is_interlude {
        String::new()
    } else {
        line.text.clone()
    }
}

/// Formats the time on each clock: `Ann has 4:59 left; Bob has 5:00 left.` Returns `None` if there are no clocks.
fn times(view: &BoardView<'_>) -> Option<String> {
    let time = |seat: &SeatView| {
        let clock = seat.clock.as_ref()?;
        let (clock, unit) = match clock.strip_prefix('!') {
            Some(clock) => (clock, " s"),
            None => (&**clock, ""),
        };
        Some(format!("{} has {clock}{unit} left", seat.name))
    };
    let times: Vec<String> = view.seats.iter().filter_map(time).collect();
    (!times.is_empty()).then(|| format!("{}.", times.join("; ")))
}

pub(super) fn is_live(view: &BoardView<'_>) -> bool {
    view.seats.iter().any(|seat| seat.turn == SeatTurn::ToMove)
}

/// Wraps a long list without splitting entries.
fn wrapped(text: &str) -> Vec<String> {
    text::into_rows(text, 72)
}
