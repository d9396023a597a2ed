//! Does on disk what the screens ask for: matches are written down move by move.

use super::config_file::ConfigFile;
use super::display_args::Looks;
use super::listing::Listing;
use super::record_tasks::RecordTasks;
use super::{folders, plain};
use crate::app::runtime::{self, Ending, Host};
use crate::app::{App, DiskTask, OpenMatch, SavedMatch};
use crate::catalogue;
use crate::engine::DiskTableCache;
use crate::printable::printable;
use crate::rules::cut;
use crate::search::{NoTableCache, TableCache};
use crate::session::{
    AnySession, Head, Journal, Look, MatchStore, Player, RecordFile, Resumable, StoreError,
    StoredFile, score,
};
use anyhow::{Context, bail};
use jiff::Zoned;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::io::{Write, stderr};
use std::rc::Rc;
use std::sync::Arc;

/// Runs the screens to their end, with a record of the user's own for the match they begin with.
pub(super) fn run(mut app: App, disk_host: &mut DiskHost) -> anyhow::Result<()> {
    // Nothing waits for it: the matches that can be resumed are told piece by piece.
    if let Some(why) = disk_host.list() {
        app.said(&why.brief());
    }
    if !disk_host.left.has_more() {
        disk_host.tell_more(&mut app);
    }
    if let Ok(store) = &disk_host.store {
        app.remember(store.setups());
    }
    if let Some(warning) = disk_host.config.warning() {
        app.warn("Settings", &warning);
    }
    let ending = runtime::run(&mut app, disk_host).context("terminal");
    for lost in disk_host.put_away(&mut app) {
        // A terminal that has gone cannot be told.
        let _ = writeln!(stderr(), "{}", printable(&lost));
    }
    match ending? {
        Ending::Gone => bail!("the terminal has gone"),
        ending => Ok(ending.pass_on()?),
    }
}

/// What a message is called that says what could not be read of a match.
pub(super) const LOST: &str = "Part of this match is lost";

/// Who keeps the books.
pub(super) struct DiskHost {
    /// Where matches are kept, or why nowhere.
    store: Result<MatchStore, String>,
    /// The journal of the match on the screen.
    journal: Option<Journal>,
    /// The record that the user asked for.
    pub file: Option<RecordFile>,
    /// What is known of the matches that can be resumed.
    left: Listing<Look>,
    /// The ids of those that were played since they were listed.
    played: HashSet<String>,
    record_tasks: RecordTasks,
    /// Whether a match was played on elsewhere, and so was saved as another one.
    copied: bool,
    config: Rc<ConfigFile>,
    has_mouse: bool,
}

impl DiskHost {
    /// With the store in the user's state folder, for these looks.
    pub fn new(looks: &Looks) -> DiskHost {
        DiskHost {
            store: open_store(),
            journal: None,
            file: None,
            left: Listing::default(),
            played: HashSet::new(),
            record_tasks: RecordTasks::default(),
            copied: false,
            config: Rc::clone(&looks.config),
            has_mouse: looks.settings.mouse,
        }
    }

    /// The match that was left last, to be resumed; the sentence says what of it is lost.
    pub fn latest(&mut self) -> anyhow::Result<(OpenMatch, Option<String>)> {
        let store = self.store.as_ref().map_err(|why| anyhow::anyhow!("{why}"))?;
        let journals = store.journals()?;
        let latest = journals.iter().find_map(|journal| store.look(journal, &start).unfinished);
        let Some(latest) = latest else { bail!("there is no match to go on with") };
        self.take_up(&latest.id)
    }

    /// Takes a match up again; the sentence says what of it is lost.
    fn take_up(&mut self, id: &str) -> anyhow::Result<(OpenMatch, Option<String>)> {
        let store = self.store.as_ref().map_err(|why| anyhow::anyhow!("{why}"))?;
        let mut journal = store.resume(id)?;
        let head = journal.head().clone();
        let entry = catalogue::find(&head.game)
            .with_context(|| format!("{id}: there is no game {}", cut(&head.game)))?;
        let viewer = (entry.open)(&head.setup).with_context(|| id.to_owned())?;
        let mut table = viewer.into_table(head.words, &head.names);
        let mut lost = None;
        table.with_session(&mut |session| lost = journal.replay(session).err());
        table.point_near_last();
        let mut open_match = OpenMatch::at(entry, table);
        open_match.saved.journal = Some(journal.id());
        self.journal = Some(journal);
        Ok((open_match, lost.map(|lost| lost.brief())))
    }

    /// Writes the match on the screen down, in its journal and in the user's own record.
    fn save(&mut self, app: &mut App) {
        let Some(open_match) = app.open_match_mut() else { return };
        self.write_down(open_match);
        self.write_to_file(open_match);
        self.tell_of_a_copy(app);
    }

