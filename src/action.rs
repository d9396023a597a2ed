//! What can be done at the keyboard: the one list of actions and their keys.
//!
//! Boards and screens name actions; which keys stand for them is said here and nowhere else. Two
//! actions may share a key as long as no screen has both at a time.

use Key::{Control, Plain};
use crossterm::event::KeyCode::{
    BackTab, Backspace, Char, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::fmt;

/// A key, alone or with Control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A key with neither Control nor Alt. Shift is part of what it types.
    Plain(KeyCode),
    /// A letter with Control.
    Control(char),
}

/// Actions that help and settings name together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The actions, in the order of their keys.
    pub actions: &'static [Action],
    /// What they do in a word.
    pub does: &'static str,
    /// What they do in a sentence, without its full stop.
    pub sentence: &'static str,
}

macro_rules! list {
    ($($does:literal, $sentence:literal: $($action:ident [$($key:expr),+]),+;)+) => {
        /// What can be done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action {
            $($(#[doc = $sentence] $action,)+)+
        }

        /// All actions, in the order in which help names them.
        pub const LIST: &[Listed] = &[$(Listed {
            actions: &[$(Action::$action),+],
            does: $does,
            sentence: $sentence,
        }),+];

        impl Action {
            /// Its keys, the one that is named first.
            pub const fn keys(self) -> &'static [Key] {
                match self {
                    $($(Action::$action => &[$($key),+],)+)+
                }
            }

            /// What it does in a word.
            const fn does(self) -> &'static str {
                match self {
                    $($(Action::$action => $does,)+)+
                }
            }

            const fn alone(self) -> &'static [Action] {
                match self {
                    $($(Action::$action => &[Action::$action],)+)+
                }
            }
        }
    };
}

list! {
    "move", "move the cursor, or what is shown":
        Left [Plain(Left), Plain(Char('h'))],
        Down [Plain(Down), Plain(Char('j'))],
        Up [Plain(Up), Plain(Char('k'))],
        Right [Plain(Right), Plain(Char('l'))];
    "change", "turn to the previous or the next value":
        PreviousValue [Plain(Left), Plain(Char('h'))],
        NextValue [Plain(Right), Plain(Char('l'))];
    "step", "go a move back or on":
        StepBack [Plain(Left), Plain(Char('h'))],
        StepOn [Plain(Right), Plain(Char('l'))];
    "leap", "go ten moves back or on, or to where lines part, if that is nearer":
        LeapBack [Plain(Up), Plain(Char('k'))],
        LeapOn [Plain(Down), Plain(Char('j'))];
    "choose", "choose what is under the cursor, or confirm":
        Choose [Plain(Enter), Plain(Char(' '))];
    "next page", "go a page on":
        NextPage [Plain(Char(' ')), Plain(Enter)];
    "keep", "keep what is typed":
        Confirm [Plain(Enter)];
    "drop", "drop what is typed":
        Cancel [Plain(Esc)];
    "back", "go a step back; in a match, drop what is half made or pause":
        Back [Plain(Esc)];
    "next", "go to the next or the previous place that can be chosen":
        Next [Plain(Tab)],
        Previous [Plain(BackTab)];
    "ends", "go to the start or to the end":
        First [Plain(Char('g')), Plain(Home)],
        Last [Plain(Char('G')), Plain(End)];
    "page", "go a page up or down":
        PageUp [Plain(PageUp)],
        PageDown [Plain(PageDown)];
    "go to", "type the number of a place, or a value":
        Digit0 [Plain(Char('0'))],
        Digit1 [Plain(Char('1'))],
        Digit2 [Plain(Char('2'))],
        Digit3 [Plain(Char('3'))],
        Digit4 [Plain(Char('4'))],
        Digit5 [Plain(Char('5'))],
        Digit6 [Plain(Char('6'))],
        Digit7 [Plain(Char('7'))],
        Digit8 [Plain(Char('8'))],
        Digit9 [Plain(Char('9'))];
    "erase", "erase the last digit":
        Erase [Plain(Backspace)];
    "type", "type a move as text":
        Type [Plain(Char(':'))];
    "undo", "take the last move back, as far as the start":
        Undo [Plain(Char('u'))];
    "redo", "play again what was taken back":
        Redo [Plain(Char('r'))];
    "line", "turn to the next of the lines that part here":
        OtherLine [Plain(Char('v'))];
    "hint", "ask an engine for a good move":
        Hint [Plain(Char('H'))];
    "values", "show what every move is worth, or hide it":
        Values [Plain(Char('a'))];
    "run", "play the moves one after the other, or stop":
        Run [Plain(Char(' '))];
    "pace", "play them faster or slower":
        Faster [Plain(Char('+')), Plain(Char('='))],
        Slower [Plain(Char('-'))];
    "review", "have an engine look at every move, or put the review away":
        Review [Plain(Char('a'))];
    "mistakes", "go to the next or the previous mistake":
        NextMistake [Plain(Char('n'))],
        PreviousMistake [Plain(Char('N'))];
    "play", "begin a new match with the moves so far; the record stays as it is":
        BranchOff [Plain(Char('b'))];
    "find", "show only what has the words you type":
        Find [Plain(Char('/'))];
    "wins", "count who has won how often against whom":
        Results [Plain(Char('t'))];
    "copy", "write a copy to a file":
        Export [Plain(Char('e'))];
    "name", "give it another name":
        Rename [Plain(Char('n'))];
    "delete", "delete it, after a question":
        Delete [Plain(Char('d'))];
    "theme", "turn to the next theme":
        NextTheme [Plain(Char('T'))];
    "help", "show what can be done on this screen":
        Help [Plain(Char('?'))];
    "leave", "leave this screen; a match is kept":
        Leave [Plain(Char('q'))];
    "quit", "leave the program at once; a match is kept":
        Quit [Control('c')];
    "suspend", "suspend the program":
        Suspend [Control('z')];
}

