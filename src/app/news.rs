//! The news that the app passes to its screens.

use super::OpenRecord;
use super::record_summary::RecordSummary;
use quadrille_arena::tournament::{GameLine, TournamentStatus, TournamentTable, UnderWay};
use quadrille_table::play::TableNews;
use quadrille_text::wording::counted;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Copy)]
pub(super) enum News<'a> {
    /// The user left a match. If it is unsaved, it is now the first of
    /// [`Context::unfinished`](super::Context::unfinished).
    MatchLeft,
    /// [`Context::unfinished`](super::Context::unfinished) has changed.
    Unfinished,
    /// The records, and a line for each damaged file.
    Records(&'a [RecordSummary], &'a [String]),
    /// A record was renamed: its old and its new id.
    Renamed(&'a str, &'a str),
    Counted(&'a CountedRecords),
    /// The number and the record of a tournament game.
    Game(u64, &'a OpenRecord),
    /// An update of the running tournament. Every screen receives it.
    Tournament(&'a TournamentUpdate),
    TableOpened,
    Table(&'a [TableNews]),
    /// The GIF of the match is drawn. A screen that returns `Some` is closed.
    GifDone,
    /// A guest has joined the table. A screen that returns `Some` is closed.
    GuestJoined,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedRecords {
    /// The valid records, each with the result of its moves.
    pub records: Vec<RecordSummary>,
    /// The valid records from before the user started over. They count only for other players.
    pub earlier: Vec<RecordSummary>,
    /// The fingerprints of these records.
    pub fingerprints: HashSet<String>,
    /// The number of excluded records whose moves are illegal or lead to a different result.
    pub unsound: usize,
    /// The number of excluded duplicates: records with equal names, date and moves.
    pub copies: usize,
    /// The number of records not yet counted.
    pub remaining: usize,
}

impl CountedRecords {
    /// Says which records are excluded or not yet counted; may be empty.
    pub fn note(&self) -> String {
        if self.remaining > 0 {
            return format!("{} still to count", self.remaining);
        }
        let left_out = [
            (
                self.unsound,
                [
                    "record whose result contradicts its moves",
                    "records whose results contradict their moves",
                ],
            ),
            (self.copies, ["copy", "copies"]),
        ];
        let left_out = left_out.iter().filter(|(n, _)| *n > 0);
        let left_out = left_out.map(|&(n, [one, many])| counted(n, one, many));
        let left_out = left_out.collect::<Vec<_>>().join(", ");
        if left_out.is_empty() { left_out } else { format!("not counted: {left_out}") }
    }
}

#[derive(Clone, Debug)]
pub(in crate::app) struct TournamentUpdate {
    pub status: TournamentStatus,
    /// The tournament table, if it may have changed.
    pub table: Option<TournamentTable>,
    /// The running games in the order of their start.
    pub under_way: Vec<UnderWay>,
    /// The games that ended since the last poll, in the order of their end.
    pub ended: Vec<Arc<GameLine>>,
    pub time: Duration,
}
