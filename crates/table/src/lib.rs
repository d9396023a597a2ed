//! A table: a match in progress, with its players, engines and words.
//!
//! - [`GAMES`](catalogue::GAMES) is the list of games: rules, words and engine of each.
//! - [`Table`](play::Table) decides who may act; [`Engines`](play::Engines) asks engines and programs, and each
//!   [`Handle`](play::Handle) gives exactly one answer to each question.
//! - [`Peers`](play::Peers) is what a shared table knows of its other terminals.
//! - [`AnyEngine`](engine::AnyEngine) is an engine of any game, [`engine::ugi`] the language of programs,
//!   [`review`](engine::review()) the loss of each move.
//! - [`Words`](words::Words) says what a position, a move and a reason mean.
//! - [`MatchSaver`](match_saver::MatchSaver) saves matches while they are played;
//!   [`PlayedRecord`](record_reader::PlayedRecord) is a record that the user named.
//!
//! It promises that no program starts without the consent of the local user, that none outlives Quadrille, and that
//! nothing waits for one. It must not draw, ask for keys, or know a socket.
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
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod catalogue;
pub mod engine;
pub mod match_saver;
pub mod old_records;
pub mod play;
pub mod record_reader;
pub mod seed;
pub mod words;
