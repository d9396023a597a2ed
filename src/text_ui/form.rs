//! Forms as lines of text: each row is read out with its number, and a line reads or sets rows.

use super::TextUi;
use super::names::quoted;
use super::views::{numbered, phrase, stopped};
use crate::app::{App, Task};
use crate::field::{Domain, Field};
use crate::view::{FieldValue, FormView, View};
use quadrille_text::wording::{capital, either};

/// A row and a value as typed.
type Pair = (String, String);

/// What people type before the name of a row.
const VERBS: [&str; 2] = ["set ", "turn "];

impl TextUi {
    /// Handles a line that names a row, with or without a value; `None` for other lines.
    pub(super) fn on_form_line(&mut self, text: &str, app: &mut App) -> Option<Vec<Task>> {
        let fields = app.fields();
        if let Some(row) = row_named(text, &fields) {
            return Some(self.read_row(row, &fields[row], app));
        }
        let without_verb = VERBS.iter().find_map(|verb| text.strip_prefix(verb));
        let text = without_verb.map_or(text, str::trim);
        if text.contains('=') {
            return Some(self.set_rows(pairs(text, &fields), app));
        }
        let spaces = text.match_indices(char::is_whitespace).map(|(at, _)| at);
        let spaces: Vec<usize> = spaces.collect();
        let named = spaces.into_iter().rev().find_map(|at| {
            let (name, value) = (text[..at].trim(), text[at..].trim());
            let row = row_named(name, &fields)?;
            let has_value = !matches!(fields[row].domain, Domain::Link | Domain::Button);
            let is_number = name.parse::<usize>().is_ok();
            let name = if is_number { fields[row].label.clone() } else { name.to_owned() };
            has_value.then(|| (name, value.to_owned()))
        });
        named.map(|pair| self.set_rows(vec![pair], app))
    }

    /// Reads a row with the values that it allows. A row without a value opens what it names, but only its name
    /// presses a button.
    fn read_row(&mut self, row: usize, field: &Field, app: &mut App) -> Vec<Task> {
        match field.domain {
            Domain::Link => return self.choose(row, "", app),
            Domain::Button => self.print(format!(
                "{} Type {} to choose it.",
                stopped(&row_in_words(row, field)),
                field.label.to_lowercase()
            )),
            _ => {
                let words = stopped(&row_in_words(row, field));
                let adds_help = !field.help.is_empty() && !words.contains(&field.help);
                self.print(words);
                self.print(format!("Values: {}.", field.values()));
                self.output.extend(adds_help.then(|| stopped(&capital(&field.help))));
            }
        }
        Vec::new()
    }

    /// Sets rows. As a row may depend on another, refused values are tried again after the others.
    fn set_rows(&mut self, mut pairs: Vec<Pair>, app: &mut App) -> Vec<Task> {
        let (mut tasks, mut set) = (Vec::new(), Vec::new());
        loop {
            let before = pairs.len();
            let mut refused = Vec::new();
            for pair in pairs {
                let fields = app.fields();
                match resolve(&pair, &fields) {
                    Ok((row, value)) => {
                        tasks.extend(app.set_field(row, &value));
                        set.push(fields[row].label.clone());
                    }
                    Err(why) => refused.push((pair, why)),
                }
            }
            if refused.is_empty() || refused.len() == before {
                self.output.extend(refused.iter().map(|(_, why)| stopped(why)));
                break;
            }
            pairs = refused.into_iter().map(|(pair, _)| pair).collect();
        }
        self.print_rows(&set, app);
        tasks
    }

    /// Reads the rows with these labels that have not changed. The others are announced as changes.
    fn print_rows(&mut self, labels: &[String], app: &App) {
        let shown = app.visible_views();
        let Some((id, View::Form(form))) = shown.first() else { return };
        // A form that was not read yet is read as a whole.
        let Some(known) = self.views.get(id) else { return };
        let (lines, fields) = (describe(form), app.fields());
        let is_known = |line: &String| known.lines.contains(line);
        let mut said = Vec::new();
        for label in labels {
            let Some(row) = fields.iter().position(|field| field.label == *label) else { continue };
            // The first line is the title.
            let (line, is_same) = match lines.get(row + 1).filter(|_| row < form.rows.len()) {
                Some(line) => (line.clone(), is_known(line)),
                // The first row hides this one, but others show its value.
                None => {
                    (format!("{label}: {}.", fields[row].in_full()), lines.iter().all(is_known))
                }
            };
            if is_same && !self.output.contains(&line) {
                said.push(line);
            }
        }
        self.output.extend(said);
    }
}

