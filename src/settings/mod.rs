//! All user settings, their file ([`ConfigFile`]), and the files of [`themes`]. The settings file, `quadrille config`, the settings screen and `docs/settings.md` follow this
//! list.
//!
//! Each setting is declared once, in `settings!`. [`read()`] reports an error with its line and key, and uses the
//! default instead. [`change()`] writes the difference between two [`Settings`] into the text of a file, and leaves the
//! rest unchanged. A [`Keymap`] holds the keys that differ from [`action::LIST`](crate::action::LIST).

mod config_file;
mod programs;
mod read;
pub mod themes;
mod write;

pub use config_file::{ConfigFile, ConfigFileError};
pub use programs::Program;
pub use read::read;
pub use write::{change, listing};

use crate::action::Keymap;
use quadrille_scene::Background;
use quadrille_search::Level;
use quadrille_text::wording::either;
use std::fmt;
use std::num::ParseFloatError;
use std::str::FromStr;
use std::time::Duration;
use strum::{Display, EnumString, VariantNames};

/// Shown when the setting `hints` forbids help.
pub const NO_HINTS: &str = "hints are off in the settings";

/// Declares all settings: the group, and for each setting the field of [`Settings`] with its type and default, its
/// values, its label on screens, and its effect.
macro_rules! settings {
    ($($group:literal {
        $($field:ident: $type:ty = $default:expr, $kind:expr, $label:literal, $help:literal;)+
    })+) => {
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(clippy::struct_excessive_bools, reason = "independent settings")]
        pub struct Settings {
            $($(#[doc = $help] pub $field: $type,)+)+
            pub keys: Keymap,
            /// The programs that can take a seat, in file order.
            pub programs: Vec<Program>,
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings {
                    $($($field: $default,)+)+
                    keys: Keymap::default(),
                    programs: Vec::new(),
                }
            }
        }

        impl Setting {
            pub const ALL: &[Setting] = &[$($(Setting {
                field: stringify!($field),
                group: $group,
                label: $label,
                help: $help,
                kind: $kind,
                get: |settings| settings.$field.to_string(),
                set: |settings, text| assign(&mut settings.$field, text),
            },)+)+];
        }
    };
}

use SettingKind::{Flag, Number, Theme, Words};

const ON_OFF: SettingKind = Flag(["off", "on"]);

settings! {
    "screens" {
        theme: String = "night".to_owned(), Theme,
            "theme", "Colours. Custom themes: ~/.config/quadrille/themes";
        glyphs: GlyphSet = GlyphSet::Auto, Words(GlyphSet::VARIANTS),
            "characters", "Board characters. Choose narrow for Chinese, Japanese and Korean terminals.";
        motion: bool = true, ON_OFF,
            "motion", "Animates moves: lines grow, boxes fill, dice slide.";
        mouse: bool = true, ON_OFF,
            "mouse", "Lets you play with the mouse. Off: the terminal can select text.";
        background: BackgroundChoice = BackgroundChoice::Auto, Words(BackgroundChoice::VARIANTS),
            "background", "Background of the theme `terminal`; auto asks the terminal.";
    }
    "matches" {
        bell: bool = false, Flag(["off", "on my turn"]),
            "bell", "Rings the terminal bell when an engine has moved.";
        confirm: bool = false, ON_OFF,
            "confirm a move", "Asks before playing a move.";
        two_key_sets: bool = false, ON_OFF,
            "two key sets", "For two people at one keyboard: WASD and F, arrow keys and Enter.";
        coordinates: bool = true, ON_OFF,
            "coordinates", "Shows coordinates beside the board.";
        estimates: bool = false, ON_OFF,
            "estimates", "Shows unproven values as numbers on the board.";
        hints: bool = true, Flag(["not allowed", "allowed"]),
            "hints", "Allows hints and move values during a match.";
    }
    "engines" {
        pace: Seconds = Seconds(Duration::from_millis(250)),
            Number(Unit::Seconds, &[0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0]),
            "engine delay", "Minimum time per engine move.";
        level: Level = Level::Beginner, Words(&Level::WORDS),
            "engine level", "Default engine level.";
        time: Seconds = Seconds(Duration::from_secs(2)),
            Number(Unit::Seconds, &[
                0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 60.0, 300.0, 3600.0,
            ]),
            "engine time", "Default thinking time per engine move.";
        ponder: bool = true, Flag(["engines wait", "engines think"]),
            "on my turn", "Lets strong and perfect engines think during your turn.";
        program_memory: u32 = 2048,
            Number(Unit::Mebibytes, &[
                64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16_384.0, 65_536.0,
            ]),
            "program memory", "Memory limit for each of your programs.";
        table_idle: u32 = 10,
            Number(Unit::Minutes, &[
                1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 240.0, 480.0, 1440.0,
            ]),
            "table timeout", "Closes an empty shared table after this time.";
    }
}

