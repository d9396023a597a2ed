//! How the home screen is drawn: a title, cards and a row of entries, or a list where cards have no room.

use super::{HomeItem, HomeScreen, VisibleEntries};
use crate::action::Action;
use crate::app::targets::Target;
use crate::app::{Context, list, paper, scroll, text};
use crate::board::Viewer;
use crate::catalogue::GAMES;
use crate::puzzles::daily;
use crate::scene::{DrawMode, Role, Skin};
use crate::wording;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::style::{Modifier, Style};

/// Where things stand on a screen with room for cards.
struct HomeLayout {
    /// How many columns wide a square of the title is; `None` if the title is a line of text.
    square: Option<u16>,
    title: u16,
    /// How many cards are in sight, and the area of the first one, without its ring.
    cards: usize,
    card: Rect,
    /// The columns between two cards.
    gap: u16,
    note: u16,
    entries: u16,
}

/// The size of the smallest card and of the largest one.
const CARD: [(u16, u16); 2] = [(14, 9), (34, 21)];
/// How many rows the name of a game may take on a card.
const NAME: usize = 2;
/// From this width on there is room for cards.
const LEAST_FOR_CARDS: u16 = 60;
/// From this width and height on the title is twice as large.
const LEAST_FOR_LARGE_TITLE: (u16, u16) = (84, 34);
/// From this many rows on, the list leaves room for the note on the chosen entry.
const LEAST_FOR_NOTE: u16 = 11;
/// The most rows of a note or a message below the list.
const BELOW_LIST: usize = 4;
/// The columns left free at both sides.
const MARGIN: u16 = 2;

impl HomeLayout {
    /// `None` where there is no room for cards.
    fn of(area: Rect, skin: Skin) -> Option<HomeLayout> {
        let inner = area.width - 2 * MARGIN;
        let least = CARD[0];
        let is_large =
            area.width >= LEAST_FOR_LARGE_TITLE.0 && area.height >= LEAST_FOR_LARGE_TITLE.1;
        let square = if is_large { 2 } else { 1 };
        // From top to bottom: the title, an empty line, a line about the games, a card with its ring, two
        // lines for the note, the entries.
        let title = paper::title_size(square).1 + 2;
        let below = 5;
        let has_room = |title| area.height >= title + below + least.1;
        let square = skin.glyphs().mode == DrawMode::Blocks && has_room(title + 1);
        let square = square.then_some(if is_large { 2 } else { 1 });
        let title = if square.is_some() { title } else { 1 };
        if area.width < LEAST_FOR_CARDS || !has_room(title) {
            return None;
        }
        let cards = usize::from((inner + 1) / (least.0 + 1)).min(GAMES.len());
        let count = cards as u16;
        let gap = if inner / count >= 20 { 3 } else { 1 };
        let width = ((inner - (count - 1) * gap - 2) / count).clamp(least.0, CARD[1].0);
        let room = area.height - title - below;
        let height =
            room.saturating_sub(2).clamp(least.1, CARD[1].1).min(width / 2 + 5).max(least.1);
        // Spare rows go above, between and below these parts.
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
        Some(HomeLayout { square, title: top, cards, card, gap, note, entries })
    }
}

impl HomeScreen {
    /// Draws the screen, and notes what it had room for.
    pub(super) fn draw_all(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        *self.drawn.borrow_mut() = VisibleEntries::default();
        self.list.set_page(GAMES.len());
        match HomeLayout::of(area, context.skin) {
            Some(layout) => self.draw_with_cards(&layout, context, area, buffer),
            None => self.draw_list(context, area, buffer),
        }
    }

    /// The message, or else the note, and its style.
    fn note_or_message(&self, context: &Context) -> (String, Style) {
        match &self.message {
            Some(message) => (format!("! {message}"), context.skin.wrong()),
            None => (Self::note(&self.at, context), context.skin.dim()),
        }
    }

    /// Writes an entry with a space before and behind it; returns the column behind that.
    fn draw_label(
        &self,
        item: &HomeItem,
        (name, quiet): &(String, String),
        context: &Context,
        at: (u16, u16),
        buffer: &mut Buffer,
    ) -> u16 {
        let skin = context.skin;
        let here = *item == self.at;
        let (strong, dim) = if here {
            (skin.cursor().patch(Modifier::BOLD), skin.cursor())
        } else {
            (skin.strong(), skin.dim())
        };
        let room = buffer.area.right().saturating_sub(at.0 + MARGIN) as usize;
        let (mut x, y) = text::put(at, &format!(" {name} "), room, strong, skin, buffer);
        if !quiet.is_empty() {
            let room = buffer.area.right().saturating_sub(x + MARGIN) as usize;
            (x, _) = text::put((x, y), quiet, room, dim, skin, buffer);
            (x, _) = buffer.set_stringn(x, y, " ", 1, dim);
        }
        self.note_target(item, Rect { x: at.0, y, width: x - at.0, height: 1 }, context);
        x
    }

