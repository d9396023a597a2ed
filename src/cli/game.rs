//! Parses a game and its setup from the command line.

use super::{OpenList, usage};
use anyhow::{Context, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use quadrille_match::session::Match;
use quadrille_rules::join_the_dots::Point;
use quadrille_rules::{OptionSpec, Setup};
use quadrille_system::read::{self, Limit};
use quadrille_table::catalogue::{self, GAMES, GameEntry};
use quadrille_table::seed::SEED;
use quadrille_text::printable::print_stderr;
use quadrille_text::wording::cut;
use std::fmt::Write as _;
use std::path::Path;

/// The setup option that also accepts a value of the form `@FILE`.
const POINTS: &str = "points";

/// The maximum width of the setup options in the help, in columns.
const HELP_WIDTH: usize = 78;

/// Parses the name of a game or an unambiguous short form.
pub(super) fn parser() -> impl TypedValueParser<Value = &'static GameEntry> {
    let value = |entry: &GameEntry| {
        let value = PossibleValue::new(entry.id).help(entry.tagline);
        value.aliases(entry.aliases.iter().copied())
    };
    let parse = |name: &str| {
        catalogue::named(name).map_err(|meant| {
            let games = if meant.is_empty() { GAMES.iter().collect() } else { meant };
            games.iter().map(|entry| entry.id).collect()
        })
    };
    OpenList { values: GAMES.iter().map(value).collect(), parse }
}

/// Lists all games, for the help.
pub(super) fn list() -> String {
    let mut text = "Games:".to_owned();
    for entry in GAMES {
        // Writing to a string never fails.
        let _ = write!(text, "\n  {:<15}  {}", entry.id, entry.tagline);
    }
    text
}

/// Lists the setup options of all games, for the help.
pub(super) fn setup_options() -> String {
    let mut text = "Setup options, as KEY=VALUE. Ranges that depend on other options are\n\
                    shown for the default values."
        .to_owned();
    for entry in GAMES {
        let _ = write!(text, "\n\n{}", entry.id);
        for option in (entry.options)(&Setup::new()) {
            let also = option.shorthand().map_or(String::new(), |name| format!(", also by {name}"));
            let _ = write!(text, "\n  {:<8} {}{also}", option.name(), option.help());
            let file = if option.name() == POINTS { ", or @FILE" } else { "" };
            let default = match option.name() {
                SEED => "play picks one by default".to_owned(),
                _ if option.default().is_empty() => String::new(),
                _ => format!("default {}", option.default()),
            };
            let values = match &option {
                OptionSpec::Choice(words) => {
                    let described = words.choices.iter().filter(|choice| !choice.help.is_empty());
                    for choice in described {
                        let _ =
                            write!(text, "\n  {:<8} {:<15}  {}", "", choice.form(), choice.help);
                    }
                    if words.is_counted() { words.counts_allowed() } else { option.values() }
                }
                _ => option.values(),
            };
            let values = format!("\n  {:<8} {values}{file}", "");
            let gap = match values.len() + default.len() {
                _ if default.is_empty() => String::new(),
                ..=HELP_WIDTH => "; ".to_owned(),
                _ => format!(";\n  {:<8} ", ""),
            };
            let _ = write!(text, "{values}{gap}{default}");
        }
    }
    text
}

/// Formats a game and its setup in one line. Truncates a long setup, since Join the Dots may have hundreds of points.
pub(super) fn title(entry: &GameEntry, setup: &str) -> String {
    const MAX_CHARS: usize = 60;
    if setup.chars().count() <= MAX_CHARS {
        return format!("{}, {setup}", entry.name);
    }
    let cut: String = setup.chars().take(MAX_CHARS - 3).collect();
    format!("{}, {cut}...", entry.name)
}

