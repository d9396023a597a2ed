//! The list of games. A line here ties together a game's rules, texts and engine; a line in `src/board`
//! adds its board. Menus, records and commands need no further entry. The tests fail until
//! `tests/suite/common/samples.rs` has setups of the game.

use crate::engine::AnyEngine;
use crate::words::{GameWords, InWords, Words};
use quadrille_match::session::{Match, Player};
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::Intersections;
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_rules::quixo::Quixo;
use quadrille_rules::tic_tac_toe::TicTacToe;
use quadrille_rules::{OptionSpec, Position, Setup, SetupError};
use quadrille_search::census::{Census, OrderTypes, census};
use quadrille_search::{
    Control, DotsAndBoxesEngine, Engine, IntersectionsEngine, JoinTheDotsEngine, Level,
    QuixoEngine, TicTacToeEngine,
};
use quadrille_text::wording::cut;

/// All games, in menu order.
pub const GAMES: [GameEntry; 5] = [
    GameEntry::of::<DotsAndBoxes, DotsAndBoxesEngine>(),
    GameEntry::of::<JoinTheDots, JoinTheDotsEngine>(),
    GameEntry::of::<Quixo, QuixoEngine>(),
    GameEntry::of::<TicTacToe, TicTacToeEngine>(),
    GameEntry::of::<Intersections, IntersectionsEngine>(),
];

#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    pub id: &'static str,
    /// The display name.
    pub name: &'static str,
    /// Other accepted names; see [`Position::ALIASES`].
    pub aliases: &'static [&'static str],
    pub aim: &'static str,
    pub tagline: &'static str,
    pub how_to_move: &'static str,
    /// A setup and the moves of a match; the home screen shows its picture.
    pub sample: (&'static str, &'static str),
    pub rules: &'static str,
    /// The setup options; see [`Position::options`].
    pub options: fn(&Setup) -> Vec<OptionSpec>,
    /// Starts a match; pass it to [`Session::new`](quadrille_match::session::Session::new).
    pub start: fn(&Setup) -> Result<Match, SetupError>,
    /// Texts about the game and its matches.
    pub words: GameWords,
    /// Counts the positions reachable from the start of a setup; see [`census()`].
    pub census: fn(&Setup, &Control<'_, String>) -> Result<Census, SetupError>,
    /// Counts the positions on every arrangement (order type) of this many points. `None` for games without points and
    /// for point counts whose order types are unknown; see [`Engine::order_types`].
    pub order_types: fn(u32) -> Option<OrderTypes>,
    pub engine: fn() -> Box<dyn AnyEngine>,
}

impl GameEntry {
    const fn of<G: Words, E: Engine<Game = G>>() -> GameEntry {
        GameEntry {
            id: G::ID,
            name: G::NAME,
            aliases: G::ALIASES,
            aim: G::AIM,
            tagline: G::TAGLINE,
            how_to_move: G::HOW_TO_MOVE,
            sample: G::SAMPLE,
            rules: G::RULES,
            options: G::options,
            start: |setup| Ok(Match::new(G::from_setup(setup)?)),
            words: GameWords::of::<G>(),
            census: count::<E>,
            order_types: E::order_types,
            engine: || Box::new(E::default()),
        }
    }
}

impl GameEntry {
    /// Pairs a match of this game with its texts.
    pub fn in_words<'a>(&'a self, game: &'a Match) -> InWords<'a> {
        InWords { name: self.name, words: &self.words, game }
    }

    /// Checks that each engine among the players can play this match at its level.
    pub fn check_levels(&self, game: &Match, players: &[Player]) -> Result<(), String> {
        for player in players.iter().filter(|player| player.engine().is_some()) {
            let time = Level::patience(player.time().unwrap_or_default());
            if let Ok(horizon) = (self.engine)().horizon(game.now(), time) {
                player.check_level(horizon)?;
            }
        }
        Ok(())
    }
}

fn count<E: Engine>(setup: &Setup, control: &Control<'_, String>) -> Result<Census, SetupError> {
    let start = E::Game::from_setup(setup)?;
    let mut symmetry = E::symmetry(&start);
    Ok(census(start, &mut *symmetry, control))
}

pub fn find(id: &str) -> Option<&'static GameEntry> {
    GAMES.iter().find(|entry| entry.id == id)
}

/// Returns the game whose id or alias is, or begins with, `name`, ignoring case and separators. If no game or several
/// games match, the error lists the matches.
pub fn named(name: &str) -> Result<&'static GameEntry, Vec<&'static GameEntry>> {
    let letters = |name: &str| -> String {
        name.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    if name.contains('/') {
        return Err(Vec::new());
    }
    let name = letters(name);
    let meant = |is_meant: &dyn Fn(&str) -> bool| -> Vec<&'static GameEntry> {
        let names = |entry: &GameEntry| {
            [entry.id, entry.name]
                .into_iter()
                .chain(entry.aliases.iter().copied())
                .any(|name| is_meant(&letters(name)))
        };
        GAMES.iter().filter(|entry| names(entry)).collect()
    };
    let whole = meant(&|known| known == name);
    let meant = if whole.is_empty() { meant(&|known| known.starts_with(&name)) } else { whole };
    match meant[..] {
        [one] => Ok(one),
        _ => Err(meant),
    }
}

/// Returns the game named in a TOML file; names work as on the command line. The error is a clause that lists the valid
/// names.
pub fn named_in_file(name: &str) -> Result<&'static GameEntry, String> {
    named(name).map_err(|meant| {
        let games = if meant.is_empty() { GAMES.iter().collect() } else { meant };
        let ids: Vec<&str> = games.iter().map(|entry| entry.id).collect();
        format!("must be one of {}, not {:?}", ids.join(", "), cut(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_is_found_by_common_names() {
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
            assert_eq!(named(entry.id).map(|game| game.id).ok(), Some(entry.id));
        }
        assert_eq!(named("").err().map_or(0, |meant| meant.len()), GAMES.len());
        assert!(named("chess").is_err_and(|meant| meant.is_empty()));
    }
}
