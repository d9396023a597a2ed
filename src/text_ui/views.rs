//! Announces all views except boards.

use super::{TextUi, form};
use crate::action::Action;
use crate::app::App;
use crate::view::{
    CardsView, ChartView, ColumnKind, ListCell, ListColumn, ListRow, ListView, MenuView, Phrase,
    ReaderPart, ReaderView, TournamentGame, TournamentView, View,
};
use quadrille_arena::tournament::PlayerRow;
use quadrille_text::wording::{capital, sentence};
use std::ops::Range;

/// The maximum number of list entries to print.
const MAX_LISTED: usize = 20;

/// How to choose an entry, which ends a list.
const HOW_TO_CHOOSE: &str = "Type a number or a name, or help for a list of commands.";

/// A view as lines of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub lines: Vec<String>,
    /// Which of the lines are the numbered entries of a list.
    entries: Range<usize>,
}

impl Page {
    /// Returns the lines to read if `before` is what was read last: those that are new, or the whole page if the
    /// numbers now stand for other entries.
    fn news(&self, before: &Page) -> Vec<String> {
        let [now, known] = [self, before].map(|page| &page.lines[page.entries.clone()]);
        let changed = now.iter().zip(known).filter(|(now, known)| now != known).count();
        let is_new = now.len() != known.len() || changed > 1;
        let news = self.lines.iter().filter(|line| is_new || !before.lines.contains(line));
        news.cloned().collect()
    }
}

impl From<Vec<String>> for Page {
    fn from(lines: Vec<String>) -> Page {
        Page { lines, entries: 0..0 }
    }
}

impl TextUi {
    pub(super) fn print_view(&mut self, id: usize, view: &View<'_>, app: &App) {
        if let View::Board(board) = view {
            return self.print_board(id, board, app);
        }
        if self.is_loading && is_loaded_in_pieces(view) {
            return;
        }
        // The rest of the line chooses an entry from this view, or changes it before it is read.
        let is_passed = matches!(view, View::List(_) | View::Menu(_) | View::Form(_));
        if is_passed && !self.queue.is_empty() && closes_by_itself(view).is_none() {
            return;
        }
        let page = describe(view);
        let before = self.views.insert(id, page.clone()).unwrap_or_default();
        self.output.extend(page.news(&before));
    }
}

pub(super) fn describe(view: &View<'_>) -> Page {
    match view {
        View::Cards(cards) => describe_cards(cards),
        View::Chart(chart) => describe_chart(chart).into(),
        View::Form(form) => form::describe(form).into(),
        View::List(list) => describe_list(list),
        View::Menu(menu) => describe_menu(menu).into(),
        View::Reader(reader) => describe_reader(reader).into(),
        View::Tournament(tournament) => describe_tournament(tournament).into(),
        View::Board(_) => Page::default(),
    }
}

