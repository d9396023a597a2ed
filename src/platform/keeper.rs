//! Saving a match while it is played: to its journal, and to the user's own record. It knows no screen; what could not
//! be saved, and why, is noted in [`Table::saved`].

use super::calendar;
use super::folders::{self, NoHome};
use crate::catalogue::{self, GameEntry};
use crate::play::{HelpNote, Table};
use crate::session::{Conditions, Match, Player, Record, Session, score};
use crate::store::progress::{Event, Progress};
use crate::store::{
    Head, Journal, JournalContents, MatchStore, RecordFile, StoreError, StoredFile,
};
use crate::wording::counted;
use crate::wording::cut;
use anyhow::{Context, bail};
use std::collections::{HashMap, HashSet};

/// The title of the message that part of a match could not be read.
pub const LOST: &str = "Part of this match is lost";

/// The title and the text of the message that an earlier match is resumed, as the latest is in use.
const IN_USE: [&str; 2] = [
    "The latest match is already open",
    "another Quadrille has it open; this is the latest other match",
];

/// The title and the text of the message that a match was saved as a copy.
pub const COPIED: [&str; 2] = [
    "A match was saved as a copy",
    "It was also continued elsewhere while it could not be saved here, so there are now two matches.",
];

/// Why a match cannot be kept. As a text it is short enough for a line on the screen.
#[derive(Debug, thiserror::Error)]
pub enum KeeperError {
    #[error(transparent)]
    NoHome(#[from] NoHome),
    #[error("{}", .0.brief())]
    Store(StoreError),
    #[error("not saved: {}", .0.brief())]
    NotSaved(StoreError),
}

// Not by `#[from]`, which would make the error its own cause, and say it twice.
impl From<StoreError> for KeeperError {
    fn from(why: StoreError) -> KeeperError {
        KeeperError::Store(why)
    }
}

/// Saves the matches that are played. Each has its own journal, which stays open until the match is left. Only then
/// does a match that is over become a record: until then its last move can be taken back.
pub struct Keeper {
    /// The journals of the open matches, by the number of the session.
    journals: HashMap<u64, Journal>,
    /// The file of `--record`, where the user also wants a record of the match.
    own_record: Option<RecordFile>,
    /// The ids of the matches that were left since the last call of [`just_left`](Keeper::just_left).
    just_left: HashSet<String>,
    /// Whether another process has continued a match of ours, so that ours was saved as a copy.
    copied: bool,
    /// What was done and could not be written down yet.
    unwritten: Vec<Event>,
}

impl Keeper {
    /// `own_record` is the user's own record of the first match.
    pub fn new(own_record: Option<RecordFile>) -> Keeper {
        let (journals, just_left, unwritten) = (HashMap::new(), HashSet::new(), Vec::new());
        Keeper { journals, own_record, just_left, copied: false, unwritten }
    }

    /// The store of matches in the user's state folder. It is opened each time, as the folder may have been removed.
    #[allow(clippy::unused_self, reason = "only a keeper may write to the store")]
    pub fn store(&self) -> Result<MatchStore, KeeperError> {
        Ok(MatchStore::open(&folders::state()?)?)
    }

    /// What was done so far, here and elsewhere.
    pub fn progress(&self) -> Result<Progress, KeeperError> {
        let mut progress = self.store()?.progress()?;
        for event in &self.unwritten {
            progress.add(event.clone());
        }
        Ok(progress)
    }

    /// Writes down what was done, and what could not be written before. After an error it is tried again the next time.
    pub fn append(&mut self, events: Vec<Event>) -> Result<(), KeeperError> {
        self.unwritten.extend(events);
        if !self.unwritten.is_empty() {
            self.store()?.append(&self.unwritten)?;
            self.unwritten.clear();
        }
        Ok(())
    }

    /// The ids of the matches that were left since the last call.
    pub fn just_left(&mut self) -> HashSet<String> {
        std::mem::take(&mut self.just_left)
    }

