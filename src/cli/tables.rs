//! `quadrille tables`: the tables that are open on this machine.

use crate::net::folder::open_tables;
use crate::net::query::query_tables;
use std::io::Write;

/// List the tables that are open on this machine
///
/// A line each: its name, the game, who sits where, and how many moves were played. quadrille join NAME goes to one.
#[derive(Debug, clap::Args)]
pub(super) struct TablesArgs {
    /// Write them as a list of JSON
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
        writeln!(out, "No table is open here; quadrille play GAME --seat 2=guest opens one.")?;
    } else {
        for (table, look) in tables.iter().zip(appearance) {
            let silent = || format!("{}: does not answer", table.name);
            writeln!(out, "{}", look.map_or_else(silent, |look| look.to_string()))?;
        }
    }
    Ok(())
}
