//! Tic-tac-toe, and the result of a grid whose last move is unknown.
//!
//! Source: *TaTeTi*; quotations below are translated from it.

use super::symbol::{read_grid, write_grid};
use super::{
    ChoiceOption, OptionSpec, Outcome, ParseMoveError, Position, Scores, Seat, Setup, SetupError,
    Square, Symbol, TextOption, WordChoice,
};
use std::error::Error;
use std::fmt;
use std::str::FromStr;

const GRID: TextOption = TextOption {
    name: "grid",
    help: "starting position, row by row",
    form: "9 characters of - X O",
};
const FIRST: ChoiceOption = ChoiceOption::plain(
    "first",
    "side to move at the start",
    &[WordChoice::plain("X", ""), WordChoice::plain("O", "")],
);

/// The message for text that is not a move.
const CELL: &str = "a move is a cell from a1 to c3";

/// The primes of the cells, row by row: "a player's score is the product of the primes of the cells he has chosen".
const PRIMES: [u32; 9] = [2, 3, 5, 7, 11, 13, 17, 19, 23];

/// The lines in the source's order: H1 H2 H3 V1 V2 V3 D1 D2, as cell indices.
pub const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The source's four results. The discriminants are the source's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// "Game finished, player one wins."
    OneWins = 0,
    /// "Game finished, player two wins."
    TwoWins = 1,
    /// "Game finished, a draw."
    Draw = 2,
    /// "Game not finished."
    Unfinished = 3,
}

/// Returns the result of a grid of nine cells, row by row, "supposing that we do not know the last move".
///
/// Uses unique prime factorization: "by the fundamental theorem of arithmetic there is a winner if one of the products
/// of the lines divides the player's score". Unreachable grids are allowed; if both players have a line, the line that
/// comes first in [`LINES`] decides.
pub fn judge(cells: &[Option<Symbol>; 9]) -> Verdict {
    let score = |symbol| -> u32 {
        let owned = cells.iter().zip(PRIMES).filter(|(cell, _)| **cell == Some(symbol));
        owned.map(|(_, prime)| prime).product()
    };
    let (one, two) = (score(Symbol::X), score(Symbol::O));
    for line in LINES {
        let product: u32 = line.iter().map(|&cell| PRIMES[cell]).product();
        if one % product == 0 {
            return Verdict::OneWins;
        }
        if two % product == 0 {
            return Verdict::TwoWins;
        }
    }
    if cells.contains(&None) { Verdict::Unfinished } else { Verdict::Draw }
}

/// A position of tic-tac-toe. The source's player one is the first seat and plays X.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    cells: [Option<Symbol>; 9],
    next: Symbol,
}

/// A cell, written as the column's letter and the row's number from the top: `a1` to `c3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// The reason why a cell cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CellError {
    /// The cell is already taken.
    Taken(Cell, Symbol),
    /// The game is over.
    Over,
}

impl TicTacToe {
    /// Returns the symbol in a cell.
    pub const fn at(&self, cell: Cell) -> Option<Symbol> {
        self.cells[cell.0 as usize]
    }

    /// Returns the nine cells, row by row.
    pub const fn cells(&self) -> &[Option<Symbol>; 9] {
        &self.cells
    }

    /// Returns the source's result for this position.
    pub fn verdict(&self) -> Verdict {
        judge(&self.cells)
    }

    /// Returns the cells of the deciding line, if any.
    pub fn winning_line(&self) -> Option<[Cell; 3]> {
        let owner = |cell: usize| self.cells[cell];
        let line = LINES.into_iter().find(|&[a, b, c]| {
            owner(a).is_some() && owner(a) == owner(b) && owner(b) == owner(c)
        })?;
        Some(line.map(|cell| Cell(cell as u8)))
    }
}

impl Cell {
    /// The nine cells, row by row.
    pub const ALL: [Cell; 9] =
        [Cell(0), Cell(1), Cell(2), Cell(3), Cell(4), Cell(5), Cell(6), Cell(7), Cell(8)];

    /// Returns the cell at a square, or `None` off the board.
    pub const fn on(Square { row, col }: Square<'a'>) -> Option<Cell> {
        if row < 3 && col < 3 { Some(Cell(row * 3 + col)) } else { None }
    }

