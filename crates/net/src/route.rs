//! Routes to a table, and explanations for connections that end before the table's greeting.

use super::folder;
use crate::Identity;
use quadrille_system::processes::this_program;
use quadrille_text::printable::printable;
use quadrille_text::wording::{cut, cut_to};
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;

/// The maximum length of quoted remote text, in characters.
pub(super) const MAX_QUOTED_CHARS: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// The socket of a table of this account.
    Socket(SocketRoute),
    /// The socket of a different user's table on this machine.
    Shared(SharedTable),
    /// An ssh connection to a different machine.
    Ssh(SshRoute),
    /// A command whose stdin and stdout carry the connection.
    Command(Vec<String>),
}

/// The socket of a table of this account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocketRoute {
    pub path: PathBuf,
    /// The verified identity of the person at this terminal.
    pub identity: Identity,
    /// The command that wakes the table if its process has ended, and carries the connection; `None` at a table that
    /// does not sleep.
    pub door: Option<Vec<String>>,
}

impl SocketRoute {
    /// Builds the route to a table that is woken if its process has ended.
    pub fn with_door(path: PathBuf, identity: Identity) -> SocketRoute {
        let program = this_program().ok().and_then(|program| program.to_str().map(str::to_owned));
        let name = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let door = program.zip(name).map(|(program, name)| {
            let connect = [program, "table".to_owned(), "connect".to_owned(), name];
            let vouched = identity.name.iter().flat_map(|name| ["--as".to_owned(), name.clone()]);
            connect.into_iter().chain(vouched).collect()
        });
        SocketRoute { path, identity, door }
    }
}

/// A different user's table, in the form that its host shares: `/tmp/quadrille-shared-1000/shared:SECRET`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedTable {
    pub path: PathBuf,
    pub owner: u32,
    pub secret: String,
}

impl SharedTable {
    /// Parses the host's invitation. `None` unless the text is the path of a shared table and its secret.
    pub fn parse(text: &str) -> Option<SharedTable> {
        let (path, secret) = text.rsplit_once(':').filter(|(_, secret)| !secret.is_empty())?;
        let path = PathBuf::from(path);
        let owner = folder::shared_owner(&path)?;
        Some(SharedTable { path, owner, secret: secret.to_owned() })
    }
}

impl fmt::Display for SharedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.secret)
    }
}

/// A table on a different machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshRoute {
    /// The ssh program and its first arguments.
    pub program: Vec<String>,
    pub host: String,
    /// The command that runs `quadrille` at the other end, in the syntax of the remote shell.
    pub remote_command: String,
    /// The table's name; `None` for the only table.
    pub table: Option<String>,
}

/// Why no table answers at a socket.
pub(super) const CLOSED: &str =
    "the table no longer opens: its host closed it, or the match is over";

#[derive(Debug, Default)]
pub(super) struct CloseInfo {
    /// The exit status, if the connection was a command.
    pub status: Option<ExitStatus>,
    /// The last line of the command's stderr.
    pub error: Option<String>,
    /// Whether `error` was already passed on to our stderr.
    pub is_said: bool,
    /// The last line received instead of a greeting.
    pub noise: Option<String>,
    /// Why ssh did not accept the host key, if its stderr says so.
    pub host_key: Option<HostKeyFault>,
}

/// Why ssh did not accept a host key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostKeyFault {
    Changed,
    Revoked,
    /// The key is unknown, and the settings forbid asking about it.
    UnknownUnderStrictChecking,
    /// The user was asked, and did not accept the key.
    NotAccepted,
}

impl HostKeyFault {
    /// Recognizes the reason in a line of ssh's stderr.
    pub fn in_line(line: &str) -> Option<HostKeyFault> {
        if line.contains("REMOTE HOST IDENTIFICATION HAS CHANGED") {
            Some(HostKeyFault::Changed)
        } else if line.contains("REVOKED HOST KEY DETECTED") {
            Some(HostKeyFault::Revoked)
        } else if line.starts_with("No ") && line.contains(" host key is known for ") {
            Some(HostKeyFault::UnknownUnderStrictChecking)
        } else {
            None
        }
    }
}

/// What ssh says last if it did not accept the host key.
const NOT_VERIFIED: &str = "Host key verification failed";

impl Route {
    /// Returns where this route leads, for the tokens of seats: a token is sent only where it came from.
    pub(super) fn destination(&self) -> String {
        match self {
            Route::Socket(_) | Route::Shared(_) => "this machine".to_owned(),
            Route::Ssh(route) => route.host.clone(),
            Route::Command(words) => words.join(" "),
        }
    }

