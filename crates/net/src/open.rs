//! Opens a table by moving a match to a new process.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "starts the process of a table"
)]

use super::folder::{self, HostedTable};
use super::peer::Peer;
use super::seating_file;
use super::server::READY;
use crate::{Opening, Seating};
use anyhow::{Context, bail};
use quadrille_rules::Seat;
use quadrille_table::match_saver::MatchSaver;
use quadrille_table::play::Table;
use quadrille_table::play::program::Launcher;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
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
    let seating = seating(table, saver, new).context("cannot open a table")?;
    let former = Some(&*seating.table).filter(|name| !name.is_empty());
    let (place, _lock) = folder::place(table.entry.id, seating.secret.is_some(), former)?;
    saver.save(table);
    if let Some(why) = &table.saved.not_in_journal {
        bail!("{why}; only a saved match can be shared");
    }
    let opening = Opening {
        seating: Seating { table: place.name.clone(), ..seating },
        idle: new.idle,
        pace: new.pace,
        journal: table.saved.journal.clone(),
        host_name,
    };
    let text = opening.write(table);
    saver.release(table)?;
    start(&text)?;
    HostedTable::read(place).context("the table process exited at once")
}

/// Returns who owns the seats: of a resumed match, the guests known from its last table, or by their names in the
/// journal. The table's name is empty for a new table.
fn seating(table: &Table, saver: &MatchSaver, new: NewTable) -> io::Result<Seating> {
    if let Ok(journals) = saver.store().map_err(drop).and_then(|s| s.journals().map_err(drop)) {
        seating_file::remove_all_but(&journals);
    }
    let token = folder::token()?;
    let mut seating = match table.saved.journal.as_deref() {
        None => Seating { id: folder::token()?, ..Seating::default() },
        Some(journal) => match seating_file::read(journal) {
            Some(seating) => seating,
            None => Seating {
                id: folder::token()?,
                guests: Seating::guests_by_name(table.players(), new.invited, folder::token)?,
                ..Seating::default()
            },
        },
    };
    if new.is_shared && seating.secret.is_none() {
        seating.secret = Some(folder::secret()?);
    }
    Ok(seating.resumed(token))
}

/// Starts a table's process, and waits until guests can join.
fn start(opening: &str) -> anyhow::Result<()> {
    let this = Launcher::new(None).context("cannot open a table")?.supervisor;
    let mut command = Command::new(this);
    command.arg0("quadrille").args(["table", "open"]);
    // Keep the long-lived process small by making glibc return freed memory at once.
    for (name, value) in [
        ("MALLOC_ARENA_MAX", "1"),
        ("MALLOC_TRIM_THRESHOLD_", "65536"),
        ("MALLOC_TOP_PAD_", "16384"),
    ] {
        command.env(name, value);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().context("cannot start the table process")?;
    match hand_over(&mut child, opening) {
        Ok(()) => {
            // Reap the process when it exits. If no thread can be started, the process is reaped when this one exits.
            let wait = move || drop(child.wait());
            let _ = thread::Builder::new().name("table".to_owned()).stack_size(STACK).spawn(wait);
            Ok(())
        }
        Err(why) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(why)
        }
    }
}

fn hand_over(child: &mut Child, opening: &str) -> anyhow::Result<()> {
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("cannot connect to the table process");
    };
    // If the process has already exited, its output is more informative than this error.
    let _ = stdin.write_all(opening.as_bytes());
    drop(stdin);
    let mut process = Peer::pipes(stdout, None);
    match process.wait_for_line(Instant::now() + START_TIMEOUT)? {
        Some(Ok(line)) if line == READY => Ok(()),
        Some(why) => bail!("cannot open a table: {}", why?),
        None if process.has_ended() => bail!("the table process exited at once"),
        None => bail!("the table process did not answer for {} s", START_TIMEOUT.as_secs()),
    }
}
