//! The menus over a puzzle.

use super::PuzzleScreen;
use crate::action::Action;
use crate::app::Context;
use crate::app::command::Command;
use crate::app::destination::Destination;
use crate::app::menu::Menu;
use crate::app::screen::Effect;
use quadrille_puzzles::Rush;

#[derive(Clone, Copy, Debug)]
pub(super) enum PuzzleCommand {
    GiveUp,
    TryAgain,
    EndRush,
}

/// Asks whether to give up the puzzle after at least one attempt.
pub(super) fn give_up() -> Effect {
    let menu = Menu::new("Give up this puzzle?")
        .no("Keep trying")
        .yes("Show the solution", [Effect::command(PuzzleCommand::GiveUp)]);
    Effect::open(menu.with_about("Giving up shows the solution. The puzzle counts as unsolved."))
}

/// Asks whether to end a rush, whose clock stands still meanwhile.
pub(super) fn end_rush(rush: &Rush) -> Effect {
    let menu = Menu::new("End this rush?")
        .with_lines(vec![rush.standing()])
        .no("Keep playing")
        .yes("End the rush", [Effect::command(PuzzleCommand::EndRush)]);
    Effect::open(menu.with_about("The rush ends, and your score counts."))
}

impl PuzzleScreen {
    pub(super) fn menu(&self, context: &Context) -> Effect {
        let (is_over, is_rush) = (self.run.is_over(), self.run.rush().is_some());
        let (attempt, share) = (self.run.attempt(), self.share_line());
        let running = self.running_rush();
        let title = match is_rush {
            true if running.is_some() => "Rush paused",
            true => "Rush",
            false if is_over && attempt.is_solved() => "Puzzle solved",
            false => "Puzzle",
        };
        let standing = running.map(Rush::standing);
        let lines = share.into_iter().chain(self.run.summary().cloned()).chain(standing);
        let menu = Menu::new(title).with_lines(lines.collect()).commands(self.entries(context));
        // The card beside the menu shows the same title and lines.
        let has_card = self.run.result().is_some();
        let menu = if has_card { menu.without_title_beside() } else { menu };
        Effect::open(
            menu.with_about("Solutions are proven, and any equally good move counts as correct."),
        )
    }

    pub(super) fn copy_command(&self) -> Command {
        let copy =
            if self.is_copied { Action::CopyResult.to("sent") } else { Action::CopyResult.hint() };
        Command::from(copy).only_if(self.run.texts().share.is_some())
    }

    /// Returns the command that opens the missed puzzles of a rush that has ended.
    pub(super) fn missed_command(&self) -> Command {
        let has_missed = self.run.rush().is_some_and(|rush| !rush.missed().is_empty());
        Command::from(Action::OwnMistakes.to("missed"))
            .about("solve the missed puzzles, without a clock and unrated")
            .only_if(has_missed && self.run.has_ended())
    }

    /// Opens the explanation as a text that scrolls.
    fn explanation(&self) -> Effect {
        let text = self.run.texts().explained.join("\n\n");
        Effect::Open(Destination::Text(self.run.title(), "explanation", text))
    }

    /// Returns the commands that the menu lists.
    pub(super) fn entries(&self, context: &Context) -> Vec<Command> {
        let (is_over, has_ended) = (self.run.is_over(), self.run.has_ended());
        let is_rush = self.run.rush().is_some();
        let can_retry = !is_rush && self.run.attempt().is_touched();
        let entry = |label, words, command| {
            Command::entry(label, [Effect::command(command)]).typed_as(words)
        };
        let next = || Command::from(Action::NextPuzzle.hint()).shown_if(false);
        vec![
            next().labelled("Next puzzle").only_if(is_over && !is_rush),
            Command::entry("View the board", []).typed_as("board").only_if(is_over),
            Command::entry("Resume", []).only_if(!is_over),
            entry("Try again", "again", PuzzleCommand::TryAgain).only_if(can_retry),
            next().labelled("Another rush").only_if(has_ended),
            self.missed_command().shown_if(false).labelled("Missed puzzles"),
            self.easier_command(context).shown_if(false).labelled("An easier puzzle"),
            self.copy_command().shown_if(false).labelled("Copy result"),
            Command::entry("Explanation", [self.explanation()])
                .typed_as("why")
                .only_if(!self.run.texts().explained.is_empty()),
            Command::entry("Rules", [Effect::Open(Destination::Rules(self.run.entry()))])
                .typed_as("rules"),
            // The pause of a rush hides the position, from pictures as well.
            Command::from(Action::Picture.hint())
                .shown_if(false)
                .labelled("Save a picture")
                .only_if(self.running_rush().is_none()),
            Command::entry("Settings", [Effect::Open(Destination::Settings)]).typed_as("settings"),
            entry("End the rush", "end", PuzzleCommand::EndRush)
                .only_if(is_rush && !has_ended)
                .final_if(true),
            Command::entry("Leave", [Effect::Pop]).only_if(!is_rush || has_ended),
        ]
    }
}
