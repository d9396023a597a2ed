//! What engines do in a match on the screen: those at the table, which play, and those that help people with
//! hints and values. An engine at the table is one of our levels or a program of the user's.

use super::OpenMatch;
use crate::action::{Action, KeyHint};
use crate::board::{AnyBoard, MoveLabel, Rank};
use crate::engine::ValueFormat;
use crate::play::{Ask, EngineEvent, Question};
use crate::search::{Level, Rated, Report, RoundValue, Scope, Value};
use crate::wording::{self, counted};
use std::time::Duration;

/// What the engines of a match were asked for, and what they have answered. The match itself knows whose turn
/// it is.
#[derive(Debug, Default)]
pub(super) struct Assistance {
    at_table: AtTable,
    /// Whether the values of all moves are wanted whenever a person is to move.
    pub analyses: bool,
    hint: HintState,
    /// The latest report on the present position.
    news: Option<Report<String>>,
    /// Whether the analysis of all moves is finished. A hint that is asked for later cannot know more.
    is_done: bool,
}

/// What the engine at the table does when it is its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum AtTable {
    #[default]
    Thinks,
    /// It is a program, which is being started.
    Starts,
    /// It waits until it is told to go on.
    Waits,
}

/// Whether a hint was asked for, and the hint.
#[derive(Debug, Default)]
enum HintState {
    #[default]
    No,
    Wanted,
    /// The move, and why it was chosen, if the game has words for that.
    Given(String, Option<String>),
}

impl Assistance {
    /// What an engine should think about now; `at` is how long the match has been played, without pauses. An engine
    /// with no seed of its own takes `seed`.
    pub fn question(&self, open_match: &OpenMatch, seed: u32, at: Duration) -> Option<Question> {
        let ask = match open_match.engine_ask(seed, at) {
            _ if !self.has_to_think(open_match) => return None,
            Some(ask) => ask,
            None if self.is_asked_for_hint() => Ask::Hint,
            None => Ask::Analysis(Scope::Moves),
        };
        Some(open_match.question(ask))
    }

    /// Whether there is anything to think about now.
    pub fn has_to_think(&self, open_match: &OpenMatch) -> bool {
        match open_match.engine_to_move() {
            // People first look at the finished round, until a key is pressed.
            Some(_) => {
                let may_think = !self.is_waiting() && open_match.program_to_permit().is_none();
                may_think && !open_match.board.shows_interlude()
            }
            None if open_match.game().to_move().is_none() => false,
            None => self.is_asked_for_hint() || self.analyses && !self.is_done,
        }
    }

    /// The position has changed: forgets the report and the hint, and lets an engine that waits go on.
    pub fn changed(&mut self) {
        *self = Assistance { analyses: self.analyses, ..Assistance::default() };
    }

    /// Makes the engine at the table wait.
    pub fn wait(&mut self) {
        self.at_table = AtTable::Waits;
    }

    /// Lets the engine at the table go on; `false` if it did not wait.
    pub fn go_on(&mut self) -> bool {
        let waited = self.is_waiting();
        if waited {
            self.at_table = AtTable::Thinks;
        }
        waited
    }

    /// Whether the engine at the table waits.
    pub fn is_waiting(&self) -> bool {
        self.at_table == AtTable::Waits
    }

    /// Notes whether the program at the table is being started.
    pub fn set_starting(&mut self, starts: bool) {
        self.at_table = if starts { AtTable::Starts } else { AtTable::Thinks };
    }

    /// Whether the program at the table is being started, which does not count as time of play.
    pub fn is_starting(&self) -> bool {
        self.at_table == AtTable::Starts
    }

    /// Asks for a hint, unless one was given already.
    pub fn ask_for_hint(&mut self) {
        if matches!(self.hint, HintState::No) {
            self.hint = HintState::Wanted;
        }
    }

    /// Whether a hint was asked for and is not given yet.
    pub fn is_asked_for_hint(&self) -> bool {
        matches!(self.hint, HintState::Wanted)
    }

    /// The hint in short, once there is one: `hint: b2`.
    pub fn short_hint(&self) -> Option<String> {
        let HintState::Given(mv, _) = &self.hint else { return None };
        Some(format!("hint: {mv}"))
    }

    /// The move of the hint, once there is one.
    pub fn hinted(&self) -> Option<&str> {
        let HintState::Given(mv, _) = &self.hint else { return None };
        Some(mv)
    }

