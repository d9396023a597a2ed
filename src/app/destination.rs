//! The screens that can be opened, as plain data. [`navigation`](super::navigation) makes screens of them.

use super::OpenMatch;
use super::about::About;
use super::menu::Menu;
use super::news::TournamentUpdate;
use super::open_match::OpenRecord;
use crate::action::{Action, Keymap};
use crate::arena::tournament::{LiveTournament, UnderWay};
use crate::catalogue::GameEntry;
use crate::play::Table;
use crate::puzzles::Course;
use crate::puzzles::lessons::Lesson;
use crate::rules::Setup;
use crate::session::{Conditions, Match, Player, Session, TimeControl};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) enum Destination {
    Home,
    /// Opens all unfinished matches.
    Unfinished,
    /// A game to be set up as it was the last time.
    Setup(&'static GameEntry),
    /// A game to be set up, beginning with these choices.
    SetupOf(Box<SetupChoices>),
    Match(Box<MatchStart>),
    Menu(Menu),
    /// The rules of a game.
    Rules(&'static GameEntry),
    /// A text to read: what it is about, what kind of text it is, and the text itself.
    Text(String, &'static str, String),
    /// What a guest types to come to a match of this game.
    Invitation(String, String),
    /// The help for a screen: what it says about itself, and what can be done there.
    Help(About, Vec<Action>, Box<Keymap>),
    Settings,
    /// The keys, to be changed.
    Keys,
    /// The records. Ask for them by [`RecordTask::List`](super::RecordTask).
    Library,
    /// Who beat whom. Ask for the results by [`RecordTask::Count`](super::RecordTask).
    Results,
    /// A match, from its start.
    Replay(Box<OpenRecord>),
    /// A match at its end, and what its moves gave away.
    Review(Box<OpenRecord>),
    /// A game of the tournament while it is played, and what is known of it now.
    Follow(Box<OpenRecord>, Box<UnderWay>),
    /// The first puzzle of a course, if it has one.
    Puzzle(Box<Course>),
    /// The games that have lessons, with the cursor on the one of this number.
    Games(usize),
    Lessons(&'static GameEntry),
    Lesson(Arc<Lesson>),
    /// A tournament, and its state now.
    Tournament(LiveTournament, Box<TournamentUpdate>),
}

/// How a game is set up at first.
#[derive(Clone, Debug)]
pub(super) struct SetupChoices {
    pub entry: &'static GameEntry,
    pub setup: Setup,
    pub players: Vec<Player>,
    pub clock: Option<TimeControl>,
}

/// How a match begins. The match itself comes into being with its screen.
#[derive(Clone, Debug)]
pub(super) struct MatchStart {
    entry: &'static GameEntry,
    game: Match,
    given_setup: Setup,
    conditions: Conditions,
    may_start_programs: bool,
    /// A few words that are shown until the next key.
    pub note: Option<String>,
    /// Whether it goes on from an earlier match: then an engine to move first waits until it is told to go on.
    pub goes_on: bool,
}

impl MatchStart {
    /// The match of a table at which nothing has happened yet.
    pub fn of(table: &Table) -> MatchStart {
        MatchStart {
            entry: table.entry,
            game: table.current_match().clone(),
            given_setup: table.given_setup().clone(),
            conditions: table.session().conditions(),
            may_start_programs: table.may_start_programs,
            note: None,
            goes_on: false,
        }
    }

    pub fn open(&self) -> OpenMatch {
        let (setup, conditions) = (self.given_setup.clone(), self.conditions.clone());
        let session = Session::new(self.game.clone(), setup, conditions);
        let mut table = Table::at(self.entry, session);
        table.may_start_programs = self.may_start_programs;
        if self.goes_on { OpenMatch::resumed(table) } else { OpenMatch::new(table) }
    }
}

impl From<MatchStart> for Destination {
    fn from(start: MatchStart) -> Destination {
        Destination::Match(Box::new(start))
    }
}

impl From<Menu> for Destination {
    fn from(menu: Menu) -> Destination {
        Destination::Menu(menu)
    }
}

impl From<Course> for Destination {
    fn from(course: Course) -> Destination {
        Destination::Puzzle(Box::new(course))
    }
}
