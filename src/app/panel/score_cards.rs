//! A card for each seat: its name, score and clock, and whether it is to move.

use super::digits;
use crate::app::open_match::MatchView;
use crate::app::text;
use crate::board::Skin;
use crate::rules::Seat;
use crate::scene::{Role, SeatRole};
use crate::session;
use crate::words::Caption;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// The columns at the right of the second line that are kept for a clock.
const CLOCK: u16 = 8;
/// The columns of the note behind the score where a card is one line.
const NOTE: u16 = 9;
/// How many fewer rows the cards leave free if they show clocks.
const FOR_CLOCKS: u16 = 2;
/// From this width on, digits are twice as large.
const LARGEST_FROM: u16 = 40;

/// How large cards are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CardForm {
    /// The score and the clock in large digits, each dot this many columns wide.
    Digits(u16),
    /// The same in the smallest digits, right below the name.
    TightDigits,
    /// Two lines, with half a line of background above and below.
    Padded,
    /// Two lines, with an empty line between the cards.
    Apart,
    /// Two lines.
    Two,
    /// All in one line.
    One,
}

impl CardForm {
    /// The rows that a card takes, with the gap to the next.
    const fn rows(self) -> u16 {
        match self {
            CardForm::Digits(scale) => 4 + digits::height(scale),
            CardForm::TightDigits => 3 + digits::height(1),
            CardForm::Padded => 4,
            CardForm::Apart => 3,
            CardForm::Two => 2,
            CardForm::One => 1,
        }
    }

    /// The largest form in which all cards leave `others` rows of the panel free.
    fn fitting(shown: MatchView<'_>, others: u16, skin: Skin, area: Rect) -> CardForm {
        let game = shown.game;
        let has_clock = shown.time(Seat::FIRST).is_some();
        let has_digits = has_clock || game.scores().is_some();
        let has_halves = skin.glyphs().halves.is_some();
        let digits = |scale| (has_digits && has_halves).then_some(CardForm::Digits(scale));
        let tight = has_clock && has_halves;
        let padded = has_halves && skin.theme().paints();
        let forms = [
            digits(2).filter(|_| area.width >= LARGEST_FROM),
            digits(1).filter(|_| area.height >= 24),
            tight.then_some(CardForm::TightDigits),
            padded.then_some(CardForm::Padded),
            Some(CardForm::Apart),
            Some(CardForm::Two),
        ];
        let others = if has_clock { others.saturating_sub(FOR_CLOCKS) } else { others };
        let room = area.height.saturating_sub(others);
        let fits = |form: &CardForm| form.rows() * u16::from(game.seats()) <= room;
        forms.into_iter().flatten().find(fits).unwrap_or(CardForm::One)
    }
}

/// The styles of a card.
struct CardStyles {
    background: Style,
    dim: Style,
    ink: Style,
}

impl CardStyles {
    fn of(seat: Seat, stands_out: bool, skin: Skin) -> CardStyles {
        let of_seat = |role| skin.style(Role::Of(role, seat));
        let paint = |role: SeatRole, other: Role| {
            if stands_out { of_seat(role) } else { skin.style(other) }
        };
        CardStyles {
            background: paint(SeatRole::Card, Role::Panel),
            dim: paint(SeatRole::CardDim, Role::Dim).remove_modifier(Modifier::BOLD),
            ink: paint(SeatRole::CardInk, Role::Of(SeatRole::Ink, seat)),
        }
    }
}

/// The card of a seat.
struct Card<'a> {
    shown: MatchView<'a>,
    seat: Seat,
    score: Option<u32>,
    /// Its clock, as text.
    time: Option<String>,
    note: &'a str,
    /// `to move`, or how the seat did when the match is over; may be empty.
    turn: &'static str,
    /// Whether the card stands out.
    stands_out: bool,
    styles: CardStyles,
    /// The columns of the mark and the score, the same on all cards.
    lead: u16,
}

