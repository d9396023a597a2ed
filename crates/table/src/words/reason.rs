//! Reasons for moves and hints.

use super::{dots_and_boxes, intersections, join_the_dots, quixo, tic_tac_toe};
use crate::engine::ValueFormat;
use quadrille_search::{Horizon, Reason, Value};
use std::fmt;

/// The reason for a move in words, as in `gives nothing away; 3 safe lines left`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What the move does: a clause without its subject.
    does: String,
    /// An additional clause that may be omitted.
    note: Option<String>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.does)?;
        self.note.iter().try_for_each(|note| write!(f, "; {note}"))
    }
}

impl Explanation {
    /// Returns what the move does: a clause without its subject.
    pub fn does(&self) -> &str {
        &self.does
    }
}

/// Expresses the reason for a move in words. With two seats, `opponent` is the other player's name.
pub fn explain(reason: Reason, opponent: &str) -> Explanation {
    let (does, note) = match reason {
        Reason::DotsAndBoxes(reason) => dots_and_boxes::explain(reason, opponent),
        Reason::JoinTheDots(reason) => join_the_dots::explain(reason, opponent),
        Reason::Quixo(reason) => (quixo::explain(reason, opponent), None),
        Reason::TicTacToe(reason) => (tic_tac_toe::explain(reason, opponent), None),
        Reason::Intersections(reason) => (intersections::explain(reason), None),
    };
    Explanation { does, note }
}

/// Describes how far an engine looks ahead; `None` if it looks ahead to the end of the game.
pub fn horizon(horizon: Horizon) -> Option<String> {
    Some(match horizon {
        Horizon::Solved => return None,
        Horizon::Lines(left) => format!("Plays perfectly for the last {left} lines"),
        Horizon::Points(left) => format!("Plays perfectly for the last {left} dots"),
        Horizon::Segments(None) => "Always sees the end of a round".to_owned(),
        Horizon::Segments(Some(1)) => "Sees the end of a round one segment ahead".to_owned(),
        Horizon::Segments(Some(left)) => {
            format!("Plays rounds perfectly for the last {left} segments")
        }
        Horizon::Pushes(ahead) => format!("Sees about {ahead} pushes ahead"),
    })
}

