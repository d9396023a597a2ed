//! The library: the records of finished matches.

use super::menu::Menu;
use super::screen::{Act, MenuChoice, News, Screen};
use super::scroll;
use super::table::{self, Column};
use super::results_screen::{ResultsScreen, compare};
use super::targets::Target;
use super::tasks::RecordTask;
use super::text_field::TextField;
use super::{Context, keys, text};
use crate::action::{Action, Hint};
use crate::board::Skin;
use crate::catalogue;
use crate::session::Termination;
use crate::wording::counted;
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use std::cell::Cell;
use std::cmp::Ordering;

/// A line of the library: a record of a finished match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSummary {
    /// The name of the record, which tasks use.
    pub id: String,
    /// The id of the game.
    pub game: String,
    /// The names at the seats, in order; empty where not known.
    pub names: Vec<String>,
    /// The result, `3-1` or `1/2-1/2`. If the match did not end by its rules, it says how it ended:
    /// `1/2-1/2, agreed`, `0-1, resigned`.
    pub result: String,
    /// How it ended, if not by the rules.
    pub termination: Option<Termination>,
    /// The date, `2026-11-20`; later dates are greater as text.
    pub date: String,
    /// The number of moves.
    pub plies: usize,
}

/// The list of records, its filter, and the text being typed.
#[derive(Default)]
pub(super) struct LibraryScreen {
    /// All records, the latest first; `None` until they are known.
    kept: Option<Vec<RecordSummary>>,
    /// One line for each file that cannot be read.
    damaged: Vec<String>,
    filter: String,
    /// The indices of the records that pass the filter.
    passed: Vec<usize>,
    /// The cursor, as an index into `passed`.
    at: usize,
    /// Whether a key was pressed since the screen was opened.
    moved: bool,
    typing: Option<(TypingFor, TextField)>,
    /// The record to delete, while a menu asks.
    to_delete: String,
    /// What the last task has done, or why it failed.
    message: Option<String>,
    /// The rows of a page in the last drawing.
    page: Cell<usize>,
}

/// What the typed text is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TypingFor {
    Filter,
    /// A new name for this record.
    Name(String),
    /// The path for a copy of this record.
    Path(String),
}

/// From each width on, the columns of game, result, date and length; names get the rest. A column without
/// width is shown below the list.
const COLUMNS: [(u16, [u16; 4]); 4] =
    [(72, [20, 13, 10, 5]), (52, [14, 7, 10, 0]), (36, [14, 7, 0, 0]), (0, [9, 6, 0, 0])];

/// The most columns of the whole list.
const WIDEST: u16 = 96;

impl RecordSummary {
    fn game_name(&self) -> &str {
        catalogue::find(&self.game).map_or(&self.game, |game| game.name)
    }

    fn all_names(&self) -> String {
        let names = self.names.iter().map(|name| if name.is_empty() { "?" } else { name });
        names.collect::<Vec<_>>().join(" - ")
    }

    /// The names with a dash between them; the winner's is strong.
    fn names_line(&self, skin: Skin) -> Line<'_> {
        let better = compare(&self.result, self.termination.as_ref());
        let mut spans = Vec::new();
        for (seat, name) in self.names.iter().enumerate() {
            let has_won = match (seat, self.names.len()) {
                (0, 2) => better == Some(Ordering::Greater),
                (1, 2) => better == Some(Ordering::Less),
                _ => false,
            };
            spans.extend((seat > 0).then_some(Span::raw(" - ")));
            let name = if name.is_empty() { "?" } else { name };
            spans.push(Span::styled(name, if has_won { skin.strong() } else { skin.plain() }));
        }
        Line::from(spans)
    }

    /// Whether each of these words, in lower case, is in one of the columns.
    fn has(&self, words: &[String]) -> bool {
        if words.is_empty() {
            return true;
        }
        let RecordSummary { id, result, date, plies, .. } = self;
        let (game, names) = (self.game_name(), self.all_names());
        let text = format!("{game}\n{names}\n{result}\n{date}\n{plies}\n{id}").to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}

impl LibraryScreen {
    /// Takes over the records. The cursor stays on its record if a key has moved it.
    fn list(&mut self, mut kept: Vec<RecordSummary>, damaged: Vec<String>) {
        kept.sort_by(|a, b| b.date.cmp(&a.date));
        let current = self.current().filter(|_| self.moved);
        let id = current.map(|kept| kept.id.clone());
        self.kept = Some(kept);
        self.damaged = damaged;
        self.find(id.as_deref());
    }

