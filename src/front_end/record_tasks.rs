//! The records on disk, for the screens that list them. Large libraries are read in batches.

use super::replay;
use crate::app::{App, CountedRecords, RecordSummary, RecordTask};
use anyhow::anyhow;
use quadrille_match::batch_loader::BatchLoader;
use quadrille_match::session::{Player, Record, Termination, result};
use quadrille_match::store::progress::Progress;
use quadrille_match::store::{MatchStore, RecordEntry, StoreError, StoredFile};
use quadrille_rules::Seat;
use quadrille_table::match_saver::{self, MatchSaverError};
use quadrille_table::old_records;
use quadrille_table::record_reader::PlayedRecord;
use std::collections::HashSet;
use std::path::{Path, absolute};

/// The records of the library that were read so far.
#[derive(Default)]
pub struct RecordTasks {
    /// The list entry of each record, or the error for its file.
    records: BatchLoader<Result<RecordEntry, String>>,
    counting: BatchLoader<Counted>,
}

enum Counted {
    /// A valid record: its entry with the result of its moves, and the identity of the match. Records with the same
    /// identity are copies.
    Sound(Box<RecordEntry>, String),
    /// The moves are illegal or lead to a different result.
    Unsound,
}

impl RecordTasks {
    pub fn perform(
        &mut self,
        store: &MatchStore,
        task: RecordTask,
        app: &mut App,
    ) -> anyhow::Result<()> {
        match task {
            RecordTask::List => {
                match store.records() {
                    Ok(files) => self.records.renew(files),
                    Err(why) => app.records(&[], &[why.brief()]),
                }
                self.list(store, app);
            }
            RecordTask::Read(ref id) | RecordTask::Mistakes(ref id) => {
                let stored = store.read(id).map_err(MatchSaverError::from)?;
                let played = PlayedRecord::of(&stored);
                let played =
                    played.map_err(|why| anyhow!("{:#} ({id})", anyhow::Error::from(why)))?;
                let filed = played.filed.clone();
                let (record, contradiction) = replay::open(played);
                match task {
                    RecordTask::Mistakes(_) => app.open_mistakes(&record),
                    _ => app.open_replay(record.filed_as(filed)),
                }
                replay::warn(app, contradiction);
            }
            RecordTask::Count(ids) => {
                let files = match ids {
                    None => finished(store),
                    Some(ids) => store.records().map(|mut files| {
                        let ids: HashSet<String> = ids.into_iter().collect();
                        files.retain(|file| ids.contains(&file.id));
                        files
                    }),
                };
                self.counting.renew(files.map_err(MatchSaverError::from)?);
                self.count(store, app);
            }
            RecordTask::Rename { id, to } => {
                let new = store.rename(&id, &to).map_err(MatchSaverError::from)?;
                app.renamed(&id, &new);
                app.show_message(&format!("renamed to {new}"));
            }
            RecordTask::Delete(id) => {
                store.delete(&id).map_err(MatchSaverError::from)?;
                app.show_message(&format!("deleted {id}"));
            }
            RecordTask::Export { id, to } => {
                store.export(&id, Path::new(&to)).map_err(MatchSaverError::from)?;
                let path = absolute(&to).unwrap_or_else(|_| to.into());
                app.show_message(&format!("written to {}", path.display()));
            }
        }
        Ok(())
    }

    pub fn has_work(&self) -> bool {
        self.records.has_more() || self.counting.has_more()
    }

    /// Does one piece of the work. Returns whether the app was notified.
    pub fn work(&mut self, store: &MatchStore, app: &mut App) -> bool {
        if self.records.has_more() { self.list(store, app) } else { self.count(store, app) }
    }

    fn list(&mut self, store: &MatchStore, app: &mut App) -> bool {
        let worth_showing = self.records.go_on(|file| match store.entry(file) {
            Err(why) if why.is_gone() => None,
            entry => Some(entry.map_err(|why| why.brief())),
        });
        if worth_showing {
            let (mut entries, mut damaged) = (Vec::new(), Vec::new());
            for (_, found) in self.records.found() {
                match found {
                    Ok(entry) => entries.push(entry),
                    Err(why) => damaged.push(why.clone()),
                }
            }
            entries.sort_by(|a, b| RecordEntry::latest_first(a, b));
            damaged.sort();
            let records: Vec<RecordSummary> = entries.into_iter().map(summary).collect();
            app.records(&records, &damaged);
        }
        worth_showing
    }

    fn count(&mut self, store: &MatchStore, app: &mut App) -> bool {
        let worth_showing = self.counting.go_on(|file| Counted::read(store, file));
        if !worth_showing {
            return false;
        }
        let found = self.counting.found().map(|(_, found)| found);
        let counted = CountedRecords {
            remaining: self.counting.remaining(),
            ..add_up(found, app.progress(), &app.usual_name())
        };
        // `counted` is false if the user has left the table.
        if !app.counted(&counted) {
            self.counting = BatchLoader::default();
        }
        true
    }
}

