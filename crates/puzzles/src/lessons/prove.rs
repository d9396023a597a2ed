//! Proves the statements of a lesson.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "searches with a deadline")]

use super::{Lesson, LessonPhase, LessonRun, LessonStep, LessonTask, Line, MatchResult};
use crate::judge::{Judge, Judged};
use quadrille_match::session::Match;
use quadrille_text::toml_file::{Fault, FileError};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The node limit for proving that a move is wrong, if a live search is not enough.
const MAX_PROOF_NODES: u64 = 4_000_000;

/// Returns the statements of a lesson that are false or unproven. `file` is the file's name in errors. A right try must
/// be provable within the limits of a [`LessonRun`]. After `time` the proof stops with an error. `on_step` receives the
/// number of each step, counted from 0, before the step is proven.
pub fn prove(
    lesson: &Arc<Lesson>,
    file: &str,
    time: Duration,
    mut on_step: impl FnMut(usize),
) -> Vec<FileError> {
    let until = Instant::now().checked_add(time);
    let mut prover = Prover {
        live: Judge::live(lesson.entry).until(until),
        patient: Judge::patient(lesson.entry, MAX_PROOF_NODES).until(until),
        time,
        until,
    };
    let mut run = LessonRun::new(lesson.clone());
    let mut faults = Vec::new();
    while *run.phase() != LessonPhase::Over {
        on_step(run.at());
        prover.live.forget();
        prover.patient.forget();
        let proven = prover.step(run.as_ref(), run.step());
        if let Err(why) = proven.and_then(|()| prover.go_through(&mut run)) {
            // If a search was cut short, it may have failed for that reason alone.
            let late = prover.check_time();
            let is_late = late.is_err();
            let (line, fault) = (run.step().line, Fault::without_key(0, late.err().unwrap_or(why)));
            faults.push(FileError { file: file.to_owned(), line, fault });
            if is_late {
                break;
            }
        }
        run.skip();
    }
    faults
}

struct Prover {
    live: Judge,
    patient: Judge,
    time: Duration,
    /// The deadline, if any.
    until: Option<Instant>,
}

impl Prover {
    fn check_time(&self) -> Result<(), String> {
        if self.until.is_none_or(|until| Instant::now() < until) {
            return Ok(());
        }
        let seconds = self.time.as_secs();
        Err(format!(
            "the lesson is not proven after {seconds} s; take smaller boards, or positions nearer the end"
        ))
    }

    fn ask_live(&mut self, game: &Match) -> Result<Rc<Judged>, String> {
        self.check_time()?;
        self.live.judge(game).map_err(|why| why.to_string())
    }

    /// Solves the current step with the hints of `run`.
    fn go_through(&self, run: &mut LessonRun) -> Result<(), String> {
        while run.asks() {
            self.check_time()?;
            let hint = run.hint().ok_or("no correct move is known")?;
            run.try_move(&hint).map_err(|why| format!("{hint}: {why}"))?;
        }
        match run.phase() {
            LessonPhase::Wrong { .. } => {
                Err(format!("its own hints lead to a wrong attempt: {}", run.text()))
            }
            _ => Ok(()),
        }
    }

    fn step(&mut self, game: &Match, step: &LessonStep) -> Result<(), String> {
        if let Some(said) = step.value {
            let value = self.value(game)?;
            if said != value {
                return Err(format!("the position is worth {value}, not {said}"));
            }
        }
        let least = match &step.task {
            LessonTask::Read => return Ok(()),
            LessonTask::Play { lines, reply, only: false } => {
                return lines
                    .iter()
                    .try_for_each(|line| self.no_blunder(game, &[&line[..], reply].concat()));
            }
            LessonTask::Reach(least) | LessonTask::Win(least) => *least,
            LessonTask::Keep | LessonTask::Play { .. } => self.value(game)?,
        };
        let (good, bad) = self.sort(game, least)?;
        if good.is_empty() {
            return Err(format!("no move reaches {least}"));
        }
        if bad.is_empty() {
            return Err("every move is correct".to_owned());
        }
        if let LessonTask::Play { lines, reply, .. } = &step.task {
            for line in lines {
                self.only(game, line, lines, least)?;
                self.best(&after(game, line), reply)?;
            }
        }
        for wrong in &step.wrong {
            for line in &wrong.lines {
                let Some((last, before)) = line.split_last() else { continue };
                self.reaching(game, before, least)?;
                let (good, _) = self.sort(&after(game, before), least)?;
                if good.contains(last) {
                    return Err(format!("{} is called wrong, but it is correct", line.join(" ")));
                }
                self.best(&after(game, line), &wrong.reply)?;
            }
        }
        self.results(game, step, least)
    }

