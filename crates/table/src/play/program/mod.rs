//! User programs that speak the Universal Game Interface, each in its own processes.
//!
//! Each program is run by a supervisor, which is this executable started as `quadrille supervise`:
//!
//! ```text
//! Quadrille ── socket ── supervisor        its own session, without a terminal
//!     │                      │
//!     └────── pipes ───── program          its own process group, with all descendants
//! ```
//!
//! Lines go directly through the program's own pipes. The socket tells each process when the other ends.
//!
//! A [`ProgramPlayer`] is a program at a seat. A request for a move waits for the answer in one `poll` on the program's
//! output, its supervisor and wake-ups ([`Waiting`]). A `Conversation` builds the commands and interprets the replies;
//! a [`Process`] handles lines and the end of the process. In a match, a `ProgramThread` behind a
//! [`Handle`](super::Handle) waits, as `play::worker` does for an engine. In a tournament, the thread of the game
//! itself waits, because waking another thread for each move costs about as much as a fast program needs to answer.
//! `quadrille compliance` uses the same [`Process`].
//!
//! When the supervisor's end of the socket closes, even because of `kill -9` on Quadrille, the program's process group
//! gets half a second to exit before everything is killed. A program can stop its supervisor with `SIGSTOP`, so
//! [`Process`] checks for this on each request, on a late answer, and while waiting for the end, and then kills all
//! processes itself. If Quadrille is killed meanwhile, Linux wakes the supervisor. On Linux, orphaned processes become
//! children of the supervisor, so background processes are found in any process group or session. The supervisor also
//! copies the program's stderr to a file of at most 1 MiB. Memory is limited by `RLIMIT_DATA`, which counts only
//! writable private memory, so that runtimes that reserve address space still start. The limit applies to each process
//! separately.
//!
//! A request for a move is sent in one write, with `isready` before `go`; output before `readyok` is not taken as an
//! answer. Two milliseconds after a move, the program and its descendants get `SIGSTOP` until the next request; in a
//! fast game the next request comes sooner. A [`Suspension`] is shared by the process and the code that suspends it:
//! when Quadrille is stopped, the program is stopped and its clock pauses. A program can neither block Quadrille nor
//! make it buffer more than a few kilobytes: lines are bounded, reports are shown at most ten times a second, unread
//! input is sent while waiting for the answer, and the other sources are polled between two reads.
//!
//! A [`Player::Program`](quadrille_match::session::Player::Program) is a command to run, so only user input and
//! `[programs]` in the settings create one. [`Player::named`](quadrille_match::session::Player::named) reads names from
//! files and turns a command into a person. [`MatchStore::commands`](quadrille_match::store::MatchStore::commands)
//! lists the commands that were seated on this machine; a journal or last setup with a command outside that list has a
//! foreign origin. A resumed match starts its programs only with the user's permission.
//!
//! On Windows, the supervisor is in a job, which ends all processes in it when the supervisor ends. It passes on the
//! program's input, and so notices the end of Quadrille. Programs are not paused there, and a program that closes its
//! input or output without exiting is noticed only by its time limit.
//!
//! Known limitation: a program that leaves its process group and then kills its supervisor escapes.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "runs programs")]

mod control;
mod conversation;
mod lookup;
mod player;
mod process;
mod stderr_log;
mod supervisor;
mod suspension;
mod thread;

pub use conversation::MatchSetup;
pub use lookup::missing_program;
pub use player::{Interrupted, ProgramPlayer, Waiting};
pub use process::{Launcher, Patience, Process, ProcessEvent, ProgramLimits};
pub use stderr_log::{LogName, messages_in};
pub use supervisor::{GRACE, Supervision, supervise};
pub use suspension::Suspension;
pub use thread::program;
