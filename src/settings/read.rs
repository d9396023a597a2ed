//! Reads the settings file.
//!
//! ```toml
//! theme = "paper"
//! mouse = false
//!
//! [keys]
//! undo = ["U", "Backspace"]
//! ```

use super::{Setting, Settings, programs};
use crate::action::{Action, Key, Keymap, ParseKeyError};
use crate::field::Domain;
use quadrille_system::processes;
use quadrille_text::toml_file::{Entry, Fault, FileError, Source, number};
use quadrille_text::wording::cut;
use toml::de::{DeTable, DeValue};

/// Reads settings. An invalid setting keeps its default. `check_theme` returns the reason if a theme does not exist or
/// cannot be read. The errors are in file order. Settings can still be saved to the file if all its errors are
/// harmless.
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
            ("keys", _) => match entry.table() {
                Ok(table) => settings.keys = read_keys(table, &mut faults),
                Err(fault) => faults.push(fault),
            },
            ("programs", _) => match entry.table() {
                Ok(table) => settings.programs = programs::read(table, &mut faults),
                Err(fault) => faults.push(fault),
            },
            (_, None) => {
                let why = "unknown setting; quadrille config lists all settings";
                faults.push(entry.unknown(why));
            }
            (_, Some(setting)) => match value_of(setting, &entry, &check_theme) {
                Ok(value) => settings.set(setting, &value),
                Err(fault) => faults.push(fault),
            },
        }
    }
    if settings.two_key_sets {
        faults.extend(overridden_keys(&table, &settings));
    }
    if settings.program_memory != Settings::default().program_memory {
        faults.extend(vain_memory_limit(&table, processes::HAS_MEMORY_LIMIT));
    }
    (settings, source.errors(faults))
}

/// Returns a fault for a memory limit that this system would not obey.
fn vain_memory_limit(table: &DeTable<'_>, has_limit: bool) -> Option<Fault> {
    let entries = Entry::all(table, "");
    let entry = entries.iter().find(|entry| entry.name == "program-memory" && !has_limit)?;
    Some(Fault { is_harmless: true, ..entry.wrong("this system does not limit memory") })
}

/// Returns a fault for each of the user's keys that has no effect while two people share the keyboard.
fn overridden_keys(table: &DeTable<'_>, settings: &Settings) -> Vec<Fault> {
    let keys = Entry::all(table, "").into_iter().find(|entry| entry.name == "keys");
    let keys = keys.and_then(|entry| Some(Entry::all(entry.table().ok()?, "keys.")));
    let entries = keys.unwrap_or_default();
    let fault = |(action, key): (Action, Key)| {
        let entry = entries.iter().find(|entry| Action::named(entry.name) == Some(action))?;
        let why = format!("{key} has no effect in a match with two-key-sets");
        Some(Fault { is_harmless: true, ..entry.wrong(why) })
    };
    settings.keys.lost_to_sets().filter_map(fault).collect()
}