    /// The hint as a line, once it is given, with what the latest report says the match is worth. If the half-made
    /// move on the board cannot become the hinted move, the line says how to drop it.
    pub fn hint_line(&self, board: &dyn AnyBoard) -> Option<String> {
        let HintState::Given(mv, why) = &self.hint else { return None };
        let worth = self.news.as_ref().map_or(Value::default(), |news| news.value);
        let worth = ValueFormat::of(board.game()).hint_in_words(worth);
        let hint = wording::hint(mv, why.as_deref().unwrap_or_default(), &worth);
        let line = format!("hint: {hint}");
        if board.can_become(mv) {
            return Some(line);
        }
        let back = board.key_hints().into_iter().find(|key_hint| key_hint.names(Action::Back));
        let KeyHint { does, .. } = back.unwrap_or(Action::Back.hint());
        Some(format!("{line}; press Esc first ({does})"))
    }

    /// Takes an event of the engine that helps; a person is to move.
    pub fn take_event(&mut self, event: EngineEvent) {
        match event {
            EngineEvent::News(_) if self.is_done => {}
            EngineEvent::News(report) => self.news = Some(report),
            EngineEvent::Done(report) => {
                self.news = Some(report);
                self.is_done = true;
            }
            EngineEvent::Chosen { mv, why, report } => {
                self.hint = HintState::Given(mv, why);
                // This report says nothing about the other moves.
                if !self.is_done {
                    self.news = Some(report);
                }
            }
            EngineEvent::Starting
            | EngineEvent::Ready
            | EngineEvent::Ply(..)
            | EngineEvent::Pondered
            | EngineEvent::Reviewed => {}
            EngineEvent::Failed(_) | EngineEvent::Forfeit { .. } => {
                self.hint = HintState::No;
                self.analyses = false;
            }
        }
        self.correct_hint();
    }

    /// If the latest report knows a better move than the hint, that is the hint from now on.
    fn correct_hint(&mut self) {
        let HintState::Given(mv, why) = &mut self.hint else { return };
        let best = self.news.as_ref().map_or(&[][..], |news| &news.best);
        if let Some(better) = best.first().filter(|_| !best.contains(mv)) {
            (*mv, *why) = (better.clone(), None);
        }
    }

    /// The labels for the board: the values of the moves if they are wanted and known, or else the hint.
    pub fn labels(&self, open_match: &OpenMatch) -> Vec<MoveLabel> {
        let hint = match &self.hint {
            HintState::Given(mv, _) => Some(MoveLabel {
                mv: mv.clone(),
                text: String::new(),
                draws_move: true,
                rank: Rank::Best,
            }),
            _ => None,
        };
        let news =
            self.news.as_ref().filter(|_| self.analyses && open_match.engine_to_move().is_none());
        let values =
            news.map(|news| labels(news, ValueFormat::of(open_match.game()))).unwrap_or_default();
        if values.is_empty() { hint.into_iter().collect() } else { values }
    }

    /// What the panel says about engines: whether one thinks or waits, and what is known so far. No engine
    /// thinks while the match is not `live`, because a menu lies over it. `None` if no engine plays and none
    /// was asked; then the panel keeps no room for this.
    pub fn panel_lines(&self, open_match: &OpenMatch, live: bool) -> Option<Vec<String>> {
        let players = open_match.players();
        let has_engine = players.iter().any(|(_, player)| !player.is_person());
        let lines = self.lines(open_match, live);
        (has_engine || self.analyses || !lines.is_empty()).then_some(lines)
    }

    fn lines(&self, open_match: &OpenMatch, live: bool) -> Vec<String> {
        let Some(seat) = open_match.game().to_move() else { return Vec::new() };
        let mut lines = Vec::from_iter(self.activity(open_match, live));
        let Some(news) = &self.news else { return lines };
        if news.value != Value::default() {
            let value_format = ValueFormat::of(open_match.game());
            lines.push(value_format.standing(open_match.players().name(seat), news.value));
        }
        if let Some(dots) = news.round_value.and_then(RoundValue::proven) {
            lines.push(format!(
                "offense: {} this round",
                counted(dots.unsigned_abs() as usize, "point", "points")
            ));
        }
        if !news.pv.is_empty() {
            lines.push(format!("best play: {}", news.pv.join(" ")));
        }
        if let Some(part) = news.progress {
            lines.push(format!("solving the game: {:.0} %", part * 100.0));
        }
        if news.depth > 0 {
            let moves = counted(news.depth as usize, "move", "moves");
            lines.push(format!("looked {moves} ahead"));
        }
        lines
    }

