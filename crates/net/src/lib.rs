//! A table shared by several terminals: the protocol, the table's process, and the clients.
//!
//! A table is a separate process that owns the session. Every terminal, including the host's, is a client that follows
//! the log.
//!
//! One half is pure: it uses no socket, file, thread or clock, and a test enforces this:
//!
//! - [`protocol`] defines the messages, which are lines of text.
//! - [`Hub`] is the server's logic: participants, their rights, and the lines sent to each participant.
//! - [`Follower`] is the client's logic. It replays every step by its own rules, and leaves after an illegal step.
//! - [`Identity`] is what ssh has verified about a guest; [`ssh_login`] finds it out.
//! - [`agenda`] is what waits for a player in matches with days per move.
//! - [`Opening`] is the data that the opener of a table passes to the table's process.
//!
//! The other half performs I/O:
//!
//! - [`open()`](open::open) moves a match to a new process, which is this executable started as
//!   `quadrille table open`. [`server::run`] is the body of that process, which saves each change before telling any
//!   client.
//! - [`wake`] is the one door to a table, open or asleep.
//! - `invitation` is the page for the host: what a guest types, and what a guest on another machine needs.
//! - [`folder`] manages the sockets and their names.
//! - [`guest_door`] finds the tables that a guest may know, and opens one.
//! - [`bridge`] is `quadrille table connect`, which connects stdin and stdout to a socket. ssh starts it for a remote
//!   terminal.
//! - [`Client`](client::Client) connects a follower to a [`Link`](link::Link), a terminal's connection to a table over
//!   a [`Route`](route::Route). The link greets, pings and reconnects automatically, but has no thread: the terminal's
//!   loop polls it.
//! - [`agenda_files`] reads the [`agenda`] of this account, whether or not its tables are open.
//! - [`query`] asks tables for their state. [`lobby`] lists tables for visitors of a public server.
//!
//! Both halves use a `Peer`, which carries lines over a socket, pipes, or stdin and stdout.
//!
//! A [`Seating`] says who owns the seats of a table. A table has an id, which stays the same through rematches and
//! resumes; its greeting names it. A seat belongs to the terminal with its token, or to the player for whom an ssh key
//! vouches; otherwise the name in the journal counts, with the host's consent. A terminal that takes over a seat gets a
//! new token, and the old one is void, so that the terminal before it is told and cannot return. The host keeps the
//! seating of an unfinished match in a file beside the journals, and a guest its token, with the table's
//! id, in a [`SeatFile`](seat_file::SeatFile). So a terminal sends a token only to its own table, whatever the table is
//! called now and however it is reached, and a terminal that retries knows a new match from its own.
//!
//! Neither end trusts the other. The lines, the participants, the names and the length of a match are bounded, so
//! neither end blocks on the other, and memory use is bounded. A line has at most 4 KiB, the table reads at most twenty
//! lines per second, and a client that accepts no data for ten seconds is disconnected. No message can start a program,
//! or write or name a file. A guest's terminal files the record of a finished match when its user leaves or has agreed
//! to a rematch; the table supplies only the six letters that tell matches apart.
//!
//! It promises that a line lost at any byte loses no move and plays none twice. It must not know a screen.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod agenda;
pub mod agenda_files;
pub mod bridge;
pub mod client;
mod connection;
pub mod folder;
mod follower;
pub mod guest_door;
mod hub;
mod identity;
mod invitation;
pub mod link;
pub mod lobby;
mod names;
pub mod open;
mod opening;
mod peer;
pub mod protocol;
pub mod query;
pub mod route;
pub mod seat_file;
mod seating;
mod seating_file;
pub mod server;
pub mod ssh_login;
mod transport;
mod waiting;
pub mod wake;

use std::time::Duration;

/// The interval at which a client pings its table.
pub const PING_INTERVAL: Duration = Duration::from_secs(10);
/// A connection is considered dead after this much silence, which is more than two ping intervals. Both ends check
/// this.
pub const SILENCE: Duration = Duration::from_secs(24);

pub use follower::{Follower, JoinRequest, Response};
pub use hub::{Hub, Origin, PeerUser, PersonId};
pub use identity::Identity;
pub use opening::Opening;
pub use seating::{SeatOwner, Seating, VoidReason, VoidToken};
pub use waiting::{Message, OpenRequest, SettledRequest, Visit, Waiting};

#[cfg(test)]
mod tests;
