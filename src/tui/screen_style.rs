//! How the screen looks: the skin, which follows the settings.

use crate::settings::{GlyphSet, Settings};
use quadrille_scene::{Background, Glyphs, Skin, Theme};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenStyle {
    pub skin: Skin,
    /// The glyphs for the terminal's locale, unless the settings override them.
    auto: &'static Glyphs,
    /// The terminal's background, unless the settings override it.
    pub terminal_background: Background,
}

impl ScreenStyle {
    pub const fn new(skin: Skin) -> ScreenStyle {
        ScreenStyle { skin, auto: skin.glyphs(), terminal_background: skin.background() }
    }

    pub fn follow(&mut self, settings: &Settings, theme: &'static Theme) {
        let background = settings.background().unwrap_or(self.terminal_background);
        let glyphs = match settings.glyphs {
            GlyphSet::Auto => self.auto,
            GlyphSet::Full => &Glyphs::FULL,
            GlyphSet::Narrow => &Glyphs::NARROW,
            GlyphSet::Ascii => &Glyphs::ASCII,
        };
        self.skin =
            Skin::default().with_theme(theme).with_glyphs(glyphs).with_background(background);
    }
}
