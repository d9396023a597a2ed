//! The disk tasks of the screens: performs the app's [`DiskTask`]s, such as saving a match after each move.

use super::appearance::{Appearance, new_table};
use super::gif_job::GifJob;
use super::record_tasks::RecordTasks;
use super::replay;
use super::terminal;
use crate::app::Host;
use crate::app::runtime::{self, ExitReason, GraphicsEnvironment};
use crate::app::{App, DiskTask, OpenMatch, SavedMatch, Task};
use crate::picture::file;
use crate::settings::ConfigFile;
use crate::settings::Settings;
use crate::text_ui::{self, LineReader, TextOptions};
use anyhow::{Context, anyhow, bail};
use jiff::{Timestamp, Zoned};
use quadrille_match::batch_loader::BatchLoader;
use quadrille_match::session::{Conditions, Player};
use quadrille_match::store::progress::Progress;
use quadrille_match::store::{JournalContents, LastSetup, Resumable, StoreError};
use quadrille_net::agenda::{AgendaMatch, sorted};
use quadrille_net::agenda_files::Agenda;
use quadrille_net::client::{self, Client, Resumed};
use quadrille_net::folder::{self, HostedTable};
use quadrille_net::open::NewTable;
use quadrille_rules::Seat;
use quadrille_search::TableCache;
use quadrille_system::calendar;
use quadrille_system::folders;
use quadrille_system::fresh_seed;
use quadrille_system::wakers::PollSources;
use quadrille_table::catalogue;
use quadrille_table::engine;
use quadrille_table::match_saver::{
    COPIED, LOST, MatchSaver, MatchSaverError, display_names, read_or_archive,
};
use quadrille_table::old_records::{self, OldResult, old_records};
use quadrille_table::play::{Peers, Table};
use quadrille_table::record_reader::PlayedRecord;
use quadrille_table::seed::draw_seed;
use quadrille_text::printable::print_stderr;
use quadrille_text::wording::dashed;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::io::{IsTerminal, stdin};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// Runs the app on screens or in text until the user leaves. If a signal ended the app, the same signal ends this
/// process.
pub fn run(app: App, disk_host: &mut DiskHost) -> anyhow::Result<()> {
    Ok(run_to_the_end(app, disk_host)?.reraise()?)
}

/// Like [`run`], but returns how the app ended. If a signal ended it, the caller must pass the signal on.
pub fn run_to_the_end(mut app: App, disk_host: &mut DiskHost) -> anyhow::Result<ExitReason> {
    // The first screen does not wait for the list of unfinished matches, which is read in pieces.
    if let Some(why) = disk_host.list() {
        app.show_message(&why.brief());
    }
    if !disk_host.left.has_more() {
        disk_host.tell_more(&mut app);
    }
    if let Ok(store) = disk_host.saver.store() {
        app.remember(store.setups());
    }
    app.set_login_name(client::login_name().unwrap_or_default());
    disk_host.tell_progress(&mut app);
    if let Some(warning) = disk_host.config.warning() {
        app.warn("Settings", &warning);
    }
    if let Some(remark) = disk_host.remark.take() {
        app.show_message(&remark);
    }
    let ending = match disk_host.text {
        Some(options) => {
            let typed = std::mem::take(&mut disk_host.typed);
            text_ui::run(&mut app, disk_host, options, typed)
        }
        None => runtime::run(&mut app, disk_host),
    };
    let ending = ending.context("terminal");
    let way_back = app.open_match().and_then(way_back);
    // Quitting leaves the table. A player whose terminal was closed keeps the seat and can return.
    if let Some(client) = disk_host.client.take().filter(|_| matches!(ending, Ok(ExitReason::Quit)))
    {
        client.leave();
    }
    if let Err(why) = disk_host.file_copies(&mut app, true) {
        print_stderr(&format!("The record of the match was not written: {why}"));
    }
    for lost in disk_host.flush_and_close(&mut app) {
        print_stderr(&lost);
    }
    let lines = app.line_to_share().into_iter().chain(way_back.map(str::to_owned));
    for line in lines {
        // Ignore errors: the reader may have closed the pipe.
        let _ = writeln!(std::io::stdout(), "{line}");
    }
    match ending? {
        ExitReason::Gone => bail!("the terminal was closed"),
        ending => Ok(ending),
    }
}

