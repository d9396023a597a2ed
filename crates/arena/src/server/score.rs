//! Search reports as UGI `info` lines, with scores in hundredths of a point.

use quadrille_search::{RatedMove, Report, Value};
use quadrille_table::engine::ValueFormat;
use quadrille_table::engine::ugi::{Info, UgiScore};

/// The score of a proven win in a game without points; one is subtracted for each ply to the win.
const WON: i32 = 30_000;
/// The score of a proven win at an unknown distance, which is also the minimum for wins at a known distance.
const WON_SOMETIME: i32 = WON - 1_000;
/// The score of one point. In a game without points, the maximum score of an unproven result.
const POINT: f32 = 100.0;

/// Returns one `info` line per move, without the time. If `moves` is empty, returns a single line for the position.
pub fn infos(report: &Report<String>, moves: &[String], format: ValueFormat) -> Vec<Info> {
    if moves.is_empty() {
        return vec![info(report, format)];
    }
    let rated = |mv: &String| report.moves.iter().find(|rated| rated.mv == *mv).cloned();
    let line = |(mv, number): (&String, u32)| {
        let value = rated(mv).map_or(Value::default(), |RatedMove { value, .. }| value);
        let Report { depth, nodes, .. } = *report;
        let of_move = Report { value, depth, nodes, pv: report.variation(mv), ..Report::default() };
        Info { multipv: Some(number), ..info(&of_move, format) }
    };
    moves.iter().zip(1..).map(line).collect()
}

/// Converts a report to an `info` line without the time.
pub fn info(report: &Report<String>, format: ValueFormat) -> Info {
    Info {
        depth: Some(report.depth),
        nodes: Some(report.nodes),
        score: score(report.value, format).map(UgiScore::Cp),
        pv: report.pv.clone(),
        string: report.value.proven().map(|_| "proven".to_owned()),
        ..Info::default()
    }
}

/// Returns the score in hundredths of a point of the final margin; `None` if nothing is known about the value.
fn score(value: Value, format: ValueFormat) -> Option<i32> {
    let likely = value.point_estimate()?;
    if format != ValueFormat::Outcome {
        return Some((likely * POINT).round() as i32);
    }
    let won =
        value.plies.map_or(WON_SOMETIME, |plies| WON - (plies as i32).min(WON - WON_SOMETIME));
    Some(match value.proven() {
        Some(1..) => won,
        Some(..0) => -won,
        Some(0) => 0,
        None => (likely.clamp(-1.0, 1.0) * POINT).round() as i32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_uses_centipoints_and_ranks_proven_wins_highest() {
        let margin = |value| score(value, ValueFormat::Margin);
        assert_eq!(margin(Value::exact(-3)), Some(-300));
        assert_eq!(margin(Value::estimate(1.26)), Some(126));
        assert_eq!(margin(Value::between(-1, 3)), Some(100));
        assert_eq!(margin(Value::default()), None);
        let outcome = |value| score(value, ValueFormat::Outcome);
        assert_eq!(outcome(Value::exact(1).with_plies(7)), Some(29_993));
        assert_eq!(outcome(Value::exact(-1).with_plies(8)), Some(-29_992));
        assert_eq!(outcome(Value::exact(1)), Some(29_000));
        assert_eq!(outcome(Value::exact(1).with_plies(5_000)), Some(29_000));
        assert_eq!(outcome(Value::exact(0)), Some(0));
        assert_eq!(outcome(Value::estimate(0.424)), Some(42));
        assert_eq!(outcome(Value::estimate(7.0)), Some(100));
        assert_eq!(outcome(Value { lower: Some(0), ..Value::default() }), Some(0));
    }

    #[test]
    fn info_line_marks_proven_scores() {
        let line = |value| {
            let report = Report {
                value,
                depth: 3,
                nodes: 42,
                pv: vec!["a1".to_owned()],
                ..Report::default()
            };
            info(&report, ValueFormat::Outcome).to_string()
        };
        assert_eq!(
            line(Value::exact(1).with_plies(5)),
            "info depth 3 nodes 42 score cp 29995 pv a1 string proven"
        );
        assert_eq!(line(Value::estimate(-0.5)), "info depth 3 nodes 42 score cp -50 pv a1");
    }
}
