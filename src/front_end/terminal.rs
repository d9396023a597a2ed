//! What the environment says about the terminal.

use crate::app::runtime::GraphicsEnvironment;
use quadrille_scene::Depth;
use std::env::var;
use termini::{NumberCapability, TermInfo};

/// Returns the value of `TERM`.
pub fn term() -> String {
    var("TERM").unwrap_or_default()
}

/// Returns whether the terminal is reached through ssh.
pub fn is_remote() -> bool {
    ["SSH_CONNECTION", "SSH_TTY"].into_iter().any(|name| var(name).is_ok())
}

/// Returns whether the terminal is kitty, and not tmux or screen inside kitty.
pub fn is_kitty() -> bool {
    let term = term();
    term == "xterm-kitty" || !is_of_multiplexer(&term) && var("KITTY_WINDOW_ID").is_ok()
}

fn is_of_multiplexer(term: &str) -> bool {
    ["screen", "tmux"].iter().any(|name| term.starts_with(name))
}

/// Returns what the environment says about the terminal's images.
pub fn graphics(depth: Depth) -> GraphicsEnvironment {
    let term = term();
    let is_multiplexed = is_of_multiplexer(&term)
        || ["TMUX", "STY", "ZELLIJ"].into_iter().any(|name| var(name).is_ok());
    let program = var("TERM_PROGRAM").unwrap_or_default();
    GraphicsEnvironment { term, program, is_multiplexed, depth }
}

/// Returns the color depth of the terminal. `is_forced` means that the user asks for colors.
pub fn depth(is_forced: bool) -> Depth {
    let term = term();
    let depth = declared_depth(&var("COLORTERM").unwrap_or_default(), &term, || colours(&term));
    if is_forced && depth == Depth::None { Depth::Ansi8 } else { depth }
}

/// Returns the number of colors in a terminal's terminfo entry; `None` if there is no entry.
fn colours(term: &str) -> Option<u32> {
    // The name is part of a path.
    let entry = Some(term).filter(|term| !term.contains('/'));
    let entry = entry.and_then(|term| TermInfo::from_name(term).ok())?;
    let colours = entry.number_cap(NumberCapability::MaxColors).unwrap_or_default();
    Some(colours.try_into().unwrap_or_default())
}

/// Prefixes of `TERM` for terminals with true color even without `COLORTERM`, which ssh does not forward.
const TRUE_COLOUR: [&str; 6] =
    ["xterm-kitty", "alacritty", "xterm-ghostty", "ghostty", "foot", "wezterm"];

/// Returns the color depth that a terminal declares, by its name if that says enough, or else by its number of
/// `colours`. `COLORTERM` adds to those, since few terminfo entries can express true color, but a terminal without any
/// colors is believed.
fn declared_depth(colorterm: &str, term: &str, colours: impl FnOnce() -> Option<u32>) -> Depth {
    let is_known = TRUE_COLOUR.iter().any(|name| term.starts_with(name));
    let is_true_colour = matches!(colorterm, "truecolor" | "24bit");
    if is_known || term.ends_with("-direct") {
        return Depth::TrueColour;
    }
    if term.contains("256color") {
        return if is_true_colour { Depth::TrueColour } else { Depth::Indexed256 };
    }
    match colours() {
        Some(..8) => Depth::None,
        _ if is_true_colour => Depth::TrueColour,
        Some(0x0100_0000..) => Depth::TrueColour,
        Some(256..) => Depth::Indexed256,
        Some(16..) => Depth::Ansi16,
        Some(8..) | None => Depth::Ansi8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_depth_follows_the_terminal() {
        for (colorterm, term, colours, depth) in [
            ("truecolor", "xterm-256color", Some(256), Depth::TrueColour),
            ("24bit", "xterm", Some(8), Depth::TrueColour),
            ("truecolor", "vt220", Some(0), Depth::None),
            ("", "vt220", Some(0), Depth::None),
            ("", "xterm-direct", Some(1 << 24), Depth::TrueColour),
            ("", "xterm-direct", None, Depth::TrueColour),
            ("", "xterm-kitty", Some(256), Depth::TrueColour),
            ("", "foot-extra", None, Depth::TrueColour),
            ("", "alacritty", None, Depth::TrueColour),
            ("", "xterm-ghostty", None, Depth::TrueColour),
            ("", "wezterm", None, Depth::TrueColour),
            ("", "screen-256color", Some(256), Depth::Indexed256),
            ("", "screen.xterm-256color", None, Depth::Indexed256),
            // Its palette of 88 colors is not part of the one of 256.
            ("", "rxvt-unicode", Some(88), Depth::Ansi16),
            ("", "xterm-16color", Some(16), Depth::Ansi16),
            ("yes", "xterm", Some(8), Depth::Ansi8),
            ("", "ansi", Some(8), Depth::Ansi8),
            ("", "linux", Some(8), Depth::Ansi8),
            ("", "unknown", None, Depth::Ansi8),
        ] {
            assert_eq!(declared_depth(colorterm, term, || colours), depth, "{term} {colorterm}");
        }
    }
}
