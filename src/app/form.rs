//! How forms are drawn: rows with a name and a value that arrows change, and an area beside them that shows
//! the effect.

use super::targets::Target;
use super::{Context, text};
use crate::action::Action;
use crate::scene::{Role, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The columns left free at both sides of the screen.
const MARGIN: u16 = 2;
/// The width of the form, the gap beside it, and the least width of a screen that has room for both.
const FORM: u16 = 42;
const GAP: u16 = 4;
const LEAST_FOR_BOTH: u16 = 80;
/// The most columns and rows of both together.
const LARGEST: (u16, u16) = (108, 30);

/// Where a form and the area beside it stand.
pub(super) struct FormLayout {
    /// Both together, centred on a wide screen.
    pub whole: Rect,
    pub form: Rect,
    /// The area beside the form, if there is room.
    pub beside: Option<Rect>,
}

impl FormLayout {
    pub fn of(area: Rect) -> FormLayout {
        let width = (area.width - 2 * MARGIN).min(LARGEST.0);
        let height = area.height.min(LARGEST.1);
        let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 3);
        let whole = Rect { x, y, width, height };
        if area.width < LEAST_FOR_BOTH {
            return FormLayout { whole, form: whole, beside: None };
        }
        let left = FORM + GAP;
        let beside = Rect { x: x + left, width: width - left, ..whole };
        FormLayout { whole, form: Rect { width: FORM, ..whole }, beside: Some(beside) }
    }
}

/// Draws the title of a form, and quiet words behind it if there is room.
pub(super) fn draw_title(title: &str, quiet: &str, area: Rect, skin: Skin, buffer: &mut Buffer) {
    let room = usize::from(area.width);
    let (x, y) = text::put((area.x, area.y), title, room, skin.strong(), skin, buffer);
    if text::width(title) + 2 + quiet.len() <= room {
        buffer.set_string(x + 2, y, quiet, skin.dim());
    }
}

/// The styles of the parts of a row.
pub(super) struct Styles {
    pub plain: Style,
    pub quiet: Style,
    pub strong: Style,
}

impl Styles {
    /// The styles of the row under the cursor, if `here`, or of any other.
    pub fn of(here: bool, skin: Skin) -> Styles {
        if here {
            let chosen = skin.style(Role::Chosen);
            let quiet = skin.style(Role::ChosenDim);
            Styles { plain: chosen, quiet, strong: chosen.patch(skin.strong()) }
        } else {
            Styles { plain: skin.plain(), quiet: skin.dim(), strong: skin.plain() }
        }
    }
}

/// Draws the background of a row and its name. Returns the room for its value, which begins `indent`
/// columns behind the start of the row.
pub(super) fn draw_name(
    name: &str,
    here: bool,
    indent: u16,
    line: Rect,
    skin: Skin,
    buffer: &mut Buffer,
) -> Rect {
    let Styles { quiet, strong, .. } = Styles::of(here, skin);
    if here {
        buffer.set_style(line, skin.style(Role::Chosen));
        let marker = skin.style(Role::Chosen).patch(skin.style(Role::Marker));
        buffer.set_string(line.x, line.y, skin.glyphs().row.to_string(), marker);
    }
    let style = if here { strong } else { quiet };
    text::put((line.x + 2, line.y), name, usize::from(indent) - 4, style, skin, buffer);
    Rect { x: line.x + indent, width: line.width.saturating_sub(indent + 1), ..line }
}

/// Draws a value, with arrows beside it if they can change it. Returns the column behind it.
pub(super) fn draw_value(
    value: &str,
    style: Style,
    turns: bool,
    area: Rect,
    context: &Context,
    buffer: &mut Buffer,
) -> u16 {
    let skin = context.skin;
    // There is room for the arrow behind it.
    let room = usize::from(area.width.saturating_sub(2));
    let (end, y) = text::put((area.x, area.y), value, room, style, skin, buffer);
    if turns {
        let (glyphs, style) = (skin.glyphs(), Styles::of(true, skin).plain);
        for (x, glyph, turn) in [
            (area.x - 2, glyphs.left, Action::PreviousValue),
            (end + 1, glyphs.right, Action::NextValue),
        ] {
            buffer.set_string(x, y, glyph.to_string(), style);
            context.targets.note(Rect { x: x - 1, width: 3, ..area }, Target::Action(turn));
        }
    }
    end
}
