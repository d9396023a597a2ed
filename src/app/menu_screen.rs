//! A menu over another screen.

use super::Context;
use super::command::{Command, Commands};
use super::list::ListState;
use super::menu::Menu;
use super::screen::{About, Effect, Input, Screen};
use crate::action::{Action, DIGITS};
use crate::view::{MenuView, View};

pub(super) struct MenuScreen {
    menu: Menu,
    list: ListState,
}

impl MenuScreen {
    pub fn new(menu: Menu) -> MenuScreen {
        let mut list = ListState::default();
        list.go_to(menu.at);
        MenuScreen { menu, list }
    }
}

/// Returns these effects, preceded by the effect that closes the menu.
fn closing(effects: &[Effect]) -> Vec<Effect> {
    [&[Effect::Pop], effects].concat()
}

impl Screen for MenuScreen {
    fn commands(&self, _: &Context) -> Commands {
        let numbers = &DIGITS[1..=self.menu.entries.len().min(9)];
        let commands = ListState::add_to(Commands::default()).show(Action::Choose.hint());
        let commands = commands.hide(&[Action::Back]).hide(numbers);
        let keys = commands.actions();
        let entries = self.menu.entries.iter().cloned().map(|entry| {
            // An entry has no key if that key also belongs to the menu.
            let has_key = |action: Action| keys.iter().all(|key| key.shares_screen_with(action));
            let is_shown = entry.is(Action::Rematch);
            let entry =
                if entry.action().is_none_or(has_key) { entry } else { entry.without_keys() };
            entry.shown_if(is_shown)
        });
        commands.add(entries).show(Action::Leave.to("close"))
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        let length = self.menu.entries.len();
        match input {
            Input::Leave { .. } | Input::Action(Action::Back) => {
                return Some(closing(&self.menu.closed));
            }
            Input::Action(Action::Choose) => {
                return Some(closing(&self.menu.entries.get(self.list.at())?.effects()));
            }
            Input::Action(action)
                if let Some(entry) = self.menu.entries.iter().find(|entry| entry.is(action)) =>
            {
                return Some(closing(&entry.effects()));
            }
            // The first entry has the number 1.
            Input::Action(action)
                if let Some(number) = action.digit()
                    && (1..=length).contains(&number.into()) =>
            {
                self.list.go_to(usize::from(number) - 1);
                return Some(Vec::new());
            }
            _ => {}
        }
        self.list.input(&input, length, &context.feedback)
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        View::Menu(MenuView {
            title: &self.menu.title,
            lines: &self.menu.lines,
            entries: self.menu.entries.iter().filter_map(Command::label).collect(),
            at: self.list.at(),
            is_question: self.menu.entries.iter().any(|entry| entry.is_named("yes")),
            has_title_beside: self.menu.has_title_beside,
        })
    }

    fn about(&self) -> Option<About> {
        Some(About::new(self.menu.title.clone(), self.menu.about))
    }
}
