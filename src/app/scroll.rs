//! Scrolling through content with more rows than fit on the screen.

use super::command::Commands;
use super::screen::{Effect, Input, PointerInput};
use crate::action::{Action, KeyHint};
use crate::tui::RenderFeedback;

/// The first visible row of a text. Its maximum is unknown until the text is drawn.
#[derive(Default)]
pub(super) struct Scroll {
    top: usize,
}

impl Scroll {
    /// Returns the commands of a screen that only supports scrolling and leaving.
    pub fn commands(back: KeyHint) -> Commands {
        const HIDDEN: &[Action] = &[Action::PageUp, Action::PageDown, Action::First, Action::Last];
        Commands::default()
            .show(KeyHint::new(&[Action::Up, Action::Down], "scroll"))
            .show(Action::NextPage.hint())
            .show(back)
            .hide(HIDDEN)
    }

    pub const fn top(&self) -> usize {
        self.top
    }

    /// Handles a key or mouse input that scrolls or leaves the screen.
    pub fn input(&mut self, input: &Input, feedback: &RenderFeedback) -> Option<Vec<Effect>> {
        const NOTCH: usize = 3;
        let (end, page) = (feedback.end.get(), feedback.page.get());
        let was = self.top.min(end);
        let top = match *input {
            Input::Action(Action::Back) => return Some(vec![Effect::Pop]),
            Input::Action(Action::NextPage | Action::PageDown) => self.top.saturating_add(page),
            Input::Action(Action::PageUp) => self.top.saturating_sub(page),
            Input::Action(Action::First) => 0,
            Input::Action(Action::Last) => end,
            Input::Action(Action::Down) => self.top.saturating_add(1),
            Input::Action(Action::Up) => self.top.saturating_sub(1),
            Input::Pointer(PointerInput::Wheel { back: true }) => was.saturating_sub(NOTCH),
            Input::Pointer(PointerInput::Wheel { back: false }) => was + NOTCH,
            _ => return None,
        };
        self.top = top.min(end);
        (matches!(input, Input::Action(_)) || self.top != was).then(Vec::new)
    }
}
