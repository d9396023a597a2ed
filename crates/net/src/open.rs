//! Opens a table by moving a match to a new process.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "starts the process of a table"
)]

use super::agenda::MAX_MATCHES;
use super::agenda_files::Agenda;
use super::folder::{self, HostedTable, OpenTable};
use super::peer::Peer;
use super::seating_file;
use super::server::READY;
use super::wake;
use crate::protocol::{OneWord, decode, fit_name};
use crate::{Opening, Seating};
use anyhow::{Context, anyhow, bail};
use quadrille_rules::Seat;
use quadrille_system::processes::{command_named, this_program};
use quadrille_system::{calendar, folders};
use quadrille_table::match_saver::MatchSaver;
use quadrille_table::play::Table;
use quadrille_text::wording::list;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long the process may take before guests can join.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// The stack size, in bytes, of the thread that waits for the process to exit.
const STACK: usize = 64 << 10;

/// How to open a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewTable {
    pub is_shared: bool,
    /// The seat that the host has just given to a guest; it still has the previous player's name.
    pub invited: Option<Seat>,
    /// How long an empty table stays open.
    pub idle: Duration,
    /// The minimum time per engine move.
    pub pace: Duration,
}

/// Moves a match to its own table. The match must not be played here afterwards. On error the match stays here
/// unchanged. The table of a resumed match has the same id, name, secret and guests as before.
pub fn open(
    table: &mut Table,
    saver: &mut MatchSaver,
    host_name: String,
    new: NewTable,
) -> anyhow::Result<HostedTable> {
    if let Some(program) = table.program_to_permit() {
        bail!("start {} before inviting guests", program.name());
    }
    seating_file::to_file(calendar::moment()).iter().for_each(|journal| saver.file(journal));
    seating_file::remove_stale();
    let seating = seating(table, new).context("cannot open a table")?;
    let former = Some(&*seating.table).filter(|name| !name.is_empty());
    let is_shared = seating.secret.is_some();
    let (place, _lock) = folder::place(table.entry.id, is_shared, former, &wake::sleeping())?;
    let is_new = table.saved.journal.is_none();
    if is_new && table.session().days().is_some() && Agenda::has_no_room() {
        bail!("{MAX_MATCHES} matches with days per move are unfinished, and no more are allowed");
    }
    saver.save(table);
    if let Some(why) = &table.saved.not_in_journal {
        bail!("{why}; only a saved match can be shared");
    }
    let opening = Opening {
        seating: Seating { table: place.name, ..seating },
        idle: new.idle,
        pace: new.pace,
        journal: table.saved.journal.clone(),
        host_name,
    };
    let text = opening.write(table);
    saver.release(table)?;
    let (table, _) = start(&text, None)?;
    HostedTable::read(table).context("the table process exited at once")
}

/// Returns who owns the seats: of a resumed match, the guests known from its last table, or by their names in the
/// journal. The table's name is empty for a new table.
fn seating(table: &Table, new: NewTable) -> io::Result<Seating> {
    let by_name = || {
        let is_saved = table.saved.journal.is_some();
        let players = Some(table.players()).filter(|_| is_saved);
        Ok::<Seating, io::Error>(Seating {
            id: folder::token()?,
            host_token: folder::token()?,
            guests: players.map_or_else(
                || Ok(Vec::new()),
                |players| Seating::guests_by_name(players, new.invited, folder::token),
            )?,
            ..Seating::default()
        })
    };
    let saved = table.saved.journal.as_deref().and_then(seating_file::find);
    let mut seating = saved.map_or_else(by_name, |saved| Ok(saved.seating))?;
    if new.is_shared && seating.secret.is_none() {
        seating.secret = Some(folder::secret()?);
    }
    Ok(seating)
}

/// Starts a table's process, with `input` on its stdin, and waits until guests can join. Returns the table, and which
/// part of its match is lost. `state` is the state folder of the match.
pub(super) fn start(
    input: &str,
    state: Option<&Path>,
) -> anyhow::Result<(OpenTable, Option<String>)> {
    let this = this_program().context("cannot open a table")?;
    let mut command = command_named(&this, "quadrille");
    command.args(["table", "open"]);
    // Keep the long-lived process small by making glibc return freed memory at once.
    for (name, value) in [
        ("MALLOC_ARENA_MAX", "1"),
        ("MALLOC_TRIM_THRESHOLD_", "65536"),
        ("MALLOC_TOP_PAD_", "16384"),
    ] {
        command.env(name, value);
    }
    folders::set_state(&mut command, state);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().context("cannot start the table process")?;
    match hand_over(&mut child, input) {
        Ok(table) => {
            // Reap the process when it exits. If no thread can be started, the process is reaped when this one exits.
            let wait = move || drop(child.wait());
            let _ = thread::Builder::new().name("table".to_owned()).stack_size(STACK).spawn(wait);
            Ok(table)
        }
        Err(why) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(why)
        }
    }
}

fn hand_over(child: &mut Child, input: &str) -> anyhow::Result<(OpenTable, Option<String>)> {
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("cannot connect to the table process");
    };
    // If the process has already exited, its output is more informative than this error.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let mut process = Peer::pipes(stdout, None);
    match process.wait_for_line(Instant::now() + START_TIMEOUT)? {
        Some(line) => {
            let line = line?;
            read_ready(&line).ok_or_else(|| anyhow!("cannot open a table: {line}"))
        }
        None if process.has_ended() => bail!("the table process exited at once"),
        None => bail!("the table process did not answer for {} s", START_TIMEOUT.as_secs()),
    }
}

/// Joins the names of the people at the host's terminal.
pub(super) fn host_name(table: &Table) -> String {
    let players = table.players();
    let here = players.people().filter(|&seat| !players.guests().any(|guest| guest == seat));
    fit_name(&list(here.map(|seat| players.name(seat)))).unwrap_or_else(|| "Host".to_owned())
}

/// Formats the line that tells the opener that guests can join.
pub(super) fn ready(socket: &Path, lost: Option<&str>) -> String {
    format!("{READY} {} {}", OneWord(&socket.to_string_lossy()), lost.unwrap_or_default())
}

/// Parses the line of [`ready`]; `None` for an error message.
fn read_ready(line: &str) -> Option<(OpenTable, Option<String>)> {
    let mut words = line.splitn(3, ' ');
    let path = words.by_ref().next().filter(|&word| word == READY).and(words.next())?;
    let path = PathBuf::from(decode(path));
    let name = path.file_name()?.to_str()?.to_owned();
    let lost = words.next().filter(|lost| !lost.is_empty()).map(str::to_owned);
    Some((OpenTable { name, path }, lost))
}
