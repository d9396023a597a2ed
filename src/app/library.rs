//! The library: the records of finished matches.

use super::command::{Command, Commands};
use super::destination::Destination;
use super::list::ListState;
use super::menu::Menu;
use super::news::News;
use super::record_summary::RecordSummary;
use super::screen::{About, Effect, Input, Screen};
use super::tasks::RecordTask;
use super::text_field::TextField;
use super::{Context, text};
use crate::action::Action;
use crate::view::{ColumnKind, ListCell, ListColumn, ListRow, ListView, Phrase, View};
use quadrille_text::wording::counted;
use std::borrow::Cow;

const COLUMNS: [ListColumn; 5] = [
    ListColumn::new("game", ColumnKind::Game),
    ListColumn::new("names", ColumnKind::Rest),
    ListColumn::new("result", ColumnKind::Score),
    ListColumn::new("date", ColumnKind::Date),
    ListColumn::new("moves", ColumnKind::Number),
];

#[derive(Default)]
pub(super) struct LibraryScreen {
    /// All records, latest first; `None` until they are loaded.
    records: Option<Vec<RecordSummary>>,
    /// One line for each unreadable file.
    damaged: Vec<String>,
    filter: String,
    filtered: Vec<usize>,
    /// The rows of the filtered records.
    rows: Vec<ListRow>,
    /// The cursor, as an index into `filtered`.
    list: ListState,
    /// Whether a key has been pressed since the screen opened.
    moved: bool,
    typing: Option<(TypingFor, TextField)>,
    message: Option<String>,
    longest_names: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TypingFor {
    Filter,
    Name(String),
    Path(String),
}

impl LibraryScreen {
    /// Stores the records. If the user has moved the cursor, it stays on its record.
    fn list(&mut self, mut records: Vec<RecordSummary>, damaged: Vec<String>) {
        records.sort_by(|a, b| b.date.cmp(&a.date));
        let names = records.iter().map(RecordSummary::all_names);
        self.longest_names = names.max_by_key(|names| text::width(names)).unwrap_or_default();
        let current = self.current().filter(|_| self.moved);
        let id = current.map(|record| record.id.clone());
        self.records = Some(records);
        self.damaged = damaged;
        self.find(id.as_deref());
    }

    /// Changes the id of a record. The cursor stays on this record.
    fn renamed(&mut self, id: &str, to: &str) {
        let record = self.records.iter_mut().flatten().find(|record| record.id == id);
        if let Some(record) = record {
            to.clone_into(&mut record.id);
            self.apply_filter();
        }
    }

    fn filter(&self) -> &str {
        match &self.typing {
            Some((TypingFor::Filter, field)) => field.text(),
            _ => &self.filter,
        }
    }

    /// Applies the filter. Must be called after every change of the list or the filter.
    fn apply_filter(&mut self) {
        let words: Vec<String> = self.filter().split_whitespace().map(str::to_lowercase).collect();
        let records = self.records.iter().flatten().enumerate();
        let filtered = records.filter(|(_, record)| record.has(&words));
        (self.filtered, self.rows) = filtered.map(|(index, record)| (index, row(record))).unzip();
    }

    fn visible_records(&self) -> impl Iterator<Item = &RecordSummary> {
        let records = self.records.as_deref().unwrap_or_default();
        self.filtered.iter().filter_map(|&index| records.get(index))
    }

    fn current(&self) -> Option<&RecordSummary> {
        self.records.as_ref()?.get(*self.filtered.get(self.list.at())?)
    }

    /// Applies the filter and moves the cursor to this record. If the filter hides the record, the cursor stays close
    /// to its old place.
    fn find(&mut self, id: Option<&str>) {
        self.apply_filter();
        let found = self.visible_records().position(|record| Some(&*record.id) == id);
        let at = self.list.place(found, self.filtered.len());
        self.list.go_to(at);
    }

    /// Changes the filter. The cursor stays on its record.
    fn refilter(&mut self, change: impl FnOnce(&mut LibraryScreen)) {
        let id = self.current().map(|record| record.id.clone());
        change(self);
        self.find(id.as_deref());
    }

    fn ask(&mut self, asked: TypingFor, text: &str) {
        self.typing = Some((asked, TextField::new(text)));
    }

