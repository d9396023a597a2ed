//! Describes Quixo in words.

use super::{Caption, PositionView, Words, count};
use quadrille_match::session::PlayerNames;
use quadrille_rules::quixo::{Place, Push, Quixo};
use quadrille_rules::{Position, Seat, Symbol};
use quadrille_search::QuixoReason as Reason;
use quadrille_text::wording::{list, number};

impl Words for Quixo {
    const SAMPLE: (&'static str, &'static str) = ("size=3 grid=XO--XO-X-", "");
    const RULES: &'static str = include_str!("../../assets/rules/quixo.txt");
    const AIM: &'static str = "Fill a row, a column or a diagonal with your symbol.";
    const TAGLINE: &'static str = "Take a die from the edge, push it back in. A full line wins.";
    const HOW_TO_MOVE: &'static str = "Move to a die on the rim with the arrow keys and take it with Enter. Then \
        choose where to push it with an arrow key: the board previews the result, and Enter confirms.";

    fn caption(view: &PositionView<Quixo>, _: bool) -> Caption {
        let size = view.now.size();
        let places: Vec<Option<Symbol>> =
            Place::all(size, size).map(|place| view.now.die(place)).collect();
        let dice = |symbol| places.iter().filter(|die| **die == symbol).count();
        Caption {
            board: format!("{size} x {size} dice"),
            progress: count(dice(None), ["blank die", "blank dice"]),
            unit: None,
            seats: Symbol::BOTH.map(|symbol| count(dice(Some(symbol)), ["die", "dice"])).to_vec(),
            so_far: None,
            bar: None,
        }
    }

    /// Formats a move, as in `takes the blank die at B1 and pushes it in at B5`.
    fn describe(
        before: &Quixo,
        Push { from, to }: Push,
        after: &Quixo,
        by: Seat,
        names: &PlayerNames,
    ) -> String {
        let die = match before.die(from) {
            None => "blank die".to_owned(),
            Some(symbol) => symbol.to_string(),
        };
        let filled = after
            .lines()
            .into_iter()
            .map(|(symbol, line)| format!("{} with {symbol}", name(&line)));
        let filled: Vec<String> = filled.collect();
        let filled = if filled.is_empty() {
            filled.concat()
        } else {
            format!(", which fills {}", list(filled))
        };
        let [takes, pushes] = ["takes", "pushes"].map(|verb| names.verb(by, verb));
        format!("{takes} the {die} at {from} and {pushes} it in at {to}{filled}")
    }

    /// Describes the lines that are full or one die short, the dice that can be taken, and all dice row by row.
    fn read_out(view: &PositionView<Quixo>, names: &PlayerNames) -> Vec<String> {
        let board = view.now;
        let x = names.clause(Seat::FIRST, "plays X");
        let mut lines = vec![format!("{x}, {}.", names.inner_clause(Seat::SECOND, "plays O"))];
        for line in all_lines(board.size()) {
            let dice =
                |symbol| line.iter().filter(|place| board.die(**place) == Some(symbol)).count();
            for symbol in Symbol::BOTH {
                match line.len() - dice(symbol) {
                    0 => lines.push(format!("{symbol} fills {}.", name(&line))),
                    1 if line.len() > 2 => {
                        lines.push(format!("{symbol} needs one more die in {}.", name(&line)));
                    }
                    _ => {}
                }
            }
        }
        if let Some(seat) = view.now.to_move().filter(|_| view.outcome.is_none()) {
            let rim = board.rim();
            let open: Vec<Place> = rim.iter().copied().filter(|die| board.can_take(*die)).collect();
            let open = match open.len() {
                all if all == rim.len() => "any die on the rim".to_owned(),
                0 => "no die".to_owned(),
                _ => list(open),
            };
            lines.push(format!("{} can take {open}.", names.subject(seat)));
        }
        lines.push(match board.size() {
            1 => "Each row has one die, A.".to_owned(),
            size => format!("The rows, each from A to {}:", (b'A' + size - 1) as char),
        });
        lines.extend((0..board.size()).map(|row| row_in_words(board, row)));
        lines
    }
}

