//! The list of everything that users can set. The settings file, `quadrille config` and the settings
//! screen all follow it.
//!
//! [`Setting::ALL`] is that list, so a new setting is a variant and its field. [`read()`] reports an error by line and
//! key and takes the default instead. [`change()`] writes the difference between two [`Settings`] into the text of a
//! file and leaves everything else in it as it is. A [`Keymap`] has the keys that differ from
//! [`action::LIST`](crate::action::LIST).

mod programs;
mod read;
mod write;

pub use programs::Program;
pub use read::read;
pub use write::{change, listing};

use crate::action::Keymap;
use crate::scene::Background;
use crate::search::Level;
use std::time::Duration;

/// Said to somebody who asks for help that the setting `hints` does not allow.
pub const NO_HINTS: &str = "the settings do not allow hints";

#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Settings {
    pub theme: String,
    /// Whether the terminal's background is dark or light; `None` leaves that to the terminal.
    pub background: Option<Background>,
    pub glyphs: GlyphSet,
    /// Whether boards are animated.
    pub motion: bool,
    /// Whether the program uses the mouse. Without that, the mouse selects text in the terminal.
    pub mouse: bool,
    /// Whether the terminal's bell rings when an engine has moved and a person is to move.
    pub bell: bool,
    /// Whether a move is played only when it is chosen a second time.
    pub confirm: bool,
    /// Whether rows and columns are named beside the board.
    pub coordinates: bool,
    /// The least time an engine's move takes.
    pub pace: Duration,
    /// Whether hints and values may be asked for in a match.
    pub hints: bool,
    /// The level of an engine that is given a seat.
    pub level: Level,
    /// How long such an engine may think about a move.
    pub time: Duration,
    /// Whether a strong engine thinks while a person is to move.
    pub ponder: bool,
    /// The memory limit of each process of a user's program, in MiB.
    pub program_memory: u32,
    /// How many minutes a shared table waits while nobody is there.
    pub table_idle: u32,
    pub keys: Keymap,
    /// The programs that can be given a seat, in the order of the file.
    pub programs: Vec<Program>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlyphSet {
    /// What the terminal's locale allows.
    Auto,
    /// Also those that are two columns wide in terminals set to an East Asian language.
    Full,
    /// Those that are one column wide in all terminals.
    Narrow,
    Ascii,
}

impl GlyphSet {
    pub const ALL: [GlyphSet; 4] =
        [GlyphSet::Auto, GlyphSet::Full, GlyphSet::Narrow, GlyphSet::Ascii];

    pub const fn word(self) -> &'static str {
        match self {
            GlyphSet::Auto => "auto",
            GlyphSet::Full => "full",
            GlyphSet::Narrow => "narrow",
            GlyphSet::Ascii => "ascii",
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            theme: "night".to_owned(),
            background: None,
            glyphs: GlyphSet::Auto,
            motion: true,
            mouse: true,
            bell: false,
            confirm: false,
            coordinates: true,
            pace: Duration::from_millis(250),
            hints: true,
            level: Level::Casual,
            time: Duration::from_secs(2),
            ponder: true,
            program_memory: 2048,
            table_idle: 10,
            keys: Keymap::default(),
            programs: Vec::new(),
        }
    }
}

/// A setting; keys and programs are not in this list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setting {
    Theme,
    Background,
    Glyphs,
    Motion,
    Mouse,
    Bell,
    Confirm,
    Coordinates,
    Pace,
    Hints,
    Level,
    Time,
    Ponder,
    ProgramMemory,
    TableIdle,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingValue {
    /// One of a few words, or the name of a theme.
    Word(String),
    Flag(bool),
    /// A time, to the hundredth of a second.
    Seconds(Duration),
    /// An amount of memory, in MiB.
    Mebibytes(u32),
    Minutes(u32),
}

