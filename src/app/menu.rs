//! What a menu asks: the pause, the result, a choice of rules.

use crate::rules::Seat;
use std::time::Duration;

/// What can be chosen in menus. The screen below the menu acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MenuChoice {
    /// Only close the menu.
    Close,
    /// Delete what the menu asked about.
    Delete,
    /// End the program, whatever is lost.
    Quit,
    Undo,
    /// Offer a draw for the seat to move.
    OfferDraw,
    /// This seat agrees to the draw that was offered.
    AcceptDraw(Seat),
    /// This seat refuses the draw that was offered.
    RefuseDraw(Seat),
    /// Ask who resigns.
    AskWhoResigns,
    /// This seat resigns.
    Resign(Seat),
    /// Ask whether to start the match over.
    AskToRestart,
    Rematch,
    SwapSeats,
    Review,
    /// Save a picture of the board.
    Picture,
    NewGame,
    /// The rules of the game on the screen, or of the n-th of the catalogue.
    Rules(Option<usize>),
    Settings,
    /// Show how the match ended.
    ShowResult,
    /// Start the programs that play in a resumed match.
    StartPrograms,
    /// Say a line to the others.
    Say,
    /// Show what was said.
    WhatWasSaid,
    /// Ask which seat is for a guest.
    AskWhichSeat,
    /// Give this seat to a guest.
    Invite(Seat),
    /// Say again what a guest types to come.
    HowToCome,
    /// Agree to the question with this number, or not.
    Answer(u64, bool),
    /// Withdraw the question that was asked here.
    Withdraw,
    /// Ask which player or watcher the host wants to remove.
    AskWhomToRemove,
    /// Remove the n-th of them.
    Remove(usize),
    /// Close the table, and keep the match.
    CloseTable,
    /// A puzzle that fits, of the n-th game of the catalogue or of all.
    Fitting(Option<usize>),
    /// A rush, of the same.
    Rush(Option<usize>),
    /// Ask which rush.
    RushOf,
    /// Show the daily puzzles of earlier days.
    Archive,
    /// The daily puzzle with this number.
    Earlier(u32),
    NextPuzzle,
    /// Give the puzzle up, and see its solution.
    GiveUp,
    /// Copy the line to share.
    Copy,
    Leave,
}

/// A title, some lines, and entries to choose from.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    pub title: String,
    pub lines: Vec<String>,
    pub entries: Vec<(String, MenuChoice)>,
    /// The entry that the cursor is on at first.
    pub at: usize,
    /// What it means to close the menu without choosing.
    pub closed: MenuChoice,
    /// The text of its help.
    pub about: &'static str,
    /// How long keys do nothing in it, because it opened by itself and they were meant for the board.
    pub guard: Duration,
    /// Whether the title and the lines stay where the menu stands in place of the panel.
    pub has_title_beside: bool,
}

impl Menu {
    pub fn new(title: impl Into<String>, entries: Vec<(String, MenuChoice)>) -> Menu {
        Menu {
            title: title.into(),
            lines: Vec::new(),
            entries,
            at: 0,
            closed: MenuChoice::Close,
            about: "",
            guard: Duration::ZERO,
            has_title_beside: true,
        }
    }

    /// Adds lines between the title and the entries.
    pub fn with_lines(self, lines: Vec<String>) -> Menu {
        Menu { lines, ..self }
    }

    /// Puts the cursor on the entry with this choice, if there is one.
    pub fn at(self, choice: MenuChoice) -> Menu {
        let at = self.entries.iter().position(|(_, entry)| *entry == choice).unwrap_or(0);
        Menu { at, ..self }
    }

    /// Makes closing it the same as this choice.
    pub fn closed_by(self, closed: MenuChoice) -> Menu {
        Menu { closed, ..self }
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
