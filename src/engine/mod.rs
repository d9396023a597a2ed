//! Engines of any game, with moves as texts, and their findings about a match.
//!
//! An [`AnyEngine`] is an engine of [`search`](crate::search) whose game is not known at compile time; positions are
//! passed as a [`PositionSpec`](crate::session::PositionSpec), a setup and the moves that lead to a position.
//!
//! An [`Evaluation`] is a position of a match with the findings about it. [`review()`] turns the evaluations along a
//! line into the loss of each move, always from the view of the seat that moved. Only bounds prove a mistake; estimates
//! make a move doubtful at most. The screens and `quadrille solve --every` show the same review.
//!
//! [`DiskTableCache`] stores tables in the cache folder. [`time_management`] decides how long an engine thinks on a
//! clock, which leaves no time to prove everything, so Perfect plays as Strong.

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
