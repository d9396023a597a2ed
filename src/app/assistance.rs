//! The engines of the match on the screen: the engines at the table, and the helper that provides hints and move
//! values. An engine at the table is a built-in level or a user's program.

use super::OpenMatch;
use super::screen::{Timer, WaitFor};
use crate::action::{Action, KeyHint};
use crate::board::{MoveLabel, MoveQuality};
use quadrille_search::{Level, RatedMove, Report, RoundValue, Scope, Value};
use quadrille_table::engine::ValueFormat;
use quadrille_table::play::{Ask, EngineEvent, EngineTurn, Question};
use quadrille_table::words::{self, Explanation};
use quadrille_text::wording::counted;
use std::collections::HashMap;
use std::time::Duration;

/// The questions that a match puts to its engines, and their answers. The match itself knows whose turn it is.
#[derive(Debug, Default)]
pub(super) struct Assistance {
    pub at_table: EngineTurn,
    /// Whether to show the values of all moves on a person's turn.
    pub analyses: bool,
    hint: HintState,
    news: Option<Report<String>>,
    /// Whether the analysis of all moves is finished. If so, the hint can no longer improve.
    is_done: bool,
    values: ShownValues,
}

/// How long an unproven value must stay unchanged to count as settled.
const SETTLE_DELAY: Duration = Duration::from_secs(1);

/// The displayed value of each move, and the time at which this value appeared.
#[derive(Debug, Default)]
struct ShownValues {
    since: HashMap<String, (String, Duration)>,
    /// The time of the latest change of a value, and the number of changes so far.
    changed: (Duration, usize),
}

impl ShownValues {
    fn show(&mut self, labels: &[MoveLabel], at: Duration) {
        let mut is_new = false;
        for MoveLabel { mv, text, .. } in labels {
            if self.since.get(mv).is_none_or(|(known, _)| known != text) {
                self.since.insert(mv.clone(), (text.clone(), at));
                is_new = true;
            }
        }
        if is_new {
            self.changed = (at, self.changed.1 + 1);
        }
    }

    /// Returns whether the label has been shown unchanged for [`SETTLE_DELAY`].
    fn has_settled(&self, label: &MoveLabel, at: Duration) -> bool {
        let shown = self.since.get(&label.mv).filter(|(text, _)| *text == label.text);
        let since = shown.map_or(at, |(_, since)| *since);
        at.saturating_sub(since) >= SETTLE_DELAY
    }
}

#[derive(Debug, Default)]
enum HintState {
    #[default]
    No,
    Requested,
    Given(ShownHint),
}

#[derive(Debug)]
struct ShownHint {
    mv: String,
    /// `None` if the hint comes from a program.
    why: Option<Explanation>,
    value: Value,
    /// Whether the move is proven best: in a game of rounds, in this round.
    is_proven: bool,
    /// The first hint, if a different move was later proven better.
    before: Option<String>,
}

impl Assistance {
    /// Returns the current question for an engine; `at` is the time of play, without pauses. An engine without its own
    /// seed uses `seed`.
    pub fn question(&self, open_match: &OpenMatch, seed: u32, at: Duration) -> Option<Question> {
        let ask = match open_match.engine_to_move() {
            _ if !self.needs_engine(open_match) => return None,
            Some(_) => self.at_table.ask(open_match, seed, at)?,
            None if self.is_asked_for_hint() => Ask::Hint,
            None => Ask::Analysis(Scope::Moves),
        };
        Some(open_match.question(ask))
    }

    pub fn needs_engine(&self, open_match: &OpenMatch) -> bool {
        match open_match.engine_to_move() {
            // The finished round stays on the board until a key press.
            Some(_) => self.at_table.thinks(open_match) && !open_match.board.shows_interlude(),
            None if open_match.current_match().to_move().is_none() => false,
            None => self.is_asked_for_hint() || self.analyses && !self.is_done,
        }
    }

    /// Discards the report and the hint for the previous position, and releases a waiting engine.
    pub fn changed(&mut self) {
        *self = Assistance { analyses: self.analyses, ..Assistance::default() };
    }

    /// Requests a hint, unless a hint was already requested.
    pub fn ask_for_hint(&mut self) {
        if matches!(self.hint, HintState::No) {
            self.hint = HintState::Requested;
        }
    }

