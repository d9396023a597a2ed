//! Games of Dots and Boxes in the notation of trmph.com and Little Golem, such as `7,i14k12a14`, often after the `#` of
//! a URL.
//!
//! The notation begins with the number of boxes per side of a square board; the moves of one line follow without
//! separators. With n boxes per side, dots, lines and boxes are points of a lattice of 2n + 1 columns, named by
//! letters, and as many rows, numbered from 1: `a1` is a dot, `b1` the line to its right, `a2` the line below it, and
//! `b2` the box between these two lines.
//!
//! We found no published description of the format for this game. Column `a` at the left and row 1 at the top are our
//! assumption, after the usual coordinates in Hex; flipped vertically, the game would be the same. The boards of Little
//! Golem have 4 to 7 boxes per side, so their columns end at `o`; after `z` we continue with `aa`, `ab`, as in
//! spreadsheets.

use super::{BadMove, Match, Record, Refusal};
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::{ClaimError, DotsAndBoxes, Line};
use quadrille_text::wording::cut;
use std::fmt::Write;

/// The maximum number of boxes per side in the rules.
const MAX_BOXES: u8 = 63;

/// Why a text cannot be parsed or a match cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrmphError {
    /// The text before the first comma is not a number of boxes per side between 1 and 63.
    #[error("the number of boxes per side must be from 1 to {MAX_BOXES}, not {:?}", cut(.0))]
    Size(String),
    /// A move is invalid or illegal.
    #[error(transparent)]
    Move(BadMove),
    /// The match is of a different game.
    #[error("trmph text exists only for dots-and-boxes, not for {0}")]
    OtherGame(&'static str),
    /// The board is not square; holds the number of boxes from top to bottom, and from left to right.
    #[error("trmph text exists only for square boards, not for {0} by {1} boxes")]
    NotSquare(String, String),
}

/// Returns whether a text looks like a game in this notation. No record does.
pub fn looks_like(text: &str) -> bool {
    split(text).is_some_and(|(size, moves)| {
        let digits = !size.is_empty() && size.bytes().all(|b| b.is_ascii_digit());
        digits && moves.trim_start().chars().next().is_none_or(|c| c.is_ascii_alphabetic())
    })
}

/// Parses a game. White space is allowed around the game and between its moves, and a URL may precede it.
pub fn read(text: &str) -> Result<Record, TrmphError> {
    let (size, mut rest) = split(text).unwrap_or((text.trim(), ""));
    let bad_size = || TrmphError::Size(size.to_owned());
    let boxes: u8 =
        size.parse().ok().filter(|n| (1..=MAX_BOXES).contains(n)).ok_or_else(bad_size)?;
    let mut game = Match::new(DotsAndBoxes::square(boxes + 1).map_err(|_| bad_size())?);
    for number in 1.. {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let (text, after) = rest.split_at(word(rest));
        rest = after;
        line(text)
            .and_then(|line| game.play(&line.to_string()))
            .map_err(|refusal| BadMove { number, text: text.to_owned(), variation: None, refusal })
            .map_err(TrmphError::Move)?;
    }
    Ok(Record::of(&game, &[], ""))
}

/// Formats the main line of a match.
pub fn write(game: &Match) -> Result<String, TrmphError> {
    if game.id() != DotsAndBoxes::ID {
        return Err(TrmphError::OtherGame(game.id()));
    }
    let setup = game.setup();
    let boxes = |key| {
        let dots = setup.get(key).and_then(|dots| dots.parse().ok()).unwrap_or(1_u8);
        (dots - 1).to_string()
    };
    let (high, wide) = (boxes("rows"), boxes("cols"));
    if high != wide {
        return Err(TrmphError::NotSquare(high, wide));
    }
    let mut text = wide + ",";
    for line in game.moves().iter().filter_map(|(_, mv)| mv.parse().ok()) {
        let (column, row) = match line {
            Line::Horizontal { row, col } => (2 * u32::from(col) + 2, 2 * u32::from(row) + 1),
            Line::Vertical { row, col } => (2 * u32::from(col) + 1, 2 * u32::from(row) + 2),
        };
        text.push_str(&letters(column));
        // Writing to a string never fails.
        let _ = write!(text, "{row}");
    }
    Ok(text)
}

