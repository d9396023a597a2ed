//! `quadrille tables`: lists the open tables of this machine.

use quadrille_net::folder::open_tables;
use quadrille_net::query::query_tables;
use std::io::Write;

/// List open tables on this machine
///
/// Prints one line per table: name, game, players and number of moves. Join one with quadrille join NAME.
#[derive(Debug, clap::Args)]
pub(super) struct TablesArgs {
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &TablesArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let tables = open_tables();
    let appearance = query_tables(&tables);
    if args.json {
        let appearance: Vec<_> = appearance.into_iter().flatten().collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&appearance)?)?;
    } else if tables.is_empty() {
        writeln!(out, "No open tables. Open one with quadrille play GAME --seat 2=guest.")?;
    } else {
        for (table, look) in tables.iter().zip(appearance) {
            let silent = || format!("{}: does not answer", table.name);
            writeln!(out, "{}", look.map_or_else(silent, |look| look.to_string()))?;
        }
    }
    Ok(())
}
