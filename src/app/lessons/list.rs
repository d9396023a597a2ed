//! The games that have lessons, and the lessons of a game, with a board beside them.

use crate::action::{Action, KeyHint};
use crate::app::destination::Destination;
use crate::app::list::{self, ListState};
use crate::app::screen::{About, Act, Screen};
use crate::app::{Context, form, scroll, table, text};
use crate::board::{Skin, Viewer};
use crate::catalogue::{GAMES, GameEntry};
use crate::puzzles::lessons::{self, Lesson};
use crate::wording::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::cell::OnceCell;
use std::sync::Arc;

/// The rows for the words below the board, where they have at least so many columns, and where they have fewer: as many
/// as the longest text needs.
const WORDS: [u16; 2] = [6, 10];
const WIDE: u16 = 40;

/// A list of games, or of the lessons of one.
pub(in crate::app) struct LearnScreen {
    entry: Option<&'static GameEntry>,
    list: ListState,
    /// The board of each line, made when it is first shown.
    boards: Vec<OnceCell<Option<Viewer>>>,
}

impl LearnScreen {
    /// The games, with the cursor on the one of this number.
    pub fn games(at: usize) -> LearnScreen {
        LearnScreen::new(None, GAMES.len(), at)
    }

    /// The lessons of a game, with the cursor on the first one that is not done.
    pub fn lessons(entry: &'static GameEntry, context: &Context) -> LearnScreen {
        let lessons = lessons::of_game(entry);
        let is_left = |lesson: &Arc<Lesson>| !context.progress.lesson_done(&lesson.name);
        let at = lessons.iter().position(is_left).unwrap_or(0);
        LearnScreen::new(Some(entry), lessons.len(), at)
    }

    fn new(entry: Option<&'static GameEntry>, length: usize, at: usize) -> LearnScreen {
        let mut list = ListState::default();
        list.go_to(at);
        LearnScreen { entry, list, boards: (0..length).map(|_| OnceCell::new()).collect() }
    }

    /// The lesson under the cursor.
    fn lesson(&self) -> Option<Arc<Lesson>> {
        lessons::of_game(self.entry?).into_iter().nth(self.list.at())
    }

    /// What a line says: a name, how much of it is done, and what it is about.
    fn lines(&self, context: &Context) -> Vec<[String; 2]> {
        let of_game = |entry: &GameEntry| {
            let lessons = lessons::of_game(entry);
            let done =
                lessons.iter().filter(|lesson| context.progress.lesson_done(&lesson.name)).count();
            let all = lessons.len();
            let done = match done {
                0 => counted(all, "lesson", "lessons"),
                _ if done == all => format!("all {all} done"),
                _ => format!("{done} of {all} done"),
            };
            [entry.name.to_owned(), done]
        };
        let of_lesson = |(number, lesson): (usize, &Arc<Lesson>)| {
            let done = match context.lessons_left.get(&lesson.name) {
                _ if context.progress.lesson_done(&lesson.name) => "done".to_owned(),
                Some(place) => format!("at step {} of {}", place.at() + 1, lesson.steps.len()),
                None => String::new(),
            };
            [format!("{}  {}", number + 1, lesson.title), done]
        };
        match self.entry {
            None => GAMES.iter().map(of_game).collect(),
            Some(entry) => lessons::of_game(entry).iter().enumerate().map(of_lesson).collect(),
        }
    }

    /// What the line under the cursor is about.
    fn about_entry(&self) -> String {
        match self.lesson() {
            None => {
                GAMES.get(self.list.at()).map(|entry| entry.tagline).unwrap_or_default().to_owned()
            }
            Some(lesson) => {
                let steps = counted(lesson.steps.len(), "step", "steps");
                let source = lesson.source.iter().map(|source| format!(", after {source}"));
                format!("{steps}{}", source.collect::<String>())
            }
        }
    }