/// Splits a text into the boxes per side and the moves, without the URL.
fn split(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
    let in_address = |c: char| !c.is_whitespace() && !"[](){};\"".contains(c);
    let game = match text.split_once('#') {
        Some((address, game)) if address.chars().all(in_address) => game,
        _ => text,
    };
    game.split_once(',')
}

/// Returns the length in bytes of the first move of a nonempty text: letters and a number, or if there is no number,
/// everything before the next letter.
fn word(text: &str) -> usize {
    let until = |ends: fn(char) -> bool, from: usize| {
        text[from..].find(ends).map_or(text.len(), |bytes| from + bytes)
    };
    match until(|c| !c.is_ascii_digit(), until(|c| !c.is_ascii_lowercase(), 0)) {
        0 => until(|c| c.is_whitespace() || c.is_ascii_lowercase(), 0),
        bytes => bytes,
    }
}

/// Parses the line at a lattice point. The point may be outside the board.
fn line(text: &str) -> Result<Line, Refusal> {
    let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let (column, row) = text.split_at(digits);
    let is_letters = !column.is_empty() && column.bytes().all(|b| b.is_ascii_lowercase());
    if !is_letters || row.is_empty() || row.starts_with('0') {
        let form = "a move is the letter of a column and the number of a row, such as i14";
        return Err(Refusal::new(form));
    }
    let column = column.bytes().try_fold(0_u32, |column, letter| {
        column.checked_mul(26)?.checked_add(u32::from(letter - b'a') + 1)
    });
    let half = |place: u32| u8::try_from(place / 2).ok();
    let line = || {
        let (x, y) = (column? - 1, row.parse::<u32>().ok()? - 1);
        let (row, col) = (half(y)?, half(x)?);
        match (x % 2, y % 2) {
            (1, 0) => Some(Line::Horizontal { row, col }),
            (0, 1) => Some(Line::Vertical { row, col }),
            _ => None,
        }
    };
    line().ok_or_else(|| Refusal::new(ClaimError::InvalidPosition))
}

