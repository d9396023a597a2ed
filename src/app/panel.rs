//! How a match is drawn: its title, the board, and the panel with seats and moves.

pub(super) mod bar;
mod digits;
mod move_list;
mod result_card;
mod score_cards;

use super::board_input::{BoardInput, Message, StatusLine};
use super::open_match::MatchView;
use super::review::Review;
use super::series::Series;
use super::targets::{Target, Targets};
use super::text_field::TextField;
use super::{Context, text};
use crate::board::{AnyBoard, Skin};
use crate::rules::{Outcome, Seat};
use crate::scene::{Role, SeatRole};
use crate::words::{Caption, CaptionBar};
use move_list::MoveList;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Clear, Widget};
use result_card::ResultCard;

/// From this width on there is a panel beside the board.
pub(super) const PANEL_FROM: u16 = 60;
/// From this width on, board and panel stand together in the middle.
const MIDDLE_FROM: u16 = 100;
/// From this height on, there is an empty row between the parts.
const AIRY_FROM: u16 = 16;
/// From this height on, board and panel also stand in the middle vertically.
const MIDDLE_FROM_HEIGHT: u16 = 40;
/// The least rows of board and panel there.
const BLOCK: u16 = 34;
/// The empty columns at the left and the right of all lines.
pub(super) const MARGIN: u16 = 2;
/// The most columns of a name where all seats share a line.
const NAME: u16 = 14;
/// The rows of a message that may cover a part of the board.
pub(super) const OVER_BOARD: u16 = 3;
/// The rows kept for what an engine says, with its heading.
const ENGINE: u16 = 5;
/// The word for a match that is only looked at.
const REPLAY: &str = "replay";
/// The rows that the score cards leave free for what stands below them.
const BELOW_CARDS: u16 = 9;

/// What the panel shows besides the match.
#[derive(Clone, Copy, Default)]
pub(super) struct PanelContent<'a> {
    /// In a replay, all moves of the line, and how many of them led to the shown position. `None` lists the
    /// moves played.
    pub line: Option<(&'a [(Seat, String)], usize)>,
    /// The review of the line.
    pub review: Option<&'a Review>,
    /// What engines say, at most two rows each; may be empty. `None` keeps no room for that.
    pub engine: Option<&'a [String]>,
    /// What stands over it in place of the word engine.
    pub engine_heading: Option<&'static str>,
    /// What the notes over the board say, if they are shown.
    pub notes: Option<&'a [String]>,
    /// Where to note that moves can be clicked; `None` if they cannot.
    pub targets: Option<&'a Targets>,
    /// The title, in place of the name of the game.
    pub title: Option<&'a str>,
    /// Paragraphs in place of the list of moves.
    pub text: Option<&'a [Paragraph]>,
}

/// A text beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Paragraph {
    /// What stands over it, dim; may be empty.
    heading: String,
    text: String,
}

impl Paragraph {
    pub fn new(heading: impl Into<String>, text: String) -> Paragraph {
        Paragraph { heading: heading.into(), text }
    }

    /// Its rows, the heading first.
    fn rows(&self, width: u16, skin: Skin) -> Vec<(String, Style)> {
        let heading = (!self.heading.is_empty()).then(|| (self.heading.clone(), skin.dim()));
        let text = text::wrap(&self.text, width.into(), PARAGRAPH, skin);
        heading.into_iter().chain(text.into_iter().map(|row| (row, skin.plain()))).collect()
    }
}

/// The most rows of a paragraph.
const PARAGRAPH: usize = 8;

/// Where the parts of a match stand on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MatchLayout {
    pub title: Rect,
    pub board: Rect,
    /// The panel, where there is room for one.
    pub panel: Option<Rect>,
    pub status: Rect,
    /// Whether there is a frame in the cells round the board.
    pub has_frame: bool,
}

impl MatchLayout {
    /// The same with a frame round the board, where there is an empty row above it and a panel beside it.
    pub fn with_frame(self) -> MatchLayout {
        let mut places = self;
        places.has_frame = self.panel.is_some() && self.board.y > self.title.bottom();
        // The left margin stays free.
        if places.has_frame && self.board.x == self.title.x && self.board.x <= MARGIN {
            places.board.x += 1;
            places.board.width -= 1;
        }
        places
    }

