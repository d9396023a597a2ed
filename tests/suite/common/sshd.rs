//! A real OpenSSH server of this user on a loopback port with its own keys, and a client configuration for it.

use super::processes::{Process, end, end_all_with, freeze, signal};
use super::program::BINARY;
use super::terminal;
use super::wait::wait_until;
use rustix::process::{Signal, geteuid};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{Write, stderr};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use tempfile::TempDir;

/// The environment variable that marks a session's processes, including those that have left the session.
const MARK: &str = "QUADRILLE_TEST_SSHD";

/// A server for this user only. Its sessions have their own home directory, with `quadrille` in their `PATH`.
///
/// Dropping it kills everything started through it. Two effects of `sshd` remain: as root it writes to `wtmp` and
/// `lastlog` when a session has a terminal, and as another user it provides one only if `/dev/pts` has the usual group
/// `tty`.
pub struct Sshd {
    folder: TempDir,
    program: PathBuf,
    user: String,
    port: u16,
    server: Child,
    /// The environment of future sessions.
    environment: Vec<(String, String)>,
    /// The options before the friend's key in `authorized_keys`.
    friend: Option<String>,
}

impl Sshd {
    /// Returns `None` if OpenSSH is missing, after printing a line; under CI it must be installed.
    pub fn start() -> Option<Sshd> {
        Sshd::start_with(|_| String::new())
    }

    /// Starts a server with additional settings, which `settings` generates for a user.
    pub fn start_with(settings: impl Fn(&str) -> String) -> Option<Sshd> {
        let [Some(program), Some(_), Some(_)] = ["sshd", "ssh", "ssh-keygen"].map(find) else {
            let text = "there is no OpenSSH (ssh, ssh-keygen and sshd)";
            assert!(std::env::var_os("CI").is_none(), "{text}, which CI needs");
            // Bypasses the test harness, which captures `println!`.
            let _ = writeln!(stderr(), "left out: {text}");
            return None;
        };
        if geteuid().is_root() {
            // Debian's directory for the privilege separation of `sshd`. The package's service creates it, if it ever
            // starts.
            let _ = DirBuilder::new().mode(0o755).create("/run/sshd");
        }
        let folder = tempfile::tempdir().unwrap();
        let id = Command::new("id").arg("-un").output().unwrap();
        let user = String::from_utf8(id.stdout).unwrap().trim().to_owned();
        for key in ["host", "mine", "friend"] {
            make_key(&folder.path().join(key));
        }
        for name in ["bin", "home"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        symlink(BINARY, folder.path().join("bin/quadrille")).unwrap();
        let (port, server) = serve(&program, folder.path(), &settings(&user));
        let home = folder.path().join("home");
        let mark = folder.path().to_str().unwrap().to_owned();
        let path = format!("{mark}/bin:/usr/local/bin:/usr/bin:/bin");
        let mut sshd =
            Sshd { folder, program, user, port, server, environment: Vec::new(), friend: None };
        sshd.env(MARK, mark).env("PATH", path).env("LC_ALL", "C.UTF-8").home(&home);
        sshd.write_client();
        Some(sshd)
    }

    /// Returns the client configuration. It knows this server as `table`, and as `friend` with the friend's key.
    pub fn client_config(&self) -> PathBuf {
        self.folder.path().join("ssh_config")
    }

    /// Returns the client's command line for `QUADRILLE_SSH`.
    pub fn ssh_words(&self) -> String {
        let config = self.client_config();
        format!("ssh -F {}", shlex::try_quote(config.to_str().unwrap()).unwrap())
    }

    /// Returns a client that runs a command on `table` or `friend`.
    pub fn ssh(&self, host: &str, command: &str) -> Command {
        let mut ssh = Command::new("ssh");
        ssh.arg("-F").arg(self.client_config()).args([host, command]);
        ssh.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        ssh
    }

    /// Returns the user who runs this test, the only one who can log in.
    pub fn user(&self) -> &str {
        &self.user
    }

    pub fn log(&self) -> String {
        log(self.folder.path())
    }

    /// Authorizes a friend, with these options before the key in `authorized_keys`, such as `restrict,pty,command="…"`.
    /// Returns the friend's key, which the client uses for the host `friend`.
    pub fn authorize(&mut self, options: &str) -> PathBuf {
        self.friend = Some(options.to_owned());
        self.write_keys();
        self.folder.path().join("friend")
    }

    /// In future sessions.
    pub fn env(&mut self, name: &str, value: impl AsRef<OsStr>) -> &mut Sshd {
        let value = value.as_ref().to_str().unwrap().to_owned();
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.to_owned(), value));
        self.write_keys();
        self
    }

    /// Sets the home directory and all state of future sessions: as for a [`Terminal`](terminal::Terminal) with its
    /// state in this directory.
    pub fn home(&mut self, home: &Path) -> &mut Sshd {
        for (name, folder) in terminal::home(home) {
            self.env(name, folder);
        }
        self
    }

    /// Gives later sessions an empty `PATH`.
    pub fn without_programs(&mut self) -> &mut Sshd {
        let nowhere = self.folder.path().join("nowhere");
        self.env("PATH", nowhere)
    }

    /// Gives later sessions another host key than the client knows.
    pub fn change_host_key(&mut self) {
        let before = starts(&self.log());
        let key = self.folder.path().join("host");
        fs::remove_file(&key).unwrap();
        make_key(&key);
        signal(self.server.id(), Signal::HUP);
        let said = || log(self.folder.path());
        wait_until("server with another key", said, || {
            assert!(self.server.try_wait().unwrap().is_none(), "the server has ended:\n{}", said());
            starts(&said()) > before
        });
    }

    /// Kills all sessions, as if their connections were cut. Their processes and the server stay.
    pub fn kill_connections(&self) {
        let server = self.server.id();
        let processes = Process::all();
        let sessions = processes.iter().filter(|process| process.parent == server);
        let frozen: Vec<u32> = sessions.flat_map(|session| freeze(session.id, true)).collect();
        end(&frozen);
    }

    /// Returns the processes started by this server, excluding the server's own.
    pub fn started(&self) -> Vec<u32> {
        let started = Process::with_variable(MARK, self.folder.path());
        started.into_iter().map(|process| process.id).collect()
    }

    /// Writes the keys file, which `sshd` reads at each login, unlike its configuration.
    fn write_keys(&self) {
        let quoted = |(name, value): &(String, String)| {
            format!("environment=\"{name}={}\"", value.replace('"', "\\\""))
        };
        let environment = self.environment.iter().map(quoted).collect::<Vec<_>>().join(",");
        let line = |options: &str, name: &str| {
            let key = fs::read_to_string(self.folder.path().join(name).with_extension("pub"));
            format!("{options}{environment} {}", key.unwrap())
        };
        let mut keys = line("", "mine");
        if let Some(options) = &self.friend {
            let comma = if options.is_empty() { "" } else { "," };
            keys += &line(&format!("{options}{comma}"), "friend");
        }
        // Atomic, for a concurrent login.
        let written = self.folder.path().join("authorized_keys.new");
        fs::write(&written, keys).unwrap();
        fs::rename(written, self.folder.path().join("authorized_keys")).unwrap();
    }

    fn write_client(&self) {
        let folder = self.folder.path().display();
        let (port, user) = (self.port, &self.user);
        let config = format!(
            r#"Host table
IdentityFile "{folder}/mine"
Host friend
IdentityFile "{folder}/friend"
Host *
HostName 127.0.0.1
Port {port}
User {user}
IdentitiesOnly yes
IdentityAgent none
UserKnownHostsFile "{folder}/known_hosts"
GlobalKnownHostsFile /dev/null
StrictHostKeyChecking yes
UpdateHostKeys no
BatchMode yes
# The default costs more than all the rest of a login.
KexAlgorithms curve25519-sha256
"#
        );
        fs::write(self.client_config(), config).unwrap();
        let key = fs::read_to_string(self.folder.path().join("host.pub")).unwrap();
        let known = format!("[127.0.0.1]:{port} {key}");
        fs::write(self.folder.path().join("known_hosts"), known).unwrap();
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{} says:\n{}", self.program.display(), self.log());
        }
        end(&freeze(self.server.id(), false));
        let _ = self.server.wait();
        end_all_with(MARK, self.folder.path());
    }
}

