//! Values of positions and moves in words.

use crate::engine::ValueFormat;
use quadrille_match::session::{Match, PlayerNames};
use quadrille_rules::Seat;
use quadrille_search::Value;
use quadrille_text::wording::counted;

/// The effect of a move.
enum Effect {
    Draws,
    /// Nobody is ahead.
    Even,
    /// A clause without its subject; empty if nothing is known.
    Does(String),
}

impl ValueFormat {
    /// Describes the effect of a move with this value, as in `wins by 2` or `wins in 4 moves`. Only the winner's moves
    /// are counted. Bounds are shown only as the result that they prove. Empty if nothing is known.
    pub fn in_words(self, value: Value) -> String {
        match self.effect(value) {
            Effect::Draws => "leads to a draw".to_owned(),
            Effect::Even => "should keep the match even".to_owned(),
            Effect::Does(worth) => worth,
        }
    }

    /// Describes the effect of a move that is worse than the best one, as in `wins by only 1`. Empty if nothing is
    /// known.
    pub fn too_little_in_words(self, value: Value) -> String {
        match (self, value.proven()) {
            (_, Some(0)) => "only draws".to_owned(),
            (ValueFormat::Margin, Some(margin @ 1..)) => format!("wins by only {margin}"),
            _ => self.in_words(value),
        }
    }

    /// Describes the effect of the best move of a search that found this value. An unproven best move may not reach the
    /// bounds, so they are not described.
    pub fn best_in_words(self, value: Value) -> String {
        let is_proven = value.proven().is_some();
        self.in_words(if is_proven { value } else { Value { lower: None, upper: None, ..value } })
    }

    /// Describes the effect of the best move beside a worse one that was played, as in `loses by only 2`.
    pub fn better_in_words(self, value: Value) -> String {
        match (self, value.proven()) {
            (ValueFormat::Margin, Some(margin @ ..0)) => format!("loses by only {}", -margin),
            _ => self.best_in_words(value),
        }
    }

    fn effect(self, value: Value) -> Effect {
        let size = match self {
            ValueFormat::Round => return effect_on_round(value),
            ValueFormat::Margin => value.proven().map(|margin| format!(" by {}", margin.abs())),
            ValueFormat::Outcome => value
                .plies
                .filter(|plies| *plies > 0)
                .map(|plies| format!(" in {}", own_moves(plies))),
        };
        let size = size.unwrap_or_default();
        Effect::Does(match (value.lower, value.upper, value.estimate) {
            (Some(0), Some(0), _) => return Effect::Draws,
            (Some(1..), _, _) => format!("wins{size}"),
            (_, Some(..0), _) => format!("loses{size}"),
            (_, _, Some(estimate)) => return self.estimated_effect(estimate),
            (Some(0), _, None) => "does not lose".to_owned(),
            (_, Some(0), None) => "does not win".to_owned(),
            (_, _, None) => String::new(),
        })
    }

    fn estimated_effect(self, estimate: f32) -> Effect {
        Effect::Does(match (self, estimate.round()) {
            (ValueFormat::Outcome, _) if estimate >= 0.25 => "should come out ahead".to_owned(),
            (ValueFormat::Outcome, _) if estimate <= -0.25 => "should fall behind".to_owned(),
            (ValueFormat::Margin, ahead @ 1.0..) => format!("should win by about {ahead}"),
            (ValueFormat::Margin, behind @ ..=-1.0) => format!("should lose by about {}", -behind),
            _ => return Effect::Even,
        })
    }

    /// Describes the state of a match for the player at this seat, as in `Ann wins by 2` or `a draw with best play`.
    /// `None` if nothing is known.
    pub fn standing(self, seat: Seat, names: &PlayerNames, value: Value) -> Option<String> {
        match self.effect(value) {
            Effect::Draws => Some("a draw with best play".to_owned()),
            Effect::Even => Some("about even".to_owned()),
            Effect::Does(worth) => (!worth.is_empty()).then(|| names.clause(seat, &worth)),
        }
    }

    /// Explains the notation of values in this match for the help, one notation per line.
    pub fn help(game: &Match) -> String {
        let value_format =
            if game.now().round().is_some() { ValueFormat::Round } else { ValueFormat::of(game) };
        let values = match value_format {
            ValueFormat::Round => {
                "- +4: the offense makes this move and scores 4 in this round.\n- -4: the defense makes this move, \
                 and the offense scores 4.\n- =: the offense scores nothing in this round.\n- ~-4: an estimate. The \
                 offense scores about 4."
            }
            ValueFormat::Outcome => {
                "- W1: this move wins at once.\n- L6: this move loses in 6 plies (moves of both players).\n- =: a \
                 draw.\n- ~+0.2: an estimate between -1 (loss) and +1 (win)."
            }
            ValueFormat::Margin => {
                "- +2: this move wins the match by 2.\n- -3: this move loses by 3.\n- =: a draw.\n- ~+1: an \
                 estimate: a win by about 1."
            }
        };
        format!("{values}\n\nAll values assume best play from there on.")
    }
}

