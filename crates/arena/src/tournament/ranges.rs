//! Ranges in setups: `layout=random:10 seed=1..3` expands to three setups.

/// The maximum number of setups generated from one text.
const MAX_SETUPS: u64 = 100_000;

/// Expands a text with ranges into all its setups, in order; the last range changes fastest. A range is two whole
/// numbers separated by `..`, both inclusive. Words with `=@` name files and contain no ranges.
pub fn expand(text: &str) -> Result<Vec<String>, String> {
    let mut texts = vec![String::new()];
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            for text in &mut texts {
                text.push(' ');
            }
        }
        let mut rest = word;
        while !word.contains("=@")
            && let Some((left, right)) = rest.split_once("..")
        {
            let is_digit = |c: char| c.is_ascii_digit();
            let before = left.trim_end_matches(is_digit);
            rest = right.trim_start_matches(is_digit);
            let ends = (
                left[before.len()..].parse::<u64>(),
                right[..right.len() - rest.len()].parse::<u64>(),
            );
            let (Ok(first), Ok(last)) = ends else { return Err(no_range(word)) };
            let numbers = first..=last;
            if numbers.is_empty() {
                return Err(no_range(word));
            }
            let count = (last - first).saturating_add(1);
            if count.saturating_mul(texts.len() as u64) > MAX_SETUPS {
                return Err(format!("{word}: that makes more than {MAX_SETUPS} setups"));
            }
            let with =
                |text: String| numbers.clone().map(move |number| format!("{text}{before}{number}"));
            texts = texts.into_iter().flat_map(with).collect();
        }
        for text in &mut texts {
            text.push_str(rest);
        }
    }
    Ok(texts)
}

/// Returns a text without its ranges: `layout=circle:6..9 seed=1..3` becomes `layout=circle`. If nothing else remains,
/// returns the whole text.
pub fn without_ranges(text: &str) -> String {
    let words = || text.split_whitespace();
    let without: Vec<String> = words().filter_map(word_without_ranges).collect();
    if without.is_empty() { words().collect::<Vec<_>>().join(" ") } else { without.join(" ") }
}

/// Returns a word without its ranges and their separators; `None` if no value remains.
fn word_without_ranges(word: &str) -> Option<String> {
    let mut rest = word.to_owned();
    while !word.contains("=@")
        && let Some((before, after)) = rest.split_once("..")
    {
        let is_digit = |c: char| c.is_ascii_digit();
        let before = before.trim_end_matches(is_digit).trim_end_matches([':', ',', ';', '-']);
        rest = before.to_owned() + after.trim_start_matches(is_digit);
    }
    (!rest.ends_with('=')).then_some(rest)
}

fn no_range(word: &str) -> String {
    format!("{word}: a range is two whole numbers, the smaller first, such as 1..3")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_expands_to_each_number() {
        let all = |text: &str| expand(text).unwrap();
        assert_eq!(all(""), [""]);
        assert_eq!(all("layout=eight"), ["layout=eight"]);
        assert_eq!(
            all("layout=random:10  seed=9..11"),
            ["layout=random:10 seed=9", "layout=random:10 seed=10", "layout=random:10 seed=11"]
        );
        assert_eq!(
            all("rows=3..4 cols=5 seed=1..2"),
            [
                "rows=3 cols=5 seed=1",
                "rows=3 cols=5 seed=2",
                "rows=4 cols=5 seed=1",
                "rows=4 cols=5 seed=2"
            ]
        );
        assert_eq!(all("layout=circle:6..7")[1], "layout=circle:7");
        assert_eq!(all("points=@../v1..2.txt"), ["points=@../v1..2.txt"]);
        assert_eq!(all("x=1..2-3..4"), ["x=1-3", "x=1-4", "x=2-3", "x=2-4"]);
    }

    #[test]
    fn setup_kind_omits_ranges() {
        for (text, kind) in [
            ("", ""),
            ("layout=eight", "layout=eight"),
            ("layout=circle:6..9  seed=1..3", "layout=circle"),
            ("layout=random:12 seed=1..5", "layout=random:12"),
            ("rows=3..4 cols=5 seed=1..2", "cols=5"),
            ("size=3..5", "size=3..5"),
            ("x=1..2-3..4 y=2", "y=2"),
            ("points=@../v1..2.txt seed=1..2", "points=@../v1..2.txt"),
        ] {
            assert_eq!(without_ranges(text), kind, "{text}");
        }
    }

    #[test]
    fn invalid_range_is_refused_with_an_example() {
        for bad in
            ["seed=3..1", "seed=..3", "seed=1..", "seed=a..b", "seed=1..99999999999999999999"]
        {
            let why = expand(bad).unwrap_err();
            assert!(why.ends_with("as 1..3") && why.starts_with(bad), "{why}");
        }
        for bad in ["seed=1..100001", "a=1..1000 b=1..1000", "a=1..1000-1..1000"] {
            assert!(expand(bad).unwrap_err().ends_with("more than 100000 setups"), "{bad}");
        }
    }
}
