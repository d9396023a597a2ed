//! The bridge between a far terminal and a table: what comes from standard input goes to the table's socket, and what the
//! table says to standard output. It knows no words but the one that vouches for a name.

use super::folder;
use crate::remote::protocol::GuestWord;
use anyhow::{Context, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read, write};
use rustix::stdio::{stdin, stdout};
use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// The most bytes on their way in one direction.
const MOST: usize = 16 << 10;
/// The most bytes that are written at once: as many as a pipe takes whole that has room.
const PIECE: usize = 4096;
/// Begins a line that vouches for a name.
const VOUCHES: &[u8] = b"\nas ";
/// How long the table's last words may take, once the far end has gone.
const FAREWELL: Duration = Duration::from_secs(1);

/// Carries bytes until either end has gone. `vouched` is the name of whoever comes, whatever they call themselves.
pub fn run(socket: &Path, vouched: Option<&str>) -> anyhow::Result<()> {
    let socket = folder::connect(socket).context("the table does not answer")?;
    let (to_table, to_guest, ends_at) = (Vec::new(), Vec::new(), None);
    let mut bridge = Bridge { socket, to_table, to_guest, tail: b"\n".to_vec(), ends_at };
    if let Some(name) = vouched {
        bridge.to_table = format!("{}\n", GuestWord::As(name.to_owned())).into_bytes();
    }
    while bridge.carry()? {}
    Ok(())
}

struct Bridge {
    socket: UnixStream,
    to_table: Vec<u8>,
    to_guest: Vec<u8>,
    /// The last bytes of standard input.
    tail: Vec<u8>,
    /// When this ends, once standard input has.
    ends_at: Option<Instant>,
}

impl Bridge {
    /// Waits for something and carries it on. Returns whether both ends are still there.
    fn carry(&mut self) -> anyhow::Result<bool> {
        let when =
            |is_wanted: bool, flags: PollFlags| if is_wanted { flags } else { PollFlags::empty() };
        let reads = self.ends_at.is_none() && self.to_table.len() < MOST;
        let from_table = when(self.to_guest.len() < MOST, PollFlags::IN)
            | when(!self.to_table.is_empty(), PollFlags::OUT);
        let time = self.ends_at.map(|end| {
            let left = end.saturating_duration_since(Instant::now());
            Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() }
        });
        // Of standard output we are always told when nobody reads it any more. A socket of which nothing is wanted now is
        // not watched: it could wake us all the time by having gone.
        let watched = [
            Some((stdout(), when(!self.to_guest.is_empty(), PollFlags::OUT))),
            Some((self.socket.as_fd(), from_table)).filter(|_| !from_table.is_empty()),
            reads.then(|| (stdin(), PollFlags::IN)),
        ];
        let sources = watched.iter().flatten();
        let mut sources: Vec<_> =
            sources.map(|(source, flags)| PollFd::from_borrowed_fd(*source, *flags)).collect();
        match poll(&mut sources, time.as_ref()) {
            Ok(0) => return Ok(false),
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(true),
            Err(error) => return Err(io::Error::from(error).into()),
        }
        let mut come = sources.iter().map(PollFd::revents);
        let nothing = PollFlags::empty();
        let [of_stdout, of_socket, of_stdin] =
            watched.map(|source| source.and_then(|_| come.next()).unwrap_or(nothing));
        if of_stdout.intersects(PollFlags::OUT) {
            let length = self.to_guest.len().min(PIECE);
            if !pass_on(&mut self.to_guest, length, stdout()) {
                return Ok(false);
            }
        } else if !of_stdout.is_empty() {
            return Ok(false);
        }
        if of_socket.intersects(PollFlags::OUT) {
            let length = self.to_table.len();
            if !pass_on(&mut self.to_table, length, self.socket.as_fd()) {
                // It may have said why.
                self.to_table.clear();
            }
            self.close_if_ended();
        }
        if of_socket.intersects(!PollFlags::OUT)
            && self.to_guest.len() < MOST
            && !take(&mut self.to_guest, self.socket.as_fd())
        {
            self.write_rest();
            return Ok(false);
        }
        if !of_stdin.is_empty() {
            let known = self.to_table.len();
            if !take(&mut self.to_table, stdin()) {
                self.ends_at = Some(Instant::now() + FAREWELL);
                self.close_if_ended();
            }
            self.refuse_a_name(known)?;
        }
        Ok(true)
    }

    /// An error if the guest says the word that vouches for a name. Only the command of the bridge may do that. From
    /// `known` on the bytes for the table are new.
    fn refuse_a_name(&mut self, known: usize) -> anyhow::Result<()> {
        self.tail.extend_from_slice(&self.to_table[known..]);
        if self.tail.windows(VOUCHES.len()).any(|bytes| bytes == VOUCHES) {
            bail!("a guest cannot vouch for a name; --as does");
        }
        self.tail.drain(..self.tail.len().saturating_sub(VOUCHES.len() - 1));
        Ok(())
    }

    /// Tells the table that nothing more comes, once all is sent.
    fn close_if_ended(&mut self) {
        if self.ends_at.is_some() && self.to_table.is_empty() {
            let _ = self.socket.shutdown(Shutdown::Write);
        }
    }

    /// The table has gone; what it has said last is still read by whoever is at the far end, or nobody is there.
    fn write_rest(&mut self) {
        while !self.to_guest.is_empty() {
            let length = self.to_guest.len();
            if !pass_on(&mut self.to_guest, length, stdout()) {
                return;
            }
        }
    }
}

/// Reads a piece. Returns whether more can come.
fn take(bytes: &mut Vec<u8>, from: BorrowedFd<'_>) -> bool {
    let mut piece = [0; PIECE];
    match read(from, &mut piece) {
        Ok(0) => false,
        Ok(length) => {
            bytes.extend_from_slice(&piece[..length]);
            true
        }
        Err(error) => matches!(error, Errno::INTR | Errno::AGAIN),
    }
}

/// Writes some of the bytes. Returns whether the other end still takes them.
fn pass_on(bytes: &mut Vec<u8>, length: usize, to: BorrowedFd<'_>) -> bool {
    match write(to, &bytes[..length]) {
        Ok(length) => {
            bytes.drain(..length);
            true
        }
        Err(error) => matches!(error, Errno::INTR | Errno::AGAIN),
    }
}
