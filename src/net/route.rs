//! Routes to a table, and explanations for connections that end before the table's greeting.

use super::folder;
use crate::printable::printable;
use crate::wording::{cut, cut_to};
use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;

/// The maximum length of quoted remote text, in characters.
pub(super) const MOST_SAID: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// The socket of a table on this machine.
    Socket(PathBuf),
    /// The socket of a different user's table on this machine.
    Shared(SharedTable),
    /// An ssh connection to a different machine.
    Ssh(SshRoute),
    /// A command whose stdin and stdout carry the connection.
    Command(Vec<String>),
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

#[derive(Debug, Default)]
pub(super) struct LineEnd {
    /// The exit status, if the connection was a command.
    pub status: Option<ExitStatus>,
    /// The last line of the command's stderr.
    pub error: Option<String>,
    /// Whether `error` was already passed on to our stderr.
    pub is_said: bool,
    /// The last line received instead of a greeting.
    pub noise: Option<String>,
}

impl Route {
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
    pub(super) fn explain(&self, end: &LineEnd) -> String {
        let said = end.error.as_deref().unwrap_or_default();
        let code = end.status.and_then(|status| status.code());
        let is_missing = code == Some(127)
            || ["command not found", "not found", "No such file", "Unknown command"]
                .iter()
                .any(|words| said.contains(words) && said.contains(&self.far_program()));
        match self {
            Route::Ssh(route) if code != Some(255) && is_missing => format!(
                "{} is not in PATH for non-login shells on {}; give its path there with --remote-command PATH",
                route.remote_command, route.host
            ),
            Route::Ssh(route) if said.contains("unrecognized subcommand") => format!(
                "the Quadrille on {} is too old for shared tables; update it there",
                route.host
            ),
            Route::Ssh(route) if code == Some(255) => {
                format!("ssh could not connect to {}; {}", route.host, what_to_do(said))
            }
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
                let told =
                    |said: &str| format!("{self} says: {}", cut_to(&printable(said), MOST_SAID));
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

    /// Returns whether ssh could not connect without user input.
    pub(super) fn needs_login(&self, end: &LineEnd) -> bool {
        let is_refused = end.status.and_then(|status| status.code()) == Some(255);
        let said = end.error.as_deref().unwrap_or_default();
        let asks = ["Permission denied", "Host key verification failed", "authentication failures"];
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
fn what_to_do(said: &str) -> &'static str {
    if said.contains("Host key verification failed") {
        "if the host key has really changed, remove the old one with ssh-keygen -R"
    } else if said.contains("Permission denied") {
        "check that plain ssh accepts this user and key"
    } else if said.contains("resolve hostname") {
        "check the host name"
    } else {
        "try plain ssh to this host for details"
    }
}

fn quoted(line: &str) -> String {
    format!("\"{}\"", cut(&printable(line)))
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
    fn every_connection_failure_says_what_to_do() {
        let via = Route::Command(vec!["socat".to_owned(), "-".to_owned()]);
        let explain = |route: &Route, code: i32, error: &str, noise: &str| {
            let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let status = Some(ExitStatus::from_raw(code << 8));
            let (error, noise) = (text(error), text(noise));
            route.explain(&LineEnd { status, error, noise, is_said: false })
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
        let key = explain(&ssh(), 255, "Host key verification failed.", "");
        let said = "ssh could not connect to ann@example.org; if the host key has really changed, remove the old \
            one with ssh-keygen -R";
        assert_eq!(key, said);
        let silent = explain(&via, 0, "", "");
        assert_eq!(silent, "connection to socat closed before the table's greeting");
        let noise = explain(&via, 0, "", "Hello \u{1b}[2J");
        assert_eq!(noise, "socat sent unexpected output: \"Hello \\u{1b}[2J\"");
    }
}
