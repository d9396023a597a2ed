//! What the app tells its screens.

use super::OpenRecord;
use super::record_summary::RecordSummary;
use crate::arena::tournament::{GameLine, TournamentStatus, TournamentTable, UnderWay};
use crate::play::TableNews;
use std::time::Duration;

/// News that may matter to a screen below the top.
#[derive(Clone, Copy)]
pub(super) enum News<'a> {
    /// A match was left. If it is not saved, it is now the first of [`Context::unfinished`](super::Context::unfinished).
    MatchLeft,
    /// [`Context::unfinished`](super::Context::unfinished) has changed.
    Unfinished,
    /// The records, and a line for each damaged file.
    Records(&'a [RecordSummary], &'a [String]),
    /// The record with the first id now has the second.
    Renamed(&'a str, &'a str),
    /// The results counted so far.
    Counted(&'a CountedRecords),
    /// The record of the tournament's game with this number.
    Game(u64, &'a OpenRecord),
    /// What is new in the running tournament. Every screen gets it.
    Tournament(&'a TournamentUpdate),
    /// The match has just moved to a table.
    TableOpened,
    /// News of the shared table whose match is on the screen.
    Table(&'a [TableNews]),
    /// A guest has sat down at the table. A screen that answers this is closed.
    GuestJoined,
}

/// The records whose results have been counted so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedRecords {
    /// Those that count, each with the result that its moves show.
    pub kept: Vec<RecordSummary>,
    /// How many were left out because their moves are illegal or lead to another result.
    pub unsound: usize,
    /// How many were left out because another one has the same names, date and moves.
    pub copies: usize,
    /// How many are still to be counted.
    pub to_go: usize,
}

/// What is new in a tournament since the last look.
#[derive(Clone, Debug)]
pub(in crate::app) struct TournamentUpdate {
    pub status: TournamentStatus,
    /// The table, if it may have changed.
    pub table: Option<TournamentTable>,
    /// The running games, in the order in which they began.
    pub under_way: Vec<UnderWay>,
    /// The games that have ended since the last look, in that order.
    pub ended: Vec<GameLine>,
    /// How long it has run.
    pub time: Duration,
}
