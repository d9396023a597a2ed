//! What is said round a board: what is played above it, and who plays below.

use super::colours::{Colours, Use};
use super::kind::Kind;
use super::plan::Plan;
use super::text::{escaped, fitted, number, width};
use crate::rules::Seat;
use crate::scene::{Role, SeatRole};
use std::fmt::{self, Write};

/// What is said round a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// What the picture is of in a line, for who cannot see it and as its name.
    pub name: String,
    /// The same in as many sentences as it takes.
    pub description: String,
    /// What stands above the board.
    pub title: String,
    /// What stands below that, smaller.
    pub subtitle: String,
    /// A card for each seat.
    pub seats: Vec<SeatCard>,
    /// What stands at the foot of the picture.
    pub foot: String,
}

/// What is said of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatCard {
    /// The seat.
    pub seat: Seat,
    /// What the game calls it on the board: `A`, or `X`.
    pub mark: char,
    /// Who sits there.
    pub name: String,
    /// What it has, if the game keeps scores.
    pub score: Option<u32>,
    /// What else is said of it; or nothing.
    pub note: String,
    /// Whether it is to move, or has won.
    pub stands_out: bool,
}

const MARGIN: f64 = 32.0;
/// From the margin to the board: a title and a line below it.
const HEAD: f64 = 64.0;
/// The least width between the margins.
const LEAST: f64 = 360.0;
const CARD: Size = Size { width: 200.0, height: 52.0 };
const GAP: f64 = 10.0;
/// The columns of the mark on a card.
const LEAD: f64 = 42.0;
const FOOT: f64 = 34.0;

struct Size {
    width: f64,
    height: f64,
}

/// Where things stand round a board.
pub(super) struct Around {
    /// The size of the whole picture.
    pub size: [u32; 2],
    /// Where the board begins.
    pub board: [f64; 2],
    /// The width between the margins.
    width: f64,
    /// Where the cards begin.
    cards: f64,
    /// How many cards there are in a row.
    columns: usize,
}

pub(super) fn around(plan: &Plan, frame: &Frame) -> Around {
    let [across, down] = plan.size;
    let inner = across.max(LEAST);
    let columns = ((inner + GAP) / (CARD.width + GAP)) as usize;
    let columns = columns.clamp(2, 4).min(frame.seats.len()).max(1);
    let rows = frame.seats.len().div_ceil(columns) as f64;
    let cards = MARGIN + HEAD + down + 14.0;
    let foot = if frame.foot.is_empty() { 0.0 } else { FOOT };
    let height = cards + rows * (CARD.height + GAP) - GAP + foot + MARGIN;
    Around {
        size: [(inner + 2.0 * MARGIN) as u32, height as u32],
        board: [number((inner - across) / 2.0 + MARGIN), MARGIN + HEAD],
        width: inner,
        cards,
        columns,
    }
}

pub(super) fn draw(
    frame: &Frame,
    around: &Around,
    colours: &mut Colours,
    out: &mut String,
) -> fmt::Result {
    writeln!(out, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>")?;
    let mut line = |kind: Kind, role: Role, [x, y]: [f64; 2], text: &str, size: f64| {
        let class = colours.class(kind, role, Use::Ink);
        let text = fitted(text, size, around.width);
        writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(&text))
    };
    line(Kind::Title, Role::Strong, [MARGIN, MARGIN + 20.0], &frame.title, 22.0)?;
    line(Kind::Subtitle, Role::Dim, [MARGIN, MARGIN + 43.0], &frame.subtitle, 14.0)?;
    if !frame.foot.is_empty() {
        let y = f64::from(around.size[1]) - MARGIN - 2.0;
        line(Kind::Foot, Role::Dim, [MARGIN, y], &frame.foot, 14.0)?;
    }
    let columns = around.columns as f64;
    let width = ((around.width + GAP) / columns - GAP).floor();
    for (index, card) in frame.seats.iter().enumerate() {
        let (row, column) = ((index / around.columns) as f64, (index % around.columns) as f64);
        let x = MARGIN + column * (width + GAP);
        let y = around.cards + row * (CARD.height + GAP);
        draw_card(card, [x, y], width, colours, out)?;
    }
    Ok(())
}

fn draw_card(
    card: &SeatCard,
    [x, y]: [f64; 2],
    card_width: f64,
    colours: &mut Colours,
    out: &mut String,
) -> fmt::Result {
    let of_seat = |role| Role::Of(role, card.seat);
    let [ground, ink, dim] = if card.stands_out {
        [SeatRole::Card, SeatRole::CardInk, SeatRole::CardDim].map(of_seat)
    } else {
        [Role::Panel, of_seat(SeatRole::Ink), Role::Dim]
    };
    let class = colours.class(Kind::Card, ground, Use::Ground);
    let height = CARD.height;
    writeln!(
        out,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{card_width}\" height=\"{height}\" rx=\"8\"/>"
    )?;
    let mut write = |kind: Kind, role: Role, [right, down]: [f64; 2], text: &str| {
        let class = colours.class(kind, role, Use::Ink);
        let (x, y) = (x + right, y + down);
        writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(text))
    };
    let mut room = card_width - LEAD - 14.0;
    if let Some(score) = card.score {
        let score = score.to_string();
        room -= width(&score, 22.0) + 8.0;
        write(Kind::Score, ink, [card_width - 14.0, 34.0], &score)?;
    }
    let (name, note) = if card.note.is_empty() { (31.5, None) } else { (23.0, Some(&card.note)) };
    write(Kind::Seat, ink, [LEAD / 2.0 + 1.0, 32.5], &card.mark.to_string())?;
    write(Kind::Name, ground, [LEAD, name], &fitted(&card.name, 16.0, room))?;
    if let Some(note) = note {
        write(Kind::Note, dim, [LEAD, 41.0], &fitted(note, 12.0, room))?;
    }
    Ok(())
}
