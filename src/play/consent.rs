//! Questions between players at a shared table, and their settlement.

use super::Table;
use crate::rules::Seat;
use crate::session::{Match, SeatSet};
use crate::wording::counted;
use strum::{Display, EnumString};

/// A request that all other players have to agree to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// To go to the position with this number.
    TakeBack(usize),
    Draw,
    /// To play again; with `swap`, all players move on by one seat.
    Rematch {
        swap: bool,
    },
}

/// The subject of a question, complete enough to answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// To take back the last moves. 0 moves means only the end of the match.
    TakeBack {
        moves: usize,
    },
    /// To redo moves that were taken back.
    Redo {
        moves: usize,
    },
    Draw,
    Rematch {
        swap: bool,
    },
    /// To sit down at these seats. Only the host answers.
    Seat(SeatSet),
}

/// An unsettled question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    /// Unique at its table, except at tables of protocol version 1, which do not number questions: there it is 0.
    pub number: u64,
    pub by: String,
    pub kind: QuestionKind,
    pub is_own: bool,
    /// Whether this terminal has answered, but others have not.
    pub is_answered: bool,
}

/// How a question ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// All have agreed, or one player has refused: the last answer, and its author.
    Answered { yes: bool, by: Option<String> },
    /// It can no longer be answered.
    Gone(Lapse),
}

/// Why a question can no longer be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Lapse {
    Moved,
    /// The player who asked has withdrawn it, or left.
    Withdrawn,
    Expired,
}

impl Request {
    /// Returns the question that this request asks in the current position, or why it cannot be asked.
    pub fn kind(self, game: &Match) -> Result<QuestionKind, String> {
        let node = match self {
            Request::TakeBack(node) => node,
            Request::Draw => return Ok(QuestionKind::Draw),
            Request::Rematch { .. } if game.outcome().is_none() => {
                return Err("the match has not ended".to_owned());
            }
            Request::Rematch { swap } => return Ok(QuestionKind::Rematch { swap }),
        };
        if node >= game.nodes() {
            return Err(format!("there is no position {node}"));
        }
        if node == game.node() && game.termination().is_none() {
            return Err("already there".to_owned());
        }
        if let Some(moves) = steps(game.node(), node, |at| Some(game.edge(at)?.0)) {
            return Ok(QuestionKind::TakeBack { moves });
        }
        // Only along the variation that redo follows, where a number of moves identifies them.
        let moves = steps(game.node(), node, |at| game.next_node(at));
        let moves = moves.ok_or_else(|| format!("position {node} is in another variation"))?;
        Ok(QuestionKind::Redo { moves })
    }
}

/// Counts the steps from one position to another; `None` if it is not on the way.
fn steps(from: usize, to: usize, next: impl Fn(usize) -> Option<usize>) -> Option<usize> {
    let mut way = std::iter::successors(Some(from), |&at| next(at));
    way.position(|at| at == to)
}

impl OpenQuestion {
    /// Formats the question without the authors of moves: `Bob asks to take back 3 moves`.
    pub fn in_brief(&self) -> String {
        let by = &self.by;
        match self.kind {
            QuestionKind::TakeBack { moves: 0 } => format!("{by} asks to play on"),
            QuestionKind::TakeBack { moves } => {
                format!("{by} asks to take back {}", counted(moves, "move", "moves"))
            }
            QuestionKind::Redo { moves } => {
                format!("{by} asks to redo {}", counted(moves, "move", "moves"))
            }
            QuestionKind::Draw => format!("{by} offers a draw"),
            QuestionKind::Rematch { .. } => format!("{by} asks for a rematch"),
            QuestionKind::Seat(_) => format!("{by} asks for a seat"),
        }
    }

    /// Formats the settlement for this terminal's people; `None` if it is not news to them.
    pub fn tell_end(&self, settlement: &Settlement, me: &str) -> Option<String> {
        let by = &self.by;
        Some(match settlement {
            Settlement::Answered { yes, by: Some(answered) } if self.is_own => {
                format!("{answered} {}", if *yes { "agrees" } else { "declines" })
            }
            Settlement::Answered { yes: false, by: Some(answered) } if answered != me => {
                format!("{answered} declines")
            }
            Settlement::Answered { .. } => return None,
            Settlement::Gone(_) if self.is_answered => {
                format!("too late: {by}'s request has expired")
            }
            Settlement::Gone(Lapse::Expired) if self.is_own => {
                "no answer: your request has expired".to_owned()
            }
            Settlement::Gone(Lapse::Expired) => format!("{by}'s request has expired"),
            Settlement::Gone(Lapse::Withdrawn) if self.is_own => {
                "your request is withdrawn".to_owned()
            }
            Settlement::Gone(Lapse::Withdrawn) => format!("{by} withdraws the request"),
            Settlement::Gone(Lapse::Moved) if self.is_own => {
                "the move cancelled your request".to_owned()
            }
            Settlement::Gone(Lapse::Moved) => format!("the move cancelled {by}'s request"),
        })
    }
}

impl Table {
    /// Formats a question as a clause with the authors of moves: `Bob asks to take back Ann's b2`.
    pub fn describe_question(&self, question: &OpenQuestion) -> String {
        let (who, s) = if question.is_own { ("You", "") } else { (&*question.by, "s") };
        match question.kind {
            QuestionKind::TakeBack { moves: 0 } => format!("{who} ask{s} to play on from here"),
            QuestionKind::TakeBack { moves } => {
                format!("{who} ask{s} to take back {}", self.last_moves(moves))
            }
            QuestionKind::Redo { moves } => {
                let moves = counted(moves, "move", "moves");
                format!("{who} ask{s} to redo {moves}")
            }
            QuestionKind::Draw => format!("{who} offer{s} a draw"),
            QuestionKind::Rematch { swap: false } => format!("{who} ask{s} for a rematch"),
            QuestionKind::Rematch { swap: true } => {
                format!("{who} ask{s} for a rematch with swapped seats")
            }
            QuestionKind::Seat(seats) => format!("{who} ask{s} for {}", self.seats_in_words(seats)),
        }
    }

    /// Formats `Ann's b2`, or `the last 3 moves, from Ann's b2 on`.
    fn last_moves(&self, count: usize) -> String {
        let moves = self.current_match().moves();
        let first = moves.len().checked_sub(count).and_then(|at| moves.get(at));
        let first = first.map_or_else(String::new, |(seat, mv)| {
            format!("{}'s {mv}", self.players().name(*seat))
        });
        if count == 1 { first } else { format!("the last {count} moves, from {first} on") }
    }

    fn seats_in_words(&self, seats: SeatSet) -> String {
        let holder = |seat: Seat| self.peers().and_then(|peers| peers.at(seat));
        if let Some(holder) = seats.iter().find_map(holder) {
            return format!("the seat of {}, who is away", holder.name);
        }
        let seats: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
        format!("seat {}", seats.join(","))
    }
}
