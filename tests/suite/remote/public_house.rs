//! The settings of `assets/serve` in a real OpenSSH server.

use crate::common::program::{BINARY, finish};
use crate::common::sshd::Sshd;
use crate::common::terminal::{self, Terminal};
use crate::common::two_terminals::{Desk, all_see};
use std::path::Path;
use std::process::{Command, Stdio};

const SETTINGS: &str = include_str!("../../../assets/serve/sshd_config");

/// Returns the settings that admit everybody, for this user instead of `play`, with all state in this directory.
fn settings(user: &str, home: &Path) -> String {
    let folders = terminal::home(home);
    let folders = folders.iter().map(|(name, folder)| format!("{name}={}", folder.display()));
    let quadrille = format!("env {} {BINARY}", folders.collect::<Vec<_>>().join(" "));
    let mut settings = SETTINGS.to_owned();
    for (ours, theirs) in [
        ("Match User play", format!("Match User {user}")),
        ("/usr/local/bin/quadrille", quadrille),
        ("    AuthorizedKeysFile /etc/ssh/quadrille_keys\n", String::new()),
        ("#AuthorizedKeysFile none", "AuthorizedKeysFile none".to_owned()),
        ("#AuthorizedKeysCommand ", "AuthorizedKeysCommand ".to_owned()),
        // A server without root runs everything as its user.
        ("#AuthorizedKeysCommandUser nobody", format!("AuthorizedKeysCommandUser {user}")),
    ] {
        assert!(settings.contains(ours), "{ours}");
        settings = settings.replace(ours, &theirs);
    }
    settings
}

#[test]
fn every_ssh_key_opens_only_the_lobby() {
    let desk = Desk::new().with_size((100, 30));
    let Some(sshd) = Sshd::start_with(|user| settings(user, desk.home())) else { return };
    // The server does not know the friend's key.
    for command in ["id", "sh", "quadrille tables", "quadrille table close quixo"] {
        let run = finish(&mut sshd.ssh("friend", command), b"");
        assert!(run.err.contains("the lobby needs a terminal; use ssh -t"), "{run:?}");
        assert_eq!(run.out, "");
    }
    let bridge = finish(&mut sshd.ssh("friend", "quadrille table connect"), b"");
    assert!(bridge.err.contains("no open tables here"), "{bridge:?}");
    let config = sshd.client_config();
    let mut guest = desk.start("ssh", &["-t", "-F", config.to_str().unwrap(), "friend"]);
    guest.wait_for("Your name:").keys("Bob\r").wait_for("No open tables.");
    guest.keys("!sh\r").wait_for("Unknown command: !sh");
    guest.keys("quit\r");
    assert_eq!(guest.wait_for_the_end(), 0);

    let without_a_key = ["-o", "PubkeyAuthentication=no", "friend", "true"];
    let mut ssh = Command::new("ssh");
    ssh.arg("-F").arg(config).args(without_a_key);
    ssh.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let refused = finish(&mut ssh, b"");
    assert!(refused.status == 255, "{refused:?}");
    assert!(refused.err.contains("Permission denied (publickey)"), "{refused:?}");
}

fn keygen(words: &[&str], path: &Path) {
    let mut keygen = Command::new("ssh-keygen");
    keygen.arg("-q").args(words).arg(path);
    keygen.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    assert_eq!(finish(&mut keygen, b"").ok(), "");
}

#[test]
fn ssh_key_restores_the_seat_of_a_killed_visitor() {
    let desk = Desk::new().with_size((140, 30));
    let [authority, other] = ["authority", "other"].map(|name| desk.home().join(name));
    let trust = |user: &str| {
        let authority = authority.with_extension("pub");
        format!("{}    TrustedUserCAKeys {}\n", settings(user, desk.home()), authority.display())
    };
    let Some(mut sshd) = Sshd::start_with(trust) else { return };
    for key in [&authority, &other] {
        keygen(&["-t", "ed25519", "-N", "", "-C", "", "-f"], key);
    }
    let config = sshd.client_config();
    let ssh = |options: &[&str], host: &str| {
        let words = [&["-t", "-F", config.to_str().unwrap()], options, &[host]].concat();
        desk.start("ssh", &words)
    };
    let sits = |mut terminal: Terminal, name: &str| {
        terminal.wait_for("Your name:").keys(&format!("{name}\r")).wait_for("1 open table:");
        terminal.keys("1\r");
        terminal
    };
    let mut ann = ssh(&[], "table");
    ann.wait_for("Your name:").keys("Ann\r").wait_for("No open tables.");
    ann.keys("open tic\r").wait_for("Player 2");
    let mut bob = sits(ssh(&[], "friend"), "Bob");
    bob.wait_for("Ann is to move");
    ann.keys(":b2\r");
    all_see(&[&ann, &bob], "b2");
    bob.keys(":a1\r");
    all_see(&[&ann, &bob], "a1");

    let cut = |sshd: &Sshd, terminals: Vec<Terminal>| {
        sshd.kill_connections();
        for mut terminal in terminals {
            terminal.ends_after();
        }
    };
    cut(&sshd, vec![ann, bob]);
    // The name alone is not enough, even though no player is present.
    let mut eve = sits(ssh(&["-i", other.to_str().unwrap()], "table"), "Bob");
    eve.wait_for(
        "seat 2 is reserved for Bob, who is away; without the player's ssh key, try again in",
    );
    let mut bob = sits(ssh(&[], "friend"), "x");
    bob.wait_for("Ann is away").wait_for("a1");
    // A certificate counts as its key.
    let friend = sshd.authorize("");
    let sign = ["-I", "Bob", "-n", sshd.user(), "-s", authority.to_str().unwrap()];
    keygen(&sign, &friend.with_extension("pub"));
    cut(&sshd, vec![eve, bob]);
    let only = ["-o", "PubkeyAcceptedAlgorithms=ssh-ed25519-cert-v01@openssh.com"];
    let mut bob = sits(ssh(&only, "friend"), "x");
    bob.wait_for("Ann is away").wait_for("a1");
    assert!(sshd.log().contains("ED25519-CERT"), "{}", sshd.log());
    cut(&sshd, vec![bob]);
    // The visitor's own Quadrille, which has lost its token.
    let elsewhere = Desk::new().with_env("QUADRILLE_SSH", sshd.ssh_words());
    let mut bob = elsewhere.run(&["join", "friend:tic-tac-toe", "--name", "Dora"]);
    bob.wait_for("Ann is away").wait_for("a1");
}
