//! Runs the screens in this process, on a terminal or in lines of text.
//!
//! [`disk_host::DiskHost`] does what the screens ask of the disk and of a shared table, for both front ends, and saves matches
//! through the [`Keeper`](crate::platform::keeper::Keeper). A process chooses its [`Appearance`](appearance::Appearance), makes
//! the app with it, and runs it. [`shared_table`] does so for a table that several terminals share.
//!
//! - Commands that show no screen do not use this module; a test enforces that. The progress bar of a
//!   [`tournament`] draws no screen, and its command has one too.
//! - The caller of [`tournament`] has to call [`ExitReason::pass_on`](crate::play::ExitReason::pass_on) at the end, or the
//!   parent process does not learn that a signal has ended the screens; [`disk_host::run`] does so itself.

pub mod appearance;
pub mod disk_host;
mod record_tasks;
pub mod replay;
pub mod shared_table;
pub mod tournament;