fn serve(program: &Path, folder: &Path, settings: &str) -> (u16, Child) {
    let version = Command::new(program).arg("-V").output().unwrap().stderr;
    let version = String::from_utf8_lossy(&version).into_owned();
    for _ in 0..20 {
        let port =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let config = server_config(folder, port, &version) + settings;
        fs::write(folder.join("sshd_config"), config).unwrap();
        let log_file = OpenOptions::new().create(true).append(true).open(folder.join("log"));
        // It re-executes itself by this path, which must therefore be absolute.
        let mut server = Command::new(program)
            .args(["-D", "-e", "-f"])
            .arg(folder.join("sshd_config"))
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log_file.unwrap())
            .spawn()
            .unwrap();
        let mut has_ended = false;
        wait_until(
            "server",
            || log(folder),
            || {
                has_ended = server.try_wait().unwrap().is_some();
                has_ended || starts(&log(folder)) > 0
            },
        );
        if !has_ended {
            return (port, server);
        }
        let log = log(folder);
        assert!(log.contains("Address already in use"), "{} ends:\n{log}", program.display());
    }
    panic!("no port is free:\n{}", log(folder))
}

fn server_config(folder: &Path, port: u16, version: &str) -> String {
    // OpenSSH 9.8 and later penalizes clients whose connections end abnormally.
    let release = version.split_once("OpenSSH_").map_or("", |(_, rest)| rest);
    let mut numbers = release.split(|letter: char| !letter.is_ascii_digit()).map(str::parse);
    let release = (numbers.next().unwrap().unwrap_or(0), numbers.next().unwrap().unwrap_or(0));
    let penalties = if release >= (9, 8) { "PerSourcePenalties no" } else { "" };
    let folder = folder.display();
    format!(
        r#"ListenAddress 127.0.0.1
Port {port}
PidFile "{folder}/pid"
HostKey "{folder}/host"
AuthorizedKeysFile "{folder}/authorized_keys"
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PermitUserEnvironment yes
PermitUserRC no
PrintMotd no
PrintLastLog no
MaxStartups 100
LogLevel VERBOSE
{penalties}
"#
    )
}

fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("log")).unwrap_or_default()
}

/// Returns the number of times a server has started to listen.
fn starts(log: &str) -> usize {
    log.matches("Server listening on ").count()
}

fn make_key(path: &Path) {
    let mut make = Command::new("ssh-keygen");
    make.args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"]).arg(path).stdin(Stdio::null());
    let made = make.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// Returns the absolute path of a program; servers are often in directories that only root's `PATH` contains.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path);
    let folders = folders.chain(["/usr/sbin", "/usr/local/sbin", "/sbin"].map(PathBuf::from));
    folders.map(|folder| folder.join(program)).find(|path| path.is_absolute() && path.is_file())
}
