//! The screens that can be opened, as plain data. [`navigation`](super::navigation) makes screens of them.

use super::about::About;
use super::menu::Menu;
use super::news::TournamentUpdate;
use super::open_match::OpenRecord;
use super::series::Series;
use crate::action::Action;
use crate::app::OpenMatch;
use crate::arena::tournament::{LiveTournament, UnderWay};
use crate::catalogue::GameEntry;
use crate::puzzles::Course;
use crate::puzzles::lessons::Lesson;
use crate::rules::Setup;
use crate::session::{Player, TimeControl};
use std::sync::Arc;

pub(super) enum Destination {
    Home,
    /// All unfinished matches.
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
    Help(About, Vec<Action>),
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
pub(super) struct SetupChoices {
    pub entry: &'static GameEntry,
    pub setup: Setup,
    pub players: Vec<Player>,
    pub clock: Option<TimeControl>,
}

/// A match, and how it comes onto the screen.
pub(super) struct MatchStart {
    pub open_match: OpenMatch,
    /// The matches of the same players before this one.
    pub series: Series,
    /// A few words that are shown until the next key.
    pub note: Option<String>,
    /// Whether an engine to move first waits until it is told to go on.
    pub waits: bool,
}

impl From<OpenMatch> for MatchStart {
    fn from(open_match: OpenMatch) -> MatchStart {
        MatchStart { open_match, series: Series::default(), note: None, waits: false }
    }
}

impl From<MatchStart> for Destination {
    fn from(start: MatchStart) -> Destination {
        Destination::Match(Box::new(start))
    }
}

impl From<OpenMatch> for Destination {
    fn from(open_match: OpenMatch) -> Destination {
        MatchStart::from(open_match).into()
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
