//! Does on disk what the screens ask for: matches are written down move by move.

use super::config_file::ConfigFile;
use super::display_args::Looks;
use super::keeper::{COPIED, Keeper, LOST, called, look};
use super::listing::Listing;
use super::record_tasks::RecordTasks;
use super::{file, folders, pictures, plain, replay};
use crate::app::runtime::{self, Ending, Host};
use crate::app::{App, DiskTask, SavedMatch};
use crate::catalogue;
use crate::printable::printable;
use crate::search::TableCache;
use crate::session::{Look, Resumable, StoreError};
use crate::wording::dashed;
use anyhow::{Context, bail};
use jiff::Zoned;
use std::cell::LazyCell;
use std::collections::HashMap;
use std::io::{Write, stderr};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// Runs the screens to their end, with a record of the user's own for the match they begin with.
pub(super) fn run(app: App, disk_host: &mut DiskHost) -> anyhow::Result<()> {
    Ok(run_to_the_end(app, disk_host)?.pass_on()?)
}

/// The same, and says how they have ended. Where a signal has ended them, whoever calls passes it on.
pub(super) fn run_to_the_end(mut app: App, disk_host: &mut DiskHost) -> anyhow::Result<Ending> {
    // Nothing waits for it: the matches that can be resumed are told piece by piece.
    if let Some(why) = disk_host.list() {
        app.said(&why.brief());
    }
    if !disk_host.left.has_more() {
        disk_host.tell_more(&mut app);
    }
    if let Ok(store) = disk_host.keeper.store() {
        app.remember(store.setups());
    }
    if let Some(warning) = disk_host.config.warning() {
        app.warn("Settings", &warning);
    }
    if let Some(remark) = disk_host.config.remark() {
        app.said(remark);
    }
    let ending = runtime::run(&mut app, disk_host).context("terminal");
    for lost in disk_host.put_away(&mut app) {
        // A terminal that has gone cannot be told.
        let _ = writeln!(stderr(), "{}", printable(&lost));
    }
    match ending? {
        Ending::Gone => bail!("the terminal has gone"),
        ending => Ok(ending),
    }
}

/// Who keeps the books.
pub(super) struct DiskHost {
    /// Who keeps the match on the screen.
    keeper: Keeper,
    /// What is known of the matches that can be resumed.
    left: Listing<Look>,
    record_tasks: RecordTasks,
    config: Rc<ConfigFile>,
    has_mouse: bool,
    tournament: Option<Tournament>,
}

/// The tournament on the screen.
struct Tournament {
    folder: PathBuf,
    halt: Box<dyn Fn(bool)>,
}

impl DiskHost {
    /// With who keeps matches, for these looks.
    pub fn new(keeper: Keeper, looks: &Looks) -> DiskHost {
        DiskHost {
            keeper,
            left: Listing::default(),
            record_tasks: RecordTasks::default(),
            config: Rc::clone(&looks.config),
            has_mouse: looks.settings.mouse,
            tournament: None,
        }
    }

    /// The same with a tournament whose records lie in this folder. `halt` is told whether its games are to
    /// stand still, because the process is about to be stopped, or to go on.
    pub fn with_tournament(self, folder: PathBuf, halt: impl Fn(bool) + 'static) -> DiskHost {
        DiskHost { tournament: Some(Tournament { folder, halt: Box::new(halt) }), ..self }
    }

    /// Shows the record of a game of the tournament.
    fn open_game(&self, game: u64, record: &str, app: &mut App) {
        let Some(tournament) = &self.tournament else { return };
        let path = tournament.folder.join(record);
        let read = file::read(&path).and_then(|record| replay::open(&record));
        match read.with_context(|| file::name(&path).to_string()) {
            Ok(record) => app.game_record(game, record),
            Err(why) => app.said(&plain(&why)),
        }
    }

    fn halt(&self, halts: bool) {
        if let Some(tournament) = &self.tournament {
            (tournament.halt)(halts);
        }
    }