    fn confirm_delete(&self) -> Option<Effect> {
        let record = self.current()?;
        let what = format!("{}  {}", record.date, record.result);
        let names = record.all_names();
        let lines = vec![record.game_name().to_owned(), names, what, record.id.clone()];
        let delete = RecordTask::Delete(record.id.clone());
        let menu = Menu::new("Delete this record?")
            .with_lines(lines)
            .no("Cancel")
            .yes("Delete", [Effect::run(delete), Effect::run(RecordTask::List)])
            .with_about("This cannot be undone.");
        Some(Effect::open(menu))
    }

    /// Closes the text field. `keeps` says whether to accept the text.
    fn end_typing(&mut self, keeps: bool) -> Vec<Effect> {
        match &self.typing {
            Some((_, field)) if keeps => {
                let text = field.text().trim().to_owned();
                self.typed(text)
            }
            _ => {
                self.refilter(|library| library.typing = None);
                Vec::new()
            }
        }
    }

    fn typed(&mut self, text: String) -> Vec<Effect> {
        match self.typing.take() {
            Some((TypingFor::Filter, _)) => {
                self.filter = text;
                Vec::new()
            }
            Some((TypingFor::Path(id), _)) if !text.is_empty() => {
                vec![Effect::run(RecordTask::Export { id, to: text })]
            }
            Some((TypingFor::Name(id), _)) if !text.is_empty() && text != id => {
                vec![
                    Effect::run(RecordTask::Rename { id, to: text }),
                    Effect::run(RecordTask::List),
                ]
            }
            _ => Vec::new(),
        }
    }

    /// Edits the text field; `false` if it is closed or nothing changes.
    fn edit(&mut self, edit: impl FnOnce(&mut TextField) -> bool) -> bool {
        let mut has_changed = false;
        if self.typing.is_some() {
            self.refilter(|library| {
                has_changed = library.typing.as_mut().is_some_and(|(_, field)| edit(field));
            });
        }
        has_changed
    }

    fn perform(&mut self, action: Action, context: &Context) -> Option<Vec<Effect>> {
        let record = self.current().map(|record| record.id.clone());
        match (action, record) {
            (Action::Confirm, _) => return Some(self.end_typing(true)),
            (Action::Cancel, _) => return Some(self.end_typing(false)),
            (Action::Find, _) => {
                let filter = self.filter.clone();
                self.ask(TypingFor::Filter, &filter);
            }
            (Action::Rename, Some(id)) => self.ask(TypingFor::Name(id.clone()), &id),
            (Action::Export, Some(id)) => {
                let file = format!("{id}.game");
                self.ask(TypingFor::Path(id), &file);
            }
            (Action::Delete, _) => return self.confirm_delete().map(|effect| vec![effect]),
            (Action::Results, _) => {
                let ids = || self.visible_records().map(|record| record.id.clone()).collect();
                return Some(Destination::statistics((!self.filter.is_empty()).then(ids)));
            }
            (Action::OwnMistakes, Some(id)) => {
                return Some(vec![Effect::run(RecordTask::Mistakes(id))]);
            }
            (Action::Choose, Some(id)) => return Some(vec![Effect::run(RecordTask::Read(id))]),
            (Action::Back, _) if self.filter.is_empty() => return Some(vec![Effect::Pop]),
            (Action::Back, _) => self.refilter(|library| library.filter.clear()),
            _ => {
                let length = self.filtered.len();
                return self.list.input(&Input::Action(action), length, &context.feedback);
            }
        }
        Some(Vec::new())
    }
}

impl LibraryScreen {
    /// Returns the total number of records, and the number that match the filter.
    fn beside_title(&self) -> Phrase {
        let all = self.records.as_ref().map_or(0, Vec::len);
        match (all, &*self.filter) {
            (0, "") => Phrase::default(),
            (all, "") => Phrase::dim(counted(all, "match", "matches")),
            (all, filter) => Phrase::plain(format!("/{filter}  {} of {all}", self.filtered.len())),
        }
    }

    fn why_empty(&self) -> &'static str {
        match &self.records {
            None => "",
            Some(records) if records.is_empty() => "No records yet. Finished matches appear here.",
            Some(_) => "No matching records.",
        }
    }

