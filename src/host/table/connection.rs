//! A connection to the process of a table, with its limits. It knows no words.

use super::folder;
use crate::engine::ugi::{LineBuffer, TooLong};
use crate::remote::{Peer, protocol};
use rustix::event::PollFlags;
use rustix::net::sockopt::{set_socket_send_buffer_size, socket_peercred};
use rustix::process::geteuid;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// The most bytes that are read before everything else is looked at again.
const PIECE: usize = 1 << 10;
/// Lines are only asked for while less than this waits to be sent.
const MOST_UNSENT: usize = 16 << 10;
/// What the system keeps for somebody who does not read.
const SEND_BUFFER: usize = 32 << 10;
/// One line in this time is heard; of more than [`BURST`] that come at once the rest has to wait.
const LINE_TIME: Duration = Duration::from_millis(50);
const BURST: u32 = 40;
/// How long somebody may take nothing of what is sent.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the last words may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// A connection. `now` is the time since the process began.
#[derive(Debug)]
pub struct Connection {
    stream: UnixStream,
    lines: LineBuffer,
    /// What was read and is not heard yet.
    read: VecDeque<Result<String, TooLong>>,
    /// What is not sent yet, from `sent` on.
    unsent: Vec<u8>,
    sent: usize,
    /// When all lines that were heard would have come if each had taken its time.
    heard_until: Duration,
    /// Since when nothing was taken.
    stuck_since: Option<Duration>,
    has_ended: bool,
    /// When it is closed, whatever is not sent by then.
    closes_at: Option<Duration>,
}

impl Connection {
    pub fn new(stream: UnixStream) -> io::Result<Connection> {
        stream.set_nonblocking(true)?;
        set_socket_send_buffer_size(&stream, SEND_BUFFER)?;
        Ok(Connection {
            stream,
            lines: LineBuffer::new(protocol::LONGEST),
            read: VecDeque::new(),
            unsent: Vec::new(),
            sent: 0,
            heard_until: Duration::ZERO,
            stuck_since: None,
            has_ended: false,
            closes_at: None,
        })
    }

    /// Whose process is at the other end, as the system knows it.
    pub fn peer(&self) -> io::Result<Peer> {
        let uid = socket_peercred(&self.stream)?.uid;
        let other_user = (uid != geteuid()).then(|| folder::user_name(uid.as_raw()));
        Ok(Peer { uid: uid.as_raw(), other_user })
    }

    pub fn stream(&self) -> &UnixStream {
        &self.stream
    }

    /// What to wait for: nothing new before all that was read is heard.
    pub fn interest(&self) -> PollFlags {
        let mut interest = PollFlags::empty();
        if !self.has_ended && self.read.is_empty() && self.closes_at.is_none() {
            interest |= PollFlags::IN;
        }
        if self.sent < self.unsent.len() {
            interest |= PollFlags::OUT;
        }
        interest
    }

    /// When it has to be looked at again, if nothing comes before.
    pub fn deadline(&self) -> Option<Duration> {
        let next = (!self.read.is_empty()).then(|| self.next_is_heard_at());
        let stuck = self.stuck_since.map(|since| since + PATIENCE);
        next.into_iter().chain(stuck).chain(self.closes_at).min()
    }

    fn next_is_heard_at(&self) -> Duration {
        self.heard_until.saturating_sub(BURST * LINE_TIME)
    }

    /// Reads a piece of what has come.
    pub fn read(&mut self) {
        let mut bytes = [0; PIECE];
        match (&self.stream).read(&mut bytes) {
            Ok(0) => self.has_ended = true,
            Ok(length) => self.read.extend(self.lines.feed(&bytes[..length])),
            Err(error) => self.has_ended |= is_final(&error),
        }
    }

    /// The next line, if it may be heard already.
    pub fn next_line(&mut self, now: Duration) -> Option<Result<String, TooLong>> {
        if self.closes_at.is_some() || now < self.next_is_heard_at() {
            return None;
        }
        let line = self.read.pop_front()?;
        self.heard_until = self.heard_until.max(now) + LINE_TIME;
        Some(line)
    }

    /// Whether a line can be taken to be sent.
    pub fn has_room(&self) -> bool {
        self.unsent.len() - self.sent < MOST_UNSENT && !self.has_ended
    }

    pub fn push(&mut self, line: &str) {
        if self.sent > 0 {
            self.unsent.drain(..self.sent);
            self.sent = 0;
        }
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
    }