    /// The match that was played last, to be resumed; if it is open elsewhere, the one before it. With messages that
    /// must not be missed, each a title and a text.
    pub fn latest(&mut self) -> anyhow::Result<(Table, Vec<[String; 2]>)> {
        let store = self.store()?;
        let journals = store.journals()?;
        let mut is_in_use = false;
        let latest = journals.iter().find_map(|journal| {
            let contents = store.look_and_file(journal, &start);
            is_in_use |= contents.is_in_use;
            contents.unfinished
        });
        let Some(latest) = latest else {
            if is_in_use {
                bail!(
                    "the latest match is open in another Quadrille, and there is no other to resume"
                );
            }
            bail!("there is no match to resume");
        };
        let (table, lost) = self.resume(&latest.id)?;
        let mut messages = Vec::new();
        messages.extend(is_in_use.then(|| IN_USE.map(str::to_owned)));
        messages.extend(lost.map(|lost| [LOST.to_owned(), lost]));
        Ok((table, messages))
    }

    /// Opens a match to resume it. The text says what part of it is lost, if any.
    pub fn resume(&mut self, id: &str) -> anyhow::Result<(Table, Option<String>)> {
        let store = self.store()?;
        let mut journal = store.resume(id)?;
        let head = journal.head().clone();
        let entry = catalogue::find(&head.game)
            .with_context(|| format!("{id}: unknown game {}", cut(&head.game)))?;
        let start = (entry.start)(&head.setup).with_context(|| id.to_owned())?;
        let conditions = self.conditions(&head);
        let mut session = Session::new(start, head.given_setup, conditions);
        let lost = journal.replay(&mut session);
        let mut table = self.with_journal(entry, session, journal);
        let has_programs = table.players().programs().next().is_some();
        table.may_start_programs = !has_programs;
        Ok((table, lost.err().map(|lost| lost.brief())))
    }

    /// The match of a record that is continued. If it is also an unfinished match here, it goes on in its journal and
    /// does not become a second one. The moves of the record have been played.
    pub fn continue_record(&mut self, entry: &'static GameEntry, session: Session) -> Table {
        match self.unfinished_like(entry, &session) {
            Some((session, journal)) => self.with_journal(entry, session, journal),
            None => Table::at(entry, session),
        }
    }

    /// The unfinished match with the same setup, players and moves as this one, and its journal. A match without moves
    /// has none; nor has one with a clock: a record does not hold the time that is left, so the clocks are full again.
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

    /// Puts a match on a table. From now on it is saved in this journal.
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

    /// Who plays an unfinished match, and with which clock. A program is only taken if its command was typed on this
    /// machine before: a journal may come from anywhere.
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

    /// Brings the journal of a match up to date, or notes in the match why not. A match in which nothing new has
    /// happened gets no journal. The name of a guest goes into a journal that is there, even if no step is new.
    pub fn save_to_journal(&mut self, table: &mut Table) {
        if !table.is_worth_keeping() {
            return;
        }
        let done = self.write_journal(table);
        self.write_help(table);
        table.saved.pause_not_in_journal &= done.is_err();
        table.saved.not_in_journal = done.err().map(|why| format!("not saved: {why}"));
    }

