//! The lobby of a public server: a text list of the open tables. A visitor can only join, watch or open a table.
//!
//! A lobby table has no host: all its seats are for guests, and a guest who leaves gives up the seat. A table without
//! any moves closes when its last guest leaves.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "serves visitors")]

use super::folder::{self, OpenTable};
use super::open::{self, NewTable};
use super::peer::Peer;
use super::query::{TableSummary, close, query_tables};
use super::route::{Route, SocketRoute};
use crate::protocol::{Hello, SeatRequest, fit_name};
use crate::{Identity, JoinRequest};
use anyhow::bail;
use quadrille_match::session::{Conditions, Player};
use quadrille_rules::Setup;
use quadrille_system::fresh_seed;
use quadrille_system::handle::stdin;
use quadrille_system::signals::{self, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use quadrille_table::catalogue::{self, GAMES, GameEntry};
use quadrille_table::match_saver::MatchSaver;
use quadrille_table::play::Table;
use quadrille_table::seed::draw_seed;
use quadrille_text::printable::printable;
use quadrille_text::wording::{counted, list};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The maximum number of tables at which one name may sit.
const TABLES_A_NAME: usize = 2;
const TABLES: usize = 50;
/// The maximum length of an input line, in bytes.
const MAX_INPUT_BYTES: usize = 200;

pub struct Lobby<'a> {
    /// How long an empty table stays open, and how long the lobby waits for input.
    pub idle: Duration,
    /// The visitor; the lobby asks for a name if ssh has not verified one.
    pub identity: Identity,
    /// Joins the table at a route and shows it until the visitor leaves. Calls the function before the screens open.
    pub join: &'a JoinTable<'a>,
}

type JoinTable<'a> = dyn Fn(Route, JoinRequest, &dyn Fn()) -> anyhow::Result<()> + 'a;

impl Lobby<'_> {
    /// Runs the lobby until the visitor leaves.
    pub fn run(&self) -> anyhow::Result<()> {
        let is_without_screens = let_nothing_suspend()?;
        let opens = || is_without_screens.store(false, Ordering::Relaxed);
        let mut input = TypedLines::new(self.idle)?;
        let verified = self.identity.name.clone();
        let name = verified.map_or_else(|| ask_for_name(&mut input), |name| Ok(Some(name)))?;
        let Some(name) = name else { return Ok(()) };
        loop {
            let tables = tables();
            print(&listing(&name, &tables))?;
            let Some(line) = input.line("> ")? else { return Ok(()) };
            let done = match LobbyCommand::read(&line, &tables) {
                Ok(LobbyCommand::Refresh) => Ok(()),
                Ok(LobbyCommand::Leave) => return Ok(()),
                Ok(LobbyCommand::Sit(table)) => {
                    self.join_table(&table, &name, SeatRequest::Any, &opens)
                }
                Ok(LobbyCommand::Watch(table)) => {
                    self.join_table(&table, &name, SeatRequest::Watch, &opens)
                }
                Ok(LobbyCommand::Open(entry)) => self
                    .open(entry, &name, &tables)
                    .and_then(|table| self.join_table(&table, &name, SeatRequest::Any, &opens)),
                Err(why) => print(&format!("\n{why}\n")).map_err(Into::into),
            };
            is_without_screens.store(true, Ordering::Relaxed);
            if let Err(why) = done {
                print(&format!("\nError: {why:#}.\n"))?;
            }
        }
    }

    /// Shows a table until the visitor leaves it.
    fn join_table(
        &self,
        table: &OpenTable,
        name: &str,
        wanted: SeatRequest,
        opens: &dyn Fn(),
    ) -> anyhow::Result<()> {
        if wanted == SeatRequest::Any {
            let tables = tables();
            may_sit(name, &tables)?;
            let there = tables.iter().find(|listed| listed.table == *table);
            if there.is_some_and(|listed| !listed.summary.has_room()) {
                bail!("every seat is taken; type watch and the number to watch");
            }
        }
        let hello = Hello { name: name.to_owned(), wanted, ..Hello::default() };
        let join_request = JoinRequest { hello, is_kiosk: true, ..JoinRequest::default() };
        let (path, identity) = (table.path.clone(), self.identity.clone());
        let route = Route::Socket(SocketRoute { path, identity, door: None });
        let shown = (self.join)(route, join_request, opens);
        let is_unused = |summary: &TableSummary| {
            summary.moves == 0
                && summary.watching == 0
                && summary.seats.iter().all(|seat| seat.free)
        };
        if query_tables(std::slice::from_ref(table)).iter().flatten().any(is_unused) {
            // On error, the table closes by itself a little later.
            let _ = close(table);
        }
        shown
    }

    /// Opens a table with a default setup. All seats are for guests.
    fn open(
        &self,
        entry: &'static GameEntry,
        name: &str,
        tables: &[ListedTable],
    ) -> anyhow::Result<OpenTable> {
        may_sit(name, tables)?;
        if tables.len() >= TABLES {
            bail!("{TABLES} tables are already open; join one of them");
        }
        let mut setup = Setup::new();
        draw_seed(entry, &mut setup, fresh_seed().into());
        let seats = (entry.start)(&setup)?.seats();
        let players: Vec<Player> = (0..seats).map(|_| "guest".parse()).collect::<Result<_, _>>()?;
        let mut table = Table::new(entry, &setup, Conditions::from(players))?;
        let host_name = "Lobby".to_owned();
        let new = NewTable { idle: self.idle, ..NewTable::default() };
        Ok(open::open(&mut table, &mut MatchSaver::new(None), host_name, new)?.table)
    }
}

