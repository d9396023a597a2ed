//! The steps of a match and their text form.

use super::Termination;
use jiff::Timestamp;
use quadrille_rules::Seat;
use std::fmt;
use std::time::Duration;

/// A change to a match.
///
/// [`Display`](fmt::Display) gives the step's text: `play H0,0`, `go 3`, `line 5`, `offer-draw`, `accept-draw`,
/// `resign`, `end time: 2`, `pause`, `begin 1795823432`, `claim`, `more-time`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The seat to move plays this move.
    Play(String),
    /// Goes to the position with this number; see [`Match::go_to_node`](super::Match::go_to_node). Cancels an end of
    /// the match, [if allowed](Termination::can_be_taken_back).
    GoTo(usize),
    /// Makes redo lead to the position with this number from its parent.
    SelectVariation(usize),
    /// A seat offers a draw. The offer stands until a move, a change of position, or a new draw offer; with days per
    /// move, until a move by a seat that has not agreed.
    OfferDraw,
    /// A seat agrees to the offered draw. The match is over when all seats have agreed.
    AcceptDraw,
    Resign,
    End(Termination),
    /// Play pauses until the next step. The step records the match time, so a match with a clock resumes with the
    /// remaining time.
    Pause,
    /// A match with days per move begins at this time, in whole seconds. Match time passes from then on.
    Begin(Timestamp),
    /// An opponent claims the win because the seat to move is overdue, which thereby loses on time.
    Claim,
    /// An opponent gives the overdue seat to move more time: its turn begins anew.
    MoreTime,
}

impl Step {
    pub const fn is_play(&self) -> bool {
        matches!(self, Step::Play(_))
    }

    /// Returns whether the step offers or accepts a draw, which does not change the position.
    pub const fn is_about_draw(&self) -> bool {
        matches!(self, Step::OfferDraw | Step::AcceptDraw)
    }

    /// Infers the actor from the seat to move. Only needed for journals of version 1, which do not record actors.
    pub fn infer_actor(&self, to_move: Option<Seat>) -> Actor {
        match self {
            Step::GoTo(_) | Step::SelectVariation(_) | Step::Pause | Step::Begin(_) => Actor::Table,
            Step::End(_) => Actor::Arbiter,
            _ => to_move.map_or(Actor::Table, Actor::Seat),
        }
    }
}

/// The actor of a step.
///
/// [`Display`](fmt::Display) gives the seat's number, counted from 1, or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The player at this seat, a person or an engine.
    Seat(Seat),
    /// Any person at the table, for example when taking back a move.
    Table,
    /// Quadrille itself, which enforces the clock and the rules.
    Arbiter,
}

/// A step in the log.
///
/// [`Display`](fmt::Display) gives the line in a journal: the number, the match time in milliseconds, the actor and the
/// step, as in `12 83512 1 play H0,0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedStep {
    /// Counted from 1.
    pub number: u64,
    /// The match time in whole milliseconds. With days per move, it is the time since the match began; otherwise it
    /// excludes pauses and the time when Quadrille is not running.
    pub at: Duration,
    pub by: Actor,
    pub step: Step,
}

impl Step {
    pub fn parse(text: &str) -> Option<Step> {
        match text.split_once(' ') {
            Some(("play", mv)) => Some(Step::Play(mv.to_owned())),
            Some(("go", node)) => Some(Step::GoTo(node.parse().ok()?)),
            Some(("line", node)) => Some(Step::SelectVariation(node.parse().ok()?)),
            Some(("end", how)) => Some(Step::End(Termination::parse(how)?)),
            Some(("begin", at)) => {
                Some(Step::Begin(Timestamp::from_second(at.parse().ok()?).ok()?))
            }
            Some(_) => None,
            None => match text {
                "offer-draw" => Some(Step::OfferDraw),
                "accept-draw" => Some(Step::AcceptDraw),
                "resign" => Some(Step::Resign),
                "pause" => Some(Step::Pause),
                "claim" => Some(Step::Claim),
                "more-time" => Some(Step::MoreTime),
                _ => None,
            },
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Play(mv) => write!(f, "play {mv}"),
            Step::GoTo(node) => write!(f, "go {node}"),
            Step::SelectVariation(node) => write!(f, "line {node}"),
            Step::OfferDraw => f.write_str("offer-draw"),
            Step::AcceptDraw => f.write_str("accept-draw"),
            Step::Resign => f.write_str("resign"),
            Step::End(how) => write!(f, "end {how}"),
            Step::Pause => f.write_str("pause"),
            Step::Begin(at) => write!(f, "begin {}", at.as_second()),
            Step::Claim => f.write_str("claim"),
            Step::MoreTime => f.write_str("more-time"),
        }
    }
}

impl Actor {
    pub fn parse(text: &str) -> Option<Actor> {
        match text {
            "table" => Some(Actor::Table),
            "arbiter" => Some(Actor::Arbiter),
            seat => {
                let number = seat.parse().ok().filter(|number: &u8| (1..=8).contains(number))?;
                Some(Actor::Seat(Seat::new(number - 1)))
            }
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::Seat(seat) => seat.fmt(f),
            Actor::Table => f.write_str("table"),
            Actor::Arbiter => f.write_str("arbiter"),
        }
    }
}

impl LoggedStep {
    /// Parses a line of a journal.
    pub fn parse(line: &str) -> Option<LoggedStep> {
        let mut words = line.splitn(4, ' ');
        let number = words.next()?.parse().ok()?;
        let at = Duration::from_millis(words.next()?.parse().ok()?);
        let by = Actor::parse(words.next()?)?;
        Some(LoggedStep { number, at, by, step: Step::parse(words.next()?)? })
    }
}

impl fmt::Display for LoggedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoggedStep { number, at, by, step } = self;
        write!(f, "{number} {} {by} {step}", at.as_millis())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for line in [
            "1 0 1 play 0,0-0,3",
            "2 83512 table go 0",
            "3 83512 table line 1",
            "4 90000 2 offer-draw",
            "5 90001 1 accept-draw",
            "6 90002 8 resign",
            "7 90003 table pause",
            "8 90003 arbiter end forfeit: 2: illegal move \"H9,9\"",
            "9 1 table begin 1795823432",
            "10 259200001 1 claim",
            "11 259200001 1 more-time",
        ] {
            assert_eq!(LoggedStep::parse(line).unwrap().to_string(), line);
        }
        for line in [
            "",
            "1 0 1",
            "1 0 0 resign",
            "1 0 9 resign",
            "x 0 1 resign",
            "1 0 1 resign 2",
            "1 0 table begin",
            "1 0 table begin 999999999999",
        ] {
            assert_eq!(LoggedStep::parse(line), None, "{line}");
        }
    }
}
