//! Saves a match during play, to its journal and to the user's own record. The saver does not use the screen; it notes
//! in [`Table::saved`] what could not be saved, and why.

use crate::catalogue::{self, GameEntry};
use crate::old_records::Filed;
use crate::play::{HelpNote, Table};
use quadrille_match::session::{Conditions, Match, Player, Record, Session, TimeControl, score};
use quadrille_match::store::progress::{Event, Progress};
use quadrille_match::store::{
    Head, Journal, JournalContents, MatchElsewhere, MatchId, MatchStore, RecordEntry, RecordFile,
    StoreError, StoredFile,
};
use quadrille_rules::SetupError;
use quadrille_system::calendar;
use quadrille_system::folders::{self, NoHome};
use quadrille_text::wording::counted;
use quadrille_text::wording::cut;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The title of the message that part of a match is unreadable.
pub const LOST: &str = "Part of this match is lost";

/// The title and text of the message that an earlier match is resumed because the latest is in use.
const IN_USE: [&str; 2] = [
    "The latest match is open",
    "another Quadrille has it open; this is the most recent of the other matches",
];

/// The title and text of the message that a match was saved as a copy.
pub const COPIED: [&str; 2] = [
    "A match was saved as a copy",
    "It was also continued elsewhere while it could not be saved here, so there are now two matches.",
];

/// Why a match cannot be saved. The text fits on one line of the screen.
#[derive(Debug, thiserror::Error)]
pub enum MatchSaverError {
    #[error(transparent)]
    NoHome(#[from] NoHome),
    #[error("{}", .0.brief())]
    Store(StoreError),
    #[error("not saved: {}", .0.brief())]
    NotSaved(StoreError),
}

// Without `#[from]`, because the error would then be its own source and be reported twice.
impl From<StoreError> for MatchSaverError {
    fn from(why: StoreError) -> MatchSaverError {
        MatchSaverError::Store(why)
    }
}

/// Why a match cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    #[error(transparent)]
    NoStore(#[from] MatchSaverError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no match to resume")]
    NoMatch,
    #[error("the latest match is open in another Quadrille, and there is no other to resume")]
    InUse,
    #[error("{id}: unknown game {}", cut(.game))]
    UnknownGame { id: String, game: String },
    #[error("{id}")]
    Setup { id: String, source: SetupError },
}

/// Saves the matches in progress. Each match has its own journal, which stays open until the player leaves the match.
/// Only then does a finished match become a record, because the last move can be taken back until then.
pub struct MatchSaver {
    /// The journals of open matches, by session id.
    journals: HashMap<u64, Journal>,
    /// The file of `--record`, if the user also wants a record.
    own_record: Option<RecordFile>,
    /// The ids of the matches that were left since the last call of [`just_left`](MatchSaver::just_left).
    just_left: HashSet<String>,
    /// Whether a match was saved as a copy because another process has continued it.
    copied: bool,
    /// Progress events that could not be written yet.
    unwritten: Vec<Event>,
}

impl MatchSaver {
    /// Creates a saver. `own_record` is the user's own record for the first match.
    pub fn new(own_record: Option<RecordFile>) -> MatchSaver {
        let (journals, just_left, unwritten) = (HashMap::new(), HashSet::new(), Vec::new());
        MatchSaver { journals, own_record, just_left, copied: false, unwritten }
    }

    /// Opens the match store in the user's state folder. The folder may have been removed since the last call.
    #[allow(clippy::unused_self, reason = "only a saver may write to the store")]
    pub fn store(&self) -> Result<MatchStore, MatchSaverError> {
        Ok(MatchStore::open(&folders::state()?)?)
    }

    /// Returns the progress of all processes, including events not written yet.
    pub fn progress(&self) -> Result<Progress, MatchSaverError> {
        let mut progress = self.store()?.progress()?;
        for event in &self.unwritten {
            progress.add(event.clone());
        }
        Ok(progress)
    }

    /// Appends events to the progress file, including earlier events that could not be written. The next call retries
    /// after an error.
    pub fn append(&mut self, events: Vec<Event>) -> Result<(), MatchSaverError> {
        self.unwritten.extend(events);
        if !self.unwritten.is_empty() {
            self.store()?.append(&self.unwritten)?;
            self.unwritten.clear();
        }
        Ok(())
    }

    /// Returns the ids of the matches that were left since the last call.
    pub fn just_left(&mut self) -> HashSet<String> {
        std::mem::take(&mut self.just_left)
    }

