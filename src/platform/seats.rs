//! Checks before a match: whether each engine can play it, and whether each program exists.

use quadrille_match::session::{Match, Player, PositionSpec, ProgramSeat};
use quadrille_search::Level;
use quadrille_table::catalogue::GameEntry;
use quadrille_table::play::program::missing_file;
use std::path::Path;

/// Checks that each engine can play this match at its level.
pub fn check_levels(entry: &GameEntry, game: &Match, players: &[Player]) -> Result<(), String> {
    for player in players {
        if player.engine().is_none() {
            continue;
        }
        let time = Level::patience(player.time().unwrap_or_default());
        if let Ok(horizon) = (entry.engine)().horizon(&PositionSpec::to(game), time) {
            player.check_level(horizon)?;
        }
    }
    Ok(())
}

/// Returns the file that a program lacks; see [`missing_file`].
pub fn missing_program(program: &ProgramSeat, folder: &Path) -> Option<String> {
    missing_file(program.words().first()?, folder)
}
