//! `quadrille lobby`: lists tables for visitors of a public server.

use super::display_args::DisplayArgs;
use super::{join, usage};
use crate::front_end::shared_table::follow_table;
use quadrille_net::guest_door::GuestDoor;
use quadrille_net::lobby::{Lobby, asks_for_bridge};
use quadrille_net::open::NewTable;
use quadrille_net::route::Route;
use quadrille_net::{JoinRequest, bridge, ssh_login};
use quadrille_system::calendar;
use quadrille_system::terminal::is_stdin;
use std::env;

/// Run a lobby: visitors can list, open, join and watch tables, and nothing else
///
/// Meant for a public server: an account for which sshd_config sets ForceCommand quadrille lobby. See assets/serve/ in
/// the source.
#[derive(Debug, clap::Args)]
#[allow(clippy::doc_markdown, reason = "it is the help text")]
pub(super) struct LobbyArgs {
    /// The visitor's name; the lobby asks if it is missing
    #[arg(long, value_parser = join::person)]
    name: Option<String>,
}

/// The environment variable that holds the command requested by an ssh client.
pub(super) const REQUESTED_COMMAND: &str = "SSH_ORIGINAL_COMMAND";

pub(super) fn run(LobbyArgs { name }: LobbyArgs, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let identity = ssh_login::identity(name);
    if let Some(table) = env::var(REQUESTED_COMMAND).ok().as_deref().and_then(asks_for_bridge) {
        // The screens run in the visitor's own Quadrille.
        return bridge::run(GuestDoor {
            name: table,
            identity,
            is_restricted: false,
            can_wake: false,
            tokens: Vec::new(),
            now: calendar::moment(),
            new: NewTable::default(),
        });
    }
    if !is_stdin() {
        return Err(usage("the lobby needs a terminal; use ssh -t"));
    }
    let idle = display_args.config_file()?.settings.table_idle();
    let join = |route: Route, join_request: JoinRequest, opens: &dyn Fn()| {
        follow_table(route, join_request, None, &display_args.display("lobby --plain")?, opens)
    };
    Lobby { idle, identity, join: &join }.run()
}
