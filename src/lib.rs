//! Quadrille: pencil-and-paper and dice games at one table, in a terminal.
//!
//! Start with [`catalogue::GAMES`], the list of games. ARCHITECTURE.md describes the layers: a module only imports
//! modules below it.
//!
//! ```
//! use quadrille_table::catalogue;
//! use quadrille_rules::Setup;
//!
//! let entry = catalogue::find("tic-tac-toe").unwrap();
//! let mut game = (entry.start)(&Setup::new()).unwrap();
//! for mv in ["a1", "b1", "a2", "b2", "a3"] {
//!     game.play(mv).unwrap();
//! }
//! let winners: Vec<String> = game.outcome().unwrap().winners().map(|seat| seat.to_string()).collect();
//! assert_eq!(winners, ["1"]);
//! ```

pub use quadrille_rules as rules;
pub use quadrille_search as search;

pub mod action;
pub mod app;
pub mod arena;
pub mod board;
pub mod catalogue;
pub mod cli;
pub mod engine;
pub mod front_end;
pub mod net;
pub mod picture;
pub mod platform;
pub mod play;
pub mod printable;
pub mod puzzles;
pub mod scene;
pub mod session;
pub mod settings;
pub mod store;
pub mod text_ui;
pub mod toml_file;
mod tui;
mod view;
pub mod wording;
pub mod words;
