//! `quadrille resume`: straight into the match that was left last.

use super::disk_host::{self, DiskHost};
use super::display_args::DisplayArgs;
use super::keeper::{Keeper, LOST};
use super::play;

/// Go on with the match that was left last
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(display_args: &DisplayArgs) -> anyhow::Result<()> {
    let looks = display_args.on_the_terminal()?;
    let mut keeper = Keeper::new(None);
    let (open_match, lost) = keeper.latest()?;
    let mut app = play::app(&looks).with_match(open_match);
    if let Some(lost) = lost {
        app.warn(LOST, &lost);
    }
    disk_host::run(app, &mut DiskHost::new(keeper, &looks))
}
