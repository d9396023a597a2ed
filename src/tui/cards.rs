//! Draws cards and entries: a title, a row of cards and rows of entries, or a list if the cards do not fit.

use super::Canvas;
use super::canvas::{draw_seen, page_round};
use super::targets::Target;
use super::{paper, text};
use crate::action::Action;
use crate::view::{CardEntry, CardsView, Tone};
use quadrille_scene::{BoardGeometry, DrawMode, Lettering, Role, Scene, Skin, cells};
use ratatui::layout::{Margin, Position, Rect};
use ratatui::style::{Modifier, Style};

const TITLE: &str = "Quadrille";
/// The minimum and maximum size of a card with its name.
const CARD: [(u16, u16); 2] = [(14, 9), (34, 21)];
/// The minimum height of a picture that is lowered to the height of the others, in rows.
const PICTURE: u16 = 7;
/// The columns of a card beside its name: an edge and a space on each side.
const BESIDE_NAME: u16 = 4;
/// The maximum height of the name on a card, in rows.
const NAME: usize = 2;
const MIN_WIDTH_FOR_CARDS: u16 = 60;
/// The minimum width and height for a double-size title.
const MIN_SIZE_FOR_LARGE_TITLE: (u16, u16) = (84, 34);
/// The minimum height for a list with a note on the selected entry, in rows.
const MIN_HEIGHT_FOR_NOTE: u16 = 11;
/// The maximum height of a note or a message below the list, in rows.
const BELOW_LIST: u16 = 4;
const NOTE: u16 = 80;
const MARGIN: u16 = 2;

pub fn draw(view: &CardsView, area: Rect, canvas: &mut Canvas) {
    match CardsLayout::of(view, area, canvas.skin) {
        Some(layout) => draw_with_cards(view, &layout, area, canvas),
        None => draw_list(view, area, canvas),
    }
}

struct CardsLayout {
    /// The width of a square of the title, in columns; `None` if the title is a line of text.
    square: Option<u16>,
    title: u16,
    /// The number of visible cards, and the area of the first card with its name.
    cards: usize,
    card: Rect,
    /// Whether the names are on the cards, instead of below them.
    has_names_inside: bool,
    /// The maximum height of the pictures.
    picture: u16,
    gap: u16,
    note: u16,
    entries: u16,
}

impl CardsLayout {
    /// Returns `None` if the cards do not fit.
    fn of(view: &CardsView, area: Rect, skin: Skin) -> Option<CardsLayout> {
        let inner = area.width - 2 * MARGIN;
        let least = CARD[0];
        let is_large =
            area.width >= MIN_SIZE_FOR_LARGE_TITLE.0 && area.height >= MIN_SIZE_FOR_LARGE_TITLE.1;
        let square = if is_large { 2 } else { 1 };
        // From top to bottom: the title, an empty line, a line about the games, a card between empty lines, two lines
        // for the note, the entries.
        let title = paper::title_size(square).1 + 2;
        let below = 5;
        let has_room = |title| area.height >= title + below + least.1;
        let has_squares = skin.glyphs().mode == DrawMode::Blocks && has_room(title + 1);
        let square = has_squares.then_some(square);
        let title = if has_squares { title } else { 1 };
        if area.width < MIN_WIDTH_FOR_CARDS || !has_room(title) {
            return None;
        }
        let cards = usize::from((inner + 1) / (least.0 + 1)).min(view.cards.len());
        let count = cards as u16;
        let gap = if inner / count >= 20 { 3 } else { 1 };
        let width = ((inner - (count - 1) * gap - 2) / count).clamp(least.0, CARD[1].0);
        let room = area.height - title - below;
        let height =
            room.saturating_sub(2).clamp(least.1, CARD[1].1).min(width / 2 + 5).max(least.1);
        // Spare rows go above, between and below the title, the cards and the entries.
        let spare = area.height - title - below - height;
        let between = (spare / 6).min(2);
        let top = area.y + spare.saturating_sub(3 * between).div_ceil(2).max(spare.min(1));
        let cards_width = count * width + (count - 1) * gap;
        let card = Rect {
            x: area.x + (area.width - cards_width) / 2,
            y: top + title + between + 1,
            width,
            height,
        };
        let note = card.bottom() + 1 + between;
        let entries = note + 2 + between;
        let longest =
            view.cards.iter().flat_map(|card| card.name.split(' ')).map(text::width).max();
        let has_names_inside = height > least.1
            && longest.is_none_or(|longest| longest <= usize::from(width - BESIDE_NAME));
        let mut layout = CardsLayout {
            square,
            title: top,
            cards,
            card,
            has_names_inside,
            picture: height,
            gap,
            note,
            entries,
        };
        let height = |scene: &Scene| {
            cells::size(&scene.ground, layout.board(card, scene).as_size(), Lettering::None).height
        };
        let heights = view.cards.iter().filter_map(|card| card.board.as_deref()).map(height);
        layout.picture = heights.min().unwrap_or(0).max(PICTURE);
        Some(layout)
    }
}