    /// Returns how to choose a table without a terminal.
    pub(super) fn how_to_choose(&self) -> String {
        match self {
            Route::Ssh(route) => {
                format!("choose one by name, as in quadrille join {}:NAME", route.host)
            }
            _ => "choose one in the command, as in quadrille table connect NAME".to_owned(),
        }
    }

    /// Returns whether the table can be chosen at the other end.
    pub(super) const fn leaves_choice(&self) -> bool {
        match self {
            Route::Socket(_) | Route::Shared(_) => false,
            Route::Ssh(route) => route.table.is_none(),
            Route::Command(_) => true,
        }
    }

    /// Returns the message that the connection has closed.
    pub(super) fn ended(&self) -> String {
        format!("connection to {self} closed")
    }

    /// Formats why a command cannot be started.
    pub(super) fn no_program(&self, program: &str, why: &std::io::Error) -> String {
        let program = printable(program);
        match self {
            Route::Ssh(_) if why.kind() == std::io::ErrorKind::NotFound => format!(
                "{program} not found; install the OpenSSH client, or choose another program with --via"
            ),
            _ if why.kind() == std::io::ErrorKind::NotFound => {
                format!("{program} not found; --via takes a program and its arguments")
            }
            _ => format!("cannot start {program}: {why}"),
        }
    }

    /// Explains why a connection ended before the table's greeting, and what to do.
    pub(super) fn explain(&self, end: &CloseInfo) -> String {
        let said = end.error.as_deref().unwrap_or_default();
        let code = end.status.and_then(|status| status.code());
        let is_missing = code == Some(127)
            || ["command not found", "not found", "No such file", "Unknown command"]
                .iter()
                .any(|words| said.contains(words) && said.contains(&self.far_program()));
        match self {
            Route::Ssh(route) if code == Some(126) => format!(
                "{} cannot be run on {}; check --remote-command",
                route.remote_command, route.host
            ),
            Route::Ssh(route)
                if code != Some(255) && is_missing && route.remote_command.contains('/') =>
            {
                format!(
                    "{}: no such file on {}; check --remote-command",
                    route.remote_command, route.host
                )
            }
            Route::Ssh(route) if code != Some(255) && is_missing => format!(
                "{} is not in PATH for non-login shells on {}; give its path there with --remote-command PATH",
                route.remote_command, route.host
            ),
            Route::Ssh(route) if said.contains("unrecognized subcommand") => format!(
                "the Quadrille on {} is too old for shared tables; update it there",
                route.host
            ),
            Route::Ssh(route) if code == Some(255) => {
                format!(
                    "ssh could not connect to {}; {}",
                    route.host,
                    what_to_do(said, end.host_key)
                )
            }
            // The door says why it does not open.
            Route::Socket(_) if end.status.is_some() => CLOSED.to_owned(),
            Route::Socket(_) | Route::Shared(_) => {
                "the table closed during the greeting; try again".to_owned()
            }
            _ => {
                let silent = || format!("{} before the table's greeting", self.ended());
                let noise = end
                    .noise
                    .as_deref()
                    .map(|noise| format!("{self} sent unexpected output: {}", quoted(noise)));
                let said =
                    end.error.as_deref().map(|_| format!("{}; see its message above", silent()));
                let told = |said: &str| {
                    format!("{self} says: {}", cut_to(&printable(said), MAX_QUOTED_CHARS))
                };
                let said = said.filter(|_| end.is_said).or(end.error.as_deref().map(told));
                said.or(noise).unwrap_or_else(silent)
            }
        }
    }

    /// Formats the message that the output is not from a table.
    pub(super) fn noise(&self, first: &str) -> String {
        format!(
            "{self} sent unexpected output: {}; its login files may print at most 4 KiB",
            quoted(first)
        )
    }

    /// Returns the command that prints ssh's settings, if these settings decide whether ssh has asked the user about
    /// the host key.
    pub(super) fn host_key_question(&self, end: &CloseInfo) -> Option<Vec<String>> {
        let Route::Ssh(route) = self else { return None };
        let is_unexplained = end.host_key.is_none()
            && end.error.as_ref().is_some_and(|said| said.contains(NOT_VERIFIED));
        let settings = ["-G", "--", &route.host].map(str::to_owned);
        is_unexplained.then(|| route.program.iter().cloned().chain(settings).collect())
    }