    /// Returns the square of the cell.
    pub const fn square(self) -> Square<'a'> {
        Square { row: self.0 / 3, col: self.0 % 3 }
    }
}

impl Position for TicTacToe {
    type Move = Cell;
    type IllegalMove = CellError;

    const ID: &'static str = "tic-tac-toe";
    const NAME: &'static str = "Tic-tac-toe";
    const ALIASES: &'static [&'static str] = &["ttt", "noughts-and-crosses"];
    fn options(_: &Setup) -> Vec<OptionSpec> {
        vec![FIRST.into(), GRID.into()]
    }

    fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        setup.check_names(&Self::options(setup))?;
        let next = Symbol::BOTH[FIRST.index(setup)?];
        let cells = match GRID.read(setup) {
            None | Some("") => [None; 9],
            Some(text) => read_grid(text)
                .and_then(|cells| cells.try_into().ok())
                .ok_or_else(|| GRID.error(text, format!("must be {}", GRID.form)))?,
        };
        Ok(TicTacToe { cells, next })
    }

    fn setup(&self) -> Setup {
        let setup = Setup::new().with("first", self.next);
        if self.cells == [None; 9] { setup } else { setup.with("grid", write_grid(&self.cells)) }
    }

    fn to_move(&self) -> Option<Seat> {
        (self.verdict() == Verdict::Unfinished).then_some(self.next.seat())
    }

    fn append_legal_moves(&self, out: &mut Vec<Cell>) {
        if self.verdict() == Verdict::Unfinished {
            out.extend(Cell::ALL.into_iter().filter(|&cell| self.at(cell).is_none()));
        }
    }

    fn check(&self, cell: Cell) -> Result<(), CellError> {
        match (self.verdict(), self.at(cell)) {
            (Verdict::Unfinished, None) => Ok(()),
            (Verdict::Unfinished, Some(symbol)) => Err(CellError::Taken(cell, symbol)),
            _ => Err(CellError::Over),
        }
    }

    fn play(&mut self, cell: Cell) -> Result<(), CellError> {
        self.check(cell)?;
        self.cells[cell.0 as usize] = Some(self.next);
        self.next = self.next.opponent();
        Ok(())
    }

    fn scores(&self) -> Option<Scores> {
        None
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.verdict() {
            Verdict::OneWins => Some(Outcome::win(Seat::FIRST)),
            Verdict::TwoWins => Some(Outcome::win(Seat::SECOND)),
            Verdict::Draw => Some(Outcome::draw(2)),
            Verdict::Unfinished => None,
        }
    }

    fn mark(seat: Seat) -> char {
        Symbol::from(seat).letter()
    }

    fn validate(&self) -> Result<(), String> {
        // The verdict is recomputed on every call, so only a plain check of the lines can disagree.
        let plain = match self.winning_line().and_then(|[cell, ..]| self.at(cell)) {
            Some(Symbol::X) => Verdict::OneWins,
            Some(Symbol::O) => Verdict::TwoWins,
            None if self.cells.contains(&None) => Verdict::Unfinished,
            None => Verdict::Draw,
        };
        let verdict = self.verdict();
        if plain == verdict {
            Ok(())
        } else {
            Err(format!("{plain:?} by lines, {verdict:?} by primes"))
        }
    }
}

impl fmt::Display for TicTacToe {
    /// Writes the source's numbers, one text row per board row: `0` player one, `1` player two, `-1` not selected.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, cell) in self.cells.iter().enumerate() {
            let number = match cell {
                Some(Symbol::X) => "0",
                Some(Symbol::O) => "1",
                None => "-1",
            };
            let gap = match index {
                0 => "",
                3 | 6 => "\n",
                _ => " ",
            };
            write!(f, "{gap}{number}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.square().fmt(f)
    }
}

impl FromStr for Cell {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Cell, ParseMoveError> {
        Square::read(text).and_then(Cell::on).ok_or(ParseMoveError::new(CELL))
    }
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CellError::Taken(cell, symbol) => write!(f, "{cell} already has an {symbol}"),
            CellError::Over => f.write_str("the game is over"),
        }
    }
}

