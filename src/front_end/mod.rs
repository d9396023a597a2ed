//! Runs the screens in this process, on a terminal or as lines of text.
//!
//! [`disk_host::DiskHost`] performs the screens' tasks on the disk and at a shared table, for both front ends, and
//! saves matches through the [`MatchSaver`](quadrille_table::match_saver::MatchSaver). A process chooses its
//! [`Appearance`](appearance::Appearance), creates the app with it, and runs it. [`shared_table`] does this for a table
//! shared by several terminals.
//!
//! - Commands without screens do not use this module; a test enforces this. The progress bar of a [`tournament`] is an
//!   exception, because the tournament command also has a screen.
//! - The caller of [`tournament`] must call [`ExitReason::reraise`](quadrille_table::play::ExitReason::reraise) at the
//!   end, so that the parent process learns which signal ended the screens; [`disk_host::run`] calls it itself.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "carries out the tasks of screens"
)]

pub mod appearance;
pub mod disk_host;
mod gif_job;
pub mod record_tasks;
pub mod replay;
pub mod shared_table;
pub mod terminal;
pub mod tournament;