/// Draws a card for each seat from the top of an area, keeping `others` rows of it free. Returns how many
/// rows the cards take.
pub(super) fn draw(
    shown: MatchView<'_>,
    caption: &Caption,
    others: u16,
    skin: Skin,
    area: Rect,
    buffer: &mut Buffer,
) -> u16 {
    let game = shown.game;
    let scores = game.scores();
    let widest = scores.iter().flatten().map(|score| score.to_string().len()).max();
    let lead = widest.unwrap_or(1).max(2) as u16 + 1;
    let form = CardForm::fitting(shown, others, skin, area);
    let mut y = area.y;
    for seat in shown.seats() {
        let room = Rect { y, height: form.rows(), ..area }.intersection(area);
        if room.is_empty() {
            break;
        }
        let moves_next = game.to_move() == Some(seat) && !shown.is_live();
        let turn = if moves_next { "next" } else { session::standing(game, seat) };
        let stands_out = !turn.is_empty() && !moves_next;
        let card = Card {
            shown,
            seat,
            score: scores.as_ref().and_then(|scores| scores.get(seat.index()).copied()),
            time: shown.time(seat),
            note: caption.seats.get(seat.index()).map_or("", String::as_str),
            turn,
            stands_out,
            styles: CardStyles::of(seat, stands_out, skin),
            lead,
        };
        card.draw(form, skin, room, buffer);
        y += form.rows();
    }
    y.min(area.bottom()) - area.y
}

