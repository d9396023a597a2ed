//! Where the sockets of tables are, and what they are called.
//!
//! A table of this user alone has its socket in a folder that nobody else can look into, under the name of its game:
//! `quixo`, `quixo-2`. A shared one is in a folder that everybody may pass through and nobody else may list, under a name
//! that nobody can guess, and its socket takes whoever knows the name. Beside each socket is a file that only this user may
//! read, with what the host's terminal needs to come back.
//!
//! A socket is found again by another process of the same user, which may have another environment: one that came
//! through ssh may lack `XDG_RUNTIME_DIR`. So all places are looked at.

use crate::host::folders;
use crate::printable::printable;
use crate::store::disk;
use crate::store::read::{self, Limit};
use anyhow::{Context, anyhow, bail};
use etcetera::base_strategy::{BaseStrategy, Xdg};
use rustix::net::{self, AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::geteuid;
use rustix::rand::{GetRandomFlags, getrandom};
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The most bytes of the path of a socket. The system takes no more.
const LONGEST_PATH: usize = 107;
/// The most bytes of a table's name.
const LONGEST_NAME: usize = 60;
/// The most private tables of one game.
const MOST: u32 = 999;
/// Where folders are made if those of the user have too long a path, and those that others may pass through.
const TEMPORARY: &str = "/tmp";
/// How the folders begin that others may pass through. The number of their user follows.
const SHARED: &str = "quadrille-shared-";

/// How many letters nobody can guess end the name of a shared table.
const SHARED_LETTERS: usize = 20;

/// Who may pass through a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Owner,
    Everybody,
}

impl Access {
    const fn mode(self) -> u32 {
        match self {
            Access::Owner => 0o700,
            Access::Everybody => 0o711,
        }
    }
}

/// A table whose process answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTable {
    pub name: String,
    /// Its socket.
    pub path: PathBuf,
    /// Whose it is.
    pub user: u32,
}

impl OpenTable {
    /// What its user is called, if it is for other users too.
    pub fn shared_by(&self) -> Option<String> {
        let is_shared = self.path.parent() == Some(&shared_folder(self.user));
        is_shared.then(|| user_name(self.user))
    }
}

/// What a user of this machine is called; its number where there is no name.
fn user_name(user: u32) -> String {
    let bytes = read::regular(Path::new("/etc/passwd"), Limit::PROCESS).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let name = text.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(user)).then(|| printable(name).into_owned())
    });
    name.unwrap_or_else(|| user.to_string())
}

/// What the host's terminal needs to come back to its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFile {
    pub token: String,
    /// The journal of the match, once it has one.
    pub journal: Option<String>,
}

/// A name that is free. Nobody else takes it as long as this lives.
#[derive(Debug)]
pub struct Place {
    pub name: String,
    pub path: PathBuf,
    _lock: File,
}

/// A free name for a table of this game.
pub fn place(game: &str, is_shared: bool) -> anyhow::Result<Place> {
    let folder = folder_for(is_shared)?;
    let access = if is_shared { Access::Everybody } else { Access::Owner };
    let in_folder = || format!("no table can be opened in {}", folder.display());
    make(&folder, access).with_context(in_folder)?;
    let lock = read::folder(&folder).with_context(in_folder)?;
    lock.lock().with_context(in_folder)?;
    let mut letters = String::new();
    for number in 1..=MOST {
        if is_shared {
            letters = random_letters(SHARED_LETTERS).with_context(in_folder)?;
        }
        let name = match number {
            _ if is_shared => format!("{game}-{letters}"),
            1 => game.to_owned(),
            number => format!("{game}-{number}"),
        };
        let path = folder.join(&name);
        if is_free(&path).with_context(in_folder)? {
            return Ok(Place { name, path, _lock: lock });
        }
    }
    bail!("{MOST} tables of {game} are open, and no more can be")
}

/// Whether nothing is at this path. The socket of a table that has gone gives way.
fn is_free(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
        Ok(there) if there.file_type().is_socket() && has_gone(path) => {
            remove(path)?;
            Ok(true)
        }
        Ok(_) => Ok(false),
    }
}

/// Whether nobody listens at this socket any more.
fn has_gone(path: &Path) -> bool {
    connect(path).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

/// A connection to the socket of a table, which does not block. Nor does this, where a table is stopped and many wait for
/// it.
pub fn connect(path: &Path) -> io::Result<UnixStream> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    net::connect(&socket, &SocketAddrUnix::new(path)?)?;
    Ok(socket.into())
}

