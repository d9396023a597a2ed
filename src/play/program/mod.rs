//! Programs of others, which speak the Universal Game Interface, each in processes of its own.
//!
//! A program is held by its supervisor, which is this very program started as `quadrille supervise`:
//!
//! ```text
//! Quadrille ── socket ── supervisor        a session of its own, without a terminal
//!     │                      │
//!     └────── pipes ───── program          a process group of its own, and all that it starts
//! ```
//!
//! The pipes are the program's alone, so that a line takes no way round. The socket tells each of the end of the
//! other.

mod control;
mod conversation;
mod descendants;
mod keeper;
mod messages;
mod process;
mod supervisor;
mod suspension;

pub use keeper::program;
pub use process::{Heard, Launcher, Process, ProgramLimits};
pub use supervisor::{Supervision, supervise};
pub use suspension::Suspension;
