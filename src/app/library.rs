//! The library: the records of finished matches.

use super::field::Field;
use super::menu::Menu;
use super::screen::{Act, Answer, News, Screen};
use super::scroll;
use super::table::{self, Column};
use super::tally::{Tally, compare};
use super::targets::Target;
use super::tasks::RecordTask;
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

/// What the library knows of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The name of the record itself, by which tasks speak of it.
    pub id: String,
    /// The game's name in records.
    pub game: String,
    /// The seats' names, in order, those not known empty.
    pub names: Vec<String>,
    /// What each seat has reached, `3-1` or `1/2-1/2`; where the match did not end by its rules, how
    /// it ended stands behind that: `1/2-1/2, agreed`, `0-1, resigned`.
    pub result: String,
    /// How it ended where its moves do not show it.
    pub termination: Option<Termination>,
    /// When, such that later ones are greater as text: `2026-11-20`.
    pub date: String,
    /// How many moves it has.
    pub plies: usize,
}

/// The list, as far as the filter lets it be seen, and the text being typed.
#[derive(Default)]
pub(super) struct Library {
    /// The latest first; `None` until it is known.
    kept: Option<Vec<Kept>>,
    /// One line for each file that cannot be read.
    damaged: Vec<String>,
    filter: String,
    /// Which of the records the filter lets be seen, as places among all.
    passed: Vec<usize>,
    /// The entry under the cursor, of those that are seen.
    at: usize,
    /// Whether a key was pressed since it was opened.
    moved: bool,
    typing: Option<(Asked, Field)>,
    /// The record that is to be deleted, while a menu asks.
    doomed: String,
    /// What was done last, or why not.
    said: Option<String>,
    /// The rows of a page, as of the last drawing.
    page: Cell<usize>,
}

/// What a text is typed for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Asked {
    Filter,
    /// A new name of this record.
    Name(String),
    /// The path of a copy of this record.
    Path(String),
}

/// From a width on, the columns of game, result, date and length; the names have the rest. What has
/// none is told below the list.
const WAYS: [(u16, [u16; 4]); 4] =
    [(72, [20, 13, 10, 5]), (52, [14, 7, 10, 0]), (36, [14, 7, 0, 0]), (0, [9, 6, 0, 0])];

/// The columns of all, at most.
const WIDEST: u16 = 96;

impl Kept {
    fn game_name(&self) -> &str {
        catalogue::find(&self.game).map_or(&self.game, |game| game.name)
    }

    fn all_names(&self) -> String {
        let names = self.names.iter().map(|name| if name.is_empty() { "?" } else { name });
        names.collect::<Vec<_>>().join(" - ")
    }

    /// The names with a line between them, that of the winner strong.
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

    /// Whether each of the words, in lower case, is found in one of the columns.
    fn has(&self, words: &[String]) -> bool {
        if words.is_empty() {
            return true;
        }
        let Kept { id, result, date, plies, .. } = self;
        let (game, names) = (self.game_name(), self.all_names());
        let text = format!("{game}\n{names}\n{result}\n{date}\n{plies}\n{id}").to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}

impl Library {
    /// Takes in what there is. The cursor stays on its record, if a key has brought it there.
    fn list(&mut self, mut kept: Vec<Kept>, damaged: Vec<String>) {
        kept.sort_by(|a, b| b.date.cmp(&a.date));
        let current = self.current().filter(|_| self.moved);
        let id = current.map(|kept| kept.id.clone());
        self.kept = Some(kept);
        self.damaged = damaged;
        self.find(id.as_deref());
    }

    /// A record has another name from now on; the cursor stays on it.
    fn renamed(&mut self, id: &str, to: &str) {
        let kept = self.kept.iter_mut().flatten().find(|kept| kept.id == id);
        if let Some(kept) = kept {
            to.clone_into(&mut kept.id);
            self.sift();
        }
    }

    fn filter(&self) -> &str {
        match &self.typing {
            Some((Asked::Filter, field)) => field.text(),
            _ => &self.filter,
        }
    }

    /// Applies the filter. To be done when the list or the filter has changed.
    fn sift(&mut self) {
        let words: Vec<String> = self.filter().split_whitespace().map(str::to_lowercase).collect();
        let kept = self.kept.iter().flatten().enumerate();
        self.passed = kept.filter(|(_, kept)| kept.has(&words)).map(|(place, _)| place).collect();
    }

    fn shown(&self) -> Vec<&Kept> {
        let kept = self.kept.as_deref().unwrap_or_default();
        self.passed.iter().filter_map(|&place| kept.get(place)).collect()
    }

    fn current(&self) -> Option<&Kept> {
        self.shown().get(self.at).copied()
    }

    /// Applies the filter, and puts the cursor on a record, or leaves it as near as it can be to where it
    /// was.
    fn find(&mut self, id: Option<&str>) {
        self.sift();
        let shown = self.shown();
        let found = shown.iter().position(|kept| Some(&*kept.id) == id);
        self.at = found.unwrap_or(self.at.min(shown.len().saturating_sub(1)));
    }