    /// Brings the journal of a match up to date, or says in the match why not.
    fn write_down(&mut self, open_match: &mut OpenMatch) {
        let done = self.record(open_match);
        open_match.saved.not_in_journal = done.err().map(|why| format!("not saved: {why}"));
    }

    fn record(&mut self, open_match: &mut OpenMatch) -> Result<(), String> {
        let journal = self.journal(open_match)?;
        let done = match journal.record(open_match.table.session()) {
            // The whole match goes to a journal of another name, and what is left of this one stays.
            Err(why) if why.is_shortened() => {
                (self.journal, open_match.saved.journal) = (None, None);
                self.journal(open_match)?.record(open_match.table.session())
            }
            // The folder was removed, or another file was put where the journal was.
            Err(why) if why.is_gone() || why.is_replaced() => {
                self.journal = self.journal.take().filter(|_| why.is_gone());
                self.store = open_store();
                self.journal(open_match)?.record(open_match.table.session())
            }
            done => done,
        };
        done.map_err(|why| why.brief())
    }

    /// Brings the user's own record up to date, if one is kept of this match, or says in the match why
    /// not.
    fn write_to_file(&mut self, open_match: &mut OpenMatch) {
        if let (Some(file), Some(_)) = (&mut self.file, &open_match.saved.record) {
            let done = file.save(open_match.game()).map_err(|why| why.brief());
            open_match.saved.record = Some(done);
        }
    }

    /// Writes down what could not be before.
    fn catch_up(&mut self, app: &mut App) {
        for open_match in app.unsaved_mut() {
            self.write_down(open_match);
        }
        self.journal = None;
        if let Some(Err(why)) = self.file.as_mut().map(RecordFile::catch_up) {
            app.said(&why.brief());
        }
        self.tell_of_a_copy(app);
    }

    /// Lets the journal go, or says why the match it is of will not be found.
    fn let_go(&mut self) -> Result<(), String> {
        let Some(mut journal) = self.journal.take() else { return Ok(()) };
        journal.put_back().map_err(|why| format!("not saved: {}", why.brief()))
    }

    /// Says so if a match is there twice now.
    fn tell_of_a_copy(&mut self, app: &mut App) {
        if std::mem::take(&mut self.copied) {
            app.warn(
                "A match is there twice",
                "It was played on elsewhere while it could not be saved. It is saved as another match.",
            );
        }
    }

    /// The journal of a match, a new one if it has none yet.
    fn journal(&mut self, open_match: &mut OpenMatch) -> Result<&mut Journal, String> {
        if self.store.is_err() {
            self.store = open_store();
        }
        let store = self.store.as_ref().map_err(Clone::clone)?;
        let open = self.journal.take();
        let known = match (&open_match.saved.journal, open) {
            (Some(id), Some(journal)) if journal.id() == *id => Some(journal),
            (Some(id), _) => match store.resume(id) {
                Ok(mut journal) => {
                    // While the match was away it may have been played on elsewhere: then that
                    // journal is theirs.
                    let is_ours = journal.is_of(open_match.table.session());
                    self.copied = !is_ours;
                    is_ours.then_some(journal)
                }
                Err(why) if why.is_gone() => None,
                Err(why) => return Err(why.brief()),
            },
            (None, _) => None,
        };
        let journal = known.unwrap_or_else(|| {
            let named = open_match.players().given_names();
            // Names not remembered are no loss worth a word.
            let _ = store.remember(&named);
            let date = Zoned::now().date().to_string();
            store.begin(open_match.table.session(), &date)
        });
        open_match.saved.journal = Some(journal.id());
        self.played.insert(journal.id());
        Ok(self.journal.insert(journal))
    }

    /// Lets the journal go; the store makes a record of a match that is over in it. A line for each
    /// match that is lost.
    fn put_away(&mut self, app: &mut App) -> Vec<String> {
        self.catch_up(app);
        // The match on the screen too: its journal may have been removed since its last move.
        if let Some(open_match) =
            app.open_match_mut().filter(|open_match| open_match.saved.is_in_journal())
        {
            self.write_down(open_match);
        }
        self.journal = None;
        let mut lost = Vec::new();
        for open_match in app.unsaved_mut() {
            self.write_to_file(open_match);
            if open_match.saved.record != Some(Ok(())) {
                let why = open_match.saved.not_in_journal.as_ref();
                lost.extend(why.map(|why| format!("{}: {why}", in_a_line(open_match))));
            }
        }
        let file = self.file.as_mut().map(RecordFile::catch_up);
        lost.extend(file.and_then(Result::err).map(|why| why.to_string()));
        self.list();
        lost
    }

