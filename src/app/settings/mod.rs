//! The settings screen: a row for each setting, and beside the rows a board that shows the effect of the settings.

mod keys_screen;

pub(super) use keys_screen::KeysScreen;

use super::board_input::lettering;
use super::command::Commands;
use super::destination::Destination;
use super::list::ListState;
use super::screen::{About, Effect, Input, Screen};
use super::text_field::TextField;
use super::{Context, text};
use crate::action::{Action, KeyHint};
use crate::board::{Details, Viewer};
use crate::field::{Domain, Field};
use crate::settings::Setting;
use crate::view::{FieldValue, FormField, FormView, Phrase, Preview, PreviewNote, View};
use quadrille_scene::Scene;
use quadrille_table::catalogue::GAMES;
use std::cell::OnceCell;
use std::rc::Rc;

const CHANGE_KEYS: &str = "Change the keys.";

#[derive(Default)]
pub(super) struct SettingsScreen {
    list: ListState,
    /// The open text field for the setting under the cursor.
    typing: Option<TextField>,
    /// The reason why the last change was refused or could not be saved.
    message: Option<String>,
    sample: OnceCell<Option<Rc<Scene>>>,
}

/// Returns the setting in a row; `None` for the last row, which opens the screen for changing keys.
fn row(index: usize) -> Option<Setting> {
    Setting::ALL.get(index).copied()
}

impl SettingsScreen {
    /// Describes the setting under the cursor, and says where it is saved.
    fn help(&self, context: &Context) -> Vec<Phrase> {
        let about = row(self.list.at()).map_or(CHANGE_KEYS, |setting| setting.help);
        let is_of_keys = row(self.list.at()).is_none_or(|setting| setting.key() == "two-key-sets");
        let lost = || context.settings.keys.lost_in_words();
        let lost = (is_of_keys && context.settings.two_key_sets).then(lost).flatten();
        let note = match self.message.as_ref().or(lost.as_ref()) {
            Some(message) => Phrase::wrong(message),
            None => Phrase::dim(&context.settings_note),
        };
        vec![Phrase::dim(about), note]
    }

    fn preview(&self, context: &Context) -> Preview {
        let sample = || Some(Rc::new(Viewer::sample(&GAMES[0])?.board.scene(Details::default())));
        Preview {
            board: self.sample.get_or_init(sample).clone(),
            lettering: lettering(&context.settings),
            below: PreviewNote::Inks,
        }
    }
}

impl SettingsScreen {
    /// Sets the setting under the cursor to the typed text, or says why not and keeps the text for correction.
    fn finish_typing(&mut self, context: &Context) -> Option<Vec<Effect>> {
        let (setting, field) = (row(self.list.at())?, self.typing.take()?);
        match context.field(setting).read(field.text()) {
            Ok(value) => {
                let settings = context.settings.with(setting, &value);
                Some(vec![Effect::Set(Box::new(settings))])
            }
            Err(why) => {
                (self.message, self.typing) = (Some(why), Some(field));
                Some(Vec::new())
            }
        }
    }
}

