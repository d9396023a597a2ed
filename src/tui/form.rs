//! Draws a form: rows with a name and a value that the arrow keys change, and a preview area beside the rows.

use super::Canvas;
use super::canvas::{draw_seen, page_round};
use super::targets::Target;
use super::text;
use crate::action::Action;
use crate::view::{FieldValue, FormField, FormView, Phrase, Preview, PreviewNote, Tone};
use quadrille_rules::Seat;
use quadrille_scene::{Role, SEATS, SeatRole, Skin};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use std::slice;

const MARGIN: u16 = 2;
/// The minimum and maximum width of the form, the gap beside the form, and the minimum screen width for a form with a
/// preview area.
const FORM: u16 = 42;
const MAX_FORM_WIDTH: u16 = 72;
const GAP: u16 = 4;
const MIN_WIDTH_FOR_PREVIEW: u16 = 80;
/// The maximum width and height of a list together with the area beside it.
const MAX_SIZE: (u16, u16) = (108, 30);
const BUTTON: u16 = 24;
/// The rows reserved for the text below a preview that is at least [`WIDE_PREVIEW`] columns wide, and below a narrower
/// one.
const PREVIEW_TEXT: [u16; 2] = [6, 10];
const WIDE_PREVIEW: u16 = 40;
/// The rows reserved for the inks below a preview.
const INKS: u16 = 5;
/// The rows reserved for each text of the help.
const HELP: u16 = 2;
/// The minimum width of the names, except in a narrow form.
const NAME: usize = 12;

pub struct FormLayout {
    /// The area of the list or form together with the area beside it, centered on a wide screen.
    pub whole: Rect,
    pub form: Rect,
    pub beside: Option<Rect>,
}

impl FormLayout {
    /// Returns the layout of a list, centered on a large screen.
    pub fn of(area: Rect) -> FormLayout {
        let width = (area.width - 2 * MARGIN).min(MAX_SIZE.0);
        let height = area.height.min(MAX_SIZE.1);
        let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 3);
        FormLayout::split(Rect { x, y, width, height }, FORM)
    }

    /// Returns the layout of a form that fills the screen.
    fn filling(area: Rect) -> FormLayout {
        let width = area.width - 2 * MARGIN;
        let whole = Rect { x: area.x + MARGIN, width, ..area };
        FormLayout::split(whole, (width * 2 / 5).clamp(FORM, MAX_FORM_WIDTH))
    }

    fn split(whole: Rect, form: u16) -> FormLayout {
        if whole.width + 2 * MARGIN < MIN_WIDTH_FOR_PREVIEW {
            return FormLayout::alone(whole);
        }
        let left = form + GAP;
        let beside = Rect { x: whole.x + left, width: whole.width - left, ..whole };
        FormLayout { whole, form: Rect { width: form, ..whole }, beside: Some(beside) }
    }

    /// Returns a layout with no area beside the form.
    pub const fn alone(whole: Rect) -> FormLayout {
        FormLayout { whole, form: whole, beside: None }
    }
}

struct Rows {
    top: u16,
    room: u16,
    pitch: u16,
    /// The columns before the values.
    indent: u16,
    /// Whether each group has an empty row above it.
    has_gaps: bool,
    /// The area of the button, if there is one. It depends only on the whole area, so the button stays in place when
    /// rows are added or removed.
    button: Option<Rect>,
}

impl Rows {
    /// The minimum height for gaps.
    const MIN_HEIGHT_FOR_GAPS: u16 = 18;

