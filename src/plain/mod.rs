//! Plain mode: a match in lines of text, for screen readers, for simple terminals and for pipes. People type a move or
//! a command; what has changed is said in a sentence.
//!
//! [`Talk`] is the conversation, as pure as the app: a line goes in ([`Talk::hear`]), lines come out
//! ([`Talk::take_said`]), and [`Talk::wants`] says what to ask an engine. A line is a move, or one of `commands`; a
//! word that is an action too has its name from [`action::LIST`](crate::action::LIST). What is said of a game comes from
//! [`words`](crate::words).
//!
//! [`run()`] is the loop round it, and sleeps in one `poll`. It saves the match and lets engines think by the same
//! means as the screens, so the same moves leave the same journal and record. While an engine thinks no line is read,
//! so a program that types ahead gets the same answers each time. What a line has changed is on disk before the answer
//! is written. A reader that has gone is no error.
//!
//! [`Menu`] is what comes before a match: what to play, to resume, to learn or to read. Matches and records come from a
//! [`Shelf`]. A match is set up (`SetupTalk`), a lesson gone through (`LessonTalk`) and a puzzle solved (`PuzzleTalk`)
//! within the menu, as none of them needs an engine.

mod commands;
mod lesson;
mod menu;
mod puzzle;
mod run;
mod setup;
mod talk;

pub use menu::{Kept, Menu, Shelf};
pub use run::{MenuHost, Options, TableHost, run, run_menu};
pub use setup::NewMatch;
pub use talk::Talk;