impl Screen for SettingsScreen {
    fn commands(&self, context: &Context) -> Commands {
        if self.typing.is_some() {
            return Commands::default().show(Action::Confirm.hint()).show(Action::Cancel.hint());
        }
        let turn = KeyHint::new(&[Action::PreviousValue, Action::NextValue], "change");
        let commands = match row(self.list.at()) {
            Some(setting) if context.field(setting).is_edited() => {
                Commands::default().show(Action::Choose.to("edit"))
            }
            Some(_) => Commands::default().show(turn).hide(&[Action::Choose]),
            None => Commands::default().show(Action::Choose.to("open")),
        };
        ListState::add_to(commands).show(Action::Back.to("done")).show(Action::Leave.to("done"))
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        if let Input::Action(_) | Input::Set(..) = input {
            self.message = None;
        }
        let edited = row(self.list.at()).filter(|row| context.field(*row).is_edited());
        let up = match input {
            Input::Action(Action::Confirm) => return self.finish_typing(context),
            Input::Action(Action::Cancel) => {
                self.typing = None;
                return Some(Vec::new());
            }
            Input::Key(key) if self.typing.is_some() => {
                return self.typing.as_mut()?.key(key).then(Vec::new);
            }
            Input::Paste(text) => {
                return self.typing.as_mut().map(|field| field.paste(text)).map(|_| Vec::new());
            }
            Input::Action(Action::Choose) if edited.is_some() => {
                self.typing = edited.map(|setting| TextField::new(&context.settings.get(setting)));
                return Some(Vec::new());
            }
            Input::Action(Action::Back) => return Some(vec![Effect::Pop]),
            Input::Action(Action::Choose) if row(self.list.at()).is_none() => {
                return Some(vec![Effect::Open(Destination::Keys)]);
            }
            Input::Action(Action::NextValue | Action::Choose) => true,
            Input::Action(Action::PreviousValue) => false,
            Input::Settings => return None,
            Input::Set(index, value) => {
                let settings = context.settings.with(row(index)?, value);
                return Some(vec![Effect::Set(Box::new(settings))]);
            }
            Input::Message(line) => {
                self.message = Some(line.to_owned());
                return Some(Vec::new());
            }
            input => return self.list.input(&input, Setting::ALL.len() + 1, &context.feedback),
        };
        let settings = context.stepped_settings(row(self.list.at())?, up)?;
        Some(vec![Effect::Set(Box::new(settings))])
    }

    fn fields(&self, context: &Context) -> Vec<Field> {
        let keys = match context.settings.keys.changes().count() {
            0 => "default".to_owned(),
            number => format!("{number} changed"),
        };
        let keys = Field::new("keys", keys, Domain::Link).with_help(CHANGE_KEYS);
        let settings = Setting::ALL.iter().map(|setting| context.field(*setting));
        settings.chain([keys]).collect()
    }

    fn view<'a>(&'a self, _: bool, context: &'a Context) -> View<'a> {
        let group = |index| row(index).map(|setting| setting.group);
        let show = |(index, field): (usize, Field)| {
            let typing = self.typing.as_ref().filter(|_| index == self.list.at());
            let begins_group = index > 0 && group(index - 1) != group(index);
            let row = FormField { begins_group, ..FormField::of(field) };
            match typing {
                Some(field) => FormField { value: FieldValue::Typed(field.typed()), ..row },
                None => row,
            }
        };
        View::Form(FormView {
            title: "Settings",
            beside_title: "",
            rows: (0..).zip(self.fields(context)).map(show).collect(),
            at: self.list.at(),
            help: self.help(context),
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
    use crate::settings::Settings;
    use quadrille_scene::Skin;

    /// Returns all values that the left and right keys reach from the default.
    fn values(setting: Setting) -> Vec<String> {
        let (value, domain) = (Settings::default().get(setting), setting.domain());
        let mut values = vec![value.clone()];
        for up in [true, false] {
            let mut next = domain.stepped(&value, up);
            while let Some(value) = next.filter(|value| !values.contains(value)) {
                next = domain.stepped(&value, up);
                values.push(value);
            }
        }
        values
    }

    #[test]
    fn setting_names_and_values_fit_a_small_screen() {
        // On a screen of 40 columns the form has 36. A name has four more columns, and a row ends with an arrow and two
        // empty columns.
        let longest = Setting::ALL.iter().map(|setting| text::width(setting.label)).max();
        let room = 36 - 4 - longest.unwrap() - 3;
        for setting in Setting::ALL.iter().copied() {
            // On a screen of 80 x 24, this text has two rows of 40 columns.
            let about = text::wrap(setting.help, 40, usize::MAX, Skin::default());
            assert!(about.len() <= 2, "{about:?}");
            for value in values(setting) {
                let words = setting.domain().show(&value);
                assert!(text::width(&words) <= room, "{setting:?}: {words}");
            }
        }
    }

    #[test]
    fn every_shown_value_can_be_typed() {
        for setting in Setting::ALL.iter().copied() {
            for value in values(setting) {
                let field = setting.field(&Settings::default().with(setting, &value));
                assert_eq!(field.read(&field.shown), Ok(value.clone()), "{setting:?}");
                let other = setting.field(&Settings::default());
                assert_eq!(other.read(&field.shown), Ok(value), "{setting:?}");
            }
        }
    }
}
