//! A match that is being played, and whether it is written down.

use super::Peers;
use super::question::{Ask, Question, Respondent};
use crate::catalogue::GameEntry;
use crate::rules::{Setup, SetupError};
use crate::search::Reason;
use crate::session::{
    Actor, Conditions, LoggedStep, Match, Player, Players, ProgramSeat, Refusal, SeatSet, Session,
};
use crate::words::{self, Explanation};

/// A match at the table: its game, the session that owns it, and whether it is written down. It shows nothing: a board
/// follows it where there is a screen.
pub struct Table {
    /// The game.
    pub entry: &'static GameEntry,
    pub(super) session: Session,
    /// Whether it is written down, and if not, why.
    pub saved: Saved,
    /// Whether its programs may be started. For a resumed match the user is asked first.
    pub may_start_programs: bool,
    pub(super) local: SeatSet,
    /// Where the session is elsewhere, and this one follows it: who else is there.
    peers: Option<Box<Peers>>,
}

/// What became of a step that somebody at this terminal wants to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// It is taken, and logged.
    Taken,
    /// The table elsewhere is asked for it. The log says when it is taken.
    Asked,
    /// This terminal's question to the others is withdrawn.
    Withdrawn,
}

/// Whether a match is written down. Only the code that writes it sets this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The name of its journal. There is none before the first step.
    pub journal: Option<String>,
    /// Why a part of the match is not in the journal, if so.
    pub not_in_journal: Option<String>,
    /// Whether the time of play has been logged since the journal was last written.
    pub pause_not_in_journal: bool,
    /// What the list of progress says of help that somebody got.
    pub help: HelpNote,
    /// Whether a record in a file of the user's is kept too, and why a part is not in it, if so.
    pub record: Option<Result<(), String>>,
}

/// Whether the list of progress says that somebody got a hint or saw values in a match against an engine, so that its
/// result says nothing about strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpNote {
    /// Nobody did.
    NotNeeded,
    /// It does not say so yet.
    Missing,
    Written,
}

impl Saved {
    /// Nothing is written yet, and nothing has failed.
    const NOTHING: Saved = Saved {
        journal: None,
        not_in_journal: None,
        pause_not_in_journal: false,
        help: HelpNote::NotNeeded,
        record: None,
    };

    /// Whether all of the match is in its journal.
    pub fn is_in_journal(&self) -> bool {
        self.journal.is_some() && self.not_in_journal.is_none()
    }

    /// What could not be written, one sentence each.
    pub fn troubles(&self) -> impl Iterator<Item = &String> {
        let record = self.record.as_ref().and_then(|record| record.as_ref().err());
        record.into_iter().chain(&self.not_in_journal)
    }
}

impl Table {
    /// A new match.
    pub fn new(
        entry: &'static GameEntry,
        setup: &Setup,
        conditions: Conditions,
    ) -> Result<Table, SetupError> {
        let session = Session::new((entry.start)(setup)?, setup.clone(), conditions);
        Ok(Table::at(entry, session))
    }

    /// A match that has begun.
    pub fn at(entry: &'static GameEntry, session: Session) -> Table {
        let is_here = |player: &Player| player.is_person() && !player.is_guest();
        let players = session.players().iter();
        let local = players.filter(|(_, player)| is_here(player)).map(|(seat, _)| seat).collect();
        let (saved, may_start_programs, peers) = (Saved::NOTHING, true, None);
        Table { entry, session, saved, may_start_programs, local, peers }
    }

    /// A copy of a match whose session is elsewhere. It [follows](Table::follow) the log of that one.
    pub fn elsewhere(
        entry: &'static GameEntry,
        session: Session,
        local: SeatSet,
        peers: Peers,
    ) -> Table {
        Table { local, peers: Some(Box::new(peers)), ..Table::at(entry, session) }
    }

    /// Who may act at this terminal. Hot-seat, that is every person at the table; with guests, only those who sit here.
    pub fn local(&self) -> SeatSet {
        self.local
    }

    /// Whether the last step is a move that nobody at this terminal has played.
    pub fn was_played_elsewhere(&self) -> bool {
        self.session.log().last().is_some_and(|last| match last.by {
            Actor::Seat(seat) => last.step.is_play() && !self.local.contains(seat),
            Actor::Table | Actor::Arbiter => false,
        })
    }

    /// Who else is there, if the table is shared with other terminals.
    pub fn peers(&self) -> Option<&Peers> {
        self.peers.as_deref()
    }

    /// The same, to want something of the table.
    pub fn peers_mut(&mut self) -> Option<&mut Peers> {
        self.peers.as_deref_mut()
    }

