//! Draws a board with its title, side panel and status line.

mod course;
mod layout;
mod moves;
mod result;
mod seats;
mod status;

pub use layout::{MARGIN, MIN_WIDTH_FOR_PANEL};

use super::images::BoardImage;
use super::targets::Target;
use super::{Canvas, Drawn, bar, cut, text};
use crate::view::{BoardView, PanelBody, Paragraph};
use layout::{BoardLayout, MIN_HEIGHT_FOR_GAPS, board_size};
use quadrille_scene::Role;
use ratatui::layout::{Margin, Rect, Size};
use ratatui::style::{Modifier, Style};

/// The rows reserved for engine output, including its heading.
const OUTPUT_ROWS: u16 = 5;
/// The number of rows that the score cards leave free below them.
const BELOW_CARDS: u16 = 9;
/// The maximum height of a paragraph shown together with the progress, in rows.
const PARAGRAPH: usize = 8;
/// The minimum height of a lesson beside the board: the height of the longest text at a width of 26 columns.
const LESSON: u16 = 14;
/// The minimum and maximum width of the board in a lesson without a panel, in columns.
const NARROW: u16 = 14;
const WIDE: u16 = 22;

pub fn draw(view: &BoardView<'_>, area: Rect, canvas: &mut Canvas<'_>) -> Drawn {
    let mut places = BoardLayout::of(view, area);
    match places.panel {
        Some(panel) => {
            draw_title(view, places.title, canvas);
            draw_panel(view, panel, canvas);
            note_click(view, panel, canvas);
        }
        None => match &view.body {
            PanelBody::Lesson(texts) => {
                draw_title(view, places.title, canvas);
                let [board, words] = lesson_beside_board(view, texts, places.board, area);
                draw_texts(texts, usize::MAX, u16::from(words.height > 12), words, canvas);
                note_click(view, words, canvas);
                places.board = board;
            }
            _ => seats::draw_in_line(view, places.title, canvas),
        },
    }
    draw_board(view, places.board, canvas);
    let target = view.click.map_or(Target::Board, Target::Action);
    canvas.targets.note(places.board, target);
    if let Some(course) = view.course.as_ref().filter(|_| places.course.height > 0) {
        course::draw(course, places.course, canvas);
    }
    let cursor = status::draw(view, &places, canvas);
    Drawn { cursor, place: None }
}

/// Draws a board under a menu, with the scores or the result and space for the menu beside the board.
pub fn draw_beneath(view: &BoardView<'_>, area: Rect, canvas: &mut Canvas<'_>) -> Drawn {
    let places = BoardLayout::of(view, area);
    let Some(mut rest) = places.panel else { return draw(view, area, canvas) };
    draw_title(view, places.title, canvas);
    draw_board(view, places.board, canvas);
    if let Some(result) = &view.result {
        rest = result::draw(view, result, rest, canvas);
    } else {
        let rows = seats::draw(view, rest.height, rest, canvas);
        cut(&mut rest, rows + 1);
    }
    status::draw(view, &places, canvas);
    Drawn { cursor: None, place: Some(rest) }
}

fn draw_board(view: &BoardView<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let Canvas { skin, board, images, .. } = *canvas;
    let (scene, lettering) = (&view.scene, view.lettering);
    match images.cell(area).and_then(|cell| board.image(scene, lettering, area, cell)) {
        Some(scene) => {
            let image = BoardImage { scene, lettering, skin, area, is_on_paper: true };
            images.note(image, canvas.buffer);
        }
        None => board.draw(scene, lettering, area, canvas.buffer, skin),
    }
}

/// If a click on the board has a special action, extends that action to the area beside the board.
fn note_click(view: &BoardView<'_>, area: Rect, canvas: &Canvas<'_>) {
    if let Some(action) = view.click {
        canvas.targets.note(area, Target::Action(action));
    }
}

fn draw_title(view: &BoardView<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let (strong, dim) = (canvas.skin.strong(), canvas.skin.dim());
    let row = canvas.row(area).put(&view.title, strong).skip(2);
    let fits = |form: &&String| text::width(form) <= row.room();
    let form = view.subtitle.iter().find(fits).or(view.subtitle.last());
    row.put(form.map_or("", |form| form), dim);
}