/// The four arrows.
pub const ARROWS: &[Action] = &[Action::Left, Action::Down, Action::Up, Action::Right];

/// The digits in their order.
pub const DIGITS: &[Action] = &[
    Action::Digit0,
    Action::Digit1,
    Action::Digit2,
    Action::Digit3,
    Action::Digit4,
    Action::Digit5,
    Action::Digit6,
    Action::Digit7,
    Action::Digit8,
    Action::Digit9,
];

impl Action {
    /// The action among these that a key stands for.
    pub fn of(key: &KeyEvent, among: &[Action]) -> Option<Action> {
        among.iter().copied().find(|action| action.keys().iter().any(|it| it.is(key)))
    }

    /// The digit it types.
    pub fn digit(self) -> Option<u8> {
        (0..).zip(DIGITS).find_map(|(digit, action)| (*action == self).then_some(digit))
    }

    /// It with its own word.
    pub const fn hint(self) -> Hint {
        self.to(self.does())
    }

    /// It with the word for what it does at this moment.
    pub const fn to(self, does: &'static str) -> Hint {
        Hint { actions: self.alone(), does }
    }
}

/// The name of its first key.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&self.keys()[0].to_string())
    }
}

/// What can be done at this moment, as the last line of the screen names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Actions that are named together.
    pub actions: &'static [Action],
    /// What they do in a word; nothing where the key says it all.
    pub does: &'static str,
}

impl Hint {
    /// These actions with one word for all.
    pub const fn new(actions: &'static [Action], does: &'static str) -> Hint {
        Hint { actions, does }
    }

    /// Whether it is about arrow keys, of which everybody thinks.
    pub fn is_about_arrows(&self) -> bool {
        are_arrows(self.actions)
    }

    /// Whether it names this action.
    pub fn names(&self, action: Action) -> bool {
        self.actions.contains(&action)
    }
}

/// Whether the arrow keys do these, one each.
fn are_arrows(actions: &[Action]) -> bool {
    let is_arrow = |key| matches!(key, Plain(Left | Down | Up | Right));
    actions.iter().all(|action| is_arrow(action.keys()[0]))
}

/// The keys of actions that are named together: `arrows`, `0-9`, `r/v`.
pub fn label(actions: &[Action]) -> String {
    match actions {
        [_, _, _, _] if are_arrows(actions) => "arrows".to_owned(),
        [first, .., last] if actions.iter().all(|it| it.digit().is_some()) => {
            format!("{first}-{last}")
        }
        _ => actions.iter().map(Action::to_string).collect::<Vec<_>>().join("/"),
    }
}

