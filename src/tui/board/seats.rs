//! Draws the seats, one card per seat or all on one line.

use crate::tui::{Canvas, TextRow, large, text};
use crate::view::{BoardView, SeatTurn, SeatView};
use quadrille_scene::{Role, SeatRole, Skin};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// The columns reserved for a clock at the right end of the second line.
const CLOCK: u16 = 8;
/// The width of the note after the score on a one-line card, in columns.
const NOTE: u16 = 9;
/// The number of free rows that the cards give up to show clocks.
const FOR_CLOCKS: u16 = 2;
const MIN_WIDTH_FOR_LARGEST: u16 = 40;
/// The maximum width of a name if all seats share a line, in columns.
const NAME: u16 = 14;
const REPLAY: &str = "replay";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CardForm {
    /// The score and the clock in large digits, with dots this many columns wide.
    Digits(u16),
    /// The score and the clock in the smallest digits, directly below the name.
    TightDigits,
    /// Two lines, with half a line of background above and below them.
    Padded,
    /// Two lines, with an empty line between cards.
    Apart,
    Two,
    One,
}

impl CardForm {
    /// Returns the height, including the gap to the next card.
    const fn rows(self) -> u16 {
        match self {
            CardForm::Digits(scale) => 4 + large::height(scale),
            CardForm::TightDigits => 3 + large::height(1),
            CardForm::Padded => 4,
            CardForm::Apart => 3,
            CardForm::Two => 2,
            CardForm::One => 1,
        }
    }

    /// Returns the largest form in which the cards leave `others` rows of the panel free.
    fn fitting(seats: &[SeatView], others: u16, skin: Skin, area: Rect) -> CardForm {
        let has_clock = seats.iter().any(|seat| seat.clock.is_some());
        let has_digits = has_clock || seats.iter().any(|seat| seat.score.is_some());
        let has_halves = skin.glyphs().halves.is_some();
        let digits = |scale| (has_digits && has_halves).then_some(CardForm::Digits(scale));
        let tight = has_clock && has_halves;
        let padded = has_halves && skin.theme().paints();
        let forms = [
            digits(2).filter(|_| area.width >= MIN_WIDTH_FOR_LARGEST),
            digits(1).filter(|_| area.height >= 24),
            tight.then_some(CardForm::TightDigits),
            padded.then_some(CardForm::Padded),
            Some(CardForm::Apart),
            Some(CardForm::Two),
        ];
        let others = if has_clock { others.saturating_sub(FOR_CLOCKS) } else { others };
        let room = area.height.saturating_sub(others);
        let fits = |form: &CardForm| form.rows() * seats.len() as u16 <= room;
        forms.into_iter().flatten().find(fits).unwrap_or(CardForm::One)
    }
}

impl SeatTurn {
    const fn words(self, is_you: bool) -> &'static str {
        match (self, is_you) {
            (SeatTurn::No, _) => "",
            (SeatTurn::ToMove, _) => "to move",
            (SeatTurn::Next, _) => "next",
            (SeatTurn::Wins, false) => "wins",
            (SeatTurn::Wins, true) => "win",
            (SeatTurn::SharesWin, false) => "shares the win",
            (SeatTurn::SharesWin, true) => "share the win",
        }
    }

    const fn stands_out(self) -> bool {
        !matches!(self, SeatTurn::No | SeatTurn::Next)
    }
}

struct Card<'a> {
    seat: &'a SeatView,
    score: String,
    /// The number of games that the player has won in the series.
    wins: Option<u32>,
    /// The variants of the note after the score, longest first.
    notes: Vec<String>,
    background: Style,
    dim: Style,
    ink: Style,
    /// The width of the mark and the score in columns, the same on all cards.
    lead: u16,
}

/// Draws a card for each seat at the top of an area, keeping `others` rows free. Returns the height used.
pub(super) fn draw(view: &BoardView<'_>, others: u16, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
    let score = |seat: &SeatView| seat.score.map_or(String::new(), |score| score.to_string());
    let widest = view.seats.iter().map(|seat| score(seat).len()).max();
    let lead = widest.unwrap_or(1).max(2) as u16 + 1;
    let form = CardForm::fitting(&view.seats, others, canvas.skin, area);
    let mut y = area.y;
    for (index, seat) in view.seats.iter().enumerate() {
        let room = Rect { y, height: form.rows(), ..area }.intersection(area);
        if room.is_empty() {
            break;
        }
        let of_seat = |role: SeatRole, other: Role| {
            let own = Role::Of(role, seat.seat);
            canvas.skin.style(if seat.turn.stands_out() { own } else { other })
        };
        let ink = of_seat(SeatRole::CardInk, Role::Of(SeatRole::Ink, seat.seat));
        let card = Card {
            seat,
            score: score(seat),
            wins: view.series.as_ref().and_then(|series| series.wins.get(index).copied()),
            notes: view.caption.seat_notes(seat.seat),
            background: of_seat(SeatRole::Card, Role::Panel),
            dim: of_seat(SeatRole::CardDim, Role::Dim).remove_modifier(Modifier::BOLD),
            ink,
            lead,
        };
        card.draw(form, room, canvas);
        y += form.rows();
    }
    y.min(area.bottom()) - area.y
}