    /// Notes that a record has a new name; the cursor stays on it.
    fn renamed(&mut self, id: &str, to: &str) {
        let kept = self.kept.iter_mut().flatten().find(|kept| kept.id == id);
        if let Some(kept) = kept {
            to.clone_into(&mut kept.id);
            self.sift();
        }
    }

    fn filter(&self) -> &str {
        match &self.typing {
            Some((TypingFor::Filter, field)) => field.text(),
            _ => &self.filter,
        }
    }

    /// Applies the filter. Call it when the list or the filter has changed.
    fn sift(&mut self) {
        let words: Vec<String> = self.filter().split_whitespace().map(str::to_lowercase).collect();
        let kept = self.kept.iter().flatten().enumerate();
        self.passed = kept.filter(|(_, kept)| kept.has(&words)).map(|(place, _)| place).collect();
    }

    fn shown(&self) -> Vec<&RecordSummary> {
        let kept = self.kept.as_deref().unwrap_or_default();
        self.passed.iter().filter_map(|&place| kept.get(place)).collect()
    }

    fn current(&self) -> Option<&RecordSummary> {
        self.shown().get(self.at).copied()
    }

    /// Applies the filter, and puts the cursor on this record if it passes, or else leaves it near where it
    /// was.
    fn find(&mut self, id: Option<&str>) {
        self.sift();
        let shown = self.shown();
        let found = shown.iter().position(|kept| Some(&*kept.id) == id);
        self.at = found.unwrap_or(self.at.min(shown.len().saturating_sub(1)));
    }

    /// Changes the filter; the cursor stays on its record.
    fn refilter(&mut self, change: impl FnOnce(&mut LibraryScreen)) {
        let id = self.current().map(|kept| kept.id.clone());
        change(self);
        self.find(id.as_deref());
    }

    fn ask(&mut self, asked: TypingFor, text: &str) {
        self.typing = Some((asked, TextField::new(text)));
    }

    fn confirm_delete(&mut self) -> Option<Act> {
        let kept = self.current()?;
        let what = format!("{}  {}", kept.date, kept.result);
        let lines = vec![kept.game_name().to_owned(), kept.all_names(), what, kept.id.clone()];
        let entries = [
            ("Keep it".to_owned(), MenuChoice::Close),
            ("Delete it".to_owned(), MenuChoice::Delete),
        ];
        self.to_delete = kept.id.clone();
        let menu = Menu::new("Delete this record?", entries.into());
        let menu = menu.with_lines(lines).with_about("A record that is deleted is gone for good.");
        Some(Act::push(menu))
    }

    /// Ends typing: uses the text, or drops it.
    fn end_typing(&mut self, keeps: bool) -> Vec<Act> {
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

    /// Uses a typed text.
    fn typed(&mut self, text: String) -> Vec<Act> {
        match self.typing.take() {
            Some((TypingFor::Filter, _)) => {
                self.filter = text;
                Vec::new()
            }
            Some((TypingFor::Path(id), _)) if !text.is_empty() => {
                vec![Act::run(RecordTask::Export { id, to: text })]
            }
            Some((TypingFor::Name(id), _)) if !text.is_empty() && text != id => {
                vec![Act::run(RecordTask::Rename { id, to: text }), Act::run(RecordTask::List)]
            }
            _ => Vec::new(),
        }
    }

    fn draw_title(
        &self,
        shown: usize,
        skin: Skin,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let room = |x: u16| area.right().saturating_sub(x) as usize;
        let x = area.x;
        let (x, y) = buffer.set_stringn(x, area.y, "Records", room(x), skin.strong());
        if let Some((TypingFor::Filter, field)) = &self.typing {
            buffer.set_stringn(x + 2, y, "/", room(x + 2), skin.strong());
            let input = Rect { x: x + 3, y, width: (room(x + 3) as u16).min(30), height: 1 };
            return Some(field.draw(input, skin.plain(), buffer));
        }
        let all = self.kept.as_ref().map_or(0, Vec::len);
        if !self.filter.is_empty() {
            let text = format!("/{}  {shown} of {all}", self.filter);
            text::put((x + 2, y), &text, room(x + 2), skin.plain(), skin, buffer);
        } else if all > 0 {
            let text = counted(all, "match", "matches");
            text::put((x + 2, y), &text, room(x + 2), skin.dim(), skin, buffer);
        }
        None
    }

    /// The text in place of an empty list.
    fn why_empty(&self) -> &'static str {
        match &self.kept {
            None => "",
            Some(kept) if kept.is_empty() => "None yet. A match that has ended is kept here.",
            Some(_) => "No record has all that.",
        }
    }

