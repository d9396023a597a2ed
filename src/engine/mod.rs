//! Engines of any game, asked with moves as texts, and what they find out about a match.
//!
//! An [`AnyEngine`] is an engine of [`search`](crate::search) whose game is not known at compile time; it is asked
//! about a [`PositionSpec`](crate::session::PositionSpec), a setup and the moves that lead to a position.
//!
//! An [`Evaluation`] is a position of a match with what was found out about it. [`review()`] turns the evaluations
//! along a line into what each move gave away, always from the view of the seat that moved. A mistake is what bounds
//! prove to be one; estimates alone make a move doubtful at most. The screens and `quadrille solve --every` show the
//! same review.
//!
//! [`DiskTableCache`] keeps tables in the cache folder. [`time_management`] says how long an engine thinks on a clock;
//! there is no time to prove everything then, so Perfect plays as Strong.

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
