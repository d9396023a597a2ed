//! Names that look the same.

/// Letters, each with those of other scripts and those with marks that look like it, all small.
const ALIKE: [(char, &str); 25] = [
    ('a', "аαɑàáâãäåāăą"),
    ('b', "вβьƅ"),
    ('c', "сϲçćĉċč"),
    ('d', "ԁďđ"),
    ('e', "еεёєèéêëēĕėęě"),
    ('f', "ƒẝ"),
    ('g', "ɡĝğġģ"),
    ('h', "һнηĥħ"),
    ('j', "јϳĵ"),
    ('k', "кκķ"),
    ('l', "1|iіїιӏıìíîïĩīĭįĺļľł"),
    ('m', "мμ"),
    ('n', "νпոñńņňŉ"),
    ('o', "0оοօσòóôõöøōŏő"),
    ('p', "рρ"),
    ('q', "ԛզ"),
    ('r', "гŕŗř"),
    ('s', "ѕśŝşšș"),
    ('t', "тτţťŧț"),
    ('u', "սυùúûüũūŭůűų"),
    ('v', "ѵ"),
    ('w', "ԝωшŵ"),
    ('x', "хχ"),
    ('y', "уүγýÿŷ"),
    ('z', "ζźżž"),
];

/// Whether somebody could take one of these names for the other. Where in doubt they could: then one of them gets a
/// number, and that is all.
pub(super) fn look_alike(one: &str, other: &str) -> bool {
    folded(one).eq(folded(other))
}

/// The letters and digits of a name, as they look.
fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().map(plain).flat_map(char::to_lowercase).filter_map(|letter| {
        let alike = ALIKE.iter().find(|(_, others)| others.contains(letter));
        let letter = alike.map_or(letter, |(latin, _)| *latin);
        letter.is_alphanumeric().then_some(letter)
    })
}

/// The letter that a wide or a mathematical one is.
fn plain(letter: char) -> char {
    let code = u32::from(letter);
    let latin = |index: u32| b'A' + (index % 26) as u8 + if index % 52 < 26 { 0 } else { 32 };
    match code {
        0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(letter),
        0x1d400..=0x1d6a3 => char::from(latin(code - 0x1d400)),
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_the_same_is_the_same() {
        for (one, other) in [
            ("Ann", "\u{410}nn"),
            ("cop", "\u{441}\u{43e}\u{440}"),
            ("BETA", "\u{392}\u{395}\u{3a4}\u{391}"),
            ("Bill", "BiII"),
            ("Bob", "B0b"),
            ("Ann", "ann"),
            ("Ann Lee", "Ann  Lee."),
            ("J\u{fc}rgen", "Ju\u{308}rgen"),
            ("Bob", "\u{ff22}\u{ff4f}\u{ff42}"),
            ("Bob", "\u{1d401}\u{1d428}\u{1d41b}"),
        ] {
            assert!(look_alike(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("Ann", "Anne"),
            ("Bob", "Bob 2"),
            ("Bob 2", "Bob 3"),
            ("\u{418}\u{432}\u{430}\u{43d}", "\u{41e}\u{43b}\u{435}\u{433}"),
            ("\u{738b}\u{4f1f}", "\u{738b}\u{82b3}"),
        ] {
            assert!(!look_alike(one, other), "{one} {other}");
        }
    }

    #[test]
    fn no_letter_is_like_two() {
        let all: Vec<char> = ALIKE.iter().flat_map(|(_, others)| others.chars()).collect();
        let mut once = all.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), all.len());
    }
}
