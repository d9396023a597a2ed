//! `quadrille config`: prints the settings.

use super::display_args::DisplayArgs;
use super::unless_closed;
use crate::settings;
use crate::settings::ConfigFile;
use anyhow::bail;
use quadrille_text::printable::printable;
use std::io::Write;

/// The maximum number of problems to report.
const MAX_PROBLEMS: usize = 20;

pub(super) fn run(display_args: &DisplayArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let mut config = display_args.config_file()?;
    // Only for its problem.
    config.theme();
    unless_closed(print(&config, out))?;
    match config.problems.as_slice() {
        [] => Ok(()),
        [problem] => bail!("{problem}"),
        [first, others @ ..] => bail!("{first} (and {} more)", others.len()),
    }
}

fn print(config: &ConfigFile, out: &mut impl Write) -> anyhow::Result<()> {
    let mut comment = |text: &str| writeln!(out, "# {}", printable(text));
    match &config.path {
        Some(path) if path.exists() => comment(&path.display().to_string())?,
        Some(path) => comment(&format!("{} (not created yet)", path.display()))?,
        None => comment("No home directory, so no settings file.")?,
    }
    for problem in config.problems.iter().take(MAX_PROBLEMS) {
        comment(&format!("! {}", problem.replace('\n', " ")))?;
    }
    if config.problems.len() > MAX_PROBLEMS {
        comment(&format!("! and {} more", config.problems.len() - MAX_PROBLEMS))?;
    }
    write!(out, "\n{}", settings::listing(&config.settings))?;
    Ok(out.flush()?)
}
