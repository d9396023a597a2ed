//! Where the parts of a board stand on the screen.

use crate::tui::text;
use crate::view::{BoardView, StatusRoom};
use ratatui::layout::{Rect, Size};

/// From this width on there is a panel beside the board.
pub const PANEL_FROM: u16 = 60;
/// The empty columns at the left and the right of all lines.
pub const MARGIN: u16 = 2;
/// From this height on, there is an empty row between the parts.
pub(super) const AIRY_FROM: u16 = 16;
/// From this width on, board and panel stand together in the middle.
const MIDDLE_FROM: u16 = 100;
/// From this height on, board and panel also stand in the middle vertically.
const MIDDLE_FROM_HEIGHT: u16 = 40;
/// The least rows of board and panel there.
const BLOCK: u16 = 34;
/// The rows of a message that may cover a part of the board.
pub(super) const OVER_BOARD: u16 = 3;

/// Where the parts stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardLayout {
    pub title: Rect,
    pub board: Rect,
    /// The panel, where there is room for one.
    pub panel: Option<Rect>,
    /// What every position was worth; empty where there is no room for it.
    pub course: Rect,
    pub status: Rect,
}

impl BoardLayout {
    /// Lays the parts out in an area.
    pub fn of(view: &BoardView<'_>, area: Rect) -> BoardLayout {
        let course = view.course.as_ref().map_or(0, |_| course_rows(area));
        let mut places = BoardLayout::with(view, course, area);
        let status = &view.status;
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

    /// The same with so many rows free above the status line.
    fn with(view: &BoardView<'_>, beneath: u16, area: Rect) -> BoardLayout {
        let title = Rect { height: 1, ..area };
        let status = Rect { y: area.bottom().saturating_sub(1), ..title };
        let inner =
            Rect { x: area.x + MARGIN, width: area.width.saturating_sub(2 * MARGIN), ..area };
        // The title stands above, the status line below.
        let narrow =
            Rect { y: area.y + 1, height: area.height.saturating_sub(2 + beneath), ..inner };
        let course = Rect::ZERO;
        if area.width < PANEL_FROM {
            let [title, status] = [title, status].map(|line| line.intersection(inner));
            return BoardLayout { title, board: narrow, panel: None, course, status };
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
        let used = view.board.size(board_room);
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
        let line = |line: Rect| Rect { x, width: inner.right() - x, ..line };
        let status = match down {
            // Right above the footer, with the same margin.
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

    /// How many rows a message in the status line has: its own and the free ones right above it, and unless it has only
    /// these, rows of the board.
    pub fn message_rows(&self, view: &BoardView<'_>, room: StatusRoom) -> u16 {
        let between = self.status.y.saturating_sub(self.board.bottom());
        let size = self.board.as_size();
        let spare = match self.panel {
            // The board stands in the middle of its room.
            None => size.height.saturating_sub(view.board.size(size).height).div_ceil(2),
            Some(_) => 0,
        };
        let free = 1 + between + spare;
        if room == StatusRoom::Free { free } else { free.max(OVER_BOARD) }
    }
}

/// The rows for the course of the match, with an empty row below it; 0 on small screens.
const fn course_rows(area: Rect) -> u16 {
    match (area.width, area.height) {
        (60.., 38..) => 8,
        (60.., 20..) => 4,
        _ => 0,
    }
}