impl Card<'_> {
    fn draw(&self, form: CardForm, area: Rect, canvas: &mut Canvas<'_>) {
        if form == CardForm::One {
            return self.draw_in_one_line(area, canvas);
        }
        let padded = matches!(form, CardForm::Padded | CardForm::Digits(_) | CardForm::TightDigits);
        let (above, below) = (u16::from(padded), u16::from(form != CardForm::Two));
        let inner =
            Rect { y: area.y + above, height: area.height.saturating_sub(above + below), ..area };
        if let (true, Some([upper, lower, _])) = (padded, canvas.skin.glyphs().halves) {
            self.pad(lower, area.y, area, canvas);
            self.pad(upper, area.bottom() - 1, area, canvas);
        }
        if inner.is_empty() {
            return;
        }
        self.lay(inner, canvas);
        self.draw_name(inner, canvas);
        match form {
            CardForm::Digits(scale) => self.draw_digits(scale, inner, canvas),
            CardForm::TightDigits => self.draw_digits(1, inner, canvas),
            _ => {
                let second = Rect { y: inner.y + 1, height: 1, ..inner };
                self.draw_score(second.intersection(inner), canvas);
            }
        }
    }

    fn pad(&self, half: char, y: u16, area: Rect, canvas: &mut Canvas<'_>) {
        let Some(background) = self.background.bg else { return };
        for x in area.x..area.right() {
            canvas.buffer[(x, y)].set_char(half).set_fg(background);
        }
    }

    /// Draws the background, with an edge in the seat's color.
    fn lay(&self, area: Rect, canvas: &mut Canvas<'_>) {
        canvas.buffer.set_style(area, self.background);
        canvas.edge(area, canvas.skin.seat(self.seat.seat));
    }

    /// Returns the longest variant of the note that fits, or the shortest if none fits.
    fn note(&self, room: usize) -> &str {
        let fitting = self.notes.iter().find(|note| text::width(note) <= room);
        fitting.or(self.notes.last()).map_or("", String::as_str)
    }

    fn bold(&self) -> Style {
        self.ink.add_modifier(Modifier::BOLD)
    }

    fn draw_name(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let turn = self.seat.turn.words(self.seat.is_you);
        let from = self.lead + 2;
        let room = |turn: &str| area.width.saturating_sub(from + text::width(turn) as u16 + 2);
        // Next to a long name, only a mark fits.
        let mark = canvas.skin.glyphs().turn.to_string();
        let fits = text::width(&self.seat.name) <= room(turn).into() || turn.is_empty();
        let turn = if fits { turn } else { &*mark };
        put_right(turn, self.ink, area, canvas);
        let is_bold = self.seat.turn.stands_out();
        let weight = if is_bold { Modifier::BOLD } else { Modifier::empty() };
        let row = canvas.row(Rect { width: from + room(turn), ..area }).skip(2);
        let row = row.put(&self.seat.mark.to_string(), self.bold()).skip(self.lead - 1);
        let row = row.put(&self.seat.name, self.background.add_modifier(weight));
        if let Some(wins) = self.wins {
            row.skip(2).put(&format!("won {wins}"), self.dim);
        }
    }

    fn draw_score(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let row = canvas.row(Rect { width: area.width.saturating_sub(CLOCK), ..area }).skip(2);
        let gap = self.lead - self.score.len() as u16;
        let row = row.put(&self.score, self.bold()).skip(gap);
        let note = self.note(row.room());
        row.put(note, self.dim);
        self.draw_clock(area, canvas);
    }

    /// Returns the style of the clock. A running clock is emphasized.
    fn clock_ink(&self) -> Style {
        match self.seat.turn {
            SeatTurn::ToMove | SeatTurn::Next => self.bold(),
            _ => self.dim,
        }
    }

    fn draw_clock(&self, line: Rect, canvas: &mut Canvas<'_>) {
        if let Some(clock) = &self.seat.clock {
            put_right(clock, self.clock_ink(), line, canvas);
        }
    }

    fn draw_digits(&self, scale: u16, area: Rect, canvas: &mut Canvas<'_>) {
        let rows = large::height(scale).min(area.height);
        let place = Rect { y: area.bottom() - rows, height: rows, ..area };
        let last = Rect { y: area.bottom() - 1, height: 1, ..area };
        let (mut x, mut end) = (area.x + 2, area.right() - 1);
        if !self.score.is_empty() {
            let place = Rect { x, width: end.saturating_sub(x), ..place };
            large::draw(&self.score, scale, self.ink, place, canvas);
            x += large::width(&self.score, scale) + 2;
        }
        if let Some(clock) = &self.seat.clock {
            let width = large::width(clock, scale);
            if x + width <= end {
                let place = Rect { x: end - width, width, ..place };
                large::draw(clock, scale, self.clock_ink(), place, canvas);
                end -= width + 1;
            } else {
                self.draw_clock(last, canvas);
                end = end.saturating_sub(clock.len() as u16 + 1);
            }
        }
        let place = Rect { x, width: end.saturating_sub(x), ..last };
        // The note is omitted if it does not fit next to the large digits.
        let note = self.note(place.width.into());
        if self.seat.clock.is_none() || text::width(note) <= place.width.into() {
            canvas.row(place).put(note, self.dim);
        }
    }

    /// Draws a one-line card: the turn mark, the seat's mark, the name, the score, and the clock or the note.
    fn draw_in_one_line(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let area = Rect { height: 1, ..area };
        self.lay(area, canvas);
        if self.seat.turn != SeatTurn::No {
            let turn = &mut canvas.buffer[(area.x + 1, area.y)];
            turn.set_char(canvas.skin.glyphs().turn).set_style(self.bold());
        }
        let end = area.width.saturating_sub(NOTE);
        let score = self.score.len() as u16 + 1;
        let row = canvas.row(Rect { width: end.saturating_sub(score + 1), ..area }).skip(2);
        let row = row.put(&self.seat.mark.to_string(), self.bold()).skip(1);
        row.put(&self.seat.name, self.background);
        canvas.row(area).skip(end.saturating_sub(score)).put(&self.score, self.bold());
        self.draw_clock(area, canvas);
        if self.seat.clock.is_none() {
            let place = Rect { x: area.x + end, width: NOTE - 1, ..area };
            canvas.row(place).put(self.note(place.width.into()), self.dim);
        }
    }
}

