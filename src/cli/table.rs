//! `quadrille table`: the process of a table, and the bridge to one.

use super::display_args::DisplayArgs;
use super::{join, lobby};
use crate::front_end::appearance::new_table;
use crate::settings::ConfigFile;
use anyhow::Context;
use quadrille_net::guest_door::{GuestDoor, choose};
use quadrille_net::{bridge, query, server, ssh_login};
use quadrille_system::calendar;
use quadrille_system::terminal::is_stdin;
use quadrille_table::play::program::ProgramLimits;
use std::env;

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
    /// The table; without it, the guest chooses among the tables that the guest may know
    name: Option<String>,
    /// The guest's name, which the guest cannot change
    #[arg(long = "as", value_name = "NAME", value_parser = join::person)]
    vouched: Option<String>,
}

pub(super) fn run(args: TableArgs, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let connect = match args.command {
        TableCommand::Open => {
            return server::run(|| {
                let memory = ConfigFile::read(None).settings.program_memory;
                ProgramLimits { memory: u64::from(memory) << 20 }
            });
        }
        TableCommand::Connect(connect) => connect,
        TableCommand::Close { name } => {
            let table = join::table_here(Some(&name))?;
            return query::close(&table).with_context(|| format!("cannot close {name}"));
        }
    };
    let mut door = GuestDoor {
        name: connect.name,
        is_restricted: connect.vouched.is_some() || is_forced_command(),
        identity: ssh_login::identity(connect.vouched),
        can_wake: true,
        tokens: Vec::new(),
        now: calendar::moment(),
        new: new_table(&ConfigFile::read(None).settings),
    };
    if is_stdin() {
        if door.name.is_none() {
            let name =
                choose(&door.tables(), "choose one in the command, as in table connect NAME");
            door.name = name.map_err(anyhow::Error::msg)?;
        }
        return join::kiosk(door.open()?, door.identity, display_args);
    }
    bridge::run(door)
}

/// Returns whether an ssh key determines this command. Without a terminal, sshd tells only if the client has requested
/// a different command, as quadrille join does.
fn is_forced_command() -> bool {
    is_stdin() || env::var_os(lobby::REQUESTED_COMMAND).is_some()
}
