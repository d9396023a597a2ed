//! The list of games with lessons, and the list of a game's lessons, each with a board beside it.

use super::super::command::Commands;
use crate::action::Action;
use crate::app::Context;
use crate::app::destination::Destination;
use crate::app::list::ListState;
use crate::app::screen::{About, Effect, Input, Screen};
use crate::board::Viewer;
use crate::view::{ColumnKind, ListColumn, ListRow, ListView, Phrase, Preview, PreviewNote, View};
use quadrille_puzzles::lessons::{self, Lesson};
use quadrille_scene::{Lettering, Scene};
use quadrille_table::catalogue::{GAMES, GameEntry};
use quadrille_text::wording::counted;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

const COLUMNS: [ListColumn; 1] = [ListColumn::new("", ColumnKind::Rest)];

pub(in crate::app) struct LearnScreen {
    entry: Option<&'static GameEntry>,
    list: ListState,
    /// The board for each line, made when first shown.
    boards: Vec<OnceCell<Option<Rc<Scene>>>>,
}

impl LearnScreen {
    /// Lists the games with lessons, with the cursor at this index.
    pub fn games(at: usize) -> LearnScreen {
        LearnScreen::new(None, GAMES.len(), at)
    }

    /// Lists the lessons of a game, with the cursor on the first unfinished lesson.
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

    fn lesson(&self) -> Option<Arc<Lesson>> {
        lessons::of_game(self.entry?).into_iter().nth(self.list.at())
    }

    /// Returns the lines of the list: a name with its progress, and a subject.
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

    /// Returns the board for the line under the cursor, with its subject.
    fn preview(&self) -> Preview {
        let lesson = self.lesson();
        let at = self.list.at();
        let about = match &lesson {
            Some(lesson) => lesson.steps[0].text.clone(),
            None => self.about_entry(),
        };
        let board = self.boards.get(at).and_then(|board| {
            let viewer = || match &lesson {
                Some(lesson) => lesson.sample().map(Viewer::new),
                None => GAMES.get(at).and_then(Viewer::sample),
            };
            board.get_or_init(|| Some(Rc::new(viewer()?.board.still()))).clone()
        });
        Preview { board, lettering: Lettering::None, below: PreviewNote::Text(Phrase::dim(about)) }
    }
}

impl Screen for LearnScreen {
    fn commands(&self, _: &Context) -> Commands {
        ListState::add_to(Commands::default()).show(Action::Choose.to("open")).hide(&[Action::Back])
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        let destination = match (&input, self.entry) {
            (Input::Action(Action::Back), _) => return Some(vec![Effect::Pop]),
            (Input::Action(Action::Choose), None) => {
                GAMES.get(self.list.at()).map(Destination::Lessons)
            }
            (Input::Action(Action::Choose), Some(_)) => self.lesson().map(Destination::Lesson),
            _ => return self.list.input(&input, self.boards.len(), &context.feedback),
        };
        Some(destination.map(Effect::Open).into_iter().collect())
    }

    fn view<'a>(&'a self, _: bool, context: &'a Context) -> View<'a> {
        let title = match self.entry {
            Some(entry) => format!("Learn {}", entry.name),
            None => "Learn".to_owned(),
        };
        let row = |[name, end]: [String; 2]| ListRow {
            end,
            ..ListRow::from([Phrase::plain(name).into()])
        };
        View::List(ListView {
            rows: self.lines(context).into_iter().map(row).collect(),
            at: self.list.at(),
            note: Phrase::dim(self.about_entry()),
            preview: Some(self.preview()),
            ..ListView::new(title, &COLUMNS)
        })
    }

    fn about(&self) -> Option<About> {
        let purpose = "Learn each game step by step, from the first rule to winning ideas.";
        let details = "A lesson is done when every step is solved. Take lessons in any order, as often as you like. \
            Until you quit, a lesson reopens at the step where you left it.\n\nTo take lessons of your own, run \
            `quadrille learn FILE.toml`.";
        Some(About::new("Learn", purpose).with_details(details))
    }
}
