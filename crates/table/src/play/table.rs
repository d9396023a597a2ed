//! A match in progress, and whether it is saved.

use super::Peers;
use super::question::{Ask, Question, Respondent};
use crate::catalogue::GameEntry;
use crate::old_records::Filed;
use crate::words::{self, Explanation};
use quadrille_match::session::{
    Actor, Conditions, LoggedStep, Match, Player, PlayerNames, Players, ProgramSeat, Refusal,
    SeatSet, Session,
};
use quadrille_rules::{Setup, SetupError};
use quadrille_search::Reason;
use quadrille_system::CAN_HOST_TABLES;

/// A match in progress: its game, the session that owns the match, and whether it is saved. A table has no display; a
/// board follows it if there is a screen.
pub struct Table {
    pub entry: &'static GameEntry,
    pub(super) session: Session,
    pub saved: Saved,
    /// Whether the table's programs may be started. The user is asked first for a resumed match.
    pub may_start_programs: bool,
    pub(super) local: SeatSet,
    /// The participants, if this table follows a remote table.
    peers: Option<Box<Peers>>,
    /// The number of matches that were played at this table before, as rematches.
    pub(super) rematches: u16,
}

/// The result of proposing a step at this terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    Taken,
    /// The remote table was asked. The log shows when the step is taken.
    Asked,
    /// This terminal's question to the other players was withdrawn.
    Withdrawn,
}

/// Whether a match is saved. Set only by the code that saves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The name of its journal; `None` before the first step.
    pub journal: Option<String>,
    /// What identifies the record that a finished match becomes.
    pub becomes: Option<Filed>,
    /// Why part of the match is missing from the journal.
    pub not_in_journal: Option<String>,
    /// Whether match time was logged since the last write to the journal.
    pub pause_not_in_journal: bool,
    /// Whether the use of hints is recorded in the progress file.
    pub help: HelpNote,
    /// For a match that is also saved to a user's record file: success, or why part of the match is missing from it.
    pub record: Option<Result<(), String>>,
}

/// Whether the progress file records that a hint or values were shown in a match against an engine. Such a match does
/// not count toward a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpNote {
    /// No help was used.
    NotNeeded,
    /// Not recorded yet.
    Missing,
    Written,
}

impl Saved {
    /// Nothing saved yet, and no failure.
    const NOTHING: Saved = Saved {
        journal: None,
        becomes: None,
        not_in_journal: None,
        pause_not_in_journal: false,
        help: HelpNote::NotNeeded,
        record: None,
    };

    /// Returns whether the whole match is in its journal.
    pub fn is_in_journal(&self) -> bool {
        self.journal.is_some() && self.not_in_journal.is_none()
    }

    /// Returns the errors from saving, one sentence each.
    pub fn save_errors(&self) -> impl Iterator<Item = &String> {
        let record = self.record.as_ref().and_then(|record| record.as_ref().err());
        record.into_iter().chain(&self.not_in_journal)
    }
}

impl Table {
    pub fn new(
        entry: &'static GameEntry,
        setup: &Setup,
        conditions: Conditions,
    ) -> Result<Table, SetupError> {
        let session = Session::new((entry.start)(setup)?, setup.clone(), conditions);
        Ok(Table::at(entry, session))
    }

    /// Wraps a match that has already begun.
    pub fn at(entry: &'static GameEntry, session: Session) -> Table {
        let is_here =
            |player: &Player| player.is_person() && !(CAN_HOST_TABLES && player.is_guest());
        let players = session.players().iter();
        let local = players.filter(|(_, player)| is_here(player)).map(|(seat, _)| seat).collect();
        let saved = Saved::NOTHING;
        Table { entry, session, saved, may_start_programs: true, local, peers: None, rematches: 0 }
    }

    /// Creates a copy of a match at a remote table, to [follow](Table::follow) its log.
    pub fn elsewhere(
        entry: &'static GameEntry,
        session: Session,
        local: SeatSet,
        peers: Peers,
    ) -> Table {
        Table { local, peers: Some(Box::new(peers)), ..Table::at(entry, session) }
    }

    /// Returns the seats that this terminal controls: in a hot-seat match those of all people, otherwise those of local
    /// people.
    pub fn local(&self) -> SeatSet {
        self.local
    }

    /// Returns whether the last step is a move from a different terminal.
    pub fn was_played_elsewhere(&self) -> bool {
        self.session.log().last().is_some_and(|last| match last.by {
            Actor::Seat(seat) => last.step.is_play() && !self.local.contains(seat),
            Actor::Table | Actor::Arbiter => false,
        })
    }

    /// Returns the participants, if the table is shared with other terminals.
    pub fn peers(&self) -> Option<&Peers> {
        self.peers.as_deref()
    }