/// Tells a player who leaves a match with days per move how to return.
fn way_back(table: &OpenMatch) -> Option<&'static str> {
    let peers = table.peers().filter(|peers| !peers.is_closed())?;
    let goes_on = table.current_match().outcome().is_none() && !table.local().is_empty();
    table.session().days().filter(|_| goes_on)?;
    Some(if peers.is_host {
        "The table sleeps between visits. Return with: quadrille resume"
    } else {
        "You keep your seat. Return with the same command."
    })
}

pub struct DiskHost {
    saver: MatchSaver,
    /// The journals of the unfinished matches.
    left: BatchLoader<JournalContents>,
    /// The user's open tables, which count as unfinished matches.
    tables: Vec<HostedTable>,
    /// The user's matches with days per move.
    agenda: Vec<AgendaMatch>,
    record_tasks: RecordTasks,
    /// The GIF that is being drawn.
    gif: Option<GifJob>,
    /// The records of matches against levels that are not yet in the progress file.
    old_records: BatchLoader<OldResult>,
    config: Rc<ConfigFile>,
    remark: Option<String>,
    /// The last saved settings, if later changes could not be written.
    kept_settings: Option<Settings>,
    has_mouse: bool,
    graphics: GraphicsEnvironment,
    /// The options of the text front end; `None` on screens.
    text: Option<TextOptions>,
    /// How to open a table here.
    new_table: NewTable,
    tournament: Option<ShownTournament>,
    /// The connection to the shared table on the screen.
    client: Option<Client>,
    /// The new match that this terminal has joined, to be shown in place of the old one.
    arrived: Option<(Client, Table)>,
    /// Whether finished matches of that table become records here.
    keeps_records: bool,
    /// The lines typed before the first screen, for the text front end.
    typed: LineReader,
}

struct ShownTournament {
    folder: PathBuf,
    halt: Box<dyn Fn(bool)>,
}

impl DiskHost {
    pub fn new(saver: MatchSaver, appearance: &Appearance) -> DiskHost {
        DiskHost {
            saver,
            left: BatchLoader::default(),
            tables: Vec::new(),
            agenda: Vec::new(),
            record_tasks: RecordTasks::default(),
            gif: None,
            old_records: BatchLoader::default(),
            config: Rc::clone(&appearance.config),
            remark: appearance.remark(),
            kept_settings: None,
            has_mouse: appearance.settings.mouse,
            graphics: terminal::graphics(appearance.depth),
            text: appearance.text,
            new_table: new_table(&appearance.settings),
            tournament: None,
            client: None,
            arrived: None,
            keeps_records: false,
            typed: LineReader::new(stdin().is_terminal()),
        }
    }

    #[must_use]
    pub fn with_client(self, client: Client) -> DiskHost {
        DiskHost { client: Some(client), ..self }
    }

    /// Files finished matches of the shared table as records, unless its process has the same state folder.
    #[must_use]
    pub fn with_records(self) -> DiskHost {
        DiskHost { keeps_records: true, ..self }
    }

    /// Sets the lines typed so far.
    #[must_use]
    pub fn with_typed(self, typed: LineReader) -> DiskHost {
        DiskHost { typed, ..self }
    }

    /// Files the matches of shared tables that a rematch has replaced, and with `leaves` also those on the screen.
    fn file_copies(&self, app: &mut App, leaves: bool) -> Result<(), MatchSaverError> {
        if !self.keeps_records {
            return Ok(());
        }
        let mut done = Ok(());
        for table in app.tables_mut() {
            let has_hints = table.peers().is_some_and(|peers| peers.has_hints);
            if let Some((session, id)) = table.peers_mut().and_then(Peers::take_finished) {
                done = done.and(self.saver.file_copy(&session, id, has_hints));
            }
            let Some(peers) = table.peers().filter(|_| leaves && !table.local().is_empty()) else {
                continue;
            };
            if table.current_match().outcome().is_some() {
                let id = peers.match_id.clone();
                done = done.and(self.saver.file_copy(table.session(), id, has_hints));
            }
        }
        done
    }

    fn sit_at(&mut self, client: Client, table: Table, app: &mut App) {
        let has_waited = client.has_waited();
        if let Some(before) = self.client.replace(client) {
            before.leave();
        }
        app.move_to_table(table);
        // A person here has opened or joined the table, unless others have let them in after a wait.
        if !has_waited {
            app.begin_own_changes();
        }
    }

