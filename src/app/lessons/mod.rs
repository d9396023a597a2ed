//! The screen of a lesson: a board and its steps. The lists of games and lessons are in `list`.

mod list;
mod view;

pub(super) use list::LearnScreen;

use super::Context;
use super::board_input::{BoardInput, EntryResult, TypedText};
use super::command::{Command, Commands};
use super::open_match::MatchView;
use super::screen::{About, Effect, Input, PointerInput, Screen};
use super::tasks::DiskTask;
use crate::action::Action;
use crate::app::destination::Destination;
use crate::board::{AnyBoard, MoveLabel, MoveQuality, WithBoard};
use crate::view::{Announcement, View};
use quadrille_match::session::Players;
use quadrille_match::store::progress::Event;
use quadrille_puzzles::lessons::{self, Lesson, LessonPhase, LessonRun, LessonTask};
use std::sync::Arc;

/// Shown if the step needs no move.
const NO_MOVE: &str = "no move needed here";

pub(super) struct LessonScreen {
    lesson: WithBoard<LessonRun>,
    /// The players' names by role: `You` and `Opponent`.
    players: Players,
    input: BoardInput,
    hint: Option<String>,
}

impl LessonScreen {
    /// Begins a lesson, or resumes it at the saved place.
    pub fn new(lesson: Arc<Lesson>, context: &Context) -> LessonScreen {
        let place = context.lessons_left.get(&lesson.name).cloned();
        let mut screen = LessonScreen {
            lesson: WithBoard::new(LessonRun::from_place(lesson, place)),
            players: Players::named(2, &[]),
            input: BoardInput::default(),
            hint: None,
        };
        screen.show_step();
        screen.announce_wait();
        screen
    }

    fn show_step(&mut self) {
        let game = self.lesson.current_match();
        let learner = self.lesson.learner();
        let names = (0..game.seats()).map(|seat| match learner {
            Some(learner) if learner.index() == usize::from(seat) => String::new(),
            _ if matches!(self.lesson.step().task, LessonTask::Win(_)) => "Perfect".to_owned(),
            _ => "Opponent".to_owned(),
        });
        self.players = Players::named(game.seats(), &names.collect::<Vec<_>>());
        self.input.details.notes = self.lesson.step().notes;
        self.put_labels();
    }

    /// Advances the lesson. A step that has its own position gets a new board.
    fn step<T>(&mut self, change: impl FnOnce(&mut LessonRun) -> T) -> T {
        let (before, phase) = (self.lesson.at(), self.lesson.phase().clone());
        self.hint = None;
        self.input.clear();
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
        if (before, &phase) != (at, self.lesson.phase()) {
            self.announce_wait();
        }
        changed
    }

    /// Announces what Enter does if the step now needs no move.
    fn announce_wait(&mut self) {
        if self.waits() {
            self.input.announce(Announcement::Event(self.what_enter_does().to_owned()));
        }
    }

    /// Puts the labels of the step, or the hint, on the board.
    fn put_labels(&mut self) {
        let marks = match self.lesson.phase() {
            LessonPhase::Asked => &*self.lesson.step().mark,
            _ => &[],
        };
        let marks = marks.iter().map(|mv| (mv.clone(), MoveQuality::Near));
        let hint = self.hint.iter().map(|mv| (mv.clone(), MoveQuality::Best));
        let label = |(mv, rank)| MoveLabel {
            mv,
            text: String::new(),
            is_proven: false,
            draws_move: true,
            rank,
        };
        let labels = hint.chain(marks).map(label).collect();
        self.lesson.board.label(labels);
    }

    fn try_move(&mut self, mv: &str) {
        let tried = self.step(|run| run.try_move(mv));
        if let Err(refusal) = tried {
            self.input.refuse(&refusal);
        }
    }

    /// Handles Enter when the step needs no move.
    fn advance(&mut self, context: &mut Context) -> Vec<Effect> {
        if *self.lesson.phase() == LessonPhase::Over {
            return vec![
                self.next_lesson()
                    .map_or(Effect::Pop, |next| Effect::Replace(Destination::Lesson(next))),
            ];
        }
        self.step(LessonRun::go_on);
        self.remember(context)
    }

    fn remember(&self, context: &Context) -> Vec<Effect> {
        let name = &self.lesson.lesson().name;
        if !self.lesson.is_done() || context.progress.lesson_done(name) {
            return Vec::new();
        }
        let done = Event::Lesson { at: context.moment(), name: name.clone() };
        vec![Effect::run(DiskTask::Append(vec![done]))]
    }

    fn next_lesson(&self) -> Option<Arc<Lesson>> {
        let lesson = self.lesson.lesson();
        let all = lessons::of_game(lesson.entry);
        let at = all.iter().position(|other| other.name == lesson.name)?;
        all.into_iter().nth(at + 1)
    }