/// What a setting can be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// The name of a theme.
    Theme,
    Words(&'static [&'static str]),
    Flag,
    /// A time between the first and the last of these milliseconds. Left and right go from one of these to
    /// the next.
    Seconds(&'static [u32]),
    /// An amount of memory between the first and the last of these MiB. Left and right go from one of these
    /// to the next.
    Mebibytes(&'static [u32]),
    /// A time between the first and the last of these minutes. Left and right go from one of these to the next.
    Minutes(&'static [u32]),
}

impl Setting {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Setting; 15] = [
        Setting::Theme,
        Setting::Glyphs,
        Setting::Motion,
        Setting::Mouse,
        Setting::Background,
        Setting::Bell,
        Setting::Confirm,
        Setting::Coordinates,
        Setting::Hints,
        Setting::Pace,
        Setting::Level,
        Setting::Time,
        Setting::Ponder,
        Setting::ProgramMemory,
        Setting::TableIdle,
    ];

    /// Whether it begins a new group on the screen.
    pub const fn begins_group(self) -> bool {
        matches!(self, Setting::Bell | Setting::Pace)
    }

    /// Its key in the file.
    pub const fn key(self) -> &'static str {
        match self {
            Setting::Theme => "theme",
            Setting::Background => "background",
            Setting::Glyphs => "glyphs",
            Setting::Motion => "motion",
            Setting::Mouse => "mouse",
            Setting::Bell => "bell",
            Setting::Confirm => "confirm",
            Setting::Coordinates => "coordinates",
            Setting::Pace => "pace",
            Setting::Hints => "hints",
            Setting::Level => "level",
            Setting::Time => "time",
            Setting::Ponder => "ponder",
            Setting::ProgramMemory => "program-memory",
            Setting::TableIdle => "table-idle",
        }
    }

    pub fn of(key: &str) -> Option<Setting> {
        Setting::ALL.into_iter().find(|setting| setting.key() == key)
    }

    /// What it is called on the screen.
    pub const fn name(self) -> &'static str {
        match self {
            Setting::Glyphs => "characters",
            Setting::Confirm => "confirm a move",
            Setting::Pace => "engine delay",
            Setting::Level => "engine level",
            Setting::Time => "engine time",
            Setting::Ponder => "on my turn",
            Setting::ProgramMemory => "program memory",
            Setting::TableIdle => "empty table",
            other => other.key(),
        }
    }

    /// What it does, in a sentence.
    pub const fn about(self) -> &'static str {
        match self {
            Setting::Theme => {
                "The colours of all screens. A theme of your own is a file in the folder themes."
            }
            Setting::Background => {
                "Dark or light, for the theme terminal. With auto the terminal itself is asked."
            }
            Setting::Glyphs => {
                "Characters of boards; narrow is for Chinese, Japanese or Korean terminals."
            }
            Setting::Motion => "Moves are animated: lines grow, boxes fill, dice slide.",
            Setting::Mouse => "The mouse plays too. When it is off, the terminal can select text.",
            Setting::Bell => {
                "The terminal's bell rings when an engine has moved and it is your turn."
            }
            Setting::Confirm => "A move is played only when it is chosen twice.",
            Setting::Coordinates => {
                "Rows and columns have their numbers and letters beside the board."
            }
            Setting::Pace => "How long an engine's move takes at least, so that you can follow it.",
            Setting::Hints => "In a match you can ask for a hint, and for the value of every move.",
            Setting::Level => "How well an engine plays, unless a match says otherwise.",
            Setting::Time => {
                "How long an engine may think about a move, unless a match says otherwise."
            }
            Setting::Ponder => {
                "Whether a strong or perfect engine thinks or waits while it is your turn."
            }
            Setting::ProgramMemory => {
                "How much memory each of your programs may use; one that needs more fails."
            }
            Setting::TableIdle => {
                "How long a table that you open for guests waits while nobody is there."
            }
        }
    }

    pub const fn kind(self) -> SettingKind {
        match self {
            Setting::Theme => SettingKind::Theme,
            Setting::Background => SettingKind::Words(&["auto", "dark", "light"]),
            Setting::Glyphs => SettingKind::Words(&["auto", "full", "narrow", "ascii"]),
            Setting::Level => SettingKind::Words(&Level::WORDS),
            Setting::Pace => SettingKind::Seconds(&[0, 100, 250, 500, 1000, 2000, 5000, 10_000]),
            Setting::Time => SettingKind::Seconds(&[
                100, 250, 500, 1000, 2000, 3000, 5000, 10_000, 20_000, 30_000, 60_000, 300_000,
                3_600_000,
            ]),
            Setting::ProgramMemory => {
                SettingKind::Mebibytes(&[64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 65_536])
            }
            Setting::TableIdle => {
                SettingKind::Minutes(&[1, 2, 5, 10, 20, 30, 60, 120, 240, 480, 1440])
            }
            Setting::Motion
            | Setting::Mouse
            | Setting::Bell
            | Setting::Confirm
            | Setting::Coordinates
            | Setting::Hints
            | Setting::Ponder => SettingKind::Flag,
        }
    }

    /// What a value of it is called on the screen.
    pub fn in_words(self, value: &SettingValue) -> String {
        match (self, value) {
            (_, SettingValue::Word(word)) => word.clone(),
            (Setting::Bell, SettingValue::Flag(true)) => "on my turn".to_owned(),
            (Setting::Hints, SettingValue::Flag(allowed)) => {
                if *allowed { "allowed" } else { "not allowed" }.to_owned()
            }
            (Setting::Ponder, SettingValue::Flag(on)) => {
                if *on { "engines think" } else { "engines wait" }.to_owned()
            }
            (_, SettingValue::Flag(on)) => if *on { "on" } else { "off" }.to_owned(),
            (Setting::Pace, SettingValue::Seconds(Duration::ZERO)) => "none".to_owned(),
            (Setting::Pace, SettingValue::Seconds(time)) => format!("{} s", seconds(*time)),
            (_, SettingValue::Seconds(time)) => format!("{} s a move", seconds(*time)),
            (_, SettingValue::Mebibytes(size)) if size % 1024 == 0 => {
                format!("up to {} GB", size / 1024)
            }
            (_, SettingValue::Mebibytes(size)) => format!("up to {size} MB"),
            (_, SettingValue::Minutes(minutes)) if minutes % 60 == 0 => {
                format!("waits {} h", minutes / 60)
            }
            (_, SettingValue::Minutes(minutes)) => format!("waits {minutes} min"),
        }
    }

    /// The value after this one if `up`, otherwise the one before it. Flags and words wrap round. The name of a theme
    /// does not change, because the list of themes is not known here.
    pub fn turn(self, value: &SettingValue, up: bool) -> SettingValue {
        match (self.kind(), value) {
            (SettingKind::Words(words), SettingValue::Word(word)) => {
                let at = words.iter().position(|other| other == word).unwrap_or(0);
                let step = if up { 1 } else { words.len() - 1 };
                SettingValue::Word(words[(at + step) % words.len()].to_owned())
            }
            (SettingKind::Flag, SettingValue::Flag(on)) => SettingValue::Flag(!on),
            (SettingKind::Seconds(steps), SettingValue::Seconds(time)) => {
                let steps = steps.iter().map(|millis| Duration::from_millis((*millis).into()));
                SettingValue::Seconds(next_step(steps, *time, up))
            }
            (SettingKind::Mebibytes(steps), SettingValue::Mebibytes(size)) => {
                SettingValue::Mebibytes(next_step(steps.iter().copied(), *size, up))
            }
            (SettingKind::Minutes(steps), SettingValue::Minutes(minutes)) => {
                SettingValue::Minutes(next_step(steps.iter().copied(), *minutes, up))
            }
            (_, value) => value.clone(),
        }
    }
}

