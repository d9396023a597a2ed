//! `quadrille tables`: lists the open and the sleeping tables of this machine.

use quadrille_net::agenda::AgendaMatch;
use quadrille_net::agenda_files::Agenda;
use quadrille_net::folder::open_tables;
use quadrille_net::query::{TableSummary, query_tables};
use quadrille_system::calendar;
use serde::Serialize;
use std::io::Write;

/// List your tables on this machine
///
/// Prints one line per open table: name, game, players and number of moves. A sleeping table, whose match has days per
/// move, follows with whose turn it is and the time left; joining wakes it. Join one with quadrille join NAME.
#[derive(Debug, clap::Args)]
pub(super) struct TablesArgs {
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

/// A table in the JSON list. A sleeping table alone has `sleeping`.
#[derive(Serialize)]
#[serde(untagged)]
enum ListedTable {
    Open(TableSummary),
    Sleeping {
        sleeping: bool,
        #[serde(flatten)]
        table: AgendaMatch,
    },
}

pub(super) fn run(args: &TablesArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let tables = open_tables();
    let appearance = query_tables(&tables);
    let mut sleeping = Agenda::of_host(calendar::moment()).matches;
    sleeping.retain(|one| !tables.iter().any(|table| table.name == one.table));
    sleeping.sort_by(|a, b| a.table.cmp(&b.table));
    if args.json {
        let open = appearance.into_iter().flatten().map(ListedTable::Open);
        let sleeping = sleeping.into_iter();
        let sleeping = sleeping.map(|table| ListedTable::Sleeping { sleeping: true, table });
        let listed: Vec<ListedTable> = open.chain(sleeping).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&listed)?)?;
    } else if tables.is_empty() && sleeping.is_empty() {
        writeln!(out, "No open tables. Open one with quadrille play GAME --seat 2=guest.")?;
    } else {
        for (table, look) in tables.iter().zip(appearance) {
            let silent = || format!("{}: does not answer", table.name);
            writeln!(out, "{}", look.map_or_else(silent, |look| look.to_string()))?;
        }
        for table in sleeping {
            writeln!(out, "{table}, asleep")?;
        }
    }
    Ok(())
}