    /// Finds the most recent match for which `can_open` holds, or the one before it if the most recent is open in
    /// another process. Returns its id, and a message that the user must see, a title and a text.
    pub fn latest(
        &self,
        can_open: impl Fn(&str) -> bool,
    ) -> Result<(String, Option<[String; 2]>), ResumeError> {
        let store = self.store()?;
        let journals = store.journals()?;
        let mut is_in_use = false;
        let latest = journals.iter().find_map(|journal| {
            let contents = store.read_or_archive(journal, &start);
            if contents.is_in_use && can_open(&journal.id) {
                return Some(journal.id.clone());
            }
            is_in_use |= contents.is_in_use;
            let unfinished = contents.unfinished.filter(|unfinished| !unfinished.is_over);
            unfinished.map(|unfinished| unfinished.id)
        });
        match latest {
            Some(id) => Ok((id, is_in_use.then(|| IN_USE.map(str::to_owned)))),
            None if is_in_use => Err(ResumeError::InUse),
            None => Err(ResumeError::NoMatch),
        }
    }

    /// Resumes a match. The text says which part of the match is lost, if any.
    pub fn resume(&mut self, id: &str) -> Result<(Table, Option<String>), ResumeError> {
        let store = self.store()?;
        let mut journal = store.resume(id)?;
        let head = journal.head().clone();
        let id = id.to_owned();
        let Some(entry) = catalogue::find(&head.game) else {
            return Err(ResumeError::UnknownGame { id, game: head.game });
        };
        let start =
            (entry.start)(&head.setup).map_err(|source| ResumeError::Setup { id, source })?;
        let conditions = self.conditions(&head);
        let mut session = Session::new(start, head.given_setup, conditions);
        let lost = journal.replay(&mut session);
        let mut table = self.with_journal(entry, session, journal);
        let has_programs = table.players().programs().next().is_some();
        table.may_start_programs = !has_programs;
        Ok((table, lost.err().map(|lost| lost.brief())))
    }

    /// Opens the match of a record to continue it. If the match is also an unfinished match here, it continues in its
    /// journal instead of becoming a second match. The record's moves have already been played.
    pub fn continue_record(&mut self, entry: &'static GameEntry, session: Session) -> Table {
        match self.unfinished_like(entry, &session) {
            Some((session, journal)) => self.with_journal(entry, session, journal),
            None => Table::at(entry, session),
        }
    }

    /// Returns the unfinished match with the setup, players and moves of `session`, and its journal. Returns `None` if
    /// there are no moves, and for matches with a clock: a record does not store the remaining time, so its clocks
    /// start full.
    fn unfinished_like(&self, entry: &GameEntry, session: &Session) -> Option<(Session, Journal)> {
        let (game, conditions) = (session.current_match(), session.conditions());
        if game.nodes() == 1 {
            return None;
        }
        let like = |head: &Head| {
            let names = session.players().names();
            (&*head.game, &head.setup, &head.names) == (entry.id, &game.setup(), &names)
                && (head.clock, conditions.clock) == (None, None)
        };
        let tree = |game: &Match| Record::of(game, &[], "").to_string();
        let store = self.store().ok()?;
        store.journals().ok()?.iter().find_map(|file| {
            let mut journal = store.resume(&file.id).ok().filter(|journal| like(journal.head()))?;
            let Head { setup, given_setup, .. } = journal.head().clone();
            let start = (entry.start)(&setup).ok()?;
            let mut session = Session::new(start, given_setup, conditions.clone());
            journal.replay(&mut session).ok()?;
            (tree(session.current_match()) == tree(game)).then_some((session, journal))
        })
    }

    /// Puts a match on a table that is saved in this journal from now on.
    fn with_journal(
        &mut self,
        entry: &'static GameEntry,
        session: Session,
        journal: Journal,
    ) -> Table {
        let mut table = Table::at(entry, session);
        table.saved.journal = Some(journal.id());
        self.journals.insert(table.session().id(), journal);
        table
    }

    /// Returns the players and the clock of an unfinished match. A program is accepted only if its command was entered
    /// on this machine before, because a journal may have a foreign origin.
    fn conditions(&self, head: &Head) -> Conditions {
        let commands = self.store().map(|store| store.commands()).unwrap_or_default();
        let mut conditions = head.conditions();
        for (player, name) in conditions.players.iter_mut().zip(&head.names) {
            if let Ok(Player::Program(program)) = name.parse()
                && commands.iter().any(|command| command == program.command())
            {
                *player = Player::Program(program);
            }
        }
        conditions
    }

    /// Saves a match to its journal and to the user's own record.
    pub fn save(&mut self, table: &mut Table) {
        self.save_to_journal(table);
        self.save_to_own_record(table);
    }

