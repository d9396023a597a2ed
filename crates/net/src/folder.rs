//! Socket folders and socket names of tables.
//!
//! A table is named after its game: `quixo`, `quixo-2`. Its socket is in a folder that only this user can enter. The
//! socket of a shared table, `shared` or `shared-2`, is in a folder that other users may traverse. Every user can see
//! its path in `/proc/net/unix`, so other users must send a secret to join. The user id in the folder's name tells them
//! who must own the socket. Beside each socket is a file that only its owner can read, with the data that the host's
//! terminal needs to return.
//!
//! A different process of the same user may have a different environment: a process started through ssh may lack
//! `XDG_RUNTIME_DIR`. So all possible folders are searched for sockets.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "keeps sockets")]

use anyhow::{Context, anyhow, bail};
use quadrille_match::store::StoredFile;
use quadrille_system::handle::{Listener, Stream};
use quadrille_system::locked_file::LockedFile;
use quadrille_system::read::{self, Access, Limit};
use quadrille_system::sockets::{self, MAX_PATH_BYTES, TEMPORARY, owned_by};
use quadrille_system::{disk, fill_unpredictably, folders, users};
use quadrille_table::play::Table;
use quadrille_text::printable::printable;
use std::cmp::Reverse;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// The maximum length of a table's name, in bytes.
const MAX_NAME_BYTES: usize = 60;
/// The maximum number of private tables per game.
const MAX_TABLES_PER_GAME: u32 = 999;
/// How long to wait for a table that has its lock but does not listen, and how often to try.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const CONNECT_POLL_INTERVAL: Duration = Duration::from_millis(2);
/// The end of the name of the file that a table's process locks.
const LOCK_END: &str = ".lock";
/// Prefix of the folders for private tables; the user id follows.
const PRIVATE: &str = "quadrille-";
/// Prefix of the folders that other users may traverse; the user id follows.
const SHARED: &str = "quadrille-shared-";
/// The number of random letters appended to the folder name if another user owns the usual name.
const SUFFIX_LETTERS: usize = 6;

/// A table whose process responds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTable {
    pub name: String,
    pub path: PathBuf,
}

impl OpenTable {
    /// Returns the owner's name if other users may join.
    pub fn shared_by(&self) -> Option<String> {
        shared_owner(&self.path).map(user_name)
    }
}

/// Returns a user's name on this machine, or the user id if there is none.
pub(super) fn user_name(user: u32) -> String {
    users::name(user).map_or_else(|| user.to_string(), |name| printable(&name).into_owned())
}

/// The data that the host's terminal needs to return to its table, and to list the table among the unfinished matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostFile {
    pub token: String,
    /// The secret for other users; `None` if they may not join.
    pub secret: Option<String>,
    /// The journal of the match; `None` before there is one.
    pub journal: Option<String>,
    pub host: String,
    pub game: String,
    /// The players' names, in seat order.
    pub names: Vec<String>,
    /// The state folder of the match. Only processes with the same state folder list the table among the unfinished
    /// matches.
    pub state: String,
}

/// An open table of this user, to which the host can return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostedTable {
    pub table: OpenTable,
    pub host: HostFile,
    /// When the match or its players last changed.
    pub written: SystemTime,
}

/// Reserves a free name for a table of this game until the returned lock is dropped: the table's `former` name, if it
/// is free, otherwise one that no sleeping table has.
pub fn place(
    game: &str,
    is_shared: bool,
    former: Option<&str>,
    sleeping: &[String],
) -> anyhow::Result<(OpenTable, FolderLock)> {
    let folder = folder_for(is_shared)?;
    let lock = lock_folder(&folder, is_shared)?;
    Ok((place_in(&folder, game, is_shared, former, sleeping)?, lock))
}

/// Like [`place`], for a process whose parent has locked the folder.
pub(super) fn place_for_child(
    game: &str,
    is_shared: bool,
    former: &str,
) -> anyhow::Result<OpenTable> {
    let folder = folder_for(is_shared)?;
    sockets::make_folder(&folder, is_shared)
        .with_context(|| format!("cannot open a table in {}", folder.display()))?;
    place_in(&folder, game, is_shared, Some(former), &[])
}

