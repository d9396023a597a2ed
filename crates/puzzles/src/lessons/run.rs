//! A learner's progress through a lesson.

use super::{Lesson, LessonStep, LessonTask, Line, MatchResult, Wrong};
use crate::judge::Judge;
use quadrille_match::session::{Match, PositionSpec, Refusal};
use quadrille_rules::{Round, Seat};
use quadrille_search::Value;
use quadrille_table::engine::ValueFormat;
use quadrille_text::wording::list;
use std::sync::Arc;

/// The maximum number of moves in the answer to a wrong try.
const MAX_ANSWER_MOVES: usize = 24;

/// A lesson, the current step, and its match.
#[derive(Debug)]
pub struct LessonRun {
    lesson: Arc<Lesson>,
    game: Match,
    /// The match at the beginning of each step reached so far.
    begun: Vec<Match>,
    /// Whether each step is solved. Steps without a task count as solved.
    solved: Vec<bool>,
    phase: LessonPhase,
    /// The plies of this step's tries that have not been taken back.
    tries: Vec<usize>,
    judge: Judge,
    /// The value that a turn of this step must keep or reach, once known.
    target: Option<i32>,
}

/// The position in a lesson at which to resume.
#[derive(Clone, Debug)]
pub struct Place {
    at: usize,
    solved: Vec<bool>,
}

impl Place {
    /// Returns the step's number, counted from 0.
    pub fn at(&self) -> usize {
        self.at
    }
}

/// The state of the current step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonPhase {
    /// A move is expected, or the step has no task.
    Asked,
    Right,
    /// The last try was wrong. The try and its answer stay on the board until the try is taken back.
    Wrong {
        /// The try and its proven value, as in `H0,1 loses by 2`.
        verdict: Option<String>,
        /// The lesson's text for the try.
        says: String,
        /// The ply to which taking back the try returns.
        ply: usize,
    },
    /// All steps are finished.
    Over,
}

impl LessonRun {
    pub fn new(lesson: Arc<Lesson>) -> LessonRun {
        let first = lesson.steps.first().and_then(|first| first.board.as_ref());
        let Some(game) = first.and_then(|board| stand(&lesson, board)) else {
            unreachable!(
                "the first step of a lesson has a board, which was there when it was read"
            );
        };
        let judge = Judge::live(lesson.entry);
        let (begun, solved, tries) = (Vec::new(), Vec::new(), Vec::new());
        let (phase, target) = (LessonPhase::Asked, None);
        let mut run = LessonRun { lesson, game, begun, solved, phase, tries, judge, target };
        run.begin();
        run
    }

    /// Resumes a lesson at this place. Without a place, begins at the first step.
    pub fn from_place(lesson: Arc<Lesson>, place: Option<Place>) -> LessonRun {
        let mut run = LessonRun::new(lesson);
        if let Some(Place { at, solved }) = place {
            for _ in 0..at {
                run.skip();
            }
            run.solved = solved;
        }
        run
    }

    /// Returns the place at which to resume: the current step, or after the last step the first step that was skipped.
    /// `None` if the place is the beginning of the lesson and no step is solved.
    pub fn place(&self) -> Option<Place> {
        let at = match self.phase {
            LessonPhase::Over => self.solved.iter().position(|solved| !solved)?,
            LessonPhase::Asked | LessonPhase::Right | LessonPhase::Wrong { .. } => self.at(),
        };
        let mut solved = self.solved.clone();
        if self.phase == LessonPhase::Right {
            solved[at] = true;
        }
        // Do not present a solved step again.
        let is_last = at + 1 == self.lesson.steps.len();
        let at = at + usize::from(self.phase == LessonPhase::Right && !is_last);
        solved.resize(solved.len().max(at + 1), false);
        (at > 0 || solved.contains(&true)).then_some(Place { at, solved })
    }

    pub fn lesson(&self) -> &Arc<Lesson> {
        &self.lesson
    }

    pub fn at(&self) -> usize {
        self.begun.len() - 1
    }

    pub fn step(&self) -> &LessonStep {
        &self.lesson.steps[self.at()]
    }

    pub fn phase(&self) -> &LessonPhase {
        &self.phase
    }

    /// Returns whether a move is expected now.
    pub fn asks(&self) -> bool {
        self.phase == LessonPhase::Asked && self.step().task != LessonTask::Read
    }

    /// Returns whether the learner has reached the end without skipping a task.
    pub fn is_done(&self) -> bool {
        self.phase == LessonPhase::Over && self.solved.iter().all(|solved| *solved)
    }

