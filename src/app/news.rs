//! News from the app to its screens.

use super::OpenRecord;
use super::record_summary::RecordSummary;
use crate::arena::tournament::{GameLine, TournamentStatus, TournamentTable, UnderWay};
use crate::play::TableNews;
use std::time::Duration;

#[derive(Clone, Copy)]
pub(super) enum News<'a> {
    /// A match was left. If unsaved, it is now the first of [`Context::unfinished`](super::Context::unfinished).
    MatchLeft,
    /// [`Context::unfinished`](super::Context::unfinished) has changed.
    Unfinished,
    /// The records, and a line per damaged file.
    Records(&'a [RecordSummary], &'a [String]),
    /// The old and the new id of a record.
    Renamed(&'a str, &'a str),
    Counted(&'a CountedRecords),
    /// The record of the tournament game with this number.
    Game(u64, &'a OpenRecord),
    /// An update of the running tournament, for every screen.
    Tournament(&'a TournamentUpdate),
    TableOpened,
    Table(&'a [TableNews]),
    /// A guest has joined the table. A screen that answers this is closed.
    GuestJoined,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedRecords {
    /// The records that count, each with the result of its moves.
    pub kept: Vec<RecordSummary>,
    /// The number of records left out because their moves are illegal or lead to another result.
    pub unsound: usize,
    /// The number of copies left out: records with equal names, date and moves.
    pub copies: usize,
    /// The number of records still to count.
    pub to_go: usize,
}

#[derive(Clone, Debug)]
pub(in crate::app) struct TournamentUpdate {
    pub status: TournamentStatus,
    /// The table, if it may have changed.
    pub table: Option<TournamentTable>,
    /// The running games, in starting order.
    pub under_way: Vec<UnderWay>,
    /// The games that ended since the last poll, in order.
    pub ended: Vec<GameLine>,
    pub time: Duration,
}
