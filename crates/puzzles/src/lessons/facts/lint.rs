//! Compares the words of each sentence with its checks, which may hold although they say less than the sentence or
//! something else.
//!
//! A number from two up must be a result, or the sum or difference of two results. "Only" needs a count of the size that
//! it names, or of one. Other words need a check of the kind in [`RULES`].

use super::language::Check;

/// A word that a sentence contains, and what its checks lack.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Objection {
    pub(super) word: String,
    pub(super) lacks: String,
}

enum Need {
    /// A result that is zero, none or no.
    Nothing,
    /// A check of all moves of a class, or of everything on the board.
    Range,
    /// The number two, or two checks.
    Two,
    /// One of these quantities, classes or stages.
    Of(&'static [&'static str]),
    /// Two threats, and no move that stops both.
    Fork,
}

const RULES: [(&[&str], Need); 12] = [
    (&["no", "none", "never"], Need::Nothing),
    (&["every", "all", "each", "any"], Need::Range),
    (&["both"], Need::Two),
    (&["chain", "chains"], Need::Of(&["chains", "chain", "long", "runs"])),
    (&["loop", "loops"], Need::Of(&["loops", "loop", "runs"])),
    (&["path", "paths"], Need::Of(&["paths"])),
    (
        &["threat", "threats", "threaten", "threatens"],
        Need::Of(&["threats", "stops", "mates", "open", "adds"]),
    ),
    (&["round"], Need::Of(&["round", "left", "offers"])),
    (&["offense"], Need::Of(&["offense", "round", "offers"])),
    (
        &["win", "wins", "winning", "won", "lose", "loses", "losing", "lost"],
        Need::Of(&["wins", "loses", "mates", "win", "winner", "value", "score"]),
    ),
    (&["fork", "forks", "forked"], Need::Fork),
    (&["block", "blocks", "blocked"], Need::Of(&["stops", "blocks"])),
];

/// The number words from two up.
pub(super) const NUMBERS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// The quantities whose results are lists.
const LISTS: [&str; 6] = ["list", "free", "chains", "loops", "runs", "paths"];

/// Returns the objections to a sentence with these checks.
pub(super) fn objections(game: &str, sentence: &str, checks: &[&str]) -> Vec<Objection> {
    let checks: Vec<Check> = checks.iter().filter_map(|check| Check::read(check)).collect();
    let words = words(sentence);
    let mut objections = Vec::new();
    let mut object = |word: &str, lacks: String| {
        objections.push(Objection { word: word.to_owned(), lacks });
    };
    for (at, word) in words.iter().enumerate() {
        if let Some(number) = number(game, &words, at)
            && !follows(number, &checks)
        {
            object(word, format!("a result {number}"));
        }
        if word == "only" {
            let size = words.get(at + 1).and_then(|next| named(next)).unwrap_or(1);
            if !checks.iter().any(|check| sizes(check).contains(&size)) {
                object(word, format!("a count of {size}"));
            }
        }
        for (_, need) in RULES.iter().filter(|(rule, _)| rule.contains(&&**word)) {
            if !is_met(need, &checks) {
                object(word, need.to_string());
            }
        }
    }
    objections
}

/// Returns the lower-case words of a sentence without punctuation.
pub(super) fn words(sentence: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches([',', '.', ':', ';', '!', '?']).to_lowercase();
    sentence.split(' ').map(bare).map(|word| word.trim_end_matches("'s").to_owned()).collect()
}

/// Returns the number that a word names, if it is two or more.
fn named(word: &str) -> Option<i32> {
    let index = NUMBERS.iter().position(|number| *number == word)?;
    Some(index as i32 + 2)
}

/// Returns the number at this word, unless it is the name of a dot or a row, or the size of a board.
pub(super) fn number(game: &str, words: &[String], at: usize) -> Option<i32> {
    let word = &words[at];
    if let Some(number) = named(word) {
        return Some(number);
    }
    let is_size = |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|by| by == "×");
    let is_name = game == "join-the-dots" || at > 0 && words[at - 1] == "row";
    let number = word.parse().ok().filter(|number| *number > 1)?;
    (!is_name && !is_size(at.checked_sub(1)) && !is_size(Some(at + 1))).then_some(number)
}

