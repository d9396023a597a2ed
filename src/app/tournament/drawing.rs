//! How the screen of a tournament is drawn.

use super::games::Cards;
use super::progress::{self, GameRate};
use super::tables::{self, Block};
use super::{TournamentScreen, VisibleGames, standings};
use crate::app::table;
use crate::app::{Context, text};
use crate::arena::tournament::{PlayerRow, Stage};
use crate::board::Skin;
use crate::scene::Role;
use crate::tui::{draw_seen, page_round};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The most columns of the whole screen.
const WIDEST: u16 = 220;
/// From this width and height on, boards stand beside the table.
const BESIDE: (u16, u16) = (72, 14);
/// The least columns of the table beside boards.
const LEAST_LEFT: u16 = 46;
/// Names get this many columns in the table before boards get any room.
const NAME: u16 = 40;
/// The columns between the table and the boards.
const GAP: u16 = 3;
/// The least rows of the list of finished games.
const LEAST_ENDED: u16 = 3;
/// From this many rows on, there are headings and empty rows.
const AIRY: u16 = 16;

/// What stands on the first page beside the cards, from top to bottom.
struct Lists {
    standings: Rect,
    /// The sequential test, if there is one and room for it.
    test: Option<(Rect, String)>,
    /// Parts of the table that have room here.
    tables: Rect,
    blocks: Vec<Block>,
    /// The other parts, by their indices.
    others: Vec<usize>,
    /// The lists of games: the finished ones, and without cards also `playing` games.
    games: Rect,
    playing: u16,
    /// The rows between two of these.
    air: u16,
}

impl TournamentScreen {
    pub(super) fn draw_all(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        let skin = context.skin;
        let area = table::block(area, WIDEST);
        let is_airy = area.height >= AIRY;
        let air = u16::from(is_airy);
        let below = self.draw_below(skin, area, buffer);
        let top = area.y + 1 + air;
        let room = Rect { y: top, height: area.bottom().saturating_sub(below + air + top), ..area };
        let (left, cards) = self.halves(room);
        let lists = self.lists(cards.is_some(), is_airy, skin, left);
        let others = lists.others.iter().map(|&index| &self.parts[index]);
        let others = others.flat_map(|part| tables::blocks(part, room.width, skin));
        let pages = tables::pages(others.collect(), room.height);
        self.drawn.set(VisibleGames { pages: pages.len(), ..self.drawn.get() });
        let page = self.page();
        self.draw_title((page + 1, pages.len() + 1), skin, Rect { height: 1, ..area }, buffer);
        if let Some(page) = page.checked_sub(1) {
            tables::draw(&pages[page], skin, room, buffer);
            return;
        }
        if let Some((cards, beside)) = cards {
            self.draw_cards(cards, context, beside, buffer);
        }
        standings::draw(&self.table, is_airy, skin, lists.standings, buffer);
        if let Some((line, test)) = &lists.test {
            text::put((line.x, line.y), test, line.width.into(), skin.plain(), skin, buffer);
        }
        tables::draw(&lists.blocks, skin, lists.tables, buffer);
        self.draw_games(&lists, context, buffer);
    }

    /// The room of the table and the lists; and the cards of the running games with theirs, if there is room beside.
    fn halves(&self, room: Rect) -> (Rect, Option<(Cards, Rect)>) {
        if room.width < BESIDE.0 || room.height < BESIDE.1 || self.slots.is_empty() {
            return (room, None);
        }
        let width = (room.width * 9 / 20).min(standings::width(NAME)).max(LEAST_LEFT);
        let beside = |width| Rect { x: room.x + width, width: room.width - width, ..room };
        let label = self.status.games.to_string().len() + self.longest_setup;
        let beside_table = beside(width + GAP);
        let Some(cards) = Cards::of(&self.slots, self.status.entry, label, beside_table) else {
            return (room, None);
        };
        // Room that the boards leave free goes to long names.
        let wanted = standings::width(standings::longest(&self.table));
        let taken = GAP + cards.width(self.slots.len());
        let width = width.max(wanted.min(room.width - taken));
        (Rect { width, ..room }, Some((cards, beside(width + GAP))))
    }