    /// Updates the journal of a match, or notes in the match why that failed. A match without a new step gets no
    /// journal. A guest's name is added to an existing journal even without a new step.
    pub fn save_to_journal(&mut self, table: &mut Table) {
        if !table.is_worth_keeping() {
            return;
        }
        let done = self.write_journal(table);
        self.write_help(table);
        table.saved.pause_not_in_journal &= done.is_err();
        table.saved.not_in_journal = done.err().map(|why| format!("not saved: {why}"));
        let journal = self.journals.get(&table.session().id());
        let journal = journal.filter(|_| table.current_match().outcome().is_some());
        table.saved.becomes =
            journal.map(|journal| Filed::from(&journal.to_record(table.session())));
    }

    fn write_journal(&mut self, table: &mut Table) -> Result<(), MatchSaverError> {
        let id = table.session().id();
        let journal = self.journal(table)?;
        let done = journal.record(table.session());
        match done {
            // The journal has lost moves. Write the whole match to a new journal, and leave this one unchanged.
            Err(why) if why.is_shortened() => {
                self.journals.remove(&id);
                table.saved.journal = None;
                self.journal(table)?.record(table.session())?;
            }
            // The folder was removed, or the journal was replaced by another file.
            Err(why) if why.is_gone() || why.is_replaced() => {
                if why.is_replaced() {
                    self.journals.remove(&id);
                }
                self.journal(table)?.record(table.session())?;
            }
            done => done?,
        }
        Ok(())
    }

    /// Records that a player used help in a match, if the match has a journal.
    fn write_help(&mut self, table: &mut Table) {
        if let (HelpNote::Missing, Some(id)) = (table.saved.help, table.saved.journal.clone()) {
            table.saved.help = HelpNote::Written;
            // The next call retries after an error, and the user is told on exit.
            let _ = self.append(vec![Event::Help { at: calendar::moment(), id }]);
        }
    }

    /// Updates the user's own record of this match, if there is one, or notes in the match why that failed.
    fn save_to_own_record(&mut self, table: &mut Table) {
        if let (Some(file), Some(_)) = (&mut self.own_record, &table.saved.record) {
            file.name_persons(table.players());
            let done = file.save(table.current_match()).map_err(|why| why.brief());
            table.saved.record = Some(done);
        }
    }

    /// Saves what could not be saved earlier. Returns the error for the user's own record, if any.
    pub fn catch_up<'m>(&mut self, unsaved: impl Iterator<Item = &'m mut Table>) -> Option<String> {
        for table in unsaved {
            self.save_to_journal(table);
        }
        self.own_record.as_mut()?.catch_up().err().map(|why| why.brief())
    }

    /// Closes the journals of all matches for which `is_open` returns false. The error says why a match cannot be found
    /// again: its file was removed and could not be rewritten.
    pub fn close_all_but(&mut self, is_open: impl Fn(u64) -> bool) -> Result<(), MatchSaverError> {
        let mut done = Ok(());
        for (_, mut journal) in self.journals.extract_if(|id, _| !is_open(*id)) {
            self.just_left.insert(journal.id());
            done = done.and(journal.put_back());
        }
        done.map_err(MatchSaverError::NotSaved)
    }

    /// Releases the journal of a match, so that another process can continue it. The next save reopens the journal
    /// here.
    pub fn release(&mut self, table: &Table) -> Result<(), MatchSaverError> {
        let journal = self.journals.remove(&table.session().id());
        journal.map_or(Ok(()), |mut journal| journal.put_back()).map_err(MatchSaverError::NotSaved)
    }

    /// Returns whether a match was saved as a copy since the last call, in which case the caller must tell the user.
    pub fn has_copied(&mut self) -> bool {
        std::mem::take(&mut self.copied)
    }

    /// Returns the journal of a match. Creates one if necessary.
    fn journal(&mut self, table: &mut Table) -> Result<&mut Journal, MatchSaverError> {
        let store = self.store()?;
        let session = table.session().id();
        let known = match (self.journals.remove(&session), &table.saved.journal) {
            (Some(journal), _) => Some(journal),
            (None, Some(id)) => match store.resume(id) {
                Ok(mut journal) => {
                    // Another process may have resumed the match in the meantime. If so, the journal belongs to that
                    // process.
                    let is_ours = journal.is_of(table.session());
                    self.copied |= !is_ours;
                    is_ours.then_some(journal)
                }
                Err(why) if why.is_gone() => None,
                Err(why) => return Err(why.into()),
            },
            (None, None) => None,
        };
        let journal = known.unwrap_or_else(|| {
            // Ignore errors: only suggestions on the setup screen are lost.
            let _ = table.players().name_used_alone().map(|name| store.remember_first_name(name));
            // After an error, the resumed match shows the program's name, but does not start it.
            let programs = table.players().programs();
            let commands: Vec<String> =
                programs.map(|program| program.command().to_owned()).collect();
            let _ = store.remember_commands(&commands);
            let date = calendar::today();
            store.begin(table.session(), &date)
        });
        table.saved.journal = Some(journal.id());
        Ok(self.journals.entry(session).insert_entry(journal).into_mut())
    }

