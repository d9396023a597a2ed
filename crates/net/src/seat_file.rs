//! The token of a seat, stored in the state folder. `quadrille join` uses it to reclaim the seat after a crash, or
//! after a resume of the match.
//!
//! A token belongs to a table, which is known by its id: the address and the table's name may have changed since. The
//! file is locked while the terminal at the seat runs. So several terminals of one user at one table do not take each
//! other's seats, and an unlocked file belongs to a terminal that has crashed or whose table was closed.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "keeps files")]

use super::folder;
use crate::protocol::{MAX_TOKENS, fit_name};
use quadrille_system::disk;
use quadrille_system::files::create_private_folder;
use quadrille_system::locked_file::LockedFile;
use quadrille_system::read::{self, Access, Limit};
use std::cmp::Reverse;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long an unused token is kept. An unfinished match may be resumed after months.
const LIFETIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The line of a token that is a request's.
const ASKS: &str = "asks";

/// Where to look for the seats of a user.
#[derive(Clone, Debug)]
pub struct SeatFolder {
    /// The state folder.
    pub state: PathBuf,
    /// The name that the user has given for the table; `None` for any.
    pub name: Option<String>,
    /// Whether the user has agreed to send the token to another destination than the one that it came from.
    pub trusts_destination: bool,
}

/// The file of a seat. The file may not be written yet.
#[derive(Debug)]
pub struct SeatFile {
    path: PathBuf,
    /// The table's id.
    table: String,
    ticket: Option<Ticket>,
    /// Where this terminal reaches the table.
    destination: String,
    /// The open file that holds the lock.
    file: Option<LockedFile>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Ticket {
    table: String,
    name: String,
    token: String,
    /// Where the token came from; `None` in files of earlier builds.
    from: Option<String>,
    /// Whether the token belongs to a request for a seat.
    asks: bool,
}

impl SeatFolder {
    /// Returns the tokens that came from this destination, the latest first.
    pub fn tokens(&self, destination: &str) -> Vec<String> {
        let entries = fs::read_dir(self.state.join("seats")).into_iter().flatten().flatten();
        let mut known: Vec<SavedSeat> =
            entries.filter_map(|entry| SavedSeat::read(entry.path())).collect();
        known.sort_by_key(|kept| Reverse(kept.written));
        let tickets = known.into_iter().filter_map(|kept| kept.ticket);
        let from_there = tickets.filter(|ticket| ticket.from.as_deref() == Some(destination));
        from_there.map(|ticket| ticket.token).take(MAX_TOKENS).collect()
    }

    /// Finds the seat that a terminal of this user had at the table with this id: one whose terminal has ended, or else
    /// one whose terminal still runs. If there is none, prepares a file for a new token.
    pub fn find(&self, table: &str, destination: &str) -> io::Result<SeatFile> {
        let destination = destination.to_owned();
        let folder = self.state.join("seats");
        create_private_folder(&folder)?;
        disk::remove_drafts(&folder)?;
        let mut known: Vec<SavedSeat> = fs::read_dir(&folder)?
            .flatten()
            .filter_map(|entry| SavedSeat::read(entry.path()))
            .collect();
        // A seat goes before requests for other seats of the same table.
        known.sort_by_key(|kept| {
            (kept.ticket.as_ref().is_some_and(|ticket| ticket.asks), Reverse(kept.written))
        });
        let is_meant = |ticket: &Ticket| {
            let is_named = self.name.as_ref().is_none_or(|name| *name == ticket.name);
            is_named && ticket.table == table
        };
        let mut in_use = None;
        for SavedSeat { written, path, file, ticket } in known {
            let is_old = written.elapsed().is_ok_and(|age| age > LIFETIME);
            let ticket = ticket.filter(|ticket| is_old || is_meant(ticket));
            if ticket.is_none() && !is_old {
                continue;
            }
            // A running terminal holds the lock, or has replaced the file.
            let abandoned = disk::lock_in_place(file, &path).ok().flatten();
            match (abandoned, is_old) {
                (Some(_lock), true) => drop(disk::remove(&path)),
                (Some(file), false) => {
                    // The lifetime begins anew with each use.
                    let _ = file.set_modified(SystemTime::now());
                    let (table, file) = (table.to_owned(), Some(file));
                    return Ok(SeatFile { path, table, ticket, destination, file });
                }
                (None, true) => {}
                (None, false) => in_use = in_use.or(ticket.map(|ticket| (path, ticket))),
            }
        }
        let table = table.to_owned();
        Ok(match in_use {
            Some((path, ticket)) => {
                SeatFile { path, table, ticket: Some(ticket), destination, file: None }
            }
            None => {
                SeatFile { path: new_path(&folder)?, table, ticket: None, destination, file: None }
            }
        })
    }
}

fn new_path(folder: &Path) -> io::Result<PathBuf> {
    Ok(folder.join(folder::token()?))
}

impl SeatFile {
    pub fn token(&self) -> Option<&str> {
        self.ticket.as_ref().map(|ticket| &*ticket.token)
    }

