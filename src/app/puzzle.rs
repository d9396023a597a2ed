//! The puzzle screen: a puzzle on its board, what is asked, and what came of each try.

mod menus;
mod view;

use super::Context;
use super::board_input::{BoardInput, Entered, Pointer, TypedText, add_way_back, press};
use super::destination::Destination;
use super::screen::{About, Act, Screen, Timer};
use super::tasks::{DiskTask, TerminalTask};
use crate::action::{Action, KeyHint};
use crate::board::{AnyBoard, OnBoard};
use crate::catalogue::GameEntry;
use crate::puzzles::{Answer, Attempt, Course, Hint, Rush};
use crate::session::{Players, clock};
use crate::settings::Settings;
use crate::store::progress::Event;
use crate::view::BoardView;
use crossterm::event::KeyEvent;
use menus::PuzzleCommand;
use std::any::Any;
use std::time::Duration;

/// How long a move of a refutation is shown before the next one.
const STEP: Duration = Duration::from_millis(900);

/// The names at the board.
const NAMES: [&str; 2] = ["You", "Opponent"];

/// Somebody who solves puzzles.
pub(super) struct PuzzleScreen {
    attempt: OnBoard<Attempt>,
    entry: &'static GameEntry,
    players: Players,
    course: Course,
    /// The wrong move that is shown, and what follows it.
    wrong: Option<Wrong>,
    /// What the last hint said.
    hint: Option<String>,
    /// What came of the last move.
    said: Option<String>,
    /// What is explained after the end.
    explained: Vec<String>,
    /// The line to share.
    share: Option<String>,
    input: BoardInput,
    settings: Settings,
    /// How a rush has ended.
    summary: Option<String>,
}

/// A wrong move and its refutation.
struct Wrong {
    /// The wrong move, and what follows.
    line: Vec<String>,
    /// How many of these are shown.
    shown: usize,
}

impl PuzzleScreen {
    /// A screen with the next puzzle of this course; `None` if there is none.
    pub fn new(mut course: Course, context: &Context) -> Option<PuzzleScreen> {
        let attempt = next(&mut course, context)?;
        let entry = attempt.puzzle().entry()?;
        let players = players(&attempt);
        Some(PuzzleScreen {
            attempt: OnBoard::new(attempt),
            entry,
            players,
            course,
            wrong: None,
            hint: None,
            said: None,
            explained: Vec::new(),
            share: None,
            input: BoardInput::default(),
            settings: context.settings.clone(),
            summary: None,
        })
    }

    /// Goes on to the next puzzle.
    fn go_on(&mut self, context: &Context) {
        self.course.go_on();
        let Some(attempt) = next(&mut self.course, context) else {
            self.input.note("there is no other puzzle here");
            return;
        };
        if let Some(entry) = attempt.puzzle().entry() {
            self.entry = entry;
        }
        self.players = players(&attempt);
        self.attempt = OnBoard::new(attempt);
        self.begin();
    }

    /// Tries the same puzzle again. The first result stands.
    fn try_again(&mut self) {
        self.attempt.change().restart();
        self.attempt.renew_board();
        self.begin();
    }

    fn begin(&mut self) {
        (self.wrong, self.hint, self.said, self.share) = (None, None, None, None);
        self.input.clear();
        self.explained.clear();
        self.adopt(&self.settings.clone());
    }

    /// Writes down what came of the attempt as soon as it is known.
    fn note_result(&mut self, context: &Context) -> Vec<Act> {
        let news = self.attempt.owner_mut().note(context.moment());
        write_down(news.into_iter().collect())
    }

    const fn rush(&self) -> Option<&Rush> {
        match &self.course {
            Course::Rush(rush) => Some(rush),
            _ => None,
        }
    }

    /// Tries a move.
    fn play(&mut self, mv: &str, context: &Context) -> Vec<Act> {
        let answer = self.attempt.change().answer(mv);
        match answer {
            Err(refusal) => {
                self.input.refuse(refusal);
                Vec::new()
            }
            Ok(answer @ (Answer::Wrong { .. } | Answer::Solved { .. }))
                if self.rush().is_some() =>
            {
                self.count(&answer, context)
            }
            Ok(Answer::Wrong { refutation, says }) => {
                let line = [&[mv.to_owned()][..], &refutation].concat();
                self.said = Some(says);
                self.wrong = Some(Wrong { line, shown: 0 });
                self.show_more();
                self.note_result(context)
            }
            Ok(Answer::Right { replies }) => {
                self.hint = None;
                self.said = Some(about_right(mv, &replies));
                Vec::new()
            }
            Ok(Answer::Solved { says }) => {
                self.said = Some(says);
                self.end(context)
            }
        }
    }