/// Draws right-aligned text on a line, leaving the last column free.
fn put_right(words: &str, style: Style, line: Rect, canvas: &mut Canvas<'_>) {
    let from = line.width.saturating_sub(text::width(words) as u16 + 1);
    canvas.row(line).skip(from).put(words, style);
}

/// Draws all seats on one line. If there are more than two, the seat to move comes first, in case they do not all fit.
pub(super) fn draw_in_line(view: &BoardView<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let seats = &view.seats;
    let mut rest = area;
    if view.is_replay {
        let strong = canvas.skin.strong();
        canvas.row(area).put_part(REPLAY, strong);
        let taken = (REPLAY.len() as u16 + 1).min(area.width);
        rest = Rect { x: area.x + taken, width: area.width - taken, ..area };
    }
    // Names are truncated so that marks and scores stay visible.
    let clocks = seats.iter().filter_map(|seat| seat.clock.as_ref());
    let clock = clocks.map(|clock| clock.len() as u16 + 1).max().unwrap_or(0);
    let others = if view.is_replay { 7 } else { 9 };
    let each = rest.width / seats.len().max(1) as u16;
    let name = each.saturating_sub(others + clock).min(NAME);
    let is_to_move = |seat: &SeatView| matches!(seat.turn, SeatTurn::ToMove | SeatTurn::Next);
    let first = seats.iter().position(is_to_move).filter(|_| seats.len() > 2).unwrap_or(0);
    let names: Vec<&str> = seats.iter().map(|seat| &*seat.name).collect();
    let names = text::names(&names, name.into(), canvas.skin);
    for (seat, name) in seats.iter().zip(&names).cycle().skip(first).take(seats.len()) {
        let taken = draw_turn(view, seat, name, rest, canvas);
        rest = Rect { x: rest.x + taken, width: rest.width - taken, ..rest };
    }
}

/// Draws a seat: a mark for its turn or win, the name as far as it fits, the seat's mark, score and clock. Returns the
/// columns used.
fn draw_turn(
    view: &BoardView<'_>,
    seat: &SeatView,
    name: &str,
    area: Rect,
    canvas: &mut Canvas<'_>,
) -> u16 {
    let skin = canvas.skin;
    let stands_out = seat.turn.stands_out();
    let mark = if seat.turn == SeatTurn::No { ' ' } else { skin.glyphs().turn };
    let style = if stands_out { skin.strong() } else { skin.plain() };
    let gap = if name.is_empty() { "" } else { " " };
    // In a replay there is no seat to move, so only winners are marked.
    let lead = if view.is_replay && !stands_out { String::new() } else { format!("{mark}{gap}") };
    let row: TextRow<'_> = canvas.row(area).put_part(&lead, style);
    let name = text::name(name, row.room(), skin);
    let letter = format!("{gap}{} ", seat.mark);
    let mut row = row.put_part(&name, style).put_part(&letter, skin.last(skin.seat(seat.seat)));
    if let Some(score) = seat.score {
        row = row.put_part(&format!("{score} "), style);
    }
    if let Some(gain) = view.caption.gain(seat.seat) {
        row = row.put_part(&format!("+{gain} "), style);
    }
    if let Some(clock) = &seat.clock {
        let is_to_move = matches!(seat.turn, SeatTurn::ToMove | SeatTurn::Next);
        let style = if is_to_move { style } else { skin.dim() };
        row = row.put_part(&format!("{clock} "), style);
    }
    let width = area.width - row.room() as u16;
    if stands_out {
        let background = skin.style(Role::Of(SeatRole::Card, seat.seat)).bg;
        let background = Style { bg: background, ..Style::new() };
        canvas.buffer.set_style(Rect { width, ..area }, background);
    }
    width
}