/// Returns the text, ending with a full stop.
pub(super) fn stopped(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', ':', '?', '!']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

pub(super) fn phrase(phrase: &Phrase) -> String {
    match &*phrase.text {
        "" => String::new(),
        text => sentence(text.trim_end_matches('.')),
    }
}

/// Formats an entry with its number, unless its text already contains one.
pub(super) fn numbered(number: usize, text: &str) -> String {
    let text = text.strip_prefix(&format!("{number}  ")).unwrap_or(text);
    format!("{number} {}", stopped(text))
}

fn describe_cards(view: &CardsView) -> Page {
    let mut lines = vec![format!("Quadrille: {}.", view.about)];
    let cards = view.cards.iter().map(|card| card.name.to_owned());
    let entries = view.entries.iter().map(|entry| entry.name.clone());
    let notes = view.notes.iter().map(|note| note.trim_end_matches('.'));
    for (number, (name, note)) in (1..).zip(cards.chain(entries).zip(notes)) {
        lines.push(numbered(number, &format!("{name}: {note}")));
    }
    let entries = 1..lines.len();
    lines.extend(view.message.iter().map(phrase));
    lines.extend(view.offer.iter().map(|_| "New here? Type learn.".to_owned()));
    lines.push(HOW_TO_CHOOSE.to_owned());
    Page { lines, entries }
}

fn describe_menu(view: &MenuView<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    // The title beside a board was already announced.
    if view.has_title_beside {
        lines.push(stopped(view.title));
        lines.extend(view.lines.iter().cloned());
    }
    if view.entries.len() < 2 {
        return lines;
    }
    let entries = (1..).zip(&view.entries);
    if view.has_title_beside {
        lines.extend(entries.map(|(number, label)| numbered(number, label)));
        let how = if view.is_question { "Type yes or no." } else { HOW_TO_CHOOSE };
        lines.push(how.to_owned());
    } else {
        // The menu opened without a command, possibly while the user was typing.
        let entries: Vec<String> =
            entries.map(|(number, label)| format!("{number} {label}")).collect();
        lines.push(format!("Next: {}.", entries.join("; ")));
    }
    lines
}

/// Formats a list entry: its columns in order, numbers with their headings.
pub(super) fn row_text(list: &ListView<'_>, row: &ListRow) -> String {
    let cell = |cell: &ListCell| match cell {
        ListCell::Texts(texts) => {
            let texts: Vec<&str> = texts.iter().map(|phrase| &*phrase.text).collect();
            texts.join("").trim().to_owned()
        }
        ListCell::Shorter(words, _) => words.text.clone(),
        ListCell::Names(names, winner) => match (&**names, winner) {
            ([one, two], _) => format!("{one} against {two}"),
            (names, _) => names.join(", "),
        },
    };
    let headed = |(column, cell): (&ListColumn, String)| match column.head {
        head if column.kind == ColumnKind::Number && !cell.is_empty() => format!("{head} {cell}"),
        _ => cell,
    };
    let cells = list.columns.iter().zip(row.cells.iter().map(cell)).map(headed);
    let cells = cells.chain([row.end.clone()]);
    cells.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
}

fn describe_list(view: &ListView<'_>) -> Page {
    let mut lines = vec![stopped(&format!("{} {}", view.title, view.beside_title.text))];
    if view.rows.is_empty() {
        lines.push(stopped(view.empty));
    }
    let first = lines.len();
    let listed = (1..).zip(&*view.rows).take(MAX_LISTED);
    lines.extend(listed.map(|(number, row)| numbered(number, &row_text(view, row))));
    let entries = first..lines.len();
    let more = view.rows.len().saturating_sub(MAX_LISTED);
    if more > 0 {
        lines.push(format!("And {more} more, numbered on from here."));
    }
    lines.extend(
        view.warning.iter().chain(&view.message).map(phrase).filter(|line| !line.is_empty()),
    );
    if view.filter.is_some() {
        lines.push("Type the words to find, or an empty line to list all.".to_owned());
    } else if let Some((what, typed)) = &view.typed {
        lines.push(describe_typed(what, typed.text));
    } else if !view.rows.is_empty() {
        lines.push(HOW_TO_CHOOSE.to_owned());
    }
    Page { lines, entries }
}

fn describe_chart(view: &ChartView<'_>) -> Vec<String> {
    let mut lines = vec![stopped(&view.title), phrase(&Phrase::plain(&*view.summary))];
    if view.charts.iter().all(|chart| chart.history.is_empty()) {
        let how = "finish a match against the computer without hints or take-backs";
        lines.push(format!("No ratings yet: {how}."));
    }
    for chart in &view.charts {
        let words: Vec<&str> = chart.words.iter().map(|words| &*words.text).collect();
        let words: Vec<&str> = words.into_iter().filter(|text| !text.is_empty()).collect();
        lines.push(stopped(&words.join(", ")));
    }
    lines.push(stopped(view.table_title));
    for (name, counts) in &view.rows {
        let counts: Vec<String> =
            view.heads.iter().zip(counts).map(|(head, count)| format!("{head} {count}")).collect();
        lines.push(stopped(&format!("{}: {}", name.text.trim(), counts.join(", "))));
    }
    lines.extend(view.empty.map(stopped));
    lines.push(stopped(view.note));
    lines.extend(view.message.map(sentence));
    lines.extend(view.typed.as_ref().map(|(what, typed)| describe_typed(what, typed.text)));
    lines.retain(|line| !line.is_empty());
    lines
}

/// Says what to type into an open text field.
fn describe_typed(what: &str, text: &str) -> String {
    let what = capital(what.trim_end_matches([':', ' ']));
    let example = if text.is_empty() { String::new() } else { format!(", such as {text}") };
    format!("{what}: type it{example}, or an empty line to cancel.")
}

fn describe_tournament(view: &TournamentView<'_>) -> Vec<String> {
    let mut lines = vec![stopped(&format!("{} {}", view.title, view.state.0))];
    let pace = view.pace.iter().flat_map(|pace| [&pace.left, &pace.speed]).flatten().cloned();
    let played = format!("{} of {} games", view.finished.len(), view.games);
    let progress: Vec<String> = [played].into_iter().chain(pace).collect();
    lines.push(stopped(&progress.join(", ")));
    for (rank, row) in (1..).zip(&view.table.rows) {
        let PlayerRow { name, games, .. } = row;
        let points = row.tally.points();
        lines.push(numbered(rank, &format!("{name}: {points} points from {games} games")));
    }
    lines.extend(view.test.iter().map(|test| stopped(test)));
    for running in &view.running {
        let TournamentGame { number, players, state, .. } = &running.game;
        let score = running.score.iter().chain([state]).cloned();
        let words: Vec<String> = [players.join(" - ")].into_iter().chain(score).collect();
        lines.push(stopped(&format!("Game {number}: {}", words.join(", "))));
    }
    lines.extend(view.notes.iter().map(phrase));
    lines
}

fn describe_reader(view: &ReaderView<'_>) -> Vec<String> {
    let mut lines = vec![stopped(&format!("{}, {}", view.title, view.kind))];
    for part in view.parts {
        match part {
            ReaderPart::Text(text) => lines.extend(text.trim_end().lines().map(str::to_owned)),
            ReaderPart::Keys(keys) => {
                lines.extend(keys.iter().map(|(keys, does)| format!("{keys}: {does}.")));
            }
        }
    }
    lines.retain(|line| !line.trim().is_empty());
    lines
}

/// Returns whether the host adds to the view piece by piece.
pub(super) fn is_loaded_in_pieces(view: &View<'_>) -> bool {
    matches!(view, View::List(_) | View::Cards(_) | View::Chart(_))
}

/// Returns the action that closes a view without choices, such as a text.
pub(super) fn closes_by_itself(view: &View<'_>) -> Option<Action> {
    match view {
        View::Chart(chart) if chart.typed.is_some() => None,
        View::Reader(_) | View::Chart(_) => Some(Action::Back),
        View::Menu(menu) if menu.entries.len() == 1 => Some(Action::Choose),
        View::List(list) if list.rows.is_empty() && list.filter.is_none() => Some(Action::Back),
        _ => None,
    }
}
