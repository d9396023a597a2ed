//! Puzzles, lessons and strength: what is learnt at a board alone. Nothing here draws, waits or reads files.
//!
//! A puzzle is a position in which exactly one move keeps what the solvers have proven.

pub mod difficulty;
pub mod strength;