/// Returns the index of the row that has this number or name.
fn row_named(name: &str, fields: &[Field]) -> Option<usize> {
    let number = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    number.filter(|row| *row < rows(fields)).or_else(|| {
        // A row that was read comes before one that is hidden.
        let named = Field::named(&fields[..rows(fields)], name);
        let named = named.or_else(|| Field::named(fields, name))?;
        // A button is pressed by its own command.
        (!matches!(fields[named].domain, Domain::Button)).then_some(named)
    })
}

/// Returns the number of rows of the form. Fields after the button are not on the form.
fn rows(fields: &[Field]) -> usize {
    let button = fields.iter().position(|field| matches!(field.domain, Domain::Button));
    button.map_or(fields.len(), |button| button + 1)
}

/// Returns the field and the value that a pair means. A number is that of a seat, or of a row that has such a value.
fn resolve((name, typed): &Pair, fields: &[Field]) -> Result<(usize, String), String> {
    let named = Field::named(fields, name);
    let read = row_named(name, fields);
    let is_number = name.parse::<usize>().is_ok();
    let candidates = if is_number { [named, read] } else { [read, named] };
    let candidates = || candidates.into_iter().flatten();
    let known = candidates().find(|row| fields[*row].knows(typed));
    let Some(row) = known.or_else(|| candidates().next()) else {
        return Err(format!("Unknown row {}", quoted(name)));
    };
    match fields[row].domain {
        Domain::Link | Domain::Button => Err(format!("{} has no value", fields[row].label)),
        _ => Ok((row, fields[row].read(typed)?)),
    }
}

/// Parses a text such as `size=4 first move=you` into names and values. Both may contain several words: a name in the
/// middle is the longest one that a field has.
fn pairs(text: &str, fields: &[Field]) -> Vec<Pair> {
    let mut parts = text.split('=').map(str::trim);
    let mut pairs = vec![(parts.next().unwrap_or_default().to_owned(), String::new())];
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let Some((_, value)) = pairs.last_mut() else { break };
        let starts = part.match_indices(char::is_whitespace).map(|(at, _)| at);
        let starts: Vec<usize> = starts.filter(|_| parts.peek().is_some()).collect();
        let is_name = |at: &&usize| {
            let name = part[**at..].trim();
            fields.iter().any(|field| field.is_called(name))
        };
        let Some(at) = starts.iter().find(is_name).or(starts.last()) else {
            // An equals sign within a value.
            value.push_str(part);
            value.extend(parts.peek().map(|_| '='));
            continue;
        };
        value.push_str(part[..*at].trim());
        pairs.push((part[*at..].trim().to_owned(), String::new()));
    }
    pairs
}

pub(super) fn describe(view: &FormView<'_>) -> Vec<String> {
    let mut lines = vec![stopped(&format!("{} {}", view.title, view.beside_title))];
    for (index, row) in view.rows.iter().enumerate() {
        lines.push(match &row.value {
            FieldValue::Choices(words, at) => {
                let others = words.iter().filter(|word| **word != words[*at]);
                let others = either(&others.collect::<Vec<_>>());
                let text = format!("{}: {}, or {others}", row.field.label, words[*at]);
                numbered(index + 1, &text)
            }
            _ => stopped(&row_in_words(index, &row.field)),
        });
    }
    lines.extend(view.help.iter().map(phrase).filter(|line| !line.is_empty()));
    lines.push(
        "Type a row's number or name to hear its values, and add a value to change it.".to_owned(),
    );
    lines
}

fn row_in_words(index: usize, field: &Field) -> String {
    let Field { label, placeholder, note, .. } = field;
    let value = Some(field.in_full()).filter(|value| !value.is_empty()).unwrap_or(placeholder);
    let colon = if value.is_empty() { "" } else { ": " };
    numbered(index + 1, &format!("{label}{colon}{value} {note}"))
}
