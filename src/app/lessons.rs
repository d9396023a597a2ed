//! A lesson on its board, step by step. The lists of games and lessons are in `list`.

mod drawing;
mod list;

pub(super) use list::LearnScreen;

use super::open_match::MatchView;
use super::screen::{About, Act, Screen};
use super::tasks::DiskTask;
use super::text_field::TextField;
use super::{Context, keys};
use crate::action::{ARROWS, Action, DIGITS, KeyHint};
use crate::app::destination::Destination;
use crate::board::{AnyBoard, Gesture, MoveLabel, OnBoard, Press, Rank, Reply};
use crate::puzzles::lessons::{self, Lesson, LessonRun, Phase, Task};
use crate::session::{Players, explain_typed, read_typed};
use crate::settings::Settings;
use crate::store::progress::Event;
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::sync::Arc;

/// Somebody goes through a lesson.
pub(super) struct LessonScreen {
    lesson: OnBoard<LessonRun>,
    /// What the seats are called: `You`, and `Opponent`.
    players: Players,
    /// A move being typed.
    typing: Option<TextField>,
    /// Why the last key was refused.
    refusal: Option<String>,
    /// A move that is shown because a hint was asked for.
    hint: Option<String>,
    /// A few words about what the last key did.
    note: Option<String>,
    /// A move that was chosen once, if the settings ask for it twice.
    unconfirmed: Option<String>,
    confirms: bool,
    shows_coordinates: bool,
}

impl LessonScreen {
    /// Begins a lesson, or goes on where it was left.
    pub fn new(lesson: Arc<Lesson>, context: &Context) -> LessonScreen {
        let place = context.lessons_left.get(&lesson.name).cloned();
        let mut screen = LessonScreen {
            lesson: OnBoard::new(LessonRun::from_place(lesson, place)),
            players: Players::named(2, &[]),
            typing: None,
            refusal: None,
            hint: None,
            note: None,
            unconfirmed: None,
            confirms: context.settings.confirm,
            shows_coordinates: true,
        };
        screen.show_step();
        screen
    }

    /// Shows a step that has just begun.
    fn show_step(&mut self) {
        let game = self.lesson.current_match();
        let learner = self.lesson.learner();
        let names = (0..game.seats()).map(|seat| match learner {
            Some(learner) if learner.index() == usize::from(seat) => "You".to_owned(),
            _ if matches!(self.lesson.step().task, Task::Win(_)) => "Perfect".to_owned(),
            _ => "Opponent".to_owned(),
        });
        self.players = Players::named(game.seats(), &names.collect::<Vec<_>>());
        self.lesson.board.show_coordinates(self.shows_coordinates);
        self.lesson.board.show_notes(self.lesson.step().notes);
        self.put_labels();
    }

    /// Changes how far the lesson has come. A step with a board of its own begins on a new one.
    fn step<T>(&mut self, change: impl FnOnce(&mut LessonRun) -> T) -> T {
        let before = self.lesson.at();
        (self.refusal, self.hint, self.note, self.unconfirmed) = (None, None, None, None);
        let position = self.lesson.current_match().now().copy();
        let changed = change(&mut self.lesson.change());
        let (at, now) = (self.lesson.at(), self.lesson.current_match().now());
        if at != before && self.lesson.step().board.is_some() && !now.is(&*position) {
            self.lesson.renew_board();
        }
        if at == before {
            self.put_labels();
        } else {
            self.show_step();
        }
        changed
    }

    /// Puts what a step shows on the board: its marks, or the hint.
    fn put_labels(&mut self) {
        let marks = match self.lesson.phase() {
            Phase::Asked => &*self.lesson.step().mark,
            _ => &[],
        };
        let marks = marks.iter().map(|mv| (mv.clone(), Rank::Near));
        let hint = self.hint.iter().map(|mv| (mv.clone(), Rank::Best));
        let label = |(mv, rank)| MoveLabel { mv, text: String::new(), draws_move: true, rank };
        let labels = hint.chain(marks).map(label).collect();
        self.lesson.board.label(labels);
    }

    fn try_move(&mut self, mv: &str) {
        let tried = self.step(|run| run.try_move(mv));
        self.refusal = tried.err().map(|refusal| format!("{refusal:#}"));
    }

