//! Plain mode: a match in lines of text, for screen readers, for simple terminals and for pipes. People
//! type a move or a command; what has changed is said in a sentence.
//!
//! [`Talk`] is the conversation: lines in, lines out. [`run()`] is the loop round it: it reads and writes,
//! saves the match and lets engines think.

mod commands;
mod run;
mod talk;

pub use run::{ExitReason, Host, Options, run};
pub use talk::Talk;
