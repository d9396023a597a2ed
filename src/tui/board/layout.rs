use crate::tui::text;
use crate::view::{BoardView, StatusRoom};
use quadrille_scene::cells;
use ratatui::layout::{Rect, Size};

pub const MIN_WIDTH_FOR_PANEL: u16 = 60;
/// The horizontal margin on both sides of every line.
pub const MARGIN: u16 = 2;
/// The minimum height for empty rows between the parts of the view.
pub(super) const MIN_HEIGHT_FOR_GAPS: u16 = 16;
/// The minimum width for centering the board and the panel horizontally.
const MIN_WIDTH_TO_CENTRE: u16 = 100;
/// The minimum height for centering the board and the panel vertically.
const MIN_HEIGHT_TO_CENTRE: u16 = 40;
/// The minimum height of the centered block of board and panel.
const BLOCK: u16 = 34;
/// The number of board rows that a message may cover.
pub(super) const OVER_BOARD: u16 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardLayout {
    pub title: Rect,
    pub board: Rect,
    pub panel: Option<Rect>,
    /// The graph of position values; empty if space is short.
    pub course: Rect,
    pub status: Rect,
}

impl BoardLayout {
    pub fn of(view: &BoardView<'_>, area: Rect) -> BoardLayout {
        let course = view.course.as_ref().map_or(0, |_| course_rows(area));
        let mut places = BoardLayout::with(view, course, area);
        let bare = view.bare_status.as_ref().filter(|_| places.panel.is_none());
        let status = bare.unwrap_or(&view.status);
        let room = places.status.width.into();
        if status.room == StatusRoom::FromBoard
            && !text::fits(&status.text, room, places.message_rows(view, StatusRoom::Free))
        {
            places = BoardLayout::with(view, OVER_BOARD - 1, area);
        }
        if course > 0 {
            let y = places.status.y.saturating_sub(course);
            places.course = Rect { y, height: course - 1, ..places.status };
        }
        places
    }

    /// Lays out the parts with `beneath` free rows above the status line.
    fn with(view: &BoardView<'_>, beneath: u16, area: Rect) -> BoardLayout {
        let title = Rect { height: 1, ..area };
        let status = Rect { y: area.bottom().saturating_sub(1), ..title };
        let inner =
            Rect { x: area.x + MARGIN, width: area.width.saturating_sub(2 * MARGIN), ..area };
        // The title goes above the board, the status line below it.
        let narrow =
            Rect { y: area.y + 1, height: area.height.saturating_sub(2 + beneath), ..inner };
        let course = Rect::ZERO;
        if area.width < MIN_WIDTH_FOR_PANEL {
            let [title, status] = [title, status].map(|line| line.intersection(inner));
            return BoardLayout { title, board: narrow, panel: None, course, status };
        }
        let panel_width = match area.width {
            160.. => 44,
            72.. => 32,
            _ => 26,
        };
        let is_in_middle = area.width >= MIN_WIDTH_TO_CENTRE;
        let gap = if is_in_middle { 6 } else { 2 };
        // An empty row above the status line and, if there is space, one below the title.
        let air = u16::from(area.height >= MIN_HEIGHT_FOR_GAPS);
        let room =
            Rect { y: narrow.y + air, height: narrow.height.saturating_sub(1 + air), ..narrow };
        let board_room = Size { width: inner.width - gap - panel_width, height: room.height };
        let used = board_size(view, board_room);
        let width = if is_in_middle { used.width.min(board_room.width) } else { board_room.width };
        let block = width + gap + panel_width;
        let x = if is_in_middle { area.x + (area.width - block) / 2 } else { inner.x };
        // On a tall screen, the whole block is centered, with the status line directly below it.
        let block_height = used.height.max(BLOCK);
        let (down, height) = match room.height.checked_sub(block_height) {
            Some(spare) if area.height >= MIN_HEIGHT_TO_CENTRE => (spare / 2, block_height),
            _ => (0, room.height),
        };
        let y = room.y + down;
        let line = |line: Rect| Rect { x, width: inner.right() - x, ..line };
        let status = match down {
            // Directly above the footer, with the same margin.
            0 => Rect { x: inner.x, width: inner.width, ..status },
            _ => line(Rect { y: y + height + 1 + beneath, ..status }),
        };
        BoardLayout {
            title: Rect { y: area.y + down, ..line(title) },
            board: Rect { x, y, width, height },
            panel: Some(Rect { x: x + width + gap, y, width: panel_width, height }),
            course,
            status,
        }
    }

    /// Returns the number of rows available to a message in the status line: the status line itself, the free rows
    /// above it, and board rows, unless `room` forbids covering the board.
    pub fn message_rows(&self, view: &BoardView<'_>, room: StatusRoom) -> u16 {
        let between = self.status.y.saturating_sub(self.board.bottom());
        let size = self.board.as_size();
        let spare = match self.panel {
            // The board is centered vertically.
            None => size.height.saturating_sub(board_size(view, size).height).div_ceil(2),
            Some(_) => 0,
        };
        let free = 1 + between + spare;
        match room {
            StatusRoom::Free => free,
            StatusRoom::OverBoard | StatusRoom::FromBoard => free.max(OVER_BOARD),
            StatusRoom::Whole => free.max(self.status.y),
        }
    }
}

/// Returns the size that the board occupies in `room`.
pub(super) fn board_size(view: &BoardView<'_>, room: Size) -> Size {
    cells::size(&view.scene.ground, room, view.lettering)
}

/// Returns the height of the graph of position values, including an empty row below it; 0 on small screens.
const fn course_rows(area: Rect) -> u16 {
    match (area.width, area.height) {
        (60.., 38..) => 8,
        (60.., 20..) => 4,
        _ => 0,
    }
}