impl CardsLayout {
    /// Returns the part of a card with a background.
    const fn panel(&self, card: Rect) -> Rect {
        let below = if self.has_names_inside { 0 } else { NAME as u16 };
        Rect { height: card.height - below, ..card }
    }

    /// Returns the part of a card for the picture of a scene.
    fn board(&self, card: Rect, scene: &Scene) -> Rect {
        let panel = self.panel(card).inner(Margin::new(1, 1));
        let below = if self.has_names_inside { NAME as u16 } else { 0 };
        let margin = Margin::new(card.width / 20, below.min(1));
        let board = Rect { height: panel.height - below, ..panel }.inner(margin);
        // The last half row of separate tiles is a gap.
        let has_gap = matches!(scene.ground, BoardGeometry::Grid { ruled: false, .. });
        let height = board.height.min(self.picture + u16::from(has_gap));
        Rect { y: board.y + (board.height - height) / 2, height, ..board }
    }
}

fn draw_with_cards(view: &CardsView, layout: &CardsLayout, area: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    canvas.feedback.page.set(view.cards.len());
    canvas.feedback.middles.replace(Some(Vec::new()));
    let centred = |text: &str| area.x + area.width.saturating_sub(text::width(text) as u16) / 2;
    match layout.square {
        Some(square) => {
            let (width, height) = paper::title_size(square);
            let at = Position { x: area.x + (area.width - width) / 2, y: layout.title };
            paper::draw_title(at, square, skin, canvas.buffer);
            let y = layout.title + height + 1;
            canvas.buffer.set_string(centred(&view.about), y, &view.about, skin.dim());
        }
        None => draw_title_line(view, Rect { y: layout.title, ..area }, canvas),
    }
    draw_cards(view, layout, area, canvas);
    let room = usize::from((area.width - 2 * MARGIN).min(NOTE));
    let has_upper_row = view.entries.iter().any(|entry| entry.is_above);
    // The second row is the upper row of entries, if there is one.
    let rows = if has_upper_row { 1 } else { 2 };
    let (rows, tone) = message_rows(view, room, rows, skin);
    for (y, row) in (layout.note..).zip(rows) {
        canvas.put((centred(&row), y), &row, room, canvas.style(tone));
    }
    for (is_above, y) in [(true, layout.entries.saturating_sub(1)), (false, layout.entries)] {
        let entries = (view.cards.len()..).zip(&view.entries);
        let entries: Vec<_> = entries.filter(|(_, entry)| entry.is_above == is_above).collect();
        draw_row(view, &entries, y, area, canvas);
    }
    paper::draw_squares(area, skin, canvas.buffer);
}

/// Returns the offer of the lessons, if the note on a card has it.
fn offer_on(view: &CardsView, index: usize) -> Option<String> {
    let key = view.offer.as_ref().filter(|_| index < view.cards.len())?;
    Some(format!("New here? {key}: Learn"))
}

/// Returns the rows of the note on a card or an entry. The offer begins them, in a row of its own if both are too long
/// for one.
fn note_rows(view: &CardsView, index: usize, room: usize, rows: usize, skin: Skin) -> Vec<String> {
    let note = view.notes.get(index).map_or("", |note| note);
    let Some(offer) = offer_on(view, index) else { return text::wrap(note, room, rows, skin) };
    let line = format!("{offer}{}{note}", text::SEPARATOR);
    if text::width(&line) <= room {
        return vec![line];
    }
    let note = text::wrap(note, room, rows.saturating_sub(1), skin);
    [text::fit(&offer, room, skin)].into_iter().chain(note).collect()
}

