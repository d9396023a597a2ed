//! A match in lines: what plain mode has done on disk, and where it is that somebody types.

use super::display_args::DisplayArgs;
use super::folders;
use super::keeper::Keeper;
use crate::plain::{self, Host, Setting};
use crate::play::OpenMatch;
use crate::printable::printable;
use crate::search::TableCache;
use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::sync::Arc;

/// What of a match was lost, to be written on stderr at the end.
struct PlainHost {
    keeper: Keeper,
    lost: Vec<String>,
}

impl Host for PlainHost {
    fn save(&mut self, open_match: &mut OpenMatch) {
        self.keeper.save(open_match);
    }

    fn end(&mut self, open_match: &mut OpenMatch) -> Vec<String> {
        let lost = self.keeper.end(open_match);
        self.lost.clone_from(&lost);
        lost
    }

    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        folders::table_cache()
    }
}

/// Plays a match in lines. The warning, if there is one, is said first.
pub(super) fn run(
    open_match: OpenMatch,
    warning: Option<String>,
    keeper: Keeper,
    seed: u32,
    display_args: &DisplayArgs,
) -> anyhow::Result<()> {
    let setting = Setting {
        has_prompt: stdin().is_terminal() && stdout().is_terminal(),
        is_ascii: display_args.is_ascii(),
        seed,
    };
    let mut host = PlainHost { keeper, lost: Vec::new() };
    let ending = plain::run(open_match, warning, setting, &mut host);
    for lost in &host.lost {
        // Whoever has gone cannot be told.
        let _ = writeln!(stderr(), "{}", printable(lost));
    }
    Ok(ending?.pass_on()?)
}
