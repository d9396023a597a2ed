//! The file of `solve --checkpoint`: what a solve has found so far.
//!
//! Its first line names the format. The rest has checksums: a line of JSON with the position, and the bytes of the
//! engine. A new version is written to another file, which then replaces the old one. The file is locked while a
//! process solves with it.

use super::file;
use crate::search::Checkpoint;
use crate::session::{Match, MatchState};
use crate::store::disk;
use crate::store::read::{self, Access};
use crate::store::sealed::{SealedReader, SealedWriter};
use anyhow::{Context, anyhow, bail};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The first line.
const FIRST_LINE: &str = "quadrille-checkpoint 1\n";
/// The beginning of the first line in any version of the format.
const ANY_FIRST_LINE: &str = "quadrille-checkpoint ";

/// The pause between two writes is at least this many times as long as the last write took. So a search spends less
/// than a twentieth of its time on checkpoints.
const PATIENCE: u32 = 20;

/// The end of the message about a file that cannot be used.
const REMEDY: &str = "name another file, or remove this one to begin anew";

/// The checkpoint file of a solve, open and locked.
pub struct CheckpointFile<'a> {
    /// Its name for messages.
    name: String,
    /// Its path, without symbolic links.
    path: PathBuf,
    head: CheckpointHeader,
    /// The least time between two writes.
    interval: Duration,
    warn: &'a (dyn Fn(&str) + Sync),
    state: Mutex<OpenCheckpoint>,
}

struct OpenCheckpoint {
    /// The file, held open for its lock.
    file: File,
    /// The bytes of the engine, until they were read.
    body: Option<SealedReader<File>>,
    /// When the next write is due.
    due: Instant,
    /// Why the engine could not read the file.
    read_error: Option<String>,
    /// The last error of a write. It is only printed when it changes.
    trouble: Option<String>,
}

/// The position that is being solved, and the moves that lead to it.
#[derive(Serialize, Deserialize)]
struct CheckpointHeader {
    position: CheckpointPosition,
    moves: Vec<String>,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct CheckpointPosition {
    game: String,
    setup: String,
    turn: Option<usize>,
    scores: Option<Vec<u32>>,
    board: String,
}

impl CheckpointHeader {
    fn of(game: &Match) -> CheckpointHeader {
        let MatchState { game: id, setup, turn, scores, board, .. } = MatchState::of(game);
        let moves = game.moves().iter().map(|(_, mv)| mv.clone()).collect();
        CheckpointHeader {
            position: CheckpointPosition { game: id.to_owned(), setup, turn, scores, board },
            moves,
        }
    }

    /// The position as arguments of `quadrille solve`.
    fn words(&self) -> String {
        const MOST: usize = 8;
        let CheckpointPosition { game, setup, .. } = &self.position;
        match &self.moves[..] {
            [] => format!("{game} {setup}"),
            moves if moves.len() <= MOST => {
                format!("{game} {setup} --moves \"{}\"", moves.join(" "))
            }
            moves => format!("{game} {setup} after {} moves", moves.len()),
        }
    }

    fn sealed<W: Write>(&self, out: W) -> io::Result<SealedWriter<W>> {
        let mut sealed = SealedWriter::new(out, FIRST_LINE)?;
        serde_json::to_writer(&mut sealed, self)?;
        sealed.write_all(b"\n")?;
        sealed.flush()?;
        Ok(sealed)
    }
}

impl<'a> CheckpointFile<'a> {
    /// Opens and locks the file for the present position of the match, or creates it. `warn` is called with errors of
    /// later writes.
    pub fn open(
        path: &Path,
        game: &Match,
        interval: Duration,
        warn: &'a (dyn Fn(&str) + Sync),
    ) -> anyhow::Result<CheckpointFile<'a>> {
        let name = file::name(path).to_string();
        let head = CheckpointHeader::of(game);
        let (path, file, body) = find(path, &head).context(name.clone())?;
        let due = Instant::now() + interval;
        let state = Mutex::new(OpenCheckpoint { file, body, due, read_error: None, trouble: None });
        Ok(CheckpointFile { name, path, head, interval, warn, state })
    }

    /// An error if the engine could not read the file.
    pub fn read_error(&self) -> anyhow::Result<()> {
        match &self.state().read_error {
            None => Ok(()),
            Some(why) => bail!("{}: {why}; {REMEDY}", self.name),
        }
    }