    /// Looks which matches there are, and at those that were played: of one that is over a record is
    /// made. Gives back what is wrong with the folder.
    fn list(&mut self) -> Option<StoreError> {
        // The folder may have been removed.
        self.store = open_store();
        let store = self.store.as_ref().ok()?;
        let played = std::mem::take(&mut self.played);
        match store.journals() {
            Ok(journals) => {
                self.left.renew(journals);
                self.left.look_at(|journal| played.contains(&journal.id), |it| look(store, it));
                None
            }
            Err(why) => Some(why),
        }
    }

    fn tell_what_is_left(&mut self, app: &mut App) {
        if let Some(why) = self.list() {
            app.said(&why.brief());
        }
        self.tell_more(app);
    }

    /// Looks at some matches more, and tells of all; whether it did.
    fn tell_more(&mut self, app: &mut App) -> bool {
        let Ok(store) = &self.store else { return false };
        if !self.left.go_on(|journal| look(store, journal)) {
            return false;
        }
        let (unfinished, damaged): (Vec<_>, Vec<_>) =
            self.left.found().map(|(_, look)| (&look.unfinished, &look.trouble)).unzip();
        app.left(saved_matches(unfinished.into_iter().flatten()), store.names());
        let mut damaged: Vec<String> =
            damaged.into_iter().flatten().map(StoreError::brief).collect();
        damaged.sort();
        if let Some(first) = damaged.first().filter(|_| !self.left.has_more()) {
            let more = match damaged.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            app.said(&format!("{first}{more}"));
        }
        true
    }

    fn discard(&mut self, id: &str, app: &mut App) {
        let Ok(store) = &self.store else { return };
        let done = store.discard(id);
        self.tell_what_is_left(app);
        if let Err(why) = done {
            app.said(&why.brief());
        }
    }

    fn resume(&mut self, id: &str, app: &mut App) {
        match self.take_up(id) {
            Ok((open_match, lost)) => {
                app.begin(open_match);
                if let Some(lost) = lost {
                    app.warn(LOST, &lost);
                }
            }
            Err(why) => {
                self.left.forget(id);
                self.tell_what_is_left(app);
                app.said(&plain(&why));
            }
        }
    }
}

impl Host for DiskHost {
    fn has_mouse(&self) -> bool {
        self.has_mouse
    }

    fn has_work(&self) -> bool {
        self.store.is_ok() && (self.left.has_more() || self.record_tasks.has_work())
    }

    fn work(&mut self, app: &mut App) -> bool {
        if self.left.has_more() {
            return self.tell_more(app);
        }
        self.store.as_ref().is_ok_and(|store| self.record_tasks.work(store, app))
    }

    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        match folders::cache() {
            Some(folder) => Arc::new(DiskTableCache::new(&folder)),
            None => Arc::new(NoTableCache),
        }
    }

    fn perform(&mut self, task: DiskTask, app: &mut App) {
        match task {
            DiskTask::Save => self.save(app),
            DiskTask::Close => {
                let done = self.let_go();
                self.catch_up(app);
                self.tell_what_is_left(app);
                if let Err(why) = done {
                    app.said(&why);
                }
            }
            DiskTask::Set(settings) => {
                let [before, after] = &*settings;
                if let Err(why) = self.config.keep(before, after) {
                    app.said(&plain(&why));
                }
            }
            DiskTask::Remember(setup) => {
                // A setup not remembered is no loss worth a word.
                let _ = self.store.as_ref().map(|store| store.remember_setup(*setup));
            }
            DiskTask::Resume(id) => self.resume(&id, app),
            DiskTask::Discard(id) => self.discard(&id, app),
            DiskTask::Records(task) => {
                let store = self.store.as_ref().map_err(Clone::clone);
                match store.and_then(|store| self.record_tasks.perform(store, task, app)) {
                    Ok(said) if said.is_empty() => {}
                    Ok(said) | Err(said) => app.said(&said),
                }
            }
        }
    }
}

fn open_store() -> Result<MatchStore, String> {
    MatchStore::open(&folders::state()?).map_err(|why| why.brief())
}

/// Starts the match of a journal.
fn start(head: &Head) -> Option<Box<dyn AnySession>> {
    let game = (catalogue::find(&head.game)?.start)(&head.setup).ok()?;
    Some(game.into_session(head.words.clone(), &head.names))
}

/// What is found in a journal, if anything is.
fn look(store: &MatchStore, journal: &StoredFile) -> Option<Look> {
    let look = store.look(journal, &start);
    let is_there = look.unfinished.is_some() || look.trouble.is_some();
    is_there.then_some(look)
}

