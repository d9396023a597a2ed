//! The progress of a tournament: games played, speed, and remaining time.

use crate::tui::{Canvas, bar, text};
use crate::view::{TournamentPace, TournamentView};
use ratatui::layout::Rect;

/// The minimum and maximum width of the bar, in columns.
const BAR: (u16, u16) = (8, 40);
const GAP: u16 = 3;

pub(super) fn draw(view: &TournamentView, pace: &TournamentPace, area: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    let digits = view.games.to_string().len();
    let games = if area.width < 60 { "" } else { " games" };
    // The texts in screen order, each with its priority; 0 is the highest priority.
    let texts = [
        (0, Some(format!("{:>3} %", view.percent()))),
        (2, Some(format!("{:>digits$} of {}{games}", view.finished.len(), view.games))),
        (1, pace.left.clone()),
        (3, pace.speed.clone()),
    ];
    let mut room = area.width.saturating_sub(BAR.0);
    let mut shown = [false; 4];
    for rank in 0..texts.len() {
        let Some(at) = texts.iter().position(|(other, _)| *other == rank) else { continue };
        let width = texts[at].1.as_ref().map_or(0, |text| text::width(text) as u16 + GAP);
        if width > room {
            break;
        }
        room -= width;
        shown[at] = true;
    }
    // The bar takes at most a third of the line, so its width does not depend on the texts.
    let bar_width = (BAR.0 + room).min(BAR.1).min((area.width / 3).max(BAR.0)).min(area.width);
    let line = Rect { width: bar_width, height: 1, ..area };
    let part =
        bar::BarSegment { amount: view.finished.len() as u32, ink: skin.strong(), letter: None };
    bar::draw(&[part], view.games as u32, skin, line, canvas.buffer);
    let mut x = line.right() + GAP - 1;
    for (text, _) in texts.iter().zip(shown).filter(|(_, shown)| *shown) {
        let Some(words) = &text.1 else { continue };
        let style = if text.0 == 0 { skin.strong() } else { skin.dim() };
        let spare = area.right().saturating_sub(x).into();
        x = canvas.put((x, area.y), words, spare, style);
        x += GAP;
    }
}
