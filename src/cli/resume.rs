//! `quadrille resume`: opens the match that was played last.

use super::disk_host::{self, DiskHost};
use super::display_args::DisplayArgs;
use super::keeper::Keeper;
use super::{plain_mode, play};

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
        let (open_match, messages) = keeper.latest()?;
        let line = |[title, text]: [String; 2]| format!("{title}: {text}.");
        let warnings = messages.into_iter().map(line).collect();
        return plain_mode::run(open_match, warnings, keeper, display_args);
    }
    let looks = display_args.on_the_terminal("resume --plain")?;
    let mut keeper = Keeper::new(None);
    let (open_match, messages) = keeper.latest()?;
    let mut app = play::app(&looks).with_match(open_match);
    // The last one is on top, so the first is read first.
    for [title, text] in messages.into_iter().rev() {
        app.warn(&title, &text);
    }
    disk_host::run(app, &mut DiskHost::new(keeper, &looks))
}