    /// Which engine thinks or waits, or what the helper looks for.
    pub fn activity(&self, open_match: &OpenMatch, live: bool) -> Option<String> {
        let thinks = live && self.has_to_think(open_match);
        match (open_match.engine_to_move(), &self.hint) {
            (Some(engine), _) if !thinks => Some(format!("{} waits", engine.name())),
            (Some(engine), _) if self.is_starting() => {
                Some(format!("{} is starting", engine.name()))
            }
            (Some(engine), _) if engine.engine().is_some_and(|it| it.level == Level::Perfect) => {
                Some(format!("{} solves the position", engine.name()))
            }
            (Some(engine), _) => {
                Some(format!("{} thinks, up to {} s", engine.name(), engine.seconds()))
            }
            (None, _) if !thinks => None,
            (None, HintState::Wanted) => Some("an engine looks for a hint".to_owned()),
            (None, _) if self.is_done => None,
            (None, _) => Some("an engine checks every move".to_owned()),
        }
    }
}

/// The values of the moves of a report as labels. Every move whose label shows the highest value is a best move, even
/// if there is a difference in the digits that are not shown.
pub(super) fn labels(report: &Report<String>, value_format: ValueFormat) -> Vec<MoveLabel> {
    // In a game of rounds this round tells more than the margin of the whole game.
    let text = |it: &Rated<String>| match it.round_value {
        Some(value) => ValueFormat::Round.write_short(value.into()),
        None => value_format.write_short(it.value),
    };
    let shown = |it: &Rated<String>| it.round_value.map_or(it.value, Value::from).likely();
    // Of equals the first is the best: it wins sooner, or loses later.
    let highest = report.moves.iter().reduce(|a, b| if shown(b) > shown(a) { b } else { a });
    let (best_text, best_value) = (highest.map(text), highest.and_then(|it| it.value.likely()));
    let texts: Vec<String> = report.moves.iter().map(text).collect();
    let best = texts.iter().filter(|text| Some(*text) == best_text.as_ref()).count();
    // If all moves are equally good, none is marked as the best.
    let one_is_better = best < texts.len() || best == 1;
    let label = |(it, text): (&Rated<String>, String)| MoveLabel {
        mv: it.mv.clone(),
        draws_move: false,
        rank: if Some(&text) == best_text.as_ref() {
            if one_is_better { Rank::Best } else { Rank::Rest }
        } else {
            rank(it.value.likely(), best_value, value_format)
        },
        text,
    };
    report.moves.iter().zip(texts).map(label).collect()
}

/// How good a move with this value is, compared with the best one.
fn rank(value: Option<f32>, best: Option<f32>, value_format: ValueFormat) -> Rank {
    let (Some(value), Some(best)) = (value, best) else { return Rank::Rest };
    // The largest loss of a move that is nearly as good: one point, or a tenth of a win.
    let near = if value_format == ValueFormat::Outcome { 0.1 } else { 1.0 };
    // An estimate close to 0 is not a loss.
    let even = near / 2.0;
    if value < -even {
        if best < -even { Rank::Rest } else { Rank::Losing }
    } else if best - value <= near {
        Rank::Near
    } else {
        Rank::Rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_nearly_as_good_or_loses_what_another_keeps() {
        let margin = |value, best| rank(Some(value), Some(best), ValueFormat::Margin);
        assert_eq!([margin(2.0, 3.0), margin(1.0, 3.0)], [Rank::Near, Rank::Rest]);
        assert_eq!([margin(-1.0, 0.0), margin(-1.0, 3.0)], [Rank::Losing; 2]);
        assert_eq!(margin(-5.0, -2.0), Rank::Rest, "where all lose, none loses more");
        let outcome = |value, best| rank(Some(value), Some(best), ValueFormat::Outcome);
        assert_eq!([outcome(1.0, 1.0), outcome(0.0, 1.0)], [Rank::Near, Rank::Rest]);
        assert_eq!([outcome(-1.0, 0.0), outcome(-0.02, 0.03)], [Rank::Losing, Rank::Near]);
        assert_eq!(rank(None, Some(1.0), ValueFormat::Outcome), Rank::Rest);
    }
}