    /// Draws the board of the line under the cursor, and below it what it is about.
    fn draw_beside(&self, area: Rect, skin: Skin, buffer: &mut Buffer) {
        let lesson = self.lesson();
        let about = lesson
            .as_ref()
            .map_or_else(|| self.about_entry(), |lesson| lesson.steps[0].text.clone());
        let words = WORDS[usize::from(area.width < WIDE)];
        let rows = text::wrap(&about, area.width.into(), words.into(), skin);
        let picture = Rect { y: area.y + 2, height: area.height.saturating_sub(words + 3), ..area };
        let at = self.list.at();
        let board = self.boards.get(at).and_then(|board| {
            let make = || match &lesson {
                Some(lesson) => lesson.sample().map(Viewer::new),
                None => GAMES.get(at).and_then(Viewer::sample),
            };
            board.get_or_init(make).as_ref()
        });
        if let Some(viewer) = board {
            viewer.board.draw_picture(picture, buffer, skin);
        }
        for (y, row) in (picture.bottom() + 1..area.bottom()).zip(rows) {
            let x = area.x + area.width.saturating_sub(text::width(&row) as u16) / 2;
            buffer.set_string(x, y, row, skin.dim());
        }
    }
}

impl Screen for LearnScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        [ListState::ACTIONS, &[Action::Choose, Action::Back]].concat()
    }

    fn perform(&mut self, action: Action, _: &mut Context) -> Option<Vec<Act>> {
        let at = self.list.at();
        match (action, self.entry) {
            (Action::Back, _) => Some(vec![Act::Pop]),
            (Action::Choose, None) => Some(
                GAMES
                    .get(at)
                    .map(|entry| Act::Open(Destination::Lessons(entry)))
                    .into_iter()
                    .collect(),
            ),
            (Action::Choose, Some(_)) => {
                let lesson = self.lesson().map(|lesson| Act::Open(Destination::Lesson(lesson)));
                Some(lesson.into_iter().collect())
            }
            _ => self.list.walk(action, self.boards.len()).map(|()| Vec::new()),
        }
    }

    fn list_mut(&mut self) -> Option<(&mut ListState, usize)> {
        Some((&mut self.list, self.boards.len()))
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let places = form::FormLayout::of(area);
        let area = places.form;
        let row = |y: u16| Rect { y, height: 1, ..area };
        let room = usize::from(area.width);
        let title = match self.entry {
            Some(entry) => format!("Learn {}", entry.name),
            None => "Learn".to_owned(),
        };
        form::draw_title(&title, "", places.whole, skin, buffer);
        if let Some(beside) = places.beside {
            let height = beside.height.saturating_sub(1);
            self.draw_beside(Rect { height, ..beside }, skin, buffer);
        }
        let lines = self.lines(context);
        let top = table::head(area);
        let status = Rect { y: area.bottom() - 1, height: 1, ..places.whole };
        let page = usize::from((status.y - top).saturating_sub(u16::from(area.height > 12)));
        self.list.set_page(page);
        let seen = list::page_round(self.list.at(), lines.len(), page);
        scroll::draw_seen(&seen, lines.len(), skin, row(area.y), buffer);
        for (y, index) in (top..).zip(seen) {
            let [name, done] = &lines[index];
            let column = area.right().saturating_sub(text::width(done) as u16);
            buffer.set_stringn(column, y, done, room, skin.dim());
            let room = usize::from(column.saturating_sub(area.x + 2));
            text::put((area.x, y), name, room, skin.plain(), skin, buffer);
            list::mark_row(index, index == self.list.at(), row(y), context, buffer);
        }
        // What a game is about stands below its board.
        if places.beside.is_none() || self.entry.is_some() {
            let (about, room) = (self.about_entry(), status.width.into());
            text::put((status.x, status.y), &about, room, skin.dim(), skin, buffer);
        }
        None
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        vec![KeyHint::new(&[Action::Up, Action::Down], "move"), Action::Choose.to("open")]
    }

    fn about(&self) -> About {
        let purpose = "Learn a game step by step, on its own board: from the first rule to the ideas that win.";
        let details = "A lesson is done when each of its steps is solved. What is done stays marked. You can do a lesson \
                       as often as you like, and in any order. One that you leave goes on at the same step when you open it \
                       again, until you quit.\n\nYou can write lessons yourself: `quadrille learn \
                       FILE.toml` shows them.";
        About::new("Learn", purpose).with_details(details)
    }
}
