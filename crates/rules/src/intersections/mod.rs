//! Making Intersections, for two to eight players.
//!
//! Source: Leroy Quet, *Making Intersections*, 2009; quotations below are from it. The source defines neither crossing
//! nor who draws first; the comments below state the choices made here.

mod round;
mod segment;

pub use segment::{Dot, Segment};

use super::{
    ChoiceOption, Dimensions, NumberOption, OptionSpec, Outcome, Position, Round, Scores, Seat,
    Setup, SetupError, WordChoice,
};
use round::RoundGrid;
use std::error::Error;
use std::fmt;

const DOTS: Dimensions = Dimensions::new(["rows of dots", "columns of dots"], 2, 32, 4);
const PLAYERS: NumberOption = NumberOption {
    name: "players",
    help: "players at the table",
    shorthand: None,
    min: 2,
    max: 8,
    step: 1,
    default: 2,
};
const FIRST: ChoiceOption = ChoiceOption::plain(
    "first",
    "who draws first",
    &[
        WordChoice::plain("offense", "the offense"),
        WordChoice::plain("next", "the player after it"),
        WordChoice::plain("seat1", "player 1"),
    ],
);

/// The maximum number of rounds per player.
const ROUNDS_EACH: u32 = 100;

/// A match of Making Intersections: several rounds, each on an empty array of dots with one player as the offense.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Intersections {
    players: u8,
    /// "A multiple of the number of players".
    rounds: u32,
    /// Segments per round, m, "a multiple of the number of players … the same for every round".
    segments: u32,
    first: First,
    /// The current round, from 0.
    round: u32,
    scores: Vec<u32>,
    running: RoundGrid,
}

/// The rule for who draws first in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum First {
    Offense,
    Next,
    Seat1,
}

/// The reason why a segment cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SegmentError {
    /// An end is not a dot of the array.
    NoDot(Dot),
    /// Both ends are the same dot.
    SameDot(Dot),
    /// "From any dot to any other in the same row or column."
    Slanted(Segment),
    /// "No line-segment coincides with any previously drawn line-segment."
    Coincides(Segment, Segment),
    /// "No line-segments cross any previously drawn segments." Two segments cross when both pass through the same dot;
    /// touching at an end is legal.
    Crosses(Segment, Segment, Dot),
    /// The match is over.
    Over,
}

impl Intersections {
    /// The minimum number of segments that connect every dot to each of its neighbors without crossing: "j·k − k − j +
    /// 4". With fewer segments a legal move always exists.
    const fn bound([rows, cols]: [u8; 2]) -> u32 {
        let (j, k) = (rows as u32, cols as u32);
        j * k - j - k + 4
    }

    fn rounds_option(players: u32) -> NumberOption {
        NumberOption {
            name: "rounds",
            help: "rounds in the match, a multiple of the number of players",
            shorthand: None,
            min: players,
            max: players * ROUNDS_EACH,
            step: players,
            default: players,
        }
    }

    /// The option for m: "a multiple of the number of players", "should be < n² − 2n + 4".
    fn segments_option(dots: [u8; 2], players: u32) -> NumberOption {
        let most = (Self::bound(dots) - 1) / players * players;
        NumberOption {
            name: "segments",
            help: "segments in a round, a multiple of the number of players",
            shorthand: None,
            min: players,
            max: most,
            step: players,
            default: most,
        }
    }

    /// Returns the number of rows of dots.
    pub const fn rows(&self) -> u8 {
        self.running.rows
    }

    /// Returns the number of columns of dots.
    pub const fn cols(&self) -> u8 {
        self.running.cols
    }

    /// Returns the number of rounds in the match.
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Returns the number of segments in each round.
    pub const fn segments(&self) -> u32 {
        self.segments
    }

    /// Returns the current round.
    pub const fn round(&self) -> Round {
        Round { number: self.round, offense: self.offense_in(self.round) }
    }

    /// Returns the player who scores in a round, counted from 0: "each player takes turns being the offense player",
    /// seat r mod p in round r.
    pub const fn offense_in(&self, round: u32) -> Seat {
        Seat::new((round % self.players as u32) as u8)
    }

    /// Returns the player who draws first in a round, counted from 0.
    pub const fn first_in(&self, round: u32) -> Seat {
        match self.first {
            First::Offense => self.offense_in(round),
            First::Next => self.offense_in(round).next(self.players),
            First::Seat1 => Seat::FIRST,
        }
    }

