//! The menus over a puzzle.

use super::PuzzleScreen;
use crate::action::Action;
use crate::app::destination::Destination;
use crate::app::menu::Menu;
use crate::app::screen::Act;

#[derive(Clone, Copy, Debug)]
pub(super) enum PuzzleCommand {
    GiveUp,
    TryAgain,
    Copy,
    EndRush,
}

/// Asks whether to give up the puzzle after at least one attempt.
pub(super) fn give_up() -> Act {
    let menu = Menu::new("Give up this puzzle?")
        .entry("Keep trying", [])
        .entry("Show the solution", [Act::command(PuzzleCommand::GiveUp)]);
    Act::open(menu.with_about("Giving up shows the solution. The puzzle counts as unsolved."))
}

impl PuzzleScreen {
    pub(super) fn menu(&self) -> Act {
        let (is_over, has_ended) = (self.run.is_over(), self.run.has_ended());
        let is_rush = self.run.rush().is_some();
        let (attempt, share) = (self.run.attempt(), &self.run.texts().share);
        let title = match is_rush {
            true => "Rush",
            false if is_over && attempt.is_solved() => "Puzzle solved",
            false => "Puzzle",
        };
        let lines = share.iter().chain(self.run.summary());
        let next = [Act::Perform(Action::NextPuzzle)];
        let end_rush = [Act::command(PuzzleCommand::EndRush)];
        let menu = Menu::new(title)
            .with_lines(lines.cloned().collect())
            .entry_if(is_over && !is_rush, "Next puzzle", next.clone())
            .entry(if is_over { "View the board" } else { "Resume" }, [])
            .entry_if(
                !is_rush && attempt.is_touched(),
                "Try again",
                [Act::command(PuzzleCommand::TryAgain)],
            )
            .entry_if(has_ended, "Another rush", next)
            .entry_if(share.is_some(), "Copy result", [Act::command(PuzzleCommand::Copy)])
            .entry("Rules", [Act::Open(Destination::Rules(self.run.entry()))])
            .entry("Save a picture", [Act::Perform(Action::Picture)])
            .entry("Settings", [Act::Open(Destination::Settings)])
            .entry_if(is_rush && !has_ended, "End the rush", end_rush)
            .entry_if(!is_rush || has_ended, "Leave", [Act::Pop]);
        // The card beside the menu shows the same title and lines.
        let has_card = self.run.result().is_some();
        let menu = if has_card { menu.without_title_beside() } else { menu };
        Act::open(
            menu.with_about("Solutions are proven, and any equally good move counts as correct."),
        )
    }
}