/// Ignores the signals from keys that suspend the process or dump core. Terminating signals end the process while the
/// returned flag is set; during a match, its screens handle them.
fn let_nothing_suspend() -> io::Result<Arc<AtomicBool>> {
    let is_without_screens = Arc::new(AtomicBool::new(true));
    signals::disregard(&[SIGTSTP, SIGQUIT])?;
    signals::end_while(&is_without_screens, &[SIGINT, SIGTERM, SIGHUP])?;
    Ok(is_without_screens)
}

/// A table that responds, and its state.
struct ListedTable {
    table: OpenTable,
    summary: TableSummary,
}

/// Lists this user's open tables. Tables of other users are not part of the lobby.
fn tables() -> Vec<ListedTable> {
    let tables = folder::open_tables();
    let summaries = query_tables(&tables);
    let listed = tables.into_iter().zip(summaries);
    listed.filter_map(|(table, summary)| Some(ListedTable { table, summary: summary? })).collect()
}

fn may_sit(name: &str, tables: &[ListedTable]) -> anyhow::Result<()> {
    let sits = |listed: &&ListedTable| {
        listed.summary.seats.iter().any(|seat| seat.name == name && !seat.away)
    };
    if tables.iter().filter(sits).count() >= TABLES_A_NAME {
        bail!("{} is already at {TABLES_A_NAME} tables; leave one first", printable(name));
    }
    Ok(())
}

fn listing(name: &str, tables: &[ListedTable]) -> String {
    let mut lines = vec![String::new(), format!("Lobby. You are {}.", printable(name))];
    if tables.is_empty() {
        lines.push("No open tables.".to_owned());
    } else {
        lines.push(counted(tables.len(), "open table", "open tables") + ":");
        let tables = (1..).zip(tables);
        lines.extend(tables.map(|(number, listed)| format!("{number:4}. {}", listed.summary)));
        lines.push(
            "Type a number to join that table, or watch and a number to watch it.".to_owned(),
        );
    }
    let games = list(GAMES.iter().map(|entry| entry.id));
    lines.push(format!("Type open and a game to open a table: {games}."));
    lines.push("Press Enter to refresh, or type quit.\n".to_owned());
    lines.join("\n")
}

