//! `quadrille table`: the process of a table, and the bridge to one.

use super::display_args::DisplayArgs;
use super::join;
use crate::net::{bridge, query, server};
use anyhow::Context;
use rustix::stdio::stdin;
use std::io::IsTerminal;

/// Carry a line to a table that is open on this machine, or close one
///
/// A terminal elsewhere starts connect through ssh.
#[derive(Debug, clap::Args)]
pub(super) struct TableArgs {
    #[command(subcommand)]
    command: TableCommand,
}

/// How a friend without an account comes.
const FRIEND: &str = "Before the key of a friend without an account, in ~/.ssh/authorized_keys, this lets the friend come \
    to one table and do nothing else:\n  restrict,pty,command=\"quadrille table connect quixo --as Bob\" ssh-ed25519 AAAA...";

#[derive(Debug, clap::Subcommand)]
enum TableCommand {
    /// Be the process of a table, whose match comes from stdin
    #[command(hide = true)]
    Open,
    Connect(ConnectArgs),
    /// Close a table of yours; its match is kept
    Close {
        /// The table, as quadrille tables lists it
        name: String,
    },
}

/// Connect stdin and stdout to a table
///
/// In a terminal it shows the table.
#[derive(Debug, clap::Args)]
#[command(after_help = FRIEND)]
struct ConnectArgs {
    /// The table; if it is missing, the only one that is open
    name: Option<String>,
    /// Who comes, whatever they call themselves
    #[arg(long = "as", value_name = "NAME", value_parser = join::person)]
    vouched: Option<String>,
}

pub(super) fn run(args: TableArgs, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let connect = match args.command {
        TableCommand::Open => return server::run(),
        TableCommand::Connect(connect) => connect,
        TableCommand::Close { name } => {
            let table = join::table_here(Some(&name))?;
            return query::close(&table).with_context(|| format!("{name} cannot be closed"));
        }
    };
    let table = join::table_here(connect.name.as_deref())?;
    if stdin().is_terminal() {
        return join::kiosk(table, connect.vouched, display_args);
    }
    bridge::run(&table.path, connect.vouched.as_deref())
}
