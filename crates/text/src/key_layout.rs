//! Letters of non-Latin keyboard layouts: the key of each letter, and the Latin letter that it resembles.

/// The letters of each layout, and the characters of the same keys on a US keyboard. Keys without an action are
/// omitted.
const KEYS: [(&str, &str); 5] = [
    ("йцукенгшщзфывапролдЖжячсмить", "qwertyuiopasdfghjkl:;zxcvbnm"),
    // Ukrainian and Belarusian.
    ("іў", "so"),
    ("ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"),
    ("קראטוןםפשדגכעיחלך", "ertyuiopasdfghjkl"),
    ("זסבהנמצ", "zxcvbnm"),
];

/// Letters and the Latin letters that they resemble.
const LOOK_ALIKES: [(&str, &str); 4] = [
    ("АВЕКМНОРСТУХІЈЅ", "ABEKMHOPCTYXIJS"),
    ("авекмнорстухіјѕ", "abekmhopctyxijs"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("αβεηικνορτυχωγ", "abenikvoptuxwy"),
];

/// The offset of full-width characters from ASCII.
const FULL_WIDTH: u32 = 0xfee0;

/// Returns the character of this letter's key on a US keyboard; `None` for a Latin letter and for an unknown layout.
pub fn on_us_keyboard(letter: char) -> Option<char> {
    let find = |letter| KEYS.iter().find_map(|layout| same_place(letter, layout));
    find(letter).or_else(|| {
        let mut small = letter.to_lowercase();
        let small = small.next().filter(|small| *small != letter && small.is_alphabetic())?;
        find(small).map(|key| key.to_ascii_uppercase())
    })
}

pub fn latin_look_alike(letter: char) -> Option<char> {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - FULL_WIDTH),
        _ => LOOK_ALIKES.iter().find_map(|letters| same_place(letter, letters)),
    }
}

fn same_place(letter: char, (letters, latin): &(&str, &str)) -> Option<char> {
    let place = letters.chars().position(|other| other == letter)?;
    latin.chars().nth(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_has_a_latin_counterpart() {
        for (letters, latin) in KEYS.into_iter().chain(LOOK_ALIKES) {
            assert_eq!(letters.chars().count(), latin.len(), "{latin}");
            assert!(latin.is_ascii() && !letters.chars().any(|letter| letter.is_ascii()));
        }
    }

    #[test]
    fn foreign_letter_maps_to_a_us_key_and_a_look_alike() {
        let both = ['р', 'Р', 'Ж', 'Н', 'Ψ', 'ש', 'Ａ', 'h', 'é', '→']
            .map(|letter| (on_us_keyboard(letter), latin_look_alike(letter)));
        let expected = [
            (Some('h'), Some('p')),
            (Some('H'), Some('P')),
            (Some(':'), None),
            (Some('Y'), Some('H')),
            (Some('C'), None),
            (Some('a'), None),
            (None, Some('A')),
            (None, None),
            (None, None),
            (None, None),
        ];
        assert_eq!(both, expected);
    }
}
