//! One value that a person can set: on a row of a form, in the settings file, or by a typed line.

use quadrille_text::wording::{cut, either};

/// A value with its name, the values that it allows, and the way in which it is typed. Everything that is shown can
/// also be typed.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name on screens.
    pub label: String,
    /// Other names in a typed line, such as the key in the settings file.
    pub aliases: Vec<String>,
    pub help: String,
    /// The value as in a file or on the command line. A half-filled form may hold one that is not allowed.
    pub value: String,
    /// The value on screens.
    pub shown: String,
    /// Shown in place of an empty value.
    pub placeholder: &'static str,
    /// Text after the value.
    pub note: &'static str,
    /// The seat that the value is about.
    pub seat: Option<u8>,
    pub domain: Domain,
}

/// The values that a field allows.
#[derive(Clone, Debug)]
pub enum Domain {
    Choice(Vec<Choice>),
    /// Numbers separated by `x`. A single number stands for all.
    Numbers(Vec<Range>),
    Text(TextDomain),
    /// No value: the row opens something.
    Link,
    /// No value: the row completes the form.
    Button,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub value: String,
    /// The value on screens.
    pub shown: String,
}

/// Any text. The arrow keys offer some choices.
#[derive(Clone, Debug)]
pub struct TextDomain {
    /// What the text must be, such as `a name`.
    pub form: String,
    pub choices: Vec<Choice>,
    /// Returns the reason why a text other than the choices is not allowed.
    pub check: fn(&str) -> Result<(), String>,
    /// Whether Enter opens a text field.
    pub is_edited: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// What the number must be, such as `a whole number from 2 to 64`.
    pub form: String,
    pub min: f64,
    pub max: f64,
    /// The distance between allowed numbers, which begin at `min`.
    pub grid: f64,
    /// Replaces a text that is no number.
    pub default: f64,
    pub steps: Steps,
    pub unit: Unit,
}

/// The numbers at which the arrow keys stop. They also stop at the ends of the range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steps {
    Every { from: f64, step: f64 },
    At(&'static [f64]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    None,
    /// Boxes between dots. The value counts the dots, one more on each side.
    Boxes,
    Seconds,
    Mebibytes,
    Minutes,
}

impl Unit {
    /// Returns the names of the unit and its multiples, with their sizes.
    const fn scale(self) -> &'static [(&'static str, f64)] {
        match self {
            Unit::None | Unit::Boxes => &[("", 1.0)],
            Unit::Seconds => &[("s", 1.0)],
            Unit::Mebibytes => &[("MB", 1.0), ("GB", 1024.0)],
            Unit::Minutes => &[("min", 1.0), ("h", 60.0)],
        }
    }

    fn show(self, number: f64) -> String {
        if number == 0.0 && self != Unit::None {
            return "none".to_owned();
        }
        let fits = self.scale().iter().rfind(|(_, size)| number % size == 0.0);
        let (name, size) = fits.unwrap_or(&self.scale()[0]);
        format!("{} {name}", number / size).trim_end().to_owned()
    }

    fn read(self, typed: &str) -> Option<f64> {
        if typed == "none" && self != Unit::None {
            return Some(0.0);
        }
        let (number, size) = self
            .scale()
            .iter()
            .rev()
            .find_map(|(name, size)| Some((typed.strip_suffix(&*name.to_lowercase())?, *size)))
            .unwrap_or((typed, 1.0));
        Some(number.trim().parse::<f64>().ok()? * size)
    }
}

impl Range {
    /// Returns the number if it is allowed. Seconds are rounded to hundredths.
    pub fn fit(&self, number: f64) -> Option<f64> {
        let is_rounded = self.unit == Unit::Seconds;
        let number = if is_rounded { (number * 100.0).round() / 100.0 } else { number };
        let steps = (number - self.min) / self.grid;
        let is_on_grid = (steps - steps.round()).abs() < 1e-6;
        (self.min <= number && number <= self.max && is_on_grid).then_some(number)
    }

    fn stepped(&self, value: &str, up: bool) -> f64 {
        let Ok(number) = value.parse::<f64>() else { return self.default };
        let number = number.max(self.min).min(self.max);
        let next = match self.steps {
            Steps::At(steps) if up => steps.iter().find(|step| **step > number).copied(),
            Steps::At(steps) => steps.iter().rfind(|step| **step < number).copied(),
            Steps::Every { from, step } => {
                let steps = (number - from) / step;
                Some(from + step * if up { steps.floor() + 1.0 } else { steps.ceil() - 1.0 })
            }
        };
        next.unwrap_or(number).max(self.min).min(self.max)
    }
}

