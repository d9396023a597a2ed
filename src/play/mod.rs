//! A match in progress: its history, its state for programs, and its record.

mod game;

pub use game::{AnyMatch, Last, Match, Refusal};
