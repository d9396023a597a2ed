//! The colors of roles.

use crate::colour::Rgb;
use crate::svg::completed;
use crate::{Role, SeatRole, Skin, Theme};
use std::borrow::Cow;

#[derive(Debug)]
pub(super) struct Inks {
    theme: Cow<'static, Theme>,
    pub paper: Rgb,
    text: Rgb,
}

impl Inks {
    /// A theme that leaves colors to the terminal is completed for the terminal's background.
    pub fn new(skin: Skin) -> Inks {
        let theme = if skin.theme().paints() {
            Cow::Borrowed(skin.theme())
        } else {
            Cow::Owned(completed(skin.theme(), skin.background()))
        };
        let [text, paper] = [theme.paper().fg, theme.paper().bg];
        let [text, paper] = [text, paper].map(|colour| colour.and_then(Rgb::of));
        Inks {
            theme,
            paper: paper.unwrap_or(Rgb(0, 0, 0)),
            text: text.unwrap_or(Rgb(128, 128, 128)),
        }
    }

    /// Returns the color of lines and text in a role.
    pub fn ink(&self, role: Role) -> Rgb {
        self.theme.style(role).fg.and_then(Rgb::of).unwrap_or(self.text)
    }

    /// Returns the background of a role, if it has one.
    pub fn face(&self, role: Role) -> Option<Rgb> {
        self.theme.style(role).bg.and_then(Rgb::of)
    }

    /// Returns the color of a mark that is painted without text on it, such as a line or a frame.
    pub fn mark(&self, role: Role) -> Rgb {
        self.face(role).unwrap_or_else(|| self.ink(role))
    }

    /// Returns the color of the outline of an area between scattered points.
    pub fn outline(&self, role: Role) -> Rgb {
        self.ink(match role {
            Role::Of(SeatRole::WonArea, seat) => Role::Of(SeatRole::LastLine, seat),
            Role::Of(SeatRole::Area | SeatRole::Card, seat) => Role::Of(SeatRole::Line, seat),
            role => role,
        })
    }

    /// Returns the color of the letter of an area: the owner's ink until the match is over.
    pub fn letter(&self, role: Role) -> Rgb {
        self.ink(match role {
            Role::Of(SeatRole::Fill, seat) => Role::Of(SeatRole::FillInk, seat),
            role => role,
        })
    }
}
