//! The search for the mistakes of a match, which become puzzles. An engine analyzes one position after the other.

use super::Context;
use super::command::Commands;
use super::menu::Menu;
use super::screen::{About, Effect, Input, Screen};
use crate::action::Action;
use crate::view::{MenuView, View};
use quadrille_puzzles::OwnMistakes;
use quadrille_table::play::{EngineEvent, Question};

/// A card without entries, which shows the progress of the search. Leaving it ends the search.
pub(super) struct MistakesScreen {
    search: OwnMistakes,
    progress: Vec<String>,
}

const TITLE: &str = "Looking for your mistakes";

/// Returns the menu that is shown if no mistake is proven.
pub(super) fn none() -> Menu {
    Menu::new("No proven mistakes in this match").entry("Continue", [])
}

impl MistakesScreen {
    pub fn new(search: OwnMistakes) -> MistakesScreen {
        let mut screen = MistakesScreen { search, progress: Vec::new() };
        screen.show_progress();
        screen
    }

    fn show_progress(&mut self) {
        // A screen reader reads every change, so only each tenth move makes one.
        let (done, all) = self.search.progress();
        self.progress = vec![format!("{} of {all} moves checked", done - done % 10)];
    }

    fn engine_event(&mut self, event: EngineEvent) -> Option<Vec<Effect>> {
        match event {
            EngineEvent::Ply(ply, report) => {
                self.search.add_report(ply, report);
                self.show_progress();
                Some(Vec::new())
            }
            EngineEvent::Reviewed => Some(vec![match self.search.puzzle_set() {
                Some(course) => Effect::replace(course),
                None => Effect::replace(none()),
            }]),
            EngineEvent::Failed(why) => {
                Some(vec![Effect::replace(Menu::new(why).entry("Continue", []))])
            }
            _ => None,
        }
    }
}

impl Screen for MistakesScreen {
    fn commands(&self, _: &Context) -> Commands {
        Commands::default().hide(&[Action::Back]).show(Action::Leave.to("cancel"))
    }

    fn input(&mut self, input: Input, _: &mut Context) -> Option<Vec<Effect>> {
        match input {
            Input::Engine(event) => self.engine_event(event),
            Input::Leave { .. } | Input::Action(Action::Back) => Some(vec![Effect::Pop]),
            _ => None,
        }
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        View::Menu(MenuView {
            title: TITLE,
            lines: &self.progress,
            entries: Vec::new(),
            at: 0,
            is_question: false,
            has_title_beside: true,
        })
    }

    fn about(&self) -> Option<About> {
        let about = "An engine checks each move of the people in this match. Proven mistakes become puzzles.";
        Some(About::new(TITLE, about))
    }

    fn question(&self, _: &Context) -> Option<Question> {
        Some(self.search.question().clone())
    }
}
