//! The mouse. A click does what the corresponding key would do.

use super::App;
use super::guard::Pressed;
use super::screen::{Effect, Input, PointerInput, takes_text};
use super::targets::Target;
use crate::board::{Direction, Gesture, Pointer};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;
use std::time::Duration;

/// The state of the mouse between two reports from the terminal.
#[derive(Default)]
pub(super) struct Mouse {
    on_board: bool,
    /// Whether the left button was pressed on the board and is still down.
    pressed: bool,
    /// The pixel under the mouse, if the terminal reports it.
    pixel: Option<[f32; 2]>,
}

/// Whether the terminal's window has the focus, if the terminal reports it.
#[derive(Default)]
pub(super) struct Focus {
    is_lost: bool,
    gained: Option<Duration>,
}

impl Focus {
    /// How soon after the window gains focus a click is taken to be the one that focused it.
    const BY_CLICK: Duration = Duration::from_millis(200);

    pub fn lose(&mut self) {
        self.is_lost = true;
    }

    pub fn gain(&mut self, now: Duration) {
        if std::mem::take(&mut self.is_lost) {
            self.gained = Some(now);
        }
    }

    /// Returns whether a click at `now` is the one that focused the window. Terminals may report the focus before or
    /// after this click.
    fn is_gained_by_click(&mut self, now: Duration) -> bool {
        let just_gained = self.gained.take().is_some_and(|gained| now < gained + Focus::BY_CLICK);
        std::mem::take(&mut self.is_lost) || just_gained
    }
}

impl Mouse {
    fn gesture(&mut self, kind: MouseEventKind) -> Option<Gesture> {
        let was_pressed = self.pressed;
        let (pressed, gesture) = match kind {
            MouseEventKind::Moved => (false, Gesture::Hover),
            MouseEventKind::Down(MouseButton::Left) => (true, Gesture::Press),
            // Ignore a button that was pressed elsewhere or before this screen was drawn.
            MouseEventKind::Drag(MouseButton::Left) if was_pressed => (true, Gesture::Drag),
            MouseEventKind::Up(MouseButton::Left) if was_pressed => (false, Gesture::Release),
            MouseEventKind::Down(MouseButton::Right) => (was_pressed, Gesture::Drop),
            _ => return None,
        };
        self.pressed = pressed;
        Some(gesture)
    }
}

const fn wheel(kind: MouseEventKind) -> Option<Direction> {
    match kind {
        MouseEventKind::ScrollUp => Some(Direction::Up),
        MouseEventKind::ScrollDown => Some(Direction::Down),
        MouseEventKind::ScrollLeft => Some(Direction::Left),
        MouseEventKind::ScrollRight => Some(Direction::Right),
        _ => None,
    }
}

impl App {
    /// Sets the pixel of the screen to which the next mouse report refers; `None` if only its cell is known.
    pub fn point_at(&mut self, pixel: Option<[f32; 2]>) {
        self.mouse.pixel = pixel;
    }

    /// Handles a mouse report; `None` if it changes nothing.
    pub(super) fn mouse(&mut self, mut mouse: MouseEvent) -> Option<Vec<Effect>> {
        let at = Position { x: mouse.column, y: mouse.row };
        let target = self.targets.at(at);
        let is_click = matches!(mouse.kind, MouseEventKind::Down(_));
        let effects =
            is_click || matches!(mouse.kind, MouseEventKind::Up(_) | MouseEventKind::Drag(_));
        if effects && self.is_stray_click() {
            mouse.kind = MouseEventKind::Moved;
        }
        if is_click && self.focus.is_gained_by_click(self.now) {
            mouse.kind = MouseEventKind::Moved;
            if let Some(Target::Entry(entry, _) | Target::Value(entry, _)) = target {
                self.go_to_entry(entry)?;
                return Some(Vec::new());
            }
        }
        if let Some(Target::Board) = target {
            self.mouse.on_board = true;
            if let Some(direction) = wheel(mouse.kind) {
                return self.board.scroll(direction).then(Vec::new);
            }
            let gesture = self.mouse.gesture(mouse.kind)?;
            let pointer = Pointer { gesture, place: self.board.hit(at, self.mouse.pixel) };
            return self.send_input(Input::Pointer(PointerInput::Board(pointer)));
        }
        let has_left = self.leave_board();
        let effects = match (mouse.kind, target) {
            (MouseEventKind::Down(MouseButton::Left), Some(target)) => self.click(target),
            (MouseEventKind::ScrollUp, _) => {
                self.send_input(Input::Pointer(PointerInput::Wheel { back: true }))
            }
            (MouseEventKind::ScrollDown, _) => {
                self.send_input(Input::Pointer(PointerInput::Wheel { back: false }))
            }
            _ => None,
        };
        effects.or(has_left.then(Vec::new))
    }

    /// Tells the board that the mouse has left it, even if a menu is open. Returns whether this changes anything.
    fn leave_board(&mut self) -> bool {
        if !std::mem::take(&mut self.mouse).on_board {
            return false;
        }
        let mut screens = self.stack.iter_mut().rev();
        let pointer = Pointer { gesture: Gesture::Leave, place: None };
        let left = || Input::Pointer(PointerInput::Board(pointer));
        screens.any(|screen| screen.input(left(), &mut self.context).is_some())
    }

    /// Moves the cursor to an entry. Returns `None` while text is being typed, because the text belongs to the entry
    /// under the cursor.
    fn go_to_entry(&mut self, entry: usize) -> Option<()> {
        self.stack.last().filter(|top| !takes_text(&***top, &self.context))?;
        self.send_input(Input::GoTo(entry));
        Some(())
    }

    fn click(&mut self, target: Target) -> Option<Vec<Effect>> {
        match target {
            Target::Action(action) if self.answers_too_early(Pressed::Button, action) => None,
            Target::Action(action) => self.perform(action),
            Target::Entry(entry, action) => {
                self.go_to_entry(entry)?;
                Some(action.and_then(|action| self.perform(action)).unwrap_or_default())
            }
            Target::Value(entry, value) => {
                self.go_to_entry(entry)?;
                self.send_input(Input::Pointer(PointerInput::Value(entry, value)))
            }
            Target::Message => self.send_input(Input::Pointer(PointerInput::Message)),
            Target::Board => None,
        }
    }
}