    /// Returns where the token came from, if this terminal reaches the table elsewhere.
    pub fn other_origin(&self) -> Option<&str> {
        let from = self.ticket.as_ref()?.from.as_deref()?;
        (from != self.destination).then_some(from)
    }

    /// Returns the name of the player at the seat.
    pub fn name(&self) -> Option<&str> {
        self.ticket.as_ref().map(|ticket| &*ticket.name)
    }

    /// Returns whether another terminal of this user has the seat.
    pub fn is_in_use(&self) -> bool {
        self.ticket.is_some() && self.file.is_none()
    }

    /// Returns a new file for another seat at the same table.
    pub fn beside(self) -> io::Result<SeatFile> {
        let path = self.path.parent().map_or_else(|| Ok(self.path.clone()), new_path)?;
        Ok(SeatFile { path, ticket: None, file: None, ..self })
    }

    /// Stores the token of a seat, issued by the table.
    pub fn store(&mut self, name: &str, token: &str) -> io::Result<()> {
        self.store_as(name, token, false)
    }

    /// Stores the token of a request for a seat, with which its player returns to hear the answer.
    pub fn store_request(&mut self, name: &str, token: &str) -> io::Result<()> {
        self.store_as(name, token, true)
    }

    fn store_as(&mut self, name: &str, token: &str, asks: bool) -> io::Result<()> {
        let known = self.ticket.as_ref().map(|ticket| (&*ticket.token, ticket.asks));
        if known == Some((token, asks)) {
            return Ok(());
        }
        let (table, name, token) = (self.table.clone(), name.to_owned(), token.to_owned());
        let from = Some(self.destination.clone());
        let ticket = Ticket { table, name, token, from, asks };
        // Not synced to disk: after a power failure the host is asked instead.
        disk::put_locked(&mut self.file, &self.path, ticket.write().as_bytes())?;
        self.ticket = Some(ticket);
        Ok(())
    }