    fn of(view: &FormView, area: Rect) -> Rows {
        let is_roomy = area.height >= Rows::MIN_HEIGHT_FOR_GAPS;
        let has_button =
            view.rows.last().is_some_and(|row| matches!(row.value, FieldValue::Button(_)));
        let below = area.bottom().saturating_sub(HELP * view.help.len() as u16);
        let (air, height) = if is_roomy { (1, 3) } else { (0, 1) };
        let y = below.saturating_sub(air + height).max(area.y);
        let button = has_button.then_some(Rect { y, height, ..area });
        let rows = (view.rows.len() - usize::from(has_button)) as u16;
        let gaps = view.rows.iter().filter(|row| row.begins_group).count() as u16;
        let bottom = if has_button { y.saturating_sub(air) } else { below };
        let room = bottom.saturating_sub(area.y + 1);
        let has_gaps = room > rows + gaps;
        let top = area.y + 1 + u16::from(has_gaps);
        let widest = if is_roomy { 1 + area.height / Rows::MIN_HEIGHT_FOR_GAPS } else { 2 };
        let pitch = (room.saturating_sub(gaps) / rows.max(1)).clamp(1, widest);
        let least = if area.width < FORM { 0 } else { NAME };
        let named = view.rows.iter().filter(|row| has_value(row));
        let names = named.map(|row| text::width(&row.field.label)).fold(least, usize::max);
        Rows { top, room, pitch, indent: names as u16 + 4, has_gaps, button }
    }
}

pub fn draw(view: &FormView, area: Rect, canvas: &mut Canvas) -> Option<Position> {
    let FormLayout { whole, form: area, beside } = FormLayout::filling(area);
    let Rows { top, room, pitch, indent, has_gaps, button } = Rows::of(view, area);
    let rows = view.rows.len() - usize::from(button.is_some());
    let page = if has_gaps { rows } else { room.into() };
    let seen = page_round(view.at.min(rows.saturating_sub(1)), rows, page);
    canvas.feedback.page.set(usize::MAX);
    let taken = draw_seen(&seen, rows, canvas.skin, area, canvas.buffer);
    draw_title(view, Rect { width: whole.width.saturating_sub(taken), ..whole }, canvas);
    let mut cursor = None;
    let (mut y, mut below_choices) = (top, area.y);
    for index in seen {
        let row = &view.rows[index];
        y += u16::from(has_gaps && row.begins_group);
        let mut place = Rect { y, height: 1, ..area };
        // Choices may extend above the preview area.
        if let FieldValue::Choices(..) = row.value {
            (place.width, below_choices) = (whole.width, y);
        }
        cursor = draw_row(view, index, place, indent, canvas).or(cursor);
        y += pitch;
    }
    if let Some(place) = button {
        draw_row(view, rows, place, indent, canvas);
    }
    if let (Some(beside), Some(preview)) = (beside, &view.preview) {
        let height = beside.bottom() - below_choices;
        draw_preview(preview, Rect { y: below_choices, height, ..beside }, canvas);
    }
    let help = button.map_or(y, |button| button.bottom() + u16::from(button.height > 1));
    draw_help(&view.help, help, area, canvas);
    cursor
}

/// Draws the title, followed by dimmed words if there is space.
fn draw_title(view: &FormView, line: Rect, canvas: &mut Canvas) {
    let room = usize::from(line.width);
    let x = canvas.put((line.x, line.y), view.title, room, canvas.skin.strong());
    if text::width(view.title) + 2 + view.beside_title.len() <= room {
        canvas.buffer.set_string(x + 2, line.y, view.beside_title, canvas.skin.dim());
    }
}

/// Returns the plain, dimmed and strong style of a row, which is selected if `here`.
fn styles(here: bool, skin: Skin) -> [Style; 3] {
    if here {
        let chosen = skin.style(Role::Chosen);
        [chosen, skin.style(Role::ChosenDim), chosen.patch(skin.strong())]
    } else {
        [skin.plain(), skin.dim(), skin.plain()]
    }
}

fn has_value(row: &FormField) -> bool {
    !matches!(&row.value, FieldValue::Text(text, _) if text.is_empty())
}