    /// How many rows a message in the status line has: its own and the free ones right above it, and if it
    /// `may_cover` the board, some more.
    pub fn message_rows(&self, board: &dyn AnyBoard, may_cover: bool) -> u16 {
        let between = self.status.y.saturating_sub(self.board.bottom());
        let room = self.board.as_size();
        let spare = match self.panel {
            // The board stands in the middle of its room.
            None => room.height.saturating_sub(board.size(room).height).div_ceil(2),
            Some(_) => 0,
        };
        let free = 1 + between + spare;
        if may_cover { free.max(OVER_BOARD) } else { free }
    }

    /// Lays the parts out in an area. `beneath` rows below the board stay free for the caller.
    pub fn of(board: &dyn AnyBoard, beneath: u16, area: Rect) -> MatchLayout {
        let title = Rect { height: 1, ..area };
        let status = Rect { y: area.bottom().saturating_sub(1), ..title };
        let inner =
            Rect { x: area.x + MARGIN, width: area.width.saturating_sub(2 * MARGIN), ..area };
        // The title stands above, the status line below.
        let narrow =
            Rect { y: area.y + 1, height: area.height.saturating_sub(2 + beneath), ..inner };
        if area.width < PANEL_FROM {
            let [title, status] = [title, status].map(|line| line.intersection(inner));
            return MatchLayout { title, board: narrow, panel: None, status, has_frame: false };
        }
        let panel_width = match area.width {
            160.. => 44,
            72.. => 32,
            _ => 26,
        };
        let is_in_middle = area.width >= MIDDLE_FROM;
        let gap = if is_in_middle { 6 } else { 2 };
        // An empty row above the status line, and if there is room, one below the title.
        let air = u16::from(area.height >= AIRY_FROM);
        let room =
            Rect { y: narrow.y + air, height: narrow.height.saturating_sub(1 + air), ..narrow };
        let board_room = Size { width: inner.width - gap - panel_width, height: room.height };
        let used = board.size(board_room);
        let width = if is_in_middle { used.width.min(board_room.width) } else { board_room.width };
        let block = width + gap + panel_width;
        let x = if is_in_middle { area.x + (area.width - block) / 2 } else { inner.x };
        // On a high screen all stands in the middle, with the status line right below.
        let block_height = used.height.max(BLOCK);
        let (down, height) = match room.height.checked_sub(block_height) {
            Some(spare) if area.height >= MIDDLE_FROM_HEIGHT => (spare / 2, block_height),
            _ => (0, room.height),
        };
        let y = room.y + down;
        let status = match down {
            0 => status,
            _ => Rect { y: y + height + 1 + beneath, ..status },
        };
        let line = |line: Rect| Rect { x, width: inner.right() - x, ..line };
        MatchLayout {
            title: Rect { y: area.y + down, ..line(title) },
            board: Rect { x, y, width, height },
            panel: Some(Rect { x: x + width + gap, y, width: panel_width, height }),
            status: line(status),
            has_frame: false,
        }
    }
}

/// Where the footer stands: under the status line, with the same margin.
pub(super) const fn footer_under(status: Rect, footer: Rect) -> Rect {
    let x = status.x.saturating_sub(MARGIN);
    Rect { x, y: status.y + 1, width: footer.x + footer.width - x, ..footer }
}

/// Draws the status line: what is typed, or the longest form of `status` that fits. Returns where the cursor is if a text
/// is typed.
pub(super) fn draw_status(
    input: &BoardInput,
    status: &StatusLine,
    board: &dyn AnyBoard,
    places: MatchLayout,
    context: &Context,
    buffer: &mut Buffer,
) -> Option<Position> {
    let (area, skin) = (places.status, context.skin);
    if let Some(field) = input.text_field() {
        return Some(draw_typing(field, input.message(), context, area, buffer));
    }
    let rows = places.message_rows(board, status.is_brief);
    let forms = || std::iter::once(&status.text).chain(&status.shorter);
    let text = forms().find(|text| text::fits(text, area.width.into(), rows));
    let text = text.or(forms().last())?;
    let (mut x, y) = draw_message(text, rows, skin.style(status.role), area, context, buffer);
    let more = status.more.iter().filter(|more| *more != text && places.panel.is_none());
    for words in more {
        let room = area.right().saturating_sub(x + 2) as usize;
        if text::width(words) <= room {
            (x, _) = text::put((x + 2, y), words, room, skin.dim(), skin, buffer);
        }
    }
    None
}

