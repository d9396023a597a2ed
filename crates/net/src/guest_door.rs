//! The door of a guest whom `quadrille table connect` serves: which tables the guest may know, and the way to one. Its
//! errors tell the guest no path of the host and no other table.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "asks tables")]

use super::agenda::{AgendaMatch, Viewer};
use super::agenda_files::Agenda;
use super::folder::{self, HostFile, OpenTable};
use super::open::NewTable;
use super::protocol::ListedTable;
use super::query::query_tables;
use super::seating_file;
use super::wake;
use crate::{Identity, Seating};
use anyhow::{anyhow, bail};
use jiff::Timestamp;
use quadrille_system::terminal::is_stdin;
use quadrille_text::printable::printable;
use quadrille_text::wording::list;
use std::io::{self, BufRead, Write};

#[derive(Debug)]
pub struct GuestDoor {
    /// The table; `None` until the guest has chosen one.
    pub name: Option<String>,
    pub identity: Identity,
    /// Whether the guest's ssh key admits to these tables and nothing else.
    pub is_restricted: bool,
    /// Whether the guest may wake a table. A public server has only open ones.
    pub can_wake: bool,
    /// The tokens that the guest has sent.
    pub tokens: Vec<String>,
    pub now: Timestamp,
    pub new: NewTable,
}

impl GuestDoor {
    /// Lists the matches in which the guest has a seat or can take a free one. Those that wait for the guest come first.
    pub fn tables(&self) -> Vec<ListedTable> {
        let viewer = |_: &_, seating: &Seating| self.viewer(seating);
        let with_days = Agenda::read(self.now, viewer).matches;
        let is_known =
            |one: &&AgendaMatch| !one.seats.is_empty() || one.has_free_seat() && !one.is_over;
        let mut listed: Vec<ListedTable> = with_days.iter().filter(is_known).map(listed).collect();
        let open = folder::open_tables().into_iter();
        let others = open.filter(|table| !with_days.iter().any(|one| one.table == table.name));
        listed.extend(self.without_days(&others.collect::<Vec<_>>()));
        listed.sort_by_key(|table| (!table.waits, table.name.clone()));
        listed
    }

    fn viewer(&self, seating: &Seating) -> Viewer {
        Viewer::guest(seating, &self.tokens, &self.identity)
    }

    /// Asks open tables whose matches have no days per move.
    fn without_days(&self, tables: &[OpenTable]) -> Vec<ListedTable> {
        let summaries = tables.iter().zip(query_tables(tables));
        let known = summaries.filter_map(|(table, summary)| {
            let summary = summary?;
            let journal = HostFile::read(&table.path).ok().and_then(|host| host.journal);
            let saved = journal.and_then(|journal| seating_file::find(&journal));
            let has_seat = saved.is_some_and(|saved| !self.viewer(&saved.seating).seats.is_empty());
            let is_known = has_seat || summary.seats.iter().any(|seat| seat.free);
            let (name, text) = (table.name.clone(), summary.to_string());
            is_known.then_some(ListedTable { name, waits: false, text })
        });
        known.collect()
    }

    /// Sets the table that the guest has chosen; without a name, the only one.
    pub fn choose(&mut self, name: Option<String>) -> anyhow::Result<()> {
        if let Some(name) = name {
            if self.is_restricted && !self.tables().iter().any(|table| table.name == name) {
                return Err(none_called(&name));
            }
            self.name = Some(name);
        }
        Ok(())
    }

    /// Finds or wakes the table.
    pub fn open(&self) -> anyhow::Result<OpenTable> {
        let name = match &self.name {
            Some(name) => name.clone(),
            None => self.only_table()?,
        };
        if !self.can_wake {
            let mut open = folder::open_tables().into_iter();
            return open.find(|table| table.name == name).ok_or_else(|| none_called(&name));
        }
        match wake::table(&name, self.new) {
            Ok(Some(table)) => Ok(table),
            Ok(None) => Err(none_called(&name)),
            Err(_) => bail!(
                "the table {name} cannot be opened; its host can read why with quadrille resume"
            ),
        }
    }

    fn only_table(&self) -> anyhow::Result<String> {
        let open = folder::open_tables().into_iter().map(|table| table.name);
        let mut names: Vec<String> = open.collect();
        if names.is_empty() && self.can_wake {
            names = wake::sleeping();
        }
        match &mut *names {
            [name] => Ok(std::mem::take(name)),
            _ if self.is_restricted => bail!("this key needs exactly one open table here"),
            [] => bail!("no open tables here"),
            _ => bail!("several open tables; choose one by name"),
        }
    }
}

fn none_called(name: &str) -> anyhow::Error {
    anyhow!("no open table {name} here")
}

fn listed(one: &AgendaMatch) -> ListedTable {
    let waits = !one.waiting.is_empty();
    let text = if waits { one.line(&one.waiting) } else { one.to_string() };
    ListedTable { name: one.table.clone(), waits, text }
}

/// Chooses the only table that waits, or the only one, or asks on the terminal. `None` if there is none. Without a
/// terminal, the error is a sentence that ends with this advice.
pub fn choose(tables: &[ListedTable], advice: &str) -> Result<Option<String>, String> {
    let waiting: Vec<&ListedTable> = tables.iter().filter(|table| table.waits).collect();
    match (&*waiting, tables) {
        ([one], _) => return Ok(Some(one.name.clone())),
        ([], [one]) => return Ok(Some(one.name.clone())),
        ([], []) => return Ok(None),
        _ => {}
    }
    if !is_stdin() {
        let names = list(tables.iter().map(|table| &table.name));
        return Err(format!("several tables: {names}; {advice}"));
    }
    let chosen = ask_for_one(tables, &mut io::stdin().lock(), &mut io::stdout().lock());
    let chosen = chosen.map_err(|error| error.to_string())?;
    chosen.map(|table| Some(table.name.clone())).ok_or_else(|| "no table was chosen".to_owned())
}

/// Lists these tables, and reads the number of one until there is a table with this number. `None` for an empty line or
/// at the end of the input.
fn ask_for_one<'t>(
    tables: &'t [ListedTable],
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<Option<&'t ListedTable>> {
    for (number, table) in (1..).zip(tables) {
        writeln!(out, "{number:4}. {}", printable(&table.text))?;
    }
    loop {
        write!(out, "Number of a table: ")?;
        out.flush()?;
        let mut answer = String::new();
        input.read_line(&mut answer)?;
        let answer = answer.trim();
        if answer.is_empty() {
            return Ok(None);
        }
        let number = answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        if let Some(table) = number.and_then(|index| tables.get(index)) {
            return Ok(Some(table));
        }
        writeln!(out, "{}: type a number from 1 to {}", printable(answer), tables.len())?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_numbers_are_asked_again() {
        let table = |name: &str| ListedTable {
            name: name.to_owned(),
            waits: true,
            text: format!("{name}: Quixo"),
        };
        let tables = [table("quixo"), table("quixo-2")];
        let chosen = |mut input: &[u8]| {
            let mut out = Vec::new();
            let chosen = ask_for_one(&tables, &mut input, &mut out).unwrap();
            (chosen.map(|table| &*table.name), String::from_utf8(out).unwrap())
        };
        let (name, said) = chosen(b"3\n0\nquixo\n2\n");
        assert_eq!(name, Some("quixo-2"));
        assert_eq!(said.matches("type a number from 1 to 2").count(), 3, "{said}");
        assert_eq!(said.matches("1. quixo: Quixo").count(), 1, "{said}");
        for end in [&b"\n1\n"[..], b"7\n", b""] {
            assert_eq!(chosen(end).0, None);
        }
    }
}
