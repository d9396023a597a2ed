//! The folder of a tournament. Its files are consistent on disk even if the program is killed.
//!
//! ```text
//! schedule.json    the terms of the tournament; locked during a run
//! games.jsonl      one line per finished game: GameLine
//! games/0001.game  the record of each game
//! table.json       the machine-readable table
//! table.txt        the human-readable table
//! ```
//!
//! The record of a game is written before its line, so a game with a line has a record. After a power failure, a record
//! may still be empty or incomplete: syncing each record would take 50 times as long as writing it (7 ms instead of
//! 0.13 ms on an SSD), longer than a game between fast players. Therefore, records are checked when the folder is
//! opened, and a game with a truncated line or an incomplete record is replayed.
//!
//! Nothing is written outside the folder: a symbolic link in place of one of its files is replaced by a file, and a
//! link in place of `games` is rejected.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "keeps the files of a tournament"
)]

use super::game::{game_of, record_name};
use super::growth;
use super::{GameLine, Schedule, SetupOrder, Shard, TournamentPlan, TournamentTable, terms};
use quadrille_match::session::Record;
use quadrille_system::disk::{self, Durability};
use quadrille_system::locked_file::LockedFile;
use quadrille_system::read::{self, Access, Limit, Lines};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const HEAD: &str = "schedule.json";
/// A key of `schedule.json`. Earlier builds did not write the key and played the setups in file order.
const ORDER: &str = "order";
const LINES: &str = "games.jsonl";
const RECORDS: &str = "games";
const TABLE_JSON: &str = "table.json";
const TABLE_TEXT: &str = "table.txt";

/// The folder of a running tournament. The folder is locked, so no other process can add games.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The open file of lines. It is closed while it is replaced, which some systems require.
    lines: Option<File>,
    /// The open and locked `schedule.json`.
    head: LockedFile,
}

/// Converts an error to a sentence that begins with the path.
fn at<E: Display>(path: &Path) -> impl FnOnce(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Converts an error in creating the results to a sentence that begins with the path. The installed example files are
/// in a folder that users cannot write to.
fn creating(path: &Path) -> impl FnOnce(io::Error) -> String {
    move |error| match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => at(path)(format!(
            "{error}; copy the tournament file to a folder of yours first, or set `out` in it to one"
        )),
        _ => at(path)(error),
    }
}

/// The contents of a folder opened read-only.
#[derive(Debug)]
pub struct FolderContents {
    pub schedule: Schedule,
    /// The shard that was played in this folder.
    pub shard: Shard,
    /// The finished games, in the order in which they ended.
    pub lines: Vec<GameLine>,
}

impl Folder {
    /// Opens or creates a folder. Returns the schedule and the games already played. Returns an error if the folder
    /// holds a different tournament. If the new schedule only extends the folder's schedule, the returned schedule
    /// begins with the folder's games. With `keeps_numbers`, the numbers of all games in the new schedule must stay the
    /// same.
    pub fn open(
        path: &Path,
        mut schedule: Schedule,
        shard: Shard,
        keeps_numbers: bool,
    ) -> Result<(Folder, Schedule, Vec<GameLine>), String> {
        let records = path.join(RECORDS);
        disk::leads_somewhere(path).map_err(at(path))?;
        make_records(&records)?;
        let head = path.join(HEAD);
        let mut file = lock(&head, &head_text(&schedule, shard)).map_err(|why| match why {
            TryLockError::Error(error) => creating(&head)(error),
            TryLockError::WouldBlock => {
                at(path)("another process is running a tournament in this folder")
            }
        })?;
        for folder in [path, &records] {
            disk::remove_drafts(folder).map_err(at(folder))?;
        }
        let there = read_head(&head)?;
        let levels = terms::levels(&there);
        if schedule.plan().has_levels() && levels != schedule.plan().levels {
            // A finished tournament keeps its levels.
            let now = schedule.plan().levels;
            let plan = TournamentPlan { levels, ..schedule.plan().as_ref().clone() };
            schedule = Schedule::new(Arc::new(plan)).map_err(at(path))?;
            let (played, _) = read_lines(path, &schedule, shard)?;
            if (played.len() as u64) < shard.games(&schedule) {
                return Err(at(path)(terms::has_other_levels(levels, now)));
            }
        }
        if let Some(what) = terms::difference(&there, &head_value(&schedule, shard)) {
            let grown = match terms::read(&there) {
                Ok((old, part)) if part == shard => growth::grow(old, schedule.plan(), shard),
                _ => Err(terms::differs(&what)),
            };
            let grown = grown.map_err(at(path))?;
            if keeps_numbers && grown.plan().terms() != schedule.plan().terms() {
                return Err(at(path)(terms::differs(&what)));
            }
            schedule = grown;
        }
        let (read, mut is_whole) = read_lines(path, &schedule, shard)?;
        let mut lines = Vec::with_capacity(read.len());
        for line in read {
            let record = path.join(&line.record);
            let record = read::regular(&record, Limit::RECORD).map_err(at(&record))?;
            // After a power failure, the record may be empty, zeroed or truncated.
            if check_record(&record, &line, &schedule).is_ok() && record.ends_with(b"\n") {
                lines.push(line);
            } else {
                is_whole = false;
            }
        }
        if there != head_value(&schedule, shard) {
            let terms = head_text(&schedule, shard);
            disk::replace_locked(&mut file, &head, terms.as_bytes()).map_err(at(&head))?;
        }
        let file_of_lines = path.join(LINES);
        let is_link =
            fs::symlink_metadata(&file_of_lines).is_ok_and(|metadata| metadata.is_symlink());
        if !is_whole || is_link {
            write(&file_of_lines, text(&lines).as_bytes(), Durability::Synced)?;
        }
        let mut folder = Folder { path: path.to_owned(), lines: None, head: file };
        folder.lines()?;
        Ok((folder, schedule, lines))
    }

