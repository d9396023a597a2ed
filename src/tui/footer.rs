//! The footer, which shows the keys that currently work.

use super::targets::{Target, Targets};
use super::{Canvas, text};
use crate::action::{Action, KeyHint, Keymap};
use quadrille_rules::Seat;
use quadrille_scene::Role;
use ratatui::layout::Rect;

/// Splits the screen into its body and the footer, its last line.
pub const fn split(area: Rect) -> (Rect, Rect) {
    let body = Rect { height: area.height - 1, ..area };
    (body, Rect { y: area.y + body.height, height: 1, ..area })
}

/// Cuts the last line off the body, for a note above the footer.
pub const fn cut_line(body: &mut Rect) -> Rect {
    let (rest, line) = split(*body);
    *body = rest;
    line
}

pub fn draw_note(words: &str, line: Rect, canvas: &mut Canvas) {
    let style = canvas.skin.strong();
    canvas.row(line).skip(MARGIN.min(line.width)).put(words, style);
}

/// Draws the key hints. If they do not all fit, hints in the middle are dropped: the first hints are the most
/// important, and the last two, help and exit, always stay. The well-known arrows are dropped before Enter, and the
/// answers to a question are dropped last.
pub fn draw(hints: &[KeyHint], keys: &Keymap, area: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    let mut x = area.x + MARGIN.min(area.width);
    let room = |x: u16| area.right().saturating_sub(x) as usize;
    for hint in &fit(hints, keys, room(x).saturating_sub(1)) {
        let (key, label) = texts(hint, keys);
        let begin = x;
        (x, _) = canvas.buffer.set_stringn(x, area.y, key, room(x), skin.style(Role::Key));
        (x, _) = canvas.buffer.set_stringn(x, area.y, label, room(x), skin.dim());
        note_targets(hint, keys, Rect { x: begin, width: x - begin, ..area }, canvas.targets);
        x += GAP;
    }
}

/// Draws the name of the player whose keys the footer shows. Returns the area after the name.
pub fn draw_name(name: &str, seat: Seat, area: Rect, canvas: &mut Canvas) -> Rect {
    let name = text::fit(name, NAME, canvas.skin);
    let (x, ink) = (area.x + MARGIN.min(area.width), canvas.skin.seat(seat));
    let room = area.right().saturating_sub(x) as usize;
    let (end, _) = canvas.buffer.set_stringn(x, area.y, name, room, ink);
    Rect { x: end, width: area.right() - end, ..area }
}

/// Makes each action clickable at its key. Keys that share a name, like the arrows, are not clickable.
fn note_targets(hint: &KeyHint, keys: &Keymap, area: Rect, targets: &Targets) {
    let names: Vec<String> = hint.actions.iter().map(|action| keys.name(*action)).collect();
    if names.join("/") != keys.label(hint.actions) {
        return;
    }
    let mut x = area.x;
    // A click on the text after the keys performs the first action.
    targets.note(area, Target::Action(hint.actions[0]));
    for (action, name) in hint.actions.iter().zip(names) {
        let width = text::width(&name) as u16;
        targets.note(Rect { x, width, ..area }.intersection(area), Target::Action(*action));
        x += width + 1;
    }
}

const MARGIN: u16 = 2;

/// The maximum width of the name before the hints, in columns.
const NAME: usize = 12;

const GAP: u16 = 2;

/// Returns the keys of a hint and the text after them.
fn texts(hint: &KeyHint, keys: &Keymap) -> (String, String) {
    let label = if hint.label.is_empty() { String::new() } else { format!(" {}", hint.label) };
    (keys.label(hint.actions), label)
}

/// Returns the width of hints with these widths of their keys.
fn width(hints: &[(KeyHint, usize)]) -> usize {
    let label = |label: &str| if label.is_empty() { 0 } else { 1 + text::width(label) };
    let widths = hints.iter().map(|(hint, key)| key + label(hint.label));
    widths.sum::<usize>() + hints.len().saturating_sub(1) * usize::from(GAP)
}

/// Nonessential actions, dropped first.
const EXTRA: [Action; 3] = [Action::NextTheme, Action::Type, Action::Next];

/// Returns the hints that fit, some without their text.
fn fit(hints: &[KeyHint], keys: &Keymap, room: usize) -> Vec<KeyHint> {
    let keyed = hints.iter().map(|hint| (*hint, text::width(&keys.label(hint.actions))));
    let mut shown: Vec<(KeyHint, usize)> = keyed.filter(|(_, key)| *key > 0).collect();
    let is_too_wide = |shown: &[(KeyHint, usize)]| shown.len() > 1 && width(shown) > room;
    // The question mark, the arrows and the slash need no text.
    let forget_word = |shown: &mut [(KeyHint, usize)], is_known: fn(&KeyHint) -> bool| {
        if is_too_wide(shown)
            && let Some((hint, _)) = shown.iter_mut().find(|(hint, _)| is_known(hint))
        {
            hint.label = "";
        }
    };
    forget_word(&mut shown, |hint| hint.names(Action::Help));
    for action in EXTRA {
        if is_too_wide(&shown) {
            shown.retain(|(hint, _)| !hint.names(action));
        }
    }
    forget_word(&mut shown, KeyHint::is_about_arrows);
    forget_word(&mut shown, |hint| hint.names(Action::Find));
    while is_too_wide(&shown) {
        let middle = shown.len().saturating_sub(2);
        let stays = [Action::Choose, Action::Agree, Action::Refuse];
        let goes = |(hint, _): &(KeyHint, usize)| !stays.iter().any(|action| hint.names(*action));
        let last = shown[..middle].iter().rposition(goes).unwrap_or(middle.saturating_sub(1));
        shown.remove(last);
    }
    shown.into_iter().map(|(hint, _)| hint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::ARROWS;
    use crate::tui::RenderFeedback;
    use crate::tui::images::BoardImages;
    use quadrille_scene::Skin;
    use quadrille_scene::cells::BoardOnScreen;
    use ratatui::buffer::Buffer;

    fn footer(width: u16) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, 1));
        let hints = [
            KeyHint::new(ARROWS, "move"),
            Action::Choose.to("draw"),
            Action::Undo.hint(),
            Action::Help.hint(),
            Action::Leave.hint(),
        ];
        let (targets, feedback) = (&Targets::default(), &RenderFeedback::default());
        let (board, images) = (&BoardOnScreen::default(), &BoardImages::default());
        let (area, skin) = (buffer.area, Skin::default());
        let mut canvas = Canvas { skin, targets, feedback, board, images, buffer: &mut buffer };
        draw(&hints, &Keymap::default(), area, &mut canvas);
        buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn footer_keeps_help_and_leave_as_it_narrows() {
        assert_eq!(footer(51).trim_end(), "  arrows move  Enter draw  u undo  ? help  q leave");
        assert_eq!(footer(46).trim_end(), "  arrows move  Enter draw  u undo  ?  q leave");
        assert_eq!(footer(45).trim_end(), "  arrows  Enter draw  u undo  ?  q leave");
        assert_eq!(footer(34).trim_end(), "  arrows  Enter draw  ?  q leave");
        assert_eq!(footer(30).trim_end(), "  Enter draw  ?  q leave");
        assert_eq!(footer(20).trim_end(), "  ?  q leave");
        assert_eq!(footer(13), "  ?  q leave ");
        footer(1);
    }
}
