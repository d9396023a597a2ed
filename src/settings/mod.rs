//! All user settings, their file ([`ConfigFile`]), and the files of [`themes`]. The settings file, `quadrille config`,
//! the settings screen and `docs/settings.md` follow this list.
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
use crate::field::{Domain, Field, Range, Steps, TextDomain, Unit};
use quadrille_match::session::Player;
use quadrille_scene::Background;
use quadrille_search::Level;
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
        $($field:ident: $type:ty = $default:expr, $domain:expr, $label:literal, $help:literal;)+
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
                domain: || $domain,
                get: |settings| settings.$field.to_string(),
                set: |settings, text| assign(&mut settings.$field, text),
            },)+)+];
        }
    };
}

const ON_OFF: [&str; 2] = ["off", "on"];

/// Creates the domain of a number between the first and the last of these values, at which the arrow keys stop.
fn number(unit: Unit, steps: &'static [f64]) -> Domain {
    let (min, max) = (steps[0], steps[steps.len() - 1]);
    let (kind, grid) = match unit {
        Unit::Seconds => ("a number of seconds", 0.01),
        Unit::Mebibytes => ("a whole number of MiB", 1.0),
        Unit::Minutes => ("a whole number of minutes", 1.0),
        Unit::None | Unit::Boxes => ("a whole number", 1.0),
    };
    let form = format!("{kind} from {min} to {max}");
    let steps = Steps::At(steps);
    Domain::Numbers(vec![Range { form, min, max, grid, default: min, steps, unit }])
}

settings! {
    "screens" {
        theme: String = "night".to_owned(), Domain::text("the name of a theme"),
            "theme", "Colors. Custom themes: ~/.config/quadrille/themes";
        glyphs: GlyphSet = GlyphSet::Auto, Domain::words(GlyphSet::VARIANTS),
            "characters", "Board characters. Choose narrow for Chinese, Japanese and Korean terminals.";
        motion: MotionChoice = MotionChoice::Auto, Domain::words(MotionChoice::VARIANTS),
            "motion", "Animates moves and wins. Auto: not over ssh or on slow terminals.";
        mouse: bool = true, Domain::flag(ON_OFF),
            "mouse", "Lets you play with the mouse. Off: the terminal can select text.";
        graphics: Graphics = Graphics::Auto, Domain::words(Graphics::VARIANTS),
            "graphics", "Draws boards as images; auto asks the terminal.";
        background: BackgroundChoice = BackgroundChoice::Auto, Domain::words(BackgroundChoice::VARIANTS),
            "background", "Background of the theme `terminal`; auto asks the terminal.";
    }
    "matches" {
        name: String = String::new(), Domain::Text(TextDomain {
            check: |name| if name.is_empty() { Ok(()) } else { Player::check_name(name) },
            ..TextDomain::new("a name")
        }),
            "your name", "Your name in matches. Empty: the one in your last setup, else your login name.";
        bell: bool = false, Domain::flag(["off", "on my turn"]),
            "bell", "Rings the terminal bell when an engine has moved.";
        confirm: bool = false, Domain::flag(ON_OFF),
            "confirm a move", "Asks before playing a move.";
        two_key_sets: bool = false, Domain::flag(ON_OFF),
            "two key sets", "For two people at one keyboard: WASD and F, arrow keys and Enter.";
        coordinates: bool = true, Domain::flag(ON_OFF),
            "coordinates", "Shows coordinates beside the board.";
        estimates: bool = false, Domain::flag(ON_OFF),
            "estimates", "Shows unproven values as numbers on the board.";
        hints: bool = true, Domain::flag(["not allowed", "allowed"]),
            "hints", "Allows hints and move values during a match.";
    }
    "engines" {
        pace: Seconds = Seconds(Duration::from_millis(400)),
            number(Unit::Seconds, &[0.0, 0.1, 0.25, 0.4, 0.5, 1.0, 2.0, 5.0, 10.0]),
            "engine delay", "Minimum time per engine move, unless a clock runs.";
        level: Level = Level::Beginner, Domain::words(&Level::WORDS),
            "engine level", "Default engine level.";
        time: Seconds = Seconds(Duration::from_secs(2)),
            number(Unit::Seconds, &[
                0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 60.0, 300.0, 3600.0,
            ]),
            "engine time", "Default thinking time per engine move.";
        ponder: bool = true, Domain::flag(["engines wait", "engines think"]),
            "on my turn", "Lets strong and perfect engines think during your turn.";
        program_memory: u32 = 2048,
            number(Unit::Mebibytes, &[
                64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16_384.0, 65_536.0,
            ]),
            "program memory", "Memory limit for each of your programs.";
        table_idle: u32 = 10,
            number(Unit::Minutes, &[
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
    domain: fn() -> Domain,
    get: fn(&Settings) -> String,
    set: fn(&mut Settings, &str),
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
pub enum MotionChoice {
    /// Animates unless the terminal is connected over a network, or drawing takes longer than a frame lasts.
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum BackgroundChoice {
    Auto,
    Dark,
    Light,
}

/// Whether boards are images, and how the terminal gets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Graphics {
    /// Depends on the terminal's answers.
    Auto,
    Off,
    Kitty,
    Sixel,
    ITerm2,
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

    /// Returns the values that the setting allows. The names of themes are not known here.
    pub fn domain(self) -> Domain {
        (self.domain)()
    }

    /// Returns the setting with its value.
    pub fn field(self, settings: &Settings) -> Field {
        let field = Field::new(self.label, settings.get(self), self.domain());
        let placeholder = if self.field == "name" { "last used" } else { "" };
        Field { placeholder, ..field.called(self.key()).with_help(self.help) }
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

    #[must_use]
    pub fn with(&self, setting: Setting, value: &str) -> Settings {
        let mut settings = self.clone();
        settings.set(setting, value);
        settings
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
            let stepped = setting.field(&before).stepped(true);
            let value = stepped.unwrap_or_else(|| "paper".to_owned());
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
        let turn = |key, value, up| Setting::of(key).unwrap().domain().stepped(value, up);
        for (key, value, up, stepped) in [
            ("level", "perfect", true, Some("beginner")),
            ("glyphs", "auto", false, Some("ascii")),
            ("bell", "true", true, Some("false")),
            ("pace", "0.25", true, Some("0.4")),
            ("pace", "0.4", true, Some("0.5")),
            ("pace", "0.3", false, Some("0.25")),
            ("pace", "0", false, None),
            ("time", "3600", true, None),
        ] {
            assert_eq!(turn(key, value, up).as_deref(), stepped, "{key} {value}");
        }
    }

    #[test]
    fn values_have_units_on_screens() {
        let words = |key, value| Setting::of(key).unwrap().domain().show(value);
        assert_eq!([words("pace", "0"), words("pace", "0.25")], ["none", "0.25 s"]);
        assert_eq!(
            [words("program-memory", "512"), words("program-memory", "2048")],
            ["512 MB", "2 GB"]
        );
        assert_eq!([words("table-idle", "10"), words("table-idle", "120")], ["10 min", "2 h"]);
        assert_eq!([words("hints", "true"), words("level", "strong")], ["allowed", "strong"]);
    }
}
