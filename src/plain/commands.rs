//! The commands of plain mode: the words that can be typed instead of a move.

use crate::action::Action;

/// A command of plain mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlainCommand {
    Board,
    Score,
    Clock,
    Moves,
    Hint,
    Values,
    Chains,
    Undo,
    Redo,
    NextVariation,
    Draw,
    Agree,
    Resign,
    Rematch,
    Rules,
    Help,
    Quit,
}

/// All commands with what they do, in the order of the help.
const COMMANDS: [(PlainCommand, &str); 17] = [
    (PlainCommand::Board, "what is on the board"),
    (PlainCommand::Score, "the score"),
    (PlainCommand::Clock, "how much time is left"),
    (PlainCommand::Moves, "all moves that can be played now"),
    (PlainCommand::Hint, "a good move, and why"),
    (PlainCommand::Values, "what each move is worth"),
    (PlainCommand::Chains, "which chains and loops there are, and which lines are safe"),
    (PlainCommand::Undo, "take back the last move; repeat to go back further"),
    (PlainCommand::Redo, "play again the move that was taken back"),
    (PlainCommand::NextVariation, "make redo follow the next variation"),
    (PlainCommand::Draw, "offer a draw"),
    (PlainCommand::Agree, "agree to the draw that was offered"),
    (PlainCommand::Resign, "give up; add a name to give up for that player"),
    (PlainCommand::Rematch, "play again, once the match is over"),
    (PlainCommand::Rules, "the rules of the game"),
    (PlainCommand::Help, "list these commands"),
    (PlainCommand::Quit, "leave; the match stays saved"),
];

/// Which command a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FoundCommand {
    /// The text is the name of this command, or begins its name and no other.
    One(PlainCommand),
    /// The names of these commands begin like this.
    Several(Vec<PlainCommand>),
    /// None.
    None,
}

impl PlainCommand {
    /// The word to type. If a key does the same, it is the word that the footer shows for that key.
    pub fn name(self) -> &'static str {
        let action = match self {
            PlainCommand::Board => return "board",
            PlainCommand::Score => return "score",
            PlainCommand::Clock => return "clock",
            PlainCommand::Moves => return "moves",
            PlainCommand::Draw => return "draw",
            PlainCommand::Agree => return "agree",
            PlainCommand::Resign => return "resign",
            PlainCommand::Rematch => return "rematch",
            PlainCommand::Rules => return "rules",
            PlainCommand::Hint => Action::Hint,
            PlainCommand::Values => Action::Values,
            PlainCommand::Chains => Action::Chains,
            PlainCommand::Undo => Action::Undo,
            PlainCommand::Redo => Action::Redo,
            PlainCommand::NextVariation => Action::NextVariation,
            PlainCommand::Help => Action::Help,
            PlainCommand::Quit => Action::Quit,
        };
        action.hint().does
    }

    /// The command that a text names, in full or by its beginning.
    pub fn find(text: &str) -> FoundCommand {
        let text = text.to_lowercase();
        let commands = || COMMANDS.iter().map(|(command, _)| *command);
        if let Some(command) = commands().find(|command| command.name() == text) {
            return FoundCommand::One(command);
        }
        let begun: Vec<PlainCommand> = commands()
            .filter(|command| !text.is_empty() && command.name().starts_with(&text))
            .collect();
        match begun[..] {
            [] => FoundCommand::None,
            [command] => FoundCommand::One(command),
            _ => FoundCommand::Several(begun),
        }
    }

    /// A line of help for each command; for the one that tells the notes of a game only if it has any.
    pub fn help(has_notes: bool) -> impl Iterator<Item = String> {
        let works = move |command: PlainCommand| has_notes || command != PlainCommand::Chains;
        COMMANDS
            .iter()
            .filter(move |(command, _)| works(*command))
            .map(|(command, does)| format!("{}: {does}.", command.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_found_by_an_unambiguous_beginning() {
        assert_eq!(PlainCommand::find("board"), FoundCommand::One(PlainCommand::Board));
        assert_eq!(PlainCommand::find("UNDO"), FoundCommand::One(PlainCommand::Undo));
        assert_eq!(PlainCommand::find("q"), FoundCommand::One(PlainCommand::Quit));
        assert_eq!(
            PlainCommand::find("h"),
            FoundCommand::Several(vec![PlainCommand::Hint, PlainCommand::Help])
        );
        assert_eq!(PlainCommand::find("redo"), FoundCommand::One(PlainCommand::Redo));
        for text in ["", "undoes", "a1", "B1-B5", "é"] {
            assert_eq!(PlainCommand::find(text), FoundCommand::None, "{text}");
        }
    }

    #[test]
    fn no_two_commands_are_the_same_and_none_is_a_move() {
        use crate::catalogue::GAMES;
        for (at, (command, _)) in COMMANDS.iter().enumerate() {
            assert!(COMMANDS[at + 1..].iter().all(|(other, _)| other.name() != command.name()));
            for entry in &GAMES {
                let mut game = (entry.start)(&crate::rules::Setup::new()).unwrap();
                assert!(game.play(command.name()).is_err(), "{} {}", entry.id, command.name());
            }
        }
    }
}
