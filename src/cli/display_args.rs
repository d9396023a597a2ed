//! How the screens look on this terminal, and whether there is one.

use super::config_file::ConfigFile;
use super::{say, themes, usage};
use crate::board::Skin;
use crate::scene::{Background, Depth, Theme};
use crate::settings::{GlyphSet, Settings};
use anyhow::bail;
use std::env::var;
use std::io::{IsTerminal, stdin, stdout};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How the screens look.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Looks")]
pub(super) struct DisplayArgs {
    /// When to use colour; auto means unless `NO_COLOR` is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    color: When,
    /// The colours: night, paper, blueprint, blackboard, okabe-ito, contrast, mono, terminal, or a
    /// file of your own
    ///
    /// NAME.toml in the folder quadrille/themes of the config folder is the theme NAME. Where a terminal
    /// has only 16 colours, terminal stands in for all but mono. T turns to the next theme. Without this
    /// the theme is the one that config.toml in the folder quadrille of the config folder names, or night.
    #[arg(long, global = true, value_name = "NAME")]
    theme: Option<String>,
    /// Whether to play with the mouse; never leaves it to the terminal, which can then select text
    ///
    /// Without this, mouse = true or false in config.toml decides; without that, the mouse is on.
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    mouse: Option<AutoOrNever>,
    /// Whether moves are animated; never shows each new position at once
    ///
    /// It takes a quarter of a second at most, and the end of a match a little longer; a key shows the end
    /// at once. Where the terminal is too slow for it, nothing is animated. Without this, motion = true or
    /// false in config.toml decides; without that, moves are animated.
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    motion: Option<AutoOrNever>,
    /// Whether an engine thinks while you do; never leaves the machine idle then
    ///
    /// The engines strong and perfect do, with one thread of lowest priority and for five minutes at most. Without
    /// this, ponder = true or false in config.toml decides; without that, they do.
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    ponder: Option<AutoOrNever>,
    /// Draw with ASCII only; this is the default where the locale is not UTF-8
    #[arg(long, global = true)]
    ascii: bool,
    /// The settings file to use instead of config.toml in the folder quadrille of the config folder
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum AutoOrNever {
    Auto,
    Never,
}

/// How the screens look on this terminal, and what is set.
pub(super) struct Looks {
    /// The looks. Their glyphs are those that the locale allows, whatever is set.
    pub(super) skin: Skin,
    depth: Depth,
    /// What is set for this run.
    pub(super) settings: Settings,
    /// Where that is kept.
    pub(super) config: Rc<ConfigFile>,
}

impl Looks {
    /// Whether themes differ at all.
    pub(super) fn has_colours(&self) -> bool {
        self.depth != Depth::None
    }

    /// The themes that can be turned to.
    pub(super) fn themes(&self) -> impl FnOnce() -> Vec<&'static Theme> + use<> {
        let (theme, depth) = (self.skin.theme(), self.depth);
        move || {
            let mut all: Vec<&'static Theme> = Vec::new();
            for other in themes::all() {
                let other = other.at(depth);
                // With few colours many themes are the same.
                if !all.iter().any(|one| one.looks_like(&other)) {
                    all.push(if other == *theme { theme } else { kept(other) });
                }
            }
            all
        }
    }
}

impl DisplayArgs {
    /// The settings file that the user names.
    pub(super) fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The theme for pictures, with all its colours: they do not depend on the terminal.
    ///
    /// Errors in the settings file are printed on stderr, since the theme may then be night and not
    /// the user's.
    pub(super) fn theme_of_pictures(&self) -> anyhow::Result<Theme> {
        let config = ConfigFile::read(self.config())?;
        if let Some(wrong) = config.problems.first().filter(|_| self.theme.is_none()) {
            say(wrong);
        }
        self.theme(&config.settings.theme)
    }

    /// The theme that was asked for, or else that of the settings.
    fn theme(&self, of_the_settings: &str) -> anyhow::Result<Theme> {
        let Some(name) = &self.theme else {
            let found = themes::find(of_the_settings)?;
            return Ok(found.unwrap_or_else(|| Theme::night().clone()));
        };
        let unknown = || usage(format!("--theme: {}", themes::unknown(name)));
        themes::find(name)?.ok_or_else(unknown)
    }

    /// Whether a match is played in lines: it is `wanted`, or this is a terminal that cannot show the
    /// screens.
    pub(super) fn is_plain(wanted: bool) -> bool {
        wanted
            || match var("TERM").unwrap_or_default().as_str() {
                "dumb" => true,
                "" => stdin().is_terminal() && stdout().is_terminal(),
                _ => false,
            }
    }

