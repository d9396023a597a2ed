//! The bridge between a remote terminal and a table: copies lines from stdin to the table's socket and from the socket
//! to stdout. The only messages it interprets are those that state a verified identity.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "connects stdio to a socket"
)]

use super::folder;
use super::peer::{self, Peer};
use crate::Identity;
use anyhow::{Context, bail};
use std::path::Path;
use std::time::{Duration, Instant};

/// Reading pauses while this many bytes wait to be sent.
const MAX_UNSENT: usize = 16 << 10;
/// Prefixes of the lines that state a verified identity.
const VERIFIES: [&str; 2] = ["as ", "key "];
/// How long to wait for the table's last messages after the remote end closes.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(1);

/// Copies lines until either end closes. A verified name overrides the one in `hello`.
pub fn run(socket: &Path, identity: &Identity) -> anyhow::Result<()> {
    let socket = folder::connect(socket, true).context("the table did not answer")?;
    let (mut table, mut guest) = (Peer::socket(socket)?, Peer::standard()?);
    identity.words().for_each(|word| table.push(word));
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
            table.push(line);
        }
        while guest.unsent() < MAX_UNSENT
            && let Some(line) = table.next_line()
        {
            guest.push(line?);
        }
        if guest.has_ended() && ends_at.is_none() {
            table.finish();
            ends_at = Some(Instant::now() + FAREWELL_TIMEOUT);
        }
        if table.has_ended() {
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