impl Choice {
    pub fn new(value: impl Into<String>, shown: impl Into<String>) -> Choice {
        Choice { value: value.into(), shown: shown.into() }
    }
}

impl TextDomain {
    /// Creates the domain of any text, without choices.
    pub fn new(form: impl Into<String>) -> TextDomain {
        let form = form.into();
        TextDomain { form, choices: Vec::new(), check: |_| Ok(()), is_edited: true }
    }
}

impl Domain {
    /// Creates the domain of a flag, with its words for `false` and `true`.
    pub fn flag(words: [&str; 2]) -> Domain {
        Domain::Choice(vec![Choice::new("false", words[0]), Choice::new("true", words[1])])
    }

    pub fn words(words: &[&str]) -> Domain {
        Domain::Choice(words.iter().map(|word| Choice::new(*word, *word)).collect())
    }

    /// Creates the domain of a text without choices.
    pub fn text(form: impl Into<String>) -> Domain {
        Domain::Text(TextDomain::new(form))
    }

    pub fn is_flag(&self) -> bool {
        self.choices().first().is_some_and(|choice| choice.value == "false")
    }

    pub fn choices(&self) -> &[Choice] {
        match self {
            Domain::Choice(choices) | Domain::Text(TextDomain { choices, .. }) => choices,
            _ => &[],
        }
    }

    /// Describes the allowed values as they stand in a file.
    pub fn in_file(&self) -> String {
        if self.is_flag() { "true or false".to_owned() } else { self.describe(|it| &it.value) }
    }

    fn describe(&self, word: impl Fn(&Choice) -> &str) -> String {
        match self {
            Domain::Choice(choices) => either(&choices.iter().map(word).collect::<Vec<_>>()),
            Domain::Numbers(ranges) => ranges.first().map_or(String::new(), |it| it.form.clone()),
            Domain::Text(TextDomain { form, choices, .. }) if choices.is_empty() => form.clone(),
            Domain::Text(TextDomain { form, choices, .. }) => {
                let words = choices.iter().map(word).filter(|word| !word.is_empty());
                either(&words.chain([&**form]).collect::<Vec<_>>())
            }
            Domain::Link | Domain::Button => String::new(),
        }
    }

    /// Returns a value on screens.
    pub fn show(&self, value: &str) -> String {
        if let Some(choice) = self.choices().iter().find(|choice| choice.value == value) {
            return choice.shown.clone();
        }
        match self {
            Domain::Numbers(ranges) => {
                let shown = ranges.first().map(|range| range.unit).zip(value.parse().ok());
                shown.map_or_else(|| value.to_owned(), |(unit, number)| unit.show(number))
            }
            _ => value.to_owned(),
        }
    }

    /// Returns the value after or before this one; `None` if there is no other. Choices wrap around.
    pub fn stepped(&self, value: &str, up: bool) -> Option<String> {
        if let Domain::Numbers(ranges) = self {
            let sides = value.split('x').map(str::trim).cycle();
            let stepped = ranges.iter().zip(sides).map(|(range, side)| range.stepped(side, up));
            return Some(joined(stepped)).filter(|stepped| stepped != value);
        }
        let choices = self.choices();
        let at = choices.iter().position(|choice| choice.value == value);
        let step = if up { 1 } else { choices.len().saturating_sub(1) };
        let next = (at.unwrap_or(0) + step) % choices.len().max(1);
        Some(choices.get(next)?.value.clone()).filter(|next| next != value)
    }

    /// Returns the choice that a text names: by its value or its words, or by the unambiguous beginning of either. A
    /// person's name never stands for a choice that it only begins.
    fn choice(&self, typed: &str) -> Option<&Choice> {
        let lower = |text: &str| text.to_lowercase().replace('-', " ");
        let typed = Some(lower(typed)).filter(|typed| !typed.is_empty())?;
        let begins = |text: &str| lower(text).starts_with(&typed);
        let stages: [&dyn Fn(&Choice) -> bool; 4] = [
            &|it| lower(&it.value) == typed || lower(&it.shown) == typed,
            &|it| begins(&it.value),
            &|it| begins(&it.shown),
            &|it| it.shown.split(' ').any(begins),
        ];
        let stages_used = if matches!(self, Domain::Choice(_)) { stages.len() } else { 1 };
        let only = |is: &&dyn Fn(&Choice) -> bool| {
            let mut found = self.choices().iter().filter(|choice| is(choice));
            found.next().filter(|_| found.next().is_none())
        };
        let flag = ["off", "on"].iter().position(|word| self.is_flag() && *word == typed);
        stages[..stages_used].iter().find_map(only).or_else(|| self.choices().get(flag?))
    }