/// Draws a message of at most this many rows, the last of them in `line`. A click on one of several rows does not reach
/// what lies beneath. Returns the position behind it.
pub(super) fn draw_message(
    message: &str,
    rows: u16,
    style: Style,
    line: Rect,
    context: &Context,
    buffer: &mut Buffer,
) -> (u16, u16) {
    let (room, skin) = (usize::from(line.width), context.skin);
    if text::width(message) <= room || rows < 2 {
        return text::put((line.x, line.y), message, room, style, skin, buffer);
    }
    let wrapped = text::wrap(message, room, rows.into(), skin);
    let height = wrapped.len() as u16;
    let area = Rect { y: (line.y + 1).saturating_sub(height), height, ..line };
    let area = area.intersection(buffer.area);
    Clear.render(area, buffer);
    buffer.set_style(area, skin.paper());
    context.targets.note(area, Target::Message);
    let drawn = area.rows().zip(&wrapped);
    drawn.fold((line.x, line.y), |_, (row, words)| {
        buffer.set_stringn(row.x, row.y, words, room, style)
    })
}

/// Draws a move being typed in the status line, and why it was refused: behind it if there is room, or else above it.
/// Returns where the cursor is.
fn draw_typing(
    field: &TextField,
    message: Option<&Message>,
    context: &Context,
    area: Rect,
    buffer: &mut Buffer,
) -> Position {
    let skin = context.skin;
    let wanted = (area.width / 3).max(16).min(area.width);
    buffer.set_string(area.x, area.y, ":", skin.strong());
    let input = Rect { x: area.x + 1, width: wanted - 1, ..area };
    let cursor = field.draw(input, skin.plain(), buffer);
    let Some(Message::Refusal(refused)) = message else { return cursor };
    let x = area.x + wanted + 1;
    let behind = Rect { x, width: area.right().saturating_sub(x), ..area };
    let above = Rect { y: area.y.saturating_sub(1), ..area };
    let fits = text::fits(refused, behind.width.into(), 1);
    let (line, rows) = if fits { (behind, 1) } else { (above, OVER_BOARD) };
    draw_message(refused, rows, skin.wrong(), line, context, buffer);
    cursor
}

/// Draws a match, except its status line.
pub(super) fn draw(
    shown: MatchView<'_>,
    content: PanelContent<'_>,
    places: MatchLayout,
    skin: Skin,
    buffer: &mut Buffer,
) {
    match places.panel {
        Some(panel) => {
            let name = title(shown, content);
            draw_title(shown, &name, skin, places.title, buffer);
            draw_panel(shown, content, skin, panel, buffer);
            if places.has_frame {
                draw_frame(places.board.outer(Margin::new(1, 1)), skin, buffer);
            }
        }
        None => draw_seats_in_line(shown, skin, places.title, buffer),
    }
    shown.board.draw(places.board, buffer, skin);
}

/// Draws the board, and the score cards from the top of `panel`, keeping `others` rows of it free. Returns what is free.
pub(super) fn draw_beside_words(
    shown: MatchView<'_>,
    others: u16,
    board: Rect,
    panel: Rect,
    skin: Skin,
    buffer: &mut Buffer,
) -> Rect {
    shown.board.draw(board, buffer, skin);
    let mut rest = panel;
    let rows = score_cards::draw(shown, &shown.board.caption(), others, skin, panel, buffer);
    // Cards with room have an empty row below them.
    cut(&mut rest, rows + u16::from(rows <= 2 * u16::from(shown.game.seats())));
    rest
}

