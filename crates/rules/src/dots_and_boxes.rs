//! Dots and Boxes, Édouard Lucas's *la pipopipette*.
//!
//! Source: the Dutch exercise *Pipopipette*; quotations below are translated from it. The class in the exercise
//! corresponds to [`DotsAndBoxes`], with the methods [`DotsAndBoxes::score`], [`DotsAndBoxes::player`],
//! [`DotsAndBoxes::claim`], and [`Display`](fmt::Display) for `toString`.

use super::{
    Dimensions, OptionSpec, Outcome, ParseMoveError, Position, Scores, Seat, Setup, SetupError,
    text,
};
use std::error::Error;
use std::fmt;
use std::str::FromStr;

const DOTS: Dimensions = Dimensions::new(["rows of dots", "columns of dots"], 2, 64, 5);

/// The source's message for text that names no line of the board.
const INVALID_POSITION: &str = "invalid position";
/// The plain-English message for text that names no line of any board.
const LINE: &str = "a line is H or V with its row and column";

/// A position on m rows and n columns of dots: "the players in turn draw a line between two adjacent dots that were not
/// connected yet".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DotsAndBoxes {
    rows: u8,
    cols: u8,
    /// Whether each line is drawn: horizontal lines row by row, then vertical lines row by row.
    drawn: Vec<bool>,
    /// The owner of each box, row by row.
    owners: Vec<Option<Seat>>,
    /// The player to move; after the last line, the player who drew it.
    player: Seat,
    score: [u32; 2],
    lines_left: u32,
}

/// A line between two adjacent dots, written `H0,1` or `V1,0`: "rows numbered from the top, columns from the left, both
/// from 0". It may lie outside a given board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Line {
    /// `Hr,k`, right of dot (r, k): "these form an m × (n − 1) grid".
    Horizontal {
        /// The row of both dots, r.
        row: u8,
        /// The column of the left dot, k.
        col: u8,
    },
    /// `Vr,k`, below dot (r, k): "these form an (m − 1) × n grid".
    Vertical {
        /// The row of the upper dot, r.
        row: u8,
        /// The column of both dots, k.
        col: u8,
    },
}

/// The reason why a line cannot be claimed. The messages are the source's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClaimError {
    /// "The argument is no valid position of a line in the game."
    InvalidPosition,
    /// "The argument is the position of a line between two dots that are connected already."
    AlreadyConnected,
}

impl DotsAndBoxes {
    /// Creates a game on `rows` × `cols` dots, each from 2 to 64 (the source sets no upper bound).
    pub fn new(rows: u8, cols: u8) -> Result<DotsAndBoxes, SetupError> {
        DotsAndBoxes::from_setup(&Dimensions::setup(rows, cols))
    }

    /// Creates a square game: "If only one number m is passed, the game is played on a square m × m grid."
    pub fn square(size: u8) -> Result<DotsAndBoxes, SetupError> {
        DotsAndBoxes::new(size, size)
    }

    /// Returns "the current score of the first and the second player", in boxes.
    pub const fn score(&self) -> [u32; 2] {
        self.score
    }

    /// Returns "which player may draw the next line: A for the first, B for the second". After the last line, returns
    /// the player who drew it.
    pub const fn player(&self) -> char {
        self.player.letter()
    }

    /// Draws the line at a position such as `H0,0` for the player to move. Calls can be chained; an error leaves the
    /// position unchanged.
    pub fn claim(&mut self, position: &str) -> Result<&mut DotsAndBoxes, ClaimError> {
        let line = position.parse().map_err(|_| ClaimError::InvalidPosition)?;
        self.play(line)?;
        Ok(self)
    }

    /// Returns the number of rows of dots.
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// Returns the number of columns of dots.
    pub const fn cols(&self) -> u8 {
        self.cols
    }

    /// Returns the number of lines not yet drawn.
    pub const fn lines_left(&self) -> u32 {
        self.lines_left
    }

    /// Returns whether the line lies on this board.
    pub const fn contains(&self, line: Line) -> bool {
        match line {
            Line::Horizontal { row, col } => row < self.rows && col < self.cols - 1,
            Line::Vertical { row, col } => row < self.rows - 1 && col < self.cols,
        }
    }

    /// Returns whether the line is drawn; `false` off the board.
    pub fn is_drawn(&self, line: Line) -> bool {
        self.contains(line) && self.drawn[self.index(line)]
    }

    /// Returns the owner of box (`row`, `col`), whose upper left corner is the dot (`row`, `col`). `None` off the
    /// board.
    pub fn owner(&self, row: u8, col: u8) -> Option<Seat> {
        self.has_box((row, col)).then(|| self.owners[self.box_index((row, col))]).flatten()
    }

