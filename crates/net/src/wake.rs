//! The one door to a table: leads to its process, or starts one for its saved match.
//!
//! A table whose process has ended is its journal and its seating, a file. The lock of the socket's
//! folder puts wakers in a row, and the journal's lock admits one process: the first waker starts it, and the others
//! find it open.
//!
//! A guest may wake a table that the host has not closed, that is not shared, and that starts no program. The host may
//! wake any table that starts no program.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "locks a folder")]

use super::folder::{self, HostedTable, OpenTable};
use super::open::{self, NewTable};
use super::seating_file::{self, SavedSeating};
use std::fmt::Write;

/// The first word of what a woken process reads from stdin.
pub(super) const WAKE: &str = "wake";

/// A table that its host has returned to.
#[derive(Debug)]
pub struct Woken {
    pub hosted: HostedTable,
    /// Which part of the match is lost, if any.
    pub lost: Option<String>,
}

/// Returns the names of the sleeping tables that a guest may wake.
pub fn sleeping() -> Vec<String> {
    let saved = seating_file::everywhere().into_iter().filter(|saved| saved.seating.can_wake);
    let mut names: Vec<String> = saved.map(|saved| saved.seating.table).collect();
    names.sort();
    names.dedup();
    names
}

/// Finds the open table with this name, or wakes it for a guest. `None` if there is neither.
pub fn table(name: &str, new: NewTable) -> anyhow::Result<Option<OpenTable>> {
    if let Some(open) = folder::open_tables().into_iter().find(|table| table.name == name) {
        return Ok(Some(open));
    }
    let saved = seating_file::everywhere().into_iter();
    let mut meant = saved.filter(|saved| saved.seating.can_wake && saved.seating.table == name);
    let Some(saved) = meant.next() else { return Ok(None) };
    Ok(wake(&saved, new, Waker::Guest)?.map(|(table, _)| table))
}

/// Returns whether this match of this user is at a table, open or asleep.
pub fn is_at_table(journal: &str) -> bool {
    seating_file::find(journal).is_some()
}

/// Finds the open table of this match, or wakes it for the host. `None` if the match was at no table, or a program must
/// be permitted first.
pub fn match_of_host(journal: &str, new: NewTable) -> anyhow::Result<Option<Woken>> {
    let Some(saved) = seating_file::find(journal) else { return Ok(None) };
    let Some((table, lost)) = wake(&saved, new, Waker::Host)? else { return Ok(None) };
    Ok(Some(Woken { hosted: HostedTable::read(table)?, lost }))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waker {
    Guest,
    Host,
}

/// Returns the table of this seating, and which part of the match is lost. `None` if the match has ended since or may
/// not be woken.
fn wake(
    saved: &SavedSeating,
    new: NewTable,
    by: Waker,
) -> anyhow::Result<Option<(OpenTable, Option<String>)>> {
    let is_shared = saved.seating.secret.is_some();
    let _lock = folder::lock_folder_of(saved.seating.socket.as_deref(), is_shared)?;
    // Another waker may have been first.
    let Some(saved) = saved.again() else { return Ok(None) };
    if let Some(open) = saved.open_table() {
        return Ok(Some((open, None)));
    }
    let is_allowed = match by {
        Waker::Guest => saved.seating.can_wake,
        Waker::Host => !saved.seating.has_programs,
    };
    if !is_allowed {
        return Ok(None);
    }
    let NewTable { idle, pace, .. } = new;
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = writeln!(text, "{WAKE} {}", saved.journal);
    let _ = writeln!(text, "idle {}\npace {}", idle.as_secs(), pace.as_millis());
    open::start(&text, Some(&saved.state)).map(Some)
}
