//! Plain mode on stdin and stdout: saving its match, and its settings.

use super::record_tasks::short_result;
use crate::catalogue;
use crate::net::client::{self, Client};
use crate::net::folder;
use crate::plain::{self, Kept, Menu, NewMatch, Options, Shelf, TableHost};
use crate::platform::file::PlayedRecord;
use crate::platform::keeper::{COPIED, Keeper, called, look_and_file};
use crate::platform::seed::{draw_seed, fresh_seed};
use crate::platform::{calendar, folders, plain as plain_error, say, seats};
use crate::play::{Host, LineWait, Table, TableNews};
use crate::search::TableCache;
use crate::session::{Conditions, Match, Players};
use crate::store::progress::{Event, Progress};
use crate::store::{RecordEntry, Resumable};
use crate::wording::{counted, dashed};
use jiff::Zoned;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Saves the match of plain mode.
struct PlainHost {
    keeper: Keeper,
    /// What could not be saved, for stderr.
    lost: Vec<String>,
    /// The table elsewhere whose match is played.
    far: Option<Client>,
    /// How long a table that is opened from here waits while nobody is there.
    table_idle: Duration,
}

impl TableHost for PlainHost {
    fn save(&mut self, table: &mut Table) -> Option<String> {
        self.keeper.save(table);
        let [title, text] = COPIED;
        self.keeper.has_copied().then(|| format!("{title}. {text}"))
    }

    fn end(&mut self, table: &mut Table) -> Vec<String> {
        if table.peers().is_some() {
            if let Some(far) = self.far.take() {
                far.leave();
            }
            return Vec::new();
        }
        let lost = self.keeper.close(table);
        self.lost.extend(lost.iter().cloned());
        lost
    }

    fn hear_table(&mut self, table: &mut Table) -> Vec<TableNews> {
        self.far.as_mut().map(|far| far.hear(table)).unwrap_or_default()
    }

    fn tell_table(&mut self, table: &mut Table) {
        if let Some(far) = &mut self.far {
            far.send(table);
        }
    }

    fn log_in(&mut self) -> Result<(), String> {
        self.far.as_mut().map_or(Ok(()), Client::log_in)
    }

    fn open_table(&mut self, table: &mut Table) -> Result<Table, String> {
        let hosted = client::host(table, &mut self.keeper, false, self.table_idle);
        let (far, table) = hosted.map_err(|why| plain_error(&why))?;
        self.far = Some(far);
        Ok(table)
    }
}

/// A shared table in lines.
impl PlainHost {
    /// Moves a match with guests to a table of its own, unless its programs have to be permitted first. Any other stays
    /// as it is.
    fn seat_guests(&mut self, mut table: Table) -> Result<Table, String> {
        if table.needs_table() && table.may_start_programs {
            let opened = self.open_table(&mut table);
            if opened.is_err() {
                // The match stays in the list, to be tried again.
                let _ = self.keeper.release(&table);
            }
            return opened;
        }
        Ok(table)
    }

    fn new(keeper: Keeper, options: &Options) -> PlainHost {
        PlainHost { keeper, lost: Vec::new(), far: None, table_idle: options.table_idle }
    }
}

impl Host for PlainHost {
    fn program_stderr(&self) -> Option<PathBuf> {
        folders::program_stderr()
    }

    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        folders::table_cache()
    }

    fn line(&self) -> LineWait<'_> {
        self.far.as_ref().map(Client::line).unwrap_or_default()
    }

    fn keep_up_line(&mut self) {
        self.far.iter_mut().for_each(Client::keep_up);
    }
}

/// What the menu lists, opens and starts.
impl Shelf for PlainHost {
    fn matches(&mut self) -> Result<Vec<Kept>, String> {
        let store = self.keeper.store().map_err(|why| why.to_string())?;
        let journals = store.journals().map_err(|why| why.brief())?;
        let unfinished =
            journals.iter().filter_map(|journal| look_and_file(&store, journal)?.unfinished);
        let line = |resumable: Resumable| {
            let name = catalogue::find(&resumable.head.game)
                .map_or(&*resumable.head.game, |entry| entry.name);
            let score = dashed(resumable.scores.iter().flatten());
            let score = if score.is_empty() { score } else { format!(", {score}") };
            let (names, moves) =
                (against(&resumable.head.names), counted(resumable.ply, "move", "moves"));
            Kept { line: format!("{name}, {names}{score}, {moves}"), id: resumable.id }
        };
        let open = folder::hosted(&journals).into_iter().map(|hosted| {
            let host = &hosted.host;
            let name = catalogue::find(&host.game).map_or(&*host.game, |entry| entry.name);
            let (names, table) = (against(&host.names), &hosted.table.name);
            Kept { line: format!("{name}, {names}, open table {table}"), id: hosted.id() }
        });
        Ok(open.chain(unfinished.map(line)).collect())
    }