fn place_in(
    folder: &Path,
    game: &str,
    is_shared: bool,
    former: Option<&str>,
    sleeping: &[String],
) -> anyhow::Result<OpenTable> {
    // Names must be unique across both folders.
    let stem = if is_shared { "shared" } else { game };
    let numbered = (1..=MAX_TABLES_PER_GAME).map(|number| match number {
        1 => stem.to_owned(),
        number => format!("{stem}-{number}"),
    });
    let former = former.filter(|name| is_table_name(name)).map(str::to_owned);
    let numbered = numbered.filter(|name| !sleeping.contains(name));
    for name in former.into_iter().chain(numbered) {
        let path = folder.join(&name);
        if is_free(&path).with_context(|| path.display().to_string())? {
            return Ok(OpenTable { name, path });
        }
    }
    bail!("too many open tables of {game} ({MAX_TABLES_PER_GAME})")
}

/// The lock of a folder of sockets: until it is dropped, no other process can create a socket there.
#[derive(Debug)]
pub struct FolderLock {
    _folder: File,
}

/// Creates and locks a folder for tables.
fn lock_folder(folder: &Path, is_shared: bool) -> anyhow::Result<FolderLock> {
    let locked = sockets::make_folder(folder, is_shared).and_then(|()| read::folder(folder));
    let locked = locked.and_then(|folder| folder.lock().map(|()| folder));
    let locked = locked.with_context(|| format!("cannot open a table in {}", folder.display()));
    Ok(FolderLock { _folder: locked? })
}

/// Locks the folder of a table's last socket, which processes with different environments agree on, or the one for new
/// tables if that is gone.
pub(super) fn lock_folder_of(socket: Option<&Path>, is_shared: bool) -> anyhow::Result<FolderLock> {
    let is_ours = |folder: &&Path| owned_by(folder, users::current()).is_ok();
    match socket.and_then(Path::parent).filter(is_ours) {
        Some(folder) => lock_folder(folder, is_shared),
        None => lock_folder(&folder_for(is_shared)?, is_shared),
    }
}

/// Returns whether the socket at this path belongs to a running process.
pub(super) fn is_alive(path: &Path) -> bool {
    let there = fs::symlink_metadata(path);
    there.is_ok_and(|there| sockets::is_socket(there.file_type())) && !is_stale(path)
}

/// Returns whether this path is free. Removes a stale socket first.
fn is_free(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
        Ok(there) if sockets::is_socket(there.file_type()) && is_stale(path) => {
            remove(path)?;
            Ok(true)
        }
        Ok(_) => Ok(false),
    }
}

/// Returns whether the process of this socket has ended. A refused connection tells only on Linux: other systems also
/// refuse while the queue is full.
fn is_stale(path: &Path) -> bool {
    let refuses = || {
        let connected = sockets::connect(path, false);
        connected.is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
    };
    is_locked(path).map_or_else(refuses, |is_locked| !is_locked)
}

/// Returns whether the process of this socket holds its lock. `None` without a lock file, as in earlier versions and in
/// file systems that do not support locks, and for other users.
fn is_locked(socket: &Path) -> Option<bool> {
    let file = read::open(&beside(socket, LOCK_END), Access::OwnFile).ok()?;
    match file.try_lock_shared() {
        Ok(()) => Some(false),
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}

/// Connects to the socket of a table. The socket's queue is full while the table is stopped or is flooded by another
/// user, and a process that is just starting has its lock before its socket; with `may_wait`, the call then waits up to
/// two seconds.
pub fn connect(path: &Path, may_wait: bool) -> io::Result<Stream> {
    let end = Instant::now() + CONNECT_TIMEOUT;
    loop {
        let error = match sockets::connect(path, may_wait) {
            Err(error) if has_no_process(&error) => error,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(too_many()),
            connected => return connected,
        };
        match is_locked(path) {
            Some(true) if may_wait && Instant::now() < end => thread::sleep(CONNECT_POLL_INTERVAL),
            Some(true) if error.kind() != ErrorKind::NotFound => return Err(too_many()),
            _ => return Err(error),
        }
    }
}

fn too_many() -> io::Error {
    io::Error::other("too many pending connections; try again")
}

/// Returns whether the error of [`connect`] means that no process listens at the socket.
pub(super) fn has_no_process(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused)
}

