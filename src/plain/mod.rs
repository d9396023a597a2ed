//! Plain mode: a match in lines of text, for screen readers, for simple terminals and for pipes. People
//! type a move or a command; what has changed is said in a sentence.
//!
//! [`Talk`] is the conversation: lines in, lines out. [`run()`] is the loop round it: it reads and writes,
//! saves the match and lets engines think. [`Menu`] is what comes before a match: what to play, to resume or to read.

mod commands;
mod menu;
mod run;
mod talk;

pub use menu::{Kept, Menu, NewMatch, Shelf};
pub use run::{MenuHost, Options, TableHost, run, run_menu};
pub use talk::Talk;
