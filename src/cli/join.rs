//! `quadrille join`: joins an open table on this machine or a different one.

use super::display_args::DisplayArgs;
use super::{need_tables, usage};
use crate::front_end::appearance::new_table;
use crate::front_end::shared_table::{follow_table, show_to_host};
use crate::settings::ConfigFile;
use anyhow::{Context, anyhow, bail};
use quadrille_match::store::MatchStore;
use quadrille_net::client::{self, usual_name};
use quadrille_net::folder::{self, HostedTable, OpenTable};
use quadrille_net::protocol::{Hello, SeatRequest, fit_name};
use quadrille_net::query::query_tables;
use quadrille_net::route::{Route, SharedTable, SocketRoute, SshRoute};
use quadrille_net::seat_file::SeatFolder;
use quadrille_net::{Identity, JoinRequest, ssh_login, wake};
use quadrille_rules::Seat;
use quadrille_system::folders;
use quadrille_system::processes::{command_named, replace_with};
use quadrille_text::wording::list;
use std::env;

/// Join a table on this machine or another
///
/// Without TABLE, joins the only open table on this machine. Tables on other machines are reached through ssh, and
/// quadrille must be installed there. Without quadrille on this machine, ssh -t ann@host quadrille join does the
/// same. Set QUADRILLE_SSH to replace the ssh command, for example with ssh -p 2222.
#[derive(Debug, clap::Args)]
#[allow(clippy::doc_markdown, reason = "it is the help text")]
pub(super) struct JoinArgs {
    /// NAME on this machine; ann@host, ann@host:NAME or host: on another; for a table of another user on this
    /// machine, the path and secret that its host passes on
    table: Option<String>,
    /// Watch without playing
    #[arg(long, conflicts_with = "seat")]
    watch: bool,
    /// Seats to take, such as 2 or 2,3; the default is the first free seat
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..=8))]
    seat: Vec<u8>,
    /// Move your seat here from another terminal
    #[arg(long = "move", conflicts_with = "watch")]
    moves: bool,
    /// Your name at the table; the default is your usual name, or Guest at a table of your own account
    #[arg(long, value_parser = person)]
    name: Option<String>,
    /// A command to use instead of ssh; its stdin and stdout connect to the table
    ///
    /// It is split like a shell command but run without a shell, as in 'socat - TCP:host:7777', with quadrille table
    /// connect at the other end.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["table", "remote_command"])]
    via: Option<String>,
    /// Path of quadrille on the other machine, if it is not in PATH there
    #[arg(long, value_name = "PATH")]
    remote_command: Option<String>,
}

/// The default name of a guest.
const GUEST: &str = "Guest";

/// What systems without tables refuse.
const HERE: &str = "tables on this machine";

/// The environment variable that replaces the ssh command. It may contain arguments.
const SSH: &str = "QUADRILLE_SSH";
/// The environment variable that holds the secret of a different user's table.
const SECRET: &str = "QUADRILLE_SECRET";

pub(super) fn run(args: &JoinArgs, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let wanted = match &*args.seat {
        _ if args.watch => SeatRequest::Watch,
        [] => SeatRequest::Any,
        seats => SeatRequest::Seats(seats.iter().map(|seat| Seat::new(seat - 1)).collect()),
    };
    let (route, is_kiosk) = route(args)?;
    // At a table of this account the guest does not own the table: `ssh -t ann@host quadrille join` runs as Ann.
    let is_own = !is_kiosk && matches!(route, Route::Socket(..));
    if let Some(name) = args.name.as_ref().filter(|_| !is_own) {
        remember(name);
    }
    let display = display_args.display("join --plain")?;
    let usual = || usual_name(&display.settings.name).filter(|_| !is_own);
    let name = args.name.clone().or_else(usual).unwrap_or_else(|| GUEST.to_owned());
    if !args.watch
        && let Some(hosted) = hosted_here(&route)
        && is_host(&hosted.host.host, args.name.as_deref())?
    {
        let (far, table) = client::return_as_host(hosted)?;
        return show_to_host(far, table, Vec::new(), &display);
    }
    let state = folders::state().ok().filter(|_| wanted != SeatRequest::Watch);
    let seats =
        state.map(|state| SeatFolder { state, name: args.name.clone(), trusts_destination: false });
    let hello = Hello { name, wanted, ..Hello::default() };
    let join_request =
        JoinRequest { hello, is_kiosk, is_moving: args.moves, ..JoinRequest::default() };
    follow_table(route, join_request, seats, &display, &|| ())
}

/// Parses the name of a person at a table.
pub(super) fn person(name: &str) -> Result<String, &'static str> {
    fit_name(name).ok_or("not a name")
}

/// Returns the table at this route if this user, whom no key vouches for, may be its absent host.
fn hosted_here(route: &Route) -> Option<HostedTable> {
    let Route::Socket(SocketRoute { path, identity, .. }) = route else { return None };
    let hosted = folder::hosted(&[]).into_iter().find(|hosted| hosted.table.path == *path)?;
    let look = query_tables(std::slice::from_ref(&hosted.table)).pop()??;
    (*identity == Identity::default() && look.is_host_away).then_some(hosted)
}

