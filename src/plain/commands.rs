//! The commands of plain mode: the words that can be typed instead of a move.

use crate::action::Action;

/// A command of plain mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Board,
    Score,
    Clock,
    Moves,
    Hint,
    Values,
    Undo,
    Redo,
    OtherLine,
    Draw,
    Agree,
    Resign,
    Rematch,
    Rules,
    Help,
    Quit,
}

/// All commands with what they do, in the order of the help.
const COMMANDS: [(Command, &str); 16] = [
    (Command::Board, "what is on the board"),
    (Command::Score, "how the match stands"),
    (Command::Clock, "how much time is left"),
    (Command::Moves, "all moves that can be played now"),
    (Command::Hint, "a good move, and why"),
    (Command::Values, "what each move is worth"),
    (Command::Undo, "take the last move back, as far as the start"),
    (Command::Redo, "play again what was taken back"),
    (Command::OtherLine, "have redo follow the next of the lines that part here"),
    (Command::Draw, "offer a draw"),
    (Command::Agree, "agree on a draw that is offered"),
    (Command::Resign, "give up; with a name behind it, for that player"),
    (Command::Rematch, "play the same again, once the match is over"),
    (Command::Rules, "the rules of the game"),
    (Command::Help, "these words"),
    (Command::Quit, "leave; the match is kept"),
];

/// Which command a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// This command, in full or as much as no other begins with.
    One(Command),
    /// The beginning of both of these.
    Several(Command, Command),
    /// None.
    None,
}

impl Command {
    /// The word to type. A command that also has a key has the name of that action.
    pub fn name(self) -> &'static str {
        let action = match self {
            Command::Board => return "board",
            Command::Score => return "score",
            Command::Clock => return "clock",
            Command::Moves => return "moves",
            Command::Draw => return "draw",
            Command::Agree => return "agree",
            Command::Resign => return "resign",
            Command::Rematch => return "rematch",
            Command::Rules => return "rules",
            Command::Hint => Action::Hint,
            Command::Values => Action::Values,
            Command::Undo => Action::Undo,
            Command::Redo => Action::Redo,
            Command::OtherLine => Action::OtherLine,
            Command::Help => Action::Help,
            Command::Quit => Action::Quit,
        };
        action.hint().does
    }

    /// The command that a text names, in full or by its beginning.
    pub fn find(text: &str) -> Found {
        let text = text.to_lowercase();
        let commands = || COMMANDS.iter().map(|(command, _)| *command);
        if let Some(command) = commands().find(|command| command.name() == text) {
            return Found::One(command);
        }
        let mut begin =
            commands().filter(|command| !text.is_empty() && command.name().starts_with(&text));
        match (begin.next(), begin.next()) {
            (None, _) => Found::None,
            (Some(command), None) => Found::One(command),
            (Some(command), Some(other)) => Found::Several(command, other),
        }
    }

    /// A line of help for each command.
    pub fn help() -> impl Iterator<Item = String> {
        COMMANDS.iter().map(|(word, does)| format!("{}: {does}.", word.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_as_much_as_tells_it_from_others() {
        assert_eq!(Command::find("board"), Found::One(Command::Board));
        assert_eq!(Command::find("UNDO"), Found::One(Command::Undo));
        assert_eq!(Command::find("q"), Found::One(Command::Quit));
        assert_eq!(Command::find("h"), Found::Several(Command::Hint, Command::Help));
        assert_eq!(Command::find("redo"), Found::One(Command::Redo));
        for text in ["", "undoes", "a1", "B1-B5", "é"] {
            assert_eq!(Command::find(text), Found::None, "{text}");
        }
    }

    #[test]
    fn no_two_words_are_the_same_and_none_is_a_move() {
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
