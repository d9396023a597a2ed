//! Questions between players at a shared table, and how they are settled.

use super::{Participant, Table};
use quadrille_match::session::{Match, SeatSet};
use quadrille_text::wording::counted;
use strum::Display;

/// A request that needs the consent of all other players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Go to the position with this number.
    TakeBack(usize),
    Draw,
    /// Play again; with `swap`, each player moves to the next seat.
    Rematch {
        swap: bool,
    },
}

/// The subject of a question, with all details needed to answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// Take back the last moves. With 0 moves, only the end of the match is taken back.
    TakeBack {
        moves: usize,
    },
    /// Redo moves that were taken back.
    Redo {
        moves: usize,
    },
    Draw,
    Rematch {
        swap: bool,
    },
    /// Take these seats. Only the host answers.
    Seat(SeatSet),
    /// Begin the match with this player at these seats. Only the host answers.
    Sits(SeatSet),
    /// Join the new match that the host has opened under the table's name. Only this terminal asks and answers.
    NewMatch,
}

/// A question that is not settled yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    /// Unique at its table.
    pub number: u64,
    pub by: String,
    pub kind: QuestionKind,
    pub is_own: bool,
    /// Whether this terminal has answered and is waiting for other players.
    pub is_answered: bool,
}

impl QuestionKind {
    /// Formats a question by this player without naming who made the moves: `Bob asks to take back 3 moves`.
    pub fn in_brief(&self, by: &str) -> String {
        match self {
            QuestionKind::TakeBack { moves: 0 } => format!("{by} asks to play on"),
            QuestionKind::TakeBack { moves } => {
                format!("{by} asks to take back {}", counted(*moves, "move", "moves"))
            }
            QuestionKind::Redo { moves } => {
                format!("{by} asks to redo {}", counted(*moves, "move", "moves"))
            }
            QuestionKind::Draw => format!("{by} offers a draw"),
            QuestionKind::Rematch { .. } => format!("{by} asks for a rematch"),
            QuestionKind::Seat(seats) => format!("{by} asks for {}", in_words(*seats)),
            QuestionKind::Sits(seats) => format!("{by} sits at {}. Play?", in_words(*seats)),
            QuestionKind::NewMatch => "A new match. Join it?".to_owned(),
        }
    }
}

impl QuestionKind {
    /// Names the question after its asker: Bob's `draw offer`.
    fn noun(&self) -> String {
        match self {
            QuestionKind::TakeBack { moves: 0 } => "request to play on".to_owned(),
            QuestionKind::TakeBack { .. } => "take-back request".to_owned(),
            QuestionKind::Redo { .. } => "redo request".to_owned(),
            QuestionKind::Draw => "draw offer".to_owned(),
            QuestionKind::Rematch { .. } => "rematch request".to_owned(),
            QuestionKind::Seat(seats) | QuestionKind::Sits(seats) => {
                format!("request for {}", in_words(*seats))
            }
            QuestionKind::NewMatch => "new match".to_owned(),
        }
    }
}

impl OpenQuestion {
    /// The number of a question that no table has asked. Tables count from 1.
    const OWN_NUMBER: u64 = 0;

    /// Returns the question whether to join a new match by this host; the name is empty if there is no host.
    pub fn about_new_match(host: String) -> OpenQuestion {
        let (number, kind) = (OpenQuestion::OWN_NUMBER, QuestionKind::NewMatch);
        OpenQuestion { number, by: host, kind, is_own: false, is_answered: false }
    }
}

/// How a question ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// The last answer and its author: everyone agreed, or one player refused.
    Answered { yes: bool, by: Option<String> },
    /// The question can no longer be answered.
    Gone(Lapse),
}

/// Why a question can no longer be answered.
#[derive(Clone, Debug, PartialEq, Eq, Display)]
#[strum(serialize_all = "lowercase")]
pub enum Lapse {
    /// A player moved, if known.
    Moved {
        by: Option<String>,
    },
    /// Moves were taken back or redone.
    TakenBack,
    Resigned {
        by: String,
    },
    /// The match ended in another way.
    Ended,
    Rematch,
    /// A player left without an answer.
    Left {
        by: String,
    },
    /// The asking player withdrew the question or left.
    Withdrawn,
    Expired,
}

impl Lapse {
    /// Returns the player who caused it.
    pub fn by(&self) -> Option<&str> {
        match self {
            Lapse::Moved { by } => by.as_deref(),
            Lapse::Resigned { by } | Lapse::Left { by } => Some(by),
            _ => None,
        }
    }
}