/// Returns the rows of the message or, if there is none, of the note on the selected entry.
fn message_rows(view: &CardsView, room: usize, rows: usize, skin: Skin) -> (Vec<String>, Tone) {
    match &view.message {
        Some(message) => (text::wrap(&message.marked(), room, rows, skin), message.tone),
        None => (note_rows(view, view.at, room, rows, skin), Tone::Dim),
    }
}

/// Records the position of a card or an entry and makes it clickable.
fn note_place(index: usize, area: Rect, canvas: &Canvas) {
    if let Some(middles) = &mut *canvas.feedback.middles.borrow_mut() {
        middles.push((index, area.x + area.width / 2));
    }
    canvas.targets.note(area, Target::Entry(index, Some(Action::Choose)));
}

fn draw_cards(view: &CardsView, layout: &CardsLayout, area: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    let at = if view.at < view.cards.len() { view.at } else { 0 };
    let first = at.saturating_sub(layout.cards / 2).min(view.cards.len() - layout.cards);
    let seen = first..first + layout.cards;
    for (place, index) in (0..).zip(seen.clone()) {
        let x = layout.card.x + place * (layout.card.width + layout.gap);
        let card = Rect { x, ..layout.card };
        draw_card(view, index, (layout, card), canvas);
        note_place(index, card, canvas);
    }
    let middle = layout.card.y + layout.card.height / 2;
    let (left, right) = (area.x, area.right() - 1);
    let glyphs = skin.glyphs();
    let more =
        [(seen.start > 0, left, glyphs.left), (seen.end < view.cards.len(), right, glyphs.right)];
    for (_, x, glyph) in more.into_iter().filter(|(is_more, ..)| *is_more) {
        canvas.buffer[(x, middle)].set_char(glyph).set_style(skin.strong());
    }
}

/// Draws a card: a small board and a name. The selected card has a ring inside its edge.
fn draw_card(
    view: &CardsView,
    index: usize,
    (layout, area): (&CardsLayout, Rect),
    canvas: &mut Canvas,
) {
    let skin = canvas.skin;
    let (card, here) = (&view.cards[index], index == view.at);
    let panel = layout.panel(area);
    let background = skin.style(if here { Role::Chosen } else { Role::Panel });
    canvas.buffer.set_style(panel, background);
    if here {
        draw_ring(panel, canvas);
    }
    let (top, room, behind) = if layout.has_names_inside {
        (area.bottom() - NAME as u16 - 1, area.width - BESIDE_NAME, background)
    } else {
        (panel.bottom(), area.width - 1, Style::new())
    };
    let name = text::wrap(card.name, room.into(), NAME, skin);
    let style = behind.patch(if here { skin.strong() } else { skin.plain() });
    for (y, row) in (top..).zip(&name) {
        let x = area.x + (area.width - text::width(row) as u16) / 2;
        canvas.put((x, y), row, room.into(), style);
    }
    let has_room =
        |scene: &Scene| cells::has_room(&scene.ground, layout.board(area, scene).as_size());
    let instead = card.instead.as_ref().filter(|scene| has_room(scene));
    if let Some(scene) = instead.or(card.board.as_ref()) {
        canvas.draw_still(scene, Lettering::None, layout.board(area, scene), false);
    }
}

/// Draws the ring of the selected card, inside its edge.
fn draw_ring(ring: Rect, canvas: &mut Canvas) {
    let (glyphs, style) = (canvas.skin.glyphs(), canvas.skin.style(Role::Marker));
    let part = |at, first, last| match at {
        at if at == first => 0,
        at if at == last => 2,
        _ => 1,
    };
    for place in ring.positions() {
        let row = part(place.y, ring.top(), ring.bottom() - 1);
        let column = part(place.x, ring.left(), ring.right() - 1);
        if (row, column) != (1, 1)
            && let Some(cell) = canvas.buffer.cell_mut(place)
        {
            cell.set_char(glyphs.ring[row][column]).set_style(style);
        }
    }
}

/// Returns the longest description of an entry that fits into `room` columns, possibly none.
fn more(entry: &CardEntry, room: usize) -> &str {
    entry.more.iter().find(|more| text::width(more) <= room).map_or("", |more| more)
}

