//! What all screens share.

use super::targets::Targets;
use super::tasks::{DiskTask, Task, TerminalTask};
use super::unfinished::Unfinished;
use crate::scene::{Glyphs, Skin, Theme};
use crate::session::LastSetup;
use crate::settings::{GlyphSet, Settings};
use std::cell::LazyCell;

type ReadThemes = Box<dyn FnOnce() -> Vec<&'static Theme>>;

/// What all screens share.
pub(crate) struct Context {
    /// The looks, as they are set.
    pub skin: Skin,
    /// What everything is drawn with where the settings leave that to the terminal's locale.
    auto: &'static Glyphs,
    /// What is set. Only [`Act::Set`](super::screen::Act) changes it.
    pub settings: Settings,
    /// Where settings are kept, or why nowhere.
    pub kept: String,
    /// The themes that can be turned to, read when the first is wanted; none where there are no
    /// others.
    themes: Option<LazyCell<Vec<&'static Theme>, ReadThemes>>,
    /// Matches that were left and can be resumed, the latest first.
    pub left: Vec<Unfinished>,
    /// The names of those who played last, to be offered again.
    pub names: Vec<String>,
    /// How many matches were ever kept in memory, for the number of the next one.
    pub in_memory: u64,
    /// How each game was set up last, the latest first.
    pub setups: Vec<LastSetup>,
    /// The seed for the next random layout.
    pub seed: u32,
    /// What can be clicked on the screen as it was last drawn.
    pub targets: Targets,
}

impl Context {
    pub fn new(skin: Skin, seed: u32) -> Context {
        Context {
            skin,
            auto: skin.glyphs(),
            settings: Settings { theme: skin.theme().name().to_owned(), ..Settings::default() },
            kept: String::new(),
            themes: None,
            left: Vec::new(),
            names: Vec::new(),
            in_memory: 0,
            setups: Vec::new(),
            seed,
            targets: Targets::default(),
        }
    }

    /// Whether there are other themes.
    pub fn has_themes(&self) -> bool {
        self.themes.is_some()
    }

    /// Offers themes.
    pub fn offer_themes(&mut self, read: ReadThemes) {
        self.themes = Some(LazyCell::new(read));
    }

    /// Takes over what is set at the start. The theme is there already.
    pub fn begin_with(&mut self, settings: Settings, kept: String) {
        (self.settings, self.kept) = (settings, kept);
        self.skin = self.skin.with_glyphs(self.glyphs());
    }

    /// The settings with the next theme or the one before; `None` where there is no other.
    pub fn with_theme(&self, next: bool) -> Option<Settings> {
        let now = self.skin.theme();
        let themes = self.themes.as_ref()?;
        let at = themes.iter().position(|theme| theme.looks_like(now));
        let step = if next { 1 } else { themes.len() - 1 };
        let other = themes.get(at.map_or(0, |at| (at + step) % themes.len()))?;
        let theme = other.name().to_owned();
        (!other.looks_like(now)).then(|| Settings { theme, ..self.settings.clone() })
    }

    /// Changes what is set; says what is to be done about it.
    pub fn change(&mut self, after: Settings) -> Vec<Task> {
        let before = std::mem::replace(&mut self.settings, after);
        if before.theme != self.settings.theme {
            let mut themes = self.themes.iter().flat_map(|themes| themes.iter());
            let theme = themes.find(|theme| theme.name() == self.settings.theme);
            self.skin = theme.map_or(self.skin, |theme| self.skin.with_theme(theme));
        }
        self.skin = self.skin.with_glyphs(self.glyphs());
        let mouse = self.settings.mouse;
        let mouse = (before.mouse != mouse).then(|| TerminalTask::Mouse(mouse).into());
        let kept = DiskTask::Set(Box::new([before, self.settings.clone()]));
        mouse.into_iter().chain([kept.into()]).collect()
    }

    fn glyphs(&self) -> &'static Glyphs {
        match self.settings.glyphs {
            GlyphSet::Auto => self.auto,
            GlyphSet::Full => &Glyphs::FULL,
            GlyphSet::Narrow => &Glyphs::NARROW,
            GlyphSet::Ascii => &Glyphs::ASCII,
        }
    }
}
