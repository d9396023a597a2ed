//! The bridge between a remote terminal and a table: copies lines from stdin to the table's socket and from the socket
//! to stdout. The only messages it interprets are those that state a verified identity, and those with which a guest
//! chooses a table.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "connects stdio to a socket"
)]

use super::folder;
use super::guest_door::GuestDoor;
use super::peer::{self, Peer};
use crate::protocol::{CHOOSES, ClientMessage, GREETING, MAX_TOKENS, ServerMessage};
use anyhow::{Context, bail};
use std::io;
use std::time::{Duration, Instant};

/// Reading pauses while this many bytes wait to be sent.
const MAX_UNSENT: usize = 16 << 10;
/// Prefixes of the lines that state a verified identity.
const VERIFIES: [&str; 2] = ["as ", "key "];
/// How long to wait for the table's last messages after the remote end closes.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a guest may take to send its greeting, and to choose a table.
const GREETING_TIMEOUT: Duration = Duration::from_secs(30);
const CHOICE_TIMEOUT: Duration = Duration::from_secs(600);

/// The maximum number of processes that may end before one greets.
const MAX_ATTEMPTS: u32 = 5;

/// Copies lines until either end closes, after the guest has chosen a table if the door names none. A verified name
/// overrides the one in `hello`. A connection that an ending process did not greet is repeated to the next one.
pub fn run(mut door: GuestDoor) -> anyhow::Result<()> {
    let mut guest = Peer::standard()?;
    let Some(greeting) = read_greeting(&mut guest, &mut door)? else { return Ok(()) };
    let mut table = connect(&door)?;
    for line in &greeting {
        table.push(line);
    }
    // The lines that the guest has sent, until the table answers.
    let mut unanswered = Some(greeting);
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
            if is_choice(&line) {
                continue;
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
            table = connect(&door)?;
            for line in sent {
                table.push(line);
            }
            if guest.has_ended() {
                table.finish();
            }
        } else if table.has_ended() {
            // The table's last messages.
            guest.stop_reading();
            deliver(&mut guest)?;
            break;
        }
    }
    Ok(())
}

/// Lets a guest choose a table if the door names none. Returns the lines for the table that were read; `None` if the
/// guest has left. A guest of an earlier version does not choose, and sends its greeting alone.
fn read_greeting(guest: &mut Peer, door: &mut GuestDoor) -> anyhow::Result<Option<Vec<String>>> {
    let next_line = |guest: &mut Peer, timeout| {
        let line = guest.wait_for_line(Instant::now() + timeout)?;
        anyhow::Ok(line.transpose()?)
    };
    if door.name.is_some() {
        return Ok(Some(Vec::new()));
    }
    let Some(greeting) = next_line(guest, GREETING_TIMEOUT)? else {
        return Ok(Some(Vec::new()));
    };
    if VERIFIES.iter().any(|prefix| greeting.starts_with(prefix)) {
        bail!("a guest cannot choose a verified name; use --as");
    }
    let mut words = greeting.split(' ');
    if words.next() != Some(GREETING) || !words.any(|word| word == CHOOSES) {
        return Ok(Some(vec![greeting]));
    }
    let mut timeout = GREETING_TIMEOUT;
    loop {
        let Some(line) = next_line(guest, timeout)? else {
            if guest.has_ended() {
                deliver(guest)?;
                return Ok(None);
            }
            bail!("no table was chosen");
        };
        match ClientMessage::parse(&line) {
            Some(ClientMessage::Mine(tokens)) => {
                door.tokens.extend(tokens);
                door.tokens.truncate(MAX_TOKENS);
            }
            Some(ClientMessage::List) => {
                for table in door.tables() {
                    guest.push(ServerMessage::Table(table));
                }
                guest.push(ServerMessage::Choose);
                timeout = CHOICE_TIMEOUT;
            }
            Some(ClientMessage::Open(name)) => {
                door.choose(name)?;
                return Ok(Some(vec![greeting]));
            }
            _ => {}
        }
    }
}

/// Sends all queued lines unless the remote end is gone.
fn deliver(guest: &mut Peer) -> io::Result<()> {
    while guest.unsent() > 0 {
        peer::wait(guest.sources(), None)?;
        guest.write();
    }
    Ok(())
}

/// Returns whether a line is for this process and not for the table.
fn is_choice(line: &str) -> bool {
    let word = ClientMessage::parse(line);
    matches!(word, Some(ClientMessage::Mine(_) | ClientMessage::List | ClientMessage::Open(_)))
}

/// Connects to the table, and states the identity. The process may end between the door and the connection.
fn connect(door: &GuestDoor) -> anyhow::Result<Peer> {
    let mut attempts = 1;
    let socket = loop {
        match folder::connect(&door.open()?.path, true) {
            Err(error) if attempts < MAX_ATTEMPTS && folder::has_no_process(&error) => {
                attempts += 1;
            }
            socket => break socket.context("the table did not answer")?,
        }
    };
    let mut table = Peer::socket(socket)?;
    door.identity.words().for_each(|word| table.push(word));
    Ok(table)
}