/// Returns whether the user is the host. Guests may share the host's account, as in `ssh -t ann@host quadrille join`.
fn is_host(host: &str, name: Option<&str>) -> std::io::Result<bool> {
    name.map_or_else(|| client::ask_whether_host(host), |name| Ok(name == host))
}

/// Shows a table on this machine to a guest who came through ssh and may only play.
pub(super) fn kiosk(
    table: OpenTable,
    identity: Identity,
    display_args: &DisplayArgs,
) -> anyhow::Result<()> {
    let name = identity.name.clone().unwrap_or_else(|| GUEST.to_owned());
    let hello = Hello { name, ..Hello::default() };
    let join_request = JoinRequest { hello, is_kiosk: true, ..JoinRequest::default() };
    let display = display_args.display("join --plain")?;
    let route = Route::Socket(SocketRoute::with_door(table.path, identity));
    follow_table(route, join_request, None, &display, &|| ())
}

/// Returns the route to the table, and whether the guest is restricted to playing.
fn route(args: &JoinArgs) -> anyhow::Result<(Route, bool)> {
    if let Some(via) = &args.via {
        let words = split(via).ok_or_else(|| usage("--via: empty command or unclosed quote"))?;
        return Ok((Route::Command(words), false));
    }
    let text = args.table.as_deref().unwrap_or_default();
    if text.starts_with('/') {
        need_tables(HERE)?;
        return Ok((Route::Shared(shared_table(text)?), true));
    }
    match destination(text).map_err(|why| usage(format!("{text}: {why}")))? {
        JoinTarget::Here(_) if args.remote_command.is_some() => {
            Err(usage("--remote-command: only for tables on other machines, such as ann@host"))
        }
        JoinTarget::Here(table) => {
            need_tables(HERE)?;
            let name = table.as_deref();
            let path = awake(name).map_err(|why| advise(&why, name))?.path;
            let route = SocketRoute::with_door(path, ssh_login::identity(None));
            Ok((Route::Socket(route), false))
        }
        JoinTarget::There { host, table } => {
            let program = env::var(SSH).unwrap_or_else(|_| "ssh".to_owned());
            let program = split(&program)
                .ok_or_else(|| usage(format!("{SSH}: empty command or unclosed quote")))?;
            let command = args.remote_command.as_deref().unwrap_or("quadrille");
            let remote_command =
                for_a_shell(command).map_err(|why| usage(format!("--remote-command: {why}")))?;
            Ok((Route::Ssh(SshRoute { program, host, remote_command, table }), false))
        }
    }
}

/// Parses the address of a different user's table. The secret moves to the environment of this process, because all
/// users of the machine can read its arguments.
fn shared_table(text: &str) -> anyhow::Result<SharedTable> {
    let Some(shared) = SharedTable::parse(text) else {
        let hidden = env::var(SECRET).ok();
        let shared = hidden.and_then(|secret| SharedTable::parse(&format!("{text}:{secret}")));
        let why = "not the path and secret of a shared table";
        return shared.ok_or_else(|| usage(format!("{text}: {why}")));
    };
    let path = shared.path.as_os_str();
    let arguments = env::args_os().skip(1);
    let arguments = arguments.map(|argument| if argument == text { path.into() } else { argument });
    let program = env::current_exe().context("cannot hide the secret from other users")?;
    let mut again = command_named(&program, "quadrille");
    again.args(arguments).env(SECRET, &shared.secret);
    Err(replace_with(again)).context("cannot hide the secret from other users")
}

/// Like [`table_here`], but wakes a sleeping table with this name, or the only one if no table is open.
pub(super) fn awake(name: Option<&str>) -> anyhow::Result<OpenTable> {
    let sleeping = match name {
        Some(name) => vec![name.to_owned()],
        None if folder::open_tables().is_empty() => wake::sleeping(),
        None => Vec::new(),
    };
    let new = new_table(&ConfigFile::read(None).settings);
    match &*sleeping {
        [name] => wake::table(name, new)?.map_or_else(|| table_here(Some(name)), Ok),
        [] => table_here(None),
        names => bail!("several tables: {}; choose one by name", list(names)),
    }
}

/// Finds the open table with this name on this machine, or the only one if there is no name.
pub(super) fn table_here(name: Option<&str>) -> anyhow::Result<OpenTable> {
    let mut tables = folder::open_tables();
    let names = list(tables.iter().map(|table| &table.name));
    match name {
        Some(name) => tables.into_iter().find(|table| table.name == name).ok_or_else(|| {
            let open = if names.is_empty() { "none are open here" } else { "open tables: " };
            anyhow!("no open table {name}; {open}{names}")
        }),
        None if tables.len() > 1 => bail!("several open tables: {names}; choose one by name"),
        None => tables.pop().ok_or_else(|| anyhow!("no open tables here")),
    }
}

/// Adds what the user of this machine can do if there is no table to join.
fn advise(why: &anyhow::Error, name: Option<&str>) -> anyhow::Error {
    match name {
        Some(name) => anyhow!("{why}; quadrille join {name}: connects to the ssh host {name}"),
        None if folder::open_tables().is_empty() => anyhow!(
            "{why}; open one with quadrille play GAME --seat 2=guest, or join one on another machine with quadrille \
             join ann@host"
        ),
        None => anyhow!("{why}, as in quadrille join NAME"),
    }
}