/// Makes the socket of a table.
pub fn listen(path: &Path, is_shared: bool) -> io::Result<UnixListener> {
    let listener = UnixListener::bind(path)?;
    let mode = if is_shared { 0o666 } else { 0o600 };
    fs::set_permissions(path, Permissions::from_mode(mode))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Removes the socket of a table, and the file beside it.
pub fn remove(path: &Path) -> io::Result<()> {
    match disk::remove(&HostFile::beside(path)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => disk::remove(path),
    }
}

/// The tables of this user, in the order of their names. What those have left that were killed is removed on the way.
pub fn open_tables() -> Vec<OpenTable> {
    let mut folders = private_folders();
    folders.push(shared_folder(geteuid().as_raw()));
    let mut tables: Vec<OpenTable> = folders.iter().flat_map(|folder| tables_in(folder)).collect();
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    tables
}

fn tables_in(folder: &Path) -> Vec<OpenTable> {
    let user = geteuid().as_raw();
    let Ok(lock) = owned_by(folder, user).and_then(|()| read::folder(folder)) else {
        return Vec::new();
    };
    // A socket that is just being made is not removed.
    let is_locked = lock.try_lock().is_ok();
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let entries = entries.flatten();
    let sockets = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_socket()));
    let mut tables = Vec::new();
    for entry in sockets {
        let (Ok(name), path) = (entry.file_name().into_string(), entry.path()) else { continue };
        if !has_gone(&path) {
            tables.push(OpenTable { name, path, user });
        } else if is_locked {
            let _ = remove(&path);
        }
    }
    tables
}

/// The tables of this name: this user's, or those that other users share. There is more than one only where somebody has
/// given theirs the name of another one.
pub fn find(name: &str) -> Vec<OpenTable> {
    if !is_table_name(name) {
        return Vec::new();
    }
    let mut known = open_tables();
    known.retain(|table| table.name == name);
    // Of others only names that somebody has passed on: anybody could call theirs quixo.
    if !is_shared_name(name) {
        known.truncate(1);
        return known;
    }
    let own = geteuid().as_raw();
    let entries = fs::read_dir(TEMPORARY).into_iter().flatten().flatten();
    let shared = entries.filter_map(|entry| {
        let user = entry.file_name().to_str()?.strip_prefix(SHARED)?.parse().ok()?;
        Some((user, entry.path())).filter(|_| user != own)
    });
    known.extend(shared.filter_map(|(user, folder)| {
        let path = folder.join(name);
        let there = owned_by(&folder, user).and_then(|()| fs::symlink_metadata(&path)).ok()?;
        let is_theirs = there.file_type().is_socket() && there.uid() == user;
        (is_theirs && !has_gone(&path)).then(|| OpenTable { name: name.to_owned(), path, user })
    }));
    known
}

/// Whether it is the name of a shared table: one that nobody can guess.
fn is_shared_name(name: &str) -> bool {
    name.rsplit_once('-').is_some_and(|(_, letters)| {
        letters.len() == SHARED_LETTERS && letters.bytes().all(|letter| LETTERS.contains(&letter))
    })
}

/// Whether a table can be called this. Such a name means nothing to a shell.
pub fn is_table_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    begins
        && name.chars().all(is_plain)
        && name.len() <= LONGEST_NAME
        && !name.ends_with(HostFile::END)
}

/// The table of this user that plays the match of this journal, and what its host needs to come back.
pub fn hosted(journal: &str) -> Option<(OpenTable, HostFile)> {
    let with_host = |table: OpenTable| Some((table.clone(), HostFile::read(&table.path).ok()?));
    let mut hosted = open_tables().into_iter().filter_map(with_host);
    hosted.find(|(_, host)| host.journal.as_deref() == Some(journal))
}

/// Whether other users may come to the table of this socket.
pub fn is_shared(socket: &Path) -> bool {
    socket.parent().is_some_and(|folder| folder == shared_folder(geteuid().as_raw()))
}

impl HostFile {
    const END: &str = ".host";

    fn beside(socket: &Path) -> PathBuf {
        let mut path = socket.as_os_str().to_owned();
        path.push(HostFile::END);
        path.into()
    }

