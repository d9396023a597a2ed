//! A match in progress: its history, its state for programs, its record, the shelf on which
//! matches are kept, and what engines say of it.

mod cupboard;
mod disk;
mod finding;
mod game;
mod measure;
mod player;
pub mod read;
mod record;
mod review;
mod shelf;
mod state;
mod store;
mod thinker;
mod tree;
pub mod trmph;

pub use cupboard::Cupboard;
pub use finding::Finding;
pub use game::{AnyMatch, Last, Match, Refusal};
pub use measure::Measure;
pub use player::{EngineSeat, ParsePlayerError, Player};
pub use record::{BadMove, Record, RecordError, result};
pub use review::{Reviewed, Verdict, review, review_move};
pub use shelf::{Entry, Filed, Head, Journal, LastSetup, Look, Shelf, ShelfError, Unfinished};
pub use state::{Standing, State};
pub use store::{RecordFile, StoreError, Terms};
pub use thinker::{Thinker, Way};