    /// Returns all lines of the board, in the order of their names.
    pub fn lines(&self) -> impl Iterator<Item = Line> + use<> {
        let (rows, cols) = (self.rows, self.cols);
        let horizontal = (0..rows)
            .flat_map(move |row| (0..cols - 1).map(move |col| Line::Horizontal { row, col }));
        let vertical = (0..rows - 1)
            .flat_map(move |row| (0..cols).map(move |col| Line::Vertical { row, col }));
        horizontal.chain(vertical)
    }

    /// Returns the index into `drawn` of a line on this board.
    const fn index(&self, line: Line) -> usize {
        let (rows, cols) = (self.rows as usize, self.cols as usize);
        match line {
            Line::Horizontal { row, col } => row as usize * (cols - 1) + col as usize,
            Line::Vertical { row, col } => rows * (cols - 1) + row as usize * cols + col as usize,
        }
    }

    const fn box_index(&self, (row, col): (u8, u8)) -> usize {
        row as usize * (self.cols as usize - 1) + col as usize
    }

    /// Returns all boxes as (row, column), row by row.
    pub fn boxes(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let cols = self.cols - 1;
        (0..self.rows - 1).flat_map(move |row| (0..cols).map(move |col| (row, col)))
    }

    /// Returns the one or two boxes next to a line, none off the board: "with Hr,k the boxes (r−1, k) and (r, k) can be
    /// conquered, with Vr,k the boxes (r, k−1) and (r, k)".
    pub fn boxes_beside(&self, line: Line) -> [Option<(u8, u8)>; 2] {
        let (before, after) = match line {
            Line::Horizontal { row, col } => (row.checked_sub(1).map(|row| (row, col)), (row, col)),
            Line::Vertical { row, col } => (col.checked_sub(1).map(|col| (row, col)), (row, col)),
        };
        [before, Some(after)].map(|place| place.filter(|&place| self.has_box(place)))
    }

    const fn has_box(&self, (row, col): (u8, u8)) -> bool {
        row < self.rows - 1 && col < self.cols - 1
    }

    /// Returns the sides of a box: "A box (r, k) is enclosed by the lines Hr,k, Vr,k+1, Hr+1,k and Vr,k." `row` and
    /// `col` must be below 255.
    pub const fn sides((row, col): (u8, u8)) -> [Line; 4] {
        [
            Line::Horizontal { row, col },
            Line::Horizontal { row: row + 1, col },
            Line::Vertical { row, col },
            Line::Vertical { row, col: col + 1 },
        ]
    }

    fn is_enclosed(&self, place: (u8, u8)) -> bool {
        Self::sides(place).into_iter().all(|line| self.drawn[self.index(line)])
    }
}

impl Position for DotsAndBoxes {
    type Move = Line;
    type IllegalMove = ClaimError;

    const ID: &'static str = "dots-and-boxes";
    const NAME: &'static str = "Dots and Boxes";
    const ALIASES: &'static [&'static str] = &["boxes", "dab", "pipopipette"];
    fn options(_: &Setup) -> Vec<OptionSpec> {
        DOTS.options().to_vec()
    }

    fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        setup.check_names(&Self::options(setup))?;
        let [rows, cols] = DOTS.read(setup)?;
        let [m, n] = [rows, cols].map(u32::from);
        let lines_left = m * (n - 1) + (m - 1) * n;
        Ok(DotsAndBoxes {
            rows,
            cols,
            drawn: vec![false; lines_left as usize],
            owners: vec![None; ((m - 1) * (n - 1)) as usize],
            player: Seat::FIRST,
            score: [0, 0],
            lines_left,
        })
    }

    fn setup(&self) -> Setup {
        Dimensions::setup(self.rows, self.cols)
    }

    fn to_move(&self) -> Option<Seat> {
        (self.lines_left > 0).then_some(self.player)
    }

    fn append_legal_moves(&self, out: &mut Vec<Line>) {
        // `for_each` compiles the nested ranges to plain loops; `extend` would call `next` for each line.
        self.lines().for_each(|line| {
            if !self.drawn[self.index(line)] {
                out.push(line);
            }
        });
    }

    fn check(&self, line: Line) -> Result<(), ClaimError> {
        match (self.contains(line), self.is_drawn(line)) {
            (false, _) => Err(ClaimError::InvalidPosition),
            (true, true) => Err(ClaimError::AlreadyConnected),
            (true, false) => Ok(()),
        }
    }

    /// "A player who completes the fourth line of a box scores a point and stays on turn." A line that completes two
    /// boxes scores two.
    fn play(&mut self, line: Line) -> Result<(), ClaimError> {
        self.check(line)?;
        let index = self.index(line);
        self.drawn[index] = true;
        self.lines_left -= 1;
        let mut closed = 0;
        for place in self.boxes_beside(line).into_iter().flatten() {
            if self.is_enclosed(place) {
                let index = self.box_index(place);
                self.owners[index] = Some(self.player);
                closed += 1;
            }
        }
        self.score[self.player.index()] += closed;
        if closed == 0 && self.lines_left > 0 {
            self.player = self.player.next(2);
        }
        Ok(())
    }

    fn scores(&self) -> Option<Scores> {
        Some(Scores::new(&self.score))
    }

    /// "The game ends when no more lines can be drawn. The winner is the player with most points."
    fn outcome(&self) -> Option<Outcome> {
        (self.lines_left == 0).then(|| Outcome::from_scores(&self.score))
    }

    fn validate(&self) -> Result<(), String> {
        let left = self.drawn.iter().filter(|drawn| !**drawn).count();
        if left != self.lines_left as usize {
            return Err(format!("{left} lines are left, not {}", self.lines_left));
        }
        for (row, col) in self.boxes() {
            if self.is_enclosed((row, col)) != self.owner(row, col).is_some() {
                return Err(format!("box {row},{col} is enclosed or owned, not both"));
            }
        }
        let owned = [Seat::FIRST, Seat::SECOND]
            .map(|seat| self.owners.iter().filter(|owner| **owner == Some(seat)).count() as u32);
        if owned == self.score {
            Ok(())
        } else {
            Err(format!("{owned:?} boxes are owned, not {:?}", self.score))
        }
    }
}

