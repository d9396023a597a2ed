//! Keyboard actions: the list of all actions and their keys.
//!
//! Boards and screens refer to actions by name. This list holds their default keys, and a [`Keymap`] holds the user's
//! changes. Two actions may share a key unless both are available on the same screen.

mod key;
mod keymap;

pub use key::{Key, ParseKeyError};
pub use keymap::{Conflict, KeySet, Keymap};

use Key::{Control, Plain};
use crossterm::event::KeyCode::{
    BackTab, Backspace, Char, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up,
};
use crossterm::event::{KeyEvent, KeyModifiers};
use std::slice;

/// The kinds of screens on which an action is available, one bit each.
type Screens = u16;
const MATCH: Screens = 1;
const PUZZLE: Screens = 256;
const BOARD: Screens = MATCH | PUZZLE;
const WATCHING: Screens = 2;
const NUMBER: Screens = 4;
const REPLAY: Screens = WATCHING | NUMBER;
const LISTS: Screens = 8;
/// Forms and settings, where the user changes values.
const VALUES: Screens = 16;
const KEYS: Screens = 128;
const FORM: Screens = VALUES | KEYS;
const READER: Screens = 32;
const TYPING: Screens = 64;
const NOT_TYPING: Screens = BOARD | REPLAY | LISTS | FORM | READER;

/// Actions that the help screen and the settings list together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    pub actions: &'static [Action],
    pub hint: &'static str,
    /// What the actions do, in a sentence without its full stop.
    pub sentence: &'static str,
}