    /// After the end: says what was worth what.
    fn end(&mut self, context: &Context) -> Vec<Act> {
        self.hint = None;
        // The first line names the themes, which stand in the heading here.
        self.explained = self.attempt.owner_mut().explain().split_off(1);
        let mut acts = self.note_result(context);
        let (at, today) = (context.moment(), context.today());
        let after = self.course.after_daily(&self.attempt, &context.progress, at, today);
        if let Some(after) = after {
            self.explained.extend(after.note);
            *context.line_to_share.borrow_mut() = Some(after.share.clone());
            self.share = Some(after.share);
            acts.extend(write_down(after.event.into_iter().collect()));
        }
        acts
    }

    /// Counts an answer in a rush.
    fn count(&mut self, answer: &Answer, context: &Context) -> Vec<Act> {
        if let Course::Rush(rush) = &mut self.course {
            rush.count(answer, &mut self.attempt.change());
        }
        self.show_result(context)
    }

    /// Skips a puzzle of a rush.
    fn skip(&mut self, context: &Context) -> Vec<Act> {
        if let Course::Rush(rush) = &mut self.course {
            rush.skip(&mut self.attempt.change());
        }
        self.show_result(context)
    }

    /// Shows what came of a puzzle of a rush. The next one follows by itself.
    fn show_result(&mut self, context: &Context) -> Vec<Act> {
        self.said = self.rush().and_then(Rush::result).map(|result| result.says.clone());
        self.note_result(context)
    }

    /// Goes on in a rush after a result.
    fn rush_on(&mut self, context: &Context) -> Vec<Act> {
        let Course::Rush(rush) = &mut self.course else { return Vec::new() };
        rush.go_on();
        if rush.is_over() {
            return self.end_rush(context);
        }
        self.go_on(context);
        Vec::new()
    }

    /// Says how a rush ended. Any number of keys typed ahead leaves that on the screen.
    fn end_rush(&mut self, context: &Context) -> Vec<Act> {
        let Course::Rush(rush) = &self.course else { return Vec::new() };
        let event = rush.event(context.moment());
        let summary = rush.summary(&context.progress);
        self.input.clear();
        self.said = Some(summary.clone());
        self.summary = Some(summary);
        write_down(vec![event])
    }

    /// Shows one move more of a refutation.
    fn show_more(&mut self) {
        let Some(wrong) = &mut self.wrong else { return };
        wrong.shown = (wrong.shown + 1).min(wrong.line.len());
        let shown = &wrong.line[..wrong.shown];
        self.attempt.change().show(shown);
    }

    /// Takes the wrong move back. `false` if there is none.
    fn take_back(&mut self) -> bool {
        if self.wrong.take().is_none() {
            return false;
        }
        self.attempt.change().show(&[]);
        self.attempt.renew_board();
        self.adopt(&self.settings.clone());
        self.said = Some("Try another move.".to_owned());
        true
    }

    fn ask_for_hint(&mut self, context: &Context) -> Vec<Act> {
        let hint = self.attempt.owner_mut().hint();
        self.hint = Some(match hint {
            Ok(Hint::Theme(words)) => words,
            Ok(Hint::Move(mv)) => format!("{mv} is the move."),
            Err(refusal) => format!("{refusal:#}"),
        });
        self.note_result(context)
    }

    /// Whether nothing can be played: the puzzle or the rush is over.
    fn is_over(&self) -> bool {
        self.attempt.is_over() || self.summary.is_some()
    }

    /// Whether the result of a puzzle of a rush is shown. Keys do nothing then.
    fn shows_result(&self) -> bool {
        self.rush().is_some_and(|rush| rush.result().is_some())
    }

    /// The next puzzle; in the middle of one a question comes first.
    fn next_or_ask(&mut self, context: &Context) -> Vec<Act> {
        match &self.course {
            Course::Rush(rush) if self.summary.is_some() => {
                let course = Course::Rush(Rush::new(rush.game));
                return vec![Act::Replace(Destination::Puzzle(Box::new(course)))];
            }
            Course::Rush(_) => return self.skip(context),
            _ => {}
        }
        if self.attempt.is_touched() && !self.attempt.is_over() {
            return vec![menus::give_up()];
        }
        self.go_on(context);
        Vec::new()
    }