/// Draws a match under a menu: the board, and beside it the scores or the result. Returns where the menu goes
/// if there is room beside the board.
pub(super) fn draw_beneath(
    shown: MatchView<'_>,
    series: &Series,
    places: MatchLayout,
    skin: Skin,
    buffer: &mut Buffer,
) -> Option<Rect> {
    let Some(panel) = places.panel else {
        draw(shown, PanelContent::default(), places, skin, buffer);
        return None;
    };
    draw_title(shown, shown.entry.name, skin, places.title, buffer);
    shown.board.draw(places.board, buffer, skin);
    if shown.game.outcome().is_some() {
        return Some(ResultCard { shown, series }.draw(skin, panel, buffer));
    }
    let mut rest = panel;
    let caption = shown.board.caption();
    let rows = score_cards::draw(shown, &caption, panel.height, skin, panel, buffer);
    cut(&mut rest, rows + 1);
    Some(rest)
}

/// What stands in the title.
fn title(shown: MatchView<'_>, content: PanelContent<'_>) -> String {
    let name = shown.entry.name;
    match (content.title, content.review, shown.is_replay) {
        (Some(title), ..) => title.to_owned(),
        (None, Some(_), _) => format!("{name}, review"),
        (None, None, true) => format!("{name}, {REPLAY}"),
        (None, None, false) => name.to_owned(),
    }
}

fn draw_title(shown: MatchView<'_>, title: &str, skin: Skin, area: Rect, buffer: &mut Buffer) {
    let (x, y) = buffer.set_stringn(area.x, area.y, title, area.width.into(), skin.strong());
    let room = area.right().saturating_sub(x + 2) as usize;
    text::put((x + 2, y), &shown.board_and_seed(), room, skin.dim(), skin, buffer);
}

/// The frame round the board of a match that is only looked at. It stands in the empty cells round the board.
fn draw_frame(frame: Rect, skin: Skin, buffer: &mut Buffer) {
    let [[top_left, top, top_right], [left, _, right], [bottom_left, bottom, bottom_right]] =
        skin.glyphs().frame;
    let (east, south) = (frame.right() - 1, frame.bottom() - 1);
    for place in frame.intersection(buffer.area).positions() {
        let glyph =
            match (place.x == frame.x, place.x == east, place.y == frame.y, place.y == south) {
                (true, _, true, _) => top_left,
                (_, true, true, _) => top_right,
                (true, _, _, true) => bottom_left,
                (_, true, _, true) => bottom_right,
                (_, _, true, _) => top,
                (_, _, _, true) => bottom,
                (true, ..) => left,
                (_, true, ..) => right,
                _ => continue,
            };
        buffer[place].set_char(glyph).set_style(skin.style(Role::Board));
    }
}

/// Draws all seats in one line. With more than two, the one to move comes first, in case they do not fit.
fn draw_seats_in_line(shown: MatchView<'_>, skin: Skin, mut area: Rect, buffer: &mut Buffer) {
    if shown.is_replay {
        let (x, _) = buffer.set_stringn(area.x, area.y, REPLAY, area.width.into(), skin.strong());
        let taken = (x + 1 - area.x).min(area.width);
        area = Rect { x: area.x + taken, width: area.width - taken, ..area };
    }
    let seats: Vec<Seat> = shown.seats().collect();
    // Names are cut before marks and scores are.
    let times = seats.iter().filter_map(|&seat| shown.time(seat));
    let time = times.map(|time| time.len() as u16 + 1).max().unwrap_or(0);
    let rest = if shown.is_replay { 7 } else { 9 };
    let name = (area.width / seats.len().max(1) as u16).saturating_sub(rest + time).min(NAME);
    let first = match shown.game.to_move() {
        Some(seat) if seats.len() > 2 => seat.index(),
        _ => 0,
    };
    let names: Vec<&str> = seats.iter().map(|&seat| shown.name(seat)).collect();
    let names = text::names(&names, name.into(), skin);
    let mut x = area.x;
    for (seat, name) in seats.iter().zip(&names).cycle().skip(first).take(seats.len()) {
        if x >= area.right() {
            break;
        }
        let rest = Rect { x, width: area.right() - x, ..area };
        x = draw_turn(shown, *seat, name, skin, rest, buffer);
    }
}

