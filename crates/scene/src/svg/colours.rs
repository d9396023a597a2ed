//! The colors of a picture as CSS classes, one class for each role and kind of element.

use super::element_kind::ElementKind;
use super::metrics::Metrics;
use crate::colour::Rgb;
use crate::palette::{COLOURS, Palette};
use crate::{Background, Role, SeatRole, Theme, built_in};
use ratatui::style::{Color, Style};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{self, Write};
use std::rc::Rc;

/// Grays on white for a theme without colors, in the order of [`Palette`].
const GREYS: [u8; COLOURS] = [
    0x22, 0x85, 0x55, 0x96, 0x3c, 0x70, 0x60, 0x90, // the seats
    0xff, 0xf2, 0xe2, 0x11, 0x5c, 0xa8, 0x11, 0x33, 0x11,
];

/// Returns the theme to use for a picture, where no terminal provides colors. A theme with its own background keeps
/// all its colors, at any color depth. A theme without any colors becomes grays on white. Other themes take missing
/// colors from the default theme.
pub fn pictured(theme: &Theme) -> Theme {
    let has_colours = *theme.palette() != Palette::NONE;
    completed(theme, if has_colours { Background::Dark } else { Background::Light })
}

/// Completes a theme with the colors of a theme for this background, or with grays if it has no colors at all.
pub(crate) fn completed(theme: &Theme, background: Background) -> Theme {
    let own = theme.palette();
    let is_light = background == Background::Light;
    let palette = if *own == Palette::NONE {
        let greys = GREYS.map(|light| if is_light { light } else { u8::MAX - light });
        Palette(greys.map(|light| Some(Color::Rgb(light, light, light))))
    } else {
        let light = built_in("paper").filter(|_| is_light);
        let mut palette = light.unwrap_or(Theme::night()).palette().clone();
        for (colour, own) in palette.0.iter_mut().zip(own.0) {
            *colour = own.filter(|own| Rgb::of(*own).is_some()).or(*colour);
        }
        palette
    };
    Theme::new(theme.name(), palette)
}

/// Which color of a role a class uses, and whether for a surface or a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Use {
    /// A surface in the role's background color.
    Fill,
    /// A surface in the role's foreground color.
    Ink,
    /// A line in the role's foreground color.
    Stroke,
}

pub(super) struct Colours<'a> {
    theme: &'a Theme,
    classes: HashMap<(ElementKind, Role, Use), Rc<str>>,
}

impl<'a> Colours<'a> {
    pub(super) fn new(theme: &'a Theme) -> Colours<'a> {
        Colours { theme, classes: HashMap::new() }
    }

    pub(super) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// Returns the `class` attribute for an element of this kind and role.
    pub(super) fn class(&mut self, kind: ElementKind, role: Role, used: Use) -> Rc<str> {
        let class = self.classes.entry((kind, role, used));
        Rc::clone(class.or_insert_with(|| format!("{} {}", kind.name(), name(role)).into()))
    }

    fn rule(&self, kind: ElementKind, role: Role, used: Use) -> String {
        let Style { fg, bg, .. } = self.style(role);
        let text = self.theme.paper().fg;
        let (property, colour) = match used {
            Use::Fill => ("fill", bg.or(fg).or(text)),
            Use::Ink => ("fill", fg.or(text)),
            Use::Stroke => ("stroke", fg.or(text)),
        };
        let own = colour.and_then(hex).map(|hex| format!("{property}:{hex}"));
        let outline = outline(kind, role).and_then(|role| self.style(role).fg).and_then(hex);
        let outline = outline.map(|hex| format!("stroke:{hex}"));
        own.into_iter().chain(outline).collect::<Vec<_>>().join(";")
    }

    /// Writes the `<style>` element: the sizes of each kind, then the colors.
    pub(super) fn write(&self, metrics: &Metrics, out: &mut String) -> fmt::Result {
        let paper = self.theme.paper();
        let background = paper.bg.and_then(hex).unwrap_or_default();
        writeln!(out, "<style>")?;
        writeln!(out, "text{{font-family:Inter,system-ui,sans-serif}}")?;
        writeln!(out, ".paper{{fill:{background}}}")?;
        for kind in self.classes.keys().map(|(kind, ..)| *kind).collect::<BTreeSet<_>>() {
            let style = kind.style(metrics);
            if !style.is_empty() {
                writeln!(out, ".{}{{{style}}}", kind.name())?;
            }
        }
        let rules = self.classes.iter().map(|((kind, role, used), class)| {
            (class.replace(' ', "."), self.rule(*kind, *role, *used))
        });
        for (classes, rule) in rules.collect::<BTreeMap<_, _>>() {
            writeln!(out, ".{classes}{{{rule}}}")?;
        }
        writeln!(out, "</style>")
    }
}

/// Returns the role of the outline of an area between scattered points.
fn outline(kind: ElementKind, role: Role) -> Option<Role> {
    match (kind, role) {
        (ElementKind::Polygon, Role::Of(SeatRole::Area, seat)) => {
            Some(Role::Of(SeatRole::Line, seat))
        }
        (ElementKind::Polygon, Role::Of(SeatRole::WonArea, seat)) => {
            Some(Role::Of(SeatRole::LastLine, seat))
        }
        _ => None,
    }
}

/// Returns the name of a role as part of a class: `faint`, or `a-line` for a role of seat A.
fn name(role: Role) -> String {
    let name = match role {
        Role::Of(role, seat) => format!("{}-{role:?}", seat.letter()),
        role => format!("{role:?}"),
    };
    name.to_ascii_lowercase()
}

fn hex(colour: Color) -> Option<String> {
    Rgb::of(colour).map(|rgb| rgb.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Depth, built_in_names};

    #[test]
    fn every_role_has_a_unique_class_and_a_colour() {
        for theme in built_in_names().filter_map(built_in) {
            for depth in
                [Depth::TrueColour, Depth::Indexed256, Depth::Ansi16, Depth::Ansi8, Depth::None]
            {
                let theme = pictured(&theme.at(depth));
                assert!(theme.paints());
                let mut colours = Colours::new(&theme);
                for role in Role::all() {
                    for (kind, used) in [
                        (ElementKind::Area, Use::Fill),
                        (ElementKind::Dot, Use::Ink),
                        (ElementKind::Line, Use::Stroke),
                    ] {
                        colours.class(kind, role, used);
                        assert!(colours.rule(kind, role, used).contains(":#"), "{}", theme.name());
                    }
                }
                let names: BTreeSet<_> = colours.classes.values().collect();
                assert_eq!(names.len(), 3 * Role::all().count());
            }
        }
    }

    #[test]
    fn svg_theme_always_has_full_colours() {
        let night = Theme::night();
        assert_eq!(pictured(&night.at(Depth::Indexed256)), *night);
        assert!(pictured(Theme::mono()).paper().bg == Some(Color::Rgb(255, 255, 255)));
        assert_eq!(pictured(Theme::terminal()).paper(), night.paper());
    }
}
