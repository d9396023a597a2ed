//! All tests that stand outside the code, in one binary: a folder a subject.
//!
//! | folder | holds |
//! |---|---|
//! | `rules` | all games to one suite; how many sequences of moves there are; any text as a move |
//! | `engines` | engines at the table and in `solve`, and the pages of known values |
//! | `screens` | key scripts and whole pictures of screens and boards; themes, the mouse, saved pictures |
//! | `disk` | what is written down, whatever happens to the process, the disk and the files |
//! | `programs` | programs of users: at a table, in UGI, held and ended by the supervisor |
//! | `tournaments` | matches without people |
//! | `remote` | terminals elsewhere, through a real OpenSSH server |
//! | `command_line` | the real binary with arguments and lines: subcommands and plain mode |
//!
//! `layers` holds the modules of `src` to their order, `pages` the README and `docs` to theirs, `package`
//! looks at what is installed, and `common` is what several of these need.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod command_line;
mod common;
mod disk;
mod engines;
mod layers;
mod package;
mod pages;
mod programs;
mod remote;
mod rules;
mod screens;
mod tournaments;
