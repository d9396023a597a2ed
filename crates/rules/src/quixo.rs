//! Quixo: dice are taken from the rim and pushed back in.
//!
//! Source: the Dutch exercise *Quixo*; quotations below are translated from it. The class in the exercise corresponds
//! to [`Quixo`], with English method names: [`Quixo::new`] and [`Quixo::with_grid`] for the constructor,
//! [`Quixo::position`] for `positie`, [`Quixo::turn`] for `beurt`, and [`Display`](fmt::Display) for `toString`. The
//! two error messages of the exercise stay in Dutch.

use super::symbol::{read_grid, write_grid};
use super::{
    ChoiceOption, NumberOption, OptionSpec, Outcome, ParseMoveError, Position, Scores, Seat, Setup,
    SetupError, Square, Symbol, TextOption, WordChoice,
};
use std::error::Error;
use std::fmt;
use std::str::FromStr;

const SIZE: NumberOption = NumberOption {
    name: "size",
    help: "dice in a row",
    shorthand: None,
    min: 1,
    max: Place::MAX_SIDE as u32,
    step: 1,
    default: 5,
};
const GRID: TextOption = TextOption {
    name: "grid",
    help: "starting position, row by row",
    form: "size x size characters of - X O",
};
const FIRST: ChoiceOption = ChoiceOption::plain(
    "first",
    "side to move at the start",
    &[WordChoice::plain("X", ""), WordChoice::plain("O", "")],
);

/// The source's message for invalid constructor arguments.
const INVALID_GRID: &str = "ongeldig rooster";
/// The source's message for text that names no place on the rim.
const INVALID_POSITION: &str = "ongeldige positie";
/// The plain-English message for text that is not a turn.
const TURN: &str = "a turn is two places on the rim";

/// A board of n × n dice, each blank or showing a cross or a circle, and the side to move.
///
/// The source's class has no side to move; here X starts unless the setup says otherwise, and the symbols alternate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quixo {
    size: u8,
    /// The dice, row by row from the top; `None` is blank.
    dice: Vec<Option<Symbol>>,
    next: Symbol,
    /// Whether X has a complete line, and whether O has one.
    won: [bool; 2],
}

/// A place on the board: "a capital letter for the column, from the left, and a number for the
/// row, from the top, beginning with 1".
pub type Place = Square<'A'>;

/// A whole turn: the place of the die taken and the place where it is pushed in, written `B1-B5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Push {
    /// The place of the die taken.
    pub from: Place,
    /// The place where it is pushed in.
    pub to: Place,
}

/// The reason why a turn is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PushError {
    /// "The description is no valid position on the rim of the grid."
    InvalidPosition,
    /// Only "a die that is blank or marked with his symbol" may be taken.
    Opponents(Place, Symbol),
    /// "But not in the place where the die was taken."
    SamePlace(Place),
    /// "At an end of the row or column where the die was taken."
    NotAnEnd(Push),
    /// The game is over.
    Over,
}

impl Quixo {
    /// Creates a board of `size` × `size` blank dice; returns `ongeldig rooster` unless `size` is from 1 to 26.
    pub fn new(size: u8) -> Result<Quixo, SetupError> {
        Quixo::from_setup(&Setup::new().with("size", size))
    }

    /// Creates a board from "a string of n² characters -, X or O, from left to right and from top to bottom"; for any
    /// other text, returns `ongeldig rooster`.
    pub fn with_grid(size: u8, grid: &str) -> Result<Quixo, SetupError> {
        Quixo::from_setup(&Setup::new().with("size", size).with("grid", grid))
    }

    /// Returns "the row and column index, from 0, of a position on the rim", such as `B1`; for any other text, returns
    /// `ongeldige positie`.
    pub fn position(&self, text: &str) -> Result<[usize; 2], PushError> {
        let place = Place::read(text).filter(|&place| self.is_rim(place));
        let place = place.ok_or(PushError::InvalidPosition)?;
        Ok([place.row as usize, place.col as usize])
    }

