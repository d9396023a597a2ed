//! A card over the match while its GIF is drawn.

use super::Context;
use super::command::Commands;
use super::news::News;
use super::screen::{About, Effect, Input, Screen};
use super::tasks::DiskTask;
use crate::action::Action;
use crate::view::{MenuView, View};

/// A card without entries. Leaving it stops the drawing.
pub(super) struct GifScreen;

const TITLE: &str = "Drawing the GIF";

impl Screen for GifScreen {
    fn commands(&self, _: &Context) -> Commands {
        Commands::default().hide(&[Action::Back]).show(Action::Leave.to("stop"))
    }

    fn input(&mut self, input: Input, _: &mut Context) -> Option<Vec<Effect>> {
        match input {
            Input::Leave { .. } | Input::Action(Action::Back) => {
                Some(vec![Effect::run(DiskTask::StopGif), Effect::Pop])
            }
            // The app closes this screen.
            Input::News(News::GifDone) => Some(Vec::new()),
            _ => None,
        }
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        View::Menu(MenuView {
            title: TITLE,
            lines: &[],
            entries: Vec::new(),
            at: 0,
            is_question: false,
            has_title_beside: true,
        })
    }

    fn about(&self) -> Option<About> {
        Some(About::new(
            TITLE,
            "Each move of the match becomes a picture. Leaving this screen stops the drawing.",
        ))
    }
}
