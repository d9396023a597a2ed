//! `quadrille config`: prints the settings.

use super::config_file::ConfigFile;
use crate::settings;
use anyhow::bail;
use std::io::Write;
use std::path::Path;

/// Print where the settings are kept, and what they are
///
/// The output is a complete settings file. Settings that have their default value are comments in it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(named: Option<&Path>, out: &mut impl Write) -> anyhow::Result<()> {
    let config = ConfigFile::read(named)?;
    match &config.path {
        Some(path) if path.exists() => writeln!(out, "# {}", path.display())?,
        Some(path) => writeln!(out, "# {}, which is not there yet", path.display())?,
        None => writeln!(out, "# There is no home folder, so there is no settings file.")?,
    }
    for problem in &config.problems {
        writeln!(out, "# ! {}", problem.replace('\n', " "))?;
    }
    write!(out, "\n{}", settings::listing(&config.settings))?;
    out.flush()?;
    match config.problems.as_slice() {
        [] => Ok(()),
        [problem] => bail!("{problem}"),
        [first, others @ ..] => bail!("{first} (and {} more)", others.len()),
    }
}
