//! Draws a tournament: the table, running games as small boards or lines, finished games, and the remaining time. Parts
//! that do not fit below the players go on additional pages, and wide tables are split.

mod games;
mod progress;
mod standings;
mod tables;

use super::{Canvas, cut, draw_seen, page_round, table, text};
use crate::view::{GameList, TournamentView};
use games::Boards;
use quadrille_scene::Skin;
use ratatui::layout::Rect;
use ratatui::style::Style;
use tables::Block;

const MAX_WIDTH: u16 = 220;
/// The minimum area width and height for boards beside the table.
const MIN_SIZE_FOR_BOARDS: (u16, u16) = (72, 14);
/// The minimum screen size for a large board of the selected game.
const MIN_SIZE_FOR_LARGE_BOARD: (u16, u16) = (120, 39);
/// The minimum width of the table beside boards, in columns.
const MIN_TABLE_WIDTH: u16 = 46;
/// The columns reserved for names in the table before the boards get any space.
const NAME: u16 = 40;
const GAP: u16 = 3;
const MIN_ENDED_GAMES: u16 = 3;
/// The minimum height for headings and empty rows.
const MIN_HEIGHT_FOR_GAPS: u16 = 16;

/// The parts of the first page other than the cards, from top to bottom.
struct Lists {
    standings: Rect,
    test: Option<Rect>,
    tables: Rect,
    blocks: Vec<Block>,
    /// The indices of the other table parts.
    others: Vec<usize>,
    /// The lists of games: finished games and, if there are no cards, also `playing` games.
    games: Rect,
    playing: u16,
    /// The number of empty rows between these parts.
    air: u16,
}

pub fn draw(view: &TournamentView, area: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    let is_large =
        area.width >= MIN_SIZE_FOR_LARGE_BOARD.0 && area.height >= MIN_SIZE_FOR_LARGE_BOARD.1;
    let area = table::block(area, MAX_WIDTH);
    let is_airy = area.height >= MIN_HEIGHT_FOR_GAPS;
    let air = u16::from(is_airy);
    let below = draw_below(view, area, canvas);
    let top = area.y + 1 + air;
    let room = Rect { y: top, height: area.bottom().saturating_sub(below + air + top), ..area };
    let (left, boards) = halves(view, room, is_large);
    let lists = lists(view, boards.is_some(), is_airy, skin, left);
    let others = lists.others.iter().map(|&index| &view.parts[index]);
    let others = others.flat_map(|part| tables::blocks(part, room.width, skin));
    let pages = tables::pages(others.collect(), room.height);
    canvas.feedback.pages.set(pages.len());
    let page = view.page.min(pages.len());
    draw_title(view, (page + 1, pages.len() + 1), area, canvas);
    if let Some(page) = page.checked_sub(1) {
        tables::draw(&pages[page], room, canvas);
        return;
    }
    if let Some(boards) = boards {
        games::draw_boards(view, &boards, canvas);
    }
    standings::draw(view.table, is_airy, lists.standings, canvas);
    if let (Some(line), Some(test)) = (lists.test, &view.test) {
        canvas.row(line).put(test, skin.plain());
    }
    tables::draw(&lists.blocks, lists.tables, canvas);
    draw_games(view, &lists, canvas);
}

/// Returns the area of the table and the lists and, if they fit beside it, the boards of the running games.
fn halves(view: &TournamentView, room: Rect, is_large: bool) -> (Rect, Option<Boards>) {
    if room.width < MIN_SIZE_FOR_BOARDS.0
        || room.height < MIN_SIZE_FOR_BOARDS.1
        || view.running.is_empty()
    {
        return (room, None);
    }
    let width = (room.width * 9 / 20).min(standings::width(NAME)).max(MIN_TABLE_WIDTH);
    let beside = |width| Rect { x: room.x + width, width: room.width - width, ..room };
    let label = view.games.to_string().len() + text::width(view.longest_setup);
    let boards = |width| Boards::of(&view.running, label, is_large, beside(width + GAP));
    let Some(found) = boards(width) else { return (room, None) };
    // Space that the boards do not need goes to long names.
    let needed = standings::width(standings::longest(view.table));
    let taken = GAP + found.width(view.running.len());
    let width = width.max(needed.min(room.width - taken));
    (Rect { width, ..room }, boards(width))
}

