//! The same screen for a terminal that shows nothing but ASCII. It is translated cell by cell when
//! all is drawn, so that nobody who draws has to think of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Puts ASCII in the place of every other glyph.
pub(super) fn translate(area: Rect, buffer: &mut Buffer) {
    for place in area.intersection(buffer.area).positions() {
        let cell = &mut buffer[place];
        if !cell.symbol().is_ascii() {
            let glyph = cell.symbol().chars().next().map_or(' ', ascii);
            cell.set_char(glyph);
        }
    }
}

fn ascii(glyph: char) -> char {
    match glyph {
        '▪' => '+',
        '╍' => '-',
        '╏' => '|',
        '╌' | '▯' | '∙' => '.',
        '╎' => ':',
        '░' => ' ',
        '►' | '▸' => '>',
        '◂' => '<',
        '▴' => '^',
        '▾' => 'v',
        '▮' => '#',
        '▫' => 'o',
        '\u{2800}'..='\u{28ff}' => braille(glyph as u32 - 0x2800),
        _ => '?',
    }
}

/// A stroke through a Braille cell, by the heights at which it passes the left and the right half.
fn braille(dots: u32) -> char {
    // The bits of the dots from top to bottom.
    let height = |bits: [u32; 4]| {
        let rows = (0..4).filter(|&row| dots >> bits[row] & 1 == 1);
        let (count, sum) = rows.fold((0, 0), |(count, sum), row| (count + 1, sum + row));
        (count > 0).then(|| (2 * sum / count, count))
    };
    match (height([0, 1, 2, 6]), height([3, 4, 5, 7])) {
        (None, None) => ' ',
        (Some((_, 2..)), None) | (None, Some((_, 2..))) | (Some((_, 3..)), Some((_, 3..))) => '|',
        (Some((left, _)), Some((right, _))) if right + 1 < left => '/',
        (Some((left, _)), Some((right, _))) if left + 1 < right => '\\',
        (Some((height, _)), _) | (None, Some((height, _))) => match height {
            0 | 1 => '\'',
            2..=4 => '-',
            _ => '_',
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_keep_their_slope() {
        let text = "⠉⠒⠤⣀⡇⢸⠑⢄⡠⠊⣿⠀⡎⢱⢇⡸▪╍╏é";
        let buffer = &mut Buffer::with_lines([text]);
        translate(buffer.area, buffer);
        let ascii: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(ascii, "'--_||\\\\//| /\\\\/+-|?");
    }
}
