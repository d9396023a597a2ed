//! The token of a seat, stored in the state folder. `quadrille join` uses it to reclaim the seat after a crash.
//!
//! The file is locked while the terminal at the seat runs. So several terminals of one user at one table do not take
//! each other's seats, and an unlocked file belongs to a terminal that has crashed.

use super::folder;
use super::route::Address;
use crate::net::protocol::fit_name;
use crate::store::disk;
use crate::store::read::{self, Access, Limit};
use std::cmp::Reverse;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long an unused token is kept. No table stays open for that long.
const LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The file of a seat. The file may not be written yet.
#[derive(Debug)]
pub struct SeatFile {
    path: PathBuf,
    address: Address,
    ticket: Option<Ticket>,
    /// The open file that holds the lock.
    file: Option<File>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Ticket {
    address: Address,
    name: String,
    token: String,
}

impl SeatFile {
    /// Finds the seat that a terminal of this user had at this address, and with this name if one is given. If there is
    /// none, prepares a file for a new token. `state` is the state folder.
    pub fn find(state: &Path, address: Address, name: Option<&str>) -> io::Result<SeatFile> {
        let folder = state.join("seats");
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        disk::remove_drafts(&folder)?;
        let mut known: Vec<SavedSeat> = fs::read_dir(&folder)?
            .flatten()
            .filter_map(|entry| SavedSeat::read(entry.path()))
            .collect();
        known.sort_by_key(|kept| Reverse(kept.written));
        let is_meant = |ticket: &Ticket| {
            let is_named = name.is_none_or(|name| name == ticket.name);
            is_named && address.leads_to(&ticket.address)
        };
        for SavedSeat { written, path, file, ticket } in known {
            let is_old = written.elapsed().is_ok_and(|age| age > LIFETIME);
            if !is_old && !ticket.as_ref().is_some_and(is_meant) || !is_abandoned(&file, &path) {
                continue;
            }
            if !is_old {
                return Ok(SeatFile { path, address, ticket, file: Some(file) });
            }
            let _ = disk::remove(&path);
        }
        Ok(SeatFile { path: folder.join(folder::token()?), address, ticket: None, file: None })
    }

    pub fn token(&self) -> Option<&str> {
        self.ticket.as_ref().map(|ticket| &*ticket.token)
    }

    /// Returns the name of the player at the seat.
    pub fn name(&self) -> Option<&str> {
        self.ticket.as_ref().map(|ticket| &*ticket.name)
    }

    /// Stores the token issued by the table of this name.
    pub fn keep(&mut self, table: &str, name: &str, token: &str) -> io::Result<()> {
        if self.token() == Some(token) {
            return Ok(());
        }
        let address = Address {
            table: self.address.table.clone().or_else(|| Some(table.to_owned())),
            ..self.address.clone()
        };
        let ticket = Ticket { address, name: name.to_owned(), token: token.to_owned() };
        // Not synced to disk: after a power failure the host is asked instead.
        self.file = Some(disk::put_locked(&self.path, ticket.write().as_bytes())?);
        self.ticket = Some(ticket);
        Ok(())
    }

    /// Removes the token, because the seat is given up or its table has closed.
    pub fn forget(self) {
        if self.file.is_some() {
            let _ = disk::remove(&self.path);
        }
    }
}

/// A file in the folder of seats, not locked. A terminal that locked the file only to read it would hide it from a
/// different terminal that is searching for its seat at the same time.
struct SavedSeat {
    written: SystemTime,
    path: PathBuf,
    file: File,
    ticket: Option<Ticket>,
}

impl SavedSeat {
    fn read(path: PathBuf) -> Option<SavedSeat> {
        let mut file = read::open(&path, Access::OwnFile).ok()?;
        let written = file.metadata().ok()?.modified().ok()?;
        let ticket = Ticket::read(&mut file);
        Some(SavedSeat { written, path, file, ticket })
    }
}

/// Locks the file. Returns `false` if a running terminal holds the lock or has replaced the file.
fn is_abandoned(file: &File, path: &Path) -> bool {
    disk::lock_in_place(file, path).unwrap_or(false)
}

impl Ticket {
    fn read(file: &mut File) -> Option<Ticket> {
        let text = String::from_utf8(read::contents(file, Limit::HOST).ok()?).ok()?;
        let find = |key: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            lines.find(|(name, _)| *name == key).map(|(_, value)| value.to_owned())
        };
        let address = Address { way: find("way")?, table: find("table") };
        // A table ignores a terminal with an invalid name.
        let name = find("name").filter(|name| fit_name(name).as_ref() == Some(name))?;
        Some(Ticket { address, name, token: find("token")? })
    }

