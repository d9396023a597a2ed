use super::metrics::{GroundKind, Metrics};
use super::text::number;

/// The kinds of elements. Each kind is a CSS class with the sizes shared by its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum ElementKind {
    Title,
    Subtitle,
    Card,
    Seat,
    Name,
    Note,
    Score,
    Foot,
    Axis,
    Rule,
    Area,
    Polygon,
    Square,
    Letter,
    Mark,
    Line,
    Heavy,
    Free,
    Ghost,
    Blocked,
    Cross,
    Dot,
    Arrow,
    Badge,
    Digits,
    Number,
}

impl ElementKind {
    pub(super) fn name(self) -> String {
        format!("{self:?}").to_ascii_lowercase()
    }

    pub(super) fn style(self, metrics: &Metrics) -> String {
        let line = metrics.line();
        let stroke = |width: f64| format!("fill:none;stroke-linecap:round;stroke-width:{width}");
        let dashed = |width: f64, dash: f64, gap: f64| {
            let [width, dash, gap] = [width, dash, gap].map(number);
            format!("{};stroke-dasharray:{dash} {gap}", stroke(width))
        };
        let font = |size: f64| format!("font-size:{size}px");
        let bold = |size: f64| format!("{};font-weight:700", font(size));
        let middle = |font: String| format!("{font};text-anchor:middle");
        match self {
            ElementKind::Title => bold(22.0),
            ElementKind::Subtitle | ElementKind::Foot => font(14.0),
            ElementKind::Seat => middle(bold(18.0)),
            ElementKind::Name => font(16.0),
            ElementKind::Note => font(12.0),
            ElementKind::Score => format!("{};text-anchor:end", bold(22.0)),
            ElementKind::Axis | ElementKind::Number => middle(font(13.0)),
            ElementKind::Rule => stroke(number((line * 0.4).max(2.0))),
            ElementKind::Letter if metrics.ground_kind == GroundKind::Points => {
                middle("font-weight:700".to_owned())
            }
            ElementKind::Letter => middle(bold(letter_size(metrics))),
            ElementKind::Mark => stroke(number(metrics.tile() * 0.11)),
            ElementKind::Line => stroke(line),
            ElementKind::Heavy => stroke(number(line * 1.25)),
            // Round dashes of length 0 are drawn as dots. The distance between two dots of the board is a whole number
            // of gaps.
            ElementKind::Free if metrics.ground_kind == GroundKind::Lattice => {
                dashed((line * 0.45).max(1.4), 0.0, free_gap(metrics))
            }
            ElementKind::Free => dashed(1.5, 1.5, 6.0),
            ElementKind::Ghost => dashed(line * 0.75, line, line * 2.0),
            ElementKind::Blocked => dashed(1.5, 4.0, 4.0),
            ElementKind::Cross => stroke(3.0),
            ElementKind::Digits => middle(bold(number(badge(metrics) * 1.25))),
            ElementKind::Polygon => format!("stroke-linejoin:round;stroke-width:{line}"),
            ElementKind::Card
            | ElementKind::Area
            | ElementKind::Square
            | ElementKind::Dot
            | ElementKind::Arrow
            | ElementKind::Badge => String::new(),
        }
    }
}

/// Returns the font size of the letter in a box, in pixels.
pub(super) fn letter_size(metrics: &Metrics) -> f64 {
    number((metrics.pitch * 0.4).clamp(8.0, 34.0))
}

/// Returns the distance between the dots of an undrawn line, which divides the line evenly.
fn free_gap(metrics: &Metrics) -> f64 {
    metrics.pitch / (metrics.pitch / 9.0).round().max(3.0)
}

pub(super) fn badge(metrics: &Metrics) -> f64 {
    number((metrics.pitch / 5.0).clamp(8.0, 15.0))
}
