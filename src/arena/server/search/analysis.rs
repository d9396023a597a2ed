//! `go multipv N` and `go searchmoves M…`: an analysis of all moves, of which some are reported or allowed.

use crate::engine::AnyEngine;
use crate::engine::ugi::Go;
use crate::search::{Choice, Control, Level, Limits, Rated, Report, Scope};
use crate::session::{Match, PositionSpec, Refusal};
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

/// The longest time to find the answer to one of the moves that are reported.
const ANSWER: Duration = Duration::from_millis(50);
/// The share of the time for a move that is kept for all these answers at most.
const ANSWERS: u32 = 4;

/// Which moves may be played, and how many are reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveChoice {
    /// How many moves are reported, each in an `info` line.
    pub lines: usize,
    /// The moves that may be played, as records write them; if there are none, all legal ones.
    allowed: Vec<String>,
}

impl MoveChoice {
    /// What `go` asks for. The error is a move that is not legal.
    pub fn of(go: &Go, game: &Match) -> Result<MoveChoice, String> {
        let read = |mv: &String| {
            game.check(mv).map_err(|refusal| format!("searchmoves {mv:?}: {refusal:#}"))
        };
        Ok(MoveChoice {
            lines: go.multipv.map_or(1, NonZeroU32::get) as usize,
            allowed: go.search_moves.iter().map(read).collect::<Result<_, _>>()?,
        })
    }

    /// Whether one move of all is asked for, so that the engine can choose as it always does.
    pub const fn is_plain(&self) -> bool {
        self.lines == 1 && self.allowed.is_empty()
    }

    /// The moves to report on, the best first; none if the position as a whole is reported.
    pub fn reported(&self, report: &Report<String>) -> Vec<String> {
        if self.is_plain() || report.moves.is_empty() {
            return Vec::new();
        }
        let mut moves: Vec<&Rated<String>> =
            report.moves.iter().filter(|rated| self.is_allowed(&rated.mv)).collect();
        // Among equals the move comes first that the engine would play.
        let best = moves.iter().position(|rated| report.best.first() == Some(&rated.mv));
        if let Some(best) = best.filter(|&at| moves[at].value.likely() >= moves[0].value.likely()) {
            moves[..=best].rotate_right(1);
        }
        moves.into_iter().take(self.lines).map(|rated| rated.mv.clone()).collect()
    }

    fn is_allowed(&self, mv: &String) -> bool {
        self.allowed.is_empty() || self.allowed.contains(mv)
    }

    /// Analyses all moves, and chooses the best that may be played. The report has a line for each move that is
    /// reported, and the values of all others too.
    pub fn choose(
        &self,
        position: &PositionSpec,
        engine: &mut dyn AnyEngine,
        control: &Control<'_, String>,
    ) -> Result<Choice<String>, Refusal> {
        let kept = ANSWER * self.lines.min(1 << 10) as u32;
        let time = control.time_left().map(|left| left.saturating_sub(kept.min(left / ANSWERS)));
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let limits = Limits { deadline, ..control.limits };
        let mut report = engine.analyse(position, Scope::Moves, &control.within(limits))?;
        let reported = self.reported(&report);
        for mv in &reported {
            if report.line(mv).len() > 1 || control.is_stopped() {
                continue;
            }
            let answer_by = Instant::now() + ANSWER;
            let deadline =
                control.limits.deadline.map_or(answer_by, |deadline| deadline.min(answer_by));
            let limits = Limits { deadline: Some(deadline), ..control.limits };
            let control = control.within(limits);
            let quietly = control.reporting_to(&|_| ());
            // The game may be over after the move. Then it is the whole line.
            let Ok(answer) = engine.analyse(&position.after(mv), Scope::Best, &quietly) else {
                continue;
            };
            report.lines.push([mv.clone()].into_iter().chain(answer.pv).collect());
        }
        let mv = reported.into_iter().next().or_else(|| self.allowed.first().cloned());
        let mv = mv.or_else(|| report.best.first().cloned());
        match mv {
            Some(mv) => Ok(Choice { mv, report }),
            // Nothing was found out before it was stopped.
            None => engine.choose(position, Level::Strong, control),
        }
    }
}