impl Card<'_> {
    fn draw(&self, form: CardForm, skin: Skin, area: Rect, buffer: &mut Buffer) {
        if form == CardForm::One {
            return self.draw_in_one_line(skin, area, buffer);
        }
        let padded = matches!(form, CardForm::Padded | CardForm::Digits(_) | CardForm::TightDigits);
        let (above, below) = (u16::from(padded), u16::from(form != CardForm::Two));
        let inner =
            Rect { y: area.y + above, height: area.height.saturating_sub(above + below), ..area };
        if let (true, Some([_, lower, _])) = (padded, skin.glyphs().halves) {
            self.pad(lower, area.y, area, buffer);
        }
        self.lay(skin, inner, buffer);
        self.draw_name(skin, inner, buffer);
        match form {
            CardForm::Digits(scale) => self.draw_digits(scale, skin, inner, buffer),
            CardForm::TightDigits => self.draw_digits(1, skin, inner, buffer),
            _ => self.draw_score(
                skin,
                Rect { y: inner.y + 1, height: 1, ..inner }.intersection(inner),
                buffer,
            ),
        }
        if let (true, Some([upper, ..])) = (padded, skin.glyphs().halves) {
            self.pad(upper, area.bottom() - 1, area, buffer);
        }
    }

    /// Draws half a line of the card's background.
    fn pad(&self, half: char, y: u16, area: Rect, buffer: &mut Buffer) {
        let Some(background) = self.styles.background.bg else { return };
        for x in area.x..area.right() {
            buffer[(x, y)].set_char(half).set_fg(background);
        }
    }

    /// Draws the background, and the edge in the seat's colour.
    fn lay(&self, skin: Skin, area: Rect, buffer: &mut Buffer) {
        buffer.set_style(area, self.styles.background);
        for y in area.top()..area.bottom() {
            buffer[(area.x, y)].set_char(skin.glyphs().edge).set_style(skin.seat(self.seat));
        }
    }

    fn draw_name(&self, skin: Skin, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let ink = self.styles.ink.add_modifier(Modifier::BOLD);
        let mark = self.shown.game.now().mark(self.seat).to_string();
        buffer.set_stringn(area.x + 2, area.y, mark, 1, ink);
        let from = area.x + 2 + self.lead;
        let name = self.shown.name(self.seat);
        let room = |turn: &str| area.right().saturating_sub(from + turn.chars().count() as u16 + 2);
        // Beside a long name there is only room for a mark.
        let mark = skin.glyphs().turn.to_string();
        let fits = text::width(name) <= usize::from(room(self.turn));
        let turn = if fits || self.turn.is_empty() { self.turn } else { &*mark };
        let x = area.right().saturating_sub(turn.chars().count() as u16 + 1);
        buffer.set_string(x, area.y, turn, self.styles.ink);
        let weight = if self.stands_out { Modifier::BOLD } else { Modifier::empty() };
        let style = self.styles.background.add_modifier(weight);
        text::put((from, area.y), name, room(turn).into(), style, skin, buffer);
    }

    fn draw_score(&self, skin: Skin, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let score = self.score.map_or(String::new(), |score| score.to_string());
        let ink = self.styles.ink.add_modifier(Modifier::BOLD);
        buffer.set_stringn(area.x + 2, area.y, score, self.lead.into(), ink);
        let x = area.x + 2 + self.lead;
        let room = area.right().saturating_sub(x + CLOCK);
        text::put((x, area.y), self.note, room.into(), self.styles.dim, skin, buffer);
        if let Some(time) = &self.time {
            self.draw_time(time, area, buffer);
        }
    }

    /// The style of the clock; the running one stands out.
    fn time_ink(&self) -> Style {
        match self.shown.game.to_move() {
            Some(seat) if seat == self.seat => self.styles.ink.add_modifier(Modifier::BOLD),
            _ => self.styles.dim,
        }
    }

    /// Draws the clock at the right end of a line.
    fn draw_time(&self, time: &str, line: Rect, buffer: &mut Buffer) {
        let x = line.right().saturating_sub(time.len() as u16 + 1).max(line.x);
        buffer.set_stringn(x, line.y, time, time.len(), self.time_ink());
    }

    fn draw_digits(&self, scale: u16, skin: Skin, area: Rect, buffer: &mut Buffer) {
        let Some([upper, lower, _]) = skin.glyphs().halves else { return };
        let glyphs = [upper, lower, skin.glyphs().bar];
        let rows = digits::height(scale).min(area.height);
        let place = Rect { y: area.bottom() - rows, height: rows, ..area };
        let last = Rect { y: area.bottom() - 1, height: 1, ..area };
        let (mut x, mut end) = (area.x + 2, area.right() - 1);
        if let Some(score) = self.score.map(|score| score.to_string()) {
            let place = Rect { x, width: end.saturating_sub(x), ..place };
            digits::draw(&score, scale, glyphs, self.styles.ink, place, buffer);
            x += digits::width(&score, scale) + 2;
        }
        if let Some(time) = &self.time {
            let width = digits::width(time, scale);
            if x + width <= end {
                let place = Rect { x: end - width, width, ..place };
                digits::draw(time, scale, glyphs, self.time_ink(), place, buffer);
                end -= width + 1;
            } else {
                self.draw_time(time, last, buffer);
                end = end.saturating_sub(time.len() as u16 + 1);
            }
        }
        let room = usize::from(end.saturating_sub(x));
        // A note that would be cut beside large digits is left out.
        if self.time.is_none() || text::width(self.note) <= room {
            text::put((x, last.y), self.note, room, self.styles.dim, skin, buffer);
        }
    }

    /// Draws all in one line: the mark of the turn, the seat's mark, the name, the score, and the clock or
    /// else the first words of the note.
    fn draw_in_one_line(&self, skin: Skin, area: Rect, buffer: &mut Buffer) {
        let area = Rect { height: 1, ..area };
        self.lay(skin, area, buffer);
        let ink = self.styles.ink.add_modifier(Modifier::BOLD);
        if !self.turn.is_empty() {
            buffer[(area.x + 1, area.y)].set_char(skin.glyphs().turn).set_style(ink);
        }
        let mark = self.shown.game.now().mark(self.seat).to_string();
        buffer.set_stringn(area.x + 2, area.y, mark, 1, ink);
        let note = self.note.split(',').next().unwrap_or_default();
        let x = area.right().saturating_sub(NOTE);
        if let Some(time) = &self.time {
            self.draw_time(time, area, buffer);
        } else {
            let room = usize::from(NOTE) - 1;
            text::put((x, area.y), note, room, self.styles.dim, skin, buffer);
        }
        let score = self.score.map_or(String::new(), |score| score.to_string());
        let x = x.saturating_sub(score.len() as u16 + 1);
        buffer.set_stringn(x, area.y, &score, score.len(), ink);
        let room = x.saturating_sub(area.x + 5);
        let name = self.shown.name(self.seat);
        text::put((area.x + 4, area.y), name, room.into(), self.styles.background, skin, buffer);
    }
}
