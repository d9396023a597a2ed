//! The settings of `assets/serve` in a real OpenSSH server.

use crate::common::program::{BINARY, finish};
use crate::common::sshd::Sshd;
use crate::common::terminal;
use crate::common::two_terminals::Desk;
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
