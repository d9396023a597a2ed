//! Reading the settings file.
//!
//! ```toml
//! theme = "paper"
//! mouse = false
//!
//! [keys]
//! undo = ["U", "Backspace"]
//! ```

use super::{Setting, SettingKind, SettingValue, Settings, programs, seconds};
use crate::action::{Action, Key, Keymap};
use crate::toml_file::{Entry, Fault, FileError, Source, integer, number};
use crate::wording::{cut, with_article};
use std::time::Duration;
use toml::de::{DeTable, DeValue};

/// Reads settings. A wrong setting keeps its default. `check_theme` fails with the reason if there is no such theme or
/// it cannot be read. The errors are in the order of the file. Settings may still be saved in a file that only has
/// unknown keys.
pub fn read(
    source: Source<'_>,
    check_theme: impl Fn(&str) -> Result<(), String>,
) -> (Settings, Vec<FileError>) {
    let mut settings = Settings::default();
    let table = match source.parse() {
        Ok(table) => table,
        Err(error) => return (settings, vec![error]),
    };
    let mut faults = Vec::new();
    for entry in Entry::all(&table, "") {
        match (entry.name, Setting::of(entry.name)) {
            ("keys", _) => match table_of(&entry) {
                Ok(table) => settings.keys = read_keys(table, &mut faults),
                Err(fault) => faults.push(fault),
            },
            ("programs", _) => match table_of(&entry) {
                Ok(table) => settings.programs = programs::read(table, &mut faults),
                Err(fault) => faults.push(fault),
            },
            (_, None) => {
                let why = "there is no such setting; quadrille config lists them all";
                faults.push(entry.unknown(why));
            }
            (_, Some(setting)) => {
                let value = value_of(setting, entry.value.get_ref());
                let value = value.and_then(|value| match &value {
                    SettingValue::Word(theme) if setting == Setting::Theme => {
                        check_theme(theme).map(|()| value)
                    }
                    _ => Ok(value),
                });
                match value {
                    Ok(value) => settings.set(setting, value),
                    Err(why) => faults.push(entry.wrong(why)),
                }
            }
        }
    }
    (settings, source.errors(faults))
}

pub(super) fn table_of<'a>(entry: &Entry<'a>) -> Result<&'a DeTable<'a>, Fault> {
    let why = |is| format!("should be a table, but is {}", with_article(is));
    entry.read(DeValue::as_table, why)
}

fn read_keys(table: &DeTable<'_>, faults: &mut Vec<Fault>) -> Keymap {
    let mut changes = Vec::new();
    let entries = Entry::all(table, "keys.");
    for entry in &entries {
        match (Action::named(entry.name), keys_of(entry.value.get_ref())) {
            (None, _) => faults.push(entry.wrong("there is no such action")),
            (_, Err(why)) => faults.push(entry.wrong(why)),
            (Some(action), Ok(keys)) => changes.push((action, keys)),
        }
    }
    let (keymap, left_out) = Keymap::with(changes);
    for (action, conflict) in left_out {
        let entry = entries.iter().find(|entry| Action::named(entry.name) == Some(action));
        faults.extend(entry.map(|entry| entry.wrong(conflict.to_string())));
    }
    keymap
}

/// The keys in an array of their names. A single key may be a string.
fn keys_of(value: &DeValue<'_>) -> Result<Vec<Key>, String> {
    let read_key = |value: &DeValue<'_>| {
        let is = || with_article(value.type_str());
        let text = value.as_str();
        let text =
            text.ok_or_else(|| format!("a key should be text in quotes, but is {}", is()))?;
        text.parse::<Key>().map_err(|why| format!("{:?}: {why}", cut(text)))
    };
    match value {
        DeValue::Array(keys) => keys.iter().map(|value| read_key(value.get_ref())).collect(),
        value => read_key(value).map(|key| vec![key]),
    }
}

