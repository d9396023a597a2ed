//! How the screen looks: the skin, which follows the settings.

use crate::settings::{GlyphSet, Settings};
use quadrille_scene::{Background, Glyphs, Skin, TerminalColours, Theme};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenStyle {
    pub skin: Skin,
    /// The glyphs for the terminal's locale, unless the settings override them.
    auto: &'static Glyphs,
    /// The assumed background, until the terminal reports it.
    background: Background,
    /// The terminal's colors. The settings may override its background.
    pub reported: TerminalColours,
}

impl ScreenStyle {
    pub const fn new(skin: Skin) -> ScreenStyle {
        ScreenStyle {
            skin,
            auto: skin.glyphs(),
            background: skin.background(),
            reported: TerminalColours::NONE,
        }
    }

    pub fn follow(&mut self, settings: &Settings, theme: &'static Theme) {
        let background =
            settings.background().or(self.reported.background()).unwrap_or(self.background);
        let glyphs = match settings.glyphs {
            GlyphSet::Auto => self.auto,
            GlyphSet::Full => &Glyphs::FULL,
            GlyphSet::Narrow => &Glyphs::NARROW,
            GlyphSet::Ascii => &Glyphs::ASCII,
        };
        self.skin = Skin::default()
            .with_theme(theme)
            .with_glyphs(glyphs)
            .with_background(background)
            .with_fill_inks(self.reported.fill_inks());
    }
}
