//! The bridge between a remote terminal and a table: copies lines from stdin to the table's socket and from the socket
//! to stdout. The only message it interprets is the one that vouches for a name.

use super::folder;
use super::peer::{self, Peer};
use crate::net::protocol::GuestWord;
use anyhow::{Context, bail};
use std::path::Path;
use std::time::{Duration, Instant};

/// Reading pauses while this many bytes wait to be sent.
const MOST: usize = 16 << 10;
/// Prefix of a line that vouches for a name.
const VOUCHES: &str = "as ";
/// How long to wait for the table's last messages after the remote end closes.
const FAREWELL: Duration = Duration::from_secs(1);

/// Copies lines until either end closes. `vouched` is the guest's verified name, which overrides the one in `hello`.
pub fn run(socket: &Path, vouched: Option<&str>) -> anyhow::Result<()> {
    let socket = folder::connect(socket, true).context("the table did not answer")?;
    let (mut table, mut guest) = (Peer::socket(socket)?, Peer::standard()?);
    if let Some(name) = vouched {
        table.push(GuestWord::As(name.to_owned()));
    }
    let mut ends_at = None;
    while !guest.is_deaf() && ends_at.is_none_or(|end| Instant::now() < end) {
        peer::wait(table.sources().chain(guest.sources()), ends_at)?;
        table.exchange();
        guest.exchange();
        while table.unsent() < MOST
            && let Some(line) = guest.next_line()
        {
            let line = line?;
            // Only the bridge's own command line may vouch for a name.
            if line.starts_with(VOUCHES) {
                bail!("a guest cannot choose a verified name; use --as");
            }
            table.push(line);
        }
        while guest.unsent() < MOST
            && let Some(line) = table.next_line()
        {
            guest.push(line?);
        }
        if guest.has_ended() && ends_at.is_none() {
            table.finish();
            ends_at = Some(Instant::now() + FAREWELL);
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
