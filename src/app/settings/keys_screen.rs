//! The screen where keys are changed: a row for each action.

use super::super::list::{self, ListState};
use super::super::screen::{About, Act, Screen};
use super::super::{Context, scroll, table, text};
use crate::action::{Action, Key, KeyHint, LIST};
use crate::scene::Role;
use crate::settings::Settings;
use crate::wording;
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// The columns of the screen at most, and those of the name of an action.
const WIDEST: u16 = 60;
const NAME: u16 = 20;

/// A list of actions and their keys.
#[derive(Default)]
pub(in super::super) struct KeysScreen {
    list: ListState,
    /// Whether the next key becomes the key of the action under the cursor.
    listens: bool,
    /// What the last change has done, or why it cannot be made.
    outcome: Option<Result<String, String>>,
}

/// Each action with the sentence about it, which it may share with others.
fn rows() -> impl Iterator<Item = (Action, &'static str)> {
    LIST.iter().flat_map(|listed| listed.actions.iter().map(|action| (*action, listed.sentence)))
}

impl KeysScreen {
    fn action(&self) -> Action {
        rows().nth(self.list.at()).map_or(Action::Help, |(action, _)| action)
    }

    /// What the action under the cursor does.
    fn sentence(&self) -> String {
        let sentence = rows().nth(self.list.at()).map_or("", |(_, sentence)| sentence);
        wording::sentence(sentence)
    }

    /// Changes the keys of the action under the cursor, and notes the outcome.
    fn change(
        &mut self,
        context: &Context,
        change: impl FnOnce(&mut Settings) -> Result<(), String>,
    ) -> Vec<Act> {
        let mut settings = context.settings.clone();
        let changed = change(&mut settings);
        let action = self.action();
        self.outcome = Some(changed.map(|()| {
            let keys = settings.keys.all_keys(&[action]);
            format!("{}: {keys}", action.label())
        }));
        match self.outcome {
            Some(Ok(_)) => vec![Act::Set(Box::new(settings))],
            _ => Vec::new(),
        }
    }
}

impl Screen for KeysScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        if self.listens {
            return vec![Action::Cancel];
        }
        [ListState::ACTIONS, &[Action::Choose, Action::Reset, Action::Back]].concat()
    }

    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Act>> {
        self.outcome = None;
        match action {
            Action::Cancel => self.listens = false,
            Action::Choose => self.listens = true,
            Action::Reset => {
                let action = self.action();
                return Some(self.change(context, |settings| {
                    settings.keys.reset(action).map_err(|why| format!("{why:#}"))
                }));
            }
            Action::Back => return Some(vec![Act::Pop]),
            action => self.list.walk(action, rows().count())?,
        }
        Some(Vec::new())
    }

    fn other_key(&mut self, key: &KeyEvent, context: &Context) -> Option<Vec<Act>> {
        if !self.listens {
            return self.outcome.take().map(|_| Vec::new());
        }
        let action = self.action();
        let pressed = Key::of(key);
        let acts = self.change(context, |settings| match pressed {
            Some(key) => settings.keys.change(action, &[key]).map_err(|why| format!("{why:#}")),
            None => Err("terminals do not tell that key from others".to_owned()),
        });
        // After a key that is taken, another can be pressed.
        self.listens = acts.is_empty();
        Some(acts)
    }

    fn list_mut(&mut self) -> Option<(&mut ListState, usize)> {
        Some((&mut self.list, rows().count()))
    }

    fn show_message(&mut self, line: &str) -> bool {
        self.outcome = Some(Err(line.to_owned()));
        true
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let block = table::block(area, WIDEST);
        let room = usize::from(block.width);
        text::put((block.x, block.y), "Keys", room, skin.strong(), skin, buffer);
        let top = table::head(area);
        let height = area.bottom().saturating_sub(top + 2).max(1);
        let count = rows().count();
        self.list.set_page(height.into());
        let seen = list::page_round(self.list.at(), count, height.into());
        scroll::draw_seen(&seen, count, skin, block, buffer);
        for (y, (index, (action, _))) in
            (top..).zip(rows().enumerate().skip(seen.start).take(seen.len()))
        {
            let row = Rect { y, height: 1, ..block };
            let here = index == self.list.at();
            list::mark_row(index, here, row, context, buffer);
            let over = |style| if here { skin.cursor() } else { style };
            let name = text::fit(&action.label(), usize::from(NAME) - 2, skin);
            buffer.set_string(row.x, y, name, over(skin.plain()));
            let keys = if here && self.listens {
                "press a key".to_owned()
            } else {
                context.settings.keys.all_keys(&[action])
            };
            let is_changed = context.settings.keys.keys(action) != action.default_keys();
            let style = if is_changed { skin.strong() } else { skin.style(Role::Key) };
            let at = (row.x + NAME, y);
            let (end, _) =
                text::put(at, &keys, room - usize::from(NAME), over(style), skin, buffer);
            if is_changed && end + 2 < row.right() {
                let rest = usize::from(row.right() - end - 2);
                text::put((end + 2, y), "changed", rest, over(skin.dim()), skin, buffer);
            }
        }
        let y = area.bottom() - 1;
        let (line, style) = match &self.outcome {
            Some(Err(why)) if self.listens => (format!("! {why}; press another key"), skin.wrong()),
            Some(Err(why)) => (format!("! {why}"), skin.wrong()),
            Some(Ok(done)) => (done.clone(), skin.plain()),
            None if self.listens => {
                (format!("press the new key for {}", self.action().label()), skin.strong())
            }
            None => (self.sentence(), skin.dim()),
        };
        text::put((block.x, y), &line, room, style, skin, buffer);
        None
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        if self.listens {
            return vec![Action::Cancel.hint()];
        }
        let walk = KeyHint::new(&[Action::Up, Action::Down], "move");
        vec![Action::Choose.to("change"), Action::Reset.hint(), walk, Action::Back.to("done")]
    }

    fn about(&self) -> About {
        let purpose =
            "Choose an action, and then press its new key. The new key replaces the old ones.";
        let text = "Only the \
                    arrows, Enter, Esc and Ctrl-C cannot be changed: they still work beside the new key. \
                    A key can do only one thing on a screen. To give an action several keys, write them \
                    in the settings file.";
        About::new("Keys", purpose).with_details(text)
    }

    fn takes_text(&self) -> bool {
        self.listens
    }

    fn way_out(&self) -> &'static str {
        "done"
    }
}