    /// Returns the numbers that a text gives, such as `4 x 6`.
    fn numbers(ranges: &[Range], typed: &str) -> Option<String> {
        let lower = typed.to_lowercase();
        let counts_boxes = ranges.first().is_some_and(|range| range.unit == Unit::Boxes);
        let number_of = |names: [&str; 2]| {
            names.into_iter().find_map(|name| lower.strip_suffix(name)).filter(|_| counts_boxes)
        };
        // Without a unit, the numbers count dots.
        let (sides, more) = match (number_of(["boxes", "box"]), number_of(["dots", "dot"])) {
            (Some(boxes), _) => (boxes, 1.0),
            (None, dots) => (dots.unwrap_or(&lower), 0.0),
        };
        let sides: Vec<&str> = sides.split('x').map(str::trim).collect();
        let number = |(range, side): (&Range, &&str)| range.fit(range.unit.read(side)? + more);
        let numbers = ranges.iter().zip(sides.iter().cycle()).map(number);
        let numbers = numbers.collect::<Option<Vec<f64>>>()?;
        let is_repeated = sides.iter().all(|side| *side == sides[0]);
        (is_repeated || sides.len() == ranges.len()).then(|| joined(numbers))
    }
}

/// Joins numbers with `x`; equal numbers become one.
fn joined(numbers: impl IntoIterator<Item = f64>) -> String {
    let mut numbers: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    numbers.dedup();
    numbers.join(" x ")
}

impl Field {
    pub fn new(label: impl Into<String>, value: impl Into<String>, domain: Domain) -> Field {
        let value = value.into();
        Field {
            label: label.into(),
            aliases: Vec::new(),
            help: String::new(),
            shown: domain.show(&value),
            value,
            placeholder: "",
            note: "",
            seat: None,
            domain,
        }
    }

