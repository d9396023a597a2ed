//! What a menu asks: the pause, the result, a choice of rules.

use super::screen::Act;
use std::time::Duration;

/// A title, some lines, and entries to choose from.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    pub title: String,
    pub lines: Vec<String>,
    /// The labels, and what each entry does once the menu is closed.
    pub entries: Vec<(String, Vec<Act>)>,
    /// The entry that the cursor is on at first.
    pub at: usize,
    /// What happens after closing the menu without choosing.
    pub closed: Vec<Act>,
    /// The text of its help.
    pub about: &'static str,
    /// How long keys do nothing in it, because it opened by itself and they were meant for the board.
    pub guard: Duration,
    /// Whether the title and the lines stay where the menu stands in place of the panel.
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
            guard: Duration::ZERO,
            has_title_beside: true,
        }
    }

    /// Adds an entry. Without acts, choosing it only closes the menu.
    pub fn entry(mut self, label: impl Into<String>, acts: impl Into<Vec<Act>>) -> Menu {
        self.entries.push((label.into(), acts.into()));
        self
    }

    /// Adds an entry if `is_possible`.
    pub fn entry_if(
        self,
        is_possible: bool,
        label: impl Into<String>,
        acts: impl Into<Vec<Act>>,
    ) -> Menu {
        if is_possible { self.entry(label, acts) } else { self }
    }

    /// Adds these entries.
    pub fn entries(mut self, entries: impl IntoIterator<Item = (String, Vec<Act>)>) -> Menu {
        self.entries.extend(entries);
        self
    }

    /// Adds lines between the title and the entries.
    pub fn with_lines(self, lines: Vec<String>) -> Menu {
        Menu { lines, ..self }
    }

    /// Puts the cursor on the entry with this label, if there is one.
    pub fn at(self, label: &str) -> Menu {
        let at = self.entries.iter().position(|(entry, _)| entry == label).unwrap_or(0);
        Menu { at, ..self }
    }

    /// Adds what happens after closing the menu without choosing.
    pub fn closed_by(self, closed: impl Into<Vec<Act>>) -> Menu {
        Menu { closed: closed.into(), ..self }
    }

    /// Makes it ignore keys for a second. To be used where a menu opens by itself while somebody may be playing.
    pub fn guarded(self) -> Menu {
        Menu { guard: Duration::from_secs(1), ..self }
    }

    /// Adds the text of its help.
    pub fn with_about(self, about: &'static str) -> Menu {
        Menu { about, ..self }
    }

    /// Leaves title and lines out where the menu stands in place of the panel, below a card that says the
    /// same.
    pub fn without_title_beside(self) -> Menu {
        Menu { has_title_beside: false, ..self }
    }
}
