//! Matches without people: Quadrille as an engine for others.

mod server;

pub use server::serve;
