//! The connection of a terminal to a table: by socket, by command, and through a real ssh.

use super::process::OpenTable;
use crate::common::program::finish;
use crate::common::sshd::Sshd;
use crate::common::two_terminals::Desk;
use crate::common::wait::{EVENT_TIMEOUT, wait_until};
use quadrille_net::Identity;
use quadrille_net::link::{Link, LinkEvent};
use quadrille_net::route::{Route, SocketRoute, SshRoute};
use rustix::net::{AddressFamily, SocketType};
use std::fs;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::thread;
use std::time::Instant;

/// Returns the events of a link up to one of this kind.
fn events(link: &mut Link, is_last: impl Fn(&LinkEvent) -> bool) -> Vec<LinkEvent> {
    let end = Instant::now() + EVENT_TIMEOUT;
    let mut events = Vec::new();
    loop {
        match link.next_event() {
            Some(event) => {
                events.push(event);
                if is_last(&events[events.len() - 1]) {
                    return events;
                }
            }
            None => link.wait(end).unwrap(),
        }
        assert!(Instant::now() < end, "{events:?}");
    }
}

#[test]
fn link_reconnects_and_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    // A far end that prints noise, greets, sends a line, and exits, on each start.
    let script = format!(
        "echo Welcome; echo x >> {}; printf '$ '; read a; echo \"$a\"; read ping; read b; echo \"$b\"; echo oh no >&2; exit 3",
        count.display()
    );
    let route = Route::Command(vec!["sh".to_owned(), "-c".to_owned(), script]);
    let mut link = Link::first(route).unwrap();
    let up = events(&mut link, |event| matches!(event, LinkEvent::Line(_)));
    let greeting = format!("quadrille-table 2 {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(up, [LinkEvent::Up, LinkEvent::Line(greeting.clone())]);
    link.send("bye");
    let down = LinkEvent::Down("connection to sh closed: oh no".to_owned());
    let heard = events(&mut link, |event| matches!(event, LinkEvent::Down(_)));
    assert_eq!(heard, [LinkEvent::Line("bye".to_owned()), down.clone()]);
    link.try_now();
    assert_eq!(events(&mut link, |event| matches!(event, LinkEvent::Line(_))), up);
    assert_eq!(fs::read_to_string(&count).unwrap(), "x\nx\n");
    link.close();
}

#[test]
fn link_explains_a_far_end_without_a_table() {
    let first = |script: &str| {
        let route = Route::Command(["sh", "-c", script].map(str::to_owned).to_vec());
        Link::first(route).unwrap_err()
    };
    let noisy = first("while :; do echo 0123456789; done");
    assert!(noisy.starts_with("sh sent unexpected output: \"0123456789\""), "{noisy}");
    assert_eq!(first("exit 1"), "connection to sh closed before the table's greeting");
    assert_eq!(
        first("echo why >&2"),
        "connection to sh closed before the table's greeting; see its message above"
    );
    let version = first("echo quadrille-table 3 9.9");
    assert!(version.starts_with("the table uses protocol version 3"), "{version}");
    assert_eq!(first("echo no we are closed"), "sh says: we are closed");
    let program = Link::first(Route::Command(vec!["/no/such".to_owned()])).unwrap_err();
    assert_eq!(program, "/no/such not found; --via takes a program and its arguments");
    // A line without an end is too long.
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let listener = UnixListener::bind(&socket).unwrap();
    let far = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"quadrille-table 2 x\n").unwrap();
        stream.write_all(&vec![b'x'; 20_000]).unwrap_or_default();
        drop(listener);
    });
    let route = SocketRoute { path: socket, identity: Identity::default(), door: None };
    let mut link = Link::first(Route::Socket(route)).unwrap();
    let why = events(&mut link, |event| matches!(event, LinkEvent::Down(_))).pop();
    assert_eq!(why, Some(LinkEvent::Down("the table sent a line longer than 4 KiB".to_owned())));
    let why = events(&mut link, |event| matches!(event, LinkEvent::Down(_))).pop();
    let closed = "the table no longer opens: its host closed it, or the match is over";
    assert_eq!(why, Some(LinkEvent::Down(closed.to_owned())));
    far.join().unwrap();
}

/// Returns the lines of a link up to one with this prefix.
fn lines(link: &mut Link, word: &str) -> Vec<String> {
    let is_last = |event: &LinkEvent| match event {
        LinkEvent::Line(line) => line.starts_with(word),
        LinkEvent::Up => false,
        LinkEvent::Down(why) => panic!("{why}"),
    };
    let lines = events(link, is_last).into_iter();
    lines
        .filter_map(|event| if let LinkEvent::Line(line) = event { Some(line) } else { None })
        .collect()
}

fn through(sshd: &Sshd, host: &str) -> Route {
    Route::Ssh(SshRoute {
        program: shlex::split(&sshd.ssh_words()).unwrap(),
        host: host.to_owned(),
        remote_command: "quadrille".to_owned(),
        table: None,
    })
}

#[test]
fn cut_ssh_link_returns_to_the_same_seat() {
    let Some(mut sshd) = Sshd::start() else { return };
    let table = OpenTable::open("quixo");
    sshd.home(table.home.path()).env("XDG_RUNTIME_DIR", table.home.path());
    let mut link = Link::first(through(&sshd, "table")).unwrap();
    link.send("hello Bob");
    let welcome = lines(&mut link, "welcome").pop().unwrap();
    let token = welcome.strip_prefix("welcome 2 ").unwrap();
    for _ in 0..3 {
        sshd.kill_connections();
        events(&mut link, |event| matches!(event, LinkEvent::Down(_)));
        link.try_now();
        events(&mut link, |event| *event == LinkEvent::Up);
        link.send(format!("hello Bob token {token}"));
        assert_eq!(lines(&mut link, "welcome").pop().as_ref(), Some(&welcome));
    }
    link.close();
    wait_until("end", || format!("{:?}", sshd.started()), || sshd.started().is_empty());
}

