//! The user's own programs that can take a seat.
//!
//! ```toml
//! [programs.mine]
//! command = "python3 bot.py --depth 4"
//! games = ["join-the-dots"]
//! ```

use quadrille_match::session::ProgramSeat;
use quadrille_table::catalogue::{self, GameEntry};
use quadrille_text::printable::{is_name, printable};
use quadrille_text::toml_file::{Entry, Fault, TomlTable};
use std::fmt::Write;
use toml::de::{DeTable, DeValue};

/// Formats a text as printable TOML. Uses `written` if no character needs escaping.
fn printable_toml(text: &str, written: impl Fn(&str) -> String) -> String {
    if printable(text) == text {
        return written(text);
    }
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        c => format!("\\U{:08X}", u32::from(c)),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub seat: ProgramSeat,
    /// The ids of the program's games; `None` means all games.
    games: Option<Vec<&'static str>>,
}

impl Program {
    /// Creates a program that plays these games; `None` means all games. Returns `None` if the command line is invalid.
    pub fn new(name: &str, command: &str, games: Option<Vec<&'static str>>) -> Option<Program> {
        Some(Program { seat: ProgramSeat::new(command)?.with_name(name), games })
    }

    pub fn plays(&self, entry: &GameEntry) -> bool {
        self.games.as_ref().is_none_or(|games| games.contains(&entry.id))
    }

    pub(super) fn listing(&self) -> String {
        let name = printable_toml(self.seat.name(), |name| {
            toml_edit::Key::new(name).display_repr().into_owned()
        });
        let command =
            printable_toml(self.seat.command(), |text| toml_edit::Value::from(text).to_string());
        let mut text = format!("[programs.{name}]\ncommand = {command}\n");
        if let Some(games) = &self.games {
            let games: toml_edit::Array = games.iter().copied().collect();
            let _ = writeln!(text, "games = {games}");
        }
        text
    }
}

/// Reads the table `programs`. Leaves out faulty programs. An unknown key is only reported, unless the program has no
/// command.
pub(super) fn read(table: &DeTable<'_>, faults: &mut Vec<Fault>) -> Vec<Program> {
    let mut programs = Vec::new();
    for entry in Entry::all(table, "programs.") {
        match read_one(&entry) {
            Ok((program, unknown)) => {
                programs.push(program);
                faults.extend(unknown);
            }
            Err(fault) => faults.push(fault),
        }
    }
    programs
}

/// Reads one program. The second value is the fault for the first unknown key, if there is one.
fn read_one(program: &Entry<'_>) -> Result<(Program, Option<Fault>), Fault> {
    if !is_name(program.name) || program.name.contains([',', ':']) {
        let why = "a name must be a line of visible characters without a comma or a colon";
        return Err(program.wrong(why));
    }
    let (at, prefix) = (program.value.span().start, format!("{}.", program.key));
    let (table, unknown) =
        TomlTable::with_unknown(program.table()?, at, &prefix, &["command", "games"]);
    let Some(command) = table.text("command")? else {
        // The unknown key is probably a misspelled `command`.
        let needs = || program.wrong("needs a command, such as command = \"python3 bot.py\"");
        return Err(unknown.unwrap_or_else(needs));
    };
    let form = "must be an array of game names, such as [\"quixo\"]";
    let texts = |value: &DeValue| {
        let texts = value.as_array()?.iter().map(|text| text.get_ref().as_str());
        texts.map(|text| text.map(str::to_owned)).collect::<Option<Vec<_>>>()
    };
    let games = table.read_or("games", form, texts)?;
    let id = |name: String| catalogue::named_in_file(&name).map(|entry| entry.id);
    let games = games.map(|names| names.into_iter().map(id).collect()).transpose();
    let games = games.map_err(|why: String| table.wrong("games", why))?;
    let why = "is not a valid command line: it is empty or has an unclosed quote";
    let program = Program::new(program.name, command, games);
    Ok((program.ok_or_else(|| table.wrong("command", why))?, unknown))
}
