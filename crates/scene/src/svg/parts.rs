//! A picture split into parts with known bounds, so that only the differences between two pictures have to be drawn.

use foldhash::HashSet;
use std::fmt::{self, Write};
use std::rc::Rc;

/// A rectangle in a picture, in pixels at natural size: left, top, right and bottom.
pub type Bounds = [f64; 4];

/// How the text of a part is turned into an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// The text is a complete element.
    Alone,
    /// The text is grouped with adjacent parts of the same class.
    Grouped,
    /// The text is joined into a path with adjacent parts of the same class.
    InPath,
}

#[derive(Debug)]
pub(super) struct SvgPart {
    pub form: Form,
    /// The class; empty for a complete element.
    pub class: Rc<str>,
    pub body: String,
    /// The bounds, which may be larger than the part but never smaller.
    pub bounds: Bounds,
}

impl SvgPart {
    pub(super) fn alone(body: String, bounds: Bounds) -> SvgPart {
        SvgPart { form: Form::Alone, class: "".into(), body, bounds }
    }

    fn key(&self) -> (Form, &str, &str) {
        (self.form, &self.class, &self.body)
    }

    fn is_of_one_run(&self, other: &SvgPart) -> bool {
        self.form != Form::Alone && (self.form, &self.class) == (other.form, &other.class)
    }

    fn touches(&self, [left, top, right, bottom]: Bounds) -> bool {
        let [own_left, own_top, own_right, own_bottom] = self.bounds;
        own_left <= right && own_right >= left && own_top <= bottom && own_bottom >= top
    }
}

/// Writes the parts. Consecutive parts of the same class share a group or a path.
pub(super) fn write(parts: &[&SvgPart], out: &mut String) -> fmt::Result {
    for run in parts.chunk_by(|one, other| one.is_of_one_run(other)) {
        let class = &run[0].class;
        let bodies = run.iter().map(|part| &*part.body);
        match run[0].form {
            Form::Alone => writeln!(out, "{}", run[0].body)?,
            Form::InPath => {
                write!(out, "<path class=\"{class}\" d=\"")?;
                bodies.for_each(|body| out.push_str(body));
                writeln!(out, "\"/>")?;
            }
            Form::Grouped => {
                writeln!(out, "<g class=\"{class}\">")?;
                for body in bodies {
                    writeln!(out, "{body}")?;
                }
                writeln!(out, "</g>")?;
            }
        }
    }
    Ok(())
}

pub(super) fn within(parts: &[SvgPart], bounds: Bounds) -> impl Iterator<Item = &SvgPart> {
    parts.iter().filter(move |part| part.touches(bounds))
}

/// Returns the areas in which two pictures differ. Elsewhere, both have the same parts in the same order.
pub(super) fn changes(before: &[SvgPart], now: &[SvgPart]) -> Vec<Bounds> {
    // Parts that occur in only one of the pictures.
    let [old, new] =
        [before, now].map(|parts| parts.iter().map(SvgPart::key).collect::<HashSet<_>>());
    let (stayed, gone): (Vec<_>, Vec<_>) =
        before.iter().partition(|part| new.contains(&part.key()));
    let (stay, came): (Vec<_>, Vec<_>) = now.iter().partition(|part| old.contains(&part.key()));
    let mut changed = [gone, came].concat();
    // Parts of both pictures whose stacking order has changed.
    let common = stayed.len().min(stay.len());
    for (one, other) in stayed.iter().zip(&stay) {
        if one.key() != other.key() {
            changed.extend([*one, *other]);
        }
    }
    changed.extend(stayed.iter().skip(common).chain(stay.iter().skip(common)));
    changed.into_iter().map(|part| part.bounds).collect()
}
