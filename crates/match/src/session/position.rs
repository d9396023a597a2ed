//! A position of any game, with moves as texts. Matches, sessions and tables access a game only through this trait.

use super::Refusal;
use quadrille_rules::{Outcome, Position, Scores, Seat, Setup, SetupError, perft};
use std::any::Any;
use std::fmt::{Debug, Display};
use std::hash::Hasher;

/// A position of any game. `Display` formats the board.
pub trait AnyPosition: Any + Debug + Display + Send + Sync {
    /// Returns the game's name in commands and records.
    fn id(&self) -> &'static str;
    /// Creates the first position of a different setup of this game.
    fn start(&self, setup: &Setup) -> Result<Box<dyn AnyPosition>, SetupError>;
    fn copy(&self) -> Box<dyn AnyPosition>;
    /// Returns the complete setup, if this is the first position.
    fn setup(&self) -> Setup;
    fn seats(&self) -> u8;
    /// Returns the letter that marks a seat on the board.
    fn mark(&self, seat: Seat) -> char;
    /// Returns the seat to move; `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;
    /// Returns the outcome; `None` while the game is in progress.
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the score of each seat; `None` in a game without scores.
    fn scores(&self) -> Option<Scores>;
    /// Returns game-specific facts about the position, as names and numbers.
    fn facts(&self) -> Vec<(&'static str, u64)>;
    /// Returns the texts of all legal moves, sorted.
    fn legal_moves(&self) -> Vec<String>;
    /// Converts a move to record notation. The move need not be legal.
    fn normalize(&self, mv: &str) -> Result<String, Refusal>;
    /// Plays a legal move, and returns it in record notation. A refusal changes nothing.
    fn play(&mut self, mv: &str) -> Result<String, Refusal>;
    /// Returns whether this is the same position of the same game.
    fn is(&self, other: &dyn AnyPosition) -> bool;
    fn hash(&self, hasher: &mut dyn Hasher);
    /// Returns the number of move sequences of this length from this position; see [`perft`].
    fn perft(&self, depth: u8) -> u64;
    /// Recomputes derived data and reports any differences; see [`Position::validate`].
    fn validate(&self) -> Result<(), String>;
}

impl dyn AnyPosition {
    /// Downcasts to a position of this game; `None` for any other game.
    pub fn typed<G: Position>(&self) -> Option<&G> {
        (self as &dyn Any).downcast_ref()
    }
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

fn read<G: Position>(mv: &str) -> Result<G::Move, Refusal> {
    mv.parse().map_err(Refusal::no_move)
}

impl<G: Position> AnyPosition for G {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn start(&self, setup: &Setup) -> Result<Box<dyn AnyPosition>, SetupError> {
        Ok(Box::new(G::from_setup(setup)?))
    }

    fn copy(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn setup(&self) -> Setup {
        Position::setup(self)
    }

    fn seats(&self) -> u8 {
        Position::seats(self)
    }

    fn mark(&self, seat: Seat) -> char {
        G::mark(seat)
    }

    fn to_move(&self) -> Option<Seat> {
        Position::to_move(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Position::outcome(self)
    }

    fn scores(&self) -> Option<Scores> {
        Position::scores(self)
    }

    fn facts(&self) -> Vec<(&'static str, u64)> {
        Position::facts(self)
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut texts: Vec<String> =
            Position::legal_moves(self).iter().map(ToString::to_string).collect();
        texts.sort_unstable();
        texts
    }

    fn normalize(&self, mv: &str) -> Result<String, Refusal> {
        read::<G>(mv).map(|mv| mv.to_string())
    }

    fn play(&mut self, mv: &str) -> Result<String, Refusal> {
        let mv = read::<G>(mv)?;
        let checked = cfg!(debug_assertions).then(|| self.check(mv));
        let played = Position::play(self, mv);
        debug_assert_eq!(Some(&played), checked.as_ref(), "what is checked is what is played");
        played.map_err(Refusal::new)?;
        Ok(mv.to_string())
    }

    fn is(&self, other: &dyn AnyPosition) -> bool {
        other.typed::<G>() == Some(self)
    }

    fn hash(&self, mut hasher: &mut dyn Hasher) {
        std::hash::Hash::hash(self, &mut hasher);
    }

    fn perft(&self, depth: u8) -> u64 {
        perft(self, depth)
    }

    fn validate(&self) -> Result<(), String> {
        Position::validate(self)
    }
}
