//! Tables that several terminals share, as far as they touch this machine: the process that a table is, its socket, and
//! the lines to it.
//!
//! - [`open()`](open::open) moves a match to a process of its own, which is this very program started as `quadrille table
//!   open`. [`server::run`] is that process: it saves a change before it tells anybody.
//! - [`folder`] has the sockets and their names.
//! - [`bridge`] is `quadrille table connect`, which carries lines between its standard input and output and a socket. For a
//!   terminal elsewhere, ssh starts it.
//! - A [`Link`](link::Link) is a terminal's line to a table by some [`Route`](route::Route). It greets, pings and tries again
//!   by itself, but has no thread: the loop of the terminal waits for it.
//! - [`query`] asks tables for their state, and [`follow`] shows one. [`lobby`] does both, for people who may do nothing
//!   else here.
//!
//! All of them carry lines by a `Peer`, over a socket, pipes, or standard input and output.
//!
//! Nobody who comes through a socket is trusted: a line has 4 KiB at most, twenty lines a second are heard, and whoever
//! takes nothing for ten seconds loses the connection, so that the table neither waits nor grows.

pub mod bridge;
pub mod client;
mod connection;
pub mod folder;
pub mod follow;
mod line;
pub mod link;
pub mod lobby;
pub mod open;
mod peer;
pub mod query;
pub mod route;
pub mod seat_file;
pub mod server;