    fn resume(&mut self, id: &str) -> Result<(Table, Option<String>), String> {
        if let Some(hosted) = folder::hosted(&[]).into_iter().find(|hosted| hosted.id() == id) {
            let (far, table) = client::return_as_host(hosted).map_err(|why| plain_error(&why))?;
            self.far = Some(far);
            return Ok((table, None));
        }
        let (table, lost) = self.keeper.resume(id).map_err(|why| plain_error(&why))?;
        Ok((self.seat_guests(table)?, lost))
    }

    fn records(&mut self) -> Result<Vec<Kept>, String> {
        let store = self.keeper.store().map_err(|why| why.to_string())?;
        let files = store.records().map_err(|why| why.brief())?;
        let mut entries: Vec<RecordEntry> =
            files.iter().filter_map(|file| store.entry(file).ok()).collect();
        entries.sort_by(RecordEntry::latest_first);
        let line = |record: RecordEntry| {
            let name = catalogue::find(&record.game).map_or(&*record.game, |entry| entry.name);
            let moves = counted(record.length, "move", "moves");
            let (names, result) = (against(&record.names), short_result(&record));
            let line = format!("{name}, {names}, {result}, {moves}, {}", record.date);
            Kept { line, id: record.id }
        };
        Ok(entries.into_iter().map(line).collect())
    }

    fn read(&mut self, id: &str) -> Result<(Match, Players), String> {
        let store = self.keeper.store().map_err(|why| why.to_string())?;
        let record = store.read(id).map_err(|why| why.brief())?;
        let played = PlayedRecord::of(&record);
        let PlayedRecord { mut game, names, .. } =
            played.map_err(|why| format!("{} ({id})", plain_error(&why)))?;
        let players = Players::named(game.seats(), &called(&names));
        if let Some(how) = record.termination() {
            game.end(how.clone());
        }
        Ok((game, players))
    }

    fn start(&mut self, wanted: &NewMatch) -> Result<Table, String> {
        let NewMatch { players, clock, .. } = wanted;
        let entry = wanted.entry;
        let mut setup = wanted.setup.clone();
        draw_seed(entry, &mut setup, fresh_seed().into());
        let conditions = Conditions::from(players.as_slice().to_vec()).with_clock(*clock);
        let table = Table::new(entry, &setup, conditions).map_err(|why| format!("{why:#}"))?;
        seats::check_levels(entry, table.current_match(), players.as_slice())?;
        self.seat_guests(table)
    }

    fn progress(&mut self) -> Result<Progress, String> {
        self.keeper.progress_with_old_records().map_err(|why| why.to_string())
    }

    fn append(&mut self, events: Vec<Event>) -> Result<(), String> {
        self.keeper.append(events).map_err(|why| why.to_string())
    }

    fn now(&self) -> Zoned {
        calendar::now()
    }
}

/// The names of seats as somebody would say them.
fn against(names: &[String]) -> String {
    match &*called(names) {
        [one, two] => format!("{one} against {two}"),
        names => names.join(", "),
    }
}

/// Shows a menu in lines, as if this line had been typed already, if there is one. The warnings are printed first.
pub fn menu(menu: Menu, line: &str, warnings: Vec<String>, options: Options) -> anyhow::Result<()> {
    let mut host = PlainHost::new(Keeper::new(None), &options);
    let ending = plain::run_menu(menu, line, warnings, options, &mut host);
    host.report_lost();
    Ok(ending?.pass_on()?)
}

/// Plays a match in lines. The warnings are printed first.
pub fn run(
    table: Table,
    warnings: Vec<String>,
    keeper: Keeper,
    options: Options,
) -> anyhow::Result<()> {
    let mut host = PlainHost::new(keeper, &options);
    let ending = plain::run(table, warnings, options, &mut host);
    host.report_lost();
    Ok(ending?.pass_on()?)
}

/// Plays at a table elsewhere in lines. The warnings are printed first, and then what a guest types to come.
pub fn run_at_table(
    far: Client,
    table: Table,
    warnings: Vec<String>,
    options: Options,
) -> anyhow::Result<()> {
    let mut host = PlainHost::new(Keeper::new(None), &options);
    host.far = Some(far);
    Ok(plain::run(table, warnings, options, &mut host)?.pass_on()?)
}

impl PlainHost {
    /// Says on stderr what could not be saved.
    fn report_lost(&self) {
        for lost in &self.lost {
            say(lost);
        }
    }
}