/// Returns the letters of a column; columns are numbered from 1.
fn letters(mut column: u32) -> String {
    let mut letters = Vec::new();
    while column > 0 {
        column -= 1;
        letters.push(char::from(b'a' + (column % 26) as u8));
        column /= 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use quadrille_rules::quixo::Quixo;

    fn start(setup: &str) -> Match {
        Match::new(DotsAndBoxes::from_setup(&setup.parse().unwrap()).unwrap())
    }

    /// Parses a text and formats the result.
    fn again(text: &str) -> String {
        let record = read(text).unwrap();
        let mut game = start(&record.setup().unwrap().to_string());
        record.replay(&mut game).unwrap();
        write(&game).unwrap()
    }

    #[test]
    fn trmph_coordinates_are_read() {
        let record = read("7,i14k12a14").unwrap();
        assert_eq!(record.tag("Setup"), Some("rows=8 cols=8"));
        assert_eq!(record.moves(), ["V6,4", "V5,5", "V6,0"]);
        assert_eq!(record.tag("Date"), None);
        assert_eq!(read("1,b1a2c2b3").unwrap().moves(), ["H0,0", "V0,0", "V0,1", "H1,0"]);
        assert_eq!(read("1,b1a2c2b3").unwrap().tag("Result"), Some("0-1"));
        assert_eq!(read("13,z1aa2").unwrap().moves(), ["H0,12", "V0,13"]);
        assert_eq!(read("63,dv1dw126").unwrap().moves(), ["H0,62", "V62,63"]);
    }

    #[test]
    fn trmph_reader_accepts_a_url_and_white_space() {
        for text in [
            "2,a2d3",
            " 2,a2d3\r\n",
            "\u{feff}#2,a2d3",
            "https://trmph.com/dots/board#2,a2d3\n",
            "www.trmph.com/x/board#2,\n a2\n\td3",
        ] {
            assert!(looks_like(text), "{text}");
            assert_eq!(again(text), "2,a2d3");
        }
        assert!(looks_like("7,") && looks_like("99,z9") && looks_like("7,I14"));
        assert_eq!(again("7,"), "7,");
        for text in [
            "",
            ",a2",
            "7",
            "a,7",
            "0,0-0,1 [Game \"intersections\"]",
            "[Game \"dots-and-boxes\"][Setup \"size=3\"] {see #2,a2d3}",
            "{https://trmph.com/board#2,a2}",
            "; board#2,a2",
        ] {
            assert!(!looks_like(text), "{text}");
        }
    }

    #[test]
    fn trmph_error_names_the_fault() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        let size = "the number of boxes per side must be from 1 to 63, not";
        assert_eq!(error("0,"), format!("{size} \"0\""));
        assert_eq!(error("64,a2"), format!("{size} \"64\""));
        assert_eq!(error("99999999999999999999,a2"), format!("{size} \"99999999999999999999\""));
        assert_eq!(error(" seven "), format!("{size} \"seven\""));
        assert_eq!(error("3,a2b1z9"), "move 3 \"z9\": invalid position");
        for place in ["a1", "b2", "a8", "h1", "aaaaaaaaaaaaaaaaaaaa1", "a99999999999", "b255"] {
            assert_eq!(error(&format!("3,{place}")), format!("move 1 {place:?}: invalid position"));
        }
        assert_eq!(error("3,a2b1a2"), "move 3 \"a2\": dots already connected");
        let form = "a move is the letter of a column and the number of a row, such as i14";
        for (text, word) in
            [("a2b", "b"), ("a2-b1", "-"), ("a2 3", "3"), ("a2é", "é"), ("a2a0", "a0")]
        {
            assert_eq!(error(&format!("3,{text}")), format!("move 2 {word:?}: {form}"));
        }
        assert_eq!(error("3,I14a2"), format!("move 1 \"I14\": {form}"));
    }

    #[test]
    fn trmph_writer_accepts_only_square_dots_and_boxes() {
        let error = write(&start("rows=3 cols=5")).unwrap_err().to_string();
        assert_eq!(error, "trmph text exists only for square boards, not for 2 by 4 boxes");
        let quixo = Match::new(Quixo::from_setup(&"".parse().unwrap()).unwrap());
        let error = write(&quixo).unwrap_err().to_string();
        assert_eq!(error, "trmph text exists only for dots-and-boxes, not for quixo");
    }

    #[test]
    fn trmph_writer_writes_only_the_current_line() {
        let mut game = start("size=3");
        for mv in ["H0,0", "V0,0", "V0,1"] {
            game.play(mv).unwrap();
        }
        game.undo();
        assert_eq!(write(&game).unwrap(), "2,b1a2");
    }

    proptest! {
        #[test]
        fn any_trmph_match_round_trips(
            size in prop_oneof![9 => 2..12_u8, 1 => 60..=64_u8],
            picks in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        ) {
            let mut game = start(&format!("size={size}"));
            for pick in picks {
                let legal = game.legal_moves();
                if !legal.is_empty() {
                    game.play(&legal[pick.index(legal.len())]).unwrap();
                }
            }
            let text = write(&game).unwrap();
            let record = read(&text).unwrap();
            let moves: Vec<String> = game.moves().iter().map(|(_, text)| text.clone()).collect();
            prop_assert_eq!(record.moves(), moves);
            prop_assert_eq!(again(&text), text);
        }

        #[test]
        fn any_trmph_text_is_read_or_refused(text in "[0-9]{0,3},?([a-z]{0,3}[0-9]{0,3}|.){0,20}") {
            looks_like(&text);
            if let Ok(record) = read(&text) {
                prop_assert!(looks_like(&again(&text)));
                prop_assert_eq!(record.game(), "dots-and-boxes");
            }
        }
    }
}
