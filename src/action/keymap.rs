//! The keys of all actions: the defaults in [`LIST`](super::LIST) and the user's changes.

use super::Key::Plain;
use super::{Action, Key};
use crossterm::event::KeyCode::{self, Char, Down, Enter, Left, Right, Up};
use crossterm::event::KeyEvent;
use quadrille_text::key_layout;
use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keymap {
    changed: BTreeMap<Action, Vec<Key>>,
    /// The sets that currently move the cursor and choose; empty unless two people share the keyboard.
    sets: &'static [KeySet],
}

/// The keys of one of two people who share a keyboard. `{}` names the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySet {
    /// `W A S D` and `F`.
    Letters,
    Arrows,
}

/// A letter as typed without and with Shift or Caps Lock.
const fn both_cases(letter: char) -> [Key; 2] {
    [Plain(Char(letter)), Plain(Char(letter.to_ascii_uppercase()))]
}

impl KeySet {
    pub const BOTH: &[KeySet] = &[KeySet::Letters, KeySet::Arrows];

    /// The keys that go left, down, up and right, and that choose. Screens show the first of each.
    const LETTERS: [[Key; 2]; 5] =
        [both_cases('a'), both_cases('s'), both_cases('w'), both_cases('d'), both_cases('f')];

    const ARROWS: [[Key; 1]; 5] =
        [[Plain(Left)], [Plain(Down)], [Plain(Up)], [Plain(Right)], [Plain(Enter)]];

    /// Returns this set alone.
    pub const fn alone(self) -> &'static [KeySet] {
        match self {
            KeySet::Letters => &[KeySet::Letters],
            KeySet::Arrows => &[KeySet::Arrows],
        }
    }

    const fn keys(self, index: usize) -> &'static [Key] {
        match self {
            KeySet::Letters => &KeySet::LETTERS[index],
            KeySet::Arrows => &KeySet::ARROWS[index],
        }
    }

    /// Returns the index of the arrow or Enter that is among the default keys of an action. Text fields keep Enter.
    fn index_for(action: Action) -> Option<usize> {
        let is_key = |[key]: &[Key; 1]| action.default_keys().contains(key);
        KeySet::ARROWS.iter().position(is_key).filter(|_| !action.is_where_text_is_typed())
    }

    fn has_letter(key: Key) -> bool {
        KeySet::LETTERS.as_flattened().contains(&key)
    }

    /// Returns whether all letters are free on a screen with these actions, as far as the default keys are concerned.
    pub fn letters_are_free(actions: &[Action]) -> bool {
        !actions.iter().flat_map(|action| action.default_keys()).copied().any(KeySet::has_letter)
    }
}

impl fmt::Display for KeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KeySet::Letters => "WASD and F",
            KeySet::Arrows => "arrows and Enter",
        })
    }
}

/// Why an action cannot have a key. `{}` names the other action as in the settings file, `{:#}` as on the screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The key belongs to a different action that is available on the same screen.
    Taken(Key, Action),
    /// The key has a fixed action.
    Fixed(Key),
    /// The key types or edits text, but the action is available in text fields.
    EditsText(Key),
    NoKey,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Conflict::Taken(key, action) => {
                let action = if f.alternate() { action.label() } else { action.name() };
                write!(f, "{key} is already used for {action:?}")
            }
            Conflict::Fixed(key) => write!(f, "{key} cannot be reassigned"),
            Conflict::EditsText(key) => write!(f, "{key} is reserved for typing text"),
            Conflict::NoKey => f.write_str("an action needs a key"),
        }
    }
}

impl Keymap {
    /// Creates a keymap with these changes. Invalid changes are left out and returned, each with the reason.
    pub fn with(changes: Vec<(Action, Vec<Key>)>) -> (Keymap, Vec<(Action, Conflict)>) {
        let mut keymap = Keymap::default();
        let mut left_out = Vec::new();
        for (action, keys) in changes {
            keymap.set(action, &keys);
        }
        // Check all changes together, because two actions may swap keys. Leaving one change out may resolve other
        // conflicts.
        while let Some((action, conflict)) = keymap.conflict() {
            keymap.changed.remove(&action);
            left_out.push((action, conflict));
        }
        (keymap, left_out)
    }

