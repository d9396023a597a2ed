//! The list of all unfinished matches.

use super::command::{Command, Commands};
use super::list::ListState;
use super::screen::{About, Effect, Input, Screen};
use super::unfinished::{self, Summary, Unfinished, UnfinishedId};
use super::{Context, resuming};
use crate::action::Action;
use crate::view::{ColumnKind, ListCell, ListColumn, ListRow, ListView, Phrase, View};

const COLUMNS: [ListColumn; 5] = [
    ListColumn::new("game", ColumnKind::Game),
    ListColumn::new("names", ColumnKind::Rest),
    ListColumn::new("score", ColumnKind::Score),
    ListColumn::new("", ColumnKind::State),
    ListColumn::new("played", ColumnKind::Date),
];

/// The list of unfinished matches. The cursor stays on its match when other matches are added or removed.
#[derive(Default)]
pub(super) struct UnfinishedScreen {
    /// The match that was under the cursor at the last key press, when `list` held its index.
    at: Option<UnfinishedId>,
    list: ListState,
    message: Option<String>,
}

impl UnfinishedScreen {
    /// Returns the index of the match under the cursor; if the match is gone, the nearest valid index.
    fn row(&self, context: &Context) -> usize {
        let found = self.at.as_ref().and_then(|id| unfinished::index_of(&context.unfinished, id));
        self.list.place(found, context.unfinished.len())
    }
}

impl Screen for UnfinishedScreen {
    fn commands(&self, context: &Context) -> Commands {
        let has_match = !context.unfinished.is_empty();
        ListState::add_to(Commands::default())
            .show_if(has_match, Action::Choose.to("resume"))
            .show_if(has_match, Command::from(Action::Delete.hint()).of_entry())
            .show(Action::Back.to("home"))
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        let length = context.unfinished.len();
        self.list.go_to(self.row(context));
        let had_message = match input {
            Input::Action(_) | Input::Key(_) => self.message.take().is_some(),
            _ => false,
        };
        let id = || context.unfinished.get(self.list.at()).map(Unfinished::id);
        match input {
            Input::Key(_) => return had_message.then(Vec::new),
            Input::Message(line) => self.message = Some(line.to_owned()),
            Input::Action(Action::Back) => return Some(vec![Effect::Pop]),
            Input::Action(Action::Choose) => return Some(vec![Effect::Pop, Effect::Resume(id()?)]),
            Input::Action(Action::Delete) => {
                return Some(vec![resuming::ask_to_discard(context, &id()?)?]);
            }
            input => {
                let effects = self.list.input(&input, length, &context.feedback)?;
                self.at = context.unfinished.get(self.list.at()).map(Unfinished::id);
                return Some(effects);
            }
        }
        Some(Vec::new())
    }

    fn view<'a>(&'a self, _: bool, context: &'a Context) -> View<'a> {
        let at = self.row(context);
        let row = |left: &Unfinished| {
            let summary = left.summary();
            let Summary { game, score, state, when, .. } = &summary;
            let first = state.split_once(", ").map_or(&**state, |(first, _)| first);
            ListRow::from([
                ListCell::from(Phrase::plain(game)),
                Phrase::plain(summary.names(usize::MAX)).into(),
                Phrase::plain(score).into(),
                ListCell::Shorter(Phrase::dim(state), first.to_owned()),
                Phrase::dim(when).into(),
            ])
        };
        let about = |left: &Unfinished| Phrase::dim(left.about(context.usual_name()));
        View::List(ListView {
            rows: context.unfinished.iter().map(row).collect(),
            at,
            empty: "No unfinished matches.",
            message: self.message.as_ref().map(Phrase::strong),
            note: context.unfinished.get(at).map(about).unwrap_or_default(),
            note_rows: 2,
            ..ListView::new("Unfinished matches", &COLUMNS)
        })
    }

    fn about(&self) -> Option<About> {
        let text = "Unfinished matches: those that wait for you by deadline, then the newest. Open one to resume it.";
        Some(About::new("Unfinished matches", text))
    }
}
