//! The screens that can be opened, as plain data. [`navigation`](super::navigation) builds them.

use super::OpenMatch;
use super::about::About;
use super::command::Commands;
use super::menu::Menu;
use super::news::TournamentUpdate;
use super::open_match::OpenRecord;
use super::screen::Effect;
use super::tasks::RecordTask;
use crate::action::Keymap;
use quadrille_arena::tournament::{LiveTournament, UnderWay};
use quadrille_match::session::{Conditions, Match, Player, Session, TimeControl};
use quadrille_puzzles::lessons::Lesson;
use quadrille_puzzles::{OwnMistakes, PuzzleSet, Rush};
use quadrille_rules::Setup;
use quadrille_table::catalogue::GameEntry;
use quadrille_table::play::Table;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) enum Destination {
    Home,
    Unfinished,
    Setup(&'static GameEntry),
    /// A new game that starts from these choices.
    SetupOf(Box<SetupChoices>),
    Match(Box<MatchStart>),
    Menu(Menu),
    Rules(&'static GameEntry),
    /// A text page: its subject, its kind, and its text.
    Text(String, &'static str, String),
    /// Instructions for guests: the name of the game, and the commands to type.
    Invitation(String, String),
    Help(About, Commands, Box<Keymap>),
    Settings,
    Keys,
    /// The library. [`RecordTask::List`](super::RecordTask) loads its records.
    Library,
    /// The statistics of the records with these ids, or of all. [`RecordTask::Count`](super::RecordTask) counts them.
    Statistics(Option<Vec<String>>),
    Replay(Box<OpenRecord>),
    /// A match in its final position, with a review of its moves.
    Review(Box<OpenRecord>),
    /// A running tournament game, and its current state.
    Follow(Box<OpenRecord>, Box<UnderWay>),
    Puzzle(Box<PuzzleSet>),
    /// The search for the mistakes of people in a match; `None` if no people have moved.
    Mistakes(Option<Box<OwnMistakes>>),
    /// The card while a GIF is drawn.
    Gif,
    /// The list of games with lessons, with the cursor at this index.
    Games(usize),
    Lessons(&'static GameEntry),
    Lesson(Arc<Lesson>),
    Tournament(LiveTournament, Box<TournamentUpdate>),
}

impl Destination {
    /// Opens the statistics of the records with these ids, or of all.
    pub fn statistics(ids: Option<Vec<String>>) -> Vec<Effect> {
        let count = Effect::run(RecordTask::Count(ids.clone()));
        vec![Effect::Open(Destination::Statistics(ids)), count]
    }
}

#[derive(Clone, Debug)]
pub(super) struct SetupChoices {
    pub entry: &'static GameEntry,
    pub setup: Setup,
    pub players: Vec<Player>,
    pub clock: Option<TimeControl>,
}

/// How a match starts. The match itself is created together with its screen.
#[derive(Clone, Debug)]
pub(super) struct MatchStart {
    entry: &'static GameEntry,
    game: Match,
    given_setup: Setup,
    conditions: Conditions,
    may_start_programs: bool,
    pub note: Option<String>,
    /// Whether the match continues an earlier one. If so, an engine that moves first waits for the user.
    pub goes_on: bool,
}

impl MatchStart {
    /// Returns the start of a new match at this table.
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

/// A rush begins with its rules, and its clock only after them.
impl From<PuzzleSet> for Destination {
    fn from(course: PuzzleSet) -> Destination {
        let title = match &course {
            PuzzleSet::Rush(rush) => Some(format!("Puzzle rush: {}", rush.name())),
            _ => None,
        };
        let puzzle = Destination::Puzzle(Box::new(course));
        let Some(title) = title else { return puzzle };
        let menu = Menu::new(title)
            .with_lines(Rush::BRIEF.map(str::to_owned).to_vec())
            .entry("Start", [Effect::Open(puzzle)])
            .entry("Cancel", [])
            .with_about("Start the clock.");
        Destination::Menu(menu)
    }
}
