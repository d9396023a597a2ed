//! What keys mean, and the line at the bottom that names the live ones.

use crate::board::{Direction, Hint, Press, Skin};
use crate::scene::Role;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// A key as boards, lists and forms understand it. `None` for keys that are text or commands.
pub(super) fn press(key: &KeyEvent) -> Option<Press> {
    if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
        return None;
    }
    Some(match key.code {
        KeyCode::Left | KeyCode::Char('h') => Press::Arrow(Direction::Left),
        KeyCode::Down | KeyCode::Char('j') => Press::Arrow(Direction::Down),
        KeyCode::Up | KeyCode::Char('k') => Press::Arrow(Direction::Up),
        KeyCode::Right | KeyCode::Char('l') => Press::Arrow(Direction::Right),
        KeyCode::Enter | KeyCode::Char(' ') => Press::Choose,
        KeyCode::Esc => Press::Back,
        KeyCode::BackTab => Press::Previous,
        KeyCode::Tab if key.modifiers.contains(KeyModifiers::SHIFT) => Press::Previous,
        KeyCode::Tab => Press::Next,
        KeyCode::Char(digit @ '0'..='9') => Press::Digit(digit as u8 - b'0'),
        _ => return None,
    })
}

/// Whether the key is this letter with Control.
pub(super) fn is_control(key: &KeyEvent, letter: char) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char(letter)
}

/// Where a key leads to in a list of `length` entries, of which a page is seen at once; `None` if it
/// leads nowhere.
pub(super) fn walk(at: usize, length: usize, page: usize, key: &KeyEvent) -> Option<usize> {
    let page = page.max(1);
    let to = match (key.code, press(key)) {
        (KeyCode::Home | KeyCode::Char('g'), _) => 0,
        (KeyCode::End | KeyCode::Char('G'), _) => length,
        (KeyCode::PageUp, _) => at.saturating_sub(page),
        (KeyCode::PageDown, _) => at + page,
        (_, Some(press @ Press::Arrow(Direction::Up | Direction::Down))) => step(at, length, press),
        _ => return None,
    };
    Some(to.min(length.saturating_sub(1)))
}

/// Moves along a list of `length` entries, which ends at its ends.
pub(super) fn step(at: usize, length: usize, press: Press) -> usize {
    match press {
        Press::Arrow(Direction::Up) => at.saturating_sub(1),
        Press::Arrow(Direction::Down) => (at + 1).min(length.saturating_sub(1)),
        Press::Next => (at + 1) % length.max(1),
        Press::Previous => (at + length.max(1) - 1) % length.max(1),
        _ => at,
    }
}

/// The screen without its last line, and that line.
pub(super) const fn split_footer(area: Rect) -> (Rect, Rect) {
    let body = Rect { height: area.height - 1, ..area };
    (body, Rect { y: area.y + body.height, height: 1, ..area })
}

/// Names the live keys. Where not all fit, those in the middle are left out: the first are the most
/// important, and the last two, help and the way out, must always be there. Enter stays longer than
/// arrows, of which everybody thinks.
pub(super) fn draw_footer(hints: &[Hint], skin: Skin, area: Rect, buffer: &mut Buffer) {
    let gap = 2;
    let text = |(key, does): &Hint| {
        (*key, if does.is_empty() { String::new() } else { format!(" {does}") })
    };
    let width = |hints: &[Hint]| -> usize {
        hints.iter().map(|hint| text(hint).0.len() + text(hint).1.len() + gap).sum::<usize>() - gap
    };
    let room = area.width as usize;
    let mut shown = hints.to_vec();
    if let Some((_, does)) = shown.iter_mut().find(|(key, _)| *key == "?")
        && width(hints) > room
    {
        // What a question mark does is known.
        *does = "";
    }
    while shown.len() > 1 && width(&shown) > room {
        let middle = shown.len().saturating_sub(2);
        let last = shown[..middle].iter().rposition(|(key, _)| *key != "Enter").unwrap_or(0);
        match &mut shown[last] {
            (key, does) if *key == "arrows" && !does.is_empty() => *does = "",
            _ => drop(shown.remove(last)),
        }
    }
    let mut x = area.x + u16::from(width(&shown) < room);
    for hint in &shown {
        let (key, does) = text(hint);
        let room = area.right().saturating_sub(x) as usize;
        (x, _) = buffer.set_stringn(x, area.y, key, room, skin.style(Role::Key));
        let room = area.right().saturating_sub(x) as usize;
        (x, _) = buffer.set_stringn(x, area.y, does, room, skin.dim());
        x += gap as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footer(width: u16) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, 1));
        let hints =
            [("arrows", "move"), ("Enter", "draw"), ("u", "undo"), ("?", "help"), ("q", "leave")];
        draw_footer(&hints, Skin::default(), buffer.area, &mut buffer);
        buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn help_and_the_way_out_are_named_at_every_width() {
        assert_eq!(footer(60).trim(), "arrows move  Enter draw  u undo  ? help  q leave");
        assert_eq!(footer(45).trim(), "arrows move  Enter draw  u undo  ?  q leave");
        assert_eq!(footer(40).trim(), "arrows move  Enter draw  ?  q leave");
        assert_eq!(footer(34).trim(), "arrows  Enter draw  ?  q leave");
        assert_eq!(footer(29).trim(), "Enter draw  ?  q leave");
        assert_eq!(footer(20).trim(), "?  q leave");
        assert_eq!(footer(10), "?  q leave");
        footer(1);
    }
}