    /// Lists the unsolved steps, as in `Steps 2 and 5 were skipped`. `None` if all steps were solved.
    pub fn skipped(&self) -> Option<String> {
        let skipped: Vec<usize> =
            (1..).zip(&self.solved).filter(|(_, solved)| !**solved).map(|(step, _)| step).collect();
        match skipped[..] {
            [] => None,
            [step] => Some(format!("Step {step} was skipped")),
            _ => Some(format!("Steps {} were skipped", list(skipped))),
        }
    }

    /// Returns the current text: the text of the step or of a try.
    pub fn text(&self) -> &str {
        match &self.phase {
            LessonPhase::Right => &self.step().right,
            LessonPhase::Wrong { says, .. } => says,
            LessonPhase::Asked | LessonPhase::Over => &self.step().text,
        }
    }

    /// Returns the learner's seat in this step.
    pub fn learner(&self) -> Option<Seat> {
        self.begun.last().and_then(Match::to_move)
    }

    /// Tries a legal move if a move is expected. A wrong move stays on the board until [`go_on`](LessonRun::go_on) or
    /// [`undo`](LessonRun::undo).
    pub fn try_move(&mut self, mv: &str) -> Result<(), Refusal> {
        if !self.asks() {
            return Err(Refusal::new("no move needed here"));
        }
        let mv = self.game.check(mv)?;
        let (ply, mover) = (self.game.ply(), self.game.to_move());
        let began = self.game.now().round();
        let line = [self.line(), vec![mv.clone()]].concat();
        let named = self.step().wrong.iter().find(|wrong| wrong.lines.contains(&line));
        let named = named.map(|Wrong { text, reply, .. }| (text.clone(), reply.clone()));
        let is_right = named.is_none() && self.is_right(&mv, &line)?;
        let (mut verdict, mut result) = (None, None);
        if !is_right && self.step().task.is_about_values() {
            let judged = self.judge.judge(&self.game)?;
            let value = judged.value_of(&mv);
            verdict = verdict_on(&mv, value, judged.value_format);
            result = MatchResult::of(value);
        }
        self.game.play(&mv)?;
        self.tries.push(ply);
        if !is_right {
            let (says, reply) = match named {
                Some(named) => named,
                None => (self.says_to(result), Line::new()),
            };
            if !reply.is_empty() {
                play(&mut self.game, &reply);
            } else if self.step().task.is_about_values() {
                self.refute(began);
            }
            self.phase = LessonPhase::Wrong { verdict, says, ply };
            return Ok(());
        }
        match &self.step().task {
            LessonTask::Play { lines, reply, .. } if lines.contains(&line) => {
                let reply = reply.clone();
                play(&mut self.game, &reply);
                self.phase = LessonPhase::Right;
            }
            LessonTask::Play { .. } => {}
            LessonTask::Win(_) => {
                self.let_perfect_play();
                if self.game.to_move().is_none() {
                    self.phase = LessonPhase::Right;
                }
            }
            _ if self.game.to_move() != mover || self.game.now().round() != began => {
                self.phase = LessonPhase::Right;
            }
            _ => {}
        }
        Ok(())
    }

    /// Handles Enter: takes back a wrong try, or begins the next step after a right try or in a step without a task.
    /// `false` if a move is expected.
    pub fn go_on(&mut self) -> bool {
        match self.phase {
            LessonPhase::Wrong { ply, .. } => {
                self.take_back_to(ply);
                true
            }
            LessonPhase::Asked if self.step().task == LessonTask::Read => self.skip(),
            LessonPhase::Right => self.skip(),
            LessonPhase::Asked | LessonPhase::Over => false,
        }
    }

    /// Goes to the next step, whether or not the current step is solved; `false` if the lesson is over.
    pub fn skip(&mut self) -> bool {
        if self.phase == LessonPhase::Over {
            return false;
        }
        let at = self.at();
        self.solved[at] |= self.phase == LessonPhase::Right || self.step().task == LessonTask::Read;
        if at + 1 == self.lesson.steps.len() {
            self.phase = LessonPhase::Over;
            return true;
        }
        if self.phase != LessonPhase::Right {
            // The next step may continue from the end of the current step.
            self.again();
            if let LessonTask::Play { lines, reply, .. } = &self.lesson.steps[at].task {
                play(&mut self.game, &[&lines[0][..], reply].concat());
            }
        }
        self.begin();
        true
    }

    /// Goes back one step, or to the beginning of the first step; `false` if already there.
    pub fn back(&mut self) -> bool {
        if self.phase != LessonPhase::Over && self.begun.len() > 1 {
            self.begun.pop();
        } else if self.phase == LessonPhase::Asked && self.tries.is_empty() {
            return false;
        }
        self.again();
        true
    }