    /// Saves what can still be saved before the process exits. Returns one line per lost match.
    pub fn save_at_exit<'m>(
        &mut self,
        unsaved: impl Iterator<Item = &'m mut Table>,
    ) -> Vec<String> {
        // Ignore errors: the callers have just updated all journals.
        let _ = self.close_all_but(|_| false);
        let mut lost = Vec::new();
        for table in unsaved {
            self.save_to_own_record(table);
            if table.saved.record != Some(Ok(())) {
                let why = table.saved.not_in_journal.as_ref();
                lost.extend(why.map(|why| format!("{}: {why}", in_a_line(table))));
            }
        }
        lost.extend(self.append(Vec::new()).err().map(|why| format!("not saved: {why}")));
        let file = self.own_record.as_mut().map(RecordFile::catch_up);
        lost.extend(file.and_then(Result::err).map(|why| why.to_string()));
        lost
    }

    /// Files a finished match of a shared table whose process saves it elsewhere, unless a process with the same state
    /// folder keeps it.
    pub fn file_copy(
        &self,
        session: &Session,
        id: Option<MatchId>,
        has_hints: bool,
    ) -> Result<(), MatchSaverError> {
        let date = calendar::today();
        let elsewhere = MatchElsewhere { session, id, has_hints, date: &date };
        Ok(self.store()?.file_copy(&elsewhere)?)
    }

    /// Saves what could not be saved earlier of the match of a shared table, and releases its journal. Returns a line if
    /// the match is lost.
    pub fn put_away(&mut self, table: &mut Table) -> Vec<String> {
        // The journal may have been removed since the last move.
        if table.saved.is_in_journal() || table.can_be_lost() {
            self.save_to_journal(table);
        }
        self.save_at_exit(Some(table).into_iter().filter(|table| table.can_be_lost()))
    }

    /// Closes the match of a shared table: like [`put_away`](MatchSaver::put_away), and files a finished match as a
    /// record.
    pub fn close(&mut self, table: &mut Table) -> Vec<String> {
        let lost = self.put_away(table);
        self.just_left().iter().for_each(|journal| self.file(journal));
        lost
    }

    /// Files a finished match as a record, also one that waited for its players. Ignores errors: the journal still
    /// exists then.
    pub fn file(&self, journal: &str) {
        if let Ok(store) = self.store() {
            store.archive(journal, &start);
        }
    }
}

fn start(head: &Head) -> Option<Session> {
    let game = (catalogue::find(&head.game)?.start)(&head.setup).ok()?;
    Some(Session::new(game, head.given_setup.clone(), head.conditions()))
}

/// Reads a match with days per move as its journal is now; `None` for other matches. Writes nothing.
pub fn view_with_days(state: &Path, id: &str) -> Result<Option<Session>, StoreError> {
    MatchStore::view(state, id, &start_with_days)
}

fn start_with_days(head: &Head) -> Option<Session> {
    head.clock.and_then(TimeControl::days)?;
    start(head)
}

/// Reads the record of a finished match with days per move that waits until its players have seen the end; `None` for
/// other journals.
pub fn unfiled(
    store: &MatchStore,
    journal: &StoredFile,
) -> Result<Option<(RecordEntry, Record)>, StoreError> {
    store.unfiled(journal, &start_with_days)
}

/// Reads a journal, and files a finished match without a record as one. Otherwise returns the match and the problem of
/// its journal; `None` if there is neither.
pub fn read_or_archive(store: &MatchStore, journal: &StoredFile) -> Option<JournalContents> {
    let contents = store.read_or_archive(journal, &start);
    let is_there = contents.unfinished.is_some() || contents.trouble.is_some();
    is_there.then_some(contents)
}

/// Formats a match as one line: the game, the names, the score, and the number of moves.
fn in_a_line(table: &Table) -> String {
    let names = display_names(&table.players().names());
    let names = names.iter().map(|name| cut(name)).collect::<Vec<_>>().join(" - ");
    let score = score(table.current_match()).map_or(String::new(), |score| format!(", {score}"));
    let ply = table.current_match().ply();
    let moves = counted(ply, "move", "moves");
    format!("{}, {names}{score}, {moves}", table.entry.name)
}

/// Formats player names from journals and records for display: a program is shown as its file name.
pub fn display_names(names: &[String]) -> Vec<String> {
    names.iter().map(|name| Player::display_name(name)).collect()
}
