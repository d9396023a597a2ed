//! Announces a board: first the whole position, then each change.

use super::TextUi;
use super::views::{describe, stopped};
use crate::action::Action;
use crate::app::App;
use crate::tui::text;
use crate::view::{Announcement, AskedQuestion, BoardView, PanelBody, SeatTurn, SeatView, View};
use quadrille_match::session::Match;
use quadrille_rules::{Scores, Seat};
use quadrille_search::RatedMove;
use quadrille_table::engine::ValueFormat;
use quadrille_table::words::{InWords, score, turn};
use quadrille_text::wording::{capital, counted, sentence};

/// What was printed of a board.
#[derive(Debug)]
pub(super) struct BoardMemory {
    page: u64,
    title: String,
    moves: Vec<(Seat, String)>,
    scores: Option<Scores>,
    /// The player to move, or how the match ended.
    turn: String,
    is_over: bool,
    texts: Vec<String>,
    /// The number of announcements printed.
    printed: usize,
}

impl BoardMemory {
    fn of(view: &BoardView<'_>) -> BoardMemory {
        let subtitle = view.subtitle.first().map_or("", |subtitle| subtitle);
        BoardMemory {
            page: view.page,
            title: format!("{}, {subtitle}", view.title),
            moves: view.words.game.moves().to_vec(),
            scores: view.words.game.scores(),
            turn: turn(view.words.game, &view.names),
            is_over: view.words.game.to_move().is_none(),
            texts: texts(view),
            printed: view.announcements.count(),
        }
    }

    fn is_at_the_same_position(&self, other: &BoardMemory) -> bool {
        self.moves == other.moves && self.turn == other.turn && self.scores == other.scores
    }
}

impl TextUi {
    pub(super) fn print_board(&mut self, id: usize, view: &BoardView<'_>, app: &App) {
        let now = BoardMemory::of(view);
        let before = self.boards.remove(&id);
        match &before {
            None => self.begin(view, &now, app),
            Some(before) if before.page != now.page => self.turn_page(view, before, &now, app),
            Some(before) => self.print_change(view, before, &now),
        }
        // The goal was printed before the position.
        let goal =
            goal(view).filter(|_| before.as_ref().is_none_or(|before| before.page != now.page));
        let (mut known, printed) =
            before.map_or((Vec::new(), 0), |before| (before.texts, before.printed));
        known.extend(goal);
        self.output.extend(now.texts.iter().filter(|text| !known.contains(text)).cloned());
        for announcement in view.announcements.after(printed) {
            self.print(match announcement {
                Announcement::Event(words) | Announcement::Refusal(words) => {
                    as_sentence(words, view)
                }
                Announcement::Question(question) => ask(question, view),
            });
        }
        self.boards.insert(id, now);
    }

    /// Announces another match, puzzle or step of a lesson on the same screen.
    fn turn_page(
        &mut self,
        view: &BoardView<'_>,
        before: &BoardMemory,
        now: &BoardMemory,
        app: &App,
    ) {
        if !is_of_learner(view) {
            // A table may send the match again.
            if !now.is_at_the_same_position(before) {
                self.output.extend(before.is_over.then(|| "A rematch.".to_owned()));
                self.begin(view, now, app);
            }
            return;
        }
        self.print(format!("{}.", now.title));
        if !now.is_at_the_same_position(before) {
            self.print_position(view);
        }
    }

    fn print_position(&mut self, view: &BoardView<'_>) {
        self.output.extend(goal(view));
        self.output.extend(view.words.board(&view.names).into_iter().skip(1));
        self.print_own_seats(view);
    }

