//! Plain mode: a match in lines, for screen readers, for terminals that cannot show the screens, and for
//! pipes. What is typed is a move or a word of its own; what has changed is said in a sentence.
//!
//! [`Talk`] is the conversation, and does nothing else: lines in, lines out. [`run()`] is the loop round it,
//! which reads, writes, keeps the match and has engines think.

mod run;
mod talk;
mod words;

pub use run::{Ending, Host, Options, run};
pub use talk::Talk;