/// Parses the setup on the command line without checking it against the rules. Replaces `points=@FILE` with the points
/// in the file.
pub(super) fn setup(entry: &GameEntry, words: &[String]) -> anyhow::Result<Setup> {
    let mut setup = Setup::from_words(words).map_err(usage)?;
    read_points(entry, &mut setup, Path::new(""))?;
    Ok(setup)
}

/// Parses the setup on the command line and starts a match. Prints surprising defaults on stderr; see
/// [`Setup::shorthand_hint`].
pub(super) fn start(entry: &GameEntry, words: &[String]) -> anyhow::Result<(Setup, Match)> {
    let setup = setup(entry, words)?;
    let game = (entry.start)(&setup).map_err(usage)?;
    if let Some(left_out) = setup.shorthand_hint(&(entry.options)(&setup)) {
        print_stderr(&format!("{}: {left_out}", entry.id));
    }
    Ok((setup, game))
}

/// Replaces `points=@FILE` in a setup with the points in the file. The path is relative to `folder`.
pub(super) fn read_points(
    entry: &GameEntry,
    setup: &mut Setup,
    folder: &Path,
) -> anyhow::Result<()> {
    let has_points = (entry.options)(setup).iter().any(|option| option.name() == POINTS);
    if let Some(file) = setup.get(POINTS).and_then(|value| value.strip_prefix('@'))
        && has_points
    {
        let text = read::named_text(&folder.join(file), Limit::POINTS);
        let text = text.with_context(|| file.to_owned())?;
        let points = points(&text).with_context(|| file.to_owned())?;
        if let Err(error) = (entry.start)(&Setup::new().with(POINTS, &points)) {
            bail!("{file}: {}", error.reason());
        }
        setup.set(POINTS, points);
    }
    Ok(())
}

/// Parses points written as `x,y` and separated by `;` or white space; `#` begins a comment. The error names the line.
fn points(text: &str) -> anyhow::Result<String> {
    let mut points = Vec::new();
    // Some editors write a byte order mark at the beginning.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    for (line, number) in lines.flat_map(|line| line.split('\r')).zip(1..) {
        let line = line.split('#').next().unwrap_or_default();
        let words = line.split(|c: char| c == ';' || c.is_whitespace());
        for word in words.filter(|word| !word.is_empty()) {
            if word.parse::<Point>().is_err() {
                bail!("line {number}: a point must be x,y such as 0.25,0.5, not {:?}", cut(word));
            }
            points.push(word);
        }
    }
    Ok(points.join(";"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_file_accepts_any_layout() {
        let text = "# three\n0,0; 1,0\t0.5,1 # top\r\n\n ;0.25,0.5;";
        assert_eq!(points(text).unwrap(), "0,0;1,0;0.5,1;0.25,0.5");
        assert_eq!(points("0,0 # a\r1,0 # b\n\r\n0.5,1").unwrap(), "0,0;1,0;0.5,1");
        assert_eq!(points("").unwrap(), "");
        assert_eq!(points("\u{feff}0,0;1,0").unwrap(), "0,0;1,0");
        assert_eq!(
            points("0,0\n1,1 1\n").unwrap_err().to_string(),
            "line 2: a point must be x,y such as 0.25,0.5, not \"1\""
        );
        assert!(points(&"x".repeat(1000)).unwrap_err().to_string().len() < 100);
    }

    #[test]
    fn help_lists_every_setup_option() {
        let help = setup_options();
        for entry in GAMES {
            assert!(list().contains(entry.id));
            for option in (entry.options)(&Setup::new()) {
                let line = format!("\n  {:<8} {}", option.name(), option.help());
                let values = match option {
                    OptionSpec::Choice(option) if option.is_counted() => {
                        option.choices.iter().map(|choice| format!(" {} ", choice.form())).collect()
                    }
                    _ => vec![option.values()],
                };
                let has_all = values.iter().all(|value| help.contains(value));
                assert!(help.contains(&line) && has_all, "{}", option.name());
            }
        }
        assert!(help.lines().skip(1).all(|line| line.chars().count() <= 80), "{help}");
    }
}
