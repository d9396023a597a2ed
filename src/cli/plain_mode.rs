//! Plain mode on stdin and stdout: saving its match, and its settings.

use super::config_file::ConfigFile;
use super::display_args::DisplayArgs;
use super::keeper::{COPIED, Keeper};
use super::{folders, say};
use crate::plain::{self, Host, Options};
use crate::play::OpenMatch;
use crate::play::program::ProgramLimits;
use crate::search::TableCache;
use crate::settings::GlyphSet;
use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;
use std::sync::Arc;

/// Saves the match of plain mode.
struct PlainHost {
    keeper: Keeper,
    /// What could not be saved, for stderr.
    lost: Vec<String>,
}

impl Host for PlainHost {
    fn save(&mut self, open_match: &mut OpenMatch) -> Option<String> {
        self.keeper.save(open_match);
        let [title, text] = COPIED;
        self.keeper.has_copied().then(|| format!("{title}. {text}"))
    }

    fn end(&mut self, open_match: &mut OpenMatch) -> Vec<String> {
        let lost = self.keeper.close(open_match);
        self.lost.clone_from(&lost);
        lost
    }

    fn program_stderr(&self) -> Option<PathBuf> {
        folders::program_stderr()
    }

    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        folders::table_cache()
    }
}

/// Plays a match in lines. The warnings are printed first.
pub(super) fn run(
    open_match: OpenMatch,
    warnings: Vec<String>,
    keeper: Keeper,
    seed: u32,
    display_args: &DisplayArgs,
) -> anyhow::Result<()> {
    let config = ConfigFile::read(display_args.config())?;
    let wrong = config.warning().or_else(|| config.remark().map(str::to_owned));
    let mut settings = config.settings;
    display_args.override_settings(&mut settings);
    let options = Options {
        has_prompt: stdin().is_terminal() && stdout().is_terminal(),
        is_ascii: display_args.is_ascii() || settings.glyphs == GlyphSet::Ascii,
        has_hints: settings.hints,
        ponders: settings.ponder,
        seed,
        limits: ProgramLimits { memory: u64::from(settings.program_memory) << 20 },
    };
    let mut host = PlainHost { keeper, lost: Vec::new() };
    let warnings = warnings.into_iter().chain(wrong).collect();
    let ending = plain::run(open_match, warnings, options, &mut host);
    for lost in &host.lost {
        say(lost);
    }
    Ok(ending?.pass_on()?)
}
