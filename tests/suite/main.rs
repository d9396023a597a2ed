//! All integration tests in one binary, with a directory per subject.
//!
//! | directory | contents |
//! |---|---|
//! | `rules` | one suite for all games; counts of move sequences; arbitrary text as moves |
//! | `engines` | engines at the table and in `solve`, and the pages of known values |
//! | `screens` | key scripts and snapshots of screens and boards; themes, the mouse, saved pictures |
//! | `disk` | persistence, whatever happens to the process, the disk and the files |
//! | `programs` | external engines: at a table, in UGI, under the supervisor |
//! | `tournaments` | matches between engines |
//! | `remote` | other terminals, through a real OpenSSH server |
//! | `command_line` | the real binary with arguments and lines: subcommands and plain mode |
//!
//! `layers` checks the module order of `src`, `pages` the README and `docs`, `spelling` all texts, `package` the
//! installed files; `common` has shared helpers.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]

mod command_line;
mod common;
mod disk;
mod engines;
mod layers;
#[cfg(unix)]
mod package;
mod pages;
mod programs;
mod remote;
mod rules;
mod screens;
mod spelling;
mod tournaments;