    fn ask_for_hint(&mut self) {
        let hint = self.step(LessonRun::hint);
        self.input.announce_note(match &hint {
            Some(mv) => format!("{mv} is correct"),
            None => NO_MOVE.to_owned(),
        });
        self.hint = hint;
        self.put_labels();
    }

    /// Handles the result of board input; `None` if it changes nothing.
    fn follow(&mut self, entered: EntryResult) -> Option<Vec<Effect>> {
        match entered {
            EntryResult::Move(mv) => self.try_move(&mv),
            EntryResult::Changed | EntryResult::Chat(_) => {}
            EntryResult::Nothing => return None,
        }
        Some(Vec::new())
    }

    /// Returns whether Enter or a click continues the lesson.
    fn waits(&self) -> bool {
        !self.lesson.asks()
    }

    fn match_view(&self) -> MatchView<'_> {
        let entry = self.lesson.lesson().entry;
        MatchView::new(entry, &self.lesson, &self.players).addressing(self.lesson.learner())
    }
}

impl LessonScreen {
    fn perform(&mut self, action: Action, context: &mut Context) -> Vec<Effect> {
        self.input.dismiss();
        if action == Action::Choose && self.waits() {
            return self.advance(context);
        }
        let entered = self.input.perform(action, &mut self.lesson);
        if let Some(effects) = self.follow(entered) {
            return effects;
        }
        if action == Action::Type && matches!(self.lesson.phase(), LessonPhase::Wrong { .. }) {
            self.step(LessonRun::go_on);
        }
        match action {
            Action::Back => return vec![Effect::Pop],
            Action::PageDown => {
                self.step(LessonRun::skip);
                return self.remember(context);
            }
            Action::PageUp if !self.step(LessonRun::back) => {
                self.input.announce_note("already at the first step");
            }
            Action::Undo if !self.step(LessonRun::undo) => {
                self.input.announce_note("nothing to take back");
            }
            Action::Hint => self.ask_for_hint(),
            Action::Type if self.lesson.asks() => self.input.begin_to_type(TypedText::Move),
            Action::Type => self.input.announce_note(NO_MOVE),
            Action::Picture => {
                return vec![Effect::Run(self.match_view().take_picture(context.theme))];
            }
            _ => {}
        }
        Vec::new()
    }

    fn keep_place(&self, context: &mut Context) {
        let name = &self.lesson.lesson().name;
        match self.lesson.place() {
            Some(place) => context.lessons_left.insert(name.clone(), place),
            None => context.lessons_left.remove(name),
        };
    }
}

impl Screen for LessonScreen {
    fn commands(&self, _: &Context) -> Commands {
        if let Some(commands) = self.input.text_commands() {
            return commands;
        }
        let next = match self.lesson.phase() {
            LessonPhase::Wrong { .. } => "try again",
            LessonPhase::Over if self.next_lesson().is_some() => "next lesson",
            LessonPhase::Over => "close",
            _ => "continue",
        };
        let asks = self.lesson.asks();
        let board =
            if asks { self.lesson.board.key_hints() } else { vec![Action::Choose.to(next)] };
        let [skip, back] =
            [Action::PageDown.to("skip"), Action::PageUp.to("back")].map(Command::from);
        let commands = Commands::default()
            .show_all(board)
            .add([Command::from(Action::Hint.hint()).shown_if(asks)])
            .add([skip.typed_as("skip").about("go to the next step").shown_if(asks)])
            .show(back.typed_as("back").about("go to the previous step"))
            .hide(&[Action::Undo, Action::Type]);
        self.input.commands(&*self.lesson.board, commands)
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        match input {
            Input::Action(action) => Some(self.perform(action, context)),
            Input::Continue if !self.input.asks_to_confirm() => {
                self.waits().then(|| self.advance(context))
            }
            Input::Pointer(PointerInput::Board(pointer)) => {
                let asks = self.lesson.asks();
                let entered = self.input.point(pointer, asks, &mut self.lesson);
                self.follow(entered)
            }
            Input::Pause => {
                self.keep_place(context);
                None
            }
            Input::Settings => {
                self.input.apply_settings(&context.settings);
                None
            }
            input => self.input.input(&input),
        }
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        View::Board(self.board_view())
    }

    fn about(&self) -> Option<About> {
        let lesson = self.lesson.lesson();
        let text = self.lesson.text().to_owned();
        let source = lesson.source.iter().map(|source| format!("THE IDEA. {source}.\n\n"));
        let details = format!(
            "{}STEPS. Read the text and play the move it asks for. If it asks for none, press Enter. A wrong move \
             is answered and then taken back. A hint shows a correct move. A lesson is done when every step is \
             solved, with or without hints.\n\nTHE RULES. {}",
            source.collect::<String>(),
            lesson.entry.rules
        );
        Some(
            About::new(format!("{}, {}", lesson.entry.name, lesson.title), text)
                .with_details(details),
        )
    }

    fn board_mut(&mut self) -> Option<&mut dyn AnyBoard> {
        Some(&mut *self.lesson.board)
    }
}
