//! The text around a board: the title above the board, the players below it.

use super::colours::{Colours, Use};
use super::element_kind::ElementKind;
use super::metrics::Metrics;
use super::parts::SvgPart;
use super::text::{escaped, fitted, number, width};
use crate::{Role, SeatRole};
use quadrille_rules::Seat;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// A one-line summary for the `<title>` element, used by screen readers and as the name of the picture.
    pub name: String,
    /// The description in full sentences, for the `<desc>` element.
    pub description: String,
    pub title: String,
    pub subtitle: String,
    pub seats: Vec<SeatCard>,
    /// The line at the bottom of the picture, possibly empty.
    pub foot: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatCard {
    pub seat: Seat,
    /// The seat's mark on the board, such as `A` or `X`.
    pub mark: char,
    pub name: String,
    /// The score; `None` if the game has no scores.
    pub score: Option<u32>,
    /// A note, possibly empty.
    pub note: String,
    /// Whether it is the seat's turn or the seat has won.
    pub stands_out: bool,
}

const MARGIN: f64 = 32.0;
/// The height of the title and the subtitle. All lengths in this file are in pixels at natural size.
const HEAD: f64 = 64.0;
/// The minimum width of the content between the margins.
const MIN_WIDTH: f64 = 360.0;
/// The minimum width and the height of a card.
const CARD: [f64; 2] = [200.0, 52.0];
const GAP: f64 = 10.0;
const LEAD: f64 = 42.0;
const FOOT: f64 = 34.0;

pub(super) struct FrameLayout {
    pub size: [u32; 2],
    /// The top left corner of the board.
    pub board: [f64; 2],
    /// The width of the content between the margins.
    width: f64,
    cards: f64,
    columns: usize,
}

pub(super) fn lay_out(metrics: &Metrics, frame: &Frame) -> FrameLayout {
    let [across, down] = metrics.size;
    let inner = across.max(MIN_WIDTH);
    let columns = ((inner + GAP) / (CARD[0] + GAP)) as usize;
    let columns = columns.clamp(2, 4).min(frame.seats.len()).max(1);
    let rows = frame.seats.len().div_ceil(columns) as f64;
    let cards = MARGIN + HEAD + down + 14.0;
    let foot = if frame.foot.is_empty() { 0.0 } else { FOOT };
    let height = cards + rows * (CARD[1] + GAP) - GAP + foot + MARGIN;
    FrameLayout {
        size: [(inner + 2.0 * MARGIN) as u32, height as u32],
        board: [number((inner - across) / 2.0 + MARGIN), MARGIN + HEAD],
        width: inner,
        cards,
        columns,
    }
}

pub(super) fn draw(frame: &Frame, layout: &FrameLayout, colours: &mut Colours) -> Vec<SvgPart> {
    let [across, down] = layout.size.map(f64::from);
    let paper = "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>";
    let mut parts = vec![SvgPart::alone(paper.to_owned(), [0.0, 0.0, across, down])];
    let mut line = |kind: ElementKind, role: Role, [x, y]: [f64; 2], text: &str, size: f64| {
        let class = colours.class(kind, role, Use::Ink);
        let text = escaped(&fitted(text, size, layout.width));
        let text = format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>");
        parts.push(SvgPart::alone(text, [0.0, y - size, across, y + size / 2.0]));
    };
    line(ElementKind::Title, Role::Strong, [MARGIN, MARGIN + 20.0], &frame.title, 22.0);
    line(ElementKind::Subtitle, Role::Dim, [MARGIN, MARGIN + 43.0], &frame.subtitle, 14.0);
    if !frame.foot.is_empty() {
        line(ElementKind::Foot, Role::Dim, [MARGIN, down - MARGIN - 2.0], &frame.foot, 14.0);
    }
    let columns = layout.columns as f64;
    let width = ((layout.width + GAP) / columns - GAP).floor();
    for (index, card) in frame.seats.iter().enumerate() {
        let (row, column) = ((index / layout.columns) as f64, (index % layout.columns) as f64);
        let x = MARGIN + column * (width + GAP);
        let y = layout.cards + row * (CARD[1] + GAP);
        draw_card(card, [x, y], width, colours, &mut parts);
    }
    parts
}

fn draw_card(
    card: &SeatCard,
    [x, y]: [f64; 2],
    card_width: f64,
    colours: &mut Colours,
    parts: &mut Vec<SvgPart>,
) {
    let of_seat = |role| Role::Of(role, card.seat);
    let [own, ink, dim] = if card.stands_out {
        [SeatRole::Card, SeatRole::CardInk, SeatRole::CardDim].map(of_seat)
    } else {
        [Role::Panel, of_seat(SeatRole::Ink), Role::Dim]
    };
    let class = colours.class(ElementKind::Card, own, Use::Fill);
    let height = CARD[1];
    let bounds = [x, y, x + card_width, y + height];
    let rect = format!(
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{card_width}\" height=\"{height}\" rx=\"8\"/>"
    );
    parts.push(SvgPart::alone(rect, bounds));
    let mut write = |kind: ElementKind, role: Role, [right, down]: [f64; 2], text: &str| {
        let class = colours.class(kind, role, Use::Ink);
        let (x, y, text) = (x + right, y + down, escaped(text));
        let text = format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>");
        parts.push(SvgPart::alone(text, bounds));
    };
    let mut room = card_width - LEAD - 14.0;
    if let Some(score) = card.score {
        let score = score.to_string();
        room -= width(&score, 22.0) + 8.0;
        write(ElementKind::Score, ink, [card_width - 14.0, 34.0], &score);
    }
    let (name, note) = if card.note.is_empty() { (31.5, None) } else { (23.0, Some(&card.note)) };
    write(ElementKind::Seat, ink, [LEAD / 2.0 + 1.0, 32.5], &card.mark.to_string());
    write(ElementKind::Name, own, [LEAD, name], &fitted(&card.name, 16.0, room));
    if let Some(note) = note {
        write(ElementKind::Note, dim, [LEAD, 41.0], &fitted(note, 12.0, room));
    }
}
