//! The appearance of the screens on this terminal, and whether the terminal can show them.

use super::terminal;
use crate::app::App;
use crate::board::Skin;
use crate::settings::{ConfigFile, Settings, themes};
use crate::text_ui::TextOptions;
use quadrille_net::open::NewTable;
use quadrille_scene::{Background, Depth, Theme};
use quadrille_system::terminal::{locale, term};
use quadrille_system::{calendar, fresh_seed};
use quadrille_table::play::program::missing_program;
use quadrille_text::printable::printable;
use std::env::var;
use std::io::{IsTerminal, stdin, stdout};
use std::path::Path;
use std::rc::Rc;

pub struct Appearance {
    /// The skin. Its glyphs are those that the locale allows, regardless of the settings.
    pub skin: Skin,
    pub depth: Depth,
    pub settings: Settings,
    /// The options of the text front end; `None` on screens.
    pub text: Option<TextOptions>,
    /// Why the theme is not the chosen one.
    remark: Option<String>,
    pub config: Rc<ConfigFile>,
}

impl Appearance {
    /// Returns whether the terminal has colors, so that themes differ.
    pub fn has_colours(&self) -> bool {
        self.depth != Depth::None
    }

    pub fn themes(&self) -> impl FnOnce() -> Vec<&'static Theme> + use<> {
        let (theme, depth) = (self.skin.theme(), self.depth);
        let is_text = self.text.is_some();
        move || {
            let mut all: Vec<&'static Theme> = Vec::new();
            for other in themes::all() {
                // In text, a theme is only a name.
                let other = if is_text { other } else { other.at(depth) };
                // With few colors, many themes look the same.
                if is_text || !all.iter().any(|one| one.looks_like(&other)) {
                    all.push(if other == *theme { theme } else { leak(other) });
                }
            }
            all
        }
    }

    /// Returns the appearance for this process's terminal with this theme. `has_colour` is the user's choice, if any.
    pub fn of_this_terminal(
        theme: &Theme,
        has_colour: Option<bool>,
        settings: Settings,
        config: ConfigFile,
    ) -> Appearance {
        let colour = has_colour.unwrap_or_else(|| var("NO_COLOR").unwrap_or_default().is_empty());
        let depth = if colour { terminal::depth(has_colour == Some(true)) } else { Depth::None };
        let shown = theme.at(depth);
        let is_missed = shown.name() != theme.name();
        let is_chosen = theme.name() != Settings::default().theme;
        let remark = (is_missed && is_chosen).then(|| {
            format!(
                "The theme {} needs more than 16 colors. If your terminal supports them, set COLORTERM=truecolor.",
                printable(theme.name())
            )
        });
        let theme = leak(shown);
        let background = background(&var("COLORFGBG").unwrap_or_default());
        let skin = Skin::default().with_theme(theme).with_background(background);
        // The Linux console decodes UTF-8, but its fonts lack these glyphs.
        let ascii = term() == "linux" || !is_utf8(locale().as_deref());
        let skin = match is_east_asian(locale().as_deref()) {
            _ if ascii => skin.in_ascii(),
            true => skin,
            false => skin.with_full_glyphs(),
        };
        Appearance { skin, depth, settings, text: None, remark, config: Rc::new(config) }
    }

    /// Returns a remark about the settings on this terminal if they have no errors, or only harmless ones.
    pub fn remark(&self) -> Option<String> {
        self.config.remark().or_else(|| self.remark.clone())
    }

    /// Switches to text output. Engines ponder only while a person types, so that lines from a pipe always get the same
    /// answers.
    #[must_use]
    pub fn in_text(mut self, options: TextOptions) -> Appearance {
        self.settings.ponder &= options.has_prompt;
        self.text = Some(options);
        self
    }

    /// Makes leaving the app's screen end the program in text mode, as scripts expect. On screens, adds the home screen
    /// below it.
    pub fn stay_or_leave_home(&self, app: App) -> App {
        if self.text.is_some() { app.without_home() } else { app }
    }

    /// Creates the app with this appearance and a new seed for random layouts.
    pub fn app(&self) -> App {
        let app = App::new(self.skin, fresh_seed());
        let has_themes = self.has_colours() || self.text.is_some();
        let app = if has_themes { app.with_themes(self.themes()) } else { app };
        app.with_settings(self.settings.clone(), self.config.save_location())
            .with_program_check(|program| missing_program(program, Path::new("")))
            .with_calendar(calendar::now)
    }
}

/// Checks whether the screens can run on this terminal. The error says what is missing.
pub fn can_show_screens() -> Result<(), String> {
    for (name, is) in [("stdin", stdin().is_terminal()), ("stdout", stdout().is_terminal())] {
        if !is {
            return Err(format!("{name} is not a terminal"));
        }
    }
    match &*term() {
        term @ ("" | "dumb") => {
            Err(format!("TERM is {term:?}, which cannot show full-screen programs"))
        }
        _ => Ok(()),
    }
}

/// Returns whether the terminal can only show lines of text.
pub fn is_for_lines() -> bool {
    match &*term() {
        "dumb" => true,
        "" => stdin().is_terminal() && stdout().is_terminal(),
        _ => false,
    }
}

pub fn is_ascii() -> bool {
    !is_utf8(locale().as_deref())
}

fn leak(theme: Theme) -> &'static Theme {
    Box::leak(Box::new(theme))
}

/// Parses `COLORFGBG`, whose last number is one of the sixteen colors. Defaults to dark.
fn background(colorfgbg: &str) -> Background {
    match colorfgbg.rsplit(';').next().and_then(|colour| colour.parse().ok()) {
        Some(7 | 9..=15_u8) => Background::Light,
        _ => Background::Dark,
    }
}

/// Returns whether terminals in this locale show some glyphs two columns wide that are narrow in other locales.
fn is_east_asian(locale: Option<&str>) -> bool {
    let language = locale.unwrap_or_default().split(['_', '.', '@']).next().unwrap_or_default();
    matches!(language, "zh" | "ja" | "ko")
}

/// Returns whether a locale uses UTF-8. No locale means the POSIX locale, which is ASCII.
fn is_utf8(locale: Option<&str>) -> bool {
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// Returns how a host with these settings opens a table.
pub fn new_table(settings: &Settings) -> NewTable {
    NewTable { idle: settings.table_idle(), pace: settings.pace.0, ..NewTable::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_background_is_read_from_colorfgbg() {
        for light in ["0;15", "0;default;15", "15;7", "7"] {
            assert_eq!(background(light), Background::Light, "{light}");
        }
        for dark in ["", "15;0", "15;default;8", "0;default", "0;256", "15;"] {
            assert_eq!(background(dark), Background::Dark, "{dark}");
        }
    }

    #[test]
    fn the_character_set_is_read_from_the_locale() {
        for utf8 in ["en_US.UTF-8", "C.utf8", "de_DE.UTF-8@euro"] {
            assert!(is_utf8(Some(utf8)), "{utf8}");
        }
        for other in [None, Some("C"), Some("POSIX"), Some("de_DE.ISO-8859-1"), Some("de_DE")] {
            assert!(!is_utf8(other), "{other:?}");
        }
        for narrow in ["zh_CN.UTF-8", "ja_JP.utf8", "ko"] {
            assert!(is_east_asian(Some(narrow)), "{narrow}");
        }
        for other in [None, Some("en_US.UTF-8"), Some("C.UTF-8"), Some("kok_IN.UTF-8")] {
            assert!(!is_east_asian(other), "{other:?}");
        }
    }
}
