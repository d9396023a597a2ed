//! Terminals at several desks, one of them through ssh.

use crate::common::sshd::Sshd;
use crate::common::two_terminals::{Desk, all_see, one_sees};
use crate::common::wait::wait_until;

#[test]
fn match_continues_on_the_host_after_a_cut_line() {
    let Some(mut sshd) = Sshd::start() else { return };
    let ann = Desk::new().with_size((100, 30));
    sshd.home(ann.home());
    let bob = Desk::new().with_size((120, 40)).with_env("SSH_CONFIG", sshd.client_config());
    let line = r#"exec ssh -t -F "$SSH_CONFIG" table 'stty size; read line; exec quadrille play tic-tac-toe'"#;
    let mut far = bob.start("sh", &["-c", line]);
    far.wait_for("40 120").keys("\r");
    let mut near = ann.run(&["play", "quixo"]);
    all_see(&[&near, &far], "to move");
    far.keys(":b2\r");
    assert_eq!(one_sees(&[&near, &far], "last b2"), 1);

    assert_eq!(ann.running("play tic-tac-toe").len(), 1);
    sshd.kill_connections();
    far.wait_for("closed by remote host").ends_after();
    wait_until(
        "end",
        || format!("{:?}", sshd.started()),
        || ann.running("play tic-tac-toe").is_empty(),
    );
    ann.kill("play quixo");
    near.ends_after();
    let mut resumed = ann.run(&["resume"]);
    resumed.wait_for("last b2");
    drop(ann);
    resumed.ends_after();
}