/// A table's socket, and the lock that tells this user's other processes that the table is alive.
#[derive(Debug)]
pub(super) struct TableListener {
    /// Dropped first: a process that no longer has its lock is not waited for.
    _lock: Option<LockedFile>,
    pub socket: Listener,
}

pub(super) fn listen(path: &Path, is_shared: bool) -> io::Result<TableListener> {
    let mut lock = None;
    // Some file systems do not support locks.
    let _ = disk::put_locked(&mut lock, &beside(path, LOCK_END), b"");
    Ok(TableListener { _lock: lock, socket: sockets::listen(path, is_shared)? })
}

/// Recreates the socket of a table after the file was removed. Fails if another table has taken the name.
pub(super) fn listen_again(
    name: &str,
    is_shared: bool,
) -> anyhow::Result<(TableListener, PathBuf)> {
    let folder = folder_for(is_shared)?;
    let _lock = lock_folder(&folder, is_shared)?;
    let path = folder.join(name);
    if !is_free(&path)? {
        bail!("a table called {name} already exists");
    }
    Ok((listen(&path, is_shared)?, path))
}

/// Removes a table's socket and the files beside it.
pub fn remove(path: &Path) -> io::Result<()> {
    for end in [HostFile::END, LOCK_END] {
        match disk::remove(&beside(path, end)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    disk::remove(path)
}

/// Returns the path of a file beside a socket.
fn beside(socket: &Path, end: &str) -> PathBuf {
    let mut path = socket.as_os_str().to_owned();
    path.push(end);
    path.into()
}

/// Lists this user's tables by name, and removes the sockets of killed tables.
pub fn open_tables() -> Vec<OpenTable> {
    let mut folders = private_folders();
    folders.extend(temporary_folders(SHARED));
    let mut tables: Vec<OpenTable> = folders.iter().flat_map(|folder| tables_in(folder)).collect();
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    tables
}

fn tables_in(folder: &Path) -> Vec<OpenTable> {
    let user = users::current();
    let Ok(lock) = owned_by(folder, user).and_then(|()| read::folder(folder)) else {
        return Vec::new();
    };
    // Another process may be creating a socket, which must not be removed.
    let is_locked = lock.try_lock().is_ok();
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let entries = entries.flatten();
    let sockets = entries.filter(|entry| entry.file_type().is_ok_and(sockets::is_socket));
    let mut tables = Vec::new();
    for entry in sockets {
        let (Ok(name), path) = (entry.file_name().into_string(), entry.path()) else { continue };
        if !is_stale(&path) {
            tables.push(OpenTable { name, path });
        } else if is_locked {
            let _ = remove(&path);
        }
    }
    tables
}

/// Returns whether this is a valid table name. Valid names contain no shell metacharacters.
pub fn is_table_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    begins
        && name.chars().all(is_plain)
        && name.len() <= MAX_NAME_BYTES
        && ![HostFile::END, LOCK_END].iter().any(|end| name.ends_with(end))
}

/// Lists this user's open tables, most recently changed first. The modification times of the user's `journals` show
/// when the last moves were made.
pub fn hosted(journals: &[StoredFile]) -> Vec<HostedTable> {
    let open = open_tables().into_iter().filter_map(|table| HostedTable::read(table).ok());
    let mut hosted: Vec<HostedTable> =
        open.filter(|hosted| hosted.host.state == state_folder()).collect();
    for HostedTable { host, written, .. } in &mut hosted {
        let journal = journals.iter().find(|journal| Some(&journal.id) == host.journal.as_ref());
        *written = journal.map_or(*written, |journal| journal.written.max(*written));
    }
    hosted.sort_by_key(|table| Reverse(table.written));
    hosted
}

/// Returns the user who can own a shared table at this path.
pub(super) fn shared_owner(socket: &Path) -> Option<u32> {
    let folder = socket.parent()?.file_name()?.to_str()?.strip_prefix(SHARED)?;
    folder.split('-').next()?.parse().ok()
}

impl HostedTable {
    pub fn read(table: OpenTable) -> io::Result<HostedTable> {
        let host = HostFile::read(&table.path)?;
        let written = fs::metadata(HostFile::beside(&table.path))?.modified()?;
        Ok(HostedTable { table, host, written })
    }

    /// Returns the table's id among the unfinished matches. Journals never have such an id.
    pub fn id(&self) -> String {
        format!("table:{}", self.table.path.display())
    }
}

impl HostFile {
    const END: &str = ".host";

    /// Updates the data to the current state of the match and the host's current token.
    #[must_use]
    pub fn at(self, table: &Table, token: &str) -> HostFile {
        let names = table.players().names();
        let names = names.into_iter().map(|name| name.replace('\n', " ")).collect();
        let token = token.to_owned();
        HostFile { token, journal: table.saved.journal.clone(), names, ..self }
    }

    fn beside(socket: &Path) -> PathBuf {
        beside(socket, HostFile::END)
    }

    /// Reads the file beside this socket, which only its owner can read.
    pub fn read(socket: &Path) -> io::Result<HostFile> {
        let bytes = read::regular(&HostFile::beside(socket), Limit::HOST)?;
        let text = String::from_utf8_lossy(&bytes);
        let find = |key: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            lines.find(|(name, _)| *name == key).map(|(_, value)| value.to_owned())
        };
        let token = find("token").ok_or(ErrorKind::InvalidData)?;
        let names = text.lines().filter_map(|line| line.strip_prefix("name ").map(str::to_owned));
        Ok(HostFile {
            token,
            secret: find("secret"),
            journal: find("journal"),
            host: find("host").unwrap_or_default(),
            game: find("game").unwrap_or_default(),
            state: find("state").unwrap_or_default(),
            names: names.collect(),
        })
    }

    pub fn write(&self, socket: &Path) -> io::Result<()> {
        let HostFile { token, host, game, state, .. } = self;
        let mut text = format!("token {token}\nhost {host}\ngame {game}\nstate {state}\n");
        text.extend(self.secret.iter().map(|secret| format!("secret {secret}\n")));
        text.extend(self.journal.iter().map(|journal| format!("journal {journal}\n")));
        text.extend(self.names.iter().map(|name| format!("name {name}\n")));
        disk::replace(&HostFile::beside(socket), text.as_bytes(), None)
    }
}

