//! A lesson while somebody goes through it.

use super::{Lesson, LessonStep, LessonTask, Line, MatchResult, Wrong};
use crate::engine::ValueFormat;
use crate::puzzles::judge::Judge;
use crate::rules::Seat;
use crate::rules::intersections::Intersections;
use crate::search::Value;
use crate::session::{Match, PositionSpec, Refusal};
use crate::wording::list;
use std::sync::Arc;

/// The longest answer to a wrong try, in moves.
const LONGEST: usize = 24;

/// A lesson, the step it is at, and the match as it stands there.
#[derive(Debug)]
pub struct LessonRun {
    lesson: Arc<Lesson>,
    game: Match,
    /// How the match stood when each step began, up to the present one.
    begun: Vec<Match>,
    /// Which steps were solved; those that ask nothing are.
    solved: Vec<bool>,
    phase: LessonPhase,
    /// The plies at which the tries of this step were made that still stand.
    tries: Vec<usize>,
    judge: Judge,
    /// What a turn of this step has to keep or reach, once that is known.
    target: Option<i32>,
}

/// How far somebody has come in a lesson, to go on from there.
#[derive(Clone, Debug)]
pub struct Place {
    at: usize,
    solved: Vec<bool>,
}

impl Place {
    /// The number of the step, from 0.
    pub fn at(&self) -> usize {
        self.at
    }
}

