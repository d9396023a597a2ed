//! The process at the other end of a line: lines come and go over a socket, over the pipes of a child, or over standard
//! input and output.

use crate::engine::ugi::{LineBuffer, TooLong};
use crate::net::protocol::LONGEST;
use crate::play;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read, write};
use rustix::net::{Shutdown, shutdown};
use rustix::stdio::{stdin, stdout};
use std::collections::VecDeque;
use std::fmt::Display;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::time::Instant;

/// The most bytes that are read at once.
const READ: usize = 1 << 10;
/// The most bytes that are written to a pipe at once: if it has any room, it takes as many whole.
const WRITE: usize = 4 << 10;

/// The other end of a line. No call but [`Peer::wait_for_line`] waits, and lines are bounded both ways: nothing is read
/// before all that was read is taken.
#[derive(Debug)]
pub struct Peer {
    /// `None` once it has ended.
    input: Option<Rc<OwnedFd>>,
    /// `None` once nobody reads it any more.
    output: Option<Rc<OwnedFd>>,
    is_socket: bool,
    buffer: LineBuffer,
    lines: VecDeque<Result<String, TooLong>>,
    unsent: Vec<u8>,
    /// Whether the output ends once all is sent.
    has_finished: bool,
}

impl Peer {
    fn new(input: Rc<OwnedFd>, output: Option<Rc<OwnedFd>>, is_socket: bool) -> Peer {
        Peer {
            input: Some(input),
            output,
            is_socket,
            buffer: LineBuffer::new(LONGEST),
            lines: VecDeque::new(),
            unsent: Vec::new(),
            has_finished: false,
        }
    }

    pub fn socket(socket: UnixStream) -> io::Result<Peer> {
        socket.set_nonblocking(true)?;
        let socket = Rc::new(OwnedFd::from(socket));
        Ok(Peer::new(Rc::clone(&socket), Some(socket), true))
    }

    pub fn pipes(input: impl Into<OwnedFd>, output: Option<OwnedFd>) -> Peer {
        Peer::new(Rc::new(input.into()), output.map(Rc::new), false)
    }

    pub fn standard() -> io::Result<Peer> {
        Ok(Peer::pipes(stdin().try_clone_to_owned()?, Some(stdout().try_clone_to_owned()?)))
    }

    /// What to wait for before [`Peer::exchange`]. A socket of which nothing is wanted now is left out, since it could
    /// wake us all the time by having gone. A pipe always tells when nobody reads it any more.
    pub fn sources(&self) -> impl Iterator<Item = PollFd<'_>> {
        let input = self.input.as_ref().filter(|_| self.lines.is_empty());
        let output = self.output.as_ref().filter(|_| !self.is_socket || !self.unsent.is_empty());
        let input = input.map(|input| (input, PollFlags::IN));
        let sources = input.into_iter().chain(output.map(|output| (output, self.room())));
        sources.map(|(source, flags)| PollFd::from_borrowed_fd(source.as_fd(), flags))
    }

    /// What the output has to have, if anything.
    fn room(&self) -> PollFlags {
        if self.unsent.is_empty() { PollFlags::empty() } else { PollFlags::OUT }
    }

    /// Writes what the other end takes now, and reads a piece of what has come.
    pub fn exchange(&mut self) {
        self.write();
        self.read();
    }

    /// Reads a piece of what has come.
    pub fn read(&mut self) {
        let Some(input) = self.input.as_ref().filter(|_| self.lines.is_empty()) else { return };
        if !self.is_socket && ready(input.as_fd(), PollFlags::IN).is_empty() {
            return;
        }
        let mut bytes = [0; READ];
        match read(input, &mut bytes) {
            Ok(length @ 1..) => self.lines.extend(self.buffer.feed(&bytes[..length])),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Ok(_) | Err(_) => self.input = None,
        }
    }

    /// Writes what the other end takes now.
    pub fn write(&mut self) {
        while let Some(output) = &self.output {
            let (found, most) = if self.is_socket {
                (self.room(), usize::MAX)
            } else {
                (ready(output.as_fd(), self.room()), WRITE)
            };
            let length = self.unsent.len().min(most);
            let written = match found {
                _ if found.is_empty() => return self.end_if_finished(),
                _ if found.contains(PollFlags::OUT) => write(output, &self.unsent[..length]),
                _ => Err(Errno::PIPE),
            };
            match written {
                Ok(length) if length < self.unsent.len() => drop(self.unsent.drain(..length)),
                // Most of the time nothing waits, and takes no memory.
                Ok(_) => self.unsent = Vec::new(),
                Err(Errno::INTR | Errno::AGAIN) => return,
                Err(_) => self.stop_writing(),
            }
        }
    }

    fn end_if_finished(&mut self) {
        if self.has_finished
            && self.unsent.is_empty()
            && let Some(output) = self.output.take()
        {
            // A pipe ends with its last descriptor.
            let _ = shutdown(&output, Shutdown::Write);
        }
    }

    /// The next line that was read.
    pub fn next_line(&mut self) -> Option<Result<String, TooLong>> {
        self.lines.pop_front()
    }

    /// Whether lines were read that are not taken yet.
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// The bytes after the last line, which have no end.
    pub fn take_rest(&mut self) -> Option<String> {
        std::mem::replace(&mut self.buffer, LineBuffer::new(LONGEST)).finish()
    }

    /// Queues a line; [`Peer::write`] sends it.
    pub fn push(&mut self, line: impl Display) {
        if self.output.is_some() {
            self.unsent.extend_from_slice(format!("{line}\n").as_bytes());
        }
    }

    /// How many bytes wait to be sent.
    pub fn unsent(&self) -> usize {
        self.unsent.len()
    }

    /// Whether nothing comes any more.
    pub fn has_ended(&self) -> bool {
        self.input.is_none() && self.lines.is_empty()
    }

    /// Whether nobody takes what is sent any more.
    pub fn is_deaf(&self) -> bool {
        self.output.is_none()
    }

    /// Reads nothing more, and forgets what was read.
    pub fn stop_reading(&mut self) {
        (self.input, self.lines) = (None, VecDeque::new());
    }

    /// Writes nothing more.
    pub fn stop_writing(&mut self) {
        (self.output, self.unsent) = (None, Vec::new());
    }

    /// Ends the output once all is sent. Nothing can be pushed after this.
    pub fn finish(&mut self) {
        self.has_finished = true;
        self.write();
    }

    /// Waits for a line; `None` if none comes before the input ends or the deadline passes.
    pub fn wait_for_line(
        &mut self,
        deadline: Instant,
    ) -> io::Result<Option<Result<String, TooLong>>> {
        loop {
            self.exchange();
            let line = self.next_line();
            if line.is_some() || self.has_ended() || Instant::now() >= deadline {
                return Ok(line);
            }
            wait(self.sources(), Some(deadline))?;
        }
    }
}

/// What a pipe has of these just now. Checked before each call: standard input and output may be shared with other
/// processes, so they are not made non-blocking.
fn ready(source: BorrowedFd<'_>, flags: PollFlags) -> PollFlags {
    let mut sources = [PollFd::from_borrowed_fd(source, flags)];
    let polled = poll(&mut sources, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    if polled.is_ok() { sources[0].revents() } else { PollFlags::empty() }
}

/// Sleeps until one of these has something, or to this time.
pub fn wait<'s>(
    sources: impl IntoIterator<Item = PollFd<'s>>,
    deadline: Option<Instant>,
) -> io::Result<()> {
    play::wait(&mut sources.into_iter().collect::<Vec<_>>(), deadline)
}