/// The location of a table.
#[derive(Debug, PartialEq, Eq)]
enum JoinTarget {
    Here(Option<String>),
    There { host: String, table: Option<String> },
}

/// Parses a target of the form `quixo`, `ann@host`, `ann@host:quixo` or `host:`. An address that contains colons is in
/// brackets.
fn destination(text: &str) -> Result<JoinTarget, &'static str> {
    let named = |name: &str| match name {
        "" => Ok(None),
        name if folder::is_table_name(name) => Ok(Some(name.to_owned())),
        _ => Err("a table name may contain letters, digits, dots and hyphens"),
    };
    if !text.contains(['@', ':']) {
        return named(text).map(JoinTarget::Here);
    }
    let (user, rest) = text.rsplit_once('@').map_or(("", text), |(user, rest)| (user, rest));
    let (host, table) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, "")) => (host, ""),
        Some((host, rest)) => {
            (host, rest.strip_prefix(':').ok_or("expected a colon after the bracket")?)
        }
        None => rest.split_once(':').unwrap_or((rest, "")),
    };
    let port = table.split(':').next().unwrap_or_default();
    if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(
            "a port is not allowed here; set QUADRILLE_SSH='ssh -p PORT', or Port in ~/.ssh/config",
        );
    }
    if table.contains(':') {
        return Err("write an IPv6 address in brackets, as in ann@[::1]:quixo");
    }
    if host.is_empty() || text.starts_with('@') {
        return Err("missing host; write ann@host, or host: without a user");
    }
    if text.starts_with('-') || host.starts_with('-') {
        return Err("a host name cannot begin with a hyphen");
    }
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("a host name cannot contain spaces");
    }
    let host = if user.is_empty() { host.to_owned() } else { format!("{user}@{host}") };
    Ok(JoinTarget::There { host, table: named(table)? })
}

/// Splits a command into words; `None` if it is empty or invalid.
fn split(text: &str) -> Option<Vec<String>> {
    shlex::split(text).filter(|words| words.first().is_some_and(|word| !word.is_empty()))
}

/// Quotes a path for the shell on the other machine. A leading tilde still stands for the home folder there.
fn for_a_shell(path: &str) -> Result<String, &'static str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/~+@%=:,".contains(c);
    if path.is_empty() || path.starts_with('-') {
        return Err("must be the path of quadrille on the other machine");
    }
    if path.chars().all(is_plain) {
        return Ok(path.to_owned());
    }
    shlex::try_quote(path).map(Into::into).map_err(|_| "a path cannot contain a zero byte")
}

/// Stores the name as the default for next time, if there is none. Ignores errors.
fn remember(name: &str) {
    let store = folders::state().ok().and_then(|folder| MatchStore::open(&folder).ok());
    let _ = store.map(|store| store.remember_first_name(name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destination_is_local_or_remote() {
        let here =
            |name: &str| JoinTarget::Here(Some(name.to_owned()).filter(|name| !name.is_empty()));
        let there = |host: &str, table: &str| JoinTarget::There {
            host: host.to_owned(),
            table: Some(table.to_owned()).filter(|name| !name.is_empty()),
        };
        for (text, expected) in [
            ("", here("")),
            ("quixo-2", here("quixo-2")),
            ("ann@host", there("ann@host", "")),
            ("ann@host:", there("ann@host", "")),
            ("ann@host:quixo", there("ann@host", "quixo")),
            ("host:", there("host", "")),
            ("host.example.org:quixo", there("host.example.org", "quixo")),
            ("[::1]:quixo", there("::1", "quixo")),
            ("ann@[fe80::1%eth0]", there("ann@fe80::1%eth0", "")),
            ("ann@corp@host:x", there("ann@corp@host", "x")),
        ] {
            assert_eq!(destination(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn destination_rejects_options_and_shell_syntax() {
        for text in [
            "-oProxyCommand=x:",
            "-x@host",
            "ann@-oProxyCommand=x",
            "host:-x",
            "host:$(reboot)",
            "host:a b",
            "ann@",
            ":",
            "@host",
            "ann@ho st",
            "ann@host\n:x",
            "[::1]x",
            "::1",
            "ann/quixo",
            "a/b/c",
            "../quixo",
            "/quixo",
            ";x",
        ] {
            assert!(destination(text).is_err(), "{text}");
        }
        assert_eq!(for_a_shell("~/bin/quadrille").unwrap(), "~/bin/quadrille");
        assert_eq!(for_a_shell("/opt/my games/q;x").unwrap(), "'/opt/my games/q;x'");
        assert!(for_a_shell("-x").is_err() && for_a_shell("").is_err());
    }

    #[test]
    fn command_is_split_into_words() {
        assert_eq!(split("ssh -p '2 2'").unwrap(), ["ssh", "-p", "2 2"]);
        assert_eq!((split(""), split("''"), split("'x")), (None, None, None));
    }
}