/// Draws a seat: whether it is to move or has won, its name as far as there is room, mark, score and clock.
/// Returns the column behind it.
fn draw_turn(
    shown: MatchView<'_>,
    seat: Seat,
    name: &str,
    skin: Skin,
    area: Rect,
    buffer: &mut Buffer,
) -> u16 {
    let game = shown.game;
    let turn = match game.outcome() {
        // A draw has no winner to point at.
        Some(outcome) => outcome != Outcome::shared(game.seats()) && outcome.has(seat),
        None => game.to_move() == Some(seat),
    };
    let stands_out = turn && (shown.is_live() || game.outcome().is_some());
    let mark = if turn { skin.glyphs().turn } else { ' ' };
    let style = if stands_out { skin.strong() } else { skin.plain() };
    let room = |x: u16| area.right().saturating_sub(x) as usize;
    let (x, y) = (area.x, area.y);
    let gap = if name.is_empty() { "" } else { " " };
    // In a replay nobody is to move, so only winners have a mark.
    let lead = if shown.is_replay && !stands_out { String::new() } else { format!("{mark}{gap}") };
    let (x, _) = buffer.set_stringn(x, y, lead, room(x), style);
    let name = text::name(name, room(x), skin);
    let (x, _) = buffer.set_stringn(x, y, name, room(x), style);
    let letter = format!("{gap}{} ", game.now().mark(seat));
    let (mut x, _) = buffer.set_stringn(x, y, letter, room(x), skin.last(skin.seat(seat)));
    if let Some(score) = game.scores().and_then(|scores| scores.get(seat.index()).copied()) {
        (x, _) = buffer.set_stringn(x, y, format!("{score} "), room(x), style);
    }
    if let Some(time) = shown.time(seat) {
        let style = if game.to_move() == Some(seat) { style } else { skin.dim() };
        (x, _) = buffer.set_stringn(x, y, format!("{time} "), room(x), style);
    }
    if stands_out {
        let background = skin.style(Role::Of(SeatRole::Card, seat)).bg;
        buffer.set_style(
            Rect { width: x - area.x, ..area },
            Style { bg: background, ..Style::new() },
        );
    }
    x
}

/// Cuts rows off the top of an area, at most all of them, and returns them.
fn cut(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    let top = Rect { height: rows, ..*rest };
    *rest = Rect { y: rest.y + rows, height: rest.height - rows, ..*rest };
    top
}

fn draw_panel(
    shown: MatchView<'_>,
    content: PanelContent<'_>,
    skin: Skin,
    area: Rect,
    buffer: &mut Buffer,
) {
    let caption = shown.board.caption();
    let mut rest = area;
    // With little room there are no empty rows.
    let air = u16::from(area.height >= AIRY_FROM - 4);
    if let (Some(review), Some((_, ply))) = (content.review, content.line) {
        let rows = review.draw_verdict(ply, shown, skin, rest, buffer);
        cut(&mut rest, rows + air);
    }
    let text: Vec<Vec<(String, Style)>> = content
        .text
        .iter()
        .flat_map(|text| text.iter())
        .map(|part| part.rows(area.width, skin))
        .collect();
    let text_rows = text.iter().map(|rows| rows.len() as u16 + air).sum::<u16>();
    let others =
        if content.review.is_some() { area.height } else { BELOW_CARDS.max(text_rows + 4) };
    let rows = score_cards::draw(shown, &caption, others, skin, rest, buffer);
    cut(&mut rest, rows);
    if rows <= u16::from(shown.game.seats()) {
        cut(&mut rest, air);
    }
    // A text has the room of the bar, and where it needs it that of the progress.
    let is_tight = content.text.is_some() && text_rows + 3 + air > rest.height;
    if content.review.is_none() && !is_tight {
        if content.text.is_none() {
            draw_bar(shown, &caption, skin, cut(&mut rest, 1), buffer);
            cut(&mut rest, air);
        }
        draw_progress(shown, &caption, skin, &mut rest, buffer);
        cut(&mut rest, air);
    }
    if content.text.is_some() {
        for rows in text {
            for (row, style) in rows {
                let line = cut(&mut rest, 1);
                let room = usize::from(line.width) * usize::from(line.height);
                buffer.set_stringn(line.x, line.y, row, room, style);
            }
            cut(&mut rest, air);
        }
        return;
    }
    if let Some(notes) = content.notes {
        let width = usize::from(area.width);
        let rows = notes.iter().flat_map(|line| text::wrap(line, width, 2, skin));
        for row in rows.collect::<Vec<_>>() {
            let line = cut(&mut rest, 1);
            buffer.set_stringn(line.x, line.y, row, width * usize::from(line.height), skin.plain());
        }
        cut(&mut rest, air);
    }
    if let Some(said) = content.engine {
        let rows = ENGINE.min(rest.height / 2);
        let (moves, engine) = (rest.height - rows, rest.bottom() - rows);
        draw_engine(
            said,
            content.engine_heading,
            skin,
            Rect { y: engine, height: rows, ..rest },
            buffer,
        );
        rest.height = moves.saturating_sub(air);
    }
    draw_moves(shown, content, skin, rest, buffer);
}