fn lists(view: &TournamentView, has_cards: bool, is_airy: bool, skin: Skin, area: Rect) -> Lists {
    let air = u16::from(area.height >= MIN_HEIGHT_FOR_GAPS - 4);
    let playing = if has_cards { 0 } else { view.running.len() as u16 };
    let least = MIN_ENDED_GAMES - 1 + 3 * air + playing.min(2 + air);
    let height = area.height.saturating_sub(least).max(3.min(area.height));
    let height = standings::height(view.table, is_airy, Rect { height, ..area });
    let standings = Rect { height, ..area };
    let mut y = standings.bottom();
    let test = view.test.as_ref().filter(|_| y + 2 < area.bottom()).map(|_| {
        y += 1 + air;
        Rect { y: y - 1, height: 1, ..area }
    });
    // A third of the space is reserved for the games.
    let end = area.bottom().saturating_sub(least.max(area.height / 3));
    let top = y + 1;
    let (mut blocks, mut others) = (Vec::new(), Vec::new());
    for (index, part) in view.parts.iter().enumerate() {
        if index == 0 && standings::is_whole(view.table, is_airy, standings) {
            continue;
        }
        let mut part = tables::blocks(part, area.width, skin);
        let has_room = |block: &Block| air > 0 && y + 1 + block.height() <= end;
        // The players are already shown, in fewer columns.
        match part.pop().filter(|block| index > 0 && part.is_empty() && has_room(block)) {
            Some(block) => {
                y += 1 + block.height();
                blocks.push(block);
            }
            None => others.push(index),
        }
    }
    let tables = Rect { y: top, height: (y + 1).saturating_sub(top), ..area };
    y += air;
    let games = Rect { y, height: area.bottom().saturating_sub(y), ..area };
    Lists { standings, test, tables, blocks, others, games, playing, air }
}

fn draw_games(view: &TournamentView, lists: &Lists, canvas: &mut Canvas) {
    let (air, playing) = (lists.air, lists.playing);
    let mut rest = lists.games;
    if playing > 0 {
        let ended = (view.finished.len() as u16).min(MIN_ENDED_GAMES - 1 + air);
        let heading = draw_heading("being played", air, rest, canvas);
        let rows = playing.min(rest.height.saturating_sub(heading + ended + 2 * air));
        let list = Rect { y: rest.y + heading, height: rows, ..rest };
        let seen = page_round(view.running_at, view.running.len(), rows.into());
        games::draw_list(view, GameList::Running, seen, list, canvas);
        cut(&mut rest, heading + rows + air);
    }
    if !view.finished.is_empty() && rest.height > air {
        let heading = draw_heading("finished, newest first", air, rest, canvas);
        let list = Rect { y: rest.y + heading, height: rest.height - heading, ..rest };
        let seen = page_round(view.finished_at, view.finished.len(), list.height.into());
        if heading > 0 {
            draw_seen(&seen, view.finished.len(), canvas.skin, rest, canvas.buffer);
        }
        games::draw_list(view, GameList::Finished, seen, list, canvas);
    }
}

/// Draws the title, the state of the tournament, and the page number.
fn draw_title(
    view: &TournamentView,
    (page, pages): (usize, usize),
    area: Rect,
    canvas: &mut Canvas,
) {
    let skin = canvas.skin;
    let (state, role) = view.state;
    let row = canvas.row(area).put(&view.title, skin.strong()).skip(2);
    let room = row.put(state, skin.style(role)).room();
    let texts = [format!("page {page} of {pages}"), format!("{page}/{pages}")];
    if let Some(text) = texts.iter().find(|text| pages > 1 && text.len() <= room) {
        let at = (area.right() - text.len() as u16, area.y);
        canvas.put(at, text, text.len(), skin.dim());
    }
}

/// Draws the notes and the progress in the last rows. Returns the height used.
fn draw_below(view: &TournamentView, area: Rect, canvas: &mut Canvas) -> u16 {
    let width = usize::from(area.width);
    let most = usize::from(area.height / 3).clamp(1, 4);
    let mut rows: Vec<(String, Style)> = Vec::new();
    for note in &view.notes {
        let style = canvas.style(note.tone);
        let note = text::wrap(&note.marked(), width, most, canvas.skin);
        rows.extend(note.into_iter().map(|row| (row, style)));
    }
    let height = rows.len() as u16 + u16::from(view.pace.is_some());
    let top = area.bottom() - height;
    for (y, (row, style)) in (top..).zip(&rows) {
        canvas.buffer.set_stringn(area.x, y, row, width, *style);
    }
    if let Some(pace) = &view.pace {
        let last = Rect { y: area.bottom() - 1, height: 1, ..area };
        progress::draw(view, pace, last, canvas);
    }
    height
}

/// Draws the heading of a list if there is space. Returns the height used.
fn draw_heading(heading: &str, rows: u16, area: Rect, canvas: &mut Canvas) -> u16 {
    if rows > 0 && area.height > rows {
        let style = canvas.skin.dim();
        canvas.row(area).put(heading, style);
        return rows;
    }
    0
}
