//! A match as it is played, whatever shows it: what people and engines at a table may do, whether it is
//! written down, and the thread that thinks. The screens and plain mode use it.

mod catch;
mod conduct;
mod engine_turn;
mod engines;
mod handle;
mod host;
mod job_control;
mod output;
pub mod program;
mod question;
mod table;
mod wakers;
mod worker;

pub use catch::{catch, hush_caught_panics, is_caught};
pub use engine_turn::{EngineTurn, Heard};
pub use engines::Engines;
pub use handle::Handle;
pub use host::{ExitReason, Host};
pub use job_control::{CANNOT_SUSPEND, can_be_suspended, suspend};
pub use output::Output;
pub use question::{Ask, Asked, EngineEvent, MoveTime, Question};
pub use table::{Saved, Table};
pub use wakers::Wakers;
pub use worker::{EngineLimits, engine};
