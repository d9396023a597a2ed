//! A match in progress: its history, its state for programs, its record, and the store on disk.

mod game;
mod player;
mod position_spec;
mod record;
mod state;
pub mod store;
mod tree;
pub mod trmph;

pub use game::{AnyMatch, Last, Match, Refusal};
pub use player::{EngineSeat, ParsePlayerError, Player};
pub use position_spec::PositionSpec;
pub use record::{BadMove, Record, RecordError, result};
pub use state::{Standing, State};
pub use store::{
    Entry, Filed, Head, Journal, LastSetup, Look, MatchStore, RecordFile, RecordFileError,
    Resumable, StoreError, Terms, read,
};
