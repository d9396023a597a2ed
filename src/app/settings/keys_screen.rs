//! The screen for changing keys, with a row for each action.

use super::super::Context;
use super::super::command::{Command, Commands};
use super::super::list::ListState;
use super::super::screen::{About, Effect, Input, Screen};
use crate::action::{Action, Key, LIST, ParseKeyError};
use crate::settings::Settings;
use crate::view::{ColumnKind, ListCell, ListColumn, ListRow, ListView, Phrase, Tone, View};
use crossterm::event::KeyEvent;
use quadrille_text::wording;

const COLUMNS: [ListColumn; 2] =
    [ListColumn::new("", ColumnKind::Action), ListColumn::new("", ColumnKind::Rest)];

#[derive(Default)]
pub(in super::super) struct KeysScreen {
    list: ListState,
    /// Whether to assign the next key pressed to the action under the cursor.
    listens: bool,
    outcome: Option<Result<String, String>>,
}

/// Returns each action with its description. Several actions may share a description.
fn rows() -> impl Iterator<Item = (Action, &'static str)> {
    LIST.iter().flat_map(|listed| listed.actions.iter().map(|action| (*action, listed.sentence)))
}

impl KeysScreen {
    fn action(&self) -> Action {
        rows().nth(self.list.at()).map_or(Action::Help, |(action, _)| action)
    }

    fn sentence(&self) -> String {
        let sentence = rows().nth(self.list.at()).map_or("", |(_, sentence)| sentence);
        wording::sentence(sentence)
    }

    /// Changes the keys of the action under the cursor, and records the outcome.
    fn change(
        &mut self,
        context: &Context,
        change: impl FnOnce(&mut Settings) -> Result<(), String>,
    ) -> Vec<Effect> {
        let mut settings = context.settings.clone();
        let changed = change(&mut settings);
        let action = self.action();
        self.outcome = Some(changed.map(|()| {
            let keys = settings.keys.all_keys(&[action]);
            let is_lost = |(other, _)| other == action;
            let lost = settings.two_key_sets && settings.keys.lost_to_sets().any(is_lost);
            let lost = if lost { ", but not with two key sets" } else { "" };
            format!("{}: {keys}{lost}", action.label())
        }));
        match self.outcome {
            Some(Ok(_)) => vec![Effect::Set(Box::new(settings))],
            _ => Vec::new(),
        }
    }

    /// Assigns this key to the action under the cursor. If the key is taken, the user can press a different key.
    fn listen(&mut self, key: &KeyEvent, context: &Context) -> Vec<Effect> {
        let action = self.action();
        let pressed = Key::of(key);
        let effects = self.change(context, |settings| match pressed {
            Some(key) => settings.keys.change(action, &[key]).map_err(|why| format!("{why:#}")),
            None => Err("terminals cannot distinguish that key from others".to_owned()),
        });
        self.listens = effects.is_empty();
        effects
    }

    fn forget(&mut self) -> Option<Vec<Effect>> {
        self.outcome.take().map(|_| Vec::new())
    }
}

impl Screen for KeysScreen {
    fn commands(&self, _: &Context) -> Commands {
        if self.listens {
            return Commands::default().show(Action::Cancel.hint());
        }
        let commands = Commands::default()
            .show(Action::Choose.to("change"))
            .show(Command::from(Action::Reset.hint()).of_entry());
        ListState::add_to(commands).show(Action::Back.to("done")).show(Action::Leave.to("done"))
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        if let Input::Key(key) = input {
            return if self.listens { Some(self.listen(key, context)) } else { self.forget() };
        }
        // In a line-based front end, the user types the name of the key.
        if let (true, Input::Paste(name)) = (self.listens, &input) {
            let action = self.action();
            let effects = self.change(context, |settings| {
                let key: Key = name.parse().map_err(|why: ParseKeyError| why.to_string())?;
                settings.keys.change(action, &[key]).map_err(|why| format!("{why:#}"))
            });
            self.listens = effects.is_empty();
            return Some(effects);
        }
        if let Input::Action(_) = input {
            self.outcome = None;
        }
        match input {
            Input::Action(Action::Cancel) => self.listens = false,
            Input::Action(Action::Choose) => self.listens = true,
            Input::Action(Action::Reset) => {
                let action = self.action();
                return Some(self.change(context, |settings| {
                    settings.keys.reset(action).map_err(|why| format!("{why:#}"))
                }));
            }
            Input::Action(Action::Back) => return Some(vec![Effect::Pop]),
            Input::Message(line) => self.outcome = Some(Err(line.to_owned())),
            input => return self.list.input(&input, rows().count(), &context.feedback),
        }
        Some(Vec::new())
    }

    fn view<'a>(&'a self, _: bool, context: &'a Context) -> View<'a> {
        let row = |(index, (action, _)): (usize, (Action, _))| {
            let keys = &context.settings.keys;
            let is_changed = keys.keys(action) != action.default_keys();
            let is_asked = index == self.list.at() && self.listens;
            let names = if is_asked { "press a key".to_owned() } else { keys.all_keys(&[action]) };
            let mut cell =
                vec![Phrase::new(names, if is_changed { Tone::Strong } else { Tone::Key })];
            cell.extend(is_changed.then(|| Phrase::dim("  changed")));
            ListRow::from([Phrase::plain(action.label()).into(), ListCell::Texts(cell)])
        };
        let message = match &self.outcome {
            Some(Err(why)) if self.listens => {
                Some(Phrase::wrong(format!("{why}; press another key")))
            }
            Some(Err(why)) => Some(Phrase::wrong(why)),
            Some(Ok(done)) => Some(Phrase::plain(done)),
            None if self.listens => {
                let asked = format!("press the new key for {}", self.action().label());
                Some(Phrase::strong(asked))
            }
            None => None,
        };
        View::List(ListView {
            rows: rows().enumerate().map(row).collect(),
            at: self.list.at(),
            message,
            note: Phrase::dim(self.sentence()),
            ..ListView::new("Keys", &COLUMNS)
        })
    }

    fn about(&self) -> Option<About> {
        let purpose = "Choose an action, then press its new key. It replaces the old keys.";
        let text = "The arrow keys, Enter, Esc and Ctrl-C always work, even beside a new key. A key can have only \
            one action per screen. To give an action several keys, edit the settings file.";
        Some(About::new("Keys", purpose).with_details(text))
    }
}