fn draw_row(
    view: &FormView,
    index: usize,
    line: Rect,
    indent: u16,
    canvas: &mut Canvas,
) -> Option<Position> {
    let (row, here) = (&view.rows[index], index == view.at);
    let is_button = matches!(row.value, FieldValue::Button(_));
    canvas.targets.note(line, Target::Entry(index, (here || is_button).then(|| row.click())));
    let skin = canvas.skin;
    let [plain, quiet, strong] = styles(here, skin);
    if let FieldValue::Button(can_press) = row.value {
        draw_button(&row.field.label, here, can_press, line, canvas);
        return None;
    }
    if here {
        canvas.buffer.set_style(line, skin.style(Role::Chosen));
        let marker = skin.style(Role::Chosen).patch(skin.style(Role::Marker));
        canvas.buffer.set_string(line.x, line.y, skin.glyphs().row.to_string(), marker);
    }
    let style = if here { strong } else { quiet };
    let room = if has_value(row) { indent - 4 } else { line.width - 2 };
    canvas.put((line.x + 2, line.y), &row.field.label, room.into(), style);
    let area = Rect { x: line.x + indent, width: line.width.saturating_sub(indent + 1), ..line };
    let (value, style) = match &row.value {
        FieldValue::Typed(typed) => return Some(canvas.put_typed(area, *typed, strong)),
        FieldValue::Choices(words, at) => {
            draw_choices(index, (words, *at), [quiet, strong], area, canvas);
            return None;
        }
        FieldValue::Seat(seat, name) => {
            let role = if here { SeatRole::ChosenInk } else { SeatRole::Ink };
            (&**name, strong.patch(skin.style(Role::Of(role, Seat::new(*seat)))))
        }
        FieldValue::Text(text, Tone::Dim) => (&**text, quiet),
        FieldValue::Text(text, _) => (&**text, strong),
        FieldValue::Button(_) => return None,
    };
    // Leaves space for the arrow after the value.
    let room = usize::from(area.width.saturating_sub(2));
    let end = canvas.put((area.x, area.y), value, room, style);
    if here && row.field.turns() {
        for (x, glyph, turn) in [
            (area.x - 2, skin.glyphs().left, Action::PreviousValue),
            (end + 1, skin.glyphs().right, Action::NextValue),
        ] {
            canvas.buffer.set_string(x, area.y, glyph.to_string(), plain);
            canvas.targets.note(Rect { x: x - 1, width: 3, ..area }, Target::Action(turn));
        }
    }
    let (note, style) = if row.is_wrong { ("!", skin.wrong()) } else { (row.field.note, quiet) };
    if end + 3 + note.len() as u16 <= area.right() {
        canvas.buffer.set_string(end + 3, line.y, note, style);
    }
    None
}

/// Draws the choices, each clickable, with brackets around the chosen one; draws only the chosen one if they do not all
/// fit.
fn draw_choices(
    row: usize,
    (words, at): (&[String], usize),
    [quiet, strong]: [Style; 2],
    area: Rect,
    canvas: &mut Canvas,
) {
    let all: Vec<String> = (0..)
        .zip(words)
        .map(|(index, word)| if index == at { format!("[{word}]") } else { word.clone() })
        .collect();
    if text::width(&all.join("  ")) <= usize::from(area.width) {
        let mut x = area.x;
        for (index, word) in all.iter().enumerate() {
            let style = if index == at { strong } else { quiet };
            let end = canvas.put((x, area.y), word, area.width.into(), style);
            let place = Rect { x: x.saturating_sub(1), width: end + 2 - x, ..area };
            canvas.targets.note(place, Target::Value(row, index));
            x = end + 2;
        }
        return;
    }
    let is_ascii = canvas.skin.glyphs().left.is_ascii();
    let [left, right] = if is_ascii { ["<", ">"] } else { ["‹", "›"] };
    let room = usize::from(area.width.saturating_sub(2));
    let air = u16::from(text::width(&words[at]) + 2 <= room);
    let x = canvas.put((area.x, area.y), left, 1, quiet) + air;
    let end = canvas.put((x, area.y), &words[at], room, strong) + air;
    canvas.put((end, area.y), right, 1, quiet);
    for (x, step) in [(area.x - 1, words.len() - 1), (end, 1)] {
        let place = Rect { x, width: 3, ..area };
        canvas.targets.note(place, Target::Value(row, (at + step) % words.len()));
    }
}