    /// Moves a match to its own table and shows the table.
    fn host(&mut self, table: &mut Table, app: &mut App) -> anyhow::Result<()> {
        let name = app.usual_name();
        let (client, table) = client::host(table, &mut self.saver, self.new_table, &name)?;
        self.sit_at(client, table, app);
        Ok(())
    }

    /// Moves the match on the screen to a shared table, and makes this seat available to a guest.
    fn invite(&mut self, seat: Option<Seat>, app: &mut App) -> anyhow::Result<()> {
        let name = app.usual_name();
        let Some(open_match) = app.open_match_mut() else { return Ok(()) };
        let table = open_match.owner_mut();
        let players = table.players().clone();
        if let Some(seat) = seat {
            table.session_mut().seat_guest(seat);
        }
        let new = NewTable { invited: seat, ..self.new_table };
        let hosted = client::host(table, &mut self.saver, new, &name);
        if hosted.is_err() {
            table.session_mut().replace_players(players);
        }
        let (client, table) = hosted?;
        self.sit_at(client, table, app);
        Ok(())
    }

    /// Opens a table for a match that was set up with guests.
    fn open_table(&mut self, wanted: &LastSetup, app: &mut App) -> anyhow::Result<()> {
        let entry = catalogue::find(&wanted.game).context("no such game")?;
        let mut setup = wanted.given_setup.clone();
        draw_seed(entry, &mut setup, fresh_seed().into());
        let players =
            wanted.names.iter().map(|name| name.parse()).collect::<Result<Vec<_>, _>>()?;
        let conditions = Conditions::from(players).with_clock(wanted.clock);
        self.host(&mut Table::new(entry, &setup, conditions)?, app)
    }

    /// Leaves the table if its match is no longer on any screen.
    fn leave_table(&mut self, app: &mut App) {
        let is_there = app.tables_mut().any(|table| table.peers().is_some());
        if let Some(client) = self.client.take_if(|_| !is_there) {
            client.leave();
        }
    }

    /// Sets the tournament whose records are in this folder. `halt(true)` is called before the process is suspended,
    /// and `halt(false)` when it continues.
    pub fn with_tournament(self, folder: PathBuf, halt: impl Fn(bool) + 'static) -> DiskHost {
        DiskHost { tournament: Some(ShownTournament { folder, halt: Box::new(halt) }), ..self }
    }

    fn open_game(&self, game: u64, record: &str, app: &mut App) -> anyhow::Result<()> {
        if let Some(tournament) = &self.tournament {
            let record = PlayedRecord::read(&tournament.folder.join(record))?;
            app.game_record(game, replay::open(record).0);
        }
        Ok(())
    }

    fn halt(&self, halts: bool) {
        if let Some(tournament) = &self.tournament {
            (tournament.halt)(halts);
        }
    }

    /// Saves the match on the screen to its journal and to the user's own record.
    fn save(&mut self, app: &mut App) {
        let Some(open_match) = app.open_match_mut() else { return };
        self.saver.save(open_match.owner_mut());
        self.tell_of_a_copy(app);
    }

    /// Saves what could not be saved earlier.
    fn catch_up(&mut self, app: &mut App) {
        if let Some(why) = self.saver.catch_up(app.unsaved_mut()) {
            app.show_message(&why);
        }
        self.tell_of_a_copy(app);
    }

    /// Closes all journals, and files finished matches as records. Returns one line per lost match.
    fn flush_and_close(&mut self, app: &mut App) -> Vec<String> {
        self.catch_up(app);
        // Include saved matches, because a journal may have been removed since the last move.
        for table in app.tables_mut().filter(|table| table.saved.is_in_journal()) {
            self.saver.save_to_journal(table);
        }
        let lost = self.saver.save_at_exit(app.unsaved_mut());
        self.list();
        lost
    }

    /// Shows a warning if a match was saved as a copy.
    fn tell_of_a_copy(&mut self, app: &mut App) {
        if self.saver.has_copied() {
            let [title, text] = COPIED;
            app.warn(title, text);
        }
    }

