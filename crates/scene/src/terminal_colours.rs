//! The terminal's own colors, as far as it reports them, and the fills that they allow in themes without a background.

use crate::colour::Rgb;
use crate::theme::{Background, Role, SeatRole};
use ratatui::style::{Color, Style};

/// The least contrast of text to a fill.
const TEXT: f64 = 4.5;
/// The least contrast of a fill to the background.
const FILL: f64 = 1.6;

/// A color that a terminal can report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalColour {
    Text,
    Background,
    /// One of the sixteen colors, from 0.
    Ansi(u8),
}

/// The colors that a terminal has reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalColours {
    text: Option<Rgb>,
    background: Option<Rgb>,
    ansi: [Option<Rgb>; 16],
}

impl TerminalColours {
    pub const NONE: TerminalColours =
        TerminalColours { text: None, background: None, ansi: [None; 16] };

    pub fn report(&mut self, which: TerminalColour, colour: Rgb) {
        let reported = match which {
            TerminalColour::Text => Some(&mut self.text),
            TerminalColour::Background => Some(&mut self.background),
            TerminalColour::Ansi(index) => self.ansi.get_mut(usize::from(index)),
        };
        if let Some(reported) = reported {
            *reported = Some(colour);
        }
    }

    pub fn background(&self) -> Option<Background> {
        self.background.map(Background::of)
    }

    /// Returns the text color on each of the sixteen colors: the terminal's own, black or bright white, whichever has
    /// the highest contrast.
    pub fn fill_inks(&self) -> FillInks {
        let ink_on = |fill: Option<Rgb>| {
            let (fill, paper) = (fill?, self.background?);
            let inks = [
                (Color::Reset, self.text?),
                (Color::Black, self.ansi[0]?),
                (Color::White, self.ansi[15]?),
            ];
            let contrasts = inks.map(|(ink, colour)| (ink, colour.contrast(fill)));
            let (ink, contrast) =
                contrasts.into_iter().max_by(|(_, one), (_, other)| one.total_cmp(other))?;
            (contrast >= TEXT && fill.contrast(paper) >= FILL).then_some(ink)
        };
        FillInks(self.ansi.map(ink_on))
    }
}

/// The text color on each of the sixteen colors as a fill; `None` where areas are hatched instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FillInks([Option<Color>; 16]);

impl FillInks {
    /// Fills areas that a theme without a background would hatch.
    pub(crate) fn apply(&self, role: Role, style: Style) -> Style {
        let Role::Of(role, _) = role else { return style };
        let Some(seat) = style.fg else { return style };
        let Some(ink) = index(seat).and_then(|index| self.0[index]) else { return style };
        // Many terminals show bold text in another of the sixteen colors.
        match role {
            SeatRole::Fill | SeatRole::WonFill | SeatRole::Area | SeatRole::WonArea => {
                Style { bg: Some(seat), ..Style::new().fg(ink) }
            }
            SeatRole::FillInk => Style::new().fg(ink),
            _ => style,
        }
    }
}

/// Returns the number of one of the terminal's sixteen colors.
fn index(colour: Color) -> Option<usize> {
    const ALL: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    ALL.iter().position(|one| *one == colour)
}