    /// Binds an action to these keys, in addition to its [fixed](Key::is_fixed) default keys. On error nothing changes.
    pub fn change(&mut self, action: Action, keys: &[Key]) -> Result<(), Conflict> {
        let mut changed = self.clone();
        changed.set(action, keys);
        if let Some(conflict) = changed.conflict_of(action) {
            return Err(conflict);
        }
        *self = changed;
        Ok(())
    }

    /// Restores the default keys of an action; see [`Keymap::change`].
    pub fn reset(&mut self, action: Action) -> Result<(), Conflict> {
        self.change(action, action.default_keys())
    }

    /// Returns the keymap for people who share the keyboard while these sets work. Arrows, Enter and all other cursor
    /// keys belong to the sets, and the letters of a set to no other action. An action may thereby lose its only key.
    #[must_use]
    pub fn with_sets(&self, sets: &'static [KeySet]) -> Keymap {
        let mut keymap = Keymap { sets, ..self.clone() };
        for action in Action::ALL.iter().copied() {
            let own = self.keys(action).iter().copied();
            let keys = match KeySet::index_for(action) {
                Some(index) => sets.iter().flat_map(|set| set.keys(index)).copied().collect(),
                None => own.filter(|key| !KeySet::has_letter(*key)).collect(),
            };
            keymap.changed.insert(action, keys);
        }
        keymap
    }

    /// Returns the user's own keys that have no effect in a match while two people share the keyboard.
    pub fn lost_to_sets(&self) -> impl Iterator<Item = (Action, Key)> {
        let shared = self.with_sets(KeySet::BOTH);
        let in_match = self.changed.iter().filter(|(action, _)| action.is_in_matches());
        let own = in_match.flat_map(|(action, keys)| keys.iter().map(|key| (*action, *key)));
        let own = own.filter(|(action, key)| !action.default_keys().contains(key));
        own.filter(move |(action, key)| !shared.keys(*action).contains(key))
    }

    /// Names the keys that are [lost](Keymap::lost_to_sets), in a sentence without its full stop; `None` if there are
    /// none.
    pub fn lost_in_words(&self) -> Option<String> {
        let lost = self.lost_to_sets().map(|(action, key)| format!("{key} ({})", action.label()));
        let lost: Vec<String> = lost.collect();
        (!lost.is_empty()).then(|| format!("Two key sets override your {}", lost.join(", ")))
    }

    pub fn changes(&self) -> impl Iterator<Item = (Action, &[Key])> {
        self.changed.iter().map(|(action, keys)| (*action, &**keys))
    }

    /// Returns the keys of an action; screens show the first. Actions that yield their keys lose any key that the user
    /// has bound to a different action.
    pub fn keys(&self, action: Action) -> &[Key] {
        match self.changed.get(&action) {
            Some(keys) => keys,
            None if action.yields_keys() && self.has_taken_keys_of(action) => &[],
            None => action.default_keys(),
        }
    }

    fn has_taken_keys_of(&self, action: Action) -> bool {
        let takes = |(other, keys): (&Action, &Vec<Key>)| {
            other.shares_screen_with(action)
                && keys.iter().any(|key| action.default_keys().contains(key))
        };
        self.changed.iter().any(takes)
    }

    /// Returns the one of these actions that is bound to a key. A letter of a different layout that is not bound itself
    /// counts as the letter in its place on a US keyboard.
    pub fn find(&self, key: &KeyEvent, among: &[Action]) -> Option<Action> {
        let on_us_keyboard = || match key.code {
            KeyCode::Char(letter) => {
                let code = KeyCode::Char(key_layout::on_us_keyboard(letter)?);
                self.find_exactly(&KeyEvent { code, ..*key }, among)
            }
            _ => None,
        };
        self.find_exactly(key, among).or_else(on_us_keyboard)
    }

