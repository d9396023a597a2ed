//! The options of a program.

use super::BadLine;
use super::words::{OneLine, WordReader, shown};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UgiOption {
    /// May consist of several words. Case-insensitive.
    pub name: String,
    pub kind: OptionKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        default: bool,
    },
    /// A whole number.
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    /// One of several words.
    Combo {
        default: String,
        vars: Vec<String>,
    },
    /// An option without a value: setting it triggers an action.
    Button,
    Text {
        default: String,
    },
}

/// How an empty text is written.
const EMPTY: &str = "<empty>";

const FIELDS: [&str; 5] = ["type", "default", "min", "max", "var"];

impl UgiOption {
    /// Returns whether the option has this name, ignoring case.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Normalizes a value: a word to its declared case, and a number to a form without a plus sign or leading zeros.
    /// Refuses an invalid value.
    pub fn accept(&self, value: Option<&str>) -> Result<String, BadLine> {
        let name = &self.name;
        let value = match (&self.kind, value) {
            (OptionKind::Button, _) => return Ok(String::new()),
            (_, None) => return Err(BadLine::new(format_args!("{name}: a value is missing"))),
            (_, Some(EMPTY)) => "",
            (_, Some(value)) => value,
        };
        let must =
            |what: &str| BadLine::new(format_args!("{name}: must be {what}, not {}", shown(value)));
        let among = |words: &[&str]| {
            let word = words.iter().find(|word| word.eq_ignore_ascii_case(value));
            word.map(|&word| word.to_owned()).ok_or_else(|| must(&words.join(" or ")))
        };
        match &self.kind {
            OptionKind::Check { .. } => among(&["true", "false"]),
            OptionKind::Combo { vars, .. } => {
                among(&vars.iter().map(|var| &**var).collect::<Vec<_>>())
            }
            OptionKind::Spin { min, max, .. } => {
                let number =
                    value.parse::<i64>().ok().filter(|number| (min..=max).contains(&number));
                let range = || must(&format!("a whole number from {min} to {max}"));
                number.map(|number| number.to_string()).ok_or_else(range)
            }
            OptionKind::Button | OptionKind::Text { .. } => Ok(value.to_owned()),
        }
    }

    pub(super) fn read(mut words: WordReader<'_>) -> Result<UgiOption, BadLine> {
        words.until(&["name"]);
        words.next();
        let name = words.until(&["type"]).join(" ");
        words.next();
        let kind = words.next().unwrap_or_default();
        if name.is_empty() {
            return Err(BadLine::new("option: it has no name"));
        }
        let [mut default, mut min, mut max] = [const { None }; 3];
        let mut vars = Vec::new();
        while let Some(word) = words.next() {
            let field = match word {
                "default" => &mut default,
                "min" => &mut min,
                "max" => &mut max,
                "var" => {
                    vars.push(words.until(&FIELDS).join(" "));
                    continue;
                }
                _ => continue,
            };
            *field = Some(words.until(&FIELDS).join(" "));
        }
        let wrong = |what: &str| BadLine::new(format_args!("option {}: {what}", shown(&name)));
        let number = |text: Option<String>, otherwise: i64| match text {
            None => Ok(otherwise),
            Some(text) => text.parse().map_err(|_| wrong("its numbers must be whole")),
        };
        let text = default.clone().filter(|text| text != EMPTY).unwrap_or_default();
        let kind = match kind {
            "check" => OptionKind::Check { default: text == "true" },
            "spin" => {
                let (min, max) = (number(min, i64::MIN)?, number(max, i64::MAX)?);
                if min > max {
                    return Err(wrong("its min is more than its max"));
                }
                OptionKind::Spin { default: number(default, min.max(0))?, min, max }
            }
            "combo" => OptionKind::Combo { default: text, vars },
            "button" => OptionKind::Button,
            "string" => OptionKind::Text { default: text },
            _ => return Err(wrong("its type must be check, spin, combo, button or string")),
        };
        Ok(UgiOption { name, kind })
    }
}

impl fmt::Display for UgiOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |text| OneLine(if str::is_empty(text) { EMPTY } else { text });
        write!(f, "option name {} type ", OneLine(&self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, vars } => {
                write!(f, "combo default {}", text(default))?;
                vars.iter().try_for_each(|var| write!(f, " var {}", OneLine(var)))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } => write!(f, "string default {}", text(default)),
        }
    }
}
