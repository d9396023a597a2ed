use super::{BoardLayout, Placement};
use crate::motion::{Animation, Animator, BoardKey};
use crate::pixels::{self, CellSize};
use crate::{Direction, Lettering, PlaceId, Scene, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

/// The board on the screen: its animation, its layout, where it was last drawn, and how far it is scrolled.
#[derive(Debug, Default)]
pub struct BoardOnScreen {
    pub animator: Animator,
    layout: RefCell<Option<BoardLayout>>,
    drawn: RefCell<Option<DrawnBoard>>,
    /// The scroll target set by the wheel: a cell of the sheet.
    scrolled: Cell<Option<Position>>,
    /// The board shown, and its number of keys.
    shown: Option<(BoardKey, usize)>,
}

#[derive(Debug)]
struct DrawnBoard {
    scene: Rc<Scene>,
    lettering: Lettering,
    area: Rect,
    /// The size of a cell if the board is shown as an image.
    cell: Option<CellSize>,
}

impl BoardOnScreen {
    /// Shows a board from now on, as [`Animator::show`] does. A key on the board ends scrolling.
    pub fn show(&mut self, board: BoardKey, scene: &Rc<Scene>) -> Option<(Animation, Duration)> {
        let shown = Some((board, scene.keys));
        if std::mem::replace(&mut self.shown, shown) != shown {
            self.scrolled.set(None);
        }
        self.animator.show(board, scene)
    }

    pub fn draw(
        &self,
        scene: &Rc<Scene>,
        lettering: Lettering,
        area: Rect,
        buffer: &mut Buffer,
        skin: Skin,
    ) {
        let frame = self.animator.frame(scene);
        self.placement(&frame, lettering, area).draw(buffer, skin);
        let scene = Rc::clone(scene);
        self.drawn.replace(Some(DrawnBoard { scene, lettering, area, cell: None }));
    }

    /// Returns the scene of the image that shows the board in this area, if cells of this size have enough pixels for
    /// the whole board. Otherwise, use [`BoardOnScreen::draw`].
    pub fn image(
        &self,
        scene: &Rc<Scene>,
        lettering: Lettering,
        area: Rect,
        cell: CellSize,
    ) -> Option<Rc<Scene>> {
        let frame = self.animator.frame(scene);
        pixels::Placement::new(&frame, lettering, area.as_size(), cell)?;
        let scene = Rc::clone(scene);
        self.drawn.replace(Some(DrawnBoard { scene, lettering, area, cell: Some(cell) }));
        Some(frame)
    }

    /// Returns the place at a screen cell of the board last drawn, or at a pixel of the screen in that cell, if the
    /// terminal reports it.
    pub fn hit(&self, at: Position, pixel: Option<[f32; 2]>) -> Option<PlaceId> {
        let drawn = self.drawn.borrow();
        let drawn = drawn.as_ref()?;
        match drawn.cell {
            Some(cell) => drawn.hit_image(cell, at, pixel),
            None => self.placement_drawn(drawn).hit(at),
        }
    }

    /// Scrolls the board last drawn. Returns `false` at the edge of the board.
    pub fn scroll(&self, direction: Direction) -> bool {
        let drawn = self.drawn.borrow();
        // An image shows the whole board.
        let in_cells = drawn.as_ref().filter(|drawn| drawn.cell.is_none());
        let placement = in_cells.map(|drawn| self.placement_drawn(drawn));
        let target = placement.and_then(|placement| placement.scroll(direction.step()));
        if target.is_some() {
            self.scrolled.set(target);
        }
        target.is_some()
    }

    fn placement_drawn<'a>(&self, drawn: &'a DrawnBoard) -> Placement<'a> {
        self.placement(&drawn.scene, drawn.lettering, drawn.area)
    }

    pub(super) fn placement<'a>(
        &self,
        scene: &'a Scene,
        lettering: Lettering,
        area: Rect,
    ) -> Placement<'a> {
        let mut layout = self.layout.borrow_mut();
        let room = area.as_size();
        let kept = layout.take().and_then(|kept| kept.extended(scene, room, lettering));
        let layout =
            layout.insert(kept.unwrap_or_else(|| BoardLayout::new(scene, room, lettering)));
        Placement::on(layout, scene, self.scrolled.get(), area)
    }
}

impl DrawnBoard {
    /// Returns the place nearest to a pixel, within half the width of a cell. Without a pixel, the nearest one to the
    /// center of the cell that reaches into the cell.
    fn hit_image(&self, cell: CellSize, at: Position, pixel: Option<[f32; 2]>) -> Option<PlaceId> {
        let size = self.area.as_size();
        let placement = pixels::Placement::new(&self.scene, self.lettering, size, cell)?;
        let [width, height] = [cell.width, cell.height].map(f32::from);
        let corner = [f32::from(self.area.x) * width, f32::from(self.area.y) * height];
        let centre = [(f32::from(at.x) + 0.5) * width, (f32::from(at.y) + 0.5) * height];
        let reach = if pixel.is_some() { width / 2.0 } else { width.hypot(height) / 2.0 };
        let [x, y] = pixel.unwrap_or(centre);
        placement.hit([x - corner[0], y - corner[1]], reach)
    }
}
