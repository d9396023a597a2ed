//! What is known of the legal moves, written on the board: a short text at the place where a move is
//! chosen.

use super::Sheet;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

/// A word on a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The text of the move.
    pub mv: String,
    /// At most five columns, such as `=`, `W7` or `~+2`; nothing for a star alone.
    pub text: String,
    /// Whether no other move is better.
    pub best: bool,
}

/// Where on a sheet the mark of a place may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// In the middle of this row of cells, over whatever is drawn there.
    Middle(Rect),
    /// At the left of this row of cells, over whatever is drawn there.
    Left(Rect),
    /// Near this label, and only where nothing is drawn.
    Near(Rect),
    /// There is only room to flag what this part holds, by the cells to its left and right.
    Flags(Rect),
}

/// Of the two ends of a move those that are still to be chosen, one of them where the other is
/// picked, and none where neither is.
pub(super) fn open_ends<P: Copy + Eq>(pick: Option<P>, ends: [P; 2]) -> impl Iterator<Item = P> {
    ends.into_iter().filter(move |&end| match pick {
        None => true,
        Some(pick) => end != pick && ends.contains(&pick),
    })
}

/// Writes a mark. The best ones have a star in front, which stands alone where it is too narrow for
/// more; others are left out there, since a part of a value would be another value.
pub(super) fn draw(sheet: &mut Sheet, mark: &Mark, spot: Spot, at_cursor: bool) {
    let skin = sheet.skin();
    let star = skin.glyphs().best;
    let style = if mark.best { skin.best() } else { skin.plain() };
    let style = if at_cursor { style.patch(skin.cursor()) } else { style };
    let texts = if mark.best {
        vec![format!("{star}{}", mark.text), star.to_string()]
    } else {
        vec![mark.text.clone()]
    };
    match spot {
        Spot::Middle(area) | Spot::Left(area) => {
            let middle = matches!(spot, Spot::Middle(_));
            let place = |text: &String| within(sheet, area, width(text), middle);
            if let Some((place, text)) = texts.iter().find_map(|text| place(text).zip(Some(text))) {
                sheet.text(place.x, place.y, text, style);
            }
        }
        Spot::Near(label) => match near(sheet, label, width(&texts[0])) {
            Some(place) => sheet.text(place.x, place.y, &texts[0], style),
            // Not in the style of the line that it covers.
            None if mark.best => flag(sheet, label, star, skin.afresh(style)),
            None => {}
        },
        Spot::Flags(part) if mark.best => flag(sheet, part, star, style),
        Spot::Flags(_) => {}
    }
}

fn width(text: &str) -> u16 {
    text.chars().count() as u16
}

/// The cells of a text of this width in a row of cells, if all of them are in sight.
fn within(sheet: &Sheet, area: Rect, width: u16, middle: bool) -> Option<Rect> {
    let area = area.intersection(sheet.area());
    let spare = area.width.checked_sub(width)?;
    let x = area.x + if middle { spare / 2 } else { 0 };
    let place = Rect { x, width, ..area };
    place.positions().all(|at| sheet.shows(at)).then_some(place)
}

/// Free cells for a text of this width near a label and apart from all other text: to the right
/// where possible, since that is where one looks.
fn near(sheet: &Sheet, label: Rect, width: u16) -> Option<Rect> {
    let beyond = label.right();
    let middle = label.x + label.width / 2;
    let (above, below) = (label.y.checked_sub(1), Some(label.y + 1));
    let places = [
        (Some(beyond + 1), Some(label.y)),
        (Some(beyond), below),
        (Some(beyond), above),
        (middle.checked_sub(width / 2), below),
        (middle.checked_sub(width / 2), above),
        (label.x.checked_sub(width), below),
        (label.x.checked_sub(width), above),
        (label.x.checked_sub(width + 1), Some(label.y)),
    ];
    if !label.positions().all(|at| sheet.shows(at)) {
        return None;
    }
    let places = places.into_iter().filter_map(|(x, y)| x.zip(y));
    places.map(|(x, y)| Rect { x, y, width, height: 1 }).find(|&place| {
        let around = Rect {
            x: place.x.saturating_sub(1),
            y: place.y.saturating_sub(1),
            width: width + 2,
            height: 3,
        };
        place.positions().all(|at| sheet.glyph_at(at) == Some(' '))
            && around
                .positions()
                .filter(|&at| !label.contains(at))
                .all(|at| sheet.glyph_at(at).is_none_or(|glyph| glyph == ' ' || is_stroke(glyph)))
    })
}

/// Whether a glyph is a piece of a line in Braille dots.
const fn is_stroke(glyph: char) -> bool {
    matches!(glyph, '\u{2800}'..='\u{28ff}')
}

/// Sets a glyph to the left and to the right of a part of the sheet, in the place of brackets, of the
/// end of a stroke, or of nothing.
fn flag(sheet: &mut Sheet, part: Rect, glyph: char, style: Style) {
    for x in [part.x.checked_sub(1), Some(part.right())].into_iter().flatten() {
        let there = sheet.glyph_at(Position { x, y: part.y });
        if there.is_some_and(|there| matches!(there, ' ' | '[' | ']') || is_stroke(there)) {
            sheet.glyph(x, part.y, glyph, style);
        }
    }
}
