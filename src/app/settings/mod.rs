//! The settings screen: a row for each setting, and beside the rows a board that shows the effect of the settings.

mod keys_screen;

pub(super) use keys_screen::KeysScreen;

use super::command::Commands;
use super::destination::Destination;
use super::list::ListState;
use super::screen::{About, Act, Input, Screen};
use super::{Context, text};
use crate::action::{Action, KeyHint};
use crate::board::Viewer;
use crate::settings::{self, Setting, SettingKind, Settings};
use crate::view::{FieldValue, FormField, FormView, Phrase, Preview, Tone, View};
use quadrille_table::catalogue::GAMES;
use quadrille_text::toml_file::Source;
use std::cell::OnceCell;

const VALUE: u16 = 20;

#[derive(Default)]
pub(super) struct SettingsScreen {
    list: ListState,
    /// The reason why the last change could not be saved.
    message: Option<String>,
    sample: OnceCell<Option<Viewer>>,
}

/// The number of rows: one for each setting, and one that opens the screen for changing keys.
const ROWS: usize = Setting::ALL.len() + 1;

/// Returns the setting in a row; `None` for the row that opens the screen for changing keys.
fn row(index: usize) -> Option<Setting> {
    Setting::ALL.get(index).copied()
}

impl SettingsScreen {
    /// Returns the settings with the next or previous value for the row under the cursor; `None` if there is only one
    /// value.
    fn turned(&self, up: bool, context: &Context) -> Option<Settings> {
        let setting = row(self.list.at())?;
        if setting.kind == SettingKind::Theme {
            return context.with_theme(up);
        }
        let now = context.settings.get(setting);
        let next = setting.turn(&now, up);
        let mut settings = context.settings.clone();
        settings.set(setting, &next);
        (next != now).then_some(settings)
    }

    /// Returns the settings after assigning this value to the setting with this key or label.
    fn assigned(name: &str, value: &str, context: &Context) -> Result<Settings, String> {
        let is_named = |setting: &&Setting| setting.label == name || setting.key() == name;
        let setting =
            *Setting::ALL.iter().find(is_named).ok_or_else(|| format!("unknown setting {name}"))?;
        if setting.kind == SettingKind::Theme {
            return Err("themes need the full-screen mode".to_owned());
        }
        let quoted = format!("{value:?}");
        let read = [value, &*quoted].into_iter().find_map(|value| {
            let text = format!("{} = {value}", setting.key());
            let (settings, wrong) = settings::read(Source { file: "", text: &text }, |_| Ok(()));
            wrong.is_empty().then_some(settings)
        });
        let read = read.ok_or_else(|| format!("{name}={value}: must be {}", setting.kind))?;
        let mut settings = context.settings.clone();
        settings.set(setting, &read.get(setting));
        Ok(settings)
    }

    fn field(index: usize, context: &Context) -> FormField<'static> {
        let (name, value, turns) = if let Some(setting) = row(index) {
            let turns = setting.kind != SettingKind::Theme || context.has_themes();
            (setting.label, setting.in_words(&context.settings.get(setting)), turns)
        } else {
            let value = match context.settings.keys.changes().count() {
                0 => "default".to_owned(),
                number => format!("{number} changed"),
            };
            ("keys", value, false)
        };
        let group = |index| row(index).map(|setting| setting.group);
        FormField {
            name: name.to_owned(),
            value: FieldValue::Text(value, Tone::Strong),
            kind: Phrase::default(),
            turns,
            click: Some(Action::Choose),
            begins_group: index > 0 && group(index - 1) != group(index),
        }
    }

    /// Describes the setting under the cursor, and says where it is saved.
    fn help(&self, context: &Context) -> Vec<Phrase> {
        let about = row(self.list.at()).map_or("Change the keys.", |setting| setting.help);
        let is_of_keys = row(self.list.at()).is_none_or(|setting| setting.key() == "two-key-sets");
        let lost = || context.settings.keys.lost_in_words();
        let lost = (is_of_keys && context.settings.two_key_sets).then(lost).flatten();
        let note = match self.message.as_ref().or(lost.as_ref()) {
            Some(message) => Phrase::wrong(message),
            None => Phrase::dim(&context.settings_note),
        };
        vec![Phrase::dim(about), note]
    }

    fn preview(&self, context: &Context) -> Preview<'_> {
        let sample = self.sample.get_or_init(|| {
            let mut sample = Viewer::sample(&GAMES[0])?;
            sample.board.show_coordinates(context.settings.coordinates);
            Some(sample)
        });
        let board = sample.as_ref().map(|sample| &*sample.board);
        Preview { board, is_picture: false, words: Vec::new(), rows: [5; 2], has_inks: true }
    }
}