    /// Lists the matches in the folder, reads those just left, and files finished ones as records. Returns the error
    /// for the folder, if any.
    fn list(&mut self) -> Option<StoreError> {
        let just_left = self.saver.just_left();
        let store = self.saver.store().ok()?;
        match store.journals() {
            Ok(journals) => {
                self.tables = folder::hosted(&journals);
                self.agenda = Agenda::of_host(calendar::moment()).matches;
                let ids: HashSet<&String> = journals.iter().map(|journal| &journal.id).collect();
                self.agenda.retain(|one| ids.contains(&one.journal));
                self.left.renew(journals);
                self.left.look_at(
                    |journal| just_left.contains(&journal.id),
                    |journal| read_or_archive(&store, journal),
                );
                None
            }
            Err(why) => Some(why),
        }
    }

    fn tell_what_is_left(&mut self, app: &mut App) {
        if let Some(why) = self.list() {
            app.show_message(&why.brief());
        }
        self.tell_more(app);
    }

    /// Passes the progress of all processes to the app. If the progress file is new, old records are counted.
    fn tell_progress(&mut self, app: &mut App) {
        match self.saver.progress() {
            Ok(progress) => {
                if let Ok(store) = self.saver.store() {
                    self.old_records.renew(old_records(&store, &progress));
                }
                app.set_progress(progress);
            }
            Err(why) => {
                app.set_progress(Progress::default());
                app.show_message(&why.to_string());
            }
        }
    }

    /// Counts more old records, and adds their results to the progress file after the last one. Returns whether the app
    /// was notified.
    fn count_old_records(&mut self, app: &mut App) -> bool {
        let Ok(store) = self.saver.store() else { return false };
        if !self.old_records.has_more() {
            return false;
        }
        self.old_records.go_on(|file| old_records::result(&store, file));
        if self.old_records.has_more() {
            return false;
        }
        let results = self.old_records.found().map(|(_, result)| result.clone());
        let noted = self.saver.progress().map(|progress| old_records::events(&progress, results));
        if let Err(why) = noted.and_then(|events| self.saver.append(events)) {
            app.show_message(&why.to_string());
        }
        self.tell_progress(app);
        true
    }

    /// Reads more matches and passes the list so far to the app. Returns whether the app was notified.
    fn tell_more(&mut self, app: &mut App) -> bool {
        let Ok(store) = self.saver.store() else { return false };
        if !self.left.go_on(|journal| read_or_archive(&store, journal)) {
            return false;
        }
        let (unfinished, damaged): (Vec<_>, Vec<_>) =
            self.left.found().map(|(_, look)| (&look.unfinished, &look.trouble)).unzip();
        let open = self.tables.iter().map(at_table);
        // A visit may have left the journal as it was when it was read.
        let journals: Vec<_> =
            self.tables.iter().filter_map(|it| it.host.journal.as_ref()).collect();
        let unfinished = unfinished.into_iter().flatten();
        let others = unfinished.filter(|one| !journals.contains(&&one.id));
        let saved = open.chain(saved_matches(others)).collect();
        let saved = waiting_first(saved, &self.agenda, &self.tables, calendar::moment());
        app.set_last_name(store.names().into_iter().next());
        app.set_unfinished(saved);
        let mut damaged: Vec<String> =
            damaged.into_iter().flatten().map(StoreError::brief).collect();
        damaged.sort();
        if let Some(first) = damaged.first().filter(|_| !self.left.has_more()) {
            let more = match damaged.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            app.show_message(&format!("{first}{more}"));
        }
        true
    }

    /// Writes changed settings, including earlier changes that could not be written.
    fn keep_settings(
        &mut self,
        [before, after]: [Settings; 2],
        app: &mut App,
    ) -> anyhow::Result<()> {
        self.new_table = new_table(&after);
        let failed_before = self.kept_settings.is_some();
        let before = self.kept_settings.take().unwrap_or(before);
        let done = self.config.save(&before, &after);
        if done.is_err() {
            self.kept_settings = Some(before);
        } else if failed_before {
            app.show_message("Settings saved.");
        }
        done.context("this change lasts until you quit")
    }

    fn discard(&mut self, id: &str, app: &mut App) -> anyhow::Result<()> {
        let open = self.tables.iter().find(|hosted| hosted.id() == id);
        let done = match open.map(|hosted| &hosted.table.name) {
            Some(name) => Err(anyhow!(
                "Table {name} is open. Resume it, or close it with: quadrille table close {name}"
            )),
            None => match self.saver.store() {
                Ok(store) => store.discard(id).map_err(|why| MatchSaverError::from(why).into()),
                Err(_) => return Ok(()),
            },
        };
        self.tell_what_is_left(app);
        done
    }

