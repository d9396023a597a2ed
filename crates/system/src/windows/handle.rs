//! Pipes, with a buffer in memory that a thread fills or empties, so that a program can wait for several of them.

use super::wait::changed;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many bytes a pipe holds.
const ROOM: usize = 64 << 10;

/// How many bytes a thread copies at once.
const PIECE: usize = 16 << 10;

pub type OwnedHandle = Stream;
pub type BorrowedHandle<'a> = &'a Stream;

/// What has an open pipe.
pub trait AsHandle {
    fn as_fd(&self) -> BorrowedHandle<'_>;
}

impl AsHandle for Stream {
    fn as_fd(&self) -> BorrowedHandle<'_> {
        self
    }
}

impl<T: AsHandle> AsHandle for &T {
    fn as_fd(&self) -> BorrowedHandle<'_> {
        (**self).as_fd()
    }
}

/// One direction: bytes that were written and not read yet.
#[derive(Debug, Default)]
struct Pipe {
    state: Mutex<PipeState>,
    /// Signals a change to the thread that copies. Others wait for [`changed`].
    has_changed: Condvar,
}

#[derive(Debug, Default)]
struct PipeState {
    bytes: VecDeque<u8>,
    /// No more is written.
    has_ended: bool,
    /// No more is read.
    is_deaf: bool,
}

impl Pipe {
    fn closed() -> Arc<Pipe> {
        let pipe = Pipe::default();
        pipe.change(|state| (state.has_ended, state.is_deaf) = (true, true));
        Arc::new(pipe)
    }

    fn state(&self) -> MutexGuard<'_, PipeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut PipeState) -> T) -> T {
        let result = change(&mut self.state());
        self.has_changed.notify_all();
        changed();
        result
    }

    /// Waits until `is_over`.
    fn wait_until(&self, is_over: impl Fn(&PipeState) -> bool) {
        let state = self.state();
        let waited = self.has_changed.wait_while(state, |state| !is_over(state));
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn take(&self, bytes: &mut [u8]) -> io::Result<usize> {
        self.change(|state| match state.bytes.read(bytes) {
            Ok(0) if !state.has_ended && !bytes.is_empty() => Err(ErrorKind::WouldBlock.into()),
            length => length,
        })
    }

    fn put(&self, bytes: &[u8]) -> io::Result<usize> {
        self.change(|state| {
            if state.is_deaf || state.has_ended {
                return Err(ErrorKind::BrokenPipe.into());
            }
            let length = bytes.len().min(ROOM.saturating_sub(state.bytes.len()));
            if length == 0 && !bytes.is_empty() {
                return Err(ErrorKind::WouldBlock.into());
            }
            state.bytes.extend(&bytes[..length]);
            Ok(length)
        })
    }

    /// Copies everything from a source, and drops the source once no more is read.
    fn fill(&self, mut source: impl Read) {
        let mut bytes = [0; PIECE];
        loop {
            match source.read(&mut bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(length) => {
                    self.wait_until(|state| state.is_deaf || state.bytes.len() < ROOM);
                    if self.state().is_deaf {
                        break;
                    }
                    self.change(|state| state.bytes.extend(&bytes[..length]));
                }
            }
        }
        self.change(|state| state.has_ended = true);
    }

    /// Copies everything to a target, and drops the target at the end.
    fn empty(&self, mut target: impl Write) {
        let mut bytes = [0; PIECE];
        loop {
            self.wait_until(|state| state.has_ended || !state.bytes.is_empty());
            let Ok(length @ 1..) = self.take(&mut bytes) else { break };
            if target.write_all(&bytes[..length]).and_then(|()| target.flush()).is_err() {
                break;
            }
        }
        self.change(|state| state.is_deaf = true);
    }
}

/// One end of two pipes, or of one: the other is closed then. Clones are the same end, which closes with the last one.
#[derive(Clone, Debug)]
pub struct Stream(Arc<End>);

#[derive(Debug)]
struct End {
    incoming: Arc<Pipe>,
    outgoing: Arc<Pipe>,
    blocks: AtomicBool,
}