    /// Plays a turn with `symbol`, even out of turn; the other symbol is next. Calls can be chained; an error leaves
    /// the position unchanged.
    pub fn turn(&mut self, symbol: Symbol, from: &str, to: &str) -> Result<&mut Quixo, PushError> {
        let place = |[row, col]: [usize; 2]| Place { row: row as u8, col: col as u8 };
        let push = Push { from: place(self.position(from)?), to: place(self.position(to)?) };
        let next = std::mem::replace(&mut self.next, symbol);
        if let Err(illegal) = self.play(push) {
            self.next = next;
            return Err(illegal);
        }
        Ok(self)
    }

    /// Returns the number of dice in a row.
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Returns the symbol of a die. `None` if it is blank or off the board.
    pub fn die(&self, place: Place) -> Option<Symbol> {
        let is_on_board = place.row < self.size && place.col < self.size;
        is_on_board.then(|| self.dice[self.index(place)]).flatten()
    }

    /// Returns the places of the rim, clockwise from the top left corner.
    pub fn rim(&self) -> Vec<Place> {
        let last = self.size - 1;
        if last == 0 {
            return vec![Place { row: 0, col: 0 }];
        }
        let top = (0..last).map(|col| Place { row: 0, col });
        let right = (0..last).map(|row| Place { row, col: last });
        let bottom = (1..=last).rev().map(|col| Place { row: last, col });
        let left = (1..=last).rev().map(|row| Place { row, col: 0 });
        top.chain(right).chain(bottom).chain(left).collect()
    }

    /// Returns whether the player to move may take the die: on the rim, and blank or with their symbol.
    pub fn can_take(&self, place: Place) -> bool {
        self.to_move().is_some()
            && self.is_rim(place)
            && self.die(place) != Some(self.next.opponent())
    }

    /// Returns the ends where a die of the rim can be pushed in: two for a corner die, three for any other.
    pub fn ends(&self, from: Place) -> impl Iterator<Item = Place> + use<> {
        let last = self.size - 1;
        let ends = [
            Place { row: 0, ..from },
            Place { col: 0, ..from },
            Place { col: last, ..from },
            Place { row: last, ..from },
        ];
        ends.into_iter().filter(move |&to| to != from)
    }

    /// Returns the board after a push, for previews. The die may show the opponent's symbol, and the game may be over.
    ///
    /// # Panics
    ///
    /// Panics if the die is not on the rim, or cannot be pushed in at that end.
    pub fn preview(&self, push: Push) -> Quixo {
        assert!(self.is_rim(push.from) && self.ends(push.from).any(|to| to == push.to), "{push}");
        let mut after = self.clone();
        after.push(push);
        after
    }

    /// Returns the complete lines on the board with their symbols: rows, columns, diagonals.
    pub fn lines(&self) -> Vec<(Symbol, Vec<Place>)> {
        let n = self.size;
        let row = |row| (0..n).map(move |col| Place { row, col }).collect();
        let col = |col| (0..n).map(move |row| Place { row, col }).collect();
        let diagonals: [Vec<Place>; 2] = [
            (0..n).map(|i| Place { row: i, col: i }).collect(),
            (0..n).map(|i| Place { row: i, col: n - 1 - i }).collect(),
        ];
        let all = (0..n).map(row).chain((0..n).map(col)).chain(diagonals);
        all.filter_map(|line: Vec<Place>| Some((self.shown_by_all(&line)?, line))).collect()
    }

    fn shown_by_all(&self, line: &[Place]) -> Option<Symbol> {
        let symbol = self.die(*line.first()?)?;
        line.iter().all(|&place| self.die(place) == Some(symbol)).then_some(symbol)
    }