    /// Returns whether ssh could not connect without user input.
    pub(super) fn needs_login(&self, end: &CloseInfo) -> bool {
        let is_refused = end.status.and_then(|status| status.code()) == Some(255);
        let said = end.error.as_deref().unwrap_or_default();
        let asks = ["Permission denied", NOT_VERIFIED, "authentication failures"];
        matches!(self, Route::Ssh(_)) && is_refused && asks.iter().any(|words| said.contains(words))
    }

    /// Formats what has arrived so far, for a user who waits for the first greeting.
    pub(super) fn still_waiting(&self, output: Option<&str>) -> String {
        let last = output.map(|output| format!("; last output: {}", quoted(output)));
        format!("waiting for a table at {self}{}; Ctrl-C ends this", last.unwrap_or_default())
    }

    /// Explains why the table never received our greeting.
    pub(super) fn greeting_lost(&self) -> String {
        format!(
            "the table got no greeting: a login file on {self}, such as .bashrc, reads stdin; it must not do that \
             without a terminal"
        )
    }

    fn far_program(&self) -> String {
        match self {
            Route::Ssh(route) => route.remote_command.clone(),
            _ => "quadrille".to_owned(),
        }
    }
}

/// Returns advice for a failure of ssh itself, based on its stderr.
fn what_to_do(said: &str, host_key: Option<HostKeyFault>) -> Cow<'static, str> {
    if said.contains(NOT_VERIFIED) {
        return match host_key {
            Some(HostKeyFault::Changed) => {
                "if the host key has really changed, remove the old one with ssh-keygen -R"
            }
            Some(HostKeyFault::Revoked) => "its host key is marked as revoked in known_hosts",
            Some(HostKeyFault::UnknownUnderStrictChecking) => {
                "its host key is unknown, and strict checking is on; add the key to known_hosts"
            }
            Some(HostKeyFault::NotAccepted) => "you did not accept the host key",
            None => "its host key is unknown; connect once with plain ssh to accept it",
        }
        .into();
    }
    match failed_port(said) {
        Some((port, "Connection refused")) => {
            format!("nothing listens on port {port}; check the port, and that sshd runs there")
                .into()
        }
        Some((port, "Connection timed out" | "Operation timed out" | "No route to host")) => {
            format!("no answer on port {port}; check the host name and its firewall").into()
        }
        _ if said.contains("Permission denied") => {
            "check that plain ssh accepts this user and key".into()
        }
        _ if said.contains("resolve hostname") => "check the host name".into(),
        _ => "try plain ssh to this host for details".into(),
    }
}

/// Parses `ssh: connect to host HOST port 22: Connection refused` as the port and the error.
fn failed_port(said: &str) -> Option<(&str, &str)> {
    let (_, rest) = said.trim_end().split_once("connect to host ")?;
    let (_, rest) = rest.rsplit_once(" port ")?;
    rest.split_once(": ").filter(|(port, _)| port.bytes().all(|byte| byte.is_ascii_digit()))
}

fn quoted(line: &str) -> String {
    format!("\"{}\"", cut(&printable(line)))
}

/// Returns whether ssh with these settings asks the user about an unknown host key.
pub(super) fn asks_about_host_key(settings: &str) -> bool {
    let has = |line: &str| settings.lines().any(|setting| setting == line);
    has("batchmode no") && has("stricthostkeychecking ask")
}

