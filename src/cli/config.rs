//! The user's settings: `config.toml` in the config folder.
//!
//! ```toml
//! theme = "paper"
//! mouse = false
//! ```

use super::{file, folders, themes};
use crate::scene::Theme;
use crate::toml_file::Source;
use std::fmt;

/// What the user has set. The command line wins over it.
#[derive(Debug, Default)]
pub(super) struct Config {
    pub(super) theme: Option<Theme>,
    pub(super) mouse: Option<bool>,
}

/// What is wrong with a setting.
#[derive(Debug)]
enum Why {
    Syntax(String),
    Unknown,
    NoText(&'static str),
    NoFlag(&'static str),
    NoTheme(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Syntax(message) => f.write_str(message),
            Why::Unknown => f.write_str("no such setting; there are theme and mouse"),
            Why::NoText(is) => write!(f, "should be a text in quotes, and is {is}"),
            Why::NoFlag(is) => write!(f, "should be true or false, and is {is}"),
            Why::NoTheme(why) => f.write_str(why),
        }
    }
}

impl Config {
    /// Reads the user's settings. Without a file nothing is set.
    pub(super) fn read() -> anyhow::Result<Config> {
        let Some(folder) = folders::config() else { return Ok(Config::default()) };
        let Some((file, text)) = file::settings(&folder.join("config.toml"))? else {
            return Ok(Config::default());
        };
        Config::of(Source { file: &file, text: &text })
    }

    fn of(source: Source<'_>) -> anyhow::Result<Config> {
        let mut config = Config::default();
        for (key, value) in &source.entries(Why::Syntax)? {
            match key.get_ref().as_ref() {
                "theme" => {
                    let name = source.text("theme", value, Why::NoText)?;
                    let unknown = || {
                        let why = Why::NoTheme(themes::unknown(name));
                        source.error(value.span().start, Some("theme"), why)
                    };
                    config.theme = Some(themes::find(name)?.ok_or_else(unknown)?);
                }
                "mouse" => config.mouse = Some(source.flag("mouse", value, Why::NoFlag)?),
                other => {
                    let at = key.span().start;
                    return Err(source.error(at, Some(other), Why::Unknown).into());
                }
            }
        }
        Ok(config)
    }
}
