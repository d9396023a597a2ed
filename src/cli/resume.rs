//! `quadrille resume`: opens the match that was played last.

use super::display_args::DisplayArgs;
use crate::app::OpenMatch;
use crate::host::disk_host::{self, DiskHost};
use crate::host::keeper::Keeper;
use crate::host::plain_mode;

/// Resume the match that was played last
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Play in lines instead of on a screen, as play --plain does
    #[arg(long)]
    pub(super) plain: bool,
}

pub(super) fn run(args: &Args, display_args: &DisplayArgs) -> anyhow::Result<()> {
    if DisplayArgs::is_plain(args.plain) {
        let mut keeper = Keeper::new(None);
        let (table, messages) = keeper.latest()?;
        let line = |[title, text]: [String; 2]| format!("{title}: {text}.");
        let (options, wrong) = display_args.in_lines()?;
        let warnings = messages.into_iter().map(line).chain(wrong).collect();
        return plain_mode::run(table, warnings, keeper, options);
    }
    let looks = display_args.on_the_terminal("resume --plain")?;
    let mut keeper = Keeper::new(None);
    let (table, messages) = keeper.latest()?;
    let mut app = looks.app().with_match(OpenMatch::resumed(table));
    // The last one is on top, so the first is read first.
    for [title, text] in messages.into_iter().rev() {
        app.warn(&title, &text);
    }
    disk_host::run(app, &mut DiskHost::new(keeper, &looks))
}
