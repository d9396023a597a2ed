//! The file of `solve --checkpoint`: how far a solve has come.
//!
//! It begins with a line that says what it is. All else is sealed: a line of JSON that says of which position it is,
//! and what the engine has written. It is written beside its place and put there whole, and locked for as long as
//! somebody solves with it.

use crate::cli::file;
use crate::search::Checkpoint;
use crate::session::store::disk;
use crate::session::store::read::{self, Access};
use crate::session::store::sealed::{SealedReader, SealedWriter};
use crate::session::{AnyMatch, MatchState};
use anyhow::{Context, anyhow, bail};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The first line, and how that of any version begins.
const FIRST_LINE: &str = "quadrille-checkpoint 1\n";
const ANY_FIRST_LINE: &str = "quadrille-checkpoint ";

/// The next one is written no sooner than so many times as long after the last one as that took: a search
/// that has to wait for it does so for less than a twentieth of its time.
const PATIENCE: u32 = 20;

/// What to do about a file that cannot be used.
const REMEDY: &str = "name another file, or remove this one to begin anew";

/// An open file.
pub(super) struct CheckpointFile<'a> {
    /// What messages call it.
    name: String,
    /// Where it is, without links.
    path: PathBuf,
    head: Head,
    /// How long it is from one to the next at least.
    interval: Duration,
    warn: &'a (dyn Fn(&str) + Sync),
    state: Mutex<Open>,
}

struct Open {
    /// The file at its place, held open for its lock.
    file: File,
    /// What the engine has written, until it was read.
    body: Option<SealedReader<File>>,
    /// When the next one is written.
    due: Instant,
    /// Why the engine could not read it.
    refusal: Option<String>,
    /// What went wrong when it was written last, which is said once.
    trouble: Option<String>,
}

/// Which position it is of, and how it came about.
#[derive(Serialize, Deserialize)]
struct Head {
    position: Position,
    moves: Vec<String>,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Position {
    game: String,
    setup: String,
    turn: Option<usize>,
    scores: Option<Vec<u32>>,
    board: String,
}

impl Head {
    fn of(game: &dyn AnyMatch) -> Head {
        let MatchState { game: id, setup, turn, scores, board, .. } = MatchState::of(game);
        let moves = game.moves().iter().map(|(_, mv)| mv.clone()).collect();
        Head { position: Position { game: id.to_owned(), setup, turn, scores, board }, moves }
    }

    /// The position in the words that ask for it.
    fn words(&self) -> String {
        const MOST: usize = 8;
        let Position { game, setup, .. } = &self.position;
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
    /// Opens the file for the position where the match stands, or makes one where there is none, and holds its lock.
    /// `warn` is told what goes wrong later.
    pub fn open(
        path: &Path,
        game: &dyn AnyMatch,
        interval: Duration,
        warn: &'a (dyn Fn(&str) + Sync),
    ) -> anyhow::Result<CheckpointFile<'a>> {
        let name = file::name(path).to_string();
        let head = Head::of(game);
        let (path, file, body) = find(path, &head).context(name.clone())?;
        let due = Instant::now() + interval;
        let state = Mutex::new(Open { file, body, due, refusal: None, trouble: None });
        Ok(CheckpointFile { name, path, head, interval, warn, state })
    }

    /// The error, if it could not be gone on from.
    pub fn refusal(&self) -> anyhow::Result<()> {
        match &self.state().refusal {
            None => Ok(()),
            Some(why) => bail!("{}: {why}; {REMEDY}", self.name),
        }
    }

    fn state(&self) -> MutexGuard<'_, Open> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(
        &self,
        state: &mut Open,
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

    /// Writes it, and says what goes wrong with `then`, what happens next.
    fn put(
        &self,
        state: &mut Open,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
        then: &str,
    ) {
        let begun = Instant::now();
        let written = self.write(state, write);
        let took = begun.elapsed();
        state.due = begun + took + self.interval.max(took * PATIENCE);
        match written {
            Ok(file) => (state.file, state.trouble) = (file, None),
            // The search was over meanwhile, and it will be written once more.
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
        state.refusal = refusal.map(io::Error::to_string);
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

/// Has the engine read what it has written, if it has, which must be all there is.
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

/// Opens a file that is there, or makes one, and locks it: where it is, and what the engine has written to it.
fn find(path: &Path, head: &Head) -> anyhow::Result<(PathBuf, File, Option<SealedReader<File>>)> {
    // Whoever has the file may put another one in its place, or take it away, between two looks at it.
    const LOOKS: usize = 8;
    for _ in 0..LOOKS {
        match read::open(path, Access::Read) {
            Ok(file) => {
                match file.try_lock() {
                    Err(TryLockError::WouldBlock) => bail!("somebody else solves with it"),
                    done => done?,
                }
                let path = fs::canonicalize(path)?;
                if !disk::is_at(&file, &path).unwrap_or(false) {
                    continue;
                }
                let body = body(&file, head)?;
                disk::can_replace_by(&path)?;
                return Ok((path, file, Some(body)));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let mut bytes = Vec::new();
                head.sealed(&mut bytes)?.finish()?;
                match disk::create_locked(path, &bytes) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    made => {
                        let file = made?;
                        disk::can_replace_by(path)?;
                        return Ok((path.to_owned(), file, None));
                    }
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(anyhow!(io::Error::from(ErrorKind::AlreadyExists)))
}

/// What stands behind the head, if the file is of this position.
fn body(file: &File, head: &Head) -> anyhow::Result<SealedReader<File>> {
    let mut line = Vec::new();
    io::copy(&mut file.take(FIRST_LINE.len() as u64), &mut line)?;
    if line.is_empty() {
        bail!("an empty file is no checkpoint; {REMEDY}");
    }
    if line != FIRST_LINE.as_bytes() {
        if line.starts_with(ANY_FIRST_LINE.as_bytes()) {
            bail!("a checkpoint of another version of this program; {REMEDY}");
        }
        bail!("no checkpoint of quadrille; name another file");
    }
    let mut body = SealedReader::new(file.try_clone()?, FIRST_LINE);
    let there = body.chunk().map_err(|error| anyhow!("{error}; {REMEDY}"))?;
    let there: Head =
        serde_json::from_slice(there).map_err(|_| anyhow!("it is damaged; {REMEDY}"))?;
    if there.position != head.position {
        let (there, asked) = (there.words(), head.words());
        bail!("a checkpoint of {there}, not of {asked}; solve that, or name another file");
    }
    Ok(body)
}
