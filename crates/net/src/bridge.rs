//! The bridge between a remote terminal and a table: copies lines from stdin to the table's socket and from the socket
//! to stdout. The only messages it interprets are those that state a verified identity.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "connects stdio to a socket"
)]

use super::folder::{self, OpenTable};
use super::peer::{self, Peer};
use crate::Identity;
use anyhow::{Context, bail};
use std::time::{Duration, Instant};

/// Reading pauses while this many bytes wait to be sent.
const MAX_UNSENT: usize = 16 << 10;
/// Prefixes of the lines that state a verified identity.
const VERIFIES: [&str; 2] = ["as ", "key "];
/// How long to wait for the table's last messages after the remote end closes.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(1);

/// The maximum number of processes that may end before one greets.
const MAX_ATTEMPTS: u32 = 5;

/// Copies lines until either end closes. A verified name overrides the one in `hello`. `door` finds the table; a
/// connection that an ending process did not greet is repeated to the next one.
pub fn run(
    door: impl Fn() -> anyhow::Result<OpenTable>,
    identity: &Identity,
) -> anyhow::Result<()> {
    let (mut table, mut guest) = (connect(&door, identity)?, Peer::standard()?);
    // The lines that the guest has sent, until the table answers.
    let mut unanswered = Some(Vec::new());
    let mut attempts = 1;
    let mut ends_at = None;
    while !guest.is_deaf() && ends_at.is_none_or(|end| Instant::now() < end) {
        peer::wait(table.sources().chain(guest.sources()), ends_at)?;
        table.exchange();
        guest.exchange();
        while table.unsent() < MAX_UNSENT
            && let Some(line) = guest.next_line()
        {
            let line = line?;
            if VERIFIES.iter().any(|prefix| line.starts_with(prefix)) {
                bail!("a guest cannot choose a verified name; use --as");
            }
            table.push(&line);
            if let Some(sent) = &mut unanswered {
                sent.push(line);
            }
        }
        while guest.unsent() < MAX_UNSENT
            && let Some(line) = table.next_line()
        {
            guest.push(line?);
            unanswered = None;
        }
        if guest.has_ended() && ends_at.is_none() {
            table.finish();
            ends_at = Some(Instant::now() + FAREWELL_TIMEOUT);
        }
        if table.has_ended()
            && attempts < MAX_ATTEMPTS
            && let Some(sent) = &unanswered
        {
            attempts += 1;
            table = connect(&door, identity)?;
            for line in sent {
                table.push(line);
            }
            if guest.has_ended() {
                table.finish();
            }
        } else if table.has_ended() {
            // Deliver the table's last messages unless the remote end is gone.
            guest.stop_reading();
            while guest.unsent() > 0 {
                peer::wait(guest.sources(), None)?;
                guest.write();
            }
            break;
        }
    }
    Ok(())
}

/// Connects to the table, and states the identity. The process may end between the door and the connection.
fn connect(
    door: &impl Fn() -> anyhow::Result<OpenTable>,
    identity: &Identity,
) -> anyhow::Result<Peer> {
    let mut attempts = 1;
    let socket = loop {
        match folder::connect(&door()?.path, true) {
            Err(error) if attempts < MAX_ATTEMPTS && folder::has_no_process(&error) => {
                attempts += 1;
            }
            socket => break socket.context("the table did not answer")?,
        }
    };
    let mut table = Peer::socket(socket)?;
    identity.words().for_each(|word| table.push(word));
    Ok(table)
}