impl fmt::Display for DotsAndBoxes {
    /// Writes one text row per row of the lattice: `+` dots, `-` and `|` lines, `.` undrawn lines, `A` and `B` owned
    /// boxes, `?` other boxes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use std::fmt::Write;
        for row in 0..self.rows {
            for col in 0..self.cols {
                f.write_char('+')?;
                let line = Line::Horizontal { row, col };
                if self.contains(line) {
                    f.write_char(if self.is_drawn(line) { '-' } else { '.' })?;
                }
            }
            if row + 1 == self.rows {
                break;
            }
            f.write_char('\n')?;
            for col in 0..self.cols {
                let drawn = self.is_drawn(Line::Vertical { row, col });
                f.write_char(if drawn { '|' } else { '.' })?;
                if col + 1 < self.cols {
                    f.write_char(self.owner(row, col).map_or('?', Seat::letter))?;
                }
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Horizontal { row, col } => write!(f, "H{row},{col}"),
            Line::Vertical { row, col } => write!(f, "V{row},{col}"),
        }
    }
}

impl FromStr for Line {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Line, ParseMoveError> {
        let line = |text, make: fn((u8, u8)) -> Line| text::pair(text).map(make);
        None.or_else(|| line(text.strip_prefix('H')?, |(row, col)| Line::Horizontal { row, col }))
            .or_else(|| line(text.strip_prefix('V')?, |(row, col)| Line::Vertical { row, col }))
            .ok_or(ParseMoveError::new(INVALID_POSITION, LINE))
    }
}

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClaimError::InvalidPosition if f.alternate() => "this board has no such line",
            ClaimError::InvalidPosition => INVALID_POSITION,
            ClaimError::AlreadyConnected if f.alternate() => "already drawn",
            ClaimError::AlreadyConnected => "dots already connected",
        })
    }
}