    pub fn is_asked_for_hint(&self) -> bool {
        matches!(self.hint, HintState::Requested)
    }

    /// Returns the hint, longest form first, down to a form like `hint: b2`; empty without a hint.
    pub fn hints(&self, open_match: &OpenMatch) -> Vec<String> {
        let HintState::Given(ShownHint { mv, why, value, is_proven, .. }) = &self.hint else {
            return Vec::new();
        };
        let confirms = |news: &&Report<String>| is_best_proven(news) && news.best.contains(mv);
        let news = self.news.as_ref().filter(confirms);
        let (value, is_proven) = news.map_or((*value, *is_proven), |news| (news.value, true));
        let value_format = ValueFormat::of(open_match.current_match());
        let hints = words::hints(mv, is_proven, why.as_ref(), value, value_format);
        hints.into_iter().map(|hint| format!("hint: {hint}")).collect()
    }

    pub fn hinted(&self) -> Option<&str> {
        let HintState::Given(ShownHint { mv, .. }) = &self.hint else { return None };
        Some(mv)
    }

    /// Returns the hint as a line, with the value of the match. If the half-entered move cannot become the hinted move,
    /// the line says how to cancel it.
    pub fn hint_line(&self, open_match: &OpenMatch) -> Option<String> {
        let HintState::Given(ShownHint { mv, before, .. }) = &self.hint else { return None };
        let mut line = self.hints(open_match).swap_remove(0);
        if let Some(before) = before {
            line = format!("{line}; better than {before}, the previous hint");
        }
        if open_match.board.can_become(mv) {
            return Some(line);
        }
        let back =
            open_match.board.key_hints().into_iter().find(|key_hint| key_hint.names(Action::Back));
        let KeyHint { label, .. } = back.unwrap_or(Action::Back.hint());
        Some(format!("{line}; press Esc first ({label})"))
    }

