//! Text: written by others, read from files, or shown to people. The lowest crate: every other crate may use it.
//!
//! - [`printable`](printable::printable) escapes what could act on a terminal or cannot be seen, and
//!   [`print_stderr`](printable::print_stderr) is the only way to stderr.
//! - [`wording`] has the fragments that many sentences share: counts, lists, cuts.
//! - [`TomlTable`](toml_file::TomlTable) reads TOML files that people write; its errors name file, line and key.
//! - [`key_layout`] maps the letters of other keyboard layouts to Latin ones.
//!
//! It promises that a text is shown on one line and controls nothing. It must not know a game, a file or a clock.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod key_layout;
pub mod printable;
pub mod toml_file;
pub mod wording;