    /// Removes the token, because the seat is given up or its match is over. A newer terminal may have taken over the
    /// seat and the file.
    pub fn forget(self) {
        if self.file.is_some_and(|file| disk::is_at(&file, &self.path).unwrap_or(false)) {
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

impl Ticket {
    fn read(file: &mut File) -> Option<Ticket> {
        let text = String::from_utf8(read::contents(file, Limit::HOST).ok()?).ok()?;
        let find = |key: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            lines.find(|(name, _)| *name == key).map(|(_, value)| value.to_owned())
        };
        // A table ignores a terminal with an invalid name.
        let name = find("name").filter(|name| fit_name(name).as_ref() == Some(name))?;
        let (table, token, from) = (find("table")?, find("token")?, find("from"));
        Some(Ticket { table, name, token, from, asks: text.lines().any(|line| line == ASKS) })
    }

    fn write(&self) -> String {
        let Ticket { table, name, token, from, asks } = self;
        let [table, name, token] = [table, name, token].map(|text| one_line(text));
        let from =
            from.as_ref().map_or_else(String::new, |from| format!("from {}\n", one_line(from)));
        let asks = if *asks { format!("{ASKS}\n") } else { String::new() };
        format!("table {table}\nname {name}\ntoken {token}\n{from}{asks}")
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

    fn find(state: &Path, table: &str, name: Option<&str>) -> SeatFile {
        find_from(state, table, name, "ann@host")
    }

    fn find_from(state: &Path, table: &str, name: Option<&str>, destination: &str) -> SeatFile {
        let (state, name) = (state.to_owned(), name.map(str::to_owned));
        SeatFolder { state, name, trusts_destination: false }.find(table, destination).unwrap()
    }

    /// Finds the token of a terminal that has ended.
    fn token(state: &Path, table: &str, name: Option<&str>) -> Option<String> {
        let seat = find(state, table, name);
        seat.token().filter(|_| !seat.is_in_use()).map(str::to_owned)
    }

    fn keep(state: &Path, name: &str, token: &str) -> SeatFile {
        let mut seat = find(state, "id", Some(name)).beside().unwrap();
        seat.store(name, token).unwrap();
        seat
    }

    #[test]
    fn token_is_found_only_for_its_table_and_name() {
        let state = tempfile::tempdir().unwrap();
        let seat = keep(state.path(), "Bob", "t1");
        let mode = fs::metadata(&seat.path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(token(state.path(), "id", None), None, "its terminal still runs");
        assert!(find(state.path(), "id", None).is_in_use());
        drop(seat);
        for name in [None, Some("Bob")] {
            assert_eq!(token(state.path(), "id", name).as_deref(), Some("t1"));
        }
        for (table, name) in [("id2", None), ("id", Some("Eve"))] {
            assert_eq!(token(state.path(), table, name), None);
            assert!(!find(state.path(), table, name).is_in_use());
        }
    }

    /// Bob has a seat, and has asked for another one under another name.
    #[test]
    fn seat_goes_before_a_later_request() {
        let state = tempfile::tempdir().unwrap();
        drop(keep(state.path(), "Bob", "t1"));
        let mut asked = find(state.path(), "id", Some("Bobby"));
        asked.store_request("Bobby", "t2").unwrap();
        drop(asked);
        assert_eq!(token(state.path(), "id", None).as_deref(), Some("t1"));
        assert_eq!(token(state.path(), "id", Some("Bobby")).as_deref(), Some("t2"));
        // The host agrees, and the table issues the same token for the seat.
        let mut seat = find(state.path(), "id", Some("Bobby"));
        seat.store("Bobby", "t2").unwrap();
        assert!(!seat.ticket.unwrap().asks);
    }

    #[test]
    fn token_knows_where_it_came_from() {
        let state = tempfile::tempdir().unwrap();
        drop(keep(state.path(), "Bob", "t1"));
        assert_eq!(find(state.path(), "id", None).other_origin(), None);
        let mut seat = find_from(state.path(), "id", None, "eve@host");
        assert_eq!(seat.other_origin(), Some("ann@host"));
        // The player has agreed, and the table has issued a new token there.
        seat.store("Bob", "t2").unwrap();
        drop(seat);
        assert_eq!(find_from(state.path(), "id", None, "eve@host").other_origin(), None);
        // Earlier builds did not write it.
        let old = state.path().join("seats/old");
        fs::write(&old, "table id3\nname Bob\ntoken t3\n").unwrap();
        let seat = find(state.path(), "id3", None);
        assert_eq!((seat.token(), seat.other_origin()), (Some("t3"), None));
    }

    #[test]
    fn list_gets_only_the_tokens_of_its_destination() {
        let state = tempfile::tempdir().unwrap();
        drop(keep(state.path(), "Bob", "t1"));
        find_from(state.path(), "id2", None, "eve@host").store("Bob", "t2").unwrap();
        fs::write(state.path().join("seats/old"), "table id3\nname Bob\ntoken t3\n").unwrap();
        let (state, name) = (state.path().to_owned(), None);
        let folder = SeatFolder { state, name, trusts_destination: false };
        let tokens = ["ann@host", "eve@host", "mallory@host"].map(|from| folder.tokens(from));
        assert_eq!(tokens, [vec!["t1"], vec!["t2"], vec![]]);
    }

    /// The terminal that has lost its seat leaves the file to the terminal that has taken over.
    #[test]
    fn new_terminal_takes_over_the_file() {
        let state = tempfile::tempdir().unwrap();
        let first = keep(state.path(), "Bob", "t1");
        let mut second = find(state.path(), "id", None);
        assert_eq!((second.token(), second.is_in_use()), (Some("t1"), true));
        second.store("Bob", "t2").unwrap();
        first.forget();
        drop(second);
        assert_eq!(token(state.path(), "id", None).as_deref(), Some("t2"));
    }

    #[test]
    fn each_terminal_of_a_user_has_its_own_seat_file() {
        let state = tempfile::tempdir().unwrap();
        let [bob, eve] = ["Bob", "Eve"].map(|name| keep(state.path(), name, name));
        drop(bob);
        assert_eq!(token(state.path(), "id", None).as_deref(), Some("Bob"));
        assert_eq!(token(state.path(), "id", Some("Eve")), None);
        drop(eve);
        assert_eq!(token(state.path(), "id", Some("Eve")).as_deref(), Some("Eve"));
    }

    #[test]
    fn returning_terminals_each_find_a_seat() {
        let state = tempfile::tempdir().unwrap();
        let names: Vec<String> = (1..=8).map(|number| format!("Guest {number}")).collect();
        for name in &names {
            keep(state.path(), name, name);
        }
        for _ in 0..50 {
            let find = || find(state.path(), "id", None);
            let seats: Vec<SeatFile> = thread::scope(|scope| {
                let all: Vec<_> = names.iter().map(|_| scope.spawn(find)).collect();
                all.into_iter().map(|one| one.join().unwrap()).collect()
            });
            let mut found: Vec<&str> = seats.iter().filter_map(SeatFile::name).collect();
            found.sort_unstable();
            assert_eq!(found, names);
        }
    }

    #[test]
    fn new_token_replaces_old_and_forget_removes_the_file() {
        let state = tempfile::tempdir().unwrap();
        let mut seat = keep(state.path(), "Bob", "t1");
        seat.store("Bob", "t2").unwrap();
        drop(seat);
        let seat = find(state.path(), "id", None);
        assert_eq!((seat.token(), seat.name()), (Some("t2"), Some("Bob")));
        seat.forget();
        assert_eq!(fs::read_dir(state.path().join("seats")).unwrap().count(), 0);
    }

    #[test]
    fn old_tokens_and_drafts_are_removed_but_not_other_files() {
        let state = tempfile::tempdir().unwrap();
        let seat = keep(state.path(), "Bob", "t1");
        let old = SystemTime::now() - LIFETIME - Duration::from_secs(60);
        let times = FileTimes::new().set_modified(old);
        seat.file.as_ref().unwrap().set_times(times).unwrap();
        let path = seat.path.clone();
        let folder = state.path().join("seats");
        fs::write(folder.join(".quadrille-x"), "half").unwrap();
        fs::write(folder.join("odd"), "table id\nname \u{1b}\ntoken t2").unwrap();
        assert_eq!(token(state.path(), "id", None), None);
        assert!(path.exists(), "its terminal still runs");
        drop(seat);
        assert_eq!(token(state.path(), "id", None), None);
        let left: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(left, ["odd"]);
    }
}