impl Drop for End {
    fn drop(&mut self) {
        self.incoming.change(|state| state.is_deaf = true);
        self.outgoing.change(|state| state.has_ended = true);
    }
}

impl Stream {
    fn new(incoming: Arc<Pipe>, outgoing: Arc<Pipe>) -> Stream {
        Stream(Arc::new(End { incoming, outgoing, blocks: AtomicBool::new(true) }))
    }

    /// Returns the two ends of a connection within this process.
    pub fn pair() -> io::Result<(Stream, Stream)> {
        Ok(Stream::connected())
    }

    fn connected() -> (Stream, Stream) {
        let [one, other] = [(); 2].map(|()| Arc::<Pipe>::default());
        (Stream::new(Arc::clone(&one), Arc::clone(&other)), Stream::new(other, one))
    }

    /// Copies a source into a pipe. If no thread can be started, the source seems to be at its end.
    pub(super) fn reading(source: impl Read + Send + 'static) -> Stream {
        let pipe = Arc::<Pipe>::default();
        let filled = Arc::clone(&pipe);
        if thread::Builder::new().spawn(move || filled.fill(source)).is_err() {
            pipe.change(|state| state.has_ended = true);
        }
        Stream::new(pipe, Pipe::closed())
    }

    /// Copies a pipe to a target, which is closed when the pipe is.
    fn writing(target: impl Write + Send + 'static) -> Stream {
        let pipe = Arc::<Pipe>::default();
        let emptied = Arc::clone(&pipe);
        if thread::Builder::new().spawn(move || emptied.empty(target)).is_err() {
            pipe.change(|state| state.is_deaf = true);
        }
        Stream::new(Pipe::closed(), pipe)
    }

    pub fn try_clone(&self) -> io::Result<Stream> {
        Ok(self.clone())
    }

    pub fn try_clone_to_owned(&self) -> io::Result<Stream> {
        Ok(self.clone())
    }

    /// Makes reads and writes fail with `WouldBlock` instead of waiting, for all clones.
    pub fn set_nonblocking(&self, is_nonblocking: bool) -> io::Result<()> {
        self.0.blocks.store(!is_nonblocking, Ordering::SeqCst);
        Ok(())
    }

    /// Closes one direction or both, for all clones.
    pub fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        if how != Shutdown::Write {
            self.0.incoming.change(|state| state.is_deaf = true);
        }
        if how != Shutdown::Read {
            self.0.outgoing.change(|state| state.has_ended = true);
        }
        Ok(())
    }

    pub(super) fn can_read(&self) -> bool {
        let state = self.0.incoming.state();
        state.has_ended || !state.bytes.is_empty()
    }

    pub(super) fn can_write(&self) -> bool {
        let state = self.0.outgoing.state();
        state.is_deaf || state.bytes.len() < ROOM
    }

    /// Returns whether nothing more arrives, and the other end does not read.
    pub(super) fn is_closed(&self) -> bool {
        self.0.incoming.state().has_ended && self.0.outgoing.state().is_deaf
    }

    fn blocks(&self) -> bool {
        self.0.blocks.load(Ordering::SeqCst)
    }
}

impl Read for &Stream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.blocks() {
            self.0.incoming.wait_until(|state| state.has_ended || !state.bytes.is_empty());
        }
        self.0.incoming.take(bytes)
    }
}

impl Write for &Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.blocks() {
            self.0.outgoing.wait_until(|state| state.is_deaf || state.bytes.len() < ROOM);
        }
        self.0.outgoing.put(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Stream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        (&*self).read(bytes)
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl From<ChildStdin> for Stream {
    fn from(target: ChildStdin) -> Stream {
        Stream::writing(target)
    }
}

impl From<ChildStdout> for Stream {
    fn from(source: ChildStdout) -> Stream {
        Stream::reading(source)
    }
}

impl From<ChildStderr> for Stream {
    fn from(source: ChildStderr) -> Stream {
        Stream::reading(source)
    }
}

/// Returns stdin, which a thread reads from the first call on.
pub fn stdin() -> BorrowedHandle<'static> {
    static STDIN: LazyLock<Stream> = LazyLock::new(|| Stream::reading(io::stdin()));
    &STDIN
}