impl Screen for SettingsScreen {
    fn commands(&self, _: &Context) -> Commands {
        let turn = KeyHint::new(&[Action::PreviousValue, Action::NextValue], "change");
        let commands = match row(self.list.at()) {
            Some(_) => Commands::default().show(turn).hide(&[Action::Choose]),
            None => Commands::default().show(Action::Choose.to("open")),
        };
        ListState::add_to(commands).show(Action::Back.to("done")).show(Action::Leave.to("done"))
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Act>> {
        if let Input::Action(_) | Input::Assign(..) = input {
            self.message = None;
        }
        let up = match input {
            Input::Action(Action::Back) => return Some(vec![Act::Pop]),
            Input::Action(Action::Choose) if row(self.list.at()).is_none() => {
                return Some(vec![Act::Open(Destination::Keys)]);
            }
            Input::Action(Action::NextValue | Action::Choose) => true,
            Input::Action(Action::PreviousValue) => false,
            Input::Settings => {
                if let Some(Some(sample)) = self.sample.get_mut() {
                    sample.board.show_coordinates(context.settings.coordinates);
                }
                return None;
            }
            Input::Assign(name, value) => {
                return Some(match Self::assigned(name, value, context) {
                    Ok(settings) => vec![Act::Set(Box::new(settings))],
                    Err(why) => {
                        self.message = Some(why);
                        Vec::new()
                    }
                });
            }
            Input::Message(line) => {
                self.message = Some(line.to_owned());
                return Some(Vec::new());
            }
            input => return self.list.input(&input, ROWS, &context.sight),
        };
        Some(vec![Act::Set(Box::new(self.turned(up, context)?))])
    }

    fn view<'a>(&'a self, _: bool, context: &'a Context) -> View<'a> {
        View::Form(FormView {
            title: "Settings",
            beside_title: "",
            rows: (0..ROWS).map(|index| Self::field(index, context)).collect(),
            at: self.list.at(),
            names: [VALUE; 2],
            help: self.help(context),
            help_rows: 4,
            preview: Some(self.preview(context)),
        })
    }

    fn about(&self) -> Option<About> {
        let rows = Setting::ALL.iter();
        let rows = rows.map(|row| format!("{}{}: {}\n", text::ITEM, row.label, row.help));
        let text = rows.collect::<String>()
            + "\n`quadrille config` prints all settings and the path of their file.";
        Some(About::new("Settings", "Changes apply immediately and are saved.").with_details(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_scene::Skin;

    /// Returns all values that the left and right keys reach from the default.
    fn values(setting: Setting) -> Vec<String> {
        let mut value = Settings::default().get(setting);
        let mut values = Vec::new();
        for up in [true, false] {
            while !values.contains(&value) {
                values.push(value.clone());
                value = setting.turn(&value, up);
            }
            value = setting.turn(&values[0], !up);
        }
        values
    }

    #[test]
    fn setting_names_and_values_fit_a_small_screen() {
        // On a screen of 40 columns the form has 36. A row ends with an arrow and two empty columns.
        let room = usize::from(36 - VALUE - 3);
        for setting in Setting::ALL.iter().copied() {
            assert!(text::width(setting.label) <= usize::from(VALUE) - 4, "{setting:?}");
            // On a screen of 80 x 24, this text has two rows of 40 columns.
            let about = text::wrap(setting.help, 40, usize::MAX, Skin::default());
            assert!(about.len() <= 2, "{about:?}");
            for value in values(setting) {
                let words = setting.in_words(&value);
                assert!(text::width(&words) <= room, "{setting:?}: {words}");
            }
        }
    }
}