    fn begin(&mut self, view: &BoardView<'_>, now: &BoardMemory, app: &App) {
        let InWords { game, .. } = view.words;
        let is_lesson = is_of_learner(view);
        let names = match &*view.names.seats().collect::<Vec<_>>() {
            &[one, two] => {
                format!("{} against {}", view.names.subject(one), view.names.name(two))
            }
            seats => {
                let names = seats.iter().map(|seat| view.names.subject(*seat));
                names.collect::<Vec<_>>().join(", ")
            }
        };
        self.print(if is_lesson {
            format!("{}.", now.title)
        } else {
            format!("{}. {names}.", now.title)
        });
        if is_lesson {
            self.print_position(view);
        } else if game.ply() > 0 {
            // The title was printed above, and the player to move follows.
            self.output.extend(view.words.board(&view.names).into_iter().skip(2));
            let last = view.words.last_move(&view.names).unwrap_or_default();
            let moves = counted(game.ply(), "move", "moves");
            self.print(format!("{moves} played. {last}").trim());
            self.print(view.words.standing(&view.names));
        } else {
            self.print(&*now.turn);
        }
        let clock = app.open_match().and_then(|table| table.session().conditions().clock);
        match clock.filter(|_| game.ply() == 0) {
            Some(clock) => self.print(format!("Clock: {}.", clock.in_words())),
            None => self.output.extend(times(view)),
        }
        let plays = app.actions().contains(&Action::Type)
            && app.open_match().is_none_or(|table| !table.only_engines_play());
        let example = game.legal_moves().into_iter().next().filter(|_| plays);
        if let Some(example) = example {
            self.print(format!("Type a move, such as {example}, or help for a list of commands."));
        }
    }

    fn print_own_seats(&mut self, view: &BoardView<'_>) {
        if let PanelBody::Texts(paragraphs) = &view.body {
            let heading = paragraphs.first().map(|paragraph| stopped(&capital(&paragraph.heading)));
            self.output.extend(heading.filter(|heading| !heading.is_empty()));
        }
        let mark = |seat| view.words.game.now().mark(seat);
        let you = view.names.you().filter(|_| is_of_learner(view));
        self.output.extend(you.map(|seat| format!("You are {}.", mark(seat))));
    }

    /// Announces moves, take-backs and the result.
    fn print_change(&mut self, view: &BoardView<'_>, before: &BoardMemory, now: &BoardMemory) {
        let InWords { game, .. } = view.words;
        let same = before.moves.iter().zip(&now.moves).take_while(|(one, other)| one == other);
        let same = same.count();
        let taken = &before.moves[same..];
        if now.title != before.title {
            self.print(format!("{}.", now.title));
        }
        if view.is_replay {
            if now.moves != before.moves {
                let last = view.words.last_move(&view.names);
                let last = last.map(|last| format!("{}. {last}", game.ply()));
                self.print(last.unwrap_or_else(|| "The start.".to_owned()));
            }
        } else if !taken.is_empty() && now.moves.len() > same {
            self.print_position(view);
        } else if now.moves.len() > same {
            self.output.extend(played(game, view, same));
            let last = self.output.pop().unwrap_or_default();
            self.print(format!("{last} {}", now.turn));
        } else if !taken.is_empty() {
            let names = &view.names;
            let what = match taken {
                [(seat, mv)] => format!("{} {mv} is", names.leading_possessive(*seat)),
                [(one, first), (other, last)] => {
                    let other = names.leading_possessive(*other);
                    format!("{other} {last} and {} {first} are", names.possessive(*one))
                }
                many => format!("{} moves are", many.len()),
            };
            let score = score(game, &view.names).filter(|_| now.scores != before.scores);
            let score = score.map_or(String::new(), |score| format!(" {score}."));
            self.print(format!("{what} taken back.{score} {}", now.turn));
        } else if now.turn != before.turn {
            let what = if before.is_over { "Match resumed. " } else { "" };
            self.print(format!("{what}{}", now.turn));
        }
    }

    /// Answers a line that changed nothing with what the screen waits for.
    pub(super) fn print_status(&mut self, app: &App) {
        let shown = app.visible_views();
        let Some((_, View::Board(view))) = shown.first() else {
            let page = shown.first().map(|(_, view)| describe(view)).unwrap_or_default();
            self.output.extend(page.lines.into_iter().next());
            return;
        };
        let turn = || turn(view.words.game, &view.names);
        self.print(as_sentence(&view.waits_for.clone().unwrap_or_else(turn), view));
    }

    /// Announces the values of the moves, best first. Moves of equal value share a line.
    pub(super) fn print_values(&mut self, app: &App) {
        for (_, view) in app.visible_views() {
            let View::Board(BoardView { values: Some(values), words, .. }) = view else {
                continue;
            };
            let groups = by_value(values, words.game);
            if groups.is_empty() {
                self.print("No values yet.");
            }
            for (value, moves) in groups {
                let value = if value.is_empty() { "unknown" } else { &value };
                let value = sentence(value);
                self.output.extend(wrapped(&format!(
                    "{}: {}.",
                    value.trim_end_matches('.'),
                    moves.join(", ")
                )));
            }
        }
    }