#[derive(Debug)]
enum LobbyCommand {
    Refresh,
    Leave,
    Sit(OpenTable),
    Watch(OpenTable),
    Open(&'static GameEntry),
}

impl LobbyCommand {
    /// Parses a command. The error is a sentence.
    fn read(line: &str, tables: &[ListedTable]) -> Result<LobbyCommand, String> {
        let line = line.trim().to_lowercase();
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let table = |number: &str| {
            let number = number.trim();
            if number.is_empty() {
                return Err("Which table? Type its number too.".to_owned());
            }
            let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let by_number = index.and_then(|index| tables.get(index));
            let by_name = || tables.iter().find(|listed| listed.table.name == number);
            let found = by_number.or_else(by_name).map(|listed| listed.table.clone());
            found.ok_or_else(|| format!("No table {}.", printable(number)))
        };
        match word {
            "" => Ok(LobbyCommand::Refresh),
            "q" | "quit" | "exit" => Ok(LobbyCommand::Leave),
            "w" | "watch" => Ok(LobbyCommand::Watch(table(rest)?)),
            "s" | "sit" | "join" => Ok(LobbyCommand::Sit(table(rest)?)),
            "o" | "open" => catalogue::named(rest).map(LobbyCommand::Open).map_err(|meant| {
                let games = if meant.is_empty() { GAMES.iter().collect() } else { meant };
                format!("Open which game? {}.", list(games.iter().map(|entry| entry.id)))
            }),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => {
                Ok(LobbyCommand::Sit(table(&line)?))
            }
            _ => Err(format!("Unknown command: {}", printable(word))),
        }
    }
}

fn ask_for_name(input: &mut TypedLines) -> io::Result<Option<String>> {
    print("Quadrille lobby: play with others from their own terminals.\n")?;
    loop {
        let Some(line) = input.line("Your name: ")? else { return Ok(None) };
        match fit_name(&line) {
            Some(name) => return Ok(Some(name)),
            None => print(
                "A name must be one line with at least one letter, and not the name of an engine.\n",
            )?,
        }
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The visitor's input lines, excluding lines read during a match.
struct TypedLines {
    lines: Peer,
    patience: Duration,
}

impl TypedLines {
    fn new(patience: Duration) -> io::Result<TypedLines> {
        Ok(TypedLines { lines: Peer::pipes(stdin().try_clone_to_owned()?, None), patience })
    }

    /// Returns the next line; `None` at the end of the input or after the timeout.
    fn line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        print(prompt)?;
        let line = self.lines.wait_for_line(Instant::now() + self.patience)?;
        if line.is_none() && !self.lines.has_ended() {
            print("\nTimed out waiting for input.\n")?;
        }
        // A line that is too long is treated as empty.
        Ok(line
            .map(|line| line.ok().filter(|line| line.len() <= MAX_INPUT_BYTES).unwrap_or_default()))
    }
}

/// Returns the table for which a lobby visitor requests the [`bridge`](super::bridge), a connection without screens.
/// `command` is the command that the visitor's ssh client sends.
pub fn asks_for_bridge(command: &str) -> Option<Option<String>> {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words[..] {
        [_, "table", "connect"] => Some(None),
        [_, "table", "connect", name] if folder::is_table_name(name) => Some(Some(name.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::SeatSummary;
    use std::path::PathBuf;

    fn listed(name: &str) -> ListedTable {
        let summary = TableSummary {
            name: name.to_owned(),
            shared_by: None,
            game: "quixo".to_owned(),
            seats: Vec::new(),
            moves: 0,
            is_host_away: false,
            watching: 0,
        };
        ListedTable {
            table: OpenTable { name: name.to_owned(), path: PathBuf::from(name) },
            summary,
        }
    }

    #[test]
    fn lobby_line_is_a_command_or_chat() {
        let tables = [listed("quixo"), listed("quixo-2")];
        let read = |line: &str| LobbyCommand::read(line, &tables);
        for (line, name) in [("1", "quixo"), (" 2 ", "quixo-2"), ("sit quixo-2", "quixo-2")] {
            assert!(
                matches!(read(line), Ok(LobbyCommand::Sit(table)) if table.name == name),
                "{line}"
            );
        }
        assert!(matches!(read("w 2"), Ok(LobbyCommand::Watch(table)) if table.name == "quixo-2"));
        assert!(
            matches!(read("OPEN ttt"), Ok(LobbyCommand::Open(entry)) if entry.id == "tic-tac-toe")
        );
        assert!(
            matches!(read(""), Ok(LobbyCommand::Refresh))
                && matches!(read("q"), Ok(LobbyCommand::Leave))
        );
        for (line, why) in [
            ("3", "No table 3."),
            ("0", "No table 0."),
            ("99999999999999999999999", "No table 99999999999999999999999."),
            ("watch ../x", "No table ../x."),
            ("watch", "Which table? Type its number too."),
            ("sit", "Which table? Type its number too."),
            ("!sh", "Unknown command: !sh"),
            ("\u{1b}[2J", "Unknown command: \\u{1b}[2j"),
            (
                "open chess",
                "Open which game? dots-and-boxes, join-the-dots, quixo, tic-tac-toe and intersections.",
            ),
        ] {
            assert_eq!(read(line).unwrap_err(), why);
        }
    }

    #[test]
    fn name_may_sit_at_two_tables_at_most() {
        let sits = |name: &str, away: bool| {
            let mut listed = listed("quixo");
            listed.summary.seats =
                vec![SeatSummary { name: name.to_owned(), free: false, away, left: false }];
            listed
        };
        let here = || sits("Ann", false);
        assert!(may_sit("Ann", &[here(), sits("Bob", false), sits("Ann", true)]).is_ok());
        assert!(may_sit("Ann", &[here(), sits("Bob", false), here()]).is_err());
    }

    #[test]
    fn bridge_accepts_only_table_connect() {
        let asks = |command: &str| asks_for_bridge(command);
        assert_eq!(asks("quadrille table connect"), Some(None));
        assert_eq!(asks("~/bin/quadrille table connect quixo-2"), Some(Some("quixo-2".to_owned())));
        for command in [
            "",
            "sh",
            "quadrille",
            "quadrille play quixo",
            "quadrille table open",
            "quadrille table connect ../x",
            "quadrille table connect --as=Eve",
            "quadrille table connect quixo --as Eve",
            "quadrille table connect quixo; sh",
        ] {
            assert_eq!(asks(command), None, "{command}");
        }
    }
}
