//! The mouse: it does what keys would do.

use super::App;
use super::screen::Act;
use super::targets::Target;
use crate::board::{Direction, Gesture};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// The state of the mouse between two reports of the terminal.
#[derive(Default)]
pub(super) struct Mouse {
    /// Whether it was on the board.
    on_board: bool,
    /// Whether the left button went down there and is still down.
    pressed: bool,
}

impl Mouse {
    /// What a report means if it is on the board.
    fn gesture(&mut self, kind: MouseEventKind) -> Option<Gesture> {
        let was_pressed = self.pressed;
        let (pressed, gesture) = match kind {
            MouseEventKind::Moved => (false, Gesture::Hover),
            MouseEventKind::Down(MouseButton::Left) => (true, Gesture::Press),
            // A button that went down elsewhere, or before this screen was drawn, means nothing here.
            MouseEventKind::Drag(MouseButton::Left) if was_pressed => (true, Gesture::Drag),
            MouseEventKind::Up(MouseButton::Left) if was_pressed => (false, Gesture::Release),
            MouseEventKind::Down(MouseButton::Right) => (was_pressed, Gesture::Drop),
            MouseEventKind::ScrollUp => (was_pressed, Gesture::Scroll(Direction::Up)),
            MouseEventKind::ScrollDown => (was_pressed, Gesture::Scroll(Direction::Down)),
            MouseEventKind::ScrollLeft => (was_pressed, Gesture::Scroll(Direction::Left)),
            MouseEventKind::ScrollRight => (was_pressed, Gesture::Scroll(Direction::Right)),
            _ => return None,
        };
        self.pressed = pressed;
        Some(gesture)
    }
}

impl App {
    /// What a report leads to; `None` if it changes nothing.
    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> Option<Vec<Act>> {
        let at = Position { x: mouse.column, y: mouse.row };
        let target = self.context.targets.at(at);
        if let Some((Target::Board, area)) = target {
            self.mouse.on_board = true;
            let gesture = self.mouse.gesture(mouse.kind)?;
            return self.stack.last_mut()?.point(gesture, at, area, &self.context);
        }
        let has_left = self.leave_board(at);
        let acts = match (mouse.kind, target) {
            (MouseEventKind::Down(MouseButton::Left), Some((target, _))) => self.click(target),
            (MouseEventKind::ScrollUp, _) => self.stack.last_mut()?.wheel(true, &mut self.context),
            (MouseEventKind::ScrollDown, _) => {
                self.stack.last_mut()?.wheel(false, &mut self.context)
            }
            _ => None,
        };
        acts.or(has_left.then(Vec::new))
    }

    /// Tells a board that the mouse has left it, even under a menu; returns whether that changes anything.
    fn leave_board(&mut self, at: Position) -> bool {
        if !std::mem::take(&mut self.mouse).on_board {
            return false;
        }
        let mut screens = self.stack.iter_mut().rev();
        let context = &self.context;
        screens.any(|screen| screen.point(Gesture::Leave, at, Rect::ZERO, context).is_some())
    }

    fn click(&mut self, target: Target) -> Option<Vec<Act>> {
        let top = self.stack.last_mut()?;
        match target {
            Target::Action(action) => self.perform(action),
            // Typed text belongs to the entry under the cursor, so the cursor stays.
            Target::Entry(..) if top.takes_text() => None,
            Target::Entry(entry, action) => {
                top.go_to_entry(entry, &self.context);
                Some(action.and_then(|action| self.perform(action)).unwrap_or_default())
            }
            Target::Message => top.dismiss().then(Vec::new),
            Target::Board => None,
        }
    }
}