/// Lists the files that may have results: the records, and the journals, which have the matches that are over but wait for
/// a player to see the end. Results that were filed in the meantime count once.
fn finished(store: &MatchStore) -> Result<Vec<StoredFile>, StoreError> {
    let journals = store.journals()?;
    Ok(store.records()?.into_iter().chain(journals).collect())
}

/// Counts all finished matches of the store, for the user with this progress and name.
pub fn count_all(
    store: &MatchStore,
    progress: &Progress,
    usual_name: &str,
) -> Result<CountedRecords, StoreError> {
    let files = finished(store)?;
    let counted: Vec<Counted> =
        files.iter().filter_map(|file| Counted::read(store, file)).collect();
    Ok(add_up(&counted, progress, usual_name))
}

fn add_up<'c>(
    found: impl IntoIterator<Item = &'c Counted>,
    progress: &Progress,
    usual_name: &str,
) -> CountedRecords {
    let (mut counted, mut known) = (CountedRecords::default(), HashSet::new());
    for found in found {
        match found {
            Counted::Unsound => counted.unsound += 1,
            Counted::Sound(entry, identity) if known.insert(identity) => {
                let fingerprint = old_records::fingerprint(identity);
                let is_earlier = progress.leaves_out(&entry.date, &fingerprint);
                let of = if is_earlier { &mut counted.earlier } else { &mut counted.records };
                of.push(with_usual_name(summary(entry), &entry.names, usual_name));
                counted.fingerprints.insert(fingerprint);
            }
            Counted::Sound(..) => counted.copies += 1,
        }
    }
    counted
}

impl Counted {
    /// Returns `None` if the file cannot be read, or is the journal of a match that goes on.
    fn read(store: &MatchStore, file: &StoredFile) -> Option<Counted> {
        let (entry, record) = if store.is_journal(file) {
            match_saver::unfiled(store, file).ok()??
        } else {
            (store.entry(file).ok()?, store.read(&file.id).ok()?)
        };
        Some(Counted::of(&entry, &record))
    }

    fn of(entry: &RecordEntry, record: &Record) -> Counted {
        match PlayedRecord::of(record).map(|played| result(&played.game)) {
            Ok(result) if entry.result.is_empty() || entry.result == result => {
                let identity = old_records::identity_with_ending(record);
                let entry = RecordEntry { result, ..entry.clone() };
                Counted::Sound(Box::new(entry), identity)
            }
            _ => Counted::Unsound,
        }
    }
}

fn summary(entry: &RecordEntry) -> RecordSummary {
    RecordSummary {
        id: entry.id.clone(),
        game: entry.game.clone(),
        names: entry.names.iter().map(|name| Player::display_name(name)).collect(),
        result: short_result(entry),
        termination: entry.termination.clone(),
        date: entry.date.clone(),
        plies: entry.length,
    }
}

/// Gives the usual name to the only person of a record from a build that called an unnamed person `Player 1`.
fn with_usual_name(mut summary: RecordSummary, names: &[String], usual: &str) -> RecordSummary {
    let is_person = |name: &String| matches!(name.parse(), Ok(Player::Person(_)));
    let mut people = names.iter().enumerate().filter(|(_, name)| is_person(name));
    if let (Some((index, name)), None) = (people.next(), people.next())
        && Player::is_placeholder(name)
        && !usual.is_empty()
    {
        usual.clone_into(&mut summary.names[index]);
    }
    summary
}