/// The same with all keys that do it: `Enter, Space`.
pub fn all_keys(actions: &[Action]) -> String {
    let others = actions.iter().flat_map(|action| &action.keys()[1..]).map(Key::to_string);
    let others = others.collect::<Vec<_>>().join(" ");
    let label = label(actions);
    if others.is_empty() { label } else { format!("{label}, {others}") }
}

impl Key {
    fn is(self, key: &KeyEvent) -> bool {
        let held = |which| key.modifiers.intersects(which);
        match self {
            Plain(_) if held(KeyModifiers::CONTROL | KeyModifiers::ALT) => false,
            Plain(BackTab) if key.code == Tab => held(KeyModifiers::SHIFT),
            Plain(Tab) if held(KeyModifiers::SHIFT) => false,
            Plain(code) => key.code == code,
            Control(letter) => held(KeyModifiers::CONTROL) && key.code == Char(letter),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Control(letter) => return write!(f, "Ctrl-{}", letter.to_ascii_uppercase()),
            Plain(Char(' ')) => "Space",
            Plain(Char(letter)) => return letter.fmt(f),
            Plain(Left) => "left",
            Plain(Down) => "down",
            Plain(Up) => "up",
            Plain(Right) => "right",
            Plain(BackTab) => "Shift-Tab",
            Plain(Enter) => "Enter",
            Plain(Esc) => "Esc",
            Plain(Tab) => "Tab",
            Plain(Home) => "Home",
            Plain(End) => "End",
            Plain(Backspace) => "Backspace",
            Plain(PageUp) => "PgUp",
            Plain(PageDown) => "PgDn",
            Plain(code) => return code.fmt(f),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stands_for_one_action_of_a_screen() {
        let plain = |code| KeyEvent::new(code, KeyModifiers::NONE);
        let among = [Action::Right, Action::Values, Action::Quit, Action::Next, Action::Previous];
        let of = |key| Action::of(&key, &among);
        assert_eq!(of(plain(Char('l'))), Some(Action::Right));
        assert_eq!(of(plain(Char('a'))), Some(Action::Values));
        assert_eq!(of(plain(Char('h'))), None);
        assert_eq!(of(plain(Char('c'))), None);
        assert_eq!(of(KeyEvent::new(Char('c'), KeyModifiers::CONTROL)), Some(Action::Quit));
        assert_eq!(of(KeyEvent::new(Char('a'), KeyModifiers::CONTROL)), None);
        assert_eq!(of(KeyEvent::new(Char('a'), KeyModifiers::ALT)), None);
        assert_eq!(of(plain(Tab)), Some(Action::Next));
        for key in [plain(BackTab), KeyEvent::new(Tab, KeyModifiers::SHIFT)] {
            assert_eq!(of(key), Some(Action::Previous));
        }
    }

    #[test]
    fn actions_are_named_by_their_keys() {
        assert_eq!(label(ARROWS), "arrows");
        assert_eq!(label(DIGITS), "0-9");
        assert_eq!(label(&DIGITS[1..5]), "1-4");
        assert_eq!(label(&[Action::Redo, Action::OtherLine]), "r/v");
        assert_eq!(all_keys(ARROWS), "arrows, h j k l");
        assert_eq!(all_keys(&[Action::Choose]), "Enter, Space");
        assert_eq!(all_keys(&[Action::Quit]), "Ctrl-C");
        let names = [Action::Back, Action::Erase, Action::First, Action::Last, Action::Previous];
        assert_eq!(label(&names), "Esc/Backspace/g/G/Shift-Tab");
    }

    #[test]
    fn every_action_is_listed_once_and_said_in_few_words() {
        for (at, listed) in LIST.iter().enumerate() {
            assert!(listed.sentence.len() <= 70 && listed.does.len() <= 9, "{listed:?}");
            let others = LIST[at + 1..].iter().flat_map(|it| it.actions);
            assert!(others.into_iter().all(|other| !listed.actions.contains(other)));
        }
    }
}
