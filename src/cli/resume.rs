//! `quadrille resume`: opens the match that was played last.

use super::display_args::DisplayArgs;
use crate::app::OpenMatch;
use crate::host::disk_host::{self, DiskHost};
use crate::host::keeper::Keeper;
use crate::host::plain_mode;
use crate::host::table::far_table;
use crate::host::table::follow::{self, Display};

/// Resume the match that was played last
///
/// A match that had a guest goes on at a table, where the guest can come back. If its table is still open, this terminal
/// comes back to it as its host.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Play in lines instead of on a screen, as play --plain does
    #[arg(long)]
    pub(super) plain: bool,
}

pub(super) fn run(args: &Args, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let display = display_args.display(args.plain, "resume --plain")?;
    let mut keeper = Keeper::new(None);
    if let Some(at_table) = keeper.latest_id().and_then(|id| far_table::return_as_host(&id)) {
        let (far, table) = at_table?;
        return follow::show(far, table, display, false);
    }
    let (table, messages) = keeper.latest()?;
    if table.players().guests().next().is_some() {
        return follow::host_table(table, keeper, false, display);
    }
    match display {
        Display::Lines(options, wrong) => {
            let line = |[title, text]: [String; 2]| format!("{title}: {text}.");
            let warnings = messages.into_iter().map(line).chain(wrong).collect();
            plain_mode::run(table, warnings, keeper, options)
        }
        Display::Screens(looks) => {
            let mut app = looks.app().with_match(OpenMatch::resumed(table));
            // The last one is on top, so the first is read first.
            for [title, text] in messages.into_iter().rev() {
                app.warn(&title, &text);
            }
            disk_host::run(app, &mut DiskHost::new(keeper, &looks))
        }
    }
}