    #[must_use]
    pub fn called(mut self, alias: impl Into<String>) -> Field {
        self.aliases.push(alias.into());
        self
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Field {
        self.help = help.into();
        self
    }

    /// Returns the value as plain mode reads it. A value that counts dots also tells the boxes between them.
    pub fn in_full(&self) -> &str {
        if self.counts_boxes() && !self.help.is_empty() { &self.help } else { &self.shown }
    }

    pub const fn is_number(&self) -> bool {
        matches!(self.domain, Domain::Numbers(_))
    }

    /// Returns whether the value counts dots, and the row shows the boxes between them.
    pub fn counts_boxes(&self) -> bool {
        matches!(&self.domain, Domain::Numbers(ranges) if ranges.iter().any(|it| it.unit == Unit::Boxes))
    }

    pub fn has_decimals(&self) -> bool {
        matches!(&self.domain, Domain::Numbers(ranges) if ranges.iter().any(|it| it.grid < 1.0))
    }

    /// Returns whether Enter opens a text field.
    pub const fn is_edited(&self) -> bool {
        matches!(self.domain, Domain::Text(TextDomain { is_edited: true, .. }))
    }

    /// Returns whether the left and right keys change the value.
    pub fn turns(&self) -> bool {
        self.is_number() || self.domain.choices().len() > 1
    }

    /// Returns the next or previous value.
    pub fn stepped(&self, up: bool) -> Option<String> {
        self.domain.stepped(&self.value, up)
    }

    /// Returns the value that a typed text means. The error is a clause that names the allowed values.
    pub fn read(&self, typed: &str) -> Result<String, String> {
        let typed = typed.trim();
        if typed == self.shown || typed == self.in_full() {
            return Ok(self.value.clone());
        }
        if let Some(choice) = self.domain.choice(typed) {
            return Ok(choice.value.clone());
        }
        let refuse = |why: &str| format!("{}: {why}", self.label);
        let numbers = match &self.domain {
            Domain::Numbers(ranges) => Domain::numbers(ranges, typed),
            _ => None,
        };
        if let Some(numbers) = numbers {
            return Ok(numbers);
        }
        match &self.domain {
            Domain::Text(_) if typed.is_empty() || typed == self.placeholder => Ok(String::new()),
            Domain::Text(TextDomain { check, .. }) => {
                check(typed).map(|()| typed.to_owned()).map_err(|why| refuse(&why))
            }
            _ => Err(refuse(&format!("must be {}, not {:?}", self.values(), cut(typed)))),
        }
    }

    /// Returns whether a typed text is one of the values that the field itself names.
    pub fn knows(&self, typed: &str) -> bool {
        match &self.domain {
            Domain::Text(_) => self.domain.choice(typed).is_some(),
            _ => self.read(typed).is_ok(),
        }
    }

    /// Describes the values that can be typed.
    pub fn values(&self) -> String {
        self.domain.describe(|choice| &choice.shown)
    }

    /// Returns whether this is the complete name of the field.
    pub fn is_called(&self, name: &str) -> bool {
        let is = |own: &String| own.replace('-', " ").eq_ignore_ascii_case(&name.replace('-', " "));
        is(&self.label) || self.aliases.iter().any(is)
    }

    /// Returns the index of the field with this name, or with the only label that the name begins.
    pub fn named(fields: &[Field], name: &str) -> Option<usize> {
        let begins = |field: &Field| field.label.to_lowercase().starts_with(&name.to_lowercase());
        fields.iter().position(|field| field.is_called(name)).or_else(|| {
            let mut found = (0..fields.len()).filter(|at| !name.is_empty() && begins(&fields[*at]));
            found.next().filter(|_| found.next().is_none())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opponent() -> Field {
        let choices =
            [("computer", "Computer"), ("friends", "Friends here"), ("ssh", "Friends over ssh")];
        let choices = choices.map(|(value, shown)| Choice::new(value, shown));
        Field::new("Opponent", "computer", Domain::Choice(choices.to_vec()))
    }

    fn range(min: f64, max: f64, grid: f64, unit: Unit) -> Domain {
        let steps = Steps::Every { from: min, step: grid };
        let form = format!("{min} to {max}");
        Domain::Numbers(vec![Range { form, min, max, grid, default: min, steps, unit }])
    }

    #[test]
    fn choice_is_typed_by_value_words_or_unambiguous_beginning() {
        let read = |typed: &str| opponent().read(typed);
        for (typed, value) in [
            ("computer", "computer"),
            ("Friends over ssh", "ssh"),
            ("friends-here", "friends"),
            ("comp", "computer"),
            ("friend", "friends"),
            ("over", "ssh"),
        ] {
            assert_eq!(read(typed).as_deref(), Ok(value), "{typed}");
        }
        for typed in ["nobody", "", "e"] {
            let told = format!(
                "Opponent: must be Computer, Friends here or Friends over ssh, not {typed:?}"
            );
            assert_eq!(read(typed), Err(told));
        }
    }

    #[test]
    fn flag_is_typed_by_its_words_or_by_on_and_off() {
        let bell = Field::new("bell", "true", Domain::flag(["off", "on my turn"]));
        let hints = Field::new("hints", "true", Domain::flag(["not allowed", "allowed"]));
        for typed in ["on", "on my turn", "true"] {
            assert_eq!(bell.read(typed).as_deref(), Ok("true"), "{typed}");
        }
        for (typed, value) in
            [("off", "false"), ("on", "true"), ("not", "false"), ("allowed", "true")]
        {
            assert_eq!(hints.read(typed).as_deref(), Ok(value), "{typed}");
        }
        assert_eq!(bell.values(), "off or on my turn");
        assert_eq!(bell.domain.in_file(), "true or false");
    }

    #[test]
    fn number_is_typed_as_shown() {
        let memory = Field::new("memory", "2048", range(64.0, 65_536.0, 1.0, Unit::Mebibytes));
        assert_eq!(memory.shown, "2 GB");
        for (typed, value) in [("2 GB", "2048"), ("512 MB", "512"), ("512", "512"), ("1gb", "1024")]
        {
            assert_eq!(memory.read(typed).as_deref(), Ok(value), "{typed}");
        }
        let delay = Field::new("delay", "0", range(0.0, 10.0, 0.01, Unit::Seconds));
        assert_eq!([delay.read("none"), delay.read("0.25 s")], [Ok("0".into()), Ok("0.25".into())]);
        assert_eq!(delay.read("11"), Err("delay: must be 0 to 10, not \"11\"".to_owned()));
        let idle = Field::new("idle", "120", range(1.0, 1440.0, 1.0, Unit::Minutes));
        assert_eq!([idle.read("2 h"), idle.read("90 min")], [Ok("120".into()), Ok("90".into())]);
        assert!(idle.read("1.5").is_err() && idle.read("nan").is_err());
        let side = || range(2.0, 64.0, 1.0, Unit::None);
        let (Domain::Numbers(one), Domain::Numbers(other)) = (side(), side()) else { return };
        let board = Field::new("Board", "5", Domain::Numbers([one, other].concat()));
        for (typed, value) in [("4", "4"), ("4 x 4", "4"), ("4x6", "4 x 6"), ("4 X 6", "4 x 6")] {
            assert_eq!(board.read(typed).as_deref(), Ok(value), "{typed}");
        }
        for wrong in ["4 x 99", "x", "4 x 5 x 6", ""] {
            assert!(board.read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn board_is_typed_in_dots_or_boxes() {
        let side = |unit| range(2.0, 64.0, 1.0, unit);
        let (Domain::Numbers(one), Domain::Numbers(other)) = (side(Unit::Boxes), side(Unit::Boxes))
        else {
            return;
        };
        let mut board = Field::new("Board", "3 x 4", Domain::Numbers([one, other].concat()));
        board.shown = "2 x 3 boxes".to_owned();
        assert_eq!(board.in_full(), "2 x 3 boxes");
        let board = board.with_help("2 x 3 boxes (3 x 4 dots)");
        assert_eq!(board.in_full(), "2 x 3 boxes (3 x 4 dots)");
        for typed in ["3 x 4", "3 x 4 dots", "2 x 3 boxes", "2x3boxes", board.in_full()] {
            assert_eq!(board.read(typed).as_deref(), Ok("3 x 4"), "{typed}");
        }
        assert_eq!(board.read("1 box").as_deref(), Ok("2"));
        assert!(board.read("1 dot").is_err() && board.read("64 boxes").is_err());
    }

    #[test]
    fn name_that_begins_a_choice_is_still_a_name() {
        let choices = vec![Choice::new("", "Player 1"), Choice::new("engine:strong", "Strong")];
        let text = TextDomain {
            form: "a name".to_owned(),
            choices,
            check: |name| if name == "!" { Err("is no name".to_owned()) } else { Ok(()) },
            is_edited: true,
        };
        let seat = Field::new("Player 1", "", Domain::Text(text));
        for (typed, value) in [("strong", "engine:strong"), ("St", "St"), ("Player 1", "")] {
            assert_eq!(seat.read(typed).as_deref(), Ok(value), "{typed}");
        }
        assert_eq!(seat.read("!"), Err("Player 1: is no name".to_owned()));
        assert!(seat.knows("strong") && !seat.knows("Ann"));
    }

    #[test]
    fn arrows_step_through_allowed_numbers() {
        let steps = range(3.0, 10.0, 3.0, Unit::None);
        let stepped = |value, up| steps.stepped(value, up);
        for (value, up, down) in
            [("6", Some("9"), Some("3")), ("3", Some("6"), None), ("7", Some("9"), Some("6"))]
        {
            assert_eq!(stepped(value, true).as_deref(), up, "{value}");
            assert_eq!(stepped(value, false).as_deref(), down, "{value}");
        }
        assert_eq!(
            [stepped("99", true), stepped("99", false)],
            ["10", "9"].map(|it| Some(it.into()))
        );
        assert_eq!(stepped("x", true).as_deref(), Some("3"));
    }

    #[test]
    fn field_is_named_by_label_alias_or_unambiguous_beginning() {
        let number = || range(1.0, 9.0, 1.0, Unit::None);
        let fields = [
            Field::new("First move", "1", number()),
            Field::new("Board", "1", number()).called("size"),
            Field::new("Begins", "1", number()).called("first"),
        ];
        let named = |name| Field::named(&fields, name);
        assert_eq!(
            ["first move", "First-Move", "size", "first", "bo"].map(named),
            [0, 0, 1, 2, 1].map(Some)
        );
        assert_eq!(["b", "", "move"].map(named), [None; 3]);
    }
}
