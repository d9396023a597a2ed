//! `quadrille replay`: shows a record on the screen.

use super::display_args::DisplayArgs;
use crate::front_end::disk_host::{self, DiskHost};
use crate::front_end::replay;
use quadrille_table::match_saver::MatchSaver;
use quadrille_table::record_reader::PlayedRecord;
use std::path::PathBuf;

/// Replay a record
#[derive(Debug, clap::Args)]
pub(super) struct ReplayArgs {
    /// A record, or a dots-and-boxes game as trmph text
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(args: &ReplayArgs, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let (record, contradiction) = replay::open(PlayedRecord::read(&args.file)?);
    let appearance = display_args.display("show FILE")?;
    let mut app = appearance.app().with_replay(record);
    replay::warn(&mut app, contradiction);
    disk_host::run(app, &mut DiskHost::new(MatchSaver::new(None), &appearance))
}
