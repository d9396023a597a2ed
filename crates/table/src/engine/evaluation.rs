//! An engine's findings about a position of a match, also in the form of a JSON line for programs.

use super::ValueFormat;
use quadrille_match::session::{Match, MatchSummary};
use quadrille_rules::Seat;
use quadrille_search::{Kind, Report, RoundValue, Value};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// A position of a match and an engine's findings about it. [`Display`](fmt::Display) gives one line of JSON.
///
/// Agreed draws are ignored: the value assumes that the game continues.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    pub state: MatchSummary,
    pub seats: u8,
    /// Whether the principal variation in the report leads to the end of the game.
    pub is_complete: bool,
    pub has_all_moves: bool,
    /// The findings from the perspective of the seat to move. When the game is over, the result from the perspective of
    /// the first seat.
    pub report: Report<String>,
    pub time: Duration,
}

impl Evaluation {
    /// Creates the evaluation of a match's current position from this report. When the game is over, the result
    /// replaces the report.
    pub fn of(game: &Match, report: Report<String>, time: Duration) -> Evaluation {
        let Report { pv, moves, .. } = &report;
        let evaluation = Evaluation {
            state: MatchSummary::of(game),
            seats: game.seats(),
            is_complete: game.ends_after(pv),
            has_all_moves: !moves.is_empty() && moves.len() == game.legal_moves().len(),
            report,
            time,
        };
        if evaluation.state.turn.is_some() {
            return evaluation;
        }
        let value = Value::exact(evaluation.result(Seat::FIRST)).with_plies(0);
        Evaluation { report: Report { value, ..Report::default() }, ..evaluation }
    }

    /// Returns the unit of the values in this game.
    pub fn value_format(&self) -> ValueFormat {
        if self.state.scores.is_some() { ValueFormat::Margin } else { ValueFormat::Outcome }
    }

    /// Returns the value for this seat. With more than two seats, only the value for the seat to move is known before
    /// the end of the game.
    pub fn value_for(&self, seat: Seat) -> Value {
        match self.state.turn {
            None => Value::exact(self.result(seat)).with_plies(0),
            Some(turn) if turn == seat.index() => self.report.value,
            Some(_) if self.seats == 2 => reversed(self.report.value),
            Some(_) => Value::default(),
        }
    }

    /// Returns whether the value of the position is proven, and with `with_moves`, whether the value of each move is
    /// proven as well. With more than two seats the value of a match cannot be proven; in a game with rounds, a proven
    /// value of the round is enough.
    pub fn is_proven(&self, with_moves: bool) -> bool {
        let proven = |value: Value, round: Option<RoundValue>| {
            value.proven().is_some()
                || self.seats > 2 && round.and_then(RoundValue::proven).is_some()
        };
        let Report { value, round_value, moves, .. } = &self.report;
        let is_over = self.state.turn.is_none();
        let each = || {
            self.has_all_moves && moves.iter().all(|rated| proven(rated.value, rated.round_value))
        };
        proven(*value, *round_value) && (!with_moves || is_over || each())
    }

    /// Returns the value of the finished game for this seat.
    fn result(&self, seat: Seat) -> i32 {
        let own = seat.index();
        if let Some(scores) = &self.state.scores {
            let others = scores.iter().enumerate().filter(|(other, _)| *other != own);
            let best = others.map(|(_, score)| *score).max().unwrap_or_default();
            return scores[own] as i32 - best as i32;
        }
        let winners = &self.state.winners;
        i32::from(winners.contains(&own)) - i32::from(winners.iter().any(|other| *other != own))
    }

    /// Returns a number from the game's state, such as its round.
    pub(super) fn fact(&self, name: &str) -> Option<u64> {
        self.state.facts.iter().find(|(fact, _)| *fact == name).map(|(_, number)| *number)
    }
}

/// Converts a value to the perspective of the opponent in a game with two seats.
fn reversed(value: Value) -> Value {
    Value {
        lower: value.upper.map(|bound| -bound),
        upper: value.lower.map(|bound| -bound),
        estimate: value.estimate.map(|estimate| -estimate),
        plies: value.plies,
    }
}

/// The fields of the JSON line, in order.
#[derive(Serialize)]
struct EvaluationJson<'a> {
    game: &'a str,
    setup: &'a str,
    ply: usize,
    turn: Option<usize>,
    kind: &'a str,
    value: Option<i32>,
    lower: Option<i32>,
    upper: Option<i32>,
    estimate: Option<f32>,
    outcome: Option<&'a str>,
    plies: Option<u32>,
    round_value: Option<u32>,
    best: &'a [String],
    pv: &'a [String],
    complete: bool,
    moves: Vec<MoveJson<'a>>,
    nodes: u64,
    seconds: f64,
    table_mib: f64,
}

#[derive(Serialize)]
struct MoveJson<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    value: Option<i32>,
    lower: Option<i32>,
    upper: Option<i32>,
    estimate: Option<f32>,
    outcome: Option<&'a str>,
    plies: Option<u32>,
    round_value: Option<u32>,
    round_estimate: Option<f32>,
    line: Vec<String>,
}

