//! The limits of a search.

use super::words::{WordReader, write_words};
use super::{BadLine, SEATS};
use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The remaining time in whole milliseconds.
    pub left: Duration,
    /// The increment per move in whole milliseconds.
    pub increment: Duration,
}

/// The purpose and the limits of a search. The search ends at the first limit reached; no limit means `infinite`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub move_time: Option<Duration>,
    /// The clocks by seat, if any. The program decides how much of its time to use.
    pub clocks: [Option<Clock>; SEATS],
    /// The maximum depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of positions.
    pub nodes: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// The number of moves to report, each with a score and a line.
    pub multipv: Option<NonZeroU32>,
    /// The moves to choose from; empty for all legal moves.
    pub search_moves: Vec<String>,
}

impl Go {
    /// Returns whether the search runs until it is told to stop.
    pub fn is_endless(&self) -> bool {
        let Go { move_time, depth, nodes, infinite, .. } = self;
        let has_end = move_time.is_some() || depth.is_some() || nodes.is_some();
        *infinite || !has_end && self.clocks.iter().all(Option::is_none)
    }

    pub(super) fn read(words: &mut WordReader<'_>) -> Result<Go, BadLine> {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "movetime" => go.move_time = Some(millis(words, word)?),
                "depth" => go.depth = Some(words.number(word)?),
                "nodes" => go.nodes = Some(words.number(word)?),
                "infinite" => go.infinite = true,
                "multipv" => go.multipv = Some(words.number(word)?),
                "searchmoves" => {
                    let moves = words.while_not(is_keyword);
                    if moves.is_empty() {
                        return Err(BadLine::new("searchmoves: a move is missing"));
                    }
                    go.search_moves = moves.into_iter().map(str::to_owned).collect();
                }
                _ => {
                    let Some((seat, is_increment)) = clock(word) else {
                        words.pass_over(word);
                        continue;
                    };
                    let time = millis(words, word)?;
                    let clock = go.clocks[seat].get_or_insert_default();
                    *(if is_increment { &mut clock.increment } else { &mut clock.left }) = time;
                }
            }
        }
        Ok(go)
    }
}

/// Returns whether a word after `go` is a keyword and therefore not a move.
fn is_keyword(word: &str) -> bool {
    ["movetime", "depth", "nodes", "infinite", "multipv", "searchmoves"].contains(&word)
        || clock(word).is_some()
}

/// Returns the seat in a word such as `p2time` or `p2inc`, and whether the word is for the increment.
fn clock(word: &str) -> Option<(usize, bool)> {
    let word = word.strip_prefix('p')?;
    let (number, is_increment) = match word.strip_suffix("time") {
        Some(number) => (number, false),
        None => (word.strip_suffix("inc")?, true),
    };
    let seat = number.parse::<usize>().ok()?.checked_sub(1)?;
    // Each seat has only one spelling: `p1`, never `p01`.
    (seat < SEATS && number.len() == 1).then_some((seat, is_increment))
}

/// Parses milliseconds. A negative number counts as 0, since it means that the clock has run out.
fn millis(words: &mut WordReader<'_>, of: &str) -> Result<Duration, BadLine> {
    let number: i64 = words.number(of)?;
    Ok(Duration::from_millis(number.max(0).unsigned_abs()))
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        let clocks = || (1..).zip(&self.clocks).filter_map(|(seat, clock)| Some((seat, (*clock)?)));
        for (seat, clock) in clocks() {
            write!(f, " p{seat}time {}", clock.left.as_millis())?;
        }
        for (seat, clock) in clocks() {
            write!(f, " p{seat}inc {}", clock.increment.as_millis())?;
        }
        if let Some(time) = self.move_time {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(lines) = self.multipv {
            write!(f, " multipv {lines}")?;
        }
        f.write_str(if self.infinite { " infinite" } else { "" })?;
        if !self.search_moves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        write_words(f, &self.search_moves)
    }
}