    /// Returns an error if the folder was moved or removed, because anything now at its path belongs to another
    /// process.
    fn check_place(&self) -> Result<(), String> {
        let head = self.path.join(HEAD);
        if disk::is_at(&self.head, &head).unwrap_or(false) {
            return Ok(());
        }
        Err(at(&head)(
            "it was removed or replaced while games were played; the games since then are not written",
        ))
    }

    /// Writes the record and the line of a finished game.
    pub fn write(&mut self, line: &GameLine, record: &Record) -> Result<(), String> {
        self.check_place()?;
        let path = self.path.join(&line.record);
        write(&path, record.to_string().as_bytes(), Durability::Buffered)?;
        let written = self.lines()?.write_all(text(std::slice::from_ref(line)).as_bytes());
        written.map_err(at(&self.path.join(LINES)))
    }

    /// Returns the file of lines, opened at its end.
    fn lines(&mut self) -> Result<&mut File, String> {
        let path = self.path.join(LINES);
        match &mut self.lines {
            Some(lines) => Ok(lines),
            closed => Ok(closed.insert(open_lines(&path).map_err(at(&path))?)),
        }
    }

    /// Syncs the lines to disk and writes the table.
    pub fn save(&mut self, table: &TournamentTable) -> Result<(), String> {
        self.check_place()?;
        disk::sync(self.lines()?).map_err(at(&self.path.join(LINES)))?;
        for (name, text) in [(TABLE_JSON, table.json()), (TABLE_TEXT, table.to_string())] {
            write(&self.path.join(name), text.as_bytes(), Durability::Synced)?;
        }
        Ok(())
    }

    /// Rewrites the lines so that they contain only these games, in this order. Removes the records of all other games.
    pub fn finish<'l>(
        &mut self,
        lines: impl IntoIterator<Item = &'l GameLine> + Clone,
    ) -> Result<(), String> {
        self.check_place()?;
        self.lines = None;
        write(&self.path.join(LINES), text(lines.clone()).as_bytes(), Durability::Synced)?;
        let games: HashSet<u64> = lines.into_iter().map(|line| line.game).collect();
        let records = self.path.join(RECORDS);
        for entry in fs::read_dir(&records).map_err(at(&records))? {
            let entry = entry.map_err(at(&records))?;
            let game = entry.file_name().to_str().and_then(game_of);
            if game.is_some_and(|game| !games.contains(&game)) {
                disk::remove(&entry.path()).map_err(at(&entry.path()))?;
            }
        }
        Ok(())
    }
}

impl FolderContents {
    /// Reads a folder without locking it.
    pub fn read(path: &Path) -> Result<FolderContents, String> {
        let head = path.join(HEAD);
        let (plan, shard) = terms::read(&read_head(&head)?).map_err(at(&head))?;
        let schedule = Schedule::new(Arc::new(plan)).map_err(at(&head))?;
        let (lines, _) = read_lines(path, &schedule, shard)?;
        Ok(FolderContents { schedule, shard, lines })
    }
}