    fn resume(&mut self, id: &str, app: &mut App) -> anyhow::Result<()> {
        let done = self.try_to_resume(id, app);
        if done.is_err() {
            self.left.forget(id);
            self.tell_what_is_left(app);
        }
        done
    }

    fn try_to_resume(&mut self, id: &str, app: &mut App) -> anyhow::Result<()> {
        if let Some(hosted) = self.tables.iter().find(|hosted| hosted.id() == id) {
            let (client, table) = client::return_as_host(hosted.clone())?;
            self.sit_at(client, table, app);
            return Ok(());
        }
        let name = app.usual_name();
        let Resumed { client, table, lost } =
            client::resume(id, &mut self.saver, self.new_table, &name)?;
        match client {
            Some(client) => self.sit_at(client, table, app),
            None => app.begin(OpenMatch::resumed(table)),
        }
        if let Some(lost) = lost {
            app.warn(LOST, &lost);
        }
        Ok(())
    }

    /// Begins the user's own numbers anew.
    fn start_over(&mut self, app: &mut App) -> anyhow::Result<()> {
        let store = self.saver.store()?;
        let event = old_records::start_over(&store, calendar::moment(), calendar::now().date())?;
        self.saver.append(vec![event]).context("not saved")?;
        self.tell_progress(app);
        Ok(())
    }

    /// Files the matches that are no longer on any screen.
    fn close(&mut self, app: &mut App) -> Result<(), MatchSaverError> {
        self.leave_table(app);
        self.catch_up(app);
        let open: Vec<u64> = app.tables_mut().map(|table| table.session().id()).collect();
        let done = self.saver.close_all_but(|id| open.contains(&id));
        self.tell_what_is_left(app);
        // The match may have become a record.
        self.tell_progress(app);
        done
    }
}

impl Host for DiskHost {
    fn has_mouse(&self) -> bool {
        self.has_mouse
    }

    fn is_terminal_far(&self) -> bool {
        terminal::is_remote()
    }

    fn is_terminal_kitty(&self) -> bool {
        terminal::is_kitty()
    }

    fn graphics(&self) -> Option<GraphicsEnvironment> {
        Some(self.graphics.clone())
    }

    fn suspend(&mut self) {
        self.halt(true);
    }

    fn resume(&mut self) {
        self.halt(false);
    }

    fn receive_from_table(&mut self, app: &mut App) -> Option<Vec<Task>> {
        if let Some((client, table)) = self.arrived.take() {
            self.sit_at(client, table, app);
            return Some(Vec::new());
        }
        let client = self.client.as_mut()?;
        let tasks = app.follow_table(|table| client.receive(table));
        if let Err(why) = self.file_copies(app, false) {
            app.show_message(&why.to_string());
        }
        tasks
    }

    fn send_to_table(&mut self, app: &mut App) {
        let Some(client) = &mut self.client else { return };
        app.tables_mut().for_each(|table| client.send(table));
    }

    fn log_in(&mut self) -> Result<(), String> {
        if let Some(client) = &mut self.client {
            self.arrived = client.log_in()?;
        }
        Ok(())
    }

    fn has_work(&self) -> bool {
        self.gif.is_some()
            || self.left.has_more()
            || self.record_tasks.has_work()
            || self.old_records.has_more()
    }

    fn work(&mut self, app: &mut App) -> bool {
        if let Some(gif) = &self.gif {
            let Some(line) = gif.wait() else { return false };
            self.gif = None;
            app.gif_done(&line);
            return true;
        }
        let Ok(store) = self.saver.store() else {
            // Nothing is left to read.
            (self.left, self.old_records) = (BatchLoader::default(), BatchLoader::default());
            self.record_tasks = RecordTasks::default();
            return false;
        };
        if self.left.has_more() {
            return self.tell_more(app);
        }
        if self.record_tasks.has_work() {
            return self.record_tasks.work(&store, app);
        }
        self.count_old_records(app)
    }

