//! The games of a tournament: those that are being played, as small boards or in lines, and those that have
//! ended.

use super::place::Place;
use super::{Drawn, Pane, TournamentScreen};
use crate::action::Action;
use crate::app::table::{self, Column};
use crate::app::targets::Target;
use crate::app::{Context, scroll, text};
use crate::arena::tournament::{Ending, GameLine, Points};
use crate::board::Skin;
use crate::catalogue::Entry;
use crate::rules::Seat;
use crate::scene::Role;
use crate::session::clock;
use crate::wording::dashed;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

/// The columns and rows of a card with a board, at least and at most.
const CARD: [(u16, u16); 2] = [(18, 9), (48, 27)];
/// From so many columns on the seats of a card share a row.
const SHARED: u16 = 34;
/// The columns of names in a line, at most.
const NAMES: u16 = 48;
/// The columns and rows between two cards.
const GAP: (u16, u16) = (2, 1);

/// How cards stand in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cards {
    pub columns: u16,
    pub rows: u16,
    size: (u16, u16),
}

impl Cards {
    /// The largest cards on which all of each board is seen, for as many of these as have room; `None` where
    /// there is room for none, or for no more than a part of a board.
    pub fn of(places: &[Place], entry: &Entry, room: Rect) -> Option<Cards> {
        let mut setups: Vec<&Place> = Vec::new();
        for place in places {
            if setups.iter().all(|other| other.game.setup != place.game.setup) {
                setups.push(place);
            }
        }
        let most = Cards::for_some(places.len(), room)?;
        let seats = places.first().map_or(2, |place| place.game.players.len());
        let is_enough = |cards: &Cards| {
            let board = cards.board(seats, room).as_size();
            setups.iter().all(|place| place.has_room(entry, board))
        };
        let ways = (1..=most.count().min(places.len())).rev();
        ways.filter_map(|count| Cards::for_some(count, room)).find(is_enough)
    }