/// Returns the folder of this user's matches, as one line of text.
pub fn state_folder() -> String {
    let folder = folders::state().map(|folder| folder.display().to_string());
    folder.unwrap_or_default().replace('\n', " ")
}

/// Generates the secret of a shared table: 100 bits, kept short because people type it.
pub fn secret() -> io::Result<String> {
    random_letters(20)
}

/// Generates an unguessable token of 130 bits.
pub fn token() -> io::Result<String> {
    random_letters(26)
}

/// Letters and digits that are not easily confused, five bits each.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

fn random_letters(count: usize) -> io::Result<String> {
    let mut bytes = vec![0; count];
    fill_unpredictably(&mut bytes)?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// Returns the socket path for a new table with this name.
pub fn socket(name: &str, is_shared: bool) -> anyhow::Result<PathBuf> {
    if !is_table_name(name) {
        bail!("{name} is not a valid table name");
    }
    Ok(folder_for(is_shared)?.join(name))
}

fn folder_for(is_shared: bool) -> anyhow::Result<PathBuf> {
    if is_shared {
        return Ok(temporary_folder(SHARED));
    }
    let folder = private_folders().into_iter().next();
    folder.ok_or_else(|| anyhow!("no home directory to open a table in"))
}

/// Returns all folders that may hold this user's private tables.
fn private_folders() -> Vec<PathBuf> {
    let runtime = sockets::runtime_folder().map(|folder| folder.join("quadrille"));
    let state = folders::state().ok().map(|folder| folder.join("tables"));
    let mut folders: Vec<PathBuf> = runtime.into_iter().chain(state).map(shortened).collect();
    folders.dedup();
    folders
}

/// Returns the folder, or a folder in `/tmp` if socket paths would be too long.
fn shortened(folder: PathBuf) -> PathBuf {
    if folder.as_os_str().len() + 1 + MAX_NAME_BYTES <= MAX_PATH_BYTES {
        return folder;
    }
    temporary_folder(PRIVATE)
}

/// Returns this user's folder in `/tmp` with this prefix. Appends random letters if another user owns the usual name.
fn temporary_folder(prefix: &str) -> PathBuf {
    let user = users::current();
    let usual = Path::new(TEMPORARY).join(format!("{prefix}{user}"));
    let is_free = || fs::symlink_metadata(&usual).is_err_and(|e| e.kind() == ErrorKind::NotFound);
    if is_free() || owned_by(&usual, user).is_ok() {
        return usual;
    }
    temporary_folders(prefix).into_iter().next().unwrap_or_else(|| {
        let letters = random_letters(SUFFIX_LETTERS).unwrap_or_default();
        Path::new(TEMPORARY).join(format!("{prefix}{user}-{letters}"))
    })
}

/// Lists this user's folders in `/tmp` with this prefix.
fn temporary_folders(prefix: &str) -> Vec<PathBuf> {
    let user = users::current();
    let usual = format!("{prefix}{user}");
    let is_named = |name: &str| {
        name.strip_prefix(&usual).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let entries = fs::read_dir(TEMPORARY).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_named));
    let ours = named.map(|entry| entry.path()).filter(|folder| owned_by(folder, user).is_ok());
    let mut folders: Vec<PathBuf> = ours.collect();
    folders.sort();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::slice;

    #[test]
    fn connect_waits_for_room_in_a_full_queue() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let listener = Listener::bind(&path).unwrap();
        rustix::net::listen(&listener, 0).unwrap();
        let _first = connect(&path, true).unwrap();
        let full = sockets::connect(&path, false).unwrap_err();
        assert_eq!(full.kind(), ErrorKind::WouldBlock);
        assert!(!is_stale(&path));
        let second = thread::spawn(move || connect(&path, true));
        thread::sleep(Duration::from_millis(100));
        listener.accept().unwrap();
        second.join().unwrap().unwrap();
    }

    /// Where a full queue refuses connections, only the lock tells a busy table from one whose process has ended.
    #[test]
    fn lock_decides_whether_a_table_is_alive() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("quixo");
        let why = || connect(&path, false).unwrap_err().to_string();
        let TableListener { socket, _lock: lock } = listen(&path, false).unwrap();
        drop(socket);
        assert!(lock.is_some() && !is_stale(&path));
        assert_eq!(why(), "too many pending connections; try again");
        assert_eq!(tables_in(folder.path()).len(), 1);
        drop(lock);
        assert!(is_stale(&path));
        assert!(why().contains("refused"), "{}", why());
        // A process that is just starting has its lock before it listens.
        let mut lock = None;
        disk::put_locked(&mut lock, &beside(&path, LOCK_END), b"").unwrap();
        let waits = {
            let path = path.clone();
            thread::spawn(move || connect(&path, true))
        };
        thread::sleep(Duration::from_millis(50));
        fs::remove_file(&path).unwrap();
        let listener = sockets::listen(&path, false).unwrap();
        waits.join().unwrap().unwrap();
        drop((listener, lock));
        // A socket of an earlier version has no lock file.
        fs::remove_file(beside(&path, LOCK_END)).unwrap();
        assert!(is_stale(&path));
        fs::remove_file(&path).unwrap();
        let _listener = sockets::listen(&path, false).unwrap();
        assert_eq!(is_locked(&path), None);
        assert!(!is_stale(&path));
    }

    #[test]
    fn stale_socket_is_replaced_and_other_files_are_not() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("quixo");
        let host = HostFile { token: "t".to_owned(), ..HostFile::default() };
        assert!(is_free(&path).unwrap());
        let listener = listen(&path, false).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        host.write(&path).unwrap();
        assert!(!is_free(&path).unwrap() && !is_stale(&path));
        let table = OpenTable { name: "quixo".to_owned(), path: path.clone() };
        assert_eq!(tables_in(temporary.path()), [table]);
        drop(listener);
        // While another process creates a socket here, no sockets are removed.
        let lock = read::folder(temporary.path()).unwrap();
        lock.lock().unwrap();
        assert_eq!(tables_in(temporary.path()), []);
        assert!(path.exists());
        drop(lock);
        assert_eq!(tables_in(temporary.path()), []);
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
        fs::write(&path, "a file").unwrap();
        assert!(!is_free(&path).unwrap());
    }

    #[test]
    fn host_file_round_trips() {
        let temporary = tempfile::tempdir().unwrap();
        let socket = temporary.path().join("quixo");
        for journal in [None, Some("2026-11-20-quixo-Ann-abc".to_owned())] {
            let secret = journal.is_some().then(|| secret().unwrap());
            let (host, game) = ("Ann Lee".to_owned(), "quixo".to_owned());
            let names = vec![host.clone(), "guest:Bob".to_owned(), String::new()];
            let (token, state) = (token().unwrap(), state_folder());
            let host = HostFile { token, secret, journal, host, game, names, state };
            host.write(&socket).unwrap();
            assert_eq!(HostFile::read(&socket).unwrap(), host);
            let mode = fs::metadata(HostFile::beside(&socket)).unwrap().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn table_name_rejects_shell_characters() {
        for name in ["quixo", "quixo-2", "a.b_c", "7"] {
            assert!(is_table_name(name), "{name}");
        }
        for name in ["", "-x", ".x", "a b", "a;b", "a/b", "$a", "é", "quixo.host", &"a".repeat(61)]
        {
            assert!(!is_table_name(name), "{name}");
        }
    }

    #[test]
    fn overlong_socket_path_is_shortened() {
        let (short, long) =
            (PathBuf::from("/run/user/1000/quadrille"), Path::new("/h").join("x".repeat(60)));
        assert_eq!(shortened(short.clone()), short);
        let folder = shortened(long).display().to_string();
        assert!(folder.starts_with(&format!("/tmp/quadrille-{}", users::current())), "{folder}");
        let longest =
            quadrille_table::catalogue::GAMES.iter().map(|entry| entry.id.len()).max().unwrap();
        assert!(longest + "-999".len() <= MAX_NAME_BYTES);
        let shared = format!("/tmp/{SHARED}{}-", u32::MAX).len() + SUFFIX_LETTERS;
        assert!(shared + 1 + MAX_NAME_BYTES <= MAX_PATH_BYTES);
    }

    #[test]
    fn foreign_folder_is_skipped_for_a_random_suffix() {
        let prefix = format!("quadrille-test-{}-", random_letters(10).unwrap());
        let usual = Path::new(TEMPORARY).join(format!("{prefix}{}", users::current()));
        assert_eq!(temporary_folder(&prefix), usual);
        // World-writable, like a folder created by another user.
        fs::create_dir(&usual).unwrap();
        fs::set_permissions(&usual, Permissions::from_mode(0o777)).unwrap();
        let other = temporary_folder(&prefix);
        assert_ne!(other, usual);
        sockets::make_folder(&other, true).unwrap();
        assert_eq!(temporary_folder(&prefix), other, "it is found again");
        assert_eq!(temporary_folders(&prefix), slice::from_ref(&other));
        for folder in [usual, other] {
            fs::remove_dir(folder).unwrap();
        }
    }

    #[test]
    fn shared_table_shows_its_owner() {
        assert_eq!(user_name(0), "root");
        assert_eq!(user_name(4_000_000_000), "4000000000");
        let table = |path: PathBuf| OpenTable { name: "quixo".to_owned(), path };
        assert_eq!(table("/run/user/0/quadrille/quixo".into()).shared_by(), None);
        let shared = table("/tmp/quadrille-shared-0/quixo".into());
        assert_eq!(shared.shared_by().as_deref(), Some("root"));
    }

    #[test]
    fn shared_table_path_contains_the_owner_uid() {
        for (path, owner) in [
            ("/tmp/quadrille-shared-1000/quixo", Some(1000)),
            ("/tmp/quadrille-shared-1000-k3v9mw/quixo-2", Some(1000)),
            ("/srv/quadrille-shared-0/quixo", Some(0)),
            ("/tmp/quadrille-1000/quixo", None),
            ("/tmp/quadrille-shared-/quixo", None),
            ("/tmp/quadrille-shared-1000x/quixo", None),
            ("/quixo", None),
        ] {
            assert_eq!(shared_owner(Path::new(path)), owner, "{path}");
        }
    }

    #[test]
    fn tokens_are_unique() {
        let tokens: HashSet<String> = (0..1000).map(|_| token().unwrap()).collect();
        assert!(tokens.len() == 1000 && tokens.iter().all(|token| token.len() == 26));
    }
}