fn read_keys(table: &DeTable<'_>, faults: &mut Vec<Fault>) -> Keymap {
    let mut changes = Vec::new();
    let entries = Entry::all(table, "keys.");
    for entry in &entries {
        match (Action::named(entry.name), keys_of(entry)) {
            (None, _) => faults.push(entry.wrong("unknown action")),
            (_, Err(fault)) => faults.push(fault),
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

/// Reads an array of key names. A single key may be a string.
fn keys_of(entry: &Entry<'_>) -> Result<Vec<Key>, Fault> {
    let names = entry.read("keys in quotes, such as [\"u\", \"F2\"]", |value| match value {
        DeValue::Array(names) => names.iter().map(|name| name.get_ref().as_str()).collect(),
        value => Some(vec![value.as_str()?]),
    })?;
    let key = |name: &str| {
        name.parse().map_err(|why: ParseKeyError| entry.wrong(format!("{:?}: {why}", cut(name))))
    };
    names.into_iter().map(key).collect()
}

fn value_of(
    setting: Setting,
    entry: &Entry<'_>,
    check_theme: &impl Fn(&str) -> Result<(), String>,
) -> Result<String, Fault> {
    let domain = &setting.domain();
    let value = entry.read(&domain.in_file(), |value| match domain {
        Domain::Numbers(ranges) => ranges.first()?.fit(number(value)?).map(|it| it.to_string()),
        domain if domain.is_flag() => value.as_bool().map(|on| on.to_string()),
        Domain::Choice(choices) => {
            let is_choice = |word: &&str| choices.iter().any(|choice| choice.value == *word);
            let word = match value.as_bool() {
                // Earlier builds wrote a flag where the words now include `never`.
                Some(true) if is_choice(&"never") => "auto",
                Some(false) => "never",
                _ => value.as_str()?,
            };
            Some(word).filter(is_choice).map(str::to_owned)
        }
        _ => value.as_str().map(str::to_owned),
    })?;
    let checked = match domain {
        Domain::Text(_) if setting.key() == "theme" => check_theme(&value),
        Domain::Text(text) => (text.check)(&value),
        _ => Ok(()),
    };
    checked.map(|()| value).map_err(|why| entry.wrong(why))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::settings::{MotionChoice, Program, Seconds};
    use std::time::Duration;

    pub fn read_text(text: &str) -> (Settings, Vec<String>) {
        let check = |name: &str| match name {
            "night" | "paper" => Ok(()),
            _ => Err(format!("unknown theme {name}")),
        };
        let (settings, problems) = read(Source { file: "c.toml", text }, check);
        (settings, problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn config_text_sets_every_setting() {
        let text = "theme = \"paper\"\nbackground = \"light\"\nglyphs = \"narrow\"\nmotion = \"never\"\ngraphics = \"sixel\"\nmouse = false\nname = \"Zoe\"\nbell = true\n\
                    confirm = true\ntwo-key-sets = true\ncoordinates = false\nestimates = true\npace = 0.5\nhints = false\nlevel = \"skilled\"\n\
                    time = 10\nponder = false\nprogram-memory = 512\ntable-idle = 45\n[keys]\nundo = [\"U\", \"Ctrl-r\"]\nredo = \"R\"\n[programs.mine]\n\
                    command = \"python3 'my bot.py'\"\n[programs.\"a b\"]\ncommand = \"x\"\ngames = [\"quixo\"]\n";
        let (settings, problems) = read_text(text);
        let vain = "c.toml: line 18: program-memory: this system does not limit memory";
        assert_eq!(problems, [vain][usize::from(processes::HAS_MEMORY_LIMIT)..]);
        let (keys, _) = Keymap::with(vec![
            (Action::Undo, vec!["U".parse().unwrap(), "Ctrl-r".parse().unwrap()]),
            (Action::Redo, vec!["R".parse().unwrap()]),
        ]);
        let expected = Settings {
            theme: "paper".to_owned(),
            background: crate::settings::BackgroundChoice::Light,
            glyphs: super::super::GlyphSet::Narrow,
            motion: MotionChoice::Never,
            graphics: crate::settings::Graphics::Sixel,
            mouse: false,
            name: "Zoe".to_owned(),
            bell: true,
            confirm: true,
            two_key_sets: true,
            coordinates: false,
            estimates: true,
            pace: Seconds(Duration::from_millis(500)),
            hints: false,
            level: quadrille_search::Level::Skilled,
            time: Seconds(Duration::from_secs(10)),
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
    fn flag_for_motion_of_earlier_builds_is_read() {
        for (text, motion) in [
            ("motion = true", MotionChoice::Auto),
            ("motion = false", MotionChoice::Never),
            ("motion = \"auto\"", MotionChoice::Auto),
            ("motion = \"always\"", MotionChoice::Always),
            ("motion = \"never\"", MotionChoice::Never),
        ] {
            assert_eq!(read_text(text), (Settings { motion, ..Settings::default() }, Vec::new()));
        }
    }

    #[test]
    fn config_problem_names_line_and_key_and_keeps_the_default() {
        for (text, told) in [
            ("mouse = 1", "line 1: mouse: must be true or false, not 1"),
            ("motion = 1", "line 1: motion: must be auto, always or never, not 1"),
            ("glyphs = true", "line 1: glyphs: must be auto, full, narrow or ascii, not a boolean"),
            (
                "background = false",
                "line 1: background: must be auto, dark or light, not a boolean",
            ),
            ("\ntheme = true", "line 2: theme: must be the name of a theme, not a boolean"),
            ("theme = \"x\"", "line 1: theme: unknown theme x"),
            (
                "name = \"cmd:bot\"",
                "line 1: name: a command is not a name; use --seat or config.toml",
            ),
            (
                "level = \"best\"",
                "line 1: level: must be beginner, casual, skilled, strong or perfect, not \"best\"",
            ),
            ("pace = -1", "line 1: pace: must be a number of seconds from 0 to 10, not -1"),
            ("pace = nan", "line 1: pace: must be a number of seconds from 0 to 10, not nan"),
            ("time = 0.04", "line 1: time: must be a number of seconds from 0.1 to 3600, not 0.04"),
            (
                "time = 99999999999999999999",
                "line 1: time: must be a number of seconds from 0.1 to 3600, not 99999999999999999999",
            ),
            ("mous = true", "line 1: mous: unknown setting; quadrille config lists all settings"),
            (
                "program-memory = 1",
                "line 1: program-memory: must be a whole number of MiB from 64 to 65536, not 1",
            ),
            (
                "table-idle = 0",
                "line 1: table-idle: must be a whole number of minutes from 1 to 1440, not 0",
            ),
            ("programs = 1", "line 1: programs: must be a table, not 1"),
            ("[programs]\nmine = 1", "line 2: programs.mine: must be a table, not 1"),
            (
                "[programs.mine]",
                "line 1: programs.mine: needs a command, such as command = \"python3 bot.py\"",
            ),
            (
                "[programs.mine]\ncommand = \"'x\"",
                "line 2: programs.mine.command: is not a valid command line: it is empty or has an unclosed quote",
            ),
            (
                "[programs.mine]\ncommand = 1",
                "line 2: programs.mine.command: must be text in quotes, not 1",
            ),
            (
                "[programs.mine]\ncommand = \"x\"\ngames = [\"chess\"]",
                "line 3: programs.mine.games: must be one of dots-and-boxes, join-the-dots, quixo, \
                 tic-tac-toe, intersections, not \"chess\"",
            ),
            (
                "[programs.mine]\ncommand = \"x\"\ngames = \"quixo\"",
                "line 3: programs.mine.games: must be an array of game names, such as [\"quixo\"]",
            ),
            (
                "[programs.mine]\ncomand = \"x\"",
                "line 2: programs.mine.comand: unknown key; the keys here are command, games",
            ),
            (
                "[programs.\"a,b\"]\ncommand = \"x\"",
                "line 1: programs.a,b: a name must be a line of visible characters without a comma or a colon",
            ),
            ("keys = 1", "line 1: keys: must be a table, not 1"),
            ("[keys]\nfly = [\"x\"]", "line 2: keys.fly: unknown action"),
            (
                "[keys]\nundo = [1]",
                "line 2: keys.undo: must be keys in quotes, such as [\"u\", \"F2\"], not an array",
            ),
            ("[keys]\nundo = [\"r\"]", "line 2: keys.undo: r is already used for \"redo\""),
            ("[keys]\nundo = []", "line 2: keys.undo: an action needs a key"),
            ("[keys]\nundo = [\"Esc\"]", "line 2: keys.undo: Esc cannot be reassigned"),
            ("[keys]\nquit = [\"x\"]", "line 2: keys.quit: x is reserved for typing text"),
        ] {
            let (settings, problems) = read_text(text);
            assert_eq!(problems, [format!("c.toml: {told}")], "{text}");
            assert_eq!(settings, Settings::default(), "{text}");
        }
        let (settings, problems) = read_text("[programs.mine]\nplays = 1\ncommand = \"x\"\nby = 2");
        assert_eq!(settings.programs, [Program::new("mine", "x", None).unwrap()]);
        assert_eq!(
            problems,
            ["c.toml: line 2: programs.mine.plays: unknown key; the keys here are command, games"]
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
    fn keys_that_two_key_sets_override_are_harmless_problems() {
        let keys = "[keys]\nundo = [\"w\", \"z\"]\nredo = \"y\"\nchoose = [\"x\"]";
        let (settings, problems) = read_text(&format!("two-key-sets = true\n{keys}"));
        assert_eq!(
            problems,
            [
                "c.toml: line 3: keys.undo: w has no effect in a match with two-key-sets",
                "c.toml: line 5: keys.choose: x has no effect in a match with two-key-sets",
            ]
        );
        assert_eq!(settings.keys.all_keys(&[Action::Undo]), "w, z");
        assert_eq!(read_text(keys).1, [""; 0]);
    }

    #[test]
    fn many_config_problems_take_linear_time() {
        let keys: Vec<String> = (0..300_000).map(|number| format!("k{number} = 1\n")).collect();
        for head in ["", "[keys]\n", "[programs]\n"] {
            let (_, problems) = read_text(&(head.to_owned() + &keys.concat()));
            assert_eq!(problems.len(), 300_000);
            let line = 299_999 + head.lines().count() + 1;
            assert!(problems[299_999].starts_with(&format!("c.toml: line {line}: ")));
        }
    }

    #[test]
    fn config_error_truncates_long_text() {
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

    #[test]
    fn memory_limit_is_refused_where_it_has_no_effect() {
        let source = Source { file: "c.toml", text: "theme = \"night\"\nprogram-memory = 512\n" };
        let table = source.parse().unwrap();
        assert!(vain_memory_limit(&table, true).is_none());
        let fault = vain_memory_limit(&table, false).unwrap();
        assert!(fault.is_harmless);
        let said: Vec<String> =
            source.errors(vec![fault]).iter().map(ToString::to_string).collect();
        assert_eq!(said, ["c.toml: line 2: program-memory: this system does not limit memory"]);
    }
}
