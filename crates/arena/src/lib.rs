//! Engine matches: Quadrille as a UGI engine, a compliance check of other UGI programs, and tournaments.
//!
//! - [`serve`] answers as a UGI engine.
//! - [`check`] plays against a program and returns a [`Check`] for each rule of the protocol.
//! - [`tournament`] has the schedule, the games, the ratings and the folder of a tournament.
//!
//! It promises that a tournament resumes after a kill without losing or repeating a game, and that parts from several
//! machines fit together. It must not draw or know a screen.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

mod compliance;
mod server;
pub mod tournament;

pub use compliance::{Check, check};
pub use server::serve;