    /// Sends what the other end takes now.
    pub fn send(&mut self, now: Duration) {
        while self.sent < self.unsent.len() {
            match (&self.stream).write(&self.unsent[self.sent..]) {
                Ok(0) => self.has_ended = true,
                Ok(length) => {
                    self.sent += length;
                    self.stuck_since = None;
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if is_final(&error) => self.has_ended = true,
                Err(_) => self.stuck_since = self.stuck_since.or(Some(now)),
            }
            return;
        }
        (self.unsent, self.sent) = (Vec::new(), 0);
    }

    /// Hears nothing more, and closes once all is sent.
    pub fn close(&mut self, now: Duration) {
        self.closes_at.get_or_insert(now + FAREWELL);
    }

    pub fn is_closing(&self) -> bool {
        self.closes_at.is_some()
    }

    /// Whether the other end has taken nothing for too long.
    pub fn is_stuck(&self, now: Duration) -> bool {
        self.stuck_since.is_some_and(|since| since + PATIENCE <= now)
    }

    /// Whether it is at its end: the other end has gone or takes nothing, or all that was to be said is sent.
    pub fn is_over(&self, now: Duration) -> bool {
        let is_closed = self.closes_at.is_some_and(|end| end <= now || self.unsent.is_empty());
        self.has_ended || self.is_stuck(now) || is_closed
    }
}

fn is_final(error: &io::Error) -> bool {
    !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn pair() -> (Connection, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        (Connection::new(ours).unwrap(), theirs)
    }

    /// How many lines are heard at this time, of all that come.
    fn heard(connection: &mut Connection, now: Duration) -> usize {
        let mut heard = 0;
        loop {
            if connection.interest().contains(PollFlags::IN) {
                connection.read();
            }
            match connection.next_line(now) {
                Some(_) => heard += 1,
                None => return heard,
            }
        }
    }

    #[test]
    fn a_flood_is_heard_line_by_line_and_kept_nowhere() {
        let (mut connection, mut theirs) = pair();
        theirs.write_all("ping\n".repeat(1000).as_bytes()).unwrap();
        assert_eq!(heard(&mut connection, at(0)), BURST as usize + 1);
        assert_eq!(connection.interest(), PollFlags::empty(), "no more is read before that");
        assert_eq!(connection.deadline(), Some(at(50)));
        assert_eq!(heard(&mut connection, at(49)), 0);
        assert_eq!(heard(&mut connection, at(50)), 1);
        assert_eq!(heard(&mut connection, at(1050)), 20);
        assert!(connection.read.len() < PIECE, "{}", connection.read.len());
        assert_eq!(heard(&mut connection, at(60_000)), BURST as usize + 1);
    }

    #[test]
    fn a_line_without_an_end_is_too_long_once() {
        let (mut connection, mut theirs) = pair();
        theirs.write_all(&[b'x'; 3 * protocol::LONGEST]).unwrap();
        while connection.read.is_empty() {
            connection.read();
        }
        assert!(matches!(connection.next_line(at(0)), Some(Err(_))));
        assert_eq!(heard(&mut connection, at(0)), 0);
    }

    #[test]
    fn somebody_who_takes_nothing_is_waited_for_ten_seconds() {
        let (mut connection, mut theirs) = pair();
        let line = "x".repeat(1000);
        let mut pushed = 0;
        while connection.stuck_since.is_none() {
            while connection.has_room() {
                connection.push(&line);
                pushed += line.len();
            }
            connection.send(at(5));
        }
        assert!(pushed < 4 * (MOST_UNSENT + SEND_BUFFER), "{pushed}");
        assert!(!connection.has_room() && !connection.is_over(at(10_004)));
        assert_eq!(connection.deadline(), Some(at(10_005)));
        assert!(connection.is_over(at(10_005)));
        // Whoever takes a little has ten seconds more.
        let mut bytes = vec![0; SEND_BUFFER];
        let _ = theirs.read(&mut bytes).unwrap();
        connection.send(at(10_005));
        assert!(!connection.is_over(at(10_005)));
    }

    #[test]
    fn last_words_are_sent_before_it_is_closed() {
        let (mut connection, mut theirs) = pair();
        connection.push("closed");
        connection.close(at(3));
        assert!(!connection.is_over(at(3)) && connection.is_over(at(1003)));
        connection.send(at(3));
        assert!(connection.is_over(at(3)));
        drop(connection);
        let mut text = String::new();
        theirs.read_to_string(&mut text).unwrap();
        assert_eq!(text, "closed\n");
    }

    #[test]
    fn an_end_comes_after_all_lines() {
        let (mut connection, mut theirs) = pair();
        theirs.write_all(b"bye\nhalf a li").unwrap();
        drop(theirs);
        connection.read();
        connection.read();
        assert_eq!(connection.next_line(at(0)), Some(Ok("bye".to_owned())));
        assert!(connection.is_over(at(0)));
    }
}
