//! Formats the text output of `quadrille solve`.

use crate::cli::{game, in_columns, result};
use quadrille_rules::Seat;
use quadrille_search::{Kind, Report, RoundValue, Value};
use quadrille_table::catalogue::GameEntry;
use quadrille_table::engine::{Evaluation, MoveVerdict, Reviewed, ValueFormat};
use quadrille_text::wording::{counted, dashed};
use std::fmt::Write;

/// Formats one position in a few lines.
pub(super) fn position(entry: &GameEntry, evaluation: &Evaluation, with_moves: bool) -> String {
    let Report { best, pv, moves, nodes, table_bytes, .. } = &evaluation.report;
    let mut text = format!(
        "{}, {}\n{}\n",
        game::title(entry, &evaluation.state.setup),
        phase(evaluation),
        value_text(evaluation)
    );
    // Writing to a string never fails.
    if !best.is_empty() {
        let _ = writeln!(text, "best  {}", some(best, BEST));
    }
    if !pv.is_empty() {
        let more = if evaluation.is_complete { "" } else { " …" };
        let _ = writeln!(text, "line  {}{more}", pv.join(" "));
    }
    if with_moves {
        let rated = moves.iter().map(|rated| {
            let value = match rated.round_value {
                Some(value) => ValueFormat::Round.write(value.into()),
                None => evaluation.value_format().write(rated.value),
            };
            (value, &*rated.mv)
        });
        let rated: Vec<(String, &str)> = rated.collect();
        let width = rated.iter().map(|(value, _)| value.len()).max().unwrap_or_default();
        for alike in rated.chunk_by(|(one, _), (other, _)| one == other) {
            let moves: Vec<&str> = alike.iter().map(|(_, mv)| *mv).collect();
            let _ = writeln!(text, "{:>width$}  {}", alike[0].0, moves.join(" "));
        }
    }
    if evaluation.state.turn.is_some() {
        let seconds = evaluation.time.as_secs_f64();
        let mib = *table_bytes as f64 / f64::from(1 << 20);
        let _ = writeln!(text, "{nodes} nodes, {seconds:.2} s, {mib:.0} MiB table");
    }
    text
}

/// Formats the main line as a table with one row per move, followed by the result and the proven mistakes.
pub(super) fn table(
    entry: &GameEntry,
    evaluations: &[Evaluation],
    reviewed: &[Reviewed],
) -> String {
    let Some(last) = evaluations.last() else { return String::new() };
    let rows = reviewed.iter().zip(1..).map(|(mv, ply)| {
        let better = match &*mv.better {
            [] => String::new(),
            better => format!(", better {}", some(better, BETTER)),
        };
        [
            ply.to_string(),
            mv.seat.to_string(),
            mv.mv.clone(),
            mv.value_format.write(mv.before),
            mv.value_format.write(mv.after),
            mv.verdict.mark().to_owned(),
            mv.loss(None) + &better,
        ]
    });
    let head = ["ply", "seat", "move", "before", "after", "", ""].map(str::to_owned);
    let rows: Vec<[String; 7]> = std::iter::once(head).chain(rows).collect();
    let mut text = format!("{}\n", game::title(entry, &last.state.setup));
    text += &in_columns(&rows, &[0, 1, 3, 4]);
    let _ = writeln!(text, "{}, {}", phase(last), value_text(last));
    let _ = writeln!(text, "{}", mistakes(reviewed));
    text
}

/// The maximum number of best moves shown for a position.
const BEST: usize = 30;
/// The maximum number of better moves shown for a mistake.
const BETTER: usize = 3;

/// Lists at most `most` moves.
fn some(moves: &[String], most: usize) -> String {
    let shown = moves[..most.min(moves.len())].join(" ");
    let rest = moves.len().saturating_sub(most);
    if rest == 0 { shown } else { format!("{shown} and {rest} more") }
}

/// Counts the proven mistakes of each seat.
fn mistakes(reviewed: &[Reviewed]) -> String {
    let seats = reviewed.iter().map(|mv| mv.seat).max().map_or(0, |seat| seat.index() + 1);
    let mut made = vec![0; seats];
    for mv in reviewed.iter().filter(|mv| matches!(mv.verdict, MoveVerdict::Mistake(_))) {
        made[mv.seat.index()] += 1;
    }
    let each: Vec<String> =
        made.iter().zip(1..).map(|(made, seat)| format!("{made} by seat {seat}")).collect();
    format!("mistakes proven: {}", each.join(", "))
}

fn phase(evaluation: &Evaluation) -> String {
    let ply = evaluation.state.ply;
    match seat_to_move(evaluation) {
        Some(seat) => format!("move {}, seat {seat} to move", ply + 1),
        None => format!("over after {}", counted(ply, "move", "moves")),
    }
}

fn seat_to_move(evaluation: &Evaluation) -> Option<Seat> {
    evaluation.state.turn.map(|turn| Seat::new(turn as u8))
}

/// Formats the value of the position for the seat to move, or the result if the game is over.
fn value_text(evaluation: &Evaluation) -> String {
    let Some(seat) = seat_to_move(evaluation) else { return ending(evaluation) };
    let Report { value, round_value, .. } = evaluation.report;
    let value_format = evaluation.value_format();
    let said = value_format.write(value);
    let worth = match (value.kind(), value.proven()) {
        (_, Some(margin)) => {
            format!("exact: {said}, {}", sentence(seat, value_format, margin, value))
        }
        (Kind::Estimate, _) if value.estimate.is_none() => "unknown".to_owned(),
        (Kind::Estimate, _) => format!("estimate: {said}, unproven"),
        _ => format!("bounds: {said}{}", surely(seat, value)),
    };
    let dots = round_value.and_then(RoundValue::proven).map(i32::unsigned_abs);
    match (dots, evaluation.state.facts.iter().find(|(name, _)| *name == "offense")) {
        (Some(dots), Some((_, offense))) => {
            let dots = counted(dots as usize, "dot", "dots");
            format!("round: {dots} for the offense, seat {}\n{worth}", offense + 1)
        }
        _ => worth,
    }
}

fn sentence(seat: Seat, value_format: ValueFormat, margin: i32, value: Value) -> String {
    let verb = match margin {
        0 => return "a draw".to_owned(),
        1.. => "wins",
        _ => "loses",
    };
    let plies = |plies: u32| format!(" in {}", counted(plies as usize, "ply", "plies"));
    match value_format {
        ValueFormat::Outcome => {
            format!("seat {seat} {verb}{}", value.plies.map_or(String::new(), plies))
        }
        _ => format!("seat {seat} {verb} by {}", margin.abs()),
    }
}

/// Describes the outcome that the bounds prove.
fn surely(seat: Seat, value: Value) -> String {
    match (value.lower, value.upper) {
        (Some(1..), _) => format!(", seat {seat} wins"),
        (_, Some(..0)) => format!(", seat {seat} loses"),
        (Some(0), _) => format!(", seat {seat} does not lose"),
        (_, Some(0)) => format!(", seat {seat} does not win"),
        _ => String::new(),
    }
}

fn ending(evaluation: &Evaluation) -> String {
    let state = &evaluation.state;
    let scores = dashed(state.scores.iter().flatten());
    format!("{} {scores}", result(&state.winners, evaluation.seats)).trim_end().to_owned()
}