    /// What Enter does where no move is asked for.
    fn go_on(&mut self, context: &mut Context) -> Vec<Act> {
        if *self.lesson.phase() == Phase::Over {
            return vec![
                self.next_lesson().map_or(Act::Pop, |next| Act::Replace(Destination::Lesson(next))),
            ];
        }
        self.step(LessonRun::go_on);
        self.remember(context)
    }

    /// Writes down that the lesson is done, once it is.
    fn remember(&self, context: &Context) -> Vec<Act> {
        let name = &self.lesson.lesson().name;
        if !self.lesson.is_done() || context.progress.lesson_done(name) {
            return Vec::new();
        }
        let done = Event::Lesson { at: context.moment(), name: name.clone() };
        vec![Act::run(DiskTask::Append(vec![done]))]
    }

    /// The lesson of the same game that comes next.
    fn next_lesson(&self) -> Option<Arc<Lesson>> {
        let lesson = self.lesson.lesson();
        let all = lessons::of_game(lesson.entry);
        let at = all.iter().position(|other| other.name == lesson.name)?;
        all.into_iter().nth(at + 1)
    }

    fn ask_for_hint(&mut self) {
        let hint = self.step(LessonRun::hint);
        self.note = Some(match &hint {
            Some(mv) => format!("{mv} is right"),
            None => "no move is asked for here".to_owned(),
        });
        self.hint = hint;
        self.put_labels();
    }

    fn begin_to_type(&mut self) {
        self.unconfirmed = None;
        if self.lesson.asks() {
            self.typing = Some(TextField::default());
        } else {
            self.note = Some("no move is asked for here".to_owned());
        }
    }

    /// Plays the typed move. If it is refused, the text stays, to be corrected.
    fn play_typed(&mut self) {
        let Some(text) = self.typing.as_ref().map(|field| field.text().trim().to_owned()) else {
            return;
        };
        let game = self.lesson.current_match();
        match read_typed(game, &text) {
            Ok(mv) => {
                self.typing = None;
                self.try_move(&mv);
            }
            Err(refusal) => self.refusal = Some(explain_typed(game, &refusal)),
        }
    }

    /// Acts on a reply of the board; `None` if it ignored the key. If moves must be confirmed, a move other than `asked`
    /// is only asked about.
    fn follow(&mut self, reply: Reply<String>, asked: Option<&str>) -> Option<Vec<Act>> {
        match reply {
            Reply::Play(mv) if self.confirms && asked != Some(&*mv) => self.unconfirmed = Some(mv),
            Reply::Play(mv) => self.try_move(&mv),
            Reply::Refused(reason) => self.refusal = Some(reason),
            Reply::Handled => {}
            Reply::Ignored => return None,
        }
        Some(Vec::new())
    }

    fn board_key(&mut self, press: Press, context: &mut Context) -> Vec<Act> {
        let asked = self.unconfirmed.take();
        if press == Press::Back && asked.is_some() {
            return Vec::new();
        }
        if press == Press::Choose && self.waits() {
            return self.go_on(context);
        }
        let reply = self.lesson.board.press(press);
        match self.follow(reply, asked.as_deref()) {
            Some(acts) => acts,
            None if press == Press::Back => vec![Act::Pop],
            None => Vec::new(),
        }
    }

    /// Whether Enter, or a click, goes on.
    fn waits(&self) -> bool {
        !self.lesson.asks()
    }

    /// What to show of the match.
    fn shown(&self) -> MatchView<'_> {
        let entry = self.lesson.lesson().entry;
        MatchView::new(entry, self.lesson.current_match(), &*self.lesson.board, &self.players)
    }
}