impl Error for CellError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn verdict(numbers: [[i8; 3]; 3]) -> Verdict {
        let cells: Vec<_> = numbers
            .concat()
            .into_iter()
            .map(|n| match n {
                0 => Some(Symbol::X),
                1 => Some(Symbol::O),
                _ => None,
            })
            .collect();
        judge(&cells.try_into().unwrap())
    }

    /// The source's nine tests under their original names, and the two grids at its beginning.
    #[test]
    fn verdict_passes_the_published_tests() {
        use Verdict::*;
        let cases = [
            ("noHuboMovimientos", [[-1, -1, -1], [-1, -1, -1], [-1, -1, -1]], Unfinished),
            ("empate", [[1, 0, 1], [0, 0, 1], [0, 1, 0]], Draw),
            ("noFinalizada", [[1, -1, -1], [1, 0, -1], [0, -1, 0]], Unfinished),
            ("ganaUnoVertical", [[1, 0, 1], [-1, 0, -1], [0, 0, 1]], OneWins),
            ("ganaDosVertical", [[1, -1, 0], [1, 0, -1], [1, -1, 0]], TwoWins),
            ("ganaUnoHorizontal", [[1, -1, -1], [0, 0, 0], [0, 1, 1]], OneWins),
            ("ganaDosHorizontal", [[0, -1, 0], [-1, 0, -1], [1, 1, 1]], TwoWins),
            ("ganaUnoDiagonal", [[0, -1, -1], [1, 0, -1], [1, -1, 0]], OneWins),
            ("ganaUnoAlFinal", [[1, 0, 1], [0, 0, 1], [1, 0, 0]], OneWins),
        ];
        for (name, grid, expected) in cases {
            assert_eq!(verdict(grid), expected, "{name}");
        }
    }

    /// Compares all 3⁹ grids, including unreachable ones, with a cell-by-cell line check.
    #[test]
    fn verdict_matches_a_line_check_on_every_grid() {
        for code in 0..3u32.pow(9) {
            let cells = std::array::from_fn(|cell| match code / 3u32.pow(cell as u32) % 3 {
                0 => None,
                1 => Some(Symbol::X),
                _ => Some(Symbol::O),
            });
            let position = TicTacToe { cells, next: Symbol::X };
            assert_eq!(position.validate(), Ok(()), "{position}");
        }
    }

    #[test]
    fn verdict_checks_lines_in_the_published_order() {
        let both =
            |grid: &str| TicTacToe::from_setup(&Setup::new().with("grid", grid)).unwrap().verdict();
        assert_eq!(both("XXXOOO---"), Verdict::OneWins);
        assert_eq!(both("OOOXXX---"), Verdict::TwoWins);
        assert_eq!(both("XO-XO-XO-"), Verdict::OneWins);
        assert_eq!(both("OX-OX-OX-"), Verdict::TwoWins);
    }

    /// The source says 5487, a misprint for 5478.
    #[test]
    fn play_reaches_5478_positions() {
        let start = TicTacToe::from_setup(&Setup::new()).unwrap();
        let mut seen = HashSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(position) = open.pop() {
            for mv in position.legal_moves() {
                let mut next = position.clone();
                next.play(mv).unwrap();
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        let count = |verdict| seen.iter().filter(|p| p.verdict() == verdict).count();
        assert_eq!(seen.len(), 5478);
        assert_eq!(count(Verdict::OneWins), 626);
        assert_eq!(count(Verdict::TwoWins), 316);
        assert_eq!(count(Verdict::Draw), 16);
        assert_eq!(count(Verdict::Unfinished), 4520);
    }

    #[test]
    fn a_grid_must_have_nine_cells_of_three_kinds() {
        for bad in ["XO", "XXXXXXXXXX", "XO------x", "XO 012345"] {
            let error = TicTacToe::from_setup(&Setup::new().with("grid", bad)).unwrap_err();
            assert_eq!(error.to_string(), format!("grid={bad}: must be 9 characters of - X O"));
        }
    }

    #[test]
    fn refusal_names_the_symbol_in_the_cell() {
        let mut game = TicTacToe::from_setup(&"grid=OX-X----- first=O".parse().unwrap()).unwrap();
        assert_eq!(game.to_string(), "1 0 -1\n0 -1 -1\n-1 -1 -1");
        let refusal = game.play("b1".parse().unwrap()).unwrap_err();
        assert_eq!(refusal.to_string(), "b1 already has an X");
        assert_eq!(game.to_move(), Some(Seat::SECOND));
        assert!("a4".parse::<Cell>().is_err() && "A1".parse::<Cell>().is_err());
    }
}