    pub fn peers_mut(&mut self) -> Option<&mut Peers> {
        self.peers.as_deref_mut()
    }

    /// Returns whether the match has guests but no open table yet. Where there are no shared tables, guests play at this
    /// terminal.
    pub fn needs_table(&self) -> bool {
        CAN_HOST_TABLES && self.peers.is_none() && self.players().guests().next().is_some()
    }

    /// Takes a step that the remote table has logged. It must be the next step, and legal.
    pub fn follow(&mut self, step: &LoggedStep) -> Result<(), Refusal> {
        let next = self.session.log().len() as u64 + 1;
        if step.number != next {
            return Err(Refusal::new(format!("step {} came in place of step {next}", step.number)));
        }
        self.session.apply(step.by, step.step.clone(), step.at)
    }

    /// Starts over with a new session of the remote table.
    pub fn begin_anew(&mut self, session: Session) {
        let before = std::mem::replace(&mut self.session, session);
        let plays = !self.local.is_empty();
        if let Some(peers) = self.peers.as_mut().filter(|_| plays) {
            peers.part_from(before);
        }
    }

    /// Returns the session, to change names.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Sets the seats that this terminal controls.
    pub fn seat_here(&mut self, local: SeatSet) {
        self.local = local;
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    pub fn current_match(&self) -> &Match {
        self.session.current_match()
    }

    pub fn players(&self) -> &Players {
        self.session.players()
    }

    /// Returns the setup as entered by the user.
    pub fn given_setup(&self) -> &Setup {
        self.session.given_setup()
    }

    pub fn engine_to_move(&self) -> Option<&Player> {
        self.session.engine_to_move()
    }

    /// Returns the name of the player to move; empty if the match is over.
    pub fn name_to_move(&self) -> &str {
        self.current_match().to_move().map_or("", |seat| self.players().name(seat))
    }

    /// Returns the program to move if the user must first allow it to start.
    pub fn program_to_permit(&self) -> Option<&ProgramSeat> {
        let player = self.engine_to_move().filter(|_| !self.may_start_programs);
        player.and_then(Player::program)
    }

    /// Builds a request about the current position.
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
        Question { entry: self.entry, game: self.session.share_match(), ask, to }
    }

    /// Explains why the seat to move would play this legal move.
    pub fn why(&self, mv: &str) -> Option<Explanation> {
        let reason = (self.entry.engine)().why(self.current_match().now(), mv)?;
        Some(self.explain(reason))
    }

    /// Formats the reason for a move by the seat to move, with the opponent's name.
    pub fn explain(&self, reason: Reason) -> Explanation {
        let names = self.names();
        let opponent = self.current_match().to_move().map_or("", |seat| names.name(seat.next(2)));
        words::explain(reason, opponent)
    }

    /// Returns the names for texts at this terminal, which address a person alone against engines as `you`. At a
    /// shared table, the same texts have several readers.
    pub fn names(&self) -> PlayerNames {
        let you = self.players().only_person().filter(|_| self.peers.is_none());
        PlayerNames::of(self.players()).addressing(you)
    }

    /// Returns whether the match should be saved: it has new steps or a journal, or has days per move, so that players
    /// come and go before its first step. A match that began with the moves of a record counts as saved in that record
    /// until play continues.
    pub fn is_worth_keeping(&self) -> bool {
        let has_news = || self.session.has_news() || self.session.days().is_some();
        self.peers.is_none() && (self.saved.journal.is_some() || has_news())
    }

    /// Records that a hint or values were shown. Returns whether this is new, in which case the match has to be saved.
    pub fn note_help(&mut self) -> bool {
        let has_engine = self.players().iter().any(|(_, player)| player.engine().is_some());
        let is_new = has_engine && self.saved.help == HelpNote::NotNeeded;
        if is_new {
            self.saved.help = HelpNote::Missing;
        }
        is_new
    }

    /// Returns whether moves or clock times would be lost if the program exited now. For a finished match, that is the
    /// case only if saving failed.
    pub fn can_be_lost(&self) -> bool {
        let over = self.current_match().outcome().is_some();
        let is_saved = self.saved.is_in_journal() && !self.saved.pause_not_in_journal;
        self.is_worth_keeping() && !is_saved && (!over || self.saved.not_in_journal.is_some())
    }

    /// Creates a new match of the same game with the same people; with `swap`, each person moves to the next seat.
    pub fn rematch(&self, swap: bool) -> Result<Table, SetupError> {
        let mut conditions = self.session.conditions();
        if swap {
            conditions.players = self.players().rotated();
        }
        let start = (self.entry.start)(&self.current_match().setup())?;
        let session = Session::new(start, self.given_setup().clone(), conditions);
        let (may_start_programs, rematches) =
            (self.may_start_programs, self.rematches.wrapping_add(1));
        Ok(Table { may_start_programs, rematches, ..Table::at(self.entry, session) })
    }
}