    fn write_journal(&mut self, table: &mut Table) -> Result<(), KeeperError> {
        let id = table.session().id();
        let journal = self.journal(table)?;
        let done = journal.record(table.session());
        match done {
            // The journal has lost moves. The whole match goes to a new journal, and this one stays as it is.
            Err(why) if why.is_shortened() => {
                self.journals.remove(&id);
                table.saved.journal = None;
                self.journal(table)?.record(table.session())?;
            }
            // The folder was removed, or another file was put where the journal was.
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

    /// Notes that a player was helped in a match, once it has a journal.
    fn write_help(&mut self, table: &mut Table) {
        if let (HelpNote::Missing, Some(id)) = (table.saved.help, table.saved.journal.clone()) {
            table.saved.help = HelpNote::Written;
            // After an error it is tried again, and in the end the user is told.
            let _ = self.append(vec![Event::Help { at: calendar::moment(), id }]);
        }
    }

    /// Brings the user's own record up to date, if this match has one, or notes in the match why not.
    fn save_to_own_record(&mut self, table: &mut Table) {
        if let (Some(file), Some(_)) = (&mut self.own_record, &table.saved.record) {
            file.name_persons(table.players());
            let done = file.save(table.current_match()).map_err(|why| why.brief());
            table.saved.record = Some(done);
        }
    }

    /// Saves what could not be saved before. Returns what is wrong with the user's own record, if anything is.
    pub fn catch_up<'m>(&mut self, unsaved: impl Iterator<Item = &'m mut Table>) -> Option<String> {
        for table in unsaved {
            self.save_to_journal(table);
        }
        self.own_record.as_mut()?.catch_up().err().map(|why| why.brief())
    }

    /// Closes the journals of all matches but those whose session `is_open`. An error says why one of them will not be
    /// found again: its file was removed, and could not be written anew.
    pub fn close_all_but(&mut self, is_open: impl Fn(u64) -> bool) -> Result<(), KeeperError> {
        let mut done = Ok(());
        for (_, mut journal) in self.journals.extract_if(|id, _| !is_open(*id)) {
            self.just_left.insert(journal.id());
            done = done.and(journal.put_back());
        }
        done.map_err(KeeperError::NotSaved)
    }

    /// Lets go of the journal of a match, so that another process can go on with it. Here it is resumed when the match is
    /// saved again.
    pub fn release(&mut self, table: &Table) -> Result<(), KeeperError> {
        let journal = self.journals.remove(&table.session().id());
        journal.map_or(Ok(()), |mut journal| journal.put_back()).map_err(KeeperError::NotSaved)
    }

    /// Whether a match was saved as a copy since the last call. The caller has to tell the user.
    pub fn has_copied(&mut self) -> bool {
        std::mem::take(&mut self.copied)
    }

    /// The journal of a match. A match without one gets a new one.
    fn journal(&mut self, table: &mut Table) -> Result<&mut Journal, KeeperError> {
        let store = self.store()?;
        let session = table.session().id();
        let known = match (self.journals.remove(&session), &table.saved.journal) {
            (Some(journal), _) => Some(journal),
            (None, Some(id)) => match store.resume(id) {
                Ok(mut journal) => {
                    // Another process may have resumed the match meanwhile. Then the journal belongs to that one.
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
            let named = table.players().given_names();
            // An error does not matter: the setup screen does not offer these names then, and nothing else is lost.
            let _ = store.remember(&named);
            // If this fails, the resumed match shows the name of the program, but does not start it.
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

    /// Saves what can still be saved before the process ends. Returns a line for each match that is lost.
    pub fn save_at_exit<'m>(
        &mut self,
        unsaved: impl Iterator<Item = &'m mut Table>,
    ) -> Vec<String> {
        // The error may be dropped: the callers have just brought all journals up to date.
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

    /// Closes the match of a shared table. What could not be saved before is saved now, and a
    /// match that is over becomes a record. Returns a line if it is lost.
    pub fn close(&mut self, table: &mut Table) -> Vec<String> {
        // Its journal may have been removed since its last move.
        if table.saved.is_in_journal() || table.can_be_lost() {
            self.save_to_journal(table);
        }
        let lost = self.save_at_exit(Some(table).into_iter().filter(|table| table.can_be_lost()));
        let just_left = self.just_left();
        if let Ok(store) = self.store()
            && let Ok(journals) = store.journals()
        {
            for journal in journals.iter().filter(|journal| just_left.contains(&journal.id)) {
                look_and_file(&store, journal);
            }
        }
        lost
    }
}

/// Starts the match of a journal.
fn start(head: &Head) -> Option<Session> {
    let game = (catalogue::find(&head.game)?.start)(&head.setup).ok()?;
    Some(Session::new(game, head.given_setup.clone(), head.conditions()))
}

/// Looks into a journal. A match that is over, but is no record yet, becomes one. Otherwise this returns the match and
/// what is wrong with its journal; `None` if there is nothing to tell.
pub fn look_and_file(store: &MatchStore, journal: &StoredFile) -> Option<JournalContents> {
    let contents = store.look_and_file(journal, &start);
    let is_there = contents.unfinished.is_some() || contents.trouble.is_some();
    is_there.then_some(contents)
}

/// A match in a line: the game, the names, the score, and how many moves were played.
fn in_a_line(table: &Table) -> String {
    let names = called(&table.players().names());
    let names = names.iter().map(|name| cut(name)).collect::<Vec<_>>().join(" - ");
    let score = score(table.current_match()).map_or(String::new(), |score| format!(", {score}"));
    let ply = table.current_match().ply();
    let moves = counted(ply, "move", "moves");
    format!("{}, {names}{score}, {moves}", table.entry.name)
}

/// The names of players, from journals and records, as people read them: a program by its file.
pub fn called(names: &[String]) -> Vec<String> {
    names.iter().map(|name| Player::called(name)).collect()
}