    /// The largest cards with which so many have room, or else as many as have.
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
            // A cell is twice as high as it is wide.
            let width = width.min(CARD[1].0).min((2 * height).max(least.0));
            (width, height.min(CARD[1].1).min((width / 2 + 3).max(least.1)))
        };
        let count = count.clamp(1, usize::from(most.0) * usize::from(most.1)) as u16;
        let ways = (1..=most.0).map(|columns| (columns, count.div_ceil(columns)));
        let ways = ways.filter(|(_, rows)| *rows <= most.1);
        // Of those that are equally large the one with more columns.
        let (columns, rows) = ways.max_by_key(|&(columns, rows)| size(columns, rows))?;
        Some(Cards { columns, rows, size: size(columns, rows) })
    }

    /// How many are seen at once.
    fn count(self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// How many columns so many take.
    pub fn width(self, places: usize) -> u16 {
        let columns = places.clamp(1, self.columns.into()) as u16;
        columns * (self.size.0 + GAP.0) - GAP.0
    }

    /// The room of a board on the first card.
    fn board(self, seats: usize, room: Rect) -> Rect {
        board(self.card(0, room), seats)
    }

    /// Where the n-th of those in sight stands.
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
    /// Draws the games that are being played as cards.
    pub(super) fn draw_cards(
        &self,
        cards: Cards,
        context: &Context,
        room: Rect,
        buffer: &mut Buffer,
    ) {
        let columns = usize::from(cards.columns);
        let rows = self.places.len().div_ceil(columns);
        let seen = scroll::page_round(self.place / columns, rows, cards.rows.into());
        let first = seen.start * columns;
        let all = (first..self.places.len()).take(cards.count());
        for (place, index) in (0..).zip(all) {
            let card = cards.card(place, room);
            self.draw_card(index, context, card, buffer);
            context.targets.note(card, self.target(Pane::Playing, index));
        }
        self.drawn.set(Drawn { columns, places: cards.count(), ..self.drawn.get() });
    }

    /// A card: the number of the game and how far it is, the players, the board.
    fn draw_card(&self, index: usize, context: &Context, card: Rect, buffer: &mut Buffer) {
        let skin = context.skin;
        let here = self.is_at(Pane::Playing, index);
        let place = &self.places[index];
        buffer.set_style(card, skin.style(if here { Role::Chosen } else { Role::Panel }));
        let inner = card.inner(Margin::new(1, 0));
        let head = Rect { height: 1, ..card };
        let room = usize::from(inner.width);
        let number = place.game.game.to_string();
        let state = state(place);
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
        let board = board(card, place.game.players.len());
        let turn = place.draw_board(self.view.entry, board, buffer, skin);
        let seats = Rect { y: inner.y + 1, height: board.y - inner.y - 1, ..inner };
        draw_seats(place, turn, skin, seats, buffer);
    }

    /// Draws the games that are being played in lines.
    pub(super) fn draw_playing(&self, context: &Context, room: Rect, buffer: &mut Buffer) {
        let page = usize::from(room.height);
        let seen = scroll::page_round(self.place, self.places.len(), page);
        for (y, index) in (room.y..).zip(seen) {
            let place = &self.places[index];
            let row = Rect { y, height: 1, ..room };
            let number = place.game.game.to_string();
            let names = Line::raw(place.game.players.join(" - "));
            let cells = [Line::raw(number), names, Line::raw(state(place))];
            self.draw_row(Pane::Playing, index, cells, row, context, buffer);
        }
        self.drawn.set(Drawn { columns: 1, places: page, ..self.drawn.get() });
    }

    /// Draws the games that have ended, the latest first.
    pub(super) fn draw_ended(&self, context: &Context, room: Rect, buffer: &mut Buffer) {
        let page = usize::from(room.height);
        let count = self.count();
        let seen = scroll::page_round(self.row(), count, page);
        let mut lines = self.watch.lines(count - seen.end..count - seen.start);
        lines.reverse();
        for ((y, row), line) in (room.y..).zip(seen).zip(&lines) {
            let names = names_line(line, context.skin);
            let cells = [Line::raw(line.game.to_string()), names, Line::raw(result(line))];
            let area = Rect { y, height: 1, ..room };
            self.draw_row(Pane::Ended, row, cells, area, context, buffer);
        }
        self.drawn.set(Drawn { ended: page, ..self.drawn.get() });
    }

    /// Draws a game in a line: its number, its players, how it stands.
    fn draw_row(
        &self,
        pane: Pane,
        index: usize,
        cells: [Line<'_>; 3],
        row: Rect,
        context: &Context,
        buffer: &mut Buffer,
    ) {
        let number = self.view.games.to_string().len().max(2) as u16;
        let state = if row.width < 40 { 9 } else { 20 };
        let names = row.width.saturating_sub(number + state + 2 * GAP.0).min(NAMES);
        let columns = [Column::number(number), Column::text(names), Column::text(state)];
        let [head, names, state] = cells;
        let cells = [head.style(context.skin.dim()), names, state.style(context.skin.dim())];
        table::draw_row(&columns, GAP.0, &cells, row, context.skin, buffer);
        if self.is_at(pane, index) {
            table::draw_cursor(row, context.skin, buffer);
        }
        context.targets.note(row, self.target(pane, index));
    }

    fn is_at(&self, pane: Pane, index: usize) -> bool {
        self.pane() == pane
            && match pane {
                Pane::Playing => index == self.place,
                Pane::Ended => index == self.row(),
            }
    }

    /// A click puts the cursor on a game, and opens the one that has it.
    fn target(&self, pane: Pane, index: usize) -> Target {
        let entry = match pane {
            Pane::Playing => index,
            Pane::Ended => self.places.len() + index,
        };
        Target::Entry(entry, self.is_at(pane, index).then_some(Action::Choose))
    }
}

/// How far a game is, or how it ended.
fn state(place: &Place) -> String {
    match &place.ended {
        Some(line) => result(line),
        None => format!("move {}", place.game.moves.len()),
    }
}

/// The room of the board on a card: below the number and the seats.
fn board(card: Rect, seats: usize) -> Rect {
    let inner = card.inner(Margin::new(1, 0));
    let words = if seats == 2 && card.width < SHARED { 3 } else { 2 };
    Rect { y: inner.y + words, height: inner.height.saturating_sub(words), ..inner }
}

/// The players, each in the ink of its seat, with what it has left on its clock; each in a row of its own
/// where there is more than one.
fn draw_seats(place: &Place, turn: Option<Seat>, skin: Skin, area: Rect, buffer: &mut Buffer) {
    let seats = place.game.players.len().max(1) as u16;
    let share = (area.width.saturating_sub(seats - 1) / seats).max(1);
    for (index, name) in (0..).zip(&place.game.players) {
        let (x, y, width) = match area.height {
            1 => (area.x + index * (share + 1), area.y, share),
            _ => (area.x, area.y + index, area.width),
        };
        let left = place.game.left.get(usize::from(index)).map(|left| clock::shown(*left));
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

/// The names with a line between them, that of the winner strong.
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

/// What each seat has reached, and what ended the game if not its rules: `5-4`, `1-0, crash`.
fn result(line: &GameLine) -> String {
    let is_by_rules = line.termination == Ending::Rules;
    let scores = line.scores.as_ref().filter(|_| is_by_rules);
    let result = match scores {
        Some(scores) => dashed(scores),
        None => dashed(line.points.iter().map(|points| share(*points, line.points.len()))),
    };
    if is_by_rules { result } else { format!("{result}, {}", line.termination) }
}

/// The points of a seat, those of a draw between two as records write them.
fn share(points: Points, seats: usize) -> String {
    if seats == 2 && points.halves == 1 { "1/2".to_owned() } else { points.to_string() }
}
