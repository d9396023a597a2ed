//! The review of a match: the value of each move, mistakes, and better moves.

use super::{Evaluation, ValueFormat};
use quadrille_rules::Seat;
use quadrille_search::{RoundValue, Value};

#[derive(Clone, Debug, PartialEq)]
pub struct Reviewed {
    pub seat: Seat,
    pub mv: String,
    /// The unit of the values in this struct.
    pub value_format: ValueFormat,
    /// The value before the move, for the seat that moved. In a game with rounds, if proven: the number of dots that
    /// the offense, the only seat that scores in this round, will score; negative if a different seat moved.
    pub before: Value,
    /// The value after the move, in the same form.
    pub after: Value,
    pub verdict: MoveVerdict,
    /// The better moves that are known, if the move is a mistake or doubtful.
    pub better: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveVerdict {
    /// The move is proven to lose nothing.
    Sound,
    /// The move is proven to lose this much, or more if the values before and after are not both exact.
    Mistake(i32),
    /// The move seems to lose about this much, but this is unproven.
    Doubtful(f32),
    /// Nothing seems wrong with the move, but this is unproven.
    Unknown,
}

/// Reviews the moves between consecutive positions: `moves[i]` was played in `evaluations[i]` and led to the next
/// position. A position that was not analyzed has an empty report.
///
/// Values are for the seat that moved. In a game with rounds, the value is that seat's result in the round, if known.
pub fn review(evaluations: &[Evaluation], moves: &[(Seat, String)]) -> Vec<Reviewed> {
    let steps = evaluations.iter().zip(evaluations.iter().skip(1)).zip(moves);
    steps.map(|((before, after), (seat, mv))| review_move(before, after, *seat, mv)).collect()
}

/// Reviews one move of this seat in the same way as [`review`].
pub fn review_move(before: &Evaluation, after: &Evaluation, seat: Seat, mv: &str) -> Reviewed {
    let (value_format, was, is) = if let Some([was, is]) = rounds(before, after, seat, mv) {
        (ValueFormat::Round, Value::exact(was), Value::exact(is))
    } else {
        let is = value_of_move(before, after, seat, mv);
        (before.value_format(), before.value_for(seat), is)
    };
    let verdict = judge(value_format, was, is);
    let best = &before.report.best;
    // Estimates cannot fault a move that the search itself would have played.
    let verdict = match verdict {
        MoveVerdict::Doubtful(_) if best.iter().any(|best_move| best_move == mv) => {
            MoveVerdict::Unknown
        }
        verdict => verdict,
    };
    let better = match verdict {
        MoveVerdict::Sound | MoveVerdict::Unknown => Vec::new(),
        MoveVerdict::Mistake(_) | MoveVerdict::Doubtful(_) => {
            best.iter().filter(|best_move| *best_move != mv).cloned().collect()
        }
    };
    Reviewed { seat, mv: mv.to_owned(), value_format, before: was, after: is, verdict, better }
}

/// Returns whether a reviewed move counts for the accuracy of its player: it is proven sound or a mistake, and a legal
/// move is proven worse than the best one.
pub fn counts_for_accuracy(before: &Evaluation, reviewed: &Reviewed) -> bool {
    let had_worse = || {
        let mut moves = before.report.moves.iter();
        if reviewed.value_format == ValueFormat::Round {
            let best = reviewed.before.proven();
            let dots = |value: RoundValue| value.proven().map(i32::abs);
            let sign = if best.is_some_and(|best| best < 0) { -1 } else { 1 };
            moves.any(|rated| {
                rated
                    .round_value
                    .and_then(dots)
                    .map(|dots| sign * dots)
                    .zip(best)
                    .is_some_and(|(value, best)| value < best)
            })
        } else {
            let best = reviewed.before.lower;
            moves.any(|rated| rated.value.upper.zip(best).is_some_and(|(most, best)| most < best))
        }
    };
    match reviewed.verdict {
        MoveVerdict::Mistake(_) => true,
        MoveVerdict::Sound => had_worse(),
        MoveVerdict::Doubtful(_) | MoveVerdict::Unknown => false,
    }
}

/// Returns the value of the move for its seat from two reports: the report before the move rates the move, and the
/// report after it rates the position. Both pairs of bounds are valid, so the tighter bounds are used.
fn value_of_move(before: &Evaluation, after: &Evaluation, seat: Seat, mv: &str) -> Value {
    let later = after.value_for(seat);
    let rated = before.report.moves.iter().find(|rated| rated.mv == mv).map(|rated| rated.value);
    let rated = rated.unwrap_or_default();
    let bounds = |a: Option<i32>, b: Option<i32>| [a, b].into_iter().flatten();
    Value {
        lower: bounds(later.lower, rated.lower).max(),
        upper: bounds(later.upper, rated.upper).min(),
        // Prefer the estimate from before the move, when the same search rated all moves.
        estimate: rated.estimate.or(later.estimate),
        plies: rated.plies.or(later.plies.map(|plies| plies + 1)),
    }
}

/// Returns the round's results before and after the move for the seat that moved, if both are proven.
fn rounds(before: &Evaluation, after: &Evaluation, seat: Seat, mv: &str) -> Option<[i32; 2]> {
    let round = before.state.round?;
    let offense = round.offense.index();
    let dots = |round_value: Option<RoundValue>| round_value?.proven().map(i32::abs);
    let was = dots(before.report.round_value)?;
    let is = if after.state.round? == round {
        let rated = before.report.moves.iter().find(|rated| rated.mv == mv);
        dots(after.report.round_value).or(dots(rated.and_then(|rated| rated.round_value)))?
    } else {
        // The round is over, and its dots are included in the score.
        let score =
            |evaluation: &Evaluation| evaluation.state.scores.as_ref()?.get(offense).copied();
        (score(after)? - score(before)?) as i32
    };
    let sign = if seat.index() == offense { 1 } else { -1 };
    Some([sign * was, sign * is])
}

/// Returns the minimum estimated loss of a doubtful move: in points, or in a game without scores on a scale from -1, a
/// loss, to 1, a win.
fn doubt(value_format: ValueFormat) -> f32 {
    if value_format == ValueFormat::Outcome { 0.4 } else { 2.0 }
}

fn judge(value_format: ValueFormat, before: Value, after: Value) -> MoveVerdict {
    let loss = |high: Option<i32>, low: Option<i32>| Some(high? - low?);
    if let Some(surely @ 1..) = loss(before.lower, after.upper) {
        return MoveVerdict::Mistake(surely);
    }
    if loss(before.upper, after.lower).is_some_and(|at_most| at_most <= 0) {
        return MoveVerdict::Sound;
    }
    match (guess(value_format, before), guess(value_format, after)) {
        (Some(was), Some(is)) if was - is >= doubt(value_format) => MoveVerdict::Doubtful(was - is),
        _ => MoveVerdict::Unknown,
    }
}

/// Returns a value as one number, proven or estimated. `None` if only bounds are known.
fn guess(value_format: ValueFormat, value: Value) -> Option<f32> {
    let guess = value.proven().map(|proven| proven as f32).or(value.estimate)?;
    Some(if value_format == ValueFormat::Outcome { guess.clamp(-1.0, 1.0) } else { guess })
}

impl MoveVerdict {
    /// Returns the annotation of a move in chess style: `?` for a mistake, `?!` for a doubtful move.
    pub const fn mark(self) -> &'static str {
        match self {
            MoveVerdict::Mistake(_) => "?",
            MoveVerdict::Doubtful(_) => "?!",
            MoveVerdict::Sound | MoveVerdict::Unknown => "",
        }
    }
}

