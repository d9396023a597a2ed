//! Commands: what the user can do on a screen.

use super::screen::Effect;
use crate::action::{Action, KeyHint};
use std::ops::Deref;

/// One thing that the user can do on a screen. The keys of a screen, its footer, its help, its menu and the words of
/// plain mode all derive from its commands.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct Command {
    /// The actions whose keys it has, and what they do in a word.
    hint: KeyHint,
    is_in_footer: bool,
    /// Whether it works now. Plain mode knows the words of a command that does not.
    is_available: bool,
    /// The entry in the screen's menu.
    label: Option<String>,
    /// Further words in plain mode, separated by spaces.
    words: &'static str,
    /// What it does, in a sentence without its full stop, if the sentence of its action does not say so.
    about: &'static str,
    /// Whether it cannot be undone, so that plain mode needs more than its first letter.
    is_final: bool,
    /// Whether it is about the entry under the cursor, whose number a typed line gives.
    is_of_entry: bool,
    /// What plain mode puts before the rest of a line for the screen that the command opens.
    passes_on: &'static str,
    /// The lines that plain mode adds for the screen that the command opens.
    followed_by: &'static [&'static str],
    effects: Vec<Effect>,
}

impl From<KeyHint> for Command {
    fn from(hint: KeyHint) -> Command {
        Command { hint, is_in_footer: true, ..Command::entry("", []).unlisted() }
    }
}

impl Command {
    /// Creates a command without keys: an entry of the screen's menu.
    pub(super) fn entry(label: impl Into<String>, effects: impl Into<Vec<Effect>>) -> Command {
        Command {
            hint: KeyHint::new(&[], ""),
            is_in_footer: false,
            is_available: true,
            label: Some(label.into()),
            words: "",
            about: "",
            is_final: false,
            is_of_entry: false,
            passes_on: "",
            followed_by: &[],
            effects: effects.into(),
        }
    }

    /// Creates a command of plain mode alone, for screens whose entries do the same.
    pub(super) fn word(
        words: &'static str,
        about: &'static str,
        effects: impl Into<Vec<Effect>>,
    ) -> Command {
        Command::entry("", effects).unlisted().typed_as(words).about(about)
    }

    fn unlisted(self) -> Command {
        Command { label: None, ..self }
    }

    /// Adds the command to the screen's menu.
    pub(super) fn labelled(self, label: impl Into<String>) -> Command {
        Command { label: Some(label.into()), ..self }
    }

    pub(super) fn labelled_if(self, is_listed: bool, label: impl Into<String>) -> Command {
        if is_listed { self.labelled(label) } else { self }
    }

    /// Takes its keys away, because they have another meaning where the command is an entry.
    pub(super) fn without_keys(self) -> Command {
        let words = if self.words.is_empty() {
            self.action().map_or("", Action::words)
        } else {
            self.words
        };
        Command { effects: self.effects(), words, hint: KeyHint::new(&[], ""), ..self }
    }

    pub(super) fn typed_as(self, words: &'static str) -> Command {
        Command { words, ..self }
    }

    pub(super) fn about(self, about: &'static str) -> Command {
        Command { about, ..self }
    }

    pub(super) fn shown_if(self, is_in_footer: bool) -> Command {
        Command { is_in_footer, ..self }
    }

    pub(super) fn only_if(self, is_available: bool) -> Command {
        Command { is_available, ..self }
    }

    pub(super) fn final_if(self, is_final: bool) -> Command {
        Command { is_final, ..self }
    }

    pub(super) fn of_entry(self) -> Command {
        Command { is_of_entry: true, ..self }
    }

    pub(super) fn passing_on(self, passes_on: &'static str) -> Command {
        Command { passes_on, ..self }
    }

