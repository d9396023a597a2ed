//! Join the Dots.
//!
//! Source: Ken Ross, *Project 4: Join the dots*, W4444, 2001; quotations below are from it.

mod geometry;
mod layout;

pub use geometry::{Point, UNIT, cross, orientation};

use super::{
    ChoiceOption, NumberOption, OptionSpec, Outcome, ParseMoveError, Position, Scores, Seat, Setup,
    SetupError, TextOption, WordChoice, text,
};
use crate::setup::quote;
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

const MAX_POINTS: usize = 200;

const LAYOUT: ChoiceOption = ChoiceOption {
    name: "layout",
    help: "arrangement of the dots",
    choices: &[
        WordChoice::counted("spread", "random, no three dots nearly in line"),
        WordChoice::counted("random", "anywhere"),
        WordChoice::counted("clustered", "in groups"),
        WordChoice::counted("grid", "near the points of a square grid"),
        WordChoice::counted("circle", "on a circle"),
        WordChoice::counted("double-circle", "half on a circle, half just inside"),
        WordChoice::counted("spiral", "on a spiral"),
        WordChoice::counted("onion", "in nested triangles"),
        WordChoice::counted("zigzag", "in two facing zigzag rows"),
        WordChoice::plain("eight", "the example of the source text"),
    ],
    counts: "dots",
    min: 3,
    max: MAX_POINTS as u32,
    default: 10,
};

/// The layouts that use a seed.
const RANDOM: [&str; 4] = ["spread", "random", "clustered", "grid"];

const SEED: NumberOption = NumberOption {
    name: "seed",
    help: "seed of the random dots",
    shorthand: None,
    min: 0,
    max: u32::MAX,
    step: 1,
    default: 1,
};
const POINTS: TextOption = TextOption {
    name: "points",
    help: "your own dots, instead of a layout",
    form: "x,y;x,y;... from 0 to 1 with at most 6 decimals",
};

/// A position of Join the Dots: "a set of points in the unit square with the property that no three points lie on a
/// single line", and the lines between them.
///
/// Before every move the lines form a forest, since every cycle is removed when it is closed. Therefore a move closes
/// at most one cycle, and only if its two points are in one tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JoinTheDots {
    points: Arc<[Point]>,
    /// Whether each point is still in the game.
    left: Vec<bool>,
    /// The lines on the board, sorted.
    lines: Vec<Edge>,
    next: Seat,
    scores: [u32; 2],
}

/// A line between two points, numbered from 1; written `3-7` with the smaller number first, parsed in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    a: u8,
    b: u8,
}

/// The reason why two points cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JoinError {
    /// No point has this number.
    NoPoint(u8),
    /// "Any two points": the two points are the same.
    SamePoint(u8),
    /// The point was removed with its cycle.
    Gone(u8),
    /// The two points are already joined. The source does not forbid joining them again, but that would be skipping a
    /// turn, and "you cannot skip a turn".
    Joined(Edge),
    /// "As long as that line does not cross an existing line segment in the game."
    Crosses(Edge, Edge),
    /// "The game continues until fewer than three points remain."
    Over,
}

impl Edge {
    /// Creates the line between two points, given in either order.
    pub const fn new(a: u8, b: u8) -> Edge {
        if a < b { Edge { a, b } } else { Edge { a: b, b: a } }
    }

    /// Returns the numbers of the two points, the smaller first.
    pub const fn ends(self) -> [u8; 2] {
        [self.a, self.b]
    }
}

impl JoinTheDots {
    fn all_options() -> Vec<OptionSpec> {
        vec![LAYOUT.into(), SEED.into(), POINTS.into()]
    }