    fn look_for_lines(&mut self) {
        let n = self.size as usize;
        self.won = [false; 2];
        let mut look = |start: usize, step: usize| {
            if let Some(symbol) = self.dice[start]
                && (1..n).all(|i| self.dice[start + i * step] == Some(symbol))
            {
                self.won[symbol.seat().index()] = true;
            }
        };
        for i in 0..n {
            look(i * n, 1);
            look(i, n);
        }
        look(0, n + 1);
        look(n - 1, n - 1);
    }

    const fn index(&self, place: Place) -> usize {
        place.row as usize * self.size as usize + place.col as usize
    }

    const fn is_rim(&self, Place { row, col }: Place) -> bool {
        let last = self.size - 1;
        row <= last && col <= last && (row == 0 || col == 0 || row == last || col == last)
    }

    /// "He pushes the die back in at the end of the row or column"; the dice between shift by one.
    fn push(&mut self, Push { from, to }: Push) {
        let step = if from.row == to.row { 1 } else { self.size as usize };
        let (from, to) = (self.index(from), self.index(to));
        let mut hole = from;
        while hole != to {
            let neighbour = if hole < to { hole + step } else { hole - step };
            self.dice[hole] = self.dice[neighbour];
            hole = neighbour;
        }
        self.dice[to] = Some(self.next);
        self.look_for_lines();
    }
}

impl Position for Quixo {
    type Move = Push;
    type IllegalMove = PushError;

    const ID: &'static str = "quixo";
    const NAME: &'static str = "Quixo";
    fn options(_: &Setup) -> Vec<OptionSpec> {
        vec![SIZE.into(), FIRST.into(), GRID.into()]
    }

    fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        setup.check_names(&Self::options(setup))?;
        let size = SIZE.read(setup).map_err(|error| error.in_the_source(INVALID_GRID))?;
        let next = Symbol::BOTH[FIRST.index(setup)?];
        let cells = (size * size) as usize;
        let dice = match GRID.read(setup) {
            None | Some("") => vec![None; cells],
            Some(text) => read_grid(text).filter(|dice| dice.len() == cells).ok_or_else(|| {
                let error = GRID.error(text, format!("must be {cells} characters of - X O"));
                error.in_the_source(INVALID_GRID)
            })?,
        };
        let mut start = Quixo { size: size as u8, dice, next, won: [false; 2] };
        start.look_for_lines();
        Ok(start)
    }

    fn setup(&self) -> Setup {
        let setup = Setup::new().with("size", self.size).with("first", self.next);
        let blank = self.dice.iter().all(Option::is_none);
        if blank { setup } else { setup.with("grid", write_grid(&self.dice)) }
    }

    fn to_move(&self) -> Option<Seat> {
        self.outcome().is_none().then_some(self.next.seat())
    }

    fn append_legal_moves(&self, out: &mut Vec<Push>) {
        if self.outcome().is_some() {
            return;
        }
        for from in self.rim() {
            if self.die(from) != Some(self.next.opponent()) {
                out.extend(self.ends(from).map(|to| Push { from, to }));
            }
        }
    }

    fn check(&self, Push { from, to }: Push) -> Result<(), PushError> {
        if !self.is_rim(from) || !self.is_rim(to) {
            return Err(PushError::InvalidPosition);
        }
        if self.outcome().is_some() {
            return Err(PushError::Over);
        }
        if self.die(from) == Some(self.next.opponent()) {
            return Err(PushError::Opponents(from, self.next.opponent()));
        }
        if from == to {
            return Err(PushError::SamePlace(from));
        }
        if self.ends(from).all(|end| end != to) {
            return Err(PushError::NotAnEnd(Push { from, to }));
        }
        Ok(())
    }

    fn play(&mut self, push: Push) -> Result<(), PushError> {
        self.check(push)?;
        self.push(push);
        self.next = self.next.opponent();
        Ok(())
    }

    fn scores(&self) -> Option<Scores> {
        None
    }

    /// "The game goes on until n dice in a row, column or diagonal show one symbol. That player wins. If lines of both
    /// players' symbols are formed at the same moment, the game is drawn." On a board with a single die, no turn is
    /// legal, and the game is over without a winner.
    fn outcome(&self) -> Option<Outcome> {
        match self.won {
            [true, true] => Some(Outcome::draw(2)),
            [true, false] => Some(Outcome::win(Seat::FIRST)),
            [false, true] => Some(Outcome::win(Seat::SECOND)),
            [false, false] if self.size == 1 => Some(Outcome::NOBODY),
            [false, false] => None,
        }
    }

    fn mark(seat: Seat) -> char {
        Symbol::from(seat).letter()
    }

    fn validate(&self) -> Result<(), String> {
        let lines = self.lines();
        let plain = Symbol::BOTH.map(|symbol| lines.iter().any(|(s, _)| *s == symbol));
        if plain == self.won {
            Ok(())
        } else {
            Err(format!(
                "completed lines of X and O: {plain:?} by a full scan, {:?} as recorded during play",
                self.won
            ))
        }
    }
}

