//! Programs of users, which speak the Universal Game Interface, each in processes of its own.
//!
//! A program is held by its supervisor, which is this very program started as `quadrille supervise`:
//!
//! ```text
//! Quadrille ── socket ── supervisor        a session of its own, without a terminal
//!     │                      │
//!     └────── pipes ───── program          a process group of its own, and all that it starts
//! ```
//!
//! Lines go straight through the pipes, which are the program's alone. Over the socket each process sees when the other
//! ends.

mod control;
mod conversation;
mod descendants;
mod player;
mod process;
mod stderr_log;
mod supervisor;
mod suspension;
mod thread;

pub use conversation::NO_ANSWER;
pub(super) use descendants::Kinship;
pub use player::{Interrupted, ProgramPlayer, Waiting};
pub use process::{Heard, Launcher, Patience, Process, ProgramLimits};
pub use stderr_log::LogName;
pub use supervisor::{Supervision, supervise};
pub use suspension::Suspension;
pub use thread::program;
