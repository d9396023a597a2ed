//! The page that tells the host what a guest types, and what a guest on another machine needs.

use super::folder::OpenTable;
use super::route::SharedTable;
use quadrille_system::users;
use std::env;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "quadrille";

/// The folders in which every login shell and every ssh command looks for programs.
const ALWAYS_IN_PATH: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// An open table as its guests reach it.
pub(super) struct Invitation {
    table: String,
    /// The address for ssh, such as `ann@host`.
    account: String,
    /// The command that starts Quadrille here through ssh: its name if sshd finds it, otherwise its path.
    command: String,
    /// The table's address for other users of this machine.
    shared: Option<SharedTable>,
}

impl Invitation {
    /// Describes a table of this process's user.
    pub fn here(table: &OpenTable, secret: Option<String>) -> Invitation {
        let user = users::login_name().unwrap_or_else(|| "USER".to_owned());
        let machine = users::machine_name();
        let owner = users::current();
        let shared = secret.map(|secret| SharedTable { path: table.path.clone(), owner, secret });
        let account = format!("{user}@{machine}");
        let this = env::current_exe().ok();
        let command = command(&ALWAYS_IN_PATH.map(PathBuf::from), this.as_deref());
        Invitation { table: table.name.clone(), account, command, shared }
    }

    /// Returns the page. Each command ends its paragraph, so that it can be copied.
    pub fn paragraphs(&self) -> Vec<String> {
        let Invitation { table, account, command, shared } = self;
        let for_others = shared.as_ref().map(|shared| {
            ["From another account on this machine:".to_owned(), format!("quadrille join {shared}")]
        });
        let path =
            if command == PROGRAM { String::new() } else { format!(" --remote-command {command}") };
        let mut page = vec![format!("on this machine: quadrille join {table}")];
        page.extend(for_others.into_iter().flatten());
        page.extend([
            format!("from another machine: quadrille join {account}:{table}{path}"),
            format!("there without Quadrille: ssh -t {account} {command} join {table}"),
            format!(
                "FROM ANOTHER MACHINE. Your guest must reach this one, by that name or its address, and log in to \
                 your account by ssh, so sshd must run here. If its port is not 22, put QUADRILLE_SSH='ssh -p 2222' \
                 before quadrille join, or use ssh -p 2222. To test ssh, type here: ssh {account} {command} --version"
            ),
            "WITHOUT AN ACCOUNT HERE. Your friend sends you the public key in ~/.ssh/id_ed25519.pub \
             (ssh-keygen -t ed25519 makes one). Put it on a line of ~/.ssh/authorized_keys here, after these words \
             and a space:"
                .to_owned(),
            format!("restrict,pty,command=\"{command} table connect {table}\""),
            format!(
                "Your friend then types quadrille join {account}, or ssh -t {account} without Quadrille, and can do \
                 nothing else here."
            ),
        ]);
        page
    }
}

/// Returns the command for ssh: the program's name if it is in one of these folders, otherwise the path of this
/// program.
fn command(folders: &[PathBuf], this: Option<&Path>) -> String {
    let is_found = folders.iter().any(|folder| folder.join(PROGRAM).exists());
    let path = this.filter(|_| !is_found).and_then(Path::to_str);
    let quoted = path.and_then(|path| shlex::try_quote(path).ok());
    quoted.map_or_else(|| PROGRAM.to_owned(), Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(command: &str) -> Vec<String> {
        let [table, account, command] = ["quixo", "ann@host", command].map(str::to_owned);
        Invitation { table, account, command, shared: None }.paragraphs()
    }

    #[test]
    fn page_has_every_command_and_nothing_to_replace() {
        let page = page(PROGRAM);
        for command in [
            "on this machine: quadrille join quixo",
            "from another machine: quadrille join ann@host:quixo",
            "there without Quadrille: ssh -t ann@host quadrille join quixo",
            "restrict,pty,command=\"quadrille table connect quixo\"",
        ] {
            assert!(page.iter().any(|line| line == command), "{command}: {page:#?}");
        }
        let text = page.join(" ");
        for words in [
            "must reach this one",
            "sshd must run",
            "port is not 22",
            "ssh ann@host quadrille --version",
            "authorized_keys",
            "or ssh -t ann@host without",
        ] {
            assert!(text.contains(words), "{words}");
        }
        for placeholder in ["NAME", "KEY", "HOST", "USER", "PORT", "PATH"] {
            assert!(!text.contains(placeholder), "{placeholder}");
        }
    }

    /// On a screen of 80 × 24, a page has 21 rows of 76 columns. Its first row and a blank row come before these.
    #[test]
    fn page_fits_on_a_screen() {
        let rows = |paragraph: &String| {
            let mut room = 0;
            let mut rows = 0;
            for word in paragraph.split(' ') {
                (rows, room) = match 1 + word.len() {
                    long if long <= room => (rows, room - long),
                    long => (rows + 1, 77 - long),
                };
            }
            rows
        };
        let page = page(PROGRAM);
        let all: usize = page.iter().map(|paragraph| 1 + rows(paragraph)).sum();
        assert!(all <= 20, "{all}: {page:#?}");
    }

    #[test]
    fn program_outside_of_path_is_named_by_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_owned()];
        let this = Some(Path::new("/home/ann/my games/quadrille"));
        assert_eq!(command(&folders, this), "'/home/ann/my games/quadrille'");
        assert_eq!(command(&folders, None), PROGRAM);
        std::fs::write(folder.path().join(PROGRAM), "").unwrap();
        assert_eq!(command(&folders, this), PROGRAM);
        let page = page("/home/ann/.cargo/bin/quadrille");
        let there = "quadrille join ann@host:quixo --remote-command /home/ann/.cargo/bin/quadrille";
        assert!(page.iter().any(|line| line.ends_with(there)), "{page:#?}");
    }
}
