//! The contents of menus, such as the pause menu or the result.

use super::command::Command;
use super::screen::Effect;

/// A title, lines of text, and entries to choose from.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    pub title: String,
    pub lines: Vec<String>,
    /// The entries. Their effects are carried out after the menu is closed.
    pub entries: Vec<Command>,
    pub at: usize,
    pub closed: Vec<Effect>,
    pub about: &'static str,
    /// Whether the title and lines remain when the menu replaces the panel.
    pub has_title_beside: bool,
}

impl Menu {
    pub fn new(title: impl Into<String>) -> Menu {
        Menu {
            title: title.into(),
            lines: Vec::new(),
            entries: Vec::new(),
            at: 0,
            closed: Vec::new(),
            about: "",
            has_title_beside: true,
        }
    }

    /// Adds an entry. An entry with no effects only closes the menu.
    pub fn entry(self, label: impl Into<String>, effects: impl Into<Vec<Effect>>) -> Menu {
        self.command(Command::entry(label, effects))
    }

    pub fn entry_if(
        self,
        is_possible: bool,
        label: impl Into<String>,
        effects: impl Into<Vec<Effect>>,
    ) -> Menu {
        if is_possible { self.entry(label, effects) } else { self }
    }

    pub fn entries(self, entries: impl IntoIterator<Item = (String, Vec<Effect>)>) -> Menu {
        let entries = entries.into_iter();
        self.commands(entries.map(|(label, effects)| Command::entry(label, effects)))
    }

    /// Adds the answer that changes nothing.
    pub fn no(self, label: &str) -> Menu {
        self.command(Command::entry(label, []).typed_as("no n"))
    }

    /// Adds the answer that does what the title asks.
    pub fn yes(self, label: impl Into<String>, effects: impl Into<Vec<Effect>>) -> Menu {
        self.command(Command::entry(label, effects).typed_as("yes y").final_if(true))
    }

    pub fn command(self, command: Command) -> Menu {
        self.commands([command])
    }

    /// Adds those commands that are entries of a menu.
    pub fn commands(mut self, commands: impl IntoIterator<Item = Command>) -> Menu {
        self.entries.extend(commands.into_iter().filter(|command| command.label().is_some()));
        self
    }

    pub fn with_lines(self, lines: Vec<String>) -> Menu {
        Menu { lines, ..self }
    }

    /// Moves the cursor to the entry with this label, if the menu has one.
    pub fn at(self, label: &str) -> Menu {
        let at = self.entries.iter().position(|entry| entry.label() == Some(label)).unwrap_or(0);
        Menu { at, ..self }
    }

    pub fn closed_by(self, closed: impl Into<Vec<Effect>>) -> Menu {
        Menu { closed: closed.into(), ..self }
    }

    pub fn with_about(self, about: &'static str) -> Menu {
        Menu { about, ..self }
    }

    /// Omits the title and lines when the menu replaces the panel, because the card above shows the same text.
    pub fn without_title_beside(self) -> Menu {
        Menu { has_title_beside: false, ..self }
    }
}