    /// Changes the settings that the command line overrides.
    pub(super) fn override_settings(&self, settings: &mut Settings) {
        let flags = [
            (self.mouse, &mut settings.mouse),
            (self.motion, &mut settings.motion),
            (self.ponder, &mut settings.ponder),
        ];
        for (given, flag) in flags {
            *flag = given.map_or(*flag, |given| given == AutoOrNever::Auto);
        }
    }

    /// Whether only ASCII can be shown.
    pub(super) fn is_ascii(&self) -> bool {
        self.ascii || !is_utf8(locale().as_deref())
    }

    /// The looks for this process's terminal. If the screens cannot run on it, the error names `instead`, the command
    /// that does without them.
    pub(super) fn on_the_terminal(&self, instead: &str) -> anyhow::Result<Looks> {
        let config = ConfigFile::read(self.config())?;
        let mut settings = config.settings.clone();
        let theme = self.theme(&settings.theme)?;
        if let Some(name) = &self.theme {
            settings.theme.clone_from(name);
        }
        self.override_settings(&mut settings);
        if self.ascii {
            settings.glyphs = GlyphSet::Ascii;
        }
        for (name, is) in [("stdin", stdin().is_terminal()), ("stdout", stdout().is_terminal())] {
            if !is {
                bail!("{name} is not a terminal, which the screens need; use quadrille {instead}");
            }
        }
        let term = var("TERM").unwrap_or_default();
        if matches!(&*term, "" | "dumb") {
            bail!(
                "TERM is {term:?}, a terminal that cannot show the screens; use quadrille {instead}"
            );
        }
        let colour = match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => var("NO_COLOR").unwrap_or_default().is_empty(),
        };
        // crossterm looks at NO_COLOR too; what is decided here must hold.
        crossterm::style::force_color_output(colour);
        let depth =
            if colour { depth(&var("COLORTERM").unwrap_or_default(), &term) } else { Depth::None };
        let theme = kept(theme.at(depth));
        let background = background(&var("COLORFGBG").unwrap_or_default());
        let skin = Skin::default().with_theme(theme).with_background(background);
        // The console of Linux reads UTF-8, but its fonts have none of our glyphs.
        let ascii = term == "linux" || !is_utf8(locale().as_deref());
        let skin = match is_east_asian(locale().as_deref()) {
            _ if ascii => skin.in_ascii(),
            true => skin,
            false => skin.with_full_glyphs(),
        };
        Ok(Looks { skin, depth, settings, config: Rc::new(config) })
    }
}

/// The theme for as long as the process lives.
fn kept(theme: Theme) -> &'static Theme {
    Box::leak(Box::new(theme))
}

/// How many colours a terminal has, by what it says of itself.
fn depth(colorterm: &str, term: &str) -> Depth {
    if matches!(colorterm, "truecolor" | "24bit") || term.ends_with("-direct") {
        Depth::TrueColour
    } else if term.contains("256color") {
        Depth::Indexed256
    } else {
        Depth::Ansi16
    }
}

/// The background that `COLORFGBG` tells of: its last number is one of the sixteen colours. Dark if it says nothing.
fn background(colorfgbg: &str) -> Background {
    match colorfgbg.rsplit(';').next().and_then(|colour| colour.parse().ok()) {
        Some(7 | 9..=15_u8) => Background::Light,
        _ => Background::Dark,
    }
}

/// The locale for characters, by the order that POSIX gives the variables.
fn locale() -> Option<String> {
    let given = |name| var(name).ok().filter(|value| !value.is_empty());
    ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(given)
}

/// Whether terminals of this locale show some glyphs two columns wide that are narrow elsewhere.
fn is_east_asian(locale: Option<&str>) -> bool {
    let language = locale.unwrap_or_default().split(['_', '.', '@']).next().unwrap_or_default();
    matches!(language, "zh" | "ja" | "ko")
}

/// No locale at all means the one of POSIX, which is ASCII.
fn is_utf8(locale: Option<&str>) -> bool {
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colours_are_as_many_as_the_terminal_says() {
        assert_eq!(depth("truecolor", "xterm-256color"), Depth::TrueColour);
        assert_eq!(depth("24bit", "xterm"), Depth::TrueColour);
        assert_eq!(depth("", "xterm-direct"), Depth::TrueColour);
        assert_eq!(depth("", "screen-256color"), Depth::Indexed256);
        assert_eq!(depth("yes", "xterm"), Depth::Ansi16);
        assert_eq!(depth("", "linux"), Depth::Ansi16);
    }

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