/// Returns whether the run in a folder was killed before it wrote anything: the folder contains at most drafts and an
/// empty folder for records.
pub(super) fn is_unwritten(path: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        let is_empty = || path.ends_with(RECORDS) && is_unwritten(&path).unwrap_or(false);
        if !disk::is_draft(&path) && !is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Sets the orders of setups and seats that a plan leaves open to those of the folder of a shard, or of any other shard
/// of the same tournament, if one exists. `whole` is the folder of the whole tournament.
pub fn keep_orders(plan: &mut TournamentPlan, whole: &Path, shard: Shard) {
    let begun = |shard: Shard| {
        let head = read_head(&shard.folder(whole).join(HEAD)).ok()?;
        terms::read(&head).ok()
    };
    let mut parts = (1..=shard.count).map(|number| Shard { number, ..shard });
    if let Some((old, _)) = begun(shard).or_else(|| parts.find_map(begun)) {
        (plan.order, plan.seating) = (plan.order.or(old.order), old.seating);
    }
}

/// Adds the games of shards to the folder `path`, which may already contain some of them, or others. `from` lists the
/// games, each with the folder that contains its record. All records are checked before anything is written. Returns
/// all games of the folder in schedule order.
pub(super) fn merge_into(
    path: &Path,
    schedule: &Schedule,
    from: &[(GameLine, &Path)],
) -> Result<(Folder, Vec<GameLine>), String> {
    for (line, source) in from {
        record_of(line, schedule, source)?;
    }
    let (mut folder, _, there) = Folder::open(path, schedule.clone(), Shard::WHOLE, true)?;
    let mut lines: BTreeMap<u64, GameLine> =
        there.into_iter().map(|line| (line.game, line)).collect();
    for (line, source) in from {
        let record = record_of(line, schedule, source)?;
        write(&path.join(&line.record), &record, Durability::Buffered)?;
        lines.insert(line.game, line.clone());
    }
    let lines: Vec<GameLine> = lines.into_values().collect();
    folder.finish(&lines)?;
    Ok((folder, lines))
}

/// Returns the record that belongs to a line, from the folder of its shard. Anything else at its path, such as a
/// symbolic link to a different file, is an error.
fn record_of(line: &GameLine, schedule: &Schedule, folder: &Path) -> Result<Vec<u8>, String> {
    let path = folder.join(&line.record);
    let bytes = read::regular(&path, Limit::RECORD).map_err(at(&path))?;
    check_record(&bytes, line, schedule).map_err(at(&path))?;
    Ok(bytes)
}

/// Checks that these bytes are the record of the game on a line.
fn check_record(bytes: &[u8], line: &GameLine, schedule: &Schedule) -> Result<(), String> {
    let record = Record::from_bytes(bytes).map_err(|why| why.to_string())?;
    let is_it = record.game() == schedule.plan().entry.id && record.moves().len() == line.plies;
    is_it.then_some(()).ok_or_else(|| format!("this is not the record of game {}", line.game))
}

/// Creates the folder for records if it does not exist. A symbolic link to a different folder is rejected.
fn make_records(path: &Path) -> Result<(), String> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => Ok(()),
        Ok(_) => Err(at(path)(
            "game records need a real folder here, but this is a link or a file; remove it, or choose another folder for the results",
        )),
        Err(_) => fs::create_dir_all(path).map_err(creating(path)),
    }
}

fn write(path: &Path, bytes: &[u8], durability: Durability) -> Result<(), String> {
    disk::put_own(path, bytes, durability).map_err(at(path))
}

/// Opens and locks `schedule.json`, creating the file if it does not exist.
fn lock(path: &Path, text: &str) -> Result<LockedFile, TryLockError> {
    loop {
        let file = match read::open(path, Access::Write) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                disk::leads_somewhere(path).map_err(TryLockError::Error)?;
                match disk::create_locked(path, text.as_bytes()) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                    made => return made.map_err(TryLockError::Error),
                }
            }
            file => file.map_err(TryLockError::Error)?,
        };
        if let Some(file) = disk::lock_in_place(file, path)? {
            return Ok(file);
        }
    }
}

fn head_value(schedule: &Schedule, shard: Shard) -> Map<String, Value> {
    let mut head = schedule.plan().terms();
    let shard = (shard != Shard::WHOLE).then(|| shard.to_string());
    head.insert("shard".to_owned(), shard.into());
    head
}

