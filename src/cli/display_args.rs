//! How the screens look on this terminal, and whether there is one.

use crate::board::Skin;
use anyhow::bail;
use std::env::var;
use std::io::{IsTerminal, stdin, stdout};

/// How the screens look.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Looks")]
pub(super) struct DisplayArgs {
    /// When to use colour; auto means unless `NO_COLOR` is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    color: When,
    /// Draw with ASCII only, as is done by itself where the locale is not UTF-8
    #[arg(long, global = true)]
    ascii: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

impl DisplayArgs {
    /// The looks for this process's terminal; an error if the screens cannot run on it.
    pub(super) fn on_the_terminal(&self) -> anyhow::Result<Skin> {
        for (name, is) in [("stdin", stdin().is_terminal()), ("stdout", stdout().is_terminal())] {
            if !is {
                bail!(
                    "{name} is not a terminal, and the screens need one; quadrille --help says what does not"
                );
            }
        }
        let term = var("TERM").unwrap_or_default();
        if matches!(&*term, "" | "dumb") {
            bail!(
                "TERM is {term:?}, a terminal that cannot show the screens; set TERM to what it is, as xterm-256color"
            );
        }
        let skin = Skin::default();
        let colour = match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => var("NO_COLOR").unwrap_or_default().is_empty(),
        };
        // crossterm looks at NO_COLOR too; what is decided here must hold.
        crossterm::style::force_color_output(colour);
        let skin = if colour { skin } else { skin.without_colour() };
        // The console of Linux reads UTF-8, but its fonts have none of our glyphs.
        let ascii = self.ascii || term == "linux" || !is_utf8(locale().as_deref());
        Ok(if ascii { skin.in_ascii() } else { skin })
    }
}

/// The locale for characters, by the order that POSIX gives the variables.
fn locale() -> Option<String> {
    let given = |name| var(name).ok().filter(|value| !value.is_empty());
    ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(given)
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
    fn the_character_set_is_read_from_the_locale() {
        for utf8 in ["en_US.UTF-8", "C.utf8", "de_DE.UTF-8@euro"] {
            assert!(is_utf8(Some(utf8)), "{utf8}");
        }
        for other in [None, Some("C"), Some("POSIX"), Some("de_DE.ISO-8859-1"), Some("de_DE")] {
            assert!(!is_utf8(other), "{other:?}");
        }
    }
}
