//! The kinds of elements, and how large each is.

use super::plan::{Form, Plan};
use super::text::number;

/// The kinds of elements. A class names the kind, and a line of style says how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
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

impl Kind {
    /// What it is called in a class.
    pub(super) fn name(self) -> String {
        format!("{self:?}").to_ascii_lowercase()
    }

    /// What is the same for all of this kind, as CSS.
    pub(super) fn style(self, plan: &Plan) -> String {
        let line = plan.line();
        let stroke = |width: f64| format!("fill:none;stroke-linecap:round;stroke-width:{width}");
        let dashed = |width: f64, dash: f64, gap: f64| {
            let [width, dash, gap] = [width, dash, gap].map(number);
            format!("{};stroke-dasharray:{dash} {gap}", stroke(width))
        };
        let font = |size: f64| format!("font-size:{size}px");
        let bold = |size: f64| format!("{};font-weight:700", font(size));
        let middle = |font: String| format!("{font};text-anchor:middle");
        match self {
            Kind::Title => bold(22.0),
            Kind::Subtitle | Kind::Foot => font(14.0),
            Kind::Seat => middle(bold(18.0)),
            Kind::Name => font(16.0),
            Kind::Note => font(12.0),
            Kind::Score => format!("{};text-anchor:end", bold(22.0)),
            Kind::Axis | Kind::Number => middle(font(13.0)),
            Kind::Rule => stroke(number((line * 0.4).max(2.0))),
            Kind::Letter if plan.form() == Form::Points => middle("font-weight:700".to_owned()),
            Kind::Letter => middle(bold(letter_size(plan))),
            Kind::Mark => stroke(number(plan.tile() * 0.11)),
            Kind::Line => stroke(line),
            Kind::Heavy => stroke(number(line * 1.25)),
            // A dot, and nothing for the rest of so many parts from dot to dot.
            Kind::Free if plan.form() == Form::Lattice => {
                dashed((line * 0.45).max(1.4), 0.0, free_gap(plan))
            }
            Kind::Free => dashed(1.5, 1.5, 6.0),
            Kind::Ghost => dashed(line * 0.75, line, line * 2.0),
            Kind::Blocked => dashed(1.5, 4.0, 4.0),
            Kind::Cross => stroke(3.0),
            Kind::Digits => middle(bold(number(badge(plan) * 1.25))),
            Kind::Card
            | Kind::Area
            | Kind::Polygon
            | Kind::Square
            | Kind::Dot
            | Kind::Arrow
            | Kind::Badge => String::new(),
        }
    }
}

/// How large the letter in a box is.
pub(super) fn letter_size(plan: &Plan) -> f64 {
    number((plan.pitch * 0.4).clamp(8.0, 34.0))
}

/// How far the dots of a line that could be there are apart; there is a whole number of them.
fn free_gap(plan: &Plan) -> f64 {
    plan.pitch / (plan.pitch / 9.0).round().max(3.0)
}

/// How large a badge is, from its middle.
pub(super) fn badge(plan: &Plan) -> f64 {
    number((plan.pitch / 5.0).clamp(8.0, 15.0))
}