    fn perform(&mut self, task: DiskTask, app: &mut App) {
        let done = match task {
            DiskTask::Save => {
                self.save(app);
                Ok(())
            }
            DiskTask::Invite(seat) => self.invite(seat, app),
            DiskTask::Close => self.close(app).map_err(Into::into),
            DiskTask::Append(events) => self.saver.append(events).context("not saved"),
            DiskTask::StartOver => self.start_over(app),
            DiskTask::Set(settings) => self.keep_settings(*settings, app),
            DiskTask::Remember(setup) => {
                // Ignore errors: only suggestions on the setup screen are lost.
                if let Ok(store) = self.saver.store() {
                    let _ = setup.name_used_alone().map(|name| store.remember_name(&name));
                    let _ = store.remember_setup(*setup);
                }
                Ok(())
            }
            DiskTask::OpenTable(setup) => self.open_table(&setup, app),
            DiskTask::Resume(id) => self.resume(&id, app),
            DiskTask::Discard(id) => self.discard(&id, app),
            DiskTask::Game(game, record) => self.open_game(game, &record, app),
            DiskTask::Gif(game, record, theme) => {
                self.gif = Some(GifJob::begin(game, record, theme));
                Ok(())
            }
            DiskTask::StopGif => {
                self.gif = None;
                Ok(())
            }
            DiskTask::SaveRecord(game, text) => {
                app.show_message(&file::save_record(game, &text));
                Ok(())
            }
            DiskTask::Picture(game, svg) => {
                app.show_message(&file::save(game, &svg));
                Ok(())
            }
            DiskTask::Records(task) => {
                let store = self.saver.store().map_err(Into::into);
                store.and_then(|store| self.record_tasks.perform(&store, task, app))
            }
        };
        if let Err(why) = done {
            app.show_message(&format!("{why:#}"));
        }
    }

    fn program_stderr(&self) -> Option<PathBuf> {
        folders::program_stderr()
    }

    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        engine::table_cache()
    }

    fn line(&self) -> PollSources<'_> {
        if self.arrived.is_some() {
            return PollSources { deadline: Some(Instant::now()), ..PollSources::default() };
        }
        self.client.as_ref().map(Client::line).unwrap_or_default()
    }

    fn keep_up_line(&mut self) {
        self.client.iter_mut().for_each(Client::keep_up);
    }
}

fn saved_matches<'u>(unfinished: impl Iterator<Item = &'u Resumable>) -> Vec<SavedMatch> {
    // Matches that look the same are distinguished by the time, with as much precision as needed.
    let without_id = |one: &SavedMatch| SavedMatch { id: String::new(), ..one.clone() };
    // Lazy, because reading the time zone takes as long as the rest of the startup.
    let today = LazyCell::new(calendar::now);
    let unfinished: Vec<&Resumable> = unfinished.collect();
    let mut all: Vec<SavedMatch> =
        unfinished.iter().map(|resumable| in_brief(resumable, &today, 0)).collect();
    for fine in 1..FORMATS.len() {
        let mut alike: HashMap<SavedMatch, usize> = HashMap::new();
        for one in &all {
            *alike.entry(without_id(one)).or_default() += 1;
        }
        for (one, resumable) in all.iter_mut().zip(&unfinished) {
            if alike[&without_id(one)] > 1 {
                *one = in_brief(resumable, &today, fine);
            }
        }
    }
    all
}

/// Puts the matches in which something waits first, with what waits and the time left.
fn waiting_first(
    mut saved: Vec<SavedMatch>,
    agenda: &[AgendaMatch],
    tables: &[HostedTable],
    now: Timestamp,
) -> Vec<SavedMatch> {
    let mut first: Vec<SavedMatch> = Vec::new();
    for (one, item) in sorted(agenda) {
        let table = tables.iter().find(|table| table.host.journal.as_ref() == Some(&one.journal));
        let id = table.map_or_else(|| one.journal.clone(), HostedTable::id);
        let label = item.kind.label().to_owned();
        if let Some(known) = first.iter_mut().find(|known| known.id == id) {
            if !known.waiting.contains(&label) {
                known.waiting.push(label);
            }
            continue;
        }
        let known = saved.iter().position(|saved| saved.id == id).map(|at| saved.remove(at));
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "free".to_owned());
        let known = known.unwrap_or_else(|| SavedMatch {
            id,
            game: one.game_name().to_owned(),
            names: one.players.iter().map(name).collect(),
            guests: one.guests.clone(),
            score: String::new(),
            ply: Some(one.moves),
            waiting: Vec::new(),
            is_over: one.is_over,
            when: String::new(),
        });
        let left = item.left(now).unwrap_or_default();
        first.push(SavedMatch { waiting: vec![label], when: left, ..known });
    }
    first.append(&mut saved);
    first
}

