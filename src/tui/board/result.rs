//! Draws the result of a match on a card in the winner's color.

use super::{draw_scores, seats};
use crate::tui::{Canvas, cut, large, text};
use crate::view::{BoardView, ResultView, Series};
use quadrille_puzzles::TryMark;
use quadrille_scene::{Glyphs, Role, SeatRole};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// The minimum height left for a menu below the card, in rows.
const MENU: u16 = 11;
/// The maximum height of the reason for the result, in rows.
const HOW: u16 = 3;
/// The minimum height of the area for a large score, in rows.
const MIN_HEIGHT_FOR_LARGE: u16 = 18;
/// The maximum number of lines of a large headline.
const HEADLINE: usize = 2;

/// The form of a card: the lines of the headline if it is large, and whether the score is.
struct CardForm {
    headline: Option<Vec<String>>,
    has_large_score: bool,
}

impl CardForm {
    /// Returns the rows of the headline.
    fn headline_rows(&self) -> u16 {
        self.headline.as_ref().map_or(1, |lines| lines.len() as u16 * large::height(1))
    }

    /// Returns the rows between the headline and the score. A large headline has half a row of its own below it.
    const fn gap(&self) -> u16 {
        if self.headline.is_some() && !self.has_large_score { 0 } else { 1 }
    }

    const fn score_rows(&self) -> u16 {
        self.gap() + if self.has_large_score { large::height(1) } else { 1 }
    }
}

/// Draws the result at the top of an area and returns the rest of the area, for a menu.
pub(super) fn draw(
    view: &BoardView<'_>,
    result: &ResultView,
    area: Rect,
    canvas: &mut Canvas<'_>,
) -> Rect {
    let mut rest = area;
    let sum: u32 = view.seats.iter().filter_map(|seat| seat.score).sum();
    let has_bar = sum > 0 && !result.is_of_puzzles();
    let has_seats = view.seats.len() > 2 && view.seats.iter().any(|seat| seat.score.is_some());
    let series_rows = u16::from(view.series.is_some());
    let seat_rows = if has_seats { view.seats.len() as u16 } else { 0 };
    let below = u16::from(has_bar) + seat_rows + series_rows + MENU;
    draw_headline(view, result, below, &mut rest, canvas);
    if has_bar && rest.height > MENU {
        draw_scores(view, sum, cut(&mut rest, 1), canvas);
    }
    if has_seats {
        let rows = seats::draw(view, area.height, rest, canvas);
        cut(&mut rest, rows);
    }
    let air = u16::from(rest.height > MENU + series_rows);
    cut(&mut rest, air);
    if let Some(Series { wins, draws }) = &view.series {
        draw_series(view, wins, *draws, cut(&mut rest, 1), canvas);
        let air = u16::from(rest.height > MENU);
        cut(&mut rest, air);
    }
    rest
}

