//! The search for the mistakes of a match, which become puzzles. An engine analyses one position after the other.

use super::Context;
use super::menu::Menu;
use super::menu_screen::MenuScreen;
use super::screen::{About, Act, Input, Screen};
use crate::action::{Action, KeyHint};
use crate::play::{EngineEvent, Question};
use crate::puzzles::OwnMistakes;
use crate::view::View;

/// A menu without entries, which shows the progress of the search. Leaving it ends the search.
pub(super) struct MistakesScreen {
    search: OwnMistakes,
    menu: MenuScreen,
}

/// Returns the menu that is shown if no mistake is proven.
pub(super) fn none() -> Menu {
    Menu::new("No proven mistakes in this match").entry("Continue", [])
}

fn progress(search: &OwnMistakes) -> Menu {
    // A screen reader reads every change, so only each tenth move makes one.
    let (done, all) = search.progress();
    let done = done - done % 10;
    Menu::new("Looking for your mistakes")
        .with_lines(vec![format!("{done} of {all} moves checked")])
        .with_about("An engine checks each move of the people in this match. Proven mistakes become puzzles.")
}

impl MistakesScreen {
    pub fn new(search: OwnMistakes) -> MistakesScreen {
        MistakesScreen { menu: MenuScreen::new(progress(&search)), search }
    }

    fn engine_event(&mut self, event: EngineEvent) -> Option<Vec<Act>> {
        match event {
            EngineEvent::Ply(ply, report) => {
                self.search.add_report(ply, report);
                self.menu = MenuScreen::new(progress(&self.search));
                Some(Vec::new())
            }
            EngineEvent::Reviewed => Some(vec![match self.search.course() {
                Some(course) => Act::replace(course),
                None => Act::replace(none()),
            }]),
            EngineEvent::Failed(why) => {
                Some(vec![Act::replace(Menu::new(why).entry("Continue", []))])
            }
            _ => None,
        }
    }
}

impl Screen for MistakesScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        vec![Action::Back]
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Act>> {
        match input {
            Input::Engine(event) => self.engine_event(event),
            input => self.menu.input(input, context),
        }
    }

    fn view<'a>(&'a self, is_live: bool, context: &'a Context) -> View<'a> {
        self.menu.view(is_live, context)
    }

    fn key_hints(&self, _: &Context) -> Vec<KeyHint> {
        vec![Action::Leave.to("cancel")]
    }

    fn about(&self) -> Option<About> {
        self.menu.about()
    }

    fn question(&self, _: &Context) -> Option<Question> {
        Some(self.search.question().clone())
    }
}