    /// Returns the segments of the current round, sorted; empty right after a round has ended. Positions with the same
    /// segments are equal, regardless of drawing order.
    pub fn drawn(&self) -> &[Segment] {
        &self.running.drawn
    }

    /// Returns the number of covered units of length next to a dot, 0 to 4; off the array, 0. "A single line-segment
    /// passing through a dot counts as 2."
    pub fn degree(&self, at: Dot) -> u8 {
        self.running.degree(at)
    }

    /// Returns whether a segment passes through the dot.
    pub fn is_passed(&self, at: Dot) -> bool {
        self.running.is_passed(at)
    }

    /// Returns the dots of the current round that count for the offense: "every dot connected to by 3 or 4
    /// line-segments".
    pub fn scoring_dots(&self) -> impl Iterator<Item = Dot> {
        self.running.scoring_dots()
    }

    /// Returns all dots of the array, row by row.
    pub fn all_dots(&self) -> impl Iterator<Item = Dot> + use<> {
        self.running.all_dots()
    }

    /// Returns the current round with one more segment, as a preview of the dots that count. Unlike [`Position::play`],
    /// this never ends the round. `segment` must be legal.
    ///
    /// # Panics
    ///
    /// Panics if an end of the segment is not on the array.
    pub fn with_segment(&self, segment: Segment) -> Intersections {
        let mut next = self.clone();
        next.running.draw(segment);
        next
    }

    /// Returns the dots where a segment from `from` can end in one direction, nearest first. `step` is the change of
    /// row and column from dot to dot. The list is empty if `from` is off the array.
    pub fn ends_towards(&self, from: Dot, step: (i8, i8)) -> Vec<Dot> {
        if self.to_move().is_none() {
            return Vec::new();
        }
        self.running.ends_towards(from, step).collect()
    }

    /// "After m line-segments are drawn, the offense player receives a point for every dot
    /// connected to by 3 or 4 line-segments", and the next round starts on an empty array.
    fn end_round(&mut self) {
        let offense = self.round().offense.index();
        self.scores[offense] += self.scoring_dots().count() as u32;
        self.round += 1;
        self.running.clear();
    }
}

impl Position for Intersections {
    type Move = Segment;
    type IllegalMove = SegmentError;

    const ID: &'static str = "intersections";
    const NAME: &'static str = "Making Intersections";
    fn options(setup: &Setup) -> Vec<OptionSpec> {
        let players = PLAYERS.read_or_default(setup);
        let rounds = Self::rounds_option(players);
        let segments = Self::segments_option(DOTS.read_or_default(setup), players);
        let [rows, cols] = DOTS.options();
        vec![rows, cols, PLAYERS.into(), rounds.into(), segments.into(), FIRST.into()]
    }

    fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        setup.check_names(&Self::options(setup))?;
        let dots = DOTS.read(setup)?;
        let [rows, cols] = dots;
        let players = PLAYERS.read(setup)?;
        let rounds = Self::rounds_option(players).read(setup)?;
        let option = Self::segments_option(dots, players);
        let bound = Self::bound(dots);
        if option.min > option.max {
            let reason = format!(
                "a round on {rows} x {cols} dots takes fewer than {bound} segments, \
                 too few for one from each player"
            );
            return Err(SetupError::new(format!("players={players}"), reason));
        }
        let segments = option.read(setup)?;
        let first = [First::Offense, First::Next, First::Seat1][FIRST.index(setup)?];
        Ok(Intersections {
            players: players as u8,
            rounds,
            segments,
            first,
            round: 0,
            scores: vec![0; players as usize],
            running: RoundGrid::new(dots),
        })
    }

    fn setup(&self) -> Setup {
        Dimensions::setup(self.rows(), self.cols())
            .with("players", self.players)
            .with("rounds", self.rounds)
            .with("segments", self.segments)
            .with("first", FIRST.choices[self.first as usize].word)
    }

    fn seats(&self) -> u8 {
        self.players
    }

    fn to_move(&self) -> Option<Seat> {
        if self.round == self.rounds {
            return None;
        }
        let turn = self.first_in(self.round).index() + self.drawn().len();
        Some(Seat::new((turn % self.players as usize) as u8))
    }

    fn append_legal_moves(&self, out: &mut Vec<Segment>) {
        if self.to_move().is_none() {
            return;
        }
        for from in self.all_dots() {
            for step in [(0, 1), (1, 0)] {
                out.extend(self.running.ends_towards(from, step).map(|to| Segment::new(from, to)));
            }
        }
    }

    fn check(&self, segment: Segment) -> Result<(), SegmentError> {
        match self.running.check(segment) {
            Err(SegmentError::NoDot(at)) => Err(SegmentError::NoDot(at)),
            _ if self.to_move().is_none() => Err(SegmentError::Over),
            checked => checked,
        }
    }

    fn play(&mut self, segment: Segment) -> Result<(), SegmentError> {
        self.check(segment)?;
        self.running.draw(segment);
        if self.drawn().len() == self.segments as usize {
            self.end_round();
        }
        Ok(())
    }

    fn scores(&self) -> Option<Scores> {
        Some(Scores::new(&self.scores))
    }

    /// "Players add up the points they received on the rounds that each was offense, and the
    /// highest total score wins." Equal totals share the win.
    fn outcome(&self) -> Option<Outcome> {
        (self.round == self.rounds).then(|| Outcome::from_scores(&self.scores))
    }

    fn round(&self) -> Option<Round> {
        Some(self.round())
    }

    fn validate(&self) -> Result<(), String> {
        self.running.validate()
    }
}