/// Draws the bar: the score of each seat, or how far something has come.
fn draw_bar(shown: MatchView<'_>, caption: &Caption, skin: Skin, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    match caption.bar {
        None => {}
        Some(CaptionBar::Scores(total)) => draw_scores(shown, total, skin, area, buffer),
        Some(CaptionBar::Part(done, total)) => {
            let part = bar::Part { amount: done, ink: skin.dim(), letter: None };
            bar::draw(&[part], total, skin, area, buffer);
        }
    }
}

/// Draws the scores as shares of a total.
fn draw_scores(shown: MatchView<'_>, total: u32, skin: Skin, area: Rect, buffer: &mut Buffer) {
    let scores = shown.game.scores().unwrap_or_default();
    let parts = shown.seats().zip(scores).map(|(seat, amount)| bar::Part {
        amount,
        ink: skin.seat(seat),
        letter: Some(shown.game.now().mark(seat)),
    });
    bar::draw(&parts.collect::<Vec<_>>(), total, skin, area, buffer);
}

/// Draws how far the match has come, and the last move.
fn draw_progress(
    shown: MatchView<'_>,
    caption: &Caption,
    skin: Skin,
    rest: &mut Rect,
    buffer: &mut Buffer,
) {
    let area = cut(rest, 1);
    if area.is_empty() {
        return;
    }
    text::put((area.x, area.y), &caption.progress, area.width.into(), skin.dim(), skin, buffer);
    let Some((seat, mv)) = shown.game.moves().last() else { return };
    let area = cut(rest, 1);
    if area.is_empty() {
        return;
    }
    let room = |x: u16| area.right().saturating_sub(x) as usize;
    let (x, y) = buffer.set_stringn(area.x, area.y, "last  ", room(area.x), skin.dim());
    let ink = skin.seat(*seat).add_modifier(Modifier::BOLD);
    let (x, _) = buffer.set_stringn(x, y, mv, room(x), ink);
    text::put((x + 2, y), shown.name(*seat), room(x + 2), skin.dim(), skin, buffer);
}

/// Draws what engines say, below a heading if there is room for both.
fn draw_engine(
    said: &[String],
    heading: Option<&str>,
    skin: Skin,
    mut area: Rect,
    buffer: &mut Buffer,
) {
    if !said.is_empty() && area.height > 1 {
        let (place, heading) = (cut(&mut area, 1), heading.unwrap_or("engine"));
        buffer.set_stringn(place.x, place.y, heading, place.width.into(), skin.dim());
    }
    let rows = said.iter().flat_map(|line| text::wrap(line, area.width.into(), 2, skin));
    for (y, row) in (area.top()..area.bottom()).zip(rows) {
        buffer.set_string(area.x, y, row, skin.plain());
    }
}

fn draw_moves(
    shown: MatchView<'_>,
    content: PanelContent<'_>,
    skin: Skin,
    mut area: Rect,
    buffer: &mut Buffer,
) {
    let moves = shown.game.moves();
    let line = content.line.map_or(moves, |(line, _)| line);
    if line.is_empty() || area.is_empty() {
        return;
    }
    if area.height > 3 {
        let heading = cut(&mut area, 1);
        buffer.set_stringn(heading.x, heading.y, "moves", heading.width.into(), skin.dim());
    }
    let marks = content.review.map(Review::marks).unwrap_or_default();
    let marked = content.line.map(|(_, ply)| ply.wrapping_sub(1));
    let targets = content.targets;
    MoveList { shown, moves: line, marks: &marks, marked, targets }.draw(skin, area, buffer);
}