fn head_text(schedule: &Schedule, shard: Shard) -> String {
    let value = Value::Object(head_value(schedule, shard));
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

fn read_head(path: &Path) -> Result<Map<String, Value>, String> {
    let bytes = read::regular(path, Limit::TOURNAMENT).map_err(at(path))?;
    let head = serde_json::from_slice(&bytes);
    let mut head: Map<String, Value> =
        head.map_err(|why| at(path)(format!("this is not a schedule: {why}")))?;
    head.entry(ORDER).or_insert_with(|| json!(SetupOrder::Given));
    Ok(head)
}

/// Reads the games that have both a line and a record. Also returns whether the file contains nothing else.
fn read_lines(
    folder: &Path,
    schedule: &Schedule,
    shard: Shard,
) -> Result<(Vec<GameLine>, bool), String> {
    let path = folder.join(LINES);
    let mut texts = match Lines::of(&path, Limit::GAME_LINE) {
        Err(missing) if missing.kind() == ErrorKind::NotFound => return Ok((Vec::new(), true)),
        lines => lines.map_err(at(&path))?,
    };
    let mut is_whole = true;
    let mut lines: Vec<GameLine> = Vec::new();
    let mut seen = vec![false; schedule.games() as usize];
    for number in 1.. {
        let wrong = |why: String| at(&path)(format!("line {number}: {why}"));
        let Some(text) = texts.next_line().map_err(|why| wrong(why.to_string()))? else { break };
        if !text.ends_with(b"\n") {
            // The last line is truncated.
            is_whole = false;
            break;
        }
        let line: GameLine = serde_json::from_slice(text).map_err(|why| wrong(why.to_string()))?;
        check(&line, schedule, shard).map_err(wrong)?;
        if std::mem::replace(&mut seen[line.game as usize - 1], true) {
            return Err(wrong(format!("duplicate game {}", line.game)));
        }
        // After a power failure, a line may exist without its record.
        if fs::metadata(folder.join(&line.record))
            .is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
        {
            lines.push(line);
        } else {
            is_whole = false;
        }
    }
    Ok((lines, is_whole))
}

/// Checks that a line belongs to a game of this schedule.
fn check(line: &GameLine, schedule: &Schedule, shard: Shard) -> Result<(), String> {
    let game = line.game;
    let fixture = schedule.fixture(game).filter(|fixture| shard.has(fixture));
    let fixture = fixture.ok_or_else(|| format!("no game {game} in this schedule"))?;
    let plan = schedule.plan();
    let names = fixture.players.iter().map(|&player| &plan.players[player].name);
    let is_it = names.eq(&line.players)
        && line.setup == plan.setups[fixture.setup].setup.to_string()
        && line.points.len() == fixture.players.len()
        && line.record == record_name(game);
    is_it.then_some(()).ok_or_else(|| format!("this is not game {game} of the schedule"))
}

fn open_lines(path: &Path) -> io::Result<File> {
    let made = disk::create(path, &[]);
    if let Err(error) = made
        && error.kind() != ErrorKind::AlreadyExists
    {
        return Err(error);
    }
    let mut file = read::open(path, Access::OwnFile)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

fn text<'l>(lines: impl IntoIterator<Item = &'l GameLine>) -> String {
    let mut text = String::new();
    for line in lines {
        // Cannot fail: a line contains only strings and numbers.
        text.push_str(&serde_json::to_string(line).unwrap_or_default());
        text.push('\n');
    }
    text
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::super::read;
    use super::super::run::results;
    use super::*;
    use quadrille_text::toml_file::Source;

    /// The lines go to `/dev/null`, which cannot be synced.
    #[test]
    fn table_requires_synced_lines() {
        let text = "game = \"tic-tac-toe\"\nsetups = [\"\"]\nout = \"results\"\n\
                    players = [{ engine = \"casual\" }, { engine = \"beginner\" }]\n";
        let plan = read(Source { file: "t.toml", text }, &|_, _| Ok(())).unwrap();
        let schedule = Schedule::new(Arc::new(plan)).unwrap();
        let path = tempfile::tempdir().unwrap();
        let (mut folder, schedule, _) =
            Folder::open(path.path(), schedule, Shard::WHOLE, false).unwrap();
        let table = results(&schedule, &[]).table();
        folder.lines = Some(File::create("/dev/null").unwrap());
        let why = folder.save(&table).unwrap_err();
        assert!(why.ends_with("games.jsonl: Invalid argument (os error 22)"), "{why}");
        assert!(!path.path().join(TABLE_TEXT).exists());
        folder.lines = None;
        folder.save(&table).unwrap();
        assert!(path.path().join(TABLE_TEXT).exists());
    }
}
