//! What a search has found.

use super::Halt;
use std::fmt;

/// What is known of the worth of a position or a move, always for the seat to move in the position
/// that was asked about.
///
/// In a game with scores it is the margin at the end of the game: that seat's points, those made
/// already too, less those of the best of the others. In a game without scores it is 1 for a win,
/// 0 for a draw and -1 for a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Value {
    /// It is proven to be no less than this, if anything is.
    pub lower: Option<i32>,
    /// It is proven to be no more than this, if anything is.
    pub upper: Option<i32>,
    /// What it is likely to be, where it is not proven.
    pub estimate: Option<f32>,
    /// After how many plies the game ends when all play their best: the winner as fast, the loser as
    /// slow as they can. It is `None` of a draw, which nobody hastens or puts off, and in a game whose
    /// length is no matter.
    pub plies: Option<u32>,
}

/// How much is proven of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All of it.
    Exact,
    /// That it lies between two bounds.
    Bounds,
    /// Nothing.
    Estimate,
}

impl Value {
    /// A proven value.
    pub const fn exact(value: i32) -> Value {
        Value { lower: Some(value), upper: Some(value), estimate: None, plies: None }
    }

    /// A value that nothing is proven of.
    pub const fn estimate(value: f32) -> Value {
        Value { lower: None, upper: None, estimate: Some(value), plies: None }
    }

    /// A value proven to lie between two bounds, both possible.
    pub const fn between(lower: i32, upper: i32) -> Value {
        Value { lower: Some(lower), upper: Some(upper), estimate: None, plies: None }
    }

    /// The value with the number of plies to the end; a draw stays without.
    pub const fn in_plies(self, plies: u32) -> Value {
        let is_draw = matches!((self.lower, self.upper), (Some(0), Some(0)));
        Value { plies: if is_draw { None } else { Some(plies) }, ..self }
    }

    /// The value, where it is proven.
    pub fn proven(self) -> Option<i32> {
        self.lower.filter(|_| self.lower == self.upper)
    }

    /// How much is proven.
    pub fn kind(self) -> Kind {
        if self.proven().is_some() {
            Kind::Exact
        } else if self.lower.is_some() || self.upper.is_some() {
            Kind::Bounds
        } else {
            Kind::Estimate
        }
    }

    /// One number to compare and draw: the proven value, else the estimate, else what lies between
    /// the bounds. `None` when nothing is known at all.
    pub fn likely(self) -> Option<f32> {
        let middle = || Some((self.lower? + self.upper?) as f32 / 2.0);
        self.proven()
            .map(|value| value as f32)
            .or(self.estimate)
            .or_else(middle)
            .or(self.lower.or(self.upper).map(|bound| bound as f32))
    }
}

/// A legal move and its worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated<M> {
    /// The move.
    pub mv: M,
    /// Its worth to the seat that plays it.
    pub value: Value,
    /// In Making Intersections: the dots the offense scores this round when all play their best
    /// after this move, where that is proven.
    pub round_value: Option<u32>,
}

/// How full a table is that may only become so large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// How much of what may be kept in it is, from 0 to 1.
    pub share: f32,
    /// Whether it has begun to forget: of what is put into it now, a good part takes the place of
    /// something else.
    pub forgets: bool,
}

/// What a search knows of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The worth of the position to the seat to move.
    pub value: Value,
    /// In Making Intersections: the dots the offense scores this round when all play their best,
    /// where that is proven.
    pub round_value: Option<u32>,
    /// How many plies the search has looked ahead in full; 0 where that means nothing.
    pub depth: u32,
    /// The best moves, as far as they are known, the one to play first. Where the value is exact
    /// they are proven to reach it.
    pub best: Vec<M>,
    /// The principal variation: a line of best moves, which begins with the move to play.
    pub pv: Vec<M>,
    /// Legal moves with their worth, the best first; all of them once [`Scope::Moves`] is answered.
    ///
    /// [`Scope::Moves`]: super::Scope::Moves
    pub moves: Vec<Rated<M>>,
    /// How many positions were looked at.
    pub nodes: u64,
    /// Bytes that tables take.
    pub table: usize,
    /// How full the table is, where that is known.
    pub fill: Option<Fill>,
    /// While a bound is being proven: with how many moves the search is done, of how many. Those
    /// that are the same up to symmetry count once.
    pub openings: Option<(u32, u32)>,
    /// While a table is built that has to be whole before it answers anything: how much of it is
    /// done, from 0 to 1.
    pub progress: Option<f32>,
    /// Why the search ended before all was proven; `None` while it runs, and when all was.
    pub halt: Option<Halt>,
}

impl<M> Default for Report<M> {
    /// Nothing is known.
    fn default() -> Report<M> {
        Report {
            value: Value::default(),
            round_value: None,
            depth: 0,
            best: Vec::new(),
            pv: Vec::new(),
            moves: Vec::new(),
            nodes: 0,
            table: 0,
            fill: None,
            openings: None,
            progress: None,
            halt: None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Exact => "exact",
            Kind::Bounds => "bounds",
            Kind::Estimate => "estimate",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proven_is_told_from_what_is_not() {
        assert_eq!(Value::exact(2).kind(), Kind::Exact);
        assert_eq!(Value::between(0, 2).kind(), Kind::Bounds);
        assert_eq!(Value { lower: Some(0), ..Value::estimate(1.0) }.kind(), Kind::Bounds);
        assert_eq!(Value::estimate(2.0).kind(), Kind::Estimate);
        assert_eq!(Value { lower: Some(3), ..Value::default() }.likely(), Some(3.0));
    }

    #[test]
    fn a_draw_has_no_distance() {
        assert_eq!(Value::exact(1).in_plies(7).plies, Some(7));
        assert_eq!(Value::exact(-1).in_plies(0).plies, Some(0));
        assert_eq!(Value::exact(0).in_plies(9), Value::exact(0));
    }
}
