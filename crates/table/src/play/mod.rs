//! A match in progress, independent of board and screen: a process without a display can hold a [`Table`].
//!
//! - [`Table`] holds a session, the seats that this terminal controls, and whether the match is saved. It implements
//!   the actions of people and engines for all front ends: typed moves, undo against engines, draws, clocks and
//!   forfeits. Steps are logged at 1 ms or later, because time 0 marks the steps that a match began with.
//! - A match can be at a remote table, shared by several terminals. If so, the local [`Table`] is a copy that follows
//!   the remote log. Its [`Peers`] hold the participants, open questions, the chat, the state of the connection, and
//!   pending requests. Steps are not taken locally; [`Table::propose`] returns `Asked`.
//! - [`EngineTurn`] decides whether the engine to move thinks, waits or is starting, what it is asked, whether match
//!   time passes, and what its answers mean for the match.
//! - [`MovePace`] holds an engine's move back until the minimum time per move is over.
//! - [`Engines`] has a [`Handle`] for each engine and program, which runs in its own thread or process and gives
//!   exactly one answer to each request.
//!
//! Each [`Handle`] has a thread that takes jobs: either `worker`, a built-in engine whose panics are caught and
//! reported, or the thread of a [`program`]. Engines share neither threads nor tables. Front ends drop seated engines
//! when the match is over or a different match is shown, which ends their programs. If the system cannot start a
//! thread, the match continues without an engine.
//!
//! While a person is to move and no other request runs, the engine that moves next ponders ([`Ask::Ponder`]), which
//! fills its tables for its own move. Any other request ends the pondering, whose results are never shown. Pondering
//! runs in a thread of lowest priority, a new one each time, because a thread cannot raise its priority again.

mod catch;
mod conduct;
mod consent;
mod engine_turn;
mod engines;
mod exit_reason;
mod handle;
mod move_pace;
mod peers;
pub mod program;
mod question;
mod reusable_engine;
mod table;
mod worker;

pub use catch::{catch, hush_caught_panics, is_caught};
pub use consent::{Lapse, OpenQuestion, QuestionKind, Request, Settlement, seat_request};
pub use engine_turn::{EngineOutcome, EngineTurn};
pub use engines::Engines;
pub use exit_reason::ExitReason;
pub use handle::Handle;
pub use move_pace::MovePace;
pub use peers::{
    Attendance, ChatMessage, ClientRequest, LineState, NO_HINTS_HERE, Participant, Peers, TableNews,
};
pub use question::{Ask, EngineEvent, MoveTime, ProofLimits, Question, Respondent};
pub use reusable_engine::ReusableEngine;
pub use table::{HelpNote, Proposal, Saved, Table};
pub use worker::{EngineLimits, engine};
