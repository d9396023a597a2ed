//! The games of a tournament: the running ones as small boards or as lines, and the finished ones.

use super::slot::GameSlot;
use super::{Pane, TournamentScreen, VisibleGames, standings};
use crate::action::Action;
use crate::app::table::{self, Column};
use crate::app::targets::Target;
use crate::app::{Context, text};
use crate::arena::tournament::{Ending, GameLine, Points};
use crate::board::Skin;
use crate::catalogue::GameEntry;
use crate::rules::Seat;
use crate::scene::Role;
use crate::session::clock;
use crate::tui::page_round;
use crate::wording::dashed;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

/// The smallest and the largest card with a board: columns and rows.
const CARD: [(u16, u16); 2] = [(18, 9), (48, 27)];
/// A card of two seats that is narrower than this gives each seat a row of its own.
const SHARED: u16 = 34;
/// Names get at most this many columns in a line, or more if the longest one needs them.
const NAMES: u16 = 48;
/// The columns that the state of a running game and the gaps take in the first row of a card.
const STATE: usize = 14;
/// A setup that is cut needs at least this many columns.
const LEAST_SETUP: usize = 12;
/// The columns and rows between two cards.
const GAP: (u16, u16) = (2, 1);

/// How cards are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cards {
    pub columns: u16,
    pub rows: u16,
    size: (u16, u16),
    /// Whether the setup has a row of its own. Else it stands behind the number, as far as there is room.
    has_setup_row: bool,
}

impl Cards {
    /// Lays out cards for as many games as can show their whole board, and makes them as large as possible.
    /// `None` if not even one has room. The setup has a row of its own if it needs that and no board gives way to it.
    /// `label` is the width of the longest number with its setup, so that the row does not come and go.
    pub fn of(slots: &[GameSlot], entry: &GameEntry, label: usize, room: Rect) -> Option<Cards> {
        let mut setups: Vec<&GameSlot> = Vec::new();
        for slot in slots {
            if setups.iter().all(|other| other.game.setup != slot.game.setup) {
                setups.push(slot);
            }
        }
        let most = Cards::for_some(slots.len(), room)?;
        let seats = slots.first().map_or(2, |slot| slot.game.players.len());
        let is_enough = |cards: &Cards| {
            let board = cards.board(seats, room).as_size();
            setups.iter().all(|slot| slot.has_room(entry, board))
        };
        let laid_out = |has_setup_row: bool| {
            let ways = (1..=most.count().min(slots.len())).rev();
            let ways = ways.filter_map(|count| Cards::for_some(count, room));
            ways.map(|cards| Cards { has_setup_row, ..cards }).find(is_enough)
        };
        let cards = laid_out(false)?;
        let is_long = label + STATE > cards.size.0.into();
        let with_row = laid_out(true).filter(|with| is_long && with.count() >= cards.count());
        with_row.or(Some(cards))
    }

    /// The largest cards of which `count` fit; if so many do not fit, as many of the smallest as do.
    fn for_some(count: usize, room: Rect) -> Option<Cards> {
        let least = CARD[0];
        let most = |room: u16, least: u16, gap: u16| (room + gap) / (least + gap);
        let most = (most(room.width, least.0, GAP.0), most(room.height, least.1, GAP.1));
        if most.0 == 0 || most.1 == 0 {
            return None;
        }
        let size = |columns: u16, rows: u16| {
            let width = (room.width - (columns - 1) * GAP.0) / columns;
            let height = (room.height - (rows - 1) * GAP.1) / rows;
            // A cell is about twice as high as wide.
            let width = width.min(CARD[1].0).min((2 * height).max(least.0));
            (width, height.min(CARD[1].1).min((width / 2 + 3).max(least.1)))
        };
        let count = count.clamp(1, usize::from(most.0) * usize::from(most.1)) as u16;
        let ways = (1..=most.0).map(|columns| (columns, count.div_ceil(columns)));
        let ways = ways.filter(|(_, rows)| *rows <= most.1);
        // Of equally large layouts, the one with more columns.
        let (columns, rows) = ways.max_by_key(|&(columns, rows)| size(columns, rows))?;
        Some(Cards { columns, rows, size: size(columns, rows), has_setup_row: false })
    }

