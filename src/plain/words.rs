//! The words of plain mode: what can be said besides a move.

use crate::action::Action;

/// What a word asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
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

/// All words with what they do, in the order in which help names them.
const WORDS: [(Word, &str); 16] = [
    (Word::Board, "what is on the board"),
    (Word::Score, "how the match stands"),
    (Word::Clock, "how much time is left"),
    (Word::Moves, "all moves that can be played now"),
    (Word::Hint, "a good move, and why"),
    (Word::Values, "what each move is worth"),
    (Word::Undo, "take the last move back, as far as the start"),
    (Word::Redo, "play again what was taken back"),
    (Word::OtherLine, "have redo follow the next of the lines that part here"),
    (Word::Draw, "offer a draw"),
    (Word::Agree, "agree on a draw that is offered"),
    (Word::Resign, "give up; with a name behind it, for that player"),
    (Word::Rematch, "play the same again, once the match is over"),
    (Word::Rules, "the rules of the game"),
    (Word::Help, "these words"),
    (Word::Quit, "leave; the match is kept"),
];

/// What a text is that may be a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// This word, or the beginning of no other one.
    One(Word),
    /// The beginning of both of these.
    Several(Word, Word),
    /// None.
    None,
}

impl Word {
    /// How it is typed. What can be done by a key too has one name for both.
    pub fn name(self) -> &'static str {
        let action = match self {
            Word::Board => return "board",
            Word::Score => return "score",
            Word::Clock => return "clock",
            Word::Moves => return "moves",
            Word::Draw => return "draw",
            Word::Agree => return "agree",
            Word::Resign => return "resign",
            Word::Rematch => return "rematch",
            Word::Rules => return "rules",
            Word::Hint => Action::Hint,
            Word::Values => Action::Values,
            Word::Undo => Action::Undo,
            Word::Redo => Action::Redo,
            Word::OtherLine => Action::OtherLine,
            Word::Help => Action::Help,
            Word::Quit => Action::Quit,
        };
        action.hint().does
    }

    /// The word that a text is, whole or as far as no other begins so.
    pub fn find(text: &str) -> Found {
        let text = text.to_lowercase();
        let words = || WORDS.iter().map(|(word, _)| *word);
        if let Some(word) = words().find(|word| word.name() == text) {
            return Found::One(word);
        }
        let mut begin = words().filter(|word| !text.is_empty() && word.name().starts_with(&text));
        match (begin.next(), begin.next()) {
            (None, _) => Found::None,
            (Some(word), None) => Found::One(word),
            (Some(word), Some(other)) => Found::Several(word, other),
        }
    }

    /// A line on each word.
    pub fn help() -> impl Iterator<Item = String> {
        WORDS.iter().map(|(word, does)| format!("{}: {does}.", word.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_as_much_as_tells_it_from_others() {
        assert_eq!(Word::find("board"), Found::One(Word::Board));
        assert_eq!(Word::find("UNDO"), Found::One(Word::Undo));
        assert_eq!(Word::find("q"), Found::One(Word::Quit));
        assert_eq!(Word::find("h"), Found::Several(Word::Hint, Word::Help));
        assert_eq!(Word::find("redo"), Found::One(Word::Redo));
        for text in ["", "undoes", "a1", "B1-B5", "é"] {
            assert_eq!(Word::find(text), Found::None, "{text}");
        }
    }

    #[test]
    fn no_two_words_are_the_same_and_none_is_a_move() {
        use crate::catalogue::GAMES;
        for (at, (word, _)) in WORDS.iter().enumerate() {
            assert!(WORDS[at + 1..].iter().all(|(other, _)| other.name() != word.name()));
            for entry in &GAMES {
                let mut game = (entry.start)(&crate::rules::Setup::new()).unwrap();
                assert!(game.play(word.name()).is_err(), "{} {}", entry.id, word.name());
            }
        }
    }
}
