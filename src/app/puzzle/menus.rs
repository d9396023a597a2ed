//! The menus over a puzzle.

use super::PuzzleScreen;
use crate::app::menu::{Menu, MenuChoice};
use crate::app::screen::Act;
use crate::app::text;
use crate::scene::Skin;

/// Asks whether somebody who has tried something gives up.
pub(super) fn give_up() -> Act {
    let entries = [
        ("Keep trying".to_owned(), MenuChoice::Close),
        ("Show the solution".to_owned(), MenuChoice::GiveUp),
    ];
    let menu = Menu::new("Give up this puzzle?", entries.into());
    Act::open(
        menu.with_about("Whoever gives up sees the solution, and the puzzle counts as not solved."),
    )
}

impl PuzzleScreen {
    /// What can be done besides moving.
    pub(super) fn menu(&self) -> Act {
        let is_over = self.is_over();
        let is_rush = self.rush().is_some();
        let has_ended = self.summary.is_some();
        let entries = [
            (is_over && !is_rush, "Next puzzle", MenuChoice::NextPuzzle),
            (true, if is_over { "Look at the board" } else { "Go on" }, MenuChoice::Close),
            (!is_rush && self.attempt.is_touched(), "Try again", MenuChoice::Rematch),
            (has_ended, "Another rush", MenuChoice::Rematch),
            (self.share.is_some(), "Copy the line to share", MenuChoice::Copy),
            (true, "Rules", MenuChoice::Rules(None)),
            (true, "Save a picture", MenuChoice::Picture),
            (true, "Settings", MenuChoice::Settings),
            (true, if is_rush && !has_ended { "End the rush" } else { "Leave" }, MenuChoice::Leave),
        ];
        let possible = entries.into_iter().filter(|(is_possible, ..)| *is_possible);
        let possible = possible.map(|(_, label, choice)| (label.to_owned(), choice));
        let title = if is_over { "Puzzle solved" } else { "Puzzle" };
        let title = if is_over && !self.attempt.is_solved() { "Puzzle" } else { title };
        let title = if is_rush { "Rush" } else { title };
        let lines = self
            .share
            .iter()
            .chain(&self.summary)
            .flat_map(|line| text::wrap(line, 26, 4, Skin::default()));
        let menu = Menu::new(title, possible.collect()).with_lines(lines.collect());
        Act::open(menu.with_about(
            "What is best in a puzzle is proven, and every move that is as good is right.",
        ))
    }
}
