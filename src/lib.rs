//! The game itself: screens and commands. Rules, engines, matches and tables are in crates of their own;
//! ARCHITECTURE.md is the map. Each module imports only modules below it.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod action;
pub mod app;
pub mod board;
pub mod cli;
pub mod field;
pub mod front_end;
pub mod picture;
pub mod settings;
pub mod text_ui;
mod tui;
mod view;