    /// Returns all points at the start of the game; number 1 is the first.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Returns the coordinates of a point, even if it is no longer in the game.
    pub fn point(&self, number: u8) -> Option<Point> {
        self.points.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Returns whether the point is still in the game.
    pub fn is_alive(&self, number: u8) -> bool {
        usize::from(number).checked_sub(1).and_then(|i| self.left.get(i)).copied().unwrap_or(false)
    }

    /// Returns the numbers of the points still in the game.
    pub fn points_left(&self) -> impl Iterator<Item = u8> {
        (1..=self.points.len() as u8).filter(|&number| self.is_alive(number))
    }

    /// Returns the lines on the board, sorted by number.
    pub fn lines(&self) -> &[Edge] {
        &self.lines
    }

    /// Returns the first line on the board that `line` would cross.
    ///
    /// # Panics
    ///
    /// Panics if one of the two points does not exist.
    pub fn crossed_by(&self, line: Edge) -> Option<Edge> {
        self.lines.iter().copied().find(|&other| self.crosses(line, other))
    }

    fn crosses(&self, line: Edge, other: Edge) -> bool {
        let [[a, b], [c, d]] =
            [line, other].map(|line| line.ends().map(|number| self.points[number as usize - 1]));
        cross(a, b, c, d)
    }

    /// Returns the points of the cycle that a legal line would close, in cyclic order, or `None`.
    pub fn cycle_closed_by(&self, line: Edge) -> Option<Vec<u8>> {
        cycle_closed_by(&self.lines, line)
    }
}

/// Returns the points of the cycle that `line` closes with `lines`, in cyclic order, or `None`. `lines` must be a
/// forest.
pub fn cycle_closed_by(lines: &[Edge], line: Edge) -> Option<Vec<u8>> {
    // Searches the tree of point a for b, remembering the path.
    let mut came_from = [0; u8::MAX as usize + 1];
    let mut open = vec![line.a];
    while let Some(at) = open.pop() {
        if at == line.b {
            let mut cycle = vec![at];
            while let Some(&last) = cycle.last().filter(|&&last| last != line.a) {
                cycle.push(came_from[last as usize]);
            }
            return Some(cycle);
        }
        for other in lines {
            let next = match other.ends() {
                [a, b] if a == at => b,
                [a, b] if b == at => a,
                _ => continue,
            };
            if next != came_from[at as usize] {
                came_from[next as usize] = at;
                open.push(next);
            }
        }
    }
    None
}

/// Checks that "no three points lie on a single line", that all points are distinct and that all lie in the unit
/// square.
fn check_points(points: &[Point]) -> Result<(), String> {
    if points.len() > MAX_POINTS {
        return Err(format!(
            "{} points are too many; at most {MAX_POINTS} are allowed",
            points.len()
        ));
    }
    for (c, &third) in points.iter().enumerate() {
        if !third.is_inside() {
            return Err(format!("point {} ({third}) is outside the unit square", c + 1));
        }
        for (b, &second) in points[..c].iter().enumerate() {
            if second == third {
                return Err(format!("points {} and {} are the same", b + 1, c + 1));
            }
            let a = points[..b].iter().position(|&first| orientation(first, second, third) == 0);
            if let Some(a) = a {
                return Err(format!("points {}, {} and {} are on one line", a + 1, b + 1, c + 1));
            }
        }
    }
    Ok(())
}

impl Position for JoinTheDots {
    type Move = Edge;
    type IllegalMove = JoinError;

    const ID: &'static str = "join-the-dots";
    const NAME: &'static str = "Join the Dots";
    /// The seed is an option only of random layouts.
    fn options(setup: &Setup) -> Vec<OptionSpec> {
        let mut options = Self::all_options();
        let layout = LAYOUT.read(setup).map_or(RANDOM[0], |(layout, _)| layout);
        if setup.get(POINTS.name).is_some() || !RANDOM.contains(&layout) {
            options.retain(|option| option.name() != SEED.name);
        }
        options
    }

    fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        // A seed without a random layout is accepted, and has no effect.
        setup.check_names(&Self::all_options())?;
        let layout = LAYOUT.read(setup)?;
        let seed = SEED.read(setup)?;
        let points = match POINTS.read(setup) {
            Some(text) => {
                if setup.get(LAYOUT.name).is_some() {
                    return Err(POINTS.error(text, "give points or a layout, not both"));
                }
                let words = text.split(';').filter(|_| !text.is_empty()).enumerate();
                let points = words.map(|(index, word)| {
                    word.parse().map_err(|()| {
                        let (number, word) = (index + 1, quote(word, 40));
                        let reason =
                            format!("point {number} must be x,y such as 0.25,0.5, not {word:?}");
                        POINTS.error(text, reason)
                    })
                });
                let points: Vec<Point> = points.collect::<Result<_, _>>()?;
                check_points(&points).map_err(|reason| POINTS.error(text, reason))?;
                points
            }
            None => match layout {
                ("spread", count) => layout::spread(count, seed),
                ("random", count) => layout::random(count, seed),
                ("clustered", count) => layout::clustered(count, seed),
                ("grid", count) => layout::grid(count, seed),
                ("circle", count) => layout::circle(count),
                ("double-circle", count) => layout::double_circle(count),
                ("spiral", count) => layout::spiral(count),
                ("onion", count) => layout::onion(count),
                ("zigzag", count) => layout::zigzag(count),
                (name, _) => layout::listed(name),
            },
        };
        Ok(JoinTheDots {
            left: vec![true; points.len()],
            points: points.into(),
            lines: Vec::new(),
            next: Seat::FIRST,
            scores: [0, 0],
        })
    }

    fn setup(&self) -> Setup {
        let points: Vec<String> = self.points.iter().map(Point::to_string).collect();
        Setup::new().with("points", points.join(";"))
    }

    fn to_move(&self) -> Option<Seat> {
        self.outcome().is_none().then_some(self.next)
    }

    fn append_legal_moves(&self, out: &mut Vec<Edge>) {
        if self.outcome().is_some() {
            return;
        }
        let points: Vec<u8> = self.points_left().collect();
        for (i, &a) in points.iter().enumerate() {
            for &b in &points[i + 1..] {
                let line = Edge { a, b };
                if self.lines.binary_search(&line).is_err() && self.crossed_by(line).is_none() {
                    out.push(line);
                }
            }
        }
    }

    fn check(&self, line: Edge) -> Result<(), JoinError> {
        if let Some(number) = line.ends().into_iter().find(|end| self.point(*end).is_none()) {
            return Err(JoinError::NoPoint(number));
        }
        if self.outcome().is_some() {
            return Err(JoinError::Over);
        }
        for number in line.ends() {
            if !self.is_alive(number) {
                return Err(JoinError::Gone(number));
            }
        }
        if line.a == line.b {
            return Err(JoinError::SamePoint(line.a));
        }
        if self.lines.binary_search(&line).is_ok() {
            return Err(JoinError::Joined(line));
        }
        match self.crossed_by(line) {
            Some(other) => Err(JoinError::Crosses(line, other)),
            None => Ok(()),
        }
    }

    /// "A player who closes a cycle of length n scores n points. All points on the cycle are removed from the game,
    /// along with each line that has an endpoint on the cycle." Points and lines inside the cycle stay. Turns always
    /// alternate.
    fn play(&mut self, line: Edge) -> Result<(), JoinError> {
        self.check(line)?;
        if let Some(cycle) = self.cycle_closed_by(line) {
            self.scores[self.next.index()] += cycle.len() as u32;
            self.lines.retain(|line| !line.ends().iter().any(|end| cycle.contains(end)));
            for number in cycle {
                self.left[number as usize - 1] = false;
            }
        } else if let Err(place) = self.lines.binary_search(&line) {
            self.lines.insert(place, line);
        }
        self.next = self.next.next(2);
        Ok(())
    }

    fn scores(&self) -> Option<Scores> {
        Some(Scores::new(&self.scores))
    }

    /// "The winner is the player with the most points"; "the result is a 3-3 tie".
    fn outcome(&self) -> Option<Outcome> {
        let left = self.left.iter().filter(|left| **left).count();
        (left < 3).then(|| Outcome::from_scores(&self.scores))
    }