fn draw_button(label: &str, here: bool, can_press: bool, area: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    let button = Rect { x: area.x + 2, width: area.width.min(BUTTON), ..area };
    let style = if here { skin.cursor() } else { skin.style(Role::Panel) };
    canvas.buffer.set_style(button, style);
    let x = button.x + button.width.saturating_sub(label.len() as u16) / 2;
    let style = if can_press || here {
        style.add_modifier(Modifier::BOLD)
    } else {
        style.patch(skin.dim())
    };
    let y = button.y + button.height / 2;
    canvas.buffer.set_stringn(x, y, label, button.width.into(), style);
}

/// Draws the help starting at this row, or further up if it would not fit.
fn draw_help(help: &[Phrase], y: u16, area: Rect, canvas: &mut Canvas) {
    let width = area.width - 2;
    let mut room = usize::from(area.bottom().saturating_sub(y)).max(2);
    let mut rows: Vec<(String, Style)> = Vec::new();
    for words in help.iter().rev() {
        let style = canvas.style(words.tone);
        let wrapped = text::wrap(&words.marked(), width.into(), room, canvas.skin);
        room -= wrapped.len();
        rows.splice(0..0, wrapped.into_iter().map(|row| (row, style)));
    }
    let top = y.min(area.bottom().saturating_sub(rows.len().max(2) as u16));
    for (y, (row, style)) in (top..).zip(rows) {
        canvas.buffer.set_string(area.x + 2, y, row, style);
    }
}

/// Draws a board with its description below it.
pub fn draw_preview(preview: &Preview, area: Rect, canvas: &mut Canvas) {
    let (skin, width) = (canvas.skin, usize::from(area.width));
    let (phrases, rows) = match &preview.below {
        PreviewNote::Caption(phrases) => (&**phrases, 1),
        PreviewNote::Text(text) => {
            (slice::from_ref(text), PREVIEW_TEXT[usize::from(area.width < WIDE_PREVIEW)])
        }
        PreviewNote::Inks => (&[][..], INKS),
    };
    let wrap = |words: &Phrase| {
        let style = canvas.style(words.tone);
        let wrapped = text::wrap(&words.text, width, rows.max(2).into(), skin);
        wrapped.into_iter().map(move |row| (row, style))
    };
    let words: Vec<(String, Style)> = phrases.iter().flat_map(wrap).collect();
    let rows = if words.len() > rows.into() { words.len() as u16 + 1 } else { rows };
    let picture = Rect { y: area.y + 2, height: area.height.saturating_sub(rows + 3), ..area };
    if let Some(scene) = &preview.board {
        canvas.draw_still(scene, preview.lettering, picture, true);
    }
    let below = picture.bottom() + 1;
    for (y, (row, style)) in (below..area.bottom()).zip(words) {
        let x = area.x + area.width.saturating_sub(text::width(&row) as u16) / 2;
        canvas.put((x, y), &row, width, style);
    }
    if matches!(preview.below, PreviewNote::Inks) {
        draw_inks(Rect { y: below, ..area }, canvas);
    }
}

/// Draws a sample of each seat's ink above its number.
fn draw_inks(area: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    let pitch = area.width / SEATS as u16;
    let left = area.x + (area.width - pitch * SEATS as u16) / 2;
    for index in 0..SEATS as u16 {
        let ink = skin.style(Role::Of(SeatRole::Ink, Seat::new(index as u8)));
        let bar = skin.glyphs().bar.to_string().repeat(usize::from(pitch.saturating_sub(1)));
        let x = left + index * pitch;
        canvas.buffer.set_stringn(x, area.y, &bar, usize::from(pitch), ink);
        let (x, number) = (x + pitch.saturating_sub(1) / 2, (index + 1).to_string());
        canvas.buffer.set_stringn(x, area.y + 1, &number, 1, skin.dim());
    }
}