    fn give_up(&mut self, context: &Context) -> Vec<Act> {
        let solution = self.attempt.change().give_up();
        let acts = self.end(context);
        self.said = Some(format!("The solution is {}.", solution.join(" ")));
        self.wrong = None;
        self.attempt.change().show(&solution);
        acts
    }

    /// Does what was entered; `None` if it changes nothing.
    fn follow(&mut self, entered: Entered, context: &Context) -> Option<Vec<Act>> {
        match entered {
            Entered::Move(mv) => Some(self.play(&mv, context)),
            Entered::Changed | Entered::Chat(_) => Some(Vec::new()),
            Entered::Nothing => None,
        }
    }
}

/// What is said of a right move that is not the last one.
fn about_right(mv: &str, replies: &[String]) -> String {
    match replies {
        [] => format!("{mv} is right. It is still your turn."),
        replies => format!("{mv} is right. The opponent answers {}.", replies.join(" ")),
    }
}

/// The task that writes events down.
fn write_down(events: Vec<Event>) -> Vec<Act> {
    let task = (!events.is_empty()).then(|| Act::run(DiskTask::Append(events)));
    task.into_iter().collect()
}

/// An attempt at the next puzzle that can be begun.
fn next(course: &mut Course, context: &Context) -> Option<Attempt> {
    let seed = context.moment().as_second().unsigned_abs();
    course.begin(&context.progress, context.today(), seed)
}

/// Who sits where.
fn players(attempt: &Attempt) -> Players {
    let seats = attempt.current_match().seats();
    let solver = attempt.seat().index();
    let names: Vec<String> =
        (0..usize::from(seats)).map(|seat| NAMES[usize::from(seat != solver)].to_owned()).collect();
    Players::named(seats, &names)
}

