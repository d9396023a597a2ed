//! `quadrille health`: prints what is known about the terminal, for bug reports.

use super::display_args::DisplayArgs;
use super::{in_columns, unless_closed};
use crate::app::runtime::{TerminalAnswers, window_cell};
use crate::front_end::appearance::{self, Appearance};
use crate::front_end::terminal;
use crate::settings::{GlyphSet, Graphics};
use anyhow::Context;
use quadrille_scene::{Depth, DrawMode};
use quadrille_system::folders::{self, with_tilde};
use quadrille_system::terminal::{HAS_BYTES, locale, term, window_size};
use quadrille_text::printable::printable;
use std::io::{IsTerminal, Write, stdin, stdout};
use std::path::PathBuf;

const NOT_ASKED: &str = if HAS_BYTES { "not a terminal" } else { "cannot be asked" };
const NO_ANSWER: &str = "no answer";

/// The private modes that report the mouse: any motion, and positions as numbers, in cells or in pixels.
const MOTION: u16 = 1003;
const SGR: u16 = 1006;
const PIXELS: u16 = 1016;

pub(super) fn run(display_args: &DisplayArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let appearance = display_args.appearance()?;
    let is_terminal = stdin().is_terminal() && stdout().is_terminal();
    let can_answer = is_terminal && HAS_BYTES && !appearance::is_for_lines();
    let asks_about_images = terminal::graphics(appearance.depth).forbids().is_none();
    let ask = || TerminalAnswers::ask(&[MOTION, SGR, PIXELS], asks_about_images);
    let answers = can_answer.then(ask).transpose();
    let text = lines(&appearance, answers.context("terminal")?.as_ref());
    unless_closed(write!(out, "{text}").and_then(|()| out.flush()).map_err(Into::into))
}

/// Returns the lines; `answers` is `None` if the terminal was not asked.
fn lines(appearance: &Appearance, answers: Option<&TerminalAnswers>) -> String {
    let answer = |of: &dyn Fn(&TerminalAnswers) -> Option<String>| match answers {
        None => NOT_ASKED.to_owned(),
        Some(answers) => of(answers).unwrap_or_else(|| NO_ANSWER.to_owned()),
    };
    let folder = |path: Option<PathBuf>| path.map_or("none".to_owned(), |path| with_tilde(&path));
    let rows = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("features", env!("QUADRILLE_FEATURES").to_owned()),
        ("TERM", or_not_set(Some(term()))),
        ("terminal", answer(&|answers| answers.version.clone())),
        (
            "colors",
            format!("{}, theme {}", colours(appearance.depth), appearance.skin.theme().name()),
        ),
        ("locale", or_not_set(locale())),
        ("glyphs", glyphs(appearance)),
        ("size", size()),
        (
            "keyboard",
            answer(&|answers| answers.keyboard_flags.map(|_| "kitty protocol".to_owned())),
        ),
        ("mouse", answer(&|answers| answers.known_modes.as_deref().map(mouse))),
        ("boards", boards(appearance, answers)),
        ("state", folder(folders::state().ok())),
        ("cache", folder(folders::cache())),
        ("pictures", folder(Some(folders::pictures()))),
        ("config", config(appearance)),
    ];
    in_columns(&rows.map(|(name, value)| [format!("{name}:"), printable(&value).into_owned()]), &[])
}

fn or_not_set(value: Option<String>) -> String {
    value.filter(|value| !value.is_empty()).unwrap_or_else(|| "not set".to_owned())
}

const fn colours(depth: Depth) -> &'static str {
    match depth {
        Depth::TrueColour => "true color",
        Depth::Indexed256 => "256",
        Depth::Ansi16 => "16",
        Depth::Ansi8 => "8",
        Depth::None => "none",
    }
}

fn glyphs(appearance: &Appearance) -> String {
    let set = match (appearance.settings.glyphs, appearance.skin.glyphs().mode) {
        (GlyphSet::Auto, DrawMode::Blocks) => GlyphSet::Full,
        (GlyphSet::Auto, DrawMode::Letters) => GlyphSet::Narrow,
        (GlyphSet::Auto, DrawMode::Ascii) => GlyphSet::Ascii,
        (chosen, _) => chosen,
    };
    set.to_string()
}

/// Returns the size in cells and pixels. Many terminals report no pixels.
fn size() -> String {
    let Some(size) = window_size() else { return "not a terminal".to_owned() };
    let pixels = match (size.width, size.height) {
        (0, _) | (_, 0) => "pixels unknown".to_owned(),
        (width, height) => format!("{width} x {height} pixels"),
    };
    format!("{} x {} cells, {pixels}", size.columns, size.rows)
}

fn mouse(known: &[u16]) -> String {
    let parts = [(SGR, "SGR"), (MOTION, "any motion"), (PIXELS, "pixels")].map(|(mode, name)| {
        let is_known = if known.contains(&mode) { "" } else { "no " };
        format!("{is_known}{name}")
    });
    parts.join(", ")
}

/// Returns how boards are shown, and why.
fn boards(appearance: &Appearance, answers: Option<&TerminalAnswers>) -> String {
    let Some(answers) = answers else { return NOT_ASKED.to_owned() };
    let setting = appearance.settings.graphics;
    let environment = terminal::graphics(appearance.depth);
    let protocol = environment.protocol(setting, appearance.skin, Some(answers), window_cell());
    match protocol {
        Ok((protocol, cell)) => {
            let why = if setting == Graphics::Auto {
                "the terminal has it".to_owned()
            } else {
                format!("the setting graphics is {setting}")
            };
            format!("images in {protocol}, cells of {} x {} pixels: {why}", cell.width, cell.height)
        }
        Err(why) => format!("text: {why}"),
    }
}

fn config(appearance: &Appearance) -> String {
    let config = &appearance.config;
    let Some(path) = &config.path else { return "none".to_owned() };
    let state = match (path.exists(), config.problems.is_empty()) {
        (_, false) => " (has errors: quadrille config)",
        (false, true) => " (not created yet)",
        (true, true) => "",
    };
    format!("{}{state}", with_tilde(path))
}