    /// Writes the match on the screen down, in its journal and in the user's own record.
    fn save(&mut self, app: &mut App) {
        let Some(open_match) = app.open_match_mut() else { return };
        self.keeper.save(open_match);
        self.tell_of_a_copy(app);
    }

    /// Writes down what could not be before.
    fn catch_up(&mut self, app: &mut App) {
        if let Some(why) = self.keeper.catch_up(app.unsaved_mut()) {
            app.said(&why);
        }
        self.tell_of_a_copy(app);
    }

    /// Lets the journal go; the store makes a record of a match that is over in it. A line for each
    /// match that is lost.
    fn put_away(&mut self, app: &mut App) -> Vec<String> {
        self.catch_up(app);
        // The match on the screen too: its journal may have been removed since its last move.
        if let Some(open_match) =
            app.open_match_mut().filter(|open_match| open_match.saved.is_in_journal())
        {
            self.keeper.write_down(open_match);
        }
        let lost = self.keeper.give_up(app.unsaved_mut());
        self.list();
        lost
    }

    /// Says so if a match is there twice now.
    fn tell_of_a_copy(&mut self, app: &mut App) {
        if self.keeper.has_copied() {
            let [title, text] = COPIED;
            app.warn(title, text);
        }
    }

    /// Looks which matches there are, and at those that were played: of one that is over a record is
    /// made. Gives back what is wrong with the folder.
    fn list(&mut self) -> Option<StoreError> {
        let played = self.keeper.played();
        let store = self.keeper.open_store().ok()?;
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
        let Ok(store) = self.keeper.store() else { return false };
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
        let Ok(store) = self.keeper.store() else { return };
        let done = store.discard(id);
        self.tell_what_is_left(app);
        if let Err(why) = done {
            app.said(&why.brief());
        }
    }

    fn resume(&mut self, id: &str, app: &mut App) {
        match self.keeper.take_up(id) {
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

    fn suspend(&mut self) {
        self.halt(true);
    }

    fn resume(&mut self) {
        self.halt(false);
    }

    fn has_work(&self) -> bool {
        self.keeper.store().is_ok() && (self.left.has_more() || self.record_tasks.has_work())
    }

    fn work(&mut self, app: &mut App) -> bool {
        if self.left.has_more() {
            return self.tell_more(app);
        }
        self.keeper.store().is_ok_and(|store| self.record_tasks.work(store, app))
    }

    fn messages(&self) -> Option<PathBuf> {
        folders::messages()
    }

    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        folders::table_cache()
    }

    fn perform(&mut self, task: DiskTask, app: &mut App) {
        match task {
            DiskTask::Save => self.save(app),
            DiskTask::Close => {
                let done = self.keeper.let_go();
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
                let _ = self.keeper.store().map(|store| store.remember_setup(*setup));
            }
            DiskTask::Resume(id) => self.resume(&id, app),
            DiskTask::Discard(id) => self.discard(&id, app),
            DiskTask::Game(game, record) => self.open_game(game, &record, app),
            DiskTask::Picture(game, svg) => app.said(&pictures::keep(game, &svg)),
            DiskTask::Records(task) => {
                let store = self.keeper.store();
                match store.and_then(|store| self.record_tasks.perform(store, task, app)) {
                    Ok(said) if said.is_empty() => {}
                    Ok(said) | Err(said) => app.said(&said),
                }
            }
        }
    }
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
    SavedMatch {
        id: match_.id.clone(),
        game: catalogue::find(&head.game).map_or(&*head.game, |entry| entry.name).to_owned(),
        names: called(&head.names),
        score: dashed(match_.scores.iter().flatten()),
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
    use crate::session::Head;
    use std::collections::HashSet;
    use std::time::{Duration, Instant, SystemTime};

    fn unfinished(number: u64, name: &str) -> Resumable {
        let head = Head {
            game: "quixo".to_owned(),
            setup: Setup::new(),
            words: Setup::new(),
            date: String::new(),
            clock: None,
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
