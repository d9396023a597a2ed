//! The position that is asked about.

use crate::catalogue::Entry;
use crate::engine::ValueFormat;
use crate::rules::{Setup, cut};
use crate::session::AnyMatch;

/// A match with this setup. Files are for people: whoever asks for a position need not be one.
pub fn start(entry: &Entry, setup: &Setup) -> Result<Box<dyn AnyMatch>, String> {
    let words = setup.to_string();
    match words.split(' ').find(|word| word.contains("=@")) {
        Some(word) => Err(format!("{}: no file is read here; write out what is in it", cut(word))),
        None => (entry.start)(setup).map_err(|error| format!("{error:#}")),
    }
}

/// A position, with the way to it as it was told. Of a line that goes on from there only what is new is
/// played.
pub struct Position {
    entry: &'static Entry,
    setup: Setup,
    /// The moves as they were told, which need not be as the game writes them.
    moves: Vec<String>,
    game: Box<dyn AnyMatch>,
}

impl Position {
    /// The first position of a game.
    pub fn start(entry: &'static Entry, setup: Setup) -> Result<Position, String> {
        let game = start(entry, &setup)?;
        Ok(Position { entry, setup, moves: Vec::new(), game })
    }

    /// The match that has come to the position.
    pub fn game(&self) -> &dyn AnyMatch {
        &*self.game
    }

    /// What its values count.
    pub fn value_format(&self) -> ValueFormat {
        ValueFormat::of(&*self.game)
    }

    /// Goes to the position after these moves. A refusal changes nothing.
    pub fn place(
        &mut self,
        entry: &'static Entry,
        setup: Setup,
        moves: Vec<String>,
    ) -> Result<(), String> {
        let is_same = self.entry.id == entry.id && self.setup == setup;
        if !is_same || !moves.starts_with(&self.moves) {
            let mut other = Position::start(entry, setup)?;
            other.play(moves)?;
            *self = other;
            return Ok(());
        }
        let node = self.game.node();
        let played = self.play(moves);
        if played.is_err() {
            self.game.go_to_node(node);
        }
        played
    }

    /// Plays on to the end of these moves, which begin with those played.
    fn play(&mut self, moves: Vec<String>) -> Result<(), String> {
        for (mv, number) in moves.iter().zip(1..).skip(self.moves.len()) {
            let wrong = |refusal| format!("move {number} {mv:?}: {refusal:#}");
            self.game.play(mv).map_err(wrong)?;
        }
        self.moves = moves;
        Ok(())
    }
}