    /// How many cards there are.
    fn count(self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// The width of this many cards.
    pub fn width(self, places: usize) -> u16 {
        let columns = places.clamp(1, self.columns.into()) as u16;
        columns * (self.size.0 + GAP.0) - GAP.0
    }

    /// The area of the board on the first card.
    fn board(self, seats: usize, room: Rect) -> Rect {
        self.board_on(self.card(0, room), seats)
    }

    /// The area of the board on a card: below the number, the setup and the seats.
    fn board_on(self, card: Rect, seats: usize) -> Rect {
        let inner = card.inner(Margin::new(1, 0));
        let rows = if seats == 2 && card.width < SHARED { 3 } else { 2 };
        let rows = rows + u16::from(self.has_setup_row);
        Rect { y: inner.y + rows, height: inner.height.saturating_sub(rows), ..inner }
    }

    /// The area of the n-th card in sight.
    fn card(self, place: u16, room: Rect) -> Rect {
        let (width, height) = self.size;
        let (column, row) = (place % self.columns, place / self.columns);
        Rect {
            x: room.x + column * (width + GAP.0),
            y: room.y + row * (height + GAP.1),
            width,
            height,
        }
    }
}

impl TournamentScreen {
    /// Draws the running games as cards.
    pub(super) fn draw_cards(
        &self,
        cards: Cards,
        context: &Context,
        room: Rect,
        buffer: &mut Buffer,
    ) {
        let columns = usize::from(cards.columns);
        let rows = self.slots.len().div_ceil(columns);
        let seen = page_round(self.running.at() / columns, rows, cards.rows.into());
        let first = seen.start * columns;
        let all = (first..self.slots.len()).take(cards.count());
        for (place, index) in (0..).zip(all) {
            let card = cards.card(place, room);
            self.draw_card(index, cards, context, card, buffer);
            let here = self.is_at(Pane::Running, index).then_some(Action::Choose);
            context.targets.note(card, Target::Entry(index, here));
        }
        self.set_page(Pane::Running, cards.count(), context);
        self.drawn.set(VisibleGames { columns, ..self.drawn.get() });
    }

    /// Draws a card: the number of the game, its setup and its state, the players, the board.
    fn draw_card(
        &self,
        index: usize,
        cards: Cards,
        context: &Context,
        card: Rect,
        buffer: &mut Buffer,
    ) {
        let skin = context.skin;
        let here = self.is_at(Pane::Running, index);
        let slot = &self.slots[index];
        buffer.set_style(card, skin.style(if here { Role::Chosen } else { Role::Panel }));
        let inner = card.inner(Margin::new(1, 0));
        let head = Rect { height: 1, ..card };
        let room = usize::from(inner.width);
        let number = slot.game.game.to_string();
        let state = state(slot);
        let (strong, dim) = if here {
            buffer.set_style(head, skin.cursor());
            (skin.cursor().add_modifier(Modifier::BOLD), skin.cursor())
        } else {
            (skin.strong(), skin.dim())
        };
        let (x, y) = text::put((inner.x, head.y), &number, room, strong, skin, buffer);
        let room = inner.right().saturating_sub(x + 1);
        let width = (text::width(&state) as u16).min(room);
        text::put((inner.right() - width, y), &state, width.into(), dim, skin, buffer);
        let setup = text::short_setup(&slot.game.setup);
        let mut seats_y = inner.y + 1;
        if cards.has_setup_row {
            text::put((inner.x, seats_y), &setup, inner.width.into(), skin.dim(), skin, buffer);
            seats_y += 1;
        } else {
            let room = usize::from((inner.right() - width).saturating_sub(x + 4));
            if room >= LEAST_SETUP || room >= text::width(&setup) {
                text::put((x + 2, y), &setup, room, dim, skin, buffer);
            }
        }
        let board = cards.board_on(card, slot.game.players.len());
        let turn = slot.draw_board(self.status.entry, board, buffer, skin);
        let seats = Rect { y: seats_y, height: board.y - seats_y, ..inner };
        draw_seats(slot, turn, skin, seats, buffer);
    }

    /// Draws the running games as lines.
    pub(super) fn draw_running(&self, context: &Context, room: Rect, buffer: &mut Buffer) {
        let page = usize::from(room.height);
        let seen = page_round(self.running.at(), self.slots.len(), page);
        for (y, index) in (room.y..).zip(seen) {
            let slot = &self.slots[index];
            let row = Rect { y, height: 1, ..room };
            let number = slot.game.game.to_string();
            let names = Line::raw(slot.game.players.join(" - "));
            let setup = Line::raw(text::short_setup(&slot.game.setup));
            let cells = [Line::raw(number), names, Line::raw(state(slot)), setup];
            self.draw_row(Pane::Running, index, cells, row, context, buffer);
        }
        self.set_page(Pane::Running, page, context);
        self.drawn.set(VisibleGames { columns: 1, ..self.drawn.get() });
    }

    /// Draws the finished games, the latest first.
    pub(super) fn draw_finished(&self, context: &Context, room: Rect, buffer: &mut Buffer) {
        let page = usize::from(room.height);
        let count = self.count();
        let seen = page_round(self.finished.at(), count, page);
        let mut lines = self.live.lines(count - seen.end..count - seen.start);
        lines.reverse();
        for ((y, row), line) in (room.y..).zip(seen).zip(&lines) {
            let names = names_line(line, context.skin);
            let (number, setup) = (line.game.to_string(), text::short_setup(&line.setup));
            let cells = [Line::raw(number), names, Line::raw(result(line)), Line::raw(setup)];
            let area = Rect { y, height: 1, ..room };
            self.draw_row(Pane::Finished, row, cells, area, context, buffer);
        }
        self.set_page(Pane::Finished, page, context);
    }

