//! `go multipv N` and `go searchmoves M…`: analyzes all moves and filters the result.

use quadrille_match::session::{Match, Refusal};
use quadrille_search::{Choice, Control, GAMES_A_PLY, Level, Limits, RatedMove, Report, Scope};
use quadrille_table::engine::AnyEngine;
use quadrille_table::engine::ugi::Go;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

/// The maximum search time for the best reply to each reported move.
const ANSWER: Duration = Duration::from_millis(50);
/// All replies together get at most 1/`ANSWERS` of the move time and of the positions.
const ANSWERS: u32 = 4;

/// The allowed moves, and the number of moves to report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveChoice {
    /// The number of moves to report, each on its own `info` line.
    pub lines: usize,
    /// The allowed moves in the game's notation; empty if all legal moves are allowed.
    allowed: Vec<String>,
}

impl MoveChoice {
    /// Reads the move choice from `go`. Returns an error if a move of `searchmoves` is illegal.
    pub fn of(go: &Go, game: &Match) -> Result<MoveChoice, String> {
        let read = |mv: &String| {
            game.check(mv).map_err(|refusal| format!("searchmoves {mv:?}: {refusal}"))
        };
        Ok(MoveChoice {
            lines: go.multipv.map_or(1, NonZeroU32::get) as usize,
            allowed: go.search_moves.iter().map(read).collect::<Result<_, _>>()?,
        })
    }

    /// Returns whether a single move is requested with all legal moves allowed, so the engine's normal move choice
    /// suffices.
    pub const fn is_plain(&self) -> bool {
        self.lines == 1 && self.allowed.is_empty()
    }

    /// Returns the moves to report, best first; empty if the report is about the position as a whole.
    pub fn reported(&self, report: &Report<String>) -> Vec<String> {
        if self.is_plain() || report.moves.is_empty() {
            return Vec::new();
        }
        let mut moves: Vec<&RatedMove<String>> =
            report.moves.iter().filter(|rated| self.is_allowed(&rated.mv)).collect();
        // Among moves of equal value, the move that the engine would play comes first.
        let best = moves.iter().position(|rated| report.best.first() == Some(&rated.mv));
        if let Some(best) =
            best.filter(|&at| moves[at].value.point_estimate() >= moves[0].value.point_estimate())
        {
            moves[..=best].rotate_right(1);
        }
        moves.into_iter().take(self.lines).map(|rated| rated.mv.clone()).collect()
    }

    fn is_allowed(&self, mv: &String) -> bool {
        self.allowed.is_empty() || self.allowed.contains(mv)
    }

    /// Analyzes all moves and returns the best allowed move. The report contains the values of all moves and a line of
    /// play for each reported move.
    pub fn choose(
        &self,
        game: &Match,
        engine: &mut dyn AnyEngine,
        control: &Control<'_, String>,
    ) -> Result<Choice<String>, Refusal> {
        let kept = ANSWER * self.lines.min(1 << 10) as u32;
        let time = control.time_left().map(|left| left.saturating_sub(kept.min(left / ANSWERS)));
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let part = |nodes: u64| nodes / u64::from(ANSWERS);
        let nodes = control.limits.nodes.map(|most| most - part(most));
        let limits = Limits { deadline, nodes, ..control.limits };
        let mut report = engine.analyse(game.now(), Scope::Moves, &control.within(limits))?;
        let reported = self.reported(&report);
        // A reply is one ply deeper than the move. With iterative deepening, a depth does not limit the positions, so
        // the replies get a part of those of the analysis.
        let depth = control.limits.depth.map(|plies| plies.saturating_sub(1));
        let left = |most: u64| most.saturating_sub(report.nodes);
        let for_depth = |plies: u32| left(GAMES_A_PLY * u64::from(plies)).max(part(report.nodes));
        let limits = [control.limits.nodes.map(left), control.limits.depth.map(for_depth)];
        let mut nodes = limits.into_iter().flatten().min();
        for mv in &reported {
            let is_spent = nodes == Some(0) || depth == Some(0);
            if report.variation(mv).len() > 1 || is_spent || control.is_stopped() {
                continue;
            }
            let answer_by = Instant::now() + ANSWER;
            let deadline =
                control.limits.deadline.map_or(answer_by, |deadline| deadline.min(answer_by));
            let limits = Limits { deadline: Some(deadline), depth, nodes, ..control.limits };
            let control = control.within(limits);
            let quietly = control.reporting_to(&|_| ());
            let mut after = game.now().copy();
            after.play(mv)?;
            // If the move ends the game, the line of play consists of that move.
            let Ok(answer) = engine.analyse(&*after, Scope::Best, &quietly) else {
                continue;
            };
            nodes = nodes.map(|nodes| nodes.saturating_sub(answer.nodes));
            report.nodes += answer.nodes;
            report.variations.push([mv.clone()].into_iter().chain(answer.pv).collect());
        }
        let mv = reported.into_iter().next().or_else(|| self.allowed.first().cloned());
        let mv = mv.or_else(|| report.best.first().cloned());
        match mv {
            Some(mv) => Ok(Choice { mv, report }),
            // The analysis was stopped before it produced a result.
            None => engine.choose(game, Level::Strong, control),
        }
    }
}