    fn lists(&self, has_cards: bool, is_airy: bool, skin: Skin, area: Rect) -> Lists {
        let air = u16::from(area.height >= AIRY - 4);
        let playing = if has_cards { 0 } else { self.slots.len() as u16 };
        let least = LEAST_ENDED - 1 + 3 * air + playing.min(2 + air);
        let height = area.height.saturating_sub(least).max(3.min(area.height));
        let height = standings::height(&self.table, is_airy, Rect { height, ..area });
        let standings = Rect { height, ..area };
        let mut y = standings.bottom();
        let test = self.status.test.as_ref().filter(|_| y + 2 < area.bottom()).map(|test| {
            let line = Rect { y: y + air, height: 1, ..area };
            y += 1 + air;
            (line, format!("sequential test: {test}"))
        });
        // A third of the room stays for the games.
        let end = area.bottom().saturating_sub(least.max(area.height / 3));
        let top = y + 1;
        let (mut blocks, mut others) = (Vec::new(), Vec::new());
        for (index, part) in self.parts.iter().enumerate() {
            if index == 0 && standings::is_whole(&self.table, is_airy, standings) {
                continue;
            }
            let mut part = tables::blocks(part, area.width, skin);
            let has_room = |block: &Block| air > 0 && y + 1 + block.height() <= end;
            // The players are there already, with fewer columns.
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

    /// Draws the lists of games.
    fn draw_games(&self, lists: &Lists, context: &Context, buffer: &mut Buffer) {
        let (skin, air, playing) = (context.skin, lists.air, lists.playing);
        let mut rest = lists.games;
        if playing > 0 {
            let ended = (self.count() as u16).min(LEAST_ENDED - 1 + air);
            let heading = draw_heading("being played", air, skin, rest, buffer);
            let rows = playing.min(rest.height.saturating_sub(heading + ended + 2 * air));
            let list = Rect { y: rest.y + heading, height: rows, ..rest };
            self.draw_running(context, list, buffer);
            let taken = heading + rows + air;
            rest = Rect { y: rest.y + taken, height: rest.height.saturating_sub(taken), ..rest };
        }
        if self.count() > 0 && rest.height > air {
            let heading = draw_heading("finished, the latest first", air, skin, rest, buffer);
            let list = Rect { y: rest.y + heading, height: rest.height - heading, ..rest };
            let page = usize::from(list.height);
            let seen = page_round(self.finished.at(), self.count(), page);
            if heading > 0 {
                draw_seen(&seen, self.count(), skin, rest, buffer);
            }
            self.draw_finished(context, list, buffer);
        }
    }

    /// Draws the name of the game, whether the tournament has ended, and which page this is.
    fn draw_title(
        &self,
        (page, pages): (usize, usize),
        skin: Skin,
        line: Rect,
        buffer: &mut Buffer,
    ) {
        let title = format!("{}, tournament", self.status.entry.name);
        let room = |x: u16| usize::from(line.right().saturating_sub(x));
        let (x, y) = text::put((line.x, line.y), &title, room(line.x), skin.strong(), skin, buffer);
        let (state, style) = match self.status.stage {
            Stage::Running => ("", skin.plain()),
            Stage::Over => ("finished", skin.style(Role::Good)),
            Stage::Failed(_) => ("stopped", skin.wrong()),
        };
        let (x, y) = text::put((x + 2, y), state, room(x + 2), style, skin, buffer);
        let texts = [format!("page {page} of {pages}"), format!("{page}/{pages}")];
        if let Some(text) = texts.iter().find(|text| pages > 1 && text.len() <= room(x)) {
            let at = (line.right() - text.len() as u16, y);
            text::put(at, text, text.len(), skin.dim(), skin, buffer);
        }
    }

    /// Draws the last rows: the progress or the outcome, and a message. Returns how many rows that took.
    fn draw_below(&self, skin: Skin, area: Rect, buffer: &mut Buffer) -> u16 {
        let width = usize::from(area.width);
        let most = usize::from(area.height / 3).clamp(1, 4);
        let mut rows: Vec<(String, Style)> = Vec::new();
        let mut tell = |text: &str, style| {
            rows.extend(text::wrap(text, width, most, skin).into_iter().map(|row| (row, style)));
        };
        match (&self.message, &self.status.stage) {
            (Some(message), _) => tell(&format!("! {message}"), skin.wrong()),
            (None, Stage::Failed(why)) => tell(
                &format!(
                    "! Stopped: {why}. What was played is kept, and the same command resumes it."
                ),
                skin.wrong(),
            ),
            (None, _) => {}
        }
        let is_over = self.status.stage == Stage::Over;
        if is_over {
            tell(&self.verdict(), skin.strong());
        }
        let height = rows.len() as u16 + u16::from(!is_over);
        let top = area.bottom() - height;
        for (y, (row, style)) in (top..).zip(&rows) {
            buffer.set_stringn(area.x, y, row, width, *style);
        }
        if !is_over {
            let last = Rect { y: area.bottom() - 1, height: 1, ..area };
            // A tournament that has stopped has no speed.
            let runs = self.status.stage == Stage::Running;
            let rate = if runs { self.rate } else { GameRate::default() };
            progress::draw(&self.status, rate, skin, last, buffer);
        }
        height
    }

    /// The outcome of the tournament, in a sentence or two.
    fn verdict(&self) -> String {
        let (played, games) = (self.status.played, self.status.games);
        let all = if played >= games {
            format!("All {games} games are played.")
        } else {
            format!("Decided after {played} of {games} games.")
        };
        let Some(best) = self.table.rows.first().filter(|row| row.games > 0) else { return all };
        let standing = |row: &PlayerRow| (row.elo, row.points, row.games);
        let is_best = |row: &&PlayerRow| standing(row) == standing(best);
        let PlayerRow { name, points, games, .. } = best;
        match self.table.rows.iter().filter(is_best).count() {
            1 => format!("{all} {name} is first with {points} points of {games} games."),
            many => {
                format!("{all} The first {many} are equal, with {points} points of {games} games.")
            }
        }
    }
}

/// Draws the heading of a list if there is room. Returns how many rows it took.
fn draw_heading(heading: &str, rows: u16, skin: Skin, area: Rect, buffer: &mut Buffer) -> u16 {
    if rows > 0 && area.height > rows {
        text::put((area.x, area.y), heading, area.width.into(), skin.dim(), skin, buffer);
        return rows;
    }
    0
}
