//! What differs between systems, for Windows. The modules have the names of those in `unix`.
//!
//! A thread copies each pipe into memory, so that the program can wait for several at once. What Windows does not have
//! as Unix has it (sockets between users, suspension) fails with one sentence or does nothing, as each function says.

pub mod file_watch;
pub mod files;
pub mod handle;
pub mod job_control;
pub mod lock;
pub mod output;
pub mod processes;
pub mod signals;
pub mod sockets;
pub mod terminal;
pub mod users;
pub mod wait;

pub use etcetera::base_strategy::Windows as UserFolders;