    /// Lets an entry be clicked where it is drawn.
    fn note_target(&self, item: &HomeItem, area: Rect, context: &Context) {
        if let Some(entry) = self.items(context).iter().position(|other| other == item) {
            context.targets.note(area, Target::Entry(entry, Some(Action::Choose)));
        }
    }

    fn draw_cards(&self, layout: &HomeLayout, context: &Context, area: Rect, buffer: &mut Buffer) {
        let skin = context.skin;
        let at = match self.at {
            HomeItem::Game(index) => index,
            _ => 0,
        };
        let first = at.saturating_sub(layout.cards / 2).min(GAMES.len() - layout.cards);
        let seen = first..first + layout.cards;
        for (place, index) in (0..).zip(seen.clone()) {
            let x = layout.card.x + place * (layout.card.width + layout.gap);
            let card = Rect { x, ..layout.card };
            self.drawn.borrow_mut().middles.push((HomeItem::Game(index), x + card.width / 2));
            self.draw_card(index, context, card, buffer);
            self.note_target(&HomeItem::Game(index), card, context);
        }
        let middle = layout.card.y + layout.card.height / 2;
        let (left, right) = (area.x, area.right() - 1);
        let glyphs = skin.glyphs();
        let more =
            [(seen.start > 0, left, glyphs.left), (seen.end < GAMES.len(), right, glyphs.right)];
        for (_, x, glyph) in more.into_iter().filter(|(is_more, ..)| *is_more) {
            buffer[(x, middle)].set_char(glyph).set_style(skin.strong());
        }
    }

    /// A card: a small board, and the name of the game. The chosen one has a ring.
    fn draw_card(&self, index: usize, context: &Context, card: Rect, buffer: &mut Buffer) {
        let skin = context.skin;
        let here = self.at == HomeItem::Game(index);
        let background = skin.style(if here { Role::Chosen } else { Role::Panel });
        buffer.set_style(card, background);
        if here {
            draw_ring(card, skin, buffer);
        }
        let game = &GAMES[index];
        let longest = game.name.split(' ').map(text::width).max().unwrap_or(0);
        let room = longest.max(usize::from(card.width - 2)).min(card.width.into());
        let name = text::wrap(game.name, room, NAME, skin);
        // On a low card the name stands at its lower edge.
        let pad = u16::from(card.height > CARD[0].1);
        let top = card.bottom() - NAME as u16 - pad;
        let style = background.patch(if here { skin.strong() } else { skin.plain() });
        for (y, row) in (top..).zip(&name) {
            let x = card.x + (card.width - text::width(row) as u16) / 2;
            text::put((x, y), row, room, style, skin, buffer);
        }
        let board = Rect { y: card.y + 1, height: card.height - NAME as u16 - 1 - 2 * pad, ..card };
        let board = board.inner(Margin { horizontal: 1 + card.width / 16, vertical: 0 });
        // The card of its game shows the puzzle of the day while that is chosen, if it has room for it.
        let today = (self.at == HomeItem::Daily).then(|| daily(context.today(), None)).flatten();
        let today = today.filter(|daily| daily.puzzle.game == game.id);
        let position = today.and_then(|daily| daily.puzzle.position().ok()).map(Viewer::new);
        let position = position.filter(|viewer| viewer.board.has_room(board.as_size()));
        let sample = || self.samples[index].get_or_init(|| Viewer::sample(game)).as_ref();
        if let Some(sample) = position.as_ref().or_else(sample) {
            sample.board.draw_picture(board, buffer, skin);
        }
    }

    /// The entries below the cards: the matches to resume in a row of their own, and below them all others.
    fn draw_entries(&self, y: u16, context: &Context, area: Rect, buffer: &mut Buffer) {
        let items = self.items(context).split_off(GAMES.len());
        let is_match = |item: &HomeItem| matches!(item, HomeItem::Unfinished(_) | HomeItem::All);
        let (matches, others): (Vec<HomeItem>, Vec<HomeItem>) =
            items.into_iter().partition(is_match);
        if !matches.is_empty() {
            self.draw_row(&matches, y.saturating_sub(1), context, area, buffer);
        }
        self.draw_row(&others, y, context, area, buffer);
    }

    /// Entries in a row in the middle.
    fn draw_row(
        &self,
        items: &[HomeItem],
        y: u16,
        context: &Context,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let room = usize::from(area.width - 2 * MARGIN);
        let width = |(name, quiet): &(String, String)| {
            text::width(name) + 2 + if quiet.is_empty() { 0 } else { text::width(quiet) + 1 }
        };
        let labels = |room| items.iter().map(|item| Self::label(item, context, room)).collect();
        // The dim words get the room that the names leave.
        let bare: Vec<(String, String)> = labels(0);
        let others: usize = bare.iter().map(width).sum();
        let labels: Vec<(String, String)> = labels(room.saturating_sub(others + 1));
        let all: usize = labels.iter().map(width).sum();
        let gap = (room.saturating_sub(all) / items.len().max(1)).min(3) as u16;
        let all = all as u16 + gap * (items.len() as u16 - 1);
        let mut x = area.x + area.width.saturating_sub(all) / 2;
        for (item, label) in items.iter().zip(&labels) {
            self.drawn.borrow_mut().middles.push((item.clone(), x + width(label) as u16 / 2));
            x = self.draw_label(item, label, context, (x, y), buffer) + gap;
        }
    }

