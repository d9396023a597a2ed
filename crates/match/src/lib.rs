//! A match: what happened, and the files that keep it.
//!
//! - [`Session`](session::Session) owns a match with its players, clock and log of [`Step`](session::Step)s, and alone
//!   applies steps.
//! - [`Match`](session::Match) is the tree of positions, each an [`AnyPosition`](session::AnyPosition); moves are
//!   texts.
//! - [`Record`](session::Record) is the text of a match, [`Journal`](store::Journal) its log on disk.
//! - [`MatchStore`](store::MatchStore) keeps journals, records, names and progress in the state folder.
//! - [`BatchLoader`](batch_loader::BatchLoader) reads a folder of matches in pieces.
//!
//! It promises that a refused step changes nothing, that a journal is valid up to its first bad line, and that files of
//! every earlier version stay readable. It must not know which games exist, what an engine thinks, or the time.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod batch_loader;
pub mod session;
pub mod store;
