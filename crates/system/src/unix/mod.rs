//! What differs between systems, for Unix. Another system is another folder with the same names, chosen in `lib.rs`.
//!
//! Linux is what we run. macOS and the BSDs are written from their manuals: where they differ from Linux, they take the
//! simplest way that cannot lose anything, and `docs/install.md` lists what is missing there.

mod descendants;
pub mod file_watch;
pub mod files;
pub mod handle;
pub mod job_control;
pub mod lock;
pub mod output;
pub mod processes;
#[cfg(any(target_os = "macos", test))]
mod select;
pub mod signals;
pub mod sockets;
pub mod terminal;
pub mod users;
pub mod wait;

pub use etcetera::base_strategy::Xdg as UserFolders;
