//! A menu over another screen.

use super::Context;
use super::list::ListState;
use super::menu::Menu;
use super::screen::{About, Act, Input, Screen};
use crate::action::{Action, DIGITS, KeyHint};
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

/// Returns the action that an entry performs on the screen below. The keys of this action select the entry.
fn performed(acts: &[Act]) -> Option<Action> {
    match acts {
        [Act::Perform(action)] => Some(*action),
        _ => None,
    }
}

/// Returns these acts, preceded by the act that closes the menu.
fn closing(acts: &[Act]) -> Vec<Act> {
    [&[Act::Pop], acts].concat()
}

impl Screen for MenuScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        let numbers = &DIGITS[1..=self.menu.entries.len().min(9)];
        let mut actions = [ListState::ACTIONS, &[Action::Choose, Action::Back], numbers].concat();
        for performed in self.menu.entries.iter().filter_map(|(_, acts)| performed(acts)) {
            // Skip an action if one of its keys also belongs to the menu.
            if actions.iter().all(|action| action.shares_screen_with(performed)) {
                actions.push(performed);
            }
        }
        actions
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Act>> {
        let length = self.menu.entries.len();
        match input {
            Input::Leave { .. } | Input::Action(Action::Back) => {
                return Some(closing(&self.menu.closed));
            }
            Input::Action(Action::Choose) => {
                let (_, acts) = self.menu.entries.get(self.list.at())?;
                return Some(closing(acts));
            }
            Input::Action(action)
                if let Some((_, acts)) =
                    self.menu.entries.iter().find(|(_, acts)| performed(acts) == Some(action)) =>
            {
                return Some(closing(acts));
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
        self.list.input(&input, length, &context.sight)
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        View::Menu(MenuView {
            title: &self.menu.title,
            lines: &self.menu.lines,
            entries: self.menu.entries.iter().map(|(label, _)| &**label).collect(),
            at: self.list.at(),
            has_title_beside: self.menu.has_title_beside,
        })
    }

    fn key_hints(&self, _: &Context) -> Vec<KeyHint> {
        let walk = KeyHint::new(&[Action::Up, Action::Down], "move");
        let performed = self.menu.entries.iter().filter_map(|(_, acts)| performed(acts));
        let rematch = performed.filter(|action| *action == Action::Rematch).map(Action::hint);
        let own = [walk, Action::Choose.hint()].into_iter().chain(rematch);
        own.chain([Action::Leave.to("close")]).collect()
    }

    fn about(&self) -> Option<About> {
        Some(About::new(self.menu.title.clone(), self.menu.about))
    }
}
