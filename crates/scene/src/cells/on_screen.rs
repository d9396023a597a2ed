use super::{BoardLayout, Placement};
use crate::motion::{Animation, Animator, BoardKey};
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
        self.drawn.replace(Some(DrawnBoard { scene: Rc::clone(scene), lettering, area }));
    }

    /// Returns the place at a screen cell of the board last drawn.
    pub fn hit(&self, at: Position) -> Option<PlaceId> {
        self.placement_drawn(self.drawn.borrow().as_ref()?).hit(at)
    }

    /// Scrolls the board last drawn. Returns `false` at the edge of the board.
    pub fn scroll(&self, direction: Direction) -> bool {
        let drawn = self.drawn.borrow();
        let placement = drawn.as_ref().map(|drawn| self.placement_drawn(drawn));
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