    /// Answers a command that only asks about the board; `false` for any other word.
    pub(super) fn answer_query(&mut self, word: &str, view: &BoardView<'_>) -> bool {
        let InWords { game, .. } = view.words;
        match word {
            "board" => {
                let lines = view.words.board(&view.names);
                self.output.extend(lines);
                self.print_own_seats(view);
            }
            "score" => {
                self.print(view.words.standing(&view.names));
                self.output.extend(times(view));
            }
            "clock" => {
                let none = "This match has no clock.".to_owned();
                self.print(times(view).unwrap_or(none));
            }
            "text" => self.output.extend(texts(view)),
            "moves" if view.is_replay => {
                let line = match &view.body {
                    PanelBody::Moves { list, .. } => list.moves.len(),
                    _ => game.ply(),
                };
                let mut all = game.clone();
                all.go_to_ply(line);
                let lines = played(&all, view, 0);
                self.output.extend(lines);
                self.print(turn(&all, &view.names));
            }
            "moves" => {
                let legal = game.legal_moves();
                let line = match legal.len() {
                    0 => turn(game, &view.names),
                    1 => format!("1 move: {}.", legal[0]),
                    many => format!("{many} moves: {}.", legal.join(", ")),
                };
                // A long line is hard to step through with a screen reader.
                self.output.extend(wrapped(&line));
            }
            _ => return false,
        }
        true
    }

    pub(super) fn print_notes(&mut self, view: &BoardView<'_>) {
        let notes = view.words.notes(&view.names);
        self.output.extend(notes.sentences.iter().flat_map(|line| wrapped(line)));
    }
}

/// Formats a question with its number, and how to answer it.
pub(super) fn ask(question: &AskedQuestion, view: &BoardView<'_>) -> String {
    match question.number {
        None => format!("{} Type agree or no.", as_sentence(&question.words, view)),
        Some(number) => {
            let asked = stopped(&question.words);
            let others = view.questions.iter().any(|other| other.number != Some(number));
            let which = if others { format!(" {number}") } else { String::new() };
            format!("Question {number}: {asked} Type agree{which} or no{which}.")
        }
    }
}

/// Formats a phrase as a sentence. A leading name or setup is not capitalized.
pub(super) fn as_sentence(text: &str, view: &BoardView<'_>) -> String {
    let is_name = view.names.seats().any(|seat| {
        let rest = text.strip_prefix(view.names.in_third_person(seat));
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
        let last = InWords { game: &copy, ..view.words }.last_move(&view.names).unwrap_or_default();
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
    let said = verdict.chain(result).chain(paragraphs).filter(|text| !text.is_empty());
    said.chain(view.share.clone()).collect()
}

/// Returns the goal of a puzzle.
fn goal(view: &BoardView<'_>) -> Option<String> {
    match &view.body {
        PanelBody::Texts(paragraphs) => paragraphs.first().map(|goal| stopped(&goal.text)),
        _ => None,
    }
}

fn is_of_learner(view: &BoardView<'_>) -> bool {
    matches!(view.body, PanelBody::Lesson(_) | PanelBody::Texts(_))
}

/// Formats the time on each clock: `Ann has 4:59 left; Bob has 5:00 left.` Returns `None` if there are no clocks.
fn times(view: &BoardView<'_>) -> Option<String> {
    let time = |seat: &SeatView| {
        let clock = seat.clock.as_ref()?;
        let (clock, unit) = match clock.strip_prefix('!') {
            Some(clock) => (clock, " s"),
            None => (&**clock, ""),
        };
        Some(view.names.clause(seat.seat, &format!("has {clock}{unit} left")))
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

/// Groups the moves by their value in words, best first.
fn by_value<'a>(values: &'a [RatedMove<String>], game: &Match) -> Vec<(String, Vec<&'a str>)> {
    let value_format = ValueFormat::of(game);
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for rated in values {
        // In a game of rounds, the score of the current round is more informative.
        let value = match rated.round_value {
            Some(value) => ValueFormat::Round.in_words(value.into()),
            None => value_format.in_words(rated.value),
        };
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, moves)) => moves.push(&rated.mv),
            None => groups.push((value, vec![&rated.mv])),
        }
    }
    groups
}