macro_rules! list {
    ($($hint:literal, $sentence:literal:
        $($action:ident $($label:literal)? [$($key:expr),+] $screens:expr
            $(=> $words:literal $(: $own:literal)?)?),+;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Action {
            $($(#[doc = $sentence] $action,)+)+
        }

        /// All actions, in the order of the help screen.
        pub const LIST: &[Listed] = &[$(Listed {
            actions: &[$(Action::$action),+],
            hint: $hint,
            sentence: $sentence,
        }),+];

        impl Action {
            pub const ALL: &[Action] = &[$($(Action::$action),+),+];
        }

        const DECLARED: &[Declared] = &[$($(
            Declared {
                keys: &[$($key),+],
                screens: $screens,
                hint: $hint,
                label: concat!($($label)?),
                words: concat!($($words)?),
                sentence: concat!($($($own)?)?),
            }
        ),+),+];
    };
}

struct Declared {
    keys: &'static [Key],
    screens: Screens,
    hint: &'static str,
    /// The label on screens; empty if the action's name is enough.
    label: &'static str,
    /// The words in plain mode, separated by spaces, the usual one first. None for actions that only move a cursor or
    /// have no effect that can be told.
    words: &'static str,
    /// What the action does alone, if it shares the sentence of the list with others.
    sentence: &'static str,
}

list! {
    "move", "move the cursor, or scroll":
        Left [Plain(Left), Plain(Char('h'))] BOARD | LISTS,
        Down [Plain(Down), Plain(Char('j'))] BOARD | LISTS | FORM | READER,
        Up [Plain(Up), Plain(Char('k'))] BOARD | LISTS | FORM | READER,
        Right [Plain(Right), Plain(Char('l'))] BOARD | LISTS;
    "change", "go to the previous or the next value":
        PreviousValue [Plain(Left), Plain(Char('h'))] FORM,
        NextValue [Plain(Right), Plain(Char('l'))] FORM;
    "step", "step one move back or forward":
        StepBack [Plain(Left), Plain(Char('h'))] REPLAY => "back": "step one move back",
        StepOn "step forward" [Plain(Right), Plain(Char('l'))] REPLAY => "next": "step one move forward";
    "leap", "jump ten moves, stopping where a variation begins":
        LeapBack "ten moves back" [Plain(Up), Plain(Char('k'))] REPLAY,
        LeapOn "ten moves forward" [Plain(Down), Plain(Char('j'))] REPLAY;
    "choose", "choose what is under the cursor, or confirm":
        Choose [Plain(Enter), Plain(Char(' '))] BOARD | LISTS | FORM;
    "next page", "go to the next page":
        NextPage [Plain(Char(' ')), Plain(Enter)] READER;
    "done", "finish typing, and use the text":
        Confirm "finish typing" [Plain(Enter)] TYPING | NUMBER;
    "cancel", "cancel typing":
        Cancel "cancel typing" [Plain(Esc)] TYPING | NUMBER;
    "back", "go back; in a match, cancel a half-made move, or pause":
        Back [Plain(Esc)] BOARD | WATCHING | LISTS | FORM | READER => "back";
    "next", "move to the next or previous place you can choose":
        Next "next place" [Plain(Tab)] BOARD | LISTS | FORM,
        Previous "previous place" [Plain(BackTab)] BOARD | LISTS | FORM;
    "start/end", "jump to the start or end":
        First "to the start" [Plain(Home), Plain(Char('g'))] REPLAY | LISTS | FORM | READER,
        Last "to the end" [Plain(End), Plain(Char('G'))] REPLAY | LISTS | FORM | READER;
    "page", "page up or down; in a lesson, previous or next step":
        PageUp [Plain(PageUp)] MATCH | LISTS | FORM | READER,
        PageDown [Plain(PageDown)] MATCH | LISTS | FORM | READER;
    "go to", "type the number of a dot, move or entry, or a value in the setup":
        Digit0 [Plain(Char('0'))] BOARD | REPLAY | LISTS | FORM,
        Digit1 [Plain(Char('1'))] BOARD | REPLAY | LISTS | FORM,
        Digit2 [Plain(Char('2'))] BOARD | REPLAY | LISTS | FORM,
        Digit3 [Plain(Char('3'))] BOARD | REPLAY | LISTS | FORM,
        Digit4 [Plain(Char('4'))] BOARD | REPLAY | LISTS | FORM,
        Digit5 [Plain(Char('5'))] BOARD | REPLAY | LISTS | FORM,
        Digit6 [Plain(Char('6'))] BOARD | REPLAY | LISTS | FORM,
        Digit7 [Plain(Char('7'))] BOARD | REPLAY | LISTS | FORM,
        Digit8 [Plain(Char('8'))] BOARD | REPLAY | LISTS | FORM,
        Digit9 [Plain(Char('9'))] BOARD | REPLAY | LISTS | FORM;
    "erase", "erase the last digit":
        Erase [Plain(Backspace)] REPLAY | VALUES;
    "erase", "erase the last digit, or unpick the first dot":
        EraseNumber "erase a number" [Plain(Backspace)] BOARD;
    "default", "restore the default keys of the action":
        Reset [Plain(Backspace)] KEYS => "default";
    "type", "type a move as text":
        Type [Plain(Char(':'))] BOARD;
    "undo", "take back the last move; repeat to go further":
        Undo [Plain(Char('u'))] MATCH => "undo takeback";
    "redo", "redo the move taken back":
        Redo [Plain(Char('r'))] MATCH => "redo";
    "rematch", "play a rematch with swapped sides, once the match has ended":
        Rematch [Plain(Char('R'))] MATCH | LISTS;
    "overdue", "claim the win, or give more time, if an opponent is overdue":
        Overdue [Plain(Char('o'))] MATCH => "overdue";
    "variation", "switch to the next variation":
        NextVariation [Plain(Char('v'))] MATCH | REPLAY => "variation";
    "hint", "ask an engine for a good move":
        Hint [Plain(Char('H'))] BOARD => "hint";
    "values", "show or hide the value of every move":
        Values [Plain(Char('a'))] MATCH => "values";
    "chains", "show or hide chains and loops":
        Chains [Plain(Char('c'))] MATCH => "chains";
    "next", "with days per move, open the next match that waits for you":
        NextMatch [Plain(Char('N'))] MATCH => "next";
    "puzzle", "next puzzle; after an attempt, give up this one":
        NextPuzzle [Plain(Char('n'))] PUZZLE => "next skip";
    "copy", "copy the result of a daily puzzle or a rush":
        CopyResult [Plain(Char('y'))] PUZZLE | LISTS => "copy";
    "easier", "solve an easier puzzle than the daily one":
        EasierPuzzle [Plain(Char('e'))] PUZZLE => "easier";
    "puzzles", "solve the mistakes of this match as puzzles":
        OwnMistakes [Plain(Char('m'))] REPLAY | LISTS | PUZZLE => "puzzles";
    "autoplay", "start or stop autoplay":
        Run [Plain(Char(' '))] REPLAY;
    "speed", "make autoplay faster or slower":
        Faster [Plain(Char('+')), Plain(Char('='))] REPLAY,
        Slower [Plain(Char('-'))] REPLAY;
    "review", "start or close the review of all moves":
        Review [Plain(Char('a'))] REPLAY => "review";
    "mistakes", "go to the next or the previous mistake":
        NextMistake [Plain(Char('n'))] REPLAY => "mistakes mistake": "go to the next mistake",
        PreviousMistake [Plain(Char('N'))] REPLAY => "previous": "go to the previous mistake";
    "play on", "continue from here in a new match; the record stays unchanged":
        BranchOff "play on from here" [Plain(Char('b'))] REPLAY => "play_on";
    "find", "search the list":
        Find [Plain(Char('/'))] LISTS => "find";
    "wins", "show your statistics and head-to-head results":
        Results [Plain(Char('t'))] LISTS => "wins";
    "tables", "show the next or previous table of a tournament":
        NextTable [Plain(Char('v'))] LISTS => "tables": "show the next table of a tournament",
        PreviousTable [Plain(Char('V'))] LISTS;
    "export", "save a copy as a file":
        Export [Plain(Char('e'))] LISTS => "export";
    "rename", "rename the selected record":
        Rename [Plain(Char('n'))] LISTS => "rename";
    "rename", "rename a player, in earlier and later records":
        RenamePlayer [Plain(Char('n'))] READER => "rename";
    "reset", "start over with your own numbers, after confirmation":
        StartOver [Plain(Char('O'))] READER => "reset";
    "delete", "delete the selected match, after confirmation":
        Delete [Plain(Char('d'))] LISTS => "delete";
    "learn", "open the lessons":
        Learn [Plain(Char('L'))] LISTS;
    "start", "start the match":
        Start [Plain(Char('s'))] VALUES => "start";
    "say", "send a message to the table":
        Say [Plain(Char('s'))] MATCH => "say";
    "answer", "accept a request, or decline or withdraw it":
        Agree [Plain(Char('y'))] MATCH => "agree yes y": "accept a request",
        Refuse [Plain(Char('n'))] MATCH => "no n refuse decline": "decline a request, or withdraw your own";
    "picture", "save a picture of the board as a file":
        Picture [Plain(Char('p'))] BOARD | REPLAY => "picture";
    "theme", "switch to the next theme":
        NextTheme [Plain(Char('T'))] NOT_TYPING;
    "help", "show help for this screen":
        Help [Plain(Char('?'))] NOT_TYPING => "help";
    "leave", "leave this screen":
        Leave [Plain(Char('q'))] NOT_TYPING => "quit leave back exit";
    "quit", "quit at once; a saved match can be resumed":
        Quit [Control('c')] NOT_TYPING | TYPING;
    "suspend", "suspend the program":
        Suspend [Control('z')] NOT_TYPING | TYPING;
    "redraw", "redraw the screen":
        Redraw [Control('l')] NOT_TYPING | TYPING;
}

pub const CLEAR_FIELD: KeyEvent = KeyEvent::new(Char('u'), KeyModifiers::CONTROL);

pub const ARROWS: &[Action] = &[Action::Left, Action::Down, Action::Up, Action::Right];

pub const DIGITS: &[Action] = Action::ALL.split_at(Action::Digit0 as usize).1.split_at(10).0;

impl Action {
    const fn declared(self) -> &'static Declared {
        &DECLARED[self as usize]
    }

    /// Returns the default keys; screens show the first.
    pub const fn default_keys(self) -> &'static [Key] {
        self.declared().keys
    }

    /// Returns the action's name in the settings: `next-mistake`.
    pub fn name(self) -> String {
        let mut name = String::new();
        for letter in format!("{self:?}").chars() {
            if (letter.is_uppercase() || letter.is_ascii_digit()) && !name.is_empty() {
                name.push('-');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }

    pub fn label(self) -> String {
        match self.declared().label {
            "" => self.name().replace('-', " "),
            label => label.to_owned(),
        }
    }

    pub const fn words(self) -> &'static str {
        self.declared().words
    }

    /// Returns what the action does, in a sentence without its full stop.
    pub fn sentence(self) -> &'static str {
        let listed = || LIST.iter().find(|listed| listed.actions.contains(&self));
        match self.declared().sentence {
            "" => listed().map_or("", |listed| listed.sentence),
            sentence => sentence,
        }
    }

    pub fn named(name: &str) -> Option<Action> {
        Action::ALL.iter().copied().find(|action| action.name() == name)
    }

    /// Returns whether both actions are available on the same screen, so that they cannot share a key.
    pub const fn shares_screen_with(self, other: Action) -> bool {
        self.declared().screens & other.declared().screens != 0
    }

    const fn is_in_matches(self) -> bool {
        self.declared().screens & MATCH != 0
    }

    const fn is_where_text_is_typed(self) -> bool {
        self.declared().screens & TYPING != 0
    }

    /// Returns whether the action loses a default key that the user has bound to a different action.
    const fn yields_keys(self) -> bool {
        matches!(
            self,
            Action::Agree
                | Action::Refuse
                | Action::Redraw
                | Action::NextMatch
                | Action::Rematch
                | Action::Overdue
                | Action::Start
                | Action::EraseNumber
                | Action::CopyResult
                | Action::EasierPuzzle
                | Action::RenamePlayer
                | Action::StartOver
                | Action::Learn
        )
    }

    pub fn digit(self) -> Option<u8> {
        (0..).zip(DIGITS).find_map(|(digit, action)| (*action == self).then_some(digit))
    }

    pub const fn hint(self) -> KeyHint {
        self.to(self.declared().hint)
    }

    /// Returns a hint with a different word, for the action's current effect.
    pub const fn to(self, label: &'static str) -> KeyHint {
        KeyHint { actions: slice::from_ref(&Action::ALL[self as usize]), label }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyHint {
    pub actions: &'static [Action],
    /// What the keys do, in a word; empty if the keys alone are enough.
    pub label: &'static str,
}

impl KeyHint {
    pub const fn new(actions: &'static [Action], label: &'static str) -> KeyHint {
        KeyHint { actions, label }
    }

    /// Returns whether the hint is about the arrow keys, which everybody tries without a hint.
    pub fn is_about_arrows(&self) -> bool {
        are_arrows(self.actions)
    }

    pub fn names(&self, action: Action) -> bool {
        self.actions.contains(&action)
    }
}

fn are_arrows(actions: &[Action]) -> bool {
    actions.iter().all(|action| action.default_keys()[0].is_arrow())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_listed_once_in_few_words() {
        for (at, listed) in LIST.iter().enumerate() {
            assert!(listed.sentence.len() <= 70 && listed.hint.len() <= 9, "{listed:?}");
            let others = LIST[at + 1..].iter().flat_map(|later| later.actions);
            assert!(others.into_iter().all(|other| !listed.actions.contains(other)));
        }
    }

    #[test]
    fn action_name_is_unique_and_round_trips() {
        for action in Action::ALL.iter().copied() {
            assert_eq!(Action::named(&action.name()), Some(action));
        }
        let names = [Action::Undo, Action::PreviousMistake, Action::Digit7].map(Action::name);
        assert_eq!(names, ["undo", "previous-mistake", "digit-7"]);
        assert_eq!(Action::named("Undo"), None);
    }
}