    fn find_exactly(&self, key: &KeyEvent, among: &[Action]) -> Option<Action> {
        among.iter().copied().find(|action| self.keys(*action).iter().any(|bound| bound.is(key)))
    }

    pub fn name(&self, action: Action) -> String {
        self.label(&[action])
    }

    /// Returns a short label for the keys of several actions, such as `arrows`, `0-9` or `r/v`; while two sets work,
    /// for the keys of both: `WASD or arrows`.
    pub fn label(&self, actions: &[Action]) -> String {
        let labels = self.sets.iter().map(|set| self.label_in(Some(*set), actions));
        let mut labels: Vec<String> = labels.collect();
        labels.dedup();
        if labels.is_empty() { self.label_in(None, actions) } else { labels.join(" or ") }
    }

    fn label_in(&self, set: Option<KeySet>, actions: &[Action]) -> String {
        let keys = |action: &Action| match (set, KeySet::index_for(*action)) {
            (Some(set), Some(index)) => set.keys(index),
            _ => self.keys(*action),
        };
        let name = |action| keys(action).first().map_or(String::new(), Key::to_string);
        let names: Vec<String> = actions.iter().map(name).collect();
        let are_digits = || {
            let mut both = actions.iter().zip(&names);
            both.all(|(action, name)| {
                action.digit().is_some_and(|digit| digit.to_string() == *name)
            })
        };
        let has_arrow = |action: &Action| keys(action).iter().any(|key| key.is_arrow());
        match (actions, &*names) {
            ([_, _, _, _], _) if actions.iter().all(has_arrow) => "arrows".to_owned(),
            (super::ARROWS, [left, down, up, right]) => {
                [up, left, down, right].map(|name| name.to_uppercase()).concat()
            }
            ([_, .., _], [first, .., last]) if are_digits() => format!("{first}-{last}"),
            _ => names.join("/"),
        }
    }

    /// Returns all keys of these actions: `Enter, Space`. A set's keys for the other case are omitted.
    pub fn all_keys(&self, actions: &[Action]) -> String {
        let is_of_set =
            |action: &Action| !self.sets.is_empty() && KeySet::index_for(*action).is_some();
        let others = actions.iter().filter(|action| !is_of_set(action));
        let others = others.flat_map(|action| self.keys(*action).iter().skip(1));
        let others = others.map(Key::to_string).collect::<Vec<_>>().join(" ");
        let label = self.label(actions);
        if others.is_empty() { label } else { format!("{label}, {others}") }
    }

    fn set(&mut self, action: Action, keys: &[Key]) {
        let default = action.default_keys();
        let is_missing = |key: &&Key| key.is_fixed() && !keys.contains(key);
        let mut all: Vec<Key> = default.iter().filter(is_missing).copied().collect();
        for key in keys {
            if !all.contains(key) {
                all.push(*key);
            }
        }
        if all == default {
            self.changed.remove(&action);
        } else {
            self.changed.insert(action, all);
        }
    }

    /// Returns a conflicting change, if there is one.
    fn conflict(&self) -> Option<(Action, Conflict)> {
        self.changed.keys().find_map(|action| Some((*action, self.conflict_of(*action)?)))
    }

