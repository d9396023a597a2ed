//! Writes settings: edits the text of a settings file, and lists all settings.

use super::{Setting, Settings};
use crate::action::{Action, Key, LIST};
use crate::field::Domain;
use std::fmt::Write;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

/// Returns the text of a file with only those settings changed that differ between `before` and `after`. Comments,
/// order and unknown settings stay unchanged.
pub fn change(
    text: &str,
    before: &Settings,
    after: &Settings,
) -> Result<String, toml_edit::TomlError> {
    let mut file: DocumentMut = text.parse()?;
    for setting in Setting::ALL {
        if after.get(*setting) != before.get(*setting) {
            set(file.as_table_mut(), &setting.key(), toml_value(*setting, after));
        }
    }
    let has_changed = |action: &Action| before.keys.keys(*action) != after.keys.keys(*action);
    let changed: Vec<Action> = Action::ALL.iter().copied().filter(has_changed).collect();
    if !changed.is_empty() {
        let keys = file.entry("keys").or_insert_with(|| Item::Table(Table::new()));
        for action in changed {
            let (Some(table), name) = (keys.as_table_like_mut(), action.name()) else { break };
            if after.keys.keys(action) == action.default_keys() {
                table.remove(&name);
            } else {
                set(table, &name, names(after.keys.keys(action)).into());
            }
        }
    }
    Ok(file.to_string())
}

fn names(keys: &[Key]) -> Array {
    keys.iter().map(Key::to_string).collect()
}

/// Sets a key. Keeps the comment after the old value.
fn set(table: &mut dyn TableLike, key: &str, mut new: Value) {
    if let Some(value) = table.get_mut(key).and_then(Item::as_value_mut) {
        *new.decor_mut() = value.decor().clone();
        *value = new;
    } else {
        table.insert(key, Item::Value(new));
    }
}

fn toml_value(setting: Setting, settings: &Settings) -> Value {
    let value = settings.get(setting);
    match setting.domain() {
        // Flags and numbers are already valid TOML.
        domain if domain.is_flag() || matches!(domain, Domain::Numbers(_)) => {
            value.parse().unwrap_or_else(|_| value.into())
        }
        _ => value.into(),
    }
}

/// Lists all settings and their effects in the format of a settings file.
pub fn listing(settings: &Settings) -> String {
    let mut text = String::new();
    for setting in Setting::ALL {
        let value = toml_value(*setting, settings);
        let _ = writeln!(text, "# {}\n# Values: {}", setting.help, setting.domain().in_file());
        let _ = writeln!(text, "{} = {value}\n", setting.key());
    }
    let _ = writeln!(text, "[keys]");
    for listed in LIST {
        let _ = writeln!(text, "# {}", listed.sentence);
        for action in listed.actions {
            let keys = settings.keys.keys(*action);
            let mark = if keys == action.default_keys() { "# " } else { "" };
            let _ = writeln!(text, "{mark}{} = {}", action.name(), names(keys));
        }
    }
    let _ = write!(
        text,
        "\n# Programs that can play, as [programs.NAME] with a command and, if not all, games.\n"
    );
    for program in &settings.programs {
        let _ = write!(text, "\n{}", program.listing());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::read::tests::read_text;
    use super::*;
    use crate::settings::{Program, Seconds};
    use std::time::Duration;

    #[test]
    fn change_keeps_the_rest_of_the_file() {
        let text = "# mine\nmouse = false # as I like it\n\nother = [1,\n  2]\n\n[keys] # keys\nundo = [\"U\"] # u\n\
                    [x]\ny = 1\n";
        let (before, _) = read_text(text);
        let mut after = before.clone();
        after.mouse = true;
        after.theme = "paper".to_owned();
        after.pace = Seconds(Duration::from_secs(1));
        after.time = Seconds(Duration::from_millis(2500));
        after.keys.change(Action::Undo, &["z".parse().unwrap()]).unwrap();
        after.keys.change(Action::Redo, &["Z".parse().unwrap()]).unwrap();
        let changed = change(text, &before, &after).unwrap();
        assert_eq!(
            changed,
            "# mine\nmouse = true # as I like it\n\nother = [1,\n  2]\ntheme = \"paper\"\npace = 1\ntime = 2.5\n\n\
             [keys] # keys\nundo = [\"z\"] # u\nredo = [\"Z\"]\n[x]\ny = 1\n"
        );
        assert_eq!(read_text(&changed).0, after);
        let mut back = after.clone();
        back.keys.reset(Action::Undo).unwrap();
        let changed = change(&changed, &after, &back).unwrap();
        assert!(!changed.contains("undo") && changed.contains("redo"), "{changed}");
        assert_eq!(change("", &before, &before).unwrap(), "");
        assert_eq!(change("", &before, &after).unwrap().lines().next(), Some("theme = \"paper\""));
    }

    #[test]
    fn settings_listing_reads_back_as_config() {
        let programs = vec![
            Program::new("mine", "x", None).unwrap(),
            Program::new("a \"b\"", "y '\\n'", Some(vec!["quixo", "tic-tac-toe"])).unwrap(),
            Program::new("\u{202e}é", "z \u{1b}[1m \"\\\\\" \u{e0041}", None).unwrap(),
        ];
        let mut settings =
            Settings { bell: true, pace: Seconds(Duration::ZERO), programs, ..Settings::default() };
        settings.keys.change(Action::Undo, &["z".parse().unwrap()]).unwrap();
        let listed = listing(&settings);
        assert!(
            listed.lines().all(|line| quadrille_text::printable::printable(line) == line),
            "{listed}"
        );
        assert_eq!(read_text(&listed), (settings.clone(), Vec::new()));
        let mut all = String::new();
        for line in listed.lines() {
            let key = line.strip_prefix("# ").filter(|line| line.contains(" = ["));
            all += key.unwrap_or(line);
            all.push('\n');
        }
        assert_eq!(
            read_text(&all),
            (settings, Vec::new()),
            "the keys in comments are those there are"
        );
    }
}
