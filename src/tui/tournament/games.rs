//! The games of a tournament: running games as small boards or lines, and finished games.

use super::standings;
use crate::action::Action;
use crate::tui::table::{self, Column};
use crate::tui::targets::Target;
use crate::tui::{Canvas, page_round, text};
use crate::view::{GameList, RunningGame, TournamentGame, TournamentView};
use quadrille_rules::Seat;
use quadrille_scene::{Role, Scene, Skin, cells};
use ratatui::layout::{Margin, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use std::ops::Range;
use std::rc::Rc;

/// The minimum and maximum size of a card with a board, in columns and rows.
const CARD: [(u16, u16); 2] = [(18, 9), (100, 56)];
/// The minimum width of a card with both seats on one row.
const SHARED: u16 = 34;
/// The maximum width for names on a line, unless the longest name needs more.
const NAMES: u16 = 48;
/// The columns used by the state of a running game and the gaps in the first row of a card.
const STATE: usize = 14;
/// The minimum width of a truncated setup, in columns.
const MIN_SETUP_WIDTH: usize = 12;
const GAP: (u16, u16) = (2, 1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cards {
    pub columns: u16,
    pub rows: u16,
    size: (u16, u16),
    /// Whether the setup has its own row. Otherwise, it follows the game number if there is space.
    has_setup_row: bool,
}

impl Cards {
    /// Lays out cards for as many games as possible with their boards shown whole, as large as possible. Returns `None`
    /// if not even one board fits. The setup gets its own row if it needs one and all boards still fit. `label` is the
    /// width of the longest game number with its setup; using the longest keeps the row from appearing and
    /// disappearing.
    pub fn of(games: &[RunningGame], label: usize, room: Rect) -> Option<Cards> {
        let mut setups: Vec<&RunningGame> = Vec::new();
        for game in games {
            if setups.iter().all(|other| other.game.setup != game.game.setup) {
                setups.push(game);
            }
        }
        let most = Cards::for_some(games.len(), room)?;
        let seats = games.first().map_or(2, |game| game.game.players.len());
        let is_enough = |cards: &Cards| {
            let room = cards.board(seats, room).as_size();
            let fits = |scene: &Rc<Scene>| cells::has_room(&scene.ground, room);
            setups.iter().all(|game| game.board.as_ref().is_none_or(fits))
        };
        let laid_out = |has_setup_row: bool| {
            let ways = (1..=most.count().min(games.len())).rev();
            let ways = ways.filter_map(|count| Cards::for_some(count, room));
            ways.map(|cards| Cards { has_setup_row, ..cards }).find(is_enough)
        };
        let cards = laid_out(false)?;
        let is_long = label + STATE > cards.size.0.into();
        let with_row = laid_out(true).filter(|with| is_long && with.count() >= cards.count());
        with_row.or(Some(cards))
    }

    /// Returns the largest cards with space for `count` of them; otherwise, as many of the smallest cards as fit.
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
            // A cell is about twice as high as it is wide.
            let width = width.min(CARD[1].0).min((2 * height).max(least.0));
            (width, height.min(CARD[1].1).min((width / 2 + 3).max(least.1)))
        };
        let count = count.clamp(1, usize::from(most.0) * usize::from(most.1)) as u16;
        let ways = (1..=most.0).map(|columns| (columns, count.div_ceil(columns)));
        let ways = ways.filter(|(_, rows)| *rows <= most.1);
        // Among layouts with equally large cards, the one with the most columns.
        let (columns, rows) = ways.max_by_key(|&(columns, rows)| size(columns, rows))?;
        Some(Cards { columns, rows, size: size(columns, rows), has_setup_row: false })
    }

    fn count(self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    pub fn width(self, places: usize) -> u16 {
        let columns = places.clamp(1, self.columns.into()) as u16;
        columns * (self.size.0 + GAP.0) - GAP.0
    }

    fn board(self, seats: usize, room: Rect) -> Rect {
        self.board_on(self.card(0, room), seats)
    }

    /// Returns the area of the board on a card: below the number, the setup and the seats.
    fn board_on(self, card: Rect, seats: usize) -> Rect {
        let inner = card.inner(Margin::new(1, 0));
        let rows = if seats == 2 && card.width < SHARED { 3 } else { 2 };
        let rows = rows + u16::from(self.has_setup_row);
        Rect { y: inner.y + rows, height: inner.height.saturating_sub(rows), ..inner }
    }

    /// Returns the area of the visible card with this index.
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

/// The boards of the running games, as cards. On a large screen, the selected board is drawn large above the cards.
pub(super) struct Boards {
    pub large: Option<Rect>,
    pub cards: Cards,
    pub room: Rect,
}

impl Boards {
    /// Lays out the boards. Returns `None` if not even one fits. The large board leaves space for one row of cards, as
    /// low as possible, unless a single card takes the whole space. `label` is as in [`Cards::of`].
    pub fn of(games: &[RunningGame], label: usize, is_large: bool, room: Rect) -> Option<Boards> {
        let below = |height: u16| {
            let rest = room.height - height - GAP.1;
            let large = Rect { height: rest, width: room.width.min(2 * rest), ..room };
            let room = Rect { y: large.bottom() + GAP.1, height, ..room };
            Some(Boards { large: Some(large), cards: Cards::of(games, label, room)?, room })
        };
        let heights = CARD[0].1..=room.height / 2;
        let large = heights.filter(|_| is_large && games.len() > 1).find_map(below);
        let all = || Some(Boards { large: None, cards: Cards::of(games, label, room)?, room });
        large.or_else(all)
    }

    pub fn width(&self, places: usize) -> u16 {
        self.cards.width(places).max(self.large.map_or(0, |large| large.width))
    }
}

pub(super) fn draw_boards(view: &TournamentView, boards: &Boards, canvas: &mut Canvas) {
    let Boards { large, cards, room } = *boards;
    if let (Some(area), Some(game)) = (large, view.running.get(view.running_at)) {
        let card = Cards { columns: 1, rows: 1, size: (area.width, area.height), ..cards };
        draw_card(game, false, card, area, canvas);
    }
    let columns = usize::from(cards.columns);
    let rows = view.running.len().div_ceil(columns);
    let seen = page_round(view.running_at / columns, rows, cards.rows.into());
    let all = view.running.iter().enumerate().skip(seen.start * columns).take(cards.count());
    for (place, (index, game)) in (0..).zip(all) {
        let card = cards.card(place, room);
        let here = view.is_at(GameList::Running, index);
        draw_card(game, here, cards, card, canvas);
        canvas.targets.note(card, Target::Entry(index, here.then_some(Action::Choose)));
    }
    note_sight(view, GameList::Running, cards.count(), columns, canvas);
}

/// Draws a card: the number of the game, its setup and state, the players, and the board.
fn draw_card(running: &RunningGame, here: bool, cards: Cards, card: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    let game = &running.game;
    canvas.buffer.set_style(card, skin.style(if here { Role::Chosen } else { Role::Panel }));
    let inner = card.inner(Margin::new(1, 0));
    let head = Rect { height: 1, ..card };
    let (strong, dim) = if here {
        canvas.buffer.set_style(head, skin.cursor());
        (skin.cursor().add_modifier(Modifier::BOLD), skin.cursor())
    } else {
        (skin.strong(), skin.dim())
    };
    let y = head.y;
    let x = canvas.put((inner.x, y), &game.number.to_string(), inner.width.into(), strong);
    let room = inner.right().saturating_sub(x + 1);
    let width = (text::width(&game.state) as u16).min(room);
    canvas.put((inner.right() - width, y), &game.state, width.into(), dim);
    let mut seats_y = inner.y + 1;
    if cards.has_setup_row {
        canvas.put((inner.x, seats_y), &game.setup, inner.width.into(), skin.dim());
        seats_y += 1;
    } else {
        let room = usize::from((inner.right() - width).saturating_sub(x + 4));
        if room >= MIN_SETUP_WIDTH || room >= text::width(&game.setup) {
            canvas.put((x + 2, y), &game.setup, room, dim);
        }
    }
    let board = cards.board_on(card, game.players.len());
    if let Some(scene) = &running.board {
        canvas.draw_picture(scene, board);
    }
    let seats = Rect { y: seats_y, height: board.y - seats_y, ..inner };
    draw_seats(running, seats, canvas);
}

/// Draws the players in their colors with their clocks, side by side or on separate rows.
fn draw_seats(running: &RunningGame, area: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    let seats = running.game.players.len().max(1) as u16;
    let share = (area.width.saturating_sub(seats - 1) / seats).max(1);
    for (index, name) in (0..).zip(&running.game.players) {
        let (x, y, width) = match area.height {
            1 => (area.x + index * (share + 1), area.y, share),
            _ => (area.x, area.y + index, area.width),
        };
        let left = running.clocks.get(usize::from(index)).map_or("", String::as_str);
        let left = if left.len() as u16 + 4 <= width { left } else { "" };
        let taken = if left.is_empty() { 0 } else { left.len() + 1 };
        let name = text::name(name, usize::from(width).saturating_sub(taken), skin);
        let seat = Seat::new(index as u8);
        let ink = skin.seat(seat);
        let style = if running.to_move == Some(seat) { skin.last(ink) } else { ink };
        canvas.buffer.set_stringn(x, y, name, width.into(), style);
        let x = x + width - (left.len() as u16).min(width);
        canvas.buffer.set_stringn(x, y, left, left.len(), skin.dim());
    }
}

pub(super) fn draw_list(
    view: &TournamentView,
    list: GameList,
    seen: Range<usize>,
    room: Rect,
    canvas: &mut Canvas,
) {
    for (y, index) in (room.y..).zip(seen) {
        let row = Rect { y, height: 1, ..room };
        match list {
            GameList::Running => draw_row(view, &view.running[index].game, row, canvas),
            GameList::Finished => {
                if let Some(line) = view.finished.iter().rev().nth(index) {
                    draw_row(view, &TournamentGame::finished(line), row, canvas);
                }
            }
        }
        let before = if list == GameList::Finished { view.running.len() } else { 0 };
        canvas.mark_row(before + index, view.is_at(list, index), row);
    }
    note_sight(view, list, room.height.into(), 1, canvas);
}

/// Draws a game as a line: its number, players, state and, if there is space, setup.
fn draw_row(view: &TournamentView, game: &TournamentGame, row: Rect, canvas: &mut Canvas) {
    let number = view.games.to_string().len().max(2) as u16;
    let state = if row.width < 40 { 9 } else { 20 };
    let seats = view.running.first().map_or(2, |running| running.game.players.len()) as u16;
    let longest = standings::longest(view.table).saturating_add(3).saturating_mul(seats);
    let names = row.width.saturating_sub(number + state + 2 * GAP.0).min(NAMES.max(longest));
    let has_setup = !game.setup.is_empty();
    // Names leave space for the setup but are not truncated to make space.
    let names = if has_setup { names.min(longest) } else { names };
    let setup = row.width.saturating_sub(number + names + state + 3 * GAP.0);
    let setup = if has_setup && setup >= MIN_SETUP_WIDTH as u16 { setup } else { 0 };
    let columns =
        [Column::number(number), Column::text(names), Column::text(state), Column::text(setup)];
    let skin = canvas.skin;
    let dim = |text: String| Line::styled(text, skin.dim());
    let head = dim(game.number.to_string());
    let cells = [head, names_line(game, skin), dim(game.state.clone()), dim(game.setup.clone())];
    table::draw_row(&columns, GAP.0, &cells, row, skin, canvas.buffer);
}

/// Records how many games are visible in the list that has the cursor, and in how many columns the running games are
/// arranged.
fn note_sight(view: &TournamentView, list: GameList, page: usize, columns: usize, canvas: &Canvas) {
    if view.list == list {
        canvas.feedback.page.set(page);
    }
    if list == GameList::Running {
        canvas.feedback.columns.set(columns);
    }
}

/// Returns the names separated by a dash, with the winner's name emphasized.
fn names_line(game: &TournamentGame, skin: Skin) -> Line<'_> {
    if game.has_won.is_empty() {
        return Line::raw(game.players.join(" - "));
    }
    let mut spans = Vec::new();
    for (index, (name, has_won)) in game.players.iter().zip(&game.has_won).enumerate() {
        spans.extend((index > 0).then_some(Span::raw(" - ")));
        spans.push(Span::styled(&**name, if *has_won { skin.strong() } else { skin.plain() }));
    }
    Line::from(spans)
}