impl Error for ClaimError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replays the source's example session line by line.
    #[test]
    fn game_replays_the_published_session() {
        let mut game = DotsAndBoxes::square(3).unwrap();
        assert_eq!(game.score(), [0, 0]);
        assert_eq!(game.to_string(), "+.+.+\n.?.?.\n+.+.+\n.?.?.\n+.+.+");
        assert_eq!(game.player(), 'A');
        assert_eq!(game.claim("H0,0").unwrap().to_string(), "+-+.+\n.?.?.\n+.+.+\n.?.?.\n+.+.+");
        assert_eq!(game.player(), 'B');
        assert_eq!(game.claim("H2,1").unwrap().to_string(), "+-+.+\n.?.?.\n+.+.+\n.?.?.\n+.+-+");
        assert_eq!(
            game.claim("H0,1").unwrap().claim("H2,0").unwrap().to_string(),
            "+-+-+\n.?.?.\n+.+.+\n.?.?.\n+-+-+"
        );
        let claims = game.claim("V0,0").unwrap().claim("V1,2").unwrap().claim("H1,0").unwrap();
        assert_eq!(claims.to_string(), "+-+-+\n|?.?.\n+-+.+\n.?.?|\n+-+-+");
        assert_eq!(game.player(), 'B');
        assert_eq!(
            game.claim("V0,1").unwrap().claim("H1,1").unwrap().to_string(),
            "+-+-+\n|B|?.\n+-+-+\n.?.?|\n+-+-+"
        );
        assert_eq!(game.score(), [0, 1]);
        assert_eq!(game.player(), 'A');
        let claims = game.claim("V0,2").unwrap().claim("V1,1").unwrap().claim("V1,0").unwrap();
        assert_eq!(claims.to_string(), "+-+-+\n|B|A|\n+-+-+\n|A|A|\n+-+-+");
        assert_eq!(game.score(), [3, 1]);
        let end = game.clone();
        assert_eq!(game.claim("ABCD").unwrap_err().to_string(), "invalid position");
        assert_eq!(game.claim("H10,10").unwrap_err().to_string(), "invalid position");
        assert_eq!(game.claim("H0,0").unwrap_err().to_string(), "dots already connected");
        assert_eq!(game, end);
        assert_eq!(game.outcome(), Some(Outcome::win(Seat::FIRST)));
        assert_eq!(game.player(), 'A', "after the end, the one who drew last");
    }

    #[test]
    fn owner_returns_none_off_the_board() {
        let mut game = DotsAndBoxes::square(3).unwrap();
        for line in game.lines().collect::<Vec<_>>() {
            game.play(line).unwrap();
        }
        assert!(game.boxes().all(|(row, col)| game.owner(row, col).is_some()));
        for (row, col) in [(0, 2), (1, 2), (2, 0), (255, 255)] {
            assert_eq!(game.owner(row, col), None, "{row},{col}");
        }
    }

    #[test]
    fn boxes_beside_a_line_are_on_the_board() {
        let game = DotsAndBoxes::new(3, 4).unwrap();
        let far = (0..=u8::MAX).flat_map(|row| (0..=u8::MAX).map(move |col| (row, col)));
        for (row, col) in far {
            for line in [Line::Horizontal { row, col }, Line::Vertical { row, col }] {
                let beside: Vec<_> = game.boxes_beside(line).into_iter().flatten().collect();
                let touching =
                    game.boxes().filter(|&place| DotsAndBoxes::sides(place).contains(&line));
                assert!(touching.eq(beside), "{line}");
            }
        }
    }

    #[test]
    fn finished_game_refuses_every_line() {
        let mut game = DotsAndBoxes::new(2, 3).unwrap();
        for line in game.lines().collect::<Vec<_>>() {
            game.play(line).unwrap();
        }
        assert_eq!(game.to_move(), None);
        for line in game.lines().collect::<Vec<_>>() {
            assert_eq!(game.play(line), Err(ClaimError::AlreadyConnected));
        }
    }

    #[test]
    fn alternate_format_shows_claim_errors_in_plain_english() {
        let mut game = DotsAndBoxes::square(3).unwrap();
        game.claim("H0,0").unwrap();
        let error = game.claim("H0,0").unwrap_err();
        assert_eq!(format!("{error:#}"), "already drawn");
        let error = game.claim("H9,9").unwrap_err();
        assert_eq!(format!("{error:#}"), "this board has no such line");
    }

    #[test]
    fn one_line_can_complete_two_boxes() {
        let mut game = DotsAndBoxes::new(2, 3).unwrap();
        for line in ["H0,0", "H0,1", "H1,0", "H1,1", "V0,0", "V0,2"] {
            game.claim(line).unwrap();
        }
        let closer = game.player();
        game.claim("V0,1").unwrap();
        assert_eq!((closer, game.score()), ('A', [2, 0]));
    }

    #[test]
    fn the_number_of_dots_is_bounded() {
        let error = |rows, cols| DotsAndBoxes::new(rows, cols).unwrap_err().to_string();
        assert_eq!(error(1, 5), "rows=1: must be a whole number from 2 to 64");
        assert_eq!(error(5, 65), "cols=65: must be a whole number from 2 to 64");
        let largest = DotsAndBoxes::square(64).unwrap();
        assert_eq!(largest.lines_left(), 2 * 64 * 63);
        assert_eq!(
            largest.check(Line::Vertical { row: 255, col: 255 }),
            Err(ClaimError::InvalidPosition)
        );
    }

    #[test]
    fn line_parser_rejects_inexact_text() {
        for bad in ["", "H", "H0", "h0,0", "H0,0 ", "H00,0", "H0,-1", "V0,256", "D0,0", "H0,0,0"] {
            assert_eq!(bad.parse::<Line>().unwrap_err().to_string(), "invalid position", "{bad:?}");
        }
    }
}