impl Screen for LessonScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        if self.typing.is_some() {
            return vec![Action::Confirm, Action::Cancel];
        }
        let board = [Action::Choose, Action::Back, Action::Next, Action::Previous];
        let steps = [
            Action::PageDown,
            Action::PageUp,
            Action::Undo,
            Action::Hint,
            Action::Type,
            Action::Picture,
        ];
        let mut actions = [ARROWS, &board, &steps].concat();
        if self.lesson.board.key_hints().iter().any(|hint| hint.names(Action::Digit0)) {
            actions.extend(DIGITS);
        }
        actions
    }

    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Act>> {
        (self.refusal, self.note) = (None, None);
        match action {
            Action::Confirm => self.play_typed(),
            Action::Cancel => self.typing = None,
            Action::PageDown => {
                self.step(LessonRun::skip);
                return Some(self.remember(context));
            }
            Action::PageUp => {
                if !self.step(LessonRun::back) {
                    self.note = Some("this is the first step".to_owned());
                }
            }
            Action::Undo => {
                if !self.step(LessonRun::undo) {
                    self.note = Some("nothing to take back".to_owned());
                }
            }
            Action::Hint => self.ask_for_hint(),
            Action::Type => self.begin_to_type(),
            Action::Picture => {
                return Some(vec![Act::Run(self.shown().take_picture(context.skin))]);
            }
            action => return Some(self.board_key(keys::press(action)?, context)),
        }
        Some(Vec::new())
    }

    fn other_key(&mut self, key: &KeyEvent, _: &Context) -> Option<Vec<Act>> {
        let was_noted = self.dismiss();
        let typed = self.typing.as_mut().is_some_and(|field| field.key(key));
        (typed || was_noted).then(Vec::new)
    }

    fn dismiss(&mut self) -> bool {
        self.note.take().is_some() | self.refusal.take().is_some()
    }

    fn point(
        &mut self,
        gesture: Gesture,
        at: Position,
        area: Rect,
        _: &Context,
    ) -> Option<Vec<Act>> {
        let is_looked_at = matches!(gesture, Gesture::Scroll(_) | Gesture::Leave);
        if self.typing.is_some() || !is_looked_at && !self.lesson.asks() {
            return None;
        }
        let clicks = matches!(gesture, Gesture::Press | Gesture::Drop);
        let had_said = clicks && self.dismiss();
        let asked = if clicks { self.unconfirmed.take() } else { None };
        let had_asked = asked.is_some();
        let reply = self.lesson.board.point(gesture, at, area);
        self.follow(reply, asked.as_deref()).or((had_said || had_asked).then(Vec::new))
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        self.draw_all(context, area, buffer)
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        if self.typing.is_some() {
            return vec![Action::Confirm.to("play"), Action::Cancel.hint()];
        }
        let next = match self.lesson.phase() {
            Phase::Wrong { .. } => "try again",
            Phase::Over if self.next_lesson().is_some() => "next lesson",
            Phase::Over => "close",
            _ => "go on",
        };
        if !self.lesson.asks() {
            return vec![Action::Choose.to(next), Action::PageUp.to("back")];
        }
        if self.unconfirmed.is_some() {
            return vec![Action::Choose.to("play it"), Action::Back.to("cancel")];
        }
        let mut hints = self.lesson.board.key_hints();
        hints.extend([Action::Hint.hint(), Action::PageDown.to("skip"), Action::PageUp.to("back")]);
        hints
    }

    fn about(&self) -> About {
        let lesson = self.lesson.lesson();
        let text = self.lesson.text().to_owned();
        let source = lesson.source.iter().map(|source| format!("THE IDEA. {source}.\n\n"));
        let details = format!(
            "{}A STEP. Read what it says, and play the move it asks for; Enter goes on where nothing is asked. A wrong \
             move is answered, and taken back. A hint shows a right one. A lesson counts as done when you have solved \
             each step; with a hint too.\n\nTHE RULES. {}",
            source.collect::<String>(),
            lesson.entry.rules
        );
        About::new(format!("{}, {}", lesson.entry.name, lesson.title), text).with_details(details)
    }

    fn takes_text(&self) -> bool {
        self.typing.is_some()
    }

    fn paste(&mut self, text: &str) -> Option<Vec<Act>> {
        self.typing.as_mut()?.paste(text);
        Some(Vec::new())
    }

    fn show_message(&mut self, line: &str) -> bool {
        self.note = Some(line.to_owned());
        true
    }

    fn board_mut(&mut self) -> Option<&mut dyn AnyBoard> {
        Some(&mut *self.lesson.board)
    }

    fn keep_place(&self, context: &mut Context) {
        let name = &self.lesson.lesson().name;
        match self.lesson.place() {
            Some(place) => context.lessons_left.insert(name.clone(), place),
            None => context.lessons_left.remove(name),
        };
    }

    fn adopt(&mut self, settings: &Settings) {
        self.confirms = settings.confirm;
        self.shows_coordinates = settings.coordinates;
        self.lesson.board.show_coordinates(settings.coordinates);
    }
}
