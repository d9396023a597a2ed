//! The root position of a search.

use quadrille_match::session::Match;
use quadrille_rules::Setup;
use quadrille_table::catalogue::GameEntry;
use quadrille_table::engine::ValueFormat;
use quadrille_text::wording::cut;

/// Starts a match. Rejects setups that name a file, because a UGI peer must not be able to make this process read
/// files.
pub fn start(entry: &GameEntry, setup: &Setup) -> Result<Match, String> {
    let words = setup.to_string();
    match words.split(' ').find(|word| word.contains("=@")) {
        Some(word) => {
            Err(format!("{}: files are not read here; write the content instead", cut(word)))
        }
        None => (entry.start)(setup).map_err(|error| error.to_string()),
    }
}

/// The position of the last `position` command. If the next command extends the same move list, only the new moves are
/// played.
pub struct CurrentPosition {
    entry: &'static GameEntry,
    setup: Setup,
    /// The moves as received, which may differ from the game's own notation.
    moves: Vec<String>,
    game: Match,
}

impl CurrentPosition {
    /// Returns the initial position of a game.
    pub fn start(entry: &'static GameEntry, setup: Setup) -> Result<CurrentPosition, String> {
        let game = start(entry, &setup)?;
        Ok(CurrentPosition { entry, setup, moves: Vec::new(), game })
    }

    pub fn current_match(&self) -> &Match {
        &self.game
    }

    pub fn value_format(&self) -> ValueFormat {
        ValueFormat::of(&self.game)
    }

    /// Sets the position after these moves. If an error occurs, nothing changes.
    pub fn place(
        &mut self,
        entry: &'static GameEntry,
        setup: Setup,
        moves: Vec<String>,
    ) -> Result<(), String> {
        let is_same = self.entry.id == entry.id && self.setup == setup;
        if !is_same || !moves.starts_with(&self.moves) {
            let mut other = CurrentPosition::start(entry, setup)?;
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

    /// Plays the remaining moves. `moves` begins with the moves already played.
    fn play(&mut self, moves: Vec<String>) -> Result<(), String> {
        for (mv, number) in moves.iter().zip(1..).skip(self.moves.len()) {
            let wrong = |refusal| format!("move {number} {mv:?}: {refusal}");
            self.game.play(mv).map_err(wrong)?;
        }
        self.moves = moves;
        Ok(())
    }
}
