//! Draws views into terminal cells, with one renderer per kind of view. Renderers report the position of the text
//! cursor, the clickable areas and the space for a menu.

pub mod bar;
pub mod board;
mod canvas;
mod cards;
mod chart;
pub mod footer;
mod form;
pub mod images;
mod large;
mod list;
mod menu;
mod paper;
mod reader;
mod screen_style;
pub mod table;
pub mod targets;
pub mod text;
mod tournament;

pub use canvas::{RenderFeedback, draw_seen, page_round};
pub use menu::draw_beside;
pub use screen_style::ScreenStyle;

use crate::view::View;
use images::{BoardImage, BoardImages};
use quadrille_scene::cells::{BoardOnScreen, Placement};
use quadrille_scene::pixels::{self, CellSize};
use quadrille_scene::{Lettering, Scene, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use std::rc::Rc;
use targets::Targets;

#[derive(Clone, Copy, Debug, Default)]
pub struct Drawn {
    /// The position of the text cursor, if any.
    pub cursor: Option<Position>,
    /// The space for a menu beside a board, if any.
    pub place: Option<Rect>,
}

impl Drawn {
    /// Merges the results of this overlay with those of the underlying view.
    #[must_use]
    pub fn over(self, beneath: Drawn) -> Drawn {
        Drawn { place: self.place.or(beneath.place), ..self }
    }
}

pub fn draw(view: &View, area: Rect, canvas: &mut Canvas) -> Drawn {
    let mut cursor = None;
    match view {
        View::Board(board) => return board::draw(board, area, canvas),
        View::Cards(cards) => cards::draw(cards, area, canvas),
        View::Chart(chart) => cursor = chart::draw(chart, area, canvas),
        View::Form(form) => cursor = form::draw(form, area, canvas),
        View::List(list) => cursor = list::draw(list, area, canvas),
        View::Menu(menu) => menu::draw(menu, area, canvas),
        View::Reader(reader) => reader::draw(reader, area, canvas),
        View::Tournament(tournament) => tournament::draw(tournament, area, canvas),
    }
    Drawn { cursor, ..Drawn::default() }
}

pub fn draw_beneath(view: &View, area: Rect, canvas: &mut Canvas) -> Drawn {
    match view {
        View::Board(board) => board::draw_beneath(board, area, canvas),
        view => draw(view, area, canvas),
    }
}

/// A drawing surface: terminal cells, a skin, click targets, and images.
pub struct Canvas<'a> {
    pub skin: Skin,
    pub targets: &'a Targets,
    pub feedback: &'a RenderFeedback,
    pub board: &'a BoardOnScreen,
    pub images: &'a BoardImages,
    pub buffer: &'a mut Buffer,
}

impl Canvas<'_> {
    /// Returns the first row of an area, for writing from left to right.
    pub fn row(&mut self, area: Rect) -> TextRow<'_> {
        let end = if area.is_empty() { area.x } else { area.right() };
        TextRow { x: area.x, y: area.y, end, skin: self.skin, buffer: self.buffer }
    }

    /// Draws a board without animation, as an image if the terminal shows images and the whole board fits.
    /// `is_on_paper` means that the area has the background of the screen.
    fn draw_still(
        &mut self,
        scene: &Rc<Scene>,
        lettering: Lettering,
        area: Rect,
        is_on_paper: bool,
    ) {
        let (skin, size) = (self.skin, area.as_size());
        let fits = |cell: CellSize| pixels::Placement::new(scene, lettering, size, cell).is_some();
        if self.images.cell(area).is_some_and(fits) {
            let scene = Rc::clone(scene);
            let image = BoardImage { scene, lettering, skin, area, is_on_paper };
            self.images.note(image, self.buffer);
        } else {
            Placement::new(scene, None, lettering, area).draw(self.buffer, skin);
        }
    }

    /// Draws a small picture of a board, as large as the area allows.
    fn draw_picture(&mut self, scene: &Scene, area: Rect) {
        Placement::new(scene, None, Lettering::None, area).draw(self.buffer, self.skin);
    }

    fn edge(&mut self, area: Rect, style: Style) {
        for y in area.top()..area.bottom() {
            self.buffer[(area.x, y)].set_char(self.skin.glyphs().edge).set_style(style);
        }
    }
}

/// A row written from left to right. Text that does not fit is truncated with a mark.
pub struct TextRow<'a> {
    x: u16,
    y: u16,
    end: u16,
    skin: Skin,
    buffer: &'a mut Buffer,
}

impl TextRow<'_> {
    pub fn room(&self) -> usize {
        self.end.saturating_sub(self.x).into()
    }

    pub fn put(mut self, words: &str, style: Style) -> Self {
        let room = self.room();
        let fitted = text::fit(words, room, self.skin);
        (self.x, _) = self.buffer.set_stringn(self.x, self.y, fitted, room, style);
        self
    }

    /// Writes text. Text that does not fit is truncated without a mark.
    pub fn put_part(mut self, words: &str, style: Style) -> Self {
        (self.x, _) = self.buffer.set_stringn(self.x, self.y, words, self.room(), style);
        self
    }

    pub fn skip(mut self, columns: u16) -> Self {
        self.x += columns;
        self
    }
}

/// Splits up to `rows` rows off the top of an area and returns them.
fn cut(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    let top = Rect { height: rows, ..*rest };
    *rest = Rect { y: rest.y + rows, height: rest.height - rows, ..*rest };
    top
}