    fn state(&self) -> MutexGuard<'_, OpenCheckpoint> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(
        &self,
        state: &mut OpenCheckpoint,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<File> {
        match disk::is_at(&state.file, &self.path) {
            Ok(false) => return Err(io::Error::other("another file was put in its place")),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let permissions = state.file.metadata()?.permissions();
        disk::replace_by(&self.path, permissions, |file| {
            let mut sealed = self.head.sealed(file)?;
            write(&mut sealed)?;
            sealed.finish()
        })
    }

    /// Writes the file. `then` ends the warning if that fails, and says what happens next.
    fn put(
        &self,
        state: &mut OpenCheckpoint,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
        then: &str,
    ) {
        let begun = Instant::now();
        let written = self.write(state, write);
        let took = begun.elapsed();
        state.due = begun + took + self.interval.max(took * PATIENCE);
        match written {
            Ok(file) => (state.file, state.trouble) = (file, None),
            // The search ended during the write. It will write once more.
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                let trouble = format!("{}: not written: {error}{then}", self.name);
                if state.trouble.as_ref() != Some(&trouble) {
                    (self.warn)(&trouble);
                }
                state.trouble = Some(trouble);
            }
        }
    }
}

impl Checkpoint for CheckpointFile<'_> {
    fn load(&self, read: &mut dyn FnMut(&mut dyn Read) -> io::Result<()>) -> bool {
        let mut state = self.state();
        let Some(mut body) = state.body.take() else { return true };
        let done = take_over(&mut body, read);
        state.due = Instant::now() + self.interval;
        let refusal = done.as_ref().err().filter(|error| error.kind() != ErrorKind::Interrupted);
        state.read_error = refusal.map(io::Error::to_string);
        done.is_ok()
    }

    fn save_if_due(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        if let Ok(mut state) = self.state.try_lock()
            && Instant::now() >= state.due
        {
            self.put(&mut state, write, "; the search goes on");
        }
    }

    fn save(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        self.put(&mut self.state(), write, "");
    }
}

/// Has the engine read its bytes. It must read all of them.
fn take_over(
    body: &mut SealedReader<File>,
    read: &mut dyn FnMut(&mut dyn Read) -> io::Result<()>,
) -> io::Result<()> {
    if body.is_at_end()? {
        return Ok(());
    }
    read(body)?;
    if body.is_at_end()? {
        Ok(())
    } else {
        Err(io::Error::new(ErrorKind::InvalidData, "it has more than it should"))
    }
}

/// Opens or creates the file, and locks it. Returns its path without symbolic links, the file, and the bytes of the
/// engine if there are any.
fn find(
    path: &Path,
    head: &CheckpointHeader,
) -> anyhow::Result<(PathBuf, File, Option<SealedReader<File>>)> {
    // Between two steps another process may replace the file or remove it.
    const LOOKS: usize = 8;
    for _ in 0..LOOKS {
        match read::open(path, Access::Read) {
            Ok(file) => {
                let path = fs::canonicalize(path)?;
                match disk::lock_in_place(&file, &path) {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(TryLockError::WouldBlock) => {
                        bail!("another process is solving with this file")
                    }
                    Err(error) => return Err(error.into()),
                }
                let body = body(&file, head)?;
                disk::can_write_beside(&path)?;
                return Ok((path, file, Some(body)));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                disk::leads_somewhere(path)?;
                let mut bytes = Vec::new();
                head.sealed(&mut bytes)?.finish()?;
                match disk::create_locked(path, &bytes) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    made => {
                        let file = made?;
                        disk::can_write_beside(path)?;
                        return Ok((path.to_owned(), file, None));
                    }
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(anyhow!(io::Error::from(ErrorKind::AlreadyExists)))
}

/// The bytes after the header, if the header has this position.
fn body(file: &File, head: &CheckpointHeader) -> anyhow::Result<SealedReader<File>> {
    let mut line = Vec::new();
    io::copy(&mut file.take(FIRST_LINE.len() as u64), &mut line)?;
    if line.is_empty() {
        bail!("an empty file is not a checkpoint; {REMEDY}");
    }
    if line != FIRST_LINE.as_bytes() {
        if line.starts_with(ANY_FIRST_LINE.as_bytes()) {
            bail!("a checkpoint of another version of this program; {REMEDY}");
        }
        bail!("not a checkpoint of quadrille; name another file");
    }
    let mut body = SealedReader::new(file.try_clone()?, FIRST_LINE);
    let there = body.chunk().map_err(|error| anyhow!("{error}; {REMEDY}"))?;
    let there: CheckpointHeader =
        serde_json::from_slice(there).map_err(|_| anyhow!("it is damaged; {REMEDY}"))?;
    if there.position != head.position {
        let (there, asked) = (there.words(), head.words());
        bail!("a checkpoint of {there}, not of {asked}; solve that, or name another file");
    }
    Ok(body)
}
