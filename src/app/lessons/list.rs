//! The games that have lessons, and the lessons of a game.

use crate::action::{Action, KeyHint};
use crate::app::destination::Destination;
use crate::app::list::{self, ListState};
use crate::app::screen::{About, Act, Screen};
use crate::app::{Context, scroll, table, text};
use crate::catalogue::{GAMES, GameEntry};
use crate::puzzles::lessons::{self, Lesson};
use crate::wording::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::sync::Arc;

/// The most columns of the list.
const WIDEST: u16 = 64;

/// A list of games, or of the lessons of one.
pub(in crate::app) struct LearnScreen {
    entry: Option<&'static GameEntry>,
    list: ListState,
}

impl LearnScreen {
    /// The cursor is on the first lesson that is not done.
    pub fn new(entry: Option<&'static GameEntry>, context: &Context) -> LearnScreen {
        let mut list = ListState::default();
        let lessons = entry.map(lessons::of_game).unwrap_or_default();
        list.go_to(
            lessons
                .iter()
                .position(|lesson| !context.progress.lesson_done(&lesson.name))
                .unwrap_or(0),
        );
        LearnScreen { entry, list }
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

    fn len(&self) -> usize {
        self.entry.map_or(GAMES.len(), |entry| lessons::of_game(entry).len())
    }

    /// A line about the entry under the cursor.
    fn about_entry(&self) -> String {
        let at = self.list.at();
        match self.entry {
            None => GAMES.get(at).map(|entry| entry.tagline.to_owned()).unwrap_or_default(),
            Some(entry) => match lessons::of_game(entry).get(at) {
                Some(lesson) => {
                    let steps = counted(lesson.steps.len(), "step", "steps");
                    let source = lesson.source.iter().map(|source| format!(", after {source}"));
                    format!("{steps}{}", source.collect::<String>())
                }
                None => String::new(),
            },
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
            (Action::Choose, None) => Some(vec![Act::Open(Destination::Learn(GAMES.get(at)))]),
            (Action::Choose, Some(entry)) => {
                let lesson = lessons::of_game(entry).into_iter().nth(at);
                Some(
                    lesson
                        .into_iter()
                        .map(|lesson| Act::Open(Destination::Lesson(lesson)))
                        .collect(),
                )
            }
            _ => {
                let length = self.len();
                self.list.walk(action, length).map(|()| Vec::new())
            }
        }
    }

    fn list_mut(&mut self) -> Option<(&mut ListState, usize)> {
        let length = self.len();
        Some((&mut self.list, length))
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let area = table::block(area, WIDEST);
        let row = |y: u16| Rect { y, height: 1, ..area };
        let room = usize::from(area.width);
        let title = match self.entry {
            Some(entry) => format!("Learn {}", entry.name),
            None => "Learn".to_owned(),
        };
        buffer.set_stringn(area.x, area.y, title, room, skin.strong());
        let lines = self.lines(context);
        let top = table::head(area);
        let status = row(area.bottom() - 1);
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
        text::put((status.x, status.y), &self.about_entry(), room, skin.dim(), skin, buffer);
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