fn draw_row(
    view: &CardsView,
    entries: &[(usize, &CardEntry)],
    y: u16,
    area: Rect,
    canvas: &mut Canvas,
) {
    let Some(gaps) = entries.len().checked_sub(1) else { return };
    let room = usize::from(area.width - 2 * MARGIN);
    // The dimmed descriptions share the space left by the names.
    let names: usize = entries.iter().map(|(_, entry)| text::width(&entry.name) + 2).sum();
    let spare = room.saturating_sub(names + 1);
    let more_width = |more: &str| if more.is_empty() { 0 } else { text::width(more) + 1 };
    let mores = entries.iter().map(|(_, entry)| more_width(more(entry, spare)));
    let all = names + mores.sum::<usize>();
    let gap = (room.saturating_sub(all) / entries.len()).min(3) as u16;
    let all = all as u16 + gap * gaps as u16;
    let mut x = area.x + area.width.saturating_sub(all) / 2;
    for (index, entry) in entries {
        x = draw_entry(view, *index, &entry.name, more(entry, spare), (x, y), canvas) + gap;
    }
}

/// Writes an entry with a space on each side. Returns the column after the entry.
fn draw_entry(
    view: &CardsView,
    index: usize,
    name: &str,
    more: &str,
    at: (u16, u16),
    canvas: &mut Canvas,
) -> u16 {
    let skin = canvas.skin;
    let (strong, dim) = if index == view.at {
        (skin.cursor().patch(Modifier::BOLD), skin.cursor())
    } else {
        (skin.strong(), skin.dim())
    };
    let right = canvas.buffer.area.right();
    let room = |x: u16| right.saturating_sub(x + MARGIN).into();
    let mut x = canvas.put(at, &format!(" {name} "), room(at.0), strong);
    if !more.is_empty() {
        x = canvas.put((x, at.1), more, room(x), dim);
        (x, _) = canvas.buffer.set_stringn(x, at.1, " ", 1, dim);
    }
    note_place(index, Rect { x: at.0, y: at.1, width: x - at.0, height: 1 }, canvas);
    x
}

/// Draws everything as a list, with the note or the offer below it. The height of the list does not depend on the note,
/// so the list does not shift. The title is omitted if that is the only way to fit all entries.
fn draw_list(view: &CardsView, area: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    let length = view.cards.len() + view.entries.len();
    let columns = area.width - 2 * MARGIN;
    let most = BELOW_LIST.into();
    let (note, tone) = message_rows(view, columns.into(), most, skin);
    let below = if view.message.is_some() {
        note.len()
    } else if area.height >= MIN_HEIGHT_FOR_NOTE {
        let rows = |index| note_rows(view, index, columns.into(), most, skin).len();
        (0..length).map(rows).max().unwrap_or_default()
    } else {
        0
    };
    let below = below as u16;
    let has_title = length + usize::from(below) != usize::from(area.height);
    if has_title {
        draw_title_line(view, area, canvas);
    }
    let list = Rect {
        y: area.y + u16::from(has_title),
        height: area.height - u16::from(has_title) - below,
        ..area
    };
    for (y, row) in (list.bottom()..list.bottom() + below).zip(&note) {
        canvas.put((area.x + MARGIN, y), row, columns.into(), canvas.style(tone));
    }
    canvas.feedback.middles.replace(None);
    canvas.feedback.page.set(list.height.into());
    let seen = page_round(view.at, length, list.height.into());
    let line = Rect { width: area.width - MARGIN, ..area };
    draw_seen(&seen, length, skin, line, canvas.buffer);
    for (y, index) in (list.y..).zip(seen) {
        let (name, more) = match index.checked_sub(view.cards.len()) {
            None => (view.cards[index].name, ""),
            Some(entry) => {
                let entry = &view.entries[entry];
                let room = usize::from(columns).saturating_sub(text::width(&entry.name) + 1);
                (&*entry.name, more(entry, room))
            }
        };
        draw_entry(view, index, name, more, (area.x + MARGIN - 1, y), canvas);
    }
}

/// Draws the title as a line of text, followed by more words if there is space.
fn draw_title_line(view: &CardsView, line: Rect, canvas: &mut Canvas) {
    let strong = canvas.skin.strong();
    let x = canvas.put((line.x + MARGIN, line.y), TITLE, line.width.into(), strong);
    if line.width >= MIN_WIDTH_FOR_CARDS {
        canvas.buffer.set_string(x + 2, line.y, &view.about, canvas.skin.dim());
    }
}
