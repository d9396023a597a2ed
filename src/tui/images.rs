//! The boards in the last drawing that the terminal shows as images.

use quadrille_scene::pixels::CellSize;
use quadrille_scene::{Lettering, Scene, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

/// Fills the cells of an image. What is drawn over the image later replaces it there. No text of a person contains it:
/// the character is reserved for images.
pub const RESERVED: char = '\u{10eeee}';

/// The maximum number of pixels of an image, which terminals of every plausible size have.
const MAX_PIXELS: u32 = 1 << 25;

/// The images on the screen. Renderers record them while drawing, like click targets.
#[derive(Debug, Default)]
pub struct BoardImages {
    cell: Cell<Option<CellSize>>,
    boards: RefCell<Vec<BoardImage>>,
}

/// A board shown as an image on these cells.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardImage {
    pub scene: Rc<Scene>,
    pub lettering: Lettering,
    pub skin: Skin,
    pub area: Rect,
    /// Whether the cells have the background of the screen. Otherwise, the image lets theirs through.
    pub is_on_paper: bool,
}

impl BoardImages {
    /// Returns the size of a cell in pixels; `None` if the terminal shows no images, or none of this size.
    pub fn cell(&self, area: Rect) -> Option<CellSize> {
        let is_allowed = |cell: &CellSize| {
            area.area().saturating_mul(u32::from(cell.width) * u32::from(cell.height)) <= MAX_PIXELS
        };
        self.cell.get().filter(is_allowed)
    }

    pub fn set_cell(&self, cell: Option<CellSize>) {
        self.cell.set(cell);
    }

    pub fn clear(&self) {
        self.boards.borrow_mut().clear();
    }

    /// Reserves the cells of an image.
    pub fn note(&self, image: BoardImage, buffer: &mut Buffer) {
        for at in image.area.intersection(buffer.area).positions() {
            buffer[at].set_char(RESERVED);
        }
        self.boards.borrow_mut().push(image);
    }

    pub fn all(&self) -> Ref<'_, [BoardImage]> {
        Ref::map(self.boards.borrow(), Vec::as_slice)
    }
}
