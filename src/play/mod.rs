//! A match as it is played, whatever shows it. It knows no board and no screen, so a process without either can hold a
//! [`Table`].
//!
//! - [`Table`] is a session, who may act at this terminal, and whether it is written down. What people and engines may do
//!   there is the same for all front ends: moves as they are typed, undo where engines play, draws, clocks, forfeits.
//!   Every step is at 1 ms or later: those at the time 0 are what a match began with.
//! - A match can be at a table elsewhere, which several terminals share. Then this [`Table`] is a copy that follows the log
//!   of that one. It has [`Peers`]: the other participants, open questions, the chat, the state of the line, and what this
//!   terminal wants. Nothing is taken here then; [`Table::propose`] says `Respondent`.
//! - [`EngineTurn`] says whether the engine at the table thinks, waits or is being started, what it is asked then, whether
//!   time of play passes, and what its answers mean.
//! - [`Engines`] has a [`Handle`] for each engine and program, which thinks elsewhere and gives exactly one answer to
//!   each question.
//!
//! Behind a [`Handle`] is a thread that takes jobs: `worker`, an engine of ours whose panics are caught and reported;
//! or the thread of a [`program`]. No two of them share a table or a thread. Both front ends let go of those at the
//! seats when the match is over or another is on the screen, which ends their programs. Where the system starts no
//! thread, a match goes on without an engine.
//!
//! While a person is to move and nothing else is asked, the engine that answers next is asked to ponder
//! ([`Ask::Ponder`]). It is the engine that plays, so what it finds out is in its tables when it has to move. Any other
//! question ends the pondering, and nothing of it is shown. The work is done by a thread of lowest priority, a new one
//! each time, since a thread cannot raise its priority again.

mod catch;
mod conduct;
mod consent;
mod engine_turn;
mod engines;
mod exit_reason;
mod handle;
mod job_control;
mod output;
mod peers;
pub mod program;
mod question;
mod reusable_engine;
mod table;
mod wakers;
mod worker;

pub use catch::{catch, hush_caught_panics, is_caught};
pub use consent::{Lapse, OpenQuestion, QuestionKind, Request, Settlement};
pub use engine_turn::{EngineOutcome, EngineTurn};
pub use engines::Engines;
pub use exit_reason::ExitReason;
pub use handle::Handle;
pub use job_control::{CANNOT_SUSPEND, can_be_suspended, suspend};
pub use output::Output;
pub use peers::{
    Attendance, ClientRequest, LineState, NO_HINTS_HERE, Participant, Peers, TableNews,
};
pub use question::{Ask, EngineEvent, MoveTime, Question, Respondent};
pub use reusable_engine::ReusableEngine;
pub use table::{HelpNote, Proposal, Saved, Table};
pub use wakers::{LineWait, Wakers, wait};
pub use worker::{EngineLimits, engine};