/// How far the present step has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonPhase {
    /// It asks nothing, or a move is asked for.
    Asked,
    Right,
    /// The last try was wrong. It stands on the board with the answer to it, until it is taken back.
    Wrong {
        /// What the try was and what it is worth, where that is proven: `H0,1 loses by 2`.
        verdict: Option<String>,
        /// What the lesson says to it.
        says: String,
        /// The ply that it is taken back to.
        ply: usize,
    },
    /// All steps are done.
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

    /// Goes on at a place in this lesson; without one, from the first step.
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

    /// Where to go on another time: at the present step, or after the last one at the first that was skipped. `None` if
    /// that is from the beginning.
    pub fn place(&self) -> Option<Place> {
        let at = match self.phase {
            LessonPhase::Over => self.solved.iter().position(|solved| !solved)?,
            LessonPhase::Asked | LessonPhase::Right | LessonPhase::Wrong { .. } => self.at(),
        };
        let mut solved = self.solved.clone();
        if self.phase == LessonPhase::Right {
            solved[at] = true;
        }
        // What is solved is not asked again.
        let is_last = at + 1 == self.lesson.steps.len();
        let at = at + usize::from(self.phase == LessonPhase::Right && !is_last);
        solved.resize(solved.len().max(at + 1), false);
        (at > 0).then_some(Place { at, solved })
    }

    pub fn lesson(&self) -> &Arc<Lesson> {
        &self.lesson
    }

    /// The number of the present step, from 0.
    pub fn at(&self) -> usize {
        self.begun.len() - 1
    }

    pub fn step(&self) -> &LessonStep {
        &self.lesson.steps[self.at()]
    }

    pub fn phase(&self) -> &LessonPhase {
        &self.phase
    }

    /// Whether a move is asked for now.
    pub fn asks(&self) -> bool {
        self.phase == LessonPhase::Asked && self.step().task != LessonTask::Read
    }

    /// Whether the end was reached and no step that asks something was left out.
    pub fn is_done(&self) -> bool {
        self.phase == LessonPhase::Over && self.solved.iter().all(|solved| *solved)
    }

    /// Says which steps were not solved: `Steps 2 and 5 were skipped`. `None` if all were.
    pub fn skipped(&self) -> Option<String> {
        let skipped: Vec<usize> =
            (1..).zip(&self.solved).filter(|(_, solved)| !**solved).map(|(step, _)| step).collect();
        match skipped[..] {
            [] => None,
            [step] => Some(format!("Step {step} was skipped")),
            _ => Some(format!("Steps {} were skipped", list(skipped))),
        }
    }

    /// What is to be read now: the text of the step, or what is said to a try.
    pub fn text(&self) -> &str {
        match &self.phase {
            LessonPhase::Right => &self.step().right,
            LessonPhase::Wrong { says, .. } => says,
            LessonPhase::Asked | LessonPhase::Over => &self.step().text,
        }
    }

    /// The seat that learns in this step.
    pub fn learner(&self) -> Option<Seat> {
        self.begun.last().and_then(Match::to_move)
    }

    /// Tries a legal move where one is asked for. A wrong one stands until [`go_on`](LessonRun::go_on) or
    /// [`undo`](LessonRun::undo).
    pub fn try_move(&mut self, mv: &str) -> Result<(), Refusal> {
        if !self.asks() {
            return Err(Refusal::new("no move needed here"));
        }
        let mv = self.game.check(mv)?;
        let (ply, mover) = (self.game.ply(), self.game.to_move());
        let began = round(&self.game);
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
            _ if self.game.to_move() != mover || round(&self.game) != began => {
                self.phase = LessonPhase::Right;
            }
            _ => {}
        }
        Ok(())
    }

    /// Goes on, as Enter does: a wrong try is taken back, and after a right one, or where nothing is asked, the next
    /// step begins. `false` if a move is asked for.
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

    /// Goes to the next step, whether this one is solved or not; `false` if the lesson is over.
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
            // The next step may go on from where this one leads to.
            self.again();
            if let LessonTask::Play { lines, reply, .. } = &self.lesson.steps[at].task {
                play(&mut self.game, &[&lines[0][..], reply].concat());
            }
        }
        self.begin();
        true
    }

    /// Goes back to the step before, or to the beginning of the first one; `false` if it is there.
    pub fn back(&mut self) -> bool {
        if self.phase != LessonPhase::Over && self.begun.len() > 1 {
            self.begun.pop();
        } else if self.phase == LessonPhase::Asked && self.tries.is_empty() {
            return false;
        }
        self.again();
        true
    }

    /// Takes back the last try that still stands, with what was answered to it; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(&ply) = self.tries.last() else { return false };
        if self.phase == LessonPhase::Over {
            return false;
        }
        self.take_back_to(ply);
        true
    }

    /// A right move where one is asked for.
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

    /// The moves since the step began.
    fn line(&self) -> Line {
        let from = self.begun.last().map_or(0, Match::ply);
        self.game.moves()[from..].iter().map(|(_, mv)| mv.clone()).collect()
    }

    /// Whether a move that is not played yet is right.
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

    /// What the lesson says to a wrong try that no text names by its moves.
    fn says_to(&self, result: Option<MatchResult>) -> String {
        let LessonStep { wrong, otherwise, .. } = self.step();
        let of_result = wrong.iter().find(|wrong| result.is_some() && wrong.result == result);
        of_result.map_or(otherwise, |wrong| &wrong.text).clone()
    }

    /// Plays on with best moves until the other player's turn is over, or the round in which it began: in the next one
    /// nothing is left of the try.
    fn refute(&mut self, began: Option<u32>) {
        let learner = self.learner();
        let mut is_answered = false;
        for _ in 0..LONGEST {
            match self.game.to_move() {
                None => return,
                _ if round(&self.game) != began => return,
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
        if let Some(mv) = line.into_iter().next().or_else(|| self.game.legal().into_iter().next()) {
            play(&mut self.game, &[mv]);
        }
    }

    /// Begins the step after those that have begun.
    fn begin(&mut self) {
        let step = &self.lesson.steps[self.begun.len()];
        if let Some(game) = step.board.as_ref().and_then(|board| stand(&self.lesson, board)) {
            self.game = game;
        }
        self.begun.push(self.game.copy_line());
        self.solved.resize(self.begun.len().max(self.solved.len()), false);
        self.again();
    }

    /// Begins the present step anew.
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

/// Says what a wrong move is worth, if that is proven.
fn verdict_on(mv: &str, value: Value, value_format: ValueFormat) -> Option<String> {
    let proven = value.proven()?;
    let more = if proven > 0 { "; more is possible" } else { "" };
    Some(format!("{mv} {}{more}", value_format.in_words(value)))
}

/// Which round it is, in the game that has rounds.
fn round(game: &Match) -> Option<u32> {
    let position = game.position_spec().reach::<Intersections>().ok();
    position.filter(|_| game.id() == "intersections").map(|position| position.round())
}

/// A match that has come to a board of a lesson.
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
