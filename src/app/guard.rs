//! The guard: swallows keys and clicks that were aimed at what the screen showed before.
//!
//! Most terminals report neither key repeats nor releases, so only a pause shows that a key is no longer held.

use crossterm::event::KeyEvent;
use std::time::Duration;

/// After this time on the screen, only the key swallowed last is still swallowed.
const OTHER_KEYS_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a guard lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GuardRule {
    /// The minimum time after the first frame.
    length: Duration,
    /// How long keys must be silent after a swallowed key. Longer than the delay before a held key repeats.
    silence: Duration,
}

impl GuardRule {
    const SILENCE: Duration = Duration::from_millis(700);

    /// For a screen that changed without a key pressed here.
    pub const SCREEN: GuardRule =
        GuardRule { length: Duration::from_secs(1), silence: GuardRule::SILENCE };

    /// For a question: swallows only the keys that answer.
    pub const QUESTION: GuardRule =
        GuardRule { length: Duration::from_millis(500), silence: GuardRule::SILENCE };

    /// For the animation of an opponent's move: swallows only clicks and the keys that choose.
    pub const MOVE: GuardRule =
        GuardRule { length: Duration::from_millis(150), silence: Duration::ZERO };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    Key(KeyEvent),
    Button,
}

impl From<&KeyEvent> for Pressed {
    fn from(key: &KeyEvent) -> Pressed {
        // A repeat is the same key as its first press.
        Pressed::Key(KeyEvent::new(key.code, key.modifiers))
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    rule: GuardRule,
    /// The time of the first frame; `None` before it.
    shown: Option<Duration>,
    /// The key swallowed last, and when.
    last: Option<(Pressed, Duration)>,
}

impl Guard {
    pub const fn new(rule: GuardRule) -> Guard {
        Guard { rule, shown: None, last: None }
    }

    /// Creates a guard that treats an earlier key as swallowed, because the key may still be held.
    #[must_use]
    pub const fn after(self, last: Option<(Pressed, Duration)>) -> Guard {
        Guard { last, ..self }
    }

    pub const fn last(&self) -> Option<(Pressed, Duration)> {
        self.last
    }

    /// Records the time of a frame. Only the first one counts.
    pub fn show(&mut self, now: Duration) {
        self.shown.get_or_insert(now);
    }

    /// Returns when the guard ends unless it swallows another key; `None` before the first frame.
    pub fn end(&self) -> Option<Duration> {
        let silent = self.last.map(|(_, at)| at + self.rule.silence).unwrap_or_default();
        Some((self.shown? + self.rule.length).max(silent))
    }

    pub fn is_up(&self, now: Duration) -> bool {
        self.end().is_none_or(|end| now < end)
    }

    /// Returns whether a key or click at `now` must be ignored.
    pub fn swallows(&mut self, pressed: Pressed, now: Duration) -> bool {
        let is_late = self.shown.is_some_and(|shown| shown + OTHER_KEYS_TIMEOUT <= now);
        let is_other = self.last.is_some_and(|(last, _)| last != pressed);
        let swallows = self.is_up(now) && !(is_late && is_other);
        if swallows {
            self.last = Some((pressed, now));
        }
        swallows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyModifiers};

    const ENTER: Pressed = Pressed::Key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
    const X: Pressed = Pressed::Key(KeyEvent::new(KeyCode::Char('x'), KeyModifiers::NONE));

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Shows a guard at 10 s.
    fn shown(rule: GuardRule) -> Guard {
        let mut guard = Guard::new(rule);
        guard.show(ms(10_000));
        guard
    }

    #[test]
    fn guard_lasts_a_second_from_the_first_frame() {
        let mut guard = Guard::new(GuardRule::SCREEN);
        assert!(guard.swallows(ENTER, ms(0)) && guard.swallows(ENTER, ms(9_000)));
        assert_eq!(guard.end(), None, "nothing was drawn yet");
        guard.show(ms(10_000));
        guard.show(ms(10_900));
        assert_eq!(guard.end(), Some(ms(11_000)));
        let passes = |at| !shown(GuardRule::SCREEN).swallows(ENTER, ms(at));
        assert_eq!([10_000, 10_999, 11_000].map(passes), [false, false, true]);
    }

    #[test]
    fn swallowed_key_extends_the_guard_until_it_is_silent() {
        let mut guard = shown(GuardRule::SCREEN);
        assert!(guard.swallows(ENTER, ms(10_100)));
        assert_eq!(guard.end(), Some(ms(11_000)), "0.8 s is not later than 1 s");
        assert!(guard.swallows(ENTER, ms(10_900)));
        assert!(guard.swallows(X, ms(11_599)), "other keys too");
        assert!(guard.swallows(Pressed::Button, ms(11_700)), "and clicks");
        assert_eq!(guard.end(), Some(ms(12_400)));
        assert!(!guard.swallows(X, ms(12_400)));
    }

    #[test]
    fn other_keys_pass_after_two_seconds_and_a_held_key_does_not() {
        let mut guard = shown(GuardRule::SCREEN);
        for at in (10_050..15_000).step_by(33) {
            assert!(guard.swallows(ENTER, ms(at)));
            assert_eq!(guard.swallows(X, ms(at + 1)), at + 1 < 12_000, "{at}");
            if at < 12_000 {
                assert!(guard.swallows(ENTER, ms(at + 2)));
            }
        }
        let (_, last) = guard.last().unwrap();
        assert!(guard.swallows(ENTER, last + ms(699)));
        assert!(!guard.swallows(X, last + ms(700)), "a passing key does not extend the guard");
        assert!(guard.swallows(ENTER, last + ms(699 + 699)));
        assert!(!guard.swallows(ENTER, last + ms(699 + 699 + 700)));
    }

    #[test]
    fn question_needs_half_a_second_and_a_silent_key() {
        let passes = |at| !shown(GuardRule::QUESTION).swallows(X, ms(at));
        assert_eq!([10_000, 10_499, 10_500].map(passes), [false, false, true]);
        let mut early = shown(GuardRule::QUESTION);
        assert!(early.swallows(X, ms(10_400)) && early.swallows(X, ms(11_099)));
        assert!(!early.swallows(X, ms(11_799)));
        // A key that answered the question before, held until it repeats after the usual 660 ms.
        let mut held = Guard::new(GuardRule::QUESTION).after(Some((X, ms(9_990))));
        held.show(ms(10_000));
        assert!(held.swallows(X, ms(10_650)) && held.swallows(X, ms(10_683)));
    }

    #[test]
    fn opponents_move_keeps_its_150_milliseconds() {
        let mut guard = shown(GuardRule::MOVE);
        assert!(guard.swallows(ENTER, ms(10_149)) && !guard.swallows(ENTER, ms(10_150)));
    }
}