    fn draw_with_cards(
        &self,
        layout: &HomeLayout,
        context: &Context,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let skin = context.skin;
        let about = about_the_games();
        let centred = |text: &str| area.x + area.width.saturating_sub(text::width(text) as u16) / 2;
        match layout.square {
            Some(square) => {
                let (width, height) = paper::title_size(square);
                let at = Position { x: area.x + (area.width - width) / 2, y: layout.title };
                paper::draw_title(at, square, skin, buffer);
                buffer.set_string(centred(&about), layout.title + height + 1, &about, skin.dim());
            }
            None => draw_title_line(Rect { y: layout.title, ..area }, skin, buffer),
        }
        self.draw_cards(layout, context, area, buffer);
        let (note, style) = self.note_or_message(context);
        let room = usize::from(area.width - 2 * MARGIN).min(80);
        // The second row is that of the matches to resume, if there are any.
        let rows = if context.unfinished.is_empty() { 2 } else { 1 };
        for (y, row) in (layout.note..).zip(text::wrap(&note, room, rows, skin)) {
            buffer.set_string(centred(&row), y, &row, style);
        }
        self.draw_entries(layout.entries, context, area, buffer);
        paper::draw_squares(area, skin, buffer);
    }

    /// Draws all as a list, with the note below it. The list is as long for all notes, so that it does not jump. The
    /// title is left out where all entries have room without it.
    fn draw_list(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        let skin = context.skin;
        let items = self.items(context);
        let columns = usize::from(area.width - 2 * MARGIN);
        let wrapped = |text: &str| text::wrap(text, columns, BELOW_LIST, skin);
        let (note, style) = self.note_or_message(context);
        let below = if self.message.is_some() {
            wrapped(&note).len()
        } else if area.height >= LEAST_FOR_NOTE {
            let notes = items.iter().map(|item| wrapped(&Self::note(item, context)).len());
            notes.max().unwrap_or_default()
        } else {
            0
        };
        let has_title = items.len() + below != usize::from(area.height);
        if has_title {
            draw_title_line(area, skin, buffer);
        }
        let list = Rect {
            y: area.y + u16::from(has_title),
            height: area.height - u16::from(has_title) - below as u16,
            ..area
        };
        let page = usize::from(list.height);
        for (y, row) in (list.bottom()..area.bottom()).zip(wrapped(&note)) {
            buffer.set_string(area.x + MARGIN, y, row, style);
        }
        let at = items.iter().position(|item| *item == self.at).unwrap_or(0);
        self.list.set_page(page);
        let seen = list::page_round(at, items.len(), page);
        let line = Rect { width: area.width - MARGIN, ..area };
        scroll::draw_seen(&seen, items.len(), skin, line, buffer);
        for (y, item) in (list.y..).zip(&items[seen]) {
            let (name, _) = Self::label(item, context, 0);
            let room = columns.saturating_sub(text::width(&name) + 1);
            let label = Self::label(item, context, room);
            self.draw_label(item, &label, context, (area.x + MARGIN - 1, y), buffer);
        }
        *self.drawn.borrow_mut() = VisibleEntries { as_list: true, middles: Vec::new() };
    }
}

/// The frame round the chosen card, just outside it.
fn draw_ring(card: Rect, skin: Skin, buffer: &mut Buffer) {
    let ring = card.outer(Margin { horizontal: 1, vertical: 1 });
    let part = |at, first, last| match at {
        at if at == first => 0,
        at if at == last => 2,
        _ => 1,
    };
    for place in ring.positions() {
        let row = part(place.y, ring.top(), ring.bottom() - 1);
        let column = part(place.x, ring.left(), ring.right() - 1);
        if (row, column) != (1, 1)
            && let Some(cell) = buffer.cell_mut(place)
        {
            cell.set_char(skin.glyphs().ring[row][column]).set_style(skin.style(Role::Marker));
        }
    }
}

/// The title in a line of text, and behind it, if there is room, how many games there are.
fn draw_title_line(line: Rect, skin: Skin, buffer: &mut Buffer) {
    let (x, y) = (line.x + MARGIN, line.y);
    let (x, _) = buffer.set_stringn(x, y, "Quadrille", line.width.into(), skin.strong());
    let about = about_the_games();
    if line.width >= LEAST_FOR_CARDS {
        buffer.set_string(x + 2, y, about, skin.dim());
    }
}

fn about_the_games() -> String {
    format!("{} games on squared paper", wording::number(GAMES.len()))
}