    fn draw_status(&self, skin: Skin, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let room = |x: u16| area.right().saturating_sub(x) as usize;
        let x = area.x;
        let label = match &self.typing {
            Some((TypingFor::Name(_), _)) => "new name: ",
            Some((TypingFor::Path(_), _)) => "copy to: ",
            _ => "",
        };
        if let (false, Some((_, field))) = (label.is_empty(), &self.typing) {
            let (x, y) = buffer.set_stringn(x, area.y, label, room(x), skin.strong());
            let input = Rect { x, y, width: room(x) as u16, height: 1 };
            return Some(field.draw(input, skin.plain(), buffer));
        }
        let text = match (&self.message, self.current()) {
            (Some(message), _) => message.clone(),
            (None, Some(kept)) if !columns(area.width)[4].is_shown() => {
                let RecordSummary { id, result, date, plies, .. } = kept;
                format!("{result}  {date}  {plies} moves  {id}")
            }
            (None, Some(kept)) => kept.id.clone(),
            (None, None) => return None,
        };
        let style = if self.message.is_some() { skin.strong() } else { skin.dim() };
        text::put((x, area.y), &text, room(x), style, skin, buffer);
        None
    }
}

/// The columns of the list at this width: game, names, result, date, length.
fn columns(width: u16) -> [Column; 5] {
    let way = COLUMNS.iter().find(|(from, _)| width >= *from).map_or(COLUMNS[3].1, |(_, way)| *way);
    let [game, result, date, length] = way;
    let others = [game, result, date].map(Column::text);
    let others = table::width(&others, gap(width)) + length;
    let names = width.saturating_sub(others + gap(width));
    let [game, names, result, date] = [game, names, result, date].map(Column::text);
    [game, names, result, date, Column::number(length)]
}

const fn gap(width: u16) -> u16 {
    if width < 36 { 1 } else { 2 }
}