/// A setting with a single value. Keys and programs are handled separately. The value is a text, as in the file but
/// without quotes.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    field: &'static str,
    pub group: &'static str,
    /// The label on screens.
    pub label: &'static str,
    /// The setting's effect, in a sentence.
    pub help: &'static str,
    pub kind: SettingKind,
    get: fn(&Settings) -> String,
    set: fn(&mut Settings, &str),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    Theme,
    Words(&'static [&'static str]),
    /// The words for `false` and `true` on screens.
    Flag([&'static str; 2]),
    /// A number between the first and the last of these values. Left and right step through the values.
    Number(Unit, &'static [f64]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Accurate to a hundredth of a second.
    Seconds,
    Mebibytes,
    Minutes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum GlyphSet {
    /// Depends on the glyphs that the terminal's locale allows.
    Auto,
    /// Includes glyphs that are two columns wide in terminals set to an East Asian language.
    Full,
    /// Only glyphs that are one column wide in all terminals.
    Narrow,
    Ascii,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum BackgroundChoice {
    Auto,
    Dark,
    Light,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_secs_f64().fmt(f)
    }
}

impl FromStr for Seconds {
    type Err = ParseFloatError;

    fn from_str(text: &str) -> Result<Seconds, ParseFloatError> {
        Ok(Seconds(Duration::from_millis((text.parse::<f64>()? * 1000.0).round() as u64)))
    }
}

/// Changes nothing if the text is not a value of the field's type.
fn assign<T: FromStr>(field: &mut T, text: &str) {
    if let Ok(value) = text.parse() {
        *field = value;
    }
}

impl Setting {
    pub fn of(key: &str) -> Option<Setting> {
        Setting::ALL.iter().copied().find(|setting| setting.key() == key)
    }

    pub fn key(self) -> String {
        self.field.replace('_', "-")
    }

    /// Returns the words that screens show for a value.
    pub fn in_words(self, value: &str) -> String {
        match (self.kind, value.parse::<f64>()) {
            (Flag(words), _) => words[usize::from(value == "true")].to_owned(),
            (Number(Unit::Seconds, _), Ok(0.0)) => "none".to_owned(),
            (Number(Unit::Seconds, _), _) => format!("{value} s"),
            (Number(Unit::Mebibytes, _), Ok(size)) if size % 1024.0 == 0.0 => {
                format!("{} GB", size / 1024.0)
            }
            (Number(Unit::Mebibytes, _), _) => format!("{value} MB"),
            (Number(Unit::Minutes, _), Ok(time)) if time % 60.0 == 0.0 => {
                format!("{} h", time / 60.0)
            }
            (Number(Unit::Minutes, _), _) => format!("{value} min"),
            _ => value.to_owned(),
        }
    }

    /// Returns the next value if `up`, otherwise the previous value. Flags and words wrap around. The name of a theme
    /// stays unchanged, because the list of themes is not known here.
    pub fn turn(self, value: &str, up: bool) -> String {
        let next = |words: &[&str]| {
            let at = words.iter().position(|word| *word == value).unwrap_or(0);
            let step = if up { 1 } else { words.len() - 1 };
            words[(at + step) % words.len()].to_owned()
        };
        match (self.kind, value.parse::<f64>()) {
            (Words(words), _) => next(words),
            (Flag(_), _) => next(&["false", "true"]),
            (Number(_, steps), Ok(number)) => {
                let mut steps = steps.iter();
                let next = if up {
                    steps.find(|step| **step > number)
                } else {
                    steps.rfind(|step| **step < number)
                };
                next.unwrap_or(&number).to_string()
            }
            _ => value.to_owned(),
        }
    }
}

impl fmt::Display for SettingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numbers, steps) = match *self {
            Theme => return f.write_str("the name of a theme"),
            Words(words) => return f.write_str(&either(words)),
            Flag(_) => return f.write_str("true or false"),
            Number(Unit::Seconds, steps) => ("a number of seconds", steps),
            Number(Unit::Mebibytes, steps) => ("a whole number of MiB", steps),
            Number(Unit::Minutes, steps) => ("a whole number of minutes", steps),
        };
        write!(f, "{numbers} from {} to {}", steps[0], steps[steps.len() - 1])
    }
}

