//! Labels of legal moves: a short text, such as a value, or a mark, at the place where the move is selected.

use super::Sheet;
use super::layout::LabelSlot;
use super::numbers::Occupied;
use crate::{MoveQuality, Role, Skin};
use ratatui::layout::Rect;

/// Returns the mark shown in place of a value.
const fn mark(rank: MoveQuality, skin: Skin) -> char {
    match rank {
        MoveQuality::Best => skin.glyphs().best,
        MoveQuality::Losing => skin.glyphs().blocked,
        MoveQuality::Near | MoveQuality::Rest | MoveQuality::Open => skin.glyphs().faint,
    }
}

pub(crate) const fn role(rank: MoveQuality) -> Role {
    match rank {
        MoveQuality::Best => Role::Counted,
        MoveQuality::Near => Role::Good,
        MoveQuality::Rest => Role::Text,
        MoveQuality::Losing => Role::Wrong,
        MoveQuality::Open => Role::Dim,
    }
}

/// Writes the text of a label, or the mark of its rank if there is no text or not enough space, since a truncated value
/// would look like a different value. The text of the best moves also has a star in front.
pub(super) fn draw(
    sheet: &mut Sheet,
    (text, rank): (&str, MoveQuality),
    slot: LabelSlot,
    role: Role,
    occupied: &mut Occupied,
) {
    let skin = sheet.skin;
    let style = skin.style(role);
    let star = skin.glyphs().best;
    let texts = match rank {
        MoveQuality::Best => [format!("{star}{text}"), star.to_string()],
        _ if text.is_empty() => [mark(rank, skin).to_string(), String::new()],
        _ => [text.to_owned(), mark(rank, skin).to_string()],
    };
    let texts = texts.iter().filter(|text| !text.is_empty());
    let place = |text: &String| match slot {
        LabelSlot::Middle(row) => within(sheet, row, width(text), true),
        LabelSlot::Left(row) => within(sheet, row, width(text), false),
        LabelSlot::Near(thing) => {
            let place = occupied.roomiest(thing, 1, width(text));
            place.filter(|place| place.positions().all(|at| sheet.shows(at)))
        }
    };
    let mut placed = texts.filter_map(|text| Some((place(text)?, text)));
    match placed.next() {
        Some((at, text)) => {
            sheet.text(at.x, at.y, text, style);
            occupied.add_text(at);
        }
        None => {
            // A star always fits, even on top of a line.
            if let (MoveQuality::Best, LabelSlot::Near(thing)) = (rank, slot) {
                sheet.glyph(thing.right(), thing.y, star, style);
            }
        }
    }
}

fn width(text: &str) -> u16 {
    text.chars().count() as u16
}

/// Returns the cells for a text of this width in a row of cells, if all of them are visible.
fn within(sheet: &Sheet, row: Rect, width: u16, middle: bool) -> Option<Rect> {
    let row = row.intersection(sheet.area());
    let spare = row.width.checked_sub(width)?;
    let x = row.x + if middle { spare / 2 } else { 0 };
    let place = Rect { x, width, ..row };
    place.positions().all(|at| sheet.shows(at)).then_some(place)
}
