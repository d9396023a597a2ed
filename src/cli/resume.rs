//! `quadrille resume`: opens the latest match.

use super::display_args::{self, DisplayArgs};
use crate::app::OpenMatch;
use crate::front_end::shared_table;
use quadrille_net::client;
use quadrille_net::folder::{self, HostedTable};
use quadrille_table::match_saver::MatchSaver;

pub(super) fn run(display_args: &DisplayArgs) -> anyhow::Result<()> {
    let display = display_args.display("resume --plain")?;
    let mut saver = MatchSaver::new(None);
    let journals = saver.store().ok().and_then(|store| store.journals().ok()).unwrap_or_default();
    let hosted = folder::hosted(&journals).into_iter().next();
    let is_last = |hosted: &HostedTable| {
        journals.first().is_none_or(|journal| journal.written <= hosted.written)
    };
    let latest = match hosted {
        Some(hosted) if is_last(&hosted) => Err(hosted),
        // If the latest match cannot be opened, resume the table instead.
        Some(hosted) => saver.latest().map_err(|_| hosted),
        None => Ok(saver.latest()?),
    };
    let (table, messages) = match latest {
        Ok(latest) => latest,
        Err(hosted) => {
            let (far, table) = client::return_as_host(hosted)?;
            return shared_table::show_to_host(far, table, &display);
        }
    };
    // Programs need permission before the table is opened.
    if table.needs_table() && table.may_start_programs {
        return shared_table::host_table(table, saver, false, &display);
    }
    display_args::play(&display, OpenMatch::resumed(table), saver, messages, None)
}