impl Reviewed {
    /// Describes the loss, as in `costs 2 boxes`. Empty if no loss is known. `unit` is the unit of a margin in the
    /// singular and plural, if the unit has a name.
    pub fn loss(&self, unit: Option<[&str; 2]>) -> String {
        let is_exact = self.before.proven().is_some() && self.after.proven().is_some();
        let unit = match self.value_format {
            ValueFormat::Round => Some(["point", "points"]),
            ValueFormat::Margin | ValueFormat::Outcome => unit,
        };
        let count = |number: i32| match unit {
            Some([one, _]) if number == 1 => format!("1 {one}"),
            Some([_, many]) => format!("{number} {many}"),
            None => number.to_string(),
        };
        match (self.verdict, self.value_format) {
            (MoveVerdict::Sound | MoveVerdict::Unknown, _) => String::new(),
            (MoveVerdict::Doubtful(_), ValueFormat::Outcome) => "may miss a better".to_owned(),
            (MoveVerdict::Doubtful(loss), _) => {
                format!("may cost about {}", count(loss.round() as i32))
            }
            (MoveVerdict::Mistake(_), ValueFormat::Outcome) if self.before.lower == Some(1) => {
                "misses a win".to_owned()
            }
            (MoveVerdict::Mistake(_), ValueFormat::Outcome) => "misses a draw".to_owned(),
            (MoveVerdict::Mistake(loss), ValueFormat::Margin) if !is_exact => {
                format!("costs {} or more", count(loss))
            }
            (MoveVerdict::Mistake(loss), _) => format!("costs {}", count(loss)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_match::session::Match;
    use quadrille_rules::Position;
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::intersections::Intersections;
    use quadrille_rules::tic_tac_toe::TicTacToe;
    use quadrille_search::minimax::{after, margin};
    use quadrille_search::{RatedMove, Report};
    use std::collections::HashMap;
    use std::time::Duration;

    fn start<G: Position>(setup: &str) -> Match {
        Match::new(G::from_setup(&setup.parse().unwrap()).unwrap())
    }

    fn typed<G: Position>(game: &Match) -> &G {
        game.now().typed().unwrap()
    }

    /// Evaluates the positions along these moves. Each position has its own report.
    fn evaluations(
        game: &mut Match,
        moves: &str,
        report: impl Fn(&Match, usize) -> Report<String>,
    ) -> Vec<Evaluation> {
        let mut found = vec![Evaluation::of(game, report(game, 0), Duration::ZERO)];
        for (mv, ply) in moves.split_whitespace().zip(1..) {
            game.play(mv).unwrap();
            found.push(Evaluation::of(game, report(game, ply), Duration::ZERO));
        }
        found
    }

    fn says(value: Value) -> Report<String> {
        Report { value, best: vec!["V1,1".to_owned()], ..Report::default() }
    }

    /// Returns the margin for the seat to move and the best moves, found by exhaustive search.
    fn solved<G: Position>(position: &G, known: &mut HashMap<G, i32>) -> Report<String> {
        let Some(seat) = position.to_move() else { return Report::default() };
        let sign = if seat == Seat::FIRST { 1 } else { -1 };
        let mut moves = position.legal_moves();
        let value = sign * margin(position, known);
        moves.retain(|mv| sign * margin(&after(position, *mv), known) == value);
        let best = moves.iter().map(ToString::to_string).collect();
        Report { value: Value::exact(value), best, ..Report::default() }
    }

    /// Checks that in random games each move loses exactly the difference between the exhaustive search's values before
    /// and after it, including extra turns and the end.
    fn hold_to_the_plain_search<G: Position>(setup: &str, games: u64) -> [usize; 2] {
        let mut known = HashMap::new();
        let mut count = [0; 2];
        for seed in 0..games {
            let mut chance = fastrand::Rng::with_seed(seed);
            let mut game = start::<G>(setup);
            let mut found = Vec::new();
            let mut margins = Vec::new();
            loop {
                let report = solved(typed::<G>(&game), &mut known);
                found.push(Evaluation::of(&game, report, Duration::ZERO));
                margins.push(margin(typed::<G>(&game), &mut known));
                let legal = game.legal_moves();
                let Some(mv) = chance.choice(&legal) else { break };
                game.play(mv).unwrap();
            }
            let reviewed = review(&found, game.moves());
            assert_eq!(reviewed.len(), game.ply());
            for (ply, judged) in reviewed.iter().enumerate() {
                let sign = if judged.seat == Seat::FIRST { 1 } else { -1 };
                let [was, is] = [margins[ply], margins[ply + 1]].map(|margin| sign * margin);
                assert_eq!((judged.before.proven(), judged.after.proven()), (Some(was), Some(is)));
                let is_best = found[ply].report.best.contains(&judged.mv);
                assert_eq!(is_best, was == is, "ply {ply}");
                if is_best {
                    assert_eq!((judged.verdict, &*judged.better), (MoveVerdict::Sound, &[][..]));
                } else {
                    assert_eq!(judged.verdict, MoveVerdict::Mistake(was - is));
                    assert_eq!(judged.better, found[ply].report.best);
                }
                count[usize::from(!is_best)] += 1;
            }
        }
        count
    }

    #[test]
    fn mistakes_match_plain_search() {
        let [sound, mistakes] = hold_to_the_plain_search::<DotsAndBoxes>("rows=3 cols=3", 30);
        assert!(sound > 100 && mistakes > 50, "{sound} {mistakes}");
        let [sound, mistakes] = hold_to_the_plain_search::<TicTacToe>("", 60);
        assert!(sound > 100 && mistakes > 50, "{sound} {mistakes}");
    }

    #[test]
    fn mistake_requires_disjoint_bounds_not_estimates() {
        let verdict = |before, after| judge(ValueFormat::Margin, before, after);
        let (exact, between) = (Value::exact, Value::between);
        assert_eq!(verdict(between(1, 3), between(-3, -1)), MoveVerdict::Mistake(2));
        assert_eq!(verdict(exact(2), exact(2)), MoveVerdict::Sound);
        assert_eq!(verdict(between(-2, 2), exact(2)), MoveVerdict::Sound);
        assert_eq!(verdict(between(-2, 2), between(-2, 2)), MoveVerdict::Unknown);
        assert_eq!(verdict(between(-2, 2), exact(-2)), MoveVerdict::Unknown);
        let guess = Value::estimate;
        assert_eq!(verdict(guess(2.0), guess(0.5)), MoveVerdict::Unknown);
        assert_eq!(verdict(guess(2.5), guess(0.5)), MoveVerdict::Doubtful(2.0));
        assert_eq!(verdict(exact(2), guess(-0.5)), MoveVerdict::Doubtful(2.5));
        assert_eq!(verdict(guess(0.0), guess(9.0)), MoveVerdict::Unknown);
        assert_eq!(verdict(guess(9.0), Value::default()), MoveVerdict::Unknown);
        let outcome = |before, after| judge(ValueFormat::Outcome, guess(before), guess(after));
        assert_eq!(outcome(0.75, 0.25), MoveVerdict::Doubtful(0.5));
        assert_eq!(outcome(0.5, 0.25), MoveVerdict::Unknown);
        // Bounds alone do not give an estimate.
        let only = |lower, upper| Value { lower, upper, ..Value::default() };
        assert_eq!(verdict(only(None, Some(9)), only(Some(-9), None)), MoveVerdict::Unknown);
    }

    #[test]
    fn best_move_of_the_search_is_not_doubtful() {
        let guesses = [4.0, 4.0, 4.0];
        let moves = "V1,1 H0,0";
        let mut game = start::<DotsAndBoxes>("size=3");
        let found = evaluations(&mut game, moves, |_, ply| says(Value::estimate(guesses[ply])));
        let reviewed = review(&found, game.moves());
        assert_eq!(reviewed[0].verdict, MoveVerdict::Unknown);
        assert_eq!(
            (reviewed[1].verdict, &*reviewed[1].better),
            (MoveVerdict::Doubtful(8.0), &["V1,1".to_owned()][..])
        );
        assert_eq!(reviewed[1].loss(None), "may cost about 8");
    }

    #[test]
    fn review_uses_the_move_value_from_the_previous_report() {
        let mut game = start::<DotsAndBoxes>("size=3");
        let found = evaluations(&mut game, "H0,0", |_, ply| {
            let value = if ply == 0 { Value::exact(2) } else { Value::default() };
            let rated = RatedMove {
                mv: "H0,0".to_owned(),
                value: Value::between(-4, 0),
                round_value: None,
            };
            Report { moves: vec![rated], ..says(value) }
        });
        let reviewed = review(&found, game.moves());
        assert_eq!(reviewed[0].after, Value::between(-4, 0));
        assert_eq!(reviewed[0].verdict, MoveVerdict::Mistake(2));
        assert_eq!(reviewed[0].loss(Some(["box", "boxes"])), "costs 2 boxes or more");
    }

    /// Each report may have the tighter bound; its seat to move is the opponent after the move.
    #[test]
    fn review_uses_the_tighter_bound_of_two_reports() {
        let rated = |value| RatedMove { mv: "H0,0".to_owned(), value, round_value: None };
        for (before, after, both) in
            [((-4, 1), (-2, 3), (-3, 1)), ((-1, 3), (-2, 4), (-1, 2)), ((-2, 2), (-2, 2), (-2, 2))]
        {
            let [before, after, both] =
                [before, after, both].map(|(lower, upper)| Value::between(lower, upper));
            let mut game = start::<DotsAndBoxes>("size=3");
            let found = evaluations(&mut game, "H0,0", |_, ply| match ply {
                0 => Report { moves: vec![rated(before)], ..says(Value::default()) },
                _ => says(after),
            });
            assert_eq!(review(&found, game.moves())[0].after, both);
        }
    }

    #[test]
    fn review_describes_a_missed_win() {
        let mut game = start::<TicTacToe>("");
        let mut known = HashMap::new();
        // After the center, a corner draws and an edge (b1) loses; the opposite edge (b3) then misses the win.
        let moves = "b2 b1 b3 a1";
        let mut found = vec![Evaluation::of(
            &game,
            solved(typed::<TicTacToe>(&game), &mut known),
            Duration::ZERO,
        )];
        for mv in moves.split_whitespace() {
            game.play(mv).unwrap();
            found.push(Evaluation::of(
                &game,
                solved(typed::<TicTacToe>(&game), &mut known),
                Duration::ZERO,
            ));
        }
        let reviewed = review(&found, game.moves());
        let losses: Vec<String> = reviewed.iter().map(|judged| judged.loss(None)).collect();
        assert_eq!(losses[..3], ["", "misses a draw", "misses a win"]);
        assert_eq!(reviewed[1].verdict.mark(), "?");
        assert!(reviewed[1].better.contains(&"a1".to_owned()));
    }

    /// With three seats, the offense tries to score dots and the other two seats try to prevent it.
    #[test]
    fn review_values_dots_for_the_offense_only() {
        // The value of the round at each ply for the seat to move: the offense, the other two seats, and the offense of
        // the next round.
        let values = [Some(1), Some(0), Some(-2), Some(7), None];
        let mut game = start::<Intersections>("size=3 players=3 segments=3");
        // The offense loses a dot, a defender gives away two dots, and the last segment ends the round without any
        // gain.
        let moves = "0,0-0,1 2,0-2,1 2,1-2,2 0,0-0,1";
        let found = evaluations(&mut game, moves, |_, ply| Report {
            round_value: values[ply].map(RoundValue::Proven),
            best: vec!["1,0-1,1".to_owned()],
            ..Report::default()
        });
        let reviewed = review(&found, game.moves());
        let seen: Vec<_> = reviewed
            .iter()
            .map(|judged| (judged.seat.index(), judged.value_format, judged.verdict))
            .collect();
        assert_eq!(
            seen,
            [
                (0, ValueFormat::Round, MoveVerdict::Mistake(1)),
                (1, ValueFormat::Round, MoveVerdict::Mistake(2)),
                (2, ValueFormat::Round, MoveVerdict::Sound),
                (1, ValueFormat::Margin, MoveVerdict::Unknown),
            ]
        );
        assert_eq!(reviewed[1].loss(None), "costs 2 points");
        assert_eq!((reviewed[2].before, reviewed[2].after), (Value::exact(-2), Value::exact(0)));
        assert_eq!((reviewed[1].before, reviewed[1].after), (Value::exact(0), Value::exact(-2)));
    }
}