impl AsRef<Match> for Table {
    fn as_ref(&self) -> &Match {
        self.current_match()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::GAMES;
    use crate::play::question::{Ask, MoveTime};
    use quadrille_match::session::Step;
    use std::collections::HashSet;
    use std::time::Duration;

    /// Starts a match, with its first move after five seconds.
    fn begun(clock: Option<&str>) -> Table {
        let clock = clock.map(|clock| clock.parse().unwrap());
        let conditions = Conditions::default().with_clock(clock);
        let mut table = Table::new(&GAMES[0], &Setup::new(), conditions).unwrap();
        table.pause(Duration::from_secs(4));
        assert!(!table.is_worth_keeping() && !table.can_be_lost());
        let mv = table.current_match().legal_moves().remove(0);
        table.play(&mv, Duration::from_secs(5)).unwrap();
        assert!(table.can_be_lost());
        table
    }

    #[test]
    fn unsaved_clock_time_can_be_lost() {
        for (clock, is_logged) in [(Some("60"), true), (None, false)] {
            let mut table = begun(clock);
            table.saved.journal = Some("2026-11-20".to_owned());
            table.pause(Duration::from_secs(5));
            assert!(!table.can_be_lost(), "no time has passed");
            table.pause(Duration::from_secs(6));
            assert_eq!(table.can_be_lost(), is_logged);
            table.saved.pause_not_in_journal = false;
            assert!(!table.can_be_lost());
        }
    }

    /// Nothing of a visit is logged, an engine waits until the match begins, and only opponents decide.
    #[test]
    fn match_with_days_runs_by_itself() {
        let hour = Duration::from_secs(3600);
        let days = 72 * hour;
        let players = ["engine:beginner", "Ann", "guest:Bob"].map(|text| text.parse().unwrap());
        let conditions = Conditions::from(players.to_vec()).with_clock("3d".parse().ok());
        let entry = crate::catalogue::find("intersections").unwrap();
        let mut table = Table::new(entry, &"players=3".parse().unwrap(), conditions).unwrap();
        assert!(table.is_worth_keeping(), "players come before the first step");
        assert_eq!(table.engine_ask(1, Duration::ZERO), None);
        let begin = Step::parse("begin 1795823432").unwrap();
        table.apply(Actor::Table, &begin, Duration::ZERO).unwrap();
        let ask = table.engine_ask(1, hour);
        assert!(matches!(ask, Some(Ask::Move { time: MoveTime::Each(_), .. })), "{ask:?}");
        assert_eq!(table.claimant(days), None);
        assert_eq!(table.claimant(days + hour), Some(quadrille_rules::Seat::new(1)));
        let mv = table.current_match().legal_moves().remove(0);
        table.play_for_engine(&mv, hour).unwrap();
        table.pause(2 * hour);
        assert_eq!(table.session().log().len(), 2, "a visit leaves no trace");
        // Where no table can be opened, he plays here.
        let bob = (!CAN_HOST_TABLES).then_some(quadrille_rules::Seat::new(2));
        assert_eq!(table.claimant(hour + days), bob, "Ann is overdue, and Bob is elsewhere");
        assert!(!table.flag(2 * days) && table.flag(hour + 9 * days));
        assert_eq!(table.session().time(), hour + 2 * days);
    }

    #[test]
    fn engine_without_a_seed_of_its_own_has_another_seed_in_a_rematch() {
        for (name, is_fixed) in [("engine:beginner", false), ("engine:beginner,seed=3", true)] {
            let conditions = Conditions::named(&[name, "Ann"].map(str::to_owned));
            let first = Table::new(&GAMES[0], &Setup::new(), conditions).unwrap();
            let second = first.rematch(false).unwrap();
            let seeds = [&first, &second, &second.rematch(false).unwrap()].map(|table| match table
                .engine_ask(7, Duration::ZERO)
            {
                Some(Ask::Move { seed, .. }) => seed,
                other => panic!("{other:?}"),
            });
            let different: HashSet<u64> = seeds.into_iter().collect();
            assert_eq!(different.len(), if is_fixed { 1 } else { 3 }, "{name} {seeds:?}");
        }
    }

    #[test]
    fn finished_match_can_be_lost_only_if_saving_failed() {
        let mut table = begun(None);
        table
            .apply(Actor::Seat(quadrille_rules::Seat::FIRST), &Step::Resign, Duration::ZERO)
            .unwrap();
        assert!(!table.can_be_lost());
        table.saved.not_in_journal = Some("not saved: the disk is full".to_owned());
        assert!(table.can_be_lost());
    }
}