    /// Whether it has guests and no table is open for it: then it goes on at one.
    pub fn needs_table(&self) -> bool {
        self.peers.is_none() && self.players().guests().next().is_some()
    }

    /// Takes a step that the table elsewhere has logged. It has to be the next one, and legal.
    pub fn follow(&mut self, step: &LoggedStep) -> Result<(), Refusal> {
        let next = self.session.log().len() as u64 + 1;
        if step.number != next {
            return Err(Refusal::new(format!("step {} came in place of step {next}", step.number)));
        }
        self.session.apply(step.by, step.step.clone(), step.at)
    }

    /// Begins anew with another session, which goes on elsewhere too.
    pub fn begin_anew(&mut self, session: Session) {
        self.session = session;
    }

    /// The same session, for names that have changed.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Says who acts at this terminal.
    pub fn seat_here(&mut self, local: SeatSet) {
        self.local = local;
    }

    /// The session that owns the match.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The match.
    pub fn current_match(&self) -> &Match {
        self.session.current_match()
    }

    /// Who sits where.
    pub fn players(&self) -> &Players {
        self.session.players()
    }

    /// The setup as it was given.
    pub fn given_setup(&self) -> &Setup {
        self.session.given_setup()
    }

    /// The engine whose turn it is, ours or a program.
    pub fn engine_to_move(&self) -> Option<&Player> {
        self.session.engine_to_move()
    }

    /// The program whose turn it is, if somebody has to be asked whether it may be started.
    pub fn program_to_permit(&self) -> Option<&ProgramSeat> {
        let player = self.engine_to_move().filter(|_| !self.may_start_programs);
        player.and_then(Player::program)
    }

    /// A question about the present position.
    pub fn question(&self, ask: Ask) -> Question {
        let seated = match ask {
            Ask::Move { .. } => self.current_match().to_move().zip(self.engine_to_move()),
            Ask::Ponder => self.engine_to_answer(),
            _ => None,
        };
        let session = self.session.id();
        let seated =
            seated.map(|(seat, player)| Respondent::Seat { session, seat, player: player.clone() });
        let to = seated.unwrap_or(Respondent::Helper);
        Question { entry: self.entry, position: self.current_match().position_spec(), ask, to }
    }

    /// Explains why the seat to move would play this legal move.
    pub fn why(&self, mv: &str) -> Option<Explanation> {
        let reason = (self.entry.engine)().why(&self.current_match().position_spec(), mv)?;
        Some(self.explain(reason))
    }

    /// Puts the reason for a move of the seat to move into words, with the name of the opponent.
    pub fn explain(&self, reason: Reason) -> Explanation {
        let players = self.players().with_distinct_names();
        let opponent = self.current_match().to_move().map_or("", |seat| players.name(seat.next(2)));
        words::explain(reason, opponent)
    }

    /// Whether it has to be written down: something has happened in it, or it has a journal. One that began with the
    /// moves of a record is in that record until somebody plays on.
    pub fn is_worth_keeping(&self) -> bool {
        self.peers.is_none() && (self.saved.journal.is_some() || self.session.has_news())
    }

    /// Notes that somebody got a hint or saw values. Returns whether that is new, so that the match has to be saved.
    pub fn note_help(&mut self) -> bool {
        let has_engine = self.players().iter().any(|(_, player)| player.engine().is_some());
        let is_new = has_engine && self.saved.help == HelpNote::NotNeeded;
        if is_new {
            self.saved.help = HelpNote::Missing;
        }
        is_new
    }

    /// Whether it would lose moves, or the time that is left, if the program ended now: they are written down nowhere.
    /// A match that is over counts only if writing it has failed.
    pub fn can_be_lost(&self) -> bool {
        let over = self.current_match().outcome().is_some();
        let is_saved = self.saved.is_in_journal() && !self.saved.pause_not_in_journal;
        self.is_worth_keeping() && !is_saved && (!over || self.saved.not_in_journal.is_some())
    }

    /// The same game from the start with the same people, with `swap` each one seat further on.
    pub fn rematch(&self, swap: bool) -> Result<Table, SetupError> {
        let mut conditions = self.session.conditions();
        if swap {
            conditions.players.rotate_right(1);
        }
        let start = (self.entry.start)(&self.current_match().setup())?;
        let session = Session::new(start, self.given_setup().clone(), conditions);
        let may_start_programs = self.may_start_programs;
        Ok(Table { may_start_programs, ..Table::at(self.entry, session) })
    }
}

impl AsRef<Match> for Table {
    fn as_ref(&self) -> &Match {
        self.current_match()
    }
}