    /// Draws a game as a line: its number, its players, its state, and where there is room its setup.
    fn draw_row(
        &self,
        pane: Pane,
        index: usize,
        cells: [Line<'_>; 4],
        row: Rect,
        context: &Context,
        buffer: &mut Buffer,
    ) {
        let number = self.status.games.to_string().len().max(2) as u16;
        let state = if row.width < 40 { 9 } else { 20 };
        let seats = self.slots.first().map_or(2, |slot| slot.game.players.len()) as u16;
        let longest = standings::longest(&self.table).saturating_add(3).saturating_mul(seats);
        let names = row.width.saturating_sub(number + state + 2 * GAP.0).min(NAMES.max(longest));
        let has_setup = cells[3].width() > 0;
        // Names give way to the setup, but are not cut for it.
        let names = if has_setup { names.min(longest) } else { names };
        let setup = row.width.saturating_sub(number + names + state + 3 * GAP.0);
        let setup = if has_setup && setup >= LEAST_SETUP as u16 { setup } else { 0 };
        let columns =
            [Column::number(number), Column::text(names), Column::text(state), Column::text(setup)];
        let [head, names, state, setup] = cells;
        let dim = context.skin.dim();
        let cells = [head.style(dim), names, state.style(dim), setup.style(dim)];
        table::draw_row(&columns, GAP.0, &cells, row, context.skin, buffer);
        let entry = if pane == Pane::Finished { self.slots.len() + index } else { index };
        context.canvas(buffer).mark_row(entry, self.is_at(pane, index), row);
    }

    /// Notes how many games of a list are in sight, if it has the cursor.
    fn set_page(&self, pane: Pane, page: usize, context: &Context) {
        if self.pane() == pane {
            context.sight.page.set(page);
        }
    }

    fn is_at(&self, pane: Pane, index: usize) -> bool {
        self.pane() == pane
            && match pane {
                Pane::Running => index == self.running.at(),
                Pane::Finished => index == self.finished.at(),
            }
    }
}

/// How far a game has come, or its result.
fn state(slot: &GameSlot) -> String {
    match &slot.ended {
        Some(line) => result(line),
        None => format!("move {}", slot.game.moves.len()),
    }
}

/// Draws the players in their colours with their clocks, side by side in one row or each in a row of its
/// own.
fn draw_seats(slot: &GameSlot, turn: Option<Seat>, skin: Skin, area: Rect, buffer: &mut Buffer) {
    let seats = slot.game.players.len().max(1) as u16;
    let share = (area.width.saturating_sub(seats - 1) / seats).max(1);
    for (index, name) in (0..).zip(&slot.game.players) {
        let (x, y, width) = match area.height {
            1 => (area.x + index * (share + 1), area.y, share),
            _ => (area.x, area.y + index, area.width),
        };
        let left = slot.game.left.get(usize::from(index)).map(|left| clock::shown(*left));
        let left = left.filter(|left| left.len() as u16 + 4 <= width).unwrap_or_default();
        let taken = if left.is_empty() { 0 } else { left.len() + 1 };
        let name = text::name(name, usize::from(width).saturating_sub(taken), skin);
        let seat = Seat::new(index as u8);
        let ink = skin.seat(seat);
        let style = if turn == Some(seat) { skin.last(ink) } else { ink };
        buffer.set_stringn(x, y, name, width.into(), style);
        let x = x + width - (left.len() as u16).min(width);
        buffer.set_stringn(x, y, &left, left.len(), skin.dim());
    }
}

/// The names with a dash between them; the winner's is strong.
fn names_line(line: &GameLine, skin: Skin) -> Line<'_> {
    let best = line.points.iter().max();
    let is_draw = line.points.iter().all(|points| Some(points) == best);
    let mut spans = Vec::new();
    for (seat, name) in line.players.iter().enumerate() {
        let has_won = !is_draw && line.points.get(seat) == best;
        spans.extend((seat > 0).then_some(Span::raw(" - ")));
        spans.push(Span::styled(&**name, if has_won { skin.strong() } else { skin.plain() }));
    }
    Line::from(spans)
}

/// The result, and what ended the game if not its rules: `5-4`, `1-0, crash`.
fn result(line: &GameLine) -> String {
    let is_by_rules = line.termination == Ending::Rules;
    let scores = line.scores.as_ref().filter(|_| is_by_rules);
    let result = match scores {
        Some(scores) => dashed(scores),
        None => dashed(line.points.iter().map(|points| share(*points, line.points.len()))),
    };
    if is_by_rules { result } else { format!("{result}, {}", line.termination) }
}

/// The points of a seat; half a point of two seats is `1/2`, as in records.
fn share(points: Points, seats: usize) -> String {
    if seats == 2 && points.halves == 1 { "1/2".to_owned() } else { points.to_string() }
}