    /// Handles an event of the helper on a person's turn. `at` is the time of play.
    pub fn take_event(&mut self, event: EngineEvent, open_match: &OpenMatch, at: Duration) {
        match event {
            EngineEvent::News(report) => self.learn(report),
            EngineEvent::Done(report) => {
                self.news = Some(report);
                self.is_done = true;
            }
            EngineEvent::Chosen { mv, why, report } => {
                let why = why.map(|reason| open_match.explain(reason));
                let (value, is_proven) = (report.value, is_best_proven(&report));
                self.hint = HintState::Given(ShownHint { mv, why, value, is_proven, before: None });
                self.learn(report);
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
        self.correct_hint(open_match);
        if let Some(news) = self.news_to_show(open_match) {
            let labels = labels(news, ValueFormat::of(open_match.current_match()));
            self.values.show(&labels, at);
        }
    }

    /// Stores a report, unless it lacks move values that the previous report has.
    fn learn(&mut self, report: Report<String>) {
        let known = self.news.as_ref().is_some_and(|news| !news.moves.is_empty());
        let says_less = known && report.moves.is_empty();
        if !self.is_done && !says_less {
            self.news = Some(report);
        }
    }

    /// Replaces the hint if the latest report proves a different move better.
    fn correct_hint(&mut self, open_match: &OpenMatch) {
        let (HintState::Given(hint), Some(news)) = (&mut self.hint, &self.news) else { return };
        let Some(better) = news.best.first().filter(|_| !news.best.contains(&hint.mv)) else {
            return;
        };
        let Some(own) = news.moves.iter().find(|rated| rated.mv == hint.mv) else { return };
        let of_round = |value: Option<RoundValue>| value.and_then(RoundValue::proven);
        let is_worse = match (news.value.proven(), own.value.upper) {
            (Some(best), Some(most)) => most < best,
            _ => of_round(news.round_value)
                .zip(of_round(own.round_value))
                .is_some_and(|(best, own)| own < best),
        };
        if is_worse {
            let why = open_match.why(better);
            let before = hint.before.take().or_else(|| Some(hint.mv.clone()));
            let (value, is_proven) = (news.value, is_best_proven(news));
            *hint = ShownHint { mv: better.clone(), why, value, is_proven, before };
        }
    }

    /// Returns the report whose move values are shown, if move values are enabled and known.
    fn news_to_show(&self, open_match: &OpenMatch) -> Option<&Report<String>> {
        let is_wanted = self.analyses && open_match.engine_to_move().is_none();
        self.news.as_ref().filter(|news| is_wanted && !news.moves.is_empty())
    }

    /// Returns the moves with their values, best first; empty unless move values are enabled and known.
    pub fn rated(&self, open_match: &OpenMatch) -> &[RatedMove<String>] {
        self.news_to_show(open_match).map_or(&[], |news| &news.moves)
    }

    /// Returns the board labels: the hint, and the move values if they are enabled and known. `at` is the time of play.
    /// A value is marked as open until it is settled.
    pub fn labels(&self, open_match: &OpenMatch, at: Duration) -> Vec<MoveLabel> {
        let hint = self.hinted().map(|mv| MoveLabel {
            mv: mv.to_owned(),
            text: String::new(),
            is_proven: false,
            draws_move: true,
            rank: MoveQuality::Best,
        });
        let Some(news) = self.news_to_show(open_match) else { return hint.into_iter().collect() };
        let mut labels = labels(news, ValueFormat::of(open_match.current_match()));
        let is_proven = is_best_proven(news);
        for label in &mut labels {
            let is_settled = self.is_done || self.values.has_settled(label, at);
            let may_change = !is_settled && !label.is_proven;
            if may_change {
                label.rank = MoveQuality::Open;
            } else if label.rank == MoveQuality::Best && !is_settled && !is_proven {
                // A different move may turn out to be better.
                label.rank = MoveQuality::Near;
            }
            label.draws_move = Some(&*label.mv) == self.hinted();
        }
        labels
    }

    /// Returns the timer that ends when the values are settled; `None` if they already are. `at` is the time of play.
    pub fn timer(&self, at: Duration) -> Option<Timer> {
        let (changed, times) = self.values.changed;
        let waits = self.analyses && !self.is_done && times > 0;
        let waits = waits && at.saturating_sub(changed) < SETTLE_DELAY;
        waits.then_some(Timer { wait: WaitFor::Values(times), length: SETTLE_DELAY })
    }

    /// Returns the panel's lines about engines: which engine is thinking or waiting, and the results so far. `live` is
    /// false under a menu, where no engine thinks. `None` if no engine plays and no help was requested; the panel then
    /// reserves no space for these lines.
    pub fn panel_lines(&self, open_match: &OpenMatch, live: bool) -> Option<Vec<String>> {
        let players = open_match.players();
        let has_engine = players.iter().any(|(_, player)| !player.is_person());
        let lines = self.lines(open_match, live);
        (has_engine || self.analyses || !lines.is_empty()).then_some(lines)
    }

    fn lines(&self, open_match: &OpenMatch, live: bool) -> Vec<String> {
        let Some(seat) = open_match.current_match().to_move() else { return Vec::new() };
        let mut lines = Vec::from_iter(self.activity(open_match, live));
        let Some(news) = &self.news else { return lines };
        let value_format = ValueFormat::of(open_match.current_match());
        lines.extend(value_format.standing(seat, &open_match.names(), news.value));
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
            lines.push(format!("solved: {:.0} %", part * 100.0));
        }
        if news.depth > 0 {
            let moves = counted(news.depth as usize, "move", "moves");
            lines.push(format!("depth: {moves}"));
        }
        lines
    }

    /// Says which engine is thinking or waiting, or what the helper is computing.
    pub fn activity(&self, open_match: &OpenMatch, live: bool) -> Option<String> {
        let thinks = live && self.needs_engine(open_match);
        let name = open_match.name_to_move();
        match (open_match.engine_to_move(), &self.hint) {
            (Some(_), _) if !thinks => Some(format!("{name} waits")),
            (Some(_), _) if self.at_table == EngineTurn::Starts => {
                Some(format!("{name} is starting"))
            }
            (Some(engine), _)
                if engine.engine().is_some_and(|seat| seat.level == Level::Perfect) =>
            {
                Some(format!("{name} is solving the position"))
            }
            (Some(engine), _) if !engine.uses_time() => Some(format!("{name} is thinking")),
            (Some(engine), _) => Some(format!("{name} is thinking, up to {} s", engine.seconds())),
            (None, _) if !thinks => None,
            (None, HintState::Requested) => Some("thinking".to_owned()),
            (None, _) if self.is_done => None,
            (None, _) => Some("checking every move".to_owned()),
        }
    }
}

/// Returns whether the value of a move is proven; in a game of rounds, whether the value of the round is.
fn is_proven(value: Value, round_value: Option<RoundValue>) -> bool {
    match round_value {
        Some(value) => value.proven().is_some(),
        None => value.proven().is_some(),
    }
}

/// Returns whether the best moves of a report are proven best.
fn is_best_proven(report: &Report<String>) -> bool {
    is_proven(report.value, report.round_value)
}

/// Labels the moves of a report with their values. All moves whose label shows the highest value are best moves, even
/// if their exact values differ.
pub(super) fn labels(report: &Report<String>, value_format: ValueFormat) -> Vec<MoveLabel> {
    // In a game of rounds, the value of the round is more informative than the margin of the whole game.
    let text = |rated: &RatedMove<String>| match rated.round_value {
        Some(value) => ValueFormat::Round.write_short(value.into()),
        None => value_format.write_short(rated.value),
    };
    let shown = |rated: &RatedMove<String>| {
        rated.round_value.map_or(rated.value, Value::from).point_estimate()
    };
    // Among equal values, the first move is best: it wins sooner or loses later.
    let highest = report.moves.iter().reduce(|a, b| if shown(b) > shown(a) { b } else { a });
    let (best_text, best_value) =
        (highest.map(text), highest.and_then(|rated| rated.value.point_estimate()));
    let texts: Vec<String> = report.moves.iter().map(text).collect();
    let best = texts.iter().filter(|text| Some(*text) == best_text.as_ref()).count();
    // If all moves are equally good, no move is marked as best.
    let one_is_better = best < texts.len() || best == 1;
    let label = |(rated, text): (&RatedMove<String>, String)| MoveLabel {
        mv: rated.mv.clone(),
        is_proven: is_proven(rated.value, rated.round_value),
        draws_move: false,
        rank: if Some(&text) == best_text.as_ref() {
            if one_is_better { MoveQuality::Best } else { MoveQuality::Rest }
        } else {
            rank(rated.value.point_estimate(), best_value, value_format)
        },
        text,
    };
    report.moves.iter().zip(texts).map(label).collect()
}

fn rank(value: Option<f32>, best: Option<f32>, value_format: ValueFormat) -> MoveQuality {
    let (Some(value), Some(best)) = (value, best) else { return MoveQuality::Rest };
    // The maximum loss of a nearly best move: one point, or a tenth of a win.
    let near = if value_format == ValueFormat::Outcome { 0.1 } else { 1.0 };
    // An estimate close to 0 does not count as a loss.
    let even = near / 2.0;
    if value < -even {
        if best < -even { MoveQuality::Rest } else { MoveQuality::Losing }
    } else if best - value <= near {
        MoveQuality::Near
    } else {
        MoveQuality::Rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_separates_near_moves_from_losing_moves() {
        let margin = |value, best| rank(Some(value), Some(best), ValueFormat::Margin);
        assert_eq!([margin(2.0, 3.0), margin(1.0, 3.0)], [MoveQuality::Near, MoveQuality::Rest]);
        assert_eq!([margin(-1.0, 0.0), margin(-1.0, 3.0)], [MoveQuality::Losing; 2]);
        assert_eq!(margin(-5.0, -2.0), MoveQuality::Rest, "where all lose, none loses more");
        let outcome = |value, best| rank(Some(value), Some(best), ValueFormat::Outcome);
        assert_eq!([outcome(1.0, 1.0), outcome(0.0, 1.0)], [MoveQuality::Near, MoveQuality::Rest]);
        assert_eq!(
            [outcome(-1.0, 0.0), outcome(-0.02, 0.03)],
            [MoveQuality::Losing, MoveQuality::Near]
        );
        assert_eq!(rank(None, Some(1.0), ValueFormat::Outcome), MoveQuality::Rest);
    }
}
