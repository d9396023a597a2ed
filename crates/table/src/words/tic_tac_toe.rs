//! Describes Tic-tac-toe in words.

use super::{Caption, PositionView, Words, count};
use quadrille_match::session::PlayerNames;
use quadrille_rules::tic_tac_toe::{Cell, LINES, TicTacToe};
use quadrille_rules::{Position, Seat, Symbol};
use quadrille_search::TicTacToeReason as Reason;
use quadrille_text::wording::list;

impl Words for TicTacToe {
    const SAMPLE: (&'static str, &'static str) = ("", "b2 b1 a1 a2 c3");
    const RULES: &'static str = include_str!("../../assets/rules/tic-tac-toe.txt");
    const AIM: &'static str = "Put three of your symbols in a row.";
    const TAGLINE: &'static str = "Three in a row on nine cells.";
    const HOW_TO_MOVE: &'static str = "Move to a cell with the arrow keys and press Enter.";

    fn caption(view: &PositionView<TicTacToe>, _: bool) -> Caption {
        let cells = |symbol| view.now.cells().iter().filter(|cell| **cell == symbol).count();
        Caption {
            board: "3 x 3 cells".to_owned(),
            progress: format!("{} left", count(cells(None), ["cell", "cells"])),
            unit: None,
            seats: Vec::new(),
            so_far: None,
            bar: None,
        }
    }

    /// Formats a move, as in `puts X on c1 and has three in a row: a1, b1 and c1`.
    fn describe(
        _: &TicTacToe,
        cell: Cell,
        after: &TicTacToe,
        by: Seat,
        names: &PlayerNames,
    ) -> String {
        let symbol = after.at(cell).map_or(String::new(), |symbol| symbol.to_string());
        let [puts, has] = ["puts", "has"].map(|verb| names.verb(by, verb));
        let line = after.winning_line();
        let line =
            line.map_or(String::new(), |line| format!(" and {has} three in a row: {}", list(line)));
        format!("{puts} {symbol} on {cell}{line}")
    }

    /// Describes the cells that complete three in a row, the players' cells, the free cells, and the rows.
    fn read_out(view: &PositionView<TicTacToe>, names: &PlayerNames) -> Vec<String> {
        let board = view.now;
        let mut lines = Vec::new();
        let is_over = board.to_move().is_none() || view.outcome.is_some();
        for symbol in Symbol::BOTH.into_iter().filter(|_| !is_over) {
            let cells = completing(board, symbol);
            if !cells.is_empty() {
                let cells = cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" or ");
                let completes = format!("completes three in a row with {cells}");
                lines.push(format!("{}.", names.clause(symbol.seat(), &completes)));
            }
        }
        let cells = |content| Cell::ALL.into_iter().filter(move |cell| board.at(*cell) == content);
        for symbol in Symbol::BOTH {
            let own = match &*list(cells(Some(symbol))) {
                "" => format!("plays {symbol}"),
                own => format!("has {symbol} on {own}"),
            };
            lines.push(format!("{}.", names.clause(symbol.seat(), &own)));
        }
        match list(cells(None)) {
            free if free.is_empty() || is_over => {}
            free => lines.push(format!("Free: {free}.")),
        }
        for (row, number) in Cell::ALL.chunks(3).zip(1..) {
            let said = |cell: &Cell| {
                board.at(*cell).map_or("free".to_owned(), |symbol| symbol.to_string())
            };
            let said: Vec<String> = row.iter().map(said).collect();
            lines.push(format!("Row {number}: {}.", said.join(", ")));
        }
        lines
    }
}

pub(super) fn explain(reason: Reason, opponent: &str) -> String {
    match reason {
        Reason::Completes => "completes three in a row".to_owned(),
        Reason::Allows => format!("lets {opponent} complete three in a row"),
        Reason::Forks => "makes a fork".to_owned(),
        Reason::Stops => "stops three in a row".to_owned(),
        Reason::StopsFork => "stops a fork".to_owned(),
        Reason::Threatens => "threatens three in a row".to_owned(),
        Reason::Takes { cell, lines } => {
            let place = match Cell::ALL.iter().position(|&at| at == cell) {
                Some(4) => "the center",
                Some(0 | 2 | 6 | 8) => "a corner",
                _ => "the middle of a side",
            };
            format!("takes {place} ({})", count(lines as usize, ["open line", "open lines"]))
        }
        Reason::Safe => "leaves no threat".to_owned(),
    }
}

/// Returns the free cells that would complete a line of three of this symbol.
fn completing(board: &TicTacToe, symbol: Symbol) -> Vec<Cell> {
    let lacks = |line: [usize; 3], cell: Cell| {
        line.iter().all(|&at| Cell::ALL[at] == cell || board.at(Cell::ALL[at]) == Some(symbol))
            && line.iter().any(|&at| Cell::ALL[at] == cell)
    };
    let free = Cell::ALL.into_iter().filter(|cell| board.at(*cell).is_none());
    free.filter(|cell| LINES.into_iter().any(|line| lacks(line, *cell))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::{read, told};

    #[test]
    fn move_description_names_three_in_a_row() {
        let told = |moves: &str| told::<TicTacToe>("", moves);
        assert_eq!(told("b2"), "Ann puts X on b2. Bob to move.");
        assert_eq!(told("b2 a1"), "Bob puts O on a1. Ann to move.");
        assert_eq!(
            told("a1 a2 b1 b2 c1"),
            "Ann puts X on c1 and has three in a row: a1, b1 and c1. Ann wins."
        );
        assert_eq!(told("a1 b1 c1 b2 a2 c2 b3 a3 c3"), "Ann puts X on c3. Draw.");
    }

    #[test]
    fn board_readout_lists_cells() {
        assert_eq!(
            read::<TicTacToe>("", "b2 a1 c3 c1"),
            [
                "Bob completes three in a row with b1.",
                "Ann has X on b2 and c3.",
                "Bob has O on a1 and c1.",
                "Free: b1, a2, c2, a3 and b3.",
                "Row 1: O, free, O.",
                "Row 2: free, X, free.",
                "Row 3: free, free, X."
            ]
        );
        assert_eq!(read::<TicTacToe>("", "")[0], "Ann plays X.");
        assert_eq!(read::<TicTacToe>("", "a1 a2 b1 b2 c1").len(), 5);
    }
}
