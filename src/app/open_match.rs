//! A match that is open on a screen: at the table, or to be looked at.

use super::pending::{Ask, Question};
use super::screen::Act;
use super::tasks::DiskTask;
use crate::board::{AnyBoard, Skin, Table, Viewer};
use crate::catalogue::Entry;
use crate::picture::Subject;
use crate::rules::{Seat, Setup, SetupError};
use crate::session::{self, AnyMatch, EngineSeat, Players};

/// A match at the table: its game, its board with the session that owns it, and whether it is written
/// down.
pub struct OpenMatch {
    /// The game.
    pub entry: &'static Entry,
    /// The match and its board.
    pub table: Box<dyn Table>,
    /// Whether it is written down, and if not, why.
    pub saved: Saved,
}

/// Whether a match is written down. Whoever writes it says so here, and nobody else knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// What its journal is called. None is there before the first move.
    pub journal: Option<String>,
    /// Why the journal lacks something of the match, if it does.
    pub not_in_journal: Option<String>,
    /// Whether a record of the user's own is kept of it, and why that lacks something, if it does.
    pub record: Option<Result<(), String>>,
}

impl Saved {
    /// Nothing is written, and nothing was tried.
    const NOTHING: Saved = Saved { journal: None, not_in_journal: None, record: None };

    /// Whether all of the match is in its journal.
    pub fn is_in_journal(&self) -> bool {
        self.journal.is_some() && self.not_in_journal.is_none()
    }

    /// All that could not be written, in a sentence each.
    pub fn troubles(&self) -> impl Iterator<Item = &String> {
        let record = self.record.as_ref().and_then(|record| record.as_ref().err());
        record.into_iter().chain(&self.not_in_journal)
    }
}

impl OpenMatch {
    /// A new match. Names that are missing or empty become `Player 1` and so on.
    pub fn new(
        entry: &'static Entry,
        setup: &Setup,
        names: &[String],
    ) -> Result<OpenMatch, SetupError> {
        let viewer = (entry.open)(setup)?;
        Ok(OpenMatch::at(entry, viewer.into_table(setup.clone(), names)))
    }

    /// A match that is at its table already.
    pub fn at(entry: &'static Entry, table: Box<dyn Table>) -> OpenMatch {
        OpenMatch { entry, table, saved: Saved::NOTHING }
    }

    /// The match.
    pub fn game(&self) -> &dyn AnyMatch {
        self.table.game()
    }

    /// Who sits where.
    pub fn players(&self) -> &Players {
        self.table.session().players()
    }

    /// The words it was set up with, as they were given.
    pub fn words(&self) -> &Setup {
        self.table.session().words()
    }

    /// The engine whose turn it is.
    pub fn engine_to_move(&self) -> Option<EngineSeat> {
        self.table.session().engine_to_move()
    }

    /// The position as one thinks about it.
    pub fn question(&self, ask: Ask) -> Question {
        Question { entry: self.entry, position: self.game().position_spec(), ask }
    }

    /// Whether there are moves in it that are written down nowhere. One that is over counts only if
    /// it could not be written down.
    pub fn can_be_lost(&self) -> bool {
        let played = self.game().nodes() > 1;
        let over = self.game().outcome().is_some();
        played && !self.saved.is_in_journal() && (!over || self.saved.not_in_journal.is_some())
    }

    /// The same game from the start with the same people, all one seat further round if `swap`.
    pub fn rematch(&self, swap: bool) -> Result<OpenMatch, SetupError> {
        let mut names = self.players().names();
        if swap {
            names.rotate_right(1);
        }
        let viewer = (self.entry.open)(&self.game().setup())?;
        Ok(OpenMatch::at(self.entry, viewer.into_table(self.words().clone(), &names)))
    }

    /// The moves so far, to be looked at.
    pub fn to_look_at(&self) -> OpenRecord {
        let mut viewer = self.table.copy_line();
        if let Some(how) = self.game().termination() {
            viewer.walk(&mut |game| game.end(how.clone()));
        }
        let (words, players) = (self.words().clone(), self.players().clone());
        OpenRecord { entry: self.entry, viewer, words, players }
    }

    /// What is to be seen of it.
    pub(super) fn shown(&self) -> Shown<'_> {
        let session = self.table.session();
        let (words, players) = (session.words(), session.players());
        Shown { entry: self.entry, board: &*self.table, words, players }
    }
}

/// A match that is looked at: a copy, of which nothing is written down.
pub struct OpenRecord {
    /// The game.
    pub entry: &'static Entry,
    /// The copy and its board.
    pub viewer: Box<dyn Viewer>,
    words: Setup,
    players: Players,
}

impl OpenRecord {
    /// A match with these players; see [`Players::named`].
    pub fn new(entry: &'static Entry, viewer: Box<dyn Viewer>, names: &[String]) -> OpenRecord {
        let players = Players::named(viewer.game().seats(), names);
        OpenRecord { entry, words: viewer.game().setup(), viewer, players }
    }

    /// The match.
    pub fn game(&self) -> &dyn AnyMatch {
        self.viewer.game()
    }

    /// A new match of the same people that begins with the moves so far.
    pub fn branch_off(&self) -> OpenMatch {
        let viewer = self.viewer.copy_line();
        let mut table = viewer.into_table(self.words.clone(), &self.players.names());
        table.point_near_last();
        OpenMatch::at(self.entry, table)
    }

    /// What is to be seen of it.
    pub(super) fn shown(&self) -> Shown<'_> {
        let (words, players) = (&self.words, &self.players);
        Shown { entry: self.entry, board: &*self.viewer, words, players }
    }
}

/// What is to be seen of a match, wherever it is.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub entry: &'static Entry,
    pub board: &'a dyn AnyBoard,
    pub players: &'a Players,
    words: &'a Setup,
}

impl<'a> Shown<'a> {
    /// The match.
    pub fn game(self) -> &'a dyn AnyMatch {
        self.board.game()
    }

    /// The name at a seat.
    pub fn name(self, seat: Seat) -> &'a str {
        self.players.name(seat)
    }

    /// All seats, in order.
    pub fn seats(self) -> impl Iterator<Item = Seat> {
        (0..self.game().seats()).map(Seat::new)
    }

    /// How it ended, in a few words; empty while it goes on.
    pub fn result(self) -> String {
        session::in_words(self.game(), self.players)
    }

    /// Has a picture of the board kept as a file.
    pub fn take_picture(self, skin: Skin) -> Act {
        let Shown { entry, board, players, .. } = self;
        let svg = Subject { entry, board, players }.svg(skin.theme(), None);
        Act::run(DiskTask::Picture(entry.id, Box::new(svg)))
    }

    /// What is played on, in a few words.
    pub fn ground(self) -> String {
        let ground = self.board.caption().ground;
        match self.words.get("seed") {
            Some(seed) => format!("{ground}, seed {seed}"),
            None => ground,
        }
    }
}