    /// The file beside this socket. Only its owner can read it.
    pub fn read(socket: &Path) -> io::Result<HostFile> {
        let bytes = read::regular(&HostFile::beside(socket), Limit::HOST)?;
        let text = String::from_utf8_lossy(&bytes);
        let find = |key: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            lines.find(|(name, _)| *name == key).map(|(_, value)| value.to_owned())
        };
        let token = find("token").ok_or(ErrorKind::InvalidData)?;
        Ok(HostFile { token, journal: find("journal") })
    }

    pub fn write(&self, socket: &Path) -> io::Result<()> {
        let journal = self.journal.as_ref().map(|journal| format!("journal {journal}\n"));
        let text = format!("token {}\n{}", self.token, journal.unwrap_or_default());
        disk::replace(&HostFile::beside(socket), text.as_bytes(), None)
    }
}

/// A word that nobody can guess.
pub fn token() -> io::Result<String> {
    random_letters(26)
}

/// Letters and digits that cannot be taken for each other, each worth five bits.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

fn random_letters(count: usize) -> io::Result<String> {
    let mut bytes = vec![0; count];
    // So few bytes come all at once.
    if getrandom(&mut bytes, GetRandomFlags::empty())? != count {
        return Err(io::Error::other("the system gives no random numbers"));
    }
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// The socket of a new table of this name.
pub fn socket(name: &str, is_shared: bool) -> anyhow::Result<PathBuf> {
    if !is_table_name(name) {
        bail!("{name} is not the name of a table");
    }
    Ok(folder_for(is_shared)?.join(name))
}

/// Where a new table of this user's goes.
fn folder_for(is_shared: bool) -> anyhow::Result<PathBuf> {
    if is_shared {
        return Ok(shared_folder(geteuid().as_raw()));
    }
    let folder = private_folders().into_iter().next();
    folder.ok_or_else(|| anyhow!("there is no home folder to open a table in"))
}

/// Where tables of this user's may be.
fn private_folders() -> Vec<PathBuf> {
    let user = geteuid().as_raw();
    let given = Xdg::new().ok().and_then(|folders| folders.runtime_dir());
    let usual = || PathBuf::from(format!("/run/user/{user}"));
    let runtime = given.filter(|folder| folder.is_absolute()).unwrap_or_else(usual);
    let runtime = owned_by(&runtime, user).is_ok().then(|| runtime.join("quadrille"));
    let state = folders::state().ok().map(|folder| folder.join("tables"));
    let mut folders: Vec<PathBuf> =
        runtime.into_iter().chain(state).map(|folder| shortened(folder, user)).collect();
    folders.dedup();
    folders
}

/// The folder, or where a socket in it would have too long a path, one of ours elsewhere.
fn shortened(folder: PathBuf, user: u32) -> PathBuf {
    if folder.as_os_str().len() + 1 + LONGEST_NAME <= LONGEST_PATH {
        return folder;
    }
    Path::new(TEMPORARY).join(format!("quadrille-{user}"))
}

fn shared_folder(user: u32) -> PathBuf {
    Path::new(TEMPORARY).join(format!("{SHARED}{user}"))
}

/// Makes the folder if it is not there. One that somebody else has made, or that others may write to, is not taken.
fn make(folder: &Path, access: Access) -> io::Result<()> {
    let is_new = fs::symlink_metadata(folder).is_err();
    if let Some(above) = folder.parent().filter(|_| is_new) {
        DirBuilder::new().recursive(true).mode(0o700).create(above)?;
    }
    match DirBuilder::new().mode(access.mode()).create(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        made => made?,
    }
    owned_by(folder, geteuid().as_raw())?;
    fs::set_permissions(folder, Permissions::from_mode(access.mode()))
}

/// An error unless this is a folder of this user's to which nobody else can write, and no link.
fn owned_by(folder: &Path, user: u32) -> io::Result<()> {
    let there = fs::symlink_metadata(folder)?;
    match there {
        _ if !there.is_dir() => Err(other("it is not a folder")),
        _ if there.uid() != user => Err(other("it belongs to another user")),
        _ if there.mode() & 0o022 != 0 => Err(other("others can write to it; chmod go-w helps")),
        _ => Ok(()),
    }
}

fn other(why: &str) -> io::Error {
    io::Error::other(why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_folder_that_others_can_change_is_not_taken() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = |name: &str| temporary.path().join(name);
        for (access, mode) in [(Access::Owner, 0o700), (Access::Everybody, 0o711)] {
            let path = folder(&format!("new/{mode:o}"));
            for other in [0o700, 0o755] {
                make(&path, access).unwrap();
                assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, mode);
                fs::set_permissions(&path, Permissions::from_mode(other)).unwrap();
            }
            fs::set_permissions(&path, Permissions::from_mode(0o770)).unwrap();
            let why = make(&path, access).unwrap_err().to_string();
            assert_eq!(why, "others can write to it; chmod go-w helps");
        }
        symlink(folder("new"), folder("link")).unwrap();
        fs::write(folder("file"), "").unwrap();
        for odd in ["link", "file"] {
            let why = make(&folder(odd), Access::Owner).unwrap_err().to_string();
            assert_eq!(why, "it is not a folder");
        }
        assert!(owned_by(&folder("new"), geteuid().as_raw() + 1).is_err());
    }

    #[test]
    fn a_plain_name_is_never_that_of_somebody_else() {
        let letters = random_letters(SHARED_LETTERS).unwrap();
        assert!(is_shared_name(&format!("tic-tac-toe-{letters}")));
        for name in ["quixo", "quixo-2", "tic-tac-toe", &letters, "quixo-ABCDEFGHIJKLMNOPQRST"] {
            assert!(!is_shared_name(name), "{name}");
        }
    }

    #[test]
    fn what_a_killed_table_has_left_gives_way_and_nothing_else_does() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("quixo");
        let host = HostFile { token: "t".to_owned(), journal: None };
        assert!(is_free(&path).unwrap());
        let listener = listen(&path, false).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        host.write(&path).unwrap();
        assert!(!is_free(&path).unwrap() && !has_gone(&path));
        let table =
            OpenTable { name: "quixo".to_owned(), path: path.clone(), user: geteuid().as_raw() };
        assert_eq!(tables_in(temporary.path()), [table]);
        drop(listener);
        // While another process makes a socket here, none is removed.
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
    fn the_file_of_the_host_says_what_was_written() {
        let temporary = tempfile::tempdir().unwrap();
        let socket = temporary.path().join("quixo");
        for journal in [None, Some("2026-11-20-quixo-Ann-abc".to_owned())] {
            let host = HostFile { token: token().unwrap(), journal };
            host.write(&socket).unwrap();
            assert_eq!(HostFile::read(&socket).unwrap(), host);
            let mode = fs::metadata(HostFile::beside(&socket)).unwrap().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_name_means_nothing_to_a_shell() {
        for name in ["quixo", "quixo-2", "a.b_c", "7"] {
            assert!(is_table_name(name), "{name}");
        }
        for name in ["", "-x", ".x", "a b", "a;b", "a/b", "$a", "é", "quixo.host", &"a".repeat(61)]
        {
            assert!(!is_table_name(name), "{name}");
        }
    }

    #[test]
    fn a_path_that_is_too_long_for_a_socket_is_replaced() {
        let (short, long) =
            (PathBuf::from("/run/user/1000/quadrille"), Path::new("/h").join("x".repeat(60)));
        assert_eq!(shortened(short.clone(), 1000), short);
        assert_eq!(shortened(long, 1000), Path::new("/tmp/quadrille-1000"));
        let longest = crate::catalogue::GAMES.iter().map(|entry| entry.id.len()).max().unwrap();
        assert!(longest + 1 + 20 <= LONGEST_NAME);
        assert!(shared_folder(u32::MAX).as_os_str().len() + 1 + LONGEST_NAME <= LONGEST_PATH);
    }

    #[test]
    fn a_shared_table_has_the_name_of_its_user() {
        assert_eq!(user_name(0), "root");
        assert_eq!(user_name(4_000_000_000), "4000000000");
        let table = |path: PathBuf| OpenTable { name: "quixo".to_owned(), path, user: 0 };
        assert_eq!(table("/run/user/0/quadrille/quixo".into()).shared_by(), None);
        let shared = table(shared_folder(0).join("quixo"));
        assert_eq!(shared.shared_by().as_deref(), Some("root"));
    }

    #[test]
    fn tokens_differ() {
        let tokens: HashSet<String> = (0..1000).map(|_| token().unwrap()).collect();
        assert!(tokens.len() == 1000 && tokens.iter().all(|token| token.len() == 26));
    }
}