impl Screen for LibraryScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        if self.typing.is_some() {
            return vec![Action::Confirm, Action::Cancel];
        }
        let has_record: &[Action] = match self.current() {
            Some(_) => &[Action::Choose, Action::Rename, Action::Export, Action::Delete],
            None => &[],
        };
        [keys::WALK, &[Action::Back, Action::Find, Action::Results], has_record].concat()
    }

    fn perform(&mut self, action: Action, _: &mut Context) -> Option<Vec<Act>> {
        self.message = None;
        self.moved = true;
        let id = self.current().map(|kept| kept.id.clone());
        match (action, id) {
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
            (Action::Delete, _) => return self.confirm_delete().map(|act| vec![act]),
            (Action::Results, _) => {
                let ids = self.shown().into_iter().map(|kept| kept.id.clone()).collect();
                return Some(vec![Act::push(ResultsScreen::default()), Act::run(RecordTask::Count(ids))]);
            }
            (Action::Choose, Some(id)) => return Some(vec![Act::run(RecordTask::Read(id))]),
            (Action::Back, _) if self.filter.is_empty() => return Some(vec![Act::Pop]),
            (Action::Back, _) => self.refilter(|library| library.filter.clear()),
            _ => self.at = keys::walk(self.at, self.shown().len(), self.page.get(), action)?,
        }
        Some(Vec::new())
    }

    fn other_key(&mut self, key: &KeyEvent, _: &Context) -> Option<Vec<Act>> {
        let message = self.message.take().is_some();
        self.moved = true;
        let mut edited = false;
        if self.typing.is_some() {
            self.refilter(|library| {
                edited = library.typing.as_mut().is_some_and(|(_, field)| field.key(key));
            });
        }
        (message || edited).then(Vec::new)
    }

    fn go_to_entry(&mut self, entry: usize, _: &Context) {
        (self.at, self.moved) = (entry, true);
    }

    fn wheel(&mut self, back: bool, _: &mut Context) -> Option<Vec<Act>> {
        let length = self.shown().len();
        keys::wheel(&mut self.at, length, back)
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let shown = self.shown();
        let area = table::block(area, WIDEST);
        let row = |y: u16| Rect { y, height: 1, ..area };
        let mut cursor = self.draw_title(shown.len(), skin, row(area.y), buffer);
        let status = row(area.bottom() - 1);
        let mut bottom = status.y;
        if let Some(first) = self.damaged.first() {
            bottom -= 1;
            let more = self.damaged.len() - 1;
            let more = if more > 0 { format!("{more} more damaged; ") } else { String::new() };
            let text = format!("! {more}{first}");
            text::put((area.x, bottom), &text, area.width.into(), skin.wrong(), skin, buffer);
        }
        let head = table::head(area);
        let top = head + 1;
        let (columns, gap) = (columns(area.width), gap(area.width));
        if shown.is_empty() {
            let why = self.why_empty();
            text::put((area.x, top), why, area.width.into(), skin.dim(), skin, buffer);
        } else {
            let heads = ["game", "names", "result", "date", "moves"];
            let heads = heads.map(|head| Line::styled(head, skin.dim()));
            table::draw_row(&columns, gap, &heads, row(head), skin, buffer);
        }
        // An empty line stays above the last one if there is room.
        let page = usize::from(bottom.saturating_sub(top + u16::from(area.height > 12)));
        self.page.set(page);
        let seen = scroll::page_round(self.at, shown.len(), page);
        scroll::draw_seen(&seen, shown.len(), skin, row(area.y), buffer);
        for (y, index) in (top..).zip(seen) {
            let kept = shown[index];
            let cells = [
                Line::raw(kept.game_name()),
                kept.names_line(skin),
                Line::raw(&*kept.result),
                Line::styled(&*kept.date, skin.dim()),
                Line::styled(kept.plies.to_string(), skin.dim()),
            ];
            table::draw_row(&columns, gap, &cells, row(y), skin, buffer);
            let chosen = (index == self.at).then_some(Action::Choose);
            context.targets.note(row(y), Target::Entry(index, chosen));
            if index == self.at {
                table::draw_cursor(row(y), skin, buffer);
            }
        }
        if let Some(place) = self.draw_status(skin, status, buffer) {
            cursor = Some(place);
        }
        cursor
    }

    fn hints(&self) -> Vec<Hint> {
        if self.typing.is_some() {
            return vec![Action::Confirm.hint(), Action::Cancel.hint()];
        }
        if self.shown().is_empty() {
            return vec![Action::Find.hint(), Action::Results.hint()];
        }
        vec![
            Hint::new(&[Action::Up, Action::Down], "move"),
            Action::Choose.to("see"),
            Action::Find.hint(),
            Action::Results.hint(),
            Action::Export.hint(),
            Action::Rename.hint(),
            Action::Delete.hint(),
        ]
    }

    fn about(&self) -> (String, String) {
        let mut text = "Every match that has ended is kept here, the latest first, to be looked at. \
                        A record is found by words if each of them is in one of its columns; what is \
                        counted are the results of the matches shown."
            .to_owned();
        if !self.damaged.is_empty() {
            text.push_str("\n\nThese files cannot be read, and are left as they are:\n");
            text.push_str(&self.damaged.join("\n"));
        }
        ("Records".to_owned(), text)
    }

    fn takes_text(&self) -> bool {
        self.typing.is_some()
    }

    fn paste(&mut self, text: &str) -> Option<Vec<Act>> {
        self.typing.as_ref()?;
        self.refilter(|library| {
            if let Some((_, field)) = &mut library.typing {
                field.paste(text);
            }
        });
        Some(Vec::new())
    }

    fn news<'a>(&mut self, news: News<'a>, _: &Context) -> Option<News<'a>> {
        match news {
            News::Records(kept, damaged) => self.list(kept, damaged),
            News::Renamed(id, to) => self.renamed(id, to),
            other => return Some(other),
        }
        None
    }

    fn show_message(&mut self, line: &str) -> bool {
        self.message = Some(line.to_owned());
        true
    }

    fn chosen(&mut self, choice: MenuChoice, _: &mut Context) -> Vec<Act> {
        if choice != MenuChoice::Delete {
            return Vec::new();
        }
        let to_delete = std::mem::take(&mut self.to_delete);
        vec![Act::run(RecordTask::Delete(to_delete)), Act::run(RecordTask::List)]
    }
}
