//! Draws the result of a match on a card in the winner's colour.

use super::{draw_scores, seats};
use crate::tui::{Canvas, cut, digits, text};
use crate::view::{BoardView, ResultView, Series};
use quadrille_scene::{Role, SeatRole};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// The minimum height left for a menu below the card, in rows.
const MENU: u16 = 8;
/// The maximum height of the reason for the result, in rows.
const HOW: u16 = 3;
const MIN_HEIGHT_FOR_LARGE: u16 = 18;

/// Draws the result at the top of an area and returns the rest of the area, for a menu.
pub(super) fn draw(
    view: &BoardView<'_>,
    result: &ResultView,
    area: Rect,
    canvas: &mut Canvas<'_>,
) -> Rect {
    let mut rest = area;
    draw_headline(view, result, &mut rest, canvas);
    let sum: u32 = view.seats.iter().filter_map(|seat| seat.score).sum();
    if sum > 0 && !result.is_of_puzzles() && rest.height > MENU {
        draw_scores(view, sum, cut(&mut rest, 1), canvas);
    }
    if view.seats.len() > 2 && view.seats.iter().any(|seat| seat.score.is_some()) {
        let rows = seats::draw(view, area.height, rest, canvas);
        cut(&mut rest, rows);
    }
    let air = u16::from(rest.height > MENU);
    cut(&mut rest, air);
    if let Some(Series { wins, draws }) = &view.series {
        draw_series(view, wins, *draws, cut(&mut rest, 1), canvas);
        cut(&mut rest, air);
    }
    rest
}

/// Draws the winner, the reason and, for two seats, the score.
fn draw_headline(
    view: &BoardView<'_>,
    result: &ResultView,
    rest: &mut Rect,
    canvas: &mut Canvas<'_>,
) {
    let skin = canvas.skin;
    // The winner's score comes first.
    let pair = match &*view.seats {
        _ if result.is_of_puzzles() => None,
        [one, other] if result.winner == Some(other.seat) => other.score.zip(one.score),
        [one, other] => one.score.zip(other.score),
        _ => None,
    };
    let is_large = rest.height >= MIN_HEIGHT_FOR_LARGE && skin.glyphs().halves.is_some();
    let pair_rows = if is_large { digits::height(1) } else { 1 };
    let number = result.number.map(|number| number.to_string());
    let score_rows = if pair.is_some() || number.is_some() { 1 + pair_rows } else { 0 };
    let answer_rows = u16::from(!result.answers.is_empty());
    // The reason is truncated only if the menu needs the space.
    let room = rest.height.saturating_sub(3 + score_rows + answer_rows + MENU).clamp(1, HOW);
    let width = usize::from(rest.width.saturating_sub(3));
    let how = result.how.iter().flat_map(|how| text::wrap(how, width, room.into(), skin));
    let how: Vec<String> = how.collect();
    let mut card = cut(rest, 3 + score_rows + answer_rows + how.len() as u16);
    let roles = match result.winner {
        Some(seat) => {
            [SeatRole::Card, SeatRole::CardInk, SeatRole::CardDim].map(|role| Role::Of(role, seat))
        }
        None => [Role::Panel, Role::Strong, Role::Dim],
    };
    let [background, ink, dim] = roles.map(|role| skin.style(role));
    canvas.buffer.set_style(card, Style { bg: background.bg, ..Style::new() });
    if !skin.theme().paints() {
        canvas.edge(card, ink);
    }
    let bold = ink.add_modifier(Modifier::BOLD);
    cut(&mut card, 1);
    card = Rect { x: card.x + 2, width: card.width.saturating_sub(3), ..card };
    canvas.row(cut(&mut card, 1)).put(&result.headline, bold);
    if answer_rows > 0 {
        draw_answers(&result.answers, cut(&mut card, 1), canvas);
    }
    for how in &how {
        canvas.row(cut(&mut card, 1)).put(how, dim);
    }
    if let Some(number) = number {
        cut(&mut card, 1);
        let place = cut(&mut card, pair_rows);
        if is_large && place.height == pair_rows {
            digits::draw(&number, 1, bold, place, canvas);
        } else {
            canvas.row(place).put(&number, bold);
        }
        return;
    }
    let Some((first, second)) = pair else { return };
    cut(&mut card, 1);
    let place = cut(&mut card, pair_rows);
    if place.height < pair_rows {
        return;
    }
    let level = if first == second { bold } else { dim };
    let [first, second] = [first, second].map(|score| score.to_string());
    let last = Rect { y: place.bottom() - 1, height: 1, ..place };
    if !is_large {
        canvas.row(last).put(&first, bold).skip(2).put("to", dim).skip(2).put(&second, level);
        return;
    }
    let width = digits::width(&first, 1);
    digits::draw(&first, 1, bold, place, canvas);
    canvas.row(last).skip(width + 2).put("to", dim);
    let used = width + 2 + 2 + 2;
    let behind = Rect { x: place.x + used, width: place.width.saturating_sub(used), ..place };
    digits::draw(&second, 1, level, behind, canvas);
}

/// Draws a mark for each answer, or only for the last ones if they do not all fit.
fn draw_answers(answers: &[bool], line: Rect, canvas: &mut Canvas<'_>) {
    let skin = canvas.skin;
    let [right, wrong] = skin.glyphs().answers;
    let hidden = answers.len().saturating_sub(line.width.into());
    let mut row = canvas.row(line);
    for &is_right in &answers[hidden..] {
        let (mark, role) = if is_right { (right, Role::Good) } else { (wrong, Role::Wrong) };
        row = row.put(&mark.to_string(), skin.style(role));
    }
}

/// Draws the score of a series in one line, with names if they fit and with marks otherwise.
fn draw_series(
    view: &BoardView<'_>,
    wins: &[u32],
    draws: u32,
    area: Rect,
    canvas: &mut Canvas<'_>,
) {
    let skin = canvas.skin;
    let label = "series";
    let drawn = if draws == 0 { String::new() } else { format!("drawn {draws}") };
    let won = |name: &str, wins: &u32| format!("{name} {wins}");
    let all = || view.seats.iter().zip(wins);
    let names: Vec<String> = all().map(|(seat, wins)| won(&seat.name, wins)).collect();
    let width: usize = names.iter().map(|text| text::width(text) + 2).sum();
    let has_names = label.len() + width + 2 + drawn.len() <= area.width.into();
    let mut row = canvas.row(area).put(label, skin.dim());
    for ((seat, wins), name) in all().zip(names) {
        let short = || won(&seat.mark.to_string(), wins);
        let text = if has_names { name } else { short() };
        row = row.skip(2).put(&text, skin.seat(seat.seat));
    }
    row.skip(2).put(&drawn, skin.dim());
}