/// Returns whether a number is a result, or the sum or difference of two results.
fn follows(number: i32, checks: &[Check]) -> bool {
    let results: Vec<i32> = checks.iter().flat_map(results).collect();
    let pairs = results.iter().enumerate().flat_map(|(at, first)| {
        results[at + 1..].iter().flat_map(move |second| [first + second, (first - second).abs()])
    });
    results.iter().copied().chain(pairs).any(|result| result == number)
}

/// Returns the numbers that a check establishes.
fn results(check: &Check) -> Vec<i32> {
    let is_nothing = is_nothing(check);
    let mut results = sizes(check);
    match check.quantity {
        _ if check.result.contains('/') => {}
        // Sizes of chains and paths.
        "chains" | "loops" | "runs" | "paths" | "score" => {
            results
                .extend(check.result.split([' ', '-']).filter_map(|text| text.parse::<i32>().ok()));
        }
        "value" => results.extend(check.result.parse::<i32>().ok().map(i32::abs)),
        "cells" => {
            let count = |mark| check.result.matches(mark).count() as i32;
            results.extend(["X", "O"].map(count));
        }
        "open" | "boxes" if !is_nothing => results.extend(last_number(check.operand)),
        _ => {}
    }
    // A class such as `takes=3` is about this number if a move belongs to it. If no move belongs to `!takes=3`, each
    // move takes three.
    let classes = check.stages.iter().filter_map(|stage| stage.strip_prefix("any "));
    let of_quantity = ["count", "list"].contains(&check.quantity).then_some(check.operand);
    for (class, is_empty) in
        classes.map(|class| (class, false)).chain(of_quantity.map(|class| (class, is_nothing)))
    {
        let numbers = class.split(" & ").filter(|term| term.starts_with('!') == is_empty);
        results.extend(numbers.filter_map(last_number).map(i32::abs));
    }
    results
}

fn last_number(text: &str) -> Option<i32> {
    text.rsplit([' ', '=']).next()?.parse().ok()
}

/// Returns the sizes that a check establishes: the length of a list, or a result that is a number.
fn sizes(check: &Check) -> Vec<i32> {
    if LISTS.contains(&check.quantity) {
        let length = if check.result == "none" { 0 } else { check.result.split(' ').count() };
        return vec![length as i32];
    }
    let is_count = !["value", "score"].contains(&check.quantity);
    check.result.parse().ok().filter(|_| is_count).into_iter().collect()
}

fn is_nothing(check: &Check) -> bool {
    ["0", "no", "none", "nobody"].contains(&check.result)
}

fn is_met(need: &Need, checks: &[Check]) -> bool {
    match need {
        Need::Nothing => checks.iter().any(is_nothing),
        Need::Range => checks.iter().any(ranges),
        Need::Two => checks.len() > 1 || follows(2, checks),
        Need::Of(kinds) => {
            checks.iter().any(|check| kinds.iter().any(|kind| mentions(check, kind)))
        }
        Need::Fork => {
            checks.iter().any(|check| mentions(check, "threats=2"))
                && checks.iter().any(|check| {
                    check.quantity == "count" && check.operand == "stops" && check.result == "0"
                })
        }
    }
}

/// Returns whether a check is about all moves of a class or the whole board: after any move of a class, or that no move
/// lies outside a class, or about points.
fn ranges(check: &Check) -> bool {
    let is_any = |stage: &&str| stage.starts_with("any ") || ["greedy", "end"].contains(stage);
    check.stages.iter().any(is_any)
        || ["count", "list", "some"].contains(&check.quantity) && is_nothing(check)
        || ["boxes", "value", "score", "left", "half-turn"].contains(&check.quantity)
}

/// Returns whether a check has this quantity, or a class or stage with this term.
fn mentions(check: &Check, kind: &str) -> bool {
    let is_it = |word: &str| word == kind || word.split('=').next() == Some(kind);
    let mut words = check.stages.iter().flat_map(|stage| stage.split([' ', '!']));
    is_it(check.quantity) || words.any(is_it) || check.operand.split([' ', '!']).any(is_it)
}

impl std::fmt::Display for Need {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Need::Nothing => write!(f, "a result that is zero, none or no"),
            Need::Range => write!(f, "a check of all moves or of the whole board"),
            Need::Two => write!(f, "a result 2, or two checks"),
            Need::Of(kinds) => write!(f, "one of {}", kinds.join(", ")),
            Need::Fork => write!(f, "threats=2 and count stops = 0"),
        }
    }
}