    fn write(&self) -> String {
        let Ticket { address: Address { way, table }, name, token } = self;
        let table = table.as_ref().map(|table| format!("table {}\n", one_line(table)));
        let (way, table) = (one_line(way), table.unwrap_or_default());
        format!("way {way}\n{table}name {}\ntoken {}\n", one_line(name), one_line(token))
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::FileTimes;
    use std::os::unix::fs::PermissionsExt;
    use std::thread;

    fn address(way: &str, table: Option<&str>) -> Address {
        Address { way: way.to_owned(), table: table.map(str::to_owned) }
    }

    /// Finds the token for `ann@host` with this table and name.
    fn token(state: &Path, table: Option<&str>, name: Option<&str>) -> Option<String> {
        let seat = SeatFile::find(state, address("ssh ann@host", table), name).unwrap();
        seat.token().map(str::to_owned)
    }

    fn keep(state: &Path, table: Option<&str>, name: &str, token: &str) -> SeatFile {
        let mut seat = SeatFile::find(state, address("ssh ann@host", table), Some(name)).unwrap();
        seat.keep("quixo", name, token).unwrap();
        seat
    }

    #[test]
    fn token_is_found_only_for_its_table_and_name() {
        let state = tempfile::tempdir().unwrap();
        let seat = keep(state.path(), None, "Bob", "t1");
        let mode = fs::metadata(&seat.path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(token(state.path(), None, None), None, "its terminal still runs");
        drop(seat);
        for (table, name) in [(None, None), (Some("quixo"), None), (None, Some("Bob"))] {
            assert_eq!(token(state.path(), table, name).as_deref(), Some("t1"));
        }
        for (table, name) in [(Some("quixo-2"), None), (None, Some("Eve"))] {
            assert_eq!(token(state.path(), table, name), None);
        }
        let elsewhere = SeatFile::find(state.path(), address("ssh ann@far", None), None).unwrap();
        assert_eq!(elsewhere.token(), None);
    }

    #[test]
    fn each_terminal_of_a_user_has_its_own_seat_file() {
        let state = tempfile::tempdir().unwrap();
        let [bob, eve] = ["Bob", "Eve"].map(|name| keep(state.path(), Some("quixo"), name, name));
        drop(bob);
        assert_eq!(token(state.path(), None, None).as_deref(), Some("Bob"));
        assert_eq!(token(state.path(), None, Some("Eve")), None);
        drop(eve);
        assert_eq!(token(state.path(), None, Some("Eve")).as_deref(), Some("Eve"));
    }

    #[test]
    fn returning_terminals_each_find_a_seat() {
        let state = tempfile::tempdir().unwrap();
        let names: Vec<String> = (1..=8).map(|number| format!("Guest {number}")).collect();
        for name in &names {
            keep(state.path(), None, name, name);
        }
        for _ in 0..50 {
            let find = || SeatFile::find(state.path(), address("ssh ann@host", None), None);
            let seats: Vec<SeatFile> = thread::scope(|scope| {
                let all: Vec<_> = names.iter().map(|_| scope.spawn(find)).collect();
                all.into_iter().map(|one| one.join().unwrap().unwrap()).collect()
            });
            let mut found: Vec<&str> = seats.iter().filter_map(SeatFile::name).collect();
            found.sort_unstable();
            assert_eq!(found, names);
        }
    }

    #[test]
    fn new_token_replaces_old_and_forget_removes_the_file() {
        let state = tempfile::tempdir().unwrap();
        let mut seat = keep(state.path(), None, "Bob", "t1");
        seat.keep("quixo", "Bob", "t2").unwrap();
        drop(seat);
        let seat = SeatFile::find(state.path(), address("ssh ann@host", None), None).unwrap();
        assert_eq!((seat.token(), seat.name()), (Some("t2"), Some("Bob")));
        seat.forget();
        assert_eq!(fs::read_dir(state.path().join("seats")).unwrap().count(), 0);
    }

    #[test]
    fn old_tokens_and_drafts_are_removed_but_not_other_files() {
        let state = tempfile::tempdir().unwrap();
        let seat = keep(state.path(), None, "Bob", "t1");
        let old = SystemTime::now() - LIFETIME - Duration::from_secs(60);
        let times = FileTimes::new().set_modified(old);
        seat.file.as_ref().unwrap().set_times(times).unwrap();
        let path = seat.path.clone();
        let folder = state.path().join("seats");
        fs::write(folder.join(".quadrille-x"), "half").unwrap();
        fs::write(folder.join("odd"), "way ssh ann@host\ntable quixo\nname \u{1b}\ntoken t2")
            .unwrap();
        assert_eq!(token(state.path(), None, None), None);
        assert!(path.exists(), "its terminal still runs");
        drop(seat);
        assert_eq!(token(state.path(), None, None), None);
        let left: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(left, ["odd"]);
    }
}