/// The next of these steps above or below a value; the value itself at the end.
fn next_step<T: PartialOrd>(
    mut steps: impl DoubleEndedIterator<Item = T>,
    value: T,
    up: bool,
) -> T {
    let next =
        if up { steps.find(|step| *step > value) } else { steps.rfind(|step| *step < value) };
    next.unwrap_or(value)
}

impl Settings {
    pub fn get(&self, setting: Setting) -> SettingValue {
        match setting {
            Setting::Theme => SettingValue::Word(self.theme.clone()),
            Setting::Background => SettingValue::Word(background_word(self.background).to_owned()),
            Setting::Glyphs => SettingValue::Word(self.glyphs.word().to_owned()),
            Setting::Motion => SettingValue::Flag(self.motion),
            Setting::Mouse => SettingValue::Flag(self.mouse),
            Setting::Bell => SettingValue::Flag(self.bell),
            Setting::Confirm => SettingValue::Flag(self.confirm),
            Setting::Coordinates => SettingValue::Flag(self.coordinates),
            Setting::Pace => SettingValue::Seconds(self.pace),
            Setting::Hints => SettingValue::Flag(self.hints),
            Setting::Level => SettingValue::Word(self.level.to_string()),
            Setting::Time => SettingValue::Seconds(self.time),
            Setting::Ponder => SettingValue::Flag(self.ponder),
            Setting::ProgramMemory => SettingValue::Mebibytes(self.program_memory),
            Setting::TableIdle => SettingValue::Minutes(self.table_idle),
        }
    }

