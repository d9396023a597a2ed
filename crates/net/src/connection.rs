//! A connection to the table's process, with its limits. Lines are passed on without interpretation.

use super::folder;
use super::peer::Peer;
use crate::PeerUser;
use quadrille_system::handle::Stream;
use quadrille_system::wait::Source;
use quadrille_system::{sockets, users};
use quadrille_table::engine::ugi::TooLong;
use std::io;
use std::time::Duration;

/// Lines are held back while this many bytes wait to be sent.
const MAX_UNSENT: usize = 16 << 10;
/// The size of the socket's send buffer, in case the terminal does not read.
const SEND_BUFFER: usize = 32 << 10;
/// The rate limit: one line per `LINE_TIME`, after a burst of [`BURST`].
const LINE_TIME: Duration = Duration::from_millis(50);
const BURST: u32 = 40;
/// The maximum time for which a terminal may accept no data.
const STALL_TIMEOUT: Duration = Duration::from_secs(10);
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(1);

/// A connection. `now` is the time since the process started.
#[derive(Debug)]
pub struct Connection {
    peer: Peer,
    /// When all lines so far would have arrived at the rate of one per `LINE_TIME`.
    rate_limit_until: Duration,
    /// When the other end last stopped accepting data; `None` while it accepts data.
    stuck_since: Option<Duration>,
    /// When the connection closes, even with unsent data.
    closes_at: Option<Duration>,
}

impl Connection {
    /// Wraps a socket. Also returns the user at the other end, as reported by the system.
    pub fn new(stream: Stream) -> io::Result<(Connection, PeerUser)> {
        sockets::limit_send_buffer(&stream, SEND_BUFFER)?;
        let uid = sockets::peer_user(&stream)?;
        let other_user = (uid != users::current()).then(|| folder::user_name(uid));
        let peer = Peer::socket(stream)?;
        let (rate_limit_until, stuck_since, closes_at) = (Duration::ZERO, None, None);
        let connection = Connection { peer, rate_limit_until, stuck_since, closes_at };
        Ok((connection, PeerUser { uid, other_user }))
    }

    /// Returns the sources to poll before [`Connection::read`] and [`Connection::send`].
    pub fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        self.peer.sources()
    }

    /// Returns when the connection needs attention even if no data arrives.
    pub fn deadline(&self) -> Option<Duration> {
        let next = self.peer.has_lines().then(|| self.next_is_heard_at());
        let stuck = self.stuck_since.map(|since| since + STALL_TIMEOUT);
        next.into_iter().chain(stuck).chain(self.closes_at).min()
    }

    fn next_is_heard_at(&self) -> Duration {
        self.rate_limit_until.saturating_sub(BURST * LINE_TIME)
    }

    pub fn read(&mut self) {
        self.peer.read();
    }

    /// Sends as much as the other end accepts without blocking.
    pub fn send(&mut self, now: Duration) {
        let unsent = self.peer.unsent();
        self.peer.write();
        self.stuck_since = match self.peer.unsent() {
            0 => None,
            left if left < unsent => Some(now),
            _ => self.stuck_since.or(Some(now)),
        };
    }

    /// Returns the next line if the rate limit allows it.
    pub fn next_line(&mut self, now: Duration) -> Option<Result<String, TooLong>> {
        if now < self.next_is_heard_at() {
            return None;
        }
        let line = self.peer.next_line()?;
        self.rate_limit_until = self.rate_limit_until.max(now) + LINE_TIME;
        Some(line)
    }

    /// Returns whether another line can be queued.
    pub fn has_room(&self) -> bool {
        self.peer.unsent() < MAX_UNSENT && !self.has_ended()
    }

    pub fn push(&mut self, line: &str) {
        self.peer.push(line);
    }

    /// Stops reading, and closes once everything is sent.
    pub fn close(&mut self, now: Duration) {
        self.closes_at.get_or_insert(now + FAREWELL_TIMEOUT);
        self.peer.stop_reading();
    }

    /// Returns whether the other end has accepted no data for too long.
    pub fn is_stuck(&self, now: Duration) -> bool {
        self.stuck_since.is_some_and(|since| since + STALL_TIMEOUT <= now)
    }

    /// Returns whether the connection can be dropped: it has ended, it is stuck, or everything was sent after
    /// [`close`](Connection::close).
    pub fn is_over(&self, now: Duration) -> bool {
        let is_closed = self.closes_at.is_some_and(|end| end <= now || self.peer.unsent() == 0);
        self.has_ended() || self.is_stuck(now) || is_closed
    }

    /// Returns whether no more lines will arrive. Lines received before the end, such as a `bye`, are returned first.
    fn has_ended(&self) -> bool {
        self.closes_at.is_none() && self.peer.has_ended()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::MAX_LINE_BYTES;
    use std::io::{Read, Write};

    const fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn pair() -> (Connection, Stream) {
        let (ours, theirs) = Stream::pair().unwrap();
        (Connection::new(ours).unwrap().0, theirs)
    }

    /// Counts the lines that are available at this time.
    fn heard(connection: &mut Connection, now: Duration) -> usize {
        let mut heard = 0;
        loop {
            connection.read();
            match connection.next_line(now) {
                Some(_) => heard += 1,
                None => return heard,
            }
        }
    }

    #[test]
    fn flood_is_rate_limited_and_not_buffered() {
        let (mut connection, mut theirs) = pair();
        theirs.write_all("ping\n".repeat(1000).as_bytes()).unwrap();
        assert_eq!(heard(&mut connection, at(0)), BURST as usize + 1);
        assert_eq!(connection.sources().count(), 0, "no more is read before that");
        assert_eq!(connection.deadline(), Some(at(50)));
        assert_eq!(heard(&mut connection, at(49)), 0);
        assert_eq!(heard(&mut connection, at(50)), 1);
        assert_eq!(heard(&mut connection, at(1050)), 20);
        assert_eq!(heard(&mut connection, at(60_000)), BURST as usize + 1);
    }

    #[test]
    fn unterminated_line_is_reported_too_long_once() {
        let (mut connection, mut theirs) = pair();
        theirs.write_all(&[b'x'; 3 * MAX_LINE_BYTES]).unwrap();
        while !connection.peer.has_lines() {
            connection.read();
        }
        assert!(matches!(connection.next_line(at(0)), Some(Err(_))));
        assert_eq!(heard(&mut connection, at(0)), 0);
    }

    #[test]
    fn stuck_peer_is_dropped_after_ten_seconds() {
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
        assert!(pushed < 4 * (MAX_UNSENT + SEND_BUFFER), "{pushed}");
        assert!(!connection.has_room() && !connection.is_over(at(10_004)));
        assert_eq!(connection.deadline(), Some(at(10_005)));
        assert!(connection.is_over(at(10_005)));
        // Accepting some data restarts the ten-second limit.
        let mut bytes = vec![0; SEND_BUFFER];
        let _ = theirs.read(&mut bytes).unwrap();
        connection.send(at(10_005));
        assert!(!connection.is_over(at(10_005)));
    }

    #[test]
    fn pending_output_is_sent_before_closing() {
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
    fn end_of_stream_follows_all_lines() {
        let (mut connection, mut theirs) = pair();
        theirs.write_all(b"bye\nhalf a li").unwrap();
        drop(theirs);
        connection.read();
        assert!(!connection.is_over(at(0)));
        assert_eq!(connection.next_line(at(0)), Some(Ok("bye".to_owned())));
        connection.read();
        assert!(connection.is_over(at(0)));
    }
}
