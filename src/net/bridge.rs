//! The bridge between a far terminal and a table: the lines of standard input go to the table's socket, and what the table
//! says to standard output. It knows no word but the one that vouches for a name.

use super::folder;
use super::peer::{self, Peer};
use crate::net::protocol::GuestWord;
use anyhow::{Context, bail};
use std::path::Path;
use std::time::{Duration, Instant};

/// Nothing more is read for an end for which as many bytes wait.
const MOST: usize = 16 << 10;
/// Begins a line that vouches for a name.
const VOUCHES: &str = "as ";
/// How long the table's last words may take, once the far end has gone.
const FAREWELL: Duration = Duration::from_secs(1);

/// Carries lines until either end has gone. `vouched` is the name of the guest, whatever they call themselves.
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
            // Only the command of the bridge may do that.
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
            // Its last words are still read at the far end, or nobody is there.
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
