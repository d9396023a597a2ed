//! The rows for the options of a game.

use super::SetupProblem;
use super::SetupScreen;
use super::rows::{FormRow, OptionGroup};
use crate::field::{Choice, Domain, Field, Range, Steps, Unit};
use quadrille_rules::{ChoiceOption, NumberOption, OptionSpec, Setup, SetupError};
use quadrille_text::wording::capital;

impl OptionGroup {
    fn of(option: &OptionSpec) -> OptionGroup {
        match option.name() {
            "players" => OptionGroup::Players,
            "rows" | "cols" | "size" | "layout" | "rounds" => OptionGroup::Common,
            _ => OptionGroup::More,
        }
    }
}

/// Returns the label of an option.
pub(super) fn label(name: &str) -> String {
    match name {
        "cols" => "Columns".to_owned(),
        "first" => "Begins".to_owned(),
        "grid" => "Position".to_owned(),
        "points" => "Own dots".to_owned(),
        name => capital(name),
    }
}

/// Returns whether this option is a side length of the board, which `size` also sets.
fn is_size(option: &OptionSpec) -> bool {
    [Some(option.name()), option.shorthand()].contains(&Some("size"))
}

/// Returns the counts that a word option allows, as a separate number option.
const fn counts(option: &ChoiceOption) -> NumberOption {
    let &ChoiceOption { counts, min, max, default, .. } = option;
    NumberOption { name: counts, help: counts, shorthand: None, min, max, step: 1, default }
}

fn range(option: &NumberOption) -> Range {
    let [min, max, grid, default] =
        [option.min, option.max, option.step, option.default].map(f64::from);
    let steps = Steps::Every { from: min, step: grid };
    let form = OptionSpec::Number(*option).values();
    Range { form, min, max, grid, default, steps, unit: Unit::None }
}

impl SetupScreen {
    fn options(&self) -> impl Iterator<Item = OptionSpec> {
        (self.entry.options)(&self.setup).into_iter()
    }

    fn sizes(&self) -> impl Iterator<Item = NumberOption> {
        self.options().filter(is_size).filter_map(|option| match option {
            OptionSpec::Number(option) => Some(option),
            _ => None,
        })
    }

    fn option_value(&self, option: &OptionSpec) -> String {
        self.setup.get(option.name()).map_or_else(|| option.default(), str::to_owned)
    }

    fn set_option(&mut self, option: &OptionSpec, value: &str) {
        if value.is_empty() || value == option.default() {
            self.setup.remove(option.name());
        } else {
            self.setup.set(option.name(), value);
        }
        self.check();
    }

    /// Returns the row for the board size: all its options together.
    pub(super) fn board_row(&self) -> Option<FormRow> {
        let sizes: Vec<NumberOption> = self.sizes().collect();
        let mut sides: Vec<String> =
            sizes.iter().map(|size| self.option_value(&OptionSpec::Number(*size))).collect();
        sides.dedup();
        let preview = self.preview.as_ref();
        let caption = preview.map_or_else(String::new, |(_, viewer)| viewer.board.caption().board);
        // The caption counts boxes first.
        let boxes = caption.split_once(" (").filter(|_| caption.contains(" dots)"));
        let unit = if boxes.is_some() { Unit::Boxes } else { Unit::None };
        let form = |size: &NumberOption| match unit {
            Unit::Boxes => format!(
                "a whole number of dots from {} to {}, or of boxes, as in 3 x 4 boxes",
                size.min, size.max
            ),
            _ => range(size).form,
        };
        let ranges = sizes.iter().map(|size| Range { unit, form: form(size), ..range(size) });
        let domain = Domain::Numbers(ranges.collect());
        let mut field = Field::new("Board", sides.join(" x "), domain).called("size");
        let squares = match &*sides {
            [side] => format!("{side} x {side}"),
            _ => field.value.clone(),
        };
        field.shown = boxes.map_or(squares, |(boxes, _)| boxes.to_owned());
        field.help = caption;
        (!sizes.is_empty()).then(|| {
            FormRow::new(field, |form, value| {
                let sides: Vec<&str> = value.split('x').map(str::trim).collect();
                let sizes: Vec<NumberOption> = form.sizes().collect();
                for (size, side) in sizes.into_iter().zip(sides.iter().cycle()) {
                    form.set_option(&size.into(), side);
                }
            })
        })
    }

