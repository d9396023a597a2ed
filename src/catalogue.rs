//! The one list of games. One line here joins a game's rules, engine and board; then the game is in every menu, record
//! and command, and the tests fail until `tests/suite/common/samples.rs` has setups of it.

use crate::board::{
    self, DotsAndBoxesWidget, IntersectionsWidget, JoinTheDotsWidget, QuixoWidget, TicTacToeWidget,
    Viewer, Widget,
};
use crate::engine::AnyEngine;
use crate::rules::{OptionSpec, Position, Setup, SetupError};
use crate::search::census::{Census, OrderTypes, census};
use crate::search::{self, Control, Engine};
use crate::session::{AnyMatch, Match};

/// All games, in the order of the menus.
pub const GAMES: [GameEntry; 5] = [
    GameEntry::of::<DotsAndBoxesWidget, search::DotsAndBoxesEngine>(),
    GameEntry::of::<JoinTheDotsWidget, search::JoinTheDotsEngine>(),
    GameEntry::of::<QuixoWidget, search::QuixoEngine>(),
    GameEntry::of::<TicTacToeWidget, search::TicTacToeEngine>(),
    GameEntry::of::<IntersectionsWidget, search::IntersectionsEngine>(),
];

/// What menus and commands know about a game.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// The name in commands and records.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// Other names that people type; see [`Position::ALIASES`].
    pub aliases: &'static [&'static str],
    /// The game in one line.
    pub tagline: &'static str,
    /// How a move is made on the board.
    pub how_to_move: &'static str,
    /// A setup and the moves of a match worth a picture; see [`GameEntry::open_sample`].
    pub sample: (&'static str, &'static str),
    /// The rules to read.
    pub rules: &'static str,
    /// What can be set up; see [`Position::options`].
    pub options: fn(&Setup) -> Vec<OptionSpec>,
    /// Starts a match that is not shown; [`AnyMatch::into_session`] gives it to a session.
    pub start: fn(&Setup) -> Result<Box<dyn AnyMatch>, SetupError>,
    /// Opens a match together with the board that shows it; [`Viewer::into_match_board`] gives it to a session.
    pub open: fn(&Setup) -> Result<Box<dyn Viewer>, SetupError>,
    /// Counts the positions that can be reached from the start of a setup; see [`census()`].
    pub census: fn(&Setup, &Control<'_, String>) -> Result<Census, SetupError>,
    /// Counts the positions on every arrangement (order type) of this many points; `None` in a game without points,
    /// and for a number of points whose order types are not known; see [`Engine::order_types`].
    pub order_types: fn(u32) -> Option<OrderTypes>,
    /// Makes a new engine for it.
    pub engine: fn() -> Box<dyn AnyEngine>,
}

impl GameEntry {
    const fn of<W: Widget, E: Engine<Game = W::Game>>() -> GameEntry {
        GameEntry {
            id: W::Game::ID,
            name: W::Game::NAME,
            aliases: W::Game::ALIASES,
            tagline: W::TAGLINE,
            how_to_move: W::HOW_TO_MOVE,
            sample: W::SAMPLE,
            rules: W::Game::RULES,
            options: W::Game::options,
            start: start::<W::Game>,
            open: board::open::<W>,
            census: count::<E>,
            order_types: E::order_types,
            engine: || Box::new(E::default()),
        }
    }

    /// Opens the sample match on its board. `None` if its moves are not legal; a test checks for every game that
    /// they are.
    pub fn open_sample(&self) -> Option<Box<dyn Viewer>> {
        let (setup, moves) = self.sample;
        let mut viewer = (self.open)(&setup.parse().ok()?).ok()?;
        let mut is_legal = true;
        viewer.with_game(&mut |game| {
            is_legal = moves.split_whitespace().all(|mv| game.play(mv).is_ok());
        });
        is_legal.then_some(viewer)
    }
}

fn count<E: Engine>(setup: &Setup, control: &Control<'_, String>) -> Result<Census, SetupError> {
    let start = E::Game::from_setup(setup)?;
    // How positions are compared up to symmetry.
    let mut symmetry = E::symmetry(&start);
    Ok(census(start, &mut *symmetry, control))
}

fn start<G: Position>(setup: &Setup) -> Result<Box<dyn AnyMatch>, SetupError> {
    Ok(Box::new(Match::new(G::from_setup(setup)?)))
}

/// The game with this id.
pub fn find(id: &str) -> Option<&'static GameEntry> {
    GAMES.iter().find(|entry| entry.id == id)
}

/// The game that people mean by a name: its id, another name of it, or the beginning of either, whatever the case and
/// the signs between the words. If that is not one game, the error has all that are meant.
pub fn named(name: &str) -> Result<&'static GameEntry, Vec<&'static GameEntry>> {
    let letters = |name: &str| -> String {
        name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    // A path is no name.
    if name.contains('/') {
        return Err(Vec::new());
    }
    let name = letters(name);
    let meant = |is_meant: &dyn Fn(&str) -> bool| -> Vec<&'static GameEntry> {
        let names = |entry: &GameEntry| {
            [entry.id, entry.name]
                .into_iter()
                .chain(entry.aliases.iter().copied())
                .any(|it| is_meant(&letters(it)))
        };
        GAMES.iter().filter(|entry| names(entry)).collect()
    };
    let whole = meant(&|it| it == name);
    let meant = if whole.is_empty() { meant(&|it| it.starts_with(&name)) } else { whole };
    match meant[..] {
        [one] => Ok(one),
        _ => Err(meant),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_found_by_what_people_call_it() {
        for (name, id) in [
            ("dots", "dots-and-boxes"),
            ("d", "dots-and-boxes"),
            ("boxes", "dots-and-boxes"),
            ("Dots and Boxes", "dots-and-boxes"),
            ("ttt", "tic-tac-toe"),
            ("tictactoe", "tic-tac-toe"),
            ("noughts", "tic-tac-toe"),
            ("join", "join-the-dots"),
            ("quix", "quixo"),
            ("making-intersections", "intersections"),
        ] {
            assert_eq!(named(name).map(|entry| entry.id).ok(), Some(id), "{name}");
        }
        for entry in &GAMES {
            assert_eq!(named(entry.id).map(|it| it.id).ok(), Some(entry.id));
        }
        assert_eq!(named("").err().map_or(0, |meant| meant.len()), GAMES.len());
        assert!(named("chess").is_err_and(|meant| meant.is_empty()));
    }
}