/// The value of a setting, or what is wrong with it.
fn value_of(setting: Setting, value: &DeValue<'_>) -> Result<SettingValue, String> {
    let is = with_article(value.type_str());
    match setting.kind() {
        SettingKind::Theme => match value.as_str() {
            Some(name) => Ok(SettingValue::Word(name.to_owned())),
            None => Err(format!("should be text in quotes, but is {is}")),
        },
        SettingKind::Words(words) => {
            let is = value.as_str().map_or(is, |word| format!("{:?}", cut(word)));
            let known = value.as_str().filter(|word| words.contains(word));
            let [others @ .., last] = words else { return Err(String::new()) };
            known.map(|word| SettingValue::Word(word.to_owned())).ok_or_else(|| {
                format!("should be {} or {last} in quotes, but is {is}", others.join(", "))
            })
        }
        SettingKind::Flag => match value.as_bool() {
            Some(flag) => Ok(SettingValue::Flag(flag)),
            None => Err(format!("should be true or false, but is {is}")),
        },
        SettingKind::Mebibytes(steps) => {
            whole_number(value, steps, "MiB").map(SettingValue::Mebibytes)
        }
        SettingKind::Minutes(steps) => {
            whole_number(value, steps, "minutes").map(SettingValue::Minutes)
        }
        SettingKind::Seconds(steps) => {
            let millis = |millis: u32| Duration::from_millis(millis.into());
            let range = millis(steps[0])..=millis(steps[steps.len() - 1]);
            // Rounded to hundredths of a second.
            let time = number(value)
                .filter(|number| (0.0..=range.end().as_secs_f64()).contains(number))
                .map(|number| Duration::from_millis((number * 100.0).round() as u64 * 10));
            let time = time.filter(|time| range.contains(time));
            let (least, most) = (seconds(*range.start()), seconds(*range.end()));
            time.map(SettingValue::Seconds)
                .ok_or_else(|| format!("should be a number of seconds from {least} to {most}"))
        }
    }
}