    /// Returns a row for each side of the board, if there are several.
    pub(super) fn side_rows(&self) -> Vec<FormRow> {
        let sizes: Vec<NumberOption> = self.sizes().collect();
        if sizes.len() < 2 {
            return Vec::new();
        }
        sizes.into_iter().map(|size| self.option_row(size.into())).collect()
    }

    /// Returns the rows for the options in a group, except the board size.
    pub(super) fn option_rows(&self, group: OptionGroup) -> Vec<FormRow> {
        let options = self.options();
        let options = options.filter(|option| OptionGroup::of(option) == group && !is_size(option));
        options
            .flat_map(|option| {
                let count = match option {
                    OptionSpec::Choice(option) => self.count_row(option),
                    _ => None,
                };
                count.into_iter().chain([self.option_row(option)])
            })
            .collect()
    }

    fn option_row(&self, option: OptionSpec) -> FormRow {
        let value = self.option_value(&option);
        let label = label(option.name());
        let field = match option {
            OptionSpec::Number(number) => {
                Field::new(label, value, Domain::Numbers(vec![range(&number)]))
            }
            OptionSpec::Choice(words) => self.word_field(label, &words),
            OptionSpec::Text(text) => {
                Field { placeholder: "none", ..Field::new(label, value, Domain::text(text.form)) }
            }
        };
        let help = match option {
            OptionSpec::Choice(words) => {
                let (here, _) = words.as_written(&self.setup);
                let choice = words.choices.iter().find(|choice| choice.word == here);
                let what = choice.filter(|choice| words.is_counted() && !choice.help.is_empty());
                let what = what.map_or(String::new(), |choice| format!(": {}", choice.help));
                capital(&format!("{}{what}", option.help()))
            }
            _ => capital(&format!("{} ({})", option.help(), option.values())),
        };
        let field = field.called(option.name()).with_help(help);
        FormRow::new(field, move |form, value| form.set_option(&option, value))
    }

    /// Returns the field of a word option. A word keeps the count of the current one.
    fn word_field(&self, label: String, option: &ChoiceOption) -> Field {
        let (here, written) = option.as_written(&self.setup);
        let count = option.read(&self.setup).ok().map(|(_, count)| count);
        let count = count.filter(|count| *count > 0).unwrap_or(option.default);
        let value = |word: &str, is_counted: bool| match &written {
            Some(written) if word == here => format!("{word}:{written}"),
            _ if is_counted => format!("{word}:{count}"),
            _ => word.to_owned(),
        };
        let choices = option.choices.iter().map(|choice| {
            let is_plain = !option.is_counted() && !choice.help.is_empty();
            let shown =
                if is_plain { choice.help.to_owned() } else { choice.word.replace('-', " ") };
            Choice::new(value(choice.word, choice.is_counted), shown)
        });
        Field::new(label, value(here, false), Domain::Choice(choices.collect()))
    }

    /// Returns the row for the count of a word option, if the current word takes one.
    fn count_row(&self, option: ChoiceOption) -> Option<FormRow> {
        let count = option.as_written(&self.setup).1?;
        let ChoiceOption { counts: unit, min, max, .. } = option;
        let domain = Domain::Numbers(vec![range(&counts(&option))]);
        let field = Field::new(capital(unit), count, domain)
            .with_help(format!("{} on the board, {min} to {max}", capital(unit)));
        Some(FormRow::new(field, move |form, value| {
            let word = option.as_written(&form.setup).0;
            let default = option.default.to_string();
            let count = if value.is_empty() { &default } else { value };
            form.set_option(&option.into(), &format!("{word}:{count}"));
        }))
    }

    /// Returns the problem with a rejected setup. For a wrong count, the text lists only the allowed counts.
    pub(super) fn problem(&self, error: &SetupError) -> SetupProblem {
        let Some(option) = self.options().find(|option| option.name() == error.option()) else {
            return SetupProblem { row: None, text: error.to_string() };
        };
        let wrong_count = || match option {
            OptionSpec::Choice(option) => {
                let (_, count) = option.as_written(&self.setup);
                let count = Setup::new().with(option.counts, count?);
                let error = counts(&option).read(&count).err()?;
                Some((capital(option.counts), error.reason().to_owned()))
            }
            _ => None,
        };
        let (row, why) = wrong_count().unwrap_or_else(|| {
            let row = if is_size(&option) { "Board".to_owned() } else { label(option.name()) };
            (row, error.reason().to_owned())
        });
        SetupProblem { text: format!("{row}: {why}"), row: Some(row) }
    }
}
