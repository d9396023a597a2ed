//! A match as it is played, whatever shows it. It knows no board and no screen, so a process without either can hold a
//! [`Table`].
//!
//! - [`Table`] is a session, who may act at this terminal, and whether it is written down. What people and engines may do
//!   there is the same for all front ends: moves as they are typed, undo where engines play, draws, clocks, forfeits.
//!   Every step is at 1 ms or later: those at the time 0 are what a match began with.
//! - [`EngineTurn`] says whether the engine at the table thinks, waits or is being started, what it is asked then, whether
//!   time of play passes, and what its answers mean.
//! - [`Engines`] has a [`Handle`] for each engine and program, which thinks elsewhere and gives exactly one answer to
//!   each question.

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
