//! Runs the screens in this process, on a terminal or in lines of text.
//!
//! [`disk_host::DiskHost`] performs the screens' tasks on the disk and at a shared table, for both front ends, and
//! saves matches through the [`Keeper`](crate::platform::keeper::Keeper). A process chooses its
//! [`Appearance`](appearance::Appearance), creates the app with it, and runs it. [`shared_table`] does so for a table
//! that several terminals share.
//!
//! - Commands without screens do not use this module; a test enforces that. The progress bar of a [`tournament`] is an
//!   exception, because its command has a screen too.
//! - The caller of [`tournament`] must call [`ExitReason::pass_on`](crate::play::ExitReason::pass_on) at the end, or
//!   the parent process does not learn that a signal has ended the screens; [`disk_host::run`] does so itself.

pub mod appearance;
pub mod disk_host;
mod record_tasks;
pub mod replay;
pub mod shared_table;
pub mod tournament;
