//! A match: the positions from the start to the present one, and those undone that can come back.

use crate::rules::{Game, Outcome, Seat, Setup, SetupError, perft};
use std::error::Error;
use std::fmt;

/// A match of one game. Undo and redo step through the positions that were kept; nothing is ever
/// computed backwards.
#[derive(Clone, Debug)]
pub struct Match<G: Game> {
    start: G,
    steps: Vec<(G::Move, G)>,
    /// How many of the steps are played; those behind are undone.
    ply: usize,
    /// Whether the players have agreed that the game is drawn as it stands.
    agreed: bool,
}

/// The move that led to a position.
#[derive(Clone, Copy, Debug)]
pub struct Last<'a, G: Game> {
    /// The position it was played in.
    pub before: &'a G,
    /// The move.
    pub mv: G::Move,
}

/// Why a move was not played: it was no move of this game, or not a legal one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    fn new(reason: impl fmt::Display) -> Refusal {
        Refusal(reason.to_string())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Refusal {}

impl<G: Game> Match<G> {
    /// A match that begins in this position.
    pub fn new(start: G) -> Match<G> {
        Match { start, steps: Vec::new(), ply: 0, agreed: false }
    }

    /// The present position.
    pub fn now(&self) -> &G {
        self.at(self.ply)
    }

    /// The move that led to the present position, unless it is the first.
    pub fn last_move(&self) -> Option<Last<'_, G>> {
        let before = self.ply.checked_sub(1)?;
        Some(Last { before: self.at(before), mv: self.steps.get(before)?.0 })
    }

    /// Plays a move; those that were undone are gone then. A refused one changes nothing.
    pub fn play_move(&mut self, mv: G::Move) -> Result<(), Refusal> {
        if self.agreed {
            return Err(Refusal::new("the game is over, agreed drawn"));
        }
        let mut next = self.now().clone();
        let played = next.play(mv);
        debug_assert_eq!(played, self.now().check(mv), "what is checked is what is played");
        debug_assert!(played.is_ok() || next == *self.now(), "a refused move changes nothing");
        played.map_err(Refusal::new)?;
        self.steps.truncate(self.ply);
        self.steps.push((mv, next));
        self.ply += 1;
        Ok(())
    }

    fn at(&self, ply: usize) -> &G {
        match ply.checked_sub(1) {
            Some(step) => &self.steps[step].1,
            None => &self.start,
        }
    }
}

/// A match of any game, its moves as their texts.
pub trait AnyMatch: Send {
    /// The game's name in commands and records.
    fn id(&self) -> &'static str;
    /// The complete setup the match began with.
    fn setup(&self) -> Setup;
    /// How many seats are at the table.
    fn seats(&self) -> u8;
    /// The letter of a seat on the board.
    fn mark(&self, seat: Seat) -> char;
    /// How many plies are played; undone ones do not count.
    fn ply(&self) -> usize;
    /// How many plies can be redone.
    fn undone(&self) -> usize;
    /// The seat to move, or `None` when the match is over.
    fn to_move(&self) -> Option<Seat>;
    /// Who has won, or `None` while the match goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// Whether the players have agreed on a draw.
    fn is_agreed(&self) -> bool;
    /// The points of each seat, or `None` in a game that keeps no score.
    fn scores(&self) -> Option<Vec<u32>>;
    /// What else belongs to the state of this game, as names and numbers.
    fn facts(&self) -> Vec<(&'static str, u64)>;
    /// The texts of all legal moves, sorted as text.
    fn legal(&self) -> Vec<String>;
    /// The moves played, each with the seat that played it.
    fn moves(&self) -> Vec<(Seat, String)>;
    /// The board text of the present position.
    fn board(&self) -> String;
    /// Plays the move with this text; those that were undone are gone then. A refusal changes
    /// nothing.
    fn play(&mut self, text: &str) -> Result<(), Refusal>;
    /// Takes back one ply; `false` at the start.
    fn undo(&mut self) -> bool;
    /// Plays again the ply taken back last; `false` when there is none.
    fn redo(&mut self) -> bool;
    /// Ends the match as a draw that all players agree on; undo or redo takes that back.
    fn agree_draw(&mut self);
    /// Begins anew with another setup of the same game. A refusal changes nothing.
    fn restart(&mut self, setup: &Setup) -> Result<(), SetupError>;
    /// Goes to the position after this many plies, or as near as there is one.
    fn go_to(&mut self, ply: usize);
    /// The number of move sequences of this many moves from here; see [`perft`].
    fn perft(&self, depth: u8) -> u64;
    /// The slow recount of the present position; see [`Game::validate`].
    fn validate(&self) -> Result<(), String>;
}

impl<G: Game> AnyMatch for Match<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn setup(&self) -> Setup {
        self.start.setup()
    }

