//! Quadrille: pencil-and-paper and dice games at one table, in a terminal.
//!
//! ARCHITECTURE.md describes the layers; a module stands above all that it imports.

pub mod action;
pub mod app;
pub mod arena;
pub mod board;
pub mod catalogue;
pub mod cli;
pub mod engine;
pub mod picture;
pub mod plain;
pub mod play;
pub mod printable;
pub mod rules;
pub mod scene;
pub mod search;
pub mod session;
pub mod settings;
pub mod toml_file;
pub mod wording;