/// What people call whoever is written down by these names.
fn called(names: &[String]) -> Vec<String> {
    names.iter().map(|name| Player::named(name).name().to_owned()).collect()
}

/// A match as a message names it: the game, the names, the score, how far it is.
fn in_a_line(open_match: &OpenMatch) -> String {
    let names = called(&open_match.players().names());
    let names = names.iter().map(|name| cut(name)).collect::<Vec<_>>().join(" - ");
    let score = score(open_match.game()).map_or(String::new(), |score| format!(", {score}"));
    let ply = open_match.game().ply();
    let moves = if ply == 1 { "1 move".to_owned() } else { format!("{ply} moves") };
    format!("{}, {names}{score}, {moves}", open_match.entry.name)
}

/// What the screens say of matches that go on.
fn saved_matches<'u>(unfinished: impl Iterator<Item = &'u Resumable>) -> Vec<SavedMatch> {
    // Those that look alike are told apart by the time, as finely as it takes.
    let looks = |one: &SavedMatch| SavedMatch { id: String::new(), ..one.clone() };
    // To find out where the clock stands here takes as long as all else of a start.
    let today = LazyCell::new(Zoned::now);
    let unfinished: Vec<&Resumable> = unfinished.collect();
    let mut all: Vec<SavedMatch> = unfinished.iter().map(|it| in_brief(it, &today, 0)).collect();
    for fine in 1..FORMATS.len() {
        let mut alike: HashMap<SavedMatch, usize> = HashMap::new();
        for one in &all {
            *alike.entry(looks(one)).or_default() += 1;
        }
        for (one, it) in all.iter_mut().zip(&unfinished) {
            if alike[&looks(one)] > 1 {
                *one = in_brief(it, &today, fine);
            }
        }
    }
    all
}

fn in_brief(match_: &Resumable, today: &Zoned, fine: usize) -> SavedMatch {
    let head = &match_.head;
    let scores = match_.scores.iter().flatten().map(u32::to_string).collect::<Vec<_>>();
    SavedMatch {
        id: match_.id.clone(),
        game: catalogue::find(&head.game).map_or(&*head.game, |entry| entry.name).to_owned(),
        names: called(&head.names),
        score: scores.join("-"),
        ply: match_.ply,
        when: when(match_.written, today, fine).unwrap_or_default(),
    }
}

/// How a moment of today and one of another day are written, ever finer.
const FORMATS: [[&str; 2]; 3] = [
    ["%H:%M", "%Y-%m-%d"],
    ["%H:%M:%S", "%Y-%m-%d %H:%M"],
    ["%H:%M:%S%.3f", "%Y-%m-%d %H:%M:%S%.3f"],
];

/// A moment, as one would say it today: the time, or the date.
fn when(moment: std::time::SystemTime, today: &Zoned, fine: usize) -> Option<String> {
    let moment = jiff::Timestamp::try_from(moment).ok()?.to_zoned(today.time_zone().clone());
    let another_day = usize::from(today.date() != moment.date());
    Some(moment.strftime(FORMATS.get(fine)?[another_day]).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Setup;
    use std::time::{Duration, Instant, SystemTime};

    fn unfinished(number: u64, name: &str) -> Resumable {
        let head = Head {
            game: "quixo".to_owned(),
            setup: Setup::new(),
            words: Setup::new(),
            date: String::new(),
            names: vec![name.to_owned(), "Bob".to_owned()],
        };
        // A day long ago, in steps of a tenth of a second.
        let written = SystemTime::UNIX_EPOCH + Duration::from_millis(100 * number);
        Resumable { id: number.to_string(), head, scores: None, ply: 7, written }
    }

    #[test]
    fn matches_that_look_alike_are_told_apart_by_the_time() {
        let some = [(1, "Ann"), (2, "Ann"), (40_000, "Ann"), (3, "Eve")];
        let some = some.map(|(number, name)| unfinished(number, name));
        let when: Vec<String> =
            saved_matches(some.iter()).into_iter().map(|one| one.when).collect();
        assert!(when[0].ends_with(":00.100") && when[1].ends_with(":00.200"), "{when:?}");
        assert!(!when[2].contains('.') && when[2].contains(':'), "{when:?}");
        assert!(!when[3].contains(':'), "no other looks so: {when:?}");
    }

    /// The figure is half a second without optimization; if each is compared with each, it is minutes.
    #[test]
    fn many_that_look_alike_take_no_longer_than_others() {
        let many: Vec<Resumable> = (0..20_000).map(|number| unfinished(number, "Ann")).collect();
        let begun = Instant::now();
        let saved_matches = saved_matches(many.iter());
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        let different: HashSet<&String> = saved_matches.iter().map(|one| &one.when).collect();
        assert_eq!(different.len(), many.len());
    }
}