/// Returns the outcome that a value proves. Bounds may be enough.
pub(super) fn outcome(value: Value) -> Option<&'static str> {
    match (value.lower, value.upper) {
        (Some(1..), _) => Some("win"),
        (_, Some(..0)) => Some("loss"),
        (Some(0), Some(0)) => Some("draw"),
        _ => None,
    }
}

/// Returns the proven number of dots that the offense scores in a round, regardless of whose turn it is.
fn dots(round_value: Option<RoundValue>) -> Option<u32> {
    round_value?.proven().map(i32::unsigned_abs)
}

/// Returns the likely number of dots that the offense scores in a round, if the number is not proven.
fn likely_dots(round_value: Option<RoundValue>) -> Option<f32> {
    match round_value? {
        RoundValue::Proven(_) => None,
        RoundValue::Likely(dots) => Some(dots.abs()),
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Evaluation { state, report, .. } = self;
        let margin =
            |value: Value| value.proven().filter(|_| self.value_format() == ValueFormat::Margin);
        let moves = report.moves.iter().map(|rated| MoveJson {
            mv: &rated.mv,
            value: margin(rated.value),
            lower: rated.value.lower,
            upper: rated.value.upper,
            estimate: rated.value.estimate,
            outcome: outcome(rated.value),
            plies: rated.value.plies,
            round_value: dots(rated.round_value),
            round_estimate: likely_dots(rated.round_value),
            line: report.variation(&rated.mv),
        });
        let thousandths = |number: f64| (number * 1e3).round() / 1e3;
        let line = EvaluationJson {
            game: state.game,
            setup: &state.setup,
            ply: state.ply,
            turn: state.turn,
            kind: match report.value.kind() {
                Kind::Exact => "exact",
                Kind::Bounds => "bounds",
                Kind::Estimate => "estimate",
            },
            value: margin(report.value),
            lower: report.value.lower,
            upper: report.value.upper,
            estimate: report.value.estimate,
            outcome: outcome(report.value),
            plies: report.value.plies,
            round_value: dots(report.round_value),
            best: &report.best,
            pv: &report.pv,
            complete: self.is_complete,
            moves: moves.collect(),
            nodes: report.nodes,
            seconds: thousandths(self.time.as_secs_f64()),
            table_mib: thousandths(report.table_bytes as f64 / f64::from(1 << 20)),
        };
        f.write_str(&serde_json::to_string(&line).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_match::session::Match;
    use quadrille_rules::Position;
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::intersections::Intersections;
    use quadrille_rules::quixo::Quixo;
    use quadrille_rules::tic_tac_toe::TicTacToe;
    use quadrille_search::RatedMove;

    fn evaluation<G: Position>(setup: &str, moves: &str, report: Report<String>) -> Evaluation {
        let mut game = Match::new(G::from_setup(&setup.parse().unwrap()).unwrap());
        for text in moves.split_whitespace() {
            game.play(text).unwrap();
        }
        Evaluation::of(&game, report, Duration::from_micros(1_234_567))
    }

    fn rated(mv: &str, value: Value) -> RatedMove<String> {
        RatedMove { mv: mv.to_owned(), value, round_value: None }
    }

    #[test]
    fn evaluation_json_line_is_stable() {
        let report = Report {
            value: Value::exact(-1),
            best: vec!["H0,0".to_owned(), "H1,0".to_owned()],
            pv: vec!["H0,0".to_owned()],
            moves: vec![
                rated("H0,0", Value::exact(-1)),
                rated("H1,0", Value::exact(-1)),
                rated("V0,0", Value { estimate: Some(-1.5), ..Value::between(-3, -1) }),
            ],
            variations: vec![vec!["V0,0".to_owned(), "H0,0".to_owned()]],
            nodes: 9,
            table_bytes: 3 << 19,
            ..Report::default()
        };
        assert_eq!(
            evaluation::<DotsAndBoxes>("size=2", "V0,1", report.clone()).to_string(),
            r#"{"game":"dots-and-boxes","setup":"rows=2 cols=2","ply":1,"turn":1,"kind":"exact","value":-1,"lower":-1,"upper":-1,"estimate":null,"outcome":"loss","plies":null,"round_value":null,"best":["H0,0","H1,0"],"pv":["H0,0"],"complete":false,"moves":[{"move":"H0,0","value":-1,"lower":-1,"upper":-1,"estimate":null,"outcome":"loss","plies":null,"round_value":null,"round_estimate":null,"line":["H0,0"]},{"move":"H1,0","value":-1,"lower":-1,"upper":-1,"estimate":null,"outcome":"loss","plies":null,"round_value":null,"round_estimate":null,"line":["H1,0"]},{"move":"V0,0","value":null,"lower":-3,"upper":-1,"estimate":-1.5,"outcome":"loss","plies":null,"round_value":null,"round_estimate":null,"line":["V0,0","H0,0"]}],"nodes":9,"seconds":1.235,"table_mib":1.5}"#
        );
        let report = Report {
            value: Value::between(-1, 0),
            round_value: Some(RoundValue::Proven(-4)),
            moves: vec![RatedMove {
                round_value: Some(RoundValue::Proven(2)),
                ..rated("a1", Value::exact(0))
            }],
            ..Report::default()
        };
        let line = evaluation::<TicTacToe>("", "b2", report).to_string();
        assert!(
            line.contains(
                r#""kind":"bounds","value":null,"lower":-1,"upper":0,"estimate":null,"outcome":null,"plies":null,"round_value":4,"best":[],"pv":[],"complete":false,"moves":[{"move":"a1","value":null,"lower":0,"upper":0,"estimate":null,"outcome":"draw","plies":null,"round_value":2,"round_estimate":null,"line":["a1"]}],"nodes":0,"seconds":1.235,"table_mib":0.0}"#
            ),
            "{line}"
        );
        let line = evaluation::<TicTacToe>("", "", Report::default()).to_string();
        assert!(line.contains(r#""kind":"estimate","value":null,"lower":null,"#), "{line}");
    }

    #[test]
    fn finished_game_value_is_exact_for_the_first_seat() {
        let none = Report::default;
        let over = evaluation::<DotsAndBoxes>("size=2", "H0,0 H1,0 V0,0 V0,1", none());
        assert_eq!((over.state.turn, over.report.value.proven()), (None, Some(-1)));
        assert_eq!(over.value_for(Seat::SECOND).proven(), Some(1));
        let line = over.to_string();
        assert!(line.contains(r#""turn":null,"kind":"exact","value":-1,"#), "{line}");
        assert!(line.contains(r#""outcome":"loss","plies":0,"#), "{line}");
        let won = evaluation::<TicTacToe>("grid=XX-OO----", "c1", none());
        assert_eq!(won.value_for(Seat::FIRST).proven(), Some(1));
        assert_eq!(won.value_for(Seat::SECOND).proven(), Some(-1));
        assert_eq!(outcome(won.report.value), Some("win"));
        let nobody = evaluation::<Quixo>("size=1", "", none());
        assert_eq!(nobody.report.value.proven(), Some(0));
    }

    #[test]
    fn value_is_negated_for_the_other_seat() {
        let value = Value { estimate: Some(0.5), ..Value::between(-1, 3) };
        let report = Report { value, ..Report::default() };
        let here = evaluation::<DotsAndBoxes>("size=2", "", report);
        assert_eq!(here.value_for(Seat::FIRST), value);
        let other = Value { estimate: Some(-0.5), ..Value::between(-3, 1) };
        assert_eq!(here.value_for(Seat::SECOND), other);
    }

    #[test]
    fn line_to_the_end_is_complete() {
        let is_complete = |moves: &str, pv: &str| {
            let pv = pv.split_whitespace().map(str::to_owned).collect();
            let report = Report { pv, value: Value::exact(-1), ..Report::default() };
            evaluation::<DotsAndBoxes>("size=2", moves, report).is_complete
        };
        assert!(is_complete("V0,1 H0,0", "V0,0 H1,0"));
        assert!(!is_complete("V0,1 H0,0", "V0,0") && !is_complete("V0,1 H0,0", ""));
        // These moves cannot be played from this position.
        assert!(!is_complete("V0,1 H0,0", "V0,0 V0,0 H1,0") && !is_complete("V0,1", "x"));
        assert!(is_complete("V0,1 H0,0 V0,0 H1,0", ""));
    }

    /// With two seats, a proven round does not prove the value of the match. With more seats the value cannot be proven
    /// at all, so it is enough to prove the round.
    #[test]
    fn proven_round_proves_only_positions_of_three_or_more_seats() {
        let proven = |setup: &str, value| {
            let round_value = Some(RoundValue::Proven(2));
            let report = Report { value, round_value, ..Report::default() };
            evaluation::<Intersections>(setup, "", report).is_proven(false)
        };
        assert!(!proven("size=3", Value::between(-1, 3)));
        assert!(proven("size=3", Value::exact(1)));
        assert!(proven("size=3 players=3 segments=6", Value::estimate(0.5)));
    }

    #[test]
    fn is_proven_covers_every_requested_value() {
        let moves = ["H0,0", "H1,0", "V0,0"].map(|mv| rated(mv, Value::exact(-1)));
        let report = |moves: &[_]| {
            let report =
                Report { value: Value::exact(-1), moves: moves.to_vec(), ..Report::default() };
            evaluation::<DotsAndBoxes>("size=2", "V0,1", report)
        };
        assert!(report(&moves).is_proven(true));
        assert!(report(&moves[1..]).is_proven(false) && !report(&moves[1..]).is_proven(true));
        let mut open = moves;
        open[2].value = Value::between(-3, -1);
        assert!(!report(&open).is_proven(true));
        assert!(!evaluation::<DotsAndBoxes>("size=2", "", Report::default()).is_proven(false));
    }
}