    fn validate(&self) -> Result<(), String> {
        let gone = self.left.iter().filter(|left| !**left).count() as u32;
        let scored: u32 = self.scores.iter().sum();
        if gone != scored {
            return Err(format!("{gone} points are gone and {scored} scored"));
        }
        // Check with union-find that the lines are a forest.
        let mut set: Vec<usize> = (0..=self.points.len()).collect();
        for (index, line) in self.lines.iter().enumerate() {
            let [a, b] = line.ends().map(|number| set[number as usize]);
            if a == b {
                return Err(format!("{line} closes a cycle that is still there"));
            }
            set.iter_mut().filter(|s| **s == a).for_each(|s| *s = b);
            if line.ends().iter().any(|&number| !self.is_alive(number)) {
                return Err(format!("{line} ends on a point that is gone"));
            }
            for other in &self.lines[..index] {
                if other >= line || self.crosses(*line, *other) {
                    return Err(format!("{other} and {line} cross or are out of order"));
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for JoinTheDots {
    /// Writes two lines: `points: 1 2 3`, the points left, and `lines: 1-3 2-3`, sorted by number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("points:")?;
        self.points_left().try_for_each(|number| write!(f, " {number}"))?;
        f.write_str("\nlines:")?;
        self.lines.iter().try_for_each(|line| write!(f, " {line}"))
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.a, self.b)
    }
}

impl FromStr for Edge {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Edge, ParseMoveError> {
        let number = |text| text::number(text)?.try_into().ok();
        let line = || {
            let (a, b) = text.split_once('-')?;
            Some(Edge::new(number(a)?, number(b)?))
        };
        line().ok_or(ParseMoveError::new(
            "a move is the numbers of two dots, such as 3-7",
            "a move is the numbers of two dots",
        ))
    }
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JoinError::NoPoint(number) => write!(f, "no dot {number}"),
            JoinError::SamePoint(number) => write!(f, "dot {number} cannot be joined to itself"),
            JoinError::Gone(number) => write!(f, "dot {number} was removed with its cycle"),
            JoinError::Joined(line) => write!(f, "{} and {} are already joined", line.a, line.b),
            JoinError::Crosses(line, other) => write!(f, "{line} would cross {other}"),
            JoinError::Over => f.write_str("the game is over"),
        }
    }
}

impl Error for JoinError {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn start(setup: &str) -> JoinTheDots {
        JoinTheDots::from_setup(&setup.parse().unwrap()).unwrap()
    }

    fn refusal(game: &JoinTheDots, mv: &str) -> String {
        game.check(mv.parse().unwrap()).unwrap_err().to_string()
    }

    fn play(game: &mut JoinTheDots, moves: &str) {
        for mv in moves.split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap_or_else(|illegal| panic!("{mv}: {illegal}"));
        }
    }

    /// Replays the source's example sentence by sentence, on the layout `eight`.
    #[test]
    fn game_replays_the_published_story() {
        let mut game = start("layout=eight");
        play(&mut game, "3-4 2-3 7-8 1-5");
        // "In this position there are no cycles that can be completed in one move; we cannot form a
        // 3-cycle by joining the top-left point with the rightmost point because the connecting
        // line would cross the intervening vertical line."
        assert!(game.legal_moves().into_iter().all(|line| game.cycle_closed_by(line).is_none()));
        assert_eq!(refusal(&game, "2-4"), "2-4 would cross 7-8");
        // "Player 1 must now allow player 2 to create a cycle."
        assert_eq!(game.to_move(), Some(Seat::FIRST));
        play(&mut game, "1-7");
        // "Player 2 has formed a 3-cycle, so player 2 scores 3 points and the triangle is removed."
        play(&mut game, "1-8");
        assert_eq!(game.scores().as_deref(), Some(&[0, 3][..]));
        assert_eq!(game.to_string(), "points: 2 3 4 5 6\nlines: 2-3 3-4");
        // "Player 1 closes the remaining 3-cycle, scoring 3 points, and the game is over because
        // fewer than 3 points remain. The result is a 3-3 tie."
        assert_eq!(game.to_move(), Some(Seat::FIRST));
        play(&mut game, "2-4");
        assert_eq!(game.scores().as_deref(), Some(&[3, 3][..]));
        assert_eq!(game.outcome(), Some(Outcome::draw(2)));
        assert_eq!(refusal(&game, "5-6"), "the game is over");
    }

