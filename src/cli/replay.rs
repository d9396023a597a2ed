//! `quadrille replay`: shows a record on the screen.

use super::display_args::DisplayArgs;
use crate::front_end::disk_host::{self, DiskHost};
use crate::front_end::replay;
use quadrille_table::match_saver::MatchSaver;
use quadrille_table::record_reader::PlayedRecord;
use std::path::{Path, PathBuf, absolute};

/// Replay a record
#[derive(Debug, clap::Args)]
pub(super) struct ReplayArgs {
    /// A record, or a dots-and-boxes game as trmph text
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(args: &ReplayArgs, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let played = PlayedRecord::read(&args.file)?;
    let filed = Some(played.filed.clone()).filter(|_| is_listed(&args.file));
    let (mut record, contradiction) = replay::open(played);
    if let Some(filed) = filed {
        record = record.filed_as(filed);
    }
    let appearance = display_args.display("show FILE")?;
    let mut app = appearance.app().with_replay(record);
    replay::warn(&mut app, contradiction);
    disk_host::run(app, &mut DiskHost::new(MatchSaver::new(None), &appearance))
}

/// Returns whether the file is a record of the user's library.
fn is_listed(file: &Path) -> bool {
    let records = MatchSaver::new(None).store().ok().and_then(|store| store.records().ok());
    let here = absolute(file).ok();
    records.into_iter().flatten().any(|record| absolute(&record.path).ok() == here)
}
