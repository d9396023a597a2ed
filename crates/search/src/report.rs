//! The results of a search.

use super::StopReason;
use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;

/// The known value of a position or a move, always for the seat to move in the analyzed position.
///
/// In a game with scores, the value is the margin at the end of the game: the score of that seat minus the best score
/// of the other seats. In a game without scores, it is 1 for a win, 0 for a draw and -1 for a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Value {
    /// The proven lower bound.
    pub lower: Option<i32>,
    /// The proven upper bound.
    pub upper: Option<i32>,
    /// The likely value, if the exact value is not proven.
    pub estimate: Option<f32>,
    /// Plies to the end if the winner hurries and the loser delays. `None` for a draw, and in a game in which the
    /// length does not matter.
    pub plies: Option<u32>,
}

/// How far a value is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The exact value is proven.
    Exact,
    /// At least one bound is proven.
    Bounds,
    /// Nothing is proven.
    Estimate,
}

impl Value {
    /// Returns a proven value.
    pub const fn exact(value: i32) -> Value {
        Value { lower: Some(value), upper: Some(value), estimate: None, plies: None }
    }

    /// Returns an estimate, of which nothing is proven.
    pub const fn estimate(value: f32) -> Value {
        Value { lower: None, upper: None, estimate: Some(value), plies: None }
    }

    /// Returns a value proven to lie between two inclusive bounds.
    pub const fn between(lower: i32, upper: i32) -> Value {
        Value { lower: Some(lower), upper: Some(upper), estimate: None, plies: None }
    }

    /// Sets the number of plies to the end. A draw has no number of plies.
    pub const fn with_plies(self, plies: u32) -> Value {
        let is_draw = matches!((self.lower, self.upper), (Some(0), Some(0)));
        Value { plies: if is_draw { None } else { Some(plies) }, ..self }
    }

    /// Returns the exact value, if proven.
    pub fn proven(self) -> Option<i32> {
        self.lower.filter(|_| self.lower == self.upper)
    }

    /// Returns how far the value is proven.
    pub fn kind(self) -> Kind {
        if self.proven().is_some() {
            Kind::Exact
        } else if self.lower.is_some() || self.upper.is_some() {
            Kind::Bounds
        } else {
            Kind::Estimate
        }
    }

    /// Returns one number for comparisons and diagrams: the proven value, or else the estimate, the midpoint of the
    /// bounds, or the only bound. `None` if nothing is known.
    pub fn point_estimate(self) -> Option<f32> {
        let middle = || Some((self.lower? + self.upper?) as f32 / 2.0);
        self.proven()
            .map(|value| value as f32)
            .or(self.estimate)
            .or_else(middle)
            .or(self.lower.or(self.upper).map(|bound| bound as f32))
    }
}

/// The value of a round for a seat. The type is small, since a report may store a value for each of many thousand
/// moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RoundValue {
    /// The proven value.
    Proven(i32),
    /// The likely value.
    Likely(f32),
}

impl RoundValue {
    /// Returns the value, if proven.
    pub fn proven(self) -> Option<i32> {
        Value::from(self).proven()
    }
}

impl From<RoundValue> for Value {
    fn from(round: RoundValue) -> Value {
        match round {
            RoundValue::Proven(value) => Value::exact(value),
            RoundValue::Likely(value) => Value::estimate(value),
        }
    }
}

/// A legal move and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedMove<M> {
    /// The move.
    pub mv: M,
    /// The value of the move for the seat that plays it.
    pub value: Value,
    /// In a game with rounds, the value of this round for that seat; see [`Report::round_value`].
    pub round_value: Option<RoundValue>,
}

/// The fill level of a table of limited size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// The used share of the table's full size, from 0 to 1.
    pub share: f32,
    /// Whether many new entries are currently replacing old ones.
    pub is_evicting: bool,
}

/// The result of searching a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The value of the position for the seat to move.
    pub value: Value,
    /// In Making Intersections, the value of this round for the seat to move with best play: the dots that the offense
    /// scores in the round, negated if a defender is to move.
    pub round_value: Option<RoundValue>,
    /// Plies searched in full; 0 in a search that does not count plies.
    pub depth: u32,
    /// The best known moves, beginning with the one to play. If the value is exact, each is proven to reach it.
    pub best: Vec<M>,
    /// The principal variation, beginning with the move to play.
    pub pv: Vec<M>,
    /// Legal moves with their values, best first; complete once [`Scope::Moves`] is answered.
    ///
    /// [`Scope::Moves`]: super::Scope::Moves
    pub moves: Vec<RatedMove<M>>,
    /// Known lines of best moves that begin with a move other than that of the principal variation.
    pub variations: Vec<Vec<M>>,
    /// Positions searched.
    pub nodes: u64,
    /// The memory of the tables, in bytes.
    pub table_bytes: usize,
    /// The fill level of the table, if known.
    pub fill: Option<Fill>,
    /// While a bound is being proven: the number of root moves decided, and the total number of root moves. Moves that
    /// are equal by symmetry count once.
    pub moves_decided: Option<(u32, u32)>,
    /// The progress, from 0 to 1, of building a table that is usable only once complete.
    pub progress: Option<f32>,
    /// The reason why the search stopped before everything was proven; `None` while the search runs, and when
    /// everything is proven.
    pub halt: Option<StopReason>,
}

