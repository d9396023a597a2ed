//! Moves in the form in which people type them.

use super::{Match, Refusal};
use quadrille_text::key_layout::{latin_look_alike, on_us_keyboard};
use quadrille_text::wording::{cut, either};
use std::collections::BTreeSet;

/// Separators that may stand between the numbers and letters of a move, besides white space.
const BETWEEN: &str = ",;:.-\u{2013}\u{2014}\u{2212}\u{2192}>/_()[]";
/// Words that may be used as separators.
const WORDS: [&str; 2] = ["to", "and"];
/// The maximum number of letters and digits in a move. No game has longer moves.
const MAX_MOVE_CHARS: usize = 16;
/// The maximum number of digits in each number of a move.
const DIGITS: usize = 4;

/// Finds the legal move that the user means by a typed text, and returns it in record notation.
///
/// Case is ignored, and separators between letters and numbers are optional: `h 0 1` and `h01` mean `H0,1`, and `1 2`
/// means `1-2`. Letters of other scripts are read as the Latin letters that look like them or that are on the same
/// keys. A text that matches several legal moves is refused, and the reason names them.
pub fn read_typed(game: &Match, text: &str) -> Result<String, Refusal> {
    let refusal = match game.check(text) {
        Err(refusal) if refusal.is_no_move() => refusal,
        checked => return checked,
    };
    let mut legal = BTreeSet::new();
    let mut refused: Vec<(String, Refusal)> = Vec::new();
    let latin = in_latin(text);
    for reading in latin.iter().flat_map(|text| readings(game, text)).collect::<BTreeSet<_>>() {
        match game.check(&reading) {
            Ok(mv) => _ = legal.insert(mv),
            Err(why) if why.is_no_move() => {}
            Err(why) => refused.push((reading, why)),
        }
    }
    let legal: Vec<String> = legal.into_iter().collect();
    match (&*legal, &mut *refused) {
        ([mv], _) => Ok(mv.clone()),
        ([], []) => Err(refusal),
        ([], [_]) => Err(refused.remove(0).1),
        ([], _) => {
            let readings: Vec<&str> = refused.iter().map(|(reading, _)| &**reading).collect();
            let (text, readings) = (cut(text), either(&readings));
            Err(Refusal::new(format!("{text} could be {readings}, but none of them is legal")))
        }
        _ => {
            let legal: Vec<&str> = legal.iter().map(String::as_str).collect();
            let instead = if latin.len() > 1 { "type Latin letters" } else { "type more of it" };
            Err(Refusal::new(format!("{} could be {}; {instead}", cut(text), either(&legal))))
        }
    }
}

/// Explains why a typed move was refused, with an example if the text is not a move at all.
pub fn explain_typed(game: &Match, refusal: &Refusal) -> String {
    let legal = if refusal.is_no_move() { game.legal_moves() } else { Vec::new() };
    match legal.first() {
        Some(example) => format!("try {example}: {refusal:#}"),
        None => format!("{refusal:#}"),
    }
}

/// Returns the text with its letters replaced by look-alike Latin letters, and with its letters replaced by those on
/// the same keys. A text in Latin letters is returned unchanged.
fn in_latin(text: &str) -> BTreeSet<String> {
    [latin_look_alike, on_us_keyboard]
        .map(|latin| text.chars().map(|letter| latin(letter).unwrap_or(letter)).collect())
        .into()
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MovePart {
    Letter {
        is_capital: bool,
    },
    Number,
    /// A separator character.
    Sign(char),
}

fn parts(mv: &str) -> Vec<MovePart> {
    let mut parts = Vec::new();
    for letter in mv.chars() {
        match letter {
            _ if letter.is_ascii_digit() => {
                if parts.last() != Some(&MovePart::Number) {
                    parts.push(MovePart::Number);
                }
            }
            _ if letter.is_ascii_alphabetic() => {
                parts.push(MovePart::Letter { is_capital: letter.is_ascii_uppercase() });
            }
            _ => parts.push(MovePart::Sign(letter)),
        }
    }
    parts
}

/// Returns all texts in this game's move notation that have the typed letters and digits in order. A number ends at
/// every gap in the typed text, and may end anywhere else.
fn readings(game: &Match, text: &str) -> BTreeSet<String> {
    let legal = game.legal_moves();
    let played = game.moves().iter().map(|(_, mv)| mv);
    let forms: BTreeSet<Vec<MovePart>> = legal.iter().chain(played).map(|mv| parts(mv)).collect();
    let Some(pieces) = pieces(text) else { return BTreeSet::new() };
    let mut readings = BTreeSet::new();
    for form in &forms {
        fill(form, &pieces, String::new(), &mut readings);
    }
    readings
}

/// Splits typed letters and digits at separators. Returns `None` if the text has other characters or is too long.
fn pieces(text: &str) -> Option<Vec<String>> {
    let is_gap = |letter: char| letter.is_whitespace() || BETWEEN.contains(letter);
    let pieces = text.split(is_gap).filter(|piece| !piece.is_empty());
    let pieces = pieces.filter(|piece| !WORDS.iter().any(|word| word.eq_ignore_ascii_case(piece)));
    let pieces: Vec<String> = pieces.map(str::to_owned).collect();
    let all = pieces.iter().flat_map(|piece| piece.chars());
    let is_short = all.clone().count() <= MAX_MOVE_CHARS;
    (is_short && all.clone().all(|letter| letter.is_ascii_alphanumeric())).then_some(pieces)
}

/// Adds every text of this form that has these letters and digits and begins with `written`.
fn fill(form: &[MovePart], pieces: &[String], written: String, readings: &mut BTreeSet<String>) {
    let Some((part, form)) = form.split_first() else {
        if pieces.is_empty() {
            readings.insert(written);
        }
        return;
    };
    if let MovePart::Sign(sign) = part {
        return fill(form, pieces, written + &sign.to_string(), readings);
    }
    let Some((piece, others)) = pieces.split_first() else { return };
    let mut go_on = |length: usize, as_written: &str| {
        let rest = &piece[length..];
        let rest = (!rest.is_empty()).then(|| rest.to_owned());
        let pieces: Vec<String> = rest.into_iter().chain(others.iter().cloned()).collect();
        fill(form, &pieces, format!("{written}{as_written}"), readings);
    };
    let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
    match part {
        MovePart::Number => {
            (1..=digits.min(DIGITS)).for_each(|length| go_on(length, &piece[..length]));
        }
        MovePart::Letter { is_capital: true } if digits == 0 => {
            go_on(1, &piece[..1].to_ascii_uppercase());
        }
        MovePart::Letter { .. } if digits == 0 => go_on(1, &piece[..1].to_ascii_lowercase()),
        MovePart::Letter { .. } | MovePart::Sign(_) => {}
    }
}