    /// Lets the filter change, the cursor on the same record.
    fn refilter(&mut self, change: impl FnOnce(&mut Library)) {
        let id = self.current().map(|kept| kept.id.clone());
        change(self);
        self.find(id.as_deref());
    }

    fn ask(&mut self, asked: Asked, text: &str) {
        self.typing = Some((asked, Field::new(text)));
    }

    fn confirm_delete(&mut self) -> Option<Act> {
        let kept = self.current()?;
        let what = format!("{}  {}", kept.date, kept.result);
        let lines = vec![kept.game_name().to_owned(), kept.all_names(), what, kept.id.clone()];
        let entries =
            [("Keep it".to_owned(), Answer::Close), ("Delete it".to_owned(), Answer::Delete)];
        self.doomed = kept.id.clone();
        let menu = Menu::new("Delete this record?", entries.into());
        let menu = menu.with_lines(lines).with_about("A record that is deleted is gone for good.");
        Some(Act::push(menu))
    }

    /// Keeps the text that is typed, or drops it.
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

    /// A text is complete.
    fn typed(&mut self, text: String) -> Vec<Act> {
        match self.typing.take() {
            Some((Asked::Filter, _)) => {
                self.filter = text;
                Vec::new()
            }
            Some((Asked::Path(id), _)) if !text.is_empty() => {
                vec![Act::run(RecordTask::Export { id, to: text })]
            }
            Some((Asked::Name(id), _)) if !text.is_empty() && text != id => {
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
        if let Some((Asked::Filter, field)) = &self.typing {
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

    /// What is to be said instead of a list.
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
            Some((Asked::Name(_), _)) => "new name: ",
            Some((Asked::Path(_), _)) => "copy to: ",
            _ => "",
        };
        if let (false, Some((_, field))) = (label.is_empty(), &self.typing) {
            let (x, y) = buffer.set_stringn(x, area.y, label, room(x), skin.strong());
            let input = Rect { x, y, width: room(x) as u16, height: 1 };
            return Some(field.draw(input, skin.plain(), buffer));
        }
        let text = match (&self.said, self.current()) {
            (Some(said), _) => said.clone(),
            (None, Some(kept)) if !columns(area.width)[4].is_shown() => {
                let Kept { id, result, date, plies, .. } = kept;
                format!("{result}  {date}  {plies} moves  {id}")
            }
            (None, Some(kept)) => kept.id.clone(),
            (None, None) => return None,
        };
        let style = if self.said.is_some() { skin.strong() } else { skin.dim() };
        text::put((x, area.y), &text, room(x), style, skin, buffer);
        None
    }
}

/// The columns at this width: game, names, result, date, length.
fn columns(width: u16) -> [Column; 5] {
    let way = WAYS.iter().find(|(from, _)| width >= *from).map_or(WAYS[3].1, |(_, way)| *way);
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

impl Screen for Library {
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
        self.said = None;
        self.moved = true;
        let id = self.current().map(|kept| kept.id.clone());
        match (action, id) {
            (Action::Confirm, _) => return Some(self.end_typing(true)),
            (Action::Cancel, _) => return Some(self.end_typing(false)),
            (Action::Find, _) => {
                let filter = self.filter.clone();
                self.ask(Asked::Filter, &filter);
            }
            (Action::Rename, Some(id)) => self.ask(Asked::Name(id.clone()), &id),
            (Action::Export, Some(id)) => {
                let file = format!("{id}.game");
                self.ask(Asked::Path(id), &file);
            }
            (Action::Delete, _) => return self.confirm_delete().map(|act| vec![act]),
            (Action::Results, _) => {
                let ids = self.shown().into_iter().map(|kept| kept.id.clone()).collect();
                return Some(vec![Act::push(Tally::default()), Act::run(RecordTask::Count(ids))]);
            }
            (Action::Choose, Some(id)) => return Some(vec![Act::run(RecordTask::Read(id))]),
            (Action::Back, _) if self.filter.is_empty() => return Some(vec![Act::Pop]),
            (Action::Back, _) => self.refilter(|library| library.filter.clear()),
            _ => self.at = keys::walk(self.at, self.shown().len(), self.page.get(), action)?,
        }
        Some(Vec::new())
    }

    fn other_key(&mut self, key: &KeyEvent, _: &Context) -> Option<Vec<Act>> {
        let said = self.said.take().is_some();
        self.moved = true;
        let mut edited = false;
        if self.typing.is_some() {
            self.refilter(|library| {
                edited = library.typing.as_mut().is_some_and(|(_, field)| field.key(key));
            });
        }
        (said || edited).then(Vec::new)
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
        // An empty line stays before the last one, where there is room for it.
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

    fn hear(&mut self, line: &str) -> bool {
        self.said = Some(line.to_owned());
        true
    }

    fn answer(&mut self, answer: Answer, _: &mut Context) -> Vec<Act> {
        if answer != Answer::Delete {
            return Vec::new();
        }
        let doomed = std::mem::take(&mut self.doomed);
        vec![Act::run(RecordTask::Delete(doomed)), Act::run(RecordTask::List)]
    }
}