impl fmt::Display for Intersections {
    /// Writes `round 0 offense 0: 0,0-0,1 0,1-2,1`: the current round and its sorted segments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {} offense {}:", self.round, self.round().offense.index())?;
        self.drawn().iter().try_for_each(|segment| write!(f, " {segment}"))
    }
}

impl fmt::Display for SegmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SegmentError::NoDot(at) => write!(f, "no dot {at}"),
            SegmentError::SameDot(at) => write!(f, "a segment from {at} must end on another dot"),
            SegmentError::Slanted(segment) => {
                let [a, b] = segment.ends();
                write!(f, "{a} and {b} are neither in one row nor in one column")
            }
            SegmentError::Coincides(segment, other) => {
                write!(f, "{segment} would lie on {other}")
            }
            SegmentError::Crosses(segment, other, at) => {
                write!(f, "{segment} would cross {other} at {at}")
            }
            SegmentError::Over => f.write_str("the game is over"),
        }
    }
}

impl Error for SegmentError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(setup: &str) -> Intersections {
        Intersections::from_setup(&setup.parse().unwrap()).unwrap()
    }

    fn play(game: &mut Intersections, moves: &str) {
        for mv in moves.split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap_or_else(|illegal| panic!("{mv}: {illegal}"));
        }
    }

    fn refusal(game: &Intersections, mv: &str) -> String {
        game.check(mv.parse().unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn overlap_and_crossing_are_refused_touching_is_allowed() {
        let mut game = start("size=4");
        play(&mut game, "0,1-2,1 1,2-1,3");
        assert_eq!(refusal(&game, "1,0-1,2"), "1,0-1,2 would cross 0,1-2,1 at 1,1");
        assert_eq!(refusal(&game, "1,1-3,1"), "1,1-3,1 would lie on 0,1-2,1");
        assert_eq!(refusal(&game, "1,1-1,3"), "1,1-1,3 would lie on 1,2-1,3");
        // A segment's end may touch another segment, from either side.
        assert_eq!(game.check("1,0-1,1".parse().unwrap()), Ok(()));
        assert_eq!(game.check("1,1-1,2".parse().unwrap()), Ok(()));
        // A segment may pass through a dot where another segment ends, or where two collinear segments meet.
        assert_eq!(game.check("2,0-2,2".parse().unwrap()), Ok(()));
        play(&mut game, "2,1-3,1 2,0-2,2");
        assert_eq!(game.degree(Dot { row: 2, col: 1 }), 4);
    }

    #[test]
    fn segment_order_does_not_change_the_position() {
        let position = |moves: &str| {
            let mut game = start("size=3");
            play(&mut game, moves);
            (game.drawn().to_vec(), game)
        };
        assert_eq!(position("1,0-1,1 0,0-2,0 0,1-2,1"), position("0,1-2,1 1,0-1,1 0,0-2,0"));
        assert_ne!(position("0,0-0,1 0,1-0,2"), position("0,0-0,2 1,0-1,1"));
    }

    #[test]
    fn places_off_the_array_have_no_segments() {
        let mut game = start("rows=2 cols=3");
        play(&mut game, "0,0-0,2 0,0-1,0");
        for (row, col) in [(0, 3), (2, 0), (200, 200)] {
            let at = Dot { row, col };
            assert_eq!((game.degree(at), game.is_passed(at)), (0, false), "{at}");
            for step in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                assert_eq!(game.ends_towards(at, step), [], "{at}");
            }
        }
    }

    #[test]
    fn a_segment_needs_two_dots_in_a_row_or_column() {
        let game = start("rows=2 cols=3");
        assert_eq!(
            refusal(&game, "0,0-1,1"),
            "0,0 and 1,1 are neither in one row nor in one column"
        );
        assert_eq!(refusal(&game, "0,0-0,0"), "a segment from 0,0 must end on another dot");
        assert_eq!(refusal(&game, "0,0-0,3"), "no dot 0,3");
        assert_eq!(refusal(&game, "200,0-0,0"), "no dot 200,0");
        for bad in ["", "0,0", "0,0-0", "0,0-0,256", "0,0 - 0,1", "0,0-0,01"] {
            assert!(bad.parse::<Segment>().is_err(), "{bad:?}");
        }
        let reversed: Segment = "0,2-0,0".parse().unwrap();
        assert_eq!(reversed.to_string(), "0,0-0,2");
    }

    #[test]
    fn offense_scores_at_the_end_of_the_round() {
        let mut game = start("size=3 segments=4");
        play(&mut game, "0,0-2,0 1,0-1,1 0,1-2,1");
        assert_eq!(game.scoring_dots().count(), 2);
        assert_eq!(game.scores().as_deref(), Some(&[0, 0][..]));
        assert_eq!(game.to_string(), "round 0 offense 0: 0,0-2,0 0,1-2,1 1,0-1,1");
        play(&mut game, "1,1-1,2");
        // Three segments end at 1,0 and four at 1,1.
        assert_eq!(game.scores().as_deref(), Some(&[2, 0][..]));
        assert_eq!(game.to_string(), "round 1 offense 1:");
        assert_eq!(game.to_move(), Some(Seat::SECOND));
        play(&mut game, "0,0-0,1 0,1-0,2 0,1-1,1 1,1-2,1");
        assert_eq!(game.scores().as_deref(), Some(&[2, 1][..]));
        assert_eq!(game.outcome(), Some(Outcome::win(Seat::FIRST)));
        assert_eq!(refusal(&game, "0,0-0,1"), "the game is over");
    }

    #[test]
    fn first_option_sets_the_drawing_order() {
        let order = |first: &str| -> Vec<usize> {
            let mut game = start(&format!("size=3 players=3 segments=3 first={first}"));
            let mut order = Vec::new();
            while let Some(seat) = game.to_move() {
                order.push(seat.index());
                game.play(game.legal_moves()[0]).unwrap();
            }
            order
        };
        assert_eq!(order("offense"), [0, 1, 2, 1, 2, 0, 2, 0, 1]);
        assert_eq!(order("next"), [1, 2, 0, 2, 0, 1, 0, 1, 2]);
        assert_eq!(order("seat1"), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    }

    #[test]
    fn setup_error_names_the_bound() {
        let error = |setup: &str| {
            Intersections::from_setup(&setup.parse().unwrap()).unwrap_err().to_string()
        };
        assert_eq!(error("size=4 segments=12"), "segments=12: must be 2, 4, 6, 8 or 10");
        assert_eq!(error("size=4 segments=9"), "segments=9: must be 2, 4, 6, 8 or 10");
        assert_eq!(error("size=4 players=3 rounds=4"), "rounds=4: must be 3 to 300 in steps of 3");
        assert_eq!(
            error("size=2 players=4"),
            "players=4: a round on 2 x 2 dots takes fewer than 4 segments, too few for one from each player"
        );
        assert_eq!(error("size=33"), "size=33: must be a whole number from 2 to 32");
    }

    /// Below the source's bound, a legal move always exists.
    #[test]
    fn default_round_has_the_most_segments_allowed() {
        assert_eq!(
            start("").setup().to_string(),
            "rows=4 cols=4 players=2 rounds=2 segments=10 first=offense"
        );
        assert_eq!(start("size=3").segments(), 6);
        assert_eq!(start("rows=32 cols=32 players=8").segments(), 960);
    }
}
