//! Files of this machine that only the game itself uses: its settings, themes and pictures, and the progress line of long
//! commands.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "uses files and stderr"
)]

pub mod config_file;
pub mod pictures;
pub mod progress;
pub mod seats;
pub mod terminal;
pub mod themes;
