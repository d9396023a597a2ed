//! Matches without people: Quadrille as an engine for others, and checks of what others' programs do.

mod compliance;
mod server;

pub use compliance::{Check, check};
pub use server::serve;