    /// Checks that each text for a result is shown for at least one wrong try.
    fn results(&mut self, game: &Match, step: &LessonStep, least: i32) -> Result<(), String> {
        let of_results: Vec<MatchResult> =
            step.wrong.iter().filter_map(|wrong| wrong.result).collect();
        if of_results.is_empty() {
            return Ok(());
        }
        let (mut now, mut line, mut found) = (game.copy_line(), Line::new(), Vec::new());
        while now.to_move() == game.to_move() {
            let (good, bad) = self.sort(&now, least)?;
            let judged = self.ask_live(&now)?;
            for mv in bad {
                let tried = [&line[..], std::slice::from_ref(&mv)].concat();
                if !step.wrong.iter().any(|wrong| wrong.lines.contains(&tried)) {
                    found.extend(MatchResult::of(judged.value_of(&mv)));
                }
            }
            // A right turn may consist of several moves, each of which may be followed by a wrong move.
            let Some(mv) = good.into_iter().next() else { break };
            now = after(&now, std::slice::from_ref(&mv));
            line.push(mv);
        }
        match of_results.iter().find(|result| !found.contains(result)) {
            Some(MatchResult::Win) => Err("no other wrong move wins".to_owned()),
            Some(MatchResult::Draw) => Err("no other wrong move leads to a draw".to_owned()),
            Some(MatchResult::Loss) => Err("no other wrong move loses".to_owned()),
            None => Ok(()),
        }
    }

    /// Checks that no other lines reach the value, at each move of this line.
    fn only(
        &mut self,
        game: &Match,
        line: &Line,
        lines: &[Line],
        least: i32,
    ) -> Result<(), String> {
        for (played, mv) in line.iter().enumerate() {
            let before = &line[..played];
            let (good, _) = self.sort(&after(game, before), least)?;
            let goes_on = |mv: &String| {
                lines.iter().any(|other| other.starts_with(before) && other.get(played) == Some(mv))
            };
            if !good.contains(mv) {
                return Err(format!("{mv} is called correct, but it is wrong"));
            }
            if let Some(other) = good.iter().find(|mv| !goes_on(mv)) {
                return Err(format!("{other} is also correct, not only {mv}"));
            }
        }
        Ok(())
    }

    /// Checks that each of these moves of a turn reaches the value.
    fn reaching(&mut self, game: &Match, line: &[String], least: i32) -> Result<(), String> {
        for (played, mv) in line.iter().enumerate() {
            if !self.sort(&after(game, &line[..played]), least)?.0.contains(mv) {
                return Err(format!("{mv} in {} is wrong already", line.join(" ")));
            }
        }
        Ok(())
    }

    /// Checks that each of these moves is a best move for its mover.
    fn best(&mut self, game: &Match, line: &[String]) -> Result<(), String> {
        for (played, mv) in line.iter().enumerate() {
            let now = after(game, &line[..played]);
            let value = self.value(&now)?;
            if !self.sort(&now, value)?.0.contains(mv) {
                return Err(format!("the reply {mv} is not the best one"));
            }
        }
        Ok(())
    }

    /// Checks that a live search cannot prove any of these moves bad.
    fn no_blunder(&mut self, game: &Match, line: &[String]) -> Result<(), String> {
        for (played, mv) in line.iter().enumerate() {
            let judged = self.ask_live(&after(game, &line[..played]))?;
            let value = judged.value_of(mv);
            if judged.value.lower.zip(value.upper).is_some_and(|(least, most)| most < least) {
                return Err(format!("{mv} is called correct, but it gives something away"));
            }
        }
        Ok(())
    }

    fn value(&mut self, game: &Match) -> Result<i32, String> {
        self.ask_live(game)?.value.proven().ok_or_else(|| UNPROVEN.to_owned())
    }

    /// Splits the moves into moves worth at least `least` and other moves.
    fn sort(&mut self, game: &Match, least: i32) -> Result<(Line, Line), String> {
        let judged = self.ask_live(game)?;
        let (good, mut bad): (Line, Line) =
            judged.moves.iter().map(|(mv, _)| mv.clone()).partition(|mv| judged.reaches(mv, least));
        if bad.iter().all(|mv| judged.value_of(mv).upper.is_some_and(|most| most < least)) {
            return Ok((good, bad));
        }
        // A longer search would prove nothing that the learner's judge could reproduce.
        if good.is_empty() {
            return Err(UNPROVEN.to_owned());
        }
        let judged = self.patient.judge(game).map_err(|why| why.to_string())?;
        for mv in &bad {
            if judged.reaches(mv, least) {
                return Err(format!("{mv} is also correct, which takes too long to prove here"));
            }
            if judged.value_of(mv).upper.is_none_or(|most| most >= least) {
                return Err(format!("whether {mv} is correct cannot be proven"));
            }
        }
        bad.sort();
        Ok((good, bad))
    }
}

const UNPROVEN: &str = "what the position is worth cannot be proven at once";

/// Plays these moves, which must be legal.
fn after(game: &Match, moves: &[String]) -> Match {
    let mut game = game.copy_line();
    for mv in moves {
        let played = game.play(mv);
        debug_assert_eq!(played, Ok(()), "it was legal when the lesson was read");
    }
    game
}