    pub(super) fn then(self, followed_by: &'static [&'static str]) -> Command {
        Command { followed_by, ..self }
    }

    pub fn hint(&self) -> KeyHint {
        self.hint
    }

    pub fn is_in_footer(&self) -> bool {
        self.is_in_footer && self.is_available
    }

    pub fn is_available(&self) -> bool {
        self.is_available
    }

    pub fn is_final(&self) -> bool {
        self.is_final
    }

    pub fn is_of_entry(&self) -> bool {
        self.is_of_entry
    }

    pub fn passes_on(&self) -> &'static str {
        self.passes_on
    }

    pub fn followed_by(&self) -> &'static [&'static str] {
        self.followed_by
    }

    pub fn label(&self) -> Option<&str> {
        self.label.as_deref().filter(|_| self.is_available)
    }

    /// Returns the action of a command with one action.
    pub fn action(&self) -> Option<Action> {
        match self.hint.actions {
            [action] => Some(*action),
            _ => None,
        }
    }

    pub fn is(&self, action: Action) -> bool {
        self.action() == Some(action)
    }

    /// Returns the words for the command in plain mode, the usual one first; empty if it only moves a cursor or has no
    /// effect that can be told.
    pub fn words(&self) -> Vec<String> {
        let own = self.action().map_or("", Action::words);
        let (own, label) = match self.words {
            "" if own.is_empty() => ("", ""),
            "" => (own, self.hint.label),
            words => (words, ""),
        };
        let mut words: Vec<String> =
            own.split_whitespace().map(|word| word.replace('_', " ")).collect();
        if !label.is_empty() && !words.iter().any(|word| word == label) {
            words.push(label.to_owned());
        }
        words.extend(self.label().map(str::to_lowercase));
        words
    }

    pub fn is_named(&self, word: &str) -> bool {
        self.words().iter().any(|own| own.eq_ignore_ascii_case(word))
    }

    /// Returns what the command does, in a sentence without its full stop; may be empty.
    pub fn sentence(&self) -> &'static str {
        if self.about.is_empty() { self.action().map_or("", Action::sentence) } else { self.about }
    }

    pub(super) fn own_effects(&self) -> &[Effect] {
        &self.effects
    }

    /// Returns what choosing the command does. The keys of a command without effects of its own reach the screen.
    pub(super) fn effects(&self) -> Vec<Effect> {
        match self.action() {
            Some(action) if self.effects.is_empty() => vec![Effect::Perform(action)],
            _ => self.effects.clone(),
        }
    }
}

/// The commands of a screen, most important first.
#[derive(Clone, Debug, Default)]
pub struct Commands(Vec<Command>);

impl Commands {
    /// Adds a command that the footer shows.
    pub(super) fn show(self, command: impl Into<Command>) -> Commands {
        self.add([command.into()])
    }

    pub(super) fn show_if(self, is_shown: bool, command: impl Into<Command>) -> Commands {
        if is_shown { self.show(command) } else { self }
    }

    pub(super) fn show_all(self, hints: impl IntoIterator<Item = KeyHint>) -> Commands {
        self.add(hints.into_iter().map(Command::from))
    }

    /// Adds actions that work without a place in the footer.
    pub(super) fn hide(self, actions: &'static [Action]) -> Commands {
        let one_each = actions.chunks(1).map(|action| KeyHint::new(action, ""));
        self.add(one_each.map(|hint| Command::from(hint).shown_if(false)))
    }

    pub(super) fn add(mut self, commands: impl IntoIterator<Item = Command>) -> Commands {
        self.0.extend(commands);
        self
    }

    /// Adds the key that opens the screen's menu. The footer shows it after Enter, unless Esc has another effect.
    pub(super) fn with_menu(mut self, label: &'static str, is_shown: bool) -> Commands {
        let position = |action| self.0.iter().position(|command| command.hint.names(action));
        let is_shown = is_shown && position(Action::Back).is_none();
        let choose = position(Action::Choose).map_or(0, |choose| choose + 1);
        let menu = Command::from(Action::Back.to(label)).typed_as("menu pause");
        self.0.insert(choose, menu.shown_if(is_shown));
        self
    }

    /// Puts these commands in front, and all others out of the footer.
    pub(super) fn with_footer(self, shown: impl IntoIterator<Item = Command>) -> Commands {
        let others = self.0.into_iter().map(|command| command.shown_if(false));
        Commands::default().add(shown).add(others)
    }

    /// Returns the actions of all commands that work now, each once.
    pub fn actions(&self) -> Vec<Action> {
        let mut actions: Vec<Action> = Vec::new();
        for command in self.0.iter().filter(|command| command.is_available) {
            for action in command.hint.actions {
                if !actions.contains(action) {
                    actions.push(*action);
                }
            }
        }
        actions
    }

    pub(super) fn footer(&self) -> Vec<KeyHint> {
        self.0.iter().filter(|command| command.is_in_footer()).map(|command| command.hint).collect()
    }

    /// Splits off the commands for an action.
    pub(super) fn split_off(self, action: Action) -> (Vec<Command>, Commands) {
        let (split, rest) = self.0.into_iter().partition(|command| command.hint.names(action));
        (split, Commands(rest))
    }

    pub(super) fn retain(&mut self, stays: impl FnMut(&Command) -> bool) {
        self.0.retain(stays);
    }
}

impl Deref for Commands {
    type Target = [Command];

    fn deref(&self) -> &[Command] {
        &self.0
    }
}

impl IntoIterator for Commands {
    type Item = Command;
    type IntoIter = std::vec::IntoIter<Command>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