impl fmt::Display for Quixo {
    /// Writes n rows of the characters `-`, `X` and `O`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.dice.chunks(self.size as usize).enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { "\n" }, write_grid(row))?;
        }
        Ok(())
    }
}

impl fmt::Display for Push {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl FromStr for Push {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Push, ParseMoveError> {
        let (from, to) = text
            .split_once('-')
            .ok_or(ParseMoveError::new("a turn is two places, such as B1-B5", TURN))?;
        let place = |text| Place::read(text).ok_or(ParseMoveError::new(INVALID_POSITION, TURN));
        Ok(Push { from: place(from)?, to: place(to)? })
    }
}

impl fmt::Display for PushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PushError::InvalidPosition => {
                f.write_str(if f.alternate() { TURN } else { INVALID_POSITION })
            }
            PushError::Opponents(place, symbol) => {
                write!(f, "the die at {place} shows {symbol}, the opponent's symbol")
            }
            PushError::SamePlace(place) => {
                write!(f, "the die cannot return to {place}, where it was taken")
            }
            PushError::NotAnEnd(Push { from, to }) => {
                write!(f, "{to} is not an end of the row or the column of {from}")
            }
            PushError::Over => f.write_str("the game is over"),
        }
    }
}

impl Error for PushError {}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = "X-XXX-XO-OO-OOOOXOX-OOOO-";

    fn position(text: &str, setup: &str) -> Quixo {
        let grid: String = text.split_whitespace().collect();
        Quixo::from_setup(&setup.parse::<Setup>().unwrap().with("grid", grid)).unwrap()
    }

    /// Replays the source's example session line by line.
    #[test]
    fn game_replays_the_published_session() {
        let cases = [
            ("B5", "XXXXX\n--O-O\nOXOOO\nOOOX-\nOXOO-"),
            ("A1", "XXXXX\n-XO-O\nO-OOO\nOXOX-\nOOOO-"),
            ("E1", "XXXXX\n-XO-O\nO-OOO\nOXOX-\nOOOO-"),
        ];
        for (to, expected) in cases {
            let mut quixo = Quixo::with_grid(5, GRID).unwrap();
            assert_eq!(quixo.to_string(), "X-XXX\n-XO-O\nO-OOO\nOXOX-\nOOOO-");
            assert_eq!(quixo.position("B1").unwrap(), [0, 1]);
            assert_eq!(quixo.turn(Symbol::X, "B1", to).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn die_returns_none_off_the_board() {
        let quixo = Quixo::with_grid(5, GRID).unwrap();
        for (row, col) in [(0, 5), (5, 0), (255, 255)] {
            assert_eq!(quixo.die(Place { row, col }), None, "{row},{col}");
        }
    }

    #[test]
    #[should_panic(expected = "B1-C4")]
    fn after_panics_on_an_impossible_push() {
        let _ = Quixo::new(5).unwrap().preview("B1-C4".parse().unwrap());
    }

    #[test]
    fn constructor_refuses_invalid_grids() {
        for (size, grid) in
            [(0, None), (27, None), (3, Some("XO")), (2, Some("XO-x")), (2, Some("XO--X"))]
        {
            let refused = match grid {
                None => Quixo::new(size),
                Some(grid) => Quixo::with_grid(size, grid),
            };
            let told = refused.unwrap_err().to_string();
            assert!(told.ends_with(" (ongeldig rooster)"), "{told}");
        }
    }

    #[test]
    fn position_accepts_only_rim_squares() {
        let quixo = Quixo::new(5).unwrap();
        assert_eq!(quixo.position("E5"), Ok([4, 4]));
        assert_eq!(quixo.position("A3"), Ok([2, 0]));
        for bad in ["", "A", "A0", "A6", "F1", "B2", "b1", "A01", "1A", "AA1", "É1", "A1 "] {
            assert_eq!(
                quixo.position(bad).unwrap_err().to_string(),
                "ongeldige positie",
                "{bad:?}"
            );
        }
    }

    #[test]
    fn refused_turn_states_its_reason_and_keeps_the_board() {
        let mut quixo = position("X---- ----- ----- ----- ----O", "first=O size=5");
        let before = quixo.clone();
        let mut refuse = |symbol, from, to| {
            let message = quixo.turn(symbol, from, to).unwrap_err().to_string();
            assert_eq!(quixo, before);
            message
        };
        assert_eq!(refuse(Symbol::O, "A1", "A5"), "the die at A1 shows X, the opponent's symbol");
        assert_eq!(refuse(Symbol::X, "E5", "A5"), "the die at E5 shows O, the opponent's symbol");
        assert_eq!(
            refuse(Symbol::X, "B1", "B1"),
            "the die cannot return to B1, where it was taken"
        );
        assert_eq!(
            refuse(Symbol::X, "B1", "C5"),
            "C5 is not an end of the row or the column of B1"
        );
        assert_eq!(
            refuse(Symbol::X, "B1", "C1"),
            "C1 is not an end of the row or the column of B1"
        );
        assert_eq!(refuse(Symbol::X, "B1", "B4"), "ongeldige positie");
    }

    #[test]
    fn line_wins_for_its_symbol_even_on_opponents_push() {
        let mut quixo = position("--O OO- ---", "size=3");
        quixo.play("C3-C1".parse().unwrap()).unwrap();
        assert_eq!(quixo.to_string(), "--X\nOOO\n---");
        assert_eq!(quixo.outcome(), Some(Outcome::win(Seat::SECOND)));
        assert_eq!(quixo.play("A1-C1".parse().unwrap()), Err(PushError::Over));
    }

    #[test]
    fn simultaneous_lines_of_both_symbols_draw() {
        let mut quixo = position("XXO OO- ---", "size=3");
        quixo.play("C3-C1".parse().unwrap()).unwrap();
        assert_eq!(quixo.to_string(), "XXX\nOOO\n---");
        assert_eq!(quixo.outcome(), Some(Outcome::draw(2)));
    }

    #[test]
    fn finished_boards_have_no_turn() {
        let one = Quixo::new(1).unwrap();
        assert_eq!((one.to_move(), one.outcome()), (None, Some(Outcome::NOBODY)));
        assert!(one.legal_moves().is_empty());
        let line = position("O-X OX- X--", "size=3 first=O");
        assert_eq!(line.outcome(), Some(Outcome::win(Seat::FIRST)));
        assert_eq!(line.to_move(), None);
    }

    #[test]
    fn corner_has_two_ends_and_edge_has_three() {
        let quixo = Quixo::new(4).unwrap();
        let ends = |text: &str| -> Vec<String> {
            quixo.ends(Place::read(text).unwrap()).map(|place| place.to_string()).collect()
        };
        assert_eq!(ends("A1"), ["D1", "A4"]);
        assert_eq!(ends("B1"), ["A1", "D1", "B4"]);
        assert_eq!(ends("D3"), ["D1", "A3", "D4"]);
        assert_eq!(quixo.rim().len(), 12);
    }
}