    /// Sets a setting. A value of another type, or a word that it does not know, changes nothing. Ranges and names of
    /// themes are not checked.
    pub fn set(&mut self, setting: Setting, value: SettingValue) {
        match (setting, value) {
            (Setting::Theme, SettingValue::Word(name)) => self.theme = name,
            (Setting::Background, SettingValue::Word(word)) => {
                let all = [None, Some(Background::Dark), Some(Background::Light)];
                let set = all.into_iter().find(|background| background_word(*background) == word);
                self.background = set.unwrap_or(self.background);
            }
            (Setting::Glyphs, SettingValue::Word(word)) => {
                let set = GlyphSet::ALL.into_iter().find(|set| set.word() == word);
                self.glyphs = set.unwrap_or(self.glyphs);
            }
            (Setting::Level, SettingValue::Word(word)) => {
                self.level = word.parse().unwrap_or(self.level);
            }
            (Setting::Pace, SettingValue::Seconds(time)) => self.pace = time,
            (Setting::Time, SettingValue::Seconds(time)) => self.time = time,
            (Setting::ProgramMemory, SettingValue::Mebibytes(size)) => self.program_memory = size,
            (Setting::TableIdle, SettingValue::Minutes(minutes)) => self.table_idle = minutes,
            (setting, SettingValue::Flag(on)) => {
                if let Some(flag) = self.flag(setting) {
                    *flag = on;
                }
            }
            _ => {}
        }
    }

    /// How long a shared table waits while nobody is there.
    pub fn table_idle(&self) -> Duration {
        Duration::from_secs(u64::from(self.table_idle) * 60)
    }

    fn flag(&mut self, setting: Setting) -> Option<&mut bool> {
        Some(match setting {
            Setting::Motion => &mut self.motion,
            Setting::Mouse => &mut self.mouse,
            Setting::Bell => &mut self.bell,
            Setting::Confirm => &mut self.confirm,
            Setting::Coordinates => &mut self.coordinates,
            Setting::Hints => &mut self.hints,
            Setting::Ponder => &mut self.ponder,
            _ => return None,
        })
    }
}

const fn background_word(background: Option<Background>) -> &'static str {
    match background {
        None => "auto",
        Some(Background::Dark) => "dark",
        Some(Background::Light) => "light",
    }
}

/// A time in seconds, with as many decimals as it needs.
fn seconds(time: Duration) -> String {
    let hundredths = time.as_millis() / 10;
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_one_thing_changes_nothing_else() {
        for setting in Setting::ALL {
            let before = Settings::default();
            let mut after = before.clone();
            let value = match before.get(setting) {
                SettingValue::Word(_) if setting == Setting::Theme => {
                    SettingValue::Word("paper".to_owned())
                }
                value => setting.turn(&value, true),
            };
            assert_ne!(value, before.get(setting), "{setting:?}");
            after.set(setting, value.clone());
            assert_eq!(after.get(setting), value);
            for other in Setting::ALL.into_iter().filter(|other| *other != setting) {
                assert_eq!(after.get(other), before.get(other), "{setting:?} changes {other:?}");
            }
        }
    }

    #[test]
    fn values_turn_both_ways_and_times_stop_at_their_ends() {
        let turn = |setting: Setting, value, up| setting.turn(&value, up);
        let word = |text: &str| SettingValue::Word(text.to_owned());
        assert_eq!(turn(Setting::Level, word("perfect"), true), word("beginner"));
        assert_eq!(turn(Setting::Glyphs, word("auto"), false), word("ascii"));
        let millis = |millis| SettingValue::Seconds(Duration::from_millis(millis));
        assert_eq!(turn(Setting::Pace, millis(250), true), millis(500));
        assert_eq!(turn(Setting::Pace, millis(300), false), millis(250));
        assert_eq!(turn(Setting::Pace, millis(0), false), millis(0));
        assert_eq!(turn(Setting::Time, millis(3_600_000), true), millis(3_600_000));
    }

    #[test]
    fn seconds_have_no_needless_decimals() {
        let texts =
            [0, 250, 500, 2000, 61_010].map(|millis| seconds(Duration::from_millis(millis)));
        assert_eq!(texts, ["0", "0.25", "0.5", "2", "61.01"]);
    }
}