fn draw_panel(view: &BoardView<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let skin = canvas.skin;
    let mut rest = area;
    // Small panels have no empty rows.
    let air = u16::from(area.height >= MIN_HEIGHT_FOR_GAPS - 4);
    if !view.verdict.is_empty() {
        let rows = draw_verdict(&view.verdict, rest, canvas);
        cut(&mut rest, rows + air);
    }
    let texts = match &view.body {
        PanelBody::Texts(texts) => texts.as_slice(),
        _ => &[],
    };
    let text_rows: u16 =
        texts.iter().map(|text| text_rows(text, PARAGRAPH, area, canvas).len() as u16 + air).sum();
    let others = match &view.body {
        PanelBody::Lesson(_) => LESSON,
        _ if !view.verdict.is_empty() => area.height,
        _ => BELOW_CARDS.max(text_rows + 4),
    };
    let rows = match &view.result {
        // A solved puzzle is shown as an event.
        Some(result) if result.is_of_puzzles() => {
            let below = result::draw(view, result, rest, canvas);
            rest.height - below.height
        }
        _ => seats::draw(view, others, rest, canvas),
    };
    cut(&mut rest, rows);
    if let PanelBody::Lesson(texts) = &view.body {
        // If there is enough space, the cards have an empty row below them.
        cut(&mut rest, u16::from(rows <= 2 * view.seats.len() as u16));
        return draw_texts(texts, usize::MAX, u16::from(rest.height > 12), rest, canvas);
    }
    if rows <= view.seats.len() as u16 {
        cut(&mut rest, air);
    }
    // Paragraphs may use the rows of the bar and, if necessary, those of the progress.
    let is_tight = !texts.is_empty() && text_rows + 3 + air > rest.height;
    if view.verdict.is_empty() && !is_tight {
        if texts.is_empty() {
            let line = cut(&mut rest, 1);
            if let Some(total) = view.caption.bar {
                draw_scores(view, total, line, canvas);
            }
            cut(&mut rest, air);
        }
        canvas.row(cut(&mut rest, 1)).put(&view.caption.progress, skin.dim());
        if let Some((seat, mv)) = &view.last_move {
            let name = view.names.subject(*seat);
            let row = canvas.row(cut(&mut rest, 1)).put("last  ", skin.dim());
            let row = row.put(mv, skin.seat(*seat).add_modifier(Modifier::BOLD));
            row.skip(2).put(name, skin.dim());
        }
        cut(&mut rest, air);
    }
    let PanelBody::Moves { messages, notes, list } = &view.body else {
        return draw_texts(texts, PARAGRAPH, air, rest, canvas);
    };
    if !notes.is_empty() {
        for row in notes.iter().flat_map(|line| text::wrap(line, area.width.into(), 2, skin)) {
            canvas.row(cut(&mut rest, 1)).put(&row, skin.plain());
        }
        cut(&mut rest, air);
    }
    if let Some((heading, lines)) = messages {
        let rows = OUTPUT_ROWS.min(rest.height / 2);
        let mut place = Rect { y: rest.bottom() - rows, height: rows, ..rest };
        rest.height = (rest.height - rows).saturating_sub(air);
        if !lines.is_empty() && rows > 1 {
            canvas.row(cut(&mut place, 1)).put(heading, skin.dim());
        }
        for row in lines.iter().flat_map(|line| text::wrap(line, area.width.into(), 2, skin)) {
            canvas.row(cut(&mut place, 1)).put(&row, skin.plain());
        }
    }
    moves::draw(view, list, rest, canvas);
}

/// Draws the verdict on a move as a card and returns its height.
fn draw_verdict(sentences: &[(String, Role)], area: Rect, canvas: &mut Canvas<'_>) -> u16 {
    const MIN_HEIGHT: u16 = 5;
    let skin = canvas.skin;
    let room = usize::from(area.width).saturating_sub(4);
    let wrap = |(sentence, role): &(String, Role)| {
        let style = skin.style(*role);
        text::wrap(sentence, room, 2, skin).into_iter().map(move |row| (row, style))
    };
    let rows: Vec<(String, Style)> = sentences.iter().flat_map(wrap).collect();
    let height = (rows.len() as u16 + 2).max(MIN_HEIGHT).min(area.height);
    let card = Rect { height, ..area };
    canvas.buffer.set_style(card, skin.style(Role::Panel));
    if let Some((_, style)) = rows.first() {
        canvas.edge(card, *style);
    }
    for (line, (row, style)) in card.inner(Margin::new(2, 1)).rows().zip(rows) {
        canvas.row(line).put(&row, style);
    }
    height
}

/// Draws the scores, including the points of the current round, as shares of a total.
fn draw_scores(view: &BoardView<'_>, total: u32, area: Rect, canvas: &mut Canvas<'_>) {
    let part = |seat: &crate::view::SeatView| bar::BarSegment {
        amount: seat.score.unwrap_or_default() + view.caption.gain(seat.seat).unwrap_or_default(),
        ink: canvas.skin.seat(seat.seat),
        letter: Some(seat.mark),
    };
    let parts: Vec<bar::BarSegment> = view.seats.iter().map(part).collect();
    bar::draw(&parts, total, canvas.skin, area, canvas.buffer);
}

/// Returns the rows of a paragraph, starting with the heading.
fn text_rows(
    paragraph: &Paragraph,
    most: usize,
    area: Rect,
    canvas: &Canvas<'_>,
) -> Vec<(String, Style)> {
    let Paragraph { heading, text, role } = paragraph;
    let skin = canvas.skin;
    let style = if *role == Role::Text { skin.plain() } else { skin.style(*role) };
    let heading = (!heading.is_empty()).then(|| (heading.clone(), skin.dim()));
    let rows = text::wrap(text, area.width.into(), most, skin);
    heading.into_iter().chain(rows.into_iter().map(|row| (row, style))).collect()
}

/// Draws paragraphs of at most `most` rows each, with `air` empty rows after each one.
fn draw_texts(texts: &[Paragraph], most: usize, air: u16, area: Rect, canvas: &mut Canvas<'_>) {
    let mut rest = area;
    for text in texts {
        let most = most.min(rest.height.into());
        for (row, style) in text_rows(text, most, area, canvas) {
            canvas.row(cut(&mut rest, 1)).put(&row, style);
        }
        cut(&mut rest, air);
    }
}

/// Lays out the board and the text of a lesson without a panel.
fn lesson_beside_board(
    view: &BoardView<'_>,
    texts: &[Paragraph],
    room: Rect,
    area: Rect,
) -> [Rect; 2] {
    let beside = |board: u16| area.right().saturating_sub(room.x + board + MARGIN + 1);
    let longest = texts.iter().max_by_key(|text| text.text.len());
    let text = longest.map_or("", |text| &*text.text);
    let fits = |board: &u16| text::fits(text, beside(*board).into(), room.height);
    let width = (NARROW..=WIDE).rev().find(fits).unwrap_or(NARROW).min(room.width);
    let most = Size { width, height: room.height };
    let board = Rect { width: board_size(view, most).width.min(width), ..room };
    let x = board.right() + MARGIN;
    [board, Rect { x, width: area.right().saturating_sub(x + 1), ..room }]
}
