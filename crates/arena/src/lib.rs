//! Engine matches: Quadrille as a UGI engine, a compliance check of other UGI programs, and tournaments.

mod compliance;
mod server;
pub mod tournament;

pub use compliance::{Check, check};
pub use server::serve;
