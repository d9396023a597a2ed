//! Engines of any game, and the findings of engines about a match.
//!
//! An [`AnyEngine`] is an engine from [`search`](quadrille_search) whose game is not known at compile time. It takes
//! positions and matches, and answers with moves as texts, because a [`Match`](quadrille_match::session::Match) has its
//! moves as texts.
//!
//! An [`Evaluation`] is a position of a match together with the findings about it. [`review()`] converts the
//! evaluations along a line to the loss of each move, always from the perspective of the seat that moved. Only bounds
//! prove a mistake; estimates can only make a move doubtful. The screens and `quadrille solve --every` show the same
//! review.
//!
//! [`DiskTableCache`] stores tables in the cache folder. [`time_management`] decides how long an engine thinks in a
//! match with a clock. A clock leaves no time to prove everything, so Perfect plays like Strong.

mod any_engine;
mod evaluation;
mod review;
mod table_cache;
pub mod time_management;
mod value_format;

pub mod ugi;

pub use any_engine::AnyEngine;
pub use evaluation::Evaluation;
pub use review::{MoveVerdict, Reviewed, counts_for_accuracy, review, review_move};
pub use table_cache::{DiskTableCache, table_cache};
pub use value_format::ValueFormat;
