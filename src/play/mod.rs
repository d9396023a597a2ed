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
pub mod trmph;

pub use cupboard::Cupboard;
pub use finding::Finding;
pub use game::{AnyMatch, Last, Match, Refusal};
pub use measure::Measure;
pub use player::{EngineSeat, ParsePlayerError, Player};
pub use record::{BadMove, Record, RecordError};
pub use review::{Reviewed, Verdict, review};
pub use shelf::{Entry, Head, Journal, LastSetup, Shelf, ShelfError, Unfinished};
pub use state::State;
pub use store::{RecordFile, StoreError, Terms};
pub use thinker::{Thinker, Way};

/// A text for a message: cut where it is too long to be read there.
fn cut(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST - 3).chain("...".chars()).collect()
}
