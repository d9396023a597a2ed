//! `quadrille judge`: gives the verdict on a Tic-tac-toe grid.

use super::usage;
use anyhow::{Context, anyhow};
use quadrille_rules::Symbol;
use quadrille_rules::tic_tac_toe::judge;
use quadrille_text::wording::cut;
use std::io::{self, BufRead, Read, Write};

/// Judge a tic-tac-toe grid
///
/// A grid is nine numbers, row by row: 0 for player one, 1 for player two, -1 for an empty cell, separated by white
/// space, commas, semicolons, braces or brackets. The verdict is 0 if player one has won, 1 if player two has won, 2
/// for a draw, 3 for an unfinished game.
#[derive(Debug, clap::Args)]
pub(super) struct JudgeArgs {
    /// The grid; without it, reads grids from stdin, one per line
    #[arg(allow_hyphen_values = true)]
    grid: Vec<String>,
}

pub(super) fn run(args: &JudgeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    if !args.grid.is_empty() {
        let verdict = verdict(&args.grid.join(" ")).map_err(usage)?;
        writeln!(out, "{verdict}")?;
        return Ok(());
    }
    let mut input = io::stdin().lock();
    for number in 1.. {
        let place = || format!("stdin: line {number}");
        let mut line = String::new();
        input.by_ref().take(MAX_LINE_BYTES).read_line(&mut line).with_context(place)?;
        if line.is_empty() {
            break;
        }
        if line.len() as u64 == MAX_LINE_BYTES {
            return Err(anyhow!("line too long for a grid")).with_context(place);
        }
        if !line.trim().is_empty() {
            let verdict = verdict(&line).map_err(|reason| anyhow!(reason)).with_context(place)?;
            writeln!(out, "{verdict}")?;
        }
    }
    Ok(())
}

/// The maximum length of a line in bytes. No grid needs this much.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// Returns the verdict on a grid of nine numbers, or an error about the text.
fn verdict(text: &str) -> Result<u8, String> {
    let between = |c: char| c.is_whitespace() || ",;{}[]()".contains(c);
    let numbers = text.split(between).filter(|number| !number.is_empty());
    let cells = numbers.zip(1..).map(|(number, place)| match number {
        "0" => Ok(Some(Symbol::X)),
        "1" => Ok(Some(Symbol::O)),
        "-1" => Ok(None),
        _ => Err(format!("number {place} is {:?}, not -1, 0 or 1", cut(number))),
    });
    let cells: Vec<_> = cells.collect::<Result<_, _>>()?;
    let cells = <[_; 9]>::try_from(cells)
        .map_err(|cells| format!("a grid is 9 numbers, not {}", cells.len()))?;
    Ok(judge(&cells) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judge_accepts_any_brackets() {
        for grid in [
            "0 0 0 1 1 -1 -1 -1 -1",
            "0,0,0,1,1,-1,-1,-1,-1",
            "{{0, 0, 0}, {1, 1, -1}, {-1, -1, -1}}",
            "[[0,0,0];[1,1,-1];[-1,-1,-1]]",
            "(0 0 0\n1 1 -1\n-1 -1 -1)",
        ] {
            assert_eq!(verdict(grid), Ok(0), "{grid}");
        }
        assert_eq!(verdict("1,1,1,0,0,-1,-1,-1,-1"), Ok(1));
        assert_eq!(verdict("0,1,0,0,1,1,1,0,0"), Ok(2));
        assert_eq!(verdict("-1,-1,-1,-1,-1,-1,-1,-1,-1"), Ok(3));
    }

    #[test]
    fn judge_error_names_the_fault() {
        let error = |text| verdict(text).unwrap_err();
        assert_eq!(error(""), "a grid is 9 numbers, not 0");
        assert_eq!(error("0 0 0 0 0 0 0 0"), "a grid is 9 numbers, not 8");
        assert_eq!(error("0 0 0 0 0 0 0 0 0 0"), "a grid is 9 numbers, not 10");
        assert_eq!(error("0 0 2"), "number 3 is \"2\", not -1, 0 or 1");
        assert_eq!(error("0-1"), "number 1 is \"0-1\", not -1, 0 or 1");
    }
}