/// Draws the winner, the reason and, for two seats, the score. A large headline leaves `below` rows free.
fn draw_headline(
    view: &BoardView<'_>,
    result: &ResultView,
    below: u16,
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
    let number = result.number.map(|number| number.to_string());
    let has_score = pair.is_some() || number.is_some();
    let answer_rows = u16::from(!result.answers.is_empty());
    let width = rest.width.saturating_sub(3);
    let why = |rows: u16| -> Vec<String> {
        let how = result.how.iter();
        how.flat_map(|how| text::wrap(how, width.into(), rows.into(), skin)).collect()
    };
    let rows = |form: &CardForm| {
        form.headline_rows() + answer_rows + if has_score { form.score_rows() } else { 0 } + 2
    };
    let can_be_large = rest.height >= MIN_HEIGHT_FOR_LARGE && skin.glyphs().halves.is_some();
    // In a puzzle, the number is large, not the headline.
    let lines = large::lines(&result.headline, width, HEADLINE, skin);
    let lines = lines.filter(|_| !result.is_of_puzzles());
    let large = lines.iter().flat_map(|lines| {
        [true, false]
            .map(|has_large_score| CardForm { headline: Some(lines.clone()), has_large_score })
    });
    let room = rest.height.saturating_sub(below + why(HOW).len() as u16);
    let form = large.into_iter().find(|form| rows(form) <= room);
    let plain = |has_large_score| CardForm { headline: None, has_large_score };
    // The reason for the end of a rush matters more than a large number.
    let has_room = !result.is_of_puzzles() || rows(&plain(true)) <= room;
    let form = form.unwrap_or(plain(can_be_large && has_room));
    // The reason is truncated only if the menu needs the space.
    let room = rest.height.saturating_sub(rows(&form) + MENU).clamp(1, HOW);
    let how = why(room);
    let mut card = cut(rest, rows(&form) + how.len() as u16);
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
    let mut place = cut(&mut card, form.headline_rows());
    match &form.headline {
        Some(lines) => {
            for line in lines {
                large::draw(line, 1, bold, cut(&mut place, large::height(1)), canvas);
            }
        }
        None => {
            canvas.row(place).put(&result.headline, bold);
        }
    }
    if answer_rows > 0 {
        draw_answers(&result.answers, cut(&mut card, 1), canvas);
    }
    for how in &how {
        canvas.row(cut(&mut card, 1)).put(how, dim);
    }
    if has_score {
        cut(&mut card, form.gap());
        let place = cut(&mut card, form.score_rows() - form.gap());
        let has_room = place.height + form.gap() == form.score_rows();
        draw_score(number, pair, form.has_large_score && has_room, place, [bold, dim], canvas);
    }
}

/// Draws the number of a puzzle or the score of two seats, the first one in bold.
fn draw_score(
    number: Option<String>,
    pair: Option<(u32, u32)>,
    is_large: bool,
    place: Rect,
    [bold, dim]: [Style; 2],
    canvas: &mut Canvas<'_>,
) {
    if let Some(number) = number {
        if is_large {
            large::draw(&number, 1, bold, place, canvas);
        } else {
            canvas.row(place).put(&number, bold);
        }
        return;
    }
    let Some((first, second)) = pair.filter(|_| !place.is_empty()) else { return };
    let level = if first == second { bold } else { dim };
    let [first, second] = [first, second].map(|score| score.to_string());
    let last = Rect { y: place.bottom() - 1, height: 1, ..place };
    if !is_large {
        canvas.row(last).put(&first, bold).skip(2).put("to", dim).skip(2).put(&second, level);
        return;
    }
    let width = large::width(&first, 1);
    large::draw(&first, 1, bold, place, canvas);
    canvas.row(last).skip(width + 2).put("to", dim);
    let used = width + 2 + 2 + 2;
    let behind = Rect { x: place.x + used, width: place.width.saturating_sub(used), ..place };
    large::draw(&second, 1, level, behind, canvas);
}

/// Draws a mark for each answer, or only for the last ones if they do not all fit.
fn draw_answers(answers: &[TryMark], line: Rect, canvas: &mut Canvas<'_>) {
    let skin = canvas.skin;
    let is_ascii = *skin.glyphs() != Glyphs::FULL;
    let hidden = answers.len().saturating_sub(line.width.into());
    let mut row = canvas.row(line);
    for mark in &answers[hidden..] {
        let role = match mark {
            TryMark::Right => Role::Good,
            TryMark::Wrong => Role::Wrong,
            TryMark::Skipped | TryMark::Hint => Role::Dim,
        };
        row = row.put(&mark.letter(is_ascii).to_string(), skin.style(role));
    }
}

/// Draws the score of a series in one line, with names if they fit, if need be without a label, and with marks
/// otherwise.
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
    let names_width = width + drawn.len();
    let has_names = names_width <= area.width.into();
    let has_label = !has_names || label.len() + 2 + names_width <= area.width.into();
    let mut row = canvas.row(area);
    if has_label {
        row = row.put(label, skin.dim()).skip(2);
    }
    for ((seat, wins), name) in all().zip(names) {
        let short = || won(&seat.mark.to_string(), wins);
        let text = if has_names { name } else { short() };
        row = row.put(&text, skin.seat(seat.seat)).skip(2);
    }
    row.put(&drawn, skin.dim());
}
