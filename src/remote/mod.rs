//! A table that several terminals share: the words they say, and both ends of the line. All of it is pure.
//!
//! A table is a process of its own. It owns the session, and everybody who sits at it or watches, the host too, follows
//! its log from a terminal of their own.
//!
//! - [`protocol`] has the words, in lines of text.
//! - [`Hub`] is the table's end: who is there, what they may do, and what each of them has to be told.
//! - [`Follower`] is a terminal's end: it replays every step by its own rules, and leaves on one that is illegal.
//! - [`Opening`] is what whoever opens a table hands to its process.
//!
//! Neither end trusts the other. Lines, people, names and the length of a match are bounded, so whatever one end says,
//! the other neither waits nor grows. Nothing that is said starts a program, or writes or names a file.

mod follower;
mod hub;
mod names;
mod opening;
pub mod protocol;

use std::time::Duration;

/// How often a terminal pings its table.
pub const PING_INTERVAL: Duration = Duration::from_secs(10);
/// A connection without a word for this long is dead: two pings are lost. Both ends count.
pub const SILENCE: Duration = Duration::from_secs(24);

pub use follower::{Arrival, Follower, Response};
pub use hub::{Hub, PeerUser, PersonId};
pub use opening::Opening;

#[cfg(test)]
mod tests;