impl<M: Clone + Eq> Report<M> {
    /// Returns the line of best moves that begins with this move, as far as it is known: at least the move itself.
    pub fn variation(&self, mv: &M) -> Vec<M> {
        let mut variations = std::iter::once(&self.pv).chain(&self.variations);
        let known = variations.find(|line| line.first() == Some(mv));
        known.cloned().unwrap_or_else(|| vec![mv.clone()])
    }

    /// Adds the legal moves that are missing from [`moves`](Report::moves). Only the best moves of a proven position
    /// get a known value.
    pub fn complete(&mut self, legal: impl IntoIterator<Item = M>)
    where
        M: Hash,
    {
        let known: HashSet<M> = self.moves.iter().map(|rated| rated.mv.clone()).collect();
        let mut missing: Vec<RatedMove<M>> = Vec::new();
        for mv in legal.into_iter().filter(|mv| !known.contains(mv)) {
            let is_proven = self.value.proven().is_some() && self.best.contains(&mv);
            let value = if is_proven { self.value } else { Value::default() };
            missing.push(RatedMove { mv, value, round_value: None });
        }
        missing.sort_by_key(|rated| rated.value.proven().is_none());
        self.moves.extend(missing);
    }
}

impl<M> Default for Report<M> {
    /// Returns a report without results.
    fn default() -> Report<M> {
        Report {
            value: Value::default(),
            round_value: None,
            depth: 0,
            best: Vec::new(),
            pv: Vec::new(),
            moves: Vec::new(),
            variations: Vec::new(),
            nodes: 0,
            table_bytes: 0,
            fill: None,
            moves_decided: None,
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
    fn value_kind_reflects_what_is_proven() {
        assert_eq!(Value::exact(2).kind(), Kind::Exact);
        assert_eq!(Value::between(0, 2).kind(), Kind::Bounds);
        assert_eq!(Value { lower: Some(0), ..Value::estimate(1.0) }.kind(), Kind::Bounds);
        assert_eq!(Value::estimate(2.0).kind(), Kind::Estimate);
        assert_eq!(Value { lower: Some(3), ..Value::default() }.point_estimate(), Some(3.0));
    }

    #[test]
    fn complete_lists_every_legal_move_once() {
        let rated = RatedMove { mv: 'b', value: Value::exact(1), round_value: None };
        let mut report = Report { moves: vec![rated], ..Report::default() };
        report.complete(['a', 'b', 'c']);
        let moves = |report: &Report<char>| -> Vec<(char, Option<i32>)> {
            report.moves.iter().map(|rated| (rated.mv, rated.value.proven())).collect()
        };
        assert_eq!(moves(&report), [('b', Some(1)), ('a', None), ('c', None)]);
        let mut report = Report { value: Value::exact(2), best: vec!['c'], ..Report::default() };
        report.complete(['a', 'b', 'c']);
        assert_eq!(moves(&report), [('c', Some(2)), ('a', None), ('b', None)]);
        report = Report { value: Value::between(1, 2), best: vec!['c'], ..Report::default() };
        report.complete(['c']);
        assert_eq!(moves(&report), [('c', None)], "the bounds are not those of this move");
    }

    #[test]
    fn line_starts_with_its_move() {
        let report =
            Report { pv: vec!['a', 'b'], variations: vec![vec!['b', 'c']], ..Report::default() };
        assert_eq!(report.variation(&'a'), ['a', 'b']);
        assert_eq!(report.variation(&'b'), ['b', 'c']);
        assert_eq!(report.variation(&'c'), ['c']);
    }

    #[test]
    fn a_draw_has_no_number_of_plies() {
        assert_eq!(Value::exact(1).with_plies(7).plies, Some(7));
        assert_eq!(Value::exact(-1).with_plies(0).plies, Some(0));
        assert_eq!(Value::exact(0).with_plies(9), Value::exact(0));
    }
}
