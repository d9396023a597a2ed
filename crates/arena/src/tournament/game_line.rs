//! A line of `games.jsonl`: the result of one game.

use quadrille_match::session::{Forfeit, Termination};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The result of a tournament game, serialized as a line of `games.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    /// The game's number in the schedule, starting at 1.
    pub game: u64,
    /// The setup as text.
    pub setup: String,
    /// The opening moves, which are not chosen by the players.
    pub opening: Vec<String>,
    /// The names of the players, in seat order.
    pub players: Vec<String>,
    pub points: Vec<Points>,
    /// The score of each seat, if the game has scores.
    pub scores: Option<Vec<u32>>,
    pub termination: Ending,
    /// The index of the seat that lost on time, by an illegal move, by a crash or by not answering.
    pub by: Option<u8>,
    /// Details of that loss: `exited with 1`, or `no answer after 0.35 s of 0.30`, with the last line that the program
    /// wrote to standard error.
    /// Earlier builds did not write this key if there were none.
    #[serde(default)]
    pub detail: Option<String>,
    /// The number of plies, including the opening.
    pub plies: usize,
    /// The version of the levels, if a level played. Earlier builds wrote none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<u32>,
    /// The path of the record, relative to the tournament's folder.
    pub record: String,
}

/// The points of a seat for a game: one for each seat that did worse, and half a point for each seat that did equally
/// well. With two seats, a game is worth 1, ½ or 0 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points {
    pub halves: u64,
}

impl Points {
    pub fn as_f64(self) -> f64 {
        self.halves as f64 / 2.0
    }
}

/// Formats points as `3` or `3.5`.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}{}", self.halves / 2, if self.halves % 2 == 1 { ".5" } else { "" });
        f.pad(&text)
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.halves % 2 {
            0 => serializer.serialize_u64(self.halves / 2),
            _ => serializer.serialize_f64(self.as_f64()),
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Points, D::Error> {
        let halves = f64::deserialize(deserializer)? * 2.0;
        if halves.fract() != 0.0 || !(0.0..1e12).contains(&halves) {
            return Err(D::Error::custom("points are halves or whole"));
        }
        Ok(Points { halves: halves as u64 })
    }
}

/// The way a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    Rules,
    /// A seat ran out of time.
    Time,
    /// A program played an illegal move.
    #[serde(rename = "illegal move")]
    IllegalMove,
    /// A program exited, or broke the protocol.
    Crash,
    /// A program did not answer before its timeout.
    #[serde(rename = "no answer")]
    NoAnswer,
    /// The ply limit was reached, which is a draw.
    Limit,
    /// A position occurred for the third time, which is a draw.
    Repetition,
}

impl Ending {
    /// The endings in which a seat loses for a reason other than the rules.
    pub const LOSSES: [Ending; 4] =
        [Ending::Time, Ending::IllegalMove, Ending::Crash, Ending::NoAnswer];

    /// Returns how a game ended and which seat is at fault. `None` means that the game ended by the rules.
    pub fn of(termination: Option<&Termination>) -> (Ending, Option<u8>) {
        let ending = match termination {
            None | Some(Termination::Agreed | Termination::Resigned(_)) => Ending::Rules,
            Some(Termination::Time(_)) => Ending::Time,
            Some(Termination::Forfeit(_, reason)) => match reason {
                Forfeit::IllegalMove(_) => Ending::IllegalMove,
                Forfeit::NoAnswer | Forfeit::Late(..) | Forfeit::Silence(_) => Ending::NoAnswer,
                Forfeit::NotStarted(_) | Forfeit::Exited(_) | Forfeit::Other(_) => Ending::Crash,
            },
            Some(Termination::Repetition) => Ending::Repetition,
            Some(Termination::Limit) => Ending::Limit,
        };
        let by = termination.and_then(Termination::loser).map(|seat| seat.index() as u8);
        (ending, by)
    }
}

/// Formats an ending as in `games.jsonl`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_rules::Seat;

    #[test]
    fn game_line_round_trips() {
        // A line of an earlier build, without `detail`.
        let text = "{\"game\":1,\"setup\":\"layout=circle:8\",\"opening\":[\"1-2\"],\
                    \"players\":[\"Strong\",\"mine\"],\"points\":[1,0.5],\"scores\":[4,3],\
                    \"termination\":\"illegal move\",\"by\":1,\"plies\":9,\"record\":\"games/0001.game\"}";
        let line: GameLine = serde_json::from_str(text).unwrap();
        assert_eq!(line.points, [Points { halves: 2 }, Points { halves: 1 }]);
        for (detail, json) in [(None, "null"), (Some("exited with 1"), "\"exited with 1\"")] {
            let text = text.replace("\"plies\"", &format!("\"detail\":{json},\"plies\""));
            let line: GameLine = serde_json::from_str(&text).unwrap();
            assert_eq!(line.detail.as_deref(), detail);
            assert_eq!(serde_json::to_string(&line).unwrap(), text);
        }
        for bad in [text.replace("0.5", "0.3"), text.replace("illegal move", "lights out")] {
            assert!(serde_json::from_str::<GameLine>(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_ending_has_its_written_word() {
        let forfeit = |reason: &str| Termination::Forfeit(Seat::new(1), Forfeit::parse(reason));
        for (termination, word, by) in [
            (None, "rules", None),
            (Some(Termination::Time(Seat::FIRST)), "time", Some(0)),
            (Some(forfeit("illegal move \"x\"")), "illegal move", Some(1)),
            (Some(forfeit("exited with 1")), "crash", Some(1)),
            (Some(forfeit("no answer")), "no answer", Some(1)),
            (Some(forfeit("no answer after 0.35 s of 0.30")), "no answer", Some(1)),
            (Some(forfeit("no answer after 60 s of silence")), "no answer", Some(1)),
            (Some(Termination::Limit), "limit", None),
            (Some(Termination::Repetition), "repetition", None),
        ] {
            let (ending, seat) = Ending::of(termination.as_ref());
            assert_eq!((ending.to_string().as_str(), seat), (word, by));
            assert_eq!(serde_json::to_string(&ending).unwrap(), format!("\"{word}\""));
        }
    }
}