    fn conflict_of(&self, action: Action) -> Option<Conflict> {
        let keys = self.keys(action);
        let own = action.default_keys();
        let conflict_with = |key: &Key| {
            if key.is_fixed() && !own.contains(key) {
                return Some(Conflict::Fixed(*key));
            }
            if action.is_where_text_is_typed() && key.edits_text() && !own.contains(key) {
                return Some(Conflict::EditsText(*key));
            }
            let mut others = Action::ALL
                .iter()
                .copied()
                .filter(|other| *other != action && other.shares_screen_with(action));
            others
                .find(|other| self.keys(*other).contains(key))
                .map(|other| Conflict::Taken(*key, other))
        };
        if keys.is_empty() { Some(Conflict::NoKey) } else { keys.iter().find_map(conflict_with) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ARROWS, DIGITS};
    use super::*;

    fn keys<const N: usize>(texts: [&str; N]) -> Vec<Key> {
        texts.map(|text| text.parse().unwrap()).to_vec()
    }

    fn change<const N: usize>(action: Action, texts: [&str; N]) -> Result<Keymap, Conflict> {
        let mut keymap = Keymap::default();
        keymap.change(action, &keys(texts)).map(|()| keymap)
    }

    #[test]
    fn label_names_action_keys() {
        let keymap = Keymap::default();
        assert_eq!(keymap.label(ARROWS), "arrows");
        assert_eq!(keymap.label(DIGITS), "0-9");
        assert_eq!(keymap.label(&DIGITS[1..5]), "1-4");
        assert_eq!(keymap.label(&[Action::Redo, Action::NextVariation]), "r/v");
        assert_eq!(keymap.all_keys(ARROWS), "arrows, h j k l");
        assert_eq!(keymap.all_keys(&[Action::Choose]), "Enter, Space");
        assert_eq!(keymap.all_keys(&[Action::Quit]), "Ctrl-C");
        let names = [Action::Back, Action::Erase, Action::First, Action::Last, Action::Previous];
        assert_eq!(keymap.label(&names), "Esc/Backspace/Home/End/Shift-Tab");
    }

    #[test]
    fn changed_key_replaces_the_old_key() {
        let keymap = change(Action::Undo, ["z", "Ctrl-z"]);
        assert_eq!(keymap, Err(Conflict::Taken("Ctrl-z".parse().unwrap(), Action::Suspend)));
        let keymap = change(Action::Undo, ["z", "F2"]).unwrap();
        assert_eq!(keymap.all_keys(&[Action::Undo]), "z, F2");
        let press = |letter| {
            let key = KeyEvent::from(crossterm::event::KeyCode::Char(letter));
            keymap.find(&key, &[Action::Undo, Action::Redo])
        };
        assert_eq!(
            [press('z'), press('u'), press('r')],
            [Some(Action::Undo), None, Some(Action::Redo)]
        );
        let mut keymap = keymap;
        assert_eq!(keymap.reset(Action::Undo), Ok(()));
        assert_eq!(keymap, Keymap::default());
    }

    #[test]
    fn fixed_keys_cannot_be_unbound() {
        for (action, left) in
            [(Action::Left, "left, x"), (Action::Choose, "Enter, x"), (Action::Back, "Esc, x")]
        {
            let keymap = change(action, ["x"]).unwrap();
            assert_eq!(keymap.all_keys(&[action]), left);
            let fixed = action.default_keys()[0];
            assert_eq!(
                change(Action::Undo, ["x"]).unwrap().change(Action::Undo, &[fixed]),
                Err(Conflict::Fixed(fixed))
            );
        }
        let keymap = change(Action::Quit, ["F10"]).unwrap();
        assert_eq!(keymap.all_keys(&[Action::Quit]), "Ctrl-C, F10");
        assert_eq!(change(Action::Undo, ["Ctrl-c"]), Err(Conflict::Fixed(Key::Control('c'))));
        assert_eq!(change(Action::Undo, []), Err(Conflict::NoKey));
        assert_eq!(
            change(Action::Choose, []).map(|keymap| keymap.all_keys(&[Action::Choose])),
            Ok("Enter".to_owned())
        );
    }

    #[test]
    fn text_editing_actions_refuse_letters() {
        let x: Key = "x".parse().unwrap();
        for action in [Action::Confirm, Action::Cancel, Action::Quit, Action::Suspend] {
            assert_eq!(change(action, ["x"]), Err(Conflict::EditsText(x)), "{action:?}");
        }
    }

    #[test]
    fn keys_conflict_only_within_one_screen() {
        let n: Key = "n".parse().unwrap();
        assert_eq!(change(Action::Undo, ["n"]).map(drop), Ok(()));
        assert_eq!(change(Action::Run, ["n"]), Err(Conflict::Taken(n, Action::NextMistake)));
        assert_eq!(change(Action::Find, ["n"]), Err(Conflict::Taken(n, Action::Rename)));
        let clash = change(Action::Help, ["u"]);
        assert_eq!(clash, Err(Conflict::Taken("u".parse().unwrap(), Action::Undo)));
    }

    #[test]
    fn answer_keys_yield_to_user_bindings() {
        let answers = [Action::Agree, Action::Refuse];
        let y = KeyEvent::from(crossterm::event::KeyCode::Char('y'));
        assert_eq!(Keymap::default().find(&y, &answers), Some(Action::Agree));
        let mut keymap = change(Action::Undo, ["y"]).unwrap();
        assert_eq!(keymap.find(&y, &[Action::Agree, Action::Undo]), Some(Action::Undo));
        assert_eq!(keymap.keys(Action::Agree), []);
        assert_eq!(keymap.keys(Action::Refuse), Action::Refuse.default_keys());
        assert_eq!(keymap.change(Action::Agree, &keys(["Y"])), Ok(()));
        assert_eq!(keymap.label(&answers), "Y/n");
        let taken = Conflict::Taken("Y".parse().unwrap(), Action::Agree);
        assert_eq!(keymap.change(Action::Redo, &keys(["Y"])), Err(taken), "bound by the user too");
    }

    /// Settings files of earlier builds may have these keys for other actions.
    #[test]
    fn keys_of_later_actions_yield_to_user_bindings() {
        for later in [
            Action::CopyResult,
            Action::EasierPuzzle,
            Action::Learn,
            Action::RenamePlayer,
            Action::StartOver,
        ] {
            let shares = |other: &&Action| **other != later && other.shares_screen_with(later);
            for other in Action::ALL.iter().filter(shares) {
                let key = later.default_keys()[0];
                let keymap = change(*other, [&*key.to_string()]);
                let is_refused = matches!(keymap, Err(Conflict::Taken(_, by)) if by == later);
                assert!(!is_refused, "{key} for {other:?} is refused because of {later:?}");
            }
        }
        let keymap = change(Action::NextPage, ["n"]).unwrap();
        assert_eq!(keymap.all_keys(&[Action::NextPage]), "Enter, n");
        assert_eq!(keymap.keys(Action::RenamePlayer), []);
        assert_eq!(keymap.keys(Action::Rename), Action::Rename.default_keys());
    }

    #[test]
    fn board_backspace_yields_to_user_bindings() {
        let keymap = change(Action::Undo, ["u", "Backspace"]).unwrap();
        assert_eq!(keymap.keys(Action::EraseNumber), []);
        assert_eq!(keymap.keys(Action::Erase), Action::Erase.default_keys());
    }

    #[test]
    fn two_actions_can_swap_keys() {
        let swap = vec![(Action::Undo, keys(["r"])), (Action::Redo, keys(["u"]))];
        let (keymap, left_out) = Keymap::with(swap);
        assert_eq!(left_out, []);
        assert_eq!(keymap.label(&[Action::Undo, Action::Redo]), "r/u");
        let both = vec![(Action::Undo, keys(["x"])), (Action::Redo, keys(["x"]))];
        let (keymap, left_out) = Keymap::with(both);
        let x = "x".parse().unwrap();
        assert_eq!(left_out, [(Action::Undo, Conflict::Taken(x, Action::Redo))]);
        assert_eq!(keymap.label(&[Action::Undo, Action::Redo]), "u/x");
    }

    #[test]
    fn user_binding_shadows_a_default_key() {
        let keymap = change(Action::Undo, ["Ctrl-L"]).unwrap();
        let press = |among: &[Action]| {
            let code = crossterm::event::KeyCode::Char('l');
            keymap.find(&KeyEvent::new(code, crossterm::event::KeyModifiers::CONTROL), among)
        };
        assert_eq!(press(&[Action::Redraw, Action::Undo]), Some(Action::Undo));
        assert_eq!(press(&[Action::Redraw]), None);
    }

    #[test]
    fn foreign_layout_letter_maps_to_its_key_position() {
        let among = [Action::Undo, Action::Hint, Action::Type, Action::Redo];
        let press = |keymap: &Keymap, letter| {
            keymap.find(&KeyEvent::from(crossterm::event::KeyCode::Char(letter)), &among)
        };
        let keymap = Keymap::default();
        let found = ['г', 'Р', 'Ж', 'θ', 'ו', 'ц'].map(|letter| press(&keymap, letter));
        let [undo, hint, typing] = [Action::Undo, Action::Hint, Action::Type].map(Some);
        assert_eq!(found, [undo, hint, typing, undo, undo, None]);
        let own = change(Action::Redo, ["г"]).unwrap();
        assert_eq!(press(&own, 'г'), Some(Action::Redo), "what the user has set comes first");
    }

    #[test]
    fn set_takes_both_cases_and_the_cursor_keys() {
        let key = |code| KeyEvent::from(code);
        let among = [ARROWS, &[Action::Choose, Action::Undo, Action::Values]].concat();
        let find = |keymap: &Keymap, code| keymap.find(&key(code), &among);
        let keymap = change(Action::Undo, ["w", "z"]).unwrap();
        let letters = keymap.with_sets(KeySet::Letters.alone());
        for letter in ['w', 'W', 'ц', 'Ц'] {
            assert_eq!(find(&letters, Char(letter)), Some(Action::Up), "{letter}");
        }
        assert_eq!(find(&letters, Char('z')), Some(Action::Undo));
        assert_eq!([Up, Char('k'), Enter, Char(' ')].map(|code| find(&letters, code)), [None; 4]);
        let arrows = keymap.with_sets(KeySet::Arrows.alone());
        assert_eq!([Char('w'), Char('W'), Char('F')].map(|code| find(&arrows, code)), [None; 3]);
        assert_eq!(
            [Up, Enter].map(|code| find(&arrows, code)),
            [Some(Action::Up), Some(Action::Choose)]
        );
        let both = keymap.with_sets(KeySet::BOTH);
        assert_eq!([Up, Char('W')].map(|code| find(&both, code)), [Some(Action::Up); 2]);
        assert_eq!(both.all_keys(ARROWS), "WASD or arrows");
        assert_eq!(both.label(&[Action::Up, Action::Down]), "w/s or up/down");
        assert_eq!(both.all_keys(&[Action::Choose]), "f or Enter");
        assert_eq!([&letters, &arrows].map(|keymap| keymap.label(ARROWS)), ["WASD", "arrows"]);
        assert_eq!([Action::Undo, Action::Values].map(|action| both.name(action)), ["z", ""]);
        assert_eq!(both.all_keys(&[Action::Confirm]), "Enter", "in a text field");
    }

    #[test]
    fn keys_lost_to_the_sets_are_the_users_own_in_a_match() {
        let lost = |keymap: Keymap| {
            let lost = keymap.lost_to_sets();
            lost.map(|(action, key)| format!("{key} {}", action.name())).collect::<Vec<_>>()
        };
        assert_eq!(lost(Keymap::default()), [""; 0]);
        assert_eq!(lost(change(Action::Undo, ["w", "z", "F"]).unwrap()), ["w undo", "F undo"]);
        assert_eq!(lost(change(Action::Choose, ["x"]).unwrap()), ["x choose"]);
        assert_eq!(lost(change(Action::Find, ["W"]).unwrap()), [""; 0], "in lists");
    }

    /// `tests/suite/screens/actions.rs` checks this against the actions that are available on each screen.
    #[test]
    fn actions_on_one_screen_share_no_key() {
        let keymap = Keymap::default();
        for action in Action::ALL.iter().copied() {
            assert_eq!(keymap.conflict_of(action), None, "{action:?}");
        }
    }
}
