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
//!
//! A [`ProgramPlayer`] is a program at a seat: it is asked for a move, and whoever asks waits for the answer in one
//! `poll` on the program's output, its supervisor, and a bell ([`Waiting`]). A `Conversation` is what it says to the
//! program and makes of the answers; a [`Process`] is lines in and out and an end. In a match a `ProgramThread` waits,
//! behind a [`Handle`](super::Handle), as `play::worker` does with an engine. In a tournament the thread of the game
//! waits itself, since to wake another thread for each move costs about as much as a quick program takes to answer.
//! `quadrille compliance` talks to the same [`Process`].
//!
//! When the supervisor's end of the socket closes, be it by `kill -9` of Quadrille, the program's group has half a
//! second, then all is killed. A program can stop its supervisor (`SIGSTOP`): [`Process`] looks for that at each
//! question, when an answer is late, and while it waits for the end, and then kills all itself; if Quadrille is killed
//! meanwhile, Linux wakes the supervisor. On Linux a process that loses its parent becomes a child of the supervisor,
//! so background processes are found too, in whatever group or session. The supervisor also copies the program's
//! standard error to a file that never grows beyond a mebibyte. Memory is limited by `RLIMIT_DATA`, which counts what
//! is writable and private, so that runtimes that reserve addresses still start; it is a limit for each process, not
//! for all together.
//!
//! A request for a move goes out in one write, `isready` before `go`; whatever the program says before its `readyok` is
//! no answer. Two milliseconds after its move the program and all that it has started get `SIGSTOP` until it is asked
//! again; a quick game never comes to that. A [`Suspension`] is what the process and the code that suspends it share:
//! when Quadrille itself is stopped, so is the program, and its time stands still. Nothing that a program does makes us
//! wait or keep more than some kilobytes: a line has a limit, news are shown ten times a second at most, what it does
//! not read is sent while its answer is waited for, and between two reads everything else is looked at.
//!
//! A [`Player::Program`](crate::session::Player::Program) is a command that will be run, so it is made in few places:
//! from what is typed, and from `[programs]` in the settings. [`Player::named`](crate::session::Player::named) reads
//! names from files, and makes a person of a command. [`MatchStore::commands`](crate::store::MatchStore::commands)
//! remembers which commands were given a seat here; a journal or a last setup with another command has come from
//! somewhere else. A resumed match starts its programs only when the user has agreed.
//!
//! Where it falls short: a program that kills its supervisor, and has left its group before, gets away.

mod control;
mod conversation;
mod descendants;
mod player;
mod process;
mod ready;
mod stderr_log;
mod supervisor;
mod suspension;
mod thread;

pub use conversation::MatchSetup;
pub(super) use descendants::Kinship;
pub use player::{Interrupted, ProgramPlayer, Waiting};
pub use process::{Launcher, Patience, Process, ProcessEvent, ProgramLimits};
pub use ready::{take_rings, wait_for};
pub use stderr_log::{LogName, messages_in};
pub use supervisor::{Supervision, supervise};
pub use suspension::Suspension;
pub use thread::program;
