//! Programs of the user's own that can be given a seat.
//!
//! ```toml
//! [programs.mine]
//! command = "python3 bot.py --depth 4"
//! games = ["join-the-dots"]
//! ```

use super::read::{SettingsFault, SettingsProblem};
use crate::catalogue::{self, GameEntry};
use crate::printable::{is_name, printable};
use crate::session::ProgramSeat;
use crate::toml_file::{Fault, in_order};
use crate::wording::{cut, with_article};
use std::fmt::Write;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A text as TOML that can be printed. `written` is how it is written if nothing in it has to be escaped for that.
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

/// A program with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program at a seat: its name and its command line.
    pub seat: ProgramSeat,
    /// The ids of the games it plays; `None` is all.
    games: Option<Vec<&'static str>>,
}

impl Program {
    /// A program that plays these games; `None` for all of them. Returns `None` if the command line is not
    /// valid.
    pub fn new(name: &str, command: &str, games: Option<Vec<&'static str>>) -> Option<Program> {
        Some(Program { seat: ProgramSeat::new(command)?.with_name(name), games })
    }

    /// Whether it plays this game.
    pub fn plays(&self, entry: &GameEntry) -> bool {
        self.games.as_ref().is_none_or(|games| games.contains(&entry.id))
    }

    /// Its lines in a settings file.
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

/// Reads the table `programs`. A program with a problem is left out. An unknown key is only reported, unless the
/// program has no command.
pub(super) fn read(table: &DeTable<'_>, problems: &mut Vec<SettingsFault>) -> Vec<Program> {
    let mut programs = Vec::new();
    for (name, value) in in_order(table.clone()) {
        match read_one(name.get_ref(), &value) {
            Ok((program, unknown)) => {
                programs.push(program);
                problems.extend(unknown);
            }
            Err(problem) => problems.push(problem),
        }
    }
    programs
}

/// Reads one program. The second value is the first unknown key, if there is any.
fn read_one(
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<(Program, Option<SettingsFault>), SettingsFault> {
    let wrong = |at: &Spanned<DeValue<'_>>, key: &str, why: &str| {
        let key = if key.is_empty() {
            format!("programs.{name}")
        } else {
            format!("programs.{name}.{key}")
        };
        let why = SettingsProblem::BadValue(why.to_owned());
        Fault { at: at.span().start, key: Some(key), why }
    };
    let should_be = |what: &str, value: &Spanned<DeValue<'_>>| {
        format!("should be {what}, but is {}", with_article(value.get_ref().type_str()))
    };
    let DeValue::Table(table) = value.get_ref() else {
        return Err(wrong(value, "", &should_be("a table", value)));
    };
    if !is_name(name) || name.contains([',', ':']) {
        return Err(wrong(
            value,
            "",
            "a name must be a line of visible characters without a comma or a colon",
        ));
    }
    let (mut command, mut games, mut unknown) = (None, None, None);
    for (key, value) in table {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("command", DeValue::String(text)) => command = Some((value, text)),
            ("command", _) => {
                return Err(wrong(value, "command", &should_be("text in quotes", value)));
            }
            ("games", list) => {
                let why = "should be an array of names of games, such as [\"quixo\"]";
                let ids = list.as_array().ok_or_else(|| wrong(value, "games", why))?;
                let ids: Result<Vec<&'static str>, String> = ids.iter().map(game).collect();
                games = Some(ids.map_err(|why| wrong(value, "games", &why))?);
            }
            (other, _) => {
                unknown.get_or_insert_with(|| Fault {
                    at: key.span().start,
                    key: Some(format!("programs.{name}.{other}")),
                    why: SettingsProblem::UnknownProgramKey,
                });
            }
        }
    }
    let Some((at, command)) = command else {
        // An unknown key is probably the command, with a mistake in its name.
        let needs = || wrong(value, "", "needs a command, such as command = \"python3 bot.py\"");
        return Err(unknown.unwrap_or_else(needs));
    };
    let why = "is not a command line: it is empty, or a quote is not closed";
    let program = Program::new(name, command, games).ok_or_else(|| wrong(at, "command", why))?;
    Ok((program, unknown))
}

/// The name of a game; the error says what it should be.
fn game(id: &Spanned<DeValue<'_>>) -> Result<&'static str, String> {
    let name = id.get_ref().as_str();
    name.and_then(catalogue::find).map(|entry| entry.id).ok_or_else(|| {
        let all: Vec<&str> = catalogue::GAMES.iter().map(|entry| entry.id).collect();
        let name = name.map_or_else(
            || with_article(id.get_ref().type_str()),
            |name| format!("{:?}", cut(name)),
        );
        format!("{name} is not a game; the games are {}", all.join(", "))
    })
}