fn at_table(hosted: &HostedTable) -> SavedMatch {
    let host = &hosted.host;
    SavedMatch {
        id: hosted.id(),
        game: catalogue::find(&host.game).map_or(&*host.game, |entry| entry.name).to_owned(),
        names: display_names(&host.names),
        guests: Vec::new(),
        score: String::new(),
        ply: None,
        waiting: Vec::new(),
        is_over: false,
        when: hosted.table.name.clone(),
    }
}

fn in_brief(match_: &Resumable, today: &Zoned, fine: usize) -> SavedMatch {
    let head = &match_.head;
    SavedMatch {
        id: match_.id.clone(),
        game: catalogue::find(&head.game).map_or(&*head.game, |entry| entry.name).to_owned(),
        names: display_names(&head.names),
        guests: guests(&head.names),
        score: dashed(match_.scores.iter().flatten()),
        ply: Some(match_.ply),
        waiting: Vec::new(),
        is_over: match_.is_over,
        when: when(match_.written, today, fine).unwrap_or_default(),
    }
}

/// Returns the names of the guests among these players, in record syntax.
fn guests(names: &[String]) -> Vec<String> {
    let players = names.iter().filter_map(|name| name.parse::<Player>().ok());
    players.filter_map(|player| player.guest()?.name.clone()).collect()
}

/// The formats for a time today and on a different day, in order of increasing precision.
const FORMATS: [[&str; 2]; 3] = [
    ["%H:%M", "%Y-%m-%d"],
    ["%H:%M:%S", "%Y-%m-%d %H:%M"],
    ["%H:%M:%S%.3f", "%Y-%m-%d %H:%M:%S%.3f"],
];

/// Formats a time for the list: the time of day if it is today, otherwise the date.
fn when(moment: std::time::SystemTime, today: &Zoned, fine: usize) -> Option<String> {
    let moment = calendar::at(moment, today.time_zone().clone());
    let another_day = usize::from(today.date() != moment.date());
    Some(moment.strftime(FORMATS.get(fine)?[another_day]).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_match::store::Head;
    use quadrille_rules::Setup;
    use std::time::{Duration, SystemTime};

    fn unfinished(number: u64, name: &str) -> Resumable {
        let head = Head {
            game: "quixo".to_owned(),
            setup: Setup::new(),
            given_setup: Setup::new(),
            date: String::new(),
            clock: None,
            levels: None,
            names: vec![name.to_owned(), "Bob".to_owned()],
        };
        // A day in the distant past, in steps of a tenth of a second.
        let written = SystemTime::UNIX_EPOCH + Duration::from_millis(100 * number);
        Resumable { id: number.to_string(), head, scores: None, ply: 7, is_over: false, written }
    }

    #[test]
    fn similar_matches_show_distinguishing_times() {
        let some = [(1, "Ann"), (2, "Ann"), (40_000, "Ann"), (3, "Eve")];
        let some = some.map(|(number, name)| unfinished(number, name));
        let when: Vec<String> =
            saved_matches(some.iter()).into_iter().map(|one| one.when).collect();
        assert!(when[0].ends_with(":00.100") && when[1].ends_with(":00.200"), "{when:?}");
        assert!(!when[2].contains('.') && when[2].contains(':'), "{when:?}");
        assert!(!when[3].contains(':'), "no other looks so: {when:?}");
    }

    /// Takes half a second of processor time without optimization. Comparing all pairs of matches would take minutes.
    #[cfg(unix)]
    #[test]
    fn listing_many_similar_matches_stays_fast() {
        use rustix::time::{ClockId, clock_gettime};

        let many: Vec<Resumable> = (0..20_000).map(|number| unfinished(number, "Ann")).collect();
        let now = || clock_gettime(ClockId::ThreadCPUTime).tv_sec;
        let begun = now();
        let saved_matches = saved_matches(many.iter());
        let took = now() - begun;
        assert!(took < 10, "{took} s");
        let different: HashSet<&String> = saved_matches.iter().map(|one| &one.when).collect();
        assert_eq!(different.len(), many.len());
    }
}