    /// Takes back the last remaining try and its answer; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(&ply) = self.tries.last() else { return false };
        if self.phase == LessonPhase::Over {
            return false;
        }
        self.take_back_to(ply);
        true
    }

    /// Returns a right move if a move is expected.
    pub fn hint(&mut self) -> Option<String> {
        if !self.asks() {
            return None;
        }
        let line = self.line();
        if let LessonTask::Play { lines, .. } = &self.step().task {
            let right = lines.iter().find(|right| right.starts_with(&line))?;
            return right.get(line.len()).cloned();
        }
        let judged = self.judge.judge(&self.game).ok()?;
        judged.moves.first().map(|(mv, _)| mv.clone())
    }

    /// Returns the moves played since the step began.
    fn line(&self) -> Line {
        let from = self.begun.last().map_or(0, Match::ply);
        self.game.moves()[from..].iter().map(|(_, mv)| mv.clone()).collect()
    }

    /// Returns whether a move that has not been played yet is right.
    fn is_right(&mut self, mv: &str, line: &Line) -> Result<bool, Refusal> {
        let least = match &self.step().task {
            LessonTask::Read => return Ok(false),
            LessonTask::Play { lines, .. } => {
                return Ok(lines.iter().any(|right| right.starts_with(line)));
            }
            LessonTask::Reach(least) | LessonTask::Win(least) => Some(*least),
            LessonTask::Keep => self.target,
        };
        let judged = self.judge.judge(&self.game)?;
        self.target = least.or(judged.value.lower);
        Ok(self.target.is_some_and(|least| judged.reaches(mv, least)))
    }

    /// Returns the lesson's text for a wrong try whose moves are not named by any text.
    fn says_to(&self, result: Option<MatchResult>) -> String {
        let LessonStep { wrong, otherwise, .. } = self.step();
        let of_result = wrong.iter().find(|wrong| result.is_some() && wrong.result == result);
        of_result.map_or(otherwise, |wrong| &wrong.text).clone()
    }

    /// Plays best moves until it is the other player's turn or round `began` is over. The next round would not show the
    /// effect of the try.
    fn refute(&mut self, began: Option<Round>) {
        let learner = self.learner();
        let mut is_answered = false;
        for _ in 0..MAX_ANSWER_MOVES {
            match self.game.to_move() {
                None => return,
                _ if self.game.now().round() != began => return,
                to_move if to_move == learner && is_answered => return,
                to_move => is_answered |= to_move != learner,
            }
            self.play_best();
        }
    }

    fn let_perfect_play(&mut self) {
        let learner = self.learner();
        while self.game.to_move().is_some() && self.game.to_move() != learner {
            self.play_best();
        }
    }

    fn play_best(&mut self) {
        let line = self.judge.best_line(&self.game, 1).unwrap_or_default();
        if let Some(mv) =
            line.into_iter().next().or_else(|| self.game.legal_moves().into_iter().next())
        {
            play(&mut self.game, &[mv]);
        }
    }

    fn begin(&mut self) {
        let step = &self.lesson.steps[self.begun.len()];
        if let Some(game) = step.board.as_ref().and_then(|board| stand(&self.lesson, board)) {
            self.game = game;
        }
        self.begun.push(self.game.copy_line());
        self.solved.resize(self.begun.len().max(self.solved.len()), false);
        self.again();
    }

    /// Restarts the current step.
    fn again(&mut self) {
        if let Some(begun) = self.begun.last() {
            self.game = begun.copy_line();
        }
        self.tries.clear();
        self.judge.forget();
        (self.phase, self.target) = (LessonPhase::Asked, None);
    }

    fn take_back_to(&mut self, ply: usize) {
        self.game.go_to_ply(ply);
        self.tries.retain(|tried| *tried < ply);
        self.phase = LessonPhase::Asked;
    }
}

impl AsRef<Match> for LessonRun {
    fn as_ref(&self) -> &Match {
        &self.game
    }
}

/// Describes the value of a wrong move if the value is proven.
fn verdict_on(mv: &str, value: Value, value_format: ValueFormat) -> Option<String> {
    let proven = value.proven()?;
    let more = if proven > 0 { "; more is possible" } else { "" };
    Some(format!("{mv} {}{more}", value_format.in_words(value)))
}

/// Sets up a board from a lesson.
pub(super) fn stand(lesson: &Lesson, board: &PositionSpec) -> Option<Match> {
    let mut game = (lesson.entry.start)(&board.setup).ok()?;
    play(&mut game, &board.moves);
    Some(game)
}

fn play(game: &mut Match, moves: &[String]) {
    for mv in moves {
        let played = game.play(mv);
        debug_assert_eq!(played, Ok(()), "it was legal when the lesson was read");
    }
}