/// Returns a hint, the move and one reason for it, in decreasing length:
/// `V1,1, which gives nothing away; 3 safe lines left`, then `V1,1, which gives nothing away`, and finally `V1,1`. A move
/// that is not proven best is `probably V1,1`. The value serves as the reason if no other reason is known, and in a lost
/// match, where other gains are irrelevant.
pub fn hints(
    mv: &str,
    is_proven: bool,
    why: Option<&Explanation>,
    value: Value,
    format: ValueFormat,
) -> Vec<String> {
    let is_lost = value.upper.is_some_and(|most| most < 0);
    let reasons = match (why, format.best_in_words(value)) {
        _ if is_lost => vec![format!("still {}", format.in_words(value))],
        (Some(why), _) => vec![why.to_string(), why.does.clone()],
        (None, worth) if worth.is_empty() => Vec::new(),
        (None, worth) => vec![worth],
    };
    let mv = if is_proven { mv.to_owned() } else { format!("probably {mv}") };
    let forms: Vec<String> = reasons.iter().map(|reason| format!("{mv}, which {reason}")).collect();
    forms.into_iter().chain([mv]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_rules::Symbol;
    use quadrille_search::DotsAndBoxesReason::{DoubleCross, LastSafe, Opens, Safe, Takes};
    use quadrille_search::{IntersectionsReason, JoinTheDotsReason, QuixoReason, TicTacToeReason};

    #[test]
    fn reasons_name_the_opponent_and_the_effect() {
        let say = |reason| explain(reason, "Bob").to_string();
        let boxes = |reason| say(Reason::DotsAndBoxes(reason));
        assert_eq!(
            boxes(DoubleCross { boxes: 2, keeps_control: true }),
            "leaves the last two boxes to keep control"
        );
        assert_eq!(
            boxes(Opens { boxes: 4, kept: 4, is_least: true }),
            "opens a loop of 4; no line gives away less"
        );
        assert_eq!(
            boxes(Opens { boxes: 2, kept: 0, is_least: false }),
            "offers two boxes without a double-cross"
        );
        for (has_chain, has_loop, kind) in
            [(true, false, "a chain"), (false, true, "a loop"), (true, true, "a chain or a loop")]
        {
            assert_eq!(
                boxes(LastSafe { has_chain, has_loop }),
                format!("gives nothing away; no safe lines left, so Bob must open {kind}")
            );
        }
        assert_eq!(
            say(Reason::JoinTheDots(JoinTheDotsReason::Safe { blocked: 3, left: Some(0) })),
            "blocks a cycle of 3 dots; no safe lines left, so Bob must give a cycle away"
        );
        assert_eq!(
            say(Reason::JoinTheDots(JoinTheDotsReason::Reduces { from: 5, to: 3 })),
            "lets Bob take only 3 dots instead of 5"
        );
        assert_eq!(
            say(Reason::Quixo(QuixoReason::Unstoppable(Symbol::X))),
            "leaves Bob no way to stop a line of X"
        );
        let cell = "b2".parse().unwrap();
        assert_eq!(
            say(Reason::TicTacToe(TicTacToeReason::Takes { cell, lines: 4 })),
            "takes the center (4 open lines)"
        );
        assert_eq!(
            say(Reason::Intersections(IntersectionsReason::Leaves { before: 2, now: 1 })),
            "cuts the threat from 2 intersections to 1"
        );
        assert_eq!(say(Reason::TicTacToe(TicTacToeReason::Safe)), "leaves no threat");
        assert_eq!(say(Reason::Quixo(QuixoReason::Safe)), "leaves no threat");
    }

    #[test]
    fn hint_has_shorter_variants() {
        let say = |reason: Option<_>, is_proven, value| {
            let why = reason.map(|reason| explain(Reason::DotsAndBoxes(reason), "Bob"));
            hints("V0,0", is_proven, why.as_ref(), value, ValueFormat::Margin)
        };
        let unknown = Value::default();
        let takes = "V0,0, which takes a box";
        assert_eq!(say(None, true, unknown), ["V0,0"]);
        assert_eq!(say(None, true, Value::exact(0)), ["V0,0, which leads to a draw", "V0,0"]);
        assert_eq!(say(Some(Takes(1)), true, Value::exact(2)), [takes, takes, "V0,0"]);
        assert_eq!(
            say(Some(Safe(1)), false, unknown),
            [
                "probably V0,0, which gives nothing away; 1 safe line left",
                "probably V0,0, which gives nothing away",
                "probably V0,0"
            ]
        );
    }

    /// The bounds of a position are not those of a move that may not be the best.
    #[test]
    fn hint_omits_bounds() {
        let say = |value| hints("V0,0", false, None, value, ValueFormat::Margin);
        for (lower, upper) in [(0, 16), (2, 16), (-3, 0), (-3, 4)] {
            assert_eq!(say(Value::between(lower, upper)), ["probably V0,0"]);
        }
        let likely = Value { estimate: Some(3.0), ..Value::between(2, 16) };
        assert_eq!(say(likely)[0], "probably V0,0, which should win by about 3");
    }

    #[test]
    fn hint_in_a_lost_position_states_the_loss() {
        let why = explain(Reason::DotsAndBoxes(Takes(1)), "Bob");
        let say = |is_proven, value| {
            hints("V0,0", is_proven, Some(&why), value, ValueFormat::Margin).swap_remove(0)
        };
        assert_eq!(say(true, Value::exact(-2)), "V0,0, which still loses by 2");
        assert_eq!(say(false, Value::between(-3, -1)), "probably V0,0, which still loses");
        assert_eq!(say(false, Value::between(-3, 4)), "probably V0,0, which takes a box");
    }
}