/// Counts the moves of the winner in this many plies: the winner plays the last one.
pub fn own_moves(plies: u32) -> String {
    counted(plies.div_ceil(2) as usize, "move", "moves")
}

fn effect_on_round(value: Value) -> Effect {
    Effect::Does(match (value.proven(), value.point_estimate()) {
        (Some(dots), _) => format!("gives the offense {}", dots.abs()),
        (None, Some(dots)) => format!("gives the offense about {:.0}", dots.abs()),
        (None, None) => String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_match::session::Players;

    #[test]
    fn value_in_words_states_the_result() {
        let margin = |value| ValueFormat::Margin.in_words(value);
        assert_eq!(margin(Value::exact(2)), "wins by 2");
        assert_eq!(margin(Value::exact(-3)), "loses by 3");
        assert_eq!(margin(Value::exact(0)), "leads to a draw");
        assert_eq!(margin(Value::between(1, 4)), "wins");
        assert_eq!(margin(Value::between(-3, -1)), "loses");
        assert_eq!(margin(Value::between(0, 16)), "does not lose");
        assert_eq!(margin(Value::between(-3, 0)), "does not win");
        assert_eq!(margin(Value::between(-3, 4)), "");
        let likely = Value { estimate: Some(3.2), ..Value::between(0, 16) };
        assert_eq!(margin(likely), "should win by about 3");
        assert_eq!(margin(Value::estimate(-1.6)), "should lose by about 2");
        assert_eq!(margin(Value::estimate(3.2)), "should win by about 3");
        assert_eq!(margin(Value::estimate(-0.4)), "should keep the match even");
        assert_eq!(margin(Value::default()), "");
        let better = |value| ValueFormat::Margin.better_in_words(value);
        assert_eq!(better(Value::exact(-3)), "loses by only 3");
        assert_eq!([better(Value::exact(2)), better(Value::between(-3, -1))], ["wins by 2", ""]);
        let best = |value| ValueFormat::Margin.best_in_words(value);
        assert_eq!([best(Value::exact(2)), best(Value::between(1, 4))], ["wins by 2", ""]);
        assert_eq!(best(likely), "should win by about 3");
        let outcome = |value| ValueFormat::Outcome.in_words(value);
        assert_eq!(outcome(Value::exact(1).with_plies(7)), "wins in 4 moves");
        assert_eq!(outcome(Value::exact(-1).with_plies(2)), "loses in 1 move");
        assert_eq!(outcome(Value::exact(-1).with_plies(8)), "loses in 4 moves");
        assert_eq!(outcome(Value::exact(-1).with_plies(1)), "loses in 1 move");
        assert_eq!(outcome(Value::exact(0)), "leads to a draw");
        assert_eq!(outcome(Value { lower: Some(0), ..Value::default() }), "does not lose");
        assert_eq!(outcome(Value::estimate(-0.4)), "should fall behind");
        assert_eq!(ValueFormat::Round.in_words(Value::exact(3)), "gives the offense 3");
        assert_eq!(ValueFormat::Round.in_words(Value::exact(-3)), "gives the offense 3");
        assert_eq!(ValueFormat::Round.in_words(Value::estimate(-2.6)), "gives the offense about 3");
    }

    #[test]
    fn value_of_a_worse_move_says_that_it_is_too_little() {
        let margin = |value| ValueFormat::Margin.too_little_in_words(value);
        assert_eq!(margin(Value::exact(1)), "wins by only 1");
        assert_eq!(margin(Value::exact(0)), "only draws");
        assert_eq!(margin(Value::exact(-3)), "loses by 3");
        assert_eq!(margin(Value { upper: Some(0), ..Value::default() }), "does not win");
        let outcome = |value| ValueFormat::Outcome.too_little_in_words(value);
        assert_eq!(outcome(Value::exact(0)), "only draws");
        assert_eq!(outcome(Value::exact(-1).with_plies(4)), "loses in 2 moves");
    }

    #[test]
    fn standing_names_only_a_leading_player() {
        let ann = PlayerNames::of(&Players::named(2, &["Ann".to_owned()]));
        let standing = |format: ValueFormat, value| {
            format.standing(Seat::FIRST, &ann, value).unwrap_or_default()
        };
        let margin = |value| standing(ValueFormat::Margin, value);
        assert_eq!(margin(Value::exact(-3)), "Ann loses by 3");
        let you = ann.clone().addressing(Some(Seat::FIRST));
        let said = ValueFormat::Margin.standing(Seat::FIRST, &you, Value::exact(-3));
        assert_eq!(said.as_deref(), Some("You lose by 3"));
        assert_eq!(margin(Value::exact(0)), "a draw with best play");
        assert_eq!(margin(Value::estimate(0.2)), "about even");
        assert_eq!(margin(Value::between(-3, 4)), "");
        let outcome = |value| standing(ValueFormat::Outcome, value);
        assert_eq!(outcome(Value::exact(1).with_plies(7)), "Ann wins in 4 moves");
        assert_eq!(outcome(Value::exact(0)), "a draw with best play");
        assert_eq!(outcome(Value::estimate(0.1)), "about even");
    }
}