/// Returns stdout, which a thread writes.
pub fn stdout() -> BorrowedHandle<'static> {
    static STDOUT: LazyLock<Stream> = LazyLock::new(|| Stream::writing(io::stdout()));
    &STDOUT
}

/// What a supervisor has for stderr, and the other end until the parent process is lost.
static PARENT: LazyLock<(Stream, Mutex<Option<Stream>>)> = LazyLock::new(|| {
    let (ours, theirs) = Stream::connected();
    (ours, Mutex::new(Some(theirs)))
});

/// Returns the connection of a supervisor to its parent process, which ends with that process.
pub fn stderr() -> BorrowedHandle<'static> {
    &PARENT.0
}

/// Ends the connection to the parent process.
pub(super) fn lose_parent() {
    PARENT.1.lock().unwrap_or_else(PoisonError::into_inner).take();
}

/// Reads the available bytes. Returns 0 at the end.
pub fn read(handle: impl AsHandle, bytes: &mut [u8]) -> io::Result<usize> {
    handle.as_fd().read(bytes)
}

pub fn write(handle: impl AsHandle, bytes: &[u8]) -> io::Result<usize> {
    handle.as_fd().write(bytes)
}

/// Makes reads and writes fail with `WouldBlock` instead of waiting.
pub fn stop_blocking(handle: impl AsHandle) -> io::Result<()> {
    handle.as_fd().set_nonblocking(true)
}

/// Tells the other end that nothing more will be written.
pub fn finish(handle: impl AsHandle) {
    let _ = handle.as_fd().shutdown(Shutdown::Write);
}

/// Returns whether an error only means that there is nothing to read or no room to write right now.
pub fn is_not_ready(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock)
}

/// Sockets in the file system, which do not exist here: [`listen`](super::sockets::listen) fails.
#[derive(Debug)]
pub enum Listener {}

impl AsHandle for Listener {
    fn as_fd(&self) -> BorrowedHandle<'_> {
        match *self {}
    }
}

impl Listener {
    pub fn accept(&self) -> io::Result<(Stream, ())> {
        match *self {}
    }
}

/// `ERROR_PIPE_NOT_CONNECTED` of the Windows API, which std does not know as a closed pipe.
const NOT_CONNECTED: i32 = 233;

/// Returns whether an error means that the reader of a pipe has closed it.
pub fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe || error.raw_os_error() == Some(NOT_CONNECTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_pair_close() {
        let (ours, mut theirs) = Stream::pair().unwrap();
        theirs.write_all(b"abc").unwrap();
        assert!(ours.can_read() && !ours.is_closed());
        let clone = theirs.try_clone().unwrap();
        drop(theirs);
        assert!(!ours.is_closed());
        drop(clone);
        assert!(ours.is_closed());
        let mut text = String::new();
        (&ours).read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
        assert_eq!((&ours).write(b"x").unwrap_err().kind(), ErrorKind::BrokenPipe);
    }

    #[test]
    fn a_full_pipe_would_block() {
        let (ours, theirs) = Stream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        assert_eq!((&ours).write(&vec![0; ROOM + 1]).unwrap(), ROOM);
        assert!(!ours.can_write());
        assert!(is_not_ready(&(&ours).write(&[0]).unwrap_err()));
        assert_eq!((&theirs).read(&mut [0; 10]).unwrap(), 10);
        assert_eq!((&ours).write(&[0; 20]).unwrap(), 10);
    }

    #[test]
    fn threads_copy_up_to_the_end() {
        let source = Stream::reading(&b"one\ntwo\n"[..]);
        let mut text = String::new();
        (&source).read_to_string(&mut text).unwrap();
        assert_eq!(text, "one\ntwo\n");
        assert!(source.is_closed());
    }
}
