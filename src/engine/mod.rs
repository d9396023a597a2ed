//! Engines of any game, asked with moves as texts, and what they find out about a match.

mod any_engine;
mod evaluation;
mod review;
mod table_cache;
pub mod time_management;
mod value_format;

pub mod ugi;

pub use any_engine::AnyEngine;
pub use evaluation::Evaluation;
pub use review::{MoveVerdict, Reviewed, review, review_move};
pub use table_cache::DiskTableCache;
pub use value_format::ValueFormat;