impl Request {
    /// Returns the question that this request leads to in the current position. The error says why the request is
    /// invalid.
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
        // Only moves along the selected variation can be identified by a count.
        let moves = steps(game.node(), node, |at| game.next_node(at));
        let moves = moves.ok_or_else(|| format!("position {node} is in another variation"))?;
        Ok(QuestionKind::Redo { moves })
    }
}

/// Counts the steps from one position to another; `None` if the second is not reached.
fn steps(from: usize, to: usize, next: impl Fn(usize) -> Option<usize>) -> Option<usize> {
    let mut way = std::iter::successors(Some(from), |&at| next(at));
    way.position(|at| at == to)
}

/// Formats a request for seats: `Eve asks for seat 2`, or for the seat of an absent player `Eve asks for Bob's seat`,
/// after some moves `Eve asks for Bob's seat at move 12`.
pub fn seat_request(by: &str, seats: SeatSet, owner: Option<&str>, moves: usize) -> String {
    match (owner, moves) {
        (None, _) => QuestionKind::Seat(seats).in_brief(by),
        (Some(owner), 0) => format!("{by} asks for {owner}'s seat"),
        (Some(owner), moves) => format!("{by} asks for {owner}'s seat at move {}", moves + 1),
    }
}

impl OpenQuestion {
    /// Formats the settlement for the people at this terminal; `None` if they already know it.
    pub fn tell_end(&self, settlement: &Settlement, me: &str) -> Option<String> {
        let request = self.kind.noun();
        let request = match settlement {
            _ if self.is_own => format!("your {request}"),
            Settlement::Gone(lapse) if lapse.by() == Some(&self.by) => format!("the {request}"),
            _ => format!("{}'s {request}", self.by),
        };
        let lapse = match settlement {
            Settlement::Answered { yes, by: Some(answered) } if self.is_own => {
                let answer = if *yes { "agrees to" } else { "declines" };
                return Some(format!("{answered} {answer} {request}"));
            }
            Settlement::Answered { yes: false, by: Some(answered) } if answered != me => {
                return Some(format!("{answered} declines {request}"));
            }
            Settlement::Answered { .. } => return None,
            Settlement::Gone(lapse) => lapse,
        };
        let of = |name: &str| if name == me { "your".to_owned() } else { format!("{name}'s") };
        let cause = match lapse {
            Lapse::Moved { by: Some(by) } => of(by) + " move",
            Lapse::Moved { by: None } => "the move".to_owned(),
            Lapse::TakenBack => "the take-back".to_owned(),
            Lapse::Resigned { by } => of(by) + " resignation",
            Lapse::Ended => "the end of the match".to_owned(),
            Lapse::Rematch => "the rematch".to_owned(),
            Lapse::Left { by } => of(by) + " departure",
            Lapse::Withdrawn if self.is_own => return Some(format!("{request} is withdrawn")),
            Lapse::Withdrawn => {
                return Some(format!("{} withdraws the {}", self.by, self.kind.noun()));
            }
            Lapse::Expired => return Some(format!("no answer in time: {request} has expired")),
        };
        Some(format!("{cause} canceled {request}"))
    }
}

impl Table {
    /// Formats a question as a clause that names who made the moves: `Bob asks to take back Ann's b2`.
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
            QuestionKind::Seat(seats) => {
                let owner = self.seat_owner(seats).map(|owner| &*owner.name);
                let asked = seat_request(who, seats, owner, self.current_match().ply());
                match owner {
                    Some(owner) => format!("{asked}; {owner} is away"),
                    None => asked,
                }
            }
            QuestionKind::Sits(seats) => format!("{who} sit{s} at {}. Play?", in_words(seats)),
            QuestionKind::NewMatch if who.is_empty() => {
                "A new match was opened. Join it?".to_owned()
            }
            QuestionKind::NewMatch => format!("{who} opened a new match. Join it?"),
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

    /// Returns the player who has one of these seats of a shared table.
    pub fn seat_owner(&self, seats: SeatSet) -> Option<&Participant> {
        let peers = self.peers()?;
        seats.iter().find_map(|seat| peers.at(seat))
    }
}

/// Formats `seat 2`.
fn in_words(seats: SeatSet) -> String {
    let seats: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
    format!("seat {}", seats.join(","))
}
