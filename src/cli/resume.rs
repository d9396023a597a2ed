//! `quadrille resume`: opens the latest match.

use super::display_args::{self, DisplayArgs};
use crate::app::OpenMatch;
use crate::front_end::appearance::new_table;
use crate::front_end::shared_table;
use quadrille_net::client::{self, Resumed};
use quadrille_net::folder::{self, HostedTable};
use quadrille_net::wake;
use quadrille_table::match_saver::{LOST, MatchSaver};

pub(super) fn run(display_args: &DisplayArgs) -> anyhow::Result<()> {
    let display = display_args.display("resume --plain")?;
    let mut saver = MatchSaver::new(None);
    let journals = saver.store().ok().and_then(|store| store.journals().ok()).unwrap_or_default();
    let hosted = folder::hosted(&journals).into_iter().next();
    let is_last = |hosted: &HostedTable| {
        journals.first().is_none_or(|journal| journal.written <= hosted.written)
    };
    // A match at a table may just have been woken, and its process does not answer yet.
    let latest = || saver.latest(wake::is_at_table);
    let latest = match hosted {
        Some(hosted) if is_last(&hosted) => Err(hosted),
        // If the latest match cannot be opened, resume the table instead.
        Some(hosted) => latest().map_err(|_| hosted),
        None => Ok(latest()?),
    };
    let (id, message) = match latest {
        Ok(latest) => latest,
        Err(hosted) => {
            let (far, table) = client::return_as_host(hosted)?;
            return shared_table::show_to_host(far, table, Vec::new(), &display);
        }
    };
    let name = client::usual_name(&display.settings.name).unwrap_or_default();
    let new = new_table(&display.settings);
    let Resumed { client, table, lost } = client::resume(&id, &mut saver, new, &name)?;
    let lost = lost.map(|lost| [LOST.to_owned(), lost]);
    let messages = message.into_iter().chain(lost).collect();
    match client {
        Some(client) => shared_table::show_to_host(client, table, messages, &display),
        None => display_args::play(&display, OpenMatch::resumed(table), saver, messages, None),
    }
}