impl SshRoute {
    /// Returns the command that carries the connection. `is_again` disables password prompts, because the terminal is
    /// in use by then.
    pub(super) fn command(&self, is_again: bool) -> Vec<String> {
        let options = ["-T", "-o", "ServerAliveInterval=15"];
        let again: &[&str] = if is_again { &["-o", "BatchMode=yes"] } else { &[] };
        let mut words = self.program.clone();
        words.extend(options.iter().chain(again).map(|&word| word.to_owned()));
        words.extend(["--".to_owned(), self.host.clone(), self.remote_command.clone()]);
        words.extend(["table", "connect"].map(str::to_owned));
        words.extend(self.table.clone());
        words
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Route::Socket(_) | Route::Shared(_) => f.write_str("the table"),
            Route::Ssh(route) => f.write_str(&printable(&route.host)),
            Route::Command(words) => {
                f.write_str(&printable(words.first().map_or("the command", |word| word)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn ssh_route() -> SshRoute {
        SshRoute {
            program: vec!["ssh".to_owned(), "-p".to_owned(), "2222".to_owned()],
            host: "ann@example.org".to_owned(),
            remote_command: "quadrille".to_owned(),
            table: Some("quixo-2".to_owned()),
        }
    }

    fn ssh() -> Route {
        Route::Ssh(ssh_route())
    }

    #[test]
    fn ssh_uses_batch_mode_after_first_connection() {
        let first = "ssh -p 2222 -T -o ServerAliveInterval=15 -- ann@example.org quadrille table connect quixo-2";
        assert_eq!(ssh_route().command(false).join(" "), first);
        let again = first.replace(" -- ", " -o BatchMode=yes -- ");
        assert_eq!(ssh_route().command(true).join(" "), again);
    }

    #[test]
    fn shared_table_text_round_trips() {
        let text = "/tmp/quadrille-shared-1000/shared:k3v9mwq2hs7xe4ztbnaf";
        let shared = SharedTable::parse(text).unwrap();
        assert_eq!((shared.owner, shared.to_string()), (1000, text.to_owned()));
        for text in [
            "/tmp/quadrille-shared-1000/shared",
            "/tmp/quadrille-shared-1000/shared:",
            "/tmp/x/quixo:y",
        ] {
            assert_eq!(SharedTable::parse(text), None, "{text}");
        }
    }

    #[test]
    fn host_key_fault_is_recognized() {
        for (line, fault) in [
            (
                "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @",
                Some(HostKeyFault::Changed),
            ),
            (
                "@       WARNING: REVOKED HOST KEY DETECTED!               @",
                Some(HostKeyFault::Revoked),
            ),
            (
                "No ED25519 host key is known for h and you have requested strict checking.\r",
                Some(HostKeyFault::UnknownUnderStrictChecking),
            ),
            ("Host key for h has changed and you have requested strict checking.", None),
            ("Host key verification failed.", None),
        ] {
            assert_eq!(HostKeyFault::in_line(line), fault, "{line}");
        }
        assert!(asks_about_host_key("host h\nbatchmode no\nstricthostkeychecking ask\n"));
        for settings in [
            "",
            "batchmode yes\nstricthostkeychecking ask",
            "batchmode no\nstricthostkeychecking true",
        ] {
            assert!(!asks_about_host_key(settings), "{settings}");
        }
    }

    #[test]
    fn every_connection_failure_says_what_to_do() {
        let via = Route::Command(vec!["socat".to_owned(), "-".to_owned()]);
        let explain = |route: &Route, code: i32, error: &str, noise: &str| {
            let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let status = Some(ExitStatus::from_raw(code << 8));
            let (error, noise) = (text(error), text(noise));
            let host_key = error.as_deref().and_then(HostKeyFault::in_line);
            route.explain(&CloseInfo { status, error, noise, host_key, is_said: false })
        };
        let missing = "quadrille is not in PATH for non-login shells on ann@example.org; \
                       give its path there with --remote-command PATH";
        assert_eq!(explain(&ssh(), 127, "bash: line 1: quadrille: command not found", ""), missing);
        assert_eq!(explain(&ssh(), 1, "fish: Unknown command: quadrille", ""), missing);
        let other = explain(&ssh(), 1, "there is no table quixo-2 here", "");
        assert_eq!(other, "ann@example.org says: there is no table quixo-2 here");
        let old = explain(&ssh(), 2, "unrecognized subcommand 'table'", "");
        assert_eq!(
            old,
            "the Quadrille on ann@example.org is too old for shared tables; update it there"
        );
        for (error, why) in [
            (
                "Host key verification failed.",
                "its host key is unknown; connect once with plain ssh to accept it",
            ),
            (
                "ssh: connect to host h port 2222: Connection refused",
                "nothing listens on port 2222; check the port, and that sshd runs there",
            ),
            (
                "ssh: connect to host ::1 port 22: No route to host\r",
                "no answer on port 22; check the host name and its firewall",
            ),
            ("stdio forwarding failed", "try plain ssh to this host for details"),
        ] {
            let said = format!("ssh could not connect to ann@example.org; {why}");
            assert_eq!(explain(&ssh(), 255, error, ""), said);
        }
        let path = SshRoute { remote_command: "/opt/quadrille".to_owned(), ..ssh_route() };
        let missing = explain(&Route::Ssh(path), 127, "sh: 1: /opt/quadrille: not found", "");
        let no_file = "/opt/quadrille: no such file on ann@example.org; check --remote-command";
        assert_eq!(missing, no_file);
        let silent = explain(&via, 0, "", "");
        assert_eq!(silent, "connection to socat closed before the table's greeting");
        let noise = explain(&via, 0, "", "Hello \u{1b}[2J");
        assert_eq!(noise, "socat sent unexpected output: \"Hello \\u{1b}[2J\"");
    }
}