/// Returns the result of a record, and how the match ended if not by the rules. With two seats, a loss outside the
/// rules is shown as `0-1` or `1-0`, whatever the points.
pub fn short_result(entry: &RecordEntry) -> String {
    let Some(how) = &entry.termination else { return entry.result.clone() };
    let result = match (how.loser(), entry.names.len()) {
        (Some(Seat::FIRST), ..=2) => "0-1",
        (Some(_), ..=2) => "1-0",
        _ => &entry.result,
    };
    let word = match how {
        Termination::Agreed => "agreed",
        Termination::Resigned(_) => "resigned",
        Termination::Time(_) => "on time",
        Termination::Forfeit(..) => "forfeit",
        Termination::Repetition => "repetition",
        Termination::Limit => "limit",
    };
    format!("{result}, {word}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{DiskTask, Task};
    use crate::board::Skin;
    use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
    use std::fs;

    const MANY: usize = 200;

    /// Creates a library of many records, half of them copies, and an app that shows its list.
    fn library() -> (tempfile::TempDir, MatchStore, RecordTasks, App) {
        let folder = tempfile::tempdir().unwrap();
        let store = MatchStore::open(folder.path()).unwrap();
        for number in 0..MANY {
            let day = number / 2;
            let text = format!(
                "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n[Date \"{day:03}\"]\n[Seat1 \"Ann\"]\n\
                 [Seat2 \"Bob\"]\n[Result \"1-0\"]\n\na1 b1 a2 b2 a3\n"
            );
            fs::write(folder.path().join(format!("records/{number}.game")), text).unwrap();
        }
        let mut app = App::new(Skin::default(), 1);
        // The last entries are the records, the statistics, the rules and the settings.
        let tasks = press(&mut app, &[KeyCode::End, KeyCode::Left, KeyCode::Left, KeyCode::Left]);
        assert_eq!(tasks, []);
        let tasks = press(&mut app, &[KeyCode::Enter]);
        let mut record_tasks = RecordTasks::default();
        for task in tasks {
            record_tasks.perform(&store, task, &mut app).unwrap();
        }
        (folder, store, record_tasks, app)
    }

    fn press(app: &mut App, keys: &[KeyCode]) -> Vec<RecordTask> {
        let events = keys.iter().map(|key| Event::Key(KeyEvent::new(*key, KeyModifiers::NONE)));
        let tasks = events.flat_map(|event| app.update(&event).unwrap_or_default());
        tasks
            .map(|task| match task {
                Task::Disk(DiskTask::Records(task)) => task,
                task => panic!("{task:?}"),
            })
            .collect()
    }

    #[test]
    fn person_alone_in_an_old_record_has_the_usual_name() {
        let named = |names: [&str; 2]| {
            let names = names.map(str::to_owned).to_vec();
            let summary = RecordSummary {
                id: String::new(),
                game: "quixo".to_owned(),
                names: names.iter().map(|name| Player::display_name(name)).collect(),
                result: "1-0".to_owned(),
                termination: None,
                date: String::new(),
                plies: 9,
            };
            with_usual_name(summary, &names, "Ann").names
        };
        assert_eq!(named(["Player 1", "engine:casual"]), ["Ann", "Casual"]);
        assert_eq!(named(["engine:casual", "Player 1"]), ["Casual", "Ann"]);
        assert_eq!(named(["Player 1", "Player 2"]), ["Player 1", "Player 2"], "two people");
        assert_eq!(named(["Bob", "engine:casual"]), ["Bob", "Casual"]);
    }

    /// Does all the work. Returns the number of pieces and the number of notifications to the app.
    fn work(record_tasks: &mut RecordTasks, store: &MatchStore, app: &mut App) -> (usize, usize) {
        let (mut pieces, mut told) = (0, 0);
        while record_tasks.has_work() {
            pieces += 1;
            told += usize::from(record_tasks.work(store, app));
        }
        (pieces, told)
    }

    #[test]
    fn records_are_listed_and_counted_in_batches() {
        let (_folder, store, mut record_tasks, mut app) = library();
        // The first piece was already done.
        let pieces = MANY.div_ceil(16) - 1;
        assert_eq!(work(&mut record_tasks, &store, &mut app), (pieces, 4));
        let [RecordTask::Count(None)] = &press(&mut app, &[KeyCode::Char('t')])[..] else {
            panic!()
        };
        record_tasks.perform(&store, RecordTask::Count(None), &mut app).unwrap();
        let (_, told) = work(&mut record_tasks, &store, &mut app);
        assert!(told <= 4, "{told}");
        let counted = record_tasks.counting.found();
        let sound = counted.filter(|(_, found)| matches!(found, Counted::Sound(..)));
        assert_eq!(sound.count(), MANY);
        // Unchanged files are not reread.
        record_tasks.perform(&store, RecordTask::List, &mut app).unwrap();
        assert!(!record_tasks.has_work());
    }

    #[test]
    fn equal_moves_with_different_endings_are_not_duplicates() {
        let (folder, store, mut record_tasks, mut app) = library();
        for (name, end) in
            [("a", "agreed"), ("b", "resigned: 1"), ("c", "resigned: 2"), ("d", "agreed")]
        {
            let text = format!(
                "[Game \"quixo\"]\n[Setup \"\"]\n[Seat1 \"Ann\"]\n[Seat2 \"Bob\"]\n\
                 [Termination \"{end}\"]\n\nA1-A5\n"
            );
            fs::write(folder.path().join(format!("records/{name}.game")), text).unwrap();
        }
        record_tasks.perform(&store, RecordTask::List, &mut app).unwrap();
        work(&mut record_tasks, &store, &mut app);
        let [RecordTask::Count(_)] = &press(&mut app, &[KeyCode::Char('t')])[..] else { panic!() };
        let ids = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        record_tasks.perform(&store, RecordTask::Count(Some(ids)), &mut app).unwrap();
        let identities = record_tasks.counting.found().filter_map(|(_, found)| match found {
            Counted::Sound(_, identity) => Some(identity),
            Counted::Unsound => None,
        });
        let identities: Vec<&String> = identities.collect();
        let different: HashSet<&&String> = identities.iter().collect();
        assert_eq!((identities.len(), different.len()), (4, 3));
    }

    #[test]
    fn counting_stops_on_leaving_the_table() {
        let (_folder, store, mut record_tasks, mut app) = library();
        work(&mut record_tasks, &store, &mut app);
        for task in press(&mut app, &[KeyCode::Char('t')]) {
            record_tasks.perform(&store, task, &mut app).unwrap();
        }
        assert!(record_tasks.has_work());
        press(&mut app, &[KeyCode::Esc]);
        let (pieces, _) = work(&mut record_tasks, &store, &mut app);
        assert!(pieces < 4, "{pieces}");
    }
}