    #[test]
    fn cycle_removes_only_its_points_and_their_lines() {
        // A square 1 2 3 4 with 5 inside it, off its diagonals, and 6 and 7 outside.
        let mut game = start("points=0.1,0.1;0.8,0.15;0.75,0.8;0.12,0.7;0.4,0.35;0.9,0.9;0.95,0.3");
        play(&mut game, "1-2 2-3 3-4 3-6 6-7 4-5");
        assert_eq!(game.cycle_closed_by(Edge::new(1, 4)), Some(vec![4, 3, 2, 1]));
        play(&mut game, "1-4");
        assert_eq!(game.to_string(), "points: 5 6 7\nlines: 6-7");
        assert_eq!(game.scores().as_deref(), Some(&[4, 0][..]));
        assert_eq!(refusal(&game, "3-6"), "dot 3 was removed with its cycle");
        assert_eq!(game.to_move(), Some(Seat::SECOND), "turns alternate after a cycle too");
    }

    #[test]
    fn every_refusal_states_its_reason() {
        let mut game = start("layout=circle:5");
        play(&mut game, "1-3");
        assert_eq!(refusal(&game, "2-4"), "2-4 would cross 1-3");
        assert_eq!(refusal(&game, "3-1"), "1 and 3 are already joined");
        assert_eq!(refusal(&game, "2-2"), "dot 2 cannot be joined to itself");
        assert_eq!(refusal(&game, "2-6"), "no dot 6");
        assert_eq!(refusal(&game, "0-1"), "no dot 0");
        for bad in ["", "1", "1-", "1-256", "a-b", "1 - 2", "01-2", "1-2-3"] {
            assert!(bad.parse::<Edge>().is_err(), "{bad:?}");
        }
        assert_eq!("7-3".parse::<Edge>().unwrap().to_string(), "3-7");
    }

    #[test]
    fn setup_error_names_the_offending_points() {
        let error =
            |setup: &str| JoinTheDots::from_setup(&setup.parse().unwrap()).unwrap_err().to_string();
        assert_eq!(
            error("points=0,0;0.9,0;0.5,0.5;1,1"),
            "points=0,0;0.9,0;0.5,0.5;1,1: points 1, 3 and 4 are on one line"
        );
        assert_eq!(error("points=0,0;0,0"), "points=0,0;0,0: points 1 and 2 are the same");
        assert_eq!(error("points=0,2"), "points=0,2: point 1 (0,2) is outside the unit square");
        assert_eq!(
            error("points=0,0;x"),
            "points=0,0;x: point 2 must be x,y such as 0.25,0.5, not \"x\""
        );
        assert!(error("points=0,0 layout=eight").ends_with("give points or a layout, not both"));
        let many: Vec<String> = (0..201).map(|i| format!("0.{i:03},0.{:06}", i * i)).collect();
        assert!(
            error(&format!("points={}", many.join(";")))
                .ends_with("201 points are too many; at most 200 are allowed")
        );
    }

    #[test]
    fn game_with_fewer_than_three_points_is_over() {
        for points in ["", "0,0", "0,0;1,1"] {
            let game = start(&format!("points={points}"));
            assert_eq!((game.to_move(), game.outcome()), (None, Some(Outcome::draw(2))));
            assert_eq!(game.setup().to_string(), format!("points={points}"));
        }
    }

    proptest! {
        /// If at least three points are left, a legal move exists. The lines remain a forest without crossings.
        #[test]
        fn random_play_keeps_lines_a_forest_and_never_stalls(seed in 0u32.., count in 3u32..30, choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..80)) {
            let mut game = start(&format!("layout=random:{count} seed={seed}"));
            for choice in choices {
                let moves = game.legal_moves();
                prop_assert_eq!(moves.is_empty(), game.outcome().is_some());
                if moves.is_empty() {
                    break;
                }
                game.play(*choice.get(&moves)).unwrap();
                prop_assert_eq!(game.validate(), Ok(()));
            }
        }
    }
}