impl Screen for PuzzleScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        let others: &[Action] = match (self.is_over(), self.rush()) {
            (true, _) => &[Action::NextPuzzle],
            (false, Some(_)) => &[Action::NextPuzzle, Action::Type],
            (false, None) => &[Action::NextPuzzle, Action::Type, Action::Hint],
        };
        self.input.actions(&*self.attempt.board, others)
    }

    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Act>> {
        self.input.dismiss();
        if self.shows_result() {
            return Some(Vec::new());
        }
        // The first key takes a wrong move back and does nothing else.
        if action != Action::Picture && self.take_back() {
            return Some(Vec::new());
        }
        if self.is_over() && press(action).is_some() {
            let opens = matches!(action, Action::Choose | Action::Back);
            return Some(opens.then(|| self.menu()).into_iter().collect());
        }
        let entered = self.input.perform(action, &mut self.attempt);
        if let Some(acts) = self.follow(entered, context) {
            return Some(acts);
        }
        match action {
            Action::Back => return Some(vec![self.menu()]),
            Action::Picture => {
                return Some(vec![Act::Run(self.shown().take_picture(context.skin))]);
            }
            Action::Type => self.input.begin_to_type(TypedText::Move),
            Action::Hint => return Some(self.ask_for_hint(context)),
            Action::NextPuzzle => return Some(self.next_or_ask(context)),
            _ => {}
        }
        Some(Vec::new())
    }

    fn other_key(&mut self, key: &KeyEvent, _: &Context) -> Option<Vec<Act>> {
        let was_wrong = self.take_back();
        (self.input.other_key(key) || was_wrong).then(Vec::new)
    }

    fn point(&mut self, pointer: Pointer, context: &mut Context) -> Option<Vec<Act>> {
        let may_play = !self.is_over() && self.wrong.is_none() && !self.shows_result();
        if pointer.gesture.clicks() && !may_play {
            // A click does what Enter does.
            return self.perform(Action::Choose, context);
        }
        let entered = self.input.point(pointer, may_play, &mut self.attempt);
        self.follow(entered, context)
    }

    fn board_view(&self, _: bool, _: &Context) -> Option<BoardView<'_>> {
        Some(self.view())
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        if let Some(hints) = self.input.key_hints() {
            return hints;
        }
        if self.wrong.is_some() {
            return vec![Action::Choose.to("take back")];
        }
        if self.shows_result() {
            return Vec::new();
        }
        if self.is_over() {
            let next = if self.summary.is_some() { "another rush" } else { "next puzzle" };
            return vec![Action::NextPuzzle.to(next), Action::Choose.to("menu")];
        }
        let mut hints = self.attempt.board.key_hints();
        if self.rush().is_some() {
            hints.push(Action::NextPuzzle.to("skip"));
        } else {
            hints.push(Action::Hint.hint());
            let next = if self.attempt.is_touched() { "give up" } else { "next" };
            hints.push(Action::NextPuzzle.to(next));
        }
        hints.push(Action::Type.hint());
        add_way_back(&mut hints, "menu");
        hints
    }

    fn about(&self) -> About {
        let (how_to_move, rules) = (self.entry.how_to_move, self.entry.rules);
        let name = format!("{}, {}", self.entry.name, self.course.name());
        if self.rush().is_some() {
            let details =
                format!("{}\n\nHOW TO MOVE. {how_to_move}\n\nTHE RULES. {rules}", Rush::RULES);
            return About::new(name, self.attempt.task()).with_details(details);
        }
        let details = format!(
            "A puzzle is a position from a match between two engines. What is best there is proven, and every move \
             that is as good is right. A wrong move is shown with what follows it, and then taken back.\n\n\
             GIVING UP. Before you have tried anything you can go to the next puzzle, and nothing is lost. After that a \
             question comes first: whoever gives up sees the solution, and the puzzle counts as not solved.\n\n\
             HINTS. The first hint says what it is about, the second names the move. With a hint the puzzle does not count \
             for your strength.\n\n\
             HOW TO MOVE. {how_to_move}\n\nTHE RULES. {rules}"
        );
        About::new(name, self.attempt.task()).with_details(details)
    }

    fn time_passed(&mut self, time: Duration) {
        if let Course::Rush(rush) = &mut self.course {
            rush.pass(time);
        }
    }

    fn time_passed_below(&mut self, time: Duration) {
        self.time_passed(time);
    }

    fn unchanged_for(&self) -> Option<Duration> {
        let rush = self.rush().filter(|_| self.summary.is_none())?;
        // Time may have run out below a menu.
        if rush.is_over() {
            return Some(Duration::ZERO);
        }
        rush.runs().then(|| clock::shown_for(rush.left()))
    }

    fn show_time(&mut self, context: &Context) -> Vec<Act> {
        match self.rush() {
            Some(rush) if rush.is_over() && self.summary.is_none() => self.end_rush(context),
            _ => Vec::new(),
        }
    }

    fn timer(&self) -> Option<Timer> {
        if let Some(result) = self.rush().and_then(Rush::result) {
            return Some(Timer { step: usize::MAX, length: result.length });
        }
        let wrong = self.wrong.as_ref().filter(|wrong| wrong.shown < wrong.line.len())?;
        Some(Timer { step: wrong.shown, length: STEP })
    }

    fn tick(&mut self, context: &Context) -> Option<Vec<Act>> {
        if self.shows_result() {
            return Some(self.rush_on(context));
        }
        self.show_more();
        Some(Vec::new())
    }

    fn command(&mut self, command: &dyn Any, context: &mut Context) -> Vec<Act> {
        match command.downcast_ref() {
            Some(PuzzleCommand::GiveUp) => return self.give_up(context),
            Some(PuzzleCommand::TryAgain) => self.try_again(),
            Some(PuzzleCommand::Copy) => {
                let line = self.share.clone().unwrap_or_default();
                self.input.note(&*line);
                return vec![Act::run(TerminalTask::Copy(line))];
            }
            Some(PuzzleCommand::EndRush) => {
                if let Course::Rush(rush) = &mut self.course
                    && self.summary.is_none()
                {
                    rush.end();
                    return self.end_rush(context);
                }
            }
            None => {}
        }
        Vec::new()
    }

    /// A running rush asks before it ends.
    fn leaves(&self) -> Vec<Act> {
        let asks = self.rush().is_some() && self.summary.is_none();
        vec![if asks { self.menu() } else { Act::Pop }]
    }

    fn board_mut(&mut self) -> Option<&mut dyn AnyBoard> {
        Some(&mut *self.attempt.board)
    }

    fn input(&self) -> Option<&BoardInput> {
        Some(&self.input)
    }

    fn input_mut(&mut self) -> Option<&mut BoardInput> {
        Some(&mut self.input)
    }

    fn adopt(&mut self, settings: &Settings) {
        self.settings = settings.clone();
        self.input.adopt(settings, &mut *self.attempt.board);
    }
}
