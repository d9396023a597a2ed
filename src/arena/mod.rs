//! Matches without people: Quadrille as an engine for others, checks of what others' programs do, and tournaments.

mod compliance;
mod server;
pub mod tournament;

pub use compliance::{Check, check};
pub use server::serve;
