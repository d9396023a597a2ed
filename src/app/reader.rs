//! Text pages: the rules, and the help of any screen.

use super::Context;
use super::command::{Command, Commands};
use super::news::News;
use super::screen::{About, Effect, Input, Screen};
use super::scroll::Scroll;
use crate::action::{Action, Keymap, LIST};
use crate::view::{ReaderPart, ReaderView, View};
use quadrille_table::catalogue::GameEntry;

const RULES: &str = "the rules";
const HELP: &str = "help";
const INVITATION: &str = "invite";

pub(super) struct ReaderScreen {
    /// The subject of the text, and the kind of text.
    title: (String, &'static str),
    parts: Vec<ReaderPart>,
    scroll: Scroll,
}

/// The actions that most screens have. Help lists them last.
const GENERAL: &[Action] = &[
    Action::Left,
    Action::Down,
    Action::Choose,
    Action::NextPage,
    Action::Back,
    Action::Next,
    Action::First,
    Action::PageUp,
    Action::NextTheme,
    Action::Help,
    Action::Leave,
    Action::Quit,
    Action::Suspend,
    Action::Redraw,
];

impl ReaderScreen {
    fn new(name: String, what: &'static str, parts: Vec<ReaderPart>) -> ReaderScreen {
        ReaderScreen { title: (name, what), parts, scroll: Scroll::default() }
    }

    pub fn rules(entry: &GameEntry) -> ReaderScreen {
        let rules = vec![ReaderPart::Text(entry.rules.to_owned())];
        ReaderScreen::new(entry.name.to_owned(), RULES, rules)
    }

    pub fn text(name: String, what: &'static str, text: String) -> ReaderScreen {
        ReaderScreen::new(name, what, vec![ReaderPart::Text(text)])
    }

    /// Shows the instructions for guests. The page closes when a guest joins.
    pub fn invitation(name: String, text: String) -> ReaderScreen {
        ReaderScreen::text(name, INVITATION, text)
    }

    /// Shows the help of a screen: its purpose, its own actions, its details, and the keys that most screens share.
    pub fn help(about: About, commands: &Commands, keymap: &Keymap) -> ReaderScreen {
        let About { name, purpose, details } = about;
        let actions = commands.actions();
        let keys = |is_general: bool| {
            let listed = LIST.iter().filter(|listed| {
                listed.actions.iter().any(|action| GENERAL.contains(action)) == is_general
            });
            let keys = listed.filter_map(|listed| {
                let live =
                    listed.actions.iter().copied().filter(|action| {
                        actions.contains(action) && !keymap.keys(*action).is_empty()
                    });
                let live: Vec<Action> = live.collect();
                let first = *live.first()?;
                let own = commands.iter().find(|command| command.is(first));
                Some((keymap.all_keys(&live), own.map_or(listed.sentence, Command::sentence)))
            });
            ReaderPart::Keys(keys.collect())
        };
        let general = ReaderPart::Text("KEYS ON MOST SCREENS.".to_owned());
        let parts = vec![
            ReaderPart::Text(purpose),
            keys(false),
            ReaderPart::Text(details),
            general,
            keys(true),
        ];
        ReaderScreen::new(name, HELP, parts)
    }
}

impl Screen for ReaderScreen {
    fn commands(&self, _: &Context) -> Commands {
        Scroll::commands(Action::Back.to("close")).show(Action::Leave.to("close"))
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        match input {
            Input::News(News::GuestJoined) if self.title.1 == INVITATION => Some(Vec::new()),
            input => self.scroll.input(&input, &context.feedback),
        }
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        let (title, kind) = (&self.title.0, self.title.1);
        View::Reader(ReaderView { title, kind, parts: &self.parts, top: self.scroll.top() })
    }

    fn about(&self) -> Option<About> {
        let text = "The rules of this game.";
        (self.title.1 == RULES).then(|| About::new(format!("{}, rules", self.title.0), text))
    }
}