#[test]
fn friend_without_an_account_gets_the_name_of_the_key() {
    let Some(mut sshd) = Sshd::start() else { return };
    let table = OpenTable::open("quixo");
    sshd.home(table.home.path()).env("XDG_RUNTIME_DIR", table.home.path());
    sshd.authorize("restrict,pty,command=\"quadrille table connect quixo --as Bob\"");
    let mut link = Link::first(through(&sshd, "friend")).unwrap();
    link.send("hello Ann");
    lines(&mut link, "welcome 2 ");
    link.send("have 0 0");
    lines(&mut link, "presence Bob here 2");
}

/// Returns why a connection through ssh with these options fails.
fn failure(sshd: &Sshd, options: &[&str], remote_command: &str) -> String {
    let mut program = shlex::split(&sshd.ssh_words()).unwrap();
    program.extend(options.iter().map(|&option| option.to_owned()));
    let (host, remote_command) = ("table".to_owned(), remote_command.to_owned());
    let route = Route::Ssh(SshRoute { program, host, remote_command, table: None });
    Link::first(route).unwrap_err()
}

/// Binds a port on which nothing listens.
fn silent_port() -> (OwnedFd, u16) {
    let socket = rustix::net::socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    let any: SocketAddr = (Ipv4Addr::LOCALHOST, 0).into();
    rustix::net::bind(&socket, &any).unwrap();
    let bound: SocketAddr = rustix::net::getsockname(&socket).unwrap().try_into().unwrap();
    (socket, bound.port())
}

#[test]
fn remote_failures_are_explained_with_a_fix() {
    let Some(mut sshd) = Sshd::start() else { return };
    let home = tempfile::tempdir().unwrap();
    sshd.home(home.path());
    let first = |sshd: &Sshd, host| Link::first(through(sshd, host)).unwrap_err();
    let none = "connection to table closed before the table's greeting; see its message above";
    assert_eq!(first(&sshd, "table"), none);
    let denied = "ssh could not connect to friend; check that plain ssh accepts this user and key";
    assert_eq!(first(&sshd, "friend"), denied);
    let command = "/nosuch/quadrille: no such file on table; check --remote-command";
    assert_eq!(failure(&sshd, &[], "/nosuch/quadrille"), command);
    assert_eq!(failure(&sshd, &[], "/tmp"), "/tmp cannot be run on table; check --remote-command");
    let (_bound, port) = silent_port();
    let refused = format!(
        "ssh could not connect to table; nothing listens on port {port}; check the port, and that sshd runs there"
    );
    assert_eq!(failure(&sshd, &["-p", &port.to_string()], "quadrille"), refused);
    sshd.without_programs();
    let missing = "quadrille is not in PATH for non-login shells on table; give its path there with \
                   --remote-command PATH";
    assert_eq!(first(&sshd, "table"), missing);
}

#[test]
fn rejected_host_key_is_explained() {
    let Some(mut sshd) = Sshd::start() else { return };
    let advice = |sshd: &Sshd, options: &[&str]| {
        let why = failure(sshd, options, "quadrille");
        why.strip_prefix("ssh could not connect to table; ").unwrap().to_owned()
    };
    let unknown = ["-o", "UserKnownHostsFile=/dev/null"];
    let strict = "its host key is unknown, and strict checking is on; add the key to known_hosts";
    assert_eq!(advice(&sshd, &unknown), strict);
    // Batch mode, which the client's configuration sets, forbids questions.
    let ask = [&unknown[..], &["-o", "StrictHostKeyChecking=ask"]].concat();
    let unasked = "its host key is unknown; connect once with plain ssh to accept it";
    assert_eq!(advice(&sshd, &ask), unasked);
    let words = format!("{} {} -o BatchMode=no", sshd.ssh_words(), ask.join(" "));
    let desk = Desk::new().with_size((100, 30)).with_env("QUADRILLE_SSH", words);
    let mut bob = desk.run(&["join", "table:"]);
    bob.wait_for("Are you sure you want to continue connecting").keys("no\r");
    bob.wait_for("ssh could not connect to table; you did not accept the host key");
    assert_eq!(bob.wait_for_the_end(), 1);
    sshd.change_host_key();
    let changed = "if the host key has really changed, remove the old one with ssh-keygen -R";
    assert_eq!(advice(&sshd, &[]), changed);
    assert_eq!(advice(&sshd, &["-o", "StrictHostKeyChecking=ask"]), changed);
}

#[test]
fn missing_table_is_explained_without_the_others() {
    let Some(mut sshd) = Sshd::start() else { return };
    let table = OpenTable::open("quixo");
    sshd.home(table.home.path()).env("XDG_RUNTIME_DIR", table.home.path());
    let run = |sshd: &Sshd, host: &str| {
        finish(&mut sshd.ssh(host, "quadrille table connect nim"), b"").fails(1)
    };
    assert_eq!(run(&sshd, "table"), "no open table nim here");
    let why = "no open table nim here";
    for command in ["quadrille table connect nim --as Bob", "quadrille table connect nim"] {
        sshd.authorize(&format!("restrict,pty,command=\"{command}\""));
        assert_eq!(run(&sshd, "friend"), why, "{command}");
        let config = sshd.client_config();
        let desk = Desk::new();
        let mut bob = desk.start("ssh", &["-t", "-F", config.to_str().unwrap(), "friend"]);
        bob.wait_for(why);
        assert!(!bob.sees("quixo"), "{}", bob.contents());
    }
}