    fn seats(&self) -> u8 {
        self.start.seats()
    }

    fn mark(&self, seat: Seat) -> char {
        G::mark(seat)
    }

    fn ply(&self) -> usize {
        self.ply
    }

    fn undone(&self) -> usize {
        self.steps.len() - self.ply
    }

    fn to_move(&self) -> Option<Seat> {
        if self.agreed { None } else { self.now().to_move() }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.agreed { Some(Outcome::shared(self.seats())) } else { self.now().outcome() }
    }

    fn is_agreed(&self) -> bool {
        self.agreed
    }

    fn scores(&self) -> Option<Vec<u32>> {
        self.now().scores()
    }

    fn facts(&self) -> Vec<(&'static str, u64)> {
        self.now().facts()
    }

    fn legal(&self) -> Vec<String> {
        if self.agreed {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.now().legal_moves(&mut moves);
        let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        texts.sort_unstable();
        texts
    }

    fn moves(&self) -> Vec<(Seat, String)> {
        let befores = std::iter::once(&self.start).chain(self.steps.iter().map(|(_, after)| after));
        let seats = befores.map(|before| before.to_move().unwrap_or(Seat::FIRST));
        let moves = self.steps[..self.ply].iter().map(|(mv, _)| mv.to_string());
        seats.zip(moves).collect()
    }

    fn board(&self) -> String {
        self.now().to_string()
    }

    fn play(&mut self, text: &str) -> Result<(), Refusal> {
        self.play_move(text.parse().map_err(Refusal::new)?)
    }

    fn undo(&mut self) -> bool {
        let changes = self.agreed || self.ply > 0;
        if !std::mem::take(&mut self.agreed) {
            self.ply = self.ply.saturating_sub(1);
        }
        changes
    }

    fn redo(&mut self) -> bool {
        let changes = self.undone() > 0;
        if changes {
            self.agreed = false;
            self.ply += 1;
        }
        changes
    }

    fn agree_draw(&mut self) {
        self.agreed = self.now().outcome().is_none();
    }

    fn restart(&mut self, setup: &Setup) -> Result<(), SetupError> {
        *self = Match::new(G::from_setup(setup)?);
        Ok(())
    }

    fn go_to(&mut self, ply: usize) {
        self.agreed = false;
        self.ply = ply.min(self.steps.len());
    }

    fn perft(&self, depth: u8) -> u64 {
        perft(self.now(), depth)
    }

    fn validate(&self) -> Result<(), String> {
        self.now().validate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::dots_and_boxes::Pipopipette;

    fn small() -> Match<Pipopipette> {
        Match::new(Pipopipette::square(2).unwrap())
    }

    #[test]
    fn undo_and_redo_go_through_the_whole_match() {
        let mut game = small();
        let start = game.board();
        for mv in ["H0,0", "V0,0", "V0,1", "H1,0"] {
            game.play(mv).unwrap();
        }
        let end = game.board();
        assert_eq!(game.moves()[3], (Seat::SECOND, "H1,0".to_owned()));
        while game.undo() {}
        assert_eq!((game.ply(), game.undone(), game.board()), (0, 4, start));
        while game.redo() {}
        assert_eq!((game.ply(), game.undone(), game.board()), (4, 0, end));
        game.go_to(2);
        game.play("H1,0").unwrap();
        assert_eq!(
            (game.ply(), game.undone()),
            (3, 0),
            "a new move takes the place of those undone"
        );
    }

    #[test]
    fn a_refusal_keeps_what_was_undone() {
        let mut game = small();
        game.play("H0,0").unwrap();
        game.play("V0,0").unwrap();
        game.undo();
        assert_eq!(game.play("H0,0").unwrap_err().to_string(), "dots already connected");
        assert_eq!(game.play("x").unwrap_err().to_string(), "invalid position");
        assert_eq!((game.ply(), game.undone()), (1, 1));
    }

    #[test]
    fn a_draw_can_be_agreed_and_taken_back() {
        let mut game = small();
        game.play("H0,0").unwrap();
        game.agree_draw();
        assert_eq!((game.to_move(), game.outcome()), (None, Some(Outcome::shared(2))));
        assert!(game.legal().is_empty() && game.play("V0,0").is_err());
        assert!(game.undo());
        assert_eq!((game.ply(), game.to_move()), (1, Some(Seat::SECOND)));
    }
}
