//! The other end of a connection: lines over a socket, the pipes of a child process, or stdin and stdout.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "reads and writes lines")]

use crate::protocol::MAX_LINE_BYTES;
use quadrille_system::handle::{
    OwnedHandle, Stream, finish, is_not_ready, read, stdin, stdout, write,
};
use quadrille_system::wait::{self, Source};
use quadrille_table::engine::ugi::{LineBuffer, TooLong};
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::rc::Rc;
use std::time::Instant;

/// The maximum number of bytes per read.
const READ: usize = 1 << 10;
/// The maximum number of bytes per write to a pipe (`PIPE_BUF`). A pipe that polls as writable accepts this many bytes
/// without blocking.
const WRITE: usize = 4 << 10;

/// The other end of a connection. Only [`Peer::wait_for_line`] blocks. Buffers are bounded in both directions: nothing
/// is read while buffered lines remain.
///
/// A pipe is checked before each read and write: stdin and stdout may be shared with other processes, so they are not
/// set to non-blocking mode.
#[derive(Debug)]
pub struct Peer {
    /// `None` after the input has ended.
    input: Option<Rc<OwnedHandle>>,
    /// `None` after the reader has closed its end.
    output: Option<Rc<OwnedHandle>>,
    is_socket: bool,
    buffer: LineBuffer,
    lines: VecDeque<Result<String, TooLong>>,
    unsent: Vec<u8>,
    /// Whether to close the output once everything is sent.
    has_finished: bool,
}

impl Peer {
    fn new(input: Rc<OwnedHandle>, output: Option<Rc<OwnedHandle>>, is_socket: bool) -> Peer {
        Peer {
            input: Some(input),
            output,
            is_socket,
            buffer: LineBuffer::new(MAX_LINE_BYTES),
            lines: VecDeque::new(),
            unsent: Vec::new(),
            has_finished: false,
        }
    }

    pub fn socket(socket: Stream) -> io::Result<Peer> {
        socket.set_nonblocking(true)?;
        let socket = Rc::new(OwnedHandle::from(socket));
        Ok(Peer::new(Rc::clone(&socket), Some(socket), true))
    }

    pub fn pipes(input: impl Into<OwnedHandle>, output: Option<OwnedHandle>) -> Peer {
        Peer::new(Rc::new(input.into()), output.map(Rc::new), false)
    }

    pub fn standard() -> io::Result<Peer> {
        Ok(Peer::pipes(stdin().try_clone_to_owned()?, Some(stdout().try_clone_to_owned()?)))
    }

    /// Returns the sources to poll before [`Peer::exchange`]. An idle socket is omitted, because a hang-up would wake
    /// the loop constantly. A pipe is always included, because only polling detects that the reader has closed its end.
    pub fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        let input = self.input.as_ref().filter(|_| self.lines.is_empty());
        let output = self.output.as_ref().filter(|_| !self.is_socket || !self.unsent.is_empty());
        let input = input.map(|input| Source::readable(&**input));
        input.into_iter().chain(output.map(|output| self.output_source(output)))
    }

    /// Returns the source to wait for on the output.
    fn output_source<'a>(&self, output: &'a OwnedHandle) -> Source<'a> {
        if self.unsent.is_empty() { Source::closed(output) } else { Source::writable(output) }
    }

    /// Writes as much as the other end accepts, and reads one chunk.
    pub fn exchange(&mut self) {
        self.write();
        self.read();
    }

    pub fn read(&mut self) {
        let Some(input) = self.input.as_ref().filter(|_| self.lines.is_empty()) else { return };
        if !self.is_socket && !Source::readable(&**input).checked().is_ready() {
            return;
        }
        let mut bytes = [0; READ];
        match read(&**input, &mut bytes) {
            Ok(length @ 1..) => self.lines.extend(self.buffer.feed(&bytes[..length])),
            Err(error) if is_not_ready(&error) => {}
            Ok(_) | Err(_) => self.input = None,
        }
    }

    /// Writes as much as the other end accepts without blocking.
    pub fn write(&mut self) {
        while let Some(output) = &self.output {
            let (is_ready, can_write, most) = if self.is_socket {
                (!self.unsent.is_empty(), true, usize::MAX)
            } else {
                let found = self.output_source(output).checked();
                (found.is_ready(), found.can_write(), WRITE)
            };
            let length = self.unsent.len().min(most);
            let written = match (is_ready, can_write) {
                (false, _) => return self.end_if_finished(),
                (true, true) => write(&**output, &self.unsent[..length]),
                (true, false) => Err(ErrorKind::BrokenPipe.into()),
            };
            match written {
                Ok(length) if length < self.unsent.len() => drop(self.unsent.drain(..length)),
                // Free the empty buffer.
                Ok(_) => self.unsent = Vec::new(),
                Err(error) if is_not_ready(&error) => return,
                Err(_) => self.stop_writing(),
            }
        }
    }

    fn end_if_finished(&mut self) {
        if self.has_finished
            && self.unsent.is_empty()
            && let Some(output) = self.output.take()
        {
            finish(&*output);
        }
    }

    pub fn next_line(&mut self) -> Option<Result<String, TooLong>> {
        self.lines.pop_front()
    }

    /// Returns whether complete lines are buffered.
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Returns the bytes after the last line ending.
    pub fn take_rest(&mut self) -> Option<String> {
        std::mem::replace(&mut self.buffer, LineBuffer::new(MAX_LINE_BYTES)).finish()
    }

    /// Queues a line; [`Peer::write`] sends it.
    pub fn push(&mut self, line: impl Display) {
        if self.output.is_some() {
            self.unsent.extend_from_slice(format!("{line}\n").as_bytes());
        }
    }

    /// Returns the number of unsent bytes.
    pub fn unsent(&self) -> usize {
        self.unsent.len()
    }

    /// Returns whether no more lines will arrive.
    pub fn has_ended(&self) -> bool {
        self.input.is_none() && self.lines.is_empty()
    }

    /// Returns whether the other end has stopped reading.
    pub fn is_deaf(&self) -> bool {
        self.output.is_none()
    }

    /// Stops reading, and discards buffered input.
    pub fn stop_reading(&mut self) {
        (self.input, self.lines) = (None, VecDeque::new());
    }

    pub fn stop_writing(&mut self) {
        (self.output, self.unsent) = (None, Vec::new());
    }

    /// Closes the output once everything is sent. Nothing can be queued after this call.
    pub fn finish(&mut self) {
        self.has_finished = true;
        self.write();
    }

    /// Waits for a line; `None` if the input ends or the deadline passes first.
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

/// Waits until a source is ready or the deadline passes.
pub fn wait<'s>(
    sources: impl IntoIterator<Item = Source<'s>>,
    deadline: Option<Instant>,
) -> io::Result<()> {
    wait::wait(&mut sources.into_iter().collect::<Vec<_>>(), deadline)
}