/// A whole number between the first and the last of these steps.
fn whole_number(value: &DeValue<'_>, steps: &[u32], unit: &str) -> Result<u32, String> {
    let (least, most) = (steps[0], steps[steps.len() - 1]);
    let number = integer(value).and_then(|number| u32::try_from(number).ok());
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| format!("should be a whole number of {unit} from {least} to {most}"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::settings::Program;

    pub fn read_text(text: &str) -> (Settings, Vec<String>) {
        let check = |name: &str| match name {
            "night" | "paper" => Ok(()),
            _ => Err(format!("no theme {name}")),
        };
        let (settings, problems) = read(Source { file: "c.toml", text }, check);
        (settings, problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_written_setting_is_read_back() {
        let text = "theme = \"paper\"\nbackground = \"light\"\nglyphs = \"narrow\"\nmotion = false\nmouse = false\nbell = true\n\
                    confirm = true\ncoordinates = false\npace = 0.5\nhints = false\nlevel = \"skilled\"\n\
                    time = 10\nponder = false\nprogram-memory = 512\ntable-idle = 45\n[keys]\nundo = [\"U\", \"Ctrl-r\"]\nredo = \"R\"\n[programs.mine]\n\
                    command = \"python3 'my bot.py'\"\n[programs.\"a b\"]\ncommand = \"x\"\ngames = [\"quixo\"]\n";
        let (settings, problems) = read_text(text);
        assert_eq!(problems, [""; 0]);
        let (keys, _) = Keymap::with(vec![
            (Action::Undo, vec!["U".parse().unwrap(), "Ctrl-r".parse().unwrap()]),
            (Action::Redo, vec!["R".parse().unwrap()]),
        ]);
        let expected = Settings {
            theme: "paper".to_owned(),
            background: Some(crate::scene::Background::Light),
            glyphs: super::super::GlyphSet::Narrow,
            motion: false,
            mouse: false,
            bell: true,
            confirm: true,
            coordinates: false,
            pace: Duration::from_millis(500),
            hints: false,
            level: crate::search::Level::Skilled,
            time: Duration::from_secs(10),
            ponder: false,
            program_memory: 512,
            table_idle: 45,
            keys,
            programs: vec![
                Program::new("mine", "python3 'my bot.py'", None).unwrap(),
                Program::new("a b", "x", Some(vec!["quixo"])).unwrap(),
            ],
        };
        assert_eq!(settings, expected);
    }

    #[test]
    fn a_problem_has_line_and_key_and_the_default_is_taken() {
        for (text, told) in [
            ("mouse = 1", "line 1: mouse: should be true or false, but is an integer"),
            ("\ntheme = true", "line 2: theme: should be text in quotes, but is a boolean"),
            ("theme = \"x\"", "line 1: theme: no theme x"),
            (
                "level = \"best\"",
                "line 1: level: should be beginner, casual, skilled, strong or perfect in quotes, but is \"best\"",
            ),
            ("pace = -1", "line 1: pace: should be a number of seconds from 0 to 10"),
            ("pace = nan", "line 1: pace: should be a number of seconds from 0 to 10"),
            ("time = 0.04", "line 1: time: should be a number of seconds from 0.1 to 3600"),
            (
                "time = 99999999999999999999",
                "line 1: time: should be a number of seconds from 0.1 to 3600",
            ),
            (
                "mous = true",
                "line 1: mous: there is no such setting; quadrille config lists them all",
            ),
            (
                "program-memory = 1",
                "line 1: program-memory: should be a whole number of MiB from 64 to 65536",
            ),
            (
                "table-idle = 0",
                "line 1: table-idle: should be a whole number of minutes from 1 to 1440",
            ),
            ("programs = 1", "line 1: programs: should be a table, but is an integer"),
            ("[programs]\nmine = 1", "line 2: programs.mine: should be a table, but is an integer"),
            (
                "[programs.mine]",
                "line 1: programs.mine: needs a command, such as command = \"python3 bot.py\"",
            ),
            (
                "[programs.mine]\ncommand = \"'x\"",
                "line 2: programs.mine.command: is not a command line: it is empty, or a quote is not closed",
            ),
            (
                "[programs.mine]\ncommand = 1",
                "line 2: programs.mine.command: should be text in quotes, but is an integer",
            ),
            (
                "[programs.mine]\ncommand = \"x\"\ngames = [\"chess\"]",
                "line 3: programs.mine.games: \"chess\" is not a game; the games are dots-and-boxes, \
                 join-the-dots, quixo, tic-tac-toe, intersections",
            ),
            (
                "[programs.mine]\ncommand = \"x\"\ngames = \"quixo\"",
                "line 3: programs.mine.games: should be an array of names of games, such as [\"quixo\"]",
            ),
            (
                "[programs.mine]\ncomand = \"x\"",
                "line 2: programs.mine.comand: a program has no such setting; it has only \"command\" and \"games\"",
            ),
            (
                "[programs.\"a,b\"]\ncommand = \"x\"",
                "line 1: programs.a,b: a name must be a line of visible characters without a comma or a colon",
            ),
            ("keys = 1", "line 1: keys: should be a table, but is an integer"),
            ("[keys]\nfly = [\"x\"]", "line 2: keys.fly: there is no such action"),
            (
                "[keys]\nundo = [1]",
                "line 2: keys.undo: a key should be text in quotes, but is an integer",
            ),
            ("[keys]\nundo = [\"r\"]", "line 2: keys.undo: r is already used for \"redo\""),
            ("[keys]\nundo = []", "line 2: keys.undo: an action needs a key"),
            (
                "[keys]\nundo = [\"Esc\"]",
                "line 2: keys.undo: Esc is fixed, so no other action can have it",
            ),
            ("[keys]\nquit = [\"x\"]", "line 2: keys.quit: x must stay free for typing text"),
        ] {
            let (settings, problems) = read_text(text);
            assert_eq!(problems, [format!("c.toml: {told}")], "{text}");
            assert_eq!(settings, Settings::default(), "{text}");
        }
        let (settings, problems) = read_text("[programs.mine]\nplays = 1\ncommand = \"x\"\nby = 2");
        assert_eq!(settings.programs, [Program::new("mine", "x", None).unwrap()]);
        assert_eq!(
            problems,
            [
                "c.toml: line 2: programs.mine.plays: a program has no such setting; it has only \"command\" and \"games\""
            ]
        );
        let (settings, problems) = read_text("bell = true\nmouse = 1\nhints = 2\nconfirm = true");
        assert_eq!(problems.len(), 2);
        assert!(settings.bell && settings.confirm && settings.mouse);
        let (_, problems) = read_text("[keys]\nundo = [\"Esc\"]\nfly = [\"x\"]\nredo = [1]");
        let lines = problems.iter().map(|problem| problem.split(": ").nth(1).unwrap());
        assert_eq!(lines.collect::<Vec<_>>(), ["line 2", "line 3", "line 4"], "{problems:?}");
        let (settings, problems) = read_text("bell = true\nmouse = tr");
        assert!(problems.len() == 1 && problems[0].starts_with("c.toml: line 2: "), "{problems:?}");
        assert_eq!(settings, Settings::default(), "a half written file counts for nothing");
    }

    #[test]
    fn many_problems_cost_no_more_than_so_many_lines() {
        let keys: Vec<String> = (0..300_000).map(|number| format!("k{number} = 1\n")).collect();
        for head in ["", "[keys]\n", "[programs]\n"] {
            let (_, problems) = read_text(&(head.to_owned() + &keys.concat()));
            assert_eq!(problems.len(), 300_000);
            let line = 299_999 + head.lines().count() + 1;
            assert!(problems[299_999].starts_with(&format!("c.toml: line {line}: ")));
        }
    }

    #[test]
    fn what_is_as_long_as_a_book_is_cut_in_its_error() {
        let long = "n".repeat(900_000);
        for text in [
            format!("{long} = 1"),
            format!("{long} ="),
            format!("theme = \"{long}\""),
            format!("level = \"{long}\""),
            format!("[keys]\nundo = \"{long}\""),
            format!("[keys]\n{long} = \"x\""),
            format!("[programs.{long}]"),
            format!("[programs.x]\ncommand = \"x\"\ngames = [\"{long}\"]"),
        ] {
            let (_, problems) = read_text(&text);
            assert!(problems.len() == 1 && problems[0].len() < 600, "{}", problems[0].len());
        }
    }
}
