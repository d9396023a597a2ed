//! What a screen shows of a match: of one at the table, or of a copy that is looked at.

use super::screen::Act;
use super::tasks::DiskTask;
use crate::board::{AnyBoard, Skin, Viewer};
use crate::catalogue::Entry;
use crate::picture::Subject;
use crate::play::OpenMatch;
use crate::rules::{Seat, Setup};
use crate::session::{self, AnyMatch, Conditions, Players};

impl OpenMatch {
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
        let conditions = Conditions::from(self.players.as_slice().to_vec());
        let mut table = viewer.into_table(self.words.clone(), conditions);
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