pub(super) fn explain(reason: Reason, opponent: &str) -> String {
    match reason {
        Reason::Completes(symbol) => format!("completes a line of {symbol}"),
        Reason::CompletesBoth => "completes lines of both X and O".to_owned(),
        Reason::CannotStop(symbol) => format!("cannot stop a line of {symbol}"),
        Reason::Allows(symbol) => format!("lets {opponent} complete a line of {symbol}"),
        Reason::Unstoppable(symbol) => {
            format!("leaves {opponent} no way to stop a line of {symbol}")
        }
        Reason::Forces(symbol) => {
            format!("leaves {opponent} only pushes that complete a line of {symbol}")
        }
        Reason::Stops(symbol) => format!("stops a line of {symbol}"),
        Reason::Threatens(symbol) => format!("threatens a line of {symbol}"),
        Reason::Builds { dice, size } => format!("makes {dice} of {size} in a line"),
        Reason::BreaksUp { dice, symbol, .. } => {
            format!("breaks up {} {symbol}'s in a row", number(dice as usize))
        }
        Reason::Safe => "leaves no threat".to_owned(),
    }
}

/// Names a row, a column or a diagonal.
fn name(line: &[Place]) -> String {
    match line {
        [first, .., last] if first.row == last.row => format!("row {}", first.row + 1),
        [first, .., last] if first.col == last.col => {
            format!("column {}", (b'A' + first.col) as char)
        }
        [first, .., last] => format!("the diagonal from {first} to {last}"),
        _ => "the board".to_owned(),
    }
}

fn row_in_words(board: &Quixo, row: u8) -> String {
    let die = |col| board.die(Place { row, col }).map_or("blank".to_owned(), |die| die.to_string());
    let dice: Vec<String> = (0..board.size()).map(die).collect();
    let is_one = dice.len() > 1 && dice.iter().all(|die| *die == dice[0]);
    let dice = if is_one { format!("all {}", dice[0]) } else { dice.join(", ") };
    format!("Row {}: {dice}.", row + 1)
}

fn all_lines(size: u8) -> impl Iterator<Item = Vec<Place>> {
    let row = move |row| (0..size).map(|col| Place { row, col }).collect();
    let col = move |col| (0..size).map(|row| Place { row, col }).collect();
    let down = (0..size).map(|at| Place { row: at, col: at }).collect();
    let up = (0..size).map(|at| Place { row: size - 1 - at, col: at }).collect();
    (0..size).map(row).chain((0..size).map(col)).chain([down, up])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::{read, told};

    #[test]
    fn push_description_names_the_filled_line() {
        assert_eq!(
            told::<Quixo>("", "B1-B5"),
            "Ann takes the blank die at B1 and pushes it in at B5. Bob to move."
        );
        assert_eq!(
            told::<Quixo>("size=3 grid=XX-------", "C1-A1"),
            "Ann takes the blank die at C1 and pushes it in at A1, which fills row 1 with X. Ann wins."
        );
        // The push completes the other seat's line.
        assert_eq!(
            told::<Quixo>("size=3 grid=XO--XOO--", "A1-A3"),
            "Ann takes the X at A1 and pushes it in at A3. Bob to move."
        );
        assert_eq!(
            told::<Quixo>("size=3 grid=-OOO-----", "A1-A3"),
            "Ann takes the blank die at A1 and pushes it in at A3, which fills row 1 with O. Bob wins."
        );
        assert_eq!(
            told::<Quixo>("size=3 grid=X---X----", "C1-C3"),
            "Ann takes the blank die at C1 and pushes it in at C3, which fills the diagonal from A1 to \
             C3 with X. Ann wins."
        );
    }

    #[test]
    fn push_description_names_lines_of_both_symbols() {
        // A2 is moved up to two other O symbols in row 1, and the new die enters beside two X symbols.
        assert_eq!(
            told::<Quixo>("size=3 grid=-OOO---XX", "A1-A3"),
            "Ann takes the blank die at A1 and pushes it in at A3, which fills row 1 with O and row 3 \
             with X. Draw."
        );
    }

    #[test]
    fn board_readout_lists_rows() {
        assert_eq!(
            read::<Quixo>("size=3 grid=XX-O-----", ""),
            [
                "Ann plays X, Bob plays O.",
                "X needs one more die in row 1.",
                "Ann can take A1, B1, C1, C2, C3, B3 and A3.",
                "The rows, each from A to C:",
                "Row 1: X, X, blank.",
                "Row 2: O, blank, blank.",
                "Row 3: all blank."
            ]
        );
        let over = read::<Quixo>("size=3 grid=XX-O-----", "C1-A1");
        assert_eq!(over[1], "X fills row 1.");
        assert!(over.iter().all(|line| !line.contains("can take")), "{over:?}");
        assert_eq!(read::<Quixo>("", "")[1], "Ann can take any die on the rim.");
    }
}