    /// Describes the first damaged file, and counts the other damaged files.
    fn warning(&self) -> Option<Phrase> {
        let first = self.damaged.first()?;
        Some(Phrase::wrong(match self.damaged.len() - 1 {
            0 => first.clone(),
            more => format!("{more} more damaged; {first}"),
        }))
    }
}

/// Formats a record as a row. A narrow row omits how the match ended.
fn row(record: &RecordSummary) -> ListRow {
    let (score, _) = record.result.split_once(',').unwrap_or((&record.result, ""));
    ListRow::from([
        Phrase::plain(record.game_name()).into(),
        record.names_cell(),
        ListCell::Shorter(Phrase::plain(&record.result), score.to_owned()),
        Phrase::dim(&record.date).into(),
        Phrase::dim(record.plies.to_string()).into(),
    ])
}

impl Screen for LibraryScreen {
    fn commands(&self, _: &Context) -> Commands {
        if self.typing.is_some() {
            return Commands::default().show(Action::Confirm.hint()).show(Action::Cancel.hint());
        }
        let search = [Action::Find.hint(), Action::Results.to("statistics")];
        if self.filtered.is_empty() {
            return ListState::add_to(Commands::default())
                .with_footer([])
                .show_all(search)
                .show(Action::Leave.to("back"))
                .hide(&[Action::Back]);
        }
        let word =
            |word, about| Command::word(word, about, [Effect::Perform(Action::Choose)]).of_entry();
        let change = [Action::Export, Action::Rename, Action::Delete, Action::OwnMistakes];
        ListState::add_to(Commands::default())
            .show(Action::Choose.to("open"))
            .show_all(search)
            .add(change.map(|action| Command::from(action.hint()).of_entry()))
            .hide(&[Action::Back])
            .show(Action::Leave.to("back"))
            .add([
                word("show", "show the final position").then(&["end", "board"]),
                word("replay", "tell all moves").then(&["moves"]),
            ])
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        let is_key = matches!(input, Input::Action(_) | Input::Key(_));
        self.moved |= is_key || matches!(input, Input::GoTo(_));
        let had_message = is_key && self.message.take().is_some();
        match input {
            Input::Action(action) => return self.perform(action, context),
            Input::Key(key) => {
                return (self.edit(|field| field.key(key)) || had_message).then(Vec::new);
            }
            Input::Paste(text) => {
                return self.edit(|field| field.paste(text)).then(Vec::new);
            }
            Input::News(News::Records(records, damaged)) => {
                self.list(records.to_vec(), damaged.to_vec());
            }
            Input::News(News::Renamed(id, to)) => self.renamed(id, to),
            Input::Message(line) => self.message = Some(line.to_owned()),
            input => return self.list.input(&input, self.filtered.len(), &context.feedback),
        }
        Some(Vec::new())
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        let (filter, typed) = match &self.typing {
            Some((TypingFor::Filter, field)) => (Some(field.typed()), None),
            Some((TypingFor::Name(_), field)) => (None, Some(("new name: ", field.typed()))),
            Some((TypingFor::Path(_), field)) => (None, Some(("export to: ", field.typed()))),
            None => (None, None),
        };
        let (note, details) = match self.current() {
            Some(record) => {
                let moves = counted(record.plies, "move", "moves");
                let details = [(2, record.result.clone()), (3, record.date.clone()), (4, moves)];
                (Phrase::dim(&record.id), details.into())
            }
            None => (Phrase::default(), Vec::new()),
        };
        View::List(ListView {
            beside_title: self.beside_title(),
            filter,
            rows: Cow::Borrowed(&self.rows),
            longest: &self.longest_names,
            at: self.list.at(),
            empty: self.why_empty(),
            warning: self.warning(),
            message: self.message.as_ref().map(Phrase::strong),
            note,
            details,
            typed,
            ..ListView::new("Records", &COLUMNS)
        })
    }

    fn about(&self) -> Option<About> {
        let purpose = "Finished matches, newest first. Open one to replay it.";
        let mut text =
            "Search shows the matches that contain every word. The statistics then count only these \
             matches.\n\nProven mistakes of a human player can become puzzles. They do not affect your rating."
                .to_owned();
        if !self.damaged.is_empty() {
            text.push_str("\n\nUnreadable files, left unchanged:\n");
            text.push_str(&self.damaged.join("\n"));
        }
        Some(About::new("Records", purpose).with_details(text))
    }
}
