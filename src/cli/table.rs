//! `quadrille table`: the process of a table, and the bridge to one.

use super::display_args::DisplayArgs;
use super::join;
use crate::net::{bridge, query, server};
use anyhow::Context;
use rustix::stdio::stdin;
use std::io::IsTerminal;

/// Connect to a table on this machine, or close one
///
/// quadrille join runs connect over ssh.
#[derive(Debug, clap::Args)]
pub(super) struct TableArgs {
    #[command(subcommand)]
    command: TableCommand,
}

/// Explains how a friend without an account joins.
const FRIEND: &str = "To let a friend without an account join one table and do nothing else, put this before their \
    key in ~/.ssh/authorized_keys:\n  restrict,pty,command=\"quadrille table connect quixo --as Bob\" ssh-ed25519 \
    AAAA...";

#[derive(Debug, clap::Subcommand)]
enum TableCommand {
    /// Run a table whose match comes from stdin
    #[command(hide = true)]
    Open,
    Connect(ConnectArgs),
    /// Close one of your tables and save its match
    Close {
        /// The table's name in quadrille tables
        name: String,
    },
}

/// Connect stdin and stdout to a table
///
/// On a terminal, shows the table.
#[derive(Debug, clap::Args)]
#[command(after_help = FRIEND)]
struct ConnectArgs {
    /// The table; the default is the only open one
    name: Option<String>,
    /// The guest's name, which the guest cannot change
    #[arg(long = "as", value_name = "NAME", value_parser = join::person)]
    vouched: Option<String>,
}

pub(super) fn run(args: TableArgs, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let connect = match args.command {
        TableCommand::Open => return server::run(),
        TableCommand::Connect(connect) => connect,
        TableCommand::Close { name } => {
            let table = join::table_here(Some(&name))?;
            return query::close(&table).with_context(|| format!("cannot close {name}"));
        }
    };
    let table = join::table_here(connect.name.as_deref())?;
    if stdin().is_terminal() {
        return join::kiosk(table, connect.vouched, display_args);
    }
    bridge::run(&table.path, connect.vouched.as_deref())
}