impl Settings {
    pub fn get(&self, setting: Setting) -> String {
        (setting.get)(self)
    }

    /// Sets a setting. Does nothing if the text is not a value of the setting's type. Ranges and names of themes are
    /// not checked.
    pub fn set(&mut self, setting: Setting, value: &str) {
        (setting.set)(self, value);
    }

    /// Returns the terminal's background, or `None` if the terminal must be queried.
    pub fn background(&self) -> Option<Background> {
        match self.background {
            BackgroundChoice::Auto => None,
            BackgroundChoice::Dark => Some(Background::Dark),
            BackgroundChoice::Light => Some(Background::Light),
        }
    }

    /// Returns how long an empty shared table stays open.
    pub fn table_idle(&self) -> Duration {
        Duration::from_secs(u64::from(self.table_idle) * 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_a_value_keeps_all_others() {
        for setting in Setting::ALL {
            let before = Settings::default();
            let mut after = before.clone();
            let value = match setting.kind {
                Theme => "paper".to_owned(),
                _ => setting.turn(&before.get(*setting), true),
            };
            assert_ne!(value, before.get(*setting), "{setting:?}");
            after.set(*setting, &value);
            assert_eq!(after.get(*setting), value);
            for other in Setting::ALL.iter().filter(|other| other.field != setting.field) {
                assert_eq!(after.get(*other), before.get(*other), "{setting:?} changes {other:?}");
            }
        }
    }

    #[test]
    fn turn_wraps_choices_and_clamps_numbers() {
        let turn = |key, value, up| Setting::of(key).unwrap().turn(value, up);
        assert_eq!(turn("level", "perfect", true), "beginner");
        assert_eq!(turn("glyphs", "auto", false), "ascii");
        assert_eq!(turn("bell", "true", true), "false");
        assert_eq!(turn("pace", "0.25", true), "0.5");
        assert_eq!(turn("pace", "0.3", false), "0.25");
        assert_eq!(turn("pace", "0", false), "0");
        assert_eq!(turn("time", "3600", true), "3600");
    }

    #[test]
    fn values_have_units_on_screens() {
        let words = |key, value| Setting::of(key).unwrap().in_words(value);
        assert_eq!([words("pace", "0"), words("pace", "0.25")], ["none", "0.25 s"]);
        assert_eq!(
            [words("program-memory", "512"), words("program-memory", "2048")],
            ["512 MB", "2 GB"]
        );
        assert_eq!([words("table-idle", "10"), words("table-idle", "120")], ["10 min", "2 h"]);
        assert_eq!([words("hints", "true"), words("level", "strong")], ["allowed", "strong"]);
    }
}
